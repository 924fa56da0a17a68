"""How ndonnx is asked: by its ``result_type``, and by graphs of arrays that have no values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.operands import Operand
from ..calls import own_dtype
from ..library import Library


class NDOnnx(Library):
    """ndonnx, whose arrays here are arguments of a graph."""

    def filled(self, values: Any, d: DType) -> Any:
        """Return an argument with the shape of some values."""
        import ndonnx
        import numpy as np

        return ndonnx.argument(shape=np.shape(values), dtype=own_dtype(ndonnx, d))


def _is_long(operands: Sequence[Operand]) -> bool:
    """Return whether ndonnx would compute two to the power of a large number itself."""
    return isinstance(operands[1].number, int) and operands[1].number > 300


LIBRARY = NDOnnx(
    "ndonnx",
    "ndonnx==0.23.0",
    scalars=(True, 1, 300, -1, 2**63, 2**70, 1.0, 1e300, 1j),
    roots=("ndonnx",),
    function_scalars=(True, 1, 300, -1, 2**63, 2**70, 1.0, 1e300),
    calls={
        "reshape": "(x,(3,))",
        "expand_dims": "(x,axis=0)",
        "squeeze": "(m[:1,:],0)",
        "tile": "(x,(2,))",
    },
    unasked=("full", "linspace"),  # which take numbers alone
    unmodelled={"right_shift": _is_long},
)
