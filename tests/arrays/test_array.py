"""The array as an object: what Python's own syntax gives of it."""

import array as buffers  # noqa: F401  # the table below uses it
import copy
import enum
import pickle

import numpy as np
import pytest

import supremum

jax = supremum.namespace("jax", backend="numpy")
numpy = supremum.namespace("numpy")
torch = supremum.namespace("torch", backend="numpy")
strict = supremum.namespace("array-api")
legacy = supremum.namespace("numpy-legacy")
cupy = supremum.namespace("cupy")

x = jax.asarray([1, 2], dtype=jax.int16)
m = jax.asarray([[1, 2], [3, 4]], dtype=jax.int16)
one, half = jax.asarray(1), jax.asarray(0.5)

REPRS = {
    "jax.asarray(1)": "supremum.Array(1, dtype=int64, weak_type=True)",
    "jax.asarray(1.5)": "supremum.Array(1.5, dtype=float64, weak_type=True)",
    "jax.asarray(1j)": "supremum.Array(0.+1.j, dtype=complex128, weak_type=True)",
    "jax.asarray(True)": "supremum.Array(True, dtype=bool)",
    "jax.asarray([1, 2])": "supremum.Array([1, 2], dtype=int64)",
    "jax.asarray(1, dtype=jax.int64)": "supremum.Array(1, dtype=int64)",
    "jax.asarray(one)": "supremum.Array(1, dtype=int64, weak_type=True)",
    "jax.int16(1)": "supremum.Array(1, dtype=int16)",
    "jax.int16()": "supremum.Array(0, dtype=int16)",
    "jax.int16(1) + 1": "supremum.Array(2, dtype=int16)",
    "jax.float32([1, 2])": "supremum.Array([1., 2.], dtype=float32)",
    "one + 1": "supremum.Array(2, dtype=int64, weak_type=True)",
    "one + 0.5": "supremum.Array(1.5, dtype=float64, weak_type=True)",
    "one + half * 1j": "supremum.Array(1.+0.5j, dtype=complex128, weak_type=True)",
    "one + x": "supremum.Array([2, 3], dtype=int16)",
    "x + 1": "supremum.Array([2, 3], dtype=int16)",
    "1 - x": "supremum.Array([ 0, -1], dtype=int16)",
    "x * 1.5": "supremum.Array([1.5, 3. ], dtype=float64, weak_type=True)",
    "2 ** x": "supremum.Array([2, 4], dtype=int16)",
    "1 / x": "supremum.Array([1. , 0.5], dtype=float32)",
    "7 // x": "supremum.Array([7, 3], dtype=int16)",
    "7 % x": "supremum.Array([0, 1], dtype=int16)",
    "1 << x": "supremum.Array([2, 4], dtype=int16)",
    "8 >> x": "supremum.Array([4, 2], dtype=int16)",
    "6 & x": "supremum.Array([0, 2], dtype=int16)",
    "4 | x": "supremum.Array([5, 6], dtype=int16)",
    "3 ^ x": "supremum.Array([2, 1], dtype=int16)",
    "m @ x": "supremum.Array([ 5, 11], dtype=int16)",
    "-x": "supremum.Array([-1, -2], dtype=int16)",
    "+x": "supremum.Array([1, 2], dtype=int16)",
    "~x": "supremum.Array([-2, -3], dtype=int16)",
    "abs(-x)": "supremum.Array([1, 2], dtype=int16)",
    "x == 1": "supremum.Array([ True, False], dtype=bool)",
    "1 != x": "supremum.Array([False,  True], dtype=bool)",
    "x < 2": "supremum.Array([ True, False], dtype=bool)",
    "2 <= x": "supremum.Array([False,  True], dtype=bool)",
    "x > x": "supremum.Array([False, False], dtype=bool)",
    "x >= x": "supremum.Array([ True,  True], dtype=bool)",
    "x[0]": "supremum.Array(1, dtype=int16)",
    "x[-1]": "supremum.Array(2, dtype=int16)",
    "x[np.int8(1)]": "supremum.Array(2, dtype=int16)",
    "x[one]": "supremum.Array(2, dtype=int16)",
    "x[::-1]": "supremum.Array([2, 1], dtype=int16)",
    "x[None]": "supremum.Array([[1, 2]], dtype=int16)",
    "x[...]": "supremum.Array([1, 2], dtype=int16)",
    "x[x > 1]": "supremum.Array([2], dtype=int16)",
    "x[jax.asarray([1, 1])]": "supremum.Array([2, 2], dtype=int16)",
    "m[0]": "supremum.Array([1, 2], dtype=int16)",
    "m[:, 1]": "supremum.Array([2, 4], dtype=int16)",
    "m[..., None, 0]": "supremum.Array([[1],\n                [3]], dtype=int16)",
    "m[jax.asarray([1, 0]), x - 1]": "supremum.Array([3, 2], dtype=int16)",
    "one[()]": "supremum.Array(1, dtype=int64, weak_type=True)",
    "one[None]": "supremum.Array([1], dtype=int64, weak_type=True)",
    "m": "supremum.Array([[1, 2],\n                [3, 4]], dtype=int16)",
    "m.T": "supremum.Array([[1, 3],\n                [2, 4]], dtype=int16)",
    "m.mT": "supremum.Array([[1, 3],\n                [2, 4]], dtype=int16)",
    "x.astype(jax.float32)": "supremum.Array([1., 2.], dtype=float32)",
    "x.astype(dtype=jax.float32)": "supremum.Array([1., 2.], dtype=float32)",
    "one.astype(jax.int64)": "supremum.Array(1, dtype=int64)",
    "jax.zeros(0)": "supremum.Array([], dtype=float64)",
    "jax.zeros((0, 3))": "supremum.Array([], shape=(0, 3), dtype=float64)",
    "jax.zeros(2000)": "supremum.Array([0., 0., 0., ..., 0., 0., 0.], dtype=float64)",
    "jax.asarray([1.5], dtype=jax.bfloat16)": "supremum.Array([1.5], dtype=bfloat16)",
    "list(x)": "[supremum.Array(1, dtype=int16), supremum.Array(2, dtype=int16)]",
    "list(reversed(x))": "[supremum.Array(2, dtype=int16), supremum.Array(1, dtype=int16)]",
    "sum(x)": "supremum.Array(3, dtype=int16)",
    "max(x)": "supremum.Array(2, dtype=int16)",
    # weak arrays are JAX's alone
    "numpy.asarray(1)": "supremum.Array(1, dtype=int64)",
    "numpy.asarray(1) + numpy.int8(1)": "supremum.Array(2, dtype=int64)",
    "torch.asarray(1.5)": "supremum.Array(1.5, dtype=float32)",
    "strict.asarray(1.5)": "supremum.Array(1.5, dtype=float64)",
    "strict.asarray(1.5) + 1": "supremum.Array(2.5, dtype=float64)",
    # whatever has the protocol of buffers, and numbers of other classes
    "jax.asarray(buffers.array('i', [1, 2]))": "supremum.Array([1, 2], dtype=int32)",
    "jax.asarray(memoryview(b'ab'))": "supremum.Array([97, 98], dtype=uint8)",
    "jax.asarray(range(3))": "supremum.Array([0, 1, 2], dtype=int64)",
    "jax.asarray(Level.HIGH)": "supremum.Array(3, dtype=int64, weak_type=True)",
    "x + Level.HIGH": "supremum.Array([4, 5], dtype=int16)",
}  # fmt: skip


