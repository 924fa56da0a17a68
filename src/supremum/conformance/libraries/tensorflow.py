"""How TensorFlow is asked: ``tf.add``, or ``result_type`` of its NumPy where that promotes."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any, Final

from ...core.dtypes import DType
from ...core.operands import Operand
from ..library import Library


class TensorFlow(Library):
    """TensorFlow in one of its modes, which is chosen once a process."""

    def configure(self, **setting: Any) -> None:
        """Bring TensorFlow into a mode."""
        super().configure(**setting)
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
        import tensorflow as tf

        if setting["mode"] != "explicit":
            behaviour = tf.experimental.numpy.experimental_enable_numpy_behavior
            behaviour(dtype_conversion_mode=setting["mode"])

    def filled(self, values: Any, d: DType) -> Any:
        """Return a tensor of some values."""
        import tensorflow as tf

        return tf.cast(tf.constant(values, tf.float32), tf.as_dtype(d.name))

    def ask(self, *operands: Any) -> str:
        """Return what operands promote to: in explicit mode, when they are added in order."""
        import tensorflow as tf

        if self.setting["mode"] != "explicit":
            return str(tf.experimental.numpy.result_type(*operands).name)
        first, *rest = operands if len(operands) > 1 else operands * 2
        return str(reduce(tf.add, rest, first).dtype.name)

    def operate(self, function: str, *operands: Any) -> str:
        """Return the dtype of a function's result."""
        if function in OPERATORS:
            return self.name_of(OPERATORS[function](*operands))
        return super().operate(function, *operands)


# What is asked of operators: add of a number turns it around, and bools have the others alone.
OPERATORS: Final[Mapping[str, Callable[..., Any]]] = {
    "add": operator.add,
    "bitwise_and": operator.and_,
    "bitwise_or": operator.or_,
    "bitwise_xor": operator.xor,
    "invert": operator.invert,
}


def _is_half_and_single(operands: Sequence[Operand]) -> bool:
    return {x.dtype.name for x in operands} == {"bfloat16", "float32"}


LIBRARY = TensorFlow(
    "tensorflow",
    "tensorflow-cpu==2.21.0",
    settings=({"mode": "explicit"}, {"mode": "all"}, {"mode": "safe"}),
    # Not among them: a negative int, or one of 2**64 and more. A uint64 tensor, no other, leaves
    # an error behind with these, so that a later and unrelated call fails or ends the process.
    scalars=(True, 1, 1.0, 1j, 300, 2**31, 2**63, 1e39),
    roots=(
        "tensorflow",
        "tensorflow.math",
        "tensorflow.bitwise",
        "tensorflow.linalg",
        "tensorflow.nn",
    ),
    names={
        "remainder": "math.floormod",
        "floor_divide": "math.floordiv",
        "cumulative_sum": "cumsum",
        "cumulative_prod": "math.cumprod",
        **{name: f"reduce_{name}" for name in ("sum", "prod", "mean", "max", "min", "all", "any")},
        **{name: f"math.reduce_{name}" for name in ("std", "logsumexp")},
        "var": "math.reduce_variance",
        "isfinite": "math.is_finite",
        "isinf": "math.is_inf",
        "isnan": "math.is_nan",
        "left_shift": "bitwise.left_shift",
        "right_shift": "bitwise.right_shift",
    },
    calls={
        "round": "(x)",
        "concat": "([x,y],0)",
        "matmul": "(m,n)",
        "tensordot": "(m,n,1)",
        "roll": "(x,1,0)",
        "tile": "(x,(2,))",
        "pad": "(x,((1,1),))",
    },
    unmodelled=dict.fromkeys(("matmul", "tensordot"), _is_half_and_single),
    unasked=("linspace", "flip"),  # which take numbers alone, or an array of axes
)
