"""Asking libraries: what agrees, what differs, and what fails, hangs or crashes."""

import importlib
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import supremum
from supremum import RulesError, conformance, dtype
from supremum.conformance import (
    Difference,
    Measured,
    calls,
    conform,
    conform_module,
    libraries,
    measure,
    write,
)
from supremum.conformance.library import conformable, load
from supremum.conformance.measured import grouped
from supremum.conformance.questions import questions
from supremum.core.functions import FUNCTIONS
from supremum.core.systems import numpy as numpy_rules
from supremum.custom import PromotionSystem, Table

pytestmark = pytest.mark.thorough

SOURCE = str(Path(supremum.__file__).parents[1])

# A library that answers as the array API's standard does, but for what is put into it.
LIBRARY = """
import os, sys, time
import supremum
from supremum.conformance.calls import LackingError
from supremum.conformance.library import Library
class Fake(Library):
    asked = 0
    def version(self):
        {version}
        return "1.0"
    def make(self, op):
        {make}
        return op
    def ask(self, *operands):
        self.asked += 1
        {ask}
        names = [op.dtype.name for op in operands]
        if names == ["int8", "uint8"]:
            {int8_uint8}
        if names == ["float64", "float64"]:
            {float64_float64}
        return supremum.system("array-api").result_type(*operands).name
    def operate(self, function, *operands):
        if function == "add":
            {add}
        return supremum.system("array-api").result_type(*operands, op=function).name
LIBRARY = Fake("array-api", "fake=={pinned}", ranks=(1,), nary_settings=(), {facts})
"""

# What runs before all else in a new interpreter, so that workers find these libraries too.
FOUND_BY_ALL = """
import supremum.conformance.libraries
supremum.conformance.libraries.__path__.append({folder!r})
"""


