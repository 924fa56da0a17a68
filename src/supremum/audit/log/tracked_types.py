"""Where values come from: what has a dtype, and the origin of each such value that is alive.

Arrays are followed by weak references, so nothing lives longer than it would. NumPy's scalars take
none: the last few thousand are held instead. Of other values that take none, the last one is known
by its number alone, and not held. A view has the origin of what it is a view of.
"""

from __future__ import annotations

import dis
import sys
import weakref
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final, Generic, TypeVar

from ...core.errors import SupremumError
from ...core.foreign import root_of
from ...core.libraries import library_of_module

NOTHING: Final = 0
SCALAR: Final = 1
NDARRAY: Final = 2
ARRAY: Final = 3
MAYBE_WEAK: Final = 4
FRAME: Final = 5
SEQUENCE: Final = 6
MAPPING: Final = 7
INDEXER: Final = 8
COMPILED: Final = 9

TYPES: dict[type, int] = dict.fromkeys((bool, int, float, complex, type(None), str, bytes), NOTHING)
"""What values of each type are: nothing of interest, a scalar of NumPy, an array of NumPy, one of
another library, one that may be weakly typed, a table of columns, a tuple or list of some, what
takes rows of a table or stores them, a function that its library compiled."""

_MOST_TYPES = 10_000  # a program may make types without end
_MOST_SCALARS = 4_096
_FEWEST_TO_SWEEP = 4_096


# the types without interest that may be gone before the program is, by their numbers: to ask a
# dictionary of weak keys takes three times as long
_passing: dict[int, weakref.ref[type]] = {}

# What a type is, read without asking its metaclass, which may be a class of the program.
_mro: Final = type.__dict__["__mro__"].__get__
_attributes: Final = type.__dict__["__dict__"].__get__
_module_of: Final = type.__dict__["__module__"].__get__
_name: Final = type.__dict__["__name__"].__get__

_OF_ARRAYS: Final = ("dtype", "shape", "ndim", "size", "nbytes")


def learn(t: type) -> int:
    """Return, and remember, what values of a type are. No value and no metaclass is asked."""
    number = id(t)
    if number in _passing:
        return NOTHING
    kind = _kind(t)
    if kind == NOTHING and not _is_lasting(t):
        _passing[number] = weakref.ref(t, lambda _: _passing.pop(number, None))
    else:
        if len(TYPES) > _MOST_TYPES:
            TYPES.clear()
        TYPES[t] = kind
    return kind


def forget_types() -> None:
    """Let go of the types of a program that has ended, whose methods keep its variables alive."""
    TYPES.clear()


def _is_lasting(t: type) -> bool:
    """Return whether a type stands in its module under its name."""
    module = sys.modules.get(_module(t))
    return isinstance(module, ModuleType) and vars(module).get(_name(t)) is t


def _module(t: type) -> str:
    try:
        module = _module_of(t)
    except AttributeError:  # it was deleted
        return ""
    return module if isinstance(module, str) else ""


def _kind(t: type) -> int:
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(t, numpy.generic):
        number = issubclass(t, numpy.number) or _module(t) == "ml_dtypes"
        return SCALAR if number else NOTHING
    if t is dict or issubclass(t, (tuple, list)):
        return MAPPING if t is dict else SEQUENCE
    name = _name(t)
    role = _role_of(t)
    if role in _BY_ROLE:
        return _BY_ROLE[role]
    if issubclass(t, type) or name.lower().endswith("dtype"):
        return NOTHING
    if numpy is not None and t is numpy.ndarray:
        return NDARRAY
    return _kind_by_attributes(t)


_BY_ROLE: Final = {"compiled": COMPILED, "indexer": INDEXER}


def _role_of(t: type) -> str:
    """Return what the facts of a type's library say that its values are, if not arrays."""
    library = library_of_module(_module(t).partition(".")[0])
    return dict(library.other_classes).get(_name(t), "") if library is not None else ""


