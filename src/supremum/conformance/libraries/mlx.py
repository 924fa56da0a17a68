"""How MLX is asked: ``mx.result_type`` for arrays, ``mx.add`` where there are Python numbers."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ...core.dtypes import DType
from ..library import Library


class Mlx(Library):
    """MLX on the CPU, which has float64."""

    def configure(self, **setting: Any) -> None:
        """Keep to the CPU."""
        import mlx.core as mx

        super().configure(**setting)
        mx.set_default_device(mx.cpu)

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        import mlx.core as mx

        return mx.array(values).astype(d.to("mlx"))

    def ask(self, *operands: Any) -> str:
        """Return what MLX makes of operands: numbers are added to the others in their order."""
        import mlx.core as mx

        if all(isinstance(x, mx.array) for x in operands):
            return super().ask(*operands)
        whole = reduce(mx.add, operands) if len(operands) > 1 else mx.array(operands[0])
        return self.name_of(whole)

    def name_of(self, found: Any) -> str:
        """Return the name of a dtype, or of that of an array, which is computed: that may fail."""
        import mlx.core as mx

        if isinstance(found, mx.array):
            mx.eval(found)
        return super().name_of(found)


LIBRARY = Mlx(
    "mlx",
    "mlx==0.32.4",  # with mlx-cpu where there is no Metal
    scalars=(True, 1, 1.0, 1j, -1, 300, 2**31, 2**63, 1e39),
    roots=("mlx.core", "mlx.core.linalg", "mlx.core.fft"),
    calls={"round": "(x)", "reshape": "(x,(3,))"},
    unasked=("arange", "linspace"),  # which take numbers alone
    names={"deg2rad": "radians", "rad2deg": "degrees"},
)
