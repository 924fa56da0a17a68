"""The dask backend: arrays in chunks, each of them computed as the numpy backend does.

The dtypes are decided before a graph is made. A chunk is an array of NumPy in its final dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

import dask.array as da
import numpy as np
from array_api_compat.dask import array as xp
from dask.base import tokenize

from ...core.dtypes import DType
from ...core.errors import DTypeError
from ..array import Array, as_dtype, key_of
from . import dask_linalg, dask_sets
from .base import Backend, Given, Kernel, Parts, adds_up, selects
from .dask_blocks import mapped, operands_of
from .dask_functions import OWN, is_known, part, spread, stored, transformed
from .dask_linalg import whole
from .indices import index_of
from .numpy import BACKEND as NUMPY


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
        return type(self)(self.engine, self.native.rechunk(*args, **options), self.key)

    def map_blocks(self, f: Callable[..., Array], *others: Any, dtype: Any = None) -> DaskArray:
        """Return an array whose chunks a function makes of the chunks of this one and others.

        The function takes arrays of the numpy backend under the same rules, and returns one of the
        shape that they broadcast to.

        Args:
            f: the function.
            others: further arrays of the namespace, and Python numbers.
            dtype: the dtype of the result; by default that of what `f` makes of arrays without
                elements, or of ones if it fails for them.

        Raises:
            DTypeError: if the function makes a chunk of another dtype, when it is computed.
            TypeError: if it does not make an array, or its dtype cannot be told.
            ValueError: if it makes arrays of another shape.
        """
        engine, near = self.engine, self.engine.namespace.on(NUMPY.name).engine
        given = operands_of(engine, (self, *others))
        d = None if dtype is None else engine.decider.own(as_dtype(dtype))
        return type(self)(engine, *mapped(near, f, given, d))

    def compute(self, **options: Any) -> Array:
        """Return an array of the numpy backend under the same rules; the options are Dask's."""
        found = self.native.compute(**options)
        return _in_memory(self.engine, found, self.key.dtype, self.weak_type)

    def persist(self, **options: Any) -> DaskArray:
        """Return it with its chunks computed and kept; the options are Dask's."""
        return type(self)(self.engine, self.native.persist(**options), self.key)

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
    return Array(near, np.asarray(values), key_of(d, weak))


def _persisted(
    graph: Any, rebuild: Any, args: Any, engine: Any, d: DType, weak: bool, **options: Any
) -> DaskArray:
    return DaskArray(engine, rebuild(graph, *args, **options), key_of(d, weak))


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
        """Return part of an array."""
        return part(data, index_of(self, data.shape, parts))

    def put(self, data: Any, parts: Parts, value: Any) -> Any:
        """Return an array with another value in part of it, which replaces the old one."""
        return stored(data, index_of(self, data.shape, parts), value)

    def function(self, name: str) -> Kernel:
        """Return one of its functions by its name in the array API."""
        if name in OWN:
            return OWN[name]
        if (of_sets := dask_sets.function(name)) is not None:
            return of_sets
        if name in dask_linalg.NAMES:
            return dask_linalg.function(name)
        found = super().function(name)
        of_array = name.startswith("fft.") and not name.endswith("freq")
        return partial(transformed, found) if of_array else found

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
        return self.as_result(self.product("matmul", *ready), result)

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

    def product(self, name: str, x1: Any, x2: Any, **options: Any) -> Any:
        """Return a sum of products of arrays of one dtype."""
        if x1.dtype.isbuiltin != 1:
            x1, x2 = x1.astype(np.float32), x2.astype(np.float32)
        return super().product(name, x1, x2, **options)

    def sort(self, name: str, data: Any, axis: int, *, descending: bool, stable: bool) -> Any:
        """Return a sorted array, or the indices that sort it; the axis in one chunk."""
        run = partial(NUMPY.sort, name, axis=axis, descending=descending, stable=stable)
        native = data.dtype if name == "sort" else np.dtype(np.intp)
        return whole(data, (axis,)).map_blocks(run, meta=_meta(data, native))

    def like(self, name: str, data: Any, d: DType, device: Any) -> Any:
        """Return an array in the shape and the chunks of another, whose lengths may be unknown."""
        NUMPY.to_device(None, device)
        return getattr(da, f"{name}_like")(data, dtype=self.dtype(d))

    def spread(self, value: Any, data: Any) -> Any:
        """Return an array in the shape of another that has one value everywhere."""
        if is_known(data):
            return super().spread(value, data)
        return da.map_blocks(spread, data, value, meta=_meta(data, value.dtype))

    def range(self, start: Any, stop: Any, step: Any, d: DType, device: Any) -> Any:
        """Return evenly spaced numbers from one to another."""
        NUMPY.to_device(None, device)
        return da.arange(start, stop, step, dtype=self.dtype(d))

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
        return f"DaskArray(shape={data.shape}, chunks={data.chunks}, {facts})"


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


BACKEND = DaskBackend("dask", "Dask", xp)
