"""What rules of functions say in words."""

import re

import pytest
from generator.rule_words import in_words

import supremum
from supremum.core.function_rules import _RANKS, DEFAULTS, INTS, WORDS, Special
from supremum.custom import FunctionRule


def words(text):
    return in_words(FunctionRule.parse(text))


# Each rule stands before its words.
SAID = """
bool integer: f64
    bool and integers become float64
bool: i8
    bool becomes int8
f16: f32
    float16 becomes float32
complex: -
    complex dtypes are refused
bf16: -
    bfloat16 is refused
complex: part
    complex dtypes become the dtype of their parts
*: b
    always bool
*: -
    every dtype is refused
bool: -; *: i64
    bool is refused; the rest becomes int64
bool: i8; *: -
    bool becomes int8; the rest is refused
i64 u64: f64; integer: f32
    uint64 and int64 become float64; other integers become float32
i64: f64; unsigned: f32
    int64 becomes float64; unsigned integers become float32
bf16: f32; bool float: f64
    bfloat16 becomes float32; bool and other floats become float64
signed: f64; unsigned: f64
    integers become float64
bool: f64; f32: -; i8: f64
    bool becomes float64; float32 is refused; int8 becomes float64
f64 u8 i8 bool: f16
    bool, uint8, int8 and float64 become float16
signed: INT; unsigned: UINT
    signed integers become the default integer dtype; unsigned integers become the default unsigned
    dtype
bool: FLOAT; complex: COMPLEX; *: INDEX
    bool becomes the default float dtype; complex dtypes become the default complex dtype; the rest
    becomes the dtype of indices
alike; bool: -
    bool is refused; operands must have one dtype
apart; bool: i8
    bool becomes int8; operands join as what becomes of each
only 1; takes *, integer
    the joined dtype; operand 1 joins alone; the first operand may be any dtype for the next,
    integers
weak
    the joined dtype; the result is never weak
weak float signed
    the joined dtype; a weak result stays weak only of signed integers and floats
default signed
    the joined dtype; weakly typed signed integers take their default width first
into kind
    the result goes into the first operand, if it is of no higher kind
into same bf16 f16
    the result goes into the first operand, if it is of the same dtype; bfloat16 and float16 take
    everything
into same bf16
    the result goes into the first operand, if it is of the same dtype; bfloat16 takes everything
"""
PAIRS = re.findall(r"^(\S.*)\n((?: {4}.*\n)+)", SAID, re.MULTILINE)


@pytest.mark.parametrize(("text", "said"), PAIRS, ids=[text for text, _ in PAIRS])
def test_a_rule_in_words(text, said):
    assert words(text) == " ".join(said.split())


def test_an_empty_rule_is_the_joined_dtype():
    assert words("") == "the joined dtype"


EXAMPLES = {
    "alike": [""], "apart": [""], "shared": [""], "only": ["1", "2", "3"],
    "ints": [*INTS], "arrays": ["all", "first", "any"], "takes": ["integer, *"],
    "default": ["float"], "weak": ["", "float"], "into": [*_RANKS, "same bfloat16"],
}  # fmt: skip


def test_every_word_of_the_language_has_a_sentence_of_its_own():
    assert EXAMPLES.keys() == WORDS.keys()
    texts = [f"{word} {rest}".strip() for word, rests in EXAMPLES.items() for rest in rests]
    assert len({words(text) for text in texts}) == len(texts)
    for text in texts:
        assert FunctionRule.parse(text).text == text
        assert words(text).startswith(("the joined dtype; ", "the result goes into"))
    assert all(symbol not in words(f"bool: {symbol}") for symbol in DEFAULTS)


def test_what_no_word_says_is_said_last():
    rule = FunctionRule.parse("alike; bool: -")._replace(special=Special("a bool counts twice"))
    assert in_words(rule) == "bool is refused; operands must have one dtype; a bool counts twice"


@pytest.mark.parametrize("name", supremum.systems())
def test_rules_of_one_text_have_the_same_words_and_others_have_others(name):
    rules = supremum.system(name).functions.values()
    texts = {(rule.text, rule.special) for rule in rules}
    assert len({in_words(rule) for rule in rules}) == len(texts)
    for rule in rules:
        assert not re.search(r"[`-]$|[{}*:]", in_words(rule).replace("`", ""))
