"""The dtypes of a namespace: equal to ours of the same name, and they make strong scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.dtypes import DType
from ..core.errors import DTypeError
from ..core.operands import dtype

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace


class DataType:
    """A dtype of a namespace, such as ``xp.int16``; calling it makes a strong scalar.

    It is equal to the `supremum.DType` of its name, has its attributes, and stands for it wherever
    a dtype is expected.

    >>> import supremum
    >>> xp = supremum.namespace("jax")
    >>> xp.int16(1) + 1, xp.int16 == supremum.dtype("int16")
    (Array(2, dtype=int16), True)
    """

    __slots__ = ("_dtype", "_xp")

    def __init__(self, xp: Namespace, d: DType) -> None:
        self._xp = xp
        self._dtype = d

    def __call__(self, value: Any = 0, /) -> Array:
        """Return an array of this dtype, which is strong, from whatever `asarray` takes."""
        return self._xp.asarray(value, dtype=self._dtype)  # type: ignore[no-any-return]  # it is one

    def __eq__(self, other: object) -> bool:
        try:
            return as_dtype(other) is self._dtype
        except DTypeError:
            return False

    def __hash__(self) -> int:
        return hash(self._dtype)

    def __repr__(self) -> str:
        return f"{self._xp}.{self._dtype}"

    def __str__(self) -> str:
        return self._dtype.name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dtype, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self._xp, self._dtype.name)


def as_dtype(x: Any) -> DType:
    """Return the dtype of ours that something stands for.

    Raises:
        DTypeError: for something that is not a dtype.
    """
    return x._dtype if isinstance(x, DataType) else dtype(x)


def imaginary_part_lost(given: DType, wanted: DType) -> TypeError:
    """Return the error for a cast from complex to real."""
    return TypeError(
        f"cannot cast {given} to {wanted}: the imaginary part would be lost; take xp.real(x) or "
        f"xp.imag(x) first"
    )
