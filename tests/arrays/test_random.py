"""Random numbers: in the dtype and range that were asked for, and the same for the same seed."""

from math import inf, nan  # noqa: F401  # the mistakes use them

import numpy as np
import pytest

import supremum
from supremum import DTypeError, PromotionError
from supremum.core.dtypes import by_name, names

xp = supremum.namespace("jax")
near = supremum.namespace("numpy")

KNOWN = [by_name(name) for name in names() if name in dir(xp)]
FLOATS = [d for d in KNOWN if d.kind == "float"]
INTS = [d for d in KNOWN if d.kind in ("bool", "signed", "unsigned")]

INTERVALS = [
    (0.0, 1.0), (0.1, 0.3), (-0.3, -0.1), (-1.0, 2.0), (1.0, 1.3), (-0.7, 0.7), (3.0, 3.7),
    (0.26, 3.9), (1 / 3, 2 / 3),
]  # fmt: skip


def drawn(seed=1):
    return supremum.random(xp, seed)


def inside(d, low, high):
    """Return all numbers of a float dtype of up to 16 bits in [low, high)."""
    bits = np.arange(2**d.bits, dtype="uint8" if d.bits <= 8 else "uint16")
    with np.errstate(invalid="ignore"):  # some are NaN
        found = bits.view(d.to("numpy")).astype(np.float64)
    return {one for one in found.tolist() if low <= one < high}


CASES = [(d, *pair) for d in FLOATS for pair in [*INTERVALS, (d.min, d.max)]]


@pytest.mark.parametrize(("d", "low", "high"), CASES, ids=str)
def test_uniform_numbers_are_in_the_interval_in_every_float_dtype(d, low, high):
    wanted = inside(d, low, high) if d.bits <= 16 else {low}
    refused = OverflowError if low < d.min else None if wanted else ValueError
    if refused:
        with pytest.raises(refused, match=r"does not fit|has no number in"):
            drawn().uniform(low, high, 500, dtype=d)
        return
    x = drawn().uniform(low, high, 20_000, dtype=d)
    assert x.dtype == d
    found = set(np.asarray(x).astype(np.float64).tolist())
    assert all(low <= one < high for one in found)
    assert d.bits > 8 or found >= {one for one in wanted if abs(one) > (high - low) / 64}


@pytest.mark.parametrize("d", FLOATS, ids=str)
def test_uniform_numbers_are_spread_evenly(d):
    low, high = (1.0, 4.0) if d.min >= 0 else (-4.0, 4.0)
    x = np.asarray(drawn().uniform(low, high, 20_000, dtype=d)).astype(np.float64)
    coarse = 4 * 2.0**-d.precision  # half of the largest step
    assert abs(x.mean() - (low + high) / 2) < 0.05 + coarse / 2
    assert abs(np.mean(x < 2) - (2 - low) / (high - low)) < 0.02 + coarse / (high - low)


@pytest.mark.parametrize("d", FLOATS, ids=str)
def test_normal_numbers_have_the_mean_and_the_deviation(d):
    if d.min >= 0:
        with pytest.raises(TypeError, match="has no negative numbers"):
            drawn().normal(1, 1, dtype=d)
        return
    x = drawn().normal(0.5, 0.25, 20_000, dtype=d)
    assert x.dtype == d
    found = np.asarray(x).astype(np.float64)
    step = 2.0**-d.precision  # of numbers near the mean
    assert abs(found.mean() - 0.5) < 0.01
    assert abs(found.std() - 0.25) < 0.01 + step / 2


@pytest.mark.parametrize("d", INTS, ids=str)
def test_integers_are_each_as_likely_and_reach_both_ends_of_every_dtype(d):
    least, largest = int(d.min), int(d.max)
    for low in (least, max(least, largest - 2)):
        high = min(low + 3, largest + 1)
        x = drawn().integers(low, high, 3000, dtype=d)
        assert x.dtype == d
        found, counts = np.unique(np.asarray(x).astype(object), return_counts=True)
        assert [int(one) for one in found] == list(range(low, high))
        assert min(counts) > 3000 / (high - low) * 0.85
    x = drawn().integers(least, largest + 1, 4000, dtype=d)
    if largest - least == 1:
        return
    quarters = (np.asarray(x).astype(object).astype(float) - least) / (largest + 1 - least) * 4
    assert min(np.bincount(quarters.astype(int))) > 900


