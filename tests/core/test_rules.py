"""Rules are values: equal by their parts, immutable, and copied, pickled and typed again."""

import copy
import pickle
from dataclasses import FrozenInstanceError
from itertools import product

import pytest

import supremum
from supremum import dtype
from supremum.core.fold import Fold
from supremum.core.function_rules import Defaults
from supremum.custom import Classified, FunctionRule, Lattice, PromotionSystem, Settled

ARROWS = "i* -> i8 -> i16 -> f32; u8 -> i16"
TABLE = "   i8  u8\ni8  i8  -\nu8  i8! u8"
FUNCTIONS = "sqrt = integer: f32\nadd ="


def every_shipped():
    for name in supremum.systems():
        options = supremum.options(name)
        for values in product(*options.values()):
            yield supremum.system(name, **dict(zip(options, values, strict=True)))


SHIPPED = list(every_shipped())
shipped = pytest.mark.parametrize("rules", SHIPPED, ids=repr)


def classify(op, operands):
    return Classified(op, dtype("int8"), f"one of {len(operands)}")


def settle(node, taken):
    return Settled(node, False, f"of {len(taken)}")


def widest(left, right):
    return max(left.node, right.node, key=lambda d: d.bits)


def advise(nodes):
    return f"{nodes[0]} is alone"


def refuse_int(value, d, operands, ints):
    return f"{value} is {d} of {len(operands)} {ints}"


def mine(**parts):
    return PromotionSystem.from_lattice(ARROWS, "mine", **parts)


OWN = {
    "lattice": mine(),
    "unnamed": PromotionSystem.from_lattice("i8"),
    "widths": mine(widths={"int*": "int16"}),
    "no widths": mine(widths={}),
    "words": mine(label="loud", version="1.0", source="'me'", setting={"loud": True}),
    "flags": mine(ranked=True, valued=True, weak_arrays=False),
    "operable": mine(operable="i8 f32"),
    "table": PromotionSystem.from_table(TABLE, "table"),
    "table and widths": PromotionSystem.from_table("i*\ni* i*", widths={"int*": "int8"}),
}
WITH_CODE = {
    "functions": mine(functions=FUNCTIONS),
    "function_join": mine(functions="add =", function_join=Lattice({dtype("int8"): []})),
    "defaults": mine(defaults=Defaults(*map(dtype, ("int8", "float32", "complex64", "int8")))),
    "classify": mine(classify=classify),
    "settle": mine(settle=settle),
    "advise": mine(advise=advise),
    "refuse_int": mine(refuse_int=refuse_int),
    "fold": PromotionSystem("fold", Fold(map(dtype, ("int8", "int16")), widest)),
}
own = pytest.mark.parametrize("rules", [*OWN.values(), *WITH_CODE.values()], ids=[*OWN, *WITH_CODE])


def copies(rules):
    yield copy.copy(rules)
    yield copy.deepcopy(rules)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(rules, protocol))


def answers(rules):
    """Return all that some rules answer, in words."""
    found = {}
    operands = [*rules.dtypes, 1, 1.5]
    for pair in product(operands, repeat=2):
        for op in (None, "add"):
            try:
                found[op, *map(str, pair)] = str(rules.explain(*pair, op=op))
            except supremum.SupremumError as error:
                found[op, *map(str, pair)] = str(error)
    return found


@shipped
def test_rules_that_ship_are_made_once_and_copies_of_them_are_the_same(rules):
    _, name, options = rules.origin
    assert supremum.system(name, **dict(options)) is rules
    assert all(again is rules for again in copies(rules))


@shipped
def test_rules_that_ship_are_equal_to_what_is_made_of_the_same_parts(rules):
    again = rules.replace()
    assert again is not rules
    assert again == rules
    assert hash(again) == hash(rules)
    assert again.origin is None
    assert all(x == again and x is not rules for x in copies(again))
    other = rules.replace(name="mine")
    assert other != rules
    assert (other.name, other.join, other.library) == ("mine", rules.join, rules.library)


