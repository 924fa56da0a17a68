"""The numpy backend: however operands are cast, the values are those of casting them first."""

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum.arrays.backends import numpy as backend
from supremum.arrays.backends import numpy_ufuncs as ufuncs

jax = supremum.namespace("jax", backend="numpy")
F32 = np.float32
SIZES = [ufuncs._LARGE - 1, ufuncs._LARGE, ufuncs._LARGE + 1, 64 * ufuncs._LARGE]
FUNCTIONS = {"add": np.add, "subtract": np.subtract, "divide": np.divide, "pow": np.power}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("other", ["array", "0-d", "number"])
def test_a_cast_operand_on_either_side(name, size, other):
    counts = np.arange(size, dtype="int32") % 7 + 1
    beside = {"array": np.linspace(1, 2, size, dtype=F32), "0-d": F32(1.5), "number": 1.5}[other]
    own = beside if other == "number" else jax.asarray(beside)
    d = np.float64 if other == "number" else F32  # the default, as 64 bits are on
    function = getattr(jax, name)
    left, right = function(jax.asarray(counts), own), function(own, jax.asarray(counts))
    np.testing.assert_array_equal(left.native, FUNCTIONS[name](counts.astype(d), d(beside)))
    np.testing.assert_array_equal(right.native, FUNCTIONS[name](d(beside), counts.astype(d)))
    assert left.native.dtype == right.native.dtype == d


ROWS = ufuncs._LARGE // 8
SHAPES = {
    "transposed": ((ROWS, 64), (ROWS, 64), "F", "C"),
    "both transposed": ((ROWS, 64), (ROWS, 64), "F", "F"),
    "other transposed": ((ROWS, 64), (ROWS, 64), "C", "F"),
    "a row": ((ROWS, 64), (64,), "C", "C"),
    "a column": ((ROWS, 64), (ROWS, 1), "C", "C"),
    "a larger one": ((64,), (ROWS, 64), "C", "C"),
    "more dimensions": ((ROWS, 64), (2, ROWS, 64), "C", "C"),
    "both smaller": ((ROWS, 1), (1, 64), "C", "C"),
}


@pytest.mark.parametrize(("x", "y", "x_order", "y_order"), SHAPES.values(), ids=SHAPES.keys())
def test_shapes_and_orders(x, y, x_order, y_order):
    rng = np.random.default_rng(0)
    a = np.asarray(rng.integers(-9, 9, x), "int32", order=x_order)
    b = np.asarray(rng.random(y, F32), order=y_order)
    np.testing.assert_array_equal((jax.asarray(a) - jax.asarray(b)).native, a.astype(F32) - b)
    np.testing.assert_array_equal((jax.asarray(b) - jax.asarray(a)).native, b - a.astype(F32))
    assert a.dtype == "int32"


@pytest.mark.parametrize("size", [8, *SIZES])
def test_both_operands_are_cast_and_kept(size):
    a, b = np.arange(size, dtype="int16") % 9, np.arange(size, dtype="uint16") % 5 + 1
    x, y = jax.asarray(a), jax.asarray(b)
    np.testing.assert_array_equal((x / y).native, (a / b).astype((x / y).native.dtype))
    np.testing.assert_array_equal((x + y).native, a.astype("int32") + b)
    assert (x.native.dtype, y.native.dtype) == ("int16", "uint16")


@pytest.mark.parametrize("d", ["int8", "float32", "bfloat16", "bool", "complex64"])
def test_results_without_dimensions_are_arrays(d):
    x = jax.ones((), dtype=d)
    found = [x + x, x + 1, x == 1, jax.sum(x), jax.ones(2, dtype=d)[0], jax.sqrt(x), jax.any(x)]
    assert {type(y.native) for y in found} == {np.ndarray}


@pytest.mark.parametrize("d", ["bfloat16", "float16", "float32"])
def test_nan_comes_last(d):
    x = jax.asarray([3, float("nan"), -1, 2], dtype=d)
    assert np.asarray(jax.sort(x))[:3].tolist() == [-1, 2, 3]
    assert jax.argsort(x).tolist() == [2, 3, 0, 1]
    assert np.asarray(jax.unique_values(x))[:3].tolist() == [-1, 2, 3]
    assert jax.sort(x).dtype.name == d


@pytest.mark.parametrize("d", ["bfloat16", "float16"])
def test_narrow_sums_and_products_are_rounded_once(d):
    x = jax.ones(5000, dtype=d)
    assert float(jax.sum(x)) == float(np.float32(5000).astype(x.native.dtype))
    assert float(x @ x) == float(jax.sum(x))
    assert (x @ x).dtype.name == jax.sum(x).dtype.name == d


