"""The dask backend: every function says the dtype of its chunks, and computes what NumPy does."""

import pickle
import re

import numpy as np
import pytest

import supremum
from supremum.arrays import fft, linalg, space
from supremum.arrays.functions import BINARY, UNARY
from supremum.core.dtypes import by_name

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")

REDUCTIONS = (
    "all", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "min", "prod", "std", "sum",
    "var",
)  # fmt: skip

# Of each function: how it is called on a matrix of 4 by 4.
ELEMENTWISE = {
    **{name: lambda xp, x, name=name: getattr(xp, name)(x) for name in UNARY},
    **{name: lambda xp, x, name=name: getattr(xp, name)(x, xp.int8(2)) for name in BINARY},
}
ALONG = (
    *("argsort", "cumulative_prod", "cumulative_sum", "diff", "expand_dims", "sort", "flip"),
    "unstack",
)
SQUARE = ("cholesky", "inv", "matrix_norm", "trace", "matrix_transpose", "diagonal")
LACKS = (
    *("cross", "det", "eig", "eigh", "eigvals", "eigvalsh", "matrix_power", "matrix_rank", "pinv"),
    "slogdet",
)
MADE = ("empty_like", "ones_like", "zeros_like")


def invertible(xp, x):
    """Return a symmetric matrix with a large diagonal."""
    y = x + xp.matrix_transpose(x)
    return y + xp.astype(xp.eye(4, dtype=xp.int8), y.dtype) * 20


def whole(x):
    """Return an array of Dask in one chunk, as it wants some."""
    return x.rechunk(-1) if hasattr(x, "rechunk") else x


def named(names, call):
    return {name: lambda xp, x, name=name: call(xp, x, name.rpartition(".")[2]) for name in names}


CALLS = {
    **ELEMENTWISE,
    **named(REDUCTIONS, lambda xp, x, name: getattr(xp, name)(x, axis=0)),
    **named(ALONG, lambda xp, x, name: getattr(xp, name)(x, axis=-1)),
    **named(
        [f"linalg.{name}" for name in SQUARE],
        lambda xp, x, name: getattr(xp.linalg, name)(invertible(xp, x)),
    ),
    **named(
        [f"fft.{name}" for name in (*fft._ONE, *fft._MANY, "fftshift", "ifftshift")],
        lambda xp, x, name: getattr(xp.fft, name)(whole(x) if "shift" not in name else x),
    ),
    **named(MADE, lambda xp, x, name: xp.zeros_like(getattr(xp, name)(x))),
    "arange": lambda xp, x: xp.arange(5, dtype=x.dtype),
    "asarray": lambda xp, x: xp.asarray(x, copy=True),
    "astype": lambda xp, x: xp.astype(x, xp.complex64),
    "broadcast_arrays": lambda xp, x: xp.broadcast_arrays(x, x[0]),
    "broadcast_to": lambda xp, x: xp.broadcast_to(x, (2, 4, 4)),
    "clip": lambda xp, x: xp.clip(x, 1, 2),
    "concat": lambda xp, x: xp.concat([x, xp.ones((4, 4), dtype=xp.int8)]),
    "empty": lambda xp, x: xp.empty((0, 3), dtype=x.dtype),
    "eye": lambda xp, x: xp.eye(3, 5, k=1, dtype=x.dtype),
    "fft.fftfreq": lambda xp, x: x + xp.fft.fftfreq(4),
    "fft.rfftfreq": lambda xp, x: x[0, :3] + xp.fft.rfftfreq(4),
    "from_dlpack": lambda xp, x: x + xp.from_dlpack(np.ones(4, np.int8)),
    "full": lambda xp, x: x + xp.full((4,), 2),
    "full_like": lambda xp, x: xp.full_like(x, 1),
    "getitem": lambda xp, x: x[::2, 1],  # noqa: ARG005  # the same call for all
    "isin": lambda xp, x: xp.isin(x, xp.asarray([1, 2], dtype=xp.int8)),
    # JAX's rules read an exponent without dimensions, which Dask does not know
    "pow": lambda xp, x: xp.pow(x, xp.asarray([2], dtype=xp.int8)),
    "linalg.outer": lambda xp, x: xp.linalg.outer(x[0], x[1]),
    "linalg.qr": lambda xp, x: xp.linalg.qr(whole(invertible(xp, x))),
    "linalg.solve": lambda xp, x: xp.linalg.solve(invertible(xp, x), x[0]),
    "linalg.svd": lambda xp, x: xp.linalg.svd(whole(invertible(xp, x)), full_matrices=False),
    "linalg.svdvals": lambda xp, x: xp.linalg.svdvals(whole(invertible(xp, x))),
    "linalg.vector_norm": lambda xp, x: xp.linalg.vector_norm(x, axis=0),
    "linspace": lambda xp, x: x[0] + xp.linspace(0, 1, 4),
    "matmul": lambda xp, x: x @ xp.ones((4, 4), dtype=xp.int8),
    "matrix_transpose": lambda xp, x: xp.matrix_transpose(x),
    "meshgrid": lambda xp, x: xp.meshgrid(x[0], x[1, :2]),
    "moveaxis": lambda xp, x: xp.moveaxis(x, 0, 1),
    "ones": lambda xp, x: x * xp.ones((4, 4), dtype=xp.float32),
    "permute_dims": lambda xp, x: xp.permute_dims(x, (1, 0)),
    "repeat": lambda xp, x: xp.repeat(x, 2, axis=0),
    "reshape": lambda xp, x: xp.reshape(x, (16,)),
    "roll": lambda xp, x: xp.roll(x, 1),
    "searchsorted": lambda xp, x: xp.searchsorted(xp.sort(x[0]), x[1]),
    "setitem": lambda xp, x: stored(x),  # noqa: ARG005  # the same
    "squeeze": lambda xp, x: xp.squeeze(x[:1], axis=0),
    "stack": lambda xp, x: xp.stack([x, xp.ones((4, 4), dtype=xp.float32)]),
    "take": lambda xp, x: xp.take(x, xp.asarray([1, 0]), axis=0),
    "tensordot": lambda xp, x: xp.tensordot(x, x, axes=1),
    "tile": lambda xp, x: xp.tile(x, (2, 2)),
    "tril": lambda xp, x: xp.tril(x),
    "triu": lambda xp, x: xp.triu(x),
    "vecdot": lambda xp, x: xp.vecdot(x, x),
    "where": lambda xp, x: xp.where(x > 1, x, xp.ones((4, 4), dtype=xp.float16)),
    "zeros": lambda xp, x: x + xp.zeros((4, 4), dtype=xp.int16),
}
# signs of vectors and orders of values are up to the algorithm
UNORDERED = {"linalg.qr", "linalg.svd"}
NO_ARRAYS = {
    *("__array_namespace_info__", "broadcast_shapes", "can_cast", "finfo", "iinfo", "isdtype"),
    "result_type",
}
UNKNOWN_SHAPES = {
    *("nonzero", "unique_all", "unique_counts", "unique_inverse", "unique_values"),
}


