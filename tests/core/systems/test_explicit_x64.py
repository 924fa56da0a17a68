"""JAX's 64-bit dtypes that are asked for while they are off, as JAX's own tests have them."""

import json
from itertools import product
from pathlib import Path

import pytest

import supremum
from supremum.core.dtypes import from_code
from supremum.core.operands import Operand, operand

GOLDEN = Path(__file__).parents[2] / "golden"
NUMBERS = {"i*": 0, "f*": 0.0, "c*": 0j}
WIDE = ("int64", "uint64", "float64", "complex128")
NARROW = ("int32", "uint32", "float32", "complex64")
MODES = ("warn", "error", "allow")


def rules_of(explicit, **options):
    return supremum.system("jax", x64=False, explicit_x64=explicit, **options)


def array(name, library="JAX", rank=0):
    return Operand(f"{name}[]", from_code(name), False, "array", library, (3,) * rank)


def answer(rules, *operands, op=None):
    """Return the code of an answer, by its kind if it is weak; refused is ``-``."""
    try:
        found = rules.explain(*operands, op=op)
    except supremum.PromotionError:
        return "-"
    code = found.result.code
    return f"{code[0]}*" if found.weak else code


def cells(name):
    rows = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["table"]
    return {(a, b): answer for a, row in rows.items() for b, answer in row.items()}


def requested(rules, code):
    """Return what a program has that asks for an array of a dtype, or a Python number."""
    if code in NUMBERS:
        return operand(NUMBERS[code])
    return array(rules.result_type(from_code(code)).name)


@pytest.mark.parametrize("explicit", ["warn", "allow"])
@pytest.mark.parametrize("op", [None, "add"])
def test_every_cell_of_jaxs_own_table(explicit, op):
    rules, written = rules_of(explicit), cells(f"jax_explicit_x64_{explicit}")
    assert len(written) == 324
    found = {
        pair: answer(rules, *(requested(rules, code) for code in pair), op=op) for pair in written
    }
    assert found == written


@pytest.mark.parametrize("op", [None, "add"])
def test_dtypes_as_operands_give_the_same_as_arrays_of_them(op):
    for explicit in ("warn", "allow"):
        rules, written = rules_of(explicit), cells(f"jax_explicit_x64_{explicit}")
        of_dtypes = {
            (a, b): answer(rules, *(NUMBERS.get(x, from_code(x)) for x in (a, b)), op=op)
            for a, b in written
        }
        assert of_dtypes == written


def test_what_is_allowed_differs_from_64_bit_types_that_are_on_in_one_join():
    # as a comment in JAX's test has it: uint32 and a signed integer do not make int64
    on, allowed = supremum.system("jax"), rules_of("allow")
    differing = {
        (a.name, b.name)
        for a, b in product(on.dtypes, repeat=2)
        if answer(on, a, b) != answer(allowed, a, b)
    }
    pairs = {("uint32", name) for name in ("int8", "int16", "int32")}
    assert differing == pairs | {(b, a) for a, b in pairs}


# tests/dtypes_test.py of JAX 0.10.2, testDtypeFromDtype, and tests/api_test.py, test_dtype_warning
@pytest.mark.parametrize("version", ["0.10.2", "0.9.2", "0.8.3"])
@pytest.mark.parametrize(("wide", "narrow"), [*zip(WIDE, NARROW, strict=True)])
def test_a_dtype_that_is_asked_for(wide, narrow, version):
    options = {"version": version}
    assert rules_of("warn", **options).result_type(wide).name == narrow
    assert rules_of("allow", **options).result_type(wide).name == wide
    with pytest.raises(supremum.PromotionError, match=f"refuse {wide}; take {narrow}"):
        rules_of("error", **options).result_type(wide)
    for explicit in MODES:
        on = supremum.system("jax", explicit_x64=explicit, **options)
        assert on.result_type(wide).name == wide
        assert rules_of(explicit, **options).result_type(narrow).name == narrow


# tests/dtypes_test.py of JAX 0.10.2, testBinaryPromotion, the cases with float64
@pytest.mark.parametrize("of_float64", [0.0, "float16", "float32", "float64"])
def test_a_float64_that_is_asked_for_beside_floats(of_float64):
    other = operand(0.0) if of_float64 == 0.0 else array(of_float64)
    for x, y in ((array("float64"), other), (other, array("float64"))):
        assert answer(rules_of("allow"), x, y, op="add") == "f64"


