"""The command ``supremum conform``."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..core.dtypes import dtype
from ..core.errors import RulesError, SupremumError, did_you_mean
from ..core.system import PromotionSystem
from ..core.systems import find, read_options
from .options import complete_option, complete_system, format_option
from .output import print_json, progress_bar

if TYPE_CHECKING:
    from ..conformance import Coverage, Measured
    from ..conformance.stubs import StubsMeasured

_ORDER: Final = ("differs", "agrees", "not measured")
_OF_STUBS: Final = {"systems", "functions", "require", "baseline", "write_baseline", "format"}
_TYPED: Final = click.core.ParameterSource.COMMANDLINE
_TITLES: Final = ("library", "release", "public", "left out", "dtype-dependent", "known", "percent")


@click.command()
@click.argument("systems", nargs=-1, shell_complete=complete_system)
@click.option("--module", metavar="MODULE", help="Ask this module, an array library.")
@click.option("-s", "--system", default="array-api", show_default=True, metavar="NAME|FILE",
              shell_complete=complete_system,
              help="The rules that --module is held against.")  # fmt: skip
@click.option("--option", multiple=True, metavar="NAME=VALUE", shell_complete=complete_option,
              help="One of their options.")  # fmt: skip
@click.option("--random", "count", default=0, type=click.IntRange(0), metavar="N",
              help="Also ask N random lists.")  # fmt: skip
@click.option("--expressions", default=0, type=click.IntRange(0), metavar="N",
              help="Ask N random expressions instead.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, metavar="N", help="What they are drawn from.")
@click.option("--functions/--no-functions", default=None, help="Whether to ask about functions.")
@click.option(
    "--compiled", is_flag=True, help="Ask what a library's compiler makes of functions instead."
)
@click.option("--cells", type=click.IntRange(0), metavar="N",
              help="Ask compiled code N questions of each function [8]; 0 asks all.")  # fmt: skip
@click.option("--dtypes", metavar="NAMES",
              help="Ask compiled code about these: int8,float64 or all.")  # fmt: skip
@click.option("--require", is_flag=True, help="Exit 1 if any library cannot be asked.")
@click.option("--coverage", is_flag=True, help="Show how many functions the rules know instead.")
@click.option(
    "--write",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write the measured table down, as rules in TOML.",
)
@click.option("--baseline", metavar="FILE", help="Ignore differences of stubs listed in FILE.")
@click.option("--write-baseline", type=click.Path(dir_okay=False, writable=True), metavar="FILE",
              help="Write the differences of stubs down for --baseline.")  # fmt: skip
@format_option("text", "json")
@click.pass_context
def conform(
    context: click.Context,
    systems: Sequence[str],
    module: str | None,
    system: str,
    option: Sequence[str],
    count: int,
    expressions: int,
    seed: int,
    functions: bool | None,
    compiled: bool,
    cells: int | None,
    dtypes: str | None,
    require: bool,
    coverage: bool,
    write: str | None,
    baseline: str | None,  # noqa: ARG001  # `_check_stubs` has it of the context
    write_baseline: str | None,  # noqa: ARG001  # likewise
    format: str,
) -> None:  # fmt: skip
    """Ask the libraries of SYSTEMS, cell by cell, and show where they differ from their rules.

    Without any, every library that is installed is asked. --module asks a library that has no rules
    of its own, in the working folder or installed. stubs:numpy and stubs:scipy, or stubs: and a
    folder of type stubs, ask mypy and pyright what the stubs state.

    \b
    supremum conform numpy jax:x64=false
    supremum conform torch --random 20000 --seed 7
    supremum conform numpy --expressions 2000
    supremum conform torch --compiled
    supremum conform --module my_array_lib --system array-api
    supremum conform --coverage numpy
    supremum conform stubs:numpy --baseline stubs.json

    Exits 1 if a library differs from its rules, or stubs from their library, or if what is named
    cannot be asked.
    """
    if any(map(_is_stubs, systems)):
        context.exit(_check_stubs(context))
    _check_options(**context.params)
    if coverage:
        context.exit(_cover(systems, format, require=require))
    asked = [_known(name) for name in systems]
    found: Sequence[Any]
    if expressions:
        found = _check_expressions(asked, expressions, seed)
        _show(format, found, [*map(str, found), f"The expressions are those of seed {seed}."])
    else:
        rules = find(system, **read_options(option)) if module is not None else None
        drawn = {"count": count, "seed": seed, "functions": functions is not False}
        drawn |= _of_compiled(cells, dtypes) if compiled else {}
        found = _measure(asked, module, rules, write, drawn)
        _show(format, found, _told(found, seed if count else None))
    bad = {"differs", "not measured"} if require or systems or module is not None else {"differs"}
    context.exit(int(any(one.verdict in bad for one in found)))


def _check_options(
    systems: Sequence[str],
    module: str | None,
    write: str | None,
    count: int,
    cells: int | None,
    dtypes: str | None,
    **given: Any,
) -> None:
    """Refuse options that do not go together.

    Args:
        systems: the rules.
        module: the module that is asked instead.
        write: where a table is written.
        count: how many random lists are drawn.
        cells: how many cells of a function compiled code is asked.
        dtypes: the dtypes that it is asked about.
        given: the other options.
    """
    compiled, functions = given["compiled"], given["functions"]
    own = module or write or count
    others = (own, given["expressions"], given["coverage"], functions is not None)
    has_rules = click.get_current_context().get_parameter_source("system") is _TYPED
    _refuse_together(
        ("--coverage goes with SYSTEMS, --require and --format alone", given["coverage"], own),
        ("--expressions goes with SYSTEMS, --seed and --format alone", given["expressions"], own),
        ("--module asks about pairs, so it goes without --random and --functions",
         module is not None and not systems, count or functions),
        (f"-s names the rules of --module; type supremum conform {given['system']}",
         has_rules, module is None),
        ("--option goes with --module; other options stand behind a name, as in jax:x64=false",
         given["option"], module is None),
        ("the baselines go with stubs, such as stubs:numpy",
         given["baseline"] or given["write_baseline"], True),
        ("--compiled goes with SYSTEMS, --seed, --cells, --dtypes, --require and --format alone",
         compiled, any(others)),
        ("--cells and --dtypes go with --compiled", cells is not None or dtypes, not compiled),
    )  # fmt: skip


def _told(found: Sequence[Measured], seed: int | None) -> list[str]:
    """Return the lines of a report, what differs last; lists were drawn from a seed, if one is."""
    from ..conformance.measure import NOT_INSTALLED

    missing = dict.fromkeys(m.system for m in found if m.reason.endswith(NOT_INSTALLED))
    if len(missing) < 2:
        missing = {}
    asked = [one for one in found if one.system not in missing]
    ordered = sorted(asked, key=lambda one: _ORDER.index(one.verdict))
    lines = [*dict.fromkeys(map(_line, ordered))]
    lines += [f"Not installed, and not asked: {', '.join(missing)}."] if missing else []
    return lines if seed is None else [*lines, f"The random lists are those of seed {seed}."]


def _refuse_together(*rows: tuple[str, object, object]) -> None:
    """Refuse options that do not go together: each row has what to say, and both of them."""
    for message, first, second in rows:
        if first and second:
            raise click.UsageError(message)


def _measure(
    asked: Sequence[tuple[str, PromotionSystem | None]],
    module: str | None,
    rules: PromotionSystem | None,
    path: str | None,
    drawn: dict[str, Any],
) -> list[Measured]:
    """Ask a module, and libraries cell by cell; without any of them, all libraries."""
    from .. import conformance
    from ..conformance.library import compilable, load

    if module is None and not asked:
        every = compilable if drawn.get("compiled") else conformance.conformable
        asked = [(name, None) for name in every()]
    if path:
        count = bool(rules) + sum(1 if own else len(load(name).settings) for name, own in asked)
        if count != 1:
            what = f"{count} settings are asked about, and --write takes one"
            raise click.UsageError(f"{what}; supremum.conformance.write takes each by itself")
    found: list[Measured] = []
    with progress_bar() as bar:
        if module is not None and rules:
            _import_from_here()
            with redirect_stdout(sys.stderr):  # what it prints is not our answer
                found.append(conformance.conform_module(module, rules, progress=bar))
        for name, own in asked:
            found += conformance.conform(name, rules=own, progress=bar, **drawn)
    if path:
        conformance.write(found[0], path)
    return found


def _of_compiled(cells: int | None, dtypes: str | None) -> dict[str, Any]:
    """Return what is asked of compiled code.

    Raises:
        DTypeError: if there is no such dtype.
    """
    from ..conformance.questions import CELLS

    names = [name.strip() for name in dtypes.split(",")] if dtypes else []
    for name in names:
        if name != "all":
            dtype(name)
    return {"compiled": True, "cells": CELLS if cells is None else cells, "dtypes": names}


def _check_expressions(
    asked: Sequence[tuple[str, PromotionSystem | None]], count: int, seed: int
) -> list[Any]:
    """Ask libraries random expressions; without any, all that evaluate some."""
    from ..conformance.library import conformable, load
    from ..conformance.random_expressions import check

    every = [(name, None) for name in conformable() if load(name).has_expressions]
    with progress_bar() as bar:
        return [check(own or name, count, seed, bar) for name, own in asked or every]


def _is_stubs(name: str) -> bool:
    return name.startswith("stubs:")


def _check_stubs(context: click.Context) -> int:
    """Ask type checkers about stubs, print what they say, and return the exit code."""
    from ..conformance.stubs import conform_stubs, read_baseline, write_baseline

    given = context.params
    typed = {name for name in given if context.get_parameter_source(name) is _TYPED}
    if typed - _OF_STUBS or not all(map(_is_stubs, given["systems"])):
        what = "stubs go with --functions, --require, --format and the baselines alone"
        raise click.UsageError(what)
    functions, path = given["functions"] is not False, given["write_baseline"]
    known = read_baseline(given["baseline"]) if given["baseline"] else frozenset[Any]()
    found: list[StubsMeasured] = []
    for name in given["systems"]:
        found += conform_stubs(name, functions=functions, known=known)
    _show(given["format"], found, map(str, found))
    if path:
        write_baseline(path, found)
    differ = not path and any(one.differences for one in found)
    return int(differ or _is_lacking(found, given["require"]))


def _is_lacking(found: Iterable[StubsMeasured], require: bool) -> bool:
    """Return whether a checker is lacking: any of them, or all of them about some stubs."""
    reasons: dict[str, list[str]] = {}
    for one in found:
        reasons.setdefault(one.system, []).append(one.reason)
    return any(map(any if require else all, reasons.values()))


def _known(name: str) -> tuple[str, PromotionSystem | None]:
    """Return the library that a word names, and its rules if it has options.

    Raises:
        RulesError: if there is none.
    """
    from ..conformance import conformable

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


def _line(measured: Measured) -> str:
    """Return the text of a measurement; a library that is missing is so in any setting."""
    from ..conformance.measure import NOT_INSTALLED

    if measured.reason.endswith(NOT_INSTALLED):
        return f"{measured.system}: not measured: {measured.reason}"
    return str(measured)


def _show(format: str, found: Iterable[Any], lines: Iterable[str]) -> None:
    if format == "json":
        print_json([one.as_dict() for one in found])
    else:
        click.echo("\n".join(lines))


def _cover(systems: Sequence[str], format: str, *, require: bool) -> int:
    """Print how many functions of libraries are known, and return the exit code."""
    from ..conformance import coverable, coverage

    found, absent = [], []
    names = systems or coverable()
    with progress_bar() as progress:
        for number, name in enumerate(names):
            progress(name, number, len(names))
            try:
                found.append(coverage(name))
            except RulesError as error:
                if name not in coverable() or len(systems) == 1:
                    raise
                absent.append(str(error))
    for reason in absent:
        click.echo(reason, err=True)
    _show(format, found, [covered(found)] if found else [])
    return int(bool(absent and (systems or require)))


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
