"""Where values come from: what has a dtype, and the origin of each such value that is alive.

Arrays are followed by weak references, so nothing lives longer than it would. NumPy's scalars take
none: the last few thousand are held instead. Of other values that take none, the last one is known
by its number alone, and not held. A view has the origin of what it is a view of.
"""

from __future__ import annotations

import dis
import sys
import weakref
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

from ...core.errors import SupremumError

if TYPE_CHECKING:
    from ..model.provenance import Origin

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
takes rows of a table or stores them, a function that JAX compiled."""

_MOST_TYPES = 10_000  # a program may make types without end
_MOST_SCALARS = 4_096
_FEWEST_TO_SWEEP = 4_096


# the same, of the types without interest that may be gone before the program is
_passing: weakref.WeakKeyDictionary[type, int] = weakref.WeakKeyDictionary()


def learn(t: type) -> int:
    """Return, and remember, what values of a type are. No value is touched."""
    kind = _passing.get(t)
    if kind is None:
        kind = _kind(t)
        stays = getattr(sys.modules.get(t.__module__), t.__name__, None) is t
        if kind == NOTHING and not stays:
            _passing[t] = kind
        else:
            if len(TYPES) > _MOST_TYPES:
                TYPES.clear()
            TYPES[t] = kind
    return kind


def _kind(t: type) -> int:
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(t, numpy.generic):
        number = issubclass(t, numpy.number) or t.__module__ == "ml_dtypes"
        return SCALAR if number else NOTHING
    if t is dict or issubclass(t, (tuple, list)):
        return MAPPING if t is dict else SEQUENCE
    if t.__name__ == "PjitFunction":
        return COMPILED
    if t.__name__.endswith("Indexer") and t.__module__ == "pandas.core.indexing":
        return INDEXER
    if issubclass(t, type) or t.__name__.lower().endswith("dtype"):
        return NOTHING
    if not (hasattr(t, "dtype") and hasattr(t, "shape")):
        has_columns = hasattr(t, "columns") or hasattr(t, "data_vars")
        if hasattr(t, "dtypes") and has_columns:
            return FRAME
        # what computes and is given both as it is made, such as the arrays of sparse
        computes = hasattr(t, "__mul__") or hasattr(t, "__matmul__")
        return ARRAY if computes and _has(t, "dtype") and _has(t, "shape") else NOTHING
    if numpy is not None and t is numpy.ndarray:
        return NDARRAY
    # those that JAX traces have their weakness from what they stand for
    return MAYBE_WEAK if hasattr(t, "weak_type") or is_tracer(t) else ARRAY


def is_tracer(t: type) -> bool:
    """Return whether values of a type are those that JAX traces."""
    return any(c.__name__ == "Tracer" and c.__module__.startswith("jax") for c in t.__mro__)


def _has(t: type, name: str) -> bool:
    """Tell whether values of a type have an attribute: by the type, or as they are made."""
    return hasattr(t, name) or any(_stores(vars(c).get("__init__"), name) for c in t.__mro__)


def _stores(function: Any, name: str) -> bool:
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType) or name not in code.co_names:
        return False
    found = dis.get_instructions(code)
    return any(one.opname == "STORE_ATTR" and one.argval == name for one in found)


def kind_of_type(t: type) -> int:
    """Return what values of a type are."""
    kind = TYPES.get(t)
    return learn(t) if kind is None else kind


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
        if t.__module__.startswith("torch") and sys.modules["torch"].jit.is_tracing():
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


class Values:
    """The origins of the values that are alive.

    Attributes:
        followed: for the number of an array, a weak reference to it and its origin. Entries of
            arrays that are gone are swept out now and then.
        held: for the number of a scalar, the scalar and its origin.
        limit: how many arrays are followed before those that are gone are swept out.
    """

    __slots__ = ("_last", "_old", "followed", "held", "limit")

    def __init__(self) -> None:
        self.followed: dict[int, tuple[weakref.ref[Any], Origin]] = {}
        self.held: dict[int, tuple[Any, Origin]] = {}
        self._old: dict[int, tuple[Any, Origin]] = {}
        self.limit = _FEWEST_TO_SWEEP
        # of the last value that takes no weak references: its number, that of its type, its origin
        self._last: tuple[int, int, Origin | None] = (0, 0, None)

    def __len__(self) -> int:
        return len(self.followed) + len(self.held) + len(self._old)

    def get(self, value: Any) -> Origin | None:
        """Return where a value comes from, as far as that is known."""
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

    def _of_base(self, view: Any) -> Origin | None:
        base = view.base
        while base is not None:
            followed = self.followed.get(id(base))
            if followed is not None and followed[0]() is base:
                return followed[1] if _as_wide(view, base) else None
            base = getattr(base, "base", None)
        return None

    def put(self, value: Any, kind: int, origin: Origin) -> None:
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


def _as_wide(view: Any, base: Any) -> bool:
    """Return whether a view has parts of the width of those of its base, as the real part has."""
    dtype, of = view.dtype, getattr(base, "dtype", None)
    if dtype == of:
        return True
    is_part = dtype.kind == "f" and getattr(of, "kind", "") == "c"
    return is_part and of is not None and of.itemsize == 2 * dtype.itemsize
