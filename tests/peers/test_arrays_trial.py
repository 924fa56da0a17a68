"""What a stranger found wrong in arrays: one answer on every backend, or one refusal."""

import re

import numpy as np
import pytest

import supremum

BACKENDS = ("numpy", "torch", "jax", "dask")


@pytest.fixture(params=BACKENDS)
def backend(request):
    library = pytest.importorskip(request.param)
    if request.param == "jax":
        library.config.update("jax_enable_x64", True)
    return request.param


def namespace(rules, backend):
    return supremum.namespace(rules, backend=backend)


def values(x):
    return np.asarray(x).tolist()


# ints that a dtype does not hold


@pytest.mark.parametrize("rules", ["numpy", "torch", "jax", "array-api"])
@pytest.mark.parametrize("name", ["uint8", "int8", "int16", "uint16", "int32"])
def test_a_store_of_an_int_is_checked_each_time(rules, name, backend):
    xp = namespace(rules, backend)
    if not hasattr(xp, name):
        pytest.skip("the rules lack it")
    d = supremum.dtype(name)
    x = xp.zeros(3, dtype=name)
    for value in (d.max, d.min, 1):
        x[0] = int(value)
        assert values(x)[0] == value
    for value in (d.max + 1, d.min - 1):
        with pytest.raises(OverflowError, match=f"does not fit {name}"):
            x[0] = int(value)
    assert values(x) == [1, 0, 0]


