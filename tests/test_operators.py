"""What operators do on top of the join: the language, the shipped data, and the answers."""

from itertools import product

import numpy as np
import pytest

import supremum
from supremum import dtype, operators
from supremum.errors import NoJoinError, RulesError
from supremum.operators import OPERATORS, UNARY, apply

WITH_OPERATORS = [name for name in supremum.systems() if supremum.system(name).operators]


def result(text, joined, *operands):
    """Return what an operator of this text makes of a joined dtype."""
    own = [dtype(name) for name in operands or (joined,)]
    return apply({"add": text}, "add", dtype(joined), own).dtype.name


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
def test_a_group_may_be_refused(text, joined):
    part = "; take its real part first" if joined == "complex64" else ""
    assert refusal(text, joined) == f"add does not take {joined}{part}"
    assert result(text.replace("*", "bool"), "int32") == "int32"


@pytest.mark.parametrize(
    ("text", "joined", "instead"),
    [
        ("bool: -", "bool", "int32"),
        ("bool integer: -", "bool", "float32"),
        ("float complex: -", "float16", "int32"),
        ("float complex: -", "float64", "int64"),
        ("bf16 f16: -", "bfloat16", "float32"),
        ("float integer: -", "float32", "bool"),
        ("u16: -", "uint16", "int32"),
        ("u64: -", "uint64", "int64"),
        ("bool integer: -", "int16", "float32"),
        ("bool integer: -", "int64", "float64"),
        ("c64: -", "complex64", "complex128"),
    ],
)
def test_a_refusal_says_what_to_cast_to(text, joined, instead):
    assert refusal(text, joined) == f"add does not take {joined}{cast(instead)}"


def test_alike_refuses_operands_of_two_dtypes():
    assert result("alike", "int8", "int8", "int8") == "int8"
    message = "add does not promote: its operands have one dtype"
    assert refusal("alike", "int16", "int8", "int16") == message + cast("int16")
    assert refusal("alike; i4: -", "int4", "int4") == "add does not take int4" + cast("int32")


def test_numbers_refuses_a_bool_among_the_operands():
    assert result("numbers", "int8", "int8", "int8") == "int8"
    assert refusal("numbers", "int8", "bool", "int8") == "add takes no bool" + cast("int32")
    assert refusal("numbers", "int8", "int8", "bool") == "add takes no bool" + cast("int32")
    assert refusal("numbers; i8: -", "int8", "int8") == "add does not take int8" + cast("int32")


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
        message = f"add would have to put {joined} into {left}"
        assert refusal(words, joined, left, joined) == message


def test_what_became_of_the_join_is_told_where_it_changed():
    int8 = dtype("int8")
    told = apply({"true_divide": "integer: f64"}, "true_divide", int8, [int8, int8])
    assert told == ("true_divide", dtype("float64"), "true_divide, x / y, makes float64 of int8.")
    assert apply({"add": ""}, "add", int8, [int8, int8]) == ("add", int8, "")


@pytest.mark.parametrize("name", WITH_OPERATORS)
def test_rules_with_operators_have_all_of_them(name):
    options = supremum.options(name)
    for values in product(*options.values()):
        rules = supremum.system(name, **dict(zip(options, values, strict=True)))
        assert set(rules.operators) in (set(OPERATORS), set())
    assert set(supremum.system(name).operators) == set(OPERATORS)


def test_the_libraries_whose_operators_are_known():
    assert {"numpy", "jax", "torch"} <= set(WITH_OPERATORS)
    assert set(supremum.system("array-api", version="2024.12").operators) == set(OPERATORS)
    assert set(OPERATORS) | set(operators.LIKE) > UNARY
    assert set(operators.LIKE.values()) < set(OPERATORS)


