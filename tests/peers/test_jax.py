"""JAX's rules against the JAX that is installed, by exhaustion, in each of its settings.

There are rules for float6 and for weak uint1, but no arrays. So every pair is asked of tracers too,
which there are for all.
"""

import enum
from itertools import chain, combinations_with_replacement, product

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax._src.config import explicit_x64_dtypes  # which is a context, too
from jax._src.dtypes import _jax_types as JAX_DTYPES  # noqa: N812  # all that have rules
from jax._src.lax.lax import _convert_element_type  # the one way to weak arrays of any width

import supremum
from supremum.conformance.library import load
from supremum.conformance.measure import said
from supremum.conformance.questions import questions

pytestmark = pytest.mark.filterwarnings(
    # JAX says so of every 64-bit dtype object while x64 is off, and these are asked for on purpose
    "ignore:Explicitly requested dtype:UserWarning"
)

X64 = [(True, "warn"), (False, "warn"), (False, "error"), (False, "allow")]
SETTINGS = [(x64, mode, explicit) for (x64, explicit) in X64 for mode in ("standard", "strict")]
REFUSED = "refused"
NUMBERS = {"1": 1, "1.0": 1.0, "1j": 1j, "True": True}
TYPES = {kind.__name__: kind for kind in (int, float, complex, bool)}
DTYPES = {str(d): d for d in JAX_DTYPES}
DOCUMENT = [
    *("bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"),
    *("bfloat16", "float16", "float32", "float64", "complex64", "complex128"),
]
WIDE = ["int64", "uint64", "float64", "complex128"]
LAX_REFUSALS = ("requires arguments to have the same dtypes", "does not accept dtype bool")


def named(setting):
    x64, mode, explicit = setting
    words = ["x64" if x64 else "x64_off", *({mode, explicit} - {"standard", "warn"})]
    return "-".join(sorted(words, key=("x64", "x64_off", "error", "allow", "strict").index))


MOST_OFTEN = [
    pytest.param(one, marks=() if one[2] == "warn" else pytest.mark.thorough) for one in SETTINGS
]
of_many_operands = pytest.mark.parametrize("setting", MOST_OFTEN, ids=named, indirect=True)


@pytest.fixture(params=SETTINGS, ids=named)
def setting(request):
    x64, mode, explicit = request.param
    with jax.enable_x64(x64), jax.numpy_dtype_promotion(mode), explicit_x64_dtypes(explicit):
        yield request.param


@pytest.fixture
def rules(setting):
    x64, mode, explicit = setting
    return supremum.system("jax", x64=x64, mode=mode, explicit_x64=explicit)


@pytest.fixture(params=[True, False], ids=["x64", "x64_off"])
def x64(request):
    with jax.enable_x64(request.param):
        yield request.param


def made(make):
    """Return an array a dtype, made with x64 on; JAX keeps the widths that it once made."""
    arrays = {}
    with jax.enable_x64(True):
        for name, dtype in DTYPES.items():
            try:  # from NumPy, as jnp.ones may make one-bit arrays out of bool's
                arrays[name] = make(jax.device_put(np.ones((), dtype)))
            except (jax.errors.JaxRuntimeError, ValueError):
                continue  # no array of this dtype can be made
    assert all(x.dtype == DTYPES[name] for name, x in arrays.items())
    return arrays


def weaken(x):
    return _convert_element_type(x, x.dtype, weak_type=True)


def document():
    """Return arrays of the design document's dtypes, Python numbers, and weak arrays of these."""
    weak = {f"weak {name}": jnp.asarray(x) for name, x in NUMBERS.items()}
    return {**{name: STRONG[name] for name in DOCUMENT}, **NUMBERS, **weak}


STRONG = made(lambda x: x)
WEAK = made(weaken)
ARRAYS = {
    **{f"array {name}": x for name, x in STRONG.items()},
    **{f"weak {name}": x for name, x in WEAK.items()},
}
OPERANDS = {**ARRAYS, **{f"dtype {name}": d for name, d in DTYPES.items()}, **NUMBERS, **TYPES}


def refused(error):
    is_explicit = "Explicitly requested dtype" in str(error)
    assert is_explicit or isinstance(error, jax.dtypes.TypePromotionError), error
    return REFUSED


def theirs(*operands):
    try:
        found, weak = jax.dtypes.result_type(*operands, return_weak_type_flag=True)
    except KeyError:  # it has no width for weak int4
        return REFUSED
    except ValueError as error:
        return refused(error)
    return str(found), bool(weak)


