"""Asking compiled code: what a batch is, and what becomes of one that fails."""

import importlib
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import supremum
from supremum import RulesError
from supremum.commands import main
from supremum.conformance import Difference, Measured, conform, libraries
from supremum.conformance.calls import LackingError
from supremum.conformance.compiled import LARGEST, Batches, Written
from supremum.conformance.library import Library, compilable, conformable, load
from supremum.conformance.measured import known_reason
from supremum.conformance.questions import MADE_INSIDE, Chosen, Question, compiled_questions
from supremum.core.operands import parse

RULES = supremum.system("array-api")

# A library whose arrays are their dtypes, and which answers as the standard says.
LIBRARY = """
import os, time
from types import SimpleNamespace
import supremum
from supremum.conformance.calls import LackingError
from supremum.conformance.library import Library

RULES = supremum.system("array-api")

def function(name):
    return lambda *given, dtype=None: dtype or RULES.result_type(*given, op=name)

class Compiles(Library):
    def version(self):
        return "1.0"
    def namespaces(self):
        names = ("add", "multiply", "negative", "sum")
        return [SimpleNamespace(__name__="fake", ones=lambda n, dtype: dtype,
                                **{name: function(name) for name in names})]
    def filled(self, values, d):
        return d
    def own_dtype(self, d):
        return d
    def name_of(self, found):
        return str(found)
    def needs_to_compile(self):
        return NEEDS
    def compiled(self, function, operands):
        found = function(*operands)
        BODY
        return found

LIBRARY = Compiles("array-api", "fake==1.0", ranks=(1,), roots=("fake",),
                   compiled_dtypes=("int8", "int16", "float32"), takes_dtype=("sum",))
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Return a function that writes a library with a compiler down, and gives its name."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    found = "import supremum.conformance.libraries as found\nfound.__path__.append({!r})"
    (tmp_path / "sitecustomize.py").write_text(found.format(str(folder)))
    path = [str(tmp_path), str(Path(supremum.__file__).parents[1])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
    monkeypatch.setattr(libraries, "__path__", [*libraries.__path__, str(folder)])

    def write(body="pass", needs=""):
        text = LIBRARY.replace("BODY", body).replace("NEEDS", repr(needs))
        (folder / "fake.py").write_text(text)
        importlib.invalidate_caches()
        conformable.cache_clear()
        compilable.cache_clear()
        return "fake"

    yield write
    conformable.cache_clear()
    compilable.cache_clear()
    sys.modules.pop("supremum.conformance.libraries.fake", None)


class Counting(Library):
    """A library that counts what is compiled, and fails as it is told to."""

    def __init__(self, fails=lambda _: None):
        super().__init__("array-api", "fake==1.0")
        self.batches, self.fails = [], fails

    def namespaces(self):
        def named(name):
            return lambda *given: RULES.result_type(*given, op=name)

        names = ("add", "negative", "bitwise_and")
        return [SimpleNamespace(__name__="fake", **{name: named(name) for name in names})]

    def make(self, op):
        return op.dtype

    def name_of(self, found):
        return str(found)

    def compiled(self, function, operands):
        self.batches.append(operands)
        self.fails(operands)
        return function(*operands)


def asked(*texts, op="add"):
    return [Question(tuple(map(parse, text.split(" with "))), op) for text in texts]


def answered(library, questions):
    return list(Batches(library, RULES, library.make).answers(questions))


MANY = [f"{a}[3] with {b}[3]" for a in ("int8", "int16", "int32") for b in ("int8", "uint8")]


def test_batches_double_until_they_are_long_enough():
    library = Counting()
    questions = asked(*MANY) * 20
    found = answered(library, questions)
    assert found == [str(RULES.result_type(*q.operands)) for q in questions]
    assert len(library.batches) == 6 + (120 - 63 + LARGEST - 1) // LARGEST


def test_a_batch_that_fails_is_halved_and_loses_nothing():
    def fails(operands):
        if supremum.dtype("int32") in operands:
            raise RuntimeError

    library = Counting(fails)
    questions = asked(*(["int8[3] with int8[3]"] * 20), *MANY)
    found = answered(library, questions)
    assert found[:24] == [str(RULES.result_type(*q.operands)) for q in questions[:24]]
    # what fails when it is not compiled, too, would be marked
    assert found[24:] == ["-", "-"]


def test_what_the_rules_refuse_is_asked_alone():
    library = Counting()
    questions = [*asked(*(["int8[3] with int8[3]"] * 7)), *asked("float32[3] with int8[3]")]
    assert answered(library, questions)[-1] == "-"
    assert [len(batch) for batch in library.batches][-1] == 2


def test_what_is_refused_without_a_compiler_too_is_marked():
    class Refuses(Counting):
        def namespaces(self):
            return [SimpleNamespace(__name__="fake", add=lambda *_: supremum.dtype("bool"))]

    assert answered(Refuses(), asked("int8[3] with int8[3]")) == ["= bool"]


def test_what_the_compiler_leaves_to_the_interpreter_is_not_asked():
    def fails(_):
        raise LackingError

    questions = [*asked("int8[3] with int8[3]"), *asked("float32[3] with int8[3]")]
    assert answered(Counting(fails), questions) == ["? add", "-"]


def test_numbers_are_written_and_arrays_are_taken():
    library = Counting()
    written = Written(library, library.make)
    questions = asked("int8[3] with 1", "int8[3] with int16[3]", "2.0 with int16[3]")
    function = written.function(questions)
    assert list(map(str, written.arguments.values())) == ["int8", "int16"]
    assert function.__code__.co_argcount == 2
    assert 2.0 in function.__code__.co_consts


def test_a_question_is_written_as_a_call():
    (question,) = asked("float16[3]", op="cumsum")
    inside = question.operands[0]._replace(text=f"float16[3]{MADE_INSIDE}")
    narrow = question._replace(dtype=supremum.dtype("int8"))
    assert question.text({}) == "cumsum(float16[3])"
    assert narrow.text({}) == "cumsum(float16[3], dtype=int8)"
    assert narrow._replace(operands=(inside,)).text({}) == (
        "cumsum(float16[3], made inside, dtype=int8)"
    )


def chosen(name="torch", system="torch", **options):
    return list(compiled_questions(load(name), supremum.system(system), **options))


def test_some_questions_of_each_function_are_drawn_in_their_order():
    every, some, again = chosen(), chosen(cells=3), chosen(cells=3)
    assert some == again != chosen(cells=3, seed=1)
    left = iter(every)
    assert all(question in left for question in some)
    names = {question.op for question in every}
    assert {question.op for question in some} == names
    keyword = [q for q in some if q.op == "sum" and q.dtype]
    assert len(keyword) == 6
    assert sum(MADE_INSIDE in str(q.operands) for q in keyword) == 3


def test_dtypes_are_chosen():
    dtypes = {x.dtype.name for q in chosen(dtypes=["int8"]) for x in q.operands if x.rank}
    assert dtypes == {"int8"}
    assert len(chosen(dtypes=["all"])) > len(chosen()) > len(chosen(dtypes=["int8"]))


def test_a_choice_survives_the_command_line_of_the_worker():
    choice = Chosen("torch", 0, 3, True, True, "int8,all", 5)
    assert Chosen.of_words(*map(str, choice)) == choice


def test_asking_compiled_code(fake):
    (measured,) = conform(fake(), compiled=True, cells=0)
    assert measured.verdict == "agrees"
    assert str(measured).startswith("array-api, compiled: ")
    questions = list(chosen("fake", "array-api"))
    assert measured.asked + measured.not_asked + measured.alike == len(questions)
    assert measured.alike == 1, "ones(3), which takes no dtype here"


WRONG = """
        d = supremum.dtype
        found = [d("int64") if x is d("int16") else x for x in found]
