"""How Arrow is asked: by adding arrays and scalars, or by joining tables."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ...core.operands import Operand

SYSTEM = "pyarrow"
DISTRIBUTION = "pyarrow==26.0.1"
SETTINGS: tuple[dict[str, Any], ...] = ({"operation": "add"}, {"operation": "concat"})
RANKS = (1,)
SCALARS = (True, 1, -1, 300, 2**24, 2**24 + 1, 2**53, 2**53 + 1, 2**63, 2**70, 1.0, 1e300, 1j)
NARY = False
NARY_SETTINGS = ({"operation": "concat"},)

# Arrow prints C's names.
NAMES = {"halffloat": "float16", "float": "float32", "double": "float64"}

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
    zero = op.dtype.kind != "bool" and 0
    return pa.scalar(zero, kind) if op.rank == 0 else pa.array([zero] * 3, kind)


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
    return NAMES.get(found, found)
