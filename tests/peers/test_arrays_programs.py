"""Programs drawn by Hypothesis give the same on every backend: dtypes, weakness, values, refusals.

SUPREMUM_PROGRAMS says how many there are for each set of rules, SUPREMUM_SEED which. A failure
prints the shortest program that Hypothesis finds.
"""

import operator
import os
import warnings

import numpy as np
import pytest

import supremum
from supremum.core.dtypes import by_name

hypothesis = pytest.importorskip("hypothesis")
jax = pytest.importorskip("jax")
pytest.importorskip("torch")
pytest.importorskip("dask")

st = hypothesis.strategies
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
NUMBERS = (True, 0, 2, -1, 300, -(2**31) - 1, 2**63, 0.5, 1 + 1j)
OPERATORS = {
    "+": operator.iadd, "-": operator.isub, "*": operator.imul, "/": operator.itruediv,
    "&": operator.iand, "|": operator.ior,
}  # fmt: skip
BOTH_WAYS = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "&": operator.and_,
    "^": operator.xor, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">=": operator.ge,
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
KEYS = (
    ..., None, 0, -1, 2, slice(None, None, 2), slice(None, None, -1), slice(1, None), slice(0, 0),
    (..., 0), (0, 0), [0], [True, False, True],
)  # fmt: skip

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


def operated(rng, pick):
    """Apply an operator to an array and a number, or to two arrays."""
    sign, x, y = rng.choice([*BOTH_WAYS]), pick(), rng.choice((pick(), *NUMBERS))
    first, second = (x, y) if rng.random() < 0.5 else (y, x)

    def function(_, env):
        given = env.get(second, second)
        if sign == "**" and second in env and not given.ndim and given.dtype.kind in "iu":
            given = given[None]  # JAX's rules read it where its value is known, which Dask's is not
        return BOTH_WAYS[sign](env.get(first, first), given)

    return f"{first} {sign} {second}, which has an axis as an exponent", function


def clipped(rng, pick):
    x, low, high = pick(), rng.choice((None, 0, -1, 0.5)), rng.choice((1, 300, 1.5))
    return f"clip({x}, {low}, {high})", lambda xp, env: xp.clip(env[x], low, high)


def shaped(rng, pick):
    x, (name, given) = pick(), rng.choice((
        ("reshape", ((-1,),)), ("reshape", ((3, -1),)), ("expand_dims", ()), ("flip", ()),
        ("matrix_transpose", ()), ("squeeze", (0,)), ("roll", (1,)), ("broadcast_to", ((2, 3),)),
    ))  # fmt: skip
    return f"{name}({x}, {given})", lambda xp, env: getattr(xp, name)(env[x], *given)


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
    if key == [True, False, True]:
        key = [2, 0, -1]  # Dask does not know how many a mask takes
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

    def function(xp, env):
        is_negative = env[x].dtype.kind in "fc" and d.startswith("u")  # C leaves it undefined
        return xp.astype(xp.abs(env[x]) if is_negative else env[x], by_name(d))

    return f"astype({x}, {d}), of its size where a float has a sign, and {d} none", function


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
        stored, stored, in_place, operated, operated, operated, clipped, shaped,
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
    """Return what an operation gives, and None; or None, and the sort of the refusal."""
    try:
        made = function(xp, env)
        numbers(made)  # some of Dask's refusals come when it computes
    except REFUSALS as error:
        return None, next(kind for kind in REFUSALS if isinstance(error, kind))
    return made, None


REFUSALS = (
    supremum.DTypeError, supremum.PromotionError, OverflowError, IndexError, NotImplementedError,
    ValueError, TypeError,
)  # fmt: skip
"""The sorts of refusals; an error is of the first sort that it is an instance of."""


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
    return x.engine.same(x.engine.backend.make(wanted.native, x.dtype), x.key)


@pytest.mark.parametrize("rules", DTYPES)
def test_programs_give_the_same_on_every_backend(rules, count):
    jax.config.update("jax_enable_x64", True)
    spaces = {name: supremum.namespace(rules, backend=name) for name in BACKENDS}
    counts = []

    @hypothesis.seed(SEED)
    @hypothesis.settings(
        max_examples=PROGRAMS,
        deadline=None,
        database=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(st.randoms(use_true_random=False))
    def agree(rng):
        counts.append(one_program(rng, spaces, DTYPES[rules]))

    agree()
    assert sum(counts) >= 5 * PROGRAMS
    count(f"programs by {rules} rules: {len(counts)} from seed {SEED}, {sum(counts)} statements")


def one_program(rng, spaces, dtypes):
    """Run a program on each backend, statement by statement; return how many there were."""
    envs = {name: {} for name in spaces}
    names, text, steps, length = [], "\n", 0, rng.randint(10, 20)
    while steps < length:
        told, function = step(rng, names, dtypes) if len(names) > 3 else array(rng, dtypes)
        steps += 1
        found = {}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # NumPy's, of infinities
            warnings.filterwarnings("ignore", r"var\(\): degrees of freedom")  # PyTorch's
            for backend, env in envs.items():
                found[backend] = run(function, spaces[backend], env)
        wanted, refusal = found["numpy"]
        if refusal:
            for backend, (_, other) in found.items():
                alike = other is refusal or other in LACKING[backend]
                alike = alike or (backend == "jax" and refusal is IndexError)  # as it is documented
                # what the rules say of a value Dask does not ask, as it is not known yet
                of_values = refusal is supremum.PromotionError and other is ValueError
                alike = alike or (backend == "dask" and of_values)
                assert alike, f"{text}{told} on {backend}: {other}, and on numpy: {refusal}"
            continue
        lack = [name for name, (_, other) in found.items() if other in LACKING[name]]
        refused = [name for name, (_, other) in found.items() if other and name not in lack]
        assert not refused, f"{text}{told} on {refused}: {found}"
        if lack or not is_kept(wanted):
            continue
        name = f"x{len(names)}"
        text += f"{name} = {told}  # {wanted.dtype}\n"
        for backend, (made, _) in found.items():
            envs[backend][name] = checked(made, wanted, f"{text}on {backend}")
        names.append(name)
    return steps


LACKING = {
    "numpy": (),
    "torch": (supremum.DTypeError,),  # functions of a dtype
    "jax": (supremum.DTypeError,),  # complex32
    "dask": (NotImplementedError,),  # indices
}
"""The refusals of what a library lacks, for each backend."""


def is_kept(x):
    """Return whether the next statements may take an array: not if rounding would count there."""
    value = numbers(x)
    is_whole = x.dtype.kind in "biu"
    return value.size <= 64 and (is_whole or np.all(np.abs(value) < 100))
