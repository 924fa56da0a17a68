"""Random programs give the same dtypes and weakness on every backend, and the same values.

SUPREMUM_SEED says where to begin, SUPREMUM_PROGRAMS how many there are. A failure names the seed
and prints the program.
"""

import operator
import os
import random
import warnings

import numpy as np
import pytest

import supremum
from supremum.core.dtypes import by_name

jax = pytest.importorskip("jax")
pytest.importorskip("torch")
pytest.importorskip("dask")

SEED = int(os.environ.get("SUPREMUM_SEED", "20241201"))
PROGRAMS = int(os.environ.get("SUPREMUM_PROGRAMS", "25"))
BACKENDS = ("numpy", "torch", "jax", "dask")
SHAPES = ((), (3,), (1, 3), (2, 3), (3, 3), (2, 1))

# PyTorch has few functions of the other unsigned dtypes; test_arrays_backends says which.
WIDE = ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64")
DTYPES = {
    "jax": (*WIDE, "float16", "bfloat16", "complex64", "complex128"),
    "numpy": (*WIDE, "float16", "bfloat16", "complex64", "complex128"),
    "torch": (*WIDE, "float16", "bfloat16", "complex64", "complex128"),
    "array-api": (*WIDE, "complex64", "complex128"),
}
NUMBERS = (True, 2, -1, 300, 0.5, 1 + 1j)
OPERATORS = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv,
    "&": operator.iand, "|": operator.ior,
}  # fmt: skip
UNARY = (
    "abs", "bitwise_invert", "ceil", "conj", "cos", "exp", "floor", "isfinite", "isnan",
    "logical_not", "negative", "sin", "sqrt", "square", "tanh", "trunc",
)  # fmt: skip
BINARY = (
    "add", "bitwise_and", "bitwise_or", "bitwise_xor", "divide", "equal", "less", "maximum",
    "minimum", "multiply", "not_equal", "subtract",
)  # fmt: skip
REDUCTIONS = ("sum", "prod", "mean", "max", "min", "argmax", "any", "all", "var")
KEYS = (..., None, 0, -1, slice(None, None, 2), slice(None, None, -1), slice(1, None))

# Rounding differs: the libraries sum in different orders, and keep more bits for a while or not.
TOLERANCE = {"bfloat16": 0.1, "float16": 0.02, "float32": 1e-4, "complex64": 1e-4}


def elementwise(rng, pick):
    if rng.random() < 0.4:
        name, x = rng.choice(UNARY), pick()
        return f"{name}({x})", lambda xp, env: getattr(xp, name)(env[x])
    name, x, y = rng.choice(BINARY), pick(), pick()
    number = rng.choice(NUMBERS)
    if rng.random() < 0.4:
        return f"{name}({x}, {number})", lambda xp, env: getattr(xp, name)(env[x], number)
    return f"{name}({x}, {y})", lambda xp, env: getattr(xp, name)(env[x], env[y])


def reduction(rng, pick):
    name, x, axis = rng.choice(REDUCTIONS), pick(), rng.choice((None, -1))
    keep = rng.random() < 0.3
    told = f"{name}({x}, axis={axis} or None if 0-d, keepdims={keep})"
    return told, lambda xp, env: getattr(xp, name)(
        env[x], axis=axis if env[x].ndim else None, keepdims=keep
    )


def where(_, pick):
    c, x, y = pick(), pick(), pick()
    return f"where({c} != 0, {x}, {y})", lambda xp, env: xp.where(env[c] != 0, env[x], env[y])


def concat(_, pick):
    x, y = pick(), pick()
    return f"concat([{x}, {y}], axis=None)", lambda xp, env: xp.concat([env[x], env[y]], axis=None)


def indexing(rng, pick):
    x, key = pick(), rng.choice(KEYS)
    return f"{x}[{key}]", lambda _, env: env[x][key]


def stored(rng, pick):
    """Store an array or a number in part of a copy of an array."""
    x, key, value = pick(), rng.choice(KEYS), rng.choice((pick(), rng.choice(NUMBERS)))
    if rng.random() < 0.2:
        key = None

    def function(xp, env):
        made = xp.asarray(env[x], copy=True)
        made[made != 0 if key is None else key] = env.get(value, value)
        return made

    return f"a copy of {x} with [{'x != 0' if key is None else key}] = {value}", function


def in_place(rng, pick):
    """Put the result of an operator into a copy of an array."""
    x, sign, value = pick(), rng.choice([*OPERATORS]), rng.choice((pick(), rng.choice(NUMBERS)))

    def function(xp, env):
        made = xp.asarray(env[x], copy=True)
        return OPERATORS[sign](made, env.get(value, value))

    return f"a copy of {x} {sign}= {value}", function


