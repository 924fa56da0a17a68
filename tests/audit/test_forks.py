"""What forked processes find is in the report, and they do not notice."""

import json
import os
import pickle
import subprocess
import sys
import tempfile

import pytest

from supremum.audit.log.fork import Forks
from supremum.audit.log.settled import place_at
from supremum.audit.model.locations import LOCATIONS, Location, Table

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here"),
]

HEAD = """\
import multiprocessing
import os
import sys

import numpy as np

f = np.ones(8, np.float32)
taps = np.hanning(8)

def early(n):
    return (f * taps).sum() + n

def late(n):
    return float((f * np.hamming(8)).sum()) + n

"""
PROGRAMS = {
    "Process": """
        def work(queue):
            queue.put(late(1))
        if __name__ == "__main__":
            context = multiprocessing.get_context("fork")
            queue = context.SimpleQueue()
            process = context.Process(target=work, args=(queue,))
            process.start()
            print(round(queue.get(), 3))
            process.join()
            print(process.exitcode)
        """,
    "Pool": """
        with multiprocessing.get_context("fork").Pool(2) as pool:
            print([round(x, 3) for x in pool.map(late, range(6), chunksize=1)])
            pool.close()
            pool.join()
        """,
    "executor": """
        from concurrent.futures import ProcessPoolExecutor
        with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
            print([round(x, 3) for x in pool.map(late, range(6))])
        """,
    "os.fork": """
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            print(round(late(2), 3))
            sys.stdout.flush()
            os._exit(5)
        print(os.waitpid(child, 0)[1] >> 8)
        """,
    "a child that ends as programs do": """
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            print(round(late(2), 3))
            sys.exit(5)
        print(os.waitpid(child, 0)[1] >> 8)
        """,
    "a child that crashes": """
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            late(2)
            os.abort()
        print(os.waitpid(child, 0)[1] & 127)
        """,
    "a child of a child": """
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            child = os.fork()
            if child == 0:
                late(1)
                os._exit(0)
            os.waitpid(child, 0)
            os._exit(7)
        print(os.waitpid(child, 0)[1] >> 8)
        """,
}


@pytest.fixture
def temporary(tmp_path):
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_child_finds_is_reported(write, command, temporary, tmp_path, name):
    from textwrap import dedent

    write(HEAD + dedent(PROGRAMS[name]))
    environment = {**os.environ, "TMPDIR": str(temporary)}
    plain = subprocess.run(
        [sys.executable, "program.py"],
        capture_output=True, text=True, check=True, cwd=tmp_path, env=environment,
    )  # fmt: skip
    result = command("-o", "r.json", "program.py", env={"TMPDIR": str(temporary)})
    assert (result.returncode, result.stdout) == (0, plain.stdout)
    assert result.stderr == plain.stderr == ""
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    [finding] = report["findings"]
    assert (finding["line"], finding["kind"]) == (14, "widening")
    assert finding["cause"]["text"] == "np.hamming(8)"
    assert finding["suggestion"] == "np.hamming(8).astype(np.float32, copy=False)"
    assert report["problems"] == []
    assert list(temporary.iterdir()) == []


def test_what_several_children_find_is_added_up(write, command, temporary, tmp_path):
    source = """
for i in range(3):
    child = os.fork()
    if child == 0:
        for n in range(5):
            late(n)
        sys.exit(0)
    os.waitpid(child, 0)
late(0)
"""
    write(HEAD + source)
    command("-o", "r.json", "program.py", env={"TMPDIR": str(temporary)})
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    [finding] = report["findings"]
    [place] = finding["places"]
    assert place["count"] == 3 * 5 + 1
    # a window of eight, their product, and its sum
    assert finding["count"] == (3 * 5 + 1) * 3
    assert finding["bytes"] == (3 * 5 + 1) * (32 + 32)
    assert report["operations"] == 2 + (3 * 5 + 1) * 3


