"""Rules side by side: where two differ, and what all make of one question."""

import json

import pytest

import supremum
from supremum import dtype
from supremum.core.analysis.compare import Comparison, compared_libraries
from supremum.core.errors import DTypeError, RulesError
from supremum.core.operands import parse
from supremum.custom import PromotionSystem

NARROW = PromotionSystem.from_lattice("i8 -> i16 -> f32", "narrow")
WIDE = PromotionSystem.from_table(
    """
          i8   i16  f32
    i8    i16  i16  -
    i16   i16  i16  f32
    f32   -    f32  f32
    """,
    "wide",
)


def test_every_library_answers_a_question():
    found = supremum.compare("int8", 300)
    assert isinstance(found, Comparison)
    assert [answer.system for answer in found] == [*compared_libraries()]
    assert set(compared_libraries()) <= set(supremum.systems())
    odd = {answer.system: answer.result and answer.result.name for answer in found if answer.odd}
    assert odd == {
        "numpy-legacy": "int16",
        "mlx": None,
        "numba": "int64",
        "numexpr": "int32",
        "polars": "int16",
        "pyarrow": "int64",
        "duckdb": "int32",
        "pytensor": "int16",
        "pandas": None,
    }
    assert all(answer.reason for answer in found)


def test_an_answer_is_found_by_the_name_of_its_rules():
    found = supremum.compare("int32", "float32", systems=["numpy", "jax"])
    assert found["jax"] is found[1]
    assert found[:1] == found[0:1] == (found["numpy"],)
    with pytest.raises(supremum.RulesError, match="did you mean numpy"):
        found["nunpy"]
    with pytest.raises(supremum.RulesError, match="numpy and jax were"):
        found["torch"]


def test_the_odd_ones_out_are_those_of_another_answer_than_the_commonest():
    found = supremum.compare("int32", "float32", systems=["numpy", "jax", "torch", "tensorflow"])
    assert [(a.system, a.result and a.result.name, a.odd) for a in found] == [
        ("numpy", "float64", True),
        ("jax", "float32", False),
        ("torch", "float32", False),
        ("tensorflow", None, True),
    ]
    alone = supremum.compare("int8", "int16", systems=["numpy", "jax"])
    assert [a.odd for a in alone] == [False, False]


def test_a_comparison_takes_rules_of_ones_own_and_what_has_no_dimensions():
    found = supremum.compare("int8", "float32", systems=[NARROW, WIDE, "jax"])
    assert [a.result and a.result.name for a in found] == ["float32", None, "float32"]
    mixed = [parse(text) for text in ("int64[3]", "float32[]")]
    results = {a.system: a.result for a in supremum.compare(*mixed, systems=["torch", "numpy"])}
    assert results == {"torch": dtype("float32"), "numpy": dtype("float64")}


def test_a_refusal_has_its_reason_without_the_operands(golden):
    (answer,) = supremum.compare("int8", "float32", systems=["array-api"])
    golden(answer)


def test_a_comparison_is_printed_with_a_line_for_each(golden):
    found = supremum.compare("int8", "float32", systems=["numpy", "jax", WIDE])
    golden(found)


def test_an_expression_that_all_refuse_has_every_reason(golden):
    found = supremum.compare("~float32[3]", systems=["numpy", "torch"])
    assert [answer.result for answer in found] == [None, None]
    assert not any(answer.odd for answer in found)
    golden(found)


def test_no_answer_is_odd_if_several_are_as_common():
    for systems in (["jax", "numpy"], ["numpy", "jax"], ["numpy", "jax", "torch", "dask"]):
        assert not any(a.odd for a in supremum.compare("int32", "float32", systems=systems))
    found = supremum.compare("int32", "float32", systems=["numpy", "jax", "torch"])
    assert [a.odd for a in found] == [True, False, False]


def test_rules_without_a_function_do_not_count_as_a_refusal(golden):
    four = ["numpy", "paddle", "array-api", "dask"]
    found = supremum.compare("int32[3] / uint8[3]", systems=four)
    assert [(a.text, a.covered, a.odd) for a in found] == [
        ("float64", True, False),
        ("not covered", False, False),
        ("-", True, True),
        ("float64", True, False),
    ]
    with pytest.raises(RulesError) as caught:
        supremum.compare("int32", "int32", systems=["paddle"], op="matmul")
    golden(caught.value)


def test_a_comparison_is_plain_data_too(run):
    found = supremum.compare("int8", 300, systems=["numpy", "mlx"])
    assert found.to_dict() == {
        "answers": [
            {
                "system": "numpy",
                "result": "int8",
                "reason": "int* takes the dtype of int8. An operation with 300 is refused, since "
                "300 does not fit int8, which goes from -128 to 127.",
                "odd": False,
                "covered": True,
            },
            {
                "system": "mlx",
                "result": None,
                "reason": "300 does not fit int8, which goes from -128 to 127",
                "odd": False,
                "covered": True,
            },
        ],
        "parting": "",
    }
    printed = run("compare", "int8[3]", "300", "--format", "json")
    answers = json.loads(printed.stdout)["answers"]
    assert [a["system"] for a in answers] == [*compared_libraries()]
    (own,) = (a for a in answers if a["system"] == "numpy")
    assert own == found.to_dict()["answers"][0]


def test_compare_on_the_command_line(run, golden):
    printed = run("compare", "int32", "float32[]", "1.0")
    assert (printed.exit_code, printed.stderr) == (0, "")
    asked = [parse(text) for text in ("int32", "float32[]", "1.0")]
    assert printed.stdout == f"{supremum.compare(*asked)}\n"
    golden(run("compare", "i8").stderr)


@pytest.mark.parametrize(
    ("ask", "kind", "message"),
    [
        (lambda: supremum.compare("u9", systems=["jax"]), DTypeError, "'u9' is not the name"),
        (lambda: supremum.compare("int8", systems=["nmpy"]), RulesError, "did you mean numpy?"),
    ],
)
def test_a_question_that_cannot_be_asked_is_not_a_refusal_of_some_rules(ask, kind, message):
    with pytest.raises(kind) as caught:
        ask()
    assert message in str(caught.value)
    assert not isinstance(caught.value, supremum.PromotionError)


def test_no_rules_have_no_answers(golden):
    with pytest.raises(RulesError) as caught:
        supremum.compare("int8", systems=[])
    golden(caught.value)


def test_pythons_sum_is_told_from_a_librarys():
    found = supremum.compare("sum(int32)", systems=["numpy", "mlx"])
    said = "Python's sum adds one element after the other, from 0; np.sum gives int64."
    assert [answer.reason for answer in found] == [said, ""]
