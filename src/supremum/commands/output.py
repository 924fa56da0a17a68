"""How commands print: in colour and in the width of a terminal, or as it is."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import Any

import click

from ..core.table import Table
from ..terminal import print_text, terminal_width


def show_value(format: str, value: Any, styles: Sequence[tuple[str, str]] = ()) -> None:
    """Print a value as text, in colour on a terminal, or as JSON."""
    if format == "json":
        print_json(value.to_dict())
        return
    print_text(str(value), styles)


def print_json(value: Any) -> None:
    """Print lists, texts and numbers as JSON."""
    import json  # slow to import

    click.echo(json.dumps(value, indent=1, ensure_ascii=False))


def print_table(table: Table[Any], format: str, title: str, *, after: str = "") -> None:
    """Print a table, as text in blocks of columns that fit the terminal, under a title."""
    from .. import show

    if format != "text":
        click.echo(show.render(table, format))
        return
    text = f"{after}{title}\n\n{show.render(table)}"
    if sys.stdout.isatty():
        text = f"{after}{title}\n\n{in_blocks(show.render(table), terminal_width())}"
    print_text(
        text,
        [
            (r"(?m)^ {2,}\S.*$", "bold"),
            (r"(?m)^[a-z]+[\d*_a-z]*(?=  )", "bold"),
            (r"\S+!", "bold yellow"),
            (r"(?<= )-(?= |$)", "dim"),
        ],
    )


def tell_rare(count: int) -> None:
    """Say on stderr how many rare dtypes are left out, if any are."""
    if count:
        click.echo(f"{count} rare dtypes are left out; --all shows them", err=True)


def in_blocks(text: str, width: int) -> str:
    """Return a table of which no line is longer than a width: some columns below the others.

    >>> print(in_blocks("    i8  u8\\ni8  i8  i16\\nu8  i16 u8", 8))
        i8
    i8  i8
    u8  i16
    <BLANKLINE>
        u8
    i8  i16
    u8  u8
    """
    lines = text.splitlines()
    if max(map(len, lines)) <= width:
        return text
    starts = [found.start() for found in re.finditer(r"\S+", lines[0])]
    ends = [*starts[1:], max(map(len, lines)) + 1]
    head = starts[0]
    blocks: list[list[tuple[int, int]]] = [[]]
    used = head
    for start, end in zip(starts, ends, strict=True):
        if blocks[-1] and used + end - start - 1 > width:
            blocks.append([])
            used = head
        blocks[-1].append((start, end))
        used += end - start
    return "\n\n".join(
        "\n".join((line[:head] + line[block[0][0] : block[-1][1]]).rstrip() for line in lines)
        for block in blocks
    )
