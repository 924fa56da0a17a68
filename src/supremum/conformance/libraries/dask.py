"""How Dask is asked: by its ``result_type``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from ...core.dtypes import dtype
from ...core.operands import Operand
from ..calls import call, dtype_of

SYSTEM = "dask"
DISTRIBUTION = "dask[array]==2026.8.0"
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1, 0)
SCALARS = (True, 1, 300, -1, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = True
CALLS = {
    "cumulative_sum": "(x,0)",
    "cumulative_prod": "(x,0)",
    "cumsum": "(x,0)",
}
NAMES = {"cumulative_sum": "cumsum", "cumulative_prod": "cumprod"}


def version() -> str:
    """Return the release that is installed."""
    import dask

    return str(dask.__version__)


def configure() -> None:
    """Bring Dask into its one setting."""


def make(op: Operand) -> Any:
    """Return a live operand: Dask's arrays, but NumPy's where the operand says so."""
    if op.form.startswith("Python"):
        return op.value
    import dask.array
    import numpy as np

    if op.rank == 2:
        return dask.array.eye(3).astype(op.dtype.to("numpy"))
    shape = (3,) * (1 if op.rank is None else op.rank)
    if op.form == "scalar":
        return op.dtype.to("numpy").type(1)
    if op.library == "NumPy":
        return np.ones(shape, op.dtype.to("numpy"))
    return dask.array.ones(shape, dtype=op.dtype.to("numpy"))


def ask(*operands: Any) -> str:
    """Return what ``dask.array.result_type`` says."""
    import dask.array

    return dtype(dask.array.result_type(*operands)).name


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import dask.array as da

    return da, da.linalg, da.fft, da.Array


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result, which is not computed."""
    import numpy as np

    mask, index = np.ones(3, bool), np.ones(3, np.int64)
    return dtype_of(call(THIS, function, operands, mask, index))


THIS = sys.modules[__name__]
