"""The data of functions, and what decides by them: whole, in use, and for rules of one's own."""

import ast
from pathlib import Path

import pytest

import supremum
from supremum import PromotionSystem, arrays, operators
from supremum.arrays import space
from supremum.arrays.decide import Decider
from supremum.arrays.functions import (
    BESIDE_A_FLOAT,
    BINARY,
    COMPARISONS,
    EACH_FIRST,
    FALLBACK,
    KEEP_OPERANDS,
    METHODS,
    OTHERS,
    SPECIFIC,
    UNARY,
    WEAK_KINDS,
    WEAK_NUMBERS_ALONE,
)
from supremum.dtypes import KINDS, from_code
from supremum.operators import OPERATORS, rule_of
from supremum.table import REFUSED

# The rules that functions of another name, or that take an option, go by.
GO_BY = {
    **dict.fromkeys(("ifft", "fftn", "ifftn"), "fft"),
    **dict.fromkeys(("hfft", "irfftn"), "irfft"),
    **dict.fromkeys(("ihfft", "rfftn"), "rfft"),
    **dict.fromkeys(("unique_all", "unique_counts", "unique_inverse", "unique_values"), "unique"),
    "isin": "equal",
    "matrix_power": "eye inv same",
    "vector_norm": "norm norm_max norm_sum",
}
# What makes, moves, counts or asks. It keeps a dtype, has a default one, or is told which.
WITHOUT_RULES = {
    "__array_namespace_info__", "all", "any", "arange", "argsort", "asarray", "astype",
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "can_cast", "count_nonzero", "empty",
    "empty_like", "expand_dims", "fftfreq", "fftshift", "finfo", "flip", "from_dlpack", "full",
    "full_like", "ifftshift", "iinfo", "isdtype", "matrix_transpose", "meshgrid", "moveaxis",
    "nonzero", "ones", "ones_like", "permute_dims", "repeat", "reshape", "result_type", "rfftfreq",
    "roll", "sort", "squeeze", "take", "take_along_axis", "tile", "tril", "triu", "unstack",
    "zeros", "zeros_like",
}  # fmt: skip
CHAPTERS = (*space._CHAPTERS, space.fft, space.linalg)
PUBLIC = {name for chapter in CHAPTERS for name in chapter.__all__}
DECIDED = {rule for name in PUBLIC - WITHOUT_RULES for rule in GO_BY.get(name, name).split()}


def texts():
    """Return every text of every shipped set of rules, with the names of both."""
    for rules in supremum.systems():
        for name, text in Decider(supremum.system(rules)).rules.operators.items():
            yield rules, name, text


def constants():
    """Return the texts that stand in the code of arrays, but for the data themselves."""
    folder = Path(arrays.__file__).parent
    for path in folder.rglob("*.py"):
        if path.name != "functions.py":
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant):
                    yield node.value


def test_a_function_has_one_place():
    assert {*UNARY, *BINARY, *GO_BY, *WITHOUT_RULES} <= PUBLIC
    assert not {*UNARY, *BINARY, *GO_BY} & WITHOUT_RULES


@pytest.mark.parametrize("rules", supremum.systems())
def test_there_is_a_rule_for_each_function_by_all_rules(rules):
    known = Decider(supremum.system(rules)).rules.operators
    assert [name for name in sorted(DECIDED) if rule_of(known, name) is None] == []


def test_each_text_parses():
    words = {"alike", "numbers", "each", "shared", "into"}
    members = {*KINDS, "integer", "*"}
    for rules, name, text in texts():
        before, groups = operators._read(text)
        assert {word.split()[0] for word in before if word} <= words, (rules, name, text)
        for group, to in groups:
            for code in {*group, to} - members - {REFUSED, "part"}:
                d = from_code(code)
                assert code in (d.code, d.name), (rules, name, text)


def test_the_words_for_default_dtypes_are_replaced():
    for rules, name, text in texts():
        assert text == text.lower(), (rules, name, text)


def test_data_are_of_functions_in_use():
    used = {*UNARY, *BINARY, *(x for x in constants() if isinstance(x, str))}
    assert set(FALLBACK) == {*OPERATORS} - {"iadd"}
    assert {name for rules in SPECIFIC.values() for name in rules} <= used
    weak = {
        name for rules in WEAK_KINDS.values() for names in rules.values() for name in names.split()
    }
    for names in (OTHERS, KEEP_OPERANDS, weak, METHODS.values(), COMPARISONS.values()):
        assert set(names) <= used | {"matmul"}
    for names in (*EACH_FIRST.values(), *BESIDE_A_FLOAT.values()):
        assert set(names) <= used
    for by_rules in (SPECIFIC, WEAK_KINDS, EACH_FIRST, BESIDE_A_FLOAT, WEAK_NUMBERS_ALONE):
        assert set(by_rules) <= set(supremum.systems())


