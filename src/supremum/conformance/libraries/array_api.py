"""How the array API is asked: array-api-strict, by its ``result_type``.

Its operators say the same, where they take the dtypes at all, as ``+`` takes no bools.
"""

from __future__ import annotations

from typing import Any

from ...core.functions import FUNCTIONS
from ...core.operands import Operand, dtype
from ..questions import find

SYSTEM = "array-api"
DISTRIBUTION = "array-api-strict==2.6.1"
SETTINGS: tuple[dict[str, Any], ...] = ({"version": "2024.12"}, {"version": "2025.12"})
RANKS = (1, 0)
SCALARS = (True, 1, 1.0, 1j)
NARY = True
FUNCTION_SCALARS = (True, 1, 1.0)  # functions of reals are not checked for a complex number
# matmul and its like hand mixed dtypes on to NumPy, without a look at the standard's rules; the
# rest the standard does not have.
UNASKED = (
    "matmul", "tensordot", "vecdot", "dot", "vdot", "inner", "convolve", "correlate", "cross",
    "outer", "kron", "einsum", "float_power", "fmax", "fmin", "exp2", "cbrt", "deg2rad",
    "rad2deg", "sinc", "fabs", "select", "nan_to_num", "nansum", "nanprod", "cumsum", "median",
    "average", "quantile", "percentile", "ptp", "nanmax", "nanmin", "nancumsum", "nancumprod",
    "hstack", "vstack", "dstack", "column_stack", "block", "append", "matrix_rank", "trace",
    "fft2", "ifft2", "rfft2", "irfft2", "fftn", "ifftn", "rfftn", "irfftn", "trapezoid",
    "polyval",
)  # fmt: skip


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


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    import array_api_strict as xp

    known = FUNCTIONS[function]
    if known.sort == "store":
        left = xp.asarray(operands[0], copy=True)
        left += operands[1]
        return dtype(left.dtype).name
    if known.sort == "linalg":
        matrices = [xp.eye(3, dtype=x.dtype) for x in operands]
        return dtype(find(xp.linalg, function)(*matrices).dtype).name
    if known.sort == "transform":
        return dtype(find(xp.fft, function)(*operands).dtype).name
    called: Any = find(xp, function)
    if known.sort == "sequence":
        return dtype(called(operands).dtype).name
    if known.sort == "condition":
        return dtype(called(xp.ones(3, dtype=xp.bool), *operands).dtype).name
    return dtype(called(*operands).dtype).name
