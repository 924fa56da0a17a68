"""How Polars is asked: by adding columns and literals, or Series, or by concatenating frames."""

from __future__ import annotations

import operator
from functools import reduce
from typing import Any

from ...core.operands import Operand

SYSTEM = "polars"
DISTRIBUTION = "polars==2.1.0"
SETTINGS: tuple[dict[str, Any], ...] = (
    {"operation": "expression"},
    {"operation": "series"},
    {"operation": "concat"},
)
RANKS = (1,)
SCALARS = (True, 1, -1, 127, 128, -129, 256, 300, 2**16, 2**31, 2**40, 2**63, 2**64, 1.0, 1j)
NARY = False
NARY_SETTINGS = ({"operation": "concat"},)

# Polars' names of what the catalogue has.
NAMES = {
    "bool": "Boolean",
    **{f"uint{n}": f"UInt{n}" for n in (8, 16, 32, 64)},
    **{f"int{n}": f"Int{n}" for n in (8, 16, 32, 64, 128)},
    **{f"float{n}": f"Float{n}" for n in (16, 32, 64)},
}

_asked = {"operation": "expression"}


def version() -> str:
    """Return the release that is installed."""
    import polars as pl

    return str(pl.__version__)


def configure(operation: str = "expression") -> None:
    """Set what is asked."""
    _asked["operation"] = operation


def make(op: Operand) -> Any:
    """Return a live operand."""
    if op.form.startswith("Python"):
        return op.value
    import polars as pl

    one = op.dtype.kind == "bool" or 1
    return pl.Series("x", [one] * 3, dtype=getattr(pl, NAMES[op.dtype.name]))


def ask(*operands: Any) -> str:
    """Return the dtype of the sum, from the left, or of the column of the frames."""
    import polars as pl

    if _asked["operation"] == "series":
        found = reduce(operator.add, operands).dtype
    elif _asked["operation"] == "concat":
        frames = [column.to_frame() for column in operands]
        found = pl.concat(frames, how="vertical_relaxed").schema["x"]
    else:
        columns = {f"x{i}": x for i, x in enumerate(operands) if isinstance(x, pl.Series)}
        terms = [
            pl.col(f"x{i}") if f"x{i}" in columns else pl.lit(x) for i, x in enumerate(operands)
        ]
        found = pl.DataFrame(columns).select(x=reduce(operator.add, terms)).schema["x"]
    ours = {theirs: name for name, theirs in NAMES.items()}
    return ours[str(found)]
