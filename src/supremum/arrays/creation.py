"""Creating arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..core.dtypes import DType
from ..core.errors import PromotionError
from ..core.operands import PYTHON_SCALARS
from .array import Array
from .backends import load
from .data_type import as_dtype, imaginary_part_lost
from .operand import fitting
from .views import alike

if TYPE_CHECKING:
    from .space import Namespace

__all__ = [
    "arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like",
    "linspace", "meshgrid", "ones", "ones_like", "tril", "triu", "zeros", "zeros_like",
]  # fmt: skip


def asarray(
    xp: Namespace, obj: Any, /, *, dtype: Any = None, device: Any = None, copy: bool | None = None
) -> Array:
    """Convert a number, nested lists of numbers, or an array of any library to an array.

    A Python number alone is weak if the rules have weak arrays.

    Args:
        xp: the namespace.
        obj: what to convert.
        dtype: the dtype; by default that of `obj`, or the rules' default for Python's numbers.
        device: the device.
        copy: whether to copy: always, never, or if None only if it is necessary.

    Raises:
        OverflowError: if a Python int does not fit.
        DTypeError: if the backend lacks the dtype.
        ValueError: if a copy is necessary but not allowed.
    """
    backend = xp._backend
    if isinstance(obj, Array) and obj._xp._backend is backend:
        given, weak, d = obj.native, obj.weak_type, obj._key.dtype
    elif isinstance(obj, Array):
        given, weak, d = obj._xp._backend.to_numpy(obj.native), obj.weak_type, obj._key.dtype
    elif backend.is_own(obj):
        given, weak, d = obj, bool(getattr(obj, "weak_type", False)), backend.of(obj)
    else:
        given = _readable(obj)
        d, weak = _read(xp, given)
    wanted = xp.decider.own(d if dtype is None else as_dtype(dtype))
    if d.kind == "complex" and wanted.kind not in ("complex", "bool"):
        raise imaginary_part_lost(d, wanted)
    own, is_weak = backend.is_own(given), weak and dtype is None and xp.decider.keeps_weak
    if own and d is wanted and device in (None, backend.device(given)):
        if isinstance(obj, Array) and not copy:
            return obj if obj._xp is xp and weak == is_weak else alike(xp, obj, is_weak)
        made = backend.copied(given) if copy else backend.as_result(given, d)
    elif copy is False:
        raise ValueError(f"cannot make an array of {wanted} from this without a copy")
    elif own:
        made = backend.cast(given, wanted)
        made = made if device is None else backend.to_device(made, device)
    else:
        _check_ints(xp, given, wanted)
        made = backend.make(_plain(given), wanted, device)
    return xp._wrap(made, wanted, is_weak)


def _readable(obj: Any) -> Any:
    """Return anything but an array of ours as a number, nested lists, or an array of a library."""
    if type(obj).__module__.partition(".")[0] == "torch" and hasattr(obj, "requires_grad"):
        if obj.requires_grad:
            raise ValueError("a tensor that requires a gradient would lose it; pass x.detach()")
        return load("torch").to_numpy(obj)
    if type(obj) in PYTHON_SCALARS or hasattr(obj, "dtype") or isinstance(obj, (list, tuple)):
        return obj
    for kind in PYTHON_SCALARS:
        if isinstance(obj, kind):
            return kind(obj)
    if isinstance(obj, range):
        return list(obj)
    import numpy as np

    try:
        return np.asarray(memoryview(obj))
    except TypeError:
        if hasattr(obj, "__array__"):
            return np.asarray(obj)
    raise TypeError(f"cannot create an array from {obj!r}; pass numbers, lists or an array")


def _read(xp: Namespace, obj: Any) -> tuple[DType, bool]:
    """Return the dtype of anything but an array of ours, and whether it is weak."""
    if type(obj) in PYTHON_SCALARS:
        return _of_number(xp, obj)
    if hasattr(obj, "dtype"):
        return as_dtype(obj.dtype), bool(getattr(obj, "weak_type", False))
    kinds = list({(type(x), getattr(x, "dtype", None)): x for x in _leaves(obj)}.values())
    for x in kinds:
        if not isinstance(x, (bool, int, float, complex)) and not hasattr(x, "dtype"):
            raise TypeError(f"{x!r} in a {type(obj).__name__} is neither a number nor an array")
    _check_lengths(obj)
    if not kinds:
        return xp.decider.defaults.float, False
    if all(type(x) in PYTHON_SCALARS for x in kinds):
        order = list(PYTHON_SCALARS)
        widest = max((type(x) for x in kinds), key=order.index)
        if widest is bool:
            return PYTHON_SCALARS[bool], False
        return getattr(xp.decider.defaults, widest.__name__), False
    return xp.decider.rules.result_type(*kinds), False


def _leaves(obj: Any) -> Iterator[Any]:
    for x in obj:
        if isinstance(x, (list, tuple)):
            yield from _leaves(x)
        else:
            yield x


def _check_lengths(obj: Any) -> None:
    """Refuse lists whose lengths differ."""
    shapes = {_shape_of(x) for x in obj}
    if len(shapes) > 1:
        found = " and ".join(map(str, sorted(shapes)))
        raise ValueError(f"lists in a {type(obj).__name__} must have one shape, got {found}")


def _shape_of(x: Any) -> tuple[int, ...]:
    if not isinstance(x, (list, tuple)):
        return tuple(getattr(x, "shape", ()))
    _check_lengths(x)
    return (len(x), *(_shape_of(x[0]) if x else ()))


def _of_number(xp: Namespace, number: Any) -> tuple[DType, bool]:
    try:
        why = xp.decider.rules.explain(number)
    except PromotionError:
        default = getattr(xp.decider.defaults, type(number).__name__, None)
        return default or PYTHON_SCALARS[bool], False
    d = why.result
    return (getattr(xp.decider.defaults, type(number).__name__) if d.weak else d), why.weak


def _check_ints(xp: Namespace, obj: Any, d: DType) -> None:
    if d.kind not in ("signed", "unsigned"):
        return
    leaves = _leaves(obj) if isinstance(obj, (list, tuple)) else (obj,)
    for x in leaves:
        if type(x) is int and not d.min <= x <= d.max:
            msg = f"{x} does not fit {d}, which goes from {d.min} to {d.max}"
            raise OverflowError(f"{msg}; give it a wider dtype, such as xp.{fitting(xp, x)}")


def _plain(obj: Any) -> Any:
    """Return nested lists with NumPy's arrays instead of ours."""
    if isinstance(obj, (list, tuple)):
        return [_plain(x) for x in obj]
    return obj._xp._backend.to_numpy(obj.native) if isinstance(obj, Array) else obj


