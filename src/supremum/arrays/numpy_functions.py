"""NumPy's functions on our arrays: the namespace computes what it has, and the rest is refused."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final

import numpy as np

from ..core.errors import SupremumError
from ..core.functions import canonical
from .array import Array
from .operand import as_array

_FACTS: Final = frozenset({
    "allclose", "array2string", "array_equal", "array_equiv", "array_repr", "array_str",
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "may_share_memory", "save",
    "savetxt", "savez", "savez_compressed", "shares_memory",
})  # fmt: skip
"""What NumPy says of values, what writes them, and what converts arrays and keeps their dtypes.

Code that draws, such as Matplotlib's, asks for arrays of NumPy by these.
"""

_ALIKE: Final = frozenset({
    "all", "any", "argmax", "argmin", "broadcast_to", "count_nonzero", "diff",
    "expand_dims", "flip", "full_like", "imag", "isin", "max", "mean", "min", "moveaxis", "nonzero",
    "ones_like", "empty_like", "prod", "real", "repeat", "reshape", "roll", "searchsorted", "stack",
    "sum", "take", "take_along_axis", "tensordot", "tril", "triu", "zeros_like",
    "cumulative_prod", "cumulative_sum", "matrix_transpose", "unique_all", "unique_counts",
    "unique_inverse", "unique_values", "unstack",
    *(f"linalg.{name}" for name in (
        "cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv",
        "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "outer", "pinv",
        "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
    )),
    *(f"fft.{name}" for name in (
        "fft", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft",
        "irfftn", "rfft", "rfftn",
    )),
})  # fmt: skip
"""Functions whose first argument NumPy and the namespace call differently, and take alike else."""

_OPERANDS: Final = frozenset({
    "a", "a1", "a2", "a_max", "a_min", "ar", "arr", "array", "b", "condition", "element",
    "indices", "m", "max", "min", "test_elements", "v", "val", "x", "y",
})  # fmt: skip
"""What NumPy calls parameters that are arrays, and may be lists."""


def apply_function(
    xp: Any, function: Callable[..., Any], args: Sequence[Any], given: Mapping[str, Any]
) -> Any:
    """Return what a function of NumPy gives under the rules of a namespace.

    Raises:
        PromotionError: if the rules refuse the operands.
        TypeError: for a function or an argument that the namespace does not have.
    """
    name = _name_of(function)
    if name in _FACTS:
        return function(*map(_plain, args), **{key: _plain(x) for key, x in given.items()})
    ours = _ours(xp, name)
    title = f"{function.__module__}.{function.__name__}".replace("numpy.", "np.", 1)
    if ours is None:
        raise not_supported(xp, title)
    options = dict(given)
    asked = {key: options.pop(key, None) for key in ("out", "dtype")}
    try:
        bound = _signature(function).bind(*args, **options)
    except TypeError as error:
        raise TypeError(f"{title}: {error}") from None
    by_position = {key: bound.arguments.pop(key, None) for key in asked}
    out, dtype = (by_position[key] if x is None else x for key, x in asked.items())
    operands, options = _arguments(xp, bound)
    if dtype is not None:
        options["dtype"] = dtype
    if extra := ", ".join(sorted(options.keys() - _signature(ours).parameters.keys())):
        raise not_supported(xp, title, f" with {extra}=")
    found = ours(*operands, **options)
    if found is NotImplemented:
        raise not_supported(xp, title, " with these arguments")
    return found if out is None else stored(found, out)


def not_supported(xp: Any, function: str, how: str = "") -> TypeError:
    """Return the error for a function of NumPy that a namespace does not have."""
    return TypeError(
        f"{function}{how} is not supported for arrays of {xp}, as the array API does not have it; "
        f"use a function of the namespace, or {function}(np.asarray(x)), under NumPy's rules"
    )


def stored(found: Any, out: Any, *, is_spread: bool = False) -> Any:
    """Return an array after a result was put into it, which may not change its kind.

    Args:
        found: the result.
        out: an array of the namespace or of NumPy.
        is_spread: whether the result may be broadcast.

    Raises:
        PromotionError: if that would change the kind of an array of the namespace.
        TypeError: the same, of NumPy.
        ValueError: if the shapes differ.
    """
    if not is_spread and np.shape(found) != np.shape(out):
        raise ValueError(f"a result of shape {np.shape(found)} is not put into {np.shape(out)}")
    if isinstance(out, Array):
        out[...] = found
    else:
        np.copyto(out, np.asarray(found), casting="same_kind")
    return out


def _plain(x: Any) -> Any:
    """Return arrays of ours, which may be in lists, as those of NumPy."""
    if isinstance(x, (list, tuple)):
        return type(x)(map(_plain, x))
    return np.asarray(x) if hasattr(x, "__array_namespace__") else x


def _arguments(xp: Any, bound: inspect.BoundArguments) -> tuple[list[Any], dict[str, Any]]:
    """Return what the namespace's function gets by position, and by name."""
    operands: list[Any] = []
    options = {}
    for key, x in bound.arguments.items():
        parameter = bound.signature.parameters[key]
        value = _as_numpy_does(xp, x) if key in _OPERANDS else x
        if parameter.kind is parameter.VAR_POSITIONAL:
            operands += [_as_numpy_does(xp, y) for y in x]
        elif _is_required(parameter):
            operands.append(value)
        elif x is not parameter.default:
            options[key] = value
    return operands, options


