"""Plans: what computes a function is made once for some dtypes, and is data."""

import numpy as np
import pytest

import supremum
from supremum.arrays import plan as plans
from supremum.arrays.views import joined

CALLS = (
    "x + y", "x + 1", "xp.sum(x, axis=0)", "xp.sum(x, dtype=xp.float32)", "xp.mean(y)",
    "xp.any(x, keepdims=True)", "xp.cumulative_sum(x)", "xp.where(y > 0, x, y)",
    "xp.where(y > 0, x, 1)", "xp.concat([x, y, x])", "xp.stack([x, y], axis=1)",
    "xp.clip(x, 0, y)", "y.__iadd__(x)", "xp.isin(x, y)", "xp.searchsorted(y, x)",
    "xp.count_nonzero(x)", "-x", "y ** 2",
)  # fmt: skip


@pytest.mark.parametrize("what", CALLS)
@pytest.mark.parametrize("rules", ["numpy", "jax", "torch"])
def test_a_call_is_planned_once(monkeypatch, rules, what):
    xp = supremum.namespace(supremum.system(rules).replace(name=f"{rules} of its own"))
    made = []

    def counted(engine, name, *args, **options):
        made.append(name)
        return plan(engine, name, *args, **options)

    plan = plans.plan
    monkeypatch.setattr("supremum.arrays.operations.plan", counted)
    x, y = xp.asarray([1, 2, 3], dtype=xp.int16), xp.asarray([0.5, 2, -1], dtype=xp.float32)
    eval(what, {"xp": xp, "x": x, "y": y})  # it is ours
    assert made
    first = len(made)
    for _ in range(3):
        eval(what, {"xp": xp, "x": x, "y": y})  # it is ours
    assert len(made) == first


def test_plans_can_be_compared_and_printed():
    xp = supremum.namespace("numpy")
    x, y = xp.ones(2, dtype=xp.int32), xp.ones(3, dtype=xp.float32)
    assert xp.plan("add", x, y) == xp.plan("add", x + x, -y) != xp.plan("add", y, x)
    assert repr(xp.plan("add", x, 1)) == (
        "Plan(function='add', operands=('int32', 'int'), compute=supremum.dtype('int32'), "
        "key=int32, backend='numpy', into=False)"
    )
    other = supremum.namespace("jax", backend="numpy")
    assert other.plan("add", other.ones(2, dtype="int32"), 1.5).key.dtype.name == "float64"


@pytest.mark.parametrize("rules", ["numpy", "jax", "torch", "array-api"])
def test_the_explanation_and_the_plan_agree(rules):
    xp = supremum.namespace(rules, backend="numpy")
    arrays = [getattr(xp, d)(1) for d in ("bool", "int8", "uint8", "int32", "float32", "complex64")]
    for x in arrays:
        for y in [*arrays, True, 1, 1.5]:
            for name in ("add", "maximum", "divide", "less"):
                try:
                    made = xp.plan(name, x, y)
                except (supremum.PromotionError, supremum.DTypeError):
                    continue
                assert xp.explain(x, y, op=name).result is made.key.dtype


# What is computed, and how many times the memory of y its result takes.
MEMORY = {
    "xp.where(c, y, x)": 1,
    "xp.where(c, x, y)": 1.25,  # with the mask of what is not taken
    "xp.concat([x, y])": 2,
    "xp.clip(y, -1, 1)": 1,
    "xp.clip(y, x, 2.0)": 1,
    "y.__iadd__(x)": 0,
}


@pytest.mark.parametrize("what", MEMORY)
def test_casts_take_no_memory_of_their_own(what):
    import tracemalloc

    xp = supremum.namespace("numpy")
    code = compile(what, "what", "eval")
    n = 200_000
    x, y = xp.ones(n, dtype=xp.int16), xp.ones(n, dtype=xp.float32)
    c = x > 0
    eval(code, {"xp": xp, "c": c[:3], "x": x[:3], "y": y[:3]})  # it is ours
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    found = eval(code, {"xp": xp, "c": c, "x": x, "y": y})  # the same
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.dtype == "float32"
    assert peak - before < (MEMORY[what] + 0.1) * 4 * n + 10_000


def test_a_narrow_result_of_where_is_what_numpy_chooses():
    xp = supremum.namespace("numpy")
    rng = np.random.default_rng(3)
    for n in (5, 20_000):
        c, x, y = rng.random(n) > 0.5, rng.integers(-9, 9, n, np.int8), rng.random(n)
        found = xp.where(xp.asarray(c), xp.asarray(x), xp.asarray(y))
        assert (np.asarray(found) == np.where(c, x, y)).all()
        broadcast = xp.where(xp.asarray(c[:1]), xp.asarray(x), 2.5)
        assert (np.asarray(broadcast) == np.where(c[:1], x, 2.5)).all()


