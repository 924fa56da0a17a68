"""Views: arrays that share elements on NumPy, where what is written to one is seen in the others.

NumPy's share memory, and most of PyTorch's. Arrays of JAX and Dask cannot be changed, and PyTorch
copies what is turned around. There a write is refused that another array would have to see, unless
that is the one whose elements these are: those at an index, or all in other places. JAX and Dask
write to it, too.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any, Final, NamedTuple
from weakref import ref

from .array import Array
from .engine import Engine

_MOST_WORK: Final = 1_000  # to find out whether two parts overlap
_MOST_STEPS: Final = 64  # from elements to an array that is alive, by those that are gone


class Moved(NamedTuple):
    """How the elements of an array come to other places, and back.

    Attributes:
        of_numpy: does with an array of NumPy what was done.
        there: does the same with one of the library.
        back: undoes it.
    """

    of_numpy: Callable[[Any], Any]
    there: Callable[[Any], Any]
    back: Callable[[Any], Any]


class Source(NamedTuple):
    """What elements were copied from: all that another array has, or a part.

    Attributes:
        array: a reference to that array, which may be gone.
        parts: the index of them in it; None if they are all there are, in other places.
        there: gives the elements, of all that the array has.
        back: gives all that the array has, with other elements, of what it had.
        beyond: what the array was copied from.
    """

    array: ref[Array]
    parts: tuple[Any, ...] | None
    there: Callable[[Any], Any]
    back: Callable[[Any, Any], Any]
    beyond: Source | None

    @property
    def whole(self) -> Any:
        """All that the array has, or would have if it were not gone; None if nobody knows."""
        array = self.array()
        if array is not None:
            return array.native
        if self.beyond is None:
            return None
        before = self.beyond.whole
        return None if before is None else self.beyond.there(before)

    def write(self, native: Any) -> None:
        """Put other elements in their place, in the array and in what that was copied from."""
        whole, array = self.whole, self.array()
        if whole is None:
            return
        if array is not None:
            replace(array, self.back(whole, native))
        elif self.beyond is not None:
            self.beyond.write(self.back(whole, native))


class Memory:
    """The elements that arrays share: each of them refers to it.

    Attributes:
        copies: elements that are the same on NumPy, and that the library has copied.
        part: which elements these are, as a part of memory that nobody reads; None if that is not
            known.
        is_exact: whether `part` has the elements in their order, and no others.
        source: what these elements were copied from; None if they were not, or if the library
            writes to arrays.
    """

    __slots__ = ("__weakref__", "copies", "is_exact", "part", "source")

    def __init__(self) -> None:
        self.copies: tuple[ref[Memory], ...] = ()
        self.source: Source | None = None
        self.part: Any = None
        self.is_exact = False

    def at(self, index: tuple[Any, ...] | None) -> Any:
        """Return a part of these elements, or all if it is not known which."""
        if index is None or not self.is_exact or self.part is None:
            return self.part
        return self.part[index if any(i is Ellipsis for i in index) else (*index, Ellipsis)]


def joined(
    x: Array,
    made: Array,
    *,
    is_copy: bool = False,
    index: tuple[Any, ...] | None = None,
    moved: Moved | None = None,
) -> Array:
    """Return an array that is a view of another on NumPy.

    Args:
        x: the other array.
        made: the array.
        is_copy: whether the library has copied the elements.
        index: which of the elements they are, if that is known.
        moved: how the elements came to other places, if they are all there are.
    """
    memory = x.sharing
    if memory is None:
        memory = x.sharing = Memory()
    if not is_copy:
        made.sharing = memory
        return made
    others = _alive(memory)
    if memory.part is None or not (memory.is_exact or others):
        memory.part, memory.is_exact = _unread(x.native.shape), True
    others.insert(0, memory)
    copied = made.sharing = Memory()
    copied.part, copied.is_exact = memory.at(index), memory.is_exact and index is not None
    if moved is not None and memory.is_exact and memory.part is not None:
        copied.part, copied.is_exact = moved.of_numpy(memory.part), True
    if not x.engine.backend.is_mutable:
        copied.source = _source(x, index, moved)
    copied.copies = (*map(ref, others),)
    for other in others:
        other.copies = (*map(ref, _alive(other)), ref(copied))
    return made


def _source(x: Array, index: tuple[Any, ...] | None, moved: Moved | None) -> Source | None:
    """Return an array as the source of some of its elements, if it is known of which."""
    backend, beyond = x.engine.backend, _near(x.sharing.source)
    if moved is not None:
        back = moved.back
        return Source(ref(x), None, moved.there, lambda _, native: back(native), beyond)
    if index is None:
        return None
    return Source(
        ref(x), index,
        lambda whole: backend.take(whole, index),
        lambda whole, native: backend.put(whole, index, native),
        beyond,
    )  # fmt: skip


def _near(source: Source | None) -> Source | None:
    """Return a source that leads to an array which is alive in a few steps; None for others."""
    one = source
    for _ in range(_MOST_STEPS):
        if one is None or one.array() is not None:
            return source if one is not None else None
        one = one.beyond
    return None


def _unread(shape: tuple[Any, ...]) -> Any:
    """Return as much memory as an array has elements, which takes none as nobody writes to it."""
    import numpy as np  # which the tables of this package do without

    try:
        return np.empty(shape, "b")
    except (TypeError, ValueError, MemoryError):  # of unknown sizes, or too many elements
        return None


def _alive(memory: Memory) -> list[Memory]:
    """Return the copies of elements that some array still has."""
    return [copied for one in memory.copies if (copied := one()) is not None]


def _overlap(part: Any, other: Any) -> bool:
    """Return whether two parts of memory may have elements in common."""
    if part is None or other is None:
        return True
    import numpy as np

    try:
        return np.shares_memory(part, other, max_work=_MOST_WORK)  # type: ignore[arg-type]  # any
    except np.exceptions.TooHardError:
        return True


def viewed(x: Array, native: Any) -> Array:
    """Return an array of elements that the library shares with those of another."""
    memory = x.sharing
    if memory is None:
        memory = x.sharing = Memory()
    made = Array()
    made.engine = x.engine
    made.native = native
    made.key = x.key
    made.sharing = memory
    return made


def alike(engine: Engine, x: Array, weak: bool) -> Array:  # it is what differs
    """Return an array with the elements of another, which may be of another namespace."""
    made = engine.wrap(x.native, x.key.dtype, weak)
    return joined(x, made, is_copy=not engine.backend.is_mutable)


class _Alone:
    """Refers to memory of its own, as an array does."""

    def __init__(self) -> None:
        self.sharing = Memory()


def is_shared(array: Array) -> bool:
    """Return whether another array that is alive shares elements with an array.

    No variable of a caller may refer to its memory, as that would count.
    """
    memory = array.sharing
    if memory is None:
        return False
    is_copied = bool(_alive(memory))
    del memory
    return is_copied or _references(array) > _OF_ONE


def _references(array: Any) -> int:
    """Return how often the memory of an array is referred to, as CPython counts it."""
    return getrefcount(array.sharing)


_OF_ONE = _references(_Alone())


def check_writable(
    array: Array, what: str, how: str = "", *, index: tuple[Any, ...] | None = None
) -> None:
    """Refuse to write to an array that was broadcast, or that shares elements which were copied.

    Args:
        array: the array.
        what: what would write to it.
        how: in which way, after a space.
        index: which of its elements are written, if that is known.

    Raises:
        ValueError: with what to type instead.
    """
    backend = array.engine.backend
    if not backend.is_writable(array.native):
        raise ValueError(
            f"{what}{how} is refused: the array cannot be written to, as one that was broadcast "
            f"or is a diagonal; copy it first, with x = xp.asarray(x, copy=True)"
        )
    if array.sharing is None:
        return
    memory = array.sharing
    others = _alive(memory)
    if not others:
        memory.copies = ()
        return
    written, sources = memory.at(index), _sources(memory)
    if any(_overlap(written, other.part) for other in others if other not in sources):
        raise ValueError(
            f"{what}{how} is refused: another array that is alive shares elements with this one, "
            f"as x[0] and x.T do with x, and the {backend.name} backend has copied them; copy the "
            f"part when it is taken, with y = xp.asarray(x[0], copy=True), or write x = x - y "
            f"instead of x -= y"
        )


def _sources(memory: Memory) -> list[Memory]:
    """Return the memory of the array that elements were copied from, of what it was, and so on."""
    found, source = [], memory.source
    while source is not None:
        array = source.array()
        if array is not None:
            found.append(array.sharing)
        source = source.beyond
    return found


def is_part(x: Array, index: tuple[Any, ...] | None, value: Any) -> bool:
    """Return whether a value is this part of an array, to which what is written to it is written.

    So it is for ``x[1:] += y``, which stores the part where it is.
    """
    source = value.sharing and value.sharing.source if isinstance(value, Array) else None
    if source is None or index is None:
        return False
    return source.array() is x and source.parts == index


def replace(array: Array, native: Any) -> None:
    """Replace the data of an array by what was made of it, also in what it was copied from.

    Raises:
        TypeError: if it would outlive a transformation of the library, as `jax.jit`.
    """
    source = array.sharing and array.sharing.source
    if source is not None:
        source.write(native)
    if native is not array.native:
        array.engine.backend.check_replaced(array, native)
        array.native = native
