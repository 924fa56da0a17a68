"""Dask's rules: NumPy's, with Dask's arrays taken for their dtypes.

Source: ``result_type`` in ``dask/array/routines.py`` of Dask 2026.8.0, which hands dtypes to
NumPy's; measured with NumPy 2.4.6 and ml_dtypes 0.6.0. It is NumPy that decides, so another NumPy
gives other answers. A 0-d array of Dask is an array like any other. Scalars, and 0-d arrays of
NumPy, stay as they are, and NumPy takes them after the dtypes, which matters where there are more
than two.
Not modelled: operators, which differ from it for dtypes of ml_dtypes, as NumPy's do.
"""

from __future__ import annotations

from collections.abc import Sequence

from supremum.explain import Taken
from supremum.operands import Operand
from supremum.steps import by_dtype
from supremum.system import PromotionSystem
from supremum.systems import numpy


def build() -> PromotionSystem:
    """Return Dask's rules, those of ``dask.array.result_type``."""
    return PromotionSystem(
        "dask",
        numpy.build().join,
        classify=_classify,
        settle=numpy.settle,  # NumPy itself settles
        looks_at="rank",
        version="2026.8.0",
        source="dask/array/routines.py; measured on da.result_type",
    )


def _classify(operands: Sequence[Operand]) -> list[Taken]:
    def stays(t: Taken) -> bool:
        op = t.operand
        return op.form != "dtype" and (op.form != "array" or (op.library, op.rank) == ("NumPy", 0))

    return sorted(by_dtype(operands), key=stays)
