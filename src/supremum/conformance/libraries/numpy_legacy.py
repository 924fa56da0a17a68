"""How NumPy before version 2 is asked: ``np.result_type``, with scalars of many values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...core.dtypes import DType
from ...core.functions import FUNCTIONS, chain
from ...core.operands import Operand
from .numpy import CALLS, NAMES, NumPy

_VALUES: Final = {
    "bool": (0, 1),
    "unsigned": (0, 127, 128, 255, 256, 65535, 2**31, 2**63),
    "signed": (0, 127, 128, 255, 32768, 2**31, 2**63 - 1, -1, -129, -40000, -(2**40)),
    "float": (0.0, 64999.0, 7e4, 1e38, 3.5e38, 1e300, float("inf")),
    "complex": (0j, 1j, 7e4 + 0j, 1e39j),
}


class Legacy(NumPy):
    """NumPy before version 2, to which values of scalars count."""

    def version(self) -> str:
        """Return the release that is installed; raises ImportError for version 2."""
        found = super().version()
        if not found.startswith("1."):
            raise ImportError(f"NumPy {found} is not before version 2")
        return found

    def more(self, dtypes: Sequence[DType]) -> list[Operand]:
        """Return NumPy's scalars, whose values count."""
        return [
            Operand(f"{d}({value})", d, False, "scalar", "NumPy", (), value)
            for d in dtypes
            for value in _VALUES[d.kind]
            if _holds(d, value)
        ]

    def make(self, op: Operand) -> Any:
        """Return an array, a scalar of NumPy, or a Python number."""
        if op.form == "scalar":
            return op.dtype.to("numpy").type(op.value)
        return super().make(op)


def _holds(d: DType, value: Any) -> bool:
    if d.kind in ("signed", "unsigned"):
        return bool(d.min <= value <= d.max)
    return bool(abs(value) <= d.max or abs(value) == float("inf"))


def _is_scalar(operands: Sequence[Operand]) -> bool:
    return any(x.rank == 0 for x in operands)


def _is_object(operands: Sequence[Operand]) -> bool:
    return any(type(x.number) is int and not -(2**63) <= x.number < 2**64 for x in operands)


def _is_negative(operands: Sequence[Operand]) -> bool:
    value: Any = operands[-1].value
    return operands[-1].form == "scalar" and operands[-1].dtype.kind == "signed" and value < 0


LIBRARY = Legacy(
    "numpy-legacy",
    "numpy==1.26.4",
    module="numpy",
    ranks=(1,),
    scalars=(True, 1, -5, 300, 2**40, 2**62, 2**63, 2**64 - 1, 2**70, 1.0, 7e4, 1e300, 1j, 1e39j),
    roots=("numpy", "numpy.linalg", "numpy.fft"),
    names=NAMES,
    calls=CALLS,
    # A power is refused for the value of a scalar, which the rules look at for Python numbers; ints
    # that become objects compare with everything; and sinc makes float64 of scalars.
    unmodelled={
        **{name: _is_object for name in FUNCTIONS if {"equal", "less"} & {*chain(name)}},
        "power": _is_negative,
        "sinc": _is_scalar,
    },
)
