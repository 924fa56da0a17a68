"""How PyTorch is asked: ``torch.result_type`` for pairs, an operation for more."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from ...core.dtypes import DType
from ...core.functions import FUNCTIONS
from ..calls import LackingError
from ..library import Library

# PyTorch's own names of dtypes, as its messages about missing kernels use them.
_KERNEL_NAMES: Final = {
    "Bool": "bool", "Byte": "uint8", "Char": "int8", "Short": "int16", "Int": "int32",
    "Long": "int64", "Half": "float16", "BFloat16": "bfloat16", "Float": "float32",
    "Double": "float64", "ComplexHalf": "complex32", "ComplexFloat": "complex64",
    "ComplexDouble": "complex128", "UInt16": "uint16", "UInt32": "uint32", "UInt64": "uint64",
    "BComplex32": "bcomplex32",
    "Float8_e4m3fn": "float8_e4m3fn", "Float8_e4m3fnuz": "float8_e4m3fnuz",
    "Float8_e5m2": "float8_e5m2", "Float8_e5m2fnuz": "float8_e5m2fnuz",
    "Float8_e8m0fnu": "float8_e8m0fnu",
}  # fmt: skip


class Torch(Library):
    """PyTorch, whose result depends on ranks."""

    def configure(self, **setting: Any) -> None:
        """Set the dtype of Python's floats, and have no float64 where the device has none."""
        import torch

        torch.set_default_dtype(getattr(torch, setting["default_dtype"]))
        if not setting["fp64"]:
            _refuse_float64()

    @contextmanager
    def within(self, **setting: Any) -> Iterator[None]:
        """Evaluate expressions in a setting."""
        import torch

        before = torch.get_default_dtype()
        torch.set_default_dtype(getattr(torch, setting["default_dtype"]))
        try:
            yield
        finally:
            torch.set_default_dtype(before)

    def filled(self, values: Any, d: DType) -> Any:
        """Return a tensor of some values."""
        import torch

        return torch.tensor(values).to(d.to("torch"))

    def ask(self, *operands: Any) -> str:
        """Return what PyTorch makes of two operands, three tensors, or more with dimensions."""
        import torch

        if len(operands) == 2:
            return self.name_of(torch.result_type(*operands))
        if len(operands) == 1:
            return self.name_of(torch.as_tensor(operands[0]))
        if len(operands) > self.most_of_any_rank:
            return self.name_of(torch.cat(operands))
        try:
            return self.name_of(torch.addcmul(*operands))
        except RuntimeError as error:
            # the dtype was found, and only then the kernel was not
            missing = re.search(r"not implemented for '(\w+)'", str(error))
            if missing:
                return _KERNEL_NAMES[missing[1]]
            raise

    def name_of(self, found: Any) -> str:
        """Return the name of a dtype, or of that of a tensor."""
        return str(getattr(found, "dtype", found)).removeprefix("torch.")

    def find(self, function: str) -> tuple[str, Callable[..., Any]]:
        """Return how a function is called, and the function."""
        if FUNCTIONS[function].category == "store":
            return "(x,y)", _stored
        return super().find(function)

    def needs_to_compile(self) -> str:
        """Return that there is no C++ compiler, which Inductor calls."""
        from torch._inductor.cpp_builder import get_cpp_compiler
        from torch._inductor.exc import InvalidCxxCompiler

        try:
            get_cpp_compiler()
        except InvalidCxxCompiler:
            return "a C++ compiler, such as g++"
        return ""

    def compiled(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """Return what a function gives that Inductor compiles."""
        import torch
        from torch._dynamo.exc import Unsupported  # which torch does not show elsewhere

        torch.compiler.reset()
        try:
            # of a whole graph, as what breaks one is not compiled
            return torch.compile(function, backend="inductor", fullgraph=True)(*operands)
        except Unsupported as error:
            raise LackingError(str(error)) from error


def _stored(x: Any, y: Any) -> Any:
    return x.clone().add_(y)


def _refuse_float64() -> None:
    """Let PyTorch make no tensor of float64 or complex128 from now on, as on Apple's devices."""
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    def dispatch(self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:  # noqa: ARG001  # as PyTorch calls it
        made = func(*args, **(kwargs or {}))
        for x in made if isinstance(made, (list, tuple)) else (made,):
            if getattr(x, "dtype", None) in (torch.float64, torch.complex128):
                raise TypeError(f"{func} makes a tensor of {x.dtype}")
        return made

    mode: Any = type("NoFloat64", (TorchDispatchMode,), {"__torch_dispatch__": dispatch})
    mode().__enter__()


_DEFAULT_DTYPES: Final = ("float32", "float64", "float16", "bfloat16")
_SCALARS: Final = (True, 1, 300, 2**63, 2**70, 1.0, 1j)
_IN_LINALG: Final = (
    "cholesky", "qr[0]", "qr[1]", "eig[0]", "eig[1]", "lstsq[0]", "lstsq[1]", "lstsq[2]",
    "lstsq[3]", "cond", "solve", "matrix_rank",
)  # fmt: skip

LIBRARY = Torch(
    "torch",
    "torch==2.13.0",
    of_releases={"version": "torch"},
    settings=[
        *({"default_dtype": d, "fp64": True} for d in _DEFAULT_DTYPES),
        {"default_dtype": "float32", "fp64": False},
    ],
    scalars=_SCALARS,
    function_scalars=(*_SCALARS, -1, -300),
    nary_scalars=False,
    most_of_any_rank=3,  # of more, only those with dimensions can be put together
    roots=(
        "torch",
        "torch.linalg",
        "torch.fft",
        "torch.special",
        "torch.nn.functional",
        "torch.Tensor",
    ),
    # Of one name in the catalogue and another here: those are of sparse tensors.
    unasked=("indices",),
    # Likewise: torch.equal compares whole tensors, torch.cond takes functions, unfold of layers is
    # of images, and the rest is left of functions that have moved.
    names={
        "equal": "eq",
        "unfold": "Tensor.unfold",
        **{name: f"linalg.{name.partition('[')[0]}" for name in _IN_LINALG},
    },
    calls={
        **dict.fromkeys(("round", "gradient"), "(x)"),
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
        "pad": "(x,(1,1))",
        "resize": "(x,3)",
        "select": "(x,0,0)",
        "tile": "(x,(1,))",
        "transpose": "(m,0,1)",
    },
    ranked_results=True,
    has_expressions=True,
    compiled_dtypes=("bool", "uint8", "int64", "float16", "float32", "complex64"),
    products=("matmul",),
    takes_dtype=(
        "sum",
        "prod",
        "mean",
        "nansum",
        "cumsum",
        "cumulative_prod",
        "softmax",
        "log_softmax",
    ),
)
