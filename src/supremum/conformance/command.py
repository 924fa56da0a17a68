"""What ``supremum conform`` does and prints."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

import click

from ..core.errors import RulesError, did_you_mean
from ..core.system import PromotionSystem
from .coverage import Coverage, coverable, coverage
from .measure import Measured, conform
from .module import conform_module
from .questions import conformable, load
from .write import write

_TITLES = ("library", "release", "public", "left out", "dtype-dependent", "known", "percent")


def measure(
    systems: Sequence[str],
    *,
    module: str | None,
    rules: PromotionSystem | None,
    drawn: tuple[int, int],
    functions: bool,
    require: bool,
    path: str | None,
    format: str,
) -> int:
    """Ask libraries cell by cell, print where rules differ, and return the exit code.

    Args:
        systems: the names of rules; none for all.
        module: an array library to ask by the array API.
        rules: those that it is held against.
        drawn: how many random lists to ask about, and what they are drawn from.
        functions: whether to ask about functions.
        require: whether one that is not measured counts as one that differs.
        path: where to write the measured table, if anywhere.
        format: ``text`` or ``json``.
    """
    if unknown := [name for name in systems if name not in conformable()]:
        hint, close = did_you_mean(unknown[0], conformable())
        msg = f"there is no live library for the rules {unknown[0]!r}{hint}"
        raise RulesError(msg, unknown[0], close)
    asked = list(systems or (() if module else conformable()))
    if path:
        settings = bool(module and rules) + sum(len(load(name).SETTINGS) for name in asked)
        if settings != 1:
            what = f"{settings} settings are asked about, and --write takes one"
            raise click.UsageError(f"{what}; supremum.conformance.write takes each by itself")
    terminal = sys.stderr.isatty()

    def progress(name: str, done: int) -> None:
        if terminal:
            click.echo(f"\r{name}: {done:,} answers", nl=False, err=True)

    count, seed = drawn
    found: list[Measured] = []
    if module and rules:
        found.append(conform_module(module, rules))
    for name in asked:
        found += conform(name, count=count, seed=seed, functions=functions, progress=progress)
    if terminal:
        click.echo("\r\033[K", nl=False, err=True)
    if path:
        write(found[0], path)
    if format == "json":
        click.echo(_json([m.as_dict() for m in found]))
    else:
        for measured in found:
            click.echo(str(measured))
        if count:
            click.echo(f"The random lists are those of seed {seed}.")
    bad = {"differs", "not measured"} if require else {"differs"}
    return 1 if any(m.verdict in bad for m in found) else 0


def cover(systems: Sequence[str], *, require: bool, format: str) -> int:
    """Print how many functions of libraries are known, and return the exit code.

    Args:
        systems: the names of rules; none for all whose libraries are installed.
        require: whether one that is not installed is a failure.
        format: ``text`` or ``json``.
    """
    found, absent = [], []
    for name in systems or coverable():
        try:
            found.append(coverage(name))
        except RulesError as error:
            if systems:
                raise
            absent.append(str(error))
    for reason in absent:
        click.echo(reason, err=True)
    if format == "json":
        click.echo(_json([one.as_dict() for one in found]))
    else:
        click.echo(covered(found))
    return int(require and bool(absent))


def covered(found: Sequence[Coverage]) -> str:
    """Return a table of coverages, and the names that are missing."""
    rows = [_TITLES, *map(_row, found)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first = [text.ljust(width) for text, width in zip(row[:2], widths, strict=False)]
        rest = [text.rjust(width) for text, width in zip(row[2:], widths[2:], strict=True)]
        lines.append("  ".join(first + rest))
    for one in found:
        lines.append("")
        if one.missing:
            names = textwrap.fill(" ".join(one.missing), 96, break_on_hyphens=False)
            lines += [f"{one.system} has no rule for:", textwrap.indent(names, "    ")]
        else:
            lines.append(f"{one.system} has a rule or a reason for every name.")
    return "\n".join(lines)


def _row(one: Coverage) -> tuple[str, ...]:
    counts = len(one.names), len(one.names) - one.dependent, one.dependent, len(one.known)
    # never rounded up to a hundred
    percent = f"{int(one.percent * 10) / 10:.1f}"
    return (one.system, one.installed, *(f"{count:,}" for count in counts), percent)


def _json(found: list[dict[str, Any]]) -> str:
    return json.dumps(found, indent=1, ensure_ascii=False)
