"""How PaddlePaddle is asked: by adding."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import reduce
from typing import Any

from ...core.operands import Operand
from ..calls import call

SYSTEM = "paddle"
DISTRIBUTION = "paddlepaddle==3.3.1"
SETTINGS: tuple[dict[str, Any], ...] = ({},)
RANKS = (1, 0)
SCALARS = (True, 1, 300, 2**40, 1.0, 1j)
NARY = False
NAMES = {"negative": "neg", "invert": "bitwise_not", "cumulative_sum": "cumsum"}
CALLS = {"round": "(x)"}


def version() -> str:
    """Return the release that is installed."""
    import paddle

    return str(paddle.__version__)


def configure() -> None:
    """Bring Paddle into its one setting."""
    import paddle

    paddle.disable_static()


def make(op: Operand) -> Any:
    """Return a live operand."""
    if op.form.startswith("Python"):
        return op.value
    import paddle

    made = paddle.ones([3] * (1 if op.rank is None else op.rank), dtype=op.dtype.name)
    if _name(made) != op.dtype.name:
        raise TypeError(f"Paddle takes the name {op.dtype} for {_name(made)}")
    return made


def ask(*operands: Any) -> str:
    """Return the dtype of the sum, from the left.

    Where the CPU has no kernel that adds float16 or bfloat16, ``copysign`` is asked, which
    promotes as ``add`` does and has one. (``//`` does not: it knows no 0-d tensors.)
    """
    return _name(reduce(_add, operands))


def _add(x: Any, y: Any) -> Any:
    try:
        return x + y
    except RuntimeError as error:
        if "NotFound" not in str(error):
            raise
    import paddle

    return paddle.copysign(y, x) if isinstance(x, bool) else paddle.copysign(x, y)


def _name(x: Any) -> str:
    return str(x.dtype).rpartition(".")[2]


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import paddle

    return (paddle,)


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    return ask(*operands) if function == "add" else _name(call(THIS, function, operands))


THIS = sys.modules[__name__]