"""


def test_a_wrong_cell_is_noticed_with_a_cell_to_reproduce_it(fake):
    (measured,) = conform(fake(WRONG.strip()), compiled=True, cells=0)
    assert measured.verdict == "differs"
    assert {(d.rules, d.library) for d in measured.differences} == {("int16", "int64")}
    cells = {d.cell for d in measured.differences}
    assert "sum(int8[3], made inside, dtype=int16)" in cells
    assert "negative(int16[3])" in cells
    assert ", such as " in str(measured)
    assert measured.to_dict()["groups"][0]["cell"] in cells


CRASHES = "if supremum.dtype('float32') in found: os._exit(1)"


def test_what_crashes_is_found_in_its_batch(fake):
    (measured,) = conform(fake(CRASHES), compiled=True, cells=3)
    answers = {(d.rules, d.library) for d in measured.differences}
    assert answers == {("float32", "crashes")}
    assert all("float32" in d.cell for d in measured.differences)


def test_without_what_the_compiler_needs_nothing_is_measured(fake):
    (measured,) = conform(fake(needs="a C++ compiler"), compiled=True)
    assert measured.reason == "to compile, fake needs a C++ compiler"


def test_a_library_without_a_compiler_is_refused_with_those_that_have_one():
    with pytest.raises(RulesError, match=r"numpy has no compiler to ask; jax and torch have one"):
        conform("numpy", compiled=True)


@pytest.mark.parametrize(
    "words",
    ["torch --compiled --random 3", "torch --compiled --no-functions", "--module a --compiled"],
)  # fmt: skip
def test_options_that_do_not_go_together_are_refused(words):
    result = CliRunner().invoke(main, ["conform", *words.split()])
    assert result.exit_code == 2
    assert "--compiled" in result.output


def test_a_known_difference_is_counted_by_what_is_known_of_it():
    measured = Measured("torch", {}, "2.13.0", "2.13.0", compiled=True)
    (question,) = asked("int64[3]", op="cumsum")
    inside = question.operands[0]._replace(text=f"int64[3]{MADE_INSIDE}")
    question = question._replace(operands=(inside,), dtype=supremum.dtype("float16"))
    measured.note(question, "float16", "int64", question.text({}))
    assert measured.verdict == "agrees"
    ((reason, found),) = measured.known.items()
    assert "pytorch#189518" in reason
    assert f"known: {reason}, in 1 cells" in str(measured)
    assert measured.to_dict()["known"] == {reason: [d.cell for d in found]}


def test_what_is_known_of_one_function_is_not_known_of_another():
    inside = (f"int64[3]{MADE_INSIDE}",)
    assert not known_reason("torch", Difference(inside, "float16", "int64", "sum(dtype=)"))
    assert not known_reason("jax", Difference(inside, "float16", "int64", "cumsum(dtype=)"))
