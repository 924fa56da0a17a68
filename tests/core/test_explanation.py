"""Explanations, word by word: what they print, and what they carry."""

import copy
import json
import pickle

import numpy as np
import pytest

import supremum
from supremum import dtype
from supremum.core import operands
from supremum.custom import PromotionSystem


class WeakArray:
    """A weakly typed array, as JAX's operators give."""

    __module__ = "jax"
    shape = (3,)
    dtype = np.dtype("float32")
    weak_type = True

    def __repr__(self):
        return "weak"


NARROW = supremum.system("jax", x64=False)
STRICT = supremum.system("jax", mode="strict")

PRINTED = [
    (["int32", "float16", 1.0], "jax"),
    (["int16", 1], "jax"),
    ([1, 1.0], "jax"),
    (["uint8"], "jax"),
    ([np.ones((2, 3), np.float32), np.float64(1), "float64"], "jax"),
    (["bool", np.True_], "jax"),
    (["uint8", "int8"], "jax"),
    (["bfloat16", "float16"], "jax"),
    ([WeakArray(), 1], "jax"),
    ([np.int64(1), 1.5], NARROW),
    (["uint32", "int32"], NARROW),
    (["int32", 1], STRICT),
    (["uint64", "int8", "bfloat16"], "jax-original"),
    ([True, 1.5], "python"),
    (
        ["complex64", "bool"],
        PromotionSystem.from_lattice("c64 -> f32 -> i8 -> b", "mine", label="lossy"),
    ),
]


@pytest.mark.parametrize(("operands", "system"), PRINTED, ids=lambda x: str(x)[:40])
def test_an_explanation_prints_its_three_steps(golden, operands, system):
    told = supremum.explain(*operands, system=system)
    golden(told)
    assert told.result is supremum.result_type(*operands, system=system)
    assert len(told.classified) == len(told.paths) == len(operands)


@pytest.mark.parametrize(
    "count",
    [2, 3, 4, 5, 6],
)
def test_the_reason_counts_the_operands(golden, count):
    told = supremum.explain("int8", *["int16"] * (count - 1))
    golden(told.reason)


def test_the_reason_says_where_integers_reach_floats_by_arrows_alone(golden):
    told = supremum.explain("uint16", "float16", system="jep9407-option1")
    golden(told.reason)


def test_an_explanation_carries_its_steps(golden):
    told = supremum.explain("int32", "float16", 1.0)
    assert told.result is told.node is dtype("float16")
    assert (told.weak, told.system, told.label) == (False, "jax", "x64 on")
    assert told.setting == {
        "x64": True,
        "mode": "standard",
        "explicit_x64": "warn",
        "version": "0.10.2",
    }
    assert [op.text for op in told.operands] == ["int32", "float16", "1.0"]
    assert [t.node.name for t in told.classified] == ["int32", "float16", "float*"]
    golden("\n".join([t.why for t in told.classified]))
    assert [[d.name for d in path] for path in told.paths] == [
        ["int32", "int64", "float*", "float16"],
        ["float16"],
        ["float*", "float16"],
    ]
    assert told.join is supremum.system("jax").lattice
    assert told.steps == ()
    assert (told.title, told.applied) == ("JAX", None)
    assert told.settled == (dtype("float16"), False, "")
    golden(repr(told))


@pytest.mark.parametrize(
    ("operands", "weak"),
    [([1], True), ([1, 1.5], True), ([1, "int8"], False), ([WeakArray()], True), ([True], False)],
    ids=str,
)
def test_a_result_goes_on_deferring_where_every_operand_does(operands, weak):
    assert supremum.explain(*operands).weak is weak


def test_an_explanation_of_a_table_has_the_ends_of_each_path():
    told = supremum.explain("uint64", "int8", "float64", system="jax-original")
    assert [[d.name for d in path] for path in told.paths] == [
        ["uint64", "float64"],
        ["int8", "float64"],
        ["float64"],
    ]


