"""How PyTorch is asked: ``torch.result_type`` for pairs, an operation for more."""

from __future__ import annotations

import re
from typing import Any

from supremum.operands import Operand

SYSTEM = "torch"
DISTRIBUTION = "torch==2.13.0"
SETTINGS = tuple({"default_dtype": d} for d in ("float32", "float64", "float16", "bfloat16"))
RANKS = (1, 0)
SCALARS = (True, 1, 1.0, 1j)
NARY = True
MOST_OF_ANY_RANK = 3  # of more, only those with dimensions can be put together
NARY_SCALARS = False

# PyTorch's own names of dtypes, as its messages about missing kernels use them.
_KERNEL_NAMES = {
    "Bool": "bool", "Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32",
    "Long": "int64", "Half": "float16", "BFloat16": "bfloat16", "Float": "float32",
    "Double": "float64", "ComplexHalf": "complex32", "ComplexFloat": "complex64",
    "ComplexDouble": "complex128", "UInt16": "uint16", "UInt32": "uint32", "UInt64": "uint64",
    "Float8_e4m3fn": "float8_e4m3fn", "Float8_e4m3fnuz": "float8_e4m3fnuz",
    "Float8_e5m2": "float8_e5m2", "Float8_e5m2fnuz": "float8_e5m2fnuz",
    "Float8_e8m0fnu": "float8_e8m0fnu",
}  # fmt: skip

# The operators that PyTorch has under another name.
_OPERATORS = {
    "power": "pow", "equal": "eq", "less": "lt", "left_shift": "bitwise_left_shift",
    "invert": "bitwise_not",
}  # fmt: skip


def version() -> str:
    """Return the release that is installed."""
    import torch

    return str(torch.__version__).partition("+")[0]


def configure(*, default_dtype: str = "float32") -> None:
    """Set the dtype of Python's floats."""
    import torch

    torch.set_default_dtype(getattr(torch, default_dtype))


def make(op: Operand) -> Any:
    """Return a tensor, or a Python number."""
    import torch

    if op.form.startswith("Python"):
        return op.value
    return torch.ones((3,) * (op.rank or 0), dtype=op.dtype.to("torch"))


def ask(*operands: Any) -> str:
    """Return what PyTorch makes of two operands, of three tensors, or of more with dimensions."""
    import torch

    if len(operands) == 2:
        return _name(torch.result_type(*operands))
    if len(operands) == 1:
        return _name(torch.as_tensor(operands[0]).dtype)
    if len(operands) > MOST_OF_ANY_RANK:
        together: Any = torch.cat(operands)
        return _name(together.dtype)
    try:
        return _name(torch.addcmul(*operands).dtype)
    except RuntimeError as error:
        # the dtype was found, and only then the kernel was not
        missing = re.search(r"not implemented for '(\w+)'", str(error))
        if missing:
            return _KERNEL_NAMES[missing[1]]
        raise


def _name(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def operate(op: str, *operands: Any) -> str:
    """Return the dtype of an operator's result."""
    import torch

    if op == "iadd":
        return _name(operands[0].clone().add_(operands[1]).dtype)
    if op == "concat":
        together: Any = torch.cat(operands)
        return _name(together.dtype)
    if op == "where":
        chosen: Any = torch.where(torch.ones(3, dtype=torch.bool), *operands)
        return _name(chosen.dtype)
    function: Any = getattr(torch, _OPERATORS.get(op, op))
    return _name(function(*operands).dtype)
