"""Programs with what the audit finds in each, as the files of `programs` have them.

A section of a file is a program and its outcome::

    === a name
    @ forbid='float64'
    out = f * np.hanning(8)
    --
    2:11 widening: np.hanning(8) is float64; 2 results, 96 bytes -> np.float32(np.hanning(8))
        2:7 f * np.hanning(8): float32[8], float64[8]

A section ``HEAD`` is put before each program that follows. ``@`` gives options of the audit, and
``%% lib.py`` begins a further file. An outcome has a line for each finding: where its cause is, of
which kinds it is, and what to type instead; below are the places where it had an effect, with the
operands. What follows ``=>`` is what is found once all that is typed; without such a line, nothing.
``pytest --renew-golden`` writes the outcomes anew.
"""

import ast
import re
import sys
from typing import NamedTuple

import pytest

from supremum import audit
from supremum.audit.report.findings import findings

LIBRARIES = frozenset(
    {"dask", "jax", "pandas", "scipy", "sklearn", "tensorflow", "torch", "xarray"}
)


class Program(NamedTuple):
    """A program of a file.

    Attributes:
        name: the name of its section.
        head: what it begins with, as others do.
        options: those of the audit, as they are written.
        source: the program, without the head.
        files: further files by their names.
        outcome: what the audit finds.
    """

    name: str
    head: str
    options: str
    source: str
    files: dict[str, str]
    outcome: str

    def __str__(self):
        options = f"@ {self.options}\n" if self.options else ""
        more = "".join(f"%% {name}\n{text}" for name, text in self.files.items())
        return f"=== {self.name}\n{options}{self.source}{more}--\n{self.outcome}"

    @property
    def imported(self):
        """The modules that it imports."""
        return set(re.findall(r"(?:from|import(?:__\(.)?) ?(\w+)", self.head + self.source))

    def asked(self):
        """Return the options of the audit."""
        call = ast.parse(f"dict({self.options})", mode="eval").body
        return {word.arg: ast.literal_eval(word.value) for word in call.keywords}


def in_folder(folder):
    """Return the programs of all files of a folder by the names of their tests, with the files."""
    files = sorted(folder.glob("*.txt"))
    return {f"{path.stem}: {p.name}": (path, p) for path in files for p in read(path)}


@pytest.fixture(scope="module")
def found(request):
    """Return the outcomes by file and name, which are written down if they are renewed."""
    found = {}
    yield found
    if request.config.getoption("renew_golden"):
        renew(found)


@pytest.fixture
def outcomes(found, request, tmp_path, monkeypatch):
    """Return a function that audits a program, and returns what is found and what is expected."""

    def outcomes(path, program):
        for library in program.imported & LIBRARIES:
            pytest.importorskip(library)
        monkeypatch.chdir(tmp_path)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr("supremum.audit.report.findings.findings", with_candidates)
        now = found[path, program.name] = outcome(program, tmp_path)
        return now, now if request.config.getoption("renew_golden") else program.outcome

    return outcomes


def with_candidates(recorder, kinds=None, **_):
    """Return what is found, after all that somebody could try to mend it has been worked out."""
    return findings(recorder, kinds, tries=True)


def read(path):
    """Return the programs of a file."""
    head, programs = "", []
    for section in path.read_text("utf-8").split("=== ")[1:]:
        if section.startswith("HEAD\n"):
            head = section.removeprefix("HEAD\n")
        else:
            programs.append(_program(head, section))
    return programs


def _program(head, section):
    name, _, rest = section.partition("\n")
    source, _, outcome = rest.partition("--\n")
    options = ""
    if source.startswith("@ "):
        options, _, source = source[2:].partition("\n")
    source, *more = re.split(r"^%% ", source, flags=re.MULTILINE)
    files = dict(text.split("\n", 1) for text in more)
    return Program(name, head, options, source, files, outcome.strip("\n") + "\n")


def renew(outcomes):
    """Write outcomes, by file and name, to their files."""
    for path in {path for path, _ in outcomes}:
        head, texts = "", []
        for program in read(path):
            texts += [f"=== HEAD\n{program.head}"] if program.head != head else []
            head = program.head
            outcome = outcomes.get((path, program.name), program.outcome)
            texts.append(f"{program._replace(outcome=outcome)}\n")
        path.write_text("".join(texts).rstrip("\n") + "\n", "utf-8")