@pytest.fixture
def fake(tmp_path, monkeypatch):
    """Return a function that writes a library down, and gives its name."""
    folder = tmp_path / "libraries"
    folder.mkdir()
    (tmp_path / "sitecustomize.py").write_text(FOUND_BY_ALL.format(folder=str(folder)))
    path = [str(tmp_path), SOURCE, os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
    monkeypatch.setattr(libraries, "__path__", [*libraries.__path__, str(folder)])
    written = []

    def make(name="fake", **parts):
        blank = dict.fromkeys(("version", "make", "ask", "int8_uint8", "float64_float64"), "pass")
        blank |= {"add": "pass", "facts": "", "pinned": "1.0"}
        (folder / f"{name}.py").write_text(LIBRARY.format(**blank | parts))
        importlib.invalidate_caches()
        written.append(f"supremum.conformance.libraries.{name}")
        conformable.cache_clear()
        name = name.replace("_", "-")
        assert name in conformance.conformable()
        return name

    yield make
    conformable.cache_clear()
    for name in written:
        sys.modules.pop(name, None)


def differences(measured):
    return {d.operands: (d.rules, d.library) for d in measured.differences}


INT8_UINT8 = ("int8[3]", "uint8[3]")


def test_a_library_that_agrees(golden, fake):
    (measured,) = conform(fake())
    assert measured.verdict == "agrees"
    assert measured.asked == 13**2
    assert measured.differences == []
    golden(measured)
    assert measured.to_dict() == {
        "system": "array-api",
        "setting": {},
        "verdict": "agrees",
        "installed": "1.0",
        "written_for": "1.0",
        "unmeasured": [],
        "asked": 169,
        "undefined": 0,
        "not_asked": 0,
        "lacks": [],
        "groups": [],
        "differences": [],
        "reason": "",
    }


def test_another_release_than_the_rules_were_measured_on_is_told(golden, fake):
    (measured,) = conform(fake(pinned="0.9"))
    assert measured.verdict == "agrees"
    assert measured.unmeasured == [("fake 1.0", "0.9")]
    assert measured.to_dict()["unmeasured"] == [["fake 1.0", "0.9"]]
    golden(measured)


def test_a_release_that_the_rules_were_measured_on_too_is_not_told(golden, fake):
    (measured,) = conform(fake(pinned="0.9", version='return "2.4.1"'))
    assert "2.4.1" in supremum.system("array-api").releases
    golden(measured)


def test_another_release_of_what_decides_for_some_dtypes_is_told(fake):
    (measured,) = conform(fake(facts='of_releases={"version": "click"}'))
    (told,) = measured.unmeasured
    assert told == (f"click {metadata.version('click')}", "2025.12")


@pytest.fixture
def jax_release(monkeypatch):
    """Return a function that sets which release of JAX seems to be installed."""

    def install(release):
        monkeypatch.setattr(measure.metadata, "version", lambda _: release)

    return install


@pytest.mark.parametrize(
    ("release", "chosen"),
    [("0.10.2", {}), ("0.6.2", {"version": "0.6.2"}), ("0.0.1", {})],
)
def test_the_rules_of_the_installed_release_are_asked(jax_release, release, chosen):
    jax_release(release)
    assert measure._of_releases(measure.load("jax")) == chosen


LACKS = {
    "dtype": 'raise supremum.DTypeError("no such dtype", op)',
    "ml_dtypes": 'raise ModuleNotFoundError(name="ml_dtypes")',
}


@pytest.mark.parametrize("lacks", LACKS.values(), ids=LACKS)
def test_a_dtype_that_the_library_lacks_is_not_asked(golden, fake, lacks):
    name = fake(make=f'if op.dtype.name in ("float32", "int8"): {lacks}')
    (measured,) = conform(name)
    assert (measured.verdict, measured.asked, measured.not_asked) == ("agrees", 11**2, 48)
    assert measured.lacks == ["int8", "float32"]
    assert ("int8", "int16") not in measured.table
    golden(measured)
    assert measured.to_dict()["not_asked"] == 48
    assert measured.to_dict()["lacks"] == ["int8", "float32"]


@pytest.mark.parametrize(
    "fails", ["raise TypeError", 'raise ModuleNotFoundError(name="fake._private")']
)
def test_an_operand_that_fails_otherwise_is_refused(fake, fails):
    (measured,) = conform(fake(make=f'if op.dtype.name == "float32": {fails}'))
    assert (measured.asked, measured.not_asked) == (169, 0)
    assert {library for _, library in differences(measured).values()} == {"-"}
    assert len(measured.differences) == 7  # float32 with the floats and the complex dtypes


def test_a_difference_is_told_beside_what_is_not_asked(fake):
    lacks = f'if op.dtype.name == "float32": {LACKS["dtype"]}'
    (measured,) = conform(fake(make=lacks, int8_uint8='return "int64"'))
    assert measured.verdict == "differs"
    assert str(measured).startswith("array-api: 143 of 144 agree with 1.0, 25 not asked")


def test_a_library_that_lacks_everything_is_not_measured(fake):
    (measured,) = conform(fake(make=LACKS["dtype"]))
    assert (measured.verdict, measured.asked) == ("not measured", 0)
    assert measured.reason.startswith("it lacks bool, uint8, ")


ROOTS = 'roots=("operator",)'


def test_a_function_that_the_library_lacks_is_not_asked(fake):
    (measured,) = conform(fake(add='raise LackingError(name="add")', facts=ROOTS))
    rules = supremum.system("array-api")
    strong = [d for d in rules.dtypes if not d.weak]
    assert (measured.verdict, measured.lacks) == ("agrees", ["add"])
    assert measured.not_asked == len(strong) ** 2
    assert measured.asked > 4_000


def test_a_function_that_refuses_has_answered(fake):
    (measured,) = conform(fake(add="raise TypeError", facts=ROOTS))
    assert (measured.verdict, measured.not_asked) == ("differs", 0)
    assert {d.op for d in measured.differences} == {"add"}


def test_functions_may_be_left_out(fake, run):
    name = fake(add="raise TypeError", facts=ROOTS)
    (measured,) = conform(name, functions=False)
    assert (measured.verdict, measured.asked) == ("agrees", 169)
    found = run("conform", name, "--no-functions")
    assert (found.exit_code, found.stdout) == (0, f"{measured}\n")


def test_some_questions_of_each_function_are_drawn_from_the_seed(fake, run):
    name = fake(facts=ROOTS)
    (every,), (some,) = conform(name), conform(name, cells=3)
    assert (some.verdict, every.verdict) == ("agrees", "agrees")
    library, rules = load(name), supremum.system("array-api")
    asked = list(questions(library, rules))
    first, again, other = (
        list(questions(library, rules, seed=seed, cells=3)) for seed in (1, 1, 2)
    )
    assert (len(asked), len(first)) == (every.asked, some.asked)
    assert first == again
    assert first != other
    assert set(first) < set(asked)
    assert [q for q in first if not q.op] == [q for q in asked if not q.op]
    of_each = Counter(q.op for q in first if q.op)
    assert of_each == {op: min(n, 3) for op, n in Counter(q.op for q in asked if q.op).items()}
    found = run("conform", name, "--cells", "3", "--seed", "1")
    assert found.stdout.splitlines()[-1] == "What is random is drawn from seed 1."


class Anything:
    """An operand that has every item and method, and says how often it was taken."""

    def __getitem__(self, _):
        return self

    def __mul__(self, _):
        return self

    def int(self):
        return self

    reshape = numpy = lambda self, *_: self


def test_every_call_of_the_catalogue_and_of_a_library_takes_each_operand_once():
    own = {(name, call) for x in conformance.conformable() for name, call in load(x).calls.items()}
    for name, call in {*own, *((f.name, f.call) for f in FUNCTIONS.values())}:
        operands = [Anything() for _ in calls.ranks_of(call)]
        left = iter(operands)
        calls.perform(call, "f", lambda *_, **__: None, left, lambda _: Anything())
        assert [*left] == [], (name, call)


def test_a_function_of_no_root_is_lacking(golden):
    with pytest.raises(calls.LackingError) as caught:
        calls.find([json], FUNCTIONS["sin"], {})
    golden(caught.value)


def test_numpy_without_ml_dtypes_is_asked_about_its_own_dtypes(tmp_path, monkeypatch):
    missing = 'raise ModuleNotFoundError("No module named \'ml_dtypes\'", name="ml_dtypes")\n'
    (tmp_path / "ml_dtypes.py").write_text(missing)
    path = [str(tmp_path), SOURCE, os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, path)))
    (measured,) = conform("numpy")
    assert (measured.verdict, measured.differences) == ("agrees", [])
    lacking = {d.name for d in supremum.system("numpy").dtypes if not hasattr(np, d.name)}
    own = {name for name in lacking if not name.endswith("*")}
    assert {*measured.lacks} == {*own, "integers"}  # which its generators alone have
    assert measured.asked > 4_000
    assert measured.not_asked > 10_000


