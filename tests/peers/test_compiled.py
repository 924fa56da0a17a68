"""Compiled code beside the rules, with the installed compilers: some cells, and public cases."""

import shutil
from functools import cache

import pytest

import supremum
from supremum.conformance import Measured
from supremum.conformance.compiled import Batches
from supremum.conformance.library import load
from supremum.conformance.measure import said
from supremum.conformance.questions import MADE_INSIDE, compiled_questions

# as the worker has it: what warns is not refused
pytestmark = pytest.mark.filterwarnings("ignore")

pytest.importorskip("torch")
pytest.importorskip("jax")


@pytest.fixture(autouse=True)
def _torch_stays_as_it_was():
    import torch

    before = torch.get_default_dtype()
    yield
    torch.set_default_dtype(before)


def ask(name, questions, rules=None):
    """Return what compiled code makes of some questions, beside the rules."""
    if name == "torch" and not shutil.which("g++"):
        pytest.skip("there is no C++ compiler")
    library = load(name)
    library.configure(**library.settings[0])
    right = supremum.system(library.system, **library.settings[0])
    release = library.version()
    measured = Measured(name, {}, release, release, compiled=True)
    answers = Batches(library, right, cache(library.make)).answers(questions)
    for question, answer in zip(questions, answers, strict=True):
        ours = said(rules or right, question, weak=library.weak_results)
        measured.note(question, ours, answer, question.text(library.calls))
    return measured


def questions(name, functions, dtypes):
    library = load(name)
    rules = supremum.system(library.system, **library.settings[0])
    return [q for q in compiled_questions(library, rules, dtypes) if q.op in functions]


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_some_functions_agree(name):
    asked = questions(name, ["add", "sum", "sin"], ["int32", "float32"])
    measured = ask(name, asked)
    assert not measured.differences, str(measured)
    assert measured.asked > 40


class Wrong:
    """Rules that are wrong about one function of one dtype."""

    def __init__(self, rules):
        self.rules = rules

    def __getattr__(self, name):
        return getattr(self.rules, name)

    def result_type(self, *operands, op=None):
        is_wrong = op == "sin" and operands[0].dtype == supremum.dtype("float16")
        right = self.rules.result_type(*operands, op=op)
        return supremum.dtype("float32") if is_wrong else right


def test_a_wrong_cell_is_noticed():
    rules = supremum.system("torch", **load("torch").settings[0])
    measured = ask("torch", questions("torch", ["sin"], ["float16", "float32"]), Wrong(rules))
    (found,) = measured.differences
    assert (found.cell, found.rules, found.library) == ("sin(float16[3])", "float32", "float16")


def known_in_2_13(measured, issue):
    """Return the cells that differ as an issue says, in the release that has it."""
    if measured.installed != "2.13.0":
        pytest.skip("measured on 2.13.0")
    assert not measured.differences, str(measured)
    ((reason, known),) = measured.known.items()
    assert issue in reason
    return {d.cell for d in known}


def test_the_dtype_that_cumsum_is_given_is_dropped():
    asked = questions("torch", ["cumsum"], ["bool", "float16"])
    inside = [q for q in asked if q.dtype and MADE_INSIDE in str(q.operands)]
    cells = known_in_2_13(ask("torch", inside), "pytorch#189518")
    assert "cumsum(bool[3], made inside, 0, dtype=float16)" in cells


def test_a_matrix_of_half_times_a_vector_of_float_runs():
    """Is what is left of pytorch#177630."""
    asked = questions("torch", ["matmul"], ["float16", "float32"])
    cells = known_in_2_13(ask("torch", asked), "pytorch#177630")
    mixed = ("float16", "float32"), ("float32", "float16")
    assert cells == {f"matmul({a}[3, 3], {b}[3])" for a, b in mixed}


def test_a_product_of_stacks_of_half_and_float_is_refused():
    """Was pytorch#177630, as it was reported: it ran when it was compiled."""
    import torch

    half, single = torch.ones(2, 3, 3, dtype=torch.float16), torch.ones(2, 3, 3)
    with pytest.raises(RuntimeError):
        torch.matmul(half, single)
    with pytest.raises(RuntimeError):
        torch.compile(torch.matmul, fullgraph=True)(half, single)
