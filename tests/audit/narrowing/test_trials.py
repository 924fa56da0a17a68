"""How far the results of two runs are apart, and which line lacks a seed."""

import math

import pytest

from supremum.audit.trial.comparison import tolerance
from supremum.audit.trial.inputs import change, difference
from supremum.audit.trial.runs import Run
from supremum.audit.trial.seeds import unseeded

WITHIN = tolerance("float32", 1e-5)
CHANGES = [
    ("1.0", "1.0", 0.0),
    ("1.0", "1.0000001", 1e-7),
    ("1.000000", "1.000100", 1e-4),
    ("2.5", "2.6", 0.0562),
    ("1.5 s", "1.5 m", math.inf),
    ("nan", "nan", 0.0),
    ("1.5", "nan", math.inf),
    ("inf", "1e308", math.inf),
    ("[1.0 2.0]", "[1.0]", math.inf),
    ("3", "4", math.inf),
]


def run(output, status=0):
    return [Run(status, output, "", 0.0, None)]


@pytest.mark.parametrize(("before", "after", "expected"), CHANGES)
def test_change_is_the_least_tolerance_within_which_results_agree(before, after, expected):
    found = change(run(before), run(after), WITHIN)
    assert found == pytest.approx(expected, rel=0.01)
    if 0 < found < math.inf:
        exact = WITHIN._replace(of_print=False)
        assert not difference(run(before), run(after), exact._replace(relative=found))
        assert difference(run(before), run(after), exact._replace(relative=found / 2))


def test_another_exit_status_is_another_result():
    assert difference(run("1.0"), run("1.0", status=1), WITHIN)
    assert change(run("1.0"), run("1.0", status=1), WITHIN) == math.inf


SEEDS = {
    "rng = np.random.default_rng()": 1,
    "rng = np.random.default_rng(0)": 0,
    "np.random.seed(1)\nx = np.random.rand(3)": 0,
    "n = 3\nx = np.random.rand(n)": 2,
    "x = torch.randn(3)": 1,
    "torch.manual_seed(0)\nx = torch.randn(3)": 0,
    "import random\nx = random.random()": 2,
    "rng = random.Random()": 1,
    "x = np.linspace(0, 1)": 0,
}


@pytest.mark.parametrize(("text", "line"), SEEDS.items())
def test_the_line_that_draws_without_a_seed(tmp_path, text, line):
    file = tmp_path / "program.py"
    file.write_text(text)
    found = unseeded([file])
    where = f"program.py:{line}: {text.splitlines()[line - 1]} has no seed; "
    assert [one.startswith(where) for one in found] == [True] * bool(line)
