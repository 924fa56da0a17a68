"""The namespace under the rules of ``jax.lax``, on NumPy, against the functions of ``jax.lax``."""

from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import supremum

DTYPES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
ONE = {
    "abs": lax.abs,
    "acos": lax.acos,
    "asinh": lax.asinh,
    "atan": lax.atan,
    "bitwise_invert": lax.bitwise_not,
    "ceil": lax.ceil,
    "cos": lax.cos,
    "cumulative_prod": lax.cumprod,
    "cumulative_sum": lax.cumsum,
    "exp": lax.exp,
    "expm1": lax.expm1,
    "floor": lax.floor,
    "imag": lax.imag,
    "isfinite": lax.is_finite,
    "log": lax.log,
    "log1p": lax.log1p,
    "max": lambda x: lax.reduce_max(x, (0,)),
    "min": lambda x: lax.reduce_min(x, (0,)),
    "negative": lax.neg,
    "prod": lambda x: lax.reduce_prod(x, (0,)),
    "real": lax.real,
    "reciprocal": lambda x: lax.div(lax.full_like(x, 1), x) if _is_inexact(x) else lax.sqrt(x),
    "round": lax.round,
    "sign": lax.sign,
    "sin": lax.sin,
    "sort": lax.sort,
    "sqrt": lax.sqrt,
    "square": lax.square,
    "sum": lambda x: lax.reduce_sum(x, (0,)),
    "tan": lax.tan,
    "tanh": lax.tanh,
}
TWO = {
    "add": lax.add,
    "bitwise_and": lax.bitwise_and,
    "bitwise_left_shift": lax.shift_left,
    "bitwise_or": lax.bitwise_or,
    "equal": lax.eq,
    "greater": lax.gt,
    "less": lax.lt,
    "maximum": lax.max,
    "minimum": lax.min,
    "multiply": lax.mul,
    "nextafter": lax.nextafter,
    "not_equal": lax.ne,
    "pow": lax.pow,
    "remainder": lax.rem,
    "subtract": lax.sub,
}


def _is_inexact(x):
    return jnp.issubdtype(x.dtype, jnp.inexact)


def theirs(function, *xs):
    try:
        return str(jax.eval_shape(function, *xs).dtype)
    except TypeError:
        return "refused"


def ours(function, *xs):
    try:
        return function(*xs).dtype.name
    except supremum.PromotionError:
        return "refused"


@pytest.fixture
def arrays():
    with jax.enable_x64(True):
        xp = supremum.namespace("jax-lax")
        yield {d: (xp.ones(2, dtype=d), jnp.ones(2, d)) for d in DTYPES}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of infinite values
@pytest.mark.parametrize("name", ONE)
def test_of_one_operand(name, arrays):
    call = getattr(supremum.namespace("jax-lax"), name)
    for d, (x, y) in arrays.items():
        assert ours(call, x) == theirs(ONE[name], y), d


@pytest.mark.parametrize("name", TWO)
def test_of_two_operands(name, arrays):
    call = getattr(supremum.namespace("jax-lax"), name)
    for (a, (x, y)), (b, (v, w)) in product(arrays.items(), repeat=2):
        if name == "pow" and a != b:
            continue  # it alone takes an integer beside a float, as an exponent
        assert ours(call, x, v) == theirs(TWO[name], y, w), (a, b)


def test_numbers_have_their_default_dtypes():
    xp = supremum.namespace("jax-lax")
    assert (xp.ones(2, dtype=xp.float64) + 1.5).dtype.name == "float64"
    assert ours(xp.add, xp.ones(2, dtype=xp.float32), 1.5) == "refused"
    with jax.enable_x64(True):
        assert theirs(lax.add, jnp.ones(2, np.float64), 1.5) == "float64"
