"""CuPy's rules: NumPy's, on the dtypes that CuPy has.

Source: ``result_type`` in ``cupy/__init__.py`` of CuPy 14.2.0, which hands the dtypes of CuPy's
arrays to NumPy's; measured with NumPy 2.4.6. It is NumPy that decides, so another NumPy gives other
answers. Arrays need no GPU for that. CuPy's operators take the first loop that each operand may be
cast to (``_Ops.guess_routine`` in ``_core/_kernel.pyx``), with the same answers, except that
bfloat16 gives float32 with a Python float, and meets int16, uint16 and float16 in float32 and wider
integers in float64; and that bool with a Python int beyond int64 gives uint64.
Not modelled: operators; structured dtypes; bfloat16 if ml_dtypes is not installed, which CuPy
does not have then.
"""

from __future__ import annotations

from ..libraries import Library
from ..operands import Operand
from ..system import PromotionSystem
from ..table import Table
from . import numpy

LIBRARY = Library("CuPy", ("cupy", "cupyx"), import_as=("cupy", "cp"), dtypes_in="numpy")

DTYPES = "b u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 c64 c128 i* f* c*"


def build() -> PromotionSystem:
    """Return CuPy's rules, those of ``cupy.result_type``."""
    everything = numpy.build().table()
    nodes = [numpy.coded(code) for code in DTYPES.split()]
    pairs = [(a, b) for a in nodes for b in nodes]
    cells = {(a, b): answer for a, b in pairs if (answer := everything[a, b])}
    return PromotionSystem(
        "cupy",
        numpy.knowing(Table(nodes, cells), _stays),
        classify=numpy.classify,
        settle=numpy.settle,  # NumPy itself settles
        weak_arrays=False,
        version="14.2.0",
        source="cupy/__init__.py; measured on cupy.result_type",
        library=LIBRARY,
    )


def _stays(op: Operand) -> bool:
    # NumPy takes dtypes before scalars and arrays, which NumPy's own stay
    return op.form not in ("dtype", "type", "array") or op.library == numpy.LIBRARY.title
