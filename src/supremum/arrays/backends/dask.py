"""The dask backend: arrays in chunks, each of them computed as the numpy backend does.

The dtypes are decided before a graph is made. A chunk is an array of NumPy in its final dtype.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from array_api_compat.dask import array as xp
from dask.base import tokenize

from ...core.dtypes import DType, by_name
from ...core.errors import DTypeError
from ...core.shapes import broadcast, goes_back, matmul, reshape
from ..array import Array, key_of
from .base import Backend, Given, Kernel, Parts, adds_up, selects
from .indices import fitting, index_of, is_mask
from .numpy import BACKEND as NUMPY
from .numpy import LAPACK, of_lapack


class DaskArray(Array):
    """An array of the dask backend, which is a collection of Dask: lazy, in chunks.

    Its dtype is known before anything is computed. `dask.compute` and a client's `compute` give an
    array of the numpy backend under the same rules; `dask.persist` gives one of this class.
    """

    __slots__ = ()

    @property
    def chunks(self) -> Any:
        """The lengths of the chunks along each axis."""
        return self.native.chunks

    def rechunk(self, *args: Any, **options: Any) -> DaskArray:
        """Return it in other chunks; the arguments are those of `dask.array.rechunk`."""
        return self.engine.same(self.native.rechunk(*args, **options), self.key)

    def compute(self, **options: Any) -> Array:
        """Return an array of the numpy backend under the same rules; the options are Dask's."""
        found = self.native.compute(**options)
        return _in_memory(self.engine, found, self.key.dtype, self.weak_type)

    def persist(self, **options: Any) -> DaskArray:
        """Return it with its chunks computed and kept; the options are Dask's."""
        return self.engine.same(self.native.persist(**options), self.key)

    def __dlpack_device__(self) -> Any:
        return np.empty(0).__dlpack_device__()

    # the protocol of Dask's collections

    def __dask_graph__(self) -> Any:
        return self.native.__dask_graph__()

    def __dask_keys__(self) -> Any:
        return self.native.__dask_keys__()

    def __dask_layers__(self) -> Any:
        return self.native.__dask_layers__()

    def __dask_tokenize__(self) -> Any:
        return type(self).__name__, repr(self.engine), str(self.key.dtype), self.native.name

    def __dask_postcompute__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        finish, args = self.native.__dask_postcompute__()
        return _finished, (finish, args, self.engine, self.key.dtype, self.weak_type)

    def __dask_postpersist__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        rebuild, args = self.native.__dask_postpersist__()
        return _persisted, (rebuild, args, self.engine, self.key.dtype, self.weak_type)

    __dask_optimize__ = staticmethod(da.Array.__dask_optimize__)
    __dask_scheduler__ = staticmethod(da.Array.__dask_scheduler__)


def _finished(found: Any, finish: Any, args: Any, engine: Any, d: DType, weak: bool) -> Array:
    return _in_memory(engine, finish(found, *args), d, weak)


def _in_memory(engine: Any, values: Any, d: DType, weak: bool) -> Array:
    near = engine.namespace.on(NUMPY.name).engine  # the same rules
    return near.same(np.asarray(values), key_of(d, weak))


def _persisted(
    graph: Any, rebuild: Any, args: Any, engine: Any, d: DType, weak: bool, **options: Any
) -> DaskArray:
    return engine.same(rebuild(graph, *args, **options), key_of(d, weak))


