"""How tinygrad is asked: the dtype of a sum, which is not computed, or ``least_upper_dtype``."""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final

from ...core.dtypes import DType, by_name, dtype
from ...core.operands import Operand
from ..calls import METHODS
from ..library import Library

_WIDTHS: Final = {"int*": "int32", "float*": "float32"}  # to be made as, and weak after that
_BITWISE: Final = ("bitwise_and", "bitwise_or", "bitwise_xor", "invert")
# Operators, of which the first operand may be a number.
_OPERATORS: Final = SimpleNamespace(**{
    name: getattr(operator, name)
    for name in (
        "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "eq", "ne", "lt", "le",
        "gt", "ge", "and_", "or_", "xor", "invert",
    )
}, __name__="operator")  # fmt: skip


class Tinygrad(Library):
    """tinygrad, which computes nothing that it need not."""

    def configure(self, **setting: Any) -> None:
        """Set the default dtypes; tinygrad reads them once, when it is imported."""
        os.environ.setdefault("DEV", "PYTHON")  # a device that needs no compiler
        os.environ["DEFAULT_FLOAT"] = setting["default_float"]
        os.environ["DEFAULT_INT"] = setting["default_int"]
        from tinygrad import dtypes

        now = (dtype(dtypes.default_float).name, dtype(dtypes.default_int).name)
        if now != (setting["default_float"], setting["default_int"]):
            raise RuntimeError(f"tinygrad is imported already, with the default dtypes {now}")

    def version(self) -> str:
        """Return the release that is installed."""
        from importlib.metadata import version

        return version("tinygrad")  # importing it would settle its default dtypes

    def filled(self, values: Any, d: DType) -> Any:
        """Return a tensor of some values."""
        from tinygrad import Tensor

        return Tensor(values).cast(d.to("tinygrad"))

    def more(self, _: Sequence[DType]) -> list[Operand]:
        """Return weak tensors, of one dimension and of none."""
        return [
            Operand(f"{d}[{sizes}]", by_name(d), True, "array", "tinygrad").ranked(rank)
            for d in ("int*", "float*")
            for sizes, rank in (("3", 1), ("", 0))
        ]

    def make(self, op: Operand) -> Any:
        """Return a tensor, which may be weak, or a Python number."""
        if op.is_python or not op.weak:
            return super().make(op)
        return self.weak(super().make(op._replace(dtype=by_name(_WIDTHS[op.dtype.name]))))

    def weak(self, strong: Any) -> Any:
        """Return a weak tensor of the kind of another."""
        from tinygrad import dtypes

        return strong.cast(dtypes.weakfloat if dtypes.is_float(strong.dtype) else dtypes.weakint)

    def is_weak(self, found: Any) -> bool:
        """Return whether a tensor is weak."""
        from tinygrad.dtype import strong_dtype

        return bool(found.dtype != strong_dtype(found.dtype))

    def ask(self, *operands: Any) -> str:
        """Return what tinygrad makes of some operands, with weak dtypes as they are stored."""
        from tinygrad import Tensor
        from tinygrad.dtype import dtypes, least_upper_dtype

        if len(operands) == 2 and any(isinstance(x, Tensor) for x in operands):
            return self.name_of(operands[0] + operands[1])
        found = [x.dtype if isinstance(x, Tensor) else dtypes.from_py(x) for x in operands]
        return self.name_of(least_upper_dtype(*found))

    def name_of(self, found: Any) -> str:
        """Return the name of a dtype, or of that of a tensor, as it is stored."""
        from tinygrad.dtype import strong_dtype

        return dtype(strong_dtype(getattr(found, "dtype", found))).name

    def namespaces(self) -> Sequence[Any]:
        """Return where its functions are: operators, and methods."""
        return _OPERATORS, *super().namespaces()

    def call(self, function: str, operands: Sequence[Any]) -> Any:
        """Return the result of a function.

        It is computed only if it is bitwise, and of floats, which tinygrad refuses no earlier.
        """
        from tinygrad.dtype import dtypes, strong_dtype

        found = super().call(function, operands)
        if function in _BITWISE and dtypes.is_float(strong_dtype(found.dtype)):
            found.tolist()
        return found


LIBRARY = Tinygrad(
    "tinygrad",
    "tinygrad==0.14.0",
    settings=(
        {"default_float": "float32", "default_int": "int32"},
        {"default_float": "float16", "default_int": "int64"},
        {"default_float": "bfloat16", "default_int": "int32"},
        {"default_float": "float64", "default_int": "int64"},
    ),
    scalars=(True, 1, 1.0, 1j, 2**70),
    weak_results=True,
    roots=("tinygrad.Tensor",),
    unasked=("arange", "linspace", "full", "randint"),  # which take numbers alone
    names={**METHODS, "concat": "cat"},
    calls={
        "round": "(x)",
        "cumulative_prod": "(x,0)",
        "concat": "(x,y)",
        "flip": "(x,0)",
        "where": "(c,x,y)",
        "pad": "(x,(1,1))",
    },
)
