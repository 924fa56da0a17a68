"""What the audit says of the programs of the tests, as data, and how the referee asks it.

A program is one of the pinned ones (`programs/*.txt`), one after a public issue, or one of the
corpus that must run as without an audit. For each, what is written down is the report, how the
program ends and what it prints, with the audit and without, and what is found once all that is
suggested is typed.
"""

from __future__ import annotations

import importlib.util
import io
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from supremum import audit

TESTS = Path(__file__).resolve().parent
PINNED = ("audit/programs", "peers/programs")
CORPUS = TESTS / "audit" / "corpus"
LIBRARIES = frozenset(
    {"dask", "jax", "keras", "pandas", "scipy", "sklearn", "tensorflow", "torch", "xarray"}
)
LIMIT = 120  # seconds for a program

sys.path.insert(0, str(TESTS / "audit"))
import issue_programs  # noqa: E402  # beside the programs
import programs as pinned  # noqa: E402


class Asked:
    """A program to be asked about: its name, its text, and how it is audited."""

    def __init__(self, name: str, source: str, **more: Any) -> None:
        self.name = name
        self.source = source
        self.options: dict[str, Any] = more.get("options", {})
        self.files: dict[str, str] = more.get("files", {})
        self.issue: issue_programs.Program | None = more.get("issue")
        imported = re.findall(r"^\s*(?:import|from) (\w+)", source, re.MULTILINE)
        self.libraries = frozenset(imported) & LIBRARIES


def asked(full: bool) -> list[Asked]:
    """Return the programs: those that need NumPy alone, or all whose libraries are installed."""
    found = [*_pinned(), *_issues()]
    if not full:
        return [program for program in found if not program.libraries]
    missing = {name for name in LIBRARIES if importlib.util.find_spec(name) is None}
    return [program for program in found if not program.libraries & missing]


def _pinned() -> Iterator[Asked]:
    for folder in PINNED:
        for title, (_, program) in pinned.in_folder(TESTS / folder).items():
            source = program.head + program.source
            more = {"options": program.asked(), "files": program.files}
            yield Asked(f"{folder.partition('/')[0]} {title}", source, **more)


def _issues() -> Iterator[Asked]:
    for folder in issue_programs.FOLDERS:
        for path in sorted(folder.glob("*.py")):
            if path.name != "conftest.py":
                program = issue_programs.read(path)
                options = _options(program.options)
                name = f"{path.parent.relative_to(TESTS)}/{path.stem}"
                yield Asked(name, program.source, options=options, issue=program)


def _options(words: tuple[str, ...]) -> dict[str, str]:
    pairs = zip(words[::2], words[1::2], strict=True)
    return {name.lstrip("-").replace("-", "_"): value for name, value in pairs}


def answers(full: bool) -> Iterator[tuple[str, Any]]:
    """Yield the name of each program with what is said of it."""
    groups: dict[frozenset[str], list[Asked]] = {}
    for program in asked(full):
        groups.setdefault(program.libraries, []).append(program)
    context = multiprocessing.get_context("fork")
    for libraries, group in sorted(groups.items(), key=lambda found: sorted(found[0])):
        # libraries take seconds to load, and their threads do not outlive a fork
        tasks = 1 if not libraries else None
        if tasks:
            answer(group[0])  # loads what each program needs, once
        with context.Pool(os.cpu_count(), maxtasksperchild=tasks) as pool:
            yield from pool.imap(answer, group, chunksize=1)
    yield from _corpus()


def _as_installed() -> None:
    """Let libraries that an earlier program set be as they are when they are imported."""
    if "jax" in sys.modules:
        sys.modules["jax"].config.update("jax_enable_x64", False)
        sys.modules["jax"].config.update("jax_numpy_dtype_promotion", "standard")
    if "torch" in sys.modules:
        sys.modules["torch"].set_default_dtype(sys.modules["torch"].float32)


def answer(program: Asked) -> tuple[str, Any]:
    """Return the name of a program, with what is said of it."""
    _as_installed()
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(LIMIT)
    try:
        with tempfile.TemporaryDirectory() as folder:
            return program.name, _answer(program, Path(folder).resolve())
    except BaseException as error:  # noqa: BLE001  # what should not be is recorded, too
        return program.name, {"failed": f"{type(error).__name__}: {error}"[:300]}
    finally:
        signal.alarm(0)


class TooLong(BaseException):
    """A program does not end."""


def _stop(*_: object) -> None:
    raise TooLong