def matmul(_, pick):
    x, y = pick(), pick()
    return f"{x} @ {y}", lambda _, env: env[x] @ env[y]


def astype(rng, pick, dtypes):
    x, d = pick(), rng.choice(dtypes)
    return f"astype({x}, {d})", lambda xp, env: xp.astype(env[x], by_name(d))


def scalar(rng):
    number = rng.choice(NUMBERS)
    return f"asarray({number})", lambda xp, _: xp.asarray(number)


def array(rng, dtypes):
    d, shape = rng.choice(dtypes), rng.choice(SHAPES)
    low = 0 if d.startswith(("u", "bool")) else -3
    values = np.asarray([rng.randint(low, 3) for _ in range(int(np.prod(shape)))])
    values = values.reshape(shape).tolist()
    return f"asarray({values}, dtype={d})", lambda xp, _: xp.asarray(
        np.asarray(values), dtype=by_name(d)
    )


def step(rng, names, dtypes):
    """Return the text and the function of one operation on what there is."""

    def pick():
        return rng.choice(names[-6:])

    kinds = (
        elementwise, elementwise, elementwise, reduction, where, concat, indexing, matmul,
        stored, in_place,
    )  # fmt: skip
    roll = rng.random()
    if roll < 0.1:
        return astype(rng, pick, dtypes)
    if roll < 0.2:
        return scalar(rng)
    if roll < 0.3:
        return array(rng, dtypes)
    return rng.choice(kinds)(rng, pick)


def run(function, xp, env):
    """Return what an operation gives, or None where it refuses the operands."""
    try:
        return function(xp, env)
    except (TypeError, ValueError, IndexError, OverflowError, NotImplementedError):
        return None


def numbers(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, when chunks are computed
        return np.asarray(x).astype(complex)


def checked(x, wanted, text):
    """Return an array that is right, with the values of another one where rounding differed.

    So what rounding does to one operation is no matter in the next, which may round up or down.
    """
    assert x.dtype == wanted.dtype, text
    assert x.weak_type == wanted.weak_type, text
    assert x.shape == wanted.shape, text
    found, right = numbers(x), numbers(wanted)
    if np.array_equal(found, right, equal_nan=True):
        return x
    tolerance = TOLERANCE.get(x.dtype.name, 1e-9)
    with np.errstate(all="ignore"):
        assert np.allclose(found, right, rtol=tolerance, atol=tolerance, equal_nan=True), text
    return type(x)(x.engine, x.engine.backend.make(wanted.native, x.dtype), x.key)


@pytest.mark.parametrize("rules", DTYPES)
def test_random_programs_give_the_same_on_every_backend(rules, count):
    jax.config.update("jax_enable_x64", True)
    spaces = {name: supremum.namespace(rules, backend=name) for name in BACKENDS}
    steps = 0
    for seed in range(SEED, SEED + PROGRAMS):
        steps += one_program(random.Random(seed), spaces, DTYPES[rules], f"seed {seed}\n")
    assert steps >= 10 * PROGRAMS
    count(f"random programs by {rules} rules: {PROGRAMS} from seed {SEED}, {steps} operations")


def one_program(rng, spaces, dtypes, text):
    """Run a program on each backend, operation by operation; return how many there were."""
    envs = {name: {} for name in spaces}
    names, length = [], rng.randint(10, 20)
    while len(names) < length:
        told, function = step(rng, names, dtypes) if len(names) > 3 else array(rng, dtypes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of infinities
            wanted = run(function, spaces["numpy"], envs["numpy"])
        if wanted is None:
            for backend, env in envs.items():
                found = run(function, spaces[backend], env)
                assert found is None, f"{text}{told} on {backend}, which numpy refuses"
            continue
        value = numbers(wanted)
        if value.size > 64 or not np.all(np.abs(value) < 100):
            continue  # what is large or infinite would differ by more than rounding
        name = f"x{len(names)}"
        text += f"{name} = {told}  # {wanted.dtype}\n"
        for backend, env in envs.items():
            try:
                made = wanted if backend == "numpy" else function(spaces[backend], env)
            except NotImplementedError:  # of an index that Dask does not take
                if backend != "dask":
                    raise AssertionError(f"{text}on {backend}") from None
                break
            except supremum.DTypeError:
                if backend != "torch" and wanted.dtype.name != "complex32":
                    raise AssertionError(f"{text}on {backend}") from None
                break
            except Exception as error:
                raise AssertionError(f"{text}on {backend}") from error
            env[name] = checked(made, wanted, f"{text}on {backend}")
        else:
            names.append(name)
            continue
        # PyTorch lacks a function of the dtype, or JAX complex32: so there is no such name
        text = text.rpartition(f"{name} = ")[0]
        for env in envs.values():
            env.pop(name, None)
    return length