@pytest.mark.parametrize("explicit", MODES)
def test_numpys_arrays_numbers_and_defaults_are_narrow_in_each(explicit):
    rules = rules_of(explicit)
    for wide, narrow in zip(WIDE, NARROW, strict=True):
        assert rules.result_type(array(wide, "NumPy", 1)).name == narrow
        assert rules.result_type(array(wide, "NumPy", 1), op="negative").name == narrow
    assert [rules.result_type(x).name for x in (1, 1.0, 1j)] == ["int32", "float32", "complex64"]
    assert [d.name for d in rules.default_dtypes] == ["int32", "float32", "complex64", "int32"]
    assert rules.result_type("uint32", "int32").name == "int32"
    assert rules.result_type("int32", op="sum").name == "int32"


def test_if_it_is_refused_older_arrays_join_with_their_like_alone():
    rules, old = rules_of("error"), array("int64")
    assert rules.result_type(old).name == rules.result_type(old, old).name == "int64"
    assert rules.result_type(old, array("uint64")).name == "float32"  # which has 32 bits
    for other in (array("int32"), 1, array("int64", "NumPy")):
        with pytest.raises(supremum.PromotionError, match="refuse int64; take int32"):
            rules.result_type(old, other)
    with pytest.raises(supremum.PromotionError, match="some functions refuse it"):
        rules.result_type(old, op="negative")


# of arrays that are kept: functions that keep them, and those in which JAX 0.10.2 fails
FUNCTIONS = """
    sum i64 -> i64; sum u64 -> u64; sum i32 -> i32; sum u8 -> u32; mean i64 -> f64; sin u64 -> f64
    sin f64 -> f64; log2 f64 -> f64; vector_norm i64 -> f64; vector_norm i32 -> f32; fft f64 -> c128
    argsort f64 -> i32; max f64 -> f64; max u64 -> u64; bincount u64 -> i32; add i64 i32 -> i64
    add i64 u64 -> f*; matmul i64 i32 -> i64; log10 f32 -> f32
    log10 f64 -> -; geomspace f64 f32 -> -; argmax i64 -> -; argmin f64 -> -; min i64 -> -
    max i64 -> -; bincount i64 -> -; frexp[0] f64 -> -; matmul i64 u64 -> -; dot u64 i32 -> -
    einsum i64 u64 -> -
"""
CALLS = [call.strip() for line in FUNCTIONS.split("\n") for call in line.split(";") if call.strip()]


@pytest.mark.parametrize("call", CALLS)
def test_functions_of_arrays_that_are_kept(call):
    asked, _, want = call.partition(" -> ")
    op, *names = asked.split()
    found = answer(rules_of("allow"), *(array(name, rank=1) for name in names), op=op)
    assert found == want


def test_products_of_mixed_signs_fail_unless_a_weak_array_makes_the_float():
    weak = array("float32", rank=1)._replace(weak=True)
    for op in ("matmul", "dot", "einsum"):
        assert answer(rules_of("allow"), weak, array("uint64", rank=1), op=op) == "f*"


@pytest.mark.parametrize("version", ["0.7.2", "0.7.1", "0.4.35"])
@pytest.mark.parametrize("explicit", MODES)
def test_rules_of_releases_without_the_option_ignore_it(version, explicit):
    found, usual = (rules_of(e, version=version) for e in (explicit, "warn"))
    assert found.label == usual.label == f"x64 off, {version}"
    assert found.releases == usual.releases
    for a, b in product(found.dtypes, repeat=2):
        assert answer(found, a, b) == answer(usual, a, b)
        assert answer(found, a, b, op="add") == answer(usual, a, b, op="add")


def test_rules_say_what_they_are_set_to_and_which_releases_have_it():
    assert rules_of("allow").label == "x64 off, explicit x64 allowed"
    assert rules_of("error", mode="strict").label == "x64 off, explicit x64 refused, strict"
    assert rules_of("warn").label == "x64 off"
    assert supremum.system("jax", explicit_x64="allow").label == "x64 on"
    assert rules_of("allow").releases == ("0.10.2", "0.9.2", "0.8.3")
    assert "0.7.2" in rules_of("warn").releases
