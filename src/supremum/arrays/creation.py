"""Creating arrays."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import ceil, floor, inf
from typing import Any, Final

from ..core.dtypes import PYTHON_SCALARS, DType
from .array import WHOLE, Array, as_dtype, key_of
from .conversion import asarray, check_ints
from .decide import IN_FORCE
from .engine import Engine
from .operand import as_array

__all__ = [
    "arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like",
    "linspace", "meshgrid", "ones", "ones_like", "tril", "triu", "zeros", "zeros_like",
]  # fmt: skip


_NUMBERS: Final = frozenset({int, float, type(None)})
"""The types of the numbers of a range that is made by a plan."""


def arange(
    engine: Engine,
    start: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return evenly spaced numbers within the half-open interval [start, stop).

    Args:
        engine: what decides and computes.
        start: the start; if `stop` is None, the end instead, and the start is 0.
        stop: the end, which is not included.
        step: the spacing.
        dtype: the dtype; by default the default int, or float if one of the numbers is a float.
        device: the device.
    """
    kinds = type(start), type(stop), type(step), dtype
    plans = engine.plans[IN_FORCE.get() or engine.own_decider]
    first, last = (0, start) if stop is None else (start, stop)
    try:
        d, key, least, largest = plans["arange"][kinds]
    except (KeyError, TypeError):  # which is what a dtype raises that has no hash
        d = _dtype_of_range(engine, start, stop, step, dtype)
        least, largest = (d.min, d.max) if d.kind in WHOLE else (-inf, inf)
        key = key_of(d)
        if not _NUMBERS.issuperset(kinds[:3]):
            first, last, step = (x.item() if hasattr(x, "item") else x for x in (first, last, step))
        elif isinstance(dtype, Hashable):
            plans.setdefault("arange", {})[kinds] = d, key, least, largest
    is_within = least <= first <= largest and least <= last <= largest
    if not is_within and step and (count := ceil((last - first) / step)) > 0:
        check_ints(engine, [floor(first), floor(first + (count - 1) * step)], d)
    made = engine.backend.range(first, last, step, d, device)
    return engine.same(engine.backend.as_result(made, d), key)


def _dtype_of_range(engine: Engine, start: Any, stop: Any, step: Any, dtype: Any) -> DType:
    """Return the dtype of evenly spaced numbers."""
    decider = engine.decider
    numbers = [x for x in (start, stop, step) if x is not None]
    if dtype is not None:
        return decider.own(as_dtype(dtype))
    if strong := [x for x in numbers if type(x) not in PYTHON_SCALARS]:
        return decider.rules.result_type(*strong, *(x for x in numbers if type(x) is float))
    is_float = any(isinstance(x, float) for x in numbers)
    return decider.own(decider.defaults.float if is_float else decider.defaults.int)


def _filling(name: str, what: str) -> Callable[..., Array]:
    def function(engine: Engine, shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
        plans = engine.plans[IN_FORCE.get() or engine.own_decider]
        try:
            fill, key = plans[name][dtype]
        except (KeyError, TypeError):  # which is what a dtype raises that has no hash
            d = _own_dtype(engine, dtype)
            fill, key = engine.backend.filling(name, d), key_of(d)
            if isinstance(dtype, Hashable):
                plans.setdefault(name, {})[dtype] = fill, key
        if device is not None:
            fill = engine.backend.filling(name, key.dtype, device)
        try:
            native = fill(shape)
        except Exception as error:
            engine.check_refusal(error, name, key.dtype, ())
            raise
        made = engine.array_type()  # as `engine.same` does, whose call takes as long as this
        made.engine = engine
        made.native = native
        made.key = key
        made.sharing = None
        return made

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return an {what} of a shape."
    return function


empty = _filling("empty", "uninitialized array")
zeros = _filling("zeros", "array of zeros")
ones = _filling("ones", "array of ones")


def _own_dtype(engine: Engine, dtype: Any) -> DType:
    """Return a dtype as the rules have it; their default float dtype for None."""
    return engine.decider.own(engine.decider.defaults.float if dtype is None else as_dtype(dtype))


def full(
    engine: Engine, shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None
) -> Array:
    """Return an array of a shape, filled with a value, which has its dtype by default."""
    value = asarray(engine, fill_value, dtype=dtype, device=device)
    d = value.key.dtype
    made = engine.asked("full", d, engine.backend.spread, value.native, _shape(shape))
    return engine.same(made, value.key)


def _shape(shape: Any) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, (tuple, list)) else (int(shape),)


