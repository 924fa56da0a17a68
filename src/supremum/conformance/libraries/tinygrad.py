"""How tinygrad is asked: the dtype of a sum, which is not computed, or ``least_upper_dtype``."""

from __future__ import annotations

import os
from typing import Any

from ...core.operands import Operand, dtype

SYSTEM = "tinygrad"
DISTRIBUTION = "tinygrad==0.14.0"
SETTINGS = (
    {"default_float": "float32", "default_int": "int32"},
    {"default_float": "float16", "default_int": "int64"},
    {"default_float": "bfloat16", "default_int": "int32"},
    {"default_float": "float64", "default_int": "int64"},
)
RANKS = (1, 0)
SCALARS = (True, 1, 1.0, 1j, 2**70)
NARY = True


def version() -> str:
    """Return the release that is installed."""
    from importlib.metadata import version

    return version("tinygrad")


def configure(*, default_float: str = "float32", default_int: str = "int32") -> None:
    """Set the default dtypes; tinygrad reads them once, when it is imported."""
    os.environ.setdefault("DEV", "PYTHON")  # a device that needs no compiler
    os.environ["DEFAULT_FLOAT"] = default_float
    os.environ["DEFAULT_INT"] = default_int
    from tinygrad import dtypes

    now = (dtype(dtypes.default_float).name, dtype(dtypes.default_int).name)
    if now != (default_float, default_int):
        raise RuntimeError(f"tinygrad is imported already, with the default dtypes {now}")


def make(op: Operand) -> Any:
    """Return a tensor, weak ones too, or a Python number."""
    from tinygrad import Tensor

    if op.form.startswith("Python"):
        return op.value
    shape = (3,) * (op.rank or 0)
    if op.dtype.weak:
        number = Tensor({"int*": 1, "float*": 1.0}[op.dtype.name])
        return number.expand(shape) if shape else number
    return Tensor.zeros(*shape, dtype=op.dtype.to("tinygrad"))


def ask(*operands: Any) -> str:
    """Return what tinygrad makes of some operands, with weak dtypes as they are stored."""
    from tinygrad import Tensor
    from tinygrad.dtype import dtypes, least_upper_dtype, strong_dtype

    if len(operands) == 2 and any(isinstance(x, Tensor) for x in operands):
        first, second = operands
        return dtype(strong_dtype((first + second).dtype)).name
    found = [x.dtype if isinstance(x, Tensor) else dtypes.from_py(x) for x in operands]
    return dtype(strong_dtype(least_upper_dtype(*found))).name
