"""TensorFlow's rules: explicit casting, or the two modes of its NumPy-style promotion.

Explicit casting is no promotion: the first operand decides, and only Python's numbers convert to
its dtype. So the order counts: ``tf.add(x, 1.0)`` is float64 if x is, and ``tf.add(1.0, x)`` is
refused, since 1.0 has become float32 (``1.0 + x`` turns the two around). Bools are refused.
In NumPy-style promotion "all" joins on JAX's lattice, and "safe" refuses what may lose bits. Both
go from the left, so that in safe mode the order decides whether there is an answer: int8, int16
and uint8 are int16, and int8, uint8 and int16 are refused. A Python int must fit int32.

Source: TensorFlow 2.21.0. Explicit mode is measured on ``tf.add``, eagerly; the others are
``flexible_dtypes.py``, measured on ``tnp.result_type``. ``tf.add`` agrees with them, except that it
refuses two bools, and Python's bools beside most dtypes; ``tnp.add`` follows NumPy's table instead.
What is NumPy's converts to the dtype of the tensor beside it, in explicit mode. As the first
operand of a function, and not of an operator, it does not: ``tf.add(numpy_array, x)`` is refused.
Not modelled: ``tf.function``, where the value of a number counts otherwise; strings; float8 and
int4, without kernels; weak tensors of 64 bits in safe mode, which are refused here if those of 32
are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal, NamedTuple

from ..common_steps import INT32, INT64, Advice, Converting, State
from ..dtypes import WEAK, DType, by_name, from_code
from ..errors import NoJoinError, short
from ..fold import Fold
from ..function_rules import Defaults
from ..lattice import Lattice
from ..libraries import Library
from ..operands import Operand
from ..steps import Classified, Settled, fits, numbers_are_weak
from ..system import PromotionSystem
from ..table import Table
from .jax import ARROWS


def _at_hand(tensor: Any) -> Any:
    # a symbolic one has no values
    return tensor.numpy() if hasattr(tensor, "numpy") and "CPU" in tensor.device else None


LIBRARY = Library(
    "TensorFlow",
    ("tensorflow",),
    import_as=("tensorflow", "tf"),
    dtypes_in="tensorflow",
    more_dtypes_in=("dtypes.experimental",),
    cast="tf.cast({x}, {dtype})",
    last="{dtype}.{end}",
    at_hand=_at_hand,
    lengths=(("shape", "int32"), ("size", "int32"), ("rank", "int32")),
    first_made=("add", "truediv"),
    lacks_parameters=("softmax dtype", "log_softmax dtype"),
)

# Explicit casting: the dtypes, what a Python number becomes if it comes first, and what it
# converts to if it comes later. A Python bool passes for an int with some dtypes.
DTYPES = "u8 u16 u32 u64 i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128"
BECOMES = {"i*": "i32", "f*": "f32", "c*": "c128"}
CONVERTS = {"i*": DTYPES, "f*": "bf16 f16 f32 f64 c64 c128", "c*": "c64 c128"}
CONVERTS_BOOL = "u64 i32 i64 f16 f32 f64 c128"

# These take an int of the range of float64, uint64 one of its own range, and others one of int64's.
TAKES_LARGE = "f16 f32 f64 c128"
_TOO_LARGE = {"f32": 2.0**128 - 2.0**103, "f64": 2**1024 - 2**970}  # round to infinity

# In operators and functions a number converts to the dtype of the tensor on either side; ``add``
# stands for the operator here. matmul takes bfloat16 with float32 too, which no rule here says.
FUNCTIONS = """
    add, subtract, multiply, square, conj = b: -
    sum, prod, mean, cumulative_sum, cumsum, cumulative_prod, trace = b: -
    true_divide = b: -; u8 u16 i8 i16: f32; integer: f64
    floor_divide, remainder = ints divisor; b complex: -
    maximum, minimum, max, min, round = b complex: -
    power = ints exponent; b unsigned: -
    negative, sign = b unsigned: -
    abs = b unsigned: -; complex: part
    equal, not_equal = *: b
    less, less_equal, greater, greater_equal = b complex: -; *: b
    logical_and, logical_or, logical_xor, logical_not, all, any = integer float complex: -
    bitwise_and, bitwise_or, bitwise_xor, invert = float complex: -
    left_shift, right_shift = b float complex: -
    sin, acos, acosh, asin, asinh, atan, atanh, cos, cosh, exp, expm1, log, log1p, reciprocal,
    sinh, sqrt, tan, tanh, rsqrt, sigmoid, xlogy, xlog1py = bool integer: -
    atan2, floor, ceil, erf, erfc, softmax, log_softmax, logsumexp = bool integer complex: -
    lgamma, digamma = bool integer complex bf16: -
    isfinite, isinf, isnan = bool integer complex: -; *: b
    std, var, angle = bool integer: -; complex: part
    argmax, argmin = complex: -; *: i64
    concat, stack, where =
    same, reshape, transpose, broadcast_to, zeros_like, ones_like, squeeze, expand_dims, repeat,
    roll, pad, flip, diag, unstack, split[0], gather, stop_gradient, matrix_transpose,
    asarray, array =
    zeros, ones, eye, linspace, normal, uniform = *: FLOAT
    tile = u16: -
    real = b: -; complex: part
    imag = complex: part
    relu = b complex: -
    elu, selu, gelu, softplus, logsigmoid, softsign = bool integer complex: -
    leaky_relu = b complex: -; integer: f32
    silu = bool integer: -
    clip = b complex: -
    matmul = b u8 u16 u32 u64 i8 i16: -
    einsum = b u8 u16 u32 u64 i8 i16: -
    tensordot = b u8 u16 u32 u64 i8 i16: -
    argsort, searchsorted = b complex: -; *: i32
    count_nonzero = *: i64
    cross, sort = b complex: -
    unique = complex: -
    norm, normalize = bool integer: -
    one_hot = b float complex u16 u32 u64 i16: -; *: f32
    erfinv, igamma, igammac, zeta, polygamma, nextafter, rint,
    pinv = bool integer complex bf16 f16: -
    topk[0] = b complex: -
    topk[1] = b complex: -; *: i32
    inv = bool integer bf16: -
    cholesky, det, solve = bool integer bf16 f16: -
    eigvalsh, eigh[0], eigh[1], slogdet[0], slogdet[1], svd[1],
    svd[2] = bool integer bf16 f16: -
    svd[0], logdet = bool integer bf16 f16: -; complex: part
    qr[0], qr[1] = bool integer bf16: -
    matrix_rank = bool integer complex bf16 f16: -; *: i32
    eigvals, eig[0], eig[1] = bool integer bf16 f16: -; f32: c64; f64: c128
