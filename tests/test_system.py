"""Promotion systems: what they answer, how they are made, and how they refuse."""

import enum
import pickle
import traceback

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum import (
    Classified,
    Lattice,
    NoJoinError,
    PromotionError,
    PromotionSystem,
    RulesError,
    Settled,
    Table,
    dtype,
)

ARROWS = "i* -> i8 -> i16 -> f32; u8 -> i16"
TABLE = """
          i8   u8   i16
    i8    i8   i16! i16
    u8    i16! u8   -
    i16   i16  i16  i16
"""


NO_ZEBRA = (
    "line 1: 'zebra' is not the name of a dtype; "
    "full names are such as float32, bfloat16, uint8 and complex64"
)


class Colour(enum.IntEnum):
    RED = 1


class Jax:
    """A stand-in for JAX's arrays."""

    __module__ = "jax"
    shape = ()

    def __init__(self, name, *, weak_type=False):
        self.dtype = np.dtype(dtype(name))
        self.weak_type = weak_type

    def __repr__(self):
        return f"{'weak ' * self.weak_type}{self.dtype}"


def refusal(call, *args, error=PromotionError):
    with pytest.raises(error) as caught:
        call(*args)
    return caught.value


@pytest.fixture
def mine():
    return PromotionSystem.from_lattice(ARROWS, "mine", version="1.0", source="me", label="loud")


@pytest.mark.parametrize(
    ("operands", "on", "off"),
    [
        ([np.int16([1, 2]), 1], "int16", "int16"),
        ([np.int16([1, 2]), np.array(1)], "int64", "int32"),
        ([np.int16(1), np.int8([1])], "int16", "int16"),
        ([np.uint64(1), np.int64(1)], "float64", "int32"),
        ([np.uint32(1), np.int32(1)], "int64", "int32"),
        ([np.float64(1), np.float32(1)], "float64", "float32"),
        ([1], "int64", "int32"),
        ([1, 2.0], "float64", "float32"),
        ([True, 1], "int64", "int32"),
        ([True], "bool", "bool"),
        ([True, np.int8(1)], "int8", "int8"),
        ([1, ml_dtypes.bfloat16(1)], "bfloat16", "bfloat16"),
        ([1j, np.float16(1)], "complex64", "complex64"),
        ([1j], "complex128", "complex64"),
        ([float, "int8"], "float64", "float32"),
        (["int64"], "int64", "int32"),
        ([Colour.RED], "int64", "int32"),
        ([Colour.RED, np.int8(1)], "int64", "int32"),
        ([Jax("int32", weak_type=True), np.int8([1])], "int8", "int8"),
        ([Jax("int32", weak_type=False), np.int8([1])], "int32", "int32"),
        ([Jax("float32", weak_type=True), 1], "float64", "float32"),
        (["int32", "float16", 1.0], "float16", "float16"),
        ([1, 1.0, "int8"], "float64", "float32"),
        (["int8", "float*", "bfloat16"], "bfloat16", "bfloat16"),
    ],
    ids=str,
)
def test_jax_gives_an_operation_this_dtype(operands, on, off):
    assert supremum.result_type(*operands) is dtype(on)
    assert supremum.result_type(*reversed(operands)) is dtype(on)
    narrow = supremum.system("jax", x64=False)
    assert narrow.result_type(*operands) is dtype(off)
    assert narrow.explain(*operands).result is dtype(off)


@pytest.mark.parametrize(
    ("dtypes", "answer"),
    [
        (["int16", int], "int16"),
        ([int], "int*"),
        ([int, float], "float*"),
        ([bool, int], "int*"),
        (["uint64", "int8"], "float*"),
        (["uint64", "int8", "float16"], "float16"),
        ([np.int8, np.dtype(">u2"), dtype("bool")], "int32"),
    ],
    ids=str,
)
def test_dtypes_promote_to_their_join_which_stays_weak(dtypes, answer):
    assert supremum.promote_types(*dtypes) is dtype(answer)
    assert supremum.promote_types(*reversed(dtypes)) is dtype(answer)


def test_promotion_takes_dtypes_and_operation_takes_operands():
    error = refusal(supremum.promote_types, "int8", 1, error=supremum.DTypeError)
    assert str(error).startswith("1 is a number, not a dtype")
    error = refusal(supremum.promote_types, np.ones(1), error=supremum.DTypeError)
    assert str(error).startswith("numpy.ndarray is an operand, not a dtype")
    error = refusal(supremum.result_type, [1, 2], error=supremum.DTypeError)
    assert str(error).startswith("[1, 2] is not an operand")


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


def test_rules_carry_what_is_said_about_them(mine):
    about = (mine.name, mine.version, mine.source, mine.label, mine.setting)
    assert about == ("mine", "1.0", "me", "loud", {})
    assert repr(mine) == "<PromotionSystem 'mine': a lattice of 5 dtypes>"
    assert repr(supremum.system("jax")) == "supremum.system('jax')"
    assert repr(supremum.system("jax", x64=False)) == "supremum.system('jax', x64=False)"
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


def test_the_steps_may_be_your_own():
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
    assert (told.node.name, told.settled.why) == ("float32", "float32 is too wide.")
    assert [t.why for t in told.classified] == ["one of 2"] * 2
    error = refusal(rules.result_type, 1, 2, 3)
    assert str(error) == "cannot promote 1, 2 and 3 under odd rules: two are enough"


def test_rules_have_known_parts_alone():
    error = refusal(lambda: PromotionSystem("x", Lattice({}), size=1), error=RulesError)
    assert str(error) == "rules have no part 'size'; see PromotionSystem"
    assert (error.given, error.candidates) == ("size", ())
    for make in (mine_with, supremum.system("jax").replace):
        error = refusal(lambda make=make: make(rankd=True), error=RulesError)
        assert str(error) == "rules have no part 'rankd'; did you mean ranked?"
        assert (error.given, error.candidates) == ("rankd", ("ranked",))