def test_dask_is_asked_every_function():
    every = {name for chapter in space._CHAPTERS for name in chapter.__all__}
    every |= {f"fft.{name}" for name in fft.__all__}
    every |= {f"linalg.{name}" for name in set(linalg.__all__) - every}
    same = {f"linalg.{name}" for name in ("diagonal", "matrix_transpose", "trace")}
    lacks = {"take_along_axis", *(f"linalg.{name}" for name in LACKS)}
    asked = set(CALLS) - {"getitem", "setitem"} - same | (same & every)
    assert every - NO_ARRAYS - UNKNOWN_SHAPES == asked | lacks


def stored(x):
    x[0, :] = True
    return x


def parts(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy's, of acos(3) and its like
@pytest.mark.parametrize("name", CALLS)
def test_dask_says_the_dtype_of_each_chunk_of_each_function(name, near_enough):
    far, near = (
        supremum.namespace("jax", backend="dask"),
        supremum.namespace("jax", backend="numpy"),
    )
    data = np.arange(16).reshape(4, 4) % 5
    asked = 0
    for d in ("bool", "uint8", "int32", "int64", "bfloat16", "float16", "float32", "complex64"):
        numbers = data.astype(by_name(d).to("numpy"))
        try:
            every = parts(CALLS[name](near, near.asarray(numbers.copy())))
        except TypeError:
            continue
        asked += 1
        given = CALLS[name](far, far.asarray(da.from_array(numbers, chunks=2)))
        for found, wanted in zip(parts(given), every, strict=True):
            assert found.dtype is wanted.dtype, d
            assert found.weak_type == wanted.weak_type, d
            assert found.shape == wanted.shape, d
            delayed = found.native.to_delayed().ravel()
            for chunk in dask.compute(*delayed, scheduler="synchronous"):
                assert np.asarray(chunk).dtype == found.native.dtype == wanted.native.dtype, d
            if name not in UNORDERED:
                assert near_enough(found.compute(scheduler="synchronous"), wanted), d
    assert asked > 3


@pytest.mark.parametrize("d", ["float32", "complex128"])
@pytest.mark.parametrize("chunks", [6, 3, (3, 6), (6, 3)])
def test_dask_factors_and_solves_as_numpy_in_the_chunks_that_it_takes(chunks, d, near_enough):
    far, near = (
        supremum.namespace("jax", backend="dask"),
        supremum.namespace("jax", backend="numpy"),
    )
    draw = np.random.default_rng(1)
    square = draw.normal(size=(6, 6)) + (1j * draw.normal(size=(6, 6)) if d[0] == "c" else 0)
    matrix = (square @ square.conj().T + 6 * np.eye(6)).astype(d)
    x, y = far.asarray(da.from_array(matrix, chunks=chunks)), near.asarray(matrix)
    if chunks in (6, 3):
        for upper in (False, True):
            wanted = near.linalg.cholesky(y, upper=upper)
            assert near_enough(far.linalg.cholesky(x, upper=upper).compute(), wanted)
        assert near_enough(far.linalg.inv(x).compute(), near.linalg.inv(y))
        assert near_enough(far.linalg.solve(x, x[0]).compute(), near.linalg.solve(y, y[0]))
    if chunks in (6, (3, 6)):
        q, r = far.linalg.qr(x)
        assert near_enough((q @ r).compute(), y)
        u, s, vh = far.linalg.svd(x, full_matrices=False)
        assert near_enough((u * s @ vh).compute(), y)
        assert near_enough(far.linalg.svdvals(x).compute(), s.compute())


# What Dask does not have, or has in another form, and a word of what it says.
REFUSED = {
    **{
        f"xp.linalg.{name}(x)": f"the dask backend does not have the function linalg.{name}; use"
        for name in LACKS
        if name not in ("cross", "matrix_power")
    },
    "xp.linalg.cross(x[:3], x[1:])": "the dask backend does not have the function linalg.cross",
    "xp.linalg.matrix_power(x, 2)": "does not have the function linalg.matrix_power",
    "xp.take_along_axis(x, xp.argsort(x))": "does not have the function take_along_axis",
    "xp.linalg.svd(x)": "full_matrices=True is not supported",
    "xp.linalg.svdvals(x)": "chunked in one dimension only",
    "xp.linalg.qr(x)": "rechunk",
    "xp.linalg.qr(x, mode='complete')": "only support using mode='reduced'",
    "xp.linalg.inv(xp.ones((2, 2, 2)))": "Dimension must be 2",
    "xp.fft.fft(x)": "use dask.Array.rechunk",
    "xp.repeat(x, xp.asarray([1, 2, 0, 1]), axis=0)": "Only integer valued repeats",
    "xp.searchsorted(x[0], x[1], sorter=i)": "with a sorter argument is not supported",
    "xp.unique_values(x)": "its dtypes are bool and integers",
    "xp.unique_counts(x)": "its dtypes are bool and integers",
    "x[i, i]": "takes one array in an index, no bools, and no ints that stand apart",
    "x[True]": "takes one array in an index, no bools",
    "x[None][0, :, i]": "and no ints that stand apart",
    "x[xp.asarray([[0]])]": "takes an array of one dimension in an index, or a mask of one axis",
    "x.__setitem__(slice(None, None, -1), x + 1)": "write x[...] = xp.flip(y) instead of x[::-1]",
    "x.__setitem__(None, 1)": "stores neither by None nor by a slice back",
    "x.__setitem__(x > 1, x[x > 1])": "write x[...] = xp.where(mask, y, x), or use the numpy",
    "xp.take(x[x[:, 0] > 0], i, axis=0)": "an array with unknown chunks",
    "x.__setitem__(xp.argmax(x[0]), 1)": "does not yet implement assignment to a scalar",
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_dask_does_not_have_is_refused_before_anything_is_computed(code):
    xp = supremum.namespace("jax", backend="dask")
    x = xp.asarray(da.ones((4, 4), chunks=2, dtype="float32"))
    with pytest.raises(
        (TypeError, ValueError, NotImplementedError), match=re.escape(REFUSED[code])
    ):
        eval(code, {"xp": xp, "x": x, "i": xp.asarray([0, 1, 2, 3])})


@pytest.mark.parametrize("name", sorted(UNKNOWN_SHAPES))
def test_dask_says_the_dtype_of_what_has_no_shape_yet(name):
    far, near = (
        supremum.namespace("jax", backend="dask"),
        supremum.namespace("jax", backend="numpy"),
    )
    numbers = np.asarray([3, 0, 3, 1], np.int16)
    every = parts(getattr(near, name)(near.asarray(numbers)))
    given = parts(getattr(far, name)(far.asarray(da.from_array(numbers, chunks=2))))
    for found, wanted in zip(given, every, strict=True):
        assert found.dtype is wanted.dtype
        chunk = found.compute(scheduler="synchronous")
        assert chunk.native.dtype == found.native.dtype == wanted.native.dtype
        assert sorted(chunk.tolist()) == sorted(wanted.tolist())


def lazy(*chunks):
    """Return an array in chunks that says when one of them is computed."""
    told = []

    def block(block_id):
        told.append(block_id)
        return np.ones(2, np.int32)

    x = da.map_blocks(block, dtype="int32", chunks=(chunks,), meta=np.empty(0, np.int32))
    return x, told


def test_dask_computes_nothing_until_it_is_asked():
    xp = supremum.namespace("jax", backend="dask")
    data, told = lazy(2, 2)
    x = xp.asarray(data)
    y = xp.sum(xp.sin(x + xp.ones(4, dtype=xp.bfloat16))[:3] * 2)
    assert x.native is data
    assert repr(x) == "supremum.DaskArray(shape=(4,), chunks=((2, 2),), dtype=int32)"
    assert (
        repr(xp.asarray(1))
        == "supremum.DaskArray(shape=(), chunks=(), dtype=int64, weak_type=True)"
    )
    assert (y.dtype.name, x.chunks, x.rechunk(4).chunks) == ("bfloat16", ((2, 2),), ((4,),))
    assert told == []
    near = y.compute(scheduler="synchronous")
    assert sorted(told) == [(0,), (1,)]
    assert near.__array_namespace__() is supremum.namespace("jax", backend="numpy")
    assert near.dtype.name == "bfloat16"


def test_dask_computes_and_persists_collections_of_ours():
    xp = supremum.namespace("jax", backend="dask")
    data, told = lazy(2, 2)
    x = xp.asarray(data)
    one, both = dask.compute(x + 1, {"x": [x * 0.5]}, scheduler="synchronous")
    assert (one.tolist(), one.dtype.name) == ([2] * 4, "int32")
    assert (both["x"][0].tolist(), both["x"][0].dtype.name) == ([0.5] * 4, "float64")
    told.clear()
    kept = (x + 1).persist(scheduler="synchronous")
    again = dask.persist(x, scheduler="synchronous")[0]
    assert type(kept) is type(again) is type(x)
    assert len(told) == 4
    assert kept.compute(scheduler="synchronous").tolist() == [2] * 4
    assert len(told) == 4
    assert dask.is_dask_collection(x)
    assert dask.base.tokenize(x) == dask.base.tokenize(xp.asarray(data))
    assert dask.base.tokenize(x) != dask.base.tokenize(x + 1)


def test_dask_keeps_weakness_to_the_end_and_through_pickles():
    xp = supremum.namespace("jax", backend="dask")
    weak = xp.asarray(1) + 1
    assert weak.compute(scheduler="synchronous").weak_type
    copy = pickle.loads(pickle.dumps(weak))
    assert (copy.weak_type, type(copy)) == (True, type(weak))
    assert (copy + xp.ones(2, dtype=xp.int8)).dtype.name == "int8"


@pytest.mark.filterwarnings("error")
def test_arrays_without_dimensions_are_cast():
    xp = supremum.namespace("numpy", backend="dask")
    x = xp.asarray([1, 2, 3])
    for found, wanted in (
        (xp.sum(x) * 2.5, 15.0),
        (x[1] / 2.5, 0.8),
        (xp.sqrt(xp.max(x)), 3**0.5),
        (xp.where(xp.asarray(True), xp.prod(x), 0.5), 6.0),
        (xp.maximum(x, 2.5), [2.5, 2.5, 3.0]),
    ):
        np.testing.assert_array_equal(np.asarray(found), wanted)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (3,)])
@pytest.mark.parametrize("to", [(), (1,), (3,), (2, 3), (0, 3)])
def test_arrays_are_broadcast_to_the_shapes_that_numpy_takes(shape, to):
    def of(backend):
        xp = supremum.namespace("numpy", backend=backend)
        try:
            return np.asarray(xp.broadcast_to(xp.ones(shape), to)).tolist()
        except ValueError:
            return "refused"

    assert of("dask") == of("numpy")


@pytest.mark.parametrize("name", [*REDUCTIONS, "cumulative_sum", "cumulative_prod"])
@pytest.mark.filterwarnings("ignore:.*(invalid value|empty slice|Degrees of freedom)")
def test_reductions_of_no_elements_are_those_of_numpy(name):
    plain, xp = supremum.namespace("numpy"), supremum.namespace("numpy", backend="dask")

    def of(xp, shape, axis):
        try:
            found = getattr(xp, name)(xp.zeros(shape, dtype=xp.float32), axis=axis)
        except ValueError:
            return "refused"
        return found.dtype, found.shape, str(found.tolist())

    for shape in ((0,), (0, 3), (2, 0, 3)):
        for axis in range(len(shape)):
            assert of(xp, shape, axis) == of(plain, shape, axis), (shape, axis)