def test_a_cell_that_differs_is_named(fake):
    (measured,) = conform(fake(int8_uint8='return "int64"', float64_float64="raise TypeError"))
    assert measured.verdict == "differs"
    assert differences(measured) == {
        INT8_UINT8: ("int16", "int64"),
        ("float64[3]", "float64[3]"): ("float64", "-"),
    }
    assert [line.strip() for line in str(measured).splitlines()] == [
        "array-api: 167 of 169 agree with 1.0",
        "int8[3] with uint8[3]: int64, the rules say int16",
        "float64[3] with float64[3]: refused, the rules say float64",
    ]
    assert measured.to_dict()["differences"][0] == {
        "operands": list(INT8_UINT8),
        "op": "",
        "rules": "int16",
        "library": "int64",
    }


def test_a_library_that_is_not_installed_is_not_measured(golden, fake):
    (measured,) = conform(fake(version="import there_is_no_such_library"))
    assert measured.verdict == "not measured"
    assert measured.asked == 0
    golden(measured)


@pytest.mark.parametrize(
    ("version", "word"),
    [
        ('raise RuntimeError("it needs a GPU")', "it needs a GPU"),
        ("os._exit(3)", "could not be imported"),
        ("os.abort()", "could not be imported"),
    ],
)
def test_a_library_that_fails_to_import_costs_its_own_row(fake, version, word):
    (measured,) = conform(fake(version=version))
    assert measured.verdict == "not measured"
    assert word in measured.reason


def test_a_library_that_hangs_on_import_costs_its_own_row(fake):
    (measured,) = conform(fake(version="time.sleep(60)"), patience=1)
    assert measured.verdict == "not measured"
    assert measured.reason


@pytest.mark.parametrize(
    ("does", "fate"),
    [
        ("time.sleep(60)", "hangs"),
        ("os._exit(3)", "crashes"),
        ("os.kill(os.getpid(), 11)", "crashes"),
    ],
)
def test_a_cell_that_hangs_or_crashes_costs_its_own_row(fake, does, fate):
    (measured,) = conform(fake(int8_uint8=does, float64_float64='return "bool"'), patience=3)
    assert measured.asked == 169
    assert differences(measured) == {
        INT8_UINT8: ("int16", fate),
        ("float64[3]", "float64[3]"): ("float64", "bool"),
    }


def test_a_crash_that_other_answers_lead_to_is_no_difference(fake):
    (measured,) = conform(fake(ask="if self.asked > 50: os._exit(3)"))
    assert (measured.verdict, measured.asked) == ("agrees", 169)


def test_the_last_cell_may_crash_too(fake):
    (measured,) = conform(fake(float64_float64="os._exit(3)"))
    assert measured.asked == 169
    assert differences(measured) == {("float64[3]", "float64[3]"): ("float64", "crashes")}


@pytest.mark.parametrize(
    "noise", ['print("noise")', 'os.write(1, b"noise\\n")', 'os.write(2, b"noise\\n")']
)
def test_what_a_library_prints_is_no_answer(fake, noise):
    (measured,) = conform(fake(int8_uint8=noise))
    assert (measured.verdict, measured.asked) == ("agrees", 169)


