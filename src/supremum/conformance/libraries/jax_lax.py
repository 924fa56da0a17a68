"""How ``jax.lax`` is asked: ``lax.add``, traced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.operands import Operand
from .jax import LIBRARY as JAX
from .jax import Jax, traced


class Lax(Jax):
    """The functions of ``jax.lax``, of arrays without dimensions."""

    def more(self, _: Sequence[DType]) -> list[Operand]:
        """Return nothing: weakly typed arrays are not asked about."""
        return []

    def ask(self, *operands: Any) -> str:
        """Return the dtype of ``lax.add``'s result, without computing it."""
        import jax

        return self.name_of(traced(lambda given: jax.lax.add(*given), operands))


LIBRARY = Lax(
    "jax-lax",
    JAX.distribution,
    module="jax",
    settings=({"x64": True}, {"x64": False}),
    ranks=(0,),
    scalars=(True, 1, 1.0, 1j),
    nary_settings=(),
)
