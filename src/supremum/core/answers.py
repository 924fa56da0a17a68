"""Answers that are kept: what an operand is keyed by, and functions that look for an answer first.

The key of an operand is made of the facts that it is read by: its type, the dtype of an array,
whether that is weak, its rank, and the value of a number. Equal is not the same:
``True == 1 == 1.0``, and some objects equal a name, so what tells operands apart is chosen by type.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import attrgetter
from threading import local
from typing import Any, Final

from . import foreign
from .dtypes import PYTHON_SCALARS, DType, dtype, is_dtype
from .errors import DTypeError
from .libraries import library_of_module
from .operands import Operand

NOTHING: Final = object()
"""Stands for an argument that was not given."""

LIMIT: Final = 4096
"""How many answers are kept of each sort."""

SMALLEST: Final = -(1 << 63)
LARGEST: Final = (1 << 63) - 1
"""The ints that an int64 holds, which all rules treat alike, go from `SMALLEST` to this."""

Key = Callable[[Any], Any]
"""Returns what an answer depends on, of one operand."""

Varies = Callable[[Sequence[Any]], Callable[[], Any] | None]
"""Returns what gives the rules for some operands each time, or None if they stay as they are."""

Pairs = dict[Any, dict[Any, DType]]
"""The answers for two dtypes, by the first and then by the second: the fastest of all look-ups."""

_plain: Final[set[type]] = {str, DType}
"""The types of operands that are their own keys; those of NumPy's dtypes join when they are met."""


class _Unknown(Exception):  # noqa: N818  # it says what to do
    """There is no answer yet, or no key."""


def _store(*, typed: bool = False) -> tuple[Callable[..., DType], Callable[..., None]]:
    """Return a cache of answers by keys, which is asked, and what hands an answer to it.

    Args:
        typed: whether keys of different types may be equal.
    """
    told = local()

    @lru_cache(maxsize=LIMIT, typed=typed)
    def kept(*keys: Any) -> Any:  # an answer, or whose rules have it
        found, answer = getattr(told, "answer", (None, None))
        if found != keys or answer is None:
            raise _Unknown
        return answer

    def keep(answer: Any, *keys: Any) -> None:
        told.answer = keys, answer
        try:
            kept(*keys)
        finally:
            told.answer = None, None

    return kept, keep


def _raise_others(error: Exception) -> None:
    """Raise an error again unless a look-up made it: a signal handler may run in the middle."""
    at = error.__traceback__
    while at is not None and at.tb_frame.f_code.co_filename == __file__:
        at = at.tb_next
    if at is not None:
        raise error


def remember_promotions(ask: Callable[..., DType]) -> Callable[..., DType]:
    """Return a function that answers as another one does for dtypes, from a cache if it can.

    Args:
        ask: returns the answer for any number of dtypes.
    """
    kept, keep = _store(typed=True)
    pairs: Pairs = {}
    plain = _plain

    def promote_types(*dtypes: Any) -> DType:
        try:
            a, b = dtypes
            if type(a) in plain and type(b) in plain:  # others may equal a name
                return pairs[a][b]
        except (KeyError, ValueError) as error:  # new, or not two
            _raise_others(error)
        try:
            return kept(*dtypes)
        except _Unknown:
            pass
        except TypeError as error:  # without a hash
            _raise_others(error)
        answer = ask(*dtypes)
        if all(map(_is_stable, dtypes)):
            keep(answer, *dtypes)
            if len(dtypes) == 2 and _plain.issuperset(map(type, dtypes)) and len(pairs) < LIMIT:
                pairs.setdefault(dtypes[0], {})[dtypes[1]] = answer
        return answer

    return promote_types


def remember_usual_promotions(
    ask: Callable[..., DType], *, varies: Varies, watched: str
) -> Callable[..., DType]:
    """Return the same for a question of which the operands say whose rules decide.

    Args:
        ask: as in `remember_promotions`, and for rules if some are named.
        varies: as in `remember_results`.
        watched: as there.
    """
    (kept, keep), (kept_later, keep_later) = _store(typed=True), _store(typed=True)
    modules = sys.modules

    def promote_types(*dtypes: Any, system: Any = NOTHING) -> DType:
        if system is not NOTHING:  # those rules keep their own answers
            return ask(*dtypes, system=system)
        is_set = watched in modules
        try:
            found: Any = kept_later(*dtypes) if is_set else kept(*dtypes)
        except _Unknown:
            pass
        except TypeError as error:  # without a hash
            _raise_others(error)
            return ask(*dtypes)
        else:
            if type(found) is DType:
                return found
            answer: DType = found().promote_types(*dtypes)  # by the rules as they are set now
            return answer
        answer = ask(*dtypes)
        if all(map(_is_stable, dtypes)):
            find = varies(dtypes)
            (keep_later if is_set else keep)(answer if find is None else find, *dtypes)
        return answer

    return promote_types


