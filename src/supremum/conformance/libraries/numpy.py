"""How NumPy is asked: ``np.result_type``, and its operators on arrays."""

from __future__ import annotations

from typing import Any

from ...core.functions import FUNCTIONS
from ...core.operands import Operand, dtype
from ..questions import OF_MATRICES, find

SYSTEM = "numpy"
DISTRIBUTION = "numpy==2.4.6 ml_dtypes==0.6.0"
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1, 0)
SCALARS = (True, 1, -1, 300, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = True

# Those that NumPy lacks, those that need more than arrays, and dot and its like, whose seven
# answers for bfloat16 with wide integers have no rule.
UNASKED = (
    "nan_to_num",
    "append",
    "matrix_rank",
    "quantile",
    "percentile",
    "block",
    "einsum",
    "dot",
    "vdot",
    "inner",
)


def version() -> str:
    """Return the release that is installed."""
    import numpy as np

    return np.__version__


def configure() -> None:
    """Do nothing: there is one setting."""


def make(op: Operand) -> Any:
    """Return an array, or a Python number."""
    import numpy as np

    if op.form.startswith("Python"):
        return op.value
    return np.ones((3,) * (op.rank or 0), op.dtype.to("numpy"))


def ask(*operands: Any) -> str:
    """Return what ``np.result_type`` says."""
    import numpy as np

    return dtype(np.result_type(*operands)).name


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    import numpy as np

    known = FUNCTIONS[function]
    if known.sort == "store":
        left = operands[0].copy()
        left += operands[1]
        return dtype(left.dtype).name
    if known.sort == "linalg" or function in OF_MATRICES:
        operands = tuple(np.eye(3, dtype=x.dtype) for x in operands)
    if known.sort == "linalg":
        return dtype(np.asarray(find(np.linalg, function)(*operands)).dtype).name
    if known.sort == "transform":
        return dtype(find(np.fft, function)(*operands).dtype).name
    if known.sort == "condition":
        return dtype(np.where(np.ones(3, bool), *operands).dtype).name
    called = find(np, function)
    if known.sort == "sequence":
        return dtype(called(operands).dtype).name
    return dtype(np.asarray(called(*operands)).dtype).name
