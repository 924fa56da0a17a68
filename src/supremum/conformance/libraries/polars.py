"""How Polars is asked: by adding columns and literals, or Series, or by concatenating frames."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from functools import reduce
from types import SimpleNamespace
from typing import Any

from ...core.operands import Operand
from ..calls import call, own_dtype

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

# Polars' names of dtypes.
DTYPES = {
    "bool": "Boolean",
    **{f"uint{n}": f"UInt{n}" for n in (8, 16, 32, 64)},
    **{f"int{n}": f"Int{n}" for n in (8, 16, 32, 64, 128)},
    **{f"float{n}": f"Float{n}" for n in (16, 32, 64)},
}

# Polars' names of functions: operators, and methods.
NAMES = {
    "true_divide": "truediv",
    "floor_divide": "floordiv",
    "bitwise_and": "and_",
    "bitwise_or": "or_",
    "bitwise_xor": "xor",
    "prod": "product",
    "deg2rad": "radians",
    "rad2deg": "degrees",
    "cumulative_sum": "cum_sum",
    "cumsum": "cum_sum",
    "cumulative_prod": "cum_prod",
    "argmax": "arg_max",
    "argmin": "arg_min",
    "argsort": "arg_sort",
    "isnan": "is_nan",
    "isfinite": "is_finite",
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
    return pl.Series("x", [one] * 3, dtype=own_dtype(pl, op.dtype, DTYPES[op.dtype.name]))


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
    return _name(found)


def _name(found: Any) -> str:
    ours = {theirs: name for name, theirs in DTYPES.items()}
    return ours[str(found)]


def roots() -> Sequence[Any]:
    """Return where its functions are: operators, and methods."""
    import polars as pl

    return operator, pl.Series if _asked["operation"] == "series" else pl.Expr


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result: in a frame, if that of Series is a number."""
    import polars as pl

    if _asked["operation"] == "series":
        found = call(THIS, function, operands)
        if isinstance(found, pl.Series):
            return _name(found.dtype)
    columns = {f"x{i}": x for i, x in enumerate(operands) if isinstance(x, pl.Series)}
    terms = [pl.col(f"x{i}") if f"x{i}" in columns else pl.lit(x) for i, x in enumerate(operands)]
    expressions = SimpleNamespace(roots=lambda: (operator, pl.Expr), NAMES=NAMES)
    term = call(expressions, function, terms)
    return _name(pl.DataFrame(columns).select(x=term).schema["x"])


THIS = sys.modules[__name__]
