"""The rules that ship, against the drawings and tables of their documents."""

import re
from contextlib import suppress
from itertools import product

import pytest

import supremum
from supremum import dtype
from supremum.core import losses
from supremum.custom import Lattice, PromotionSystem

WITHIN = {
    "u8": ["u16"], "u16": ["u32"], "u32": ["u64"],
    "i8": ["i16"], "i16": ["i32"], "i32": ["i64"],
    "f16": ["f32"], "f32": ["f64"],
    "c64": ["c128"],
}  # fmt: skip
SCALARS = {
    "i*": ["f*", "u8", "i8"], "f*": ["c*", "f16"], "c*": ["c64"],
    "u8": ["u16"], "u16": ["u32"], "u32": ["u64"],
    "i8": ["i16"], "i16": ["i32"], "i32": ["i64"],
    "f16": ["f32"], "f32": ["f64"],
    "c64": ["c128"],
}  # fmt: skip
FLOAT_COMPLEX = {
    "i*": ["f*", "u8", "i8"], "f*": ["c*", "f16"], "c*": ["c64"],
    "u8": ["u16"], "u16": ["u32"], "u32": ["u64"],
    "i8": ["i16"], "i16": ["i32"], "i32": ["i64"],
    "f16": ["f32"], "f32": ["f64", "c64"], "f64": ["c128"],
    "c64": ["c128"],
}  # fmt: skip
INTEGERS = {
    "i*": ["f*", "u8", "i8"], "f*": ["c*", "f16"], "c*": ["c64"],
    "u8": ["u16", "i16"], "u16": ["u32", "i32"], "u32": ["u64", "i64"],
    "i8": ["i16"], "i16": ["i32"], "i32": ["i64"],
    "f16": ["f32"], "f32": ["f64", "c64"], "f64": ["c128"],
    "c64": ["c128"],
}  # fmt: skip
NO_LATTICE = {
    "i*": ["f*", "u8", "i8"], "f*": ["c*", "f16"], "c*": ["c64"],
    "u8": ["u16", "i16", "f16"], "u16": ["u32", "i32", "f32"], "u32": ["u64", "i64", "f64"],
    "i8": ["i16", "f16"], "i16": ["i32", "f32"], "i32": ["i64", "f64"],
    "f16": ["f32"], "f32": ["f64", "c64"], "f64": ["c128"],
    "c64": ["c128"],
}  # fmt: skip
OPTION_1 = {
    "i*": ["f*", "u8", "i8"], "f*": ["c*", "f16"], "c*": ["c64"],
    "u8": ["u16", "i16"], "u16": ["u32", "i32"], "u32": ["u64", "i64"],
    "i8": ["i16", "f16"], "i16": ["i32", "f32"], "i32": ["i64", "f64"],
    "f16": ["f32"], "f32": ["f64", "c64"], "f64": ["c128"],
    "c64": ["c128"],
}  # fmt: skip
OPTION_2 = {
    "i*": ["f*", "u8", "i8"], "f*": ["c*", "f16"], "c*": ["c64"],
    "u8": ["u16", "i16"], "u16": ["u32", "i32"], "u32": ["u64", "i64"],
    "i8": ["i16"], "i16": ["f16", "i32"], "i32": ["f32", "i64"], "i64": ["f64"],
    "f16": ["f32"], "f32": ["f64", "c64"], "f64": ["c128"],
    "c64": ["c128"],
}  # fmt: skip
OPTION_3 = {
    "i*": ["u8", "i8"], "f*": ["c*", "f16"], "c*": ["c64"],
    "u8": ["u16", "i16"], "u16": ["u32", "i32"], "u32": ["u64", "i64"],
    "i8": ["i16"], "i16": ["i32"], "i32": ["i64"], "i64": ["f*"],
    "f16": ["f32"], "f32": ["f64", "c64"], "f64": ["c128"],
    "c64": ["c128"],
}  # fmt: skip
OPTION_3_BFLOAT16 = {
    "i*": ["u8", "i8"], "f*": ["c*", "f16", "bf16"], "c*": ["c64"],
    "u8": ["u16", "i16"], "u16": ["u32", "i32"], "u32": ["u64", "i64"],
    "i8": ["i16"], "i16": ["i32"], "i32": ["i64"], "i64": ["f*"],
    "f16": ["f32"], "bf16": ["f32"], "f32": ["f64", "c64"], "f64": ["c128"],
    "c64": ["c128"],
}  # fmt: skip
JAX = {
    "i*": ["u8", "i8"], "f*": ["c*", "f16", "bf16"], "c*": ["c64"],
    "u8": ["u16", "i16"], "u16": ["u32", "i32"], "u32": ["u64", "i64"], "u64": ["f*"],
    "i8": ["i16"], "i16": ["i32"], "i32": ["i64"], "i64": ["f*"],
    "f16": ["f32"], "bf16": ["f32"], "f32": ["f64", "c64"], "f64": ["c128"],
    "c64": ["c128"],
}  # fmt: skip

