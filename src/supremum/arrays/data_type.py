"""The dtypes of a namespace: equal to ours of the same name, and they make strong scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from supremum.dtypes import DType
from supremum.errors import DTypeError
from supremum.operands import dtype

if TYPE_CHECKING:
    from supremum.arrays.array import Array
    from supremum.arrays.space import Namespace


class DataType:
    """A dtype of a namespace, such as ``xp.int16``; calling it makes a strong scalar.

    It is equal to the `supremum.DType` of its name, has its attributes, and stands for it wherever
    a dtype is wanted.

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
        """Return a number, or what `asarray` takes, as an array of this dtype, which is strong."""
        return self._xp.asarray(value, dtype=self._dtype)  # type: ignore[no-any-return]  # it is one

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (DType, DataType)):
            return hash(self) == hash(other)
        try:
            return dtype(other) is self._dtype
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
    """Return the dtype of ours that anything stands for.

    Raises:
        DTypeError: for what is no dtype.
    """
    return x._dtype if isinstance(x, DataType) else dtype(x)
