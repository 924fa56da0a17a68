"""The report as SARIF 2.1.0, which code hosts and editors read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from ...core.errors import sentence
from ...version import __version__
from ..kinds import KINDS, base_name, page
from ..model.locations import Span, text_of
from ..model.wording import near, plain_dtype
from .ids import ids
from .places import Place
from .report import Finding, Report
from .where import extent, in_file, in_words
from .wording import nothing, remarks

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT: Final = "%SRCROOT%"
_IDS: Final = {kind: index for index, kind in enumerate(KINDS)}
# what a reader would take for the end of a link's text, or for the place of an argument
_LINK: Final = re.compile(r"(\\*)\](?=\()")
_BRACES: Final = str.maketrans({"{": "{{", "}": "}}"})


def render(report: Report) -> str:
    """Return the report as SARIF."""
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_ROOT: {"uri": f"{Path.cwd().as_uri().rstrip('/')}/"}},
        "invocations": [
            {"executionSuccessful": True, "toolExecutionNotifications": _notifications(report)}
        ],
        "results": list(_results(report.findings)),
        "properties": {"operations": report.operations, "target": report.target or None},
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1, ensure_ascii=False)


def _driver() -> dict[str, Any]:
    return {
        "name": "supremum",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [
            {
                "id": kind,
                "shortDescription": {"text": kind},
                "fullDescription": {"text": sentence(rule.meaning)},
                "help": {"text": sentence(rule.remedy)},
                "helpUri": page(kind),
                "defaultConfiguration": {"level": rule.severity},
            }
            for kind, rule in KINDS.items()
        ],
    }


def _results(findings: Sequence[Finding]) -> Iterator[dict[str, Any]]:
    for finding, name in zip(findings, ids(findings), strict=True):
        yield _result(finding, name)


def _result(finding: Finding, fingerprint: str) -> dict[str, Any]:
    # a cause that has its effect where it is needs no second location
    away = [p for p in finding.places if p.span != finding.span or p.file != finding.file]
    cell = in_words(finding.file, finding.line)
    message = f"{cell}: {finding.headline}." if cell else f"{finding.headline}."
    if finding.suggestion:
        message += f" Type instead: {finding.suggestion}"
    if finding.needs:
        message += f"\nAnd at the top: {finding.needs}"
    links = ", ".join(f"[{_linked(place)}]({index})" for index, place in enumerate(away, 1))
    kept = ("kind", *(["note"] if finding.note else []), "count", "bytes", "suggestion", "needs",
            "explanation")  # fmt: skip
    return {
        "ruleId": base_name(finding.kind),
        "ruleIndex": _IDS[base_name(finding.kind)],
        "level": finding.severity,
        "message": {"text": _plain(message) + (f"\nSee {links}." if links else "")},
        "locations": [_location(finding.file, finding.span)],
        "relatedLocations": _related(finding, away),
        "partialFingerprints": {"fileKindText/v1": fingerprint},
        "occurrenceCount": finding.count,
        "properties": {"also": list(finding.also), **{key: getattr(finding, key) for key in kept}},
    }


def _related(finding: Finding, away: Sequence[Place]) -> list[dict[str, Any]]:
    """Return the places elsewhere where a cause had effects, then where dtypes were introduced."""
    introduced = {
        m.born: f"{plain_dtype(m)} is introduced here"
        for place in finding.places
        for m in place.operands
        if m.born is not None
    }
    related = [(_plain(_remark(place)), place.file, place.span) for place in away]
    related += [(remark, place.file, place.span) for place, remark in introduced.items()]
    return [
        {"id": index, "message": {"text": text}, **_location(file, span)}
        for index, (text, file, span) in enumerate(related, 1)
    ]


def _linked(place: Place) -> str:
    name = Path(place.file).name.replace(": cell", " cell")
    text = f"{place.kind} at {name} line {place.line}"
    return text.translate(str.maketrans({c: f"\\{c}" for c in "[]\\"}) | _BRACES)


def _remark(place: Place) -> str:
    operands = [f"{m.text} is {m.dtype}" if m.text else m.dtype for m in place.operands]
    return "; ".join([f"{place.kind}: {place.effect}", *operands])


def _plain(text: str) -> str:
    return _LINK.sub(r"\1\1\\]", text.translate(_BRACES))


def _location(file: str, span: Span) -> dict[str, Any]:
    path, place = in_file(file, extent(file, span))
    names = ("startLine", "startColumn", "endLine", "endColumn")
    region: dict[str, Any] = dict(zip(names, place, strict=True))
    if path == file and (text := text_of(file, span)):  # in a notebook, it is written as JSON
        region["snippet"] = {"text": text}
    found: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(path), "region": region}
    }
    if cell := in_words(file, span[0]):
        found["logicalLocations"] = [{"name": cell.partition(",")[0], "kind": "module"}]
    return found


def _artifact(file: str) -> dict[str, Any]:
    path = Path(near(file))
    if path.is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(path.as_posix()), "uriBaseId": _ROOT}


def _notifications(report: Report) -> list[dict[str, Any]]:
    """Return what could not be watched or judged."""
    texts = [*([nothing(report)] if report.warning else []), *remarks(report)]
    return [{"level": "note", "message": {"text": _plain(text)}} for text in texts]
