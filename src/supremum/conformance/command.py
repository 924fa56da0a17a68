"""What ``supremum conform`` does and prints."""

from __future__ import annotations

import json
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import click

from ..core.errors import RulesError, SupremumError, did_you_mean
from ..core.system import PromotionSystem
from ..core.systems import find
from .coverage import Coverage, coverable, coverage
from .expressions import Confirmation, confirm
from .measure import NOT_INSTALLED, Progress, conform
from .measured import Measured
from .module import conform_module
from .questions import conformable, load
from .random_expressions import check
from .write import write

Bar = Callable[[], AbstractContextManager[Progress]]
"""Shows how far a long run is, until the context ends."""

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
    bar: Bar,
) -> int:
    """Ask libraries cell by cell, print where rules differ, and return the exit code.

    Args:
        systems: the names of rules, with options or without; none for all.
        module: an array library to ask by the array API, which the working folder may have.
        rules: those that it is held against.
        drawn: how many random lists to ask about, and what they are drawn from.
        functions: whether to ask about functions.
        require: whether one that is not measured counts as one that differs; one that is named
            does.
        path: where to write the measured table, if anywhere.
        format: ``text`` or ``json``.
        bar: what shows how far it is.
    """
    asked = [_known(name) for name in systems]
    if module is not None:
        _import_from_here()
    elif not asked:
        asked = [(name, None) for name in conformable()]
    if path:
        settings = bool(module and rules) + sum(
            1 if own else len(load(name).SETTINGS) for name, own in asked
        )
        if settings != 1:
            what = f"{settings} settings are asked about, and --write takes one"
            raise click.UsageError(f"{what}; supremum.conformance.write takes each by itself")
    count, seed = drawn
    found: list[Measured] = []
    with bar() as progress:
        if module is not None and rules:
            with redirect_stdout(sys.stderr):  # what it prints is not our answer
                found.append(conform_module(module, rules, progress=progress))
        for name, own in asked:
            found += conform(
                name, rules=own, count=count, seed=seed, functions=functions, progress=progress
            )
    if path:
        write(found[0], path)
    if format == "json":
        click.echo(_json([m.as_dict() for m in found]))
    else:
        order = ("differs", "agrees", "not measured")
        told = map(_told, sorted(found, key=lambda measured: order.index(measured.verdict)))
        click.echo("\n".join(dict.fromkeys(told)))
        if count:
            click.echo(f"The random lists are those of seed {seed}.")
    bad = {"differs", "not measured"} if require or systems or module else {"differs"}
    return 1 if any(m.verdict in bad for m in found) else 0


def measure_expressions(
    systems: Sequence[str], *, count: int, seed: int, require: bool, format: str, bar: Bar
) -> int:
    """Ask libraries random expressions, print what differs, and return the exit code.

    Args:
        systems: the names of rules, with options or without; none for all that evaluate any.
        count: how many expressions each is asked.
        seed: what they are drawn from.
        require: whether one that is not installed is a failure; one that is named is.
        format: ``text`` or ``json``.
        bar: what shows how far it is.
    """
    asked = [_known(name) for name in systems] or [
        (name, None) for name in conformable() if hasattr(load(name), "filled")
    ]
    with bar() as progress:
        found = [check(own or name, count, seed, progress) for name, own in asked]
    if format == "json":
        click.echo(_json([checked.as_dict() for checked in found]))
    else:
        click.echo("\n".join([*map(str, found), f"The expressions are those of seed {seed}."]))
    bad = {"differs", "not measured"} if require or systems else {"differs"}
    return 1 if any(checked.verdict in bad for checked in found) else 0


class Live(NamedTuple):
    """An expression explained, and what the live library makes of it, or why nobody asked it."""

    explained: Any
    said: Confirmation | SupremumError

    @property
    def is_wrong(self) -> bool:
        """Whether the library gives something else."""
        return isinstance(self.said, Confirmation) and self.said.verdict == "wrong"

    def as_dict(self) -> dict[str, Any]:
        """Return both as plain lists and texts, as ``--format json`` prints it."""
        if isinstance(self.said, Confirmation):
            return {**self.explained.as_dict(), "live": self.said.as_dict()}
        live = {"verdict": "not asked", "reason": str(self.said)}
        return {**self.explained.as_dict(), "live": live}

    def __str__(self) -> str:
        is_asked = isinstance(self.said, Confirmation)
        return f"{self.explained}\n\n{'' if is_asked else 'not confirmed: '}{self.said}"


def explained_live(text: str, rules: PromotionSystem | None, explain: Callable[..., Any]) -> Live:
    """Return an expression explained and confirmed; what is refused is told before it is raised.

    Args:
        text: the expression.
        rules: those that decide, or None for those that the expression itself decides.
        explain: what explains it.
    """
    said: Confirmation | SupremumError
    try:
        said = confirm(text, rules)
    except SupremumError as error:
        said = error
    try:
        return Live(explain(text, rules), said)
    except SupremumError:
        if isinstance(said, Confirmation):
            click.echo(said)
        raise


def _known(name: str) -> tuple[str, PromotionSystem | None]:
    """Return the library that a text names, and its rules if it has options.

    Raises:
        RulesError: if there is none.
    """
    if name in conformable():
        return name, None
    try:
        rules = find(name)
    except SupremumError:
        if ":" in name:
            raise
    else:
        if rules.origin and rules.origin.name in conformable():
            return rules.origin.name, rules if ":" in name else None
    _import_from_here()
    if name.isidentifier() and find_spec(name):
        msg = f"{name!r} is a module, not the name of rules; type --module {name}"
        raise RulesError(msg, name)
    hint, close = did_you_mean(name, conformable())
    raise RulesError(f"there is no live library for the rules {name!r}{hint}", name, close)


def _import_from_here() -> None:
    sys.path.insert(0, str(Path.cwd()))  # as python -m has it


def _told(measured: Measured) -> str:
    """Return the text of a measurement; a library that is missing is so in any setting."""
    if measured.reason.endswith(NOT_INSTALLED):
        return f"{measured.system}: not measured: {measured.reason}"
    return str(measured)


def cover(systems: Sequence[str], *, require: bool, format: str, bar: Bar) -> int:
    """Print how many functions of libraries are known, and return the exit code.

    Args:
        systems: the names of rules; none for all whose libraries are installed.
        require: whether one that is not installed is a failure.
        format: ``text`` or ``json``.
        bar: what shows how far it is.
    """
    found, absent = [], []
    names = systems or coverable()
    with bar() as progress:
        for number, name in enumerate(names):
            progress(name, number, len(names))
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
