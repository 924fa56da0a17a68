"""``with supremum.audit():``: what stands in it is watched, in whatever was loaded before."""

import asyncio
import contextlib
import subprocess
import sys

import numpy as np
import pytest

import supremum
from supremum import RulesError
from supremum.audit import with_statement

HELPER = """\
import numpy as np


def window(n):
    return np.hanning(n)
"""
SCRIPT = """\
import numpy as np
import supremum
from helper import window

signal = np.ones(2048, np.float32)
count = 0
with supremum.audit():
    count += 1
    out = signal * np.hanning(2048)
    again = signal * window(2048)
print(count, out.dtype, again.dtype)
signal * window(2048)  # which nobody watches any more
"""


@pytest.fixture(autouse=True)
def this_file_alone(monkeypatch):
    """Leave out the project of a statement of this file: all tests that are loaded, and more."""
    monkeypatch.setattr(with_statement, "roots", lambda _: [])


@pytest.fixture
def signal():
    return np.ones(8, np.float32)


def run(*words):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)


def test_a_script_audits_a_part_of_itself(write):
    write(HELPER, "helper.py")
    write(SCRIPT)
    plain = run("program.py")
    assert plain.stdout == "1 float64 float64\n", plain.stderr
    assert "program.py:9:20: widening: float64 is introduced here" in plain.stderr
    assert "helper.py:5:12: widening: float64 is introduced here" in plain.stderr
    assert "2 causes (2 widening) in 4 operations" in plain.stderr


def test_a_part_in_which_nothing_is_done_ends():
    with supremum.audit() as first:
        pass
    with supremum.audit() as second:
        ...
    assert first.findings == second.findings == ()


def test_an_audit_of_the_whole_hears_the_part(write):
    write(HELPER, "helper.py")
    write(SCRIPT)
    whole = run("-m", "supremum", "audit", "program.py")
    assert whole.stdout == "1 float64 float64\n", whole.stderr
    assert whole.stderr.count("widening: float64 is introduced here") == 2
    assert "it widens to float64 at program.py:12" in whole.stderr


def test_a_function_keeps_what_its_block_binds(signal, capsys):
    total, later = 0, None
    for number in range(3):
        with supremum.audit(forbid="float64") as found:
            total += number
            wide = [signal * np.hanning(8) for _ in range(2)]
            later = lambda: wide  # noqa: B023, E731  # it is called before the next round
        assert later()[0].dtype == "float64"
    assert (total, len(wide)) == (3, 2)
    assert [finding.kind for finding in found.findings] == ["forbidden:float64"]
    assert found.findings[0].file == __file__
    assert sys.gettrace() is None or "supremum" not in repr(sys.gettrace())
    assert capsys.readouterr().err == ""


def test_variables_of_outer_functions_are_rebound(signal):
    count = 0

    def inner():
        nonlocal count
        with supremum.audit() as found:
            count += 1
            made = signal * np.hanning(8)
        return made.dtype, len(found.findings)

    assert inner() == ("float64", 1)
    assert count == 1


def test_functions_have_their_code_back(signal):
    def widened():
        return signal * np.hanning(8)

    before = widened.__code__
    with supremum.audit() as found:
        widened()
        inside = widened.__code__
    assert inside is not before
    assert widened.__code__ is before
    assert len(found.findings) == 1


def test_what_is_raised_in_the_block_is_raised(signal):
    with pytest.raises(ZeroDivisionError), supremum.audit() as found:
        signal * np.hanning(8) * (1 / 0)
    assert len(found.findings) == 1
    with pytest.raises(TypeError), supremum.audit() as found:
        signal += np.ones(8, complex)
    assert [finding.kind for finding in found.findings] == ["stopped"]


def test_a_coroutine_and_a_generator_have_blocks(signal):
    async def task():
        with supremum.audit() as found:
            signal * np.hanning(8)
        await asyncio.sleep(0)
        return len(found.findings)

    def generator():
        with supremum.audit() as found:
            signal * np.hanning(8)
        yield len(found.findings)

    assert (asyncio.run(task()), next(generator())) == (1, 1)


def returns():
    with supremum.audit():
        return 1


def leaves_a_loop():
    for _ in range(2):
        with supremum.audit():
            break


def waits():
    with supremum.audit():
        yield 1


def in_one_line():
    with supremum.audit(): print()  # fmt: skip  # noqa: E701


def comes_first():
    with supremum.audit(), contextlib.nullcontext():
        print()


def deletes():
    number = 1
    with supremum.audit():
        del number