def _answer(program: Asked, folder: Path) -> dict[str, Any]:
    before = {*sys.modules}
    for name, text in program.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    try:
        plain = _ran(program.source, folder / "program.py", None)
        run = _ran(program.source, folder / "program.py", program.options)
        found = {
            "findings": [_finding(x) for x in run["report"]["findings"]],
            "raises": run["raises"],
            "as without": [plain[key] for key in KEPT] == [run[key] for key in KEPT],
            "operations": bool(run["report"]["operations"]),
            "problems": run["report"]["problems"],
            "unused": run["report"]["unused_suppressions"],
            "predicted": [_place(x) for x in run["report"]["predicted"]],
            "typed": _typed(program, run),
        }
        if program.issue:
            found["issue"] = _verdict(program.issue, folder)
        return json.loads(json.dumps(found).replace(f"{folder}/", ""))
    finally:
        sys.path.remove(str(folder))
        for name in {*sys.modules} - before:
            if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
                del sys.modules[name]


KEPT = ("raises", "out")  # what an audit must not change


def _ran(source: str, path: Path, options: dict[str, Any] | None) -> dict[str, Any]:
    """Run a program, audited if there are options, and return how it ended, and the report."""
    path.write_text(source, "utf-8")
    raised, message, out = "", "", io.StringIO()
    np.random.seed(0)  # noqa: NPY002  # programs that forget to
    random.seed(0)
    with redirect_stdout(out), redirect_stderr(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            if options is None:
                code = compile(source, str(path), "exec", dont_inherit=True)
                exec(code, {"__name__": "__main__", "__file__": str(path)})
            else:
                audit.run(str(path), **options)
        except TooLong:
            raise
        except SystemExit as error:
            raised = f"status {error.code}" if error.code else ""
        except BaseException as error:  # noqa: BLE001  # whatever it is
            raised, message = type(error).__name__, str(error)
    report = audit.last_report().to_dict() if options is not None else {}
    printed = re.sub(r"0x[0-9a-f]{6,}", "0x", out.getvalue())
    return {"raises": raised, "message": message, "out": printed, "report": report}


def _finding(finding: dict[str, Any]) -> dict[str, Any]:
    """Return what a finding says, without the sentences, and numbers that are sampled."""
    return {
        "at": _place(finding),
        "kind": finding["kind"],
        "also": finding["also"],
        "severity": finding["severity"],
        "dtype": finding["cause"]["dtype"],
        "cause": " ".join(finding["cause"]["text"].split()),
        "suggestion": " ".join(finding["suggestion"].split()),
        "needs": finding["needs"],
        "places": [
            [_place(place), place["kind"], [x["dtype"] for x in place["operands"]], place["result"]]
            for place in finding["places"]
        ],
    }


def _place(place: dict[str, Any]) -> str:
    column = f":{place['column']}" if "column" in place else ""
    return f"{Path(place['file']).name}:{place['line']}{column}"


def _typed(program: Asked, run: dict[str, Any]) -> Any:
    """Return what comes of a program once all that is suggested is typed; None if nothing is."""
    findings = [x for x in run["report"]["findings"] if Path(x["file"]).name == "program.py"]
    mended = issue_programs.typed(program.source, findings)
    if mended == program.source:
        return None
    again = _ran(mended, Path("mended.py").resolve(), program.options)
    return {
        "raises": again["raises"],
        "kinds": sorted({x["kind"] for x in again["report"]["findings"]}),
        "prints the same": issue_programs.agree(run["out"], again["out"]),
    }


def _verdict(program: issue_programs.Program, folder: Path) -> dict[str, Any]:
    """Return what the tests of public issues say."""

    def run(asked: issue_programs.Program, source: str) -> issue_programs.Run:
        path = folder / f"{asked.name}.py"
        done = _ran(source, path, _options(asked.options))
        error = f"{done['raises']}: {done['message']}" if done["raises"] else ""
        report = json.loads(json.dumps(done["report"]))
        return issue_programs.Run(int(bool(error)), done["out"], error, report)

    found = issue_programs.verdict(program, run)
    return {"first": found.first, "mended": found.mended, "fix": found.fix, "right": found.right}


def _corpus() -> Iterator[tuple[str, Any]]:
    """Yield how programs of Python's grammar end under an audit, beside how they end alone."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "corpus")
        shutil.copytree(CORPUS, folder)
        for path in sorted(folder.glob("*.py")):
            if path.name != "conftest.py":
                plain = _ended([path.name], folder)
                ended = _ended(["-m", "supremum", "audit", "-o", "report.json", path.name], folder)
                report = folder / "report.json"
                told = json.loads(report.read_text("utf-8")) if report.exists() else {}
                report.unlink(missing_ok=True)
                found = [_finding(x) for x in told.get("findings", ())]
                same = plain[0] == ended[0] and plain[1] == ended[1]
                yield f"corpus {path.stem}", {"as without": same, "findings": found}


def _ended(words: list[str], folder: Path) -> tuple[int, str]:
    command = [sys.executable, *words]
    # one interrupts itself, which a shell may have its background jobs ignore
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    finally:
        signal.signal(signal.SIGINT, before)
    return done.returncode, done.stdout
