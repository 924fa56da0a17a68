"""Promotion systems: what they answer, how they are made, and how they refuse."""

import numpy as np
import pytest

import supremum
from supremum import PromotionError, RulesError, dtype
from supremum.custom import Classified, Lattice, NoJoinError, PromotionSystem, Settled, Table

ARROWS = "i* -> i8 -> i16 -> f32; u8 -> i16"
TABLE = """
          i8   u8   i16
    i8    i8   i16! i16
    u8    i16! u8   -
    i16   i16  i16  i16
"""


def refusal(call, *args, error=PromotionError):
    with pytest.raises(error) as caught:
        call(*args)
    return caught.value


@pytest.fixture
def mine():
    return PromotionSystem.from_lattice(ARROWS, "mine", version="1.0", source="me", label="loud")


def test_a_pair_can_be_promoted_exactly_where_the_lattice_leads():
    jax = supremum.system("jax")
    pairs = [(a, b) for a in jax.dtypes for b in jax.dtypes]
    assert len(pairs) == 1225
    assert all(jax.can_promote(a, b) == jax.lattice.leq(a, b) for a, b in pairs)
    assert jax.can_promote(np.int8, "int16")
    assert not jax.can_promote("int8", "longdouble")
    assert not jax.can_promote("float8_e5m2", "float32")


def test_a_table_has_the_answer_of_every_pair(asked):
    for name in ("jax", "jax-original", "array-api"):
        rules = supremum.system(name)
        table = rules.table()
        assert table.nodes == rules.dtypes
        assert all(table[a, b] is asked(rules, a, b) for a in table.nodes for b in table.nodes)


def test_a_table_keeps_the_marks_of_the_table_it_comes_from():
    table = PromotionSystem.from_table(TABLE).table()
    assert table.marked == {(dtype("int8"), dtype("uint8")), (dtype("uint8"), dtype("int8"))}
    assert supremum.system("jax").table().marked == frozenset()


@pytest.mark.parametrize(
    "arrows",
    [
        ARROWS,
        Lattice(ARROWS),
        {"int*": ["i8"], "i8": ["int16"], "uint8": ["i16"], "i16": ["float32"]},
        {dtype("int*"): ["i8"], np.int8: [np.dtype("<i2")], "u8": ["i16"], "i16": [np.float32]},
        Lattice({int: ["i8"], "i8": ["i16"], "u8": ["i16"], "i16": ["f32"]}),
    ],
    ids=["text", "lattice", "names", "dtypes", "lattice of dtypes"],
)
def test_rules_are_made_from_arrows(arrows, mine):
    rules = PromotionSystem.from_lattice(arrows, "mine")
    assert rules.name == "mine"
    assert rules.lattice == mine.lattice
    assert rules.promote_types("int8", "uint8") is dtype("int16")
    assert rules.result_type(np.int8(1), np.uint8([1])) is dtype("int16")
    assert rules.result_type(1) is dtype("int64")
    assert [d.name for d in rules.dtypes] == ["uint8", "int8", "int16", "float32", "int*"]


def test_rules_carry_what_is_said_about_them(mine, golden):
    about = (mine.name, mine.version, mine.source, mine.label, mine.setting)
    assert about == ("mine", "1.0", "me", "loud", {})
    golden(repr(mine))
    assert repr(supremum.system("jax")) == "supremum.system('jax')"
    golden(repr(supremum.system("jax", x64=False)))
    assert (mine.title, supremum.system("jax").title) == ("mine", "JAX")
    assert PromotionSystem.from_lattice("i8").name == "unnamed"
    assert PromotionSystem.from_table("i8\ni8 i8").name == "unnamed"


@pytest.mark.parametrize(
    "table",
    [
        TABLE,
        Table.parse(TABLE),
        {
            "i8": {"i8": "i8", "u8": "i16", "i16": "i16"},
            "u8": {"i8": "i16", "u8": "u8", "i16": "-"},
            "i16": {"i8": "i16", "u8": "i16", "i16": "i16"},
        },
        {
            "int8": {"i8": "i8", "u8": "i16", np.int16: "i16"},
            "u8": {"i8": "int16", "uint8": np.uint8, "i16": "-"},
            "i16": {"i8": "i16", "u8": dtype("int16"), "i16": "i16"},
        },
    ],
    ids=["text", "table", "mapping", "mapping of mixed names"],
)
def test_rules_are_made_from_a_table(table):
    rules = PromotionSystem.from_table(table, "mine")
    assert rules.lattice is None
    assert rules.promote_types("int8", "uint8") is dtype("int16")
    assert refusal(rules.promote_types, "uint8", "int16").system == "mine"
    assert rules.promote_types("int16", "uint8") is dtype("int16")


def test_rules_may_give_weak_results_other_widths():
    rules = PromotionSystem.from_lattice("i* -> i8; f*; c*", widths={"int*": "int8"})
    assert rules.result_type(1) is dtype("int8")
    assert rules.result_type(1.5) is dtype("float*")
    assert rules.explain(1).weak
    assert PromotionSystem.from_lattice("i*; f*").result_type(1.5) is dtype("float64")


def test_the_steps_may_be_your_own(golden):
    def classify(op, operands):
        return Classified(op, dtype("float32"), f"one of {len(operands)}")

    def settle(node, taken):
        if len(taken) > 2:
            raise NoJoinError("two are enough")
        return Settled(dtype("float16"), False, f"{node} is too wide.")

    rules = PromotionSystem(
        "odd", Lattice({dtype("float32"): []}), classify=classify, settle=settle
    )
    told = rules.explain(1, "int8")
    assert rules.result_type(1, "int8") is told.result is dtype("float16")
    assert told.node.name == "float32"
    golden(told.settled.why)
    assert [t.why for t in told.classified] == ["one of 2"] * 2
    error = refusal(rules.result_type, 1, 2, 3)
    golden(error)


def test_rules_have_known_parts_alone(golden):
    error = refusal(lambda: PromotionSystem("x", Lattice({}), size=1), error=RulesError)
    golden(error)
    assert (error.given, error.candidates) == ("size", ())
    for make in (mine_with, supremum.system("jax").replace):
        error = refusal(lambda make=make: make(rankd=True), error=RulesError)
        golden(error)
        assert (error.given, error.candidates) == ("rankd", ("ranked",))


def mine_with(**parts):
    return PromotionSystem.from_lattice(ARROWS, "mine", **parts)


def test_rules_say_what_their_answers_depend_on():
    assert mine_with().depends_on == ("dtype",)
    assert mine_with(ranked=True).depends_on == ("dtype", "rank")
    assert mine_with(valued=True).depends_on == ("dtype", "value")
    assert mine_with(ranked=True, valued=True).depends_on == ("dtype", "rank", "value")


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: PromotionSystem.from_lattice("i8 -> zebra"), supremum.DTypeError),
        (lambda: PromotionSystem.from_lattice("i8 -> f4"), supremum.DTypeError),
        (lambda: PromotionSystem.from_table({"i8": {"i8": "i16"}}), supremum.custom.LatticeError),
    ],
)
def test_what_does_not_describe_rules_is_refused(golden, make, error):
    golden(refusal(make, error=error))


def test_an_arrow_between_two_names_of_a_dtype_is_a_cycle():
    error = refusal(PromotionSystem.from_lattice, "i8 -> int8", error=supremum.custom.CycleError)
    assert error.nodes in ((dtype("int8"),), ("i8",), ("int8",))