def test_a_file_that_does_not_say_how_its_library_is_asked_is_refused(fake):
    name = fake(facts=")\ndel LIBRARY\nprint(")
    with pytest.raises(RulesError, match="no LIBRARY, which says how fake is asked"):
        conform(name)


def test_a_library_without_roots_or_a_way_to_ask_is_refused(fake):
    name = fake(facts=")\ndel Fake.ask\nprint(")
    with pytest.raises(RulesError, match="has no roots, the first of which has result_type"):
        load(name)


def test_what_a_library_prints_on_import_is_no_release(fake):
    (measured,) = conform(fake(version='os.write(1, b"noise\\n")'))
    assert (measured.verdict, measured.installed) == ("agrees", "1.0")


def test_random_lists_come_from_their_seed(fake):
    name = fake()
    (plain,), (more,), (again,) = (conform(name), *(conform(name, count=50) for _ in range(2)))
    assert more.asked == again.asked == plain.asked
    library = conformance.measure.load(name)
    library.nary_settings = None
    rules = supremum.system("array-api")
    one, two, other = (
        list(conformance.questions.questions(library, rules, 50, seed)) for seed in (1, 1, 2)
    )
    assert one == two
    assert one != other
    assert one[:-50] == other[:-50]
    assert {len(q.operands) for q in one[-50:]} == {2, 3, 4, 5}


def test_progress_is_told(fake):
    told = []
    conform(fake(), progress=lambda *step: told.append(step))
    assert told == [("array-api", 0, 169), ("array-api", 100, 169)]


def numpy_with(a, b, answer):
    """Return NumPy's rules with one wrong cell."""
    right = supremum.system("numpy")
    table = right.table()
    pairs = [(x, y) for x in table.nodes for y in table.nodes]
    cells = {pair: c for pair in pairs if (c := table[pair])}
    cells[dtype(a), dtype(b)] = cells[dtype(b), dtype(a)] = dtype(answer)
    wrong = numpy_rules.Knowing(Table(table.nodes, cells), numpy_rules.is_operand).fold()
    return right.replace(join=wrong, function_join=right.function_join)


def test_a_wrong_cell_in_numpys_rules_is_named():
    (measured,) = conform("numpy", rules=numpy_with("int16", "uint16", "int64"), functions=False)
    assert measured.verdict == "differs"
    found = {d.operands: (d.rules, d.library) for d in measured.differences if not d.op}
    assert found["int16[3]", "uint16[3]"] == ("int64", "int32")
    assert found["int16[]", "uint16[3]"] == ("int64", "int32")
    pairs = [operands for operands in found if len(operands) == 2]
    assert {tuple(text.partition("[")[0] for text in pair) for pair in pairs} == {
        ("int16", "uint16"),
        ("uint16", "int16"),
    }
    (group,) = measured.groups
    assert (group.operands, group.functions) == (("int16", "uint16"), ())
    assert str(measured).splitlines()[1] == (
        f"    int16 with uint16: int32, the rules say int64, in {len(found)} questions"
    )


def test_numpy_agrees_with_its_rules():
    (measured,) = conform("numpy", count=300, seed=7)
    assert measured.verdict in ("agrees", "not measured")
    assert measured.differences == []
    assert measured.installed == np.__version__
    assert measured.asked > 20_000


def test_the_command_exits_1_where_a_library_differs(golden, run, fake):
    fine, wrong = fake("fake_fine"), fake("fake_wrong", int8_uint8='return "int64"')
    missing = fake("fake_missing", version="import there_is_no_such_library")
    found = run("conform", fine)
    assert (found.exit_code, found.stderr) == (0, "")
    golden(found.stdout)
    found = run("conform", missing)
    assert (found.exit_code, found.stderr) == (1, "")
    golden(found.stdout)
    found = run("conform", missing, fine, wrong)
    assert found.exit_code == 1
    assert found.stdout.splitlines() == [
        "array-api: 168 of 169 agree with 1.0",
        "    int8[3] with uint8[3]: int64, the rules say int16",
        "array-api: 169 of 169 agree with 1.0",
        "array-api: not measured: there_is_no_such_library is not installed",
    ]


def test_a_library_that_is_missing_is_told_once_and_only_named_ones_fail(run, fake, monkeypatch):
    version = "import there_is_none.at_all"
    several = 'settings=({"version": "2024.12"}, {"version": "2025.12"})'
    missing = fake("fake_missing", version=version, facts=several)
    assert [m.reason for m in conform(missing)] == ["there_is_none is not installed"] * 2
    monkeypatch.setattr(conformance, "conformable", lambda: (missing,))
    line = "array-api: not measured: there_is_none is not installed\n"
    for words, status in (([], 0), (["--require"], 1), ([missing], 1)):
        found = run("conform", *words)
        assert (found.exit_code, found.stdout) == (status, line)
    assert len(json.loads(run("conform", "--format", "json").stdout)) == 2