def test_dtypes_are_those_of_the_rules_by_default():
    narrow = supremum.random(supremum.namespace("jax", x64=False), 1)
    for draw, bits in ((drawn(), 64), (narrow, 32)):
        assert draw.uniform().dtype == draw.normal(shape=2).dtype == f"float{bits}"
        assert draw.integers(0, 2).dtype == draw.permutation(3).dtype == f"int{bits}"
        assert draw.choice(3, 2).dtype == f"int{bits}"
    assert narrow.uniform(dtype="float64").dtype == "float32"
    with supremum.rules("jax", x64=False):
        assert drawn().uniform().dtype == "float32"


def test_shapes_are_lengths_or_several():
    draw = drawn()
    for shape, wanted in (((), ()), (3, (3,)), ([2, 0], (2, 0)), (np.int64(2), (2,))):
        made = [draw.uniform(0, 1, shape), draw.normal(0, 1, shape), draw.integers(0, 5, shape)]
        for x in [*made, draw.choice(4, shape), draw.choice(4, shape, p=[0.25] * 4)]:
            assert x.shape == wanted
            assert type(x) is supremum.arrays.Array


def every(draw):
    """Return what each method draws."""
    return [
        draw.uniform(-1, 1, 5, dtype="float16").tolist(),
        draw.normal(shape=5).tolist(),
        draw.integers(0, 100, 5).tolist(),
        draw.choice(50, 5).tolist(),
        draw.choice(5, 2, replace=False, p=[0.1, 0.2, 0.3, 0.2, 0.2]).tolist(),
        draw.choice(5, 2, p=[0.1, 0.2, 0.3, 0.2, 0.2]).tolist(),
        draw.permutation(20).tolist(),
    ]


def test_the_same_seed_draws_the_same_and_each_call_draws_anew():
    draw = drawn(7)
    first = every(draw)
    assert first == every(drawn(7)) == every(drawn(np.int64(7)))
    assert first != every(draw)
    assert first != every(drawn(8))
    assert every(drawn(0)) != every(drawn(2**32 - 1))
    assert drawn(1).uniform(shape=4).tolist() == np.random.default_rng(1).random(4).tolist()


def test_choices_are_elements_with_dtype_and_weakness():
    draw, x = drawn(), xp.asarray([[1, 2], [3, 4], [5, 6]], dtype="int16")
    found = draw.choice(x, (4, 5))
    assert (found.shape, found.dtype) == ((4, 5, 2), "int16")
    assert {tuple(row) for row in np.asarray(found).reshape(-1, 2).tolist()} == {
        (1, 2),
        (3, 4),
        (5, 6),
    }
    weak = xp.asarray(1) * xp.reshape(xp.asarray(2), (1,))
    assert weak.weak_type
    assert draw.choice(weak, 2).weak_type
    assert draw.permutation(weak).weak_type
    assert sorted(draw.permutation(x).tolist()) == x.tolist()
    assert sorted(draw.permutation(9).tolist()) == list(range(9))
    assert sorted(draw.choice(x, 3, replace=False).tolist()) == x.tolist()


@pytest.mark.parametrize("replace", [True, False])
def test_choices_are_as_likely_as_p_says(replace):
    draw, p = drawn(), [0.0, 0.5, 0.125, 0.0, 0.375, 0.0]
    if replace:
        found = np.asarray(draw.choice(6, 40_000, p=p))
    else:
        found = np.asarray([draw.choice(6, 3, replace=False, p=p).tolist() for _ in range(4000)])
        assert np.all(np.sort(found, axis=1) == [1, 2, 4])
        second = found[found[:, 0] == 1][:, 1]  # what is left is chosen in proportion
        assert abs((second == 4).mean() - 0.75) < 0.05
        found = found[:, 0]
    shares = np.bincount(found, minlength=6) / len(found)
    assert np.allclose(shares, p, atol=0.03)
    assert not shares[[0, 3, 5]].any()