def test_no_rule_repeats_what_holds_without_it():
    for rules, own in SPECIFIC.items():
        known = {**FALLBACK, **OTHERS, **supremum.system(rules).operators}
        repeated = [name for name, text in own.items() if rule_of(known, name) == text]
        assert repeated == [], rules


def test_a_namespace_leaves_the_rules_alone():
    rules = supremum.system("numpy")
    before = dict(vars(rules), operators=dict(rules.operators))
    decider = Decider(rules)
    assert dict(vars(rules)) == before
    assert (decider.given, decider.rules.name) == (rules, "numpy")
    assert "fft" in decider.rules.operators
    with pytest.raises(supremum.RulesError):
        supremum.result_type("int8", system="numpy", op="fft")


@pytest.mark.parametrize(
    ("rules", "options", "defaults"),
    [
        ("jax", {}, "int64 float64 complex128"),
        ("jax", {"x64": False}, "int32 float32 complex64"),
        ("numpy", {}, "int64 float64 complex128"),
        ("torch", {}, "int64 float32 complex64"),
        ("torch", {"default_dtype": "float64"}, "int64 float64 complex128"),
        ("array-api", {"version": "2021.12"}, "int64 float64 complex128"),
        ("array-api", {"version": "2025.12"}, "int64 float64 complex128"),
    ],
)
def test_default_dtypes(rules, options, defaults):
    decider = Decider(supremum.system(rules, **options))
    assert " ".join(d.name for d in decider.defaults) == defaults
    whole = decider.defaults.int
    assert decider.decide("argmax", "int8").dtype is decider.rules.result_type(whole)


JAX = supremum.namespace("jax")
WEAK_INT, WEAK_FLOAT, STRONG = JAX.asarray(2), JAX.asarray(1.5), JAX.asarray([2], dtype="int16")


@pytest.mark.parametrize(
    ("name", "operands", "dtype", "weak"),
    [
        ("add", (WEAK_INT, 1), "int64", True),
        ("add", (WEAK_INT, WEAK_FLOAT), "float64", True),
        ("add", (WEAK_INT, STRONG), "int16", False),
        ("sin", (WEAK_FLOAT,), "float64", True),
        ("equal", (WEAK_INT, 1), "bool", True),
        ("equal", (WEAK_INT, STRONG), "bool", False),
        ("logical_and", (WEAK_INT, 1), "bool", False),
        ("isfinite", (WEAK_INT,), "bool", False),
        ("isfinite", (WEAK_FLOAT,), "bool", True),
        ("sum", (WEAK_INT,), "int64", False),
        ("argmax", (WEAK_INT,), "int64", False),
        ("pow", (WEAK_INT, 2), "int64", True),
        ("pow", (WEAK_INT, WEAK_INT), "int64", False),
        ("pow", (STRONG, 2), "int16", False),
    ],
)
def test_weakness_by_jax_rules(name, operands, dtype, weak):
    decision = Decider(supremum.system("jax")).decide(name, *operands)
    assert (decision.dtype.name, decision.weak) == (dtype, weak)


@pytest.mark.parametrize("rules", sorted(WEAK_NUMBERS_ALONE))
def test_arrays_are_strong_where_numbers_alone_are_weak(rules):
    decider = Decider(supremum.system(rules))
    assert not decider.keeps_weak
    assert not decider.decide("add", 1, 2).weak


def test_what_is_computed_in_the_dtype_of_the_operands():
    decider = Decider(supremum.system("numpy"))
    for name, operand, dtype, compute in (
        ("argmax", "float32", "int64", "float32"),
        ("equal", "int8", "bool", "int8"),
        ("abs", "complex64", "float32", "complex64"),
        ("sum", "int8", "int64", "int64"),
    ):
        operands = (operand,) if name != "equal" else (operand, operand)
        found = decider.decide(name, *operands)
        assert (found.dtype.name, found.compute.name) == (dtype, compute), name


def test_what_numpy_joins_otherwise():
    xp = supremum.namespace("numpy")
    short, single, half = (xp.ones(2, dtype=name) for name in ("int16", "float32", "float16"))
    assert (short + single).dtype.name == "float32"
    decide = xp.decider.decide
    assert decide("solve", short, single).dtype.name == "float64"
    assert decide("linspace", half, 1).dtype.name == "float16"
    assert decide("linspace", short, 1).dtype.name == "float64"
    with pytest.raises(supremum.PromotionError, match="numpy rules refuse float16"):
        decide("solve", half, half)


ARROWS = "i8 -> i16 -> f16"
WEAK = f"i* -> {ARROWS}; i* -> f* -> f16"


def own(arrows, **options):
    return supremum.namespace(PromotionSystem.from_lattice(arrows, "mine", **options))