def test_what_was_born_before_is_known_in_a_child(write, command, temporary, tmp_path):
    source = """
child = os.fork()
if child == 0:
    early(1)
    sys.exit(0)
os.waitpid(child, 0)
"""
    write(HEAD + source)
    command("-o", "r.json", "program.py", env={"TMPDIR": str(temporary)})
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    [finding] = report["findings"]
    assert (finding["line"], finding["cause"]["text"]) == (8, "np.hanning(8)")
    assert finding["cause"]["elsewhere"] is False
    assert [place["line"] for place in finding["places"]] == [11]


def test_what_was_found_before_is_not_counted_again(write, command, temporary, tmp_path):
    source = """
early(0)
for i in range(3):
    child = os.fork()
    if child == 0:
        late(1)
        sys.exit(0)
    os.waitpid(child, 0)
"""
    write(HEAD + source)
    command("-o", "r.json", "program.py", env={"TMPDIR": str(temporary)})
    report = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    counts = {f["cause"]["text"]: f["places"][0]["count"] for f in report["findings"]}
    assert counts == {"np.hanning(8)": 1, "np.hamming(8)": 3}


def test_what_a_child_casts_back_at_once_is_no_finding(write, command, temporary, tmp_path):
    source = """
child = os.fork()
if child == 0:
    (f * np.arange(8)).astype(np.float32)
    os.write(1, b"child\\n")
    late(1)
    sys.exit(0)
os.waitpid(child, 0)
"""
    write(HEAD + source)
    result = command("-o", "r.json", "program.py", env={"TMPDIR": str(temporary)})
    assert result.stdout == "child\n"
    findings = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["findings"]
    assert [finding["line"] for finding in findings] == [14]


def test_a_child_that_exits_reports_nothing_by_itself(write, command, temporary):
    source = """
child = os.fork()
if child == 0:
    late(1)
    sys.exit(5)
print(os.waitpid(child, 0)[1] >> 8)
"""
    write(HEAD + source)
    result = command("program.py", env={"TMPDIR": str(temporary)})
    assert (result.returncode, result.stdout) == (0, "5\n")
    assert result.stderr.count("1 cause (1 widening) in ") == 1
    assert result.stderr.startswith("program.py:14:23: widening: ")


def test_a_program_that_does_not_fork_leaves_no_folder(write, command, temporary):
    write(HEAD)
    assert command("program.py", env={"TMPDIR": str(temporary)}).returncode == 0
    assert list(temporary.iterdir()) == []


def test_a_fork_after_the_audit_is_nobody_s_business(session_of, monkeypatch):
    recorder = session_of("x = 1\n")
    forks = Forks(recorder)
    forks.collect()

    def made(**_):
        raise AssertionError

    monkeypatch.setattr(tempfile, "mkdtemp", made)
    forks._before()
    forks._in_child()
    assert recorder.log.operations == 0


SENT = """
import pickle, sys
from supremum.audit.model.locations import LOCATIONS, Location, Table
own = Table("own.py")
for line in range(3):
    own.add(Location("own.py", (line, 0, line, 1), "operator", "add"))
LOCATIONS.take_up(own)
places = pickle.load(sys.stdin.buffer)
print([tuple(LOCATIONS[place.number])[:2] for place in places], places[0] is places[2])
"""


def test_code_that_is_sent_to_another_process_has_its_locations_there():
    """So joblib and Dask send functions: with their code, whatever the process has imported."""
    table = Table("sent.py")
    spans = [(line, 4, line, 9) for line in (7, 8)]
    for span in spans:
        table.add(Location("sent.py", span, "operator", "multiply"))
    first = LOCATIONS.take_up(table)
    sent = pickle.dumps([place_at(first), place_at(first + 1), place_at(first)])
    done = subprocess.run([sys.executable, "-c", SENT], input=sent, capture_output=True, check=True)
    expected = [("sent.py", span) for span in (*spans, spans[0])]
    assert done.stdout.decode() == f"{expected} True\n"