def remember_results(
    ask: Callable[..., DType],
    *,
    ranked: bool = False,
    valued: bool = False,
    varies: Varies | None = None,
    watched: str | None = None,
) -> Callable[..., DType]:
    """Return a function that answers as another one does for operands, from a cache if it can.

    Args:
        ask: returns the answer for any number of operands, and for a function if one is named.
        ranked: whether it counts that an operand has dimensions.
        valued: whether the value of a scalar counts, Python's or NumPy's.
        varies: returns what gives the rules for some operands, if a program may set others, or
            values decide; by default each answer is kept.
        watched: a module after whose import other answers are kept than before.
    """
    keys = _Keys(ranked=ranked, valued=valued)
    results = _Results(ask, keys, varies, watched)
    kept, of_arrays, of_dtypes = results.kept, results.of_arrays, results.of_dtypes
    of_many, keys_of = results.of_many, keys.of
    readers, function_readers = keys.readers, keys.function_readers
    plain, shaped, scalar = _plain, keys.shaped, keys.scalar
    ndarray: Any = NOTHING  # NumPy's class of arrays, once it is loaded
    modules = sys.modules

    def result_type(
        a: Any = NOTHING, b: Any = NOTHING, /, *more: Any, op: str | None = None,
        system: Any = NOTHING,
    ) -> DType:  # fmt: skip
        nonlocal ndarray
        if system is not NOTHING:  # those rules keep their own answers
            return ask(*_given((a, b, *more)), **_named(op), system=system)
        try:
            if more:
                is_set = watched is not None and watched in modules
                return of_many[is_set, op, keys_of((a, b, *more), op)]
            if type(a) is ndarray and (not shaped or a.ndim):
                if type(b) is ndarray and (not shaped or b.ndim):
                    return of_arrays[op][a.dtype][b.dtype]
                if type(b) is scalar:
                    return of_arrays[op][a.dtype][float]
            is_set = watched is not None and watched in modules
            if type(a) in plain and type(b) in plain:
                return of_dtypes[is_set, op][a][b]
            read = readers if op is None else function_readers
            return kept(is_set, op, read[type(a)](a), read[type(b)](b))
        except (_Unknown, DTypeError):
            pass
        except (KeyError, TypeError) as error:  # of a type not met yet, or without a hash
            _raise_others(error)
        ndarray = array_class()
        return results.answered((a, b, *more), op)

    return result_type


class _Results:
    """The answers of a question about operands: see the arguments of `remember_results`."""

    def __init__(
        self,
        ask: Callable[..., DType],
        keys: _Keys,
        varies: Varies | None,
        watched: str | None,
    ) -> None:
        self.ask, self.keys, self.varies, self.watched = ask, keys, varies, watched
        self.kept, self.keep = _store()
        # what gives the rules of answers that are not kept, by the keys of operands
        self.rules: dict[tuple[Any, ...], Callable[[], Any]] = {}
        # by a function, for two arrays of NumPy by their dtypes, or for one and a float
        self.of_arrays: dict[str | None, Pairs] = {}
        # for two dtypes, once the watched module is imported or before, and by a function
        self.of_dtypes: dict[tuple[bool, str | None], Pairs] = {}
        # for more than two, by their keys
        self.of_many: dict[tuple[bool, str | None, tuple[Any, ...]], DType] = {}

    def answered(self, operands: tuple[Any, ...], op: str | None) -> DType:
        """Return an answer that was not kept, and keep it, unless an operand changes meanwhile."""
        before, given = self.keys.learned(operands, op), _given(operands)
        known = None if before is None else self.rules.get(before)
        if known is not None:
            found: DType = known().result_type(*given, op=op)
            return found
        answer = self.ask(*given, **_named(op))
        if before is None or before != self.keys.learned(operands, op):
            return answer
        rules = None if self.varies is None else self.varies(given)
        if rules is None:
            self._keep(answer, operands, op, before)
        elif len(self.rules) < LIMIT:
            self.rules[before] = rules
        return answer

    def _keep(
        self, answer: DType, operands: tuple[Any, ...], op: str | None, keys: tuple[Any, ...]
    ) -> None:
        is_set = self.watched in sys.modules
        if len(operands) != 2:
            if len(self.of_many) < LIMIT:
                self.of_many[is_set, op, keys] = answer
            return
        self.keep(answer, is_set, op, *keys)
        if _plain.issuperset(map(type, operands)):
            pairs = self.of_dtypes.setdefault((is_set, op), {})
            if len(pairs) < LIMIT:
                pairs.setdefault(operands[0], {})[operands[1]] = answer
        first, second = (x.dtype if self.keys.is_shaped(x) else type(x) for x in operands)
        if _is_numpy_dtype(first) and (_is_numpy_dtype(second) or second is self.keys.scalar):
            self.of_arrays.setdefault(op, {}).setdefault(first, {})[second] = answer


def array_class() -> Any:
    """Return NumPy's class of arrays, or what no operand has the type of if NumPy is not loaded."""
    return getattr(sys.modules.get("numpy"), "ndarray", NOTHING)


def _given(operands: Sequence[Any]) -> list[Any]:
    return [x for x in operands if x is not NOTHING]


