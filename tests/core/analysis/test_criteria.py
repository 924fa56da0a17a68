"""The design document's five criteria, and what it says of its options, as counts."""

from functools import cache
from itertools import combinations_with_replacement, product

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum import dtype
from supremum.custom import PromotionSystem, Table, criteria

COMPONENTS = ["bool", "integer", "float", "complex"]

STEPS = [
    # name, refused pairs, overflow, precision loss, wider results
    ("jep9407-categories", 62, 0, 0, 0),
    ("jep9407-scalars", 81, 0, 0, 0),
    ("jep9407-float-complex", 72, 0, 0, 1),
    ("jep9407-integers", 60, 0, 0, 7),
    ("jep9407-option0", 60, 0, 0, 7),
    ("jep9407-option1", 25, 0, 0, 25),
    ("jep9407-option2", 11, 0, 14, 20),
    ("jep9407-option3", 11, 4, 13, 7),
    ("jep9407-option3-bfloat16", 12, 4, 18, 9),
    ("jax-original", 0, 5, 28, 7),
    ("jax-lax", 558, 0, 0, 0),
    ("python", 0, 0, 0, 0),
    ("array-api", 67, 0, 0, 6),
    ("array-api proposal", 28, 0, 0, 6),
]


@cache
def measured(name):
    return criteria(rules_of(name))


def rules_of(name):
    """Return the rules of a name; of the array API's, after a space, of a version."""
    name, _, version = name.partition(" ")
    return supremum.system(name, **({"version": version} if version else {}))


def cases(found, name):
    return [" ".join(map(str, case)) for case in found[name].cases]


def facts(d):
    """Return what ml_dtypes says of a dtype: component, width, significand bits and range."""
    kind = np.dtype(d)
    if d.name == "bool":
        return 0, 8, 1, 0, 1
    if d.kind in ("signed", "unsigned"):
        known = ml_dtypes.iinfo(kind)
        return 1, known.bits, known.bits - (known.min < 0), known.min, known.max
    known = ml_dtypes.finfo(np.dtype(d.part))
    component = COMPONENTS.index(d.kind)
    return component, known.bits, known.nmant + 1, float(known.min), float(known.max)


@pytest.mark.parametrize(("name", "refused", "overflow", "loss", "wider"), STEPS)
def test_the_criteria_are_counts(name, refused, overflow, loss, wider):
    found = measured(name)
    counts = {criterion.name: len(criterion.cases) for criterion in found.counted}
    assert counts == {
        "dropped component": 0,
        "overflow": overflow,
        "precision loss": loss,
        "wider result": wider,
    }
    assert found.refused == refused
    size = len(rules_of(name).dtypes)
    assert found.pairs == size * (size + 1) // 2


@pytest.mark.parametrize("name", ["jax", "jep9407-option1", "jep9407-option2", "jax-original"])
def test_the_counted_pairs_are_those_that_the_facts_of_ml_dtypes_give(name, asked):
    rules = supremum.system(name)
    expected = {name: [] for name in ("dropped component", "overflow", "precision loss")}
    for a, b in combinations_with_replacement(rules.dtypes, 2):
        answer = asked(rules, a, b)
        if answer is None or answer.weak:
            continue
        component, _, digits, low, high = facts(answer)
        given = [facts(d) for d in (a, b) if not d.weak]
        told = f"{a} {b} {answer}"
        if any(operand[0] > component for operand in given):
            expected["dropped component"].append(told)
        if any(operand[3] < low or operand[4] > high for operand in given):
            expected["overflow"].append(told)
        if any(operand[2] > digits for operand in given):
            expected["precision loss"].append(told)
    found = measured(rules.name)
    assert {name: cases(found, name) for name in expected} == expected


@pytest.mark.parametrize("name", ["jax", "jep9407-option1", "jep9407-option2", "jep9407-option3"])
def test_the_wider_results_are_those_of_more_bits_than_any_operand(name, asked):
    rules = supremum.system(name)
    expected = []
    for a, b in combinations_with_replacement(rules.dtypes, 2):
        answer = asked(rules, a, b)
        widths = [facts(d)[1] for d in (a, b) if not d.weak]
        if answer is not None and not answer.weak and widths and facts(answer)[1] > max(widths):
            expected.append(f"{a} {b} {answer}")
    assert cases(measured(rules.name), "wider result") == expected