def test_any_number_of_arrays_is_joined_in_any_order():
    for lengths in ((2, 1, 3, 2), (1, 3, 2), (3, 1)):
        rules = supremum.system("numpy").replace(name=f"numpy {lengths}")
        xp = supremum.namespace(rules, backend="numpy")
        x = xp.ones(2)
        for n in lengths:
            assert xp.concat([x] * n).shape == (2 * n,)
            assert xp.stack([x] * n).shape == (n, 2)
        assert xp.diff(x, prepend=x).shape == (3,)
        assert xp.diff(x, prepend=x, append=x).shape == (5,)


def test_a_number_that_the_dtype_of_x_lacks_is_a_bound():
    xp = supremum.namespace("jax", backend="numpy")
    x, low = xp.asarray([5], dtype=xp.uint8), xp.asarray([1000], dtype=xp.int32)
    assert xp.clip(x, low, 300).tolist() == [300]
    found = supremum.namespace("numpy").clip(np.asarray([67], np.uint8), float("inf"), 2**70)
    assert found.tolist() == [2.0**70]


@pytest.mark.parametrize(
    "what",
    [
        "xp.linalg.matrix_power(x, 1)", "xp.linalg.matrix_power(x, 2)", "xp.diff(x, n=0)",
        "xp.clip(x, 0, 9)", "xp.concat([x])", "xp.where(x > 0, x, x)", "xp.sum(x, axis=())",
        "xp.astype(x, xp.float64)", "+x", "xp.cumulative_sum(x, axis=0)", "xp.sort(x)",
    ],
)  # fmt: skip
def test_a_result_shares_nothing_with_its_operand(what):
    xp = supremum.namespace("numpy")
    x = xp.asarray([[1.0, 2.0], [3.0, 4.0]])
    found = eval(what, {"xp": xp, "x": x})  # it is ours
    found += 10
    assert x.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("what", ["add", "sum", "linalg.inv", "linalg.svd", "linalg.matmul",
                                  "fft.fft", "fft.ifft", "fft.fftfreq"])  # fmt: skip
def test_functions_are_pickled_and_copied(what):
    import copy
    import pickle

    xp = supremum.namespace("numpy")
    function = xp
    for part in what.split("."):
        function = getattr(function, part)
    for again in (pickle.loads(pickle.dumps(function)), copy.copy(function)):
        assert again == function


def test_a_plan_needs_a_function_that_has_one_and_its_operands():
    xp = supremum.namespace("numpy")
    x = xp.ones(2)
    xp.add(x, 1.5)
    with pytest.raises(supremum.PromotionError, match="add takes two operands"):
        xp.plan("add", x)
    with pytest.raises(TypeError, match="plan takes the operands of add after its name"):
        xp.plan("add")
    for name in ("linalg.inv", "reshape", 3):
        with pytest.raises(ValueError, match="is not a function with a plan, such as 'add'"):
            xp.plan(name, x)
    with pytest.raises(ValueError, match="did you mean add"):
        xp.plan("ad", x)
    import pickle

    with pytest.raises(TypeError, match="a plan is not pickled; make it again"):
        pickle.dumps(xp.plan("add", x, x))


@pytest.mark.parametrize("d", ["bfloat16", "float8_e5m2"])
@pytest.mark.parametrize(
    "what",
    ["o + 2**63", "o == 2**64", "xp.where(o == 1, 2**70, o)", "xp.full(1, 2**63, dtype=o.dtype)",
     "xp.asarray([2**63], dtype=o.dtype)", "xp.clip(o, 0, 2**70)", "xp.maximum(o, 2**63)"],
)  # fmt: skip
def test_narrow_floats_take_large_ints_as_float32_does(d, what):
    xp = supremum.namespace("jax", backend="numpy")
    found, wanted = (
        eval(what, {"xp": xp, "o": xp.ones(1, dtype=dtype)})  # it is ours
        for dtype in (d, "float32")
    )
    assert np.asarray(found, np.float32) == np.asarray(xp.astype(wanted, d), np.float32) or (
        found.dtype == "bool"
    )


def test_lengths_of_linspace_may_be_large_ints():
    xp = supremum.namespace("numpy")
    assert xp.linspace(0, 2**64, 2, dtype=xp.float32).tolist() == [0, 2.0**64]


