"""What was measured on libraries by hand: operands and values that `conform` does not ask about.

The releases are those that the rules name; PyTorch 2.15.0 is the one that is to come.
"""

import pytest

import supremum
from supremum.core.operands import Operand, parse

REFUSED = None
HUGE = 10**400


def operand(x):
    """Return an operand; a string with a w at its end is a weakly typed array of JAX."""
    if not isinstance(x, str):
        return x
    found = parse(x.removesuffix("w"))
    if x.endswith("w"):
        return found._replace(weak=True, library="JAX")
    return found


def answer(system, op, operands):
    try:
        return supremum.explain(*map(operand, operands), op=op, system=system)
    except supremum.PromotionError:
        return None


@pytest.mark.parametrize(
    ("system", "op", "operands", "expected"),
    [
        # Python's ints that no float holds
        ("numpy", "add", ("float32[3]", HUGE), REFUSED),
        ("numpy", "iadd", ("float32[3]", HUGE), REFUSED),
        ("numpy", "where", ("complex64[3]", HUGE), REFUSED),
        ("numpy", "true_divide", ("int32[3]", HUGE), REFUSED),
        ("numpy", "equal", ("float64[3]", HUGE), REFUSED),
        ("numpy", "equal", ("int32[3]", HUGE), "bool"),
        ("numpy", "add", ("float16[3]", 10**30), "float16"),
        # numbers of other values
        ("tensorflow", "floor_divide", ("int8[3]", 256), REFUSED),
        ("tensorflow", "floor_divide", (256, "int8[3]"), "int8"),
        ("tensorflow", "power", ("int8[3]", 200), REFUSED),
        ("tensorflow", "power", ("int8[3]", 100), "int8"),
        ("keras", "floor_divide", ("int8[3]", 256), REFUSED),
        ("keras", "add", ("bool[3]", True), REFUSED),
        ("keras:backend=jax", "atan2", ("bfloat16[3]", 1.0), REFUSED),
        ("pandas", "floor_divide", ("int8[3]", 0), "float64"),
        ("pyarrow", "true_divide", ("int8[3]", 0), REFUSED),
        ("pyarrow", "true_divide", ("float32[3]", 0), "float32"),
        ("numba", "add", ("float32[3]", 2**63), "float32"),
        ("numba", "add", ("float32[3]", 2**64), REFUSED),
        ("numexpr", "add", ("int8[3]", 2**63), REFUSED),
        ("ndonnx", "right_shift", ("int8[3]", 7), REFUSED),
        ("numpy-legacy", None, ("uint8[3]", -1), "int16"),
        ("numpy-legacy", None, ("uint8[3]", "uint8[]"), "uint8"),
        ("numpy-legacy", None, ("bool[]", "bool[3]"), "bool"),
        ("numpy-legacy", None, ("int16[]", "float32[3]"), "float32"),
        # clip, with two bounds, with one, without
        ("numpy", "clip", ("bool[3]",), REFUSED),
        ("numpy", "clip", ("int8[3]",), "int8"),
        ("numpy", "clip", ("bfloat16[3]",), "bfloat16"),
        ("numpy", "clip", ("bfloat16[3]", 0), "bfloat16"),
        ("numpy", "clip", ("bfloat16[3]", 0, 3), "float32"),
        ("numpy", "clip", ("bfloat16[3]", True, 3), "float32"),
        ("numpy", "clip", ("bfloat16[3]", True, 1.0), "float32"),
        ("numpy", "clip", ("bool[3]", True, 3), "int64"),
        ("keras", "clip", ("int8[3]", 0, 1), "int8"),
        ("keras", "clip", ("int8[3]", 0, 1.5), REFUSED),
        ("dpnp", "clip", ("int8[3]", "int16[3]"), REFUSED),
        ("dpnp", "clip", ("int16[3]", "int8[3]"), "int16"),
        ("dpnp:fp64=false", "clip", ("float32[3]", "uint32[3]"), "float32"),
        ("dpnp:fp16=false", "clip", ("float32[3]", "uint32[3]"), REFUSED),
        # the ends of lines, which count by their value in NumPy 1
        ("numpy-legacy", "linspace", ("float32[3]", 0), "float32"),
        ("numpy-legacy", "linspace", (0, "float32[3]"), "float32"),
        ("numpy-legacy", "linspace", ("float32[]", 0), "float64"),
        ("numpy-legacy", "linspace", ("float16[3]", 1e30), "float32"),
        ("numpy-legacy", "linspace", ("float32[3]", 1e300), "float64"),
        ("numpy-legacy", "linspace", ("int8[3]", 1), "float64"),
        ("numpy-legacy", "logspace", ("float32[3]", 1), "float64"),
        ("numpy-legacy", "geomspace", ("float32[3]", 1), "float32"),
        ("numpy-legacy", "geomspace", ("float32[]", "float32[]"), "float64"),
        ("numpy-legacy", "geomspace", ("bool[3]", 1), "float64"),
        # float32 with dimensions, float64 without
        ("jax", "angle", (2.5,), REFUSED),
        ("jax", "angle", ("complex64[]",), "float32"),
        ("jax", "unravel_index", ("bool[3]",), "int64"),
        # products that know no tiers, or multiply
        ("torch", "kron", ("float32[3]", "float64[]"), "float64"),
        ("torch", "kron", ("int64[]", "int8[3]"), "int64"),
        ("torch", "inner", ("float32[3]", "float64[]"), "float32"),
        # numbers alone
        ("torch", "where", (1.0, 0.0), "float32"),
        ("torch", "where", (1, 0), "int64"),
        ("torch", "where", (True, 1.0), "float32"),
        ("torch", "maximum", (1.0, 0.0), REFUSED),
        ("numpy", None, (2**63,), "uint64"),
        ("tensorflow:mode=all", None, (1,), "int32"),
        ("keras", None, (1,), "int32"),
        ("keras:floatx=float16", None, (1,), "int16"),
        ("keras:floatx=bfloat16", None, (1.0,), "float16"),
        ("tinygrad:default_float=float16", None, (1.0,), "float16"),
        ("tinygrad:default_int=int64", None, (1,), "int64"),
        # what has no dimensions, which is not summed either
        ("mlx", "sum", ("uint8[]",), "uint8"),
        ("mlx", "prod", ("bool[]",), "bool"),
        ("mlx", "softmax", ("int32[]",), "int32"),
        ("pandas", "floor_divide", ("int8[3]", "int16[]"), "int8"),
        ("pandas", None, ("int8[3]", "float64[]"), "float64"),
        ("pandas", None, ("float32[3]", "float64[]"), "float32"),
        ("cupy", "add", ("int8[3]", "int16[]"), "int16"),
        ("numpy", "clip", ("int8[3]", 0.5, "bfloat16[3]"), "float32"),
        ("numpy", "clip", ("int32[3]", 1, "bfloat16[3]"), "float64"),
        ("numpy", "clip", (1, "int8[3]", "int8[3]"), "int64"),
        ("numpy", "clip", (0.5, "float32[3]", "float32[3]"), "float64"),
        # an exponent that is written out makes products and roots of the base
        ("numexpr", "power", ("int32[3]", 2), "int32"),
        ("numexpr", "power", ("int32[3]", 2.0), "int32"),
        ("numexpr", "power", ("uint32[3]", -1.0), "float64"),
        ("numexpr", "power", ("int32[3]", -1), REFUSED),
        ("numexpr", "power", ("float32[3]", 0.5), "float32"),
        ("numexpr", "power", ("float32[3]", 0.3), "float64"),
        ("numexpr", "power", ("float32[3]", 51.0), "float64"),
        ("numexpr", "power", ("bool[3]", 2), "bool"),
        ("numexpr", "power", ("bool[3]", 51), "int32"),
        ("numexpr", "power", ("bool[3]", 0), REFUSED),
        ("numexpr", "power", ("complex64[3]", 2j), REFUSED),
        ("numexpr", "power", (2, "bool[3]"), "int32"),
        # bools that are squared, and are not otherwise raised to a power
        ("pandas", "power", ("bool[3]", 2), "int8"),
        ("pandas", "power", ("bool[3]", 3), "int64"),
        ("numpy", "power", ("bool[3]", 2), "int64"),
        # numbers at the front, which Python adds up before they join
        ("pandas", None, ("uint64[3]", -1, True), REFUSED),
        # int8 adds up in int32, but beside bools
        ("keras:backend=jax", "matmul", ("int8[3]", "int8[3]"), "int32"),
        ("keras:backend=jax", "matmul", ("bool[3]", "int8[3]"), "int8"),
        ("keras", "einsum", ("bool[3]", "int8[3]"), "int8"),
        ("keras", "gelu", ("int32[3]",), REFUSED),
        ("keras:backend=jax", "gelu", ("int32[3]",), "float32"),
        # operators of TensorFlow, which masks have, and tf.bitwise has not
        ("tensorflow", "invert", ("bool[3]",), "bool"),
        ("tensorflow", "bitwise_and", ("bool[3]", "bool[3]"), "bool"),
        ("tensorflow", "left_shift", ("bool[3]", "bool[3]"), REFUSED),
        # losses and layers, of which each has its own idea of two dtypes
        ("torch", "mse_loss", ("float16[3]", "int64[3]"), "float16"),
        ("torch", "mse_loss", ("int64[3]", "int64[3]"), REFUSED),
        ("torch", "huber_loss", ("float16[3]", "float64[3]"), "float16"),
        ("torch", "binary_cross_entropy", ("float16[3]", "float32[3]"), REFUSED),
        ("torch", "linear", ("float32[3, 3]", "float64[3, 3]"), REFUSED),
        ("torch", "gelu", ("int32[3]",), REFUSED),
        ("torch", "hardtanh", ("int32[3]",), "int32"),
        ("torch:default_dtype=float64", "softsign", ("int32[3]",), "float64"),
        ("torch", "type_as", ("int8[3]", "float64[3]"), "float64"),
        ("jax", "lax.select", ("int8[3]", "int16[3]"), REFUSED),
        ("jax:x64=false", "lax.select", ("int32[3]", "int64[3]"), "int32"),
        ("jax", "lax.select", ("int8[3]", 1), REFUSED),
        ("jax", "silu", ("int8[3]",), REFUSED),
        ("jax", "interp", ("float16[3]", "float16[3]", "bfloat16[3]"), "float32"),
        ("jax", "interp", ("bfloat16[3]", "bfloat16[3]", "bfloat16[3]"), REFUSED),
        ("jax:mode=strict", "relu6", ("int8[3]",), REFUSED),
        # more than two, in this order
        ("torch", None, ("uint16[]", "bool[3]", "bfloat16[]"), "bfloat16"),
        ("tensorflow:mode=safe", None, ("int8[3]", "int16[3]", "uint8[3]"), "int16"),
        ("mlx", None, ("float16[3]", "uint64[3]", "int8[3]"), "float16"),
        ("tinygrad", None, ("bfloat16[3]", "float8_e4m3fn[3]", "float8_e5m2[3]"), "bfloat16"),
        ("numba", None, ("int8[]", "int8[]", True), "int64"),
        ("ndonnx", None, ("int8[3]", "bool[3]", "float16[3]"), "float32"),
        ("polars", None, ("uint8[3]", "int8[3]", "float16[3]"), "float32"),
        ("polars", None, ("uint8[3]", "float16[3]", "int8[3]"), "float16"),
        # a backend and a release that are not asked
        ("keras:backend=torch", None, ("float64[3]", "int8[3]"), "float32"),
        ("keras:backend=jax", "add", ("float64[3]", "float32[3]"), REFUSED),
        ("torch:version=2.15.0", None, ("bfloat16[3]", 1j), "bcomplex32"),
        ("torch:version=2.15.0", None, ("bfloat16[3]", "complex64[3]"), "complex64"),
        ("torch:version=2.15.0", None, ("bfloat16[3]", "complex64[]"), "bcomplex32"),
        ("torch:version=2.15.0", None, ("bcomplex32[3]", "float16[3]"), "complex64"),
    ],
)  # fmt: skip
def test_what_a_library_gives(system, op, operands, expected):
    found = answer(system, op, operands)
    assert (found and found.result.name) == expected


