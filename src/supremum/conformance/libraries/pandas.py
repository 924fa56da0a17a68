"""How pandas is asked: by adding Series and scalars, or by concatenating Series."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from functools import reduce
from typing import Any

from ...core.dtypes import dtype
from ...core.operands import Operand
from ..calls import METHODS, call, dtype_of

SYSTEM = "pandas"
DISTRIBUTION = "pandas==3.1.1"
SETTINGS: tuple[dict[str, Any], ...] = ({"operation": "add"}, {"operation": "concat"})
RANKS = (1,)
SCALARS = (True, 1, -1, 127, 128, 300, 2**31, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = False
NARY_SETTINGS = ({"operation": "concat"},)

# What it calls otherwise: operators, methods, and NumPy's functions of a Series.
NAMES = {**METHODS, "left_shift": "lshift", "right_shift": "rshift"}

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

    if op.rank == 0:
        return np.ones((), op.dtype.to("numpy"))
    return pd.Series(np.ones(3, op.dtype.to("numpy")))


def ask(*operands: Any) -> str:
    """Return the dtype of the sum, from the left, or of the concatenation."""
    import pandas as pd

    if _asked["operation"] == "concat":
        return dtype(pd.concat(list(operands)).dtype).name
    return dtype(reduce(operator.add, operands).dtype).name


def roots() -> Sequence[Any]:
    """Return where its functions are: operators, methods, and what NumPy has."""
    import numpy as np
    import pandas as pd

    return operator, pd.Series, np


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    return dtype_of(call(THIS, function, operands))


THIS = sys.modules[__name__]
