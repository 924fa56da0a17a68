"""What is allowed: by comments, in ``pyproject.toml``, and by a baseline."""

import json

import pytest

from supremum import audit
from supremum.audit import KINDS, options

pytestmark = pytest.mark.thorough

PROGRAM = """\
import numpy as np

f = np.ones(8, np.float32)
d = np.hanning(8)
g = f * d
f[:] = d
h = g + f
"""


def commented(**comments):
    """Return the program with comments: ``line4="allow widening"``."""
    lines = PROGRAM.split("\n")
    for line, comment in comments.items():
        lines[int(line.removeprefix("line")) - 1] += f"  # supremum: {comment}"
    return "\n".join(lines)


def found(report):
    """Return the kinds of what was found, each with its line and those of its effects."""
    return [(f.line, (f.kind, *f.also), [p.line for p in f.places]) for f in report.findings]


def test_a_reason_is_told_of_what_is_not_needed(told, golden):
    source = "import numpy as np\nnp.ones(3)  # noqa: X  #supremum:allow widening: adds up\n"
    golden(told(source))


MISTAKES = {
    "allow mixed-knd": "'mixed-knd' is not a kind of finding; did you mean mixed-kind?",
    "allow widening, zebra": (
        f"'zebra' is not a kind of finding; there are {', '.join(KINDS)}, all and none"
    ),
    "allow": "write it as # supremum: allow KINDS reason",
    "alow widening": "write it as # supremum: allow KINDS reason",
    "widening": "write it as # supremum: allow KINDS reason",
}


@pytest.mark.parametrize(("comment", "message"), MISTAKES.items(), ids=MISTAKES)
def test_a_comment_that_is_not_understood_is_told_and_allows_nothing(audited, comment, message):
    report = audited(commented(line4=comment))
    assert found(report) == [(4, ("widening", "narrowing-store"), [5, 6, 7])]
    assert report.operations > 3
    [problem] = report.problems
    assert problem.endswith(f"program.py:4: # supremum: {comment}: {message}")


def test_a_comment_of_other_tools_that_names_a_kind_is_told_and_allows_nothing(audited):
    report = audited(PROGRAM.replace("np.hanning(8)", "np.hanning(8)  # noqa: widening, E501"))
    assert report.findings
    (problem,) = report.problems
    assert problem.endswith("write it as # supremum: allow KINDS reason")
    assert audited(PROGRAM.replace("hanning(8)", "hanning(8)  # noqa: E501")).problems == ()


def test_a_comment_that_hides_nothing_is_told_beside_the_finding(write, command):
    write(PROGRAM.replace("np.hanning(8)", "np.hanning(8)  # noqa"))
    said = command("program.py").stderr
    ours = "# supremum: allow widening REASON hides the finding"
    assert f"Not heeded: # noqa at program.py:4; {ours}" in said
    write(PROGRAM.replace("np.hanning(8)", "np.hanning(8)  # supremum: ignore"))
    said = command("program.py").stderr
    assert "Not heeded: " in said
    assert "ignore: write it as # supremum: allow KINDS" in said


def test_a_kind_that_is_gone_allows_nothing_and_is_told(audited):
    report = audited(commented(line4="allow autocast", line5="allow cancellation, widening why"))
    assert found(report) == [(4, ("narrowing-store",), [6])]
    assert [problem.partition(": #")[0].rpartition("/")[2] for problem in report.problems] == [
        "program.py:4",
        "program.py:5",
    ]
    assert report.problems[0].endswith("'autocast' is not a kind of finding any more; leave it out")


# the notes of `widening`, which were kinds

NOTED = """\
import numpy as np

b = np.zeros(4)
b[:] = np.ones(4, np.float32)
i = np.int8([1]) + np.int16([1])
"""


def allowed(comment):
    return NOTED.replace("zeros(4)", f"zeros(4)  # supremum: allow {comment}")


@pytest.mark.parametrize("comment", ["widening", "widening-store", "larger-integer"])
def test_a_comment_may_name_a_kind_with_its_notes_or_a_note(audited, comment):
    report = audited(allowed(comment))
    notes = [finding.note for finding in report.findings]
    store = [] if "widening" in comment else ["widening-store"]
    assert sorted(notes) == ["larger-integer", *store]
    assert {(f.kind, f.severity) for f in report.findings} == {("widening", "note")}
    said = [p.rpartition(": ")[2] for p in report.problems]
    assert said == ([] if comment == "widening" else [f"'{comment}' is a note of widening now"])


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--fail-on", "widening"], 0, ""),
        (["--fail-on", "all"], 3, ""),
        (["--fail-on", "widening-store"], 3, "'widening-store' is a note of widening now"),
        (["--fail-on", "wide-total"], 0, "'wide-total' is a note of widening now"),
        (["--fail-on", "autocast"], 0,
         "'autocast' is not a kind of finding any more; leave it out"),
        (["--kinds", "larger-integer", "--fail-on", "all"], 3,
         "'larger-integer' is a note of widening now"),
    ],
)  # fmt: skip
def test_options_take_notes_and_a_kind_fails_for_no_note(write, command, words, status, said):
    write(NOTED)
    result = command(*words, "program.py")
    assert result.returncode == status
    lines = result.stderr.splitlines()
    assert [line for line in lines if line.startswith("supremum: ")] == (
        [f"supremum: {said}"] if said else []
    )
    assert any(line.startswith("1 cause" if "--kinds" in words else "2 causes") for line in lines)


