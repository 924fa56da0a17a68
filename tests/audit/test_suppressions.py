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


def test_nothing_is_allowed(audited):
    report = audited(PROGRAM)
    assert found(report) == [(4, ("widening", "narrowing-store"), [5, 6, 7])]
    assert report.unused == ()


def test_on_the_line_of_the_cause(audited):
    report = audited(commented(line4="allow widening"))
    assert found(report) == [(4, ("narrowing-store",), [6])]
    assert report.unused == ()


def test_several_kinds(audited):
    report = audited(commented(line4="allow widening, narrowing-store"))
    assert found(report) == []
    assert report.unused == ()


def test_all_kinds(audited):
    assert found(audited(commented(line4="allow all"))) == []


def test_a_kind_that_is_not_there(audited, told, golden):
    source = commented(line4="allow mixed-kind")
    report = audited(source)
    assert found(report) == [(4, ("widening", "narrowing-store"), [5, 6, 7])]
    [suppression] = report.unused
    assert (suppression.kinds, suppression.line) == ({"mixed-kind"}, 4)
    golden(told(source).split("\n")[-1])


def test_on_the_line_of_an_effect(audited):
    report = audited(commented(line5="allow widening"))
    # what comes of an allowed result stays silent
    assert found(report) == [(4, ("narrowing-store",), [6])]
    assert report.unused == ()


def test_on_the_line_of_a_store(audited):
    report = audited(commented(line6="allow narrowing-store"))
    assert found(report) == [(4, ("widening",), [5, 7])]
    assert report.unused == ()


@pytest.mark.parametrize(
    ("comment", "reason"),
    [
        ("allow widening", ""),
        ("allow widening  adds up for years", "adds up for years"),
        ("allow widening: adds up", "adds up"),
        ("allow widening - adds up", "adds up"),
        ("allow widening (adds up)", "adds up"),
        ("allow mixed-kind,widening it is meant", "it is meant"),
        ("allow widening  # noqa: X", "# noqa: X"),
    ],
)
def test_reasons(audited, comment, reason):
    source = "import numpy as np\nx = 1 * np.ones(3)  # supremum: " + comment
    [suppression] = audited(source).unused
    assert "widening" in suppression.kinds
    assert (suppression.line, suppression.reason) == (2, reason)


def test_a_reason_is_told_of_what_is_not_needed(told, golden):
    source = "import numpy as np\nnp.ones(3)  # noqa: X  #supremum:allow widening: adds up\n"
    golden(told(source))


def test_over_several_lines(audited):
    source = """\
        import numpy as np
        g = np.ones(8, np.float32) * (
            np.hanning(
                8
            )  # supremum: allow widening
        )
        h = (
            np.ones(8, np.float32)
            * np.hamming(8)
        )  # supremum: allow widening
        k = (
            np.ones(8, np.float32)  # supremum: allow widening
            * np.hanning(8)
        )
        """
    report = audited(source)
    assert [f.text for f in report.findings] == ["np.hamming(8)"]
    assert [a.line for a in report.unused] == [10]


def test_forbidden_dtypes(audited):
    source = """\
        import numpy as np
        a = np.zeros(3)  # supremum: allow forbidden
        b = np.ones(3)
        """
    report = audited(source, forbid="float64")
    assert [(f.line, f.kind) for f in report.findings] == [(3, "forbidden:float64")]
    assert report.unused == ()


def test_in_a_text_it_is_no_comment(audited):
    source = '''\
        import numpy as np
        told = "# supremum: allow widening"; g = np.ones(8, np.float32) * np.hanning(8)
        """
        # supremum: allow zebra
        """
        '''
    report = audited(source)
    assert len(report.findings) == 1
    assert (report.unused, report.problems) == ((), ())


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


def test_a_comment_in_another_module(write, audited):
    write(
        "import numpy as np\n"
        "def window(n):\n"
        "    return np.hanning(n)  # supremum: allow widening\n"
        "def other(n):\n"
        "    return np.ones(n)  # supremum: allow widening\n",
        "taps.py",
    )
    source = """\
        import numpy as np
        import taps
        np.ones(8, np.float32) * taps.window(8)
        taps.other(3)
        """
    report = audited(source)
    assert report.findings == ()
    [suppression] = report.unused
    assert (suppression.file.endswith("taps.py"), suppression.line) == (True, 5)


# in pyproject.toml

ENTRY = {"file": "legacy/*.py", "kinds": ["widening"], "reason": "to be replaced"}


@pytest.mark.parametrize("file", ["program.py", "*.py", "*", "**/program.py"])
def test_a_file_is_allowed(audited, file):
    report = audited(PROGRAM, allow=[{**ENTRY, "file": file}])
    assert found(report) == [(4, ("narrowing-store",), [6])]
    assert report.unused == ()


@pytest.mark.parametrize("file", ["legacy/*.py", "rogram.py", "program", "src/program.py"])
def test_another_file_is_allowed(audited, told, file):
    allow = [{**ENTRY, "file": file}]
    report = audited(PROGRAM, allow=allow)
    assert found(report) == [(4, ("widening", "narrowing-store"), [5, 6, 7])]
    [suppression] = report.unused
    assert str(suppression) == f"{file}: allow widening (to be replaced)"
    assert told(PROGRAM, allow=allow).split("\n")[-1] == f"Not needed: {suppression}"


def test_a_folder_is_allowed(write, audited):
    write("import numpy as np\ndef window(n):\n    return np.hanning(n)\n", "legacy/taps.py")
    source = "import numpy as np\nfrom legacy.taps import window\nnp.float32(1) * window(8)\n"
    assert found(audited(source, allow=[ENTRY])) == []
    assert found(audited(source, allow=[{**ENTRY, "kinds": "mixed-kind"}])) == [
        (3, ("widening",), [3])
    ]


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
            {"file": "program.py", "kind": "narrowing-store", "text": "np.hanning(8)"},
            {"file": "program.py", "kind": "widening", "text": "np.hanning(8)"},
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


def test_a_baseline_is_empty(tmp_path):
    path = tmp_path / "known.json"
    options.write_baseline(str(path), audit.Report(()))
    assert options.read_baseline(str(path)) == frozenset()
