"""How PaddlePaddle is asked: by adding."""

from __future__ import annotations

from functools import reduce
from typing import Any

from ...core.dtypes import DType
from ..library import Library


class Paddle(Library):
    """PaddlePaddle, whose tensors are computed at once."""

    def configure(self, **setting: Any) -> None:
        """Compute at once."""
        import paddle

        super().configure(**setting)
        paddle.disable_static()

    def filled(self, values: Any, d: DType) -> Any:
        """Return a tensor of some values."""
        import paddle

        made = paddle.to_tensor(values).astype(d.name)
        if self.name_of(made) != d.name:
            raise TypeError(f"Paddle takes the name {d} for {self.name_of(made)}")
        return made

    def ask(self, *operands: Any) -> str:
        """Return the dtype of the sum, from the left.

        Where the CPU has no kernel that adds float16 or bfloat16, ``copysign`` is asked, which
        promotes as ``add`` does and has one. (``//`` does not: it knows no 0-d tensors.)
        """
        return self.name_of(reduce(_add, operands))

    def name_of(self, found: Any) -> str:
        """Return the name of the dtype of a tensor."""
        return str(found.dtype).rpartition(".")[2]

    def operate(self, function: str, *operands: Any) -> str:
        """Return the dtype of a function's result."""
        return self.ask(*operands) if function == "add" else super().operate(function, *operands)


def _add(x: Any, y: Any) -> Any:
    try:
        return x + y
    except RuntimeError as error:
        if "NotFound" not in str(error):
            raise
    import paddle

    return paddle.copysign(y, x) if isinstance(x, bool) else paddle.copysign(x, y)


LIBRARY = Paddle(
    "paddle",
    "paddlepaddle==3.3.1",
    scalars=(True, 1, 300, 2**40, 1.0, 1j),
    nary_settings=(),
    roots=("paddle",),
    names={"negative": "neg", "invert": "bitwise_not", "cumulative_sum": "cumsum"},
    calls={"round": "(x)"},
)
