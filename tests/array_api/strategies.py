"""What Hypothesis draws from a namespace, with the strategies that it makes of one."""

import array_api_strict as xp  # or what stands in for it
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.array_api import make_strategies_namespace

xps = make_strategies_namespace(xp)
KINDS = {
    "bool": xps.boolean_dtypes(),
    "signed integer": xps.integer_dtypes(),
    "unsigned integer": xps.unsigned_integer_dtypes(),
    "real floating": xps.floating_dtypes(),
    "complex floating": xps.complex_dtypes(),
}


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_arrays(kind, data):
    dtype = data.draw(KINDS[kind])
    shape = data.draw(xps.array_shapes(max_dims=3, max_side=4))
    x = data.draw(xps.arrays(dtype, shape))
    assert (x.dtype, x.shape) == (dtype, shape)
    assert xp.isdtype(x.dtype, kind)


@given(xps.scalar_dtypes(), st.data())
def test_values_are_those_drawn(dtype, data):
    value = data.draw(xps.from_dtype(dtype))
    x = data.draw(xps.arrays(dtype, (2,), elements=st.just(value), fill=st.nothing()))
    assert x.dtype == dtype
    same = x[0] == xp.asarray(value, dtype=dtype)
    assert bool(same) or value != value  # noqa: PLR0124  # NaN


@given(xps.arrays(xps.integer_dtypes(), (5,), unique=True))
def test_unique(x):
    assert xp.unique_values(x).shape == (5,)


@given(st.data())
def test_indices(data):
    x = xp.zeros((3, 4, 2), dtype=xp.float32)
    key = data.draw(xps.indices(x.shape))
    part = x[key]
    x[key] = 1
    assert xp.all(x[key] == 1)
    assert part.dtype == xp.float32


@given(st.data())
def test_shapes_that_broadcast(data):
    shapes = data.draw(xps.mutually_broadcastable_shapes(2))
    x, y = (xp.ones(shape) for shape in shapes.input_shapes)
    assert (x + y).shape == shapes.result_shape


@given(xps.real_dtypes(), xps.numeric_dtypes())
def test_dtypes_are_those_of_the_namespace(real, numeric):
    assert xp.isdtype(real, ("integral", "real floating"))
    assert xp.isdtype(numeric, "numeric")
