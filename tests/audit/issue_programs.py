"""Programs written from public issues: how they are read, audited, and told of in a table.

Each is a file of `issues/`, here and in `tests/peers`. Its first line names the issue. The line
that the maintainers changed ends in a comment ``# <- KIND``, the kind of finding that should name
it; the lines ``# fixed: ...`` under it are what they wrote instead, so that one file is two
programs.

- ``# <- KIND|OTHER``: either kind is right, where the issue has two sides; likewise, of several
  lines that are marked, any may come first, such as that of a total and that where it overflows
- ``# audit: --target numpy-legacy``: further options of the audit
- ``# raises: TypeError``: the program stops, with this exception; the mended one does not
- ``# innocent``: nothing is to be mended, so there is nothing to be found
- ``# missed: REASON``: the audit does not do that yet, and why; it is counted as wrong all the same

As a script, this prints what the audit says of each, and writes it down for the site, which makes
a table of it; with words, it prints what it says of programs with such names alone.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

TESTS = Path(__file__).resolve().parents[1]
FOLDERS = (TESTS / "audit" / "issues", TESTS / "peers" / "issues")
WRITTEN = TESTS.parent / "docs" / "reference" / "audit-issues.json"
LIBRARIES = ("dask", "jax", "keras", "pandas", "scipy", "tensorflow", "torch", "xarray")

_MARK = re.compile(r"^(?P<code>.*\S)  # <- (?P<kinds>[\w|:-]+)$")
_FIXED = re.compile(r"^(?P<indent>\s*)# fixed: (?P<code>.*)$")
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)")
_ROUNDS = 3  # how many times what is suggested is typed in, as a fix may bring up another line


@dataclass(frozen=True)
class Program:
    """A program, as its reporter wrote it and as it was mended."""

    path: Path
    title: str
    kinds: frozenset[str]  # of the marked lines
    lines: frozenset[int]  # which are these
    options: tuple[str, ...]
    raises: str
    missed: str
    innocent: bool
    source: str
    mended: str

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def issues(self) -> list[str]:
        """The issues that the title names, as ``owner/repo#number``."""
        return re.findall(r"[\w.-]+/[\w.-]+#\d+", self.title)

    @property
    def missing(self) -> list[str]:
        """The libraries that it imports, and that are not installed."""
        imported = set(re.findall(r"^(?:import|from) (\w+)", self.source, re.MULTILINE))
        return [
            name
            for name in LIBRARIES
            if name in imported and importlib.util.find_spec(name) is None
        ]


@dataclass(frozen=True)
class Verdict:
    """What the audit said of a program: empty texts are as it should be.

    Args:
        first: what is wrong with the first finding of the program as it was.
        mended: what is wrong with the report on the mended one.
        fix: what is wrong with what was suggested; None if nothing was.
        said: the first finding.
    """

    program: Program
    first: str
    mended: str
    fix: str | None
    said: str

    @property
    def right(self) -> bool:
        return not (self.first or self.mended or self.fix)

    def __str__(self) -> str:
        wrong = (self.first, self.mended, self.fix and f"its fix: {self.fix}")
        return f"{self.program.name}: {'; '.join(filter(None, wrong)) or 'right'}"


def read(path: Path) -> Program:
    """Return the program of a file, which is checked to be one."""
    text = path.read_text(encoding="utf-8")
    kinds: set[str] = set()
    lines: set[int] = set()
    mended: list[str] = []
    replaced = 0  # the line that the next line with a fix replaces
    for number, line in enumerate(text.splitlines(), 1):
        fixed = _FIXED.match(line)
        if fixed:
            if replaced:
                mended.pop()
                replaced = 0
            mended.append(f"{fixed['indent']}{fixed['code']}")
            continue
        mark = _MARK.match(line)
        if mark:
            kinds.update(mark["kinds"].split("|"))
            lines.add(number)
        replaced = number
        mended.append(mark["code"] if mark else line)
    innocent = "\n# innocent\n" in text
    words = re.search(r"^# audit: (.*)$", text, re.MULTILINE)
    raises = re.search(r"^# raises: (\w+)$", text, re.MULTILINE)
    missed = re.search(r"^# missed: (.+)$", text, re.MULTILINE)
    new = "".join(f"{line}\n" for line in mended)
    if innocent == bool(lines) or innocent == ("# fixed: " in text):
        message = f"{path}: lines '# <- KIND' with '# fixed: ...' below, or '# innocent', not both"
        raise ValueError(message)
    return Program(
        path,
        text.split('"""')[1].partition("\n")[0],
        frozenset(kinds),
        frozenset(lines),
        tuple(words[1].split()) if words else (),
        raises[1] if raises else "",
        missed[1] if missed else "",
        innocent,
        text,
        new,
    )


