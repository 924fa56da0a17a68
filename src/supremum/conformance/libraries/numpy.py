"""How NumPy is asked: ``np.result_type``, and its operators on arrays."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

from ...core.dtypes import DType, dtype
from ...core.errors import DTypeError
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..calls import call, dtype_of

SYSTEM = "numpy"
DISTRIBUTION = "numpy==2.4.6 ml_dtypes==0.6.0"
OF_RELEASES = {"ml_dtypes": "ml_dtypes"}
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1, 0)
SCALARS = (True, 1, -1, 300, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = True


def _is_odd_ldexp(operands: Sequence[Operand]) -> bool:
    return operands[0].is_python or any(x.dtype.name == "bfloat16" for x in operands)


def _is_number(operands: Sequence[Operand]) -> bool:
    return operands[0].is_python


# ldexp is refused by name, since NumPy's answer depends on the value of the first number, and on
# the width of the second operand beside bfloat16. The others give a Python number for one.
UNMODELLED = {
    "ldexp": _is_odd_ldexp,
    **dict.fromkeys(("real", "imag", "isreal"), _is_number),
}

# These multiply Python objects if the dtypes do not join, and give one, or an array of them.
OF_OBJECTS = ("dot", "inner", "vdot")


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
    made = np.eye(3) if op.rank == 2 else np.ones((3,) * (op.rank or 0))
    return made.astype(op.dtype.to("numpy"))


def within(**_: Any) -> AbstractContextManager[object]:
    """Return the context in which expressions are evaluated."""
    import numpy as np

    return np.errstate(all="ignore")


def filled(values: Any, dtype: DType, *, weak: bool) -> Any:
    """Return an array of these values.

    Raises:
        DTypeError: if it is to be weak.
    """
    import numpy as np

    if weak:
        raise DTypeError("NumPy has no weak arrays", dtype)
    return np.array(values, dtype.to("numpy"))


def ask(*operands: Any) -> str:
    """Return what ``np.result_type`` says."""
    import numpy as np

    return dtype(np.result_type(*operands)).name


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import numpy as np

    return np, np.linalg, np.fft


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    import numpy as np

    if FUNCTIONS[function].category == "store":
        left = operands[0].copy()
        left += operands[1]
        return dtype_of(left)
    found = call(THIS, function, operands, np.ones(3, bool), np.ones(3, np.int64))
    if function in OF_OBJECTS and type(found) is float:
        raise TypeError(f"{function} makes objects of these operands")
    return dtype_of(np.asarray(found))


THIS = sys.modules[__name__]
