"""Inspecting a namespace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.dtype_names import by_name
from ..core.dtypes import DType
from .data_type import data_type
from .data_types import isdtype

if TYPE_CHECKING:
    from .space import Namespace

__all__ = ["__array_namespace_info__"]

_STANDARD = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip


class Info:
    """The inspection API of a namespace.

    Args:
        xp: the namespace.
    """

    def __init__(self, xp: Namespace) -> None:
        self._xp = xp

    def capabilities(self) -> dict[str, Any]:
        """Return the capabilities that the standard leaves optional."""
        return self._xp._backend.capabilities()

    def default_device(self) -> Any:
        """Return the default device."""
        return self._xp._backend.default_device()

    def devices(self) -> tuple[Any, ...]:
        """Return the supported devices."""
        return tuple(self._xp._backend.devices())

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:  # noqa: ARG002  # the same on all
        """Return the default dtypes."""
        defaults = self._xp.decider.defaults
        return {
            "real floating": data_type(defaults.float),
            "complex floating": data_type(defaults.complex),
            "integral": data_type(defaults.int),
            "indexing": data_type(defaults.index),
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DType]:  # noqa: ARG002  # the same
        """Return the supported dtypes of the standard, or those of a kind."""
        found = {}
        for name in _STANDARD:
            d = by_name(name)
            there = self._xp._backend.has(d) and self._xp.decider.knows(d)
            if there and (kind is None or isdtype(self._xp, d, kind)):
                found[name] = getattr(self._xp, name)
        return found


def __array_namespace_info__(xp: Namespace) -> Info:  # noqa: N807  # the standard's name
    """Return the inspection API of the namespace."""
    return Info(xp)
