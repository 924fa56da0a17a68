"""The namespace under JAX's rules, on NumPy, against the ``jax.numpy`` that is installed.

JAX says dtypes and weakness without computing, so that every function is asked of every operand or
pair of them. Values are compared for every function and dtype, in one compiled program for each.
"""

from functools import cache
from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import supremum
from supremum.arrays import space
from supremum.core.functions import canonical

from . import array_calls as calls

pytestmark = pytest.mark.filterwarnings(
    "ignore:Explicitly requested dtype:UserWarning",  # JAX's word on wide dtypes with x64 off
    "ignore::RuntimeWarning",  # NumPy's word on values such as acos(2), which are NaN for both
    "ignore:Casting from complex to real:DeprecationWarning",
    "ignore::numpy.exceptions.ComplexWarning",
)

TINY = [
    *("float4_e2m1fn", "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn"),
    *("float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu"),
]
# with so few values that what is rounded on the way decides; XLA fails on some of them
ROUGH = {*TINY} - {"float8_e4m3fn", "float8_e5m2"}
WIDE = {"uint64", "int64", "float64", "complex128"}
WEAK = {"weak int": 2, "weak float": 1.5, "weak complex": 1.5 + 0.5j}
UNSIGNED = ("uint1", "uint3", "uint6")  # those of more than 8 bits
REFUSED = "refused"
QUICKLY = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}


LINALG = {*calls.MATRIX, "solve"} - {"trace", "trace dtype", "matrix_norm", "matrix_power 0"}


def has_complex(names):
    return any("complex" in name or name == "1+1j" for name in names)


def is_narrow(names):
    return any(d in name for name in names for d in ("float16", *TINY))


DIFFERENT = {  # what is meant to differ: why, and which function, operands, JAX's answer and ours
    "JAX finds only in computing that it has no argmax of complex": lambda name, names, _, got: (
        name in ("argmax", "argmin") and has_complex(names) and got == REFUSED
    ),
    "NumPy has no loop for it": lambda name, names, _, got: (
        name in ("atan2", "logaddexp") and has_complex(names) and got == REFUSED
    ),
    "LAPACK has no floats of 16 bits and less, which JAX finds only in computing": (
        lambda name, names, _, got: name in LINALG and is_narrow(names) and got == REFUSED
    ),
    "JAX looks at ranks here: without dimensions weakness stays": lambda name, names, want, got: (
        name in ("hypot", "logical_and", "logical_not", "logical_or", "logical_xor")
        and not any("(3,)" in x for x in names)
        and [d for d, _ in want] == [d for d, _ in got]
    ),
    "JAX reads an integer exponent without dimensions, but not while it traces": (
        lambda name, names, *_: (
            (name == "pow" and "int" in names[1] and names[1].endswith("()"))
            or (name == "2 ** x" and ("int" in names[0] or names[0] == "1"))
        )
    ),
    "JAX takes two bools of Python for float32": lambda name, names, *_: (
        name == "linspace" and names == ("True", "True")
    ),
}


def dtypes(x64):
    return [d for d in (*calls.DTYPES, *TINY) if x64 or d not in WIDE]


def weak_array(xp, value, shape):
    """Return a weak array; a matrix has zeros beside its diagonal."""
    made = xp.broadcast_to(xp.asarray(value), shape)
    eye = xp.asarray(np.eye(3, dtype=bool))
    return xp.where(eye, made, xp.asarray(type(value)(0))) if len(shape) == 2 else made


def operands(xp, x64, shapes, *, numbers=False, place=0, without=frozenset()):
    made = {}
    for shape in shapes:
        natives = calls.natives([shape], place, [d for d in dtypes(x64) if d not in without])
        made |= {name: xp.asarray(native) for name, native in natives.items()}
        made |= {f"{name} {shape}": weak_array(xp, x, shape) for name, x in WEAK.items()}
    return made | (calls.NUMBERS if numbers else {})


def told(x):
    """Return the dtypes of arrays, and whether they are weak."""
    return [(str(x.dtype), bool(x.weak_type)) for x in calls.leaves(x) if hasattr(x, "dtype")]


def ours(call, xp, xs):
    try:
        return told(call(xp, *xs))
    except (TypeError, supremum.SupremumError):
        return REFUSED


def theirs(call, xs):
    """Return what JAX traces; it refuses dtypes with errors of value as well as of type."""
    try:
        return told(jax.tree.leaves(call(jnp, *xs)))
    except (TypeError, ValueError, NotImplementedError):
        return REFUSED


def traced(call, mine, asked):
    """Return what JAX says of operands such as ours, of all in one trace."""
    arrays = {name: x for name, x in mine.items() if name not in calls.NUMBERS}
    shaped = {
        name: jax.ShapeDtypeStruct(x.shape, x.dtype.to("numpy"), weak_type=x.weak_type)
        for name, x in arrays.items()
    }
    found = {}

    def trace(tracers):
        every = tracers | calls.NUMBERS
        found.update({names: theirs(call, [every[name] for name in names]) for names in asked})

    jax.eval_shape(trace, shaped)
    return found