class Level(enum.IntEnum):
    HIGH = 3


@pytest.mark.parametrize("code", REPRS)
def test_each_expression_gives_this_array(code):
    assert repr(eval(code)) == REPRS[code]


NUMBERS = {
    "int(half)": 0,
    "float(one)": 1.0,
    "complex(half)": 0.5 + 0j,
    "bool(one)": True,
    "bool(jax.asarray(0.0))": False,
    "[5, 6, 7][one]": 6,
    "len(m)": 2,
    "2 in x": True,
    "3 in x": False,
    "jax.asarray(2.5, dtype=jax.bfloat16).item()": 2.5,
    "x[:1].item()": 1,
    "m.tolist()": [[1, 2], [3, 4]],
    "jax.asarray([1.5], dtype=jax.bfloat16).tolist()": [1.5],
    "f'{half:.2f}'": "0.50",
    "f'{x}'": "supremum.Array([1, 2], dtype=int16)",
    "x.shape, m.ndim, m.size": ((2,), 2, 4),
    "x.device": "cpu",
    "x.dtype == jax.int16 == np.int16, jax.int16 == 'int16'": (True, True),
    "x == None": False,
    "x != 'a'": True,
    "x.to_device('cpu') is not None": True,
}


@pytest.mark.parametrize("code", NUMBERS)
def test_each_expression_gives_this_value(code):
    found = eval(code)
    assert (found, type(found)) == (NUMBERS[code], type(NUMBERS[code]))


