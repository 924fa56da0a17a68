"""Programs of which it is known what may be narrow: each answer is that of every set tried.

With SUPREMUM_ALL_PROGRAMS all of them are run; otherwise a few are.
"""

import math
import os
import re
import shutil

import pytest

from supremum import audit
from supremum.core.errors import SupremumError

from ..programs import LIBRARIES
from . import exhaustive
from .exhaustive import Answer, Origin, Output

ANSWERS = exhaustive.answers()
NARROWED = [name for name, answer in ANSWERS.items() if not answer.refused]
REFUSED = [name for name, answer in ANSWERS.items() if answer.refused]
FEW = {"counter", "ids", "ledger", "meeting", "unseeded", "wide_for_good"}


def programs(names):
    """Run a test for each program: for all of them if they are asked for, else for a few."""
    every = "SUPREMUM_ALL_PROGRAMS" in os.environ
    chosen = [name for name in names if every or name in FEW]
    return pytest.mark.parametrize("name", chosen)


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
@programs(NARROWED)
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
@programs(NARROWED)
def test_narrow_finds_the_best_set_or_one_as_good(name, tmp_path, monkeypatch):
    answer = ANSWERS[name]
    source(answer)
    monkeypatch.chdir(tmp_path)
    shutil.copy(answer.path, tmp_path)
    found = audit.narrow(
        answer.path.name,
        answer.arguments,
        to=answer.to,
        within=answer.within,
        compare=answer.files,
    )
    chosen = {
        origin
        for origin in answer.origins
        for n in found.narrowed
        if n.place.start[0] == origin.line and squeezed(n.place.text) in squeezed(origin.text)
        and n.place.wanted == answer.to
    }  # fmt: skip
    assert not chosen & {*answer.must_not}
    seen = exhaustive.search(answer).seen
    missed = sum(seen[origin]["bytes"] for origin in {*answer.may} - chosen)
    instead = sum(seen[origin]["bytes"] for origin in chosen - {*answer.may})
    most = sum(seen[origin]["bytes"] for origin in answer.may)
    assert missed - instead <= most / 100 or chosen & {*answer.instead}
    assert found.change <= answer.within


def squeezed(text):
    return re.sub(r"\s+", "", text)


@pytest.mark.thorough
@programs(REFUSED)
def test_nothing_is_narrowed_in_a_refused_program(name, tmp_path, monkeypatch):
    answer = ANSWERS[name]
    monkeypatch.chdir(tmp_path)
    shutil.copy(answer.path, tmp_path)
    try:
        found = audit.narrow(answer.path.name, to=answer.to, within=answer.within)
    except SupremumError:
        return
    assert found.narrowed == ()


@pytest.mark.thorough
@programs(REFUSED)
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


def test_integers_have_to_fit():
    assert exhaustive.fits({"largest": 1_500_000_000}, "int32")
    assert not exhaustive.fits({"largest": 3_000_000_000}, "int32")
    assert exhaustive.fits({"largest": 3_000_000_000}, "float32")


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
