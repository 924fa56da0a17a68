"""The command ``supremum conform``."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ..core.errors import RulesError, SupremumError, did_you_mean
from ..core.system import PromotionSystem
from ..core.systems import find
from ..terminal import progress
from .options import complete_system, format_option
from .output import print_json

if TYPE_CHECKING:
    from ..conformance import Measured
    from ..conformance.stubs import StubsMeasured

_ORDER: Final = ("differs", "agrees", "not measured")
_OF_STUBS: Final = {"systems", "functions", "require", "baseline", "write_baseline", "format"}
_TYPED: Final = click.core.ParameterSource.COMMANDLINE


@click.command()
@click.argument("systems", nargs=-1, shell_complete=complete_system)
@click.option("--module", metavar="MODULE", help="Ask this module, an array library.")
@click.option("-s", "--system", default="array-api", show_default=True, metavar="NAME|FILE",
              shell_complete=complete_system,
              help="The rules that --module is held against.")  # fmt: skip
@click.option("--random", "count", default=0, type=click.IntRange(0), metavar="N",
              help="Also ask N random lists.")  # fmt: skip
@click.option("--functions/--no-functions", default=None, help="Whether to ask about functions.")
@click.option("--cells", type=click.IntRange(0), metavar="N",
              help="Ask each function N questions drawn at random; 0 asks all.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, metavar="N",
              help="What is random is drawn from this.")  # fmt: skip
@click.option(
    "--compiled", is_flag=True, help="Ask what a library's compiler makes of functions instead."
)
@click.option("--require", is_flag=True, help="Exit 1 if any library cannot be asked.")
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
    count: int,
    seed: int,
    functions: bool | None,
    cells: int | None,
    compiled: bool,
    require: bool,
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
    supremum conform torch --compiled
    supremum conform --module my_array_lib --system array-api
    supremum conform stubs:numpy --baseline stubs.json

    Exits 1 if a library differs from its rules, or stubs from their library, or if what is named
    cannot be asked.
    """
    if any(map(_is_stubs, systems)):
        context.exit(_check_stubs(context))
    _check_options(**context.params)
    asked = [_known(name) for name in systems]
    rules = find(system) if module is not None else None
    drawn = {"count": count, "seed": seed, "functions": functions is not False, "cells": cells}
    found = _measure(asked, module, rules, write, {**drawn, "compiled": compiled})
    _show(format, found, _told(found, seed if count or cells else None))
    bad = {"differs", "not measured"} if require or systems or module is not None else {"differs"}
    context.exit(int(any(one.verdict in bad for one in found)))


def _check_options(
    systems: Sequence[str],
    module: str | None,
    write: str | None,
    count: int,
    compiled: bool,
    functions: bool | None,
    cells: int | None,
    **given: Any,
) -> None:
    """Refuse options that do not go together.

    Args:
        systems: the rules.
        module: the module that is asked instead.
        write: where a table is written.
        count: how many random lists are drawn.
        compiled: whether compiled code is asked about instead.
        functions: whether functions are asked about, if that is said.
        cells: how many questions of each function are asked, if not all.
        given: the other options.
    """
    has_rules = click.get_current_context().get_parameter_source("system") is _TYPED
    _refuse_together(
        ("--module asks about pairs, so it goes without --random, --functions and --cells",
         module is not None and not systems, count or functions or cells),
        (f"-s names the rules of --module; type supremum conform {given['system']}",
         has_rules, module is None),
        ("the baselines go with stubs, such as stubs:numpy",
         given["baseline"] or given["write_baseline"], True),
        ("--compiled goes with SYSTEMS, --cells, --seed, --require and --format alone",
         compiled, module or write or count or functions is not None),
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
    return lines if seed is None else [*lines, f"What is random is drawn from seed {seed}."]


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
        said = "each in all of its settings, takes minutes; supremum conform numpy asks one"
        click.echo(f"supremum: asking up to {len(asked)} libraries, {said}", err=True)
    if path:
        count = bool(rules) + sum(1 if own else len(load(name).settings) for name, own in asked)
        if count != 1:
            what = f"{count} settings are asked about, and --write takes one"
            raise click.UsageError(f"{what}; supremum.conformance.write takes each by itself")
    found: list[Measured] = []
    with progress(logged=True) as bar:
        if module is not None and rules:
            _import_from_here()
            with redirect_stdout(sys.stderr):  # what it prints is not our answer
                found.append(conformance.conform_module(module, rules, progress=bar))
        for name, own in asked:
            found += conformance.conform(name, rules=own, progress=bar, **drawn)
    if path:
        conformance.write(found[0], path)
    return found


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
    library, _, release = name.partition("==")
    if release and library in conformable():
        what = f"the {library} that is installed is asked; install {library}=={release} beside it"
        raise RulesError(f"{what}, and type supremum conform {library}", name)
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
        print_json([one.to_dict() for one in found])
    else:
        click.echo("\n".join(lines))