def test_rules_are_named_as_elsewhere(run):
    found = run("conform", "np:ml_dtypes=0.5.4", "--no-functions", "--format", "json")
    (measured,) = json.loads(found.stdout)
    assert measured["system"] == "numpy"
    found = run("conform", "numpy:ml_dtype=0.5.4")
    assert (found.exit_code, "did you mean ml_dtypes?" in found.stderr) == (2, True)


def test_the_command_prints_json(run, fake):
    found = run("conform", fake(int8_uint8='return "int64"'), "--format", "json")
    assert found.exit_code == 1
    (measured,) = json.loads(found.stdout)
    assert measured["verdict"] == "differs"
    assert measured["differences"] == [
        {"operands": list(INT8_UINT8), "op": "", "rules": "int16", "library": "int64"}
    ]
    assert measured["groups"] == [
        {"operands": ["int8", "uint8"], "rules": "int16", "library": "int64", "functions": [],
         "differences": 1}
    ]  # fmt: skip


def difference(*operands, op="", rules="int16", library="int32"):
    return Difference(operands, rules, library, op)


@pytest.mark.parametrize(
    ("differences", "lines"),
    [
        ([difference("int8[3]", "uint8[]")], ["int8[3] with uint8[]: int32, the rules say int16"]),
        ([difference("uint8[3]", "int8[3]"), difference("int8[3]", "uint8[3]")],
         ["int8 with uint8: int32, the rules say int16, in 2 questions"]),
        ([difference("int8[3]", "uint8[3]", op=f) for f in ("add", "where")],
         ["int8[3] with uint8[3]: int32, the rules say int16, in 2 functions"]),
        ([difference("int8[3]", "uint8[3]", op=f) for f in ("", "add")],
         ["int8[3] with uint8[3]: int32, the rules say int16, also in add"]),
        ([difference("int8[3]", "1"), difference("int8[]", "1"),
          difference("int8[3]", "1", library="-")],
         ["int8 with 1: int32, the rules say int16, in 2 questions",
          "int8[3] with 1: refused, the rules say int16"]),
        ([difference("int8[3]", op="sin", rules="-"), difference(op="arange")],
         ["int8[3]: int32, the rules refuse, in sin",
          "no operands: int32, the rules say int16, in arange"]),
        ([difference("f", op="sin", rules="float32, weak", library="crashes")],
         ["f: crashes, the rules say weak float32, in sin"]),
    ],
)  # fmt: skip
def test_differences_of_the_same_dtypes_and_answers_are_a_group(differences, lines):
    assert [group.line() for group in grouped(differences)] == lines


def test_the_largest_groups_are_shown_and_the_others_counted():
    small = [difference(f"x{n}") for n in range(25)]
    large = [difference("int8[3]", "uint8[3]", op=f"f{n}") for n in range(3)]
    measured = Measured("numpy", {}, "1.0", "1.0", asked=28, differences=[*small, *large])
    head, first, *_, last = str(measured).splitlines()
    assert head == "numpy: 0 of 28 agree with 1.0"
    assert first == "    int8[3] with uint8[3]: int32, the rules say int16, in 3 functions"
    assert last == "    and 6 more groups, of 6 differences"
    assert len(str(measured).splitlines()) == 22
    assert len(measured.to_dict()["groups"]) == 26


def test_the_command_tells_the_seed_of_random_lists(run, fake):
    found = run("conform", fake(), "--random", "5", "--seed", "3")
    assert found.stdout.splitlines()[-1] == "What is random is drawn from seed 3."


@pytest.mark.parametrize(
    "words",
    [
        ["tensorflo"],
        ["--module", "there_is_none"],
        ["--module", "numpy", "-s", "arrayapi"],
    ],
)  # fmt: skip
def test_a_mistake_is_answered_in_one_line(golden, run, words):
    found = run("conform", *words)
    assert (found.exit_code, found.stdout) == (2, "")
    golden(found.stderr)


def test_one_system_alone_is_written_down(golden, run, fake):
    one, other = fake("fake_one"), fake("fake_other")
    assert one != other
    found = run("conform", one, "numpy", "--write", "out.toml")
    assert found.exit_code == 2
    golden(found.stderr)
    assert not Path("out.toml").exists()


