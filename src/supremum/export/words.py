"""What every format says of a system in the same words: its head, its codes, its tables."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote
from textwrap import fill, indent

from ..core.dtypes import DType, dtype
from ..core.errors import SupremumError
from ..core.table import REFUSED
from .description import Cells, Description


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


def _plain(text: str) -> str:
    """Return a text that cannot leave a comment: one line, without what ends one in HTML."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line.replace("-->", "-- >").replace("--!>", "--! >")


def command(description: Description, format: str) -> str:
    """Return the command that writes a format of a description."""
    functions = f" --functions {','.join(description.functions)}" if description.functions else ""
    return _plain(f"supremum export {quote(description.name)} --to {format}{functions}")


def docstring(text: str) -> str:
    """Return a text as it is written in a docstring."""
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


LICENCE = "Apache-2.0"


def licence() -> str:
    """Return the licence of what is written, for a comment."""
    return f"SPDX-License-Identifier: {LICENCE}"


def codes(description: Description) -> dict[str, str]:
    """Return a short name for each node, without spaces: a code that counts bits, if it has one."""
    found: dict[str, str] = {}
    for node in description.nodes:
        read = _read(node)
        short = (read.code if read else "") or node.removeprefix("float8_")
        found[node] = short if short not in found.values() else node
    return found


def filled(names: Iterable[str]) -> str:
    """Return names as indented lines of a list in a program."""
    return indent(fill(", ".join(names) + ",", 92, break_on_hyphens=False), "    ")


def grid(description: Description, cells: Cells) -> list[list[str]]:
    """Return a table as rows of codes, each with its node first; ``-`` has no answer."""
    short = codes(description)
    rows = []
    for a in short:
        answers = [cells.get((a, b)) for b in short]
        rows.append([a, short[a], *(short[c] if c else REFUSED for c in answers)])
    return rows


def _read(node: str) -> DType | None:
    try:
        return dtype(node)
    except SupremumError:
        return None
