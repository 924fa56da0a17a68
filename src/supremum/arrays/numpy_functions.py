"""NumPy's functions on our arrays: what the namespace has is computed by our rules.

Each function here takes what NumPy's of that name takes and the namespace has an answer for;
anything else is refused, so that no result has NumPy's dtype unasked.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from .array import Array
from .numpy_names import ALIKE, CALLED, FACTS, OPERANDS
from .operand import as_array

_OURS: dict[str, Callable[..., Any]] = {}


def apply_function(xp: Any, function: Any, args: Sequence[Any], given: Mapping[str, Any]) -> Any:
    """Return what a function of NumPy gives under the rules of a namespace.

    Raises:
        TypeError: for a function or an argument that the namespace has no answer for.
    """
    name = _name_of(function)
    if name in FACTS:
        return function(*map(_plain, args), **{key: _plain(x) for key, x in given.items()})
    ours = _ours(xp, name)
    if ours is None:
        raise TypeError(
            f"np.{name} is not supported for arrays of {xp}; use a function of the namespace, or "
            f"np.asarray(x) for NumPy's rules"
        )
    try:
        bound = inspect.signature(function).bind(*args, **given).arguments
    except TypeError as error:
        raise TypeError(f"np.{name}: {error}") from None
    asked = {
        key: _array(xp, x) if key in OPERANDS else x
        for key, x in bound.items()
        if not _is_default(function, key, x)
    }
    first = [asked.pop(key) for key in list(asked) if key in _required(function)]
    operands = next((asked.pop(key) for key in list(asked) if key in _several(function)), ())
    known = inspect.signature(ours).parameters
    if unknown := [f"{key}=" for key in asked if key not in known]:
        raise TypeError(
            f"np.{name}(..., {', '.join(unknown)}) is not supported for arrays of {xp}; use "
            f"np.asarray(x) for NumPy's rules"
        )
    return ours(*first, *(_array(xp, x) for x in operands), **asked)


def _array(xp: Any, x: Any) -> Any:
    """Return a list of numbers as an array, as NumPy does."""
    return xp.asarray(x) if isinstance(x, (list, tuple)) else x


def _name_of(function: Any) -> str:
    name: str = CALLED.get(function.__name__, function.__name__)
    module = str(function.__module__)
    for part in ("linalg", "fft"):
        if f".{part}" in module:
            return f"{part}.{name}"
    return name


def _ours(xp: Any, name: str) -> Callable[..., Any] | None:
    """Return what stands for a function of NumPy, without the namespace."""
    if name in _OURS:
        own = _OURS[name]
        return own.__get__(xp)  # type: ignore[no-any-return]  # a method of it
    if name not in ALIKE:
        return None
    space, _, last = name.rpartition(".")
    return getattr(getattr(xp, space) if space else xp, last)  # type: ignore[no-any-return]  # a function


def _plain(x: Any) -> Any:
    """Return arrays of ours as those of NumPy."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(_plain, x))
    return np.asarray(x) if hasattr(x, "__array_namespace__") else x


@cache
def _required(function: Any) -> frozenset[str]:
    """Return the parameters of a function that have to be given, and are so by position."""
    return frozenset(
        name
        for name, p in inspect.signature(function).parameters.items()
        if p.kind is p.POSITIONAL_ONLY
        or (p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD)
    )


def _several(function: Any) -> tuple[str, ...]:
    """Return the parameter of a function that takes any number of operands, if it has one."""
    named = inspect.signature(function).parameters
    return tuple(name for name, p in named.items() if p.kind is p.VAR_POSITIONAL)


def _is_default(function: Any, name: str, value: Any) -> bool:
    default = inspect.signature(function).parameters[name].default
    return value is default and name not in _required(function)