def arange(
    xp: Namespace,
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
        xp: the namespace.
        start: the start; if `stop` is None, the end instead, and the start is 0.
        stop: the end, which is not included.
        step: the spacing.
        dtype: the dtype; by default the default int, or float if one of the numbers is a float.
        device: the device.
    """
    numbers = [x for x in (start, stop, step) if x is not None]
    if dtype is not None:
        d = xp.decider.own(as_dtype(dtype))
    elif strong := [x for x in numbers if type(x) not in PYTHON_SCALARS]:
        d = xp.decider.rules.result_type(*strong, *(x for x in numbers if type(x) is float))
    else:
        is_float = any(isinstance(x, float) for x in numbers)
        d = xp.decider.own(xp.decider.defaults.float if is_float else xp.decider.defaults.int)
    first, last = (0, start) if stop is None else (start, stop)
    first, last, by = (x.item() if hasattr(x, "item") else x for x in (first, last, step))
    made = xp._backend.range(first, last, by, d, device)
    return xp._wrap(made, d)


def _filled(xp: Namespace, name: str, shape: Any, dtype: Any, device: Any, *value: Any) -> Array:
    d = xp.decider.own(xp.decider.defaults.float if dtype is None else as_dtype(dtype))
    native = xp._backend.dtype(d)
    made = xp._call(name, d, shape, *value, dtype=native, device=device)
    return xp._wrap(made, d)


def empty(xp: Namespace, shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an uninitialized array of a shape."""
    return _filled(xp, "empty", shape, dtype, device)


def zeros(xp: Namespace, shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of a shape, filled with zeros."""
    return _filled(xp, "zeros", shape, dtype, device)


def ones(xp: Namespace, shape: Any, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array of a shape, filled with ones."""
    return _filled(xp, "ones", shape, dtype, device)


def full(
    xp: Namespace, shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None
) -> Array:
    """Return an array of a shape, filled with a value, which has its dtype by default."""
    value = xp.asarray(fill_value, dtype=dtype, device=device)
    made = xp._call("broadcast_to", value._key.dtype, value.native, _shape(shape))
    return xp._wrap(xp._backend.copied(made), value._key.dtype, value.weak_type)


def _shape(shape: Any) -> tuple[int, ...]:
    return tuple(shape) if isinstance(shape, (tuple, list)) else (int(shape),)


def _like(xp: Namespace, name: str, x: Any, dtype: Any, device: Any) -> Array:
    x = xp._taken(x)
    d = x._key.dtype if dtype is None else xp.decider.own(as_dtype(dtype))
    where = x.device if device is None else device
    made = xp._call(name, d, x.native.shape, dtype=xp._backend.dtype(d), device=where)
    return xp._wrap(made, d, x.weak_type and dtype is None)


def empty_like(xp: Namespace, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an uninitialized array with the shape of another."""
    return _like(xp, "empty", x, dtype, device)


def zeros_like(xp: Namespace, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array with the shape of another, filled with zeros."""
    return _like(xp, "zeros", x, dtype, device)


def ones_like(xp: Namespace, x: Any, /, *, dtype: Any = None, device: Any = None) -> Array:
    """Return an array with the shape of another, filled with ones."""
    return _like(xp, "ones", x, dtype, device)


def full_like(
    xp: Namespace, x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None
) -> Array:
    """Return an array with the shape and dtype of another, filled with a value."""
    x = xp._taken(x)
    d = x._key.dtype if dtype is None else as_dtype(dtype)
    made = full(xp, x.shape, fill_value, dtype=d, device=x.device if device is None else device)
    return xp._wrap(made.native, made._key.dtype, x.weak_type and dtype is None)


def eye(
    xp: Namespace,
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Any = None,
) -> Array:
    """Return a 2-d array with ones on the diagonal `k` and zeros elsewhere."""
    d = xp.decider.own(xp.decider.defaults.float if dtype is None else as_dtype(dtype))
    native = xp._backend.dtype(d)
    return xp._wrap(xp._call("eye", d, n_rows, n_cols, k=k, dtype=native, device=device), d)


def linspace(
    xp: Namespace,
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
        d = xp.decider.own(as_dtype(dtype))
    elif any(type(x) not in PYTHON_SCALARS for x in (start, stop)):
        d = xp._decide("linspace", start, stop).dtype
    else:
        is_complex = any(isinstance(x, complex) for x in (start, stop))
        defaults = xp.decider.defaults
        d = xp.decider.own(defaults.complex if is_complex else defaults.float)
    ends = [xp._backend.cast(x.native, d) if isinstance(x, Array) else x for x in (start, stop)]
    native = xp._backend.dtype(d)
    made = xp._call("linspace", d, *ends, num, dtype=native, device=device, endpoint=endpoint)
    return xp._wrap(made, d)


def meshgrid(xp: Namespace, *arrays: Any, indexing: str = "xy") -> tuple[Array, ...]:
    """Return coordinate matrices from coordinate vectors."""
    taken = [xp._taken(x) for x in arrays]
    made = xp._backend.function("meshgrid")(*(x.native for x in taken), indexing=indexing)
    return tuple(xp._same(one, x._key) for one, x in zip(made, taken, strict=True))


def tril(xp: Namespace, x: Any, /, *, k: int = 0) -> Array:
    """Return the lower triangles of matrices: zeros above the diagonal `k`."""
    x = xp._taken(x)
    return xp._same(xp._call("tril", x._key.dtype, x.native, k=k), x._key)


def triu(xp: Namespace, x: Any, /, *, k: int = 0) -> Array:
    """Return the upper triangles of matrices: zeros below the diagonal `k`."""
    x = xp._taken(x)
    return xp._same(xp._call("triu", x._key.dtype, x.native, k=k), x._key)


def from_dlpack(xp: Namespace, x: Any, /, *, device: Any = None, copy: bool | None = None) -> Array:
    """Convert an array of another library through DLPack, without a copy if that is possible."""
    made = xp._backend.from_dlpack(x, device, copy)
    return xp.asarray(made)  # type: ignore[no-any-return]  # it is an array