def of_one_rank(names):
    """Tell whether arrays have one rank: mixing ranks changes nothing of dtypes."""
    return len({name.partition(" (")[2] for name in names if " (" in name}) < 2


def differences(domain, xp, x64):
    """Return how many cases there are, the unexplained differences, and the reasons met."""
    table, arity, shapes, numbers = calls.DOMAINS[domain]
    shapes = shapes if x64 else shapes[:1]
    mine = operands(xp, x64, shapes, numbers=numbers)
    second = operands(xp, x64, shapes, numbers=numbers, place=1)
    tried, different, met = 0, [], set()
    for name, call in table.items():
        asked = [names for names in product(mine, repeat=arity) if of_one_rank(names)]
        wanted = traced(call, mine, asked)
        for names in asked:
            places = (mine, second)
            got = ours(call, xp, [places[i][x] for i, x in enumerate(names)])
            want, tried = wanted[names], tried + 1
            if got == want:
                continue
            why = [r for r, fits in DIFFERENT.items() if fits(name, names, want, got)]
            met.update(why)
            if not why:
                different.append(f"{name} of {names}: JAX says {want}, we say {got}")
    return tried, different, met


@cache
def measured(domain, x64):
    return differences(domain, supremum.namespace("jax", x64=x64), x64)


@pytest.fixture(params=[True, False], ids=["x64", "x64_off"])
def x64(request):
    with jax.enable_x64(request.param):
        yield request.param


EVERY = [
    pytest.param(domain, x64, marks=pytest.mark.thorough if domain == "two" and x64 else ())
    for domain in calls.DOMAINS
    for x64 in (True, False)
]


@pytest.mark.parametrize(
    ("domain", "x64"), EVERY, indirect=["x64"], ids={True: "x64", False: "x64_off"}.get
)
def test_dtypes_and_weakness(domain, x64, count):
    tried, different, _ = measured(domain, x64)
    shown = "\n".join(different[:20])
    assert not different, f"{len(different)} of {tried} differ\n{shown}"
    said = f"x64 {'on' if x64 else 'off'}"
    count(f"jax {jax.__version__}, {said}: {tried:,} calls of {domain}, dtype and weakness equal")


def test_strict_mode(count):
    names = ("add", "multiply", "divide", "pow", "equal", "maximum", "atan2", "where")
    xp = supremum.namespace("jax", mode="strict")
    tried, different = 0, []
    with jax.enable_x64(True), jax.numpy_dtype_promotion("strict"):
        mine = operands(xp, True, [(3,)], numbers=True)
        for name in names:
            asked = list(product(mine, repeat=2))
            for pair, want in traced(calls.TWO[name], mine, asked).items():
                got = ours(calls.TWO[name], xp, [mine[x] for x in pair])
                tried += 1
                if got != want and not any(
                    fits(name, pair, want, got) for fits in DIFFERENT.values()
                ):
                    different.append((name, pair, want, got))
    assert not different, different[:20]
    count(f"jax {jax.__version__}, strict: {tried:,} calls, dtype and weakness equal")


def test_every_function_is_asked():
    chapters = (*space._CHAPTERS, space.fft, space.linalg)
    every = {name for chapter in chapters for name in chapter.__all__}
    asked = {call.partition(" ")[0] for table, *_ in calls.DOMAINS.values() for call in table}
    of_dtypes = {"can_cast", "finfo", "iinfo", "isdtype", "result_type"}
    assert every - asked == {
        "__array_namespace_info__",
        "broadcast_shapes",
        "from_dlpack",
        *of_dtypes,
    }


@pytest.mark.thorough
def test_each_reason_is_met():
    met = set()
    with jax.enable_x64(True):
        for domain in ("one", "matrix", "flats", "two"):
            met |= measured(domain, True)[2]
    assert met == set(DIFFERENT)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("square", ""), ("std", ""), ("pow", "weak signed float; b: i32")],
)
def test_a_wrong_rule_is_noticed(name, wrong, monkeypatch):
    domain = "two" if name == "pow" else "one"
    table, *rest = calls.DOMAINS[domain]
    monkeypatch.setitem(calls.DOMAINS, domain, ({name: table[name]}, *rest))
    with jax.enable_x64(True):
        xp = calls.changed("jax", {canonical(name): wrong})
        _, different, _ = differences(domain, xp, True)
    assert different


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])
def test_powers_that_jax_multiplies_out(backend, count):
    with jax.enable_x64(True):
        xp, tried = supremum.namespace("jax", backend=backend), 0
        mine, yours = (operands(space, True, [(3,), ()], without={*TINY}) for space in (xp, jnp))
        whole = [name for name in mine if "int" in name and name.endswith("()")]
        for name, x in mine.items():
            if backend == "torch" and name[:5] in UNSIGNED:
                continue  # of which PyTorch computes no powers
            pairs = [(mine[n], yours[n]) for n in whole] + [(n, n) for n in (True, 2, 10, 200)]
            if "float" in name or "complex" in name:
                pairs += [(n, n) for n in (-1, -2, -3)]
            for own, their in pairs:
                got, want = x**own, yours[name] ** their
                tried += 1
                assert told([got]) == told([want]), (name, own)
                equal = close if "complex" in name else np.array_equal
                assert equal(np.asarray(got), np.asarray(want)), (name, own, got, want)
    count(f"jax {jax.__version__}: {tried:,} powers on {backend}, dtype, weakness and values equal")


