"""Every form of an index, for each backend and for NumPy."""

import itertools

import numpy as np

SHAPE = (2, 3, 2)
PARTS = {
    "int": -2,
    "np.int8": np.int8(1),
    "slice": slice(None),
    "slice back": slice(None, None, -1),
    "slice of none": slice(9, None),
    "None": None,
    "...": Ellipsis,
    "True": True,
    "np.False_": np.False_,
    "0-d": np.array(-1),
    "array": np.array([0, -1, 1]),
    "2-d": np.array([[1], [0]]),
    "list": [1, 0, 1],
    "mask": np.array([True, False]),
    "mask of 3": np.array([True, False, True]),
    "2-d mask": np.array([[True, False, False], [True, True, False]]),
    "3-d mask": np.arange(12).reshape(SHAPE) % 3 == 0,
}
"""Parts of an index of an array of `SHAPE`; not every one fits everywhere."""

PAIRS = [*itertools.product(PARTS, repeat=1), *itertools.product(PARTS, repeat=2)]
TRIPLES = [
    (first, "slice", last)
    for first in ("int", "np.int8", "None", "True", "0-d", "array", "mask")
    for last in ("int", "0-d", "array", "2-d", "list", "mask", "None", "True")
]
FORMS = [*PAIRS, *TRIPLES, ()]


def key(names, made=lambda array: array):
    """Return an index, a tuple of more than one part, whose arrays `made` converts."""
    parts = [PARTS[name] for name in names]
    parts = [made(k) if isinstance(k, np.ndarray) else k for k in parts]
    return parts[0] if len(parts) == 1 else tuple(parts)


def numpy_s(names):
    """Return the part that NumPy reads, and whether it is a view; None if it refuses."""
    x = np.arange(12).reshape(SHAPE)
    try:
        part = x[key(names)]
    except IndexError:
        return None
    return np.array(part), isinstance(part, np.ndarray) and np.shares_memory(x, part)


def stored(names, value):
    """Return an array of NumPy after a store by an index."""
    x = np.arange(12).reshape(SHAPE)
    x[key(names)] = value
    return x.tolist()
