"""Functions of other libraries on our arrays, and arrays of theirs for ours."""

import numpy as np
import pytest

import supremum

jnp = pytest.importorskip("jax.numpy")
jax = pytest.importorskip("jax")
torch = pytest.importorskip("torch")
special = pytest.importorskip("scipy.special")

BACKENDS = ["numpy", "torch", "jax", "dask"]


def of(backend):
    return supremum.namespace("jax", x64=False, backend=backend)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["float32", "bfloat16", "int32"])
def test_jax_takes_our_arrays(backend, name):
    xp = of(backend)
    found = jnp.asarray(xp.asarray([1, 2], dtype=getattr(xp, name)))
    assert (found.dtype, found.tolist()) == (name, [1, 2])


def test_functions_of_jax_take_arrays_of_its_backend():
    xp = of("jax")
    x = xp.asarray([1.0, 2.0])
    assert jnp.add(x, x).tolist() == [2, 4]
    gradient = jax.grad(lambda y: jnp.sum(jnp.sin(y)))(x)
    np.testing.assert_allclose(np.asarray(gradient), np.cos([1, 2]), rtol=1e-6)
    assert jax.jit(lambda y: y + 1)(x).native.tolist() == [2, 3]


@pytest.mark.parametrize("backend", BACKENDS)
def test_dlpack_takes_arrays_with_gaps(backend):
    column = np.arange(8, dtype=np.float32).reshape(4, 2)[:, :1]
    assert of(backend).from_dlpack(column).tolist() == [[0], [2], [4], [6]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_pytorch_takes_our_arrays(backend):
    x = of(backend).asarray([1.0, 2.0])
    for found in (torch.as_tensor(x), torch.asarray(x)):
        assert (found.dtype, found.tolist()) == (torch.float32, [1, 2])


@pytest.mark.parametrize("backend", BACKENDS)
def test_tensors_become_arrays(backend):
    xp = of(backend)
    for d in ("bfloat16", "float32", "int8"):
        found = xp.asarray(torch.ones(2, dtype=getattr(torch, d)))
        assert (found.dtype.name, found.tolist()) == (d, [1, 1])
    if backend != "torch":
        with pytest.raises(ValueError, match=r"would lose it; pass x.detach\(\)"):
            xp.asarray(torch.ones(2, requires_grad=True))


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("name", ["float32", "bfloat16", "int32"])
def test_ufuncs_of_scipy_give_what_exp_gives(backend, name):
    xp = of(backend)
    values = np.array([1, 2], np.float32)
    x = xp.asarray(values, dtype=getattr(xp, name))
    for function in (special.erf, special.gammaln, np.cbrt):
        found = function(x)
        assert found.dtype == xp.exp(x).dtype
        wanted = function(values)
        np.testing.assert_allclose(np.asarray(found).astype(np.float32), wanted, rtol=1e-2)


def test_what_would_lose_a_gradient_is_refused():
    xp = of("torch")
    x = xp.asarray(torch.ones(2, requires_grad=True))
    with pytest.raises(TypeError, match="gradient"):
        special.erf(x)


def test_on_dask_a_ufunc_of_others_is_refused():
    with pytest.raises(TypeError, match="needs the values"):
        special.erf(of("dask").ones(2))