def outcome(program, folder):
    """Audit a program in a folder, and return what was found."""
    before = {*sys.modules}
    for name, text in program.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    report, raised = audited(program.head + program.source, folder / "program.py", program)
    lines = [f"raises {raised}"] if raised else []
    lines += [line for finding in report.findings for line in lines_of(finding)]
    lines += [f"not needed: {suppression}" for suppression in report.unused]
    lines += [f"problem: {problem}" for problem in report.problems]
    lines += [
        f"by {report.target} {place.line}: {place.text}: {', '.join(place.dtypes)} becomes "
        f"{', '.join(place.target)}"
        for place in report.predicted
        if place.dtypes != place.target
    ]
    if not report.findings:
        lines.append("nothing found" if report.operations else "no operation seen")
    chosen = apart(report.findings)
    if chosen:
        mended = typed(program.head + program.source, chosen)
        again, raised = audited(mended, folder / "mended.py", program)
        kinds = sorted({titled(finding) for finding in again.findings})
        lines += [f"=> {', '.join(filter(None, [raised, *kinds]))}"] if raised or kinds else []
    for name in {*sys.modules} - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]
    return "\n".join(lines).replace(f"{folder}/", "") + "\n"


def audited(source, path, program):
    """Audit a program, and return the report and the type of what it raises."""
    path.write_text(source, "utf-8")
    raised = None
    try:
        audit.run(str(path), **program.asked())
    except BaseException as error:  # noqa: BLE001  # whatever it is
        raised = error
    report = audit.last_report()
    is_explained = any(finding.kind == "stopped" for finding in report.findings)
    assert raised is None or (audit.why(raised) is not None) == is_explained
    return report, type(raised).__name__ if raised is not None else ""


def lines_of(finding):
    """Yield the lines of a finding."""
    kinds = ", ".join((titled(finding), *finding.also))
    seen = "is first seen as" if finding.elsewhere else "is"
    text = " ".join(finding.text.split())
    count, results = finding.count, "result" if finding.count == 1 else "results"
    results = f"{about(count, count)} {results}, {about(finding.bytes, count)} bytes"
    line = f"{where(finding)} {kinds}: {text} {seen} {finding.dtype}"
    line += "" if finding.kind == "stopped" else f"; {results}"
    suggestion = " ".join(finding.suggestion.split())
    needs = f", with {finding.needs}" if finding.needs else ""
    yield f"{line} -> {suggestion}{needs}" if suggestion else line
    for place in finding.places:
        operands = ", ".join(map(marked, place.operands))
        times = f" x{about(place.count, place.count)}" if place.count != 1 else ""
        # a library has its own words for a stop
        more = f"; {place.told}" if place.told and place.kind != "stopped" else ""
        yield f"    {where(place)} {' '.join(place.text.split())}: {operands}{times}{more}"


def titled(finding):
    """Return the kind of a finding, with its note."""
    return f"{finding.kind} ({finding.note})" if finding.note else finding.kind


def about(number, count):
    """Return a number, rounded if much was counted: what loops do is looked at now and then."""
    return number if count < 100 else f"~{float(f'{number:.0e}'):.0f}"


def where(place):
    """Return where a finding or a place is; the program itself is not named."""
    name = "" if place.file.endswith("/program.py") else f"{place.file.rpartition('/')[2]}:"
    return f"{name}{place.line}:{place.column}"


def marked(mark):
    """Return the dtype of an operand, and where it was introduced."""
    born = mark.born
    return f"{mark.dtype} of {where(born)} {born.text}" if born else mark.dtype


def apart(findings):
    """Return those findings of the program with suggestions that overlap no shorter one."""
    chosen = []
    for finding in sorted(findings, key=lambda f: (f.span[2] - f.span[0], len(f.text))):
        mine = finding.suggestion and finding.file.endswith("/program.py")
        if mine and all(
            finding.span[2:] <= other.span[:2] or other.span[2:] <= finding.span[:2]
            for other in chosen
        ):
            chosen.append(finding)
    return chosen


def typed(source, findings):
    """Return a program in which each cause is replaced by what to type instead."""
    data = source.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for finding in sorted(findings, key=lambda f: f.span, reverse=True):
        first, start, last, end = finding.span
        before, after = data[: starts[first - 1] + start], data[starts[last - 1] + end :]
        data = before + finding.suggestion.encode() + after
    needs = "".join(f"{finding.needs}\n" for finding in findings if finding.needs)
    return needs + data.decode()