def _own(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Take up a function that stands for the one of NumPy of some name."""

    def take_up(function: Callable[..., Any]) -> Callable[..., Any]:
        _OURS[name] = function
        return function

    return take_up


def _cast(xp: Any, a: Any, dtype: Any) -> Array:
    return as_array(xp.engine, a) if dtype is None else xp.astype(a, dtype)


@_own("mean")
def _mean(xp: Any, a: Any, *, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Array:
    return xp.mean(_cast(xp, a, dtype), axis=axis, keepdims=keepdims)  # type: ignore[no-any-return]  # an array


@_own("average")
def _average(
    xp: Any, a: Any, *, axis: Any = None, weights: Any = None, keepdims: bool = False
) -> Any:
    x = as_array(xp.engine, a)
    if weights is None:
        return xp.mean(x, axis=axis, keepdims=keepdims)
    by = as_array(xp.engine, _array(xp, weights))
    if by.shape != x.shape:
        if not isinstance(axis, int) or by.shape != (x.shape[axis],):
            raise TypeError(
                f"np.average of shape {x.shape} along axis {axis} does not take weights of shape "
                f"{by.shape}; give as many as the array or that axis has"
            )
        by = xp.reshape(by, tuple(-1 if i == axis % x.ndim else 1 for i in range(x.ndim)))
        by = xp.broadcast_to(by, x.shape)
    options = {"axis": axis, "keepdims": keepdims}
    total = xp.sum(by, **options)
    if xp.backend not in ("dask", "jax") and xp.any(total == 0):  # they may not know it yet
        raise ZeroDivisionError("np.average cannot divide: the weights sum to zero")
    return xp.sum(xp.operate("multiply", x, by), **options) / total


def _spread(name: str) -> None:
    def function(
        xp: Any,
        a: Any,
        *,
        axis: Any = None,
        dtype: Any = None,
        ddof: float = 0,
        correction: float = 0,
        keepdims: bool = False,
    ) -> Any:
        options = {"axis": axis, "correction": ddof or correction, "keepdims": keepdims}
        return getattr(xp, name)(_cast(xp, a, dtype), **options)

    _own(name)(function)


def _cumulative(name: str, ours: str) -> None:
    def function(xp: Any, a: Any, *, axis: Any = None, dtype: Any = None) -> Any:
        x, axis = _along(xp, a, axis)
        return getattr(xp, ours)(x, axis=axis, dtype=dtype)

    _own(name)(function)


def _sorting(name: str) -> None:
    def function(xp: Any, a: Any, *, axis: Any = -1, stable: bool = False) -> Any:
        x, axis = _along(xp, a, axis)
        return getattr(xp, name)(x, axis=axis, stable=stable)

    _own(name)(function)


for _name in ("std", "var"):
    _spread(_name)
for _name, _other in (("cumsum", "cumulative_sum"), ("cumprod", "cumulative_prod")):
    _cumulative(_name, _other)
for _name in ("sort", "argsort"):
    _sorting(_name)


def _along(xp: Any, a: Any, axis: int | None) -> tuple[Array, int]:
    """Return an array and an axis; NumPy flattens one that is given none."""
    return (xp.reshape(a, (-1,)), 0) if axis is None else (as_array(xp.engine, a), axis)


@_own("concatenate")
def _concatenate(xp: Any, arrays: Any, *, axis: Any = 0, dtype: Any = None) -> Array:
    made = xp.concat(arrays, axis=axis)
    return made if dtype is None else xp.astype(made, dtype)  # type: ignore[no-any-return]  # an array


@_own("stack")
def _stack(xp: Any, arrays: Any, *, axis: int = 0, dtype: Any = None) -> Array:
    made = xp.stack(arrays, axis=axis)
    return made if dtype is None else xp.astype(made, dtype)  # type: ignore[no-any-return]  # an array


def _at_least(xp: Any, ndim: int, x: Any) -> Any:
    x = as_array(xp.engine, x)
    return xp.reshape(x, (1,) * (ndim - x.ndim) + x.shape) if x.ndim < ndim else x


@_own("vstack")
def _vstack(xp: Any, tup: Any) -> Any:
    return xp.concat([_at_least(xp, 2, _array(xp, x)) for x in tup], axis=0)


@_own("hstack")
def _hstack(xp: Any, tup: Any) -> Any:
    rows = [_at_least(xp, 1, _array(xp, x)) for x in tup]
    return xp.concat(rows, axis=0 if rows[0].ndim == 1 else 1)


@_own("clip")
def _clip(
    xp: Any, a: Any, *, a_min: Any = None, a_max: Any = None, min: Any = None, max: Any = None
) -> Array:
    low, high = (min if a_min is None else a_min), (max if a_max is None else a_max)
    return xp.clip(a, low, high)  # type: ignore[no-any-return]  # an array


@_own("dot")
def _dot(xp: Any, a: Any, b: Any) -> Any:
    a, b = as_array(xp.engine, a), as_array(xp.engine, b)
    if not (a.ndim and b.ndim):
        return xp.operate("multiply", a, b)
    return xp.tensordot(a, b, axes=((-1,), (-min(2, b.ndim),)))


@_own("where")
def _where(xp: Any, condition: Any, x: Any = None, y: Any = None) -> Any:
    return xp.nonzero(condition) if x is None and y is None else xp.where(condition, x, y)


@_own("vdot")
def _vdot(xp: Any, a: Any, b: Any) -> Any:
    return xp.vecdot(*(xp.reshape(x, (-1,)) for x in (a, b)))


@_own("inner")
def _inner(xp: Any, a: Any, b: Any) -> Any:
    return xp.tensordot(a, b, axes=((-1,), (-1,)))


@_own("outer")
def _outer(xp: Any, a: Any, b: Any) -> Any:
    return xp.linalg.outer(*(xp.reshape(x, (-1,)) for x in (a, b)))


@_own("trace")
def _trace(xp: Any, a: Any, *, offset: int = 0, dtype: Any = None) -> Any:
    return xp.linalg.trace(a, offset=offset, dtype=dtype)


@_own("tile")
def _tile(xp: Any, x: Any, reps: Any) -> Any:
    return xp.tile(x, (reps,) if isinstance(reps, int) else tuple(reps))


@_own("diagonal")
def _diagonal(xp: Any, a: Any, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    x = as_array(xp.engine, a)
    moved = x if x.ndim == 2 else xp.moveaxis(x, (axis1, axis2), (-2, -1))
    return xp.linalg.diagonal(moved, offset=offset)


@_own("transpose")
def _transpose(xp: Any, a: Any, *, axes: Any = None) -> Any:
    x = as_array(xp.engine, a)
    return xp.permute_dims(x, tuple(range(x.ndim))[::-1] if axes is None else tuple(axes))


@_own("swapaxes")
def _swapaxes(xp: Any, a: Any, axis1: int, axis2: int) -> Any:
    x = as_array(xp.engine, a)
    order = list(range(x.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return xp.permute_dims(x, tuple(order))


@_own("ravel")
def _ravel(xp: Any, a: Any) -> Any:
    return xp.reshape(a, (-1,))


@_own("squeeze")
def _squeeze(xp: Any, a: Any, *, axis: Any = None) -> Any:
    x = as_array(xp.engine, a)
    ones = tuple(index for index, n in enumerate(x.shape) if n == 1)
    return xp.squeeze(x, axis=ones if axis is None else axis)


@_own("round")
def _round(xp: Any, a: Any, *, decimals: int = 0) -> Any:
    if decimals:
        raise TypeError("np.round(x, decimals) is not supported; scale, use xp.round, and divide")
    return xp.round(a)


@_own("copy")
def _copy(xp: Any, a: Any) -> Any:
    return xp.asarray(a, copy=True)


@_own("unique")
def _unique(
    xp: Any,
    ar: Any,
    *,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    equal_nan: bool = False,  # noqa: ARG001  # each NaN is a value of its own, as in the standard
) -> Any:
    if not (return_index or return_inverse or return_counts):
        return xp.unique_values(ar)
    values, indices, inverse, counts = xp.unique_all(ar)
    asked = zip(
        (return_index, return_inverse, return_counts), (indices, inverse, counts), strict=True
    )
    return (values, *(found for wanted, found in asked if wanted))


@_own("isclose")
def _isclose(xp: Any, a: Any, b: Any, **options: Any) -> Any:
    return xp.asarray(np.isclose(*map(_plain, (a, b)), **options))


@_own("result_type")
def _result_type(xp: Any, *operands: Any) -> Any:
    return np.dtype(xp.result_type(*operands))


@_own("iscomplexobj")
def _iscomplexobj(_: Any, x: Any) -> Any:  # without its values, which JAX may trace
    return x.key.dtype.kind == "complex"


@_own("isrealobj")
def _isrealobj(_: Any, x: Any) -> Any:
    return x.key.dtype.kind != "complex"


@_own("ndim")
def _ndim(_: Any, a: Any) -> Any:
    return a.ndim


@_own("shape")
def _shape(_: Any, a: Any) -> Any:
    return a.shape


@_own("size")
def _size(_: Any, a: Any, *, axis: Any = None) -> Any:
    return a.size if axis is None else math.prod(a.shape[i] for i in np.atleast_1d(axis))


@_own("meshgrid")
def _meshgrid(xp: Any, *xi: Any, indexing: str = "xy") -> Any:
    return xp.meshgrid(*xi, indexing=indexing)


@_own("linalg.norm")
def _norm(xp: Any, x: Any, *, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    x = as_array(xp.engine, x)
    axes = x.ndim if axis is None else len(axis) if isinstance(axis, tuple) else 1
    if ord is None or axes == 1:
        options = {"axis": axis, "keepdims": keepdims, "ord": 2 if ord is None else ord}
        return xp.linalg.vector_norm(x, **options)
    if axis is not None and tuple(i % x.ndim for i in axis) != (x.ndim - 2, x.ndim - 1):
        x, keepdims = xp.moveaxis(x, axis, (-2, -1)), keepdims and x.ndim == 2
    return xp.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)
