"""How the array API is asked: array-api-strict, by its ``result_type``.

Its operators say the same, where they take the dtypes at all, as ``+`` takes no bools.
"""

from __future__ import annotations

from typing import Any

from supremum.operands import Operand, dtype

SYSTEM = "array-api"
DISTRIBUTION = "array-api-strict==2.6.1"
SETTINGS: tuple[dict[str, Any], ...] = ({"version": "2024.12"}, {"version": "2025.12"})
RANKS = (1, 0)
SCALARS = (True, 1, 1.0, 1j)
NARY = True
UNASKED = ("matmul",)  # it hands mixed dtypes on to NumPy, without a look at the standard's rules

# The operators that the standard has under another name.
_NAMES = {"power": "pow", "true_divide": "divide", "left_shift": "bitwise_left_shift",
          "invert": "bitwise_invert"}  # fmt: skip


def version() -> str:
    """Return the release that is installed."""
    import array_api_strict

    return str(array_api_strict.__version__)


def configure(version: str = "2024.12") -> None:
    """Bring array-api-strict to a version of the standard."""
    import array_api_strict

    array_api_strict.set_array_api_strict_flags(api_version=version)


def make(op: Operand) -> Any:
    """Return a live operand."""
    if op.form.startswith("Python"):
        return op.value
    import array_api_strict as xp

    return xp.zeros((3,) * (1 if op.rank is None else op.rank), dtype=getattr(xp, op.dtype.name))


def ask(*operands: Any) -> str:
    """Return what ``result_type`` says."""
    import array_api_strict as xp

    return dtype(xp.result_type(*operands)).name


def operate(op: str, *operands: Any) -> str:
    """Return the dtype of an operator's result."""
    import array_api_strict as xp

    if op == "iadd":
        left = xp.asarray(operands[0], copy=True)
        left += operands[1]
        return dtype(left.dtype).name
    function: Any = getattr(xp, _NAMES.get(op, op))
    if op == "concat":
        return dtype(function(operands).dtype).name
    if op == "where":
        return dtype(function(xp.ones(3, dtype=xp.bool), *operands).dtype).name
    return dtype(function(*operands).dtype).name