def close(mine, yours):
    a = np.asarray(mine)
    b = np.asarray(yours)
    d = supremum.dtype(str(b.dtype))
    if d.kind not in ("float", "complex"):
        return np.array_equal(a, b)
    eps = 2.0 ** (1 - d.part.precision) * (4 if d.part.bits <= 16 else 64)
    wide = np.complex128 if d.kind == "complex" else np.float64
    return np.allclose(a.astype(wide), b.astype(wide), rtol=eps, atol=eps, equal_nan=True)


def covering(domain, xp, x64):
    """Return operands, and the pairs in which each meets itself, the next one, and a number."""
    _, arity, shapes, numbers = calls.DOMAINS[domain]
    first = operands(xp, x64, shapes[:1], numbers=numbers, without=ROUGH)
    second = operands(xp, x64, shapes[:1], numbers=numbers, place=1, without=ROUGH)
    names = list(first)
    if arity == 1:
        return first, second, [(name,) for name in names]
    pairs = [(a, names[(i + step) % len(names)]) for i, a in enumerate(names) for step in (0, 5)]
    return first, second, pairs


def ordered(name, arrays):
    """Return arrays as they compare: LAPACK's eigenvalues come in any order."""
    found = [getattr(x, "native", x) for x in arrays]
    return [np.sort(np.asarray(found[0]))] if name in ("eig", "eigvals") else found


@pytest.mark.parametrize("domain", [d for d in calls.DOMAINS if d != "made"])
def test_values(domain, count):
    with jax.enable_x64(True):
        xp = supremum.namespace("jax", backend="numpy")
        first, second, cases = covering(domain, xp, True)
        shape = calls.DOMAINS[domain][2][:1]
        as_jax = [operands(jnp, True, shape, place=place, without=ROUGH) for place in (0, 1)]
        tried, different = 0, []
        for name, call in calls.DOMAINS[domain][0].items():
            if name.startswith("unique") or name == "nonzero":
                continue  # JAX pads them here; see below
            mine = {}
            for names in cases:
                xs = [(first, second)[i][n] for i, n in enumerate(names)]
                fails = name in LINALG and is_narrow(names)  # in JAX, see above
                if not fails and ours(call, xp, xs) != REFUSED:
                    mine[names] = calls.leaves(call(xp, *xs))
            found = compiled(call, mine, as_jax)
            for names, yours in found.items():
                tried += 1
                if not all(map(close, ordered(name, mine[names]), ordered(name, yours))):
                    different.append((name, names, mine[names], yours))
        assert not different, different[:10]
    count(f"jax {jax.__version__}: {tried:,} calls of {domain}, values equal")


def compiled(call, cases, as_jax):
    """Return JAX's values for the cases that it takes, of one compiled program."""
    taken = []

    def program(arrays):
        found = []
        for names in cases:
            xs = [
                calls.NUMBERS[n] if n in calls.NUMBERS else arrays[i][n]
                for i, n in enumerate(names)
            ]
            if theirs(call, xs) != REFUSED:
                taken.append(names)
                found.append(jax.tree.leaves(call(jnp, *xs)))
        return found

    found = jax.jit(program, compiler_options=QUICKLY)(as_jax)
    return dict(zip(taken, found, strict=True))


@pytest.mark.parametrize("d", ["bool", "int8", "uint64", "bfloat16", "float32", "complex64"])
def test_values_of_unknown_lengths(d):
    xp = supremum.namespace("jax", backend="numpy")
    native = np.array([2, 1, 0, 2, 1]).astype(supremum.dtype(d).to("numpy"))
    with jax.enable_x64(True):
        for name in ("unique_all", "unique_counts", "unique_inverse", "nonzero"):
            mine = getattr(xp, name)(xp.asarray(native))
            yours = getattr(jnp, name)(jnp.asarray(native))
            assert all(map(close, [x.native for x in mine], yours)), name
        mine = xp.sort(xp.unique_values(xp.asarray(native)))
        assert close(mine.native, jnp.unique_values(jnp.asarray(native)))


def test_what_is_traced_has_the_casts_and_the_function_alone():
    xp = supremum.namespace("jax", backend="jax")
    x, y = xp.ones(3, dtype=xp.int32), xp.ones(3, dtype=xp.float32)
    traced = jax.make_jaxpr(lambda x, y: (x + y).native)(x, y)
    assert [step.primitive.name for step in traced.eqns] == ["convert_element_type", "add"]
