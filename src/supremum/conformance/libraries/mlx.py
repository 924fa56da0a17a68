"""How MLX is asked: ``mx.result_type`` for arrays, ``mx.add`` where there are Python numbers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from typing import Any

from ...core.dtypes import dtype
from ...core.operands import Operand
from ..calls import call

SYSTEM = "mlx"
DISTRIBUTION = "mlx==0.32.4"  # with mlx-cpu where there is no Metal
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1, 0)
SCALARS = (True, 1, 1.0, 1j, -1, 300, 2**31, 2**63, 1e39)
NARY = True
CALLS = {"round": "(x)"}
NAMES = {"deg2rad": "radians", "rad2deg": "degrees"}


def version() -> str:
    """Return the release that is installed."""
    from importlib.metadata import version

    return version("mlx")


def configure() -> None:
    """Keep to the CPU, which has float64."""
    import mlx.core as mx

    mx.set_default_device(mx.cpu)


def make(op: Operand) -> Any:
    """Return an array, or a Python number."""
    import mlx.core as mx

    if op.form.startswith("Python"):
        return op.value
    if op.rank == 2:
        return mx.eye(3).astype(op.dtype.to("mlx"))
    return mx.ones((3,) * (op.rank or 0), dtype=op.dtype.to("mlx"))


def ask(*operands: Any) -> str:
    """Return what MLX makes of some operands: numbers are added to the others in their order."""
    import mlx.core as mx

    if all(isinstance(x, mx.array) for x in operands):
        return dtype(mx.result_type(*operands)).name
    if len(operands) == 1:
        return dtype(mx.array(operands[0]).dtype).name
    return dtype(reduce(mx.add, operands).dtype).name


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import mlx.core as mx

    return mx, mx.linalg, mx.fft


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result, which is computed, as that may be refused."""
    import mlx.core as mx

    mask, index = mx.ones(3, dtype=mx.bool_), mx.ones(3, dtype=mx.int32)
    found = call(THIS, function, operands, mask, index)
    first = found[0] if isinstance(found, (tuple, list)) else found
    mx.eval(first)
    return dtype(first.dtype).name


THIS = sys.modules[__name__]
