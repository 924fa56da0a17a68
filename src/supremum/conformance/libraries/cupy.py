"""How CuPy is asked: by its ``result_type``, which needs no GPU."""

from __future__ import annotations

from typing import Any

from ...core.operands import Operand, dtype

SYSTEM = "cupy"
DISTRIBUTION = "cupy-cuda12x==14.2.0"
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1, 0)
SCALARS = (True, 1, 300, -1, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = True

# An array without memory may have any dtype of NumPy's; CuPy makes arrays of these.
DTYPES = """
    bool uint8 uint16 uint32 uint64 int8 int16 int32 int64
    float16 bfloat16 float32 float64 complex64 complex128
"""


def version() -> str:
    """Return the release that is installed."""
    import cupy

    return str(cupy.__version__)


def configure() -> None:
    """Bring CuPy into its one setting."""


def make(op: Operand) -> Any:
    """Return a live operand: an array without memory, of which only the dtype is asked for."""
    if op.form.startswith("Python"):
        return op.value
    import cupy

    if op.dtype.name not in DTYPES.split():
        raise TypeError(f"CuPy has no {op.dtype}")
    shape = (3,) * (1 if op.rank is None else op.rank)
    nowhere = cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(0, 0, None, 0), 0)
    return cupy.ndarray(shape, op.dtype.to("numpy"), nowhere)


def ask(*operands: Any) -> str:
    """Return what ``cupy.result_type`` says."""
    import cupy

    return dtype(cupy.result_type(*operands)).name
