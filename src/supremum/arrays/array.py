"""The array, and its dtype: data of a backend, and whether it is weak; `operators` has the rest."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from inspect import getattr_static
from math import prod
from typing import TYPE_CHECKING, Any, Final

from ..core.dtypes import DType, by_name, dtype, names
from ..core.errors import DTypeError

Axes = int | tuple[int, ...] | None
"""Which axes a function works along; None for all of them."""


WHOLE: Final = ("signed", "unsigned")
"""The kinds of integers."""

LETTERS: Final = {"bool": "b", "signed": "i", "unsigned": "u", "float": "f", "complex": "c"}

_NOT_READ: Final = TypeError, ValueError, SyntaxError, DeprecationWarning
"""What `numpy.dtype` raises for text that is not a dtype: it parses some as Python's literals."""


def _of_numpy(x: Any) -> Any:
    """Return a dtype of NumPy for a type of Python and for a short code, such as ``"f8"``."""
    is_short = isinstance(x, str) and x not in names()
    if not is_short and not any(x is kind for kind in (int, float, complex)):
        return x
    import numpy as np

    return np.dtype(x)


class DataType:
    """The dtype of arrays: it answers what code for NumPy asks of one as NumPy's own do.

    It is equal to the `supremum.DType` of its name, has its attributes, and stands for it wherever
    a dtype is expected. It is also equal to NumPy's dtype and scalar type, and to its name; `kind`
    and `itemsize` are those of NumPy. Called, that of a namespace makes a scalar that is strong, as
    NumPy's scalar types do.

    Args:
        d: the `supremum.DType`.
        engine: that of the namespace which has it; None for the dtype of any arrays.

    Attributes:
        plain: the `supremum.DType`.

    >>> import supremum
    >>> xp = supremum.namespace("jax", backend="numpy")
    >>> d = xp.ones(3, dtype="float32").dtype
    >>> d == "float32", d == supremum.dtype("float32"), d.kind in "cf", d.itemsize
    (True, True, True, 4)
    >>> xp.int16(1) + 1, xp.int16 == supremum.dtype("int16")
    (supremum.Array(2, dtype=int16), True)
    """

    __slots__ = ("_engine", "plain")

    def __init__(self, d: DType, engine: Any = None) -> None:
        self.plain = d
        self._engine = engine

    def __call__(self, value: Any = 0, /) -> Array:
        """Return an array of this dtype, which is strong, from whatever `asarray` takes.

        Raises:
            TypeError: for the dtype of an array, which is of no namespace.
        """
        if self._engine is None:
            msg = f"the dtype of an array makes no scalars; write xp.{self.plain}({value!r})"
            raise TypeError(msg)
        return self._engine.namespace.asarray(value, dtype=self.plain)  # type: ignore[no-any-return]  # it is an array

    @property
    def kind(self) -> str:
        """The letter of NumPy for its kind: ``b``, ``i``, ``u``, ``f`` or ``c``."""
        return LETTERS[self.plain.kind]

    @property
    def itemsize(self) -> int:
        """How many bytes an element takes."""
        return max((self.plain.bits or 0) // 8, 1)

    def __eq__(self, other: object) -> bool:
        if other is self or other is self.plain:
            return True
        try:
            return as_dtype(_of_numpy(other)) is self.plain
        except (DTypeError, *_NOT_READ):
            return False

    def __hash__(self) -> int:
        return hash(self.plain)

    def __repr__(self) -> str:
        return f"{self._engine}.{self.plain}" if self._engine else repr(self.plain)

    def __str__(self) -> str:
        return self.plain.name

    if TYPE_CHECKING:  # `plain` has them
        name: str
        weak: bool
        bits: int | None
        precision: int | None
        max: Any
        min: Any
        min_exponent: int | None
        max_exponent: int | None
        smallest_normal: Any
        has_inf: bool
        has_nan: bool
        signed_zero: bool
        part: DType
        code: str | None

        def to(self, library: str) -> Any:
            """Return the dtype of a library; see `supremum.DType`."""

    else:

        @property
        def __class__(self) -> type:  # some ask whether a dtype is one of NumPy's
            numpy = sys.modules.get("numpy")
            return type(self) if numpy is None else numpy.dtype  # type: ignore[no-any-return]  # a class

        def __getattr__(self, name: str) -> Any:
            own = self.plain
            if not name.startswith("_") and not hasattr(own, name):
                with suppress(DTypeError, ImportError):
                    own = own.to("numpy")
            return getattr(own, name)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._engine is None:
            return data_type, (self.plain,)
        return getattr, (self._engine.namespace, self.plain.name)


@cache
def data_type(d: DType) -> DataType:
    """Return the dtype of arrays of a dtype; there is one for each."""
    return DataType(d)


def as_dtype(x: Any) -> DType:
    """Return the dtype of ours that something stands for.

    Raises:
        DTypeError: for something that is not a dtype.
    """
    return x.plain if isinstance(x, DataType) else dtype(x)


def imaginary_part_lost(given: DType, wanted: DType) -> TypeError:
    """Return the error for a cast from complex to real."""
    return TypeError(
        f"cannot cast {given} to {wanted}: the imaginary part would be lost; take xp.real(x) or "
        f"xp.imag(x) first"
    )


def complex_of(d: DType) -> DType:
    """Return the complex dtype with parts of a float dtype, or the least one wider."""
    return d if d.kind == "complex" else by_name("complex128" if d.bits == 64 else "complex64")


def summed_in(d: DType) -> DType:
    """Return the dtype that numbers of a dtype are added up in: narrow floats have too few bits."""
    if d.kind not in ("float", "complex") or (d.part.bits or 0) >= 32:
        return d
    return by_name("float32" if d.kind == "float" else "complex64")


class Key:
    """What a decision depends on, of an array; there is one object for each combination.

    Attributes:
        dtype: its dtype.
        weak: whether it is weak.
        flat: the key of such an array if it is 0-d.
        data_type: its dtype, as users get it.
        is_index: whether arrays of it are an index: those of integers and bools are.
        stores: what arrays of it are known to store where the library takes that itself: keys of
            others, and the types of Python numbers; for int, with the least and the largest one.
    """

    __slots__ = ("data_type", "dtype", "flat", "is_index", "stores", "weak")

    def __init__(self, dtype: DType, weak: bool) -> None:
        self.dtype = dtype
        self.weak = weak
        self.flat: Any = None
        self.data_type = data_type(dtype)
        self.is_index = dtype.kind in (*WHOLE, "bool")
        self.stores: dict[Any, tuple[int, int] | None] = {}

    def __repr__(self) -> str:
        return f"{self.dtype}*" if self.weak else str(self.dtype)


_keys: dict[tuple[DType, bool], Key] = {}


def key_of(dtype: DType, weak: bool = False) -> Key:  # noqa: FBT002  # most are not
    """Return the key of arrays of a dtype."""
    found = _keys.get((dtype, weak))
    if found is None:
        found = Key(dtype, weak)
        found.flat = Key(dtype, weak)
        found = _keys.setdefault((dtype, weak), found)
    return found


# NumPy swaps `x[i], x[j] = x[j], x[i]`, where rows are views, and so duplicates them.
warnings.filterwarnings("error", r"you are shuffling a '\w*Array' object", UserWarning)


class NoMethod:
    """A function of the namespace, in the place of a method that arrays do not have.

    It says so, and what to type. `__getattr__` would, too, but every attribute takes ten times as
    long on Python 3.11 if a class has it.
    """

    def __init__(self, name: str, instead: str = "") -> None:
        self.name, self.instead = name, instead or f"xp.{name}(x)"

    def __get__(self, array: Any, owner: Any = None) -> Any:
        name = self.name
        what = f"an array has no attribute {name!r}; use {self.instead}"
        raise AttributeError(what, name=name)


class Array:
    """An array whose results follow some rules, whatever library computes them.

    It is made by the functions of a namespace, such as `asarray`.

    Attributes:
        native: the array of the backend's library that holds the values.
        engine: what decides and computes: the `Engine` of its namespace.
        key: what a decision depends on.
        sharing: the `Memory` of its elements, if it shares them with others on NumPy.

    >>> import supremum
    >>> xp = supremum.namespace("jax", backend="numpy")
    >>> xp.asarray([1, 2], dtype=xp.int16) + 1
    supremum.Array([2, 3], dtype=int16)
    """

    __slots__ = ("__weakref__", "engine", "key", "native", "sharing")

    if TYPE_CHECKING:  # `Engine.same` sets them: a call of a class with `__init__` takes longer
        engine: Any
        native: Any
        key: Key
        sharing: Any

    # attributes

    @property
    def dtype(self) -> DataType:
        """Its dtype, which is equal to that of the namespace, such as ``xp.float32``."""
        return self.key.data_type

    @property
    def weak_type(self) -> bool:
        """Whether it defers to the width of others."""
        return self.key.weak

    @property
    def shape(self) -> tuple[int | None, ...]:
        """Its lengths; None for one that is not known yet."""
        if self.engine.native_type is not None:
            return tuple(self.native.shape)
        return tuple(None if n != n else int(n) for n in self.native.shape)  # noqa: PLR0124  # NaN

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.native.ndim  # type: ignore[no-any-return]  # it is an int

    @property
    def size(self) -> int | None:
        """The number of elements; None if it is not known yet."""
        shape = self.shape
        return None if None in shape else prod(shape)  # type: ignore[arg-type]  # they are ints

    @property
    def nbytes(self) -> int | None:
        """How many bytes its elements take; None if their number is not known yet."""
        return None if self.size is None else self.size * self.dtype.itemsize

    @property
    def device(self) -> Any:
        """The device that it is on."""
        return self.engine.backend.device(self.native)

    @property
    def is_mutable(self) -> bool:
        """Whether the backend's arrays can be changed, and their views share memory."""
        return bool(self.engine.backend.is_mutable)

    def __array_namespace__(self, /, *, api_version: str | None = None) -> Any:
        """Return the namespace that its functions are in."""
        return self.engine.namespace.of_version(api_version)

    def astype(self, dtype: Any, *, copy: bool = True) -> Array:
        """Return it in another dtype, as the function `astype` does."""
        return self.engine.namespace.astype(self, dtype, copy=copy)  # type: ignore[no-any-return]  # the same

    def to_device(self, device: Any, /, *, stream: Any = None) -> Array:
        """Return it on another device."""
        native = self.engine.backend.to_device(self.native, device, stream)
        return self.engine.same(native, self.key)  # type: ignore[no-any-return]  # it is an array

    # operators

    if TYPE_CHECKING:  # `operators` adds them, and those in place

        @property
        def T(self) -> Array:  # noqa: N802  # the standard's name
            """The transpose of a matrix."""

        @property
        def mT(self) -> Array:  # noqa: N802  # the standard's name
            """The transpose of a matrix, or of each matrix of a stack."""

        def __getitem__(self, key: Any, /) -> Array: ...
        def __setitem__(self, key: Any, value: Any, /) -> None: ...
        def __contains__(self, value: Any, /) -> bool: ...
        def __neg__(self) -> Array: ...
        def __pos__(self) -> Array: ...
        def __abs__(self) -> Array: ...
        def __invert__(self) -> Array: ...
        def __add__(self, other: Any, /) -> Array: ...
        def __sub__(self, other: Any, /) -> Array: ...
        def __mul__(self, other: Any, /) -> Array: ...
        def __truediv__(self, other: Any, /) -> Array: ...
        def __floordiv__(self, other: Any, /) -> Array: ...
        def __mod__(self, other: Any, /) -> Array: ...
        def __pow__(self, other: Any, /) -> Array: ...
        def __matmul__(self, other: Any, /) -> Array: ...
        def __and__(self, other: Any, /) -> Array: ...
        def __or__(self, other: Any, /) -> Array: ...
        def __xor__(self, other: Any, /) -> Array: ...
        def __lshift__(self, other: Any, /) -> Array: ...
        def __rshift__(self, other: Any, /) -> Array: ...
        def __radd__(self, other: Any, /) -> Array: ...
        def __rsub__(self, other: Any, /) -> Array: ...
        def __rmul__(self, other: Any, /) -> Array: ...
        def __rtruediv__(self, other: Any, /) -> Array: ...
        def __rfloordiv__(self, other: Any, /) -> Array: ...
        def __rmod__(self, other: Any, /) -> Array: ...
        def __rpow__(self, other: Any, /) -> Array: ...
        def __rmatmul__(self, other: Any, /) -> Array: ...
        def __rand__(self, other: Any, /) -> Array: ...
        def __ror__(self, other: Any, /) -> Array: ...
        def __rxor__(self, other: Any, /) -> Array: ...
        def __rlshift__(self, other: Any, /) -> Array: ...
        def __rrshift__(self, other: Any, /) -> Array: ...
        def __eq__(self, other: Any, /) -> Array: ...  # type: ignore[override]  # not a bool
        def __ne__(self, other: Any, /) -> Array: ...  # type: ignore[override]  # the same
        def __lt__(self, other: Any, /) -> Array: ...
        def __le__(self, other: Any, /) -> Array: ...
        def __gt__(self, other: Any, /) -> Array: ...
        def __ge__(self, other: Any, /) -> Array: ...

    # parts

    def __len__(self) -> int:
        try:
            return len(self.native)
        except (TypeError, ValueError):  # of a 0-d array, and of one whose length is not known
            pass
        if not self.ndim:
            raise TypeError("a 0-d array does not have a length")
        length = self.shape[0]
        if length is None:
            raise TypeError("the length of the array is not known, as it depends on values")
        return length

    def __iter__(self) -> Iterator[Array]:
        native = self.native
        if not native.ndim:
            raise TypeError("cannot iterate over a 0-d array")
        if native.ndim == 1 and type(native) is self.engine.native_type:
            return self._elements()
        return (self[index] for index in range(len(self)))

    def _elements(self) -> Iterator[Array]:
        """Give the elements of an array with one dimension, each as it is then."""
        engine = self.engine
        make, element_of = engine.array_type, engine.element_of
        for index in range(len(self.native)):
            made = make()  # as `Engine.same` does, whose call takes as long as this
            made.engine = engine
            made.native = element_of(self.native[index])
            made.key = self.key
            made.sharing = None
            yield made

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
        if self.key.dtype.kind not in WHOLE:
            raise TypeError(f"an index must be an integer, not {self.key.dtype}")
        return int(self._one("an index"))

    def __round__(self, digits: int | None = None) -> Any:
        if digits:
            raise TypeError("round(x, n) is not supported; scale, use xp.round, and divide")
        return (
            self.engine.namespace.round(self)
            if self.ndim or digits is not None
            else round(float(self))
        )

    def __divmod__(self, other: Any) -> tuple[Array, Array]:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> tuple[Array, Array]:
        return other // self, other % self

    def _one(self, wanted: str) -> Any:
        """Return the data of an array that is converted to a Python number."""
        native = self.native
        if native.ndim:
            what = f"cannot convert an array of shape {self.shape} to {wanted}"
            element = "x[0]" if self.ndim == 1 else "x[0, ...]"
            raise TypeError(f"{what}; take one element, as in {element}")
        if self.key.dtype.kind == "complex" and wanted != "a complex":
            raise TypeError(f"cannot convert {self.key.dtype} to {wanted}; take xp.real(x) first")
        return native

    def item(self) -> Any:
        """Return the only element as a Python number."""
        return self.engine.backend.to_numpy(self.native).item()

    def tolist(self) -> Any:
        """Return the elements as Python numbers, in nested lists."""
        return self.engine.backend.to_numpy(self.native).tolist()

    # other libraries

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        return np.array(self.engine.backend.to_numpy(self.native), dtype=dtype, copy=copy)

    def __arrow_array__(self, type: Any = None) -> Any:
        import numpy as np
        import pyarrow as pa  # type: ignore[import-not-found,unused-ignore]  # if it asks, it is there

        return pa.array(np.asarray(self), type=type)

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any:
        return self.__arrow_array__().__arrow_c_array__(requested_schema)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **given: Any) -> Any:
        return self.engine.namespace.on_ufunc(ufunc, method, inputs, given)

    def __array_function__(
        self, function: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        return self.engine.namespace.on_function(function, args, kwargs)

    def __jax_array__(self) -> Any:
        return self.engine.backend.to_jax(self.native)

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
        native = self.engine.backend.exported(self.native, self.key.dtype)
        return native.__dlpack__(**{name: x for name, x in asked.items() if x is not None})

    def __dlpack_device__(self) -> Any:
        return self.engine.backend.exported(self.native, self.key.dtype).__dlpack_device__()

    # as an object

    __hash__ = None  # type: ignore[assignment]  # it can change

    def __copy__(self) -> Array:
        return self.engine.same(self.engine.backend.copied(self.native), self.key)  # type: ignore[no-any-return]  # the same

    def __deepcopy__(self, memo: dict[int, Any]) -> Array:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.engine, self.native, self.key.dtype, self.key.weak)

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return self.engine.backend.text(self.native, f"dtype={self.key.dtype}{weak}")  # type: ignore[no-any-return]  # a str

    def __format__(self, spec: str) -> str:
        if spec and self.ndim:
            raise TypeError(f"{spec!r} formats one number, not an array of shape {self.shape}")
        return format(self.item() if spec else str(self), spec)

    def __dir__(self) -> list[str]:
        return [n for n in super().__dir__() if not isinstance(getattr_static(self, n), NoMethod)]


def _rebuilt(engine: Any, native: Any, dtype: DType, weak: bool) -> Array:
    return engine.same(native, key_of(dtype, weak))  # type: ignore[no-any-return]  # it is an array
