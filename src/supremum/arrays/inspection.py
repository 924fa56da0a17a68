"""Inspecting a namespace."""

from __future__ import annotations

from typing import Any

from ..core.dtypes import by_name
from .array import DataType, data_type
from .data_types import isdtype
from .engine import Engine

__all__ = ["__array_namespace_info__"]

_STANDARD = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
    "float64", "complex64", "complex128",
)  # fmt: skip


class Info:
    """The inspection API of a namespace.

    Args:
        engine: that of the namespace.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def capabilities(self) -> dict[str, Any]:
        """Return the capabilities that the standard leaves optional."""
        return self._engine.backend.capabilities()

    def default_device(self) -> Any:
        """Return the default device."""
        return self._engine.backend.default_device()

    def devices(self) -> tuple[Any, ...]:
        """Return the supported devices."""
        return tuple(self._engine.backend.devices())

    def default_dtypes(self, *, device: Any = None) -> dict[str, Any]:  # noqa: ARG002  # the same on all
        """Return the default dtypes."""
        defaults = self._engine.decider.defaults
        return {
            "real floating": data_type(defaults.float),
            "complex floating": data_type(defaults.complex),
            "integral": data_type(defaults.int),
            "indexing": data_type(defaults.index),
        }

    def dtypes(self, *, device: Any = None, kind: Any = None) -> dict[str, DataType]:  # noqa: ARG002  # the same
        """Return the supported dtypes of the standard, or those of a kind."""
        found = {}
        for name in _STANDARD:
            d = by_name(name)
            there = self._engine.backend.has(d) and self._engine.decider.knows(d)
            if there and (kind is None or isdtype(self._engine, d, kind)):
                found[name] = DataType(d, self._engine)
        return found


def __array_namespace_info__(engine: Engine) -> Info:  # noqa: N807  # the standard's name
    """Return the inspection API of the namespace."""
    return Info(engine)
