"""How NumPy is asked: ``np.result_type``, and its operators on arrays."""

from __future__ import annotations

from typing import Any

from supremum.operands import Operand, dtype

SYSTEM = "numpy"
DISTRIBUTION = "numpy==2.4.6 ml_dtypes==0.6.0"
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1, 0)
SCALARS = (True, 1, -1, 300, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = True

# The operators that NumPy has under another name.
_NAMES = {"concat": "concatenate"}


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


def operate(op: str, *operands: Any) -> str:
    """Return the dtype of an operator's result."""
    import numpy as np

    if op == "iadd":
        left = operands[0].copy()
        left += operands[1]
        return dtype(left.dtype).name
    function: Any = getattr(np, _NAMES.get(op, op))
    if op == "concat":
        return dtype(function(operands).dtype).name
    if op == "where":
        return dtype(function(np.ones(3, bool), *operands).dtype).name
    return dtype(np.asarray(function(*operands)).dtype).name
