"""NumPy's functions on our arrays: they compute by our rules, or say what to type instead."""

import numpy as np
import pytest

import supremum
from supremum.arrays import Array

VALUES = {
    "i": np.array([3, 1, 2], np.int32),
    "f": np.array([1.5, 0.5, 2.5], np.float32),
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
    np.hstack([A, A]); np.where(m, f, [1.0, 2.0, 3.0]); np.dot(f, [1.0, 2.0, 3.0])
    np.unique(i, equal_nan=False); np.average(f); np.average(A, axis=0); np.average(f, weights=i)
    np.average(A, axis=1, weights=f[:2]); np.average(A, weights=A, axis=0, keepdims=True)
    np.average(i, weights=i); np.average(i, weights=[1, 2, 3])
    np.fft.fftshift(f); np.cbrt(f); np.exp2(i); np.arctan2(f, f); np.add(i, f); np.frexp(f)
"""


def leaves(x):
    return [y for part in x for y in leaves(part)] if isinstance(x, (tuple, list)) else [x]


@pytest.mark.parametrize("rules", ["numpy", "jax"])
@pytest.mark.parametrize(
    "call", [c.strip() for c in CALLS.replace("\n", ";").split(";") if c.strip()]
)
def test_a_function_of_numpy_gives_what_it_gives_by_our_rules(rules, call):
    xp = supremum.namespace(rules, **({"x64": False} if rules == "jax" else {}))
    own = eval(call, {"np": np, **{k: xp.asarray(v) for k, v in VALUES.items()}})  # ours
    theirs = eval(call, {"np": np, **VALUES})  # the same
    assert len(leaves(own)) == len(leaves(theirs))
    for found, wanted in zip(leaves(own), leaves(theirs), strict=True):
        assert isinstance(found, Array)
        assert found.dtype.kind == np.asarray(wanted).dtype.kind
        assert rules == "jax" or found.dtype == np.asarray(wanted).dtype
        assert rules == "numpy" or found.dtype.itemsize <= 8 - 4 * (found.dtype.kind != "c")
        np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-5, atol=1e-6)


REFUSED = {
    "np.einsum('i,i', f, f)": r"np.einsum is not supported .* use a function of the namespace",
    "np.median(f)": r"np.median is not supported .* or np.asarray\(x\) for NumPy's rules",
    "np.mean(f, where=m)": r"np.mean\(..., where=\) is not supported",
    "np.sum(f, out=np.zeros(()))": r"np.sum\(..., out=\) is not supported",
    "np.round(f, 2)": r"scale, use xp.round, and divide",
    "np.dstack([f, f])": r"np.dstack is not supported",
    "np.average(f, weights=f, returned=True)": r"np.average\(..., returned=\) is not supported",
}


@pytest.mark.parametrize(("call", "told"), REFUSED.items())
def test_what_the_namespace_has_no_answer_for_is_refused(call, told):
    xp = supremum.namespace("jax")
    with pytest.raises(TypeError, match=told):
        eval(call, {"np": np, **{k: xp.asarray(v) for k, v in VALUES.items()}})  # ours


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
    with pytest.raises(ZeroDivisionError, match="the weights sum to zero"):
        np.average(row, weights=row * 0)
