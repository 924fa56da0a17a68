"""How Arrow is asked: by adding arrays and scalars, or by joining tables."""

from __future__ import annotations

from functools import reduce
from typing import Any, Final

from ...core.dtypes import DType
from ..library import Library

# Arrow prints C's names.
_OURS: Final = {"halffloat": "float16", "float": "float32", "double": "float64"}


class Arrow(Library):
    """Arrow's arrays, scalars and tables."""

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values; a 0-d array is a scalar of Arrow's."""
        import pyarrow as pa

        kind = pa.type_for_alias(d.name)
        read = bool if d.kind == "bool" else int
        if isinstance(values, list):
            return pa.array(list(map(read, values)), kind)
        return pa.scalar(read(values), kind)

    def ask(self, *operands: Any) -> str:
        """Return the dtype of the sum, from the left, or of a column of the joined tables."""
        import pyarrow as pa
        import pyarrow.compute

        if self.setting["operation"] == "concat":
            tables = [pa.table({"x": column}) for column in operands]
            return self.name_of(pa.concat_tables(tables, promote_options="permissive").field("x"))
        return self.name_of(reduce(pa.compute.add, operands))

    def name_of(self, found: Any) -> str:
        """Return the name of the dtype of an array, a scalar or a column."""
        return _OURS.get(str(found.type), str(found.type))


LIBRARY = Arrow(
    "pyarrow",
    "pyarrow==26.0.1",
    settings=({"operation": "add"}, {"operation": "concat"}),
    ranks=(1,),
    scalars=(True, 1, -1, 300, 2**24, 2**24 + 1, 2**53, 2**53 + 1, 2**63, 2**70, 1.0, 1e300, 1j),
    nary_settings=({"operation": "concat"},),
    roots=("pyarrow.compute",),
    # Arrow's names of functions. Its invert is of bools alone, and has the catalogue's other name.
    names={
        "true_divide": "divide",
        "maximum": "max_element_wise",
        "minimum": "min_element_wise",
        "bitwise_and": "bit_wise_and",
        "bitwise_or": "bit_wise_or",
        "bitwise_xor": "bit_wise_xor",
        "left_shift": "shift_left",
        "right_shift": "shift_right",
        "logical_and": "and_",
        "logical_or": "or_",
        "logical_xor": "xor",
        "logical_not": "invert",
        "negative": "negate",
        "log": "ln",
        "isnan": "is_nan",
        "isfinite": "is_finite",
        "isinf": "is_inf",
        "prod": "product",
        "std": "stddev",
        "var": "variance",
        "diff": "pairwise_diff",
        "argsort": "array_sort_indices",
    },
    calls={"round": "(x)"},
)
