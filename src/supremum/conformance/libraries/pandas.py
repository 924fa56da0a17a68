"""How pandas is asked: by adding Series and scalars, or by concatenating Series."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from ...core.operands import Operand, dtype

SYSTEM = "pandas"
DISTRIBUTION = "pandas==3.1.1"
SETTINGS: tuple[dict[str, Any], ...] = ({"operation": "add"}, {"operation": "concat"})
RANKS = (1,)
SCALARS = (True, 1, -1, 127, 128, 300, 2**31, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = False
NARY_SETTINGS = ({"operation": "concat"},)

_asked = {"operation": "add"}


def version() -> str:
    """Return the release that is installed."""
    import pandas as pd

    return str(pd.__version__)


def configure(operation: str = "add") -> None:
    """Set what is asked."""
    _asked["operation"] = operation


def make(op: Operand) -> Any:
    """Return a live operand."""
    if op.form.startswith("Python"):
        return op.value
    import numpy as np
    import pandas as pd

    return pd.Series(np.zeros(3, op.dtype.to("numpy")))


def ask(*operands: Any) -> str:
    """Return the dtype of the sum, from the left, or of the concatenation."""
    import pandas as pd

    if _asked["operation"] == "concat":
        return dtype(pd.concat(list(operands)).dtype).name
    return dtype(reduce(operator.add, operands).dtype).name
