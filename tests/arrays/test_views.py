"""Views: what is written to one is seen in the others, and what cannot be is refused."""

import numpy as np
import pytest

import supremum
from supremum import PromotionError

from .views import program, run

RULES = ("jax", "numpy", "torch", "array-api")


@pytest.mark.parametrize("rules", RULES)
def test_random_programs_do_what_numpy_does(rules):
    xp = supremum.namespace(rules, backend="numpy")
    for seed in range(300):
        lines = program(seed)
        expected = run(lines, np, np.arange(12, dtype=np.float32).reshape(3, 4))
        own = run(lines, xp, xp.reshape(xp.arange(12, dtype=xp.float32), (3, 4)))
        assert own == expected, (seed, lines)


@pytest.mark.parametrize("rules", RULES)
def test_an_operator_in_place_on_a_view_is_seen_in_the_whole(rules):
    xp = supremum.namespace(rules, backend="numpy")
    x = xp.zeros(4)
    v = x[:2]
    v += 1
    for row in xp.reshape(x, (2, 2)):
        row *= 2  # noqa: PLW2901  # it is the question
    assert x.tolist() == [2, 2, 0, 0]


def test_another_dtype_would_be_lost():
    xp = supremum.namespace("jax", backend="numpy")
    x = xp.asarray([1, 2, 3])
    v = x[:2]
    with pytest.raises(PromotionError, match=r"write x = xp.add\(x, y\) for a new array"):
        v += 0.5
    with pytest.raises(PromotionError, match="another array shares the elements"):
        x += 0.5
    assert (x.tolist(), v.tolist()) == ([1, 2, 3], [1, 2])
    del v
    x += 0.5
    assert x.dtype.name == "float64"


@pytest.mark.parametrize("rules", RULES)
def test_what_was_broadcast_is_not_written_to(rules):
    xp = supremum.namespace(rules, backend="numpy")
    for x in (xp.broadcast_to(xp.zeros(1), (3,)), xp.linalg.diagonal(xp.zeros((3, 3)))):
        with pytest.raises(ValueError, match=r"copy it first, with x = xp.asarray\(x, copy=True\)"):
            x += 1  # noqa: PLW2901  # the same
        with pytest.raises(ValueError, match="copy it first"):
            x[0] = 1


def test_views_of_what_is_gone_see_each_other():
    xp = supremum.namespace("jax", backend="numpy")
    one, other = xp.unstack(xp.broadcast_to(xp.zeros(1), (2, 3)) + 0)
    both = xp.zeros((2, 3))
    one, other = both[0], both[0, :2]
    del both
    one += 1
    assert other.tolist() == [1, 1]


def test_unique_values_are_sorted():
    xp = supremum.namespace("jax", backend="numpy")
    values = xp.asarray([3.0, 1.0, float("nan"), 2.0, 1.0, float("nan")])
    assert repr(xp.unique_values(values).tolist()) == "[1.0, 2.0, 3.0, nan, nan]"