def ours(rules, *operands):
    try:
        found = rules.result_type(*operands)
    except supremum.PromotionError:
        return REFUSED
    told = rules.explain(*operands)
    assert told.result is found
    return found.name, told.weak


def differences(rules, cases):
    """Return how many cases there are, and those in which JAX's answer and ours are not equal."""
    tried, different = 0, []
    for case in cases:
        names, operands = zip(*case, strict=True)
        tried += 1
        # ours the other way round: the order of operands must not matter
        want, got = theirs(*operands), ours(rules, *operands[::-1])
        if got != want:
            different.append(f"{', '.join(names)}: JAX says {want}, we say {got}")
    return tried, different


def assert_same(rules, cases):
    tried, different = differences(rules, cases)
    shown = "\n".join(different[:20])
    assert not different, f"{len(different)} of {tried} differ\n{shown}"
    return tried


def label(x64, *more):
    return ", ".join([f"jax {jax.__version__}", f"x64 {'on' if x64 else 'off'}", *more])


def test_rules_were_measured_on_this_release(rules):
    assert rules.version == jax.__version__
    assert {d.name for d in rules.dtypes if not d.weak} == set(DTYPES)


def test_which_arrays_jax_cannot_make():
    float6 = {"float6_e2m3fn", "float6_e3m2fn"}
    assert DTYPES.keys() - STRONG.keys() == float6
    assert DTYPES.keys() - WEAK.keys() == {*float6, "uint1"}


@of_many_operands
def test_every_operand_pair_and_triple(rules, setting, count):
    singles = assert_same(rules, ([x] for x in OPERANDS.items()))
    pairs = assert_same(rules, product(OPERANDS.items(), repeat=2))
    # by the pairs, a dtype is to JAX what an array of it is, and a type what its number is
    lone = {f"dtype {name}": DTYPES[name] for name in DTYPES.keys() - STRONG.keys()}
    nodes = {**ARRAYS, **lone, **NUMBERS}
    triples = assert_same(rules, combinations_with_replacement(nodes.items(), 3))
    count(f"{label(*setting)}: {singles} operands, {pairs:,} pairs, {triples:,} triples, all equal")


def test_numpy_arrays_and_scalars_with_every_operand(rules):
    arrays = {f"NumPy array {name}": np.zeros(2, d) for name, d in DTYPES.items()}
    scalars = {f"NumPy scalar {name}": np.zeros((), d)[()] for name, d in DTYPES.items()}
    for numpy in (arrays, scalars):
        assert_same(rules, product(numpy.items(), {**OPERANDS, **numpy}.items()))


@pytest.mark.filterwarnings("ignore")  # which JAX has in passing
@pytest.mark.parametrize("mode", ["standard", pytest.param("strict", marks=pytest.mark.thorough)])
def test_functions_of_64_bit_arrays_that_are_kept(mode, count):
    rules, library = supremum.system(f"jax:x64=false,mode={mode},explicit_x64=allow"), load("jax")
    asked = [q for q in questions(library, rules) if q.op and len(q.operands) == 1]
    asked = [q for q in asked if q.operands[0].dtype.name in WIDE]
    different = []
    with jax.enable_x64(False), jax.numpy_dtype_promotion(mode), explicit_x64_dtypes("allow"):
        for question in asked:
            try:
                want = library.operate(question.op, library.make(question.operands[0]))
            except Exception:  # noqa: BLE001  # a refusal is whatever JAX raises
                want = "-"
            if (got := said(rules, question, weak=True)) != want:
                different.append((question.op, question.operands[0].text, want, got))
    assert not different
    assert len(asked) > 700
    count(f"{label(False, mode, 'allow')}: {len(asked)} calls of functions, all equal")


def test_names_and_scalar_types_with_every_operand(rules):
    names = {f"name {name}": name for name in DTYPES}
    numpy = {f"NumPy type {name}": d.type for name, d in DTYPES.items()}
    # which are narrow if x64 is off, whatever becomes of those that are asked for
    left_out = {"bool", *(WIDE if rules.setting["explicit_x64"] != "warn" else ())}
    own = {f"JAX type {n}": getattr(jnp, n) for n in {*DTYPES} - left_out if hasattr(jnp, n)}
    for written in (names, numpy, own):
        assert_same(rules, product(written.items(), {**OPERANDS, **written}.items()))


