"""The language in which rules say what a function makes of the joined dtype."""

import re

import pytest

import supremum
from supremum import PromotionError, RulesError, dtype
from supremum.core.function_rules import Call, Defaults, Special, Store, parse_rules, special_rules
from supremum.core.operands import parse
from supremum.custom import FunctionRule, NoJoinError, PromotionSystem, Settled  # fmt: skip

DEFAULTS = Defaults(*map(dtype, ("int64", "float64", "complex128", "int64")))


def result(text, joined, *operands):
    """Return what a function with this rule makes of a joined dtype."""
    own = tuple(dtype(name) for name in operands or (joined,))
    settled = Settled(dtype(joined))
    return Call("add", FunctionRule.parse(text), settled, (), own, DEFAULTS, ()).result().name


def cast(d):
    return f"; cast to {d} first, for example with x.astype('{d}')"


def refusal(text, joined, *operands):
    with pytest.raises(NoJoinError) as caught:
        result(text, joined, *operands)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "joined", "answer"),
    [
        ("", "int8", "int8"),
        ("bool: i8", "bool", "int8"),
        ("bool: i8", "int16", "int16"),
        ("unsigned: f32", "uint16", "float32"),
        ("unsigned: f32", "int16", "int16"),
        ("signed: f32", "int16", "float32"),
        ("signed: f32", "uint16", "uint16"),
        ("integer: f64", "uint16", "float64"),
        ("integer: f64", "int16", "float64"),
        ("integer: f64", "bool", "bool"),
        ("float: f64", "bfloat16", "float64"),
        ("float: f64", "complex64", "complex64"),
        ("complex: c128", "complex64", "complex128"),
        ("i8: i32", "int8", "int32"),
        ("i8: i32", "int16", "int16"),
        ("b: i8", "bool", "int8"),
        ("bf16 f16: f32", "bfloat16", "float32"),
        ("bf16 f16: f32", "float16", "float32"),
        ("*: b", "complex128", "bool"),
        ("u64 i64: f64; bool integer: f32", "int64", "float64"),
        ("u64 i64: f64; bool integer: f32", "int32", "float32"),
        ("bool: i8; complex: -; *: b", "bool", "int8"),
        ("bool: i8; complex: -; *: b", "float16", "bool"),
        ("complex: part", "complex64", "float32"),
        ("complex: part", "complex128", "float64"),
        ("complex: part", "complex32", "float16"),
        ("complex: part", "float32", "float32"),
    ],
)
def test_a_group_says_what_becomes_of_its_dtypes(text, joined, answer):
    assert result(text, joined) == answer


@pytest.mark.parametrize(
    ("text", "joined"),
    [("*: -", "int8"), ("complex: -", "complex64")],
)
def test_a_group_may_be_refused(golden, text, joined):
    golden(refusal(text, joined))
    assert result(text.replace("*", "bool"), "int32") == "int32"


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("bool: -", "bool"),
        ("bool integer: -", "bool"),
        ("float complex: -", "float16"),
        ("float complex: -", "float64"),
        ("bf16 f16: -", "bfloat16"),
        ("float integer: -", "float32"),
        ("u16: -", "uint16"),
        ("u64: -", "uint64"),
        ("bool integer: -", "int16"),
        ("bool integer: -", "int64"),
        ("c64: -", "complex64"),
    ],
)
def test_a_refusal_says_what_to_cast_to(golden, text, joined):
    golden(refusal(text, joined))


def test_alike_refuses_operands_of_two_dtypes(golden):
    assert result("alike", "int8", "int8", "int8") == "int8"
    message = "add takes operands of one dtype"
    assert refusal("alike", "int16", "int8", "int16") == message + cast("int16")
    golden(refusal("alike; i4: -", "int4", "int4"))


@pytest.mark.parametrize(
    ("words", "left", "joined", "fits"),
    [
        ("into same", "int16", "int16", True),
        ("into same", "int8", "int16", False),
        ("into kind", "int8", "int16", True),
        ("into kind", "int8", "float16", False),
        ("into kind", "uint8", "int16", False),
        ("into kind", "int8", "uint16", True),
        ("into kind", "float16", "float64", True),
        ("into kind", "float32", "complex64", False),
        ("into kind", "bool", "int8", False),
        ("into category", "uint8", "int16", True),
        ("into category", "int8", "uint16", True),
        ("into category", "int8", "float16", False),
        ("into category", "bool", "uint8", False),
        ("into category", "complex64", "complex128", True),
    ],
)
def test_an_operator_in_place_keeps_its_left_dtype_or_refuses(words, left, joined, fits):
    if fits:
        assert result(words, joined, left, joined) == left
    else:
        message = f"add cannot put {joined} into {left}"
        assert refusal(words, joined, left, joined) == message