def test_what_was_measured_is_written_down_as_rules(run, fake):
    name = fake(int8_uint8='return "int64"', float64_float64="raise TypeError")
    found = run("conform", name, "--write", "out.toml")
    assert found.exit_code == 1
    rules = PromotionSystem.from_file("out.toml")
    assert rules.name == "array-api-1.0"
    assert rules.version == "1.0"
    assert rules.source.startswith("measured on 20")
    (measured,) = conform(name)
    assert len(measured.table) == 169
    table = rules.table()
    for (a, b), answer in measured.table.items():
        expected = None if answer == "-" else dtype(answer)
        assert table[dtype(a), dtype(b)] is expected
    assert table[dtype("int8"), dtype("uint8")] is dtype("int64")
    assert table[dtype("float64"), dtype("float64")] is None


def test_what_cannot_be_written_is_refused(golden, tmp_path):
    missing = Measured("numpy", {}, "1.0", reason="No module named 'numpy'")
    with pytest.raises(RulesError) as caught:
        write(missing, tmp_path / "out.toml")
    golden(caught.value)
    measured = Measured("mine", {}, "1.0", "1.0", table={("int8", "int8"): "int8"})
    with pytest.raises(RulesError) as caught:
        write(measured, tmp_path / "none" / "out.toml")
    golden(caught.value)


def test_a_cell_that_hangs_is_written_down_as_a_refusal(fake, tmp_path):
    (measured,) = conform(fake(int8_uint8="os._exit(3)"))
    write(measured, tmp_path / "out.toml")
    table = PromotionSystem.from_file(tmp_path / "out.toml").table()
    assert table[dtype("int8"), dtype("uint8")] is None


class Array:
    """An array of a namespace, which has a dtype and a sum."""

    def __init__(self, values, name, answers):
        self.shape = np.shape(values)
        self.dtype = name
        self.answers = answers

    def __add__(self, other):
        other = other.dtype if isinstance(other, Array) else other
        return Array(1, self.answers(self.dtype, other), self.answers)

    __radd__ = __add__


class Tiny:
    """A namespace that promotes by some rules, which it has operators for alone."""

    __name__ = "tiny"
    __version__ = "0.1"

    def __init__(self, answers):
        for d in supremum.system("array-api").dtypes:
            setattr(self, d.name, d.name)
        self.answers = answers

    def asarray(self, values, dtype):
        return Array(values, dtype, self.answers)


def by_the_standard(a, b):
    return supremum.system("array-api").result_type(a, b).name


def test_a_namespace_with_operators_alone_is_asked_for_sums(golden):
    measured = conform_module(Tiny(by_the_standard), supremum.system("array-api"))
    assert measured.verdict == "agrees", measured
    assert measured.asked == 376
    golden(measured)
    assert measured.to_dict()["undefined"] == 524


def test_a_namespace_that_differs_is_told_by_its_cells():
    def wrong(a, b):
        return "int64" if (a, b) == ("int8", "uint8") else by_the_standard(a, b)

    measured = conform_module(Tiny(wrong), supremum.system("array-api"))
    assert set(differences(measured)) == {
        (f"int8[{a}]", f"uint8[{b}]") for a in ("", "3") for b in ("", "3")
    }
    assert str(measured).splitlines()[1:] == [
        "    int8 with uint8: int64, the standard says int16, in 4 questions"
    ]


def test_rules_of_a_library_refuse_where_a_standard_leaves_undefined():
    rules = supremum.system("array-api").replace(library=None)
    measured = conform_module(Tiny(lambda *_: "int8"), rules)
    assert measured.undefined == 0
    assert ("int8[3]", "float32[3]") in {d.operands for d in measured.differences if d.rules == "-"}


def test_a_namespace_without_a_dtype_that_the_rules_have_is_not_measured():
    class Empty:
        asarray = None

    measured = conform_module(Empty, supremum.system("array-api"))
    assert measured.verdict == "not measured"
    assert measured.reason.startswith("it lacks bool, ")


def test_numpy_is_a_namespace_that_agrees_with_its_own_rules_on_its_own_dtypes():
    measured = conform_module(np, supremum.system("numpy"))
    own = {d.name for d in supremum.system("numpy").dtypes if hasattr(np, d.name)}
    assert measured.differences == []
    assert measured.installed == np.__version__
    assert len(own) == 16
    assert measured.asked == (2 * 16 + 4) ** 2
    assert measured.not_asked > 0
    assert not own & {*measured.lacks}


def test_a_namespace_that_cannot_make_an_array_refuses_it():
    class Failing(Tiny):
        def asarray(self, values, dtype):
            if dtype == "float32":
                raise TypeError(dtype)
            return super().asarray(values, dtype)

    measured = conform_module(Failing(by_the_standard), supremum.system("array-api"))
    assert measured.not_asked == 0
    assert {library for _, library in differences(measured).values()} == {"-"}