@pytest.mark.parametrize("explicit", ["warn", "error", "allow"])
@pytest.mark.parametrize("name", WIDE)
def test_a_scalar_type_of_jax_is_no_explicit_dtype_to_result_type(name, explicit):
    with jax.enable_x64(False), explicit_x64_dtypes(explicit):
        narrow = {"complex128": "complex64"}.get(name, name.replace("64", "32"))
        assert jax.dtypes.result_type(getattr(jnp, name)).name == narrow


def test_promote_types(rules):
    # JAX ends in NumPy dtypes, so that float* is float64 there, of whatever width floats are
    weak = {"int*": "int64", "float*": "float64", "complex*": "complex128"}
    different = []
    for a, b in product([*JAX_DTYPES, int, float, complex], repeat=2):
        try:
            want = jnp.promote_types(a, b).name
        except jax.dtypes.TypePromotionError:
            want = REFUSED
        try:
            got = rules.promote_types(a, b).name
        except supremum.PromotionError:
            got = REFUSED
        if weak.get(got, got) != want:
            different.append((a, b, want, got))
    assert not different


@of_many_operands
def test_adding_arrays(rules, setting, count):
    # Weak arrays have the default widths here, as all have that a program makes: jnp.add keeps
    # other weak widths, which jax.dtypes.result_type does not.
    operands = document()
    different = []
    for a, b in product(operands, repeat=2):
        x, y = operands[a], operands[b]
        try:
            added = jnp.add(x, y)
            want = added.dtype.name, added.weak_type
        except ValueError as error:
            want = refused(error)
        if (got := ours(rules, x, y)) != want:
            different.append((a, b, want, got))
    assert not different
    count(f"{label(*setting)}: {len(operands) ** 2} pairs of operands to jnp.add, all equal")


def traced(test):
    """Run a test on a strong and a weak tracer of every dtype."""
    with jax.enable_x64(True):
        strong = {name: jax.ShapeDtypeStruct((), d) for name, d in DTYPES.items()}
        weak = {
            f"weak {name}": jax.ShapeDtypeStruct((), d, weak_type=True)
            for name, d in DTYPES.items()
        }
    jax.eval_shape(test, {**strong, **weak})


def test_tracers_of_every_dtype(rules, setting, count):
    def test(tracers):
        operands = {**tracers, **NUMBERS}
        assert_same(rules, ([x] for x in operands.items()))
        pairs = assert_same(rules, product(operands.items(), repeat=2))
        count(f"{label(*setting)}: {pairs:,} pairs of tracers, all equal")

    traced(test)


def test_lax_of_every_dtype(x64, count):
    rules = supremum.system("jax-lax", x64=x64)
    different = []

    def test(tracers):
        operands = {**tracers, **NUMBERS}
        for a, b in product(operands, repeat=2):
            x, y = operands[a], operands[b]
            try:
                added = jax.lax.add(x, y)
                want = added.dtype.name, added.weak_type
            except TypeError as error:
                if not any(why in str(error) for why in LAX_REFUSALS):
                    raise
                want = REFUSED
            if (got := ours(rules, x, y)) != want:
                different.append((a, b, want, got))
        count(f"{label(x64)}: {len(operands) ** 2:,} pairs of operands to lax.add, all equal")

    traced(test)
    assert not different


def test_lax_of_arrays(x64):
    rules = supremum.system("jax-lax", x64=x64)
    operands = document()
    for a, b in product(operands, repeat=2):
        x, y = operands[a], operands[b]
        try:
            added = jax.lax.add(x, y)
        except TypeError:
            assert ours(rules, x, y) == REFUSED, (a, b)
        else:
            assert ours(rules, x, y) == (added.dtype.name, added.weak_type), (a, b)


def test_a_python_integer_is_weak_and_an_array_of_one_is_not(x64):
    rules = supremum.system("jax", x64=x64)
    assert rules.result_type(jnp.int16(1), 1) == supremum.dtype("int16")
    wide = supremum.dtype("int64" if x64 else "int32")
    assert rules.result_type(jnp.int16(1), np.array(1)) is wide
    assert jax.dtypes.result_type(jnp.int16(1), np.array(1)) == wide


