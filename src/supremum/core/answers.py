"""Answers that are kept: what an operand is keyed by, and functions that look for an answer first.

The key of an operand is made of the facts that it is read by: its type, the dtype of an array,
whether that is weak, its rank, and the value of a number. Equal is not the same:
``True == 1 == 1.0``, and some objects equal a name, so what tells operands apart is chosen by type.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from operator import attrgetter
from threading import Lock, local
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

Reader = tuple[str, Callable[[Any], Hashable]]
"""The module of a library, and what reads from it how it is set."""

Varies = Callable[..., tuple[Callable[[], Any], Reader] | None]
"""Returns what gives the rules for some operands each time, or None if they stay as they are.

It is given the operands. It also returns how to read what the rules depend on.
"""

Setting = Callable[..., "Reader | None"]
"""Returns how to read what answers depend on, by whether the operands are of no library, if any."""

Pairs = dict[Any, dict[Any, DType]]
"""The answers for two operands, by the key of the first and then of the second."""

_UNSET: Final = ""  # the setting of a library that is not imported
_NO_SETTING: Final[Reader] = ("", str)
_keeping: Final = Lock()  # the bound holds for all threads together

_NAMES: Final = frozenset({str, DType})
_HOMELESS: Final = _NAMES | {*PYTHON_SCALARS, type(NOTHING)}
"""The types of operands that name no library, as far as a type can say it."""

_plain: Final[set[type]] = {*_NAMES}
"""The types of operands that are their own keys; those of NumPy's dtypes join when they are met."""


_usual: Final[list[dict[Any, Any]]] = []
"""The answers of which the operands say whose rules decide."""


def forget() -> None:
    """Forget the answers of which the operands say whose rules decide."""
    for answers in _usual:
        answers.clear()


class _Unknown(Exception):  # noqa: N818  # it says what to do
    """There is no answer yet, or no key."""


def _store() -> tuple[Callable[..., Any], Callable[..., None]]:
    """Return a cache of answers by keys, which is asked, and what hands an answer to it."""
    told = local()

    @lru_cache(maxsize=LIMIT, typed=True)  # keys of different types may be equal
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
    if isinstance(error, DTypeError):  # of an operand that has no key; the question raises its own
        return
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
    promotions = _Promotions(ask)
    pairs, plain = promotions.pairs[None], _plain

    # a call takes longer for each variable of the outer function, so the rarer ones are attributes
    def promote_types(a: Any = NOTHING, b: Any = NOTHING, /, *more: Any) -> DType:
        try:
            if type(a) in plain and type(b) in plain and not more:  # others may equal a name
                return pairs[a][b]
        except KeyError as error:
            _raise_others(error)
        return promotions.find(_given((a, b, *more)))

    return promote_types


def remember_usual_promotions(
    ask: Callable[..., DType], *, varies: Varies, setting: Setting
) -> Callable[..., DType]:
    """Return the same for a question of which the operands say whose rules decide.

    Args:
        ask: as in `remember_promotions`, and for rules if some are named.
        varies: returns what gives the rules for some operands, if a program may set others, or if
            values decide.
        setting: says how to read what the answers depend on for operands that name no library.
    """
    promotions = _Promotions(ask, varies, setting)
    pairs, plain, names = promotions.pairs, _plain, _NAMES
    _usual.append(pairs)
    module, read = _NO_SETTING  # of the usual library, once there is an answer

    def promote_types(
        a: Any = NOTHING, b: Any = NOTHING, /, *more: Any, system: Any = NOTHING, rules: Any = None
    ) -> DType:
        nonlocal module, read
        if system is not NOTHING or rules is not None:  # those rules keep their own answers
            return ask(*_given((a, b, *more)), **_named(None, system, rules))
        try:
            if type(a) in names and type(b) in names and not more:
                # as `read_now` does, whose call takes as long as this
                loaded = sys.modules.get(module)
                now = _UNSET if loaded is None else read(loaded)
                return pairs[now][a][b]
            if type(a) in plain and type(b) in plain and not more:
                return pairs[None][a][b]
        except KeyError as error:
            _raise_others(error)
        answer = promotions.find(_given((a, b, *more)))
        module, read = setting() or _NO_SETTING
        return answer

    return promote_types


