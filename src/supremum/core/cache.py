"""The cache of answers: what an answer depends on, and functions that look there first.

The key of an operand is made of the same facts that it is read by: its type, the dtype of an array,
whether that is weak, its rank, and the value of a number. Equal is not the same:
``True == 1 == 1.0``, and some objects equal a name. So what tells operands apart is chosen by their
type, and what has a type of which nothing is known is read anew each time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, Final

from . import foreign
from .dtypes import PYTHON_SCALARS, DType, dtype, is_dtype
from .errors import SupremumError
from .libraries import library_of_module
from .operands import Operand

NOTHING: Final = object()
"""Stands for an argument that was not given."""

LIMIT: Final = 4096
"""How many answers a cache keeps; a full one starts afresh."""

SMALLEST: Final = -(1 << 63)
LARGEST: Final = (1 << 63) - 1
"""The ints that an int64 holds, which all rules treat alike, go from `SMALLEST` to this."""

Read = Callable[[Any], Any]
"""Returns what an answer depends on, of one operand."""


class Cache:
    """The answers of some rules, up to a number of them.

    Args:
        ranked: whether it counts that an operand has dimensions.
        valued: whether the value of a scalar counts, Python's or NumPy's.
        may_keep: whether an answer of `result_type` for some operands is kept; by default each is.

    Attributes:
        promoted: the answers of `promote_types`, by the first dtype and then by the second.
        named: the same, by their names.
        arrays: the answers of `result_type` for an array of NumPy and another one, or a float, by
            the function and the dtypes; if ranks or values count, for arrays with dimensions.
        answers: its answers for one or two operands, by the function and the key of each.
        longer: its answers for any other number of operands.
        keys: what reads the key of an operand, by its type.
        function_keys: the same, if a function is asked about.
        raw: the types of dtypes that are their own keys.
    """

    __slots__ = (
        "_count", "_may_keep", "answers", "arrays", "function_keys", "keys", "longer", "named",
        "promoted", "ranked", "raw", "valued",
    )  # fmt: skip

    def __init__(
        self,
        *,
        ranked: bool = False,
        valued: bool = False,
        may_keep: Callable[[Sequence[Any]], bool] | None = None,
    ) -> None:
        self.ranked, self.valued, self._may_keep = ranked, valued, may_keep
        self.promoted: dict[Any, dict[Any, DType]] = {}
        self.named: dict[str, dict[str, DType]] = {}
        self.arrays: dict[Any, dict[Any, dict[Any, DType]]] = {None: {}}
        self.answers: dict[Any, dict[Any, dict[Any, DType]]] = {None: {}}
        self.longer: dict[Any, DType] = {}
        number = _number if valued else type
        self.keys: dict[type, Read] = {
            bool: number, int: _number if valued else _whole, float: number, complex: number,
            str: str, type: _class_key, object: _itself, DType: attrgetter("name"),
        }  # fmt: skip
        # functions refuse ints that do not fit
        self.function_keys: dict[type, Read] = {**self.keys, int: _number}
        self.raw: set[type] = {DType}
        self._count = 0

    def __len__(self) -> int:
        rows = [*self.promoted.values(), *self.named.values()]
        for store in (self.arrays, self.answers):
            rows += [row for by_first in store.values() for row in by_first.values()]
        return len(self.longer) + sum(map(len, rows))

    def remember(self, place: Any, *way: Any) -> None:
        """Keep an answer, the last of the way, under the keys before it."""
        self._count += 1
        if self._count > LIMIT:
            # the look-ups hold these dictionaries
            full: list[dict[Any, Any]] = [self.promoted, self.named, self.longer]
            for store in (*full, *self.arrays.values(), *self.answers.values()):
                store.clear()
            self._count = 1
        *outer, last, answer = way
        for key in outer:
            place = place.setdefault(key, {})
        place[last] = answer

    def key_of(self, op: str | None, operands: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the keys of some operands."""
        keys = self.keys if op is None else self.function_keys
        return tuple([keys[type(x)](x) for x in operands])

    def keys_to_keep(self, op: str | None, operands: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return the keys of some operands, or None if their answer cannot be kept."""
        for x in operands:
            self.learn(x)
        try:
            keys = self.key_of(op, operands)
            hash(keys)
        except (KeyError, TypeError) as error:  # of too many types, or without a hash
            _raise_others(error)
            return None
        return keys

    def answer(self, op: str | None, operands: tuple[Any, ...], ask: Callable[[], DType]) -> DType:
        """Return an answer of `result_type`, and keep it unless an operand changes meanwhile."""
        is_kept = self._may_keep is None or self._may_keep(operands)
        before = self.keys_to_keep(op, operands) if is_kept else None
        answer = ask()
        if before is not None and before == self.keys_to_keep(op, operands):
            self.keep(op, operands, before, answer)
        return answer

    def keep(
        self, op: str | None, operands: tuple[Any, ...], keys: tuple[Any, ...], answer: DType
    ) -> None:
        """Keep an answer of `result_type`, where the look-ups find it."""
        types = {type(x) for x in operands}
        if len(operands) > 2:
            self.remember(self.longer, (op, operands if types <= self.raw else keys), answer)
        elif self._has_dtypes_alone(operands):
            a, b = operands
            self.remember(self.arrays, op, a.dtype, float if type(b) is float else b.dtype, answer)
        else:
            self.remember(self.answers, op, *keys, answer)

    def _has_dtypes_alone(self, operands: tuple[Any, ...]) -> bool:
        """Return whether operands are arrays of NumPy, or one and a float, whose dtypes decide."""
        ndarray = array_class()
        shaped, numbers = self.ranked or self.valued, () if self.valued else (float,)
        kinds = [type(x) for x in operands]
        if kinds[0] is not ndarray or not all(kind in (ndarray, *numbers) for kind in kinds):
            return False
        return not shaped or all(x.ndim for x in operands if type(x) is ndarray)

    def learn(self, x: Any) -> None:
        """Note what reads the keys of operands of the type of this one."""
        if type(x) not in self.keys and len(self.keys) < LIMIT:
            read = _reader(x, ranked=self.ranked, valued=self.valued)
            self.keys[type(x)] = read
            self.function_keys[type(x)] = _exponent_key if read is _scalar_key else read
            if _is_numpy_dtype(x):
                self.raw.add(type(x))


def array_class() -> Any:
    """Return NumPy's class of arrays, or what no operand has the type of if NumPy is not loaded."""
    return getattr(sys.modules.get("numpy"), "ndarray", NOTHING)


def _raise_others(error: Exception) -> None:
    """Raise an error again unless a look-up made it: a signal handler may run in the middle of one.

    A look-up calls no function of Python but those by which objects are keys, and those that read
    keys, whose refusals are ours.
    """
    if isinstance(error, SupremumError):
        return
    at = error.__traceback__ and error.__traceback__.tb_next
    while at is not None and at.tb_frame.f_code.co_filename == __file__:
        at = at.tb_next
    if at is not None and at.tb_frame.f_code.co_name not in _OF_KEYS:
        raise error


_OF_KEYS: Final = ("__hash__", "__eq__", "__getattr__")


def _itself(x: Any) -> Any:
    return x


def _number(x: Any) -> Any:
    return type(x), x


def _whole(x: int) -> Any:
    # those that no int64 holds matter to rules without values, too
    return int if SMALLEST <= x <= LARGEST else (int, x)


def _class_key(x: type) -> Any:
    return (type, x) if x in PYTHON_SCALARS else dtype(x).name


def _scalar_key(x: Any) -> Any:
    # as of Python's ints, those that no int64 holds matter
    return type(x), x.dtype, x.dtype.kind == "u" and x > LARGEST


def _exponent_key(x: Any) -> Any:
    return type(x), x.dtype, x.item() if x.dtype.kind in "iu" else None


def _dtype_key(x: Any) -> Any:
    return dtype(x).name


def _reader(x: Any, *, ranked: bool, valued: bool) -> Read:
    """Return what reads the keys of operands of the type of this one."""
    if _is_numpy_dtype(x):
        return attrgetter("type")
    if type(x) is Operand:
        return lambda operand: (Operand, operand, type(operand.value))
    if is_dtype(x) and not foreign.is_numpy_scalar(x):
        return _itself if _is_fixed(x) else _dtype_key
    if foreign.is_numpy_scalar(x) and not valued:
        return _scalar_key
    if valued and type(x) is array_class():
        return _numpy_key
    return _array_reader(x, ranked=ranked, valued=valued)


def _array_reader(x: Any, *, ranked: bool, valued: bool) -> Read:
    """Return what reads the keys of arrays of the type of this one."""
    library = library_of_module(foreign.root_of(type(x)))
    if valued or library is None or (ranked and not isinstance(getattr(x, "ndim", None), int)):
        return lambda array: _array_key(array, ranked=ranked, valued=valued)
    facts = ["__class__", library.dtype_attribute]
    facts += ["weak_type"] if hasattr(x, "weak_type") else []
    return attrgetter(*facts, *(["ndim"] if ranked else []))


def _is_fixed(x: Any) -> bool:
    """Return whether a dtype is told apart by identity, and stays what it is."""
    slots: Any = (type(x).__eq__, type(x).__hash__)
    is_known = library_of_module(foreign.root_of(type(x))) is not None
    return is_known and slots == (object.__eq__, object.__hash__)


def _numpy_key(x: Any) -> Any:
    """Return the key of an array of NumPy, if the value of one without dimensions counts."""
    if x.ndim:
        return type(x), x.dtype
    value = x.item()
    return type(x), x.dtype, type(value), value


def _array_key(x: Any, *, ranked: bool, valued: bool) -> Any:
    shape = foreign.shape_of(x) if ranked or valued else None
    value = foreign.value_of(x, shape) if valued else None
    inner = foreign.dtype_of(x)  # None of objects of classes derived from Python's numbers
    if inner is None:  # by the number that it is, whatever it says that it equals
        base = next((base for base in (int, float, complex) if isinstance(x, base)), None)
        return type(x), base(x) if base else x
    key = (type(x), dtype(inner), foreign.is_weak(x))
    return (*key, shape and 1, type(value), value)


def remember_promotions(ask: Callable[..., DType], cache: Cache) -> Callable[..., DType]:
    """Return a function that answers as another one does for dtypes, from a cache if it can.

    Args:
        ask: returns the answer for any number of dtypes.
        cache: where the answers for two are kept.
    """
    promoted, named = cache.promoted, cache.named

    def promote_types(
        a: Any = NOTHING, b: Any = NOTHING, /, *more: Any, system: Any = NOTHING
    ) -> DType:
        try:
            if type(a) is str and type(b) is str:
                if system is NOTHING and not more:
                    return named[a][b]
            elif system is NOTHING and not more:
                return promoted[a][b]
        except (KeyError, TypeError) as error:  # not seen yet, or without a hash
            _raise_others(error)
        given = [x for x in (a, b, *more) if x is not NOTHING]
        if system is not NOTHING:  # those rules have their own cache
            return ask(*given, system=system)
        answer = ask(*given)
        if type(a) is type(b) is str and not more:
            cache.remember(named, a, b, answer)
        elif len(given) == 2 and all(map(_is_stable, given)):
            cache.remember(promoted, a, b, answer)
        return answer

    return promote_types


def _is_stable(x: Any) -> bool:
    """Return whether a dtype may be looked up directly: nothing else is equal to it."""
    if type(x) is type:
        return x in PYTHON_SCALARS or library_of_module(foreign.root_of(x)) is not None
    return type(x) is DType or _is_numpy_dtype(x) or _is_fixed(x)


def _is_numpy_dtype(x: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.dtype)


def remember_results(ask: Callable[..., DType], cache: Cache) -> Callable[..., DType]:
    """Return a function that answers as another one does for operands, from a cache if it can.

    Args:
        ask: returns the answer for any number of operands, and for a function if one is named.
        cache: where the answers are kept.
    """
    answers, longer = cache.answers, cache.longer
    arrays_by_function = cache.arrays
    arrays, shaped = arrays_by_function[None], cache.ranked or cache.valued
    number = NOTHING if cache.valued else float  # of which the value does not matter
    keys, function_keys, raw, key_of = cache.keys, cache.function_keys, cache.raw, cache.key_of
    no_rows: dict[Any, dict[Any, DType]] = {}
    ndarray: Any = NOTHING  # NumPy's class of arrays, once it is loaded

    def result_type(
        a: Any = NOTHING,
        b: Any = NOTHING,
        /,
        *more: Any,
        op: str | None = None,
        system: Any = NOTHING,
    ) -> DType:
        if system is not NOTHING:  # those rules have their own cache
            return answered(a, b, more, op, system)
        try:
            if more:
                way = (a, b, *more)
                is_raw = type(a) in raw and type(way[-1]) in raw
                return longer[op, way if is_raw else key_of(op, way)]
            if type(a) is ndarray and (not shaped or a.ndim):
                rows = arrays if op is None else arrays_by_function.get(op, no_rows)
                if type(b) is ndarray and (not shaped or b.ndim):
                    return rows[a.dtype][b.dtype]
                if type(b) is number:
                    return rows[a.dtype][float]
            key = keys if op is None else function_keys
            return answers[op][key[type(a)](a)][key[type(b)](b)]
        except (KeyError, TypeError) as error:  # not seen yet, or without a hash
            _raise_others(error)
        return answered(a, b, more, op, system)

    def answered(a: Any, b: Any, more: tuple[Any, ...], op: Any, system: Any) -> DType:
        nonlocal ndarray
        operands = tuple([x for x in (a, b, *more) if x is not NOTHING])
        how = {} if op is None else {"op": op}
        if system is not NOTHING:
            return ask(*operands, **how, system=system)
        answer = cache.answer(op, (a, b, *more), lambda: ask(*operands, **how))
        ndarray = array_class()
        return answer

    return result_type