def test_numpy_agrees_with_the_array_api_and_answers_what_that_leaves_undefined():
    rules = supremum.system("array-api", version="2024.12")
    measured = conform_module("numpy", rules)
    assert (measured.verdict, measured.asked + measured.undefined) == ("agrees", 900)
    assert measured.table["int8", "float32"] == "float32"
    assert str(measured).startswith("numpy by array-api (version=2024.12): ")


@pytest.mark.parametrize("module", ["json", json])
def test_what_has_no_asarray_cannot_be_asked(module):
    with pytest.raises(RulesError, match="has no asarray, so there is nothing to ask"):
        conform_module(module, supremum.system("array-api"))


def test_a_module_that_cannot_be_imported_is_refused():
    with pytest.raises(RulesError) as caught:
        conform_module("there_is_none", supremum.system("array-api"))
    message = "cannot import 'there_is_none': No module named 'there_is_none'"
    assert str(caught.value) == message


def test_a_module_is_asked_on_the_command_line(run):
    found = run("conform", "--module", "numpy", "--system", "array-api")
    assert found.exit_code == 0
    measured = conform_module(np, supremum.system("array-api", version="2025.12"))
    assert found.stdout == f"{measured}\n"


TINY = """
import supremum
from supremum.core.operands import Operand
RULES = supremum.system("array-api", version="2024.12")
for d in RULES.dtypes:
    if d.name != "complex64":
        globals()[d.name] = d
def asarray(values, dtype):
    return Operand(str(dtype), dtype, False, "array", shape=(3,))
def result_type(a, b):
    if {wrong} and isinstance(a, Operand) and isinstance(b, Operand):
        if (a.dtype.name, b.dtype.name) == ("int8", "uint8"):
            return supremum.dtype("int64")
    return RULES.result_type(a, b)
"""
TEST = """
from supremum.conformance.pytest import conformance_test
import tiny
test_promotion = conformance_test(tiny, system="array-api", version="2024.12")
"""


@pytest.fixture
def python(tmp_path):
    """Return a function that runs Python in a folder that has a library of one's own."""

    def ask(*words, wrong=False, **given):
        (tmp_path / "tiny.py").write_text(TINY.format(wrong=wrong))
        path = os.pathsep.join(filter(None, [SOURCE, os.environ.get("PYTHONPATH", "")]))
        return subprocess.run(
            [sys.executable, *words],
            check=False,
            text=True,
            cwd=tmp_path,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **given},
            env={**os.environ, "PYTHONPATH": path, "TERM": "xterm"},
        )

    return ask


