"""How NumPy before version 2 is asked: ``np.result_type``, with scalars of many values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.operands import Operand, dtype

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
    return own.type(op.value) if op.form == "scalar" else np.zeros(3, own)


def ask(*operands: Any) -> str:
    """Return what ``np.result_type`` says."""
    import numpy as np

    return dtype(np.result_type(*operands)).name
