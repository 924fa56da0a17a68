"""How the array API is asked: array-api-strict, by its ``result_type``.

Its operators say the same, where they take the dtypes at all, as ``+`` takes no bools.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ...core.dtypes import dtype
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..calls import call, dtype_of, own_dtype

SYSTEM = "array-api"
DISTRIBUTION = "array-api-strict==2.6.1"
SETTINGS: tuple[dict[str, Any], ...] = ({"version": "2024.12"}, {"version": "2025.12"})
RANKS = (1, 0)
SCALARS = (True, 1, 1.0, 1j)
NARY = True
DECLARED = True  # what is not in __all__ are helpers of its own, not names of the standard
FUNCTION_SCALARS = (True, 1, 1.0)  # functions of reals are not checked for a complex number
# These hand mixed dtypes on to NumPy, without a look at the standard's rules.
UNASKED = (
    "matmul", "tensordot", "vecdot", "outer", "linalg.outer", "cross", "linalg.cross",
    "norm",  # which stands for the norms of the standard
)  # fmt: skip
# How the standard calls what the catalogue calls otherwise.
CALLS = {
    "arange": "(3)",
    "full": "((3,),1.0)",
    "linspace": "(0.0,1.0,3)",
    "reshape": "(x,(3,))",
    "round": "(x)",
    "squeeze": "(x[...,None],1)",
    "take_along_axis": "(x,i)",
    "tile": "(x,(1,))",
}


def _mixes_signs(operands: Sequence[Operand]) -> bool:
    names = {x.dtype.name for x in operands}
    return "uint64" in names and any(x.dtype.kind == "signed" for x in operands)


# The standard leaves uint64 with signed bounds undefined; array-api-strict accepts them.
UNMODELLED = {"clip": _mixes_signs}
CALLS = {
    "round": "(x)",
    "squeeze": "(m[:1,:],0)",
    "reshape": "(x,(3,))",
    "tile": "(x,(2,))",
    "take_along_axis": "(x,i)",
}


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

    own = own_dtype(xp, op.dtype)
    if op.rank == 2:
        return xp.eye(3, dtype=own)
    return xp.zeros((3,) * (1 if op.rank is None else op.rank), dtype=own)


def ask(*operands: Any) -> str:
    """Return what ``result_type`` says."""
    import array_api_strict as xp

    return dtype(xp.result_type(*operands)).name


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import array_api_strict as xp

    return xp, xp.linalg, xp.fft


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    import array_api_strict as xp

    if FUNCTIONS[function].category == "store":
        left = xp.asarray(operands[0], copy=True)
        left += operands[1]
        return dtype_of(left)
    mask, index = xp.ones(3, dtype=xp.bool), xp.ones(3, dtype=xp.int64)
    return dtype_of(call(THIS, function, operands, mask, index))


THIS = sys.modules[__name__]
