"""The array: data of a backend, a dtype of ours, and whether it is weak."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from supremum.arrays.functions import COMPARISONS, METHODS
from supremum.arrays.ufuncs import apply_ufunc
from supremum.dtypes import DType
from supremum.errors import did_you_mean

if TYPE_CHECKING:
    from supremum.arrays.space import Namespace


class Key:
    """What of an array a decision looks at; there is one object for each.

    Attributes:
        dtype: its dtype.
        weak: whether it is weak.
        flat: the key of such an array without dimensions.
    """

    __slots__ = ("dtype", "flat", "weak")

    def __init__(self, dtype: DType, weak: bool) -> None:
        self.dtype = dtype
        self.weak = weak
        self.flat: Any = None


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
        weak_type: whether it defers to the width of others, as arrays that come of Python's
            numbers alone do by JAX's rules.

    >>> import supremum
    >>> xp = supremum.namespace("jax")
    >>> xp.asarray([1, 2], dtype=xp.int16) + 1
    Array([2, 3], dtype=int16)
    """

    __slots__ = ("__weakref__", "_key", "_xp", "native")

    def __init__(self, xp: Namespace, native: Any, key: Key) -> None:
        self._xp = xp
        self.native = native
        self._key = key

    # attributes

    @property
    def dtype(self) -> DType:
        """Its dtype, which is ours: `supremum.DType`."""
        return self._key.dtype

    @property
    def weak_type(self) -> bool:
        """Whether it defers to the width of others."""
        return self._key.weak

    @property
    def shape(self) -> tuple[int | None, ...]:
        """Its lengths; None where Dask does not know one yet."""
        return tuple(None if n != n else int(n) for n in self.native.shape)  # noqa: PLR0124  # NaN

    @property
    def ndim(self) -> int:
        """How many dimensions it has."""
        return int(self.native.ndim)

    @property
    def size(self) -> int | None:
        """How many elements it has; None where Dask does not know yet."""
        total = 1
        for n in self.shape:
            if n is None:
                return None
            total *= n
        return total

    @property
    def device(self) -> Any:
        """Where it is."""
        return self._xp._backend.device(self.native)

    @property
    def T(self) -> Array:  # noqa: N802  # the standard's name
        """The transpose of a matrix."""
        if self.ndim != 2:
            msg = f"T is of matrices, and this has {self.ndim} dimensions; use mT or permute_dims"
            raise ValueError(msg)
        return self.mT

    @property
    def mT(self) -> Array:  # noqa: N802  # the standard's name
        """The transpose of a matrix, or of each of a stack."""
        return self._xp.matrix_transpose(self)  # type: ignore[no-any-return]  # it is an array

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
        native = self._xp._backend.take(self.native, unwrapped(key))
        return type(self)(self._xp, native, self._key)

    def __setitem__(self, key: Any, value: Any, /) -> None:
        ready = self._xp._for_store(self, value)
        self.native = self._xp._backend.put(self.native, unwrapped(key), ready)

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("an array without dimensions has no length")
        return int(self.native.shape[0])

    def __iter__(self) -> Iterator[Array]:
        if not self.ndim:
            raise TypeError("an array without dimensions is nothing to run over")
        return (self[index] for index in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return bool(self._xp.any(self._xp.operate("equal", self, value)))

    # numbers

    def __bool__(self) -> bool:
        if self.ndim:
            msg = f"an array of shape {self.shape} is not true or false; use xp.any or xp.all"
            raise ValueError(msg)
        return bool(self.native)

    def __int__(self) -> int:
        return int(self._one("an int"))

    def __float__(self) -> float:
        return float(self._one("a float"))

    def __complex__(self) -> complex:
        return complex(self._one("a complex"))

    def __index__(self) -> int:
        if self.dtype.kind not in ("signed", "unsigned"):
            raise TypeError(f"an index is an integer, and this is {self.dtype}")
        return int(self._one("an index"))

    def _one(self, wanted: str) -> Any:
        """Return the data of an array that becomes a number of Python."""
        if self.ndim:
            msg = f"an array of shape {self.shape} is not {wanted}; take one element, as in x[0]"
            raise TypeError(msg if self.ndim == 1 else msg.replace("x[0]", "x[0, ...]"))
        if self.dtype.kind == "complex" and wanted != "a complex":
            raise TypeError(f"{self.dtype} has two parts, and {wanted} one; take xp.real(x) first")
        return self.native

    def item(self) -> Any:
        """Return the one element as a number of Python."""
        return self._xp._backend.to_numpy(self.native).item()

    def tolist(self) -> Any:
        """Return the elements as numbers of Python, in lists."""
        return self._xp._backend.to_numpy(self.native).tolist()

    # other libraries

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        return np.array(self._xp._backend.to_numpy(self.native), dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **given: Any) -> Any:
        return apply_ufunc(self._xp, ufunc, method, inputs, given)

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
        native = self._xp._backend.exported(self.native, self.dtype)
        return native.__dlpack__(**{name: x for name, x in asked.items() if x is not None})

    def __dlpack_device__(self) -> Any:
        return self._xp._backend.exported(self.native, self.dtype).__dlpack_device__()

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
            raise TypeError(f"{spec!r} formats one number, and this has shape {self.shape}")
        return format(self.item() if spec else str(self), spec)

    def __getattr__(self, name: str) -> Any:
        told = f"an array has no attribute {name!r}"
        if not name.startswith("_"):
            known = name in dir(self._xp) and callable(getattr(self._xp, name))
            told += f"; use xp.{name}(x)" if known else did_you_mean(name, dir(self))[0]
        raise AttributeError(told)


def _rebuilt(xp: Namespace, native: Any, dtype: DType, weak: bool) -> Array:
    return xp._array(xp, native, key_of(dtype, weak))


def unwrapped(key: Any) -> Any:
    """Return an index with arrays of the backend in place of ours."""
    if isinstance(key, tuple):
        return tuple(unwrapped(k) for k in key)
    return key.native if isinstance(key, Array) else key


def _refused(name: str, other: Any) -> Any:
    """Leave an operator to the other operand's class, but for lists, whose own would surprise."""
    if isinstance(other, (list, tuple)):
        kind = type(other).__name__
        raise TypeError(f"{name} takes no {kind}; make an array of it first, with xp.asarray(y)")
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
