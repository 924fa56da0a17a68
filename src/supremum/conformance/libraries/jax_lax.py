"""How ``jax.lax`` is asked: ``lax.add``, traced."""

from __future__ import annotations

from typing import Any

from ...core.dtypes import dtype
from ...core.operands import Operand
from . import jax as jax_numpy

SYSTEM = "jax-lax"
DISTRIBUTION = jax_numpy.DISTRIBUTION
SETTINGS = tuple({"x64": x64} for x64 in (True, False))
RANKS = (0,)
SCALARS = (True, 1, 1.0, 1j)
NARY = False

version = jax_numpy.version


def configure(*, x64: bool = True) -> None:
    """Switch 64-bit types."""
    jax_numpy.configure(x64=x64)


def make(op: Operand) -> Any:
    """Return the shape and dtype of a 0-d array, or a Python number."""
    return jax_numpy.make(op)


def ask(*operands: Any) -> str:
    """Return the dtype of ``lax.add``'s result, without computing it."""
    import jax

    arrays = [x for x in operands if isinstance(x, jax.ShapeDtypeStruct)]

    def add(*traced: Any) -> Any:
        left = list(traced)
        return jax.lax.add(
            *(left.pop(0) if isinstance(x, jax.ShapeDtypeStruct) else x for x in operands)
        )

    return dtype(jax.eval_shape(add, *arrays).dtype).name