def test_p_is_anything_that_asarray_takes():
    for p in ([0, 1, 0], (0, 1, 0), np.asarray([0, 1, 0]), xp.asarray([0, 1, 0], dtype="float16")):
        assert drawn().choice(3, 4, p=p).tolist() == [1] * 4
    third = xp.asarray([1 / 3] * 3, dtype="bfloat16")  # whose sum is 1.002
    assert set(drawn().choice(3, 50, p=third).tolist()) == {0, 1, 2}


ON = "on the numpy backend under JAX rules: "
MISTAKES = [
    ("draw.uniform(1, 1)", ValueError,
     f"uniform {ON}low=1.0 is not below high=1.0, so nothing is between them; pass a larger high"),
    ("draw.uniform(2, 1)", ValueError,
     f"uniform {ON}low=2.0 is not below high=1.0, so nothing is between them; pass a larger high"),
    ("draw.uniform(dtype='int8')", TypeError,
     (f"uniform {ON}dtype=int8 is not a float dtype; draw integers, or cast the result with "
      "xp.astype")),
    ("draw.uniform(dtype='complex64')", TypeError,
     (f"uniform {ON}dtype=complex64 is not a float dtype; draw the two parts as floats, and write "
      "x + 1j * y")),
    ("draw.uniform(dtype='flaot')", DTypeError,
     "'flaot' is not the name of a dtype; did you mean float* or float64 or float32?"),
    ("draw.uniform(0, 1e6, dtype='float16')", OverflowError,
     (f"uniform {ON}high=1000000.0 does not fit float16, which goes from -65504.0 to 65504.0; "
      "pass a wider dtype")),
    ("draw.uniform(nan, 1)", ValueError,
     f"uniform {ON}low=nan is not finite; pass a finite number"),
    ("draw.uniform('a', 1)", TypeError,
     (f"uniform {ON}low must be one real number, not 'a'; for one for each element, scale what is "
      "drawn without it")),
    ("draw.uniform(0, xp.ones(2))", TypeError,
     (f"uniform {ON}high must be one real number, not an Array; for one for each element, scale "
      "what is drawn without it")),
    ("draw.uniform(1.0001, 1.0002, dtype='float16')", ValueError,
     (f"uniform {ON}float16 has no number in [1.0001, 1.0002); give a wider interval or dtype")),
    ("draw.uniform(shape=(2, -1))", TypeError,
     (f"uniform {ON}shape=(2, -1) is not a shape; pass a length or several, such as "
      "shape=(2, 3)")),
    ("draw.uniform(shape=1.5)", TypeError,
     f"uniform {ON}shape=1.5 is not a shape; pass a length or several, such as shape=(2, 3)"),
    ("draw.normal(0, -2)", ValueError,
     f"normal {ON}scale=-2.0 is negative; pass the standard deviation, such as 2.0"),
    ("draw.normal(inf)", ValueError, f"normal {ON}loc=inf is not finite; pass a finite number"),
    ("draw.normal(dtype='bool')", TypeError,
     (f"normal {ON}dtype=bool is not a float dtype; draw integers, or cast the result with "
      "xp.astype")),
    ("draw.integers(0, 300, dtype='uint8')", OverflowError,
     f"integers {ON}299 does not fit uint8, which goes from 0 to 255; pass a wider dtype"),
    ("draw.integers(-1, 3, dtype='uint8')", OverflowError,
     f"integers {ON}-1 does not fit uint8, which goes from 0 to 255; pass a wider dtype"),
    ("draw.integers(0, 3, dtype='bool')", OverflowError,
     f"integers {ON}2 does not fit bool, which goes from 0 to 1; pass a wider dtype"),
    ("draw.integers(3, 3)", ValueError,
     f"integers {ON}low=3 is not below high=3, so nothing is between them; pass a larger high"),
    ("draw.integers(0, 1.5)", TypeError,
     f"integers {ON}high must be an int, not 1.5; pass int(high)"),
    ("draw.integers(0, 3, dtype='float32')", TypeError,
     f"integers {ON}dtype=float32 is not an integer dtype; use uniform or normal"),
    ("draw.choice(xp.ones(3), p=[1, 0])", ValueError,
     f"choice {ON}p has the shape (2,), and x has 3 elements; pass one number for each"),
    ("draw.choice(3, p=[0.5, 0.5, 0.5])", ValueError,
     f"choice {ON}p must have numbers from 0 to 1 whose sum is 1; pass p / xp.sum(p)"),
    ("draw.choice(3, p=[1.5, -0.5, 0])", ValueError,
     f"choice {ON}p must have numbers from 0 to 1 whose sum is 1; pass p / xp.sum(p)"),
    ("draw.choice(2, p=[nan, 1])", ValueError,
     f"choice {ON}p must have numbers from 0 to 1 whose sum is 1; pass p / xp.sum(p)"),
    ("draw.choice(2, p=[1j, 1])", TypeError,
     f"choice {ON}p must have real numbers; take xp.real(p)"),
    ("draw.choice(3, 4, replace=False)", ValueError,
     f"choice {ON}4 elements cannot be chosen of 3 without replacement; pass replace=True"),
    ("draw.choice(3, 2, replace=False, p=[1, 0, 0])", ValueError,
     (f"choice {ON}2 elements cannot be chosen of 1 that p makes possible without replacement; "
      "pass replace=True")),
    ("draw.choice(0)", ValueError,
     f"choice {ON}1 element cannot be chosen of 0; pass an array with elements"),
    ("draw.choice([1, 2])", TypeError,
     (f"choice {ON}x must be an array or a length, not a list; convert it with xp.asarray(x)")),
    ("draw.choice(near.ones(3))", PromotionError,
     ("one operand is from supremum.namespace('numpy', backend='numpy') and one from "
      "supremum.namespace('jax', backend='numpy'); choose one of the two, and convert the other "
      "operand with its asarray, for example xp.asarray(y)")),
    ("draw.permutation(-1)", ValueError,
     f"permutation {ON}x=-1 is not a length; pass 0 or more"),
    ("draw.permutation(2.5)", TypeError,
     f"permutation {ON}x, without axes, must be an int, not 2.5; pass int(x)"),
    ("draw.permutation(None)", TypeError,
     (f"permutation {ON}x must be an array or a length, not None; convert it with "
      "xp.asarray(x)")),
]  # fmt: skip