def programs(folder: Path) -> list[Program]:
    """Return the programs of a folder whose libraries are installed."""
    found = [read(path) for path in sorted(folder.glob("*.py")) if path.name != "conftest.py"]
    return [program for program in found if not program.missing]


@dataclass(frozen=True)
class Run:
    """How an audit of a program ended: its status, output, errors, and report."""

    status: int
    out: str
    error: str
    report: dict

    @property
    def warnings(self) -> list[dict]:
        return [f for f in self.report["findings"] if f["severity"] != "note"]


def _run(program: Program, source: str) -> Run:
    with TemporaryDirectory() as folder:
        script = Path(folder, f"{program.name}.py")
        script.write_text(source, encoding="utf-8")
        report = Path(folder, "report.json")
        words = [*program.options, "-o", str(report), script.name]
        done = subprocess.run(
            [sys.executable, "-m", "supremum", "audit", *words],
            cwd=folder,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "TF_CPP_MIN_LOG_LEVEL": "3"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        told = json.loads(report.read_text(encoding="utf-8")) if report.exists() else None
    if told is None:
        message = f"{program.name}: no report\n{done.stderr}"
        raise RuntimeError(message)
    return Run(done.returncode, done.stdout, done.stderr, told)


def typed(source: str, findings: list[dict]) -> str:
    """Return a program in which the causes are replaced by what to type instead."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    spans = []
    for finding in findings:
        start = starts[finding["line"] - 1] + finding["column"] - 1
        text = finding["cause"]["text"]
        if finding["suggestion"] and source[start:].startswith(text):
            spans.append((start, start + len(text), finding["suggestion"]))
    spans.sort(key=lambda span: (span[1] - span[0], span))
    apart: list[tuple[int, int, str]] = []
    for span in spans:
        if all(span[1] <= other[0] or other[1] <= span[0] for other in apart):
            apart.append(span)
    for start, end, suggestion in sorted(apart, reverse=True):
        source = source[:start] + suggestion + source[end:]
    needed = sorted({f["needs"] for f in findings if f["needs"]})
    head, quotes, rest = source.partition('"""\n')  # the imports come after the docstring
    return head + quotes + "".join(f"{line}\n" for line in needed) + rest


def verdict(program: Program, run: Callable[[Program, str], Run] = _run) -> Verdict:
    """Audit a program as it was, as it was mended, and with what the audit suggests."""
    before = run(program, program.source)
    said = _said(before)
    if program.innocent:
        return Verdict(program, _status(before, "") or _clean(before), "", None, said)
    after = run(program, program.mended)
    mended = _status(after, "") or _clean(after)
    return Verdict(
        program,
        _status(before, program.raises) or _first(program, before),
        mended,
        _fix(program, before, after, run),
        said,
    )


def _first(program: Program, run: Run) -> str:
    finding = next(iter(run.report["findings"]), None)
    kinds = " or ".join(sorted(program.kinds))
    if (
        finding
        and finding["line"] in program.lines
        and finding["kind"] in program.kinds
        and finding["file"].endswith(f"{program.name}.py")
    ):
        return ""
    wanted = ", ".join(map(str, sorted(program.lines)))
    return f"{kinds} at line {wanted} wanted, {_said(run)} came first"


def _said(run: Run) -> str:
    finding = next(iter(run.report["findings"]), None)
    if finding is None:
        return "nothing"
    place = f"{finding['kind']} at line {finding['line']}"
    return f"{place}, a note," if finding["severity"] == "note" else place


def _clean(run: Run) -> str:
    found = (
        f"{f['kind']} at line {f['line']}: {' '.join(f['cause']['text'].split())}"
        for f in run.warnings
    )
    return "; ".join(found)


def _status(run: Run, raises: str) -> str:
    """Return what is wrong with how a program ended, or an empty text."""
    last = [
        line for line in run.error.splitlines() if re.match(r"[\w.]+(?:Error|Exception)\b", line)
    ]
    if raises:
        return "" if run.status and any(raises in line for line in last) else f"no {raises}"
    return f"it stopped: {last[-1] if last else run.error[-200:]}" if run.status else ""


def _fix(program: Program, before: Run, after: Run, run: Callable[..., Run]) -> str | None:
    """Return what is wrong with what is suggested, or None if nothing is."""
    source, last = program.source, before
    if not any(f["suggestion"] for f in last.report["findings"][:1]):
        return None
    for _ in range(_ROUNDS):
        new = typed(source, last.warnings or last.report["findings"][:1])
        if new == source:
            break
        try:
            compile(new, program.name, "exec", dont_inherit=True)
        except SyntaxError as error:
            return f"no Python: {error}"
        source, last = new, run(program, new)
        if not last.warnings:
            break
    wrong = _status(last, "") or _clean(last)
    if wrong:
        return f"still {wrong}"
    # with a target, it is enough that both give the same, be it what is printed here or there
    if agree(last.out, after.out) or (program.options and agree(last.out, before.out)):
        return ""
    return f"it prints {last.out!r}, not {after.out!r}"


def agree(ours: str, theirs: str, tolerance: float = 2e-3) -> bool:
    """Tell whether two outputs have the same numbers but for rounding."""
    pairs = (_NUMBER.findall(ours), _NUMBER.findall(theirs))
    return len(pairs[0]) == len(pairs[1]) and all(
        math.isclose(float(a), float(b), rel_tol=tolerance, abs_tol=tolerance) or a == b
        for a, b in zip(*pairs, strict=True)
    )


def verdicts(chosen: list[Program]) -> Iterator[Verdict]:
    """Yield what the audit says of each program; a few run at a time."""
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        yield from pool.map(verdict, chosen)


def check(chosen: list[Program], count: Callable[[str], object], *, least: float = 0.9) -> None:
    """Fail unless most are right, the others say why, and the table is as they are.

    Args:
        chosen: the programs of one folder.
        count: takes a line for the summary of the tests.
        least: how many of them are right, of one.
    """
    found = list(verdicts(chosen))
    told = [verdict for verdict in found if not verdict.program.innocent]
    wrong = [verdict for verdict in found if not verdict.right]
    missed = [verdict for verdict in wrong if not verdict.program.innocent]
    count(f"programs from public issues: {len(told) - len(missed)} of {len(told)} right")
    for verdict in wrong:
        count(f"  {verdict} ({verdict.program.missed or 'why is not known'})")
    text = "\n".join(map(str, wrong))
    assert len(missed) <= len(told) * (1 - least), text
    # those that are wrong say so, and are wrong still
    assert {v.program.name for v in wrong} == {v.program.name for v in found if v.program.missed}, (
        text
    )
    written = json.loads(WRITTEN.read_text(encoding="utf-8"))
    names = {verdict.program.name for verdict in found}
    assert [row for row in written if row["program"] in names] == rows(found)


def rows(found: list[Verdict]) -> list[dict[str, object]]:
    """Return what the documents' table is made of: a row for each program."""
    return [
        {
            "program": told.program.name,
            "folder": told.program.path.parent.relative_to(TESTS).as_posix(),
            "issues": told.program.issues,
            "kinds": sorted(told.program.kinds),
            "found": not told.first,
            "said": "" if not told.first else told.said,
            "missed": told.program.missed,
            "mended": not told.mended,
            "fix": "none" if told.fix is None else "fails" if told.fix else "works",
        }
        for told in found
    ]


def main() -> None:
    """Print what is said of each program, and write the table down unless words choose some."""
    chosen = [program for folder in FOLDERS for program in programs(folder)]
    words = sys.argv[1:]
    if words:
        chosen = [program for program in chosen if any(word in program.name for word in words)]
    found = []
    for told in verdicts(chosen):
        print(told, "(no fix)" if told.fix is None else "", flush=True)
        found.append(told)
    if not words:
        text = ",\n".join(json.dumps(row) for row in rows(found))
        WRITTEN.write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
