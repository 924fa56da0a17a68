"""How CuPy is asked: by its ``result_type``, and by what its kernels choose, which need no GPU.

A kernel is a ufunc or a reduction. CuPy asks it for the loop of some operands, then the loop for
the dtypes of its results, and converts Python numbers to what the loop takes; all that before
anything is launched, and so it is asked here. A function that returns a view launches nothing.
"""

from __future__ import annotations

from typing import Any, Final

from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..calls import find
from ..library import Library

# An array without memory may have any dtype of NumPy's; CuPy makes arrays of these.
DTYPES: Final = """
    bool uint8 uint16 uint32 uint64 int8 int16 int32 int64
    float16 bfloat16 float32 float64 complex64 complex128
"""


class CuPy(Library):
    """CuPy, whose arrays have no memory here."""

    def make(self, op: Operand) -> Any:
        """Return a live operand: an array without memory, of which only the dtype is asked for."""
        if op.is_python:
            return op.value
        if op.dtype.name not in DTYPES.split():
            raise TypeError(f"CuPy has no {op.dtype}")
        return _array(op.dtype.to("numpy"), (3,) * (op.rank or 0))

    def operate(self, function: str, *operands: Any) -> str:
        """Return the dtype of a function's result, which the loop of its kernel decides."""
        import cupy
        from cupy._core._scalar import CScalar

        name, _, place = function.partition("[")
        kernel: Any = find(self.namespaces(), FUNCTIONS[function], self.names)
        if not hasattr(kernel, "_ops"):
            return super().operate(function, *operands)
        given = [x if isinstance(x, cupy.ndarray) else CScalar(x) for x in operands]
        if name == "where":
            given.insert(0, _array("bool"))
        elif name == "round":
            given.append(CScalar(0))
        loop = kernel._ops.guess_routine(kernel.name, {}, given, None, None)  # noqa: SLF001  # as CuPy asks it
        taken, results = loop.resolve_dtypes(given, [None] * kernel.nout)
        for x, into in zip(given, taken, strict=True):
            if isinstance(x, CScalar):
                x.apply_dtype(into)  # which refuses an int that does not fit
        return self.name_of(results[int(place[:1] or 0)])


def _array(d: Any, shape: tuple[int, ...] = (3,)) -> Any:
    import cupy

    nowhere = cupy.cuda.MemoryPointer(cupy.cuda.UnownedMemory(0, 0, None, 0), 0)
    return cupy.ndarray(shape, d, nowhere)


LIBRARY = CuPy(
    "cupy",
    "cupy-cuda12x==14.2.0",
    scalars=(True, 1, 300, -1, 2**63, 2**70, 1.0, 1e300, 1j),
    roots=("cupy",),
    # Kernels that another function launches.
    names={
        "sum": "_core._routines_math.sum_auto_dtype",
        "prod": "_core._routines_math.prod_auto_dtype",
        "nansum": "_core._routines_math.nansum_auto_dtype",
        "nanprod": "_core._routines_math.nanprod_auto_dtype",
        "max": "_core._routines_statistics.amax",
        "min": "_core._routines_statistics.amin",
        "nanmax": "_core._routines_statistics.nanmax",
        "nanmin": "_core._routines_statistics.nanmin",
        "all": "_core._routines_logic.all",
        "any": "_core._routines_logic.any",
        "round": "_core.core._round_ufunc",
        "where": "_sorting.search._where_ufunc",
        "clip": "_core._routines_math.clip",
    },
)
