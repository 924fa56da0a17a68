"""Random numbers, as a library draws them."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import DType


def drawn_as(d: DType) -> str:
    """Return the name of NumPy's dtype in which integers of a dtype are drawn."""
    return "int8" if d.kind == "bool" or (d.bits or 0) < 8 else d.name


class Drawing:
    """What draws random numbers, with a library whose functions are NumPy's by name."""

    ns: Any

    def dtype(self, d: DType) -> Any:
        """Return the library's own dtype of the same name."""
        raise NotImplementedError

    def generator(self, seed: int) -> Any:
        """Return what draws its random numbers, started with a seed."""
        return self.ns.random.default_rng(seed)

    def uniform(self, draw: Any, shape: tuple[int, ...], d: DType) -> Any:
        """Return floats of [0, 1) of a dtype, float32 or float64."""
        return draw.random(shape, dtype=self.dtype(d))

    def normal(self, draw: Any, shape: tuple[int, ...], d: DType) -> Any:
        """Return floats of the standard normal distribution, float32 or float64."""
        return draw.standard_normal(shape, dtype=self.dtype(d))

    def integers(self, draw: Any, low: int, high: int, shape: tuple[int, ...], d: DType) -> Any:
        """Return integers of [low, high), which a dtype holds; they may have a wider one."""
        return draw.integers(low, high, shape, dtype=drawn_as(d))

    def permutation(self, draw: Any, n: int) -> Any:
        """Return the integers of [0, n) in random order."""
        return draw.permutation(n)
