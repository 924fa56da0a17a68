"""The report as JSON; docs/reference/audit-report.md describes its members."""

from __future__ import annotations

import json

from .report import Report


def render(report: Report) -> str:
    """Return the report as JSON."""
    return json.dumps(report.to_dict(), indent=1, ensure_ascii=False)
