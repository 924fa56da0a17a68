"""Findings as a piece of HTML for a notebook, which shows them beside a cell.

It reads well on light and on dark paper: text has the colour of the notebook, and marks let the
paper shine through. A notebook that is not trusted, and pages that show one, drop style sheets, and
some drop styles: so all that matters is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from ...core.errors import plural
from ..model.wording import location_name
from .report import Finding, Report
from .text import described, excerpts
from .wording import reason, summary

_MOST: Final = 10  # findings that are open to be read; those that cost most

_BORDER: Final = "border-left: 3px solid {colour}; padding: 2px 0 2px 12px; margin: 8px 0"
_CODE: Final = (
    "margin: 4px 0; padding: 6px 8px; overflow-x: auto; line-height: 1.35; color: inherit; "
    "font-family: monospace; white-space: pre; word-break: normal; overflow-wrap: normal; "
    "background: rgba(128, 128, 128, 0.12); border: 0; text-align: left"
)
_BADGE: Final = (
    "border: 1px solid {colour}; border-radius: 9px; padding: 0 7px; font-size: 0.85em; "
    "margin: 0 4px"
)
_COLOURS: Final = {"error": "#d1242f", "warning": "#d9730d", "note": "#5b7fd6"}
_UNDER: Final = re.compile(r"\s+\| [ ^~|]*")
_RUN: Final = re.compile(r"\^+|~+")
_MARKS: Final = {"^": _COLOURS["warning"], "~": _COLOURS["note"]}


def render(report: Report, *, ends: bool = True) -> str:
    """Return the findings of a report as HTML.

    Args:
        report: the report.
        ends: whether it ends with how much was found, and what else there is to know.
    """
    parts = ['<div class="supremum-audit" style="text-align: left">']
    if ends:
        first, *rest = summary(report)
        parts.append(f"<p><strong>{escape(first)}</strong></p>")
    else:
        rest = []
    parts += ["".join(_finding(finding)) for finding in report.findings[:_MOST]]
    more = report.findings[_MOST:]
    if more:
        parts.append(f"<details><summary>{plural(len(more), 'more cause')}</summary>")
        parts += ["".join(_finding(finding)) for finding in more]
        parts.append("</details>")
    if rest:
        parts.append("<ul>")
        parts += [f"<li>{escape(line)}</li>" for line in rest]
        parts.append("</ul>")
    return "\n".join([*parts, "</div>"])


def finding(shown: Finding) -> str:
    """Return one finding as HTML."""
    return "\n".join(
        ['<div class="supremum-audit" style="text-align: left">', *_finding(shown), "</div>"]
    )


def _finding(finding: Finding) -> Iterator[str]:
    colour = _COLOURS[finding.severity]
    where = location_name(finding.file, finding.line)
    yield f'<div style="{_BORDER.format(colour=colour)}">'
    yield f"<div><strong>{escape(where)}</strong> "
    yield f'<span style="{_BADGE.format(colour=colour)}">{escape(finding.kind)}</span> '
    yield f"{escape(finding.headline)}</div>"
    yield f'<pre style="{_CODE}">{_code(finding)}</pre>'
    if finding.suggestion:
        yield f"<div>Type instead: <code>{escape(finding.suggestion)}</code></div>"
    if finding.needs:
        yield f"<div>And at the top: <code>{escape(finding.needs)}</code></div>"
    if finding.explanation:
        yield f"<details><summary>Why</summary><div>{escape(reason(finding.explanation))}</div>"
        yield f'<pre style="{_CODE}">{escape(finding.explanation)}</pre></details>'
    yield "</div>"


def _code(finding: Finding) -> str:
    """Return the lines of source that a finding is about; what is under them has its colour."""

    def coloured(run: re.Match[str]) -> str:
        return f'<span style="color: {_MARKS[run.group()[0]]}">{run.group()}</span>'

    lines = [escape(line) for line in excerpts(finding)]
    return "\n".join(_RUN.sub(coloured, line) if _UNDER.fullmatch(line) else line for line in lines)


class Shown:
    """What is shown beside a cell: findings, in HTML or as text.

    Args:
        findings: the findings.
        otherwise: what is said instead if there are none.
    """

    def __init__(self, findings: Sequence[Finding], otherwise: str = "") -> None:
        self.findings = tuple(findings)
        self._otherwise = otherwise

    def __repr__(self) -> str:
        return "\n\n".join(map(described, self.findings)) or self._otherwise

    def _repr_html_(self) -> str:
        if not self.findings:
            return f"<div>{escape(self._otherwise)}</div>"
        return render(Report(self.findings), ends=False)