def test_option_0_leaves_every_mix_of_integer_and_float_undefined(asked):
    rules = supremum.system("jep9407-option0")
    integers = [d for d in rules.dtypes if d.kind in ("signed", "unsigned") and not d.weak]
    others = [d for d in rules.dtypes if d.kind in ("float", "complex")]
    assert all(asked(rules, a, b) is None for a, b in product(integers, others))
    assert len(integers) * len(others) == 56
    assert all(asked(rules, "int*", b) is not None for b in others)


def test_option_1_avoids_all_precision_loss_and_leaves_int64_with_uint64_undefined(asked):
    rules = supremum.system("jep9407-option1")
    found = measured(rules.name)
    assert found["precision loss"].cases == ()
    assert found["overflow"].cases == ()
    assert asked(rules, "int64", "uint64") is None
    floats = [d for d in rules.dtypes if d.kind in ("float", "complex")]
    for integer in ("int64", "uint64"):
        assert all(asked(rules, integer, d) is None for d in floats)


def test_option_1_gives_wider_types_than_necessary(asked):
    rules = supremum.system("jep9407-option1")
    assert asked(rules, "uint16", "float16") is dtype("float64")
    assert "uint16 float16 float64" in cases(measured(rules.name), "wider result")


def test_option_2_loses_precision_but_never_magnitude(asked):
    rules = supremum.system("jep9407-option2")
    found = measured(rules.name)
    assert found["overflow"].cases == ()
    assert len(found["precision loss"].cases) == 14
    assert asked(rules, "int64", "float64") is dtype("float64")


def test_option_2_leaves_uint64_unpromotable_and_still_widens(asked):
    rules = supremum.system("jep9407-option2")
    partners = {d.name for d in rules.dtypes if asked(rules, "uint64", d) is not None}
    assert partners == {"uint8", "uint16", "uint32", "uint64", "int*"}
    assert asked(rules, "uint32", "float32") is dtype("float64")
    assert "uint32 float32 float64" in cases(measured(rules.name), "wider result")


def test_option_3_lets_integers_overflow_in_half_precision(asked):
    rules = supremum.system("jep9407-option3")
    assert asked(rules, "int64", "float16") is dtype("float16")
    assert cases(measured(rules.name), "overflow") == [
        "uint16 float16 float16",
        "uint32 float16 float16",
        "int32 float16 float16",
        "int64 float16 float16",
    ]


@pytest.mark.parametrize("name", ["jep9407-option3", "jep9407-option3-bfloat16", "jax"])
def test_option_3_widens_unsigned_integers_and_two_half_precisions_alone(name, asked):
    rules = supremum.system(name)
    wider = [
        (a, b)
        for a, b, _ in measured(rules.name)["wider result"].cases
        if {a.kind, b.kind} != {"unsigned", "signed"}
    ]
    # no complex dtype has half-precision parts
    assert {(str(a), str(b)) for a, b in wider} <= {
        ("bfloat16", "float16"),
        ("bfloat16", "complex*"),
        ("float16", "complex*"),
    }
    for a, b in product([d for d in rules.dtypes if not d.weak], repeat=2):
        answer = asked(rules, a, b)
        if answer is not None and answer.kind == "float" and answer.bits in (32, 64):
            half = {a.name, b.name} == {"bfloat16", "float16"}
            assert half or answer.bits in (a.part.bits, b.part.bits)


def test_jax_never_drops_a_component_and_overflows_in_half_precision_and_narrow_types():
    found = measured("jax")
    assert found["dropped component"].cases == ()
    assert {answer.name for *_, answer in found["overflow"].cases if answer.bits > 8} == {"float16"}
    assert (found.pairs, found.refused) == (630, 309)


