"""How Polars is asked: by adding columns and literals, or Series, or by concatenating frames."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any, Final

from ...core.dtypes import DType
from ...core.operands import Operand
from ..calls import own_dtype
from ..library import Library

# Polars' names of dtypes.
DTYPES: Final = {
    "bool": "Boolean",
    **{f"uint{n}": f"UInt{n}" for n in (8, 16, 32, 64)},
    **{f"int{n}": f"Int{n}" for n in (8, 16, 32, 64, 128)},
    **{f"float{n}": f"Float{n}" for n in (16, 32, 64)},
}
_OURS: Final = {theirs: name for name, theirs in DTYPES.items()}


class Polars(Library):
    """Series of Polars, expressions of its columns, or frames of one column."""

    def filled(self, values: Any, d: DType) -> Any:
        """Return a Series of some values."""
        import polars as pl

        own = own_dtype(pl, d, DTYPES[d.name])
        return pl.Series("x", list(map(bool, values)) if d.kind == "bool" else values, dtype=own)

    def ask(self, *operands: Any) -> str:
        """Return the dtype of the sum, from the left, or of the column of the frames."""
        import polars as pl

        if self.setting["operation"] == "expression":
            return _selected(lambda terms: reduce(operator.add, terms), operands)
        if self.setting["operation"] == "series":
            return self.name_of(reduce(operator.add, operands))
        frames = [column.to_frame() for column in operands]
        return _OURS[str(pl.concat(frames, how="vertical_relaxed").schema["x"])]

    def name_of(self, found: Any) -> str:
        """Return the name of the dtype of a Series."""
        return _OURS[str(found.dtype)]

    def namespaces(self) -> Sequence[Any]:
        """Return where its functions are: operators, and methods."""
        import polars as pl

        return operator, pl.Series if self.setting["operation"] == "series" else pl.Expr

    def operate(self, function: str, *operands: Any) -> str:
        """Return the dtype of a function's result: in a frame, if that of Series is a number."""
        import polars as pl

        if self.setting["operation"] == "series":
            found = self.call(function, operands)
            if isinstance(found, pl.Series):
                return self.name_of(found)
        columns = replace(self)  # in the first setting
        return _selected(lambda terms: columns.call(function, terms), operands)


def _selected(made: Callable[[Sequence[Any]], Any], operands: Sequence[Any]) -> str:
    """Return the dtype of what is made of columns and literals in a frame."""
    import polars as pl

    columns = {f"x{i}": x for i, x in enumerate(operands) if isinstance(x, pl.Series)}
    terms = [pl.col(f"x{i}") if f"x{i}" in columns else pl.lit(x) for i, x in enumerate(operands)]
    return _OURS[str(pl.DataFrame(columns).select(x=made(terms)).schema["x"])]


def _is_bool_with_float(operands: Sequence[Operand]) -> bool:
    """Return whether Polars would panic as it divides."""
    return {x.dtype.name for x in operands} == {"bool", "float*"}


def _is_half(operands: Sequence[Operand]) -> bool:
    return operands[0].dtype.name == "float16"


LIBRARY = Polars(
    "polars",
    "polars==2.1.0",
    settings=({"operation": "expression"}, {"operation": "series"}, {"operation": "concat"}),
    ranks=(1,),
    scalars=(True, 1, -1, 127, 128, -129, 256, 300, 2**16, 2**31, 2**40, 2**63, 2**64, 1.0, 1j),
    nary_settings=({"operation": "concat"},),
    unmodelled={
        "floor_divide": _is_bool_with_float,
        **dict.fromkeys(("rolling_mean", "rolling_std", "rolling_var"), _is_half),
    },
    roots=("operator", "polars.Expr"),
    # Polars' names of functions: operators, and methods.
    names={
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
    },
)
