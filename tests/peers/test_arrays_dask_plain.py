"""The dask backend beside plain Dask: unknown lengths, stores by a mask, the tasks of a graph."""

# ruff: noqa: ARG005  # all programs of a table take the same arrays

import numpy as np
import pytest

import supremum
from supremum.core.dtypes import by_name

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

xp = supremum.namespace("numpy", backend="dask")
far, near = supremum.namespace("jax", backend="dask"), supremum.namespace("jax", backend="numpy")


@pytest.fixture(autouse=True)
def _here():
    with dask.config.set(scheduler="synchronous"):
        yield


def unknown():
    """Return a vector and a matrix of unknown lengths."""
    x = da.from_array(np.arange(24.0) % 7, chunks=5)
    y = da.from_array(np.arange(24.0).reshape(6, 4), chunks=(2, 4))
    return x[x > 2], y[da.from_array(np.arange(6), chunks=2) % 2 == 0]


def put(x, key, value):
    x[key] = value
    return x


def added(x, y):
    x += y
    return x


OPEN = {"allow_unknown_chunksizes": True}
# What plain Dask computes of a vector u and a matrix m of unknown lengths, and the same of ours.
UNKNOWN = {
    "all": (lambda u, m: da.all(u > 3), lambda u, m: xp.all(u > 3)),
    "any": (lambda u, m: da.any(u > 3), lambda u, m: xp.any(u > 3)),
    "argmax": (lambda u, m: m.argmax(axis=1), lambda u, m: xp.argmax(m, axis=1)),
    "astype": (lambda u, m: u.astype("f4"), lambda u, m: xp.astype(u, xp.float32)),
    "clip": (lambda u, m: da.clip(u, 1, 4), lambda u, m: xp.clip(u, 1, 4)),
    "columns": (lambda u, m: m[:, 1:3], lambda u, m: m[:, 1:3]),
    "concat": (lambda u, m: da.concatenate([u, u]), lambda u, m: xp.concat([u, u])),
    "copy": (lambda u, m: u.copy(), lambda u, m: xp.asarray(u, copy=True)),
    "count_nonzero": (lambda u, m: da.count_nonzero(u), lambda u, m: xp.count_nonzero(u)),
    "cumulative_sum": (lambda u, m: da.cumsum(u, axis=0), lambda u, m: xp.cumulative_sum(u)),
    "empty_like": (lambda u, m: da.empty_like(u) * 0, lambda u, m: xp.empty_like(u) * 0),
    "fft": (lambda u, m: da.fft.fft(m, axis=1), lambda u, m: xp.fft.fft(m, axis=1)),
    "flip": (lambda u, m: da.flip(m, 1), lambda u, m: xp.flip(m, axis=1)),
    "in place": (lambda u, m: added(u, 1), lambda u, m: added(u, 1)),
    "in place, arrays": (lambda u, m: added(u, u), lambda u, m: added(u, u)),
    "isin": (lambda u, m: da.isin(u, [3, 4]), lambda u, m: xp.isin(u, xp.asarray([3, 4]))),
    "mask": (lambda u, m: m[m[:, 0] > 3], lambda u, m: m[m[:, 0] > 3]),
    "matmul": (lambda u, m: m @ da.ones((4, 2)), lambda u, m: m @ xp.ones((4, 2))),
    "matmul, both": (lambda u, m: m.T @ m, lambda u, m: m.T @ m),
    "matrix_norm": (lambda u, m: da.linalg.norm(m), lambda u, m: xp.linalg.matrix_norm(m)),
    "max": (lambda u, m: m.max(axis=0), lambda u, m: xp.max(m, axis=0)),
    "mean": (lambda u, m: u.mean(), lambda u, m: xp.mean(u)),
    "newaxis": (lambda u, m: u[:, None], lambda u, m: u[:, None]),
    "ones_like": (lambda u, m: da.ones_like(u), lambda u, m: xp.ones_like(u)),
    "outer": (lambda u, m: da.outer(u, u), lambda u, m: xp.linalg.outer(u, u)),
    "permute_dims": (lambda u, m: m.T, lambda u, m: xp.permute_dims(m, (1, 0))),
    "prod": (lambda u, m: u.prod(), lambda u, m: xp.prod(u)),
    "qr": (lambda u, m: da.linalg.qr(m)[1], lambda u, m: xp.linalg.qr(m).R),
    "rechunk": (lambda u, m: m.rechunk({1: 2}), lambda u, m: m.rechunk({1: 2})),
    "repeat": (lambda u, m: da.repeat(m, 2, axis=1), lambda u, m: xp.repeat(m, 2, axis=1)),
    "reshape": (lambda u, m: u.reshape(-1), lambda u, m: xp.reshape(u, (-1,))),
    "scalar": (lambda u, m: 2 - u / 3, lambda u, m: 2 - u / 3),
    "searchsorted": (
        lambda u, m: da.searchsorted(da.arange(7.0, chunks=3), u),
        lambda u, m: xp.searchsorted(xp.arange(7.0), u),
    ),
    "setitem": (lambda u, m: put(u, u > 3, 9.0), lambda u, m: put(u, u > 3, 9.0)),
    "sin": (lambda u, m: da.sin(u), lambda u, m: xp.sin(u)),
    "sort": (lambda u, m: m.map_blocks(np.sort, axis=1), lambda u, m: xp.sort(m, axis=1)),
    "stack": (lambda u, m: da.stack([u, u], **OPEN), lambda u, m: xp.stack([u, u])),
    "std": (lambda u, m: u.std(), lambda u, m: xp.std(u)),
    "sum": (lambda u, m: m.sum(axis=0), lambda u, m: xp.sum(m, axis=0)),
    "svdvals": (lambda u, m: da.linalg.svd(m)[1], lambda u, m: xp.linalg.svdvals(m)),
    "take": (
        lambda u, m: da.take(m, np.array([0, 2]), axis=1),
        lambda u, m: xp.take(m, xp.asarray([0, 2]), axis=1),
    ),
    "tensordot": (
        lambda u, m: da.tensordot(m, m, axes=((0,), (0,))),
        lambda u, m: xp.tensordot(m, m, axes=((0,), (0,))),
    ),
    "two arrays": (lambda u, m: m * (m > 1), lambda u, m: m * (m > 1)),
    "vector_norm": (lambda u, m: da.linalg.norm(u), lambda u, m: xp.linalg.vector_norm(u)),
    "where": (lambda u, m: da.where(u > 3, u, -u), lambda u, m: xp.where(u > 3, u, -u)),
    "zeros_like": (lambda u, m: da.zeros_like(m), lambda u, m: xp.zeros_like(m)),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_dask_computes_of_unknown_lengths_is_computed(name):
    plain, ours = UNKNOWN[name]
    wanted = plain(*unknown()).compute()
    given = ours(*map(xp.asarray, unknown()))
    found = given.compute()
    assert found.native.shape == wanted.shape
    assert given.native.dtype == found.native.dtype
    assert np.allclose(found.native, wanted)


# Of a vector, a matrix and a vector of unknown length: what each is stored in, through what mask.
STORES = {
    "a vector": lambda xp, x, m, u: (x, x > 2),
    "an end": lambda xp, x, m, u: (x, x > 22),
    "nothing": lambda xp, x, m, u: (x, x > 99),
    "a matrix": lambda xp, x, m, u: (m, m > 2),
    "unknown": lambda xp, x, m, u: (u, u > 2),
}
VALUES = {
    "another dtype": lambda xp, x, key: xp.asarray(3, dtype=xp.float32) / 4,
    "of one element": lambda xp, x, key: xp.asarray([7.0]),
    "a number": lambda xp, x, key: 7,
    "0-d": lambda xp, x, key: xp.asarray(7.0),
}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("store", STORES)
def test_one_value_is_stored_through_a_mask_as_numpy_does(store, value):
    def stored(xp, x, m):
        x, key = STORES[store](xp, x, m, x[x % 2 == 0])
        x[key] = VALUES[value](xp, x, key)
        return x

    x, m = np.arange(24.0), np.arange(24.0).reshape(6, 4)
    wanted = stored(np, x.copy(), m.copy())
    found = stored(xp, xp.asarray(x).rechunk(5), xp.asarray(m).rechunk((4, 3)))
    assert found.compute().native.tolist() == wanted.tolist()


def test_unknown_lengths_that_differ_are_not_joined():
    (_, m), other = unknown(), xp.ones((3, 4))
    with pytest.raises(ValueError, match="unknown"):
        xp.concat([xp.asarray(m), other], axis=1)


@pytest.mark.parametrize("chunks", [1, 3, 10])
@pytest.mark.parametrize("d", ["int8", "uint64", "bool"])
@pytest.mark.parametrize("name", ["unique_all", "unique_counts", "unique_inverse", "unique_values"])
def test_unique_elements_are_those_of_the_numpy_backend(name, d, chunks, near_enough):
    data = np.asarray([[3, 7, 1, 4, 3], [0, 7, 1, 2, 2]])
    for values in (data, data[0]):
        native = values.astype(by_name(d).to("numpy"))
        given = getattr(far, name)(far.asarray(da.from_array(native, chunks=chunks)))
        wanted = getattr(near, name)(near.asarray(native))
        pairs = [(given, wanted)] if name == "unique_values" else zip(given, wanted, strict=True)
        for found, one in pairs:
            assert found.dtype == one.dtype
            assert near_enough(found.compute(), one), (values, one)


def test_a_function_of_chunks_gets_arrays_of_numpy_and_its_result_is_wrapped():
    x = far.asarray(da.from_array(np.asarray([1, 2, 3], "int32"), chunks=2))

    def scaled(chunk):
        return near.exp(near.asarray(chunk) * near.float32(2)).native

    y = far.asarray(x.native.map_blocks(scaled))
    assert (y.dtype.name, y.chunks, y.compute().dtype.name) == ("float32", ((2, 1),), "float32")


def tasks(x):
    """Return the number of tasks of a graph, as it is made and as it is computed."""
    return len(dict(x.__dask_graph__())), len(dict(dask.optimize(x)[0].__dask_graph__()))


# The same program for ours under NumPy's rules, and for plain Dask with the casts by name.
PROGRAMS = {
    "add": (lambda x, y: x + x, lambda x, y: x + x),
    "cast": (lambda x, y: xp.astype(x, xp.float32), lambda x, y: x.astype("f4")),
    "compare": (lambda x, y: x > 3, lambda x, y: x > 3),
    "concat": (lambda x, y: xp.concat([x, x]), lambda x, y: da.concatenate([x, x])),
    "concat, mixed": (
        lambda x, y: xp.concat([x, y]),
        lambda x, y: da.concatenate([x.astype("f8"), y.astype("f8")]),
    ),
    "in place": (lambda x, y: added(y, 1), lambda x, y: added(y, 1)),
    "index": (lambda x, y: x[::2], lambda x, y: x[::2]),
    "mask": (lambda x, y: x[x > 3], lambda x, y: x[x > 3]),
    "matmul": (lambda x, y: y @ y, lambda x, y: y @ y),
    # Dask's product of int32 is int64
    "matmul of ints": (lambda x, y: x @ x, lambda x, y: (x @ x).astype("i4")),
    "max": (lambda x, y: xp.max(x, axis=0), lambda x, y: x.max(axis=0)),
    "mean": (lambda x, y: xp.mean(y), lambda x, y: y.mean()),
    "mean of ints": (
        lambda x, y: xp.mean(x),
        lambda x, y: x.astype("f8").mean(),
    ),
    "mixed": (lambda x, y: x * y, lambda x, y: x.astype("f8") * y.astype("f8")),
    "ones_like": (lambda x, y: xp.ones_like(x), lambda x, y: da.ones_like(x)),
    "polynomial": (
        lambda x, y: (y + 1) * y - 2 * y**2,
        lambda x, y: (y + 1) * y - 2 * y**2,
    ),
    "reshape": (lambda x, y: xp.reshape(x, (-1,)), lambda x, y: x.reshape(-1)),
    "sin": (lambda x, y: xp.sin(y), lambda x, y: da.sin(y)),
    "sort": (lambda x, y: xp.sort(x[:, :4]), lambda x, y: x[:, :4].map_blocks(np.sort)),
    "stack": (lambda x, y: xp.stack([x, x]), lambda x, y: da.stack([x, x])),
    "std": (lambda x, y: xp.std(y, axis=0), lambda x, y: y.std(axis=0)),
    "sum": (lambda x, y: xp.sum(x), lambda x, y: x.astype("i8").sum()),
    "transpose": (lambda x, y: x.T + 1, lambda x, y: x.T + 1),
    "unique_values": (lambda x, y: xp.unique_values(x), lambda x, y: da.unique(x)),
    "where": (lambda x, y: xp.where(x > 3, x, x), lambda x, y: da.where(x > 3, x, x)),
    "where, mixed": (
        lambda x, y: xp.where(x > 3, x, y),
        lambda x, y: da.where(x > 3, x.astype("f8"), y.astype("f8")),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_graph_has_no_more_tasks_than_that_of_plain_dask(name):
    ours, plain = PROGRAMS[name]
    x = da.from_array(np.arange(64, dtype=np.int32).reshape(8, 8), chunks=4)
    y = da.from_array(np.arange(64, dtype=np.float32).reshape(8, 8), chunks=4)
    found, wanted = ours(xp.asarray(x), xp.asarray(y)), plain(x, y)
    assert np.allclose(found.compute().native, wanted.compute())
    made, computed = tasks(found)
    most, fused = tasks(wanted)
    assert made <= most
    assert computed <= fused
