"""What every format says of a system in the same words: its head, its codes, its tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from shlex import quote
from textwrap import wrap
from typing import Final

from ..core.dtypes import dtype
from ..core.errors import SupremumError
from ..core.table import REFUSED
from .description import Cells, Description

LICENCE: Final = "Apache-2.0"


def about(description: Description) -> list[str]:
    """Return sentences that say which rules these are and where from, each as one line."""
    release = f" {description.version}" if description.version else ""
    label = f" ({description.label})" if description.label else ""
    title, name = description.title, description.name
    of = f"{title}{release}" if title != name else name
    said = [f"Type promotion by the rules of {of}{label}."]
    if description.source:
        said.append(f"Source of the rules: {description.source}.")
    if description.ranked and description.join != "tiers":
        said.append("Arrays have dimensions here: what 0-d ones give is left out.")
    return [_plain(text) for text in said]


def head(description: Description, format: str) -> list[str]:
    """Return the lines that a comment at the top of a format has."""
    written = f"Written by: {command(description, format)}"
    return [*about(description), written, f"SPDX-License-Identifier: {LICENCE}"]


def _plain(text: str) -> str:
    """Return a text that cannot leave a comment: one line, without what ends one in HTML."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line.replace("-->", "-- >").replace("--!>", "--! >")


def command(description: Description, format: str) -> str:
    """Return the command that writes a format of a description, or the call if it has modes."""
    if description.options:
        return f"supremum.export.render({description.name!r}, modes={[*description.options]})"
    functions = f" --functions {','.join(description.functions)}" if description.functions else ""
    return _plain(f"supremum export {quote(description.name)} --to {format}{functions}")


def codes(description: Description) -> dict[str, str]:
    """Return a short name for each node, without spaces: a code that counts bits, if it has one."""
    found: dict[str, str] = {}
    for node in description.nodes:
        short = _code(node) or node.removeprefix("float8_")
        found[node] = short if short not in found.values() else node
    return found


def _code(node: str) -> str | None:
    try:
        return dtype(node).code
    except SupremumError:
        return None


def filled(items: Iterable[str], depth: int, width: int) -> str:
    """Return the items of a list in a program, as indented lines of at most some characters."""
    lines, space = [], " " * depth
    line = ""
    for item in items:
        longer = f"{line} {item}," if line else f"{space}{item},"
        if line and len(longer) > width:
            lines.append(line)
            longer = f"{space}{item},"
        line = longer
    return "\n".join([*lines, line])


def wrapped(text: str, width: int = 88) -> str:
    """Return a text as lines of at most some characters."""
    return "\n".join(
        line
        for own in text.split("\n")
        for line in wrap(own, width, break_on_hyphens=False, break_long_words=False)
    )


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines in which the columns stand below each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        " ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def grid(description: Description, cells: Cells) -> list[list[str]]:
    """Return a table as rows of codes below a head, each with its node first."""
    short = codes(description)
    rows = [["", "", *short.values()]]
    for a in short:
        answers = [cells.get((a, b), "") for b in short]
        rows.append([a, short[a], *(short.get(c, REFUSED) for c in answers)])
    return rows
