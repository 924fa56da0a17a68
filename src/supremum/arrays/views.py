"""Views: arrays that share elements on NumPy, where what is written to one is seen in the others.

NumPy's share memory, and most of PyTorch's. Arrays of JAX and Dask cannot be changed, and PyTorch
copies what is turned around. There a write is refused that another array would have to see.
"""

from __future__ import annotations

from sys import getrefcount
from typing import Any
from weakref import ref

from .array import Array
from .engine import Engine


class Memory:
    """The elements that arrays share: each of them refers to it.

    Attributes:
        copies: elements that are the same on NumPy, and that the library has copied.
    """

    __slots__ = ("__weakref__", "copies")

    def __init__(self) -> None:
        self.copies: tuple[ref[Memory], ...] = ()


def joined(x: Array, made: Array, *, is_copy: bool = False) -> Array:
    """Return an array that is a view of another on NumPy.

    Args:
        x: the other array.
        made: the array.
        is_copy: whether the library has copied the elements.
    """
    memory = x.sharing
    if memory is None:
        memory = x.sharing = Memory()
    if not is_copy:
        made.sharing = memory
        return made
    others = [memory, *_alive(memory)]
    copied = made.sharing = Memory()
    copied.copies = (*map(ref, others),)
    for other in others:
        other.copies = (*map(ref, _alive(other)), ref(copied))
    return made


def _alive(memory: Memory) -> list[Memory]:
    """Return the copies of elements that some array still has."""
    return [copied for one in memory.copies if (copied := one()) is not None]


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


def check_writable(array: Array, what: str, how: str = "") -> None:
    """Refuse to write to an array that was broadcast, or that shares elements which were copied.

    Args:
        array: the array.
        what: what would write to it.
        how: in which way, after a space.

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
    if not _alive(array.sharing):
        array.sharing.copies = ()
    else:
        raise ValueError(
            f"{what}{how} is refused: another array that is alive shares elements with this one, "
            f"as x[0] and x.T do with x, and the {backend.name} backend has copied them; write "
            f"x[0, ...] = y instead of x[0][...] = y, and x[0, ...] = x[0] + y instead of "
            f"x[0] += y, or copy the part when it is taken, with y = xp.asarray(x[0], copy=True)"
        )


def replace(array: Array, native: Any) -> None:
    """Replace the data of an array by what was made of it.

    Raises:
        TypeError: if it would outlive a transformation of the library, as `jax.jit`.
    """
    if native is not array.native:
        array.engine.backend.check_replaced(array, native)
        array.native = native
