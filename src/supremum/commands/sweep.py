"""The command ``supremum sweep``."""

from __future__ import annotations

import sys
from typing import Any

import click

from ..terminal import print_parts, progress, terminal_width
from .options import complete_dtypes, complete_from


def _words() -> tuple[str, ...]:
    from ..audit.sweeping.verdicts import TO_FAIL_ON

    return ("new", *TO_FAIL_ON)


@click.command
@click.argument("modules", nargs=-1, required=True, metavar="MODULE...")
@click.option(
    "--dtype",
    "dtypes",
    multiple=True,
    default=["float32"],
    show_default=True,
    metavar="DTYPES",
    shell_complete=complete_dtypes,
    help="The dtype of the arrays, or several.",
)
@click.option("--only", multiple=True, metavar="NAME", help="Call this function, not all.")
@click.option(
    "--examples", default="", metavar="PATH", help="Tests, or a script, whose calls are repeated."
)
@click.option(
    "--limit", default=10.0, show_default=True, metavar="SECONDS", help="How long a call may take."
)
@click.option(
    "-j",
    "--jobs",
    default=1,
    show_default=True,
    metavar="N",
    type=click.IntRange(1),
    help="How many calls at once.",
)
@click.option("--baseline", default="", metavar="FILE", help="Ignore the rows listed in FILE.")
@click.option("--write-baseline", metavar="FILE", help="Write the rows down for --baseline.")
@click.option(
    "--fail-on",
    multiple=True,
    metavar="WORD",
    shell_complete=complete_from(_words),
    help="Exit 3 for new rows of this verdict, such as widens, or for any: new.",
)
@click.option(
    "-f", "--format", type=click.Choice(["text", "markdown", "json", "pytest"]), default="text",
    show_default=True, help="How to print it.",
)  # fmt: skip
@click.pass_context
def sweep(context: click.Context, /, format: str, **asked: Any) -> None:
    """Call the public functions of MODULE with arrays of a dtype, and say which keep it.

    The others widen, refuse or give wrong values; of those that widen, the line inside the package
    is named. Arguments are those of the examples in docstrings, of tests, or of small arrays that a
    function takes.

    \b
    supremum sweep scipy.linalg --dtype float32
    supremum sweep mypackage --examples tests --baseline sweep.toml --fail-on new

    Exits 3 if --fail-on names what was found, 130 if it was interrupted; the same command goes on.
    """
    from ..audit import cli
    from ..audit.sweeping import run, table

    asked["dtypes"] = [name for names in asked["dtypes"] for name in names.split(",")]
    written, fail_on = asked.pop("write_baseline"), set(asked.pop("fail_on"))
    if unknown := fail_on - {*_words()}:
        word = min(unknown)
        hint = "type widens" if word == "widening" else f"there are {', '.join(_words())}"
        raise click.UsageError(f"--fail-on has no {word!r}; {hint}")
    if written:
        cli.check_writable(written)
    with cli.as_interrupts(), progress(logged=True) as tell:
        found = run.sweep(*asked.pop("modules"), **asked, resume=True, progress=tell)
    if format == "text" and sys.stdout.isatty():
        print_parts(table.parts(found))
    else:
        click.echo(table.render(found, format, terminal_width()))
    if not found.complete:
        click.echo("supremum: interrupted; the same command goes on from here", err=True)
        context.exit(130)
    if written:
        table.write_baseline(written, found)
    context.exit(3 if found.failing(fail_on) else 0)
