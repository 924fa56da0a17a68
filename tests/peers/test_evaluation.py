"""What `eval_dtypes` gives without data is what the live library gives with it."""

import itertools
import random
import warnings

import numpy as np
import pytest

import supremum
from supremum.core.evaluation.code import AbstractArray

from . import array_calls as calls

MOST = 400  # calls of a domain, at random


def space_of(rules):
    """Return the array API's namespace of a library, and what makes an array of NumPy's."""
    if rules == "numpy":
        return np, lambda x: x
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    return jax.numpy, jax.numpy.asarray


def is_unasked(rules, name, operands):
    """Return whether a call depends on a value that JAX reads, an exponent without dimensions."""
    if rules != "jax":
        return False
    shape = getattr(operands[-1], "shape", (1,)) if operands else (1,)
    return name in ("pow", "2 ** x") and not shape


ELEMENTWISE = ("one", "two")  # which compile quickly, and refuse some dtypes only then


def given(function, xp, operands, domain):
    """Return what a call gives. JAX traces it if it can, which takes much less than compiling."""
    if xp is np or domain in ELEMENTWISE:
        return function(xp, *operands)
    jax = pytest.importorskip("jax")

    def traced(*arrays):
        rest = iter(arrays)
        return function(xp, *(next(rest) if hasattr(x, "shape") else x for x in operands))

    try:
        return jax.eval_shape(traced, *(x for x in operands if hasattr(x, "shape")))
    except Exception:  # noqa: BLE001  # whatever it raises, the call itself decides
        return function(xp, *operands)


def fact(x):
    """Return dtype, weakness and shape of an array; anything else as it is."""
    if not hasattr(x, "shape"):
        return x
    weak = x.weak_type if isinstance(x, AbstractArray) else getattr(x, "weak_type", False)
    return supremum.dtype(x.dtype).name, weak, tuple(x.shape)


def answer(ask):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [*map(fact, calls.leaves(ask()))]
    except Exception as error:  # noqa: BLE001  # whatever a library raises
        return error


def alike(wanted, found):
    """Tell whether facts are equal, where lengths that depend on values may be unknown."""
    if isinstance(found, Exception) or len(wanted) != len(found):
        return False
    for one, other in zip(wanted, found, strict=True):
        if not isinstance(one, tuple) or not isinstance(other, tuple):
            return one == other
        lengths = zip(one[2], other[2], strict=False)
        same = len(one[2]) == len(other[2]) and all(n is None or m == n for m, n in lengths)
        if one[:2] != other[:2] or not same:
            return False
    return True


def text_of(x):
    """Return an operand as `eval_dtypes` takes it."""
    if type(x) in (bool, int, float, complex):
        return x
    d, weak, shape = fact(x)
    return f"{d}{'*' if weak else ''}[{', '.join(map(str, shape))}]"


def ours(function, rules, operands):
    """Return what a call gives without data."""

    def run(*arrays):
        space = next(x for x in arrays if isinstance(x, AbstractArray)).__array_namespace__()
        return function(space, *arrays[: len(operands)])

    texts = [*map(text_of, operands), "float32[]"]
    return answer(lambda: supremum.eval_dtypes(run, *texts, rules=rules))


@pytest.mark.parametrize("rules", ["numpy", "jax"])
@pytest.mark.parametrize("domain", calls.DOMAINS)
def test_it_says_what_the_library_gives(rules, domain, count):
    functions, number, shapes, with_numbers = calls.DOMAINS[domain]
    functions = {name: f for name, f in functions.items() if not name.startswith("int16(1)")}
    xp, made = space_of(rules)
    places = []
    for place in range(number):
        own = [x for n in calls.natives(shapes, place).values() if (x := made(n)) is not None]
        places.append([*own, *(calls.NUMBERS.values() if with_numbers else ())])
    every = list(itertools.product(functions, itertools.product(*places)))
    every = random.Random(7).sample(every, min(MOST, len(every)))
    asked, wrong = 0, {}
    for name, operands in every:
        wanted = answer(lambda f=functions[name], x=operands: given(f, xp, x, domain))
        if isinstance(wanted, Exception) or is_unasked(rules, name, operands):
            continue
        asked += 1
        if not alike(wanted, found := ours(functions[name], rules, operands)):
            wrong.setdefault(name, []).append(([*map(text_of, operands)], wanted, found))
    missed = sum(map(len, wrong.values()))
    count(f"without data, {rules} rules, {domain}: {asked} calls, {missed} otherwise")
    assert asked > 5
    for name, cases in wrong.items():
        print(len(cases), name, *cases[0])
    assert not wrong


def test_random_indices_have_the_shapes_of_numpy(count):
    rng = np.random.default_rng(5)
    asked = 0
    for _ in range(3000):
        shape = tuple(map(int, rng.integers(1, 5, rng.integers(1, 4))))
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
        text = f"float64[{', '.join(map(str, shape))}]"
        found = supremum.eval_dtypes(lambda a, k=tuple(key): a[k], text, rules="numpy")
        assert found.shape == wanted, (shape, key)
        asked += 1
    count(f"without data: {asked} indices")
    assert asked > 2000
