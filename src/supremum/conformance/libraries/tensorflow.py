"""How TensorFlow is asked: ``tf.add``, or ``result_type`` of its NumPy where that promotes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import reduce
from typing import Any

from ...core.operands import Operand
from ..calls import call, dtype_of

SYSTEM = "tensorflow"
DISTRIBUTION = "tensorflow-cpu==2.21.0"
SETTINGS = ({"mode": "explicit"}, {"mode": "all"}, {"mode": "safe"})
RANKS = (1, 0)
# Not among them: a negative int, or one of 2**64 and more. A uint64 tensor, and no other, leaves
# an error behind with these, so that a later and unrelated call fails or ends the process.
SCALARS = (True, 1, 1.0, 1j, 300, 2**31, 2**63, 1e39)
NARY = True

# TensorFlow's own names.
NAMES = {
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
}
CALLS = {"round": "(x)", "concat": "([x,y],0)"}

_mode = "explicit"


def version() -> str:
    """Return the release that is installed."""
    import tensorflow as tf

    return str(tf.__version__)


def configure(*, mode: str = "explicit") -> None:
    """Bring TensorFlow into a mode, once a process."""
    global _mode  # noqa: PLW0603  # TensorFlow's own mode is as global
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    import tensorflow as tf

    if mode != "explicit":
        behaviour = tf.experimental.numpy.experimental_enable_numpy_behavior
        behaviour(dtype_conversion_mode=mode)
    _mode = mode


def make(op: Operand) -> Any:
    """Return a tensor, a weak tensor, or a Python number."""
    import tensorflow as tf

    if op.form.startswith("Python"):
        return op.value
    shape = [3] * (op.rank or 0)
    if op.rank == 2:
        return tf.cast(tf.eye(3), tf.as_dtype(op.dtype.name))
    if not op.weak:
        return tf.cast(tf.ones(shape), tf.as_dtype(op.dtype.name))
    from tensorflow.python.framework.weak_tensor import WeakTensor

    narrow = {"int*": "int32", "float*": "float32", "complex*": "complex128"}
    return WeakTensor.from_tensor(tf.zeros(shape, narrow.get(op.dtype.name, op.dtype.name)))


def ask(*operands: Any) -> str:
    """Return what TensorFlow makes of some operands: in explicit mode, of adding them in order."""
    import tensorflow as tf

    if _mode == "explicit":
        first, *rest = operands if len(operands) > 1 else operands * 2
        return str(reduce(tf.add, rest, first).dtype.name)
    return str(tf.experimental.numpy.result_type(*operands).name)


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import tensorflow as tf

    return tf, tf.math, tf.bitwise, tf.linalg


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result."""
    if function == "add":  # the operator, which turns a number around
        return dtype_of(operands[0] + operands[1])
    return dtype_of(call(THIS, function, operands))


THIS = sys.modules[__name__]
