"""NumPy's functions on our arrays: they compute by our rules, or say what to type instead."""

import operator
import pickle

import numpy as np
import pytest

import supremum
from supremum.arrays import Array

VALUES = {
    "i": np.array([3, 1, 2], np.int32),
    "f": np.array([1.5, 0.5, 2.5], np.float32),
    "n": np.array([1.5, np.nan, 2.5], np.float32),
    "m": np.array([True, False, True]),
    "A": np.array([[2.0, 1.0], [1.0, 3.0]], np.float32),
}

CALLS = """
    np.where(m, i, f); np.where(m); np.concatenate([i, f]); np.stack([i, f], axis=1)
    np.mean(i); np.mean(f, axis=0, keepdims=True); np.mean(i, dtype=np.float32); np.std(f, ddof=1)
    np.var(A, axis=1); np.sum(i); np.sum(A, axis=0); np.prod(f); np.max(A, axis=1); np.amin(i)
    np.argmax(f); np.argmin(A, axis=0); np.all(m); np.any(A > 2, axis=0); np.cumsum(A)
    np.cumprod(i, axis=0); np.sort(f); np.sort(A, axis=None); np.argsort(i); np.unique(i)
    np.unique(i, return_counts=True); np.isin(i, i[:1]); np.diff(f); np.clip(f, 1, 2)
    np.clip(i, a_min=None, a_max=2); np.dot(A, f[:2]); np.dot(f, f); np.dot(A, A); np.dot(f, 2)
    np.vdot(f, f); np.inner(A, A); np.outer(f, f); np.tensordot(A, A, axes=1); np.trace(A)
    np.transpose(A); np.swapaxes(A, 0, 1); np.moveaxis(A, 0, 1); np.ravel(A); np.reshape(A, (4,))
    np.squeeze(A[None]); np.expand_dims(f, 0); np.flip(A, axis=0); np.roll(f, 1); np.tile(f, 2)
    np.repeat(f, 2); np.broadcast_to(f, (2, 3)); np.take(f, i[1:])
    np.take_along_axis(f, np.argsort(f), axis=0); np.tril(A); np.triu(A, k=1); np.diagonal(A)
    np.zeros_like(i); np.ones_like(f); np.full_like(f, 2); np.round(f); np.real(f); np.imag(f)
    np.nonzero(i); np.count_nonzero(m); np.searchsorted(np.sort(f), f); np.meshgrid(f, f)
    np.copy(f); np.isclose(f, f); np.linalg.norm(f); np.linalg.norm(A); np.linalg.norm(A, axis=1)
    np.linalg.norm(A, ord=1); np.linalg.inv(A); np.linalg.det(A); np.linalg.solve(A, f[:2])
    np.linalg.eigh(A); np.linalg.svd(A, full_matrices=False); np.linalg.qr(A)
    np.linalg.cholesky(A); np.fft.fft(f); np.fft.rfft(f); np.fft.irfft(np.fft.rfft(f), 3)
    np.vstack([f, i]); np.hstack([f, [1.0, 2.0]])
    np.hstack([A, A]); np.select([m, f > 1], [i, f]); np.select([m], [i], 7)
    np.where(m, f, [1.0, 2.0, 3.0]); np.dot(f, [1.0, 2.0, 3.0])
    np.unique(i, equal_nan=False); np.average(f); np.average(A, axis=0); np.average(f, weights=i)
    np.average(A, axis=1, weights=f[:2]); np.average(A, weights=A, axis=0, keepdims=True)
    np.average(i, weights=i); np.average(i, weights=[1, 2, 3])
    np.fft.fftshift(f); np.cbrt(f); np.exp2(i); np.arctan2(f, f); np.add(i, f); np.frexp(f)
"""
BY_VALUES = """
    np.isclose(f, f, rtol=1e-3); np.nansum(n); np.nanprod(n); np.nanmean(n); np.nanmax(n)
    np.nanmin(A, axis=1); np.nanstd(n); np.nanvar(n, ddof=1); np.nanmedian(n); np.nancumsum(n)
    np.nanargmax(n); np.nanpercentile(n, 50); np.nanquantile(n, 0.5); np.median(f); np.median(i)
    np.percentile(f, 50); np.percentile(f, [10, 50]); np.quantile(f, np.array([0.1, 0.9]))
    np.pad(f, 1); np.pad(A, ((1, 0), (0, 1)), mode="edge"); np.pad(i, 1, constant_values=7)
    np.diag(f); np.diag(A); np.split(f, 3); np.array_split(f, 2); np.hsplit(A, 2); np.cross(i, f)
    np.einsum("i,i", f, f); np.einsum("i,i->i", i, f); np.einsum("ij->j", A); np.kron(A, A)
    np.linspace(i, f, 3); np.gradient(f); np.gradient(A); np.gradient(f, 0.5); np.gradient(f, i)
    np.interp(f, np.sort(f), f); np.trapezoid(f); np.trapezoid(f, f); np.trapezoid(f, dx=0.5)
    np.ptp(A, axis=0); np.nan_to_num(n); np.nan_to_num(n, nan=1.0); np.flatnonzero(f)
    np.argwhere(A > 1); np.add.accumulate(f); np.maximum.accumulate(i); np.add.outer(f, i)
    np.add.reduceat(f, [0, 1]); np.multiply.reduce(f, initial=2); np.sum(f, where=m)
    np.mean(f, where=m); np.max(f, initial=9); np.add(f, f, dtype=np.float32); np.round(f, 1)
    np.mean(f, dtype=np.float32); np.dstack([f, f]); np.column_stack([f, i]); np.block([[A], [A]])
    np.bincount(i); np.cov(A); np.corrcoef(A); np.convolve(f, i); np.lexsort((f, i))
    np.argpartition(f, 1); np.rot90(A); np.insert(f, 1, 9); np.delete(f, 1); np.append(f, i)
    np.union1d(f, i); np.setdiff1d(f, i); np.polyfit(f, f, 1); np.sinc(f); np.unwrap(f)
    np.choose(i - 1, [f, f, f]); np.compress(m, f); np.resize(f, 5); np.ediff1d(f)
    np.unique(A, axis=0); np.unique(n); np.unique(f, return_index=True, return_inverse=True)
    np.sort(f, kind="stable"); np.std(f, where=m); np.divmod(f, i); np.modf(f); np.isneginf(f)
    np.average(f, weights=i, returned=True); np.linalg.norm(A, 1); np.linalg.vector_norm(A)
    np.linalg.multi_dot([A, A]); np.linalg.lstsq(A, f[:2]); np.fft.fft2(A); np.vander(f)
    np.lib.stride_tricks.sliding_window_view(f, 2); np.matvec(A, f[:2]); np.unravel_index(i, (2, 3))
"""