class _Promotions:
    """The answers of a question about dtypes.

    Args:
        ask: as in `remember_promotions`.
        varies: as in `remember_usual_promotions`.
        setting: as there.
    """

    def __init__(
        self,
        ask: Callable[..., DType],
        varies: Varies | None = None,
        setting: Setting | None = None,
    ) -> None:
        self.ask, self.varies, self.setting = ask, varies, setting
        self.kept, self.keep = _store()
        self.pairs: dict[Hashable, Pairs] = {None: {}}  # by the setting

    def find(self, dtypes: Sequence[Any]) -> DType:
        """Return the answer for some dtypes, and keep it."""
        try:
            found: Any = self.kept(_setting_now(self.setting, dtypes), *dtypes)
        except (_Unknown, TypeError) as error:  # new, or without a hash
            _raise_others(error)
        else:
            return found if type(found) is DType else found.ask("promote_types", dtypes)
        answer: DType = self.ask(*dtypes)
        _plain.update(type(x) for x in dtypes if _is_numpy_dtype(x))
        if all(map(_is_stable, dtypes)):
            now = _setting_now(self.setting, dtypes)
            found = None if self.varies is None else self.varies(dtypes)
            self.keep(answer if found is None else _Varying(*found), now, *dtypes)
            if found is None and len(dtypes) == 2 and _plain.issuperset(map(type, dtypes)):
                _keep_pair(self.pairs.setdefault(now, {}), dtypes[0], dtypes[1], answer)
        return answer


def _setting_now(setting: Setting | None, operands: Sequence[Any]) -> Hashable:
    """Return what the answer for some operands depends on beside them, or None."""
    if setting is None:
        return None
    reader = setting(of_library=not _HOMELESS.issuperset(map(type, operands)))
    return None if reader is None else read_now(reader)


def read_now(reader: Reader) -> Hashable:
    """Return how a library is set, by what reads it."""
    module, read = reader
    loaded = sys.modules.get(module)
    return _UNSET if loaded is None else read(loaded)


def _keep_pair(pairs: Pairs, first: Any, second: Any, answer: DType) -> None:
    with _keeping:
        if sum(map(len, pairs.values())) >= LIMIT:
            pairs.clear()
        pairs.setdefault(first, {})[second] = answer


def remember_results(
    ask: Callable[..., DType], *, ranked: bool = False, valued: bool = False
) -> Callable[..., DType]:
    """Return a function that answers as another one does for operands, from a cache if it can.

    Args:
        ask: returns the answer for any number of operands, and for a function if one is named.
        ranked: whether it counts that an operand has dimensions.
        valued: whether the value of a scalar counts, Python's or NumPy's.
    """
    shaped = ranked or valued
    results = _Results(ask, _Keys(ranked=ranked, valued=valued, shaped=shaped))
    arrays = results.of_arrays[None]
    plain = _plain
    ndarray: Any = None  # NumPy's class of arrays, once it is loaded
    counted: Any = None  # the same, if of its arrays the dtype alone counts

    def result_type(
        a: Any = NOTHING, b: Any = NOTHING, /, *more: Any, op: str | None = None
    ) -> DType:
        nonlocal ndarray, counted
        try:
            if type(a) is counted is type(b) and not more:
                return (arrays if op is None else results.of_arrays[op])[a.dtype][b.dtype]
            if type(a) is ndarray and not more and (not shaped or a.ndim):
                if type(b) is ndarray and b.ndim:
                    return results.of_arrays[op][a.dtype][b.dtype]
                if type(b) is float:
                    return results.of_floats[op][a.dtype][b if valued else float]
            elif type(a) in plain and type(b) in plain:
                if not more:
                    return results.of_pairs[None][op][a][b]
                if plain.issuperset(map(type, more)):
                    return results.of_many[None][op][a, b, *more]
            read = results.readers if op is None else results.function_readers
            row = {} if more else results.of_pairs[None][op][read[type(a)](a)]
            return row[read[type(b)](b)]
        except (DTypeError, KeyError, TypeError) as error:  # new, or without a key
            _raise_others(error)
        ndarray = ndarray or array_class()
        counted = None if shaped else ndarray
        return results.find((a, b, *more), op)

    return result_type


