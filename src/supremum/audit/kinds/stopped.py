"""Programs that stop, since an operation is refused for the dtypes of its operands."""

from __future__ import annotations

from typing import Any

from ..model.wording import introduced, is_inside, location_name
from .kind import Kind


def headline(_: Kind, finding: Any) -> str:
    """Return what the error says, and where the program stops if that is on another line."""
    first = finding.places[0]
    if is_inside(finding, first):
        return str(first.told)
    where = f"line {first.line}"
    if first.file != finding.file:
        where = location_name(first.file, first.line, seen_from=finding.file)
    return f"{introduced(finding)}, and stops {where}: {first.told}"


KIND = Kind(
    name="stopped",
    order=0,
    severity="error",
    meaning="an operation on arrays was refused for their dtypes",
    remedy="cast the operand that was refused, or make it in another dtype",
    headline=headline,
    changes_values=True,
)