@pytest.mark.parametrize(
    ("operands", "tail"),
    [
        (("int32", "float64"), "into int32"),
        (("int32[3]", "float64[3]"), "into int32; float64[3] makes the result float64"),
        (("int32[3]", 0.5), "into int32; 0.5 makes the result float64"),
        (("uint64[3]", "int64[3]"), "into uint64; uint64 and int64 meet in float64"),
    ],
)
def test_a_refusal_in_place_says_where_the_dtype_comes_from(operands, tail):
    read = [parse(x) if isinstance(x, str) else x for x in operands]
    with pytest.raises(PromotionError, match=re.escape(tail) + "$"):
        supremum.result_type(*read, op="iadd", system="numpy")


def test_what_became_of_the_join_is_told_where_it_changed():
    rules = PromotionSystem.from_lattice(
        "i8 -> f64", functions="true_divide, sin = integer: f64\nadd ="
    )
    told = rules.explain("int8", "int8", op="true_divide").applied
    why = "true_divide (x / y) converts int8 to float64."
    assert told == ("true_divide", dtype("float64"), why, False)
    told = rules.explain("int8", op="sin").applied
    assert told == ("sin", dtype("float64"), "sin converts int8 to float64.", False)
    assert rules.explain("int8", "int8", op="add").applied == ("add", dtype("int8"), "", False)


RULES = PromotionSystem.from_lattice(
    """
    b -> i* -> i8 -> i16 -> i32 -> f* -> f16 -> f32 -> c64
    u8 -> i16
    """,
    "mine",
    widths={"int*": "int32", "float*": "float32"},
    functions="""
        sum    = bool signed: INT; unsigned: UINT  # what is summed is wide
        mean   = bool integer: FLOAT
        fft    = *: COMPLEX
        argmax = *: INDEX
        sin    = b i8: f16; integer: f32
        solve  = apart; b i8: f16; integer: f32
        copysign = only 1; takes bool integer, signed
        less, equal = weak signed; *: b
        iadd   = into same f32
        add, subtract =
        multiply = takes integer float complex, integer float complex;
                   i8 i16: -
    """,
)


@pytest.mark.parametrize(
    ("op", "operands", "answer"),
    [
        ("sum", ["int8"], "int32"),
        ("sum", ["uint8"], "uint32"),
        ("sum", ["float16"], "float16"),
        ("mean", ["int8"], "float32"),
        ("fft", ["int8"], "complex64"),
        ("argmax", ["float16"], "int32"),
        # what becomes of each joins
        ("solve", ["int8", "int8"], "float16"),
        ("solve", ["int8", "int16"], "float32"),
        ("copysign", ["uint8", "int16"], "uint8"),
        ("iadd", ["int8", "int8"], "int8"),
        ("iadd", ["float32", "complex64"], "float32"),
    ],
)
def test_a_word_says_how_operands_and_results_differ(op, operands, answer):
    assert RULES.result_type(*operands, op=op) is dtype(answer)
    assert RULES.explain(*operands, op=op).result is dtype(answer)


@pytest.mark.parametrize(
    ("op", "operands"),
    [
        ("copysign", ["int8", "uint8"]),
        ("iadd", ["int8", "int16"]),
        ("multiply", ["bool", "int32"]),
        ("multiply", ["int32", "bool"]),
        ("multiply", ["int8", "int16"]),
    ],
)
def test_a_word_says_what_is_refused(golden, op, operands):
    with pytest.raises(PromotionError) as caught:
        RULES.result_type(*operands, op=op)
    golden(caught.value)
    assert [x.text for x in caught.value.operands] == operands


@pytest.mark.parametrize(
    ("op", "operands", "weak"),
    [
        ("add", [1, 1], True),
        ("add", [1, "int8"], False),
        ("sum", [1], True),
        # even a bool, if the rule names the kind of what is joined
        ("less", [1, 1], True),
        ("less", [1.0, 1], False),
        ("iadd", [1, 1], True),
    ],
)
def test_a_weak_result_stays_weak_if_the_rule_says_so(op, operands, weak):
    assert RULES.explain(*operands, op=op).weak is weak


def test_a_weak_result_stays_weak_only_for_the_kinds_that_are_named():
    rules = RULES.replace(functions={"add": "weak float", "subtract": "weak"})
    assert rules.explain(1.0, 1, op="add").weak
    assert not rules.explain(1, 1, op="add").weak
    assert not rules.explain(1.0, 1, op="subtract").weak
    assert rules.explain(1.0, 1).weak
    strong = rules.replace(weak_arrays=False)
    assert not strong.explain(1.0, 1, op="add").weak
    assert strong.explain(1.0, 1).weak


def test_shared_operands_join_as_they_do_without_a_function():
    functions = PromotionSystem.from_lattice("i8, u8 -> f32").join
    rules = PromotionSystem.from_lattice(
        "i8, u8 -> i16", function_join=functions, functions="add =\nconcat = shared"
    )
    assert rules.result_type("int8", "uint8") is dtype("int16")
    assert rules.result_type("int8", "uint8", op="concat") is dtype("int16")
    assert rules.result_type("int8", "uint8", op="add") is dtype("float32")


