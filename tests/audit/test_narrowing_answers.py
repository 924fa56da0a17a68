"""Programs of which it is known what may be narrow: each answer is that of every set tried."""

import math
import re

import pytest

from .narrowing import exhaustive
from .narrowing.exhaustive import Answer, Origin, Output
from .programs import LIBRARIES

ANSWERS = exhaustive.answers()
NARROWED = [name for name, answer in ANSWERS.items() if not answer.refused]
REFUSED = [name for name, answer in ANSWERS.items() if answer.refused]

PROGRAM = """\
import numpy as np

total = np.zeros(10)
large = np.full(10, 2.0**24)
total += large
total += 1
print(len(total), float(total[0]), float(large[0]))
np.save("total.npy", total)
"""


def source(answer):
    """Return the text of a program, whose library is there."""
    text = answer.path.read_text(encoding="utf-8")
    for library in LIBRARIES & {*re.findall(r"^import (\w+)", text, re.MULTILINE)}:
        pytest.importorskip(library)
    return text


def test_each_program_has_an_answer():
    files = {*exhaustive.HERE.glob("programs/*.py"), *exhaustive.HERE.glob("refused/*.py")}
    assert files == {answer.path for answer in ANSWERS.values()}


@pytest.mark.parametrize("name", ANSWERS)
def test_origins_are_in_the_program(name):
    answer = ANSWERS[name]
    text = answer.path.read_text(encoding="utf-8")
    changed = exhaustive.typed(text, {origin: origin.replacement for origin in answer.origins})
    compile(changed, answer.path.name, "exec")
    assert len(changed.splitlines()) == len(text.splitlines())
    assert len({*answer.origins}) == len(answer.origins) <= 10
    assert not any(origin.why for origin in answer.may)
    assert all(origin.why for origin in answer.must_not + answer.instead)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NARROWED)
def test_the_answer_is_that_of_every_set_tried(name):
    answer = ANSWERS[name]
    source(answer)
    found = exhaustive.search(answer)
    best, *others = found.right
    may_be = frozenset().union(*(tried.origins for tried in found.right))
    assert best.origins == {*answer.may}
    assert best.saved / 1e6 == pytest.approx(answer.best_mb)
    assert all(tried.saved < best.saved for tried in others)
    assert may_be == {*answer.may, *answer.instead}
    # none is right or wrong by little
    assert not any(
        answer.within / 3 < tried.difference < 3 * answer.within for tried in found.tried
    )


@pytest.mark.thorough
@pytest.mark.parametrize("name", REFUSED)
def test_nothing_is_narrow_in_a_refused_program(name):
    answer = ANSWERS[name]
    assert not exhaustive.search(answer).right


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("unseeded", 1e-5, 1),
        ("order_of_arrival", 1e-17, 1e-12),
        ("narrow_already", 0, 0),
        ("wide_for_good", 0, 0),
    ],
)
def test_how_far_two_runs_are_apart(name, least, most):
    answer = ANSWERS[name]
    one, other = (exhaustive.run(answer, source(answer)) for _ in range(2))
    assert least <= exhaustive.difference(one, other) <= most


def test_every_set_is_tried(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    total = Origin(3, "np.zeros(10)", "np.zeros(10, dtype=np.float32)", "running total")
    large = Origin(4, "np.full(10, 2.0**24)", "np.full(10, 2.0**24, dtype=np.float32)")
    answer = Answer(path, "float32", 1e-9, (large,), (total,), 4e-5, files=("total.npy",))
    found = exhaustive.search(answer)
    assert [(tried.origins, tried.saved) for tried in found.right] == [({large}, 40)]
    apart = {tried.origins: tried.difference for tried in found.tried}
    assert apart[frozenset({large})] == 0
    assert apart[frozenset({total})] == apart[frozenset({total, large})] == 1 / (2**24 + 1)
    assert found.runs == 5
    assert found.seen[total] == {"bytes": 80, "times": 1, "largest": 0, "dtypes": ["float64"]}


def test_integers_have_to_fit_with_the_margin():
    made = {"largest": 1_500_000_000}
    assert exhaustive.fits(made, "int32", 1)
    assert not exhaustive.fits(made, "int32", 2)
    assert exhaustive.fits(made, "float32", 2)


@pytest.mark.parametrize(
    ("dtype", "bits"), [("float64", 64), ("bfloat16", 16), ("int8", 8), ("int32", 32)]
)
def test_bits_of_a_dtype(dtype, bits):
    assert exhaustive.bits(dtype) == bits


@pytest.mark.parametrize(
    ("before", "after", "apart"),
    [
        ("x 1.0 2.0", "x 1.0 2.5", 0.2),
        ("x 3", "x 4", math.inf),
        ("x -3", "x -4", math.inf),
        ("x 1.0", "y 1.0", math.inf),
        ("x 1.0", "x 1.0 1.0", math.inf),
        ("x 1e-3", "x 0.001", 0.0),
        ("x nan inf", "x nan inf", 0.0),
        ("x nan", "x 1.0", math.inf),
        ("x inf", "x 1.0", math.inf),
        ("x 0.0", "x 1e-30", 1.0),
        ("float32", "float64", math.inf),
    ],
)
def test_how_far_outputs_are_apart(before, after, apart):
    one, other = (Output(0, text, ()) for text in (before, after))
    assert exhaustive.difference(one, other) == apart


def test_arrays_are_results_too():
    one, other = Output(0, "", ((1.0, 2.0),)), Output(0, "", ((1.0, 4.0),))
    assert exhaustive.difference(one, other) == 0.5
    assert exhaustive.difference(one, one._replace(arrays=((1.0,),))) == math.inf
    assert exhaustive.difference(one, one._replace(status=1)) == math.inf


def test_a_text_that_is_not_there_once():
    with pytest.raises(ValueError, match=r"line 1 has 'zeros\(2\)' 2 times"):
        exhaustive.typed("zeros(2) + zeros(2)\n", {Origin(1, "zeros(2)", "ones(2)"): "ones(2)"})
