"""The abstract backend gives the dtypes, weakness and shapes of the numpy backend, everywhere."""

import itertools
import math
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import supremum
from supremum.arrays.array import Array


def load(name):
    spec = spec_from_file_location(name, Path(__file__).with_name(f"{name}.py"))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


calls = load("array_calls")
RULES = ["numpy", "jax", "torch", "array-api"]


def facts(found):
    """Return dtype, weakness and shape of each array in a result."""
    return [
        (x.dtype.name, x.weak_type, x.shape) if isinstance(x, Array) else x
        for x in calls.leaves(found)
    ]


def answer(function, xp, operands):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return facts(function(xp, *operands))
    except (TypeError, ValueError, OverflowError, IndexError, np.linalg.LinAlgError) as error:
        return error


def alike(wanted, found):
    """Tell whether facts are equal, where lengths that depend on values may be unknown."""
    if len(wanted) != len(found):
        return False
    for one, other in zip(wanted, found, strict=True):
        if not isinstance(one, tuple) or not isinstance(other, tuple):
            return one == other
        lengths = zip(one[2], other[2], strict=False)
        same = len(one[2]) == len(other[2]) and all(n is None or m == n for m, n in lengths)
        if one[:2] != other[:2] or not same:
            return False
    return True


def is_read(x):
    """Return whether JAX reads an exponent: an integer without dimensions."""
    kind = supremum.result_type(x).kind
    return not getattr(x, "ndim", 0) and kind in ("signed", "unsigned")


@pytest.mark.parametrize(
    ("domain", "rules"),
    # pairs take long, and by the other rules most are refused
    [(d, r) for d in calls.DOMAINS for r in RULES if d != "two" or r in ("numpy", "jax")],
)
def test_it_says_what_numpy_gives(rules, domain, count):
    functions, number, shapes, with_numbers = calls.DOMAINS[domain]
    near, far = (supremum.namespace(rules, backend=b) for b in ("numpy", "abstract"))
    spaces = []
    for xp in (near, far):
        asked = []
        for place in range(number):
            own = [
                xp.asarray(x)
                for name, x in calls.natives(shapes, place).items()
                if xp.engine.decider.knows(supremum.dtype(name.partition(" ")[0]))
            ]
            asked.append([*own, *(calls.NUMBERS.values() if with_numbers else ())])
        spaces.append(list(itertools.product(*asked)))
    asked = refused = 0
    for name, function in functions.items():
        for operands, others in zip(*spaces, strict=True):
            wanted = answer(function, near, operands)
            if isinstance(wanted, supremum.DTypeError):
                continue  # NumPy cannot compute it
            if isinstance(wanted, TypeError) and "does not support" in str(wanted):
                continue
            found = answer(function, far, others)
            asked += 1
            if rules == "jax" and name in ("pow", "2 ** x") and is_read(operands[-1]):
                continue  # only its value makes it an int, which the abstract backend lacks
            if isinstance(wanted, Exception):
                refused += 1
                assert isinstance(found, Exception), (name, operands, wanted, found)
            else:
                assert not isinstance(found, Exception), (name, operands, wanted, found)
                assert alike(wanted, found), (name, operands, wanted, found)
    count(f"abstract backend, {rules} rules, {domain}: {asked} calls, {refused} refused")
    assert asked > 5


def test_random_indices_have_the_shapes_of_numpy(count):
    rng = np.random.default_rng(5)
    xp = supremum.namespace("numpy", backend="abstract")
    asked = 0
    for _ in range(3000):
        shape = tuple(rng.integers(1, 5, rng.integers(1, 4)))
        x = np.empty(shape)
        key, axis = [], 0
        while axis < len(shape) and rng.random() < 0.85:
            n, what = shape[axis], rng.integers(6)
            if what == 0:
                key.append(int(rng.integers(-n, n)))
            elif what == 1:
                low, high = rng.integers(-n - 1, n + 2, 2)
                key.append(slice(int(low), int(high), int(rng.choice([-2, -1, 1, 2]))))
            elif what == 2:
                key.append(None)
                continue
            elif what == 3 and ... not in [k for k in key if k is ...]:
                key.append(...)
                break
            elif what == 4:
                key.append(np.array(rng.integers(-n, n, rng.choice([1, 2]))))
            else:
                key.append(slice(None))
            axis += 1
        try:
            wanted = x[tuple(key)].shape
        except IndexError:
            continue
        own = tuple(xp.asarray(k) if isinstance(k, np.ndarray) else k for k in key)
        assert xp.asarray(x)[own].shape == wanted, (shape, key)
        asked += 1
    count(f"abstract backend: {asked} indices")
    assert asked > 2000


def test_what_depends_on_values_has_an_unknown_length():
    xp = supremum.namespace("jax", backend="abstract")
    x = xp.ones((3, 4), dtype=xp.float32)
    assert x[x > 0].shape == (None,)
    assert xp.sum(x[x > 0] * 2).shape == ()
    assert xp.concat([x[0], x[x > 0]]).shape == (None,)
    assert xp.unique_values(x).shape == xp.nonzero(x)[0].shape == (None,)
    assert repr(x[x > 0]) == "Array(shape=(?,), dtype=float32)"
    assert math.isnan(x[x > 0].native.shape[0])
