"""How Keras is asked: ``keras.backend.result_type``, on names of dtypes and types of numbers."""

from __future__ import annotations

import os
from typing import Any

from ...core.operands import Operand

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


def make(op: Operand) -> Any:
    """Return the name of a dtype, or the type of a Python number."""
    return type(op.value) if op.form.startswith("Python") else op.dtype.name


def ask(*operands: Any) -> str:
    """Return what Keras makes of names and types."""
    import keras

    return str(keras.backend.result_type(*operands))