def test_complex_numbers_are_cast_by_their_real_part():
    x = jax.asarray([0, 2 + 1j, 1j], dtype="complex64")
    assert jax.astype(x, "bool").tolist() == [False, True, True]
    assert backend.BACKEND.cast(x.native, supremum.dtype("int32")).tolist() == [0, 2, 0]
    half = x.native.astype(ml_dtypes.complex32)
    assert backend.BACKEND.cast(half, supremum.dtype("float32")).tolist() == [0, 2, 0]


@pytest.mark.parametrize("d", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["inv", "det", "svd", "eigh", "cholesky", "qr"])
def test_linear_algebra_of_narrow_floats_is_refused(d, name):
    with pytest.raises(TypeError) as caught:
        getattr(jax.linalg, name)(jax.eye(2, dtype=d))
    assert str(caught.value) == (
        f"linalg.{name} of {d}[2, 2] is computed in {d} under JAX rules, but the numpy backend "
        f"does not support linalg.{name} for {d} (NumPy: its dtypes are float32, float64, "
        f"complex64 and complex128); cast to float32 first, xp.astype(x, xp.float32)"
    )


def test_a_function_that_numpy_lacks_for_a_dtype_is_refused():
    with pytest.raises(supremum.DTypeError) as caught:
        jax.atan2(jax.ones(1, dtype=jax.complex64), 1)
    assert str(caught.value) == (
        "atan2 of complex64[1] and 1 gives complex64 under JAX rules, but the numpy backend does "
        "not support atan2 for complex64; take its real part first, xp.real(x)"
    )


@pytest.mark.filterwarnings("error")
def test_a_scalar_of_numpy_is_cast_as_an_array_is():
    # Dask's blocks without dimensions are scalars
    xp = supremum.namespace("numpy")
    x = xp.engine.same(np.int64(2), xp.asarray(2).key)
    for found, wanted in (
        (x * 2.5, 5.0),
        (2.5 / x, 1.25),
        (xp.sqrt(x), 2**0.5),
        (xp.where(xp.asarray(True), x, 2.5), 2.0),
        (x + xp.asarray([0.5]), [2.5]),
    ):
        assert found.dtype == "float64"
        np.testing.assert_array_equal(np.asarray(found), wanted)


def test_arrays_without_dimensions_stay_arrays():
    x = jax.asarray([1, 2, 3])
    assert type(jax.take(x, jax.asarray(1)).native) is np.ndarray
    assert type(jax.flip(jax.asarray(3)).native) is np.ndarray


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["maximum", "minimum", "add", "copysign"])
@pytest.mark.parametrize("other", [0.5, jax.asarray([0.5], dtype="float32")])
def test_casts_give_no_warnings(name, other):
    for pair in ((jax.ones(1, dtype="int32"), other), (other, jax.ones(1, dtype="int32"))):
        assert jax.isdtype(getattr(jax, name)(*pair).dtype, "real floating")


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["sum", "prod", "std", "var"])
@pytest.mark.parametrize("dtype", ["float32", "int32", None])
def test_of_complex_numbers_the_real_parts_are_reduced(name, dtype):
    x = np.asarray([1j, 1j, 3], "complex64")
    options = {"dtype": dtype} if dtype and name in ("sum", "prod") else {}
    found = getattr(jax, name)(jax.asarray(x), **options)
    wanted = getattr(np, name)(x.real.astype(dtype) if options else x)
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-6)


@pytest.mark.parametrize("layouts", ["CC", "CF", "FC", "FF"])
def test_a_result_has_the_layout_that_numpy_gives_it(layouts):
    counts, floats = (np.ones((3, 2), d, order=o) for d, o in zip("if", layouts, strict=True))
    x, y, c = jax.asarray(counts), jax.asarray(floats), jax.asarray(counts > 0)
    for found in (x + y, y + x, jax.where(c, x, y), jax.where(c, y, x)):
        flags, wanted = found.native.flags, (counts + floats).flags
        assert (flags.c_contiguous, flags.f_contiguous) == (
            wanted.c_contiguous,
            wanted.f_contiguous,
        )


@pytest.mark.parametrize("d", ["int8", "int16", "int32", "float16"])
def test_large_arrays_of_narrow_dtypes_are_cast_piece_by_piece(d):
    xp = supremum.namespace("jax", backend="numpy")
    x = (np.arange(1 << 21) % 100).astype(d)
    y = np.full(x.shape, 0.5, np.float32)
    for found, wanted in (
        (xp.asarray(x) - xp.asarray(y), x.astype(np.float32) - y),
        (xp.asarray(y) / xp.asarray(x + 1), y / (x + 1).astype(np.float32)),
        (xp.asarray(x) - xp.asarray(y[0]), x.astype(np.float32) - y),
    ):
        assert found.dtype == "float32"
        assert np.array_equal(found, wanted)