def is_no_name():
    found = [0]
    with supremum.audit() as found[0]:
        print()


def is_entered_otherwise():
    supremum.audit().__enter__()


def is_in_a_class():
    class Inner:
        with supremum.audit():
            print()


def is_typed():
    exec("with supremum.audit():\n    print()")


def is_misspelt():
    with supremum.audit(forbidd="float64"):
        print()


def decorates():
    supremum.audit(returns)


REFUSED = {
    returns: "the body of the with-statement has return; type supremum audit SCRIPT",
    leaves_a_loop: "the body of the with-statement has break",
    lambda: next(waits()): "the body of the with-statement has yield",
    in_one_line: "on lines of its own",
    comes_first: "the audit comes last in a with-statement",
    deletes: "deletes a variable",
    is_no_name: r"`as found\[0\]` is no name",
    is_entered_otherwise: r"write `with supremum.audit\(\):` around the code",
    is_in_a_class: "the body of a class is not watched by itself",
    is_typed: "there is no source of <string> to watch",
    is_misspelt: "did you mean forbid?",
    decorates: r"write @supremum.audit\(\) above it, or `with supremum.audit\(\):` around",
}


@pytest.mark.parametrize("refused", REFUSED, ids=lambda f: f.__name__)
def test_a_block_that_cannot_be_watched_is_refused(refused, capsys):
    with pytest.raises(RulesError, match=REFUSED[refused]):
        refused()
    assert capsys.readouterr().out == ""


def test_a_notebook_audits_a_part_of_a_cell():
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    cells = [
        "import numpy as np, supremum\nx = np.ones(8, 'f4')\ndef f(x): return x * np.hanning(8)",
        "with supremum.audit():\n    y = f(x)\n    z = x * np.hamming(8)",
    ]
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    client.NotebookClient(book, timeout=120).execute()
    [shown] = book.cells[1].outputs
    text = shown["data"]["text/plain"]
    assert "cell [1], line 3: widening" in text
    assert "cell [2], line 3: widening" in text
    assert "Watched: 2 cells." in text


DECORATED = """\
import numpy as np
import supremum
from helper import window

signal = np.ones(2048, np.float32)


@supremum.audit()
def scaled(n):
    if n:
        return scaled(n - 1)
    return signal * window(2048)


print(scaled(1).dtype, scaled.__name__)
signal * window(2048)  # which nobody watches any more
"""


def test_a_call_of_a_function_is_audited(write):
    write(HELPER, "helper.py")
    write(DECORATED)
    plain = run("program.py")
    assert plain.stdout == "float64 scaled\n", plain.stderr
    assert "helper.py:5:12: widening: float64 is introduced here" in plain.stderr
    assert "it widens to float64 at program.py:12" in plain.stderr
    assert plain.stderr.count("1 cause (1 widening)") == 1
    whole = run("-m", "supremum", "audit", "program.py")
    assert whole.stdout == "float64 scaled\n", whole.stderr
    assert whole.stderr.count("widening: float64 is introduced here") == 1
    assert "program.py:16" in whole.stderr


def test_what_an_audited_function_raises_is_explained(capsys):
    @supremum.audit()
    def stored(x):
        x += np.ones(3)

    with pytest.raises(TypeError, match="same_kind"):
        stored(np.ones(3, np.int32))
    assert "stopped" in capsys.readouterr().err
    assert stored(np.ones(3)) is None


@pytest.mark.parametrize("kind", ["coroutine", "generator", "class"])
def test_what_runs_after_its_call_is_not_audited_by_it(kind):
    async def coroutine():
        pass

    def generator():
        yield

    given = {"coroutine": coroutine, "generator": generator, "class": type("A", (), {})}[kind]
    with pytest.raises(RulesError, match=r"write `with supremum\.audit\(\):` in it"):
        supremum.audit()(given)


def test_it_raises_at_the_end_for_kinds_that_it_fails_on(signal):
    message = "1 finding of widening; the first at"
    with pytest.raises(supremum.audit.AuditStop, match=message), supremum.audit(fail_on="all"):
        signal * np.hanning(8)

    with supremum.audit(fail_on="wraparound"):
        signal * np.hanning(8)

    with pytest.raises(ZeroDivisionError), supremum.audit(fail_on="all"):
        signal * np.hanning(8) / (1 // 0)

    @supremum.audit(fail_on="widening")
    def windowed():
        return signal * np.hanning(8)

    with pytest.raises(supremum.audit.AuditStop):
        windowed()