def calls(text):
    return [c.strip() for c in text.replace("\n", ";").split(";") if c.strip()]


def values(xp):
    return {"np": np, **{name: xp.asarray(x, copy=True) for name, x in VALUES.items()}}


def leaves(x):
    return [y for part in x for y in leaves(part)] if isinstance(x, (tuple, list)) else [x]


@pytest.mark.parametrize("rules", ["numpy", "jax"])
@pytest.mark.parametrize("call", calls(CALLS + BY_VALUES))
def test_a_function_of_numpy_gives_what_it_gives_by_our_rules(rules, call):
    xp = supremum.namespace(rules, **({"x64": False} if rules == "jax" else {}))
    own = eval(call, values(xp))  # ours
    theirs = eval(call, {"np": np, **VALUES})  # the same
    assert len(leaves(own)) == len(leaves(theirs))
    for found, wanted in zip(leaves(own), leaves(theirs), strict=True):
        assert isinstance(found, Array)
        assert found.dtype.kind == np.asarray(wanted).dtype.kind
        assert rules == "jax" or found.dtype == np.asarray(wanted).dtype
        assert rules == "numpy" or found.dtype.itemsize <= 8 - 4 * (found.dtype.kind != "c")
        assert not any(np.shares_memory(found, x) for x in VALUES.values())
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(
    "call", ["np.median(f)", "np.diag(A)", "np.histogram(i)", "np.cbrt(f)", "np.isin(m, m[:1])"]
)
def test_numpy_computes_for_each_backend_that_has_values(backend, call):
    pytest.importorskip(backend)
    xp = supremum.namespace("jax", x64=False, backend=backend)
    found, wanted = (leaves(eval(call, values(on))) for on in (xp, xp.on("numpy")))  # ours
    for x, y in zip(found, wanted, strict=True):
        assert x.__array_namespace__() is xp
        assert x.dtype == y.dtype
        np.testing.assert_array_equal(np.asarray(x), np.asarray(y))


