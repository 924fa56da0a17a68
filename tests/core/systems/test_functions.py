"""Functions under the rules of libraries: some answers, and what is said where there are none.

The answers are measured on the libraries by `conform`, cell by cell. The few below are those that
differ most, and need no library.
"""

import pytest

import supremum
from supremum.core.operands import operand, parse

REFUSED = "-"

# The function, its operands, and the answers of NumPy, JAX and PyTorch.
TABLE = """
    add            int8[3] uint8[3]     int16     int16     int16
    add            i64[3] f32[3]        float64   float32   float32
    add            f32[3] f64[]         float64   float64   float32
    add            int8[3] 300          -         int8      int8
    add            u64[3] int8[3]       float64   float64   -
    subtract       bool[3] bool[3]      -         -         -
    true_divide    int8[3] int8[3]      float64   float32   float32
    true_divide    i64[3] 2             float64   float64   float32
    floor_divide   bool[3] bool[3]      int8      int32     -
    less           uint8[3] 300         bool      bool      bool
    sqrt           int8[3]              float16   float32   float32
    abs            c64[3]               float32   float32   float32
    sum            uint8[3]             uint64    uint64    int64
    mean           i32[3]               float64   float32   -
    matmul         int8[3,3] i16[3,3]   int16     int16     -
    iadd           uint8[3] int8[3]     -         int16     uint8
    iadd           f32[3] f64[3]        float32   float64   float32
"""
WITH_FUNCTIONS = [name for name in supremum.systems() if supremum.system(name).functions]


def answer(system, op, words):
    try:
        return supremum.result_type(*read(words), op=op, system=system).name
    except supremum.PromotionError:
        return REFUSED


def read(words):
    return [operand(parse(word)) for word in words]


@pytest.mark.parametrize("line", TABLE.strip().splitlines())
def test_functions_of_three_libraries(line):
    op, *words = line.split()
    words, expected = words[:-3], words[-3:]
    assert [answer(system, op, words) for system in ("numpy", "jax", "torch")] == expected


def test_tensorflow_has_its_functions_in_explicit_mode(golden):
    for mode in ("all", "safe"):
        with pytest.raises(supremum.RulesError, match="no function rules"):
            supremum.system("tensorflow", mode=mode).result_type("int8", op="sum")
    with pytest.raises(supremum.PromotionError) as caught:
        supremum.result_type(*read(["int8[3]", "256"]), op="floor_divide", system="tensorflow")
    golden(caught.value)


@pytest.mark.parametrize(
    ("system", "op"),
    [
        ("keras:backend=torch", "sum"),
        ("keras:backend=numpy", "sum"),
    ],
)
def test_functions_that_one_setting_has_and_another_does_not(system, op, golden):
    assert supremum.system(system.partition(":")[0]).rule(op)
    with pytest.raises(supremum.RulesError) as caught:
        supremum.system(system).result_type("int8", op=op)
    golden(caught.value)


@pytest.mark.parametrize("system", WITH_FUNCTIONS)
def test_no_message_says_of_add_what_add_does_not_give(system):
    for words in (
        ["int8[3]", "300"],
        ["1.0", "f64[3]"],
        ["uint8[3]", "int8[3]"],
        ["f16[3]", "f16[3]"],
    ):
        try:
            told = str(supremum.explain(*read(words), system=system))
        except supremum.PromotionError as error:
            told = str(error)
        claimed = told.partition("such as add give ")[2].partition(" ")[0]
        assert claimed in ("", answer(system, "add", words))
