"""Each backend gives what the numpy backend gives: the same dtypes, the same values."""

import itertools
import sys
import warnings

import numpy as np
import pytest

import supremum
from supremum.arrays import backends
from supremum.arrays.functions import BINARY, UNARY
from supremum.core.dtypes import by_name

jax = pytest.importorskip("jax")
torch = pytest.importorskip("torch")
dask = pytest.importorskip("dask")

DTYPES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "bfloat16",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
FUNCTIONS = {**dict.fromkeys(UNARY, 1), **dict.fromkeys(BINARY, 2), "matmul": 2}
RULES = ("jax", "numpy", "torch", "array-api")

_WIDE_UNSIGNED = frozenset({"uint16", "uint32", "uint64"})
_COMPLEX = frozenset({"complex64", "complex128"})

# What PyTorch does not compute in a dtype, and NumPy does.
_LACKS_UNSIGNED = (
    "add", "bitwise_invert", "bitwise_left_shift", "bitwise_right_shift", "floor_divide",
    "logical_and", "logical_not", "logical_or", "logical_xor", "negative", "pow", "remainder",
    "sign", "square", "subtract",
)  # fmt: skip
_LACKS_ORDER = ("greater", "greater_equal", "less", "less_equal", "maximum", "minimum")
_LACKS_BOOL = ("ceil", "floor", "positive", "round", "trunc")
TORCH_LACKS = {
    **dict.fromkeys(_LACKS_UNSIGNED, _WIDE_UNSIGNED),
    **dict.fromkeys(_LACKS_ORDER, _WIDE_UNSIGNED | _COMPLEX),
    **dict.fromkeys(_LACKS_BOOL, frozenset({"bool"})),
    "abs": _WIDE_UNSIGNED | {"bool"},
    "imag": frozenset(DTYPES) - _COMPLEX,
    "matmul": _WIDE_UNSIGNED | {"bool"},
}


@pytest.fixture(autouse=True)
def _all_of_jax():
    jax.config.update("jax_enable_x64", True)


def values(d, shape):
    """Return an array of NumPy of 3, or True."""
    return np.full(shape, 3).astype(by_name(d).to("numpy"))


def given(xp, name, dtypes):
    """Return what a function gives of arrays of some dtypes, or the error."""
    shape = (2, 2) if name == "matmul" else (2,)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of acos(3) and its like
            return getattr(xp, name)(*(xp.asarray(values(d, shape)) for d in dtypes))
    except TypeError as error:
        return error


def questions(rules):
    """Return every function with every dtype or pair that some rules know and NumPy computes."""
    near = supremum.namespace(rules, backend="numpy")
    known = [d for d in DTYPES if near.engine.decider.knows(by_name(d))]
    for name, count in FUNCTIONS.items():
        for dtypes in itertools.product(known, repeat=count):
            wanted = given(near, name, dtypes)
            if not isinstance(wanted, TypeError):
                yield name, dtypes, wanted


@pytest.mark.parametrize("rules", RULES)
def test_torch_gives_every_dtype_that_numpy_gives_or_says_that_it_cannot(rules, count, near_enough):
    xp, near = (
        supremum.namespace(rules, backend="torch"),
        supremum.namespace(rules, backend="numpy"),
    )
    asked, refused = 0, 0
    for name, dtypes, wanted in questions(rules):
        asked += 1
        found = given(xp, name, dtypes)
        compute = near.engine.decider.decide(name, *map(by_name, dtypes)).compute.name
        lacks = compute in TORCH_LACKS.get(name, ())
        assert isinstance(found, supremum.DTypeError) == lacks, (name, dtypes, found)
        if lacks:
            refused += 1
            continue
        assert found.dtype is wanted.dtype == xp.engine.backend.of(found.native), (name, dtypes)
        assert near_enough(found, wanted), (name, dtypes)
    count(f"torch backend, {rules} rules: {asked} questions, {refused} that PyTorch lacks")


