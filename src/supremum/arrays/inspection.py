"""Asking a namespace what it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from supremum.arrays.data_types import isdtype
from supremum.dtypes import DType, by_name

if TYPE_CHECKING:
    from supremum.arrays.space import Namespace

__all__ = ["__array_namespace_info__"]

_STANDARD = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip


class Info:
    """What a namespace has, as the standard has it asked.

    Args:
        xp: the namespace.
    """

    def __init__(self, xp: Namespace) -> None:
        self._xp = xp

    def capabilities(self) -> dict[str, Any]:
        """Return what the standard lets libraries leave out, and the most dimensions."""
        return self._xp._backend.capabilities()

    def default_device(self) -> Any:
        """Return the device of arrays that are made without one."""
        return self._xp._backend.default_device()

    def devices(self) -> tuple[Any, ...]:
        """Return the devices that there are."""
        return tuple(self._xp._backend.devices())

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:  # noqa: ARG002  # the same on all
        """Return the dtypes of what is made without one."""
        defaults = self._xp.decider.defaults
        return {
            "real floating": defaults.float,
            "complex floating": defaults.complex,
            "integral": defaults.int,
            "indexing": self._xp.decider.index,
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:  # noqa: ARG002  # the same
        """Return the standard's dtypes that there are, or those of a kind."""
        found = {}
        for name in _STANDARD:
            d = by_name(name)
            there = self._xp._backend.has(d) and self._xp.decider.knows(d)
            if there and (kind is None or isdtype(self._xp, d, kind)):
                found[name] = getattr(self._xp, name)
        return found


def __array_namespace_info__(xp: Namespace) -> Info:  # noqa: N807  # the standard's name
    """Return what answers questions about the namespace."""
    return Info(xp)