def mine_with(**parts):
    return PromotionSystem.from_lattice(ARROWS, "mine", **parts)


def test_rules_say_what_their_answers_depend_on():
    assert mine_with().depends_on == ("dtype",)
    assert mine_with(ranked=True).depends_on == ("dtype", "rank")
    assert mine_with(valued=True).depends_on == ("dtype", "value")
    assert mine_with(ranked=True, valued=True).depends_on == ("dtype", "rank", "value")


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (
            lambda: PromotionSystem.from_lattice("i8 -> zebra"),
            supremum.DTypeError,
            NO_ZEBRA,
        ),
        (
            lambda: PromotionSystem.from_lattice("i8 -> f4"),
            supremum.DTypeError,
            "line 1: 'f4' is float32 in bytes, as NumPy counts; type 'float32'",
        ),
        (
            lambda: PromotionSystem.from_table({"i8": {"i8": "i16"}}),
            supremum.LatticeError,
            "the table's cell for int8 and int8 names int16, which has no row",
        ),
    ],
)
def test_what_does_not_describe_rules_is_refused(make, error, message):
    assert str(refusal(make, error=error)) == message


def test_an_arrow_between_two_names_of_a_dtype_is_a_cycle():
    error = refusal(PromotionSystem.from_lattice, "i8 -> int8", error=supremum.CycleError)
    assert error.nodes in ((dtype("int8"),), ("i8",), ("int8",))


def test_a_refusal_says_what_it_knows_and_carries_it():
    error = refusal(supremum.result_type, np.zeros(3, ml_dtypes.float8_e5m2), "float32", 1)
    assert str(error) == (
        "cannot promote float8_e5m2[3], float32 and 1 under JAX rules (x64 on): "
        "floats of 8 bits and fewer join only with bool, int8 or wider, and Python scalars; "
        "cast to float32 first, for example with x.astype('float32')"
    )
    assert [op.text for op in error.operands] == ["float8_e5m2[3]", "float32", "1"]
    assert [op.dtype.name for op in error.operands] == ["float8_e5m2", "float32", "int*"]
    setting = {"x64": True, "mode": "standard", "version": "0.10.2"}
    assert (error.system, error.setting) == ("jax", setting)
    assert error.candidates == ()
    assert isinstance(error, TypeError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.operands) == (str(error), error.operands)


@pytest.mark.parametrize("ask", ["promote_types", "result_type", "explain"])
def test_no_operand_is_refused(ask):
    error = refusal(getattr(supremum.system("jax"), ask))
    assert str(error) == "promotion needs one operand or more"
    assert (error.operands, error.system) == ((), "jax")


def test_a_dtype_that_the_rules_lack_is_refused_with_those_they_have():
    error = refusal(supremum.system("array-api").promote_types, "bfloat16", "int8")
    assert str(error) == (
        "cannot promote bfloat16 and int8 under array API rules (2025.12): "
        "bfloat16 is not supported by these rules; cast to float32 or float64 first"
    )
    error = refusal(supremum.system("python").promote_types, "bool")
    assert str(error) == (
        "cannot promote bool under python rules: "
        "bool is not supported by these rules; cast to int*, float* or complex* first"
    )


def test_rules_with_an_advice_give_it():
    rules = PromotionSystem.from_lattice(
        "i8; i16", "mine", advise=lambda nodes: f"{nodes[0]} is alone"
    )
    assert str(refusal(rules.promote_types, "int8", "int16")) == (
        "cannot promote int8 and int16 under mine rules: int8 is alone; "
        "cast to int16 first, for example with x.astype('int16')"
    )


def test_rules_without_an_advice_say_that_nothing_is_above():
    rules = PromotionSystem.from_lattice("i8; i16", "mine", label="quiet")
    assert str(refusal(rules.result_type, "int8", "int16")) == (
        "cannot promote int8 and int16 under mine rules (quiet): no dtype is above all of them; "
        "cast to int16 first, for example with x.astype('int16')"
    )


def test_a_refusal_of_a_table_is_about_the_pair_that_it_met():
    rules = PromotionSystem.from_table(TABLE, "mine")
    error = refusal(rules.result_type, "uint8", "uint8", "int16", "int8")
    assert [op.text for op in error.operands] == ["uint8", "uint8", "int16", "int8"]
    assert str(error).startswith("cannot promote uint8, uint8, int16 and int8 under mine rules: ")
    assert "uint8 and int16" in str(error)


def test_a_dtype_that_meets_not_even_itself_is_refused_without_a_cast():
    rules = PromotionSystem.from_table("i8\ni8 -", "mine")
    assert str(refusal(rules.promote_types, "int8", "int8")) == (
        "cannot promote int8 and int8 under mine rules: the table has no answer for int8 and int8"
    )


def test_a_weak_narrow_integer_has_no_width_to_settle_to():
    error = refusal(supremum.system("jax").result_type, Jax("int4", weak_type=True))
    assert str(error) == (
        "cannot promote int4[] under JAX rules (x64 on): "
        "JAX fails on a weak int4, which has no default width"
    )


@pytest.mark.parametrize("rules", ["jax", "jax-lax", "jax-original", "array-api"])
def test_a_refusal_is_shown_without_the_errors_on_its_way(rules):
    error = refusal(supremum.system(rules).result_type, "int4", "float8_e4m3", "complex64")
    assert "During handling" not in "".join(traceback.format_exception(error))


def test_a_refusal_is_refused_again():
    for _ in range(3):
        for ask in (supremum.result_type, supremum.promote_types):
            assert "cannot promote int4 and int8" in str(refusal(ask, "int4", "int8"))
