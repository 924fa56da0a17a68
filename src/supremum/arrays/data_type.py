"""The dtypes of arrays: equal to ours of the same name, and to NumPy's."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ..core.dtypes import DType, by_name, dtype, names
from ..core.errors import DTypeError

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
    a dtype is expected. It is also equal to NumPy's dtype and scalar type, and to its name, and
    `kind` and `itemsize` are those of NumPy. There is one for each dtype.

    Attributes:
        plain: the `supremum.DType`.

    >>> import supremum
    >>> d = supremum.namespace("jax").ones(3, dtype="float32").dtype
    >>> d == "float32", d == supremum.dtype("float32"), d.kind in "cf", d.itemsize
    (True, True, True, 4)
    """

    __slots__ = ("plain",)

    def __init__(self, d: DType) -> None:
        self.plain = d

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
        return repr(self.plain)

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
        return data_type, (self.plain,)


@cache
def data_type(d: DType) -> DataType:
    """Return a dtype as that of arrays."""
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