@pytest.mark.parametrize(
    ("op", "operands", "dtype", "weak"),
    [
        *[(op, (2.5,), "float64", True) for op in ("deg2rad", "radians", "degrees", "sinc")],
        *[(op, ("float64[]w",), "float64", True) for op in ("deg2rad", "rad2deg", "sinc")],
        *[(op, ("float64[3]w",), "float64", False) for op in ("deg2rad", "rad2deg", "sinc")],
        ("deg2rad", ("float64[]",), "float64", False),
        ("hypot", (3.0, 4.0), "float64", True),
        ("hypot", ("float64[]w", "int32[]"), "float64", True),
        ("hypot", ("float64[3]w", 4.0), "float64", False),
        ("logaddexp2", (3.0, 4.0), "float64", True),
        ("logaddexp2", ("float64[3]w", 4.0), "float64", False),
        ("logaddexp", ("float64[3]w", 4.0), "float64", True),
        ("logaddexp", (1j, 4.0), "complex128", True),
        ("logaddexp", ("complex128[3]w", 4.0), "complex128", False),
        # a Python number decides inside of these
        ("relu", ("bool[3]",), "int64", True),
        ("relu", ("uint8[3]w",), "int64", True),
        ("relu", ("uint8[3]",), "uint8", False),
        ("elu", ("int8[3]",), "float64", True),
        ("elu", ("float32[3]",), "float32", False),
        ("gelu", ("int8[3]",), "float32", False),
        ("softplus", ("bool[3]",), "float64", True),
        ("softplus", ("complex128[3]w",), "complex128", False),
        ("softplus", ("complex128[]w",), "complex128", True),
        ("stop_gradient", ("float32[3]w",), "float32", True),
        ("one_hot", ("int32[3]w",), "float64", False),
        ("gcd", (4, 6), "int64", True),
        ("lcm", (4, "int64[3]w"), "int64", False),
        ("gcd", (4, "int8[]"), "int8", False),
        ("heaviside", (3.0, "float64[3]w"), "float64", True),
        ("heaviside", ("float64[3]w", 3.0), "float64", False),
        ("angle", ("complex128[]w",), "float64", True),
        ("angle", ("float32[3]",), "float32", False),
        ("angle", ("float32[3]w",), "float32", True),
        ("angle", ("float32[]",), "float64", False),
        ("angle", ("float32[]w",), "float64", False),
        ("round", (2.5,), "float64", True),
        ("sin", (2.5,), "float64", True),
    ],
)
def test_jax_keeps_results_weak_where_its_constants_are(op, operands, dtype, weak):
    found = answer("jax", op, operands)
    assert (found.result.name, found.weak) == (dtype, weak)


