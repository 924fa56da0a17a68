"""Running sums in half precision: what a loop of JAX adds up, step by step, in what it hands on.

Each step rounds. If what is added is too little beside the sum, nothing comes of it, and no step
for itself is wrong. So what the steps add is added up once more, in float32.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final, NamedTuple

from ....core.dtypes import dtype as dtype_of
from ...model.locations import Location
from ..values.looks import Examine
from ..values.questions import TOLERANCE, wider
from ..values.recompute import Change
from .jax_compiled import LOOP, each, function_in, line_of, trace_of

_HALVES: Final = ("float16", "bfloat16")
_SIGNS: Final[Mapping[str, int]] = {"add": 1, "add_any": 1, "sub": -1}
_CAST: Final = "convert_element_type"


class _Sum(NamedTuple):
    """A running sum in a loop.

    Attributes:
        place: which of the values that the loop hands on it is.
        added: the primitive that adds to it.
        summand: what is added, as a variable of the function that the loop runs.
    """

    place: int
    added: Any
    summand: Any


def with_sums(examine: Examine | None) -> Examine:
    """Return what looks at the running sums of a loop, or of a compiled function, too."""

    def look(place: Location, result: Any, operands: Sequence[Any], times: int) -> Change | None:
        change = examine(place, result, operands, times) if examine is not None else None
        found = trace_of(place, operands) if change is None else None
        return change if found is None else _lost_in(*found, place.file)

    return look


def _lost_in(traced: Any, passed: Sequence[Any], file: str) -> Change | None:
    if not _has_sums(traced):
        return None
    for one, values, results in each(traced, passed):
        inner, found = function_in(one), None
        if one.primitive.name == LOOP:
            found = _lost(one.params, values, results, file)
        elif inner is not None:
            found = _lost_in(inner, values, file)
        if found is not None:
            return found
    return None


def _has_sums(traced: Any) -> bool:
    """Return whether there is a loop with a running sum in a function, or in those that it runs."""
    inside = [(one, function_in(one)) for one in traced.jaxpr.eqns]
    return any(
        any(_sums(one.params)) if one.primitive.name == LOOP else _has_sums(inner)
        for one, inner in inside
        if inner is not None
    )


def _sums(params: Mapping[str, Any]) -> Iterator[_Sum]:
    """Yield the running sums in half precision of a loop."""
    function, first = params["jaxpr"].jaxpr, params["num_consts"]
    made_by = {variable: one for one in function.eqns for variable in one.outvars}

    def uncast(variable: Any) -> Any:
        one = None if hasattr(variable, "val") else made_by.get(variable)
        return variable if one is None or one.primitive.name != _CAST else uncast(one.invars[0])

    for index in range(params["num_carry"]):
        carry, given = function.invars[first + index], uncast(function.outvars[index])
        added: Any = None if hasattr(given, "val") else made_by.get(given)
        if str(carry.aval.dtype) not in _HALVES or added is None:
            continue
        sign = _SIGNS.get(added.primitive.name, 0)
        sides = [uncast(side) for side in added.invars]
        if sign and carry in (sides if sign > 0 else sides[:1]):
            yield _Sum(index, added, added.invars[1 if sides[0] is carry else 0])


def _lost(
    params: Mapping[str, Any], values: Sequence[Any], results: Sequence[Any], file: str
) -> Change | None:
    """Return what the first running sum of a loop has lost that lost too much."""
    numpy, sums = sys.modules["numpy"], [*_sums(params)]
    totals = _added_up(params, values, sums) if sums else ()
    for one, (total, size) in zip(sums, totals, strict=True):
        actual, d = results[one.place], dtype_of(results[one.place].dtype)
        is_lost = abs(numpy.asarray(actual, "float32") - total) > TOLERANCE[d.name] * size
        if is_lost.any():
            at = int(numpy.ravel(is_lost).nonzero()[0][0])
            narrow, wide = (float(numpy.ravel(x)[at]) for x in (actual, total))
            steps = f"a sum of {params['length']:,} steps"
            remark = f"{steps} gives {narrow:.7g} in {d}, {wide:.7g} in float32"
            enough = wider(d, numpy.max(abs(total)))
            return Change("accumulation", remark, enough, line=line_of(one.added, file))
    return None


def _added_up(
    params: Mapping[str, Any], values: Sequence[Any], sums: Sequence[_Sum]
) -> Iterator[tuple[Any, Any]]:
    """Yield what the running sums of a loop are in float32, and what the sizes of all add up to."""
    numpy, jax, number = sys.modules["numpy"], sys.modules["jax"], sys.modules["jax"].numpy
    first = params["num_consts"]
    last = first + params["num_carry"]
    function = params["jaxpr"].jaxpr
    outputs = [*function.outvars[: last - first], *(one.summand for one in sums)]
    shown = function.replace(outvars=outputs, debug_info=function.debug_info.with_unknown_names())
    step = import_module("jax.extend.core").jaxpr_as_fun(params["jaxpr"].replace(jaxpr=shown))

    def add(handed_on: Any, each_value: Any) -> tuple[Any, None]:
        carry, totals, sizes = handed_on
        made = step(*values[:first], *carry, *each_value)
        summands = [number.asarray(x, "float32") for x in made[last - first :]]
        signs = [_SIGNS[one.added.primitive.name] for one in sums]
        more = [t + s * x for t, s, x in zip(totals, signs, summands, strict=True)]
        larger = [size + abs(x) for size, x in zip(sizes, summands, strict=True)]
        return (made[: last - first], more, larger), None

    begin = [number.asarray(values[first + one.place], "float32") for one in sums]
    handed_on = [*values[first:last]], begin, [abs(x) for x in begin]
    (_, totals, sizes), _ = jax.lax.scan(
        add, handed_on, [*values[last:]], length=params["length"], reverse=params["reverse"]
    )
    return zip(map(numpy.asarray, totals), map(numpy.asarray, sizes), strict=True)