def test_numbers_are_taken_by_a_plan_within_the_bounds_of_its_dtype():
    xp = supremum.namespace("jax", x64=False)
    for _ in range(2):
        assert xp.asarray(1).dtype == xp.int32
        assert xp.asarray(1).weak_type
        assert xp.asarray(True).dtype == xp.bool
        assert not xp.asarray(1.5, dtype=xp.float16).weak_type
        with pytest.raises(OverflowError, match="128 does not fit int8, which goes from -128"):
            xp.asarray(128, dtype=xp.int8)
        assert int(xp.asarray(-128, dtype=xp.int8)) == -128
    with supremum.rules("numpy"):
        assert xp.asarray(1).dtype.name == "int64"
    by_value = supremum.namespace("numpy-legacy")
    found = [by_value.asarray(n).dtype.name for n in (1, 2**40, 2**63, 1)]
    assert found == [np.asarray(n).dtype.name for n in (1, 2**40, 2**63, 1)]


def test_lists_are_taken_by_a_plan_within_the_bounds_of_its_dtype():
    xp = supremum.namespace("numpy").on("numpy")
    for _ in range(2):
        assert xp.asarray([2**63, 2**64 - 1]).dtype == xp.uint64
        assert xp.asarray([1, 2]).dtype == xp.int64
        assert xp.asarray([True, False]).dtype == xp.bool
        assert xp.asarray([1, 2.5]).dtype == xp.float64
        assert xp.asarray([1.5, 2.5], dtype=xp.bfloat16).tolist() == [1.5, 2.5]
        assert xp.asarray([], dtype=xp.int8).tolist() == []
        assert xp.asarray([-128, 127], dtype=xp.int8).tolist() == [-128, 127]
        with pytest.raises(OverflowError, match="128 does not fit int8, which goes from -128"):
            xp.asarray([0, 128], dtype=xp.int8)
        with pytest.raises(ValueError, match="without a copy"):
            xp.asarray([1.5], copy=False)
    narrow = supremum.namespace("jax", x64=False)
    for _ in range(2):
        assert narrow.asarray([1, 2]).dtype == narrow.int32
        with supremum.rules("numpy"):
            assert narrow.asarray([1, 2]).dtype.name == "int64"


def test_a_copy_that_is_gone_forbids_no_write():
    xp = supremum.namespace("jax", backend="numpy")
    x = xp.asarray([1.0, 2.0, 3.0])
    copied = joined(x, xp.asarray([3.0]), is_copy=True)
    with pytest.raises(ValueError, match="another array that is alive shares elements"):
        x[0] = 5.0
    del copied
    x[0] = 5.0
    assert not x.sharing.copies
    assert x.tolist() == [5.0, 2.0, 3.0]


def test_the_elements_of_an_array_are_those_that_it_has_then():
    xp = supremum.namespace("jax", backend="numpy")
    x, seen = xp.asarray([1, 2, 3]), []
    for one in x:
        seen.append(int(one))
        x += 1
        one[...] = 100  # it is a copy
    assert seen == [1, 3, 5]
    assert x.tolist() == [4, 5, 6]


def test_ranges_are_made_by_a_plan_within_the_bounds_of_their_dtype():
    xp = supremum.namespace("jax", x64=False)
    for _ in range(2):
        assert xp.arange(3).tolist() == [0, 1, 2]
        assert xp.arange(0, 128, dtype=xp.int8).tolist() == list(range(128))
        assert xp.arange(0, 130, 100, dtype=xp.int8).tolist() == [0, 100]
        assert xp.arange(1, 0, 2**40).tolist() == []
        assert xp.arange(0, 1, 0.25).dtype == xp.float32
        assert xp.arange(np.int8(0), 2).dtype == xp.int8
        with pytest.raises(OverflowError, match="128 does not fit int8"):
            xp.arange(0, 129, dtype=xp.int8)


@pytest.mark.parametrize("rules", ["jax", "numpy"])
def test_an_array_that_numpy_does_not_write_to_is_refused_in_place(rules):
    xp = supremum.namespace(rules, backend="numpy")
    for own in (np.float64, np.int32):
        x = xp.asarray(np.broadcast_to(own(1), (3,)))
        with pytest.raises(ValueError, match="cannot be written to, as one that was broadcast"):
            x += xp.ones(3, dtype=xp.float64 if own is np.float64 else xp.int32)
        with pytest.raises(ValueError, match="cannot be written to, as one that was broadcast"):
            x[0] = 1


def test_what_numpy_gives_as_a_scalar_is_an_array():
    xp = supremum.namespace("numpy")
    x, y = xp.asarray(np.float32(2)), xp.asarray([1.0, 2.0])
    for found in (x + x, -x, x**2, x < 1, xp.exp(x), y @ y, xp.vecdot(y, y), xp.count_nonzero(y)):
        assert type(found.native) is np.ndarray
        assert found.shape == ()
