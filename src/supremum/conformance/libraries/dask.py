"""How Dask is asked: by its ``result_type``."""

from __future__ import annotations

from typing import Any

from ...core.operands import Operand, dtype

SYSTEM = "dask"
DISTRIBUTION = "dask[array]==2026.8.0"
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1, 0)
SCALARS = (True, 1, 300, -1, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = True


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

    shape = (3,) * (1 if op.rank is None else op.rank)
    if op.form == "scalar":
        return op.dtype.to("numpy").type(0)
    if op.library == "NumPy":
        return np.zeros(shape, op.dtype.to("numpy"))
    return dask.array.zeros(shape, dtype=op.dtype.to("numpy"))


def ask(*operands: Any) -> str:
    """Return what ``dask.array.result_type`` says."""
    import dask.array

    return dtype(dask.array.result_type(*operands)).name
