"""The cupy backend: CuPy, through array-api-compat."""

from __future__ import annotations

from typing import Any

from array_api_compat import cupy as xp
from array_api_compat import is_cupy_array, to_device

from .base import Backend


class CuPyBackend(Backend):
    """CuPy."""

    def is_own(self, x: Any) -> bool:
        """Tell whether something is an array of CuPy."""
        return is_cupy_array(x)

    def to_device(self, data: Any, device: Any, stream: Any = None) -> Any:
        """Return an array on another device."""
        return to_device(data, device, stream=stream)

    def to_numpy(self, data: Any) -> Any:
        """Return an array of NumPy with the same values."""
        return data.get()


BACKEND = CuPyBackend("cupy", "CuPy", xp)
