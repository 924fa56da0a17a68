"""How the array API is asked: array-api-strict, by its ``result_type``.

Its operators say the same, where they take the dtypes at all, as ``+`` takes no bools.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..calls import own_dtype
from ..library import Library


class Strict(Library):
    """array-api-strict, which follows a version of the standard."""

    def configure(self, **setting: Any) -> None:
        """Bring array-api-strict to a version of the standard."""
        self.namespaces()[0].set_array_api_strict_flags(api_version=setting["version"])

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        xp = self.namespaces()[0]
        return xp.astype(xp.asarray(values), own_dtype(xp, d))

    def call(self, function: str, operands: Sequence[Any]) -> Any:
        """Return the result of a function."""
        if FUNCTIONS[function].category == "store":
            left = self.namespaces()[0].asarray(operands[0], copy=True)
            left += operands[1]
            return left
        return super().call(function, operands)


def _mixes_signs(operands: Sequence[Operand]) -> bool:
    names = {x.dtype.name for x in operands}
    return "uint64" in names and any(x.dtype.kind == "signed" for x in operands)


LIBRARY = Strict(
    "array-api",
    "array-api-strict==2.6.1",
    module="array_api_strict",
    settings=({"version": "2024.12"}, {"version": "2025.12"}),
    scalars=(True, 1, 1.0, 1j),
    function_scalars=(True, 1, 1.0),  # functions of reals are not checked for a complex number
    roots=("array_api_strict", "array_api_strict.linalg", "array_api_strict.fft"),
    # These hand mixed dtypes on to NumPy, without a look at the standard's rules; and norm stands
    # for the norms of the standard.
    unasked=(
        "matmul", "tensordot", "vecdot", "outer", "linalg.outer", "cross", "linalg.cross", "norm",
    ),
    calls={
        "round": "(x)",
        "squeeze": "(m[:1,:],0)",
        "reshape": "(x,(3,))",
        "tile": "(x,(2,))",
        "take_along_axis": "(x,i)",
    },
    # The standard leaves uint64 with signed bounds undefined; array-api-strict accepts them.
    unmodelled={"clip": _mixes_signs},
)  # fmt: skip
