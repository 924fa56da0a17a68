"""Every form of an index does what NumPy's does: values, shapes, views and stores."""

import operator

import numpy as np
import pytest

import supremum

from .indices import FORMS, SHAPE, key, numpy_s, stored

RULES = ("jax", "numpy")


def array(xp):
    return xp.asarray(np.arange(12).reshape(SHAPE), copy=True)


@pytest.mark.parametrize("rules", RULES)
def test_every_form_is_read_and_stored_as_numpy_does(rules):
    xp = supremum.namespace(rules, backend="numpy")
    assert len(FORMS) == 363
    for names in FORMS:
        x, expected = array(xp), numpy_s(names)
        if expected is None:
            with pytest.raises(IndexError):
                x[key(names, xp.asarray)]
            continue
        found = x[key(names, xp.asarray)]
        assert (found.shape, found.tolist()) == (expected[0].shape, expected[0].tolist()), names
        found[...] = 99
        assert (99 in np.asarray(x)) == (expected[1] and bool(found.size)), names
        x = array(xp)
        x[key(names, xp.asarray)] = 7
        assert x.tolist() == stored(names, 7), names


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("made", [int, np.int64, np.uint8])
def test_an_integer_gives_a_view_and_an_array_a_copy(rules, made):
    xp = supremum.namespace(rules, backend="numpy")
    x = xp.zeros((3, 2))
    row = x[made(1)]
    row += 1
    assert x.tolist() == [[0, 0], [1, 1], [0, 0]]
    for place in (np.array(1), xp.asarray(1), xp.argmax(xp.asarray([0, 9]))):
        best = x[place]
        best += 10
        assert best.tolist() == [11, 11]
    assert x.tolist() == [[0, 0], [1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("index", "error"),
    [
        (1.0, IndexError),
        ("a", IndexError),
        (np.zeros(2), IndexError),
        (slice(1.5), TypeError),
        ((0, 0, 0, 0), IndexError),
        ((..., ...), IndexError),
        (2, IndexError),
        (np.ones(3, bool), IndexError),
    ],
    ids=str,
)
def test_what_is_no_index_is_refused(index, error):
    for rules in RULES:
        x = array(supremum.namespace(rules, backend="numpy"))
        with pytest.raises(error):
            x[index]
        with pytest.raises(error):
            x[index] = 1
    assert x.tolist() == np.arange(12).reshape(SHAPE).tolist()


def test_a_shape_is_that_of_the_part():
    for names in FORMS:
        expected = numpy_s(names)
        if expected is None:  # which may depend on values
            continue
        text = f"float64[{', '.join(map(str, SHAPE))}]"
        shape = supremum.eval_dtypes(operator.itemgetter(key(names)), text, rules="numpy").shape
        assert len(shape) == expected[0].ndim, names
        assert all(n in (m, None) for n, m in zip(shape, expected[0].shape, strict=True)), names
