"""Views: arrays that share elements, so that what is written to one is seen in the others.

NumPy's views share memory, and so do its arrays here. Arrays of JAX and Dask cannot be changed, and
PyTorch copies what is turned around. There a view knows how it is read from the array that it is a
part of: what is written to it is put into that array, and read from there into the other views that
are alive. So a program gives the same on each backend.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from sys import getrefcount
from typing import Any, NamedTuple
from weakref import ref

from .array import Array
from .engine import Engine


class Memory:
    """Stands for memory that arrays share; each of them, and nothing else, refers to it."""

    __slots__ = ()


class How(NamedTuple):
    """How the elements of a view lie in the array that it is a view of.

    Attributes:
        read: returns those of the view, from those of the array.
        write: returns those of the array, with those of the view put into them; None if nothing
            can be written to the view.
        lay: does as `read` does, with an array of NumPy.
    """

    read: Callable[[Any], Any]
    write: Callable[[Any, Any], Any] | None
    lay: Callable[[Any], Any]


class Shared:
    """Elements that several arrays share.

    Attributes:
        native: all of the elements.
    """

    __slots__ = ("_arrays", "native")

    def __init__(self, native: Any) -> None:
        self.native = native
        self._arrays: list[ref[Array]] = []

    def add(self, array: Array) -> None:
        """Take an array up that shares them."""
        alive = [one for one in self._arrays if one() is not None]
        self._arrays = [*alive, ref(array)]

    def others(self, array: Array) -> list[Array]:
        """Return the arrays that are alive, but for one."""
        found = [one() for one in self._arrays]
        return [one for one in found if one is not None and one is not array]


class View:
    """What an array knows of the elements that it shares with others.

    Attributes:
        shared: all of them.
        read: returns those of the array, from all.
        write: returns all, with those of the array put into them; None if nothing can be written.
        is_copy: whether the backend has copied them, so that no memory is shared.
        layout: an array of NumPy without memory of its own, which lies as the elements do; None if
            their number is not known.
    """

    __slots__ = ("is_copy", "layout", "read", "shared", "write")

    def __init__(self, shared: Shared, how: How, layout: Any, *, is_copy: bool) -> None:
        self.shared = shared
        self.read = how.read
        self.write = how.write
        self.layout = layout
        self.is_copy = is_copy


def share(parent: Array, child: Array, how: How, *, is_copy: bool) -> Array:
    """Return an array that is to be a view of another.

    Args:
        parent: the other array.
        child: the array.
        how: how its elements lie in the other one.
        is_copy: whether the backend has copied them.
    """
    of = parent.sharing
    if of is None:
        shared, layout = Shared(parent.native), _layout(parent)
        of = parent.sharing = View(shared, _whole(parent), layout, is_copy=not parent.is_mutable)
        shared.add(parent)
    read, write = of.read, of.write

    def read_all(native: Any) -> Any:
        return how.read(read(native))

    def write_all(native: Any, new: Any) -> Any:
        return write(native, how.write(read(native), new))  # type: ignore[misc]  # both are there

    whole = How(read_all, write_all if write and how.write else None, how.lay)
    layout = None if of.layout is None else how.lay(of.layout)
    child.sharing = View(of.shared, whole, layout, is_copy=is_copy or of.is_copy)
    of.shared.add(child)
    return child


def _whole(array: Array) -> How:
    """Return how the elements of an array lie in itself."""
    put = array.engine.backend.put if array.is_mutable else None

    def write(native: Any, new: Any) -> Any:
        return new if put is None or new is native else put(native, (...,), new)

    return How(lambda native: native, write, lambda layout: layout)


def viewed(engine: Engine, x: Array, how: How, *, is_copy: bool | None = None) -> Array:
    """Return an array that shares elements with another.

    Args:
        engine: what computes.
        x: the other array.
        how: how its elements lie in the other one.
        is_copy: whether the backend copies them; by default if its arrays cannot be changed.
    """
    made = engine.same(how.read(x.native), x.key)
    if engine.backend.has_all_views:
        return joined(x, made)
    copies = not engine.backend.is_mutable if is_copy is None else is_copy
    return share(x, made, how, is_copy=copies)


def joined(x: Array, made: Array) -> Array:
    """Return an array of a library that has all views, as one that shares memory with another."""
    memory = x.sharing
    if memory is None:
        memory = x.sharing = Memory()
    made.sharing = memory
    return made


def alike(engine: Engine, x: Array, weak: bool) -> Array:  # it is what differs
    """Return an array with the elements of another, which may be of another namespace."""
    made = engine.wrap(x.native, x.key.dtype, weak)
    if engine.backend.has_all_views:
        return joined(x, made)
    how = How(lambda native: native, lambda _, new: new, lambda layout: layout)
    return share(x, made, how, is_copy=not made.is_mutable)


def can_share(array: Array, shape: tuple[int, ...]) -> bool:
    """Return whether an array in another shape is a view of it, as NumPy has it."""
    layout = _layout(array) if array.sharing is None else array.sharing.layout
    if layout is None:
        return False
    try:
        layout.reshape(shape, copy=False)
    except ValueError:
        return False
    return True


class _Alone:
    """Refers to memory of its own, as an array does."""

    def __init__(self) -> None:
        self.sharing = Memory()


def _references(array: Any) -> int:
    return getrefcount(array.sharing)


_OF_ONE = _references(_Alone())


def is_shared(array: Array) -> bool:
    """Return whether another array that is alive shares elements with an array."""
    if isinstance(array.sharing, Memory):
        return _references(array) > _OF_ONE
    return array.sharing is not None and bool(array.sharing.shared.others(array))


def check_writable(what: str, array: Array) -> None:
    """Refuse to write to an array one of whose elements is in several places.

    Raises:
        ValueError: with what to type instead.
    """
    view = array.sharing
    if not array.engine.backend.is_writable(array.native) or (
        isinstance(view, View) and view.write is None
    ):
        raise ValueError(
            f"{what} is refused: the array cannot be written to, as one that was broadcast or is a "
            f"diagonal; copy it first, with x = xp.asarray(x, copy=True)"
        )


def replace(array: Array, native: Any) -> None:
    """Replace the data of an array by what was made of it.

    Raises:
        TypeError: if it would outlive a transformation of the library, as `jax.jit`.
    """
    if native is not array.native:
        array.engine.backend.check_replaced(array, native)
        array.native = native


def written(array: Array) -> None:
    """Have the other arrays that share elements with one see what was written to it."""
    view = array.sharing
    if not isinstance(view, View):
        return
    others = view.shared.others(array)
    if not others:
        array.sharing = None  # nobody is left to see it
        return
    whole = view.shared.native
    if view.is_copy and view.write is not None:
        whole = view.write(whole, array.native)
    for other in others:
        if other.sharing is not None and other.sharing.is_copy:
            replace(other, other.sharing.read(whole))
    view.shared.native = whole  # none has refused it


def _layout(array: Array) -> Any:
    """Return an array of NumPy that lies row by row, of which no element may be read."""
    shape = array.shape
    if None in shape:
        return None
    import numpy as np

    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]  # type: ignore[arg-type]  # they are known
    return np.lib.stride_tricks.as_strided(np.empty(1, np.bool_), shape, strides)  # type: ignore[arg-type]  # the same
