"""The command ``supremum conform``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ..core.systems import find, read_options
from .options import complete_option, complete_system, format_option
from .output import progress_bar


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
@click.option("--require", is_flag=True, help="Exit 1 if any library cannot be asked.")
@click.option("--coverage", is_flag=True, help="Show how many functions the rules know instead.")
@click.option(
    "--write",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write the measured table down, as rules in TOML.",
)
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
    require: bool,
    coverage: bool,
    write: str | None,
    format: str,
) -> None:  # fmt: skip
    """Ask the libraries of SYSTEMS, cell by cell, and show where they differ from their rules.

    Without any, every library that is installed is asked. --module asks a library that has no rules
    of its own, in the working folder or installed.

    \b
    supremum conform numpy jax:x64=false
    supremum conform torch --random 20000 --seed 7
    supremum conform numpy --expressions 2000
    supremum conform --module my_array_lib --system array-api
    supremum conform --coverage numpy

    Exits 1 if a library differs from its rules, or is named and cannot be asked.
    """
    from ..conformance import command

    if coverage:
        if module or write or count:
            raise click.UsageError("--coverage goes with SYSTEMS, --require and --format alone")
        context.exit(command.cover(systems, require=require, format=format, bar=progress_bar))
    if expressions:
        if module or write or count:
            raise click.UsageError("--expressions goes with SYSTEMS, --seed and --format alone")
        context.exit(
            command.measure_expressions(
                systems, count=expressions, seed=seed, require=require, format=format,
                bar=progress_bar,
            )
        )  # fmt: skip
    if module is not None and not systems and (count or functions):
        raise click.UsageError(
            "--module asks about pairs, so it goes without --random and --functions"
        )
    context.exit(
        command.measure(
            systems,
            module=module,
            rules=find(system, **read_options(option)) if module is not None else None,
            drawn=(count, seed),
            functions=functions is not False,
            require=require,
            path=write,
            format=format,
            bar=progress_bar,
        )
    )