@pytest.mark.parametrize(
    ("arrows", "options", "defaults"),
    [
        (ARROWS, {}, "int16 float16 complex128"),
        (WEAK, {}, "int16 float16 complex128"),
        (WEAK, {"widths": {}}, "int16 float16 complex128"),
        (WEAK, {"widths": {"int*": "int8"}}, "int8 float16 complex128"),
        ("u8 -> u16 -> bf16, f16 -> f32", {}, "uint16 float32 complex128"),
        ("bf16, f16 -> c64", {}, "int64 float16 complex64"),
        ("i* -> i8 -> i64; f*", {}, "int64 float64 complex128"),
    ],
)
def test_default_dtypes_are_among_those_of_the_rules(arrows, options, defaults):
    assert " ".join(d.name for d in own(arrows, **options).decider.defaults) == defaults


@pytest.mark.parametrize("options", [{}, {"widths": {}}, {"widths": {"int*": "int16"}}])
def test_rules_of_ones_own_with_weak_numbers(options):
    xp = own(WEAK, **options)
    x = xp.ones(2, dtype="int8")
    for made, dtype, weak in (
        (xp.asarray(1), "int16", True),
        (xp.asarray(1) + 1, "int16", True),
        (xp.asarray(1.5) * xp.asarray(2), "float16", True),
        (xp.asarray([1, 2]), "int16", False),
        (x + 1, "int8", False),
        (x + xp.asarray(1), "int8", False),
        (x + 1.5, "float16", False),
        (x / x, "float16", False),
        (xp.sum(x), "int8", False),
        (xp.zeros(2), "float16", False),
        (xp.arange(2), "int16", False),
        (xp.linspace(0, 1, 2), "float16", False),
    ):
        assert (made.dtype.name, made.weak_type) == (dtype, weak)


def test_indices_are_not_as_narrow_as_the_rules_integers():
    xp = own(WEAK)
    x = xp.concat([xp.zeros(300, dtype="int8"), xp.ones(1, dtype="int8")])
    found = xp.argmax(x)
    assert (found.dtype.name, int(found), xp.decider.index.name) == ("int64", 300, "int64")
    assert int(xp.searchsorted(x, xp.ones(1, dtype="int8"))[0]) == 300
    assert supremum.namespace("jax", x64=False).decider.index.name == "int32"


def test_rules_of_ones_own_without_weak_numbers():
    xp = own(ARROWS)
    x = xp.ones(2, dtype="int8")
    for made, dtype in (
        (xp.asarray(1), "int16"),
        (xp.asarray(1.5), "float16"),
        (x + xp.asarray(1), "int16"),
        (x / x, "float16"),
        (xp.zeros(2), "float16"),
    ):
        assert (made.dtype.name, made.weak_type) == (dtype, False)
    with pytest.raises(supremum.PromotionError) as caught:
        x + 1
    assert str(caught.value) == (
        "add on the numpy backend: mine rules refuse int8[2] with 1: they do not have int*; cast "
        "it first, to one of int8, int16"
    )


def test_a_number_of_a_kind_that_rules_lack_is_refused():
    with pytest.raises(supremum.PromotionError) as caught:
        own(WEAK).asarray(1j)
    assert str(caught.value) == (
        "mine rules refuse complex128: they do not have complex128; cast it first, to one of bool, "
        "int8, int16, float16"
    )


LATTICE = "i8 -> i16 -> f16"
TABLE = supremum.Table(
    (a := supremum.dtype("int8"), b := supremum.dtype("float16")),
    {(a, a): a, (a, b): b, (b, a): b, (b, b): b},
)


@pytest.mark.parametrize(
    "rules",
    [
        supremum.PromotionSystem.from_lattice(LATTICE, name="mine"),
        supremum.PromotionSystem("mine", TABLE),
        supremum.system("jax-lax"),
    ],
    ids=["lattice", "table", "jax-lax"],
)
def test_rules_without_bool_have_what_comparisons_give(rules):
    xp = supremum.namespace(rules)
    x, y = (xp.asarray([1, 2, 3], dtype=name) for name in ("int8", "float16"))
    big = x > xp.ones_like(x)
    assert (big.dtype, big.tolist()) == (xp.bool, [False, True, True])
    assert xp.all(big | ~big)
    assert xp.any(xp.logical_and(big, y == y[0])).tolist() is False
    assert xp.where(big, x, xp.zeros_like(x)).tolist() == [0, 2, 3]
    assert x[big].tolist() == [2, 3]
    assert xp.asarray(True).dtype == xp.bool
    with pytest.raises(supremum.PromotionError, match=r"refuse bool\[3\] with int8\[3\]"):
        big + x


def test_defaults_may_be_dtypes_without_a_short_code():
    xp = own("i8 -> float8_e5m2")
    x = xp.asarray([1, 2], dtype=xp.int8)
    for found in (xp.sin(x), x / x, xp.mean(x), xp.linalg.vector_norm(x)):
        assert found.dtype == xp.float8_e5m2
    assert (x / x).tolist() == [1.0, 1.0]