RULES = {
    ("numpy", "np.histogram(f, 3)[0]"): "int64",
    ("numpy", "np.histogram(f, 3)[1]"): "float32",
    ("numpy", "np.histogram(f, np.linspace(0, 3, 4))[1]"): "float64",
    ("jax", "np.histogram(f, 3)[0]"): "float32",  # as JAX counts
    ("torch", "np.nansum(i)"): "int64",
    ("jax", "np.median(i)"): "float32",
    ("jax", "np.einsum('i,i', i, f)"): "float32",
    ("jax", "np.trapezoid(f, i)"): "float32",
    ("numpy", "np.trapezoid(f, i)"): "float64",
    ("jax", "np.percentile(b, 50)"): "bfloat16",
    ("jax", "np.pad(b, 1)"): "bfloat16",
    ("jax", "np.cbrt(np.sign(i) > 0)"): "float32",
    ("jax", "np.sum(f, dtype=np.float64, where=m)"): "float64",
}


@pytest.mark.parametrize(("rules", "call"), RULES)
def test_the_dtype_of_what_numpy_computes_is_that_of_our_rules(rules, call):
    xp = supremum.namespace(rules)
    b = xp.asarray([1.5, 0.5, 2.5], dtype="bfloat16")
    found = eval(call, {**values(xp), "b": b})  # ours
    assert found.dtype.name == RULES[rules, call]


def test_a_result_that_numpy_computes_is_weak_as_our_rules_say():
    xp = supremum.namespace("jax")
    assert np.cbrt(xp.asarray(1.5)).weak_type
    assert not np.cbrt(xp.float64(1.5)).weak_type


REFUSED = {
    ("jax", "np.piecewise(f, [m], [1, 2])"): "no rule",
    ("jax", "np.apply_along_axis(np.sum, 0, A)"): "no rule",
    ("jax", "np.histogram(f, weights=f)"): "its weights are of another dtype than counts",
    ("jax", "np.ldexp(f, i)"): "no rule",
    ("torch", "np.median(i)"): "int32 under PyTorch rules, and NumPy's is float64",
    ("jax", "np.add(f, f, where=m)"): "the others would be undefined",
    ("jax", "np.sum(f, bad=1)"): "no such parameter",
}


@pytest.mark.parametrize(("rules", "call"), REFUSED)
def test_what_no_rule_describes_is_refused(rules, call):
    with pytest.raises(TypeError):
        eval(call, values(supremum.namespace(rules)))  # ours


@pytest.mark.parametrize("call", ["np.median(f)", "np.cbrt(f)", "np.mean(f, where=m)"])
@pytest.mark.parametrize("backend", ["abstract", "dask"])
def test_values_that_are_not_known_are_not_asked_for(backend, call):
    pytest.importorskip("dask.array")
    with pytest.raises(TypeError, match="needs the values"):
        eval(call, values(supremum.namespace("jax", backend=backend)))  # ours


def test_values_that_are_traced_or_need_a_gradient_are_not_asked_for():
    jax, torch = pytest.importorskip("jax"), pytest.importorskip("torch")
    xp = supremum.namespace("jax", x64=False, backend="jax")
    with pytest.raises(TypeError, match="needs the values"):
        jax.jit(lambda x: np.median(x))(xp.ones(3))  # noqa: PLW0108  # JAX keeps a weak reference
    assert [x.shape for x in jax.jit(lambda x: np.split(x, 3))(xp.ones(3))] == [(1,)] * 3
    x = supremum.namespace("jax", backend="torch").asarray(torch.ones(3, requires_grad=True))
    with pytest.raises(TypeError, match="gradient"):
        np.median(x)


def test_a_result_is_put_into_an_array():
    for xp in map(supremum.namespace, ("numpy", "jax")):
        x = xp.asarray([1.0, 2.0, 0.0], dtype="float32")
        for into in (xp.zeros(3, dtype="float32"), np.zeros(3, np.float32)):
            assert np.add(x, 1, out=into) is into
            assert np.divide(1, x, out=into, where=x > 0) is into
            assert into.tolist() == [1.0, 0.5, 1.0]
            assert np.cumsum(x, out=into) is into
            assert np.nancumsum(x, out=into) is into
            assert operator.iadd(into, x) is into
            assert into.tolist() == [2.0, 5.0, 3.0]
        for into in (xp.zeros(3, dtype="int32"), np.zeros(3, np.int32)):
            with pytest.raises(TypeError):
                np.add(x, 1, out=into)
        with pytest.raises(ValueError, match="shape"):
            np.nansum(x, out=np.zeros(3))