def remember_usual_results(
    ask: Callable[..., DType], *, varies: Varies, setting: Setting
) -> Callable[..., DType]:
    """Return the same for a question of which the operands say whose rules decide.

    Args:
        ask: as in `remember_results`, and for rules if some are named.
        varies: as in `remember_usual_promotions`.
        setting: as there.
    """
    keys = _Keys(ranked=True, valued=False, shaped=False)  # NumPy's rules count dtypes alone
    results = _Results(ask, keys, varies, setting)
    arrays = results.of_arrays[None]
    _usual.extend([results.of_pairs, results.of_many, results.varying])
    _usual.extend([arrays, results.of_arrays, results.of_floats])
    plain, names = _plain, _NAMES
    ndarray: Any = None
    module, read = _NO_SETTING

    def result_type(
        a: Any = NOTHING, b: Any = NOTHING, /, *more: Any, op: str | None = None,
        system: Any = NOTHING, rules: Any = None,
    ) -> DType:  # fmt: skip
        nonlocal ndarray, module, read
        if system is not NOTHING or rules is not None:
            return ask(*_given((a, b, *more)), **_named(op, system, rules))
        try:
            if type(a) is ndarray and not more:
                if type(b) is ndarray:
                    return (arrays if op is None else results.of_arrays[op])[a.dtype][b.dtype]
                if type(b) is float:
                    return results.of_floats[op][a.dtype][float]
            elif (
                type(a) in names
                and type(b) in names
                and (not more or names.issuperset(map(type, more)))
            ):
                loaded = sys.modules.get(module)
                now = _UNSET if loaded is None else read(loaded)
                if more:
                    return results.of_many[now][op][a, b, *more]
                return results.of_pairs[now][op][a][b]
            elif (
                type(a) in plain
                and type(b) in plain
                and (not more or plain.issuperset(map(type, more)))
            ):
                return (
                    results.of_many[None][op][a, b, *more]
                    if more
                    else results.of_pairs[None][op][a][b]
                )
        except (KeyError, TypeError) as error:
            _raise_others(error)
        ndarray = ndarray or array_class()
        answer = results.find((a, b, *more), op)
        module, read = setting() or _NO_SETTING
        return answer

    return result_type


class _Varying:
    """The answers to one question of rules that a program may set otherwise.

    Args:
        find: returns the rules as they are set now.
        reader: how to read what they depend on.
    """

    __slots__ = ("answers", "find", "reader")

    def __init__(self, find: Callable[[], Any], reader: Reader) -> None:
        self.find, self.reader = find, reader
        self.answers: dict[Hashable, DType] = {}

    def ask(self, question: str, operands: Sequence[Any], **how: Any) -> DType:
        """Return the answer of the rules as they are set now; one that values decide is not kept.

        Args:
            question: the method of the rules.
            operands: its operands.
            how: its keywords.
        """
        module, read = self.reader
        loaded = sys.modules.get(module)
        key = None if loaded is None else (read(loaded), *how.values())
        if key is not None and key in self.answers:
            return self.answers[key]
        rules = self.find()
        answer: DType = getattr(rules, question)(*operands, **how)
        if key is not None and not rules.valued:
            self.answers[key] = answer
        return answer


