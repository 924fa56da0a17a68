"""tinygrad's rules: JAX's lattice without complex, and four float8 in it that make it none.

float16 and bfloat16 are both least above two different float8. tinygrad takes, of all common upper
bounds, the one with the lowest priority number, without a warning: that is float16. The explanation
says so. tinygrad does it for all operands at once, so that
their order does not matter. Pair by pair it would: float8_e4m3fn, float8_e5m2 and bfloat16 are
bfloat16, but the first two are float16, and that with bfloat16 is float32.

Source: ``tinygrad/dtype.py`` of tinygrad 0.14.0, measured on ``Tensor.__add__`` and, for more than
two operands, on ``least_upper_dtype``. Its ``weakint`` and ``weakfloat`` are int* and float* here:
a tensor may have them until it is stored with a default dtype, which is the answer given.
Not modelled: NumPy arrays, which tinygrad does not take beside a tensor.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from ..common_steps import State
from ..dtypes import DType, by_name, from_code
from ..errors import NoJoinError
from ..fold import Fold
from ..function_rules import (
    Call,
    Defaults,
    FunctionRule,
    Special,
    parse_rules,
    special_rules,
    weak_but_of_floats,
)
from ..lattice import Lattice
from ..libraries import Library
from ..steps import Classified, numbers_are_weak
from ..system import PromotionSystem

LIBRARY = Library(
    "tinygrad",
    ("tinygrad",),
    import_as=("tinygrad", "tinygrad"),
    prefixes=("Tensor", "dtypes"),
    dtypes_in="tinygrad:dtypes",
    dtype_by_name=True,
    dtype_names=tuple({
        "int*": "weakint", "float*": "weakfloat", "float8_e4m3fn": "fp8e4m3",
        "float8_e5m2": "fp8e5m2", "float8_e4m3fnuz": "fp8e4m3fnuz",
        "float8_e5m2fnuz": "fp8e5m2fnuz", "uint128": "_uint128",
    }.items()),
    # its dtypes call themselves as C's types
    read_as=tuple({
        "signed char": "int8", "short": "int16", "int": "int32", "long": "int64",
        "unsigned char": "uint8", "unsigned short": "uint16", "unsigned int": "uint32",
        "unsigned long": "uint64", "half": "float16", "__bf16": "bfloat16", "float": "float32",
        "double": "float64", "float8_e4m3": "float8_e4m3fn", "weakint": "int*",
        "weakfloat": "float*",
    }.items()),
    divides_by_one_less=True,
    conditions_choose=True,
)  # fmt: skip

# A lattice, but for the tie, which is no dtype: tinygrad's own arrows lead past it.
ARROWS = """
    b -> i* -> i8, u8
    u8 -> u16 -> u32 -> u64 -> f*
    i8 -> i16 -> i32 -> i64 -> f*
    u8 -> i16; u16 -> i32; u32 -> i64
    f* -> float8_e4m3fn, float8_e4m3fnuz, float8_e5m2, float8_e5m2fnuz -> tie -> f16, bf16
    f16, bf16 -> f32 -> f64
"""
TIE, TAKEN, LEFT = "tie", "f16", "bf16"


FUNCTIONS = """
    add, subtract, multiply, power, negative, square, trunc, sign, abs =
    matmul, dot, concat, stack, where =
    prod, cumulative_prod, max, min = weak
    maximum, minimum, copysign = arrays first
    sort, diag, transpose, flip, roll, repeat =
    bitwise_and, bitwise_or, bitwise_xor, invert = float: -
    floor_divide, remainder = b: FLOAT
    fmod = arrays first; b: FLOAT
    logaddexp = arrays first; bool integer: FLOAT
    sin, cos, tan, sinh, cosh, exp, exp2, log, log2, log10, sqrt, rsqrt, reciprocal, erf, selu, elu,
    qr[0], qr[1], svd[0], svd[1], svd[2] = bool integer: FLOAT
    true_divide, atanh, softsign = weak float; bool integer: FLOAT
    softmax, log_softmax, logsumexp, logcumsumexp = weak; bool integer: FLOAT
    equal, not_equal, less, less_equal, greater, greater_equal = *: b
    logical_not, isfinite, isinf, isnan, all, any = *: b
    mean, std, var = weak float; bool integer: f32
    argmax, argmin = weak; *: i32
    argsort, nonzero, topk[1], sort[1] = weak; *: INT
    normalize = bool integer: f32
    arange, full = weak
    same, clip, topk[0], flatten, squeeze, contiguous, detach, diagonal, triu, tril, expand_dims,
    reshape, split[0], broadcast_to, unflatten, permute_dims, pad, tensor =
    cummax[0], cummin[0], copy, empty_like, masked_select, gather = weak
    meshgrid[0] = only 1
    linspace = weak; *: FLOAT
    zeros, ones, empty, eye, rand, randn, uniform, normal = *: FLOAT
    randint = *: i32
