"""Errors: they are ours, and no longer than somebody reads."""

import numpy as np
import pytest

import supremum
from supremum import dtype
from supremum.core.errors import short
from supremum.custom import Lattice, PromotionSystem

ENOUGH = 2500
"""The characters that a message may have, with the path of a file."""


class OwnScalar(np.generic):
    """A scalar type that is not one of numbers, as the one of JAX's keys."""


class OwnFloat(np.floating):
    """A family that somebody has made."""


def nested():
    """Stand for Polars' dtypes of nested values, which need the dtype of these."""

    def takes_another(_, inner):
        return inner

    own = {"__module__": "polars.datatypes.classes", "__init__": takes_another}
    return type("List", (), own)


class NoModule:
    __module__ = None


@pytest.mark.parametrize(
    "ask",
    [
        lambda: dtype(nested()),
        lambda: dtype(OwnScalar),
        lambda: dtype(OwnFloat),
        lambda: dtype(NoModule),
        lambda: supremum.result_type(NoModule(), 1),
        lambda: supremum.result_type(1, 1, op=5),
        lambda: supremum.result_type(1, 1, op=[]),
        lambda: supremum.options([]),
        lambda: supremum.system([]),
    ],
    ids=["nested dtype", "scalar type", "family", "class without a module", "object of one",
         "number for op", "list for op", "list for options", "list for rules"],
)  # fmt: skip
def test_the_errors_are_ours(ask):
    with pytest.raises(supremum.SupremumError):
        ask()


def refusal(ask, *args):
    with pytest.raises(supremum.SupremumError) as caught:
        ask(*args)
    return caught.value


LONG = "z" * 200_000


@pytest.mark.parametrize(
    "ask",
    [
        lambda: Lattice(f"i8 {LONG}"),
        lambda: PromotionSystem.from_lattice(f"i8 -> {LONG}"),
        lambda: PromotionSystem.from_lattice("i8", functions=LONG),
        lambda: PromotionSystem.from_lattice("i8", functions=f"add = {LONG}"),
        lambda: PromotionSystem.from_table(f"i8\n{LONG} i8"),
        lambda: dtype(LONG),
        lambda: supremum.system(LONG),
        lambda: supremum.result_type("int8", op=LONG),
        lambda: supremum.result_type(*["int4"] * 50_000, *["int8"] * 50_000),
        lambda: Lattice({i: [(i + 1) % 5000] for i in range(5000)}),
        lambda: Lattice({0: range(2, 500), 1: range(2, 500)}),
    ],
)
def test_messages_have_a_bound(ask):
    assert len(str(refusal(ask))) <= ENOUGH


def test_what_cannot_be_printed_is_named_by_its_class():
    class Unprintable:
        def __repr__(self):
            return {}["uint256"]

    assert "Unprintable object>" in short(Unprintable())
    with pytest.raises(supremum.DTypeError, match="Unprintable object"):
        supremum.dtype(Unprintable())


MADE = PromotionSystem.from_lattice
HUGE = 10**5000


@pytest.mark.parametrize(
    "mistake",
    [
        *(lambda x=x: Lattice(x) for x in (None, 5, [])),
        *(lambda x=x: MADE(x) for x in (None, 5, [])),
        *(lambda x=x: PromotionSystem.from_table(x) for x in (None, 5, [], {"i8": 5})),
        *(lambda x=x: PromotionSystem.from_file(x) for x in (None, 5, b"x", [])),
        *(lambda x=x: supremum.custom.Table.parse(x) for x in (None, 5, str)),
        lambda: supremum.custom.Fold([1], "x"),
        lambda: supremum.custom.Fold([1], max, order=5),
        *(
            lambda part=part: MADE("i8 -> i16", **{part: 5})
            for part in (
                "classify",
                "settle",
                "function_join",
                "function_classify",
                "refuse_int",
                "advise",
                "setting",
                "widths",
                "operable",
            )
        ),
        *(lambda x=x: supremum.diff("numpy", "jax", "int8", expr=x) for x in (str, 5, [], None)),
        *(lambda x=x: supremum.diff("numpy", "jax", "int8", op=x) for x in (np.add, 5, "", [])),
        lambda: supremum.diff("numpy", "jax", "int8", op="add", expr="x + y"),
        *(lambda x=x: supremum.compare("int8", systems=x) for x in (5, len)),
        lambda: supremum.compare("int8", 1, system="numpy"),
        *(lambda x=x: supremum.laws(x) for x in (PromotionSystem, supremum, 5)),
        lambda: supremum.custom.define(HUGE, kind="signed", bits=4),
        lambda: supremum.custom.define("huge4", kind="signed", bits=HUGE),
        *(lambda x=x: supremum.custom.define(x, kind="signed", bits=4) for x in ("True", "lambda")),
        lambda: dtype("int8").to(HUGE),
        lambda: supremum.system(HUGE),
        lambda: supremum.explain("int8[3] + 1", x64=False),
    ],
)
def test_what_is_of_another_type_is_refused(mistake):
    with pytest.raises(supremum.SupremumError) as caught:
        mistake()
    assert len(str(caught.value)) < ENOUGH


def test_rules_have_no_rule_for_what_is_not_a_name():
    assert supremum.system("jax").rule(1) is None
    assert supremum.system("jax").rule(["add"]) is None


def test_long_names_leave_room_for_what_to_type(golden):
    with pytest.raises(supremum.RulesError) as caught:
        supremum.system("x" * 100_000)
    golden(caught.value)