@pytest.mark.parametrize(("code", "error", "text"), MISTAKES, ids=[m[0] for m in MISTAKES])
def test_each_mistake_has_this_error_and_draws_nothing(code, error, text):
    draw = drawn(3)
    with pytest.raises(error) as caught:
        eval(code)
    assert type(caught.value) is error
    assert str(caught.value) == text
    assert every(draw) == every(drawn(3))


OF = "supremum.random of supremum.namespace('jax', backend='numpy') takes"


@pytest.mark.parametrize(
    ("args", "error", "text"),
    [
        ((np, 1), TypeError,
         ("supremum.random takes a namespace first, not a module; make one, such as xp = "
          'supremum.namespace("jax")')),
        (("jax", 1), TypeError,
         ("supremum.random takes a namespace first, not 'jax'; make one, such as xp = "
          'supremum.namespace("jax")')),
        ((xp, None), TypeError, f"{OF} an int as its seed, not None; pass one, such as 1"),
        ((xp, 1.5), TypeError, f"{OF} an int as its seed, not 1.5; pass one, such as 1"),
        ((xp, "1"), TypeError, f"{OF} an int as its seed, not '1'; pass one, such as 1"),
        ((xp, True), TypeError, f"{OF} an int as its seed, not True; pass one, such as 1"),
        ((xp, -1), ValueError,
         f"{OF} a seed from 0 to 2**32 - 1, not -1; pass one of them, such as 1"),
        ((xp, 2**32), ValueError,
         f"{OF} a seed from 0 to 2**32 - 1, not {2**32}; pass one of them, such as 1"),
    ],
)  # fmt: skip
def test_it_takes_a_namespace_and_a_seed(args, error, text):
    with pytest.raises(error) as caught:
        supremum.random(*args)
    assert str(caught.value) == text


def test_it_says_what_it_is():
    assert repr(drawn(3)) == "supremum.random(supremum.namespace('jax', backend='numpy'), 3)"
    assert supremum.arrays.random is supremum.random
    assert isinstance(drawn(), supremum.arrays.Random)
