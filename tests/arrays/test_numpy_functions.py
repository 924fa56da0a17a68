"""NumPy's functions on our arrays: they compute by our rules, or say what to type instead."""

import operator

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
    np.mean(i); np.mean(f, axis=0, keepdims=True); np.std(f, ddof=1)
    np.var(A, axis=1); np.sum(i); np.sum(A, axis=0); np.prod(f); np.max(A, axis=1); np.amin(i)
    np.argmax(f); np.argmin(A, axis=0); np.all(m); np.any(A > 2, axis=0); np.cumsum(A)
    np.cumprod(i, axis=0); np.sort(f); np.sort(A, axis=None); np.argsort(i); np.unique(i)
    np.isin(i, i[:1]); np.diff(f); np.clip(f, 1, 2)
    np.clip(i, a_min=None, a_max=2); np.dot(A, f[:2]); np.dot(f, f); np.dot(A, A); np.dot(f, 2)
    np.vdot(f, f); np.inner(A, A); np.outer(f, f); np.tensordot(A, A, axes=1); np.trace(A)
    np.transpose(A); np.swapaxes(A, 0, 1); np.moveaxis(A, 0, 1); np.ravel(A); np.reshape(A, (4,))
    np.squeeze(A[None]); np.expand_dims(f, 0); np.flip(A, axis=0); np.roll(f, 1); np.tile(f, 2)
    np.repeat(f, 2); np.broadcast_to(f, (2, 3)); np.take(f, i[1:])
    np.take_along_axis(f, np.argsort(f), axis=0); np.tril(A); np.triu(A, k=1); np.diagonal(A)
    np.zeros_like(i); np.ones_like(f); np.full_like(f, 2); np.round(f); np.real(f); np.imag(f)
    np.nonzero(i); np.count_nonzero(m); np.searchsorted(np.sort(f), f); np.meshgrid(f, f)
    np.copy(f); np.linalg.norm(f); np.linalg.norm(A); np.linalg.norm(A, axis=1)
    np.linalg.vector_norm(A); np.linalg.inv(A); np.linalg.det(A); np.linalg.solve(A, f[:2])
    np.linalg.eigh(A); np.linalg.svd(A, full_matrices=False); np.linalg.qr(A)
    np.linalg.cholesky(A); np.fft.fft(f); np.fft.rfft(f); np.fft.irfft(np.fft.rfft(f), 3)
    np.where(m, f, [1.0, 2.0, 3.0]); np.dot(f, [1.0, 2.0, 3.0])
    np.select([m, f > 1], [i, f]); np.select([m], [i], 7); np.average(f); np.average(A, axis=0)
    np.unique(i, equal_nan=False); np.fft.fftshift(f); np.arctan2(f, f); np.add(i, f)
"""
REFUSED = """
    np.isclose(f, f); np.nansum(f); np.nanmax(A, axis=1); np.nanmedian(f); np.median(i)
    np.percentile(f, [10, 50]); np.quantile(f, np.array([0.1, 0.9])); np.pad(f, 1); np.diag(A)
    np.split(f, 3); np.hsplit(A, 2); np.cross(i, f); np.einsum("i,i", f, f); np.kron(A, A)
    np.linspace(i, f, 3); np.gradient(f, i); np.interp(f, f, f); np.trapezoid(f); np.ptp(A, axis=0)
    np.nan_to_num(f); np.flatnonzero(f); np.argwhere(A > 1); np.vstack([f, i]); np.hstack([A, A])
    np.block([[A], [A]]); np.bincount(i); np.cov(A); np.corrcoef(A); np.convolve(f, i)
    np.lexsort((f, i)); np.insert(f, 1, 9); np.append(f, i); np.union1d(f, i); np.polyfit(f, f, 1)
    np.sinc(f); np.compress(m, f); np.histogram(f, 3); np.piecewise(f, [m], [1, 2])
    np.apply_along_axis(np.sum, 0, A); np.linalg.lstsq(A, f[:2]); np.fft.fft2(A)
    np.lib.stride_tricks.sliding_window_view(f, 2); np.cbrt(f); np.exp2(i); np.frexp(f)
    np.divmod(f, i); np.matvec(A, f[:2]); np.ldexp(f, i); np.add.accumulate(f); np.add.outer(f, i)
    np.add.reduceat(f, [0, 1]); np.maximum.accumulate(i); np.mean(f, dtype=np.float32)
    np.sum(f, where=m); np.max(f, initial=9); np.multiply.reduce(f, initial=2)
    np.add(f, f, dtype=np.float32); np.add(f, f, where=m, out=f); np.round(f, 1)
    np.std(f, where=m); np.sort(f, kind="stable"); np.average(f, weights=i)
    np.linalg.norm(A, ord=1); np.unique(i, return_counts=True)
    np.unique(f); np.unique(A, axis=0); np.add.at(f, [0, 0], 1); np.copyto(f, f)
    np.put(f, [2], 9); np.putmask(f, f > 1, 0); np.place(f, f > 1, [7])
