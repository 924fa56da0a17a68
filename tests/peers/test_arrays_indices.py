"""Indices and stores on every backend, against NumPy's own."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest

import supremum

sys.path.append(str(Path(__file__).parents[1] / "arrays"))

from indices import FORMS, SHAPE, numpy_s, stored  # it lies there
from indices import key as index

BACKENDS = ["numpy", "torch", "jax", "dask"]
WITH_BOUNDS = ["numpy", "torch"]  # JAX clamps or fills, and Dask does not look


def of(backend):
    options = {"x64": False} if backend == "jax" else {}
    return supremum.namespace("jax", backend=backend, **options)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("d", ["uint8", "uint16", "int8", "int32"])
def test_integers_of_any_dtype_are_places(backend, d):
    xp, places = of(backend), np.array([2, 1, 0], d)
    x = xp.asarray([10, 20, 30])
    for key in (places, xp.asarray(places)):
        assert x[key].tolist() == [30, 20, 10]
    assert x[xp.asarray(2, dtype=d)].tolist() == 30
    matrix = xp.reshape(xp.arange(4), (2, 2))
    assert matrix[xp.asarray(places[1:]), 0].tolist() == [2, 0]
    x[xp.asarray(places[:2])] = xp.asarray([7, 8])
    assert x.tolist() == [10, 8, 7]


@pytest.mark.parametrize("backend", WITH_BOUNDS)
def test_an_index_out_of_bounds_is_refused_before_anything_is_written(backend):
    xp = of(backend)
    x, places = xp.arange(4), xp.asarray([1, 9])
    for call in (
        lambda: x[places],
        lambda: xp.take(x, places),
        lambda: xp.take_along_axis(x, places),
        lambda: x.__setitem__(places, 7),
    ):
        with pytest.raises(IndexError, match="out of bounds"):
            call()
    assert x.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])  # Dask does not have it
def test_take_along_axis_broadcasts(backend):
    xp = of(backend)
    x = np.arange(24).reshape(2, 3, 4)
    for places, axis in (([[[-1]]], 2), ([[[0], [2]]], 1), (np.zeros((2, 1, 4), np.int64), 1)):
        found = xp.take_along_axis(xp.asarray(x), xp.asarray(places), axis=axis)
        whole = [*x.shape]
        whole[axis] = np.shape(places)[axis]
        expected = np.take_along_axis(x, np.broadcast_to(places, whole), axis)
        assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_places_are_taken_beside_steps_back(backend):
    xp = of(backend)
    x = xp.reshape(xp.arange(6), (2, 3))
    places = xp.asarray([1, 0], dtype=xp.uint8)
    assert x[::-1, places].tolist() == [[4, 3], [1, 0]]
    x[::-1, places] = xp.asarray([7, 8])
    assert x.tolist() == [[8, 7, 2], [8, 7, 5]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_numpy_copies_is_a_copy(backend):
    xp = of(backend)
    x = xp.reshape(xp.arange(6), (2, 3))
    flipped = xp.flip(x, axis=0)
    row = xp.reshape(flipped, (6,), copy=None if backend == "numpy" else True)  # it may be a view
    row[0] = 99
    assert (flipped.tolist(), x.tolist()) == ([[3, 4, 5], [0, 1, 2]], [[0, 1, 2], [3, 4, 5]])
    number = xp.asarray(5)
    for find in (lambda: number[()], lambda: xp.flip(number), lambda: xp.arange(6)[5, ...][()]):
        copy = find()
        copy += 10
        assert (int(copy), int(number)) == (15, 5)


@pytest.mark.parametrize("backend", ["numpy", "torch", "dask"])
def test_stores_by_any_basic_index_are_those_of_numpy(backend):
    xp, draw = of(backend), random.Random(20241123)

    def part():
        steps = draw.choice([None, 1, 2, -1, -2])
        ends = draw.choices([None, 0, 1, 2, -1], k=2)
        return draw.choice([None, draw.randint(-2, 1), slice(*ends, steps)])

    for _ in range(300):
        key = [part() for _ in range(draw.randint(0, 4))]
        while sum(k is not None for k in key) > 3:
            key.remove(next(k for k in key if k is not None))
        key.insert(draw.randint(0, len(key)), Ellipsis)
        key = tuple(key)
        whole = np.arange(24).reshape(2, 3, 4)
        lengths = [n if draw.random() < 0.7 else 1 for n in whole[key].shape]
        value = np.arange(np.prod(lengths, dtype=int)).reshape(lengths) + 100
        x = xp.asarray(whole)
        x = xp.asarray(x, copy=True)
        whole[key] = value
        try:
            x[key] = xp.asarray(value)
        except NotImplementedError:
            assert backend == "dask"
            assert None in key or any(isinstance(k, slice) and (k.step or 1) < 0 for k in key)
            continue
        assert np.array_equal(np.asarray(x), whole), key


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_int_that_no_float_holds_is_refused_before_anything_is_computed(backend):
    xp = of(backend)
    x = xp.ones(2, dtype=xp.float32)
    with pytest.raises(OverflowError, match=r"the int of 1329 bits is treated as float32"):
        x += 10**400
    assert x.tolist() == [1, 1]


def test_a_number_beside_narrow_floats_of_jax_may_be_large():
    xp = of("jax")
    assert (xp.ones(1, dtype=xp.bfloat16) * 2**70).tolist() == [2.0**70]


# JAX compiles each of them, and Dask makes a graph of it
@pytest.mark.parametrize(("backend", "step"), [("torch", 1), ("jax", 11), ("dask", 5)])
def test_forms_of_an_index_are_read_and_stored_as_numpy_does(backend, step):
    xp = of(backend)
    for names in FORMS[::step]:
        expected = numpy_s(names)
        x = xp.asarray(np.arange(12, dtype=np.int32).reshape(SHAPE), copy=True)
        try:
            found = np.asarray(x[index(names, xp.asarray)])
        except (IndexError, ValueError):  # JAX has the second for arrays that do not broadcast
            assert expected is None, names
            continue
        except NotImplementedError:
            assert backend == "dask"
            assert len(names) > 1 or names[0] in ("2-d", "2-d mask", "True", "np.False_")
            continue
        if expected is None:
            assert not found.size  # PyTorch does not look whether a place is there
            continue
        assert (found.shape, found.tolist()) == (expected[0].shape, expected[0].tolist()), names
        part = x[index(names, xp.asarray)]
        try:
            part *= 0
            part += 99
        except (
            ValueError,
            NotImplementedError,
        ):  # PyTorch turned it around; Dask does not store so
            assert expected[1] or not found.size
            assert "slice back" in names or backend == "dask"
        else:
            assert (99 in np.asarray(x)) == (expected[1] and bool(found.size)), names
        x = xp.asarray(np.arange(12, dtype=np.int32).reshape(SHAPE), copy=True)
        try:
            x[index(names, xp.asarray)] = 7
        except NotImplementedError:
            assert backend == "dask"
            continue
        assert np.asarray(x).tolist() == stored(names, 7), names


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("made", [int, np.int64, np.uint8])
def test_an_integer_gives_a_view_and_an_array_a_copy(backend, made):
    xp = of(backend)
    x = xp.zeros((3, 2))
    row = x[made(1)]
    row += 1
    assert x.tolist()[1] == [1, 1]
    for place in (np.array(1), xp.asarray(1), xp.argmax(xp.asarray([0, 9]))):
        best = x[place]
        best += 10
        assert best.tolist() == [11, 11]
    assert x.tolist() == [[0, 0], [1, 1], [0, 0]]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "call",
    [
        lambda xp: xp.ones(3) + xp.ones(2),
        lambda xp: xp.ones((2, 3)) @ xp.ones((2, 3)),
        lambda xp: xp.concat([xp.ones((2, 3)), xp.ones((2, 2))]),
        lambda xp: xp.concat([xp.ones(0), xp.ones((2, 2))]),
        lambda xp: xp.stack([xp.ones(3), xp.ones(2)]),
        lambda xp: xp.reshape(xp.ones(6), (5,)),
        lambda xp: xp.broadcast_to(xp.ones(6), (5,)),
        lambda xp: xp.tensordot(xp.ones((2, 1)), xp.ones((3, 2)), axes=1),
        lambda xp: xp.tensordot(xp.ones((2, 1)), xp.ones((3, 2)), axes=((1,), (0,))),
        lambda xp: xp.vecdot(xp.ones(3), xp.ones(())),
        lambda xp: xp.ones(3).__iadd__(xp.ones(2)),
        lambda xp: xp.ones(3).__setitem__(slice(None), xp.ones(2)),
    ],
)
def test_shapes_that_do_not_fit_are_a_value_error(backend, call):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  # each says it in its own words
        call(of(backend))
    assert type(caught.value) is ValueError


def test_a_tensor_without_values_is_shown():
    torch = pytest.importorskip("torch")
    x = of("torch").asarray(torch.empty(3, device="meta"))
    assert repr(x) == "supremum.Array(shape=(3,), device='meta', dtype=float32)"


def test_dask_takes_no_elements_of_an_unknown_length():
    xp = of("dask")
    x = xp.arange(6)
    with pytest.raises(NotImplementedError, match="unknown chunks"):
        x[x > 2][xp.asarray([0])]


def test_dask_looks_whether_a_place_is_there():
    xp = of("dask")
    for places in ([3], [0, 3], [-4]):
        found = xp.arange(3)[xp.asarray(places)]
        with pytest.raises(IndexError, match="out of bounds"):
            found.compute()
    assert xp.reshape(xp.arange(6), (3, 2))[xp.asarray([1])].compute().tolist() == [[2, 3]]


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])  # Dask takes one array in an index
@pytest.mark.parametrize("shape", [(0, 0), (0, 2), (4, 0), (0,)])
def test_a_mask_of_length_0_fits_any_length(backend, shape):
    xp = of(backend)
    values, mask = np.arange(8).reshape(4, 2), np.zeros(shape, bool)
    x = xp.asarray(values, copy=True)
    assert x[xp.asarray(mask)].shape == values[mask].shape
    x[xp.asarray(mask)] = 1
    assert x.tolist() == values.tolist()
    empty = xp.zeros((0, 2))
    for call in (lambda m: empty[m], lambda m: empty.__setitem__(m, 1)):
        with pytest.raises(IndexError):
            call(xp.ones((4, 2), dtype=xp.bool))
