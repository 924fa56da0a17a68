"""Keras' rules: JAX's lattice without a weak complex, and 64-bit types that narrow after the join.

What is still weak after the join takes the width of ``floatx``: with float16 a Python int is int16,
and with bfloat16, whose name ends in 16 too, a Python float is float16. Then uint64 narrows to
uint32 and complex128 to complex64, and on any backend but TensorFlow int64 and float64 narrow also.

Source: ``keras/src/backend/common/dtypes.py`` of Keras 3.15.1, measured on
``keras.backend.result_type`` on TensorFlow, JAX, PyTorch and NumPy. It is asked about dtypes, and
about the types of Python numbers. It takes no float8, not even alone.
Not modelled: strings; what a backend does with the arrays then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from ..dtype_names import by_name
from ..dtypes import DType
from ..errors import NoJoinError
from ..explanation import Settled, Taken
from ..libraries import Library
from ..operands import Operand
from ..system import PromotionSystem
from . import jax

LIBRARY = Library("Keras", ("keras",))

ARROWS = jax.ARROWS.replace(", c*", "")

NARROWED = {"uint64": "uint32", "complex128": "complex64"}
NARROWED_UNLESS_TENSORFLOW = {"int64": "int32", "float64": "float32"}


class Settle(NamedTuple):
    """What becomes of a node: weak ones get the width of floatx, and then some narrow."""

    floatx: str
    backend: str

    def __call__(self, node: DType, taken: Sequence[Taken]) -> Settled:
        """Return what becomes of a node."""
        if any(t.operand.form == "Python subclass" for t in taken):
            raise NoJoinError("Keras takes the types int and float, not types derived from them")
        widths = {"int*": f"int{self.floatx[-2:]}", "float*": f"float{self.floatx[-2:]}"}
        wide = self.backend == "tensorflow"
        narrowed = NARROWED if wide else {**NARROWED, **NARROWED_UNLESS_TENSORFLOW}
        full = widths.get(node.name, node.name)
        result = by_name(narrowed.get(full, full))
        weak = f"{node} is weak, and floatx is {self.floatx}: " if node.weak else ""
        if result.name != full:
            why = f"{weak}{full} becomes {result}, because Keras has no {full} on {self.backend}."
        else:
            why = f"{weak}it becomes {result}." if weak else ""
        return Settled(result, False, why)


def build(
    *,
    floatx: Literal["float32", "float16", "bfloat16", "float64"] = "float32",
    backend: Literal["tensorflow", "jax", "torch", "numpy"] = "tensorflow",
) -> PromotionSystem:
    """Return Keras' rules.

    Args:
        floatx: the default float (``keras.config.set_floatx``).
        backend: what Keras runs on; it matters whether that is TensorFlow.
    """
    return PromotionSystem.from_lattice(
        ARROWS,
        "keras",
        classify=_classify,
        settle=Settle(floatx, backend),
        setting={"floatx": floatx, "backend": backend},
        label=f"floatx {floatx}, on {backend}",
        version="3.15.1",
        source="keras/src/backend/common/dtypes.py",
        library=LIBRARY,
    )


def _classify(op: Operand, _: Sequence[Operand]) -> Taken:
    # arrays are never weak here, and a complex is no weaker than they are
    node = op.weak_dtype if op.is_python or op.form == "type" else op.dtype
    if node.name == "complex*":
        return Taken(op, by_name("complex64"), f"{op.describe()}, treated as complex64")
    return Taken(op, node, op.describe())
