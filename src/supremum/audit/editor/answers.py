"""What an editor is told of a document: diagnostics, dtypes beside the source, and explanations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from lsprotocol import types

from ..kinds import page
from ..model.locations import Span
from ..model.wording import plain_dtype
from ..report.report import Finding
from ..report.wording import introductions
from .documents import Document
from .edits import Replacement
from .saved_reports import File

Units = Callable[[str], int]
"""Counts a text as the client does, mostly in UTF-16."""

Locate = Callable[[str, Span], types.Location | None]
"""Gives a place of a report in whichever file, or None if it is gone."""

SOURCE: Final = "supremum"
STALE: Final = "this line has changed since the audit"
_SEVERITIES: Final = {
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_MARKUP: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


class Page(NamedTuple):
    """A document, and what a report says of its file.

    Attributes:
        document: the document.
        file: what the report says.
        units: counts a text as the client does.
    """

    document: Document
    file: File
    units: Units

    def range(self, span: Span) -> types.Range:
        """Return a part of the document as the client counts: from characters, all from 0."""
        return types.Range(self._position(*span[:2]), self._position(*span[2:]))

    def _position(self, line: int, column: int) -> types.Position:
        lines = self.document.lines
        return types.Position(line, self.units(lines[line][:column]) if line < len(lines) else 0)

    def marked(self) -> Iterator[tuple[Finding, types.Range, bool]]:
        """Yield each finding, where it is now, and whether its line has changed."""
        for finding in self.file.findings:
            where = self.document.find(finding.span)
            if where is not None:
                yield finding, self.range(where.span), where.is_stale

    def diagnostics(self, locate: Locate) -> list[types.Diagnostic]:
        """Return the findings as diagnostics."""
        return [_diagnostic(*marked, locate) for marked in self.marked()]

    def hints(self, within: types.Range) -> list[types.InlayHint]:
        """Return the dtypes that were observed in part of the document."""
        found = []
        for span, dtypes in self.file.seen:
            where = self.document.find(span)
            if where is None or where.is_stale:
                continue
            end = self.range(where.span).end
            if within.start <= end <= within.end:
                found.append(
                    types.InlayHint(
                        end,
                        f": {' | '.join(dtypes)}",
                        kind=types.InlayHintKind.Type,
                        tooltip="The dtype that the audit observed here.",
                    )
                )
        return found

    def hover(self, at: types.Position) -> types.Hover | None:
        """Return what there is to say of a position, or None."""
        parts, ranges = [], []
        for finding, place, is_stale in self.marked():
            if place.start <= at <= place.end:
                parts.append(_explained(finding, is_stale=is_stale))
                ranges.append(place)
        for span, dtypes in self.file.seen:
            where = self.document.find(span)
            if where is None or where.is_stale:
                continue
            place = self.range(where.span)
            if place.start <= at <= place.end:
                parts.append(f"Observed here: `{' | '.join(dtypes)}`")
                ranges.append(place)
        if not parts:
            return None
        text = "\n\n---\n\n".join(parts)
        return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, text), ranges[0])

    def edits(self, replacements: Sequence[Replacement]) -> list[types.TextEdit]:
        """Return replacements as the client makes them."""
        return [types.TextEdit(self.range(r.span), r.text) for r in replacements]


def _diagnostic(
    finding: Finding, place: types.Range, is_stale: bool, locate: Locate
) -> types.Diagnostic:
    told = finding.headline
    if is_stale:
        return types.Diagnostic(
            place,
            f"{told} ({STALE})",
            severity=types.DiagnosticSeverity.Hint,
            code=finding.kind,
            code_description=types.CodeDescription(page(finding.kind)),
            source=SOURCE,
            tags=[types.DiagnosticTag.Unnecessary],
        )
    return types.Diagnostic(
        place,
        f"{told}\ntype instead: {finding.suggestion}" if finding.suggestion else told,
        severity=_SEVERITIES[finding.severity],
        code=finding.kind,
        code_description=types.CodeDescription(page(finding.kind)),
        source=SOURCE,
        related_information=list(_related(finding, locate)) or None,
    )


def _related(finding: Finding, locate: Locate) -> Iterator[types.DiagnosticRelatedInformation]:
    """Yield the places where a cause had an effect, and those where integers were born."""
    itself = finding.file, finding.span
    told: dict[tuple[str, Span], list[str]] = {}
    for place in finding.places:
        if (place.file, place.span) != itself:
            operands = [f"{m.text} is {m.dtype}" for m in place.operands if m.text]
            line = "; ".join([f"{place.kind}: {place.effect}", *operands])
            told.setdefault((place.file, place.span), []).append(line)
        for mark in place.operands:
            if mark.born is not None:
                line = f"{plain_dtype(mark)} is introduced here"
                lines = told.setdefault((mark.born.file, mark.born.span), [])
                lines += [] if line in lines else [line]
    for (file, span), lines in told.items():
        location = locate(file, span)
        if location is not None:
            yield types.DiagnosticRelatedInformation(location, "\n".join(lines))


def _explained(finding: Finding, *, is_stale: bool) -> str:
    parts = [f"**{finding.kind}**: {_plain(finding.headline)}"]
    if is_stale:
        parts.append(f"*{STALE[0].upper()}{STALE[1:]}; audit again.*")
    parts += [_plain(f"{line}.") for place in finding.places for line in introductions(place)]
    if finding.suggestion and not is_stale:
        parts.append(f"Type instead:\n\n{_code(finding.suggestion, 'python')}")
    if finding.needs and not is_stale:
        parts.append(f"And at the top:\n\n{_code(finding.needs, 'python')}")
    if finding.explanation:
        parts.append(_code(finding.explanation, "text"))
    return "\n\n".join(parts)


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)


def _code(text: str, language: str) -> str:
    """Return a text as a block of code, whatever is in it."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"
