"""What is stored in an array inside of a function that JAX transforms ends with that function."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supremum

XP = supremum.namespace("jax", x64=False, backend="jax")
FIRST = XP.asarray([1.0, 0.0, 0.0])


def stored(x, value):
    x[0] = value
    return x


def added(x, value):
    x += value * FIRST
    return x


@pytest.mark.parametrize("change", [stored, added])
@pytest.mark.parametrize("transform", [jax.jit, jax.grad])
def test_a_store_into_an_array_from_outside_is_refused(transform, change):
    x = XP.zeros(3)

    def outside(value):
        change(x, value)
        return value

    with pytest.raises(TypeError, match="pass the array to the function as an argument"):
        transform(outside)(1.0)
    assert x.tolist() == [0, 0, 0]


@pytest.mark.parametrize("change", [stored, added])
def test_a_store_into_an_argument_or_into_an_array_of_its_own_is_not(change):
    x = XP.zeros(3)

    def inside(value):
        return XP.sum(change(XP.zeros(3), value)).native

    assert jax.jit(change)(x, 2.0).tolist() == [2, 0, 0]
    assert jax.jit(inside)(1.0) == jax.grad(inside)(1.0) == 1
    assert jax.lax.scan(lambda c, a: (change(c, a), a), x, jnp.ones(2))[0].tolist()[0] in (1, 2)
    assert x.tolist() == [0, 0, 0]


def test_a_store_of_what_does_not_end_is_not():
    x = XP.zeros(3)
    jax.grad(lambda value: (stored(x, 5.0), value)[1])(1.0)
    assert x.tolist() == [5, 0, 0]


@pytest.mark.parametrize(
    "key", [0, -1, (1, 2), (-1, 0), (slice(None), 1), (0, slice(None)), (..., 2)]
)
@pytest.mark.parametrize("value", [7, 1.5, "row"])
def test_stores_at_ints_are_those_of_numpy(key, value):
    xp = supremum.namespace("numpy", backend="jax")
    x, wanted = xp.reshape(xp.arange(12, dtype=xp.float32), (3, 4)), np.arange(12.0).reshape(3, 4)
    if value == "row":
        value = np.full_like(wanted[key], 3, np.float32)
    for _ in range(2):
        x[key] = value if isinstance(value, (int, float)) else xp.asarray(value)
        wanted[key] = value
    assert x.tolist() == wanted.tolist()

    @jax.jit
    def stored(y):
        y = xp.asarray(y.native, copy=True)
        y[key] = 5.0
        return y.native

    wanted[key] = 5.0
    assert stored(x).tolist() == wanted.tolist()