FLOATS = """
         f16 f32 f64
    f16  f16 f32 f64
    f32  f32 f32 f64
    f64  f64 f64 f64
"""
INTEGER_TABLE = """
         u8  u16 u32 u64 i8  i16 i32 i64
    u8   u8  u16 u32 u64 i16 i16 i32 i64
    u16  u16 u16 u32 u64 i32 i32 i32 i64
    u32  u32 u32 u32 u64 i64 i64 i64 i64
    u64  u64 u64 u64 u64 -   -   -   -
    i8   i16 i32 i64 -   i8  i16 i32 i64
    i16  i16 i32 i64 -   i16 i16 i32 i64
    i32  i32 i32 i64 -   i32 i32 i32 i64
    i64  i64 i64 i64 -   i64 i64 i64 i64
"""
STANDARD_FLOATS = """
         f32 f64
    f32  f32 f64
    f64  f64 f64
"""
STANDARD_FLOATS_AND_COMPLEX = """
          f32  f64  c64  c128
    f32   f32  f64  c64  c128
    f64   f64  f64  c128 c128
    c64   c64  c128 c64  c128
    c128  c128 c128 c128 c128
"""
FIRST_STANDARD_WITH_SCALARS = """
          u8   u16  u32  u64  i8   i16  i32  i64  f32  f64
    i*    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64
    f*    -    -    -    -    -    -    -    -    f32  f64
"""
STANDARD_WITH_SCALARS = """
          u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    i*    u8   u16  u32  u64  i8   i16  i32  i64  f32  f64  c64  c128
    f*    -    -    -    -    -    -    -    -    f32  f64  c64  c128
    c*    -    -    -    -    -    -    -    -    c64  c128 c64  c128
"""


def coded(drawing):
    return PromotionSystem.from_lattice(drawing).lattice


@pytest.mark.parametrize(
    ("name", "drawing"),
    [
        ("jep9407-categories", WITHIN),
        ("jep9407-scalars", SCALARS),
        ("jep9407-float-complex", FLOAT_COMPLEX),
        ("jep9407-integers", INTEGERS),
        ("jep9407-option0", INTEGERS),
        ("jep9407-option1", OPTION_1),
        ("jep9407-option2", OPTION_2),
        ("jep9407-option3", OPTION_3),
        ("jep9407-option3-bfloat16", OPTION_3_BFLOAT16),
    ],
)
def test_a_step_of_the_document_is_as_drawn(name, drawing):
    rules = supremum.system(name)
    assert rules.lattice == coded(drawing)
    assert rules.source == "JEP 9407"


def test_each_step_keeps_the_order_of_the_one_before():
    for before, after in [
        ("categories", "scalars"),
        ("scalars", "float-complex"),
        ("float-complex", "integers"),
        ("integers", "option1"),
        ("integers", "option2"),
        ("integers", "option3"),
        ("option3", "option3-bfloat16"),
    ]:
        first, second = (supremum.system(f"jep9407-{step}").lattice for step in (before, after))
        assert first <= second
        assert not second <= first


def test_the_drawing_that_is_not_a_lattice_is_refused_as_the_document_says():
    with pytest.raises(supremum.custom.AmbiguousJoinError) as caught:
        Lattice(NO_LATTICE)
    assert set(caught.value.nodes) == {"i8", "u8"}
    assert set(caught.value.candidates) == {"i16", "f16"}