@pytest.mark.parametrize("name", WITH_OPERATORS)
@pytest.mark.parametrize("op", OPERATORS)
def test_every_operator_answers_or_refuses_in_words(name, op):
    rules = supremum.system(name)
    for operands in product(rules.operable, repeat=1 if op in UNARY else 2):
        try:
            answer = rules.result_type(*operands, op=op)
        except supremum.PromotionError as error:
            assert str(error).startswith(f"{rules.name} rules")  # noqa: PT017
        else:
            assert answer in rules.dtypes


DIVISION = {
    "numpy": {"bool": "float64", "int8": "float64", "uint64": "float64", "int64": "float64"},
    "jax": {"bool": "float32", "int8": "float32", "uint64": "float64", "int64": "float64"},
    "torch": {"bool": "float32", "int8": "float32", "uint64": "float32", "int64": "float32"},
}
SINE = {
    "numpy": {"bool": "float16", "int8": "float16", "int16": "float32", "int32": "float64"},
    "jax": {"bool": "float32", "int8": "float32", "int16": "float32", "int64": "float64"},
    "torch": {"bool": "float32", "int8": "float32", "int16": "float32", "int64": "float32"},
}
SUM = {
    "numpy": {"bool": "int64", "int8": "int64", "uint8": "uint64", "uint64": "uint64"},
    "jax": {"bool": "int64", "int8": "int64", "uint8": "uint64", "uint64": "uint64"},
    "torch": {"bool": "int64", "int8": "int64", "uint8": "int64", "int64": "int64"},
}
ABS = {
    "numpy": {"bool": "bool", "uint8": "uint8", "complex64": "float32", "complex128": "float64"},
    "jax": {"bool": "bool", "uint8": "uint8", "complex64": "float32", "complex128": "float64"},
    "torch": {"uint8": "uint8", "complex64": "float32", "complex128": "float64"},
}
FLOATS = {"float16": "float16", "bfloat16": "bfloat16", "float32": "float32", "float64": "float64"}


def rows(op, answers):
    for system, of in answers.items():
        for name, answer in {**of, **FLOATS}.items():
            yield pytest.param(system, op, name, answer, id=f"{system}-{op}-{name}")


@pytest.mark.parametrize(
    ("system", "op", "name", "answer"),
    [
        *rows("true_divide", DIVISION),
        *rows("sin", SINE),
        *rows("sum", SUM),
        *rows("abs", ABS),
    ],
)
def test_an_operator_gives(system, op, name, answer):
    operands = [name] if op in UNARY else [name, name]
    assert supremum.result_type(*operands, system=system, op=op).name == answer


@pytest.mark.parametrize(
    ("system", "left", "right", "answer"),
    [
        ("numpy", "int16", "int8", "int16"),
        ("numpy", "int8", "int16", "int8"),
        ("numpy", "int16", "uint8", "int16"),
        ("numpy", "float32", "int64", "float32"),
        ("numpy", "float16", "float64", "float16"),
        ("jax", "int8", "float32", "float32"),
        ("jax", "uint8", "int8", "int16"),
        ("torch", "uint8", "int8", "uint8"),
        ("torch", "int8", "int64", "int8"),
        ("torch", "float16", "int64", "float16"),
    ],
)
def test_an_operator_in_place_gives(system, left, right, answer):
    assert supremum.result_type(left, right, system=system, op="iadd").name == answer


