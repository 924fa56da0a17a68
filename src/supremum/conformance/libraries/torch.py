"""How PyTorch is asked: ``torch.result_type`` for pairs, an operation for more."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.dtypes import DType
from ...core.errors import DTypeError
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..calls import call

SYSTEM = "torch"
DISTRIBUTION = "torch==2.13.0"
SETTINGS = tuple({"default_dtype": d} for d in ("float32", "float64", "float16", "bfloat16"))
RANKS = (1, 0)
SCALARS = (True, 1, 300, 2**63, 2**70, 1.0, 1j)
FUNCTION_SCALARS = (*SCALARS, -1, -300)
RANKED_RESULTS = True
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

# Of one name in the catalogue and another here: those are of sparse tensors.
UNASKED = ("indices",)
# Likewise: torch.equal compares whole tensors, torch.cond takes functions, and the rest are left
# of functions that have moved.
NAMES = {
    "equal": "eq",
    **{
        name: f"linalg.{name.partition('[')[0]}"
        for name in (
            "eig[0]", "eig[1]", "lstsq[0]", "lstsq[1]", "lstsq[2]", "lstsq[3]", "cond", "solve",
            "matrix_rank",
        )
    },
}  # fmt: skip
# How PyTorch calls what the catalogue calls otherwise.
CALLS = {
    "round": "(x)",
    **dict.fromkeys(("cumulative_sum", "cumulative_prod", "cumsum", "softmax"), "(x,0)"),
    "logsumexp": "(x,0)",
    **dict.fromkeys(("linspace", "logspace"), "(x[0],y[0],3)"),
    **dict.fromkeys(("tril_indices[0]", "triu_indices[0]"), "(3,3)"),
    **dict.fromkeys(("reshape", "view"), "(x,(3,))"),
    "block_diag": "(x,y)",
    "flip": "(x,(0,))",
    "from_numpy": "(x.numpy())",
    "histogramdd[0]": "(m,[1,1,1])",
    "normal": "(0.0,1.0,(3,))",
    "resize": "(x,3)",
    "select": "(x,0,0)",
    "tile": "(x,(1,))",
    "transpose": "(m,0,1)",
}


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
    if op.rank == 2:
        return torch.eye(3).to(op.dtype.to("torch"))
    return torch.ones((3,) * (op.rank or 0), dtype=op.dtype.to("torch"))


@contextmanager
def within(*, default_dtype: str = "float32") -> Iterator[None]:
    """Evaluate expressions in a setting."""
    import torch

    before = torch.get_default_dtype()
    configure(default_dtype=default_dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def filled(values: Any, dtype: DType, *, weak: bool) -> Any:
    """Return a tensor of these values.

    Raises:
        DTypeError: if it is to be weak.
    """
    import torch

    if weak:
        raise DTypeError("PyTorch has no weak tensors", dtype)
    return torch.tensor(values).to(dtype.to("torch"))


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


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import torch

    return torch, torch.linalg, torch.fft, torch.special, torch.Tensor


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    import torch

    if FUNCTIONS[function].category == "store":
        return _name(operands[0].clone().add_(operands[1]).dtype)
    mask, index = torch.ones(3, dtype=torch.bool), torch.ones(3, dtype=torch.int64)
    result = call(THIS, function, operands, mask, index)
    first = result[0] if isinstance(result, (tuple, list)) else result
    return _name(first.dtype)


THIS = sys.modules[__name__]