STORES = {
    "np.add.at(x, [0, 0], 1)": [3, 2, 3],
    "np.copyto(x, x[::-1])": [3, 2, 1],
    "np.put(x, [2], 9)": [1, 2, 9],
    "np.putmask(x, x > 1, 0)": [1, 0, 0],
    "np.place(x, x > 1, [7])": [1, 7, 7],
}


@pytest.mark.parametrize("call", STORES)
@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])
def test_what_numpy_stores_is_stored(backend, call):
    pytest.importorskip(backend)
    x = supremum.namespace("jax", x64=False, backend=backend).asarray([1, 2, 3], dtype="int32")
    view = x[:]
    eval(call, {"np": np, "x": x})  # ours
    assert x.tolist() == view.tolist() == STORES[call]


def test_the_parts_of_an_array_are_views():
    xp = supremum.namespace("jax")
    x = xp.zeros(4)
    np.split(x, 2)[1][0] = 5
    assert x.tolist() == [0, 0, 5, 0]


def test_a_namespace_has_the_functions_of_numpy_that_others_ask_it_for():
    xp = supremum.namespace("jax")
    assert xp.median(xp.asarray([1, 2], dtype="int32")).dtype.name == "float32"
    assert xp.pad([1, 2], 1).tolist() == [0, 1, 2, 0]
    assert pickle.loads(pickle.dumps(xp.median))([1.0, 3.0]) == 2
    assert not {"piecewise", "save", "ndarray", "median", "lib"} & {*dir(xp)}
    assert not any(hasattr(xp, name) for name in ("bincount", "save", "ndarray", "nonsense"))


@pytest.mark.parametrize("generator", [np.random.default_rng(1), np.random.RandomState(1)])
def test_numpy_does_not_shuffle_rows_that_are_views(generator):
    x = supremum.namespace("jax").asarray([[1, 2], [3, 4], [5, 6]])
    with pytest.raises(UserWarning, match="shuffl"):
        generator.shuffle(x)
    assert x.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert sorted(x[generator.permutation(3)].tolist()) == x.tolist()


def test_numpy_saves_arrays(tmp_path):
    x = supremum.namespace("jax").asarray([1.5, 2.5], dtype="float32")
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "x.npz", x=x)
    np.savetxt(tmp_path / "x.txt", x)
    saved = [np.load(tmp_path / "x.npy"), np.load(tmp_path / "x.npz")["x"]]
    assert [(y.dtype, y.tolist()) for y in saved] == [(np.float32, [1.5, 2.5])] * 2
    assert np.loadtxt(tmp_path / "x.txt").tolist() == [1.5, 2.5]


def test_arrays_of_numpy_with_a_parameter_of_ours_are_numpys():
    x, atol = VALUES["f"], supremum.namespace("jax").asarray(0.5)
    assert isinstance(np.isclose(x, x + 0.25, atol=atol), np.ndarray)
    assert isinstance(np.trapezoid(x, atol + x), Array)  # which is an operand
    np.testing.assert_allclose(x, x + 0.25, atol=atol)


def test_facts_are_those_of_numpy():
    xp = supremum.namespace("jax")
    x = xp.asarray(VALUES["A"])
    assert (np.iscomplexobj(x), np.isrealobj(x)) == (False, True)
    assert (np.shape(x), np.ndim(x), np.size(x), np.size(x, 1)) == ((2, 2), 2, 4, 2)
    assert np.allclose(x, VALUES["A"])
    assert [type(y) for y in np.broadcast_arrays(x, np.atleast_1d(x))] == [np.ndarray] * 2
    assert np.array_equal(x, x)
    assert isinstance(np.result_type(x, xp.asarray(1)), np.dtype)
    np.testing.assert_allclose(x, VALUES["A"])


def test_an_average_of_what_cannot_be_weighted_is_refused_as_numpy_does():
    xp = supremum.namespace("numpy")
    matrix, row = (xp.asarray(VALUES[name]) for name in "Af")
    options = {"axis": None}, {"axis": 0}, {"axis": (0, 1)}
    for given in ({"weights": row, **axis} for axis in options):
        for x in (matrix, np.asarray(matrix)):
            with pytest.raises((TypeError, ValueError), match="weights"):
                np.average(x, **given)
    with pytest.raises(ZeroDivisionError, match="Weights sum to zero"):
        np.average(row, weights=row * 0)