@pytest.mark.parametrize(
    ("system", "op", "operands", "message"),
    [
        ("numpy", "iadd", ("int8", "float32"), "iadd would have to put float32 into int8"),
        ("numpy", "iadd", ("uint8", "int8"), "iadd would have to put int16 into uint8"),
        ("numpy", "subtract", ("bool", "bool"), "subtract does not take bool" + cast("int32")),
        ("numpy", "floor_divide", ("int8", "complex64"),
         "floor_divide does not take complex64; take its real part first"),
        ("numpy", "bitwise_and", ("int8", "float32"),
         "bitwise_and does not take float32" + cast("int32")),
        ("torch", "iadd", ("int8", "float32"), "iadd would have to put float32 into int8"),
        ("torch", "subtract", ("bool", "int8"), "subtract takes no bool" + cast("int32")),
        ("torch", "mean", ("int8",), "mean does not take int8" + cast("float32")),
        ("torch", "abs", ("bool",), "abs does not take bool" + cast("int32")),
        ("torch", "add", ("uint16", "uint16"), "add does not take uint16" + cast("int32")),
        ("torch", "matmul", ("int8", "int16"),
         "matmul does not promote: its operands have one dtype" + cast("int16")),
        ("jax", "invert", ("float32",), "invert does not take float32" + cast("int32")),
        ("jax", "add", ("int4", "int4"),
         "nothing is known of add on int4 in these rules" + cast("int8")),
    ],
)  # fmt: skip
def test_a_refusal_names_the_operator_and_the_operands_in_their_order(
    system, op, operands, message
):
    rules = supremum.system(system)
    with pytest.raises(supremum.PromotionError) as caught:
        rules.result_type(*operands, op=op)
    label = f" ({rules.label})" if rules.label else ""
    names = " with ".join(operands)
    assert str(caught.value) == f"{system} rules{label} refuse {names}: {message}"


def test_bfloat16_joins_otherwise_in_numpys_operators():
    numpy = supremum.system("numpy")
    assert numpy.result_type("uint16", "bfloat16", op="add").name == "float32"
    assert numpy.result_type("bfloat16", "int64", op="multiply").name == "float64"
    for op in (None, "concat", "where"):
        with pytest.raises(supremum.PromotionError, match="no answer for uint16 and bfloat16"):
            numpy.result_type("uint16", "bfloat16", op=op)


def test_the_default_width_of_an_option_is_that_of_its_operators():
    narrow = supremum.system("jax", x64=False)
    assert narrow.result_type("int8", op="sum").name == "int32"
    assert narrow.result_type("uint8", op="sum").name == "uint32"
    assert narrow.result_type("int64", op="argmax").name == "int32"
    torch = supremum.system("torch", default_dtype="bfloat16")
    assert torch.result_type("int32", "int32", op="true_divide").name == "bfloat16"


def test_python_scalars_take_part_in_operators():
    assert supremum.result_type("int8", 1, op="true_divide", system="numpy").name == "float64"
    assert supremum.result_type("float16", 2, op="true_divide", system="numpy").name == "float16"
    assert supremum.result_type("int8", 1.0, op="equal", system="jax").name == "bool"
    assert supremum.result_type("bool", 1, op="subtract", system="numpy").name == "int64"


LIVE = {
    "true_divide": lambda x, y: x / y,
    "floor_divide": lambda x, y: x // y,
    "power": lambda x, y: x**y,
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "equal": lambda x, y: x == y,
    "left_shift": lambda x, y: x << y,
    "bitwise_and": lambda x, y: x & y,
    "sum": lambda x: x.sum(),
    "prod": lambda x: x.prod(),
    "mean": lambda x: x.mean(),
    "argmax": lambda x: x.argmax(),
    "abs": abs,
    "sin": np.sin,
    "negative": lambda x: -x,
    "invert": lambda x: ~x,
}
OWN = ["bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64"]
OWN += ["float16", "float32", "float64", "complex64", "complex128"]


@pytest.mark.parametrize("op", LIVE)
def test_numpy_itself_gives_the_same(op):
    rules = supremum.system("numpy")
    for names in product(OWN, repeat=1 if op in UNARY else 2):
        try:
            live = dtype(np.asarray(LIVE[op](*(np.ones(3, name) for name in names))).dtype)
        except TypeError:
            live = None
        try:
            ours = rules.result_type(*names, op=op)
        except supremum.PromotionError:
            ours = None
        assert ours is live, (op, names)