"""
OPERABLE = f"b {DTYPES}"

# What safe mode refuses of the joins of JAX's lattice, in either order.
UNSAFE = {
    "f*": "u8 u16 u32 u64 i8 i16 i32 i64",
    "c*": "u64 i64 bf16 f16 f32",
    "u8": "i8",
    "u16": "i8 i16 bf16 f16",
    "u32": "i8 i16 i32 bf16 f16 f32 c64",
    "u64": "i8 i16 i32 i64 bf16 f16 f32 f64 c64 c128",
    "i16": "bf16 f16",
    "i32": "bf16 f16 f32 c64",
    "i64": "bf16 f16 f32 f64 c64 c128",
    "f16": "bf16",
    "f64": "c64",
}


def build(*, mode: Literal["explicit", "all", "safe"] = "explicit") -> PromotionSystem:
    """Return TensorFlow's rules.

    Args:
        mode: ``"explicit"`` casting, or how its NumPy-style promotion converts dtypes.
    """
    about: dict[str, Any] = {
        "valued": True, "label": mode, "version": "2.21.0",
        "defaults": Defaults(INT32, *map(by_name, ("float32", "complex128", "int64"))),
    }  # fmt: skip
    if mode != "explicit":
        about |= {"settle": _settle, "source": "framework/flexible_dtypes.py"}
        if mode == "all":
            return PromotionSystem.from_lattice(ARROWS, "tensorflow", **about)
        advice = Advice(
            (("*", "safe mode gives no dtype that may lose bits of one, pair by pair"),)
        )
        return PromotionSystem.from_table(_safe(), "tensorflow", advise=advice, **about)
    first = FirstDecides(_explicit().map(from_code))
    alike = FirstDecides(_explicit("b").map(from_code))
    return PromotionSystem(
        "tensorflow",
        Fold(first.table.nodes, first.step, start=first.start),
        classify=_converting(_classify),
        settle=_settle_explicit,
        functions=FUNCTIONS,
        function_classify=_converting(numbers_are_weak),
        function_join=Fold(alike.table.nodes, alike.step, start=alike.start, order=_tensors_first),
        operable=OPERABLE,
        refuse_int=refuse_cut,
        advise=_advise,
        source="measured on tf.add",
        **about,
    )


class FirstDecides(NamedTuple):
    """How explicit casting works: numbers convert to the first operand, and nothing else does."""

    table: Table[DType]

    def start(self, first: Classified) -> State:
        """Return the state after the first operand, which becomes a tensor."""
        value = _number(first.operand)
        if isinstance(value, float) and _TOO_LARGE["f32"] <= abs(value) < float("inf"):
            raise NoJoinError(f"{value!r} comes first, and is too large for float32")
        if not isinstance(value, int) or not fits(value, INT32):
            return State(first.node)
        if why := fits(value, INT64):
            raise NoJoinError(why)
        return State(INT64)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand, which must be of the same dtype or convert."""
        op, node = item.operand, item.node
        is_bool = op.form == "Python scalar" and node.kind == "bool"
        if is_bool and _becomes(state.node).code in CONVERTS_BOOL.split():
            node = WEAK["int"]
        result = self.table.join(state.node, node)
        _refuse_unfit(_number(op), result)
        why = f"the first operand decides, and {op.text} converts to it" if node.weak else ""
        return State(result, why)


