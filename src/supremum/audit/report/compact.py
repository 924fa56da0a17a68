"""The report as JSON Lines: a line for each finding, with what a review of it quotes."""

from __future__ import annotations

import json
from typing import Any

from ..model.wording import location_name
from .ids import ids
from .report import Finding, Report


def render(report: Report) -> str:
    """Return a line for each finding; an empty text if there is none."""
    named = zip(ids(report.findings), report.findings, strict=True)
    return "\n".join(json.dumps(_quoted(*one), ensure_ascii=False) for one in named)


def _quoted(name: str, finding: Finding) -> dict[str, Any]:
    return {
        "id": name,
        "kind": finding.kind,
        **({"note": finding.note} if finding.note else {}),
        "severity": finding.severity,
        "at": location_name(finding.file, finding.line, finding.column),
        "text": finding.text,
        "dtype": finding.dtype,
        "bytes": finding.bytes,
        "message": finding.headline,
        "suggestion": finding.suggestion,
        "needs": finding.needs,
    }