def test_each_of_the_rules_that_ship_differs_from_all_others():
    assert len(set(SHIPPED)) == len(SHIPPED)
    equal = [(a, b) for i, a in enumerate(SHIPPED) for b in SHIPPED[:i] if a == b]
    assert equal == []


@shipped
def test_rules_that_ship_can_be_typed(rules):
    typed = repr(rules)
    assert typed.startswith("supremum.system('")
    assert eval(typed, {"supremum": supremum}) is rules


@own
def test_rules_of_ones_own_are_shown_in_a_line(rules):
    form = type(rules.join).__name__.lower()
    count = len(rules.join.nodes)
    assert repr(rules) == f"<PromotionSystem {rules.name!r}: a {form} of {count} dtypes>"


@shipped
def test_rules_that_were_made_of_shipped_ones_are_shown_as_others(rules):
    assert repr(rules.replace(name="mine")).startswith("<PromotionSystem 'mine': ")


def test_a_last_step_of_ones_own_is_not_taken_for_widths():
    for rules in (WITH_CODE["settle"], supremum.system("array-api").replace()):
        assert rules.replace(name="mine").settle == rules.settle
        assert "widths" not in rules.parts()


@own
def test_copies_are_equal_and_answer_alike(rules):
    before = answers(rules)
    for again in copies(rules):
        assert again == rules
        assert not again != rules  # noqa: SIM202  # this asks for inequality
        assert hash(again) == hash(rules)
        assert again.origin is None
        assert answers(again) == before


@own
def test_copies_do_not_share_what_is_remembered(rules, kept):
    rules.promote_types(rules.dtypes[0])
    again = pickle.loads(pickle.dumps(rules))
    assert not any(kept(again) + kept(rules.replace()))
    assert any(kept(rules))


@pytest.mark.parametrize(
    "other",
    [
        PromotionSystem.from_lattice("i* -> i8; i8 -> i16; i16 -> f32; u8 -> i16", "mine"),
        PromotionSystem.from_lattice("u8 -> i16 -> f32; i* -> i8 -> i16", "mine"),
        PromotionSystem.from_lattice(
            {"int*": ["i8"], "i8": ["i16"], "u8": ["i16"], "i16": ["f32"]}, "mine"
        ),
        mine(widths={"float*": "float64", "int*": "int64", "complex*": "complex128"}),
        mine(functions="", setting={}, operable="i* i8 i16 f32 u8"),
    ],
)
def test_rules_of_the_same_arrows_are_equal_however_they_were_written(other):
    assert other == mine()
    assert hash(other) == hash(mine())


def test_no_two_rules_of_other_parts_are_equal():
    different = [
        *OWN.values(),
        *WITH_CODE.values(),
        mine().replace(name="ours"),
        mine(functions="add ="),
        mine(functions="add = b: -"),
        mine(widths={"int*": "int8"}),
        mine(version="1.0"),
        mine(source="me"),
        mine(setting={"loud": False}),
        mine(ranked=True),
        mine(valued=True),
        PromotionSystem.from_lattice(f"{ARROWS}; u8 -> f32; b -> i8", "mine"),
        PromotionSystem.from_table(mine().table(), "mine"),
        PromotionSystem("mine", Fold(mine().dtypes, widest)),
        PromotionSystem("mine", Fold(mine().dtypes, widest, order=list)),
    ]
    assert [(a, b) for i, a in enumerate(different) for b in different[:i] if a == b] == []
    assert len(set(different)) == len(different)
    for rules in different:
        assert rules != rules.name
        assert rules != rules.join


def test_folds_with_methods_of_equal_objects_make_equal_rules():
    torch = supremum.system("torch")
    again = pickle.loads(pickle.dumps(torch.replace()))
    assert again.join is not torch.join
    assert again.join == torch.join
    assert again == torch
    assert supremum.system("torch", default_dtype="float64").join != torch.join


def test_rules_are_keys():
    found = {rules: rules.name for rules in (mine(), *SHIPPED)}
    assert found[mine()] == "mine"
    assert found[supremum.system("jax")] == "jax"
    assert found[supremum.system("jax").replace()] == "jax"
    assert mine(version="2") not in found
    assert {mine(), mine(), mine().replace()} == {mine()}