INSIDE = {
    "jit": jax.jit,
    "vmap": lambda f: lambda x: jax.vmap(f)(jnp.stack([x, x])),
    "jit of vmap": lambda f: lambda x: jax.jit(jax.vmap(f))(jnp.stack([x, x])),
    "grad": lambda f: jax.grad(lambda x: jnp.real(f(x)).astype("float32")),
    "jit of grad": lambda f: jax.jit(jax.grad(lambda x: jnp.real(f(x)).astype("float32"))),
}


INEXACT = ["bfloat16", "float32", "complex64"]
CASES = [
    (inside, name)
    for inside, name in product(INSIDE, ["bool", "int8", "uint32", *INEXACT])
    if "grad" not in inside or name in INEXACT
]


@pytest.mark.parametrize(("inside", "name"), CASES)
def test_tracers_inside(inside, name, rules):
    tried = []

    def test(x):
        assert isinstance(x, jax.core.Tracer)
        tried.append(assert_same(rules, product([("tracer", x)], OPERANDS.items())))
        return x

    INSIDE[inside](test)(STRONG[name])
    assert tried


@pytest.mark.parametrize("number", [1, 1.0, 1j])
def test_a_python_number_is_weak_inside_jit_too(number, rules):
    def test(x):
        assert x.weak_type
        assert_same(rules, product([("tracer", x)], OPERANDS.items()))
        return x

    jax.jit(test)(number)


@pytest.mark.parametrize("name", WIDE)
def test_arrays_from_when_x64_was_on(name):
    rules = supremum.system("jax", x64=False)
    x, narrow = STRONG[name], {"complex128": "complex64"}.get(name, name.replace("64", "32"))
    with jax.enable_x64(False):
        others = {**STRONG, **{f"NumPy {n}": np.zeros(2, d) for n, d in DTYPES.items()}}
        assert_same(rules, chain([[(name, x)]], product([(name, x)], others.items())))
    assert rules.result_type(x).name == name
    assert rules.result_type(x, x).name == name
    assert rules.result_type(x, STRONG["bool"]).name == narrow
    assert rules.result_type(x, np.zeros(2, name)).name == narrow
    assert rules.result_type(np.zeros(2, name)).name == narrow


@pytest.mark.parametrize("nothing", [[1.0], (1,), {}, object()])
def test_what_jax_refuses_as_an_operand_is_refused(nothing):
    with pytest.raises(TypeError):
        jax.dtypes.result_type(nothing, jnp.int8(1))
    with pytest.raises(supremum.DTypeError, match="is not an operand"):
        supremum.result_type(nothing, jnp.int8(1))


def test_none_is_refused_though_result_type_treats_it_as_a_float():
    assert jax.dtypes.result_type(None) == jnp.zeros(()).dtype
    with pytest.raises(TypeError):
        jnp.add(None, 1)
    with pytest.raises(supremum.DTypeError, match="None is not a valid operand"):
        supremum.result_type(None, 1)


@pytest.mark.parametrize("what", ["key", "float0", "date", "text"])
def test_what_is_not_a_number_is_refused_by_name(what):
    x = {
        "key": lambda: jax.random.key(0),
        "float0": lambda: np.zeros(2, jax.dtypes.float0),
        "date": lambda: np.datetime64("2020-01-01"),
        "text": lambda: np.array(["a"]),
    }[what]()
    with pytest.raises((TypeError, ValueError)):
        jax.dtypes.result_type(x, jnp.int8(1))
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.result_type(x, jnp.int8(1))
    name = {"key": "key<fry>", "float0": "float0", "date": "datetime64", "text": "str"}[what]
    assert name in str(caught.value)


class Level(enum.IntEnum):
    LOW = 1


class Metres(float):
    pass


class Phasor(complex):
    pass


@pytest.mark.parametrize(
    "number", [Level.LOW, Metres(1), Phasor(1)], ids=lambda x: type(x).__name__
)
def test_numbers_of_a_derived_class_are_not_weak(number, rules):
    # So says jax.dtypes.result_type; jnp.add takes them for weak.
    assert jnp.add(jnp.complex64(1), number).dtype == jnp.complex64
    assert_same(rules, product([("derived", number)], OPERANDS.items()))
    assert_same(rules, [[("derived", number)], [("derived", number)] * 2])


@pytest.mark.parametrize("setting", SETTINGS, ids=named, indirect=True)
def test_which_rules_jax_follows_now(setting):
    x64, _, explicit = setting
    followed = supremum.system(supremum.system("jax").library.rules_as_set(jax))
    assert followed.setting["explicit_x64"] == (explicit if not x64 else "warn")
    assert followed.setting["x64"] is x64
