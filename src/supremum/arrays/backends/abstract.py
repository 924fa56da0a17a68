"""The abstract backend: arrays of a dtype and a shape, without elements.

A program that does not depend on values runs on it at once, whatever the lengths, and needs no
library. A length that the values would tell, such as how many elements a mask selects, is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from inspect import getattr_static
from math import nan
from typing import Any, Final, NoReturn

from ...core import shapes, shapes_linalg
from ...core.dtypes import DType, by_name, dtype
from ..array import Array, Key, NoMethod
from .abstract_data import Abstract, selected, shape_of
from .base import Backend, Given, Kernel, Parts
from .indices import index_of

_DEVICE: Final = "abstract"
_FLOAT64: Final = by_name("float64")


ON_ARRAY: Final[ContextVar[Callable[[Array], None] | None]] = ContextVar(
    "supremum.on_array", default=None
)
"""What is called with each array of the abstract backend that is made, if anything."""


# Methods of NumPy's arrays that are functions of NumPy, too.
_METHODS: Final = frozenset({
    "all", "any", "argmax", "argmin", "clip", "conj", "copy", "cumprod", "cumsum", "diagonal",
    "dot", "flatten", "max", "mean", "min", "prod", "ravel", "repeat", "reshape", "round",
    "squeeze", "std", "sum", "swapaxes", "take", "trace", "transpose", "var",
})  # fmt: skip


class AbstractArray(Array):
    """An array of the abstract backend.

    It has methods as NumPy's arrays have them, so that code for NumPy can be followed.
    """

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name in ("real", "imag"):
            return getattr(self.engine.namespace, name)(self)
        if name not in _METHODS:
            known = getattr_static(Array, name, None)
            use = f"; use xp.{name}(x)" if isinstance(known, NoMethod) else ""
            raise AttributeError(f"an array has no attribute {name!r}{use}", name=name, obj=self)
        import numpy as np

        function = getattr(np, {"flatten": "ravel"}.get(name, name))

        def method(*arguments: Any, **options: Any) -> Any:
            if name in ("reshape", "transpose") and len(arguments) > 1:
                arguments = (arguments,)
            return function(self, *arguments, **options)

        return method

    def __init__(self, engine: Any, native: Any, key: Key) -> None:
        super().__init__(engine, native, key)
        call = ON_ARRAY.get()
        if call is not None:
            call(self)


class AbstractBackend(Backend):
    """Shapes and dtypes."""

    array_type = AbstractArray

    def _find(self, d: DType) -> DType:
        return d

    def of(self, data: Any) -> DType:
        """Return the dtype of one of its arrays."""
        return data.dtype  # type: ignore[no-any-return]  # it is one

    def is_refusal(self, error: Exception) -> bool:  # noqa: ARG002  # it has every dtype
        """Tell whether an error says that it lacks a dtype, which none does."""
        return False

    def is_own(self, x: Any) -> bool:
        """Tell whether something is one of its arrays."""
        return isinstance(x, Abstract)

    def make(self, x: Any, d: DType, device: Any = None) -> Abstract:
        """Return an array with the shape of numbers, nested lists of them, or an array of NumPy."""
        self._check(device)
        return Abstract(shape_of(x), d)

    def cast(self, data: Any, d: DType) -> Abstract:
        """Return an array in another dtype."""
        return data if data.dtype is d else Abstract(data.shape, d)

    as_result = cast

    def copied(self, data: Any) -> Any:
        """Return the array, which nobody can change."""
        return data

    def device(self, data: Any) -> str:  # noqa: ARG002  # there is one
        """Return where an array is: nowhere."""
        return _DEVICE

    def to_device(self, data: Any, device: Any, stream: Any = None) -> Any:
        """Return an array on the one device."""
        self._check(device)
        if stream is not None:
            raise ValueError("the abstract backend does not have streams; leave stream out")
        return data

    def to_numpy(self, data: Any) -> NoReturn:
        """Refuse to give values.

        Raises:
            TypeError: always.
        """
        raise data.refused()

    def integer(self, data: Any) -> None:
        """Return None: no value is known."""

    def element(self, data: Any) -> Any:
        """Return an array that is part of a list, which has a shape alone."""
        return data

    def as_index(self, k: Any) -> Any:
        """Return an array as part of an index, which has a shape alone."""
        return k if isinstance(k, Abstract) else Abstract(k.shape, dtype(k.dtype))

    def take(self, data: Any, parts: Parts) -> Abstract:
        """Return part of an array."""
        return Abstract(selected(index_of(self, data.shape, parts), data.shape), data.dtype)

    def put(self, data: Any, parts: Parts, value: Any) -> Any:
        """Check that a value fits part of an array; return the array."""
        shapes.broadcast_to(value.shape, self.take(data, parts).shape)
        return data

    # functions

    def kernel(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:  # noqa: ARG002  # as others
        """Return what gives the shape of a function of arrays and numbers."""
        combine = shapes.matmul if name == "matmul" else shapes.broadcast
        if None not in given:
            return lambda *operands: Abstract(combine(*[x.shape for x in operands]), result)
        own = [index for index, d in enumerate(given) if d is not None]
        return lambda *operands: Abstract(combine(*[operands[i].shape for i in own]), result)

    bounding = selection = kernel

    def reduction(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:  # noqa: ARG002  # as others
        """Return what gives the shape of an array without some axes."""
        if name.startswith("cumulative"):
            accumulated = partial(shapes.accumulated, name)
            return lambda x, **options: Abstract(accumulated(x.shape, **options), result)

        def run(x: Abstract, *, axis: Any = None, keepdims: bool = False, **_: Any) -> Abstract:
            return Abstract(shapes.reduced(name, x.shape, axis, keepdims=keepdims), result)

        return run

    def joining(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:  # noqa: ARG002  # as others
        """Return what gives the shape of arrays that are put together."""
        combine = getattr(shapes, name)
        return lambda *operands, axis: Abstract(combine([x.shape for x in operands], axis), result)

    def product(self, name: str, x1: Any, x2: Any, **options: Any) -> Abstract:
        """Return the shape of a sum of products."""
        return Abstract(self.function(name)(x1, x2, **options).shape, x1.dtype)

    def sort(self, name: str, data: Any, axis: int, *, descending: bool, stable: bool) -> Any:  # noqa: ARG002  # as others
        """Return the array: to sort it changes no shape."""
        shapes.axis_of(name, axis, data.ndim)
        return data

    def reshape(self, data: Any, shape: Any, copy: bool | None) -> Abstract:  # noqa: ARG002  # the same
        """Return an array in another shape."""
        return Abstract(shapes.reshape(data.shape, shape), data.dtype)

    def range(self, start: Any, stop: Any, step: Any, d: DType, device: Any) -> Abstract:
        """Return evenly spaced numbers from one to another."""
        self._check(device)
        return Abstract(shapes.arange(start, stop, step), d)

    def from_dlpack(self, x: Any, device: Any, copy: bool | None) -> NoReturn:  # noqa: ARG002  # as others
        """Refuse memory of another library.

        Raises:
            TypeError: always.
        """
        raise TypeError("the abstract backend has no memory to share; use xp.asarray(x)")

    def function(self, name: str) -> Kernel:
        """Return what gives the shape, or the shapes, of a function by its name."""
        own = getattr(self, f"_{name}", None)
        if own is not None:
            return own  # type: ignore[no-any-return]  # a method
        for known in (shapes, shapes_linalg):
            if name in known.OF_ONE:
                return partial(_of_one, known.OF_ONE[name])
            if name in known.OF_TWO:
                return partial(_of_two, known.OF_TWO[name])
        space, _, plain = name.rpartition(".")
        if space == "fft" and plain.endswith("freq"):
            return lambda n, **_: Abstract((n if plain == "fftfreq" else n // 2 + 1,), _FLOAT64)
        if space == "fft":
            return partial(_of_one, partial(shapes.transformed, plain))
        return super().function(name)

    def _filled(self, shape: Any, *, dtype: DType, device: Any = None) -> Abstract:
        self._check(device)
        sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
        return Abstract(shapes.filled("an array", sizes), dtype)

    _empty = _zeros = _ones = _filled

    def _eye(self, rows: int, columns: int | None, **options: Any) -> Abstract:
        return self._filled(
            (rows, rows if columns is None else columns),
            dtype=options["dtype"],
            device=options["device"],
        )

    def _linspace(self, start: Any, stop: Any, num: int, **options: Any) -> Abstract:
        ends = [x.shape for x in (start, stop) if isinstance(x, Abstract)]
        self._check(options["device"])
        shapes.filled("linspace", (num,))
        return Abstract((num, *shapes.broadcast(*ends)), options["dtype"])

    def _broadcast_arrays(self, *arrays: Abstract) -> list[Abstract]:
        shape = shapes.broadcast(*(x.shape for x in arrays))
        return [Abstract(shape, x.dtype) for x in arrays]

    def _meshgrid(self, *arrays: Abstract, indexing: str) -> list[Abstract]:
        lengths = [x.shape[0] if x.shape else 1 for x in arrays]
        if indexing == "xy":
            lengths[:2] = lengths[1::-1] if len(lengths) > 1 else lengths
        return [Abstract(tuple(lengths), x.dtype) for x in arrays]

    def _nonzero(self, x: Abstract) -> list[Abstract]:
        return [Abstract((nan,), x.dtype)] * x.ndim

    def _count_nonzero(self, x: Abstract, *, axis: Any, keepdims: bool) -> Abstract:
        return Abstract(shapes.reduced("count_nonzero", x.shape, axis, keepdims=keepdims), x.dtype)

    # inspection

    def devices(self) -> list[Any]:
        """Return the one device."""
        return [_DEVICE]

    def default_device(self) -> Any:
        """Return the one device."""
        return _DEVICE

    def capabilities(self) -> dict[str, Any]:
        """Return the capabilities that the standard leaves optional."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def text(self, data: Any, facts: str) -> str:
        """Return the `repr` of an array of ours with this data."""
        return f"Array(shape={shapes.text(data.shape)}, {facts})"

    def _check(self, device: Any) -> None:
        if device not in (None, _DEVICE):
            raise ValueError(f"the abstract backend has only the device 'abstract', not {device!r}")


def _of_two(function: Kernel, x: Abstract, y: Abstract, **options: Any) -> Abstract:
    return Abstract(function(x.shape, y.shape, **options), x.dtype)


def _of_one(function: Kernel, x: Abstract, *arguments: Any, **options: Any) -> Any:
    """Return an array of the dtype of another, or several, of shapes that a function gives."""
    found = function(x.shape, *arguments, **options)
    if isinstance(found, tuple) and found and isinstance(found[0], tuple):
        return [Abstract(shape, x.dtype) for shape in found]
    return Abstract(found, x.dtype)


BACKEND: Final = AbstractBackend("abstract", "Supremum", None)