def test_option_3_closes_to_jaxs_lattice_with_one_arrow():
    drawn = coded(JAX)
    assert drawn.is_total
    assert supremum.system("jax").lattice.restricted_to(drawn) == drawn
    option3 = supremum.system("jep9407-option3-bfloat16").lattice
    assert option3.with_arrows({dtype("uint64"): [dtype("float*")]}) == drawn


@pytest.mark.parametrize(
    ("drawing", "place"),
    [(OPTION_1, "f*, i8 -> bf16 -> f32"), (OPTION_2, "f*, i16 -> bf16 -> f32")],
)
def test_options_1_and_2_have_no_place_for_bfloat16_beside_float16(drawing, place):
    with pytest.raises(supremum.custom.AmbiguousJoinError) as caught:
        Lattice(drawing).with_arrows(place)
    assert "f*" in caught.value.nodes
    assert set(caught.value.candidates) == {"f16", "bf16"}


def test_option_3_has_a_place_for_bfloat16_beside_float16():
    lattice = Lattice(OPTION_3).with_arrows("f* -> bf16 -> f32")
    assert lattice == Lattice(OPTION_3_BFLOAT16)
    assert lattice.join("i64", "bf16") == "bf16"
    assert lattice.join("f16", "bf16") == "f32"


def test_bool_is_below_everything_that_jax_has():
    lattice = supremum.system("jax").lattice
    assert lattice.down_set(dtype("bool")) == (dtype("bool"),)
    assert set(lattice.up_set(dtype("bool"))) == set(lattice)


@pytest.mark.parametrize("x64", [True, False])
def test_strict_mode_joins_a_dtype_with_itself_and_with_scalars_of_its_kind(x64, asked):
    rules = supremum.system("jax", x64=x64, mode="strict")
    for a, b in product(rules.dtypes, repeat=2):
        answer = asked(rules, a, b)
        if a is b:
            assert answer is a
        elif not (a.weak or b.weak):
            assert answer is None
    for weak, name in [("int*", "uint8"), ("int*", "int4"), ("float*", "bfloat16")]:
        assert rules.promote_types(weak, name) is dtype(name)
    assert rules.promote_types("float*", "complex64") is dtype("complex64")
    assert asked(rules, "float*", "int32") is None
    assert asked(rules, "complex*", "float32") is None


@pytest.mark.parametrize(
    "narrow", [d for d in supremum.system("jax").dtypes if 0 < (d.bits or 0) <= 8]
)
def test_narrow_dtypes_join_with_what_is_below_them_alone(narrow, asked):
    if narrow.name in ("bool", "uint8", "int8"):
        return
    rules = supremum.system("jax")
    partners = {b.name for b in rules.dtypes if asked(rules, narrow, b) is not None}
    if narrow.kind == "float":
        integers = {f"{stem}{n}" for stem in ("int", "uint") for n in (8, 16, 32, 64)}
        assert partners == {narrow.name, "bool", "int*", "float*", *integers}
    else:
        assert partners == {narrow.name, "bool", "int*"}


@pytest.mark.parametrize(
    ("mode", "dtypes"),
    [
        ("standard", ("int4", "int8")),
        ("standard", ("uint2", "float32")),
        ("standard", ("int4", "float8_e5m2")),
        ("standard", ("float8_e5m2", "float16")),
        ("standard", ("float4_e2m1fn", "float6_e2m3fn")),
        ("strict", ("int8", "int16")),
        ("strict", ("int4", "float32")),
    ],
)
def test_a_refusal_of_jax_says_which_of_its_rules_refuses(golden, mode, dtypes):
    with pytest.raises(supremum.PromotionError) as caught:
        supremum.system("jax", mode=mode).promote_types(*dtypes)
    golden(caught.value)
    assert [x.text for x in caught.value.operands] == [*dtypes]
    assert caught.value.setting["mode"] == mode


def test_jax_lax_gives_scalars_their_default_width(golden):
    for x64, integer, real in [(True, "int64", "float64"), (False, "int32", "float32")]:
        rules = supremum.system("jax-lax", x64=x64)
        assert rules.result_type(1) is dtype(integer)
        assert rules.result_type(1.5, 2.5) is dtype(real)
        assert rules.result_type(1, integer) is dtype(integer)
        with pytest.raises(supremum.PromotionError) as caught:
            rules.result_type(1, "int16")
        golden(caught.value)