@pytest.mark.parametrize("backend", ["torch", "jax", "dask"])
@pytest.mark.parametrize("side", ["left", "right"])
def test_nan_is_searched_for_behind_all_numbers(backend, side):
    far, near = supremum.namespace("numpy", backend=backend), supremum.namespace("numpy")
    nan = float("nan")
    for values in ([1.0, 2.0, nan, nan], [1.0, 2.0, 2.0], [nan]):
        for dtype in ("float32", "float64"):
            for wanted in ([0.0, 1.5, nan, 5.0, 2.0], nan):
                made = [
                    xp.searchsorted(
                        xp.asarray(values, dtype=dtype), xp.asarray(wanted, dtype=dtype), side=side
                    )
                    for xp in (near, far)
                ]
                assert made[0].tolist() == made[1].tolist(), (values, wanted)
    if backend == "dask":  # which takes no sorter
        return
    order = [2, 0, 1]
    assert far.searchsorted(
        far.asarray([2.0, nan, 1.0]), far.asarray([nan, 1.5]), side=side, sorter=far.asarray(order)
    ).tolist() == [2 if side == "left" else 3, 1]  # fmt: skip


@pytest.mark.parametrize("rules", RULES)
def test_jax_gives_every_dtype_that_numpy_gives(rules, count):
    xp, asked = supremum.namespace(rules, backend="jax"), list(questions(rules))
    told = []

    def trace():
        for name, dtypes, _ in asked:
            found = given(xp, name, dtypes)
            failed = isinstance(found, TypeError)
            told.append(
                found if failed else (found.dtype, xp.engine.backend.of(found.native), found.native)
            )

    jax.eval_shape(trace)
    for (name, dtypes, wanted), found in zip(asked, told, strict=True):
        assert not isinstance(found, TypeError), (name, dtypes, found)
        assert found[:2] == (wanted.dtype, wanted.dtype), (name, dtypes)
        assert not found[2].weak_type, (name, dtypes)
    count(f"jax backend, {rules} rules: {len(asked)} questions")


def test_jax_computes_what_numpy_computes(count, near_enough):
    xp, asked = supremum.namespace("jax", backend="jax"), 0
    for name, dtypes, wanted in questions("jax"):
        if len(set(dtypes)) == 1:
            asked += 1
            assert near_enough(given(xp, name, dtypes), wanted), (name, dtypes)
    count(f"jax backend, jax rules: {asked} values")