def test_many_rules_are_one_text_with_a_line_for_those_that_share_one():
    rules = parse_rules(
        "add, mul =  # as they are\n\nless,\n  equal = alike;\n  *: b\niadd = into kind bf16"
    )
    assert sorted(rules) == ["add", "equal", "iadd", "less", "multiply"]
    assert rules["less"] == rules["equal"] == FunctionRule.parse("alike; *: b")
    assert rules["add"] == FunctionRule()
    assert rules["iadd"].store == Store("kind", (dtype("bfloat16"),))
    assert parse_rules({"mul": "", "sin": FunctionRule()}) == {
        "multiply": FunctionRule(),
        "sin": FunctionRule(),
    }


@pytest.mark.parametrize(
    ("text", "candidates"),
    [
        ("flot: f64", ("float",)),
        ("bool: f65", ()),
        ("alik; *: b", ("alike",)),
        ("shred", ("shared",)),
        ("b: i8; alike", ()),
        ("qqq", ()),
        ("only 4", ()),
        ("takes flot, *", ("float",)),
        ("into same f65", ()),
        ("into some", ()),
        ("weak flot", ("float",)),
        ("part: b", ()),
    ],
)
def test_a_rule_with_a_mistake_is_refused_with_its_line(golden, text, candidates):
    for line, functions in ((1, f"add ={text}"), (3, f"sin =\n\nadd = {text}  # all\nabs =")):
        with pytest.raises(RulesError) as caught:
            PromotionSystem.from_lattice("i8 -> i16", functions=functions)
        golden(caught.value)
        assert (caught.value.line, caught.value.candidates) == (line, candidates)
    with pytest.raises(RulesError) as caught:
        PromotionSystem.from_lattice("i8 -> i16", functions={"add": text})
    golden(caught.value)
    assert (caught.value.line, caught.value.given) == (None, text)


@pytest.mark.parametrize(
    ("text", "line", "candidates"),
    [
        ("add =\nmul =\nadd = b: -", 3, ()),
        ("multiply =\nmul =", 2, ()),
        ("add, add =", 1, ()),
        ("add", 1, ()),
        ("\nadd =\nmultply =", 3, ("multiply",)),
        ("zzz =", 1, ()),
    ],
)
def test_text_that_is_not_rules_of_functions_is_refused_with_its_line(
    golden, text, line, candidates
):
    with pytest.raises(RulesError) as caught:
        PromotionSystem.from_lattice("i8 -> i16", functions=text)
    golden(caught.value)
    assert (caught.value.line, caught.value.candidates[:1]) == (line, candidates)


def test_two_spellings_of_a_function_have_one_rule_in_a_mapping_too(golden):
    with pytest.raises(RulesError) as caught:
        parse_rules({"pow": "", "power": "b: i8"})
    golden(caught.value)


def test_a_group_names_something():
    with pytest.raises(RulesError):
        FunctionRule.parse(": b")


# What no word says


def widest(call):
    return max(map(call.becomes, call.dtypes), key=lambda d: d.bits)


def drop_whole_exponents(operands):
    return operands[:1] if type(operands[1].value) is int else operands


SPECIAL = RULES.replace(
    functions={
        **special_rules(Special("the widest of each", result=widest), "atan2 = b i8: f16; u8: f32"),
        **special_rules(Special("whole exponents do not join", drop_whole_exponents), "power ="),
        **special_rules(Special("never weak", keeps_weak=lambda _: False), "subtract ="),
        **special_rules(Special("weak as the rule says", keeps_weak=lambda _: None), "add ="),
    }
)


@pytest.mark.parametrize(
    ("op", "operands", "answer"),
    [
        ("atan2", ["int8", "bool"], "float16"),
        ("atan2", ["int8", "uint8"], "float32"),
        ("power", ["bool", 2], "bool"),
        ("power", ["bool", 2.0], "float32"),
        ("power", ["bool", "int16"], "int16"),
    ],
)
def test_a_function_of_python_decides_what_no_word_says(op, operands, answer):
    assert SPECIAL.result_type(*operands, op=op) is dtype(answer)


def test_an_operand_that_does_not_join_is_noted(golden):
    why = SPECIAL.explain("bool", 2, op="power")
    assert [x.operand.text for x in why.classified] == ["bool"]
    golden(why.note)
    assert SPECIAL.explain("bool", 2.0, op="power").note == ""


def test_a_function_of_python_decides_whether_a_result_stays_weak():
    assert not SPECIAL.explain(1, 1, op="subtract").weak
    assert SPECIAL.explain(1, 1, op="add").weak


def test_special_rules_are_ordinary_rules_with_a_special_part():
    special = Special("it")
    rules = special_rules(special, "add, mul = b: -")
    assert rules == dict.fromkeys(
        ("add", "multiply"), FunctionRule.parse("b: -")._replace(special=special)
    )
    assert rules["add"].text == "bool: -"


@pytest.mark.parametrize("text", ["add = b: -;", "add =\nsum = b: i8;", "add,"])
def test_a_last_line_that_does_not_end_is_refused_with_its_line(text):
    with pytest.raises(RulesError) as raised:
        parse_rules(text)
    assert raised.value.line == len(text.splitlines())
