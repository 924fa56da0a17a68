"""How NumPy before version 2 is asked: ``np.result_type``, with scalars of many values."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType, dtype
from ...core.functions import FUNCTIONS, chain
from ...core.operands import Operand
from ..calls import call, dtype_of
from . import numpy

SYSTEM = "numpy-legacy"
DISTRIBUTION = "numpy==1.26.4"
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1,)
SCALARS = (True, 1, -5, 300, 2**40, 2**62, 2**63, 2**64 - 1, 2**70, 1.0, 7e4, 1e300, 1j, 1e39j)
NARY = True

_VALUES = {
    "bool": (0, 1),
    "unsigned": (0, 127, 128, 255, 256, 65535, 2**31, 2**63),
    "signed": (0, 127, 128, 255, 32768, 2**31, 2**63 - 1, -1, -129, -40000, -(2**40)),
    "float": (0.0, 64999.0, 7e4, 1e38, 3.5e38, 1e300, float("inf")),
    "complex": (0j, 1j, 7e4 + 0j, 1e39j),
}


def version() -> str:
    """Return the release that is installed."""
    import numpy as np

    if not np.__version__.startswith("1."):
        raise ImportError(f"NumPy {np.__version__} is not before version 2")
    return np.__version__


def configure() -> None:
    """Do nothing: there is one setting."""


def more(dtypes: Sequence[DType]) -> list[Operand]:
    """Return NumPy's scalars, whose values count."""
    return [
        Operand(f"{d}({value})", d, False, "scalar", "NumPy", 0, value)
        for d in dtypes
        for value in _VALUES[d.kind]
        if _holds(d, value)
    ]


def _holds(d: DType, value: Any) -> bool:
    if d.kind in ("signed", "unsigned"):
        return bool(d.min <= value <= d.max)
    return bool(abs(value) <= d.max or abs(value) == float("inf"))


def make(op: Operand) -> Any:
    """Return an array, a scalar of NumPy, or a Python number."""
    import numpy as np

    if op.form.startswith("Python"):
        return op.value
    own = op.dtype.to("numpy")
    if op.form == "scalar":
        return own.type(op.value)
    return (np.eye(3) if op.rank == 2 else np.ones((3,) * (op.rank or 0))).astype(own)


def ask(*operands: Any) -> str:
    """Return what ``np.result_type`` says."""
    import numpy as np

    return dtype(np.result_type(*operands)).name


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    import numpy as np

    if FUNCTIONS[function].category == "store":
        left = operands[0].copy()
        left += operands[1]
        return dtype_of(left)
    index = np.ones(3, np.int64)
    return dtype_of(np.asarray(call(THIS, function, operands, np.ones(3, bool), index)))


def _is_scalar(operands: Sequence[Operand]) -> bool:
    return any(x.rank == 0 for x in operands)


def _is_object(operands: Sequence[Operand]) -> bool:
    return any(type(x.number) is int and not -(2**63) <= x.number < 2**64 for x in operands)


def _is_negative(operands: Sequence[Operand]) -> bool:
    value: Any = operands[-1].value
    return operands[-1].form == "scalar" and operands[-1].dtype.kind == "signed" and value < 0


# A power is refused for the value of a scalar, which the rules look at for Python numbers; ints
# that become objects compare with everything; and sinc makes float64 of scalars.
UNMODELLED = {
    **{name: _is_object for name in FUNCTIONS if {"equal", "less"} & {*chain(name)}},
    "power": _is_negative,
    "sinc": _is_scalar,
}
roots = numpy.roots
THIS = sys.modules[__name__]