class _Results:
    """The answers of a question about operands.

    Args:
        ask: as in `remember_results`.
        keys: what reads the keys of operands.
        varies: as in `remember_usual_results`.
        setting: as there.
    """

    def __init__(
        self,
        ask: Callable[..., DType],
        keys: _Keys,
        varies: Varies | None = None,
        setting: Setting | None = None,
    ) -> None:
        self.ask, self.keys, self.varies, self.setting = ask, keys, varies, setting
        self.readers, self.function_readers = keys.readers, keys.function_readers
        # the answers of rules that may be set otherwise, by the keys of operands
        self.varying: dict[tuple[Any, ...], _Varying] = {}
        # by a function, for two arrays of NumPy by their dtypes, or for one and a float
        self.of_arrays: dict[str | None, Pairs] = {None: {}}
        self.of_floats: dict[str | None, Pairs] = {}
        # by the setting and a function, for two operands by their keys
        self.of_pairs: dict[Hashable, dict[str | None, Pairs]] = {None: {}}
        # by the setting and a function, for more than two operands by their keys
        self.of_many: dict[Hashable, dict[str | None, dict[tuple[Any, ...], DType]]] = {None: {}}

    def find(self, operands: tuple[Any, ...], op: str | None) -> DType:
        """Return the answer for some operands by their keys, kept or not."""
        try:
            keys = self.keys.of(operands, op)
            if (varying := self.varying.get(keys)) is not None:
                return varying.ask("result_type", _given(operands), op=op)
            now = _setting_now(self.setting, operands)
            if len(keys) == 2:
                return self.of_pairs[now][op][keys[0]][keys[1]]
            return self.of_many[now][op][keys]
        except (DTypeError, KeyError, TypeError) as error:  # new, or without a key
            _raise_others(error)
        return self._answered(operands, op)

    def _answered(self, operands: tuple[Any, ...], op: str | None) -> DType:
        """Return an answer that was not kept, and keep it, unless an operand changes meanwhile."""
        before, given = self.keys.learned(operands, op), _given(operands)
        answer = self.ask(*given, **_named(op))
        if before is None or before != self.keys.learned(operands, op):
            return answer
        now = _setting_now(self.setting, operands)
        found = None if self.varies is None else self.varies(given)
        if found is None:
            self._keep(answer, operands, op, before, now)
        elif len(self.varying) < LIMIT:
            self.varying[before] = _Varying(*found)
        return answer

    def _keep(
        self, answer: DType, operands: tuple[Any, ...], op: str | None, keys: tuple[Any, ...],
        now: Hashable,
    ) -> None:  # fmt: skip
        if len(keys) == 2:
            first, second = keys
            _keep_pair(self.of_pairs.setdefault(now, {}).setdefault(op, {}), first, second, answer)
            if now is None:
                self._keep_arrays(answer, operands, op)
            return
        with _keeping:
            many = self.of_many.setdefault(now, {}).setdefault(op, {})
            if len(many) >= LIMIT:
                many.clear()
            many[keys] = answer

    def _keep_arrays(self, answer: DType, operands: tuple[Any, ...], op: str | None) -> None:
        """Keep an answer for arrays of NumPy by their dtypes, if the dtypes alone count."""
        first, second = operands
        if not self.keys.is_counted(first):
            return
        if self.keys.is_counted(second):
            _keep_pair(self.of_arrays.setdefault(op, {}), first.dtype, second.dtype, answer)
        elif type(second) is float:
            number = second if self.keys.valued else float
            _keep_pair(self.of_floats.setdefault(op, {}), first.dtype, number, answer)


def array_class() -> Any:
    """Return NumPy's class of arrays, or None if NumPy is not loaded."""
    return getattr(sys.modules.get("numpy"), "ndarray", None)


def _given(operands: Sequence[Any]) -> list[Any]:
    return [x for x in operands if x is not NOTHING]


def _named(op: str | None, system: Any = NOTHING, rules: Any = None) -> dict[str, Any]:
    """Return what a question is given by name; `rules`, as others call them, are refused there."""
    found = {} if op is None else {"op": op}
    found |= {} if system is NOTHING else {"system": system}
    return found if rules is None else found | {"rules": rules}


class _Keys:
    """What reads the keys of operands, by their types.

    Args:
        ranked: as in `remember_results`.
        valued: as in `remember_results`.
        shaped: whether more than the dtype of an array of NumPy counts.
    """

    def __init__(self, *, ranked: bool, valued: bool, shaped: bool) -> None:
        self.ranked, self.valued, self.shaped = ranked, valued, shaped
        number = _number if valued else type
        self.readers: dict[type, Key] = {
            bool: number, int: _number if valued else _whole, float: number, complex: number,
            str: _itself, DType: _itself, type: _class_key, object: type,
            Operand: lambda x: (Operand, x, type(x.value)),
        }  # fmt: skip
        # functions refuse ints that do not fit
        self.function_readers: dict[type, Key] = {**self.readers, int: _number}

    def is_counted(self, x: Any) -> bool:
        """Return whether something is an array of NumPy of which the dtype alone counts."""
        return type(x) is array_class() and (not self.shaped or x.ndim > 0)

    def of(self, operands: tuple[Any, ...], op: str | None) -> tuple[Any, ...]:
        """Return the keys of some operands."""
        read = self.readers if op is None else self.function_readers
        return tuple([read[type(x)](x) for x in operands])

    def learned(self, operands: tuple[Any, ...], op: str | None) -> tuple[Any, ...] | None:
        """Return the keys of operands whose types may be new, or None if there are none."""
        try:
            for x in operands:
                if type(x) not in self.readers and len(self.readers) < LIMIT:
                    self._learn(x)
            found = self.of(operands, op)
        except (_Unknown, DTypeError):
            return None
        except (KeyError, TypeError) as error:  # of too many types
            _raise_others(error)
            return None
        try:
            hash((op, found))
        except TypeError:  # of what has none; the question raises its own
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