def test_an_array_cannot_be_a_key():
    with pytest.raises(TypeError, match=r"^unhashable type: 'Array'$"):
        hash(x)


def test_copies_are_of_their_own():
    first = jax.asarray([1, 2])
    for other in (copy.copy(first), copy.deepcopy(first), jax.asarray(first, copy=True)):
        other[0] = 5
        assert first.tolist() == [1, 2]
    view = first[:1]
    view[0] = 7
    assert first.tolist() == [7, 2]


# in place: by which rules the array itself takes the result

IN_PLACE = [
    (numpy, "int8", "x += 1", [2, 3]),
    (numpy, "int8", "x **= 2", [1, 4]),
    (numpy, "int8", "x <<= 2", [4, 8]),
    (numpy, "int8", "x += xp.ones(2, dtype=xp.int64)", [2, 3]),
    (numpy, "float32", "x /= 2", [0.5, 1]),
    (numpy, "bfloat16", "x += xp.ones(2)", [2, 3]),
    (numpy, "float64", "x += np.ones(2)", [2, 3]),
    (strict, "int8", "x += 1", [2, 3]),
    (strict, "float64", "x += xp.ones(2, dtype=xp.float32)", [2, 3]),
    (torch, "uint8", "x -= xp.ones(2, dtype=xp.int64)", [0, 1]),
    (torch, "uint16", "x *= x", [1, 4]),
    (legacy, "float32", "x += xp.ones(2, dtype=xp.float64)", [2, 3]),
    (legacy, "uint8", "x += 300", [45, 46]),
    (legacy, "int8", "x *= xp.ones(2, dtype=xp.uint16)", [1, 2]),
    (cupy, "float32", "x += xp.ones(2, dtype=xp.float64)", [2, 3]),
    (cupy, "int8", "x *= xp.ones(2, dtype=xp.uint16)", [1, 2]),
    (cupy, "bfloat16", "x += xp.ones(2)", [2, 3]),
]


@pytest.mark.parametrize(("xp", "name", "code", "result"), IN_PLACE)
def test_an_operator_in_place_writes_into_the_array(xp, name, code, result):
    first = xp.asarray([1, 2], dtype=name)
    view = first[:]
    scope = {"xp": xp, "np": np, "x": first}
    exec(code, scope)
    assert scope["x"] is first
    assert (view.tolist(), first.dtype.name) == (result, name)


@pytest.mark.parametrize("xp", [legacy, cupy], ids=str)
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("int8", "x += 1.5"),
        ("int8", "x /= 2"),
        ("float32", "x *= 1j"),
        ("bool", "x += 1"),
        ("uint8", "x += xp.ones(2, dtype=xp.int8)"),
    ],
)
def test_an_operator_in_place_that_changes_the_kind_is_refused(xp, name, code):
    first = xp.asarray([True, True], dtype=name)
    with pytest.raises(supremum.PromotionError, match="would put"):
        exec(code, {"xp": xp, "x": first})
    assert (first.tolist(), first.dtype.name) == ([1, 1], name)


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (1, "supremum.Array([2, 3], dtype=int16)"),
        (0.5, "supremum.Array([1.5, 2.5], dtype=float64, weak_type=True)"),
    ],
)
def test_by_rules_without_operators_in_place_the_array_takes_what_comes_out(value, result):
    first = second = jax.asarray([1, 2], dtype=jax.int16)
    second += value
    assert second is first
    assert repr(first) == result


@pytest.mark.parametrize(
    ("value", "is_same"),
    [(1.0, True), (np.ones((3, 3), np.float32), True), (np.ones((3, 3)), False),
     (np.ones((2, 3, 3), np.float32), False)],
)  # fmt: skip
def test_what_keeps_its_dtype_and_its_shape_is_computed_in_place_by_rules_without(value, is_same):
    xp = supremum.namespace("jax", backend="numpy")
    x = xp.zeros((3, 3), dtype=xp.float32)
    native = x.native
    x += value
    assert (x.native is native) == is_same
    assert np.asarray(x).tolist() == (np.zeros((3, 3)) + value).tolist()


def test_what_is_weak_and_added_to_in_place_is_weak_no_more():
    xp = supremum.namespace("jax", backend="numpy")
    x = xp.asarray(1.0)
    x += xp.asarray(1.0)
    assert x.weak_type
    x += xp.ones((), dtype=xp.float64)
    assert (x.weak_type, x.dtype.name, float(x)) == (False, "float64", 3.0)