def _refuse_unfit(value: Any, node: DType) -> None:
    """Refuse an int that is out of the range of what it converts to."""
    if not isinstance(value, int):
        return
    is_float = node.code in TAKES_LARGE.split()
    if is_float and abs(value) >= _TOO_LARGE["f64"]:
        raise NoJoinError(f"{short(value)} is out of the range of float64")
    if not is_float and (why := fits(value, node if node.code == "u64" else INT64)):
        raise NoJoinError(why)


def _classify(op: Operand, operands: Sequence[Operand]) -> Classified:
    if len(operands) == 1 and op.dtype.kind == "bool":
        raise NoJoinError(f"TensorFlow's {_NO_BOOL}")
    return numbers_are_weak(op, operands)


# what is NumPy's converts on either side of an operator, which `add` stands for
_converting = partial(Converting, "TensorFlow", forms=("array", "scalar"), from_left=True)
_NO_BOOL = "arithmetic does not take bool before it is cast to a number"


def _tensors_first(items: Sequence[Classified]) -> list[Classified]:
    return sorted(items, key=lambda x: x.operand.is_python)


def _settle_explicit(node: DType, _: Sequence[Classified]) -> Settled:
    return Settled(_becomes(node))


def refuse_cut(value: int, d: DType, _: Sequence[Operand], ints: str) -> str | None:
    """Refuse what raises as it is computed: ints are cut to the bits of what they become."""
    if d.kind not in ("bool", "unsigned", "signed"):
        return None
    bits = 32 if d.kind == "unsigned" and ints == "exponent" else d.bits or 0
    cut = value % (1 << bits)
    if ints == "divisor" and cut == 0:
        return f"{short(value)} is zero as {d}, and divides nothing"
    if ints == "exponent" and cut >= 1 << bits - 1:
        return f"{short(value)} is negative as an integer of {bits} bits, and no power of integers"
    return None


def _explicit(more: str = "") -> Table[str]:
    cells: dict[tuple[str, str], str] = {(d, d): d for d in more.split()}
    for first in (*DTYPES.split(), *BECOMES):
        strong = BECOMES.get(first, first)
        later = [weak for weak, dtypes in CONVERTS.items() if strong in dtypes.split()]
        cells |= {(first, second): strong for second in (strong, *later)}
    return Table(["b", *DTYPES.split(), *BECOMES], cells)


def _safe() -> Table[str]:
    jax: Lattice[str] = Lattice(ARROWS)
    unsafe = {(a, b) for a, refused in UNSAFE.items() for b in refused.split()}
    safe = [(a, b) for a in jax for b in jax if not unsafe & {(a, b), (b, a)}]
    return Table(jax, {pair: jax.join(*pair) for pair in safe})


def _becomes(node: DType) -> DType:
    return from_code(BECOMES.get(node.code or "", node.name))


def _number(op: Operand) -> Any:
    return op.number if op.dtype.kind != "bool" else None


def _advise(pair: Sequence[DType]) -> str:
    first, second = pair
    if first.kind == "bool":
        return f"its {_NO_BOOL}"
    if second.weak or second.kind == "bool":
        return f"a Python {second.name.strip('*')} does not convert to {_becomes(first)}"
    found = f"the Python {first.name[:-1]} is {_becomes(first)}, and " if first.weak else ""
    return f"{found}TensorFlow does not promote dtypes unless it is told to"


def _settle(node: DType, classified: Sequence[Classified]) -> Settled:
    for value in (_number(x.operand) for x in classified):
        if isinstance(value, int) and fits(value, INT32):
            raise NoJoinError("a Python int must fit int32; make it a tensor of a wider dtype")
    if not node.weak:
        return Settled(node)
    # 32 bits, unless integers made it a float, or a weak tensor of its kind has 64
    wide = any(_is_wide(x, node) for x in classified)
    widths = {"int*": ("int32", "int64"), "float*": ("float32", "float64")}
    result = by_name(widths.get(node.name, ("complex128",) * 2)[wide])
    return Settled(result, True, f"{node} is weak, and here its width is that of {result}.")


def _is_wide(x: Classified, node: DType) -> bool:
    is_array = x.operand.form == "array"
    if is_array and x.node is node and x.operand.dtype.bits == 64:
        return True
    return not x.node.weak and x.node.kind != "bool"
