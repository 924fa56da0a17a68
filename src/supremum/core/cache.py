"""The cache of answers: what an answer depends on, and functions that look there first.

The key of an operand is made of the same facts that it is read by: its type, the dtype of an array,
whether that is weak, whether it has dimensions, and the value of a number. Equal is not the same:
``True == 1 == 1.0``, and some libraries' dtypes equal numbers. So only what compares by identity,
or as NumPy's dtypes and strings do, is looked up as it comes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from .dtypes import DType
from .errors import DTypeError
from .interruptions import is_interruption
from .operands import (
    PYTHON_SCALARS,
    Operand,
    dtype,
    is_dtype,
    is_numpy_scalar,
    rank_of,
    value_of,
)  # fmt: skip

NOTHING: Final = object()
"""Stands for an argument that was not given."""

LIMIT: Final = 4096
"""How many answers a cache keeps; a full one starts afresh."""

SMALLEST: Final = -(1 << 63)
LARGEST: Final = (1 << 63) - 1
"""The ints that an int64 holds, which all rules treat alike, go from `SMALLEST` to this."""

_ndarray: Any = NOTHING  # NumPy's class of arrays, once NumPy is loaded


_stable_types: dict[type, bool] = {str: True, DType: True, type: True}
_array_types: set[type] = set()  # those whose objects are known to be arrays, not dtypes


def is_stable(x: Any) -> bool:
    """Tell whether a dtype, or its name, may be looked up as it comes.

    >>> is_stable("int8"), is_stable(1)
    (True, False)
    """
    kind = type(x)
    found = _stable_types.get(kind)
    if found is None:
        numpy = sys.modules.get("numpy")
        slots: Any = (kind.__eq__, kind.__hash__)
        found = numpy is not None and isinstance(x, numpy.dtype)
        found = found or (is_dtype(x) and slots == (object.__eq__, object.__hash__))
        if len(_stable_types) < LIMIT:
            _stable_types[kind] = found
    return found


def key_of(x: Any, *, ranked: bool, valued: bool) -> Any:
    """Return what an answer depends on, of one operand.

    Args:
        x: any operand.
        ranked: whether it counts that it has dimensions.
        valued: whether the value of a scalar counts, Python's or NumPy's.

    Raises:
        DTypeError: for something that is not an operand.
    """
    kind = type(x)
    if kind not in _array_types:
        if kind in PYTHON_SCALARS:
            # rules without values look at those that no int64 holds all the same, as NumPy does
            matters = valued or (kind is int and not SMALLEST <= x <= LARGEST)
            return (kind, x) if matters else kind
        if kind is Operand or (kind is type and x in PYTHON_SCALARS):
            return (kind, x)
        if is_dtype(x) and not is_numpy_scalar(x):
            return dtype(x)
    try:
        inner = x.dtype
    except Exception as error:
        if is_interruption(error):
            raise
        raise DTypeError(f"the dtype of a {kind.__name__} cannot be read", x) from error
    if inner is None:
        return (kind, x)
    if kind not in _array_types and len(_array_types) < LIMIT:
        _array_types.add(kind)
    stable = inner if _stable_types.get(type(inner)) or is_stable(inner) else dtype(inner)
    weak = getattr(x, "weak_type", False)
    if not ranked:
        return (kind, stable, weak, value_of(x, rank_of(x))) if valued else (kind, stable, weak)
    rank = rank_of(x)
    if valued:
        return (kind, stable, weak, rank and 1, value_of(x, rank))
    return (kind, stable, weak, rank and 1)


class Cache:
    """The answers of some rules, up to a number of them.

    Attributes:
        promoted: the answers of `promote_types`, by the first dtype and then by the second.
        answers: the answers of `result_type` for two operands, by the key of each.
        functions: the same for each function, by its name; of one operand with `NOTHING`.
        longer: its answers for any other number of operands.
    """

    __slots__ = ("_count", "answers", "functions", "longer", "promoted")

    def __init__(self) -> None:
        self.promoted: dict[Any, dict[Any, DType]] = {}
        self.answers: dict[Any, dict[Any, DType]] = {}
        self.functions: dict[Any, dict[Any, dict[Any, DType]]] = {}
        self.longer: dict[Any, DType] = {}
        self._count = 0

    def __len__(self) -> int:
        rows = [*self.promoted.values(), *self.answers.values()]
        rows += [row for of_function in self.functions.values() for row in of_function.values()]
        return len(self.longer) + sum(map(len, rows))

    def remember(self, store: Any, *way: Any) -> None:
        """Keep an answer, the last of the way, under the keys before it."""
        self._count += 1
        if self._count > LIMIT:
            for full in (self.promoted, self.answers, self.functions, self.longer):
                full.clear()
            self._count = 1
        *outer, last, answer = way
        for key in outer:
            store = store.setdefault(key, {})
        store[last] = answer


def array_class() -> Any:
    """Return NumPy's class of arrays, or `NOTHING` while NumPy is not loaded."""
    global _ndarray  # noqa: PLW0603  # it is the same for all rules, and set once
    if _ndarray is NOTHING and (numpy := sys.modules.get("numpy")) is not None:
        _ndarray = getattr(numpy, "ndarray", NOTHING)
    return _ndarray


