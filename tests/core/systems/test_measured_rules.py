"""What functions give in places where the rules once were wrong, as measured on the libraries.

NumPy 2.4.6 with ml_dtypes 0.6.0, JAX 0.10.2, PyTorch 2.13.0, TensorFlow 2.21.0, MLX 0.32.4.
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
        # float32 with dimensions, float64 without
        ("jax", "angle", ("float32[3]",), REFUSED),
        ("jax", "angle", ("float32[]",), REFUSED),
        ("jax", "angle", (2.5,), REFUSED),
        ("jax", "angle", ("complex64[]",), "float32"),
        ("jax", "angle", ("int8[3]",), "float64"),
        ("numpy", "iadd", ("float32[3]", HUGE), REFUSED),
        ("numpy", "where", ("complex64[3]", HUGE), REFUSED),
        ("numpy", "true_divide", ("int32[3]", HUGE), REFUSED),
        ("numpy", "equal", ("float64[3]", HUGE), REFUSED),
        ("numpy", "equal", ("int32[3]", HUGE), "bool"),
        ("numpy", "add", ("float16[3]", 10**30), "float16"),
        # clip, with two bounds, with one, without
        ("numpy", "clip", ("bool[3]",), REFUSED),
        ("numpy", "clip", ("int8[3]",), "int8"),
        ("numpy", "clip", ("bfloat16[3]",), "bfloat16"),
        ("numpy", "clip", ("bfloat16[3]", 0), "bfloat16"),
        ("numpy", "clip", ("bfloat16[3]", 0, 3), "float32"),
        ("numpy", "clip", ("bfloat16[3]", True, 3), "float32"),
        ("numpy", "clip", ("bfloat16[3]", True, 1.0), "float32"),
        ("numpy", "clip", ("bool[3]", True, 3), "int64"),
        # radians is not deg2rad
        ("numpy", "radians", ("bfloat16[3]",), "float32"),
        ("numpy", "deg2rad", ("bfloat16[3]",), "bfloat16"),
        ("numpy", "degrees", ("bfloat16[3]",), "float32"),
        ("dask", "degrees", ("bfloat16[3]",), "float32"),
        ("numpy", "degrees", ("int8[3]",), "float16"),
        ("jax", "radians", ("bfloat16[3]",), "bfloat16"),
        # the dtype of what is unravelled
        ("jax", "unravel_index", ("uint8[3]",), "uint8"),
        ("jax", "unravel_index", ("float32[3]",), "float32"),
        ("jax", "unravel_index", ("bool[3]",), "int64"),
        ("jax", "unravel_index", ("complex64[3]",), REFUSED),
        # products that know no tiers, or multiply
        ("torch", "kron", ("float32[3]", "float64[]"), "float64"),
        ("torch", "kron", ("int64[]", "int8[3]"), "int64"),
        ("torch", "inner", ("float32[3]", "float64[]"), "float32"),
        ("torch", "inner", ("float32[3]", "float64[3]"), REFUSED),
        # numbers alone
        ("torch", "where", (1.0, 0.0), "float32"),
        ("torch", "where", (1, 0), "int64"),
        ("torch", "where", (True, 1.0), "float32"),
        ("torch", "maximum", (1.0, 0.0), REFUSED),
        # the second operand of embedding is the table, and has the dtype
        ("torch", "nn.functional.embedding", ("float64[3,3]",), "float64"),
        ("torch", "mean", ("int32[3]",), REFUSED),
        # what has no dimensions is not summed
        ("mlx", "sum", ("uint8[]",), "uint8"),
        ("mlx", "sum", ("uint8[3]",), "uint32"),
        ("mlx", "prod", ("bool[]",), "bool"),
        ("mlx", "softmax", ("int32[]",), "int32"),
        ("mlx", "softmax", ("int32[3]",), "float32"),
        # an operator turns a number around
        ("tensorflow", "add", (3, "float32[3]"), "float32"),
        ("tensorflow", "add", (1.0, "float64[3]"), "float64"),
        ("tensorflow", "add", (1.5, "int32[3]"), REFUSED),
        ("tensorflow", "add", ("bool[3]", "bool[3]"), REFUSED),
    ],
)  # fmt: skip
def test_a_function_gives_what_the_library_gives(system, op, operands, expected):
    found = answer(system, op, operands)
    assert (found and found.result.name) == expected


@pytest.mark.parametrize(
    ("op", "operands", "dtype", "weak"),
    [
        *[(op, (2.5,), "float64", True) for op in ("deg2rad", "radians", "degrees", "sinc")],
        *[(op, ("float64[]w",), "float64", True) for op in ("deg2rad", "rad2deg", "sinc")],
        *[(op, ("float64[3]w",), "float64", False) for op in ("deg2rad", "rad2deg", "sinc")],
        ("deg2rad", ("float32[]w",), "float32", False),  # which is not of the default width
        ("deg2rad", ("float64[]",), "float64", False),
        ("hypot", (3.0, 4.0), "float64", True),
        ("hypot", ("float64[]w", "int32[]"), "float64", True),
        ("hypot", ("float64[3]w", 4.0), "float64", False),
        ("logaddexp2", (3.0, 4.0), "float64", True),
        ("logaddexp2", ("float64[3]w", 4.0), "float64", False),
        ("logaddexp", ("float64[3]w", 4.0), "float64", True),
        ("logaddexp", (1j, 4.0), "complex128", True),
        ("logaddexp", ("complex128[3]w", 4.0), "complex128", False),
        ("gcd", (4, 6), "int64", True),
        ("lcm", (4, "int64[3]w"), "int64", False),
        ("gcd", (4, "int8[]"), "int8", False),
        ("heaviside", (3.0, "float64[3]w"), "float64", True),
        ("heaviside", ("float64[3]w", 3.0), "float64", False),
        ("angle", ("complex128[]w",), "float64", True),
        ("round", (2.5,), "float64", True),
        ("sin", (2.5,), "float64", True),
    ],
)
def test_jax_keeps_results_weak_where_its_constants_are(op, operands, dtype, weak):
    found = answer("jax", op, operands)
    assert (found.result.name, found.weak) == (dtype, weak)


def test_numpy_takes_over_beside_its_arrays():
    tensor = Operand("float32[3]", supremum.dtype("float32"), False, "array", "PyTorch", 1)
    array = Operand("float64[]", supremum.dtype("float64"), False, "array", "NumPy", 0)
    assert answer("torch", "multiply", (tensor, array)) is REFUSED
    assert answer("torch", "multiply", (array, array)).result.name == "float64"  # it stands for one
    scalar = Operand("uint64()", supremum.dtype("uint64"), False, "scalar", "NumPy", 0, 2**63 + 5)
    assert answer("torch", "add", (tensor, scalar)) is REFUSED
    assert answer("torch", "add", (tensor, scalar._replace(value=5))).result.name == "float32"