def _as_numpy_does(xp: Any, x: Any) -> Any:
    """Return a list of numbers as an array, as NumPy does."""
    return xp.asarray(x) if isinstance(x, (list, tuple)) else x


def _name_of(function: Any) -> str:
    part = next((x for x in ("linalg.", "fft.") if f".{x}" in f"{function.__module__}."), "")
    name = part + function.__name__
    known = name in _ALIKE or name in _OTHERWISE
    return name if known else part + (canonical(function.__name__) or function.__name__)


def _ours(xp: Any, name: str) -> Callable[..., Any] | None:
    """Return what the namespace has for a function, if anything."""
    if name in _OTHERWISE:
        return partial(_OTHERWISE[name], xp)
    if name not in _ALIKE:
        return None
    space, _, last = name.rpartition(".")
    return getattr(getattr(xp, space) if space else xp, last)  # type: ignore[no-any-return]  # a function


def _is_required(parameter: inspect.Parameter) -> bool:
    """Tell whether an argument has to be given, and is so by position."""
    is_positional = parameter.kind is parameter.POSITIONAL_ONLY
    by_place = parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    return is_positional or (by_place and parameter.default is parameter.empty)


def _signature(function: Any) -> inspect.Signature:
    """Return the signature of a function, which is read once."""
    if isinstance(function, partial):
        return _read_signature(function.func)
    return _read_signature(function)


_read_signature = cache(inspect.signature)


def _flat(xp: Any, a: Any) -> Array:
    return xp.reshape(a, (-1,))  # type: ignore[no-any-return]  # an array


def _along(function: Callable[..., Any], xp: Any, a: Any, axis: int | None, **options: Any) -> Any:
    """Return a function along an axis; NumPy flattens an array that is given none."""
    return function(_flat(xp, a) if axis is None else a, axis=axis or 0, **options)


def _clip(
    xp: Any, a: Any, a_min: Any = None, a_max: Any = None, min: Any = None, max: Any = None
) -> Any:
    return xp.clip(a, min if a_min is None else a_min, max if a_max is None else a_max)


def _dot(xp: Any, a: Any, b: Any) -> Any:
    a, b = as_array(xp.engine, a), as_array(xp.engine, b)
    if not (a.ndim and b.ndim):
        return xp.operate("multiply", a, b)
    return xp.tensordot(a, b, axes=((-1,), (-min(2, b.ndim),)))


