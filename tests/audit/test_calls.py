"""Calls as the audit reads them: their operands, and the argument that the result goes into."""

import numpy as np
import pytest

from supremum.audit.log import calls
from supremum.audit.model.locations import Location

X, Y, OUT = np.ones(3), np.ones(3), np.zeros(3)


def place(name, arguments, keywords=()):
    """Return where a call with some arguments is, the last of which may have names."""
    words = ("",) * (len(arguments) - len(keywords)) + tuple(keywords)
    return Location("program.py", (1, 0, 1, 9), "call", name, keywords=words)


@pytest.mark.parametrize(
    ("name", "base", "arguments", "keywords", "expected"),
    [
        ("add", np, (X, Y, OUT), (), 2),
        ("add", np, (X, Y, OUT), ("out",), 2),
        ("add", np, (X, Y, None), ("out",), None),
        ("add", np, (X, Y), (), None),
        ("sqrt", np, (X, OUT), (), 1),
        ("round", np, (X, 2, OUT), (), 2),
        ("round", np, (X, 2), (), None),
        ("sum", np, (X, None, None, OUT), (), 3),
        ("sum", X, (None, None, OUT), (), 2),
        ("max", np, (X, None, OUT), (), 2),
        ("reduce", np.add, (X, 0, None, OUT), (), 3),
        ("reduceat", np.add, (X, [0], 0, None, OUT), ("out",), 4),
        ("frobnicate", np, (X, Y, OUT), (), None),
    ],
)
def test_the_argument_that_the_result_goes_into(name, base, arguments, keywords, expected):
    assert calls.output(place(name, arguments, keywords), OUT, base, arguments) == expected
    # a result that is an array of its own goes into none of those given by position
    if expected is not None and not keywords:
        assert calls.output(place(name, arguments), np.ones(3), base, arguments) is None


@pytest.mark.parametrize(
    ("name", "base", "arguments", "keywords", "expected"),
    [
        ("add", np, (X, 2), (), [X, 2]),
        ("dot", X, (Y,), (), [X, Y]),
        ("sum", np, (X, 1), (), [X]),
        ("sum", np, (X, Y), ("where",), [X]),
        ("concatenate", np, ([X, Y], 0), (), [X, Y]),
        ("where", np, (X, Y, 1.5), (), [Y, 1.5]),
        ("frobnicate", np, ([X, [Y]], 3), (), [X, Y]),
    ],
)
def test_the_operands_of_a_call(name, base, arguments, keywords, expected):
    found = calls.arrays(base, arguments, place(name, arguments, keywords))
    assert len(found) == len(expected)
    assert all(one is other for one, other in zip(found, expected, strict=True))
