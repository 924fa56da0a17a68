"""How Arrow is asked: by adding arrays and scalars, or by joining tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from typing import Any

from ...core.operands import Operand
from ..calls import call

SYSTEM = "pyarrow"
DISTRIBUTION = "pyarrow==26.0.1"
SETTINGS: tuple[dict[str, Any], ...] = ({"operation": "add"}, {"operation": "concat"})
RANKS = (1,)
SCALARS = (True, 1, -1, 300, 2**24, 2**24 + 1, 2**53, 2**53 + 1, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = False
NARY_SETTINGS = ({"operation": "concat"},)

# Arrow prints C's names.
DTYPES = {"halffloat": "float16", "float": "float32", "double": "float64"}

# Arrow's names of functions. Its invert is of bools alone, and has the catalogue's other name.
NAMES = {
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
}
CALLS = {"round": "(x)"}

_asked = {"operation": "add"}


def version() -> str:
    """Return the release that is installed."""
    import pyarrow as pa

    return str(pa.__version__)


def configure(operation: str = "add") -> None:
    """Set what is asked."""
    _asked["operation"] = operation


def make(op: Operand) -> Any:
    """Return a live operand; a 0-d array is a scalar of Arrow's."""
    if op.form.startswith("Python"):
        return op.value
    import pyarrow as pa

    kind = pa.type_for_alias(op.dtype.name)
    one = op.dtype.kind == "bool" or 1
    return pa.scalar(one, kind) if op.rank == 0 else pa.array([one] * 3, kind)


def ask(*operands: Any) -> str:
    """Return the dtype of the sum, from the left, or of a column of the joined tables."""
    import pyarrow as pa
    import pyarrow.compute

    if _asked["operation"] == "concat":
        tables = [pa.table({"x": column}) for column in operands]
        whole = pa.concat_tables(tables, promote_options="permissive")
        found = str(whole.schema.field("x").type)
    else:
        found = str(reduce(pa.compute.add, operands).type)
    return _name(found)


def _name(found: str) -> str:
    return DTYPES.get(found, found)


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import pyarrow.compute

    return (pyarrow.compute,)


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    return _name(str(call(THIS, function, operands).type))


THIS = sys.modules[__name__]
