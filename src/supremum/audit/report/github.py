"""The report as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ...core.errors import plural, sentence
from ..model.wording import near
from .report import Finding, Report
from .where import extent, in_file, in_words
from .wording import introductions

COMMANDS: Final = {"error": "error", "warning": "warning", "note": "notice"}
"""GitHub's word for each severity."""

_IN_DATA: Final = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES: Final = _IN_DATA | str.maketrans({":": "%3A", ",": "%2C"})


MOST: Final = 10
"""How many annotations of one severity GitHub shows for a step; it drops the others."""


def render(report: Report) -> str:
    """Return a command for each finding that GitHub shows, and how many there are of all."""
    if report.warning:
        message = sentence(report.warning)
        return f"::warning title=supremum::{message.translate(_IN_DATA)}"
    shown: list[Finding] = []
    for severity in COMMANDS:
        shown += [f for f in report.findings if f.severity == severity][:MOST]
    found = plural(len(report.findings), "cause") if report.findings else "Nothing found"
    last = f"{found} in {plural(report.operations, 'operation')} on arrays."
    if len(shown) < len(report.findings):
        last += f" GitHub shows {MOST} of each severity; -f sarif has all."
    return "\n".join([*map(_command, shown), last])


def _command(finding: Finding) -> str:
    file, place = in_file(finding.file, extent(finding.file, finding.span))
    where: dict[str, object] = {"file": Path(near(file)).as_posix(), "line": place.line}
    if place.line == place.end_line:
        where |= {"col": place.column, "endColumn": place.end_column}
    else:  # GitHub takes columns within one line alone
        where |= {"endLine": place.end_line}
    where["title"] = f"supremum: {finding.kind}"
    message = "\n".join([finding.headline, *introductions(finding.places[0])])
    if cell := in_words(finding.file, finding.line):
        message = f"{cell}: {message}"
    if finding.suggestion:
        message += f"\nType instead: {finding.suggestion}"
    if finding.needs:
        message += f"\nAnd at the top: {finding.needs}"
    properties = ",".join(f"{name}={_escaped(value)}" for name, value in where.items())
    command = COMMANDS[finding.severity]
    return f"::{command} {properties}::{message.translate(_IN_DATA)}"


def _escaped(value: object) -> str:
    return str(value).translate(_IN_PROPERTIES)
