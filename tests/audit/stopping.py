"""Programs that stop for their dtypes, run and mended."""

from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from supremum import audit


class Stops(NamedTuple):
    """A program that stops.

    Attributes:
        issue: what it is modelled on.
        source: the program.
        text: what the first finding says to mend.
        suggestion: what to type instead.
        rounds: how often it has to be mended until it runs.
    """

    issue: str
    source: str
    text: str
    suggestion: str
    rounds: int = 1


class Refused(NamedTuple):
    """A program with an operation that is refused.

    Attributes:
        source: the program.
        text: what the finding says to mend, or the operation.
        operands: its operands, as the report has them.
        suggestion: what to type instead, if a change is known to be right.
    """

    source: str
    text: str
    operands: tuple[str, ...]
    suggestion: str = ""


def stop_of(path):
    """Return the findings of a program, and what it raised."""
    error = None
    try:
        audit.run(str(path))
    except Exception as raised:  # noqa: BLE001  # whatever it is
        error = raised
    return audit.last_report().findings, error


def mended(source, finding):
    """Return a program with what a finding suggests typed in."""
    first, start, last, end = finding.span
    lines = source.encode().splitlines(keepends=True)
    before = b"".join(lines[: first - 1]) + lines[first - 1][:start]
    after = lines[last - 1][end:] + b"".join(lines[last:])
    text = (before + finding.suggestion.encode() + after).decode()
    return f"{finding.needs}\n{text}" if finding.needs else text


def check(program, folder: Path):
    """Check that a program stops, that the finding is the one to mend, and that it runs then."""
    source = dedent(program.source)
    for turn in range(program.rounds):
        path = folder / f"program{turn}.py"
        path.write_text(source, encoding="utf-8")
        findings, error = stop_of(path)
        assert error is not None
        first = findings[0]
        assert (first.kind, first.severity) == ("stopped", "error")
        assert str(audit.why(error)).startswith(f"{path}:") or not Path(first.file).is_absolute()
        if turn == 0:
            assert (first.text, first.suggestion) == (program.text, program.suggestion)
        source = mended(source, first)
    path = folder / "mended.py"
    path.write_text(source, encoding="utf-8")
    findings, error = stop_of(path)
    assert error is None
    assert not [f for f in findings if f.kind == "stopped"]


def check_refused(program, folder: Path):
    """Check what is said of an operation that is refused, and that a suggestion helps."""
    path = folder / "program.py"
    path.write_text(dedent(program.source), encoding="utf-8")
    findings, error = stop_of(path)
    assert audit.why(error) is not None
    first = findings[0]
    assert (first.kind, first.text) == ("stopped", program.text)
    assert tuple(mark.dtype for mark in first.places[0].operands) == program.operands
    assert first.suggestion == program.suggestion
    if first.suggestion:
        path = folder / "mended.py"
        path.write_text(mended(dedent(program.source), first), encoding="utf-8")
        assert stop_of(path)[1] is None