def test_a_widening_beside_a_note_fails(write, command):
    write(NOTED + "f = np.ones(4, np.float32) * np.ones(4)\n")
    assert command("--fail-on", "widening", "program.py").returncode == 3


def test_a_baseline_knows_notes_by_their_own_names(write, command, tmp_path):
    write(NOTED)
    command("--write-baseline", "known.json", "program.py")
    written = json.loads((tmp_path / "known.json").read_text(encoding="utf-8"))["findings"]
    assert sorted(row["kind"] for row in written) == ["larger-integer", "widening-store"]
    result = command("--baseline", "known.json", "--fail-on", "all", "program.py")
    assert result.returncode == 0


def test_settings_of_a_project_may_name_a_note(write, command):
    entry = "{file = 'program.py', kinds = ['widening-store', 'larger-integer']}"
    write(f"[tool.supremum.audit]\nallow = [{entry}]\n", "pyproject.toml")
    write(NOTED)
    result = command("--fail-on", "all", "program.py")
    assert result.returncode == 0
    assert "supremum: 'widening-store' is a note of widening now\n" in result.stderr


# in pyproject.toml

ENTRY = {"file": "legacy/*.py", "kinds": ["widening"], "reason": "to be replaced"}


def test_settings_of_the_project(write, command, golden):
    write(
        "[tool.supremum.audit]\nallow = [{file = 'program.py', kinds = ['all']}]\n",
        "pyproject.toml",
    )
    write(PROGRAM)
    result = command("--fail-on", "all", "program.py")
    assert result.returncode == 0
    golden(result.stderr)


# by a baseline


def test_a_baseline_is_written_and_read(write, command, tmp_path, golden):
    write(PROGRAM)
    result = command("--write-baseline", "known.json", "--fail-on", "all", "program.py")
    assert result.returncode == 3
    golden(result.stderr)
    assert json.loads((tmp_path / "known.json").read_text(encoding="utf-8")) == {
        "version": 1,
        "findings": [
            {"file": "program.py", "kind": "narrowing-store", "text": "np.hanning(8)", "count": 1},
            {"file": "program.py", "kind": "widening", "text": "np.hanning(8)", "count": 1},
        ],
    }
    # lines may be added above
    write("# one\n\n" + PROGRAM)
    result = command("--baseline", "known.json", "--fail-on", "all", "program.py")
    assert result.returncode == 0
    # what is new is told
    write(PROGRAM + "k = f * np.sqrt(2.0)\n")
    result = command("--baseline", "known.json", "--fail-on", "all", "program.py")
    assert result.returncode == 3
    assert "np.hanning" not in result.stderr


def test_a_baseline_holds_from_another_folder(write, command, tmp_path):
    write(PROGRAM, "src/program.py")
    command("--write-baseline", "known.json", "src/program.py")
    [first, _] = json.loads((tmp_path / "known.json").read_text(encoding="utf-8"))["findings"]
    assert first["file"] == "src/program.py"
    assert (
        command("--baseline", "known.json", "--fail-on", "all", "./src/program.py").returncode == 0
    )


def test_a_baseline_of_a_baseline_keeps_what_is_known(write, command, tmp_path):
    write(PROGRAM)
    command("--write-baseline", "known.json", "program.py")
    before = (tmp_path / "known.json").read_text(encoding="utf-8")
    command("--baseline", "known.json", "--write-baseline", "known.json", "program.py")
    assert (tmp_path / "known.json").read_text(encoding="utf-8") == before


def test_a_kind_that_is_new_is_told(audited, tmp_path):
    known = {"file": "program.py", "kind": "widening", "text": "np.hanning(8)"}
    path = tmp_path / "known.json"
    path.write_text(json.dumps({"version": 1, "findings": [known]}), encoding="utf-8")
    report = audited(PROGRAM, baseline=str(path))
    assert [f.kind for f in report.findings] == ["widening"]  # and stored in less, too
    assert report.known == 0
    report = audited(PROGRAM.replace("f[:] = d", ""), baseline=str(path))
    assert (report.findings, report.known) == ((), 1)


def test_a_line_like_one_that_is_known_is_new(write, command):
    path = write(PROGRAM)
    command("--write-baseline", "known.json", "program.py")
    words = ("--baseline", "known.json", "--fail-on", "all", "program.py")
    assert command(*words).returncode == 0
    path.write_text(path.read_text("utf-8") + "again = f * np.hanning(8)\n", encoding="utf-8")
    result = command(*words)
    assert result.returncode == 3
    assert result.stderr.count("np.hanning(8)") > 0
    assert "of the baseline left out." in result.stderr


def test_a_baseline_is_empty(tmp_path):
    path = tmp_path / "known.json"
    options.write_baseline(str(path), audit.Report(()))
    assert options.read_baseline(str(path)) == {}