@pytest.mark.parametrize("rules", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(
    "make",
    [
        lambda xp: xp.arange(-1, 2, dtype=xp.uint8),
        lambda xp: xp.arange(300, dtype=xp.uint8),
        lambda xp: xp.arange(5, -3, -1, dtype=xp.uint8),
        lambda xp: xp.linspace(-1, 2, 3, dtype=xp.uint8),
        lambda xp: xp.full(3, 300, dtype=xp.uint8),
        lambda xp: xp.full_like(xp.ones(3, dtype=xp.uint8), -1),
        lambda xp: xp.asarray([1, 300], dtype=xp.uint8),
        lambda xp: xp.asarray(-1, dtype=xp.uint8),
    ],
)
def test_what_makes_arrays_checks_its_numbers(rules, make, backend):
    with pytest.raises(OverflowError, match="does not fit uint8"):
        make(namespace(rules, backend))


@pytest.mark.parametrize("rules", ["numpy", "torch", "jax"])
def test_numbers_that_no_element_has_may_be_larger(rules, backend):
    xp = namespace(rules, backend)
    assert values(xp.arange(254, 256, dtype=xp.uint8)) == [254, 255]
    assert values(xp.arange(2, -1, -1, dtype=xp.uint8)) == [2, 1, 0]


COMPUTED = {
    "x + -1": [0, 254], "x - 300": [213, 211], "x * 300": [44, 212], "300 - x": [43, 45],
    "x // 300": [0, 5], "x % 300": [1, 35], "x & -1": [1, 255], "x == 300": [False, False],
    "x == -1": [False, True], "x < 300": [True, False], "-1 > x": [True, False],
}  # fmt: skip


@pytest.mark.parametrize("expression", COMPUTED)
@pytest.mark.parametrize("rules", ["torch", "jax"])
def test_operators_take_ints_as_the_library_of_the_rules_does(rules, expression, backend):
    xp = namespace(rules, backend)
    x = xp.asarray([1, 255], dtype=xp.uint8)
    assert values(eval(expression, {"x": x})) == COMPUTED[expression]
    library = pytest.importorskip(rules)
    make = library.tensor if rules == "torch" else library.numpy.asarray
    native = make([1, 255], dtype=getattr(library, "uint8", None) or "uint8")
    assert eval(expression, {"x": native}).tolist() == COMPUTED[expression]


@pytest.mark.parametrize("number", [300, -1, 2**40, 2**63, -(2**63), 2**64])
@pytest.mark.parametrize("operator", ["==", "!=", "<", "<=", ">", ">="])
def test_comparisons_under_the_rules_of_numpy_are_exact(operator, number, backend):
    xp = namespace("numpy", backend)
    x = xp.asarray([0, 1, 255], dtype=xp.uint8)
    for expression in (f"x {operator} n", f"n {operator} x"):
        wanted = eval(expression, {"x": np.asarray([0, 1, 255], np.uint8), "n": number})
        found = eval(expression, {"x": x, "n": number})
        assert (found.dtype, values(found)) == (xp.bool, wanted.tolist())


@pytest.mark.parametrize("expression", ["x + 300", "x // -1", "300 - x"])
@pytest.mark.parametrize("rules", ["numpy", "array-api"])
def test_what_the_rules_refuse_or_leave_undefined_is_refused(rules, expression, backend):
    x = namespace(rules, backend).asarray([1, 255], dtype="uint8")
    with pytest.raises(OverflowError, match="give it a dtype"):
        eval(expression, {"x": x})


# arrays that mean more than their values


MEANING = {
    "mask": lambda: np.ma.masked_array([1.0, 2.0, 3.0], [0, 1, 0]),
    "matrix": lambda: np.matrix([[1.0, 2.0, 3.0]]),
    "fields": lambda: np.rec.array([(1.0,)] * 3, dtype=[("a", float)]),
    "subclass": lambda: np.ones(3).view(type("Metres", (np.ndarray,), {})),
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("kind", MEANING)
def test_what_means_more_than_its_values_is_refused_beside_ours(kind, backend):
    xp = namespace("torch", backend)
    x, other = xp.ones(3), MEANING[kind]()
    for compute in (lambda: x * other, lambda: xp.multiply(other, x), lambda: np.add(other, x)):
        with pytest.raises(TypeError, match="would drop what it means"):
            compute()
    with pytest.raises(TypeError, match="would drop what it means"):
        x[np.ma.masked_array([0, 1], [0, 1])]


def test_what_is_in_a_file_is_an_array(tmp_path, backend):
    xp = namespace("torch", backend)
    stored = np.memmap(tmp_path / "x", np.float32, "w+", shape=3)
    assert values(xp.ones(3) + stored) == [1, 1, 1]


# stores


@pytest.mark.parametrize("rules", ["numpy", "torch", "jax", "array-api"])
@pytest.mark.parametrize("name", ["int8", "int32", "int64", "uint8"])
def test_powers_of_integers_wrap_around_by_all_bits_of_the_exponent(rules, name, backend):
    xp = namespace(rules, backend)
    bases = [0, 1, 2, 3, 5, 7] if name == "uint8" else [0, 1, -1, 2, 3, -3]
    x, d = xp.asarray(bases, dtype=name), np.dtype(name)
    exponents = (0, 1, 2, 63, 64, 65, 100)
    for exponent in exponents if name.endswith("8") else (*exponents, 300, 4097, 2**30 + 1):
        wanted = [pow(base, exponent, 2**64) for base in bases]
        wanted = np.array(wanted, np.uint64).astype(d).tolist()
        assert values(x**exponent) == wanted, exponent
        assert values(x ** xp.asarray([exponent] * 6, dtype=name)) == wanted, exponent
        assert values(x ** xp.asarray([[exponent]], dtype=name))[0] == wanted, exponent


@pytest.mark.parametrize("exponent", [2**31 + 1, -(2**31) - 1, 2**24 + 1, 3])
@pytest.mark.parametrize("name", ["float32", "float64"])
@pytest.mark.parametrize("rules", ["numpy", "torch", "array-api"])
def test_an_exponent_has_the_bits_of_the_dtype(rules, name, exponent, backend):
    x = namespace(rules, backend).asarray([-1.0, 1.0], dtype=name)
    assert values(x**exponent) == [-1.0 if int(np.dtype(name).type(exponent)) % 2 else 1.0, 1.0]


@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
@pytest.mark.parametrize("bounds", [(1e300, None), (None, 1e300), (0.0, 1e300), (-1e300, 1e300)])
def test_a_bound_that_no_float32_holds_is_infinite(bounds, backend):
    x = namespace("torch", backend).asarray([1.0, 2.0], dtype="float32")
    found = x.__array_namespace__().clip(x, *bounds)
    assert found.dtype == "float32"
    assert values(found) == ([np.inf] * 2 if bounds[1] is None else [1, 2])


def test_a_view_of_a_copy_is_written_to_as_soon_as_the_elements_are_its_own():
    xp = namespace("torch", "torch")
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    turned = xp.flip(x, axis=1)  # which PyTorch copies
    view = turned.T
    with pytest.raises(ValueError, match="another array that is alive"):
        view *= 2
    del x
    view *= 2
    assert values(turned) == [[4, 2], [8, 6]]


@pytest.mark.parametrize("shape", [(1, 3), (1, 1), (1, 1, 1)])
def test_a_mask_of_all_axes_takes_no_value_of_two_dimensions(shape, backend):
    xp = namespace("torch", backend)
    x = xp.asarray([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="at most one dimension"):
        x[x > 0] = xp.ones(shape)
    assert values(x) == [[1, 2, 3]]


def test_stores_of_empty_and_of_broadcast_values(backend):
    xp = namespace("torch", backend)
    x = xp.zeros(3)
    with pytest.raises(ValueError, match=r"\(2,\)"):
        x[0:0] = xp.ones(2)
    x[...] = xp.ones((1, 3))
    assert values(x) == [1, 1, 1]
    x[0:0] = xp.ones(1)
    x[1:] = xp.zeros((1, 1))
    assert values(x) == [1, 0, 0]


def test_what_was_broadcast_is_not_written_to_however_often_one_stored(backend):
    xp = namespace("torch", backend)
    x, y = xp.ones(1), xp.ones(3)
    y[0], y[0] = 2.0, 3.0
    y += y
    spread = xp.broadcast_to(x, (3,))
    if backend in ("numpy", "torch"):
        for write in (lambda: spread.__setitem__(0, 2.0), lambda: spread.__iadd__(y)):
            with pytest.raises(ValueError, match="refused"):
                write()
    assert (values(x), values(spread)) == ([1.0], [1.0, 1.0, 1.0])


@pytest.mark.parametrize("backend", ["numpy", "torch"], indirect=True)
def test_places_that_an_array_lacks_are_refused_before_anything_is_stored(backend):
    xp = namespace("torch", backend)
    x, places = xp.zeros(3), xp.asarray([0, 3])
    for value in (1.0, 1.0, xp.ones(2), xp.ones(2)):
        with pytest.raises(IndexError):
            x[places] = value
    assert values(x) == [0, 0, 0]


@pytest.mark.parametrize("rules", ["numpy", "array-api", "torch"])
def test_negative_exponents_of_integers_are_refused(rules, backend):
    x = namespace(rules, backend).asarray([1, 2], dtype="int32")
    for _ in range(2):
        with pytest.raises((ValueError, supremum.PromotionError), match="negative"):
            x**-1


def test_a_mask_of_another_length_is_refused_at_once(backend):
    xp = namespace("torch", backend)
    x = xp.zeros(3)
    with pytest.raises(IndexError):
        x[xp.asarray([True, False])] = 1.0
    with pytest.raises((ValueError, NotImplementedError)):
        x[xp.asarray([True, False, True])] = xp.ones(3)
    assert values(x) == [0, 0, 0]


def test_a_mask_of_all_axes_stores_one_dimension(backend):
    xp = namespace("torch", backend)
    x = xp.ones((2, 3))
    with pytest.raises(ValueError, match="at most one dimension"):
        x[x > 0] = xp.zeros((2, 3))
    x[x > 0] = 2.0
    assert values(x) == [[2.0] * 3] * 2


def test_shapes_that_do_not_fit_are_refused_at_once(backend):
    xp = namespace("torch", backend)
    with pytest.raises(ValueError, match=r"add|shape"):
        xp.ones((0, 3)) + xp.ones((2, 3))
    with pytest.raises(ValueError, match="matmul"):
        xp.ones((1, 3)) @ xp.ones((1, 3))


def test_axes_by_position_are_answered_with_what_to_type(backend):
    xp = namespace("torch", backend)
    x, i = xp.ones((2, 3)), xp.asarray([0])
    for how in ("sum(x, 0)", "argmax(x, 0)", "take(x, i, 0)", "linalg.vector_norm(x, 0)"):
        typed = how.replace("0)", "axis=0)")
        with pytest.raises(TypeError, match=re.escape(f"xp.{typed.replace('i,', 'indices,')}")):
            eval(f"xp.{how}", {"xp": xp, "x": x, "i": i})
        eval(f"xp.{typed}", {"xp": xp, "x": x, "i": i})
    with pytest.raises(TypeError, match=r"xp\.concat\(arrays, axis=0\)"):
        xp.concat([x, x], 0)


def test_axes_are_counted_from_the_end(backend):
    xp = namespace("numpy", backend)
    x = xp.reshape(xp.arange(24), (2, 3, 4))
    assert xp.permute_dims(x, (0, -1, -2)).shape == (2, 4, 3)
    assert xp.moveaxis(x, -1, -3).shape == (4, 2, 3)
    assert xp.expand_dims(x, axis=-1).shape == (2, 3, 4, 1)
    assert values(xp.flip(x, axis=-2))[0][0] == values(x)[0][2]


@pytest.mark.parametrize("name", ["uint8", "uint16", "uint32", "uint64"])
def test_unsigned_integers_are_turned_around(name, backend):
    xp = namespace("numpy", backend)
    x = xp.asarray([[1, 2], [3, 4]], dtype=name)
    assert values(x[::-1]) == [[3, 4], [1, 2]]
    assert values(xp.flip(x)) == [[4, 3], [2, 1]]
    assert values(xp.flip(x, axis=-1)) == [[2, 1], [4, 3]]


def test_differences_take_numbers_before_and_after(backend):
    xp = namespace("torch", backend)
    x = xp.asarray([[1, 2], [4, 8]])
    assert values(xp.diff(x, prepend=0, append=xp.asarray(9))) == [[1, 1, 7], [4, 4, 1]]
    assert values(np.diff(x, axis=0, prepend=0)) == [[1, 2], [3, 6]]
    # NumPy's own prepends an int64, which widens
    assert np.diff(supremum.namespace("numpy").ones(2, dtype="float32"), prepend=0).dtype == float


TRACED = ["x * n", "x * (n * 2)", "xp.add(n, x)", "xp.where(x > 0, x, n)", "x ** n", "x == n"]


@pytest.mark.parametrize("expression", TRACED)
@pytest.mark.parametrize("rules", ["numpy", "torch", "jax", "array-api"])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_numbers_that_are_traced_are_weak_as_they_are_untraced(dtype, rules, expression):
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    xp = supremum.namespace(rules, backend="jax")
    x = xp.asarray([1, 2], dtype=dtype)

    def computed(x, n):
        return eval(expression, {"xp": xp, "x": x, "n": n})

    for number in (3, 2.5):
        try:
            wanted = computed(x, number)
        except supremum.PromotionError:
            with pytest.raises(supremum.PromotionError):
                jax.jit(computed)(x, number)
            continue
        found = jax.jit(computed)(x, number)
        assert (found.dtype, values(found)) == (wanted.dtype, values(wanted))


def test_arrow_and_polars_take_arrays(backend):
    pa = pytest.importorskip("pyarrow")
    pl = pytest.importorskip("polars")
    x = namespace("torch", backend).ones(3)
    assert pa.array(x).type == pa.float32()
    assert pl.Series("a", x).dtype == pl.Float32
    assert pl.DataFrame({"a": x})["a"].to_list() == [1.0, 1.0, 1.0]


def test_einops_takes_arrays(backend):
    einops = pytest.importorskip("einops")
    xp = namespace("torch", backend)
    x = xp.reshape(xp.arange(6, dtype=xp.float32), (2, 3))
    for found, wanted in (
        (einops.rearrange(x, "a b -> b a"), x.T),
        (einops.rearrange([x, x], "n a b -> a (n b)"), xp.concat([x, x], axis=1)),
        (einops.reduce(x, "a b -> b", "mean"), xp.mean(x, axis=0)),
        (einops.repeat(x, "a b -> a b c", c=2), xp.stack([x, x], axis=2)),
        (einops.pack([x, x], "* b")[0], xp.concat([x, x])),
    ):
        assert (type(found), found.dtype) == (type(x), xp.float32)
        assert values(found) == values(wanted)
    assert einops.asnumpy(x).tolist() == values(x)
    with pytest.raises(NotImplementedError, match="mean"):
        einops.reduce(xp.ones(2, dtype=xp.int32), "a ->", "mean")


def test_small_arrays_have_the_views_of_numpy():
    xp = supremum.namespace("numpy")
    x = xp.reshape(xp.arange(6), (2, 3))
    for view in (x.T, x[None], x[...], x.mT, x[1], x[:, None, 0]):
        before = x.tolist()
        view[...] = 7
        assert x.tolist() != before
        x[...] = xp.reshape(xp.arange(6), (2, 3))
    mask = x > 2
    taken = x[mask]
    taken[0] = 9
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    x[mask] = 0
    assert (len(x), x.tolist()) == (2, [[0, 1, 2], [0, 0, 0]])
    with pytest.raises(IndexError):
        x[xp.asarray([True, False, True])]
    with pytest.raises(supremum.PromotionError):
        x[mask] = 1.5