@pytest.mark.parametrize("rules", ["numpy", "torch"])
def test_an_operator_in_place_that_overflows_is_done_once(rules):
    x = supremum.namespace(rules, backend="numpy").asarray([1e300, 1.0], dtype="float64")
    x *= 2.0  # from then on there is a plan
    with np.errstate(over="raise"), pytest.raises(FloatingPointError):
        x *= 1e300
    assert x[1].item() == 2e300


def test_a_matrix_in_place():
    first = second = numpy.asarray([[1.0, 2], [3, 4]])
    second @= numpy.ones((2, 2))
    assert second is first
    assert first.tolist() == [[3, 3], [7, 7]]


STORES = {
    "y[0] = 5": [5, 2],
    "y[...] = x": [1, 2],
    "y[y > 1] = True": [1, 1],
    "y[:] = np.array([3, 4], dtype=np.uint8)": [3, 4],
    "y[jax.asarray([1])] = jax.int64(9)": [1, 9],
    "y[0] += 2": [3, 2],
}


@pytest.mark.parametrize("code", STORES)
def test_a_store_keeps_the_dtype(code):
    scope = {**globals(), "y": jax.asarray([1, 2], dtype=jax.int8)}
    exec(code, scope)
    assert (scope["y"].tolist(), scope["y"].dtype.name) == (STORES[code], "int8")


# pickling

RULES = [
    ("jax", {}), ("jax", {"x64": False}), ("jax", {"mode": "strict"}), ("numpy", {}),
    ("torch", {}), ("array-api", {}), ("array-api", {"version": "2021.12"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options"), RULES)
def test_arrays_and_namespaces_survive_pickling(name, options):
    xp = supremum.namespace(name, backend="numpy", **options)
    first = xp.asarray(1)
    again = pickle.loads(pickle.dumps(first))
    assert (repr(again), again.__array_namespace__()) == (repr(first), xp)
    for thing in (xp, xp.linalg, xp.float32):
        assert pickle.loads(pickle.dumps(thing)) is thing
    assert pickle.loads(pickle.dumps(xp.negative))(first).tolist() == -1


MINE = "u8 -> i16; i8 -> i16 -> f32; i* -> u8; i* -> i8; i* -> f* -> f32"


def test_arrays_by_rules_of_ones_own_survive_pickling():
    xp = supremum.namespace(supremum.custom.PromotionSystem.from_lattice(MINE, name="mine"))
    first = xp.asarray([1], dtype=xp.int8)
    again = pickle.loads(pickle.dumps(first))
    found = again + 1 + xp.asarray([1], dtype=xp.uint8)
    assert (repr(found), found.__array_namespace__()) == ("supremum.Array([3], dtype=int16)", xp)


def test_another_process_knows_rules_of_ones_own_as_the_same(monkeypatch):
    xp = supremum.namespace(supremum.custom.PromotionSystem.from_lattice(MINE, name="mine"))
    first, second = (pickle.dumps(xp.asarray([n], dtype=xp.int8)) for n in (1, 2))
    monkeypatch.setattr("supremum.arrays.space._made", {})  # that process has not seen them
    first, second = pickle.loads(first), pickle.loads(second)
    assert first.__array_namespace__() is second.__array_namespace__() is not xp
    assert (first + second).tolist() == [3]


def test_what_python_asks_of_numbers():
    x = jax.asarray([[1.5, 2.5], [-7.0, 3.0]], dtype=jax.float32)
    assert [part.tolist() for part in divmod(x[0], 2)] == [[0, 1], [1.5, 0.5]]
    assert [part.tolist() for part in divmod(7, x[0])] == [[4, 2], [1, 2]]
    assert (round(x).tolist(), round(x[0, 1]), x.nbytes) == ([[2, 2], [-7, 3]], 2, 16)
    with pytest.raises(TypeError, match=r"scale, use xp\.round, and divide"):
        round(x, 2)


def test_indices_are_integers():
    x = jax.asarray([1.0, 2.0])
    for function in (jax.take, jax.take_along_axis):
        with pytest.raises(TypeError, match="takes integers as indices, not float64"):
            function(x, jax.asarray([0.5, 0]), axis=0)
    assert jax.take(jax.ones((2, 3)), 0, axis=0).shape == (3,)
