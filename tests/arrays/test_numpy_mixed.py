"""Mixed with NumPy's own arrays, scalars and functions: if one is ours, our rules decide."""

import copy
import pickle

import numpy as np
import pytest

import supremum
from supremum.arrays import DataType

jax = supremum.namespace("jax", backend="numpy")
x = jax.asarray([1, 2], dtype=jax.int16)
m = jax.asarray([[1, 2], [3, 4]], dtype=jax.int8)
ints, floats = np.array([1, 2], dtype=np.int32), np.array([1.0, 2.0], dtype=np.float32)

OURS = {
    "np.int16(1) + 1 + x": "supremum.Array([3, 4], dtype=int16)",
    "np.float32(1) + 1 + x": "supremum.Array([3., 4.], dtype=float32)",
    "ints + jax.float16(1)": "supremum.Array([2., 3.], dtype=float16)",
    "jax.float16(1) + ints": "supremum.Array([2., 3.], dtype=float16)",
    "ints * jax.asarray(1.5)": "supremum.Array([1.5, 3. ], dtype=float64, weak_type=True)",
    "floats - x": "supremum.Array([0., 0.], dtype=float32)",
    "floats < x": "supremum.Array([False, False], dtype=bool)",
    "np.ones(2, dtype=np.int8) @ m": "supremum.Array([4, 6], dtype=int8)",
    "np.add(x, floats)": "supremum.Array([2., 4.], dtype=float32)",
    "np.add(floats, x)": "supremum.Array([2., 4.], dtype=float32)",
    "np.power(x, 2)": "supremum.Array([1, 4], dtype=int16)",
    "np.sin(0 * x)": "supremum.Array([0., 0.], dtype=float32)",
    "np.arctan2(0 * x, x)": "supremum.Array([0., 0.], dtype=float32)",
    "np.matmul(m, m)": "supremum.Array([[ 7, 10],\n                [15, 22]], dtype=int8)",
    # NumPy's sum, min and so on are reductions by ufuncs
    "np.sum(x)": "supremum.Array(3, dtype=int64)",
    "np.sum(m, axis=0)": "supremum.Array([4, 6], dtype=int64)",
    "np.sum(m, axis=1, keepdims=True)": "supremum.Array([[3],\n                [7]], dtype=int64)",
    "np.sum(x, dtype='float32')": "supremum.Array(3., dtype=float32)",
    "np.add.reduce(m)": "supremum.Array([4, 6], dtype=int64)",
    "np.prod(m)": "supremum.Array(24, dtype=int64)",
    "np.min(m)": "supremum.Array(1, dtype=int8)",
    "np.max(m, axis=0)": "supremum.Array([3, 4], dtype=int8)",
    "np.all(x > 1)": "supremum.Array(False, dtype=bool)",
    "np.any(x > 1, axis=0)": "supremum.Array(True, dtype=bool)",
    # what an array of NumPy is changed to is as its own rules have it
    "np.add(x, x, out=np.zeros(2))": "array([2., 4.])",
    "np.asarray([1, 2]).__iadd__(x)": "array([2, 4])",
}


@pytest.mark.parametrize("code", OURS)
def test_our_rules_decide(code):
    assert repr(eval(code)) == OURS[code]


# What converts asks for an array of NumPy.
THEIRS = {
    "np.array_equal(x, [1, 2])": "True",
    "np.asarray(x)": "array([1, 2], dtype=int16)",
    "np.asarray(x, dtype=np.float32)": "array([1., 2.], dtype=float32)",
    "np.asarray(x, dtype=jax.float32)": "array([1., 2.], dtype=float32)",
    "np.array([x, x]).dtype": "dtype('int16')",
    "np.zeros(1, dtype=jax.int16)": "array([0], dtype=int16)",
    "np.from_dlpack(x)": "array([1, 2], dtype=int16)",
    "np.float64(x[0])": "np.float64(1.0)",
    "ints[x - 1]": "array([1, 2], dtype=int32)",
    "bool(np.asarray(1) == jax.asarray(1))": "True",
}


@pytest.mark.parametrize("code", THEIRS)
def test_what_converts_makes_arrays_of_numpy(code):
    assert repr(eval(code)) == THEIRS[code]


def test_a_dtype_answers_what_code_for_numpy_asks():
    d = x.dtype
    assert isinstance(d, np.dtype)
    assert isinstance(jax.int16, DataType)
    assert issubclass(d.type, np.integer)
    assert (d.char, d.str, np.dtype(d)) == ("h", np.dtype("int16").str, np.dtype("int16"))
    assert pickle.loads(pickle.dumps(d)) == copy.copy(d) == d
    assert not hasattr(d, "nonsense")


def test_data_is_shared_not_copied():
    own = np.array([1, 2, 3])
    for ours in (jax.asarray(own), jax.from_dlpack(own)):
        assert np.shares_memory(np.asarray(ours), own)
        assert np.shares_memory(np.from_dlpack(ours), own)
    assert not np.shares_memory(np.array(jax.asarray(own)), own)
    assert not np.shares_memory(np.asarray(jax.asarray(own, copy=True)), own)


def test_stores_into_an_array_of_numpy_go_by_its_rules():
    own = np.zeros(2, dtype=np.int8)
    own[0] = jax.asarray(5)
    own[1:] = x[1:]
    assert own.tolist() == [5, 2]


REFUSED = {
    "np.add(x, x, where=x > 1)": "np.add with where= is not supported",
    "np.sum(x, initial=1)": "np.sum with initial= is not supported",
    "np.add(x, x, dtype=np.float32)": "np.add with dtype= is not supported",
    "np.add.accumulate(x)": "np.add.accumulate is not supported",
    "np.add.outer(x, floats)": "np.add.outer is not supported",
    "np.add(x, 0.5, out=np.zeros(2, np.int8))": "same_kind",
    "np.frompyfunc(abs, 1, 1)(x)": "",
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_a_ufunc_cannot_do_is_refused(code):
    with pytest.raises(TypeError) as caught:
        eval(code)
    assert REFUSED[code] in str(caught.value)


def test_explain_says_whose_rules_decide():
    told = jax.explain(ints, jax.int64(1), op="add")
    assert str(told) == (
        "int64                                           jax rules, x64 on\n\n"
        "  int32[2]   NumPy array            int32 → int64\n"
        "  int64[]    supremum array         int64\n\n"
        "int64 is the least dtype that both reach.\n"
        f"One operand is an array of {jax}, so its rules decide, not NumPy's."
    )
    assert jax.explain(x, 1).note == jax.explain(ints, floats).note == ""


# NumPy compares integers exactly, whatever their dtypes share; so do its rules on its backend.

EDGES = [0, 1, -1, 127, 128, -129, 255, 256, 2**53, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**70]
COMPARISONS = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal"]


@pytest.mark.parametrize("name", COMPARISONS)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_numpy_rules_compare_integers_as_numpy_does(name, dtype):
    xp = supremum.namespace("numpy")
    info = np.iinfo(dtype)
    own = np.array([v for v in EDGES if info.min <= v <= info.max], dtype=dtype)
    for value in [*EDGES, np.array(2**63 - 1), np.array([2**63], dtype=np.uint64), 0.5]:
        expected = getattr(np, name)(own, value)
        assert getattr(xp, name)(xp.asarray(own), value).tolist() == expected.tolist()
        reflected = getattr(np, name)(value, own)
        assert getattr(xp, name)(value, xp.asarray(own)).tolist() == reflected.tolist()
