"""How Keras is asked: ``keras.backend.result_type``, and the functions of ``keras.ops``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from ...core.operands import Operand
from ..calls import call
from .jax import COMPUTED

SYSTEM = "keras"
DISTRIBUTION = "keras==3.15.1"  # with a backend: tensorflow-cpu==2.21.0, jax==0.10.2
_FLOATS = ("float32", "float16", "bfloat16", "float64")
SETTINGS = (
    *({"floatx": floatx, "backend": "tensorflow"} for floatx in _FLOATS),
    *({"floatx": floatx, "backend": "jax"} for floatx in _FLOATS),
)
RANKS = (1,)
SCALARS = (True, 1, 1.0, 1j)
NARY = True
FUNCTION_SCALARS = (1, 300, -1, 2**31, 2**40, 1.0, 1j)


def _has_number(operands: Sequence[Operand]) -> bool:
    return any(x.is_python for x in operands)


def _clips_bool(operands: Sequence[Operand]) -> bool:
    return operands[0].dtype.kind == "bool"


def _is_int8_with_bool(operands: Sequence[Operand]) -> bool:
    return {x.dtype.name for x in operands} == {"bool", "int8"}


# On one of the backends or both, a number has another dtype in these than it has in others; a bool
# is clipped as int32, whatever the bounds; and int8 adds up in int32 only where all are int8.
UNMODELLED = {
    **dict.fromkeys(("left_shift", "right_shift", "atan2", "logaddexp", "logaddexp2"), _has_number),
    **dict.fromkeys(("matmul", "einsum"), _is_int8_with_bool),
    "clip": _clips_bool,
}
NAMES = {"cumulative_sum": "cumsum", "cumulative_prod": "cumprod"}
_made: dict[Operand, Any] = {}


def version() -> str:
    """Return the release that is installed."""
    from importlib.metadata import version

    return version("keras")  # importing it would settle its backend


def configure(*, floatx: str = "float32", backend: str = "tensorflow") -> None:
    """Set the default float, and the backend, once a process."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
    os.environ["KERAS_BACKEND"] = backend
    import keras

    if keras.config.backend() != backend:
        raise RuntimeError(f"Keras is imported already, on {keras.config.backend()}")
    keras.config.set_floatx(floatx)
    if backend == "jax":
        import jax

        jax.config.update("jax_traceback_filtering", "off")  # refusals take long enough


def make(op: Operand) -> Operand:
    """Return the operand: some dtypes that Keras has are not those of any array."""
    return op


def ask(*operands: Operand) -> str:
    """Return what Keras makes of names of dtypes, and of types of Python numbers."""
    import keras

    types = [type(x.value) if x.form.startswith("Python") else x.dtype.name for x in operands]
    return str(keras.backend.result_type(*types))


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import keras

    return (keras.ops,)


def operate(function: str, *operands: Operand) -> str:
    """Return the dtype of a function's result; on JAX without computing it if it need not be."""
    import keras

    live = [_live(x) for x in operands]
    if keras.config.backend() == "jax" and function not in COMPUTED:
        import jax

        arrays = [x for x in live if hasattr(x, "dtype")]
        return _dtype_of(jax.eval_shape(lambda *traced: _run(function, live, traced), *arrays))
    return _dtype_of(_run(function, live, [x for x in live if hasattr(x, "dtype")]))


def _run(function: str, live: Sequence[Any], arrays: Sequence[Any]) -> Any:
    """Return what a function gives, with some arrays in the places of those that are live."""
    import keras

    mask, index = keras.ops.ones(3, "bool"), keras.ops.ones(3, "int32")
    left = list(arrays)
    return call(
        THIS, function, [left.pop(0) if hasattr(x, "dtype") else x for x in live], mask, index
    )


def _dtype_of(result: Any) -> str:
    import keras

    first = result[0] if isinstance(result, (list, tuple)) else result
    return str(keras.backend.standardize_dtype(first.dtype))


def _live(op: Operand) -> Any:
    """Return an array of the backend, or a Python number."""
    if op.form.startswith("Python"):
        return op.value
    if op not in _made:
        import keras

        made = keras.ops.eye(3) if op.rank == 2 else keras.ops.ones((3,) * (op.rank or 0))
        _made[op] = keras.ops.cast(made, op.dtype.name)
    return _made[op]


THIS = sys.modules[__name__]
