"""Keras' rules: JAX's lattice without a weak complex, and 64-bit types that narrow after the join.

What is still weak after the join takes the width of ``floatx``: with float16 a Python int is int16,
and with bfloat16, whose name ends in 16 too, a Python float is float16. Then uint64 narrows to
uint32 and complex128 to complex64, and on any backend but TensorFlow int64 and float64 narrow also.

Source: ``keras/src/backend/common/dtypes.py`` of Keras 3.15.1, measured on
``keras.backend.result_type`` on TensorFlow, JAX, PyTorch and NumPy. It is asked about dtypes, and
about the types of Python numbers. It takes no float8, not even alone.

Functions are those of ``keras.ops``, called on arrays of the backend: TensorFlow, eagerly, or JAX
with its 64-bit types off. On TensorFlow some join as above, and others, such as ``remainder`` and
``hypot``, make a tensor of a Python number first: int32, or int64 if it must; float32; complex128.
On JAX a number is as weak as JAX itself has it, whatever ``floatx`` is; but if that is bfloat16,
Keras makes it float32, a complex one too, except in ``where``. A symbolic ``KerasTensor`` may have
another dtype than what is computed: see `_keras_functions`.
Not modelled: strings; the functions on PyTorch and NumPy; in functions, Python bools, ints beyond
int64, floats of which TensorFlow makes no float32, and weakly typed arrays of JAX; what the
backends' own operators make of their arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..function_rules import Defaults
from ..lattice import Lattice
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, fits
from ..system import PromotionSystem
from . import jax
from ._keras_functions import functions

LIBRARY = Library("Keras", ("keras",))

ARROWS = jax.ARROWS.replace(", c*", "")

NARROWED = {"uint64": "uint32", "complex128": "complex64"}
NARROWED_UNLESS_TENSORFLOW = {"int64": "int32", "float64": "float32"}


OPERABLE = "b u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"
OPERABLE_ON_JAX = "b u8 u16 u32 i8 i16 i32 bf16 f16 f32 c64"


class OfFunction(Classified):
    """An operand of a function: if all are of one dtype, that does not narrow."""


class Tensors(NamedTuple):
    """How operands join where Keras makes a tensor of a number first, which has a dtype then."""

    lattice: Lattice[DType]
    floatx: str
    backend: str

    def start(self, first: Classified) -> DType:
        """Return the dtype of the first operand."""
        value: Any = first.operand.number
        if not first.operand.is_python:
            return first.node
        if self.backend == "jax":  # as floatx is bfloat16 there
            return by_name("float32")
        if isinstance(value, int):
            return by_name("int32" if _fits(value, 32) else "int64")
        return by_name("float32" if first.operand.dtype.kind == "float" else "complex128")

    def step(self, node: DType, item: Classified) -> DType:
        """Return the dtype after another operand."""
        joined = self.lattice.join(node, self.start(item))
        full = f"float{self.floatx[-2:]}" if joined.weak else joined.name
        return by_name(NARROWED.get(full, full))


class Settle(NamedTuple):
    """What becomes of a node: weak ones get the width of floatx, and then some narrow."""

    floatx: str
    backend: str

    def __call__(self, node: DType, taken: Sequence[Classified]) -> Settled:
        """Return what becomes of a node."""
        if any(t.operand.form == "Python subclass" for t in taken):
            raise NoJoinError("Keras takes the types int and float, not types derived from them")
        floatx, of_function = self.floatx, isinstance(taken[0], OfFunction)
        if of_function and self.backend == "jax":
            floatx = "float32"
        elif of_function and node.weak and len(taken) == 1:
            raise NoJoinError("a number has the dtype of what it meets")
        if of_function and len({t.node for t in taken}) == 1 and not node.weak:
            return Settled(node)
        widths = {"int*": f"int{floatx[-2:]}", "float*": f"float{floatx[-2:]}"}
        wide = self.backend == "tensorflow"
        narrowed = NARROWED if wide else {**NARROWED, **NARROWED_UNLESS_TENSORFLOW}
        full = widths.get(node.name, node.name)
        result = by_name(narrowed.get(full, full))
        weak = f"{node} is weak, and floatx is {floatx}: " if node.weak else ""
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
        backend: what Keras runs on. For its dtypes it matters whether that is TensorFlow; there are
            rules of functions on TensorFlow and JAX.
    """
    default = "float32" if floatx == "float64" and backend != "tensorflow" else floatx
    lattice: Lattice[DType] = Lattice(ARROWS, node=from_code)
    tensors = Tensors(lattice, floatx, backend)
    of_tensors: Fold[DType] = Fold(lattice, tensors.step, start=tensors.start)
    has_tensors = backend == "tensorflow" or (backend, floatx) == ("jax", "bfloat16")
    return PromotionSystem(
        "keras",
        lattice,
        classify=_classify,
        settle=Settle(floatx, backend),
        setting={"floatx": floatx, "backend": backend},
        label=f"floatx {floatx}, on {backend}",
        version="3.15.1",
        source="keras/src/backend/common/dtypes.py",
        library=LIBRARY,
        functions=functions(backend, f"float{default[-2:]}"),
        operable=OPERABLE_ON_JAX if backend == "jax" else OPERABLE,
        function_join=of_tensors if has_tensors else None,
        function_classify=_classify_of_function,
        refuse_int=_refuse_int_on_jax if backend == "jax" else _refuse_int,
        defaults=Defaults(
            by_name(f"int{default[-2:]}"), by_name(default), by_name("complex64"), by_name("int32")
        ),
    )


def _classify(op: Operand, _: Sequence[Operand]) -> Classified:
    # arrays are never weak here, and a complex is no weaker than they are
    node = op.weak_dtype if op.is_python or op.form == "type" else op.dtype
    if node.name == "complex*":
        return Classified(op, by_name("complex64"), f"{op.describe()}, treated as complex64")
    return Classified(op, node, op.describe())


def _classify_of_function(op: Operand, operands: Sequence[Operand]) -> Classified:
    value: Any = op.number
    if op.form == "Python scalar" and (isinstance(value, bool) or _is_huge(value)):
        what = f"how its functions take {short(value)} is not modelled"
        raise NoJoinError(f"{what}; make an array of it first")
    return OfFunction(*_classify(op, operands))


def _refuse_int_on_jax(value: int, *_: object) -> str | None:
    return fits(value, by_name("int32"))


def _refuse_int(value: int, d: DType, _: Sequence[Operand], ints: str) -> str | None:
    """Refuse what raises as TensorFlow computes it: ints are cut to the bits they become."""
    if d.kind not in ("bool", "unsigned", "signed"):
        return None
    bits = 32 if d.kind == "unsigned" and ints == "exponent" else d.bits or 0
    cut = value % (1 << bits)
    if ints == "divisor" and cut == 0:
        return f"{short(value)} is zero as {d}, and divides nothing"
    if ints == "exponent" and cut >= 1 << bits - 1:
        return f"{short(value)} is negative as an integer of {bits} bits, and no power of integers"
    return None


def _is_huge(value: object) -> bool:
    return isinstance(value, int) and not _fits(value, 64)


def _fits(value: int, bits: int) -> bool:
    return -(1 << bits - 1) <= value < 1 << bits - 1