"""


def calls(text):
    return [c.strip() for c in text.replace("\n", ";").split(";") if c.strip()]


def values(xp):
    return {"np": np, **{name: xp.asarray(x, copy=True) for name, x in VALUES.items()}}


def leaves(x):
    return [y for part in x for y in leaves(part)] if isinstance(x, (tuple, list)) else [x]


@pytest.mark.parametrize("rules", ["numpy", "jax"])
@pytest.mark.parametrize("call", calls(CALLS))
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


@pytest.mark.parametrize("call", calls(REFUSED))
def test_what_the_namespace_does_not_have_is_refused_with_what_to_type(call):
    ours = values(supremum.namespace("jax", backend="numpy"))
    with pytest.raises(TypeError, match="is not supported for arrays of") as caught:
        eval(call, ours)  # ours
    function = call.partition("(")[0]
    assert f" or {function}(np.asarray(x)), under NumPy's rules" in str(caught.value)
    theirs = {name: np.array(x) if isinstance(x, Array) else x for name, x in ours.items()}
    eval(call, theirs)  # the same


def test_an_unknown_argument_of_numpy_is_refused():
    with pytest.raises(TypeError, match="bad"):
        np.sum(supremum.namespace("jax", backend="numpy").ones(3), bad=1)


def test_a_ufunc_of_another_library_is_refused_by_its_name():
    special = pytest.importorskip("scipy.special")
    with pytest.raises(TypeError, match=r"or expit\(np.asarray\(x\)\)"):
        special.expit(supremum.namespace("jax", backend="numpy").ones(3))


def test_a_result_is_put_into_an_array():
    for rules in ("numpy", "jax"):
        xp = supremum.namespace(rules, backend="numpy")
        x = xp.asarray([1.0, 2.0, 0.0], dtype="float32")
        for into in (xp.zeros(3, dtype="float32"), np.zeros(3, np.float32)):
            assert np.add(x, 1, out=into) is into
            assert into.tolist() == [2.0, 3.0, 1.0]
            assert np.cumsum(x, out=into) is into
            assert operator.iadd(into, x) is into
            assert into.tolist() == [2.0, 5.0, 3.0]
        for into in (xp.zeros(3, dtype="int32"), np.zeros(3, np.int32)):
            with pytest.raises(TypeError):
                np.add(x, 1, out=into)
        with pytest.raises(ValueError, match="shape"):
            np.sum(x, out=np.zeros(3))


@pytest.mark.parametrize("generator", [np.random.default_rng(1), np.random.RandomState(1)])
def test_numpy_does_not_shuffle_rows_that_are_views(generator):
    x = supremum.namespace("jax", backend="numpy").asarray([[1, 2], [3, 4], [5, 6]])
    with pytest.raises(UserWarning, match="shuffl"):
        generator.shuffle(x)
    assert x.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert sorted(x[generator.permutation(3)].tolist()) == x.tolist()


def test_numpy_saves_arrays(tmp_path):
    x = supremum.namespace("jax", backend="numpy").asarray([1.5, 2.5], dtype="float32")
    np.save(tmp_path / "x.npy", x)
    np.savez(tmp_path / "x.npz", x=x)
    np.savetxt(tmp_path / "x.txt", x)
    saved = [np.load(tmp_path / "x.npy"), np.load(tmp_path / "x.npz")["x"]]
    assert [(y.dtype, y.tolist()) for y in saved] == [(np.float32, [1.5, 2.5])] * 2
    assert np.loadtxt(tmp_path / "x.txt").tolist() == [1.5, 2.5]


def test_facts_are_those_of_numpy():
    xp = supremum.namespace("jax", backend="numpy")
    x = xp.asarray(VALUES["A"])
    assert (np.iscomplexobj(x), np.isrealobj(x)) == (False, True)
    assert (np.shape(x), np.ndim(x), np.size(x), np.size(x, 1)) == ((2, 2), 2, 4, 2)
    assert np.allclose(x, VALUES["A"])
    assert [type(y) for y in np.broadcast_arrays(x, np.atleast_1d(x))] == [np.ndarray] * 2
    assert np.array_equal(x, x)
    assert isinstance(np.result_type(x, xp.asarray(1)), np.dtype)
    np.testing.assert_allclose(x, VALUES["A"])


@pytest.mark.parametrize(("function", "d"), [("cumsum", "int8"), ("cumprod", "int8")])
def test_functions_that_keep_integers_by_the_rules_keep_them(function, d):
    xp = supremum.namespace("jax", backend="numpy")  # whose cumulative_sum is wider than its cumsum
    assert getattr(np, function)(xp.ones(3, dtype=xp.int8)).dtype.name == d
    assert np.linalg.norm(xp.ones(3, dtype=xp.int8)).dtype.name == "float32"