def is_tracer(t: type) -> bool:
    """Return whether values of a type stand for what is traced."""
    return any(_role_of(c) == "traced" for c in _ancestors(t))


def _kind_by_attributes(t: type) -> int:
    """Return what values of a type are, by the attributes that its classes define."""
    if has(t, "dtype") and has(t, "shape"):
        if _stands_for_another(t):
            return NOTHING
        # what is traced has its weakness from what it stands for
        return MAYBE_WEAK if has(t, "weak_type") or is_tracer(t) else ARRAY
    if has(t, "dtypes") and (has(t, "columns") or has(t, "data_vars")):
        return FRAME
    # what computes and is given both as it is made, such as the arrays of sparse
    computes = has(t, "__mul__") or has(t, "__matmul__")
    given = computes and _is_given(t, "dtype") and _is_given(t, "shape")
    return ARRAY if given and not _hands_on(t) else NOTHING


def _ancestors(t: type) -> tuple[type, ...]:
    """Return a type and those that it is derived from; nothing of one that Python made unready."""
    return _mro(t) or ()


def has(t: type, name: str) -> bool:
    """Return whether a type defines an attribute; neither it nor its metaclass is asked for it."""
    return _defining(t, name) is not None


def _defining(t: type, name: str) -> type | None:
    return next((c for c in _ancestors(t) if name in _attributes(c)), None)


def _stands_for_another(t: type) -> bool:
    """Return whether values of a type answer with the attributes of what they wrap.

    So do quantities of a number or an array, with a unit. What they have is not known by the type,
    and to ask for it may compute. An array of a known library has a dtype of its own, whatever a
    class derived from it adds.
    """
    owner = _defining(t, "dtype")
    if owner is None or library_of_module(root_of(owner)) is not None:
        return False
    return _hands_on(t) and not all(has(t, name) for name in _OF_ARRAYS)


def _hands_on(t: type) -> bool:
    """Return whether values of a type have more attributes than the type defines."""
    owner = _defining(t, "__getattribute__") or object
    is_python = isinstance(_attributes(owner)["__getattribute__"], FunctionType)
    return is_python or has(t, "__getattr__")


def _is_given(t: type, name: str) -> bool:
    """Return whether values of a type have an attribute: by the type, or as they are made."""
    inits = (_attributes(c).get("__init__") for c in _ancestors(t))
    return has(t, name) or any(_stores(init, name) for init in inits)


def _stores(function: Any, name: str) -> bool:
    if not isinstance(function, FunctionType) or name not in function.__code__.co_names:
        return False
    found = dis.get_instructions(function)
    return any(one.opname == "STORE_ATTR" and one.argval == name for one in found)


def is_ufunc(function: Any) -> bool:
    """Return whether a function is one of NumPy's that compute as operators do."""
    return type(function).__name__ == "ufunc"


def kind_of_type(t: type) -> int:
    """Return what values of a type are. One whose metaclass compares types itself is not asked."""
    if type(t) is not type and not is_plain(type(t)):
        return NOTHING
    kind = TYPES.get(t)
    return learn(t) if kind is None else kind


def is_plain(metaclass: Any) -> bool:
    """Return whether types of a metaclass are compared and hashed as Python does it."""
    return bool(metaclass.__hash__ is type.__hash__ and metaclass.__eq__ is type.__eq__)


def kind_of(value: Any) -> int:
    """Return what a value is, by its type."""
    return kind_of_type(type(value))


def is_array(value: Any) -> bool:
    """Return whether a value has a dtype of its own."""
    return NOTHING < kind_of(value) < FRAME


def signature(value: Any) -> Any:
    """Return all of a value that its part in a promotion depends on, but for numbers' values."""
    t = type(value)
    kind = kind_of_type(t)
    if kind == NDARRAY:
        return value.dtype
    if kind == ARRAY:
        library = library_of_module(root_of(t))
        if library is not None and library.is_tracing is not None and library.is_tracing():
            raise SupremumError("what is traced would take down what is asked of it")
        return t, value.dtype, getattr(value, "ndim", 1) == 0
    if kind == MAYBE_WEAK:
        return t, value.dtype, value.weak_type, getattr(value, "ndim", 1) == 0
    return t