@pytest.mark.parametrize("rules", RULES)
def test_dask_knows_every_dtype_before_it_computes_one(rules, count, near_enough):
    xp = supremum.namespace(rules, backend="dask")
    asked = [(question, given(xp, *question[:2])) for question in questions(rules)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of acos(3) and its like
        chunks = dask.compute(*(found.native for _, found in asked), scheduler="synchronous")
    for ((name, dtypes, wanted), found), chunk in zip(asked, chunks, strict=True):
        assert found.dtype is wanted.dtype, (name, dtypes)
        assert chunk.dtype == wanted.native.dtype == found.native.dtype, (name, dtypes)
        assert near_enough(chunk, wanted), (name, dtypes)
    count(f"dask backend, {rules} rules: {len(asked)} questions")


# torch


def test_torch_keeps_gradients_through_operations():
    xp = supremum.namespace("jax", backend="torch")
    leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x = xp.asarray(leaf)
    assert x.native is leaf
    w = xp.asarray([1, 2, 3], dtype=xp.int32)
    xp.sum(xp.astype(x * w, xp.float64)[1:] ** 2).native.backward()
    assert leaf.grad.tolist() == [0.0, 2 * 2 * 4.0, 2 * 3 * 9.0]  # of (w x)**2: 2 w (w x)
    assert leaf.grad.dtype is torch.float32


def test_torch_keeps_gradients_through_a_copy_and_a_cast():
    xp = supremum.namespace("jax", backend="torch")
    x = xp.asarray(torch.tensor([1.0, 2.0], requires_grad=True), copy=True)
    assert (xp.astype(x, xp.bfloat16) + 1).native.requires_grad
    assert np.asarray(x).tolist() == [1.0, 2.0]


def test_torch_keeps_the_device():
    xp = supremum.namespace("jax", backend="torch")
    x = xp.asarray(torch.ones(2, device="meta"))
    y = xp.where(x + 1 > 0, xp.sin(x), 2.0)
    assert y.device == torch.device("meta")
    assert y.dtype == "float32"


@pytest.mark.parametrize(
    "key",
    [slice(None, None, -1), (slice(2, 0, -2), 1), (..., slice(None, None, -2)), slice(0, 2, -1)],
)
def test_torch_takes_and_puts_backwards_as_numpy(key):
    far, near = (supremum.namespace("jax", backend=b) for b in ("torch", "numpy"))
    data = np.arange(12).reshape(3, 4)
    x, y = far.asarray(data), near.asarray(data.copy())
    assert np.asarray(x[key]).tolist() == np.asarray(y[key]).tolist()
    x[key] = 7
    y[key] = 7
    assert np.asarray(x).tolist() == np.asarray(y).tolist()


def test_an_array_of_a_dtype_of_ml_dtypes_goes_to_torch_and_back():
    xp = supremum.namespace("jax", backend="torch")
    for d in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        data = np.asarray([[1, 2], [3, 4]]).astype(by_name(d).to("numpy"))
        x = xp.asarray(data.T[::-1])
        assert x.dtype == d
        assert np.asarray(x).dtype == data.dtype
        assert np.asarray(x).tolist() == data.T[::-1].tolist()


def test_pytorch_adds_up_unsigned_numbers():
    values = np.array([[2**64 - 1, 3], [5, 2**63 + 7]], np.uint64)
    for rules in ("numpy", "jax"):
        plain = supremum.namespace(rules, backend="numpy")
        xp = supremum.namespace(rules, backend="torch")
        names = "sum", "prod", "cumulative_sum", "cumulative_prod"
        for name, axis in itertools.product(names, (0, 1)):
            for d in ("uint8", "uint16", "uint32", "uint64"):
                x = values.astype(d)
                mine, other = (getattr(n, name)(n.asarray(x), axis=axis) for n in (xp, plain))
                assert (mine.dtype, mine.tolist()) == (other.dtype, other.tolist()), (name, d)
        assert xp.linalg.trace(xp.asarray(values)).tolist() == 2**63 + 6


# jax


def test_jax_transformations_take_our_arrays():
    xp = supremum.namespace("jax", backend="jax")
    x = xp.asarray([1.0, 2.0, 3.0], dtype=xp.float32)

    def f(x):
        return xp.sum(x**2 * 2)

    compiled = jax.jit(f)(x)
    assert (float(compiled), compiled.dtype.name) == (28.0, "float32")
    gradient = jax.grad(lambda x: f(x).native)(x)  # JAX wants a scalar of its own
    assert (gradient.tolist(), gradient.dtype.name) == ([4.0, 8.0, 12.0], "float32")
    mapped = jax.vmap(f)(xp.stack([x, x]))
    assert (mapped.tolist(), mapped.dtype.name) == ([28.0, 28.0], "float32")
    both = jax.jit(jax.vmap(jax.grad(lambda x: f(x).native)))(xp.stack([x, x]))
    assert both.tolist() == [[4.0, 8.0, 12.0]] * 2
    _, pull = jax.vjp(f, x)
    assert pull(xp.asarray(1.0, dtype=xp.float32))[0].tolist() == [4.0, 8.0, 12.0]


@pytest.mark.parametrize("d", ["float32", "int32"])
def test_what_is_compiled_has_the_last_digits_of_jax(d):
    xp, draw = supremum.namespace("jax", x64=False, backend="jax"), np.random.default_rng(20241123)
    for n in range(2, 30):
        values = (draw.normal(size=n) * 9).astype(d)
        for name in ("mean", "std", "sum", "var"):
            mine, plain = getattr(xp, name)(xp.asarray(values)), getattr(jax.numpy, name)(values)
            assert float(mine) == float(plain), (name, values)


def test_a_plan_that_was_made_with_64_bits_does_not_outlive_them():
    xp = supremum.namespace("jax", backend="jax")
    with jax.enable_x64(True):
        x = xp.asarray([1e300])
        assert (x > 1e299).tolist() == [True]
    off = pytest.raises(supremum.DTypeError, match="while jax_enable_x64 is off")
    with jax.enable_x64(False), off:
        xp.greater(x, 1e299)


@pytest.mark.parametrize("transformed", [jax.jit, lambda f: f])
def test_control_flow_of_jax_takes_our_arrays(transformed):
    xp = supremum.namespace("jax", backend="jax")
    x = xp.asarray([1.0, -2.0], dtype=xp.float32)
    chosen = transformed(lambda x: jax.lax.cond(xp.sum(x) > 0, lambda x: x, lambda x: -x, x))(x)
    assert (chosen.tolist(), chosen.dtype) == ([-1, 2], "float32")
    place = xp.asarray(1, dtype=xp.int32)
    assert transformed(lambda i: jax.lax.switch(i, [lambda: 5, lambda: 6]))(place) == 6
    count = xp.asarray(3, dtype=xp.int32)
    total = transformed(lambda x: jax.lax.fori_loop(0, count, lambda _, y: y + y, x))(x)
    assert (total.tolist(), total.dtype) == ([8, -16], "float32")
    rows = xp.stack([x, x, x])
    last, each = transformed(lambda x: jax.lax.scan(lambda y, row: (y + row, y), x, rows))(x)
    assert (last.tolist(), each.shape) == ([4, -8], (3, 2))


def test_jax_transformations_keep_weakness_and_the_rules_of_a_block():
    xp = supremum.namespace("jax", backend="jax")
    add = jax.jit(lambda x, y: x + y)
    weak, ints = xp.asarray(1), xp.ones(2, dtype=xp.int32)
    assert add(weak, weak).weak_type
    assert add(weak, ints).dtype.name == "int32"
    floats = xp.ones(2, dtype=xp.float32)
    assert add(ints, floats).dtype.name == "float32"
    with supremum.rules("numpy"):
        assert add(ints, floats).dtype.name == "float64"


def test_jax_puts_anything_in_a_leaf():
    xp = supremum.namespace("jax", backend="jax")
    x = xp.ones(2, dtype=xp.int32)
    cast = jax.tree_util.tree_map(lambda leaf: leaf.astype("float32"), x)
    assert cast.dtype.name == "float32"
    leaves, shape = jax.tree_util.tree_flatten({"x": x})
    assert jax.tree_util.tree_unflatten(shape, [None])["x"].native is None
    assert jax.tree_util.tree_unflatten(shape, leaves)["x"].dtype.name == "int32"


def test_jax_writes_by_putting_a_new_array_in_its_place():
    xp = supremum.namespace("jax", backend="jax")
    x = xp.zeros(3, dtype=xp.int32)
    before = x.native
    x[1:] = 5
    assert (x.tolist(), before.tolist()) == ([0, 5, 5], [0, 0, 0])

    def f(x):
        x[0] = 1
        return x

    assert jax.jit(f)(x).tolist() == [1, 5, 5]


def test_jax_shows_a_tracer():
    xp = supremum.namespace("jax", backend="jax")
    told = []
    jax.jit(lambda x: told.append(repr(x)))(xp.ones(3, dtype=xp.int8))
    assert told == ["supremum.Array(JitTracer(int8[3]), dtype=int8)"]


def test_jax_without_64_bits_says_what_to_type():
    xp = supremum.namespace("jax", backend="jax")
    jax.config.update("jax_enable_x64", False)
    with pytest.raises(supremum.DTypeError) as caught:
        xp.asarray(1)
    assert str(caught.value) == (
        "the jax backend does not have int64 while jax_enable_x64 is off; enable it first, with "
        'jax.config.update("jax_enable_x64", True), or use rules without 64 bits, such as '
        'supremum.namespace("jax", x64=False, backend="jax")'
    )
    narrow = supremum.namespace("jax", x64=False, backend="jax")
    assert (narrow.asarray(1) + narrow.asarray(1.5)).dtype.name == "float32"


# what is refused


def refused(backend, call, rules="jax"):
    xp = supremum.namespace(rules, backend=backend)
    with pytest.raises(TypeError) as caught:
        call(xp)
    assert isinstance(caught.value, supremum.SupremumError)
    return str(caught.value)


def _mine(backend):
    """Return a namespace under rules that leave to the library whether it takes complex numbers."""
    rules = supremum.custom.PromotionSystem.from_lattice("i* -> f32 -> c64", name="mine")
    return supremum.namespace(rules, backend=backend)


REFUSED = {
    "an operator of PyTorch": (
        "torch",
        lambda xp: xp.ones(2, dtype=xp.uint16) + xp.ones(2, dtype=xp.uint16),
        (
            "add of uint16[2] and uint16[2] gives uint16 under JAX rules, but the torch backend "
            "does not support add for uint16 (PyTorch: \"add_stub\" not implemented for 'UInt16'); "
            "cast to int32 first, xp.astype(x, xp.int32), or try the numpy backend"
        ),
    ),
    "a maximum of PyTorch": (
        "torch",
        lambda xp: xp.max(xp.ones(2, dtype=xp.uint64)),
        (
            "max of uint64[2] gives uint64 under JAX rules, but the torch backend does not "
            "support max for uint64 (PyTorch: \"max_all\" not implemented for 'UInt64'); "
            "try the numpy backend"
        ),
    ),
    "a matrix of PyTorch": (
        "torch",
        lambda xp: xp.linalg.inv(xp.ones((2, 2), dtype=xp.float16)),
        (
            "linalg.inv of float16[2, 2] is computed in float16 under JAX rules, but the torch "
            "backend does not support linalg.inv for float16 (PyTorch: linalg.inv: Low precision "
            "dtypes not supported. Got Half); cast to float32 first, xp.astype(x, xp.float32), or "
            "try the numpy backend"
        ),
    ),
    "an order of complex numbers of PyTorch": (
        "torch",
        lambda xp: xp.sort(xp.ones(2, dtype=xp.complex64)),
        (
            "sort of complex64[2] is computed in complex64 under JAX rules, but the torch backend "
            "does not support sort for complex64 (PyTorch: Sort does not support complex dtypes on "
            "CPU); try the numpy backend"
        ),
    ),
    "a matrix of Dask": (
        "dask",
        lambda xp: xp.linalg.inv(xp.ones((2, 2), dtype=xp.bfloat16)),
        (
            "linalg.inv of bfloat16[2, 2] is computed in bfloat16 under JAX rules, but the dask "
            "backend does not support linalg.inv for bfloat16 (Dask: its dtypes are float32, "
            "float64, complex64 and complex128); cast to float32 first, xp.astype(x, xp.float32), "
            "or try the numpy backend"
        ),
    ),
    "a function of NumPy under Dask": (
        "dask",
        lambda xp: xp.atan2(xp.ones(2, dtype=xp.complex64), 1),
        (
            "atan2 of complex64[2] and 1 gives complex64 under JAX rules, but the dask backend "
            "does not support atan2 for complex64; take its real part first, xp.real(x)"
        ),
    ),
    "a function of JAX": (
        "jax",
        lambda _: _mine("jax").hypot(_mine("jax").ones(2, dtype="complex64"), 1),
        (
            "hypot of complex64[2] and 1 gives complex64 under mine rules, but the jax backend "
            "does not support hypot for complex64 (JAX: jnp.hypot is not well defined for "
            "complex-valued inputs. Please convert to real values first, such as by using abs(x)); "
            "try the numpy backend"
        ),
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_library_lacks_is_told_before_anything_is_computed(what):
    backend, call, told = REFUSED[what]
    assert refused(backend, call) == told


MISSING = {
    "torch": "needs torch, which is not installed: pip install 'supremum[arrays]' torch",
    "jax": "needs jax, which is not installed: pip install 'supremum[arrays]' jax",
    "dask": "needs dask, which is not installed: pip install 'supremum[dask]'",
    "cupy": "needs cupy, which is not installed: pip install 'supremum[arrays]' cupy",
}


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_library_is_named_with_what_to_type(name, monkeypatch):
    monkeypatch.setattr(backends, "_loaded", {})
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"{name}.array", raising=False)
    monkeypatch.delitem(sys.modules, f"supremum.arrays.backends.{name}", raising=False)
    with pytest.raises(ImportError) as caught:
        backends.load(name)
    assert str(caught.value) == f"the {name} backend {MISSING[name]}"


# What NumPy gives, and no library but it: an answer, or the name of an error.
ONE_ANSWER = {
    "xp.asarray([2, 3]) ** xp.asarray([-1, 2])": "ValueError",
    "xp.asarray([2, 3]) ** xp.asarray(-1)": "ValueError",
    "2 ** xp.asarray([-1, 1])": "ValueError",
    "xp.asarray([1, -1]) // xp.asarray([0, 0])": [0, 0],
    "xp.asarray([1, -1]) // 0": [0, 0],
    "xp.asarray([1, -1]) % 0": [0, 0],
    "xp.asarray([7], dtype=xp.uint8) // xp.asarray([0], dtype=xp.uint8)": [0],
    "xp.asarray([-128], dtype=xp.int8) // xp.asarray([-1], dtype=xp.int8)": [-128],
    "xp.asarray([0j]) ** xp.asarray([0j])": [1],
    "xp.asarray([0j]) ** 0": [1],
    "xp.asarray([0j]) ** xp.asarray([1 + 0j])": [0],
    "xp.asarray([1j]) ** xp.asarray([2 + 0j])": "about -1",
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("backend", ["numpy", "torch", "jax", "dask"])
@pytest.mark.parametrize("rules", ["numpy", "jax", "torch"])
def test_powers_and_divisions_by_zero_have_one_answer(rules, backend):
    names = {"xp": supremum.namespace(rules, backend=backend)}
    for code, wanted in ONE_ANSWER.items():
        is_read = rules == "jax" and backend != "dask" and "xp.asarray(-1)" in code
        if wanted == "ValueError" and is_read:
            with pytest.raises(supremum.PromotionError, match="negative power is not an integer"):
                eval(code, names)
        elif wanted == "ValueError":
            with pytest.raises(ValueError, match="Integers to negative integer powers"):
                np.asarray(eval(code, names))
        else:
            want = [-1] if wanted == "about -1" else wanted
            np.testing.assert_allclose(np.asarray(eval(code, names)), want, atol=1e-6, err_msg=code)


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax", "dask"])
def test_dtypes_of_arrays_are_found_by_those_of_the_namespace(backend):
    xp = supremum.namespace("jax", backend=backend)
    d = xp.ones(2, dtype=xp.float32).dtype
    assert d == xp.float32
    assert {xp.float32: 1}[d] == {d: 1}[xp.float32] == 1
    assert len({d, xp.float32, xp.asarray(xp.zeros(1), dtype=d).dtype}) == 1


@pytest.mark.parametrize("backend", ["torch", "jax", "dask"])
@pytest.mark.parametrize("d", DTYPES)
def test_truths_are_bools_of_any_dtype(backend, d):
    xp, plain = supremum.namespace("numpy", backend=backend), supremum.namespace("numpy")
    for name in ("all", "any"):
        for options in ({}, {"axis": 0}, {"keepdims": True}):
            found, wanted = (
                getattr(space, name)(
                    space.asarray(values(d, (2, 2)) * [[0], [1]], dtype=d), **options
                )
                for space in (xp, plain)
            )
            assert np.asarray(found).dtype == bool
            assert np.array_equal(found, wanted)


SHAPED = {
    "vecdot(x, y)": ("(2, 3)", "(2, 3)"), "vecdot(x, y, axis=0)": ("(3, 2)", "(3, 2)"),
    "vecdot(x, y[0])": ("(2, 3)", "(2, 3)"), "linalg.vecdot(x, y)": ("(2, 3)", "(2, 1)"),
    "linalg.cross(x, y)": ("(2, 3)", "(2, 3)"), "linalg.cross(x, y, axis=0)": ("(3, 2)", "(3, 2)"),
    "linalg.cross(x, y[0])": ("(2, 3)", "(2, 3)"), "linalg.cross(y, x)": ("(2, 2)", "(2, 2)"),
    "tensordot(x, y, axes=1)": ("(2, 3)", "(3, 2)"), "linalg.solve(x, y)": ("(2, 2)", "(3, 2)"),
    "linalg.solve(x[:, :, 0], y)": ("(3, 3, 2)", "(3, 3)"),
    "linalg.inv(x)": ("(2, 3)", "(1, 1)"),
    "take_along_axis(x, i, axis=0)": ("(3, 2)", "(1, 1)"),
    "take_along_axis(x[:, 0], i[0, :], axis=0)": ("(3, 2)", "(1, 1)"),
    "fft.fft(x)": ("(2, 3)", "(1, 1)"), "fft.ifftn(x)": ("(2, 3)", "(1, 1)"),
    "std(x)": ("(2, 3)", "(1, 1)"), "std(x, correction=1)": ("(2, 3)", "(1, 1)"),
    "std(x, axis=0, correction=0.5)": ("(2, 3)", "(1, 1)"),
}  # fmt: skip


@pytest.mark.parametrize("what", SHAPED)
@pytest.mark.parametrize("d", ["int32", "float32", "float64"])
def test_what_pytorch_computes_itself_is_what_numpy_computes(what, d):
    found = []
    for backend in ("numpy", "torch"):
        xp = supremum.namespace("numpy", backend=backend)
        x, y = (
            xp.asarray((np.arange(np.prod(shape)) ** 2 % 7).reshape(shape), dtype=d)
            for shape in map(eval, SHAPED[what])
        )
        names = {"x": x, "y": y, "i": xp.asarray([[0, -1]])}
        try:
            found.append(eval(f"xp.{what}", {"xp": xp, **names}))
        except (ValueError, IndexError) as error:
            found.append(error)
    wanted, made = found
    if isinstance(wanted, Exception):
        assert isinstance(made, (ValueError, IndexError))
    else:
        assert made.dtype == wanted.dtype
        np.testing.assert_allclose(np.asarray(made), np.asarray(wanted), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_a_name_of_an_imported_library_asks_which_one_computes(name):
    pytest.importorskip(name)
    with pytest.warns(UserWarning, match=f"backend='{name}'") as told:
        xp = supremum.namespace(name)
    assert xp is supremum.namespace(name, backend="numpy")
    assert told[0].filename == __file__
