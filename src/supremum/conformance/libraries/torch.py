"""How PyTorch is asked: ``torch.result_type`` for pairs, an operation for more."""

from __future__ import annotations

import re
from typing import Any

from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..questions import OF_MATRICES, find

SYSTEM = "torch"
DISTRIBUTION = "torch==2.13.0"
SETTINGS = tuple({"default_dtype": d} for d in ("float32", "float64", "float16", "bfloat16"))
RANKS = (1, 0)
SCALARS = (True, 1, 300, 2**63, 2**70, 1.0, 1j)
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

# Those that PyTorch lacks, has with another meaning, or that need more than tensors.
UNASKED = (
    "cbrt", "fabs", "median", "average", "quantile", "percentile", "ptp", "nanmax", "nanmin",
    "nanprod", "nancumsum", "nancumprod", "cumulative_sum", "convolve",
    "correlate", "vecdot", "nan_to_num", "append", "block", "select", "matrix_rank", "einsum",
    "trapezoid", "polyval",
)  # fmt: skip
_NAMES = {"equal": "eq", "not_equal": "ne"}  # torch.equal compares whole tensors


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


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    import torch

    known = FUNCTIONS[function]
    if known.sort == "store":
        return _name(operands[0].clone().add_(operands[1]).dtype)
    if known.sort == "linalg" or function in OF_MATRICES:
        operands = tuple(torch.eye(3).to(x.dtype) for x in operands)
    if known.sort == "linalg":
        return _name(find(torch.linalg, function)(*operands).dtype)
    if known.sort == "transform":
        return _name(find(torch.fft, function)(*operands).dtype)
    if known.sort == "condition":
        chosen: Any = torch.where(torch.ones(3, dtype=torch.bool), *operands)
        return _name(chosen.dtype)
    if known.sort == "cumulative":
        operands = (*operands, 0)  # the dimension
    called: Any = getattr(torch, _NAMES[function]) if function in _NAMES else find(torch, function)
    return _name((called(operands) if known.sort == "sequence" else called(*operands)).dtype)