def _like(engine: Engine, name: str, x: Any, dtype: Any, device: Any) -> Array:
    x = as_array(engine, x)
    key = x.key if dtype is None else key_of(engine.decider.own(as_dtype(dtype)))
    try:
        native = engine.backend.like(name, x.native, key.dtype, device)
    except Exception as error:
        engine.check_refusal(error, name, key.dtype, (x.native,))
        raise
    return engine.same(native, key)


def empty_like(engine: Engine, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an uninitialized array with the shape of another."""
    return _like(engine, "empty", x, dtype, device)


def zeros_like(engine: Engine, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array with the shape of another, filled with zeros."""
    return _like(engine, "zeros", x, dtype, device)


def ones_like(engine: Engine, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array with the shape of another, filled with ones."""
    return _like(engine, "ones", x, dtype, device)


def full_like(
    engine: Engine, x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None
) -> Array:
    """Return an array with the shape and dtype of another, filled with a value."""
    x, backend = as_array(engine, x), engine.backend
    d = x.key.dtype if dtype is None else as_dtype(dtype)
    value = asarray(engine, fill_value, dtype=d, device=device)
    native, own, where = value.native, value.key.dtype, backend.device(x.native)
    if device is None and backend.device(native) != where:
        native = backend.to_device(native, where)
    made = engine.asked("full_like", own, backend.spread, native, tuple(x.native.shape))
    return engine.wrap(made, own, x.key.weak and dtype is None)


def eye(
    engine: Engine,
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return a 2-d array with ones on the diagonal `k` and zeros elsewhere."""
    d = _own_dtype(engine, dtype)
    native = engine.backend.dtype(d)
    return engine.wrap(engine.call("eye", d, n_rows, n_cols, k=k, dtype=native, device=device), d)


def linspace(
    engine: Engine,
    start: Any,
    stop: Any,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
) -> Array:
    """Return `num` evenly spaced numbers over [start, stop]."""
    if dtype is not None:
        d = engine.decider.own(as_dtype(dtype))
    elif any(type(x) not in PYTHON_SCALARS for x in (start, stop)):
        d = engine.decide("linspace", start, stop).dtype
    else:
        is_complex = any(isinstance(x, complex) for x in (start, stop))
        defaults = engine.decider.defaults
        d = engine.decider.own(defaults.complex if is_complex else defaults.float)
    ends = [
        engine.backend.cast(x.native, d)
        if isinstance(x, Array)
        else float(x)
        if type(x) is int and d.kind == "float"
        else x
        for x in (start, stop)
    ]
    check_ints(engine, [floor(x) for x in (start, stop) if type(x) in (int, float)], d)
    native = engine.backend.dtype(d)
    made = engine.call("linspace", d, *ends, num, dtype=native, device=device, endpoint=endpoint)
    return engine.wrap(made, d)


def meshgrid(engine: Engine, *arrays: Any, indexing: str = "xy") -> tuple[Array, ...]:
    """Return coordinate matrices from coordinate vectors."""
    taken = [as_array(engine, x) for x in arrays]
    if any(x.ndim > 1 for x in taken):
        raise ValueError("meshgrid takes arrays of one dimension; reshape the others first")
    made = engine.backend.function("meshgrid")(*(x.native for x in taken), indexing=indexing)
    return tuple(engine.same(one, x.key) for one, x in zip(made, taken, strict=True))


def _triangle(engine: Engine, name: str, x: Any, k: int) -> Array:
    x = as_array(engine, x)
    if x.ndim < 2:
        raise ValueError(f"{name} requires 2 dimensions or more, got {x.ndim}")
    return engine.same(engine.call(name, x.key.dtype, x.native, k=k), x.key)


def tril(engine: Engine, x: Any, /, *, k: int = 0) -> Array:
    """Return the lower triangles of matrices: zeros above the diagonal `k`."""
    return _triangle(engine, "tril", x, k)


def triu(engine: Engine, x: Any, /, *, k: int = 0) -> Array:
    """Return the upper triangles of matrices: zeros below the diagonal `k`."""
    return _triangle(engine, "triu", x, k)


def from_dlpack(
    engine: Engine, x: Any, /, *, device: Any = None, copy: bool | None = None
) -> Array:
    """Convert an array of another library through DLPack, without a copy if that is possible."""
    made = engine.backend.from_dlpack(x, device, copy)
    return asarray(engine, made)