@pytest.mark.parametrize(
    ("operands", "answer"),
    [([1], "int*"), ([True], "int*"), ([True, 1.5], "float*"), ([1, 2.0, 3j], "complex*")],
)
def test_python_takes_a_bool_for_an_int(operands, answer):
    rules = supremum.system("python")
    assert rules.result_type(*operands) is dtype(answer)
    assert type(sum(operands)).__name__ == answer.removesuffix("*")


def read(table):
    """Return the answers of a written table, by its names of rows and columns."""
    head, *rows = [line.split() for line in table.strip().splitlines()]
    return {
        (row, column): answer
        for row, *answers in rows
        for column, answer in zip(head, answers, strict=True)
    }


@pytest.mark.parametrize(
    ("version", "tables"),
    [
        ("proposal", [FLOATS, INTEGER_TABLE]),
        ("2021.12", [STANDARD_FLOATS, INTEGER_TABLE, FIRST_STANDARD_WITH_SCALARS]),
        ("2024.12", [STANDARD_FLOATS_AND_COMPLEX, INTEGER_TABLE, STANDARD_WITH_SCALARS]),
        ("2025.12", [STANDARD_FLOATS_AND_COMPLEX, INTEGER_TABLE, STANDARD_WITH_SCALARS]),
    ],
)
def test_the_array_api_answers_as_its_tables_say_and_refuses_any_other_mix(version, tables, asked):
    rules = supremum.system("array-api", version=version)
    expected = {}
    for (a, b), answer in (cell for table in tables for cell in read(table).items()):
        expected[a, b] = expected[b, a] = answer
    if version != "proposal":
        expected["b", "b"] = "b"
    for a, b in product(rules.dtypes, repeat=2):
        if not (a.weak and b.weak):
            answer = asked(rules, a, b)
            assert (answer.code if answer else "-") == expected.get((a.code, b.code), "-")


@pytest.mark.parametrize("version", ["2021.12", "2024.12", "2025.12"])
def test_the_standard_says_nothing_of_scalars_alone(golden, version):
    rules = supremum.system("array-api", version=version)
    with pytest.raises(supremum.PromotionError) as caught:
        rules.result_type(1, 2)
    golden(caught.value)


def every_system():
    for name in supremum.systems():
        options = supremum.options(name)
        for values in product(*options.values()):
            yield supremum.system(name, **dict(zip(options, values, strict=True)))


EVERY_SYSTEM = list(every_system())


@pytest.mark.parametrize("rules", EVERY_SYSTEM, ids=repr)
def test_the_cast_that_a_refusal_suggests_drops_nothing_and_helps(rules, asked):
    for a, b in product([d for d in rules.dtypes if not d.weak], repeat=2):
        if a is b or asked(rules, a, b) is not None:
            continue
        with pytest.raises(supremum.PromotionError) as caught:
            rules.promote_types(a, b)
        found = re.search(r"(?:astype\('|torch\.|, tf\.)(\w+)'?\)$", str(caught.value))
        assert found is not None
        target = dtype(found[1])
        assert all(losses.dropped(x, target) is None for x in (a, b)), caught.value
        strong = [d for d in rules.dtypes if not d.weak]
        roomy = [d for d in strong if not any(losses.overflows(x, d) for x in (a, b))]
        assert not any(losses.overflows(x, target) for x in (a, b)) or not any(
            d.kind == target.kind for d in roomy
        )
        assert asked(rules, target, target) is target


@pytest.mark.parametrize("rules", EVERY_SYSTEM, ids=repr)
def test_all_rules_say_where_they_come_from(rules):
    assert rules.source
    assert rules.name in supremum.systems()
    assert set(rules.setting) == set(supremum.options(rules.name))


@pytest.mark.parametrize("name", supremum.systems())
def test_a_number_whose_value_is_not_known_is_an_operand(name):
    rules = supremum.system(name)
    for d in rules.dtypes:
        for number in ("int*", "float*", "complex*"):
            for op in (None, *(f for f in ("add", "true_divide", "power") if rules.rule(f))):
                for operands in ((d, number), (number, d), (number,)):
                    if op is None or len(operands) > 1:
                        _is_answered(rules, operands, op)


def _is_answered(rules, operands, op):
    with suppress(supremum.PromotionError):  # and no other error
        assert rules.result_type(*operands, op=op).name in supremum.names()
