"""The array: data of a backend, our dtype, and whether it is weak."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..core.dtypes import DType
from ..core.errors import did_you_mean
from .data_type import DataType, data_type
from .functions import COMPARISONS, METHODS
from .views import How, View, check_writable, written

if TYPE_CHECKING:
    from .space import Namespace


class Key:
    """What a decision depends on, of an array; there is one object for each combination.

    Attributes:
        dtype: its dtype.
        weak: whether it is weak.
        flat: the key of such an array if it is 0-d.
        data_type: its dtype, as users get it.
    """

    __slots__ = ("data_type", "dtype", "flat", "weak")

    def __init__(self, dtype: DType, weak: bool) -> None:
        self.dtype = dtype
        self.weak = weak
        self.flat: Any = None
        self.data_type = data_type(dtype)


_keys: dict[tuple[DType, bool], Key] = {}


def key_of(dtype: DType, weak: bool = False) -> Key:  # noqa: FBT002  # most are not
    """Return the key of arrays of a dtype."""
    found = _keys.get((dtype, weak))
    if found is None:
        found = Key(dtype, weak)
        found.flat = Key(dtype, weak)
        found = _keys.setdefault((dtype, weak), found)
    return found


class Array:
    """An array whose results follow some rules, whatever library computes them.

    It is made by the functions of a namespace, such as `asarray`.

    Attributes:
        native: the array of the backend's library that holds the values.
        weak_type: whether it defers to the width of others, as arrays that result from Python's
            numbers alone do under JAX's rules.

    >>> import supremum
    >>> xp = supremum.namespace("jax")
    >>> xp.asarray([1, 2], dtype=xp.int16) + 1
    Array([2, 3], dtype=int16)
    """

    __slots__ = ("__weakref__", "_key", "_view", "_xp", "native")

    def __init__(self, xp: Namespace, native: Any, key: Key) -> None:
        self._xp = xp
        self.native = native
        self._key = key
        self._view: View | None = None

    # attributes

    @property
    def dtype(self) -> DataType:
        """Its dtype, which is equal to that of the namespace, such as ``xp.float32``."""
        return self._key.data_type

    @property
    def weak_type(self) -> bool:
        """Whether it defers to the width of others."""
        return self._key.weak

    @property
    def shape(self) -> tuple[int | None, ...]:
        """Its lengths; None for one that is not known yet."""
        return tuple(None if n != n else int(n) for n in self.native.shape)  # noqa: PLR0124  # NaN

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return int(self.native.ndim)

    @property
    def size(self) -> int | None:
        """The number of elements; None if it is not known yet."""
        total = 1
        for n in self.shape:
            if n is None:
                return None
            total *= n
        return total

    @property
    def nbytes(self) -> int | None:
        """How many bytes its elements take; None if their number is not known yet."""
        return None if self.size is None else self.size * self.dtype.itemsize

    @property
    def device(self) -> Any:
        """The device that it is on."""
        return self._xp._backend.device(self.native)

    @property
    def T(self) -> Array:  # noqa: N802  # the standard's name
        """The transpose of a matrix."""
        if self.ndim != 2:
            msg = f"T requires 2 dimensions, got {self.ndim}; use mT or permute_dims"
            raise ValueError(msg)
        return self.mT

    @property
    def mT(self) -> Array:  # noqa: N802  # the standard's name
        """The transpose of a matrix, or of each matrix of a stack."""
        return self._xp.matrix_transpose(self)  # type: ignore[no-any-return]  # it is an array

    @property
    def is_mutable(self) -> bool:
        """Whether the backend's arrays can be changed, and their views share memory."""
        return self._xp._backend.is_mutable

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Namespace:
        """Return the namespace that its functions are in."""
        return self._xp.of_version(api_version)

    def astype(self, dtype: Any, /, *, copy: bool = True) -> Array:
        """Return it in another dtype, as the function `astype` does."""
        return self._xp.astype(self, dtype, copy=copy)  # type: ignore[no-any-return]  # the same

    def to_device(self, device: Any, /, *, stream: Any = None) -> Array:
        """Return it on another device."""
        native = self._xp._backend.to_device(self.native, device, stream)
        return type(self)(self._xp, native, self._key)

    # parts

    def __getitem__(self, key: Any, /) -> Array:
        xp, key = self._xp, unwrapped(key)
        if xp._tracks_views and _is_basic(key, self.ndim):
            take, put = xp._backend.take, xp._backend.put
            how = How(lambda n: take(n, key), lambda n, new: put(n, key, new), lambda a: a[key])
            return xp._viewed(self, how, is_copy=not xp._backend.shares(key))
        return type(self)(xp, xp._backend.take(self.native, key), self._key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        check_writable("a store", self)
        ready = self._xp._for_store(self, value)
        self.native = self._xp._backend.put(self.native, unwrapped(key), ready)
        written(self)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("a 0-d array does not have a length")
        return int(self.native.shape[0])

    def __iter__(self) -> Iterator[Array]:
        if not self.ndim:
            raise TypeError("cannot iterate over a 0-d array")
        return (self[index] for index in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return bool(self._xp.any(self._xp.operate("equal", self, value)))

    # numbers

    def __bool__(self) -> bool:
        if self.ndim:
            msg = f"an array of shape {self.shape} is neither true nor false; use xp.any or xp.all"
            raise ValueError(msg)
        return bool(self.native)

    def __int__(self) -> int:
        return int(self._one("an int"))

    def __float__(self) -> float:
        return float(self._one("a float"))

    def __complex__(self) -> complex:
        return complex(self._one("a complex"))

    def __index__(self) -> int:
        if self._key.dtype.kind not in ("signed", "unsigned"):
            raise TypeError(f"an index must be an integer, not {self._key.dtype}")
        return int(self._one("an index"))

    def __round__(self, digits: int | None = None) -> Any:
        if digits:
            raise TypeError("round(x, n) is not supported; scale, use xp.round, and divide")
        return self._xp.round(self) if self.ndim or digits is not None else round(float(self))

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def _one(self, wanted: str) -> Any:
        """Return the data of an array that is converted to a Python number."""
        if self.ndim:
            what = f"cannot convert an array of shape {self.shape} to {wanted}"
            element = "x[0]" if self.ndim == 1 else "x[0, ...]"
            raise TypeError(f"{what}; take one element, as in {element}")
        if self._key.dtype.kind == "complex" and wanted != "a complex":
            raise TypeError(f"cannot convert {self._key.dtype} to {wanted}; take xp.real(x) first")
        return self.native

    def item(self) -> Any:
        """Return the only element as a Python number."""
        return self._xp._backend.to_numpy(self.native).item()

    def tolist(self) -> Any:
        """Return the elements as Python numbers, in nested lists."""
        return self._xp._backend.to_numpy(self.native).tolist()

    # other libraries

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        return np.array(self._xp._backend.to_numpy(self.native), dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **given: Any) -> Any:
        return self._xp._on_ufunc(ufunc, method, inputs, given)

    def __array_function__(
        self, function: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return self._xp._on_function(function, args, kwargs)

    def __jax_array__(self) -> Any:
        return self._xp._backend.to_jax(self.native)

    def __dlpack__(
        self,
        /,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        asked = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        native = self._xp._backend.exported(self.native, self._key.dtype)
        return native.__dlpack__(**{name: x for name, x in asked.items() if x is not None})

    def __dlpack_device__(self) -> Any:
        return self._xp._backend.exported(self.native, self._key.dtype).__dlpack_device__()

    # as an object

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __copy__(self) -> Array:
        return type(self)(self._xp, self._xp._backend.copied(self.native), self._key)

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self._xp, self.native, self._key.dtype, self._key.weak)

    def __repr__(self) -> str:
        return self._xp.text(self)

    def __format__(self, spec: str) -> str:
        if spec and self.ndim:
            raise TypeError(f"{spec!r} formats one number, not an array of shape {self.shape}")
        return format(self.item() if spec else str(self), spec)

    def __getattr__(self, name: str) -> Any:
        msg = f"an array has no attribute {name!r}"
        if not name.startswith("_"):
            known = name in dir(self._xp) and callable(getattr(self._xp, name))
            msg += f"; use xp.{name}(x)" if known else did_you_mean(name, dir(self))[0]
        raise AttributeError(msg)


def _rebuilt(xp: Namespace, native: Any, dtype: DType, weak: bool) -> Array:
    return xp._array(xp, native, key_of(dtype, weak))


def unwrapped(key: Any) -> Any:
    """Return an index with arrays of the backend instead of ours."""
    if isinstance(key, tuple):
        return tuple(unwrapped(k) for k in key)
    return key.native if isinstance(key, Array) else key


def _is_basic(key: Any, ndim: int) -> bool:
    """Tell whether an index selects a part that shares its elements with the whole.

    One element does not, as in NumPy, where it is a scalar; ``x[0, ...]`` does.
    """
    parts = key if isinstance(key, tuple) else (key,)
    ints = [k for k in parts if _is_int(k)]
    others = [k for k in parts if k is None or k is Ellipsis or isinstance(k, slice)]
    return len(ints) + len(others) == len(parts) and bool(others or len(ints) < ndim)


def _is_int(k: Any) -> bool:
    return type(k) is not bool and not hasattr(k, "shape") and hasattr(k, "__index__")


def _refused(name: str, other: Any) -> Any:
    """Leave an operator to the other operand's class, except for lists, which would concatenate."""
    if isinstance(other, (list, tuple)):
        kind = type(other).__name__
        raise TypeError(f"{name} does not take a {kind}; convert it first, with xp.asarray(y)")
    return NotImplemented


def _operator(name: str) -> Callable[[Array, Any], Any]:
    def method(self: Array, other: Any, /) -> Any:
        if isinstance(other, Array) or self._xp.takes(other):
            return self._xp.operate(name, self, other)
        return _refused(name, other)

    return method


def _reflected(name: str) -> Callable[[Array, Any], Any]:
    def method(self: Array, other: Any, /) -> Any:
        if self._xp.takes(other):
            return self._xp.operate(name, other, self)
        return _refused(name, other)

    return method


def _in_place(name: str) -> Callable[[Array, Any], Any]:
    def method(self: Array, other: Any, /) -> Any:
        if self._xp.takes(other):
            return self._xp.operate_in_place(name, self, other)
        return _refused(name, other)

    return method


def _unary(name: str) -> Callable[[Array], Array]:
    def method(self: Array, /) -> Array:
        return self._xp.operate(name, self)

    return method


def _add_methods() -> None:
    made: dict[str, Callable[..., Any]] = {
        "__neg__": _unary("negative"),
        "__pos__": _unary("positive"),
        "__abs__": _unary("abs"),
        "__invert__": _unary("bitwise_invert"),
    }
    for name, function in METHODS.items():
        made[f"__{name}__"] = _operator(function)
        made[f"__r{name}__"] = _reflected(function)
        made[f"__i{name}__"] = _in_place(function)
    for name, function in COMPARISONS.items():
        made[f"__{name}__"] = _operator(function)
    for name, method in made.items():
        method.__name__, method.__qualname__ = name, f"Array.{name}"
        setattr(Array, name, method)


_add_methods()