"""
# Functions that are written with numbers, which is seen of what has no float of its own.
WITH_NUMBERS = """
    round, acos, asin, tanh, sigmoid, celu, leaky_relu, gelu, silu, mish, softplus, logsigmoid,
    hardsigmoid, hardswish = bool integer: FLOAT
"""
BOOLS_WITH_NUMBERS = """
    acosh, asinh, atan = bool integer: FLOAT
    floor, ceil, relu, relu6, hardtanh = b: INT
"""
OF_CLASSES = "one_hot = b float: -; *: INT"
SUMS = "sum, cumulative_sum, cumsum = weak; b i8 i16: i32; u8 u16: u32"
STORED = "zeros_like, ones_like, full_like ="
OPERABLE = """
    b u8 u16 u32 u64 i8 i16 i32 i64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz
    bf16 f16 f32 f64
"""


def _weak_of_bools(call: Call) -> bool:
    return call.settled.weak or call.joined.kind == "bool"


def _weak(_: Call) -> bool:
    return True


def _summed(call: Call) -> DType:
    if call.settled.weak:  # whatever the default dtypes are
        return by_name("float32" if call.joined.kind == "float" else "int32")
    return call.becomes(call.joined)


def _stored(call: Call) -> DType:
    if call.settled.weak:
        raise NoJoinError("nothing is stored in a weak dtype")
    return call.joined


def _functions() -> dict[str, FunctionRule]:
    return {
        **parse_rules(FUNCTIONS),
        **special_rules(
            Special("what is not of a float is weak", keeps_weak=weak_but_of_floats), WITH_NUMBERS
        ),
        **special_rules(
            Special("what is of bools is weak", keeps_weak=_weak_of_bools), BOOLS_WITH_NUMBERS
        ),
        **special_rules(Special("the result is weak", keeps_weak=_weak), OF_CLASSES),
        **special_rules(Special("weak dtypes add up in 32 bits", result=_summed), SUMS),
        **special_rules(Special("a weak dtype is refused", result=_stored), STORED),
    }


class Order(NamedTuple):
    """tinygrad's order, in which a tie is a node of its own until something wider is met.

    A state has seen its place in the order, which is the tie or the dtype.
    """

    lattice: Lattice[Any]

    def start(self, first: Classified) -> State:
        """Return the state after the first operand."""
        return State(first.node, seen=first.node)

    def step(self, state: State, item: Classified) -> State:
        """Return the state after another operand."""
        place = self.lattice.join(state.seen, item.node)
        if place != TIE:
            return State(place, seen=place)
        taken, left = from_code(TAKEN), from_code(LEFT)
        why = f"a tie, broken silently: {taken} and {left} are both least above these"
        return State(taken, f"{why}, and tinygrad takes {taken}", TIE)


def build(
    *,
    default_float: Literal["float32", "float16", "bfloat16", "float64"] = "float32",
    default_int: Literal["int32", "int64"] = "int32",
) -> PromotionSystem:
    """Return tinygrad's rules.

    Args:
        default_float: what a weak float is stored as (``DEFAULT_FLOAT``).
        default_int: what a weak int is stored as (``DEFAULT_INT``).
    """
    text: Lattice[str] = Lattice(ARROWS)
    coded: dict[str, Any] = {node: node if node == TIE else from_code(node) for node in text}
    order = Order(Lattice({coded[n]: [coded[m] for m in text.arrows[n]] for n in text}))
    nodes = [node for node in order.lattice if node != TIE]
    tied = [(a, b) for a in nodes for b in nodes if order.lattice.join(a, b) == TIE]
    return PromotionSystem(
        "tinygrad",
        Fold(nodes, order.step, start=order.start, marked=tied),
        classify=numbers_are_weak,
        widths={"int*": default_int, "float*": default_float},
        defaults=Defaults(
            by_name(default_int), by_name(default_float), by_name("complex64"), by_name("int32")
        ),
        functions=_functions(),
        operable=OPERABLE,
        label=f"default dtypes {default_float} and {default_int}",
        version="0.14.0",
        source="tinygrad/dtype.py",
    )
