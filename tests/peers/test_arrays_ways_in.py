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


@pytest.mark.parametrize("backend", BACKENDS)
def test_ufuncs_of_scipy_are_refused_with_what_to_type(backend):
    xp = of(backend)
    with pytest.raises(TypeError, match=r"or erf\(np.asarray\(x\)\), under NumPy's rules"):
        special.erf(xp.ones(2))
    assert xp.asarray(special.erf(np.asarray(xp.ones(2)))).dtype == xp.float32