def test_numpy_takes_over_beside_its_arrays():
    tensor = Operand("float32[3]", supremum.dtype("float32"), False, "array", "PyTorch", (3,))
    array = Operand("float64[]", supremum.dtype("float64"), False, "array", "NumPy", ())
    assert answer("torch", "multiply", (tensor, array)) is REFUSED
    assert answer("torch", "multiply", (array, array)).result.name == "float64"  # it stands for one
    scalar = Operand("uint64()", supremum.dtype("uint64"), False, "scalar", "NumPy", (), 2**63 + 5)
    assert answer("torch", "add", (tensor, scalar)) is REFUSED
    assert answer("torch", "add", (tensor, scalar._replace(value=5))).result.name == "float32"


@pytest.mark.parametrize(
    ("system", "text", "expected"),
    [
        # what tinygrad makes of numbers gives way to the next tensor, and so do its functions
        # that are written with numbers, but not those that are not
        ("tinygrad", "tanh(int8[3]) * float16[3]", "float16"),
        ("tinygrad", "sin(int8[3]) * float16[3]", "float32"),
        ("tinygrad", "(bool[3] / 1) * float16[3]", "float32"),
        ("tinygrad", "(bool[3] / 1.5) * float16[3]", "float16"),
        ("tinygrad", "(int8[3] * 1.5).mean() * float16[3]", "float16"),
        ("tinygrad", "(bool[3] + 1).mean() * float16[3]", "float32"),
        ("tinygrad", "(int8[3] * 1.5).sum() * float16[3]", "float32"),
        ("tinygrad:default_float=float64", "(int8[3] * 1.5).sum() * float16[3]", "float32"),
        ("tinygrad", "bool[3].relu() * int8[3]", "int8"),
        # what Polars makes of literals, and an integer's logarithm and power
        ("polars", "(bool[3] + 1.5) * float16[3]", "float16"),
        ("polars", "(bool[3] / 1.5) * float16[3]", "float64"),
        ("polars", "(int8[3] * 1.5) + float16[3]", "float64"),
        ("polars", "(int8[3] ** 1.5) + float32[3]", "float32"),
        ("polars", "(1.5 ** int8[3]) + float16[3]", "float16"),
        ("polars", "(1 ** float16[3]) + int8[3]", "float16"),
        ("polars", "int8[3].log() + float16[3]", "float16"),
        ("polars", "(bool[3] + 1.5).sum() * float16[3]", "float16"),
        ("polars", "(bool[3] + 1.5).mean() * float16[3]", "float64"),
        ("polars:operation=series", "int8[3].log() + float16[3]", "float64"),
    ],
)
def test_what_gives_way_to_the_next_operand(system, text, expected):
    assert supremum.explain(text, system=system).result.name == expected