def test_numpy_itself_adds_in_place_the_same():
    rules = supremum.system("numpy")
    for left, right in product(OWN, repeat=2):
        x = np.ones(3, left)
        try:
            x += np.ones(3, right)
            live = left
        except TypeError:
            live = None
        try:
            ours = rules.result_type(left, right, op="iadd").name
        except supremum.PromotionError:
            ours = None
        assert ours == live, (left, right)


def test_an_explanation_says_what_the_operator_did():
    told = supremum.explain("int32", "int32", op="true_divide")
    assert told.result is dtype("float32")
    assert told.join is dtype("int32")
    assert str(told) == (
        "float32                                        jax rules, x64 on\n"
        "\n"
        "  int32     dtype                  int32\n"
        "  int32     dtype                  int32\n"
        "\n"
        "There is nothing to promote: the operands are all int32.\n"
        "true_divide, x / y, makes float32 of int32.\n"
        "May lose precision: int32 carries 31 bits, float32 carries 24."
    )
    why = "true_divide, x / y, makes float32 of int32."
    expected = {"name": "true_divide", "dtype": "float32", "why": why}
    assert told.as_dict()["operator"] == expected


def test_an_explanation_without_an_operator_has_none():
    assert supremum.explain("int32", "int32").as_dict()["operator"] is None
    told = supremum.explain("int8", "int8", op="add", system="numpy")
    assert told.as_dict()["operator"] == {"name": "add", "dtype": "int8", "why": ""}
    assert "add" not in str(told)


def test_the_command_explains_an_operator(run):
    result = run("explain", "int32", "int32", "--op", "true_divide")
    told = supremum.explain("int32", "int32", op="true_divide")
    assert (result.exit_code, result.stdout) == (0, f"{told}\n")
    assert run("explain", "bool", "bool", "--op", "subtract", "-s", "numpy").exit_code == 1
    unknown = run("explain", "int8", "int8", "--op", "true_divid")
    assert unknown.exit_code == 2
    assert unknown.stderr == (
        "supremum: these rules say nothing of an operator 'true_divid';"
        " did you mean true_divide or floor_divide?\n"
    )


@pytest.mark.parametrize(
    ("system", "op", "message", "close"),
    [
        (
            "numpy",
            "ad",
            "these rules say nothing of an operator 'ad'; did you mean add or iadd?",
            ("add", "iadd"),
        ),
        (
            "jax",
            "qqq",
            (
                "these rules say nothing of an operator 'qqq'; "
                f"there are {', '.join(operators.OPERATORS)}"
            ),
            (),
        ),
        (
            "numpy",
            "true_div",
            "these rules say nothing of an operator 'true_div'; did you mean true_divide?",
            ("true_divide",),
        ),
    ],
)
def test_an_unknown_operator_is_refused(system, op, message, close):
    with pytest.raises(RulesError) as caught:
        supremum.result_type("int8", "int8", system=system, op=op)
    assert str(caught.value) == message
    assert (caught.value.given, caught.value.candidates) == (op, close)


@pytest.mark.parametrize("system", ["keras", "jax-original", "python"])
def test_rules_without_operators_say_so_and_suggest_none(system):
    weak = "int*" if system == "python" else "int8"
    with pytest.raises(RulesError) as caught:
        supremum.result_type(weak, weak, system=system, op="true_divide")
    assert "true_divide" in str(caught.value)
    assert "did you mean" not in str(caught.value)


def test_a_number_needs_no_dtype_of_its_own():
    standard = supremum.system("array-api", version="2025.12")
    single = supremum.operands.parse("float32[3]")
    assert standard.result_type(single, 1.0, op="add").name == "float32"
    assert standard.result_type(single, 2, op="power").name == "float32"
    with pytest.raises(supremum.PromotionError, match="true_divide does not take int8"):
        standard.result_type(supremum.operands.parse("int8[3]"), 2, op="true_divide")
    with pytest.raises(supremum.PromotionError, match="among Python scalars"):
        standard.result_type(single, supremum.operands.parse("int*[3]"), op="add")
