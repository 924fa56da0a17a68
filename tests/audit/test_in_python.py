"""`supremum.audit.run`, `install` and `watch`."""

import sys
import types

import numpy as np
import pytest

from supremum import RulesError, audit
from supremum.audit import cli as command
from supremum.audit.probes import import_hook
from supremum.audit.runner import endings, shutdown

WIDENS = """\
import numpy as np
taps = np.hanning(8)
wide = np.ones(8, np.float32) * taps
print("out", wide.dtype)
"""


def test_audits_in_one_process_are_apart(audited, write, monkeypatch):
    def fail(*_):
        raise RecursionError("too deep")

    with monkeypatch.context() as patched:
        patched.setattr(import_hook, "rewrite", fail)
        report = audited(WIDENS)
    assert report.findings == ()
    [(file, reason)] = report.unwatched
    assert (file.endswith("program.py"), reason) == (True, "RecursionError: too deep")
    write("x = 1\n", "other.py")
    assert audit.run("other.py").unwatched == ()
    report = audited(WIDENS)
    assert report.unwatched == ()
    assert len(report.findings) == 1


def test_a_program_that_has_changed_is_read_anew(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.py"
    texts = []
    for head in ("", "# supremum\n\n"):
        path.write_text(head + WIDENS, encoding="utf-8")
        [finding] = audit.run(str(path)).findings
        texts.append((finding.line, finding.text))
    assert texts == [(2, "np.hanning(8)"), (4, "np.hanning(8)")]


def test_what_a_program_raises_is_raised(audited):
    with pytest.raises(ZeroDivisionError):
        audited("1 / 0\n")
    assert audited("raise SystemExit(3)\n").findings == ()


def test_the_report_of_a_script_that_raises_is_kept(audited):
    with pytest.raises(ZeroDivisionError):
        audited(WIDENS + "1 / 0\n")
    report = audit.last_report()
    assert [finding.line for finding in report.findings] == [2]
    assert report.watched.files == 1
    assert audited("x = 1\n") is audit.last_report()


def test_a_shell_of_notebooks_goes_on_after_the_command(write, monkeypatch, capsys):
    write(WIDENS + "import atexit\natexit.register(print, 'too early')\nraise SystemExit(4)\n")
    shell = types.SimpleNamespace(get_ipython=object)
    monkeypatch.setitem(sys.modules, "IPython", shell)
    exits = []
    monkeypatch.setattr(shutdown, "end_of_program", exits.append)
    monkeypatch.setattr(endings, "reported", exits.append)
    code = command.audit(
        "program.py", arguments=[], as_module=False, outputs=[], format=None,
        write_baseline=None, fail_on="widening",
    )  # fmt: skip
    told = capsys.readouterr()
    assert (code, exits) == (3, [])
    assert told.out == "out float64\n"
    assert "program.py:2:8: widening" in told.err


def test_what_is_watched_in_python(write, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    write("import numpy as np\ndef f(x):\n    return x * np.hanning(8)\n", "watched_kernel.py")
    audit.install(roots=[tmp_path])
    try:
        import watched_kernel

        x = np.ones(8, np.float32)
        with audit.watch() as found:
            assert found.findings == ()
            watched_kernel.f(x)
            [finding] = found.findings
        watched_kernel.f(x)
        assert [f.count for f in found.findings] == [finding.count] == [2]
        assert str(found).startswith("watched_kernel.py:3:16: widening: ")
    finally:
        audit.uninstall()
        sys.path.remove(str(tmp_path))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"kind": "all"}, "an audit has no option 'kind'; did you mean kinds?"),
        ({"kinds": 3}, "kinds must be a comma-separated string or a list of strings, not 3"),
        ({"target": "zebra9"}, "there are no rules named 'zebra9'"),
    ],
)
def test_bad_options_in_python(asked, message):
    with pytest.raises(RulesError) as caught, audit.watch(**asked):
        pass
    assert str(caught.value).startswith(message)