def size_of(value: Any) -> int:
    """Return how many bytes an array says that it takes; 0 if it does not say."""
    try:
        size = getattr(value, "nbytes", 0)
    except (RuntimeError, TypeError):  # sparse tensors of PyTorch, lazy arrays
        return 0
    return int(size) if hasattr(size, "__index__") else 0


Known = TypeVar("Known")


class Values(Generic[Known]):
    """What is known of the values that are alive, such as the origin of each.

    Attributes:
        followed: for the number of an array, a weak reference to it, and what is known. Entries of
            arrays that are gone are swept out now and then.
        held: for the number of a scalar, the scalar, and what is known.
        limit: how many arrays are followed before those that are gone are swept out.
    """

    __slots__ = ("_last", "_old", "followed", "held", "limit")

    def __init__(self) -> None:
        self.followed: dict[int, tuple[weakref.ref[Any], Known]] = {}
        self.held: dict[int, tuple[Any, Known]] = {}
        self._old: dict[int, tuple[Any, Known]] = {}
        self.limit = _FEWEST_TO_SWEEP
        # of the last value that takes no weak references: its number, that of its type, its origin
        self._last: tuple[int, int, Known | None] = (0, 0, None)

    def __len__(self) -> int:
        return len(self.followed) + len(self.held) + len(self._old)

    def get(self, value: Any) -> Known | None:
        """Return what is known of a value, or None."""
        key = id(value)
        followed = self.followed.get(key)
        if followed is not None and followed[0]() is value:
            return followed[1]
        held = self.held.get(key)
        if held is None and (held := self._old.get(key)) is not None and held[0] is value:
            self.held[key] = held  # what is used again stays
        if held is not None and held[0] is value:
            return held[1]
        number, number_of_type, origin = self._last
        if key == number and id(type(value)) == number_of_type:
            return origin
        return self._of_base(value) if TYPES.get(type(value)) == NDARRAY else None

    def _of_base(self, view: Any) -> Known | None:
        base = view.base
        while base is not None:
            followed = self.followed.get(id(base))
            if followed is not None and followed[0]() is base:
                return followed[1] if _as_wide(view, base) else None
            base = getattr(base, "base", None)
        return None

    def put(self, value: Any, kind: int, origin: Known) -> None:
        """Say where a value comes from."""
        if kind != SCALAR or type(value).__weakrefoffset__:
            try:
                self.followed[id(value)] = weakref.ref(value), origin
            except TypeError:  # it takes no weak references, and may be of any size
                self._last = id(value), id(type(value)), origin
            else:
                if len(self.followed) > self.limit:
                    self._sweep()
            return
        if len(self.held) >= _MOST_SCALARS:
            self._old, self.held = self.held, {}
        self.held[id(value)] = value, origin

    def _sweep(self) -> None:
        followed = self.followed  # probes have this dictionary itself
        for key in [key for key, entry in list(followed.items()) if entry[0]() is None]:
            followed.pop(key, None)
        self.limit = max(_FEWEST_TO_SWEEP, 2 * len(followed))


def reference(value: Any) -> Callable[[], Any]:
    """Return what gives a value as long as it is alive; it keeps no array alive."""
    try:
        return weakref.ref(value)
    except TypeError:  # a number of NumPy
        return lambda: value


def _as_wide(view: Any, base: Any) -> bool:
    """Return whether a view has parts of the width of those of its base, as the real part has."""
    dtype, of = view.dtype, getattr(base, "dtype", None)
    if dtype == of:
        return True
    is_part = dtype.kind == "f" and getattr(of, "kind", "") == "c"
    return is_part and of is not None and of.itemsize == 2 * dtype.itemsize
