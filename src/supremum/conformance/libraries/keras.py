"""How Keras is asked: ``keras.backend.result_type``, and the functions of ``keras.ops``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache, cached_property, partial
from typing import Any, Final

from ...core.dtypes import DType
from ...core.operands import Operand
from ..library import Library
from .jax import COMPUTED, traced

_FLOATS: Final = ("float32", "float16", "bfloat16", "float64")


class Keras(Library):
    """Keras, on one of its backends."""

    def version(self) -> str:
        """Return the release that is installed."""
        from importlib.metadata import version

        return version("keras")  # importing it would settle its backend

    def configure(self, **setting: Any) -> None:
        """Set the default float, and the backend, once a process."""
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
        os.environ["KERAS_BACKEND"] = backend = setting["backend"]
        import keras

        if keras.config.backend() != backend:
            raise RuntimeError(f"Keras is imported already, on {keras.config.backend()}")
        keras.config.set_floatx(setting["floatx"])
        if backend == "jax":
            import jax

            jax.config.update("jax_traceback_filtering", "off")  # refusals take long enough

    def make(self, op: Operand) -> Operand:
        """Return the operand: some dtypes that Keras has are not those of any array."""
        return op

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        import keras

        return keras.ops.cast(keras.ops.array(values, "float32"), d.name)

    def ask(self, *operands: Operand) -> str:
        """Return what Keras makes of names of dtypes, and of types of Python numbers."""
        import keras

        types = [type(x.value) if x.is_python else x.dtype.name for x in operands]
        return str(keras.backend.result_type(*types))

    def operate(self, function: str, *operands: Operand) -> str:
        """Return the dtype of a function's result; on JAX without computing it if it need not."""
        import keras

        live = [_live(x) for x in operands]
        is_traced = keras.config.backend() == "jax" and function not in COMPUTED
        run = partial(self.call, function)
        found = traced(run, live) if is_traced else run(live)
        first = found[0] if isinstance(found, (list, tuple)) else found
        return str(keras.backend.standardize_dtype(first.dtype))

    @cached_property
    def selectors(self) -> dict[str, Any]:
        """An array of conditions, and one of indices."""
        import keras

        return {"c": keras.ops.ones(3, "bool"), "i": keras.ops.ones(3, "int32")}


@cache
def _live(op: Operand) -> Any:
    return Library.make(LIBRARY, op)


def _has_number(operands: Sequence[Operand]) -> bool:
    return any(x.is_python for x in operands)


def _clips_bool(operands: Sequence[Operand]) -> bool:
    return operands[0].dtype.kind == "bool"


LIBRARY = Keras(
    "keras",
    "keras==3.15.1",  # with a backend: tensorflow-cpu==2.21.0, jax==0.10.2
    settings=[{"floatx": f, "backend": b} for b in ("tensorflow", "jax") for f in _FLOATS],
    ranks=(1,),
    scalars=(True, 1, 1.0, 1j),
    function_scalars=(1, 300, -1, 2**31, 2**40, 1.0, 1j),
    roots=("keras.ops",),
    unasked=("full",),  # which takes numbers alone
    names={"cumulative_sum": "cumsum", "cumulative_prod": "cumprod"},
    # On one of the backends or both, a number has another dtype in these than it has in others, and
    # a bool is clipped as int32, which TensorFlow refuses beside other bounds.
    unmodelled={
        **dict.fromkeys(
            ("left_shift", "right_shift", "atan2", "logaddexp", "logaddexp2"), _has_number
        ),
        "clip": _clips_bool,
    },
)