class DaskBackend(Backend):
    """Dask."""

    array_type = DaskArray
    is_mutable = False

    def _find(self, d: DType) -> Any:
        return NUMPY.dtype(d) if NUMPY.has(d) else None

    def is_own(self, x: Any) -> bool:
        """Tell whether something is an array of Dask."""
        return isinstance(x, da.Array)

    def make(self, x: Any, d: DType, device: Any = None) -> Any:
        """Return an array of numbers, nested lists of them, or an array of NumPy."""
        return da.from_array(NUMPY.make(x, d, device))

    def cast(self, data: Any, d: DType) -> Any:
        """Return an array in another dtype; of complex numbers a real dtype takes the real part."""
        if self.of(data) is d:
            return data
        return data.map_blocks(NUMPY.cast, d, dtype=self.dtype(d), meta=_meta(data, self.dtype(d)))

    def copied(self, data: Any) -> Any:
        """Return a copy of an array, whose chunks it shares: they do not change."""
        return data.copy()

    def device(self, data: Any) -> Any:
        """Return where an array is."""
        return NUMPY.device(data)

    def to_device(self, data: Any, device: Any, stream: Any = None) -> Any:
        """Return an array on another device."""
        return NUMPY.to_device(data, device, stream)

    def to_numpy(self, data: Any) -> Any:
        """Return an array of NumPy with the same values, which computes them."""
        return np.asarray(data.compute())

    def integer(self, data: Any) -> None:
        """Return None: the value is not known yet."""

    def exported(self, data: Any, d: DType) -> Any:
        """Return what is given to other libraries: an array of NumPy, which is computed."""
        return NUMPY.exported(self.to_numpy(data), d)

    def take(self, data: Any, parts: Parts) -> Any:
        """Return part of an array.

        Raises:
            NotImplementedError: for an index of which Dask takes another part than NumPy.
        """
        found = index_of(self, data.shape, parts)
        stands_apart = bool(found.arrays) and found.at != found.axes[0]
        if found.insert or len(found.arrays) > 1 or stands_apart:
            what = "takes one array in an index, no bools, and no ints that stand apart"
            raise _refused(f"{what}; index twice")
        if any(k != slice(None) for k in found.basic):  # it would be tasks for nothing
            data = data[_proper(found.basic, data.shape)]
        return _along(data, found.arrays[0], found.at) if found.arrays else data

    def put(self, data: Any, parts: Parts, value: Any) -> Any:
        """Return an array with another value in part of it, which replaces the old one.

        Raises:
            NotImplementedError: for an index or a value that Dask does not store as NumPy does.
        """
        found = index_of(self, data.shape, parts)
        shape = self.take(data, parts).shape
        value = fitting(value, shape)
        is_whole = all(isinstance(k, slice) and k == slice(None) for k in found.whole)
        if is_whole and np.array_equal(value.shape, data.shape, equal_nan=True):
            return value
        if 0 in shape:
            return data
        if None in found.basic or goes_back(found.basic):
            what = "stores neither by None nor by a slice back"
            raise _refused(f"{what}; write x[...] = xp.flip(y) instead of x[::-1] = y")
        if not found.arrays:
            return _stored(data, _proper(found.basic, data.shape), value, shape)
        (k,), before = found.arrays, (slice(None),) * found.at
        if any(one != slice(None) for one in found.basic):  # Dask confuses some ints beside arrays
            inner = self.put(self.take(data, found.basic), (*before, k), value)
            return self.put(data, found.basic, inner)
        if not is_mask(k):
            return _stored(data, (*before, k), value, shape)
        if value.size != 1:
            raise _refused("stores one value by a mask; write x[...] = xp.where(mask, y, x)")
        after = (None,) * (data.ndim - found.at - k.ndim)
        return da.where(da.asarray(k)[(..., *after)], value.reshape(()), data)

    def function(self, name: str) -> Kernel:
        """Return one of its functions by its name in the array API."""
        if name == "linalg.matrix_rank":  # array-api-compat's asks Dask for what it does not take
            raise self.lacks(name)
        found = _quiet()(_OWN.get(name) or super().function(name))
        return partial(of_lapack, found) if name in LAPACK else found

    def kernel(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what computes a function of arrays and numbers, chunk by chunk."""
        try:
            NUMPY.kernel(name, given, compute, result)
        except DTypeError as error:
            msg = str(error).replace(NUMPY.name, self.name, 1)
            raise DTypeError(msg, compute) from None
        if name == "matmul":
            return partial(self._multiplied, given, compute, result)
        return partial(_by_chunk, partial(_chunk, name, tuple(given), compute, result))

    def _multiplied(self, given: Given, compute: DType, result: DType, *operands: Any) -> Any:
        ready = [
            self.make(x, compute) if d is None else self.cast(x, compute)
            for x, d in zip(operands, given, strict=True)
        ]
        return self.as_result(self.product("matmul", compute)(*ready), result)

    def reduction(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what reduces an array along some axes; see `Backend.reduction`."""
        function, native = self.function(name), self.dtype(compute)
        if not selects(name) and (native.isbuiltin != 1 or native == np.float16):
            native = np.dtype(np.float32)  # the narrow ones add up with too few bits
        if adds_up(name):
            function = partial(function, dtype=native)

        def run(data: Any, **options: Any) -> Any:
            if 0 in data.shape:  # of which Dask has no maximum, of no axis
                none = np.empty(data.shape, data.dtype)
                return da.asarray(NUMPY.reduction(name, given, compute, result)(none, **options))
            return self.as_result(function(data.astype(native, copy=False), **options), result)

        return run

    def product(self, name: str, d: DType) -> Kernel:
        """Return what gives sums of products of two arrays of a dtype, with options.

        Dask checks no shapes of two matrices, and has the sums of bools as integers.
        """
        wide = d if self.dtype(d).isbuiltin == 1 else by_name("float32")
        function = self.widely(super().product(name, wide), d, wide)

        def run(x1: Any, x2: Any, **options: Any) -> Any:
            if name == "matmul":
                matmul(x1.shape, x2.shape)
            return self.as_result(function(x1, x2, **options), d)

        return run

    def reshape(self, data: Any, shape: Any, copy: bool | None) -> Any:
        """Return an array in another shape; of one that does not fit, Dask says little."""
        reshape(data.shape, shape)
        return super().reshape(data, shape, copy)

    def sort(self, name: str, data: Any, axis: int, *, descending: bool, stable: bool) -> Any:
        """Return a sorted array, or the indices that sort it; the axis in one chunk."""
        run = partial(NUMPY.sort, name, axis=axis, descending=descending, stable=stable)
        native = data.dtype if name == "sort" else np.dtype(np.intp)
        return data.rechunk({axis: -1}).map_blocks(run, meta=_meta(data, native))

    def like(self, name: str, data: Any, d: DType, device: Any) -> Any:
        """Return an array in the shape and the chunks of another, whose lengths may be unknown."""
        NUMPY.to_device(None, device)
        return getattr(da, f"{name}_like")(data, dtype=self.dtype(d))

    def devices(self) -> list[Any]:
        """Return the only device."""
        return NUMPY.devices()

    def default_device(self) -> Any:
        """Return the only device."""
        return NUMPY.default_device()

    def from_dlpack(self, x: Any, device: Any, copy: bool | None) -> Any:
        """Return an array of another library, through DLPack."""
        return da.from_array(NUMPY.from_dlpack(x, device, copy))

    def text(self, data: Any, facts: str) -> str:
        """Return the `repr` of an array of ours, which computes nothing."""
        return f"supremum.DaskArray(shape={data.shape}, chunks={data.chunks}, {facts})"


def _meta(data: Any, native: Any) -> Any:
    return np.empty((0,) * data.ndim, native)


def _chunk(name: str, given: Given, compute: DType, result: DType, *operands: Any) -> Any:
    """Return the result of a function for chunks; a kernel is made once in each process."""
    kernel = _kernels.get((name, given, compute, result))
    if kernel is None:
        kernel = NUMPY.kernel(name, given, compute, result)
        _kernels[name, given, compute, result] = kernel
    return np.asarray(kernel(*operands))


_kernels: dict[Any, Kernel] = {}


def _by_chunk(run: partial[Any], *operands: Any) -> Any:
    native = NUMPY.dtype(run.args[3])
    arrays = [x for x in operands if isinstance(x, da.Array)]
    if not arrays:
        return da.from_array(run(*operands))
    broadcast(*(x.shape for x in arrays))  # of no elements, Dask does not check it
    ndim = max(x.ndim for x in arrays)
    pairs = [(x, tuple(range(x.ndim))[::-1] if isinstance(x, da.Array) else None) for x in operands]
    return da.blockwise(
        run,
        tuple(range(ndim))[::-1],
        *(part for pair in pairs for part in pair),
        name=f"{run.args[0]}-{tokenize(run, *operands)}",
        dtype=native,
        meta=np.empty((0,) * ndim, native),
    )


def _refused(what: str) -> NotImplementedError:
    return NotImplementedError(f"the dask backend {what}, or use the numpy backend: x.compute()")


def _proper(parts: Sequence[Any], shape: Sequence[Any]) -> tuple[Any, ...]:
    """Return an index whose slices end in the array: Dask takes others otherwise than NumPy."""
    lengths = iter(shape)
    return tuple(k if k is None else _within(k, next(lengths)) for k in parts)


def _within(k: Any, n: float) -> Any:
    if not isinstance(k, slice) or n != n:  # noqa: PLR0124  # NaN
        return k
    places = range(*k.indices(int(n)))
    if not places:
        return slice(0, 0)
    stop = places[-1] + places.step
    return slice(places[0], stop if stop >= 0 else None, places.step)


def _stored(data: Any, key: tuple[Any, ...], value: Any, shape: Sequence[Any]) -> Any:
    new = data.copy()
    new[key] = da.broadcast_to(value, shape) if value.ndim else value
    return new


@contextmanager
def _quiet() -> Iterator[None]:
    """Let Dask cast an empty array from complex to real, for its dtype; it casts no elements."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        yield


@_quiet()
def _along(data: Any, k: Any, axis: int) -> Any:
    """Return what a mask, or an array of integers, selects of an array from an axis on."""
    before = (slice(None),) * axis
    if k.ndim not in ((1, data.ndim) if is_mask(k) else (0, 1)):
        what = "takes an array of one dimension in an index, or a mask of one axis or of all"
        raise _refused(f"{what}; reshape it")
    if is_mask(k) or not isinstance(k, da.Array):
        return data[(*before, k if k.ndim else int(k))]
    k = k.map_blocks(_checked, data.shape[axis], dtype=k.dtype)  # type: ignore[arg-type]  # it takes a chunk
    if k.shape == (1,):  # Dask spreads one element over the chunk
        return data[(*before, k[0])][(*before, None)]
    return data[(*before, k)]


def _checked(places: Any, n: int) -> Any:
    """Return places, of which Dask would take the nearest if there is no such place."""
    if places.size and (places.min() < -n or places.max() >= n):
        raise IndexError(f"an index is out of bounds for an axis with size {n}")
    return places


def _unique(name: str, x: Any) -> Any:
    if x.dtype.kind not in "biu":
        raise TypeError("its dtypes are bool and integers, as Dask counts NaN in its own way")
    return getattr(xp, name)(x)


def _searchsorted(x1: Any, x2: Any, **options: Any) -> Any:
    """Return the insertion points of values, of which Dask takes one in an array alone."""
    found = xp.searchsorted(x1, x2 if x2.ndim else x2[None], **options)
    return found if x2.ndim else found[0]


def _broadcast_to(x: Any, shape: tuple[int, ...]) -> Any:
    """Return an array in another shape; one element in chunks, for which Dask wants all axes."""
    if x.size != 1 or not shape:
        return da.broadcast_to(x, shape)
    return da.broadcast_to(x[(None,) * (len(shape) - x.ndim)], shape, "auto")


def _eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any, device: Any) -> Any:
    """Return ones on a diagonal; Dask's has to be square."""
    NUMPY.to_device(None, device)
    columns = da.arange(n_rows if n_cols is None else n_cols)
    return (columns - k == da.arange(n_rows)[:, None]).astype(dtype)


_OWN: dict[str, Kernel] = {
    "broadcast_to": _broadcast_to,
    "eye": _eye,
    "linalg.cholesky": lambda x, upper: da.linalg.cholesky(x, lower=not upper),
    "linalg.svdvals": lambda x: da.linalg.svd(x, coerce_signs=False)[1],
    "searchsorted": _searchsorted,
    "take": lambda x, indices, *, axis: _along(x, indices, axis % x.ndim),
    **{
        name: partial(_unique, name)
        for name in ("unique_all", "unique_counts", "unique_inverse", "unique_values")
    },
}
"""Functions that array-api-compat has for Dask in another form than the standard."""


BACKEND = DaskBackend("dask", "Dask", xp)
