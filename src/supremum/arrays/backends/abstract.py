"""The abstract backend: arrays of a dtype and a shape, without elements.

A program that does not depend on values runs on it at once, whatever the lengths, and needs no
library. A length that the values would tell, such as how many elements a mask selects, is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import partial
from math import nan
from typing import Any, Final, NoReturn

from ...core.dtype_names import by_name
from ...core.dtypes import DType
from ...core.operands import PYTHON_SCALARS, dtype
from ..array import Array, Key
from . import shapes
from .base import Backend, Given, Kernel

_DEVICE: Final = "abstract"
_FLOAT64: Final = by_name("float64")


class Abstract:
    """An array without elements.

    Attributes:
        shape: its lengths; NaN for an unknown one.
        dtype: its dtype.
    """

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: shapes.Shape, dtype: DType) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def refused(self) -> TypeError:
        """Return the error for a program that asks for values."""
        return TypeError(
            f"an array of the abstract backend has no values, only {self.dtype} and shape "
            f"{shapes.text(self.shape)}: a program that needs them runs on another backend, such "
            f'as supremum.namespace(..., backend="numpy")'
        )

    def _refuse(self, *_: Any) -> NoReturn:
        raise self.refused()

    __bool__ = __int__ = __float__ = __complex__ = __index__ = _refuse


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
            return super().__getattr__(name)  # type: ignore[misc]  # hidden from type checkers
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
    has_all_views = True

    def _find(self, d: DType) -> DType:
        return d

    def of(self, data: Any) -> DType:
        """Return the dtype of one of its arrays."""
        return data.dtype  # type: ignore[no-any-return]  # it is one

    def is_own(self, x: Any) -> bool:
        """Tell whether something is one of its arrays."""
        return isinstance(x, Abstract)

    def make(self, x: Any, d: DType, device: Any = None) -> Abstract:
        """Return an array with the shape of numbers, nested lists of them, or an array of NumPy."""
        self._check(device)
        return Abstract(_shape_of(x), d)

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

    def element(self, data: Any) -> Any:
        """Return an array that is part of a list, which has a shape alone."""
        return data

    def take(self, data: Any, key: Any) -> Abstract:
        """Return part of an array."""
        return Abstract(_indexed(data.shape, key), data.dtype)

    def put(self, data: Any, key: Any, value: Any) -> Any:
        """Check that a value fits part of an array; return the array."""
        part = data.shape if key is ... else _indexed(data.shape, key)
        shapes.broadcast_to(value.shape, part)
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
        return Abstract(shapes.OF_TWO[name](x1.shape, x2.shape, **options), x1.dtype)

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

    def generator(self, seed: int) -> NoReturn:  # noqa: ARG002  # as others
        """Refuse to draw values.

        Raises:
            TypeError: always.
        """
        raise TypeError(
            "the abstract backend has no random numbers, as its arrays have no values; pass drawn "
            'arrays as operands, such as "float32[3]"'
        )

    def function(self, name: str) -> Kernel:
        """Return what gives the shape, or the shapes, of a function by its name."""
        own = getattr(self, f"_{name}", None)
        if own is not None:
            return own  # type: ignore[no-any-return]  # a method
        if name in shapes.OF_ONE:
            return partial(_of_one, shapes.OF_ONE[name])
        if name in shapes.OF_TWO:
            return partial(_of_two, shapes.OF_TWO[name])
        space, _, plain = name.rpartition(".")
        if space == "fft" and plain.endswith("freq"):
            return lambda n, **_: Abstract((n if plain == "fftfreq" else n // 2 + 1,), _FLOAT64)
        if space == "fft":
            return partial(_of_one, partial(shapes.transformed, plain))
        return super().function(name)

    def _filled(self, shape: Any, *, dtype: DType, device: Any = None) -> Abstract:
        self._check(device)
        return Abstract(tuple(shape) if isinstance(shape, (tuple, list)) else (shape,), dtype)

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


def _shape_of(x: Any) -> shapes.Shape:
    if isinstance(x, (list, tuple)):
        return (len(x), *(_shape_of(x[0]) if x else ()))
    return tuple(getattr(x, "shape", ()))


def _indexed(shape: shapes.Shape, key: Any) -> shapes.Shape:
    """Return the shape of part of an array, for an index of any kind, as NumPy has it."""
    keys = list(key) if isinstance(key, tuple) else [key]
    keys = [_as_index(k) for k in keys]
    used = sum(_axes_of(k) for k in keys)
    if used > len(shape):
        raise IndexError(f"{used} indices are too many for an array of shape {shapes.text(shape)}")
    if not any(k is ... for k in keys):
        keys.append(...)
    found: list[Any] = []
    arrays: list[shapes.Shape] = []
    places: list[int] = []
    axis = first = 0
    for number, k in enumerate(keys):
        if k is None:
            found.append(1)
        elif k is ...:
            rest = len(shape) - used
            found += shape[axis : axis + rest]
            axis += rest
        elif isinstance(k, slice):
            found.append(_length(k, shape[axis]))
            axis += 1
        elif isinstance(k, int):
            n = shape[axis]
            if n == n and not -n <= k < n:  # noqa: PLR0124  # NaN
                raise IndexError(f"index {k} is out of bounds for an axis of length {n}")
            first = first if places else len(found)
            arrays.append(())
            places.append(number)
            axis += 1
        else:
            first = first if places else len(found)
            arrays.append((nan,) if k.dtype.kind == "bool" else k.shape)
            places.append(number)
            axis += _axes_of(k)
    if all(one == () for one in arrays) and not any(isinstance(k, Abstract) for k in keys):
        return tuple(found)
    together = places == list(range(places[0], places[-1] + 1))
    at = first if together else 0
    return (*found[:at], *shapes.broadcast(*arrays), *found[at:])


def _as_index(k: Any) -> Any:
    """Return part of an index as an int, a slice, an array of ours, None or an ellipsis."""
    if k is None or k is ... or isinstance(k, (slice, Abstract)):
        return k
    if type(k) in PYTHON_SCALARS and type(k) is not bool:
        return k
    if hasattr(k, "dtype"):
        return Abstract(_shape_of(k), dtype(k.dtype))
    if isinstance(k, (bool, list)):
        leaf = k
        while isinstance(leaf, list) and leaf:
            leaf = leaf[0]
        return Abstract(_shape_of(k), by_name("bool" if type(leaf) is bool else "int64"))
    return k.__index__()


def _axes_of(k: Any) -> int:
    """Return how many axes part of an index covers; 0 for an ellipsis."""
    if k is None or k is ...:
        return 0
    return k.ndim if isinstance(k, Abstract) and k.dtype.kind == "bool" else 1


def _length(k: slice, n: float) -> float:
    if n != n:  # noqa: PLR0124  # NaN
        return nan
    return len(range(*k.indices(int(n))))


BACKEND: Final = AbstractBackend("abstract", "Supremum", None)