def test_an_explanation_is_plain_data_too():
    told = supremum.explain("int64", 1, system=NARROW)
    plain = told.to_dict()
    assert plain == {
        "result": "int32",
        "weak": False,
        "system": "jax",
        "label": "x64 off",
        "setting": {"x64": False, "mode": "standard", "explicit_x64": "warn", "version": "0.10.2"},
        "operands": [
            {
                "operand": "int64",
                "dtype": "int64",
                "taken_as": "int32",
                "why": "dtype, treated as int32",
                "path": ["int32"],
            },
            {
                "operand": "1",
                "dtype": "int*",
                "taken_as": "int*",
                "why": "Python int, weak",
                "path": ["int*", "int8", "int16", "int32"],
            },
        ],
        "node": "int32",
        "steps": [],
        "reason": (
            "int32 is the least dtype that both reach: "
            "a weak dtype takes the width of what it meets."
        ),
        "settled": "",
        "function": None,
        "aside": "",
        "losses": [
            "May lose precision: int64 carries 63 bits, int32 carries 31.",
            "May overflow: int64 reaches 9223372036854775807, int32 reaches 2147483647.",
        ],
        "remarks": [],
    }
    assert json.loads(json.dumps(plain)) == plain


def test_settling_is_plain_data_too(golden):
    plain = supremum.explain("uint64", "int64").to_dict()
    assert (plain["result"], plain["node"], plain["weak"]) == ("float64", "float*", True)
    golden(plain["settled"])


@pytest.mark.parametrize(
    ("rules", "remarks"),
    [
        ("numpy", ["May wrap around: 0 - 1 is 255 in uint8."]),
        ("torch", ["May wrap around: 0 - 1 is 255 in uint8."]),
        ("array-api", ["Overflow is undefined by the standard."]),
        ("duckdb", []),
    ],
)
def test_what_wraps_around_for_common_numbers_has_a_remark(rules, remarks):
    assert supremum.explain("uint8[3] - uint8[3]", system=rules).steps[0].remarks == remarks
    said = str(supremum.explain("uint8", "uint8", op="subtract", system=rules))
    assert all(remark in said for remark in remarks)


def test_numbers_that_are_known_wrap_around_or_do_not():
    def remarks(text):
        return supremum.explain(text).steps[-1].remarks

    assert remarks("np.uint8(200) + np.uint8(100)") == ["Wraps around: 200 + 100 is 44 in uint8."]
    assert remarks("np.uint8(255) + True") == ["Wraps around: 255 + 1 is 0 in uint8."]
    assert remarks("np.uint8(255) + False") == remarks("True - np.uint8(1)") == []


def test_every_explanation_agrees_with_the_answer(asked):
    for system in ("jax", "jax-original", "jep9407-option2"):
        rules = supremum.system(system)
        for a in rules.dtypes:
            for b in rules.dtypes:
                if asked(rules, a, b) is None:
                    continue
                told = rules.explain(a, b)
                assert told.node is rules.promote_types(a, b)
                assert told.result is rules.result_type(a, b)
                assert all(path[-1] is told.node for path in told.paths)
                assert str(told).startswith(f"{told.result} ")


def test_a_refusal_is_refused_and_not_explained_away(golden):
    with pytest.raises(supremum.PromotionError) as caught:
        supremum.explain("int32", "float32", system="jax-lax")
    golden(caught.value)
    assert [x.text for x in caught.value.operands] == ["int32", "float32"]


def test_an_exponent_that_does_not_join_is_said_not_to_count(golden):
    power = supremum.explain("bool", 2, op="pow")
    assert power.result is dtype("int32")
    golden(power.reason)
    golden(power.note)
    assert supremum.explain("bool", "int8", op="pow").note == ""


def test_a_reason_that_begins_with_an_operand_is_written_as_it_is(golden):
    """An array may be called x, or be weak; neither is a word that begins a sentence."""
    read = [operands.parse("float32[3]"), operands.parse("int8[]")._replace(text="x")]
    golden(supremum.system("torch").explain(*read).reason)


@pytest.mark.parametrize("name", supremum.systems())
def test_an_explanation_can_be_pickled_and_copied(name):
    dtypes = supremum.system(name).dtypes
    why = supremum.explain(min(dtypes, key=lambda d: (d.weak, d.kind == "bool")), system=name)
    for again in (pickle.loads(pickle.dumps(why)), copy.deepcopy(why)):  # our own
        assert str(again) == str(why)
        assert again.setting == why.setting


def test_a_function_without_operands_says_that_its_default_decides():
    why = supremum.explain("np.ones(3)").steps[0].why
    assert why == "It has no operand with a dtype; the default dtype is float64."


def test_a_reason_of_a_table_says_what_does_not_fit():
    reason = supremum.explain("float32", "int64", system="numpy").reason
    assert reason.endswith(
        "listed in the table of NumPy, though it does not hold int64 beyond 2**53."
    )


def test_a_reason_names_what_an_order_leaves_out():
    why = supremum.explain("float64", "float64", "float32", system="numpy")
    assert why.reason == "float64 holds every value of float32."