def _named(op: str | None) -> dict[str, Any]:
    return {} if op is None else {"op": op}


class _Keys:
    """What reads the keys of operands, by their types.

    Args:
        ranked: as in `remember_results`.
        valued: as in `remember_results`.
    """

    def __init__(self, *, ranked: bool, valued: bool) -> None:
        self.ranked, self.valued, self.shaped = ranked, valued, ranked or valued
        self.scalar = NOTHING if valued else float  # of which the value does not matter
        number = _number if valued else type
        self.readers: dict[type, Key] = {
            bool: number, int: _number if valued else _whole, float: number, complex: number,
            str: _itself, DType: _itself, type: _class_key, object: type,
            Operand: lambda x: (Operand, x, type(x.value)),
        }  # fmt: skip
        # functions refuse ints that do not fit
        self.function_readers: dict[type, Key] = {**self.readers, int: _number}

    def is_shaped(self, x: Any) -> bool:
        """Return whether something is an array of NumPy of which the dtype alone counts."""
        return type(x) is array_class() and (not self.shaped or x.ndim > 0)

    def of(self, operands: tuple[Any, ...], op: str | None) -> tuple[Any, ...]:
        """Return the keys of some operands."""
        if _plain.issuperset(map(type, operands)):
            return operands
        read = self.readers if op is None else self.function_readers
        return tuple([read[type(x)](x) for x in operands])

    def learned(self, operands: tuple[Any, ...], op: str | None) -> tuple[Any, ...] | None:
        """Return the keys of operands whose types may be new, or None if there are none."""
        try:
            for x in operands:
                if type(x) not in self.readers and len(self.readers) < LIMIT:
                    self._learn(x)
            found = self.of(operands, op)
            hash((op, found))
        except (_Unknown, DTypeError):
            return None
        except (KeyError, TypeError) as error:  # of too many types, or without a hash
            _raise_others(error)
            return None
        return found

    def _learn(self, x: Any) -> None:
        read = self._reader(x)
        self.readers[type(x)] = read
        self.function_readers[type(x)] = _exponent_key if read is _scalar_key else read

    def _reader(self, x: Any) -> Key:
        """Return what reads the keys of operands of the type of this one."""
        if _is_numpy_dtype(x):
            _plain.add(type(x))
            return _itself
        if foreign.is_numpy_scalar(x):
            return self._of_array if self.valued else _scalar_key
        if is_dtype(x):
            return _itself if _is_fixed(x) else _class_key
        if self.valued and type(x) is array_class():
            return _numpy_key
        library = library_of_module(foreign.root_of(type(x)))
        has_rank = not self.ranked or isinstance(getattr(x, "ndim", None), int)
        if library is None or self.valued or not has_rank:
            return self._of_array
        facts = ["__class__", library.dtype_attribute, "weak_type", "ndim"]
        return attrgetter(*(f for f in facts if hasattr(x, f) and (self.ranked or f != "ndim")))

    def _of_array(self, x: Any) -> Any:
        shape = foreign.shape_of(x) if self.ranked or self.valued else None
        value = foreign.value_of(x, shape) if self.valued else None
        inner = foreign.dtype_of(x)
        if inner is None:  # of a class derived from Python's numbers, whatever it says it equals
            base = next((base for base in (int, float, complex) if isinstance(x, base)), None)
            return type(x), base(x) if base else x
        has = (foreign.is_weak(x), foreign.is_swapped(x), shape and 1, type(value), value)
        return type(x), dtype(inner), *has


def _itself(x: Any) -> Any:
    return x


def _number(x: Any) -> Any:
    return type(x), x


def _whole(x: int) -> Any:
    # those that no int64 holds matter to rules without values, too
    return int if SMALLEST <= x <= LARGEST else (int, x)


def _scalar_key(x: Any) -> Any:
    return type(x), x.dtype, x.dtype.kind == "u" and x > LARGEST


def _exponent_key(x: Any) -> Any:
    return type(x), x.dtype, x.item() if x.dtype.kind in "iu" else None


def _numpy_key(x: Any) -> Any:
    """Return the key of an array of NumPy, if the value of one without dimensions counts."""
    if x.ndim:
        return type(x), x.dtype
    value = x.item()
    return type(x), x.dtype, type(value), value


def _class_key(x: Any) -> Any:
    return type(x), x if _is_stable(x) else (x, dtype(x))


def _is_stable(x: Any) -> bool:
    """Return whether a dtype is its own key: nothing else of its type is equal to it."""
    if isinstance(x, type):
        return x in PYTHON_SCALARS or library_of_module(foreign.root_of(x)) is not None
    return type(x) in (str, DType) or _is_numpy_dtype(x) or _is_fixed(x)


def _is_numpy_dtype(x: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.dtype)


def _is_fixed(x: Any) -> bool:
    """Return whether a dtype is told apart by identity, and stays what it is."""
    slots: Any = (type(x).__eq__, type(x).__hash__)
    is_known = library_of_module(foreign.root_of(type(x))) is not None
    return is_known and slots == (object.__eq__, object.__hash__)
