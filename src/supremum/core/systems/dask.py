"""Dask's rules: NumPy's, with Dask's arrays taken for their dtypes.

Source: ``result_type`` in ``dask/array/routines.py`` of Dask 2026.8.0, which hands dtypes to
NumPy's; measured with NumPy 2.4.6 and ml_dtypes 0.6.0. It is NumPy that decides, so another NumPy
gives other answers. A 0-d array of Dask is an array like any other. Scalars, and 0-d arrays of
NumPy, stay as they are, and NumPy takes them after the dtypes, which matters if there are more
than two.
Not modelled: operators, which differ from it for dtypes of ml_dtypes, as NumPy's do.
"""

from __future__ import annotations

from ..libraries import Library
from ..operands import Operand
from ..system import PromotionSystem
from . import numpy

LIBRARY = Library("Dask", ("dask",), dtypes_in="numpy")


def build() -> PromotionSystem:
    """Return Dask's rules, those of ``dask.array.result_type``."""
    return PromotionSystem(
        "dask",
        numpy.knowing(numpy.build().table(), _stays),
        classify=numpy.classify,
        settle=numpy.settle,  # NumPy itself settles
        ranked=True,
        weak_arrays=False,
        version="2026.8.0",
        source="dask/array/routines.py; measured on da.result_type",
        library=LIBRARY,
    )


def _stays(op: Operand) -> bool:
    if op.form == "array":
        return (op.library, op.rank) == (numpy.LIBRARY.title, 0)
    return op.form not in ("dtype", "type")
