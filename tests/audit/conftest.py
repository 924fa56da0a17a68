"""What the tests of the audit share: programs are written to files, and audited."""

import linecache
import os
import signal
import subprocess
import sys
from textwrap import dedent

import numpy as np
import pytest

from supremum import audit
from supremum.audit import options
from supremum.audit.runner import program


@pytest.fixture(scope="session", autouse=True)
def _interrupts():
    """Let programs be interrupted, which they could not be if this process ignored interrupts."""
    before = {signal.SIGINT: signal.signal(signal.SIGINT, signal.default_int_handler)}
    if hasattr(signal, "SIGHUP"):  # which nohup has processes ignore
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session", autouse=True)
def _private_folders():
    """Let nobody else write to folders that are made: instrumented code is kept in such alone."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture(autouse=True)
def _errors_of_numpy():
    """Let NumPy warn as it does by default: what it hides is no finding, and a test may hide it."""
    with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
        yield


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Return a function that writes a file into an empty folder, where we are."""
    monkeypatch.chdir(tmp_path)

    def write_file(source, name="program.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(source), encoding="utf-8")
        linecache.checkcache(str(path))
        return path

    yield write_file
    for name, module in list(sys.modules.items()):
        if str(getattr(module, "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


@pytest.fixture
def audited(write):
    """Return a function that audits a program in this process, and gives the report."""

    def audit_program(source, *arguments, **asked):
        return audit.run(str(write(source)), arguments, **asked)

    return audit_program


@pytest.fixture
def told(audited):
    """Return a function that audits a program in this process, and gives the report as text.

    What was watched is left out.
    """

    def audit_program(source, **asked):
        return audit.render(audited(source, **asked)._replace(watched=None), "text")

    return audit_program


@pytest.fixture
def session_of(write):
    """Return a function that audits a program in this process, and gives the session."""

    def audit_program(source, **asked):
        wanted = options.read(**asked)
        recorder = wanted.recorder()
        program.run_here(program.script(str(write(source)), []), recorder)
        return recorder

    return audit_program


@pytest.fixture
def command(tmp_path, write):  # noqa: ARG001  # it makes the folder the current one
    """Return a function that runs ``supremum audit`` as a process of its own."""

    def run_command(*words, **given):
        return subprocess.run(
            [sys.executable, "-m", "supremum", "audit", *words],
            cwd=given.pop("cwd", tmp_path),
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **given.pop("env", {})},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            **given,
        )

    return run_command