@pytest.mark.parametrize("wrong", [False, True])
def test_authors_have_a_test_for_each_pair_in_three_lines(tmp_path, python, wrong):
    (tmp_path / "test_tiny.py").write_text(TEST)
    assert len(TEST.strip().splitlines()) == 3
    words = ["-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "-c", os.devnull]
    found = python(*words, "--rootdir", tmp_path, "test_tiny.py", wrong=wrong)
    *_, counts = found.stdout.splitlines()
    passed, skipped = (57 - wrong, 96)
    assert f"{passed} passed, {skipped} skipped" in counts, found.stdout
    assert "the library lacks complex64" in found.stdout
    assert "undefined by the standard" in found.stdout
    assert found.returncode == wrong
    if wrong:
        assert "1 failed" in counts
        failure = found.stdout.partition("FAILURES")[2].splitlines()[1:3]
        assert "test_promotion[int8-uint8]" in failure[0]
        assert failure[1] == "int8 with uint8: int64, the standard says int16, in 4 questions"


@pytest.mark.parametrize("wrong", [False, True])
def test_a_module_of_the_working_folder_is_asked(tmp_path, python, wrong):
    (tmp_path / "bin").mkdir()  # what is imported is beside a script, not in the working folder
    program = tmp_path / "bin" / "supremum_command.py"
    program.write_text("from supremum.commands import main\nmain()\n")
    found = python(program, "conform", "--module", "tiny", wrong=wrong)
    assert (found.returncode, found.stderr) == (wrong, "")
    head, *groups = found.stdout.splitlines()
    assert head.startswith("tiny by array-api (version=2025.12): ")
    assert ", 448 undefined by the standard, " in head
    assert head.endswith("116 not asked: it lacks complex64")
    line = "    int8 with uint8: int64, the standard says int16, in 4 questions"
    assert groups == ([line] if wrong else [])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tiny"], "'tiny' is a module, not the name of rules; type --module tiny"),
        (["--module", "tiny.py"], "did you mean tiny?"),
        (["--module", "tyny"], "cannot import 'tyny': No module named 'tyny'; did you mean tiny?"),
        (["--module", "./tiny"], "is a path, and a module is asked by its name; type tiny"),
        (["--module", "/elsewhere/tiny.py"], "go to /elsewhere, and type tiny"),
        (["-s", "numpy"], "-s names the rules of --module; type supremum conform numpy"),
        (["torch", "--system", "numpy"], "type supremum conform numpy"),
        (["--module", "broken"], "cannot import 'broken', it raises ZeroDivisionError: division"),
    ],
)
def test_a_module_of_the_working_folder_is_meant(tmp_path, python, words, message):
    (tmp_path / "broken.py").write_text("1 / 0\n")
    found = python("-m", "supremum", "conform", *words)
    assert (found.returncode, found.stdout, message in found.stderr) == (2, "", True), found
    assert len(found.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_what_takes_long_shows_a_bar_on_a_terminal(python):
    import pty

    words = ["conform", "--module", "tiny"]
    plain = python("-m", "supremum", *words)
    assert plain.stderr == ""
    ours, theirs = pty.openpty()
    read = []
    reader = threading.Thread(target=lambda: read.extend(iter(lambda: os.read(ours, 4096), b"")))
    reader.daemon = True
    reader.start()
    shown = python("-m", "supremum", *words, stderr=theirs)
    time.sleep(0.2)
    bar = b"".join(read).decode(errors="replace")
    assert shown.stdout == plain.stdout
    assert "tiny by array-api" in bar
    assert bar.endswith("\x1b[1A\x1b[2K")  # the line is erased


def test_every_library_that_can_be_asked_has_its_way():
    assert {"numpy", "jax", "torch", "array-api"} <= set(conformance.conformable())
    for name in conformance.conformable():
        library = load(name)
        assert library.system == name
        for setting in library.settings:
            assert supremum.system(name, **setting)


@pytest.mark.parametrize("name", ["numpy", "jax", "torch", "array-api"])
def test_every_function_with_a_rule_is_asked_about_or_has_a_reason(name):
    """A wrong cell in any function is one that is asked about."""
    library = load(name)
    rules = supremum.system(library.system, **library.settings[0])
    asked = {question.op for question in questions(library, rules)}
    left_out = {*library.unasked, "same"}
    assert {f for f in rules.functions if f not in asked} <= left_out
    assert len(left_out) < 12


BROKEN = {
    "raise SystemExit(0)": "SystemExit (0)",
    "raise OSError('disk full')": "OSError (disk full)",
    "return None": "None (not a dtype)",
}


def test_an_operator_that_contradicts_result_type_is_a_difference(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong_sums.py").write_text(
        "from numpy import *\nimport numpy\n"
        "class Array(numpy.ndarray):\n"
        "    def __add__(self, other): return numpy.add(self, other).astype('complex128')\n"
        "def asarray(values, dtype=None): return numpy.asarray(values, dtype).view(Array)\n"
    )
    result = run("conform", "--module", "wrong_sums")
    assert result.exit_code == 1
    assert "int32 with int8: complex128, the standard says int32" in result.stdout


def test_dtypes_are_known_by_their_names_in_the_module(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kinds.py").write_text(
        "import numpy\n"
        "class Kind:\n    def __init__(self, name): self.name = name\n"
        "names = 'bool int8 int16 uint8 float32 float64'.split()\n"
        "globals().update({name: Kind(name) for name in names})\n"
        "class Array:\n    def __init__(self, dtype): self.dtype = dtype\n"
        "def asarray(values, dtype=None): return Array(dtype)\n"
        "def result_type(*given):\n"
        "    read = [numpy.dtype(x.dtype.name) if isinstance(x, Array) else x for x in given]\n"
        "    return globals()[numpy.result_type(*read).name]\n"
    )
    result = run("conform", "--module", "kinds")
    assert "not a dtype" not in result.stdout
    assert "88 of 96 agree" in result.stdout  # it has no complex numbers


@pytest.mark.parametrize("body", BROKEN)
def test_a_module_that_breaks_neither_ends_the_command_nor_agrees(body, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = f"broken_{list(BROKEN).index(body)}"
    text = f"from numpy import *\nprint('loud')\ndef result_type(*operands): {body}\n"
    (tmp_path / f"{name}.py").write_text(text, encoding="utf-8")
    (tmp_path / "own.txt").write_text("i8 -> i16; u8 -> u16; f32\n", encoding="utf-8")
    result = run("conform", "--module", name, "--system", "own.txt")
    assert result.exit_code == 1
    assert "0 of 196 agree" in result.stdout
    assert BROKEN[body] in result.stdout
    assert "loud" not in result.stdout


def test_a_module_that_exits_as_it_is_imported_is_not_measured(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exits_at_once.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    result = run("conform", "--module", "exits_at_once")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "it raises SystemExit: 0" in result.stderr
    assert run("conform", "--module", "").exit_code == 2
    assert run("conform", "--module", "numpy", "--random", "5").exit_code == 2