def test_the_original_table_and_jax_differ_where_the_one_is_weak_and_nowhere_else():
    original = supremum.system("jax-original").table()
    jax = supremum.system("jax")
    differ = original.differences(jax.table())
    signed = [dtype(f"int{n}") for n in (8, 16, 32, 64)]
    mixed = [(dtype("uint64"), d) for d in signed]
    assert set(differ) == {*mixed, *((d, u) for u, d in mixed)}
    assert len(differ) == 8  # of 225
    assert {original[pair] for pair in differ} == {dtype("float64")}
    assert {jax.promote_types(*pair) for pair in differ} == {dtype("float*")}
    # a weak float of its default width is a float64
    assert all(
        jax.result_type(a, b) is original[a, b] for a, b in product(original.nodes, repeat=2)
    )


def test_jax_and_pytorch_differ_in_large_unsigned_integers_and_weak_types_alone(golden_table):
    cells = golden_table("jep9407_pytorch")
    answers = {pair: answer for pair, answer in cells.items() if answer is not None}
    pytorch = Table([a for a, _ in cells], answers)
    jax = supremum.system("jax").table()
    differ = pytorch.differences(jax)
    large = {dtype(f"uint{n}") for n in (16, 32, 64)}
    lacking = [pair for pair in differ if large & set(pair)]
    others = [pair for pair in differ if not large & set(pair)]
    assert (len(cells), len(differ), len(lacking), len(others)) == (324, 134, 99, 35)
    assert all(pytorch[pair] is None for pair in lacking)
    assert all(jax[pair].weak and not pytorch[pair].weak for pair in others)
    shared = [d for d in pytorch.nodes if d not in large and not d.weak]
    assert len(shared) == 12
    assert all(pytorch[a, b] is jax[a, b] for a, b in product(shared, repeat=2))


def test_a_component_that_rules_drop_is_counted():
    rules = PromotionSystem.from_lattice("c64 -> f64 -> i8 -> b", "mine")
    found = criteria(rules)
    assert cases(found, "dropped component") == [
        "bool int8 bool",
        "bool float64 bool",
        "bool complex64 bool",
        "int8 float64 int8",
        "int8 complex64 int8",
        "float64 complex64 float64",
    ]


def test_a_pair_counts_where_either_order_of_it_does():
    rules = PromotionSystem.from_table("i8 i16\ni8 i8 i8\ni16 i16 i16")
    assert cases(criteria(rules), "overflow") == ["int8 int16 int8"]


def test_the_report_shows_the_first_pairs_of_each_criterion(golden):
    golden(measured("jep9407-option3"))


def test_the_report_shows_three_pairs_and_counts_the_rest():
    three = str(criteria(PromotionSystem.from_lattice("b, u8, i8 -> i16", "mine")))
    four = str(criteria(PromotionSystem.from_lattice("b, u8, i8 -> i16; i4 -> b", "mine")))
    assert three.splitlines()[-4:] == [
        "  5 wider result           3   (avoid if possible)",
        "      bool ∨ uint8 = int16",
        "      bool ∨ int8 = int16",
        "      uint8 ∨ int8 = int16",
    ]
    assert four.endswith("\n      and 2 more")


def test_the_report_names_the_laws_that_fail():
    text = str(measured("jax-original"))
    assert "  1 lawful               no: associativity, monotonicity, n-ary order\n" in text


def test_the_report_is_plain_data_too():
    plain = measured("jep9407-float-complex").to_dict()
    assert plain == {
        "system": "jep9407-float-complex",
        "pairs": 136,
        "refused": 72,
        "lawful": True,
        "criteria": [
            {"number": 2, "name": "dropped component", "never": True, "count": 0, "pairs": []},
            {"number": 3, "name": "overflow", "never": True, "count": 0, "pairs": []},
            {"number": 4, "name": "precision loss", "never": False, "count": 0, "pairs": []},
            {
                "number": 5,
                "name": "wider result",
                "never": False,
                "count": 1,
                "pairs": [["float16", "complex*", "complex64"]],
            },
        ],
    }
