"""The dtypes of namespaces: dtypes of arrays that make scalars, too."""

from __future__ import annotations

from typing import Any

from ..core.dtypes import DType
from .array import Array
from .data_type import DataType


class ScalarType(DataType):
    """A dtype of a namespace, such as ``xp.int16``; calling it makes a strong scalar.

    >>> import supremum
    >>> xp = supremum.namespace("jax")
    >>> xp.int16(1) + 1, xp.int16 == supremum.dtype("int16")
    (Array(2, dtype=int16), True)
    """

    __slots__ = ("_engine",)

    def __init__(self, engine: Any, d: DType) -> None:
        super().__init__(d)
        self._engine = engine

    def __call__(self, value: Any = 0, /) -> Array:
        """Return an array of this dtype, which is strong, from whatever `asarray` takes."""
        return self._engine.namespace.asarray(value, dtype=self.plain)  # type: ignore[no-any-return]  # it is an array

    def __repr__(self) -> str:
        return f"{self._engine}.{self.plain}"

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self._engine.namespace, self.plain.name)
