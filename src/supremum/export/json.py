"""A system as JSON, which `export.schema.json` describes."""

from __future__ import annotations

import json as text
from typing import Any

from .description import Cells, Description
from .words import LICENCE, about, command


def json(description: Description) -> str:
    """Return the document."""
    join: dict[str, Any] = {"kind": description.join}
    if description.arrows:
        join["arrows"] = description.arrows
    else:
        join["table"] = _rows(description.table)
    if description.lower:
        join["lower"] = _rows(description.lower)
    if description.stands_for:
        join["stands_for"] = description.stands_for
    document = {
        "schema_version": 1,
        "about": about(description)[0],
        "system": description.name,
        "library": description.title,
        "release": description.version,
        "source": description.source,
        "licence": LICENCE,
        "written_by": command(description, "json"),
        "dtypes": description.dtypes,
        "numbers": description.numbers,
        "numbers_alone": description.numbers_alone,
        "taken": description.taken,
        "join": join,
        "settled": description.settled,
        "refusals": description.refusals,
        "bounds": {
            name: limits
            for name in ("ints", "floats", "function_ints")
            if (limits := getattr(description, name)) is not None
        },
        "functions": description.functions,
    }
    return text.dumps(document, indent=1) + "\n"


def _rows(cells: Cells) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for (a, b), answer in cells.items():
        found.setdefault(a, {})[b] = answer
    return found
