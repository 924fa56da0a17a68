"""Writing a measured table down as rules, which is how a new version of a system begins."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from ..core.errors import RulesError
from .measured import Measured


def write(measured: Measured, path: str | Path) -> None:
    """Write the pairs of arrays that a library was asked about to a TOML file of rules.

    `PromotionSystem.from_file` reads it. Python scalars, 0-d arrays and operators are not in it:
    those are for the steps around the join.

    Args:
        measured: what `conform` returned for one setting.
        path: the file.

    Raises:
        RulesError: where no pair of arrays was measured, or the file cannot be written.
    """
    if measured.reason:
        raise RulesError(f"{measured.system}: not measured: {measured.reason}", measured.system)
    if not measured.table:
        raise RulesError(f"{measured.system}: no pair of arrays was asked about", measured.system)
    nodes = list(dict.fromkeys(a for a, _ in measured.table))
    width = max(map(len, nodes)) + 2
    rows = [["", *nodes]]
    rows += [[a, *(measured.table.get((a, b), "-") for b in nodes)] for a in nodes]
    lines = ["".join(cell.ljust(width) for cell in row).rstrip() for row in rows]
    options = "".join(f", {name}={value}" for name, value in measured.setting.items())
    today = datetime.now(UTC).date()
    head = [
        f'name = "{measured.system}-{measured.installed}"',
        f'version = "{measured.installed}"',
        f'source = "measured on {today}{options}"',
    ]
    text = "\n".join([*head, 'table = """', *lines, '"""', ""])
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RulesError(f"{path}: {error.strerror}", path) from None