class PromoteTypes(Protocol):
    """The function `promote_types` of some rules."""

    def __call__(self, a: Any = ..., b: Any = ..., /, *more: Any) -> DType:
        """Return the dtype that these dtypes promote to; see `supremum.promote_types`."""


class ResultType(Protocol):
    """The function `result_type` of some rules."""

    def __call__(self, a: Any = ..., b: Any = ..., /, *more: Any, op: str | None = None) -> DType:
        """Return the dtype that an operation gives; see `supremum.result_type`."""


def bind(
    cache: Cache,
    promote: Callable[[Sequence[Any]], DType],
    result: Callable[[Sequence[Any], str | None], DType],
    *,
    ranked: bool,
    valued: bool,
) -> tuple[PromoteTypes, ResultType]:
    """Return `promote_types` and `result_type` of some rules, which remember their answers.

    Args:
        cache: where the answers are kept.
        promote: returns the answer of the first for dtypes.
        result: returns the answer of the second for operands and a function.
        ranked: whether the rules look at dimensions.
        valued: whether they look at values.
    """
    promoted, answers, longer = cache.promoted, cache.answers, cache.longer
    functions, shaped = cache.functions, ranked or valued  # 0-d arrays have a value
    other_result = _other_result(cache, result, ranked=ranked, valued=valued)

    def promote_types(a: Any = NOTHING, b: Any = NOTHING, /, *more: Any) -> DType:
        if not more:
            try:
                return promoted[a][b]
            except (KeyError, TypeError):  # not seen yet, or without a hash
                pass
        given = [x for x in (a, b, *more) if x is not NOTHING]
        answer = promote(given)
        if len(given) == 2 and is_stable(a) and is_stable(b):
            cache.remember(promoted, a, b, answer)
        return answer

    def result_type(
        a: Any = NOTHING, b: Any = NOTHING, /, *more: Any, op: str | None = None
    ) -> DType:
        try:
            # the arrays and dtypes that come most, without a call
            kind = type(a)
            if kind is _ndarray and (not shaped or a.ndim):
                rows = answers if op is None else functions[op]
                other = type(b)
                if other is _ndarray:
                    if not more and (not shaped or b.ndim):
                        return rows[a.dtype][b.dtype]
                elif other is float and not more:
                    return rows[a.dtype][float]
            elif kind is DType and op is None:
                if more:
                    return longer[a, b, *more]
                if type(b) is DType:
                    return answers[a][b]
        except (KeyError, TypeError):  # not seen yet, or without a hash
            pass
        return other_result(a, b, more, op)

    return promote_types, result_type


def _other_result(
    cache: Cache,
    result: Callable[[Sequence[Any], str | None], DType],
    *,
    ranked: bool,
    valued: bool,
) -> Callable[[Any, Any, tuple[Any, ...], str | None], DType]:
    """Return what answers for any operands, from the cache if the answer is there."""
    answers, functions, longer = cache.answers, cache.functions, cache.longer
    shaped = ranked or valued

    def other_result(a: Any, b: Any, more: tuple[Any, ...], op: str | None) -> DType:
        first = second = NOTHING
        keys: list[Any] = []
        try:
            if more:
                keys = [raw_key(x, op) for x in (a, b, *more)]
                return longer[(op, *keys)]
            first = NOTHING if a is NOTHING else raw_key(a, op)
            second = NOTHING if b is NOTHING else first if b is a else raw_key(b, op)
            return (answers if op is None else functions[op])[first][second]
        except KeyError:
            pass
        except (TypeError, DTypeError):  # without a hash, or not an operand
            first, keys = None, []
        operands = (a, b, *more) if b is not NOTHING else (a,) if a is not NOTHING else ()
        answer = result(operands, op)
        array_class()
        if more and keys:
            cache.remember(longer, (op, *keys), answer)
            if op is None and all(type(x) is DType for x in operands):
                cache.remember(longer, operands, answer)
        elif not more and first is not None:
            # NumPy may have been loaded just now, so that keys are other ones
            way = [NOTHING if x is NOTHING else raw_key(x, op) for x in (a, b)]
            cache.remember(
                answers if op is None else functions, *([op] if op else []), *way, answer
            )
        return answer

    def raw_key(x: Any, op: str | None) -> Any:
        kind = type(x)
        if kind is _ndarray and (not shaped or x.ndim):
            return x.dtype
        if kind is float and not valued:
            return kind
        if kind is int and op is not None:  # functions refuse ints that do not fit
            return (kind, x)
        return key_of(x, ranked=ranked, valued=valued)

    return other_result
