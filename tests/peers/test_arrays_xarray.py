"""xarray's methods give with our arrays inside what they give with NumPy's."""

import re

import numpy as np
import pytest

import supremum
from supremum.arrays import Array

xr = pytest.importorskip("xarray")

# `a` is float32 and has a NaN, `w` is 1-d and `n` int32.
METHODS = """
    a.mean('x', skipna=False); a.mean(skipna=False); a.mean(keepdims=True, skipna=False)
    a.prod('x', skipna=False); a.max('x', skipna=False); a.min('x', skipna=False)
    a.argmax('x', skipna=False); a.argmin('x', skipna=False); a.idxmax('x', skipna=False)
    a.sum('x'); a.sum('x', skipna=True); a.count('x'); (a > 1).any('x'); (a > 1).all('x')
    a.dot(w, 'x'); n.mean('x'); n.sum('x'); n.prod('x'); n.max('x')
    a.where(a > 1); a.where(a > 1, 0); a.where(a.x > 1, drop=True); n.where(n > 1); a.fillna(0)
    a.dropna('x'); a.isnull(); a.notnull(); a.clip(1, 2); a.round(); a + w; np.sin(a)
    a.astype('float64'); a.roll(x=1); a.diff('x')
    a.integrate('x'); a.reindex(x=[0, 1, 9]); a.isel(x=[0, 2]); a.sel(x=1)
    a.transpose(); a.stack(z=('x', 'y')); a.stack(z=('x', 'y')).unstack('z'); a.expand_dims('t')
    a[:1].squeeze(); w.broadcast_like(a); xr.concat([a, a], 'x'); a.sortby('x', ascending=False)
    a.drop_duplicates('x'); a.copy(deep=True); a.coarsen(x=2).sum(); a.weighted(w).mean('x')
    a.groupby('g').mean(skipna=False); a.groupby('g').sum()
    a.groupby_bins('x', [-1, 1, 3]).mean(skipna=False)
"""
# SciPy makes arrays of NumPy of them.
OF_NUMPY = ["a.interp(x=[0.5, 1.5])"]
# xarray asks for what is not in the array API: a list as an operand, `out`, the method `conj`,
# functions that leave out NaN, `pad`, `cumsum`, `median`.
REFUSED = [
    "a.isin([1, 2])", "a.polyfit('x', 1)", "a.conj()", "xr.cov(a, a)", "a.mean('x')", "a.max('x')",
    "a.std('x')", "n.std('x')", "a.median('x')", "n.median('x')", "a.quantile(0.5, 'x')",
    "n.cumsum('x')", "a.shift(x=1)", "a.pad(x=1)", "a.rolling(x=2).mean()", "a.differentiate('x')",
    "a.interpolate_na('x')", "a.reduce(np.nanmax, 'x')",
]  # fmt: skip


def variables(convert):
    values = [[1.5, 2.5, 0.5], [3.5, np.nan, 1.0], [2.0, 0.25, 4.0], [1.0, 2.0, 3.0]]
    x = {"x": [0, 1, 2, 3]}
    coordinates = {**x, "y": [0, 1, 2], "g": ("x", [0, 1, 0, 1])}
    a = xr.DataArray(convert(np.array(values, np.float32)), coordinates, ("x", "y"))
    w = xr.DataArray(convert(np.array([1, 2, 3, 4], np.float32)), x, ("x",))
    n = xr.DataArray(convert(np.array([[3, 1], [1, 2]], np.int32)), dims=("x", "y"))
    return {"xr": xr, "np": np, "a": a, "w": w, "n": n}


def given(code, rules, backend):
    """Return what a method gives with our arrays inside, and with NumPy's."""
    library = pytest.importorskip(backend)
    if backend == "jax":
        library.config.update("jax_enable_x64", True)
    with np.errstate(all="ignore"):
        ours = eval(code, variables(supremum.namespace(rules, backend=backend).asarray))
        return ours, eval(code, variables(np.asarray))


@pytest.mark.parametrize("backend", ["numpy", "torch"])
@pytest.mark.parametrize("code", re.split(r";?\s*\n\s*|; ", METHODS.strip()))
def test_a_method_gives_the_values_and_the_dtype_of_numpy(backend, code):
    found, wanted = given(code, "numpy", backend)
    assert isinstance(found.data, Array)
    assert found.dtype == wanted.dtype
    np.testing.assert_allclose(found.to_numpy(), wanted.to_numpy(), rtol=1e-6)
    assert found.coords.equals(wanted.coords)


@pytest.mark.parametrize("code", ["a.mean('x', skipna=False)", "a.groupby('g').mean(skipna=False)"])
def test_the_rules_decide(code):
    found, wanted = given(code.replace("a.", "(a * n[0, 0]).", 1), "jax", "jax")
    assert (found.dtype.name, wanted.dtype.name) == ("float32", "float64")
    np.testing.assert_allclose(found.to_numpy(), wanted.to_numpy(), rtol=1e-6)


@pytest.mark.parametrize("code", OF_NUMPY)
def test_some_methods_return_arrays_of_numpy(code):
    found, wanted = given(code, "numpy", "numpy")
    assert found.data.dtype == wanted.dtype
    np.testing.assert_allclose(found.to_numpy(), wanted.to_numpy())


@pytest.mark.parametrize("code", REFUSED)
def test_what_xarray_asks_for_beyond_the_standard_is_refused(code):
    with pytest.raises((AttributeError, TypeError)):
        given(code, "numpy", "numpy")