def test_an_option_that_is_written_out_with_its_default_gives_the_same_rules():
    assert supremum.system("jax") is supremum.system("jax", x64=True)
    assert supremum.system("jax") is supremum.system("jax", mode="standard", x64=True)
    assert supremum.system("array-api") is supremum.system("array-api", version="2025.12")
    narrow = supremum.system("jax", x64=False)
    assert narrow is supremum.system("jax", mode="standard", x64=False)
    assert narrow is not supremum.system("jax")


PARTS = [
    "name",
    "join",
    "classify",
    "settle",
    "functions",
    "version",
    "ranked",
    "result_type",
    "promote_types",
]


@pytest.mark.parametrize("rules", [mine(), supremum.system("jax")], ids=["mine", "jax"])
@pytest.mark.parametrize("part", PARTS)
def test_rules_do_not_change(rules, part):
    before = getattr(rules, part)
    with pytest.raises(AttributeError) as caught:
        setattr(rules, part, None)
    assert type(caught.value) is FrozenInstanceError
    with pytest.raises(FrozenInstanceError):
        delattr(rules, part)
    assert getattr(rules, part) is before
    with pytest.raises((AttributeError, TypeError)):
        rules.colour = "red"
    assert not hasattr(rules, "__dict__")


def test_the_mappings_of_rules_do_not_change():
    functions, setting = {"add": ""}, {"loud": True}
    rules = mine(functions=functions, setting=setting)
    for mapping in (rules.functions, rules.setting, supremum.system("jax").functions):
        with pytest.raises(TypeError):
            mapping["add"] = None
        with pytest.raises(TypeError):
            del mapping["add"]
    functions["sqrt"] = setting["quiet"] = ""
    assert (set(rules.functions), dict(rules.setting)) == ({"add"}, {"loud": True})
    rules.lattice.arrows[dtype("int8")] = ()
    assert rules == mine(functions={"add": ""}, setting={"loud": True})


def test_replacing_keeps_all_other_parts():
    rules = mine(functions=FUNCTIONS, widths={"int*": "int16"}, label="loud", operable="i8 i16 f32")
    other = rules.replace(name="ours", ranked=True)
    assert (other.name, other.ranked) == ("ours", True)
    assert (rules.name, rules.ranked) == ("mine", False)
    assert other.replace(name="mine", ranked=False) == rules
    for part in ("join", "functions", "settle", "label", "operable", "classify"):
        assert getattr(other, part) == getattr(rules, part)
    assert rules.replace(widths={"int*": "int8"}).result_type(1) is dtype("int8")
    assert rules.result_type(1) is dtype("int16")


def test_replacing_the_join_replaces_what_follows_from_it():
    rules = mine(functions="add =")
    smaller = rules.replace(join=Lattice({dtype("uint8"): [dtype("uint16")]}))
    assert smaller.function_join is smaller.join
    assert smaller.operable == smaller.join.nodes
    assert smaller.result_type("uint8", "uint16", op="add") is dtype("uint16")


def test_replacing_functions_takes_texts_and_parsed_rules():
    rule = FunctionRule.parse("integer: f32")
    for functions in ("sqrt = integer: f32", {"sqrt": "integer: f32"}, {"sqrt": rule}):
        assert mine().replace(functions=functions).rule("sqrt") == rule
    assert mine(functions=FUNCTIONS).replace(functions="").functions == {}


def test_two_rules_from_the_same_arrows_and_their_copies_and_pickles_are_equal():
    one, two = (PromotionSystem.from_lattice("i8 -> i16", "m") for _ in range(2))
    assert one == two == copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))


@pytest.mark.parametrize("part", ["name", "join", "widths", "wdths"])
def test_rules_are_not_changed_but_replaced(part):
    rules = PromotionSystem.from_lattice("i8 -> i16", "m")
    with pytest.raises(FrozenInstanceError, match=rf"rules.replace\({part}="):
        setattr(rules, part, {})
    with pytest.raises(FrozenInstanceError):
        delattr(rules, part)
