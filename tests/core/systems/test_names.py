"""Rules by their names: options, misspelt names, and the functions that take a name."""

import pytest

import supremum
from supremum import PromotionError, RulesError, dtype
from supremum.custom import PromotionSystem


def refusal(call, *args, error=RulesError):
    with pytest.raises(error) as caught:
        call(*args)
    return caught.value


@pytest.fixture
def mine():
    return PromotionSystem.from_lattice("i8, u8 -> i16", "mine")


def test_rules_of_a_name_are_made_once():
    assert supremum.system("jax") is supremum.system("jax")
    narrow = supremum.system("jax", x64=False)
    assert narrow is supremum.system("jax", x64=False)
    assert narrow is not supremum.system("jax")
    assert supremum.system(narrow) is narrow


@pytest.mark.parametrize(
    ("name", "options"),
    [
        (
            "jax",
            {
                "x64": (True, False),
                "mode": ("standard", "strict"),
                "explicit_x64": ("warn", "error", "allow"),
                "version": supremum.system("jax").releases,
            },
        ),
        ("jax-lax", {"x64": (True, False)}),
        ("jax-original", {}),
        ("python", {}),
        ("array-api", {"version": ("2025.12", "2024.12", "2021.12", "proposal")}),
        ("jep9407-option3", {}),
    ],
)
def test_options_are_listed_with_their_values_the_default_first(name, options):
    assert supremum.options(name) == options


def test_every_value_of_an_option_is_taken_and_remembered():
    for name in supremum.systems():
        for option, values in supremum.options(name).items():
            assert supremum.system(name).setting[option] == values[0]
            for value in values:
                assert supremum.system(name, **{option: value}).setting[option] == value


@pytest.mark.parametrize(
    ("name", "options", "given", "candidates"),
    [
        ("jaxx", {}, "jaxx", ("jax", "jax-lax")),
        (
            "jep9407-option4",
            {},
            "jep9407-option4",
            ("jep9407-option3", "jep9407-option2", "jep9407-option1"),
        ),
        ("qqq", {}, "qqq", ()),
        ("jax", {"x46": True}, "x46", ("x64",)),
        ("jax", {"colour": True}, "colour", ()),
        ("python", {"x64": 1}, "x64", ()),
        ("jax", {"x64": 1}, 1, ()),
        ("jax", {"x64": "on"}, "on", ()),
        ("jax", {"mode": "Strict"}, "Strict", ()),
        ("jax", {"mode": True}, True, ()),
        (3, {}, 3, ()),
        (None, {}, None, ()),
    ],
)
def test_what_names_no_rules_is_refused(golden, name, options, given, candidates):
    error = refusal(lambda: supremum.system(name, **options))
    golden(error)
    assert (error.given, error.candidates) == (given, candidates)
    assert isinstance(error, ValueError)


def test_rules_that_are_made_take_no_options(golden, mine):
    error = refusal(lambda: supremum.system(mine, x64=False))
    golden(error)


def test_options_of_no_rules_are_refused():
    assert str(refusal(supremum.options, "jaks")).startswith("there are no rules")


@pytest.mark.parametrize("ask", [supremum.promote_types, supremum.result_type])
def test_the_functions_take_rules_or_their_name(ask, mine):
    assert ask("int32", "float16") is dtype("float16")
    assert ask("int32", "float16", system=b"jax".decode()) is dtype("float16")
    assert ask("int32", "float16", system="jep9407-option2") is dtype("float32")
    assert ask("int8", "uint8", system=mine) is dtype("int16")
    error = refusal(lambda: ask("int32", "float16", system="jax-lax"), error=PromotionError)
    assert error.system == "jax-lax"
    assert refusal(lambda: ask("int8", system="jaks")).given == "jaks"


def test_explanations_take_rules_or_their_name(mine):
    assert supremum.explain("int32", "float16").system == "jax"
    assert supremum.explain("int32", "float16", system="jep9407-option2").result.name == "float32"
    assert supremum.explain("int8", "uint8", system=mine).system == "mine"
