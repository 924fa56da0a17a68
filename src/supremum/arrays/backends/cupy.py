"""The cupy backend: CuPy, through array-api-compat."""

from __future__ import annotations

from typing import Any

import cupy
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

    def generator(self, seed: int) -> Any:
        """Return what draws its random numbers, started with a seed."""
        return cupy.random.default_rng(seed)

    def permutation(self, draw: Any, n: int) -> Any:
        """Return the integers of [0, n) in random order; its generators have no function for it."""
        return cupy.argsort(draw.integers(0, 2**63, n))


BACKEND = CuPyBackend("cupy", "CuPy", xp)
