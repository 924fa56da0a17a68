"""Views: arrays that share elements, so that what is written to one is seen in the others.

Views of NumPy and PyTorch share memory. Arrays of JAX and Dask cannot be changed, and PyTorch
copies what is turned around. There a view knows how it is read from the array that it is a part of:
what is written to it is put into that array, and read from there into the other views that are
alive. So a program gives the same on each backend.
"""

from __future__ import annotations

from collections.abc import Callable
from sys import getrefcount
from typing import Any, NamedTuple
from weakref import ref

from .array import Array
from .engine import Engine


class Memory:
    """The elements that arrays share: each of them refers to it, directly or by its `View`.

    Attributes:
        copies: the arrays that have a copy of some of them.
        native: all of them, if no memory of the library has them.
    """

    __slots__ = ("copies", "native")

    def __init__(self) -> None:
        self.copies: tuple[ref[Array], ...] = ()
        self.native: Any = None

    def add(self, array: Array) -> None:
        """Take an array up that has a copy of some of them."""
        self.copies = (*(one for one in self.copies if one() is not None), ref(array))


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


class View:
    """What an array with a copy of elements knows of them.

    Attributes:
        memory: all of them.
        read: returns those of the array, from all.
        write: returns all, with those of the array put into them; None if nothing can be written.
        layout: an array of NumPy without memory of its own, which lies as the elements do; None if
            their number is not known.
    """

    __slots__ = ("layout", "memory", "read", "write")

    def __init__(self, memory: Memory, how: How, layout: Any) -> None:
        self.memory = memory
        self.read = how.read
        self.write = how.write
        self.layout = layout


def share(parent: Array, child: Array, how: How, *, is_copy: bool) -> Array:
    """Return an array that is to be a view of another.

    Args:
        parent: the other array.
        child: the array.
        how: how its elements lie in the other one.
        is_copy: whether the backend has copied them.
    """
    of = parent.sharing
    if not is_copy and how.write is not None and not isinstance(of, View):
        return joined(parent, child)
    if not isinstance(of, View):
        of = _whole(parent)
    read, write = of.read, of.write

    def read_all(native: Any) -> Any:
        return how.read(read(native))

    def write_all(native: Any, new: Any) -> Any:
        return write(native, how.write(read(native), new))  # type: ignore[misc]  # both are there

    whole = How(read_all, write_all if write and how.write else None, how.lay)
    layout = None if of.layout is None else how.lay(of.layout)
    child.sharing = View(of.memory, whole, layout)
    of.memory.add(child)
    return child


def _whole(array: Array) -> View:
    """Return how the elements of an array that is no copy lie in its memory."""
    memory = array.sharing or Memory()
    own, put = array.native, array.engine.backend.put
    if array.is_mutable:
        array.sharing = memory

        def write(_: Any, new: Any) -> None:
            if new is not own:
                put(own, (...,), new)

        return View(memory, How(lambda _: own, write, lambda layout: layout), _layout(array))
    memory.native = own
    how = How(lambda native: native, lambda _, new: new, lambda layout: layout)
    array.sharing = View(memory, how, _layout(array))
    memory.add(array)
    return array.sharing  # type: ignore[no-any-return]  # it is a view


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
    view = array.sharing
    layout = view.layout if isinstance(view, View) else _layout(array)
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


def is_shared(array: Array) -> bool:
    """Return whether another array that is alive shares elements with an array."""
    return array.sharing is not None and _references(array) > _OF_ONE


def _references(array: Any) -> int:
    """Return how often the memory of an array is referred to, as CPython counts it."""
    view = array.sharing
    if isinstance(view, View):
        return getrefcount(view.memory)
    del view
    return getrefcount(array.sharing)


_OF_ONE = _references(_Alone())


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
    if view is None:
        return
    is_view = isinstance(view, View)
    if is_view and not is_shared(array):
        array.sharing = None  # nobody is left to see it
        return
    memory = view.memory if is_view else view
    whole = memory.native
    if is_view and view.write is not None:
        whole = view.write(whole, array.native)
    for other in [one() for one in memory.copies]:
        if other is not None and other is not array and isinstance(other.sharing, View):
            replace(other, other.sharing.read(whole))
    memory.native = whole  # none has refused it


def _layout(array: Array) -> Any:
    """Return an array of NumPy that lies as an array does, of which no element may be read."""
    shape = array.shape
    if None in shape:
        return None
    import numpy as np

    strides = array.engine.backend.strides(array.native)
    return np.lib.stride_tricks.as_strided(np.empty(1, np.bool_), shape, strides)  # type: ignore[arg-type]  # they are known