def _select(xp: Any, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    d = xp.result_type(*choicelist, default)
    found = xp.asarray(default, dtype=d)
    for condition, choice in reversed([*zip(condlist, choicelist, strict=True)]):
        found = xp.where(condition, xp.asarray(choice, dtype=d), found)
    return found


def _swapped(x: Any, axis1: int, axis2: int) -> tuple[int, ...]:
    order = list(range(x.ndim))
    order[axis1], order[axis2] = order[axis2], order[axis1]
    return tuple(order)


def _gives(xp: Any, name: str, x: Any) -> Any:
    """Return what a function of NumPy's name gives by the rules, or None if they have none."""
    try:
        return xp.engine.rules.result_type(as_array(xp.engine, x).key.dtype, op=name)
    except SupremumError:
        return None


def _has_nan(x: Array) -> bool:
    return x.key.dtype.kind in ("float", "complex")


_OTHERWISE: Final[Mapping[str, Callable[..., Any]]] = {
    "argsort": lambda xp, a, axis=-1, stable=False: _along(
        xp.argsort, xp, a, axis, stable=bool(stable)
    ),
    "average": lambda xp, a, axis=None, keepdims=False: xp.mean(a, axis=axis, keepdims=keepdims),
    "clip": _clip,
    "concat": lambda xp, arrays, axis=0: xp.concat(arrays, axis=axis),
    "copy": lambda xp, a: xp.asarray(a, copy=True),
    "cumprod": lambda xp, a, axis=None, dtype=None: _along(
        xp.cumulative_prod, xp, a, axis, dtype=dtype or _gives(xp, "cumprod", a)
    ),
    "cumsum": lambda xp, a, axis=None, dtype=None: _along(
        xp.cumulative_sum, xp, a, axis, dtype=dtype or _gives(xp, "cumsum", a)
    ),
    "diagonal": lambda xp, a, offset=0, axis1=0, axis2=1: xp.linalg.diagonal(
        a if a.ndim == 2 else xp.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset
    ),
    "dot": _dot,
    "inner": lambda xp, a, b: xp.tensordot(a, b, axes=((-1,), (-1,))),
    "iscomplexobj": lambda _, x: x.key.dtype.kind == "complex",
    "isrealobj": lambda _, x: x.key.dtype.kind != "complex",
    "linalg.norm": lambda xp, x, axis=None, keepdims=False: xp.linalg.vector_norm(
        x if _has_nan(x) else xp.astype(x, _gives(xp, "norm", x) or x.dtype),
        axis=axis,
        keepdims=keepdims,
    ),
    "meshgrid": lambda xp, *xi, indexing="xy": xp.meshgrid(*xi, indexing=indexing),
    "ndim": lambda _, a: a.ndim,
    "outer": lambda xp, a, b: xp.linalg.outer(_flat(xp, a), _flat(xp, b)),
    "ravel": _flat,
    "result_type": lambda xp, *operands: np.dtype(xp.result_type(*operands)),
    "round": lambda xp, a: xp.round(a),
    "select": _select,
    "shape": lambda _, a: a.shape,
    "size": lambda _, a, axis=None: (
        a.size if axis is None else math.prod(a.shape[i] for i in np.atleast_1d(axis))
    ),
    "sort": lambda xp, a, axis=-1, stable=False: _along(xp.sort, xp, a, axis, stable=bool(stable)),
    "squeeze": lambda xp, a, axis=None: xp.squeeze(
        a, axis=tuple(i for i, n in enumerate(a.shape) if n == 1) if axis is None else axis
    ),
    "std": lambda xp, a, axis=None, ddof=0, correction=0, keepdims=False: xp.std(
        a, axis=axis, correction=ddof or correction, keepdims=keepdims
    ),
    "swapaxes": lambda xp, a, axis1, axis2: xp.permute_dims(a, _swapped(a, axis1, axis2)),
    "tile": lambda xp, x, reps: xp.tile(x, (reps,) if isinstance(reps, int) else tuple(reps)),
    "trace": lambda xp, a, offset=0, dtype=None: xp.linalg.trace(a, offset=offset, dtype=dtype),
    "transpose": lambda xp, a, axes=None: xp.permute_dims(
        a, tuple(range(a.ndim))[::-1] if axes is None else tuple(axes)
    ),
    "unique": lambda xp, ar, equal_nan=True: (
        NotImplemented if equal_nan and _has_nan(ar) else xp.unique_values(ar)
    ),
    "var": lambda xp, a, axis=None, ddof=0, correction=0, keepdims=False: xp.var(
        a, axis=axis, correction=ddof or correction, keepdims=keepdims
    ),
    "vdot": lambda xp, a, b: xp.vecdot(_flat(xp, a), _flat(xp, b)),
    "where": lambda xp, condition, x=None, y=None: (
        xp.nonzero(condition) if x is None and y is None else xp.where(condition, x, y)
    ),
}
"""Functions that the namespace has in another form; the parameters are those of NumPy."""
