"""Numbers that leave their range in functions that JAX compiled, whose results alone are seen.

If a result is not finite though all that was passed is, or has a negative integer though all
integers that were passed are none, what JAX has traced of the function is computed once more, one
primitive after the other, until one gives such a number. So it is if other integers result, of
which nothing tells whether they wrapped around, and the function is small, unless a primitive takes
bits: hashes wrap around on purpose. No code of the program is run for that.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, Final

from ....core.dtypes import DType
from ....core.dtypes import dtype as dtype_of
from ...model.locations import Location
from ..calls import function_of
from ..tracked_types import COMPILED, kind_of
from ..values.at_hand import as_numpy
from ..values.looks import Examine
from ..values.questions import TOLERANCE, float_range, wider, wraparound
from ..values.recompute import Change, of_elements
from .jax_loops import ARRAYS

_ADD_UP: Final = frozenset({"dot_general", "reduce_sum", "reduce_prod", "cumsum", "cumprod"})
_WRAPS: Final[Mapping[str, str]] = {"add": "add", "sub": "subtract", "mul": "multiply"}
"""The primitives of integers that are looked at, by the names of functions."""
_OF_BITS: Final = frozenset(
    {"and", "not", "or", "xor", "shift_left", "shift_right_logical", "shift_right_arithmetic",
     "random_bits", "random_seed", "random_wrap", "threefry2x32", "population_count"}
)  # fmt: skip
_MOST: Final = 10_000  # primitives
LOOP: Final = "scan"
"""The primitive that runs a function for each step of a loop."""

_STEPS: Final = 4_096  # of a loop
_FEW: Final = 64  # of those, each of which takes a moment to compile

IsGood = Callable[[Any], bool]


def examine_of(d: DType, *, several: bool) -> Examine | None:
    """Return what looks at the values of some dtype that a compiled function gives, or None.

    Args:
        d: the dtype.
        several: whether the function gives several results.
    """
    if d.name in TOLERANCE and not several:
        return _look_at_floats
    return _look_at_integers if d.kind in ("signed", "unsigned") else None


def _look_at_floats(place: Location, result: Any, operands: Sequence[Any], _: int) -> Change | None:
    """Return what became of the first float that is beyond its range in a compiled function."""
    found = None if _is_finite(result) else trace_of(place, operands)
    if found is None or not all(map(_is_finite, found[1])):
        return None
    return _first(*found, place.file, _is_finite)


def _look_at_integers(
    place: Location, result: Any, operands: Sequence[Any], _: int
) -> Change | None:
    """Return what became of the first integer that wrapped around in a compiled function."""
    found, change = trace_of(place, operands), None
    if found is None:
        return None
    if not _is_positive(result) and all(map(_is_positive, found[1])):
        change = _first(*found, place.file, _is_positive)
    return change or (_first(*found, place.file, _is_float) if _is_plain(found[0]) else None)


def trace_of(place: Location, operands: Sequence[Any]) -> tuple[Any, Sequence[Any]] | None:
    """Return what JAX has traced of a compiled function or a loop, and what was passed, or None."""
    base, *arguments = operands
    if not {"*", "**"}.isdisjoint(place.keywords):
        return None
    words = list(zip(place.keywords, arguments, strict=True))
    plain = [value for word, value in words if not word]
    named = {word: value for word, value in words if word}
    function = compiled(base, place.name)
    if function is None:
        function, plain, named = _of_loop(function_of(base, place.name), place.name, plain, named)
    traced = function.trace(*plain, **named).jaxpr
    passed = sys.modules["jax"].tree_util.tree_leaves((plain, named))
    if len(passed) != len(traced.jaxpr.invars):  # others decide what is compiled
        passed = [value for value in passed if type(value) not in (int, bool, str)]
    return (traced, passed) if len(passed) == len(traced.jaxpr.invars) else None


def _of_loop(
    loop: Any, name: str, plain: Sequence[Any], named: Mapping[str, Any]
) -> tuple[Any, list[Any], dict[str, Any]]:
    """Return a function that runs a loop, compiled, and what it is to be passed.

    The rest of what the loop was given decides what is compiled. JAX has traced the function that
    it runs, and does not trace it again.
    """
    values: dict[Any, Any] = {**dict(enumerate(plain)), **named}
    passed = {key: values.pop(key) for key in ARRAYS[name] if key in values}

    def run(arrays: Mapping[Any, Any]) -> Any:
        given = {**values, **arrays}
        return loop(*(given[n] for n in range(len(plain))), **{word: given[word] for word in named})

    return sys.modules["jax"].jit(run), [passed], {}


def _is_plain(traced: Any) -> bool:
    """Return whether a function has few primitives, which compute integers, and takes no bits."""
    every = list(_primitives(traced))
    kinds = [(name, getattr(d, "kind", "")) for name, d in every]  # those of keys have none
    takes_bits = any(name in _OF_BITS and kind != "b" for name, kind in kinds)
    computes = any(name in _WRAPS and kind in ("i", "u") for name, kind in kinds)
    return computes and not takes_bits and len(every) <= _FEW


def _primitives(traced: Any) -> Iterator[tuple[str, Any]]:
    """Yield the primitives of a function, and of functions inside, with the dtypes they give."""
    for one in traced.jaxpr.eqns:
        inner = function_in(one)
        if inner is not None:
            yield from _primitives(inner)
        else:
            yield from ((one.primitive.name, v.aval.dtype) for v in one.outvars)


def compiled(base: Any, name: str) -> Any:
    """Return the function that a call runs if it is one that `jax.jit` made, else None."""
    if kind_of(base) == COMPILED:
        return base
    function = function_of(base, name)
    if function is None and not isinstance(base, type):
        try:
            function = object.__getattribute__(base, "__dict__").get(name)
        except (AttributeError, TypeError):
            return None
    return function if kind_of(function) == COMPILED else None


def _is_finite(value: Any) -> bool:
    numpy = sys.modules["numpy"]
    found = value if type(value) in (int, float) else as_numpy(value)
    if found is None:
        return False
    return bool(numpy.isfinite(found).all())


def _is_positive(value: Any) -> bool:
    """Return whether none of some integers is negative; what others are does not matter."""
    found = as_numpy(value)
    return found is None or found.dtype.kind != "i" or bool((found >= 0).all())


def _is_float(value: Any) -> bool:
    """Return whether numbers are no integers, of which nothing tells if they wrapped around."""
    found = as_numpy(value)
    return found is None or found.dtype.kind not in "iu"


def each(traced: Any, passed: Sequence[Any]) -> Iterator[tuple[Any, Sequence[Any], Sequence[Any]]]:
    """Run the primitives of a function; yields each with what it is given, and what it gives."""
    known: dict[Any, Any] = dict(zip(traced.jaxpr.invars, passed, strict=True))
    known.update(zip(traced.jaxpr.constvars, traced.consts, strict=True))
    for one in traced.jaxpr.eqns[:_MOST]:
        values = [_literal(v) if hasattr(v, "val") else known[v] for v in one.invars]
        bound = one.primitive.get_bind_params(one.params)
        functions, options = ((), bound) if isinstance(bound, dict) else bound  # JAX 0.10; before
        made = one.primitive.bind(*functions, *values, **options)
        results = made if one.primitive.multiple_results else [made]
        yield one, values, results
        known.update(zip(one.outvars, results, strict=True))


def function_in(one: Any) -> Any:
    """Return the function that a primitive runs, or None."""
    inner = one.params.get("jaxpr")
    return inner if hasattr(inner, "consts") else None


def _first(traced: Any, passed: Sequence[Any], file: str, is_good: IsGood) -> Change | None:
    """Return what the first primitive made of good numbers that is not one, and where."""
    for one, values, results in each(traced, passed):
        lost = next((r for r in results if not is_good(r)), None)
        if lost is None:
            continue
        inner = function_in(one)
        if inner is not None:
            is_loop = one.primitive.name == LOOP
            step = _step(one.params, values, is_good) if is_loop else values
            return None if step is None else _first(inner, step, file, is_good)
        found = _judged(one, values, lost, file)
        if found is not None or is_good is _is_finite:
            return found
    return None


def _step(
    params: Mapping[str, Any], values: Sequence[Any], is_good: IsGood
) -> Sequence[Any] | None:
    """Return what the first step of a loop is given that gives a number which is not good."""
    first = params["num_consts"]
    last = first + params["num_carry"]
    constants, carry, each = values[:first], values[first:last], values[last:]
    function = import_module("jax.extend.core").jaxpr_as_fun(params["jaxpr"])
    run = sys.modules["jax"].jit(function)
    steps = range(params["length"])
    for index in islice(reversed(steps) if params["reverse"] else steps, _STEPS):
        given = [*constants, *carry, *(x[index] for x in each)]
        made = run(*given)
        if not all(map(is_good, made)):
            return given
        carry = made[: len(carry)]
    return None


def _literal(variable: Any) -> Any:
    """Return a number that stands in what JAX has traced, as NumPy has it."""
    return sys.modules["numpy"].asarray(variable.val, variable.aval.dtype)


def line_of(one: Any, file: str) -> int:
    """Return at which line of a file a primitive was traced, or 0 for none."""
    frames = one.source_info.traceback.frames if one.source_info.traceback else ()
    return next((frame.line_num for frame in frames if frame.file_name == file), 0)


def _judged(one: Any, values: Sequence[Any], result: Any, file: str) -> Change | None:
    """Return what a primitive made of finite numbers, unless float64 has it as well."""
    change = _became(one, values, result)
    return change and change._replace(line=line_of(one, file))


def _became(one: Any, values: Sequence[Any], result: Any) -> Change | None:
    d, name = dtype_of(result.dtype), one.primitive.name
    if d.kind in ("signed", "unsigned") and name in _WRAPS:
        compared = of_elements(_WRAPS[name], values, result)
        found = wraparound(compared) if compared is not None else None
        return found and found._replace(enough=None)
    if d.name not in TOLERANCE:
        return None
    if name in _ADD_UP:
        remark = f"{name} of {values[0].size:,} elements became inf in {d}"
        return Change("accumulation", remark, wider(d, 0))
    if name == "convert_element_type":
        remark = f"a number of {dtype_of(values[0].dtype)} became inf in {d}"
        return Change("float-overflow", remark)
    if name == "integer_pow":
        name, values = "power", [*values, one.params["y"]]
    compared = of_elements(name, values, result)
    change = float_range(compared, d) if compared is not None else None
    return change and change._replace(enough=None)
