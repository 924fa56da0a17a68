"""The command ``supremum diff``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import click

from .. import show
from ..core.operands import can_parse
from ..core.systems import find, of_release
from ..core.systems import systems as names_of_rules
from .guesses import NO_DTYPES, PROGRAMS
from .options import complete_dtype, complete_system, format_option, function_option
from .output import show_value
from .words import read_dtypes

_RELEASE: Final = re.compile(r"\d+(\.\d+)*")


@click.command()
@click.argument("first", shell_complete=complete_system)
@click.argument("second", shell_complete=complete_system)
@click.argument("dtypes", nargs=-1, shell_complete=complete_dtype)
@function_option
@click.option("--expr", default="", metavar="EXPRESSION", help="Compare an expression of x and y.")
@format_option("text", *(f for f in show.FORMATS if f not in ("text", "csv")))
@click.pass_context
def diff(
    context: click.Context,
    first: str,
    second: str,
    dtypes: Sequence[str],
    op: str | None,
    expr: str,
    format: str,
) -> None:
    """Show where two rules differ, grouped by how, over DTYPES or all that both have.

    Options of rules stand behind their name: jax:x64=false. Markdown, rst and html have the table
    of the second rules with the differences marked.

    \b
    supremum diff numpy jax
    supremum diff numpy jax int8 uint8 float32
    supremum diff jax jax:mode=strict
    supremum diff jax-original numpy --format markdown
    supremum diff numpy torch --op /
    supremum diff numpy jax --expr 'x.mean() * 2 + y'

    Exits 1 if they differ.
    """
    from ..core.analysis import differences

    _check_order([first, second, *dtypes])
    asked = f"supremum compare {' '.join(dtypes)} -s {first} -s {second}"
    chosen = read_dtypes(dtypes, asked)
    found = differences.diff(find(first), find(second), *chosen, op=op, expr=expr)
    if format in ("text", "json"):
        show_value(format, found, [(r"(?m)^  \S.*$", "bold")])
    else:
        click.echo(show.render(found.table(), format))
    context.exit(1 if found.cells else 0)


def _check_order(words: Sequence[str]) -> None:
    """Refuse words that are not two rules and then dtypes, with the command that asks for it."""
    if left_out := [word for word in words if NO_DTYPES.get(word) == NO_DTYPES["and"]]:
        example = " ".join(["supremum diff", *(word for word in words if word not in left_out)])
        raise click.UsageError(f"leave {left_out[0]!r} out; type {example}")
    if programs := [word for word in words if word.endswith(PROGRAMS)]:
        how = "type supremum audit for each, with --baseline for what the first one has"
        raise click.UsageError(f"{programs[0]} is a program, and this compares rules; {how}")
    dtypes = [word for word in words if can_parse(word)]
    rules = [word for word in words if word not in dtypes]
    if third := next((word for word in rules[2:] if word in names_of_rules()), None):
        what = f"this compares two sets of rules, and {third} is a third"
        shown = " ".join(dtypes or ("int8", "uint8")), " ".join(f"-s {name}" for name in rules)
        example = f"supremum compare {' '.join(shown)}"
        raise click.UsageError(f"{what}; more of them side by side: {example}")
    if dtypes and list(words[:2]) != rules[:2]:
        if (meant := _with_releases(words)) != [*words]:
            example = " ".join(["supremum diff", *meant])
            raise click.UsageError(f"a release is part of the name of rules; type {example}")
        usual = (name for name in ("numpy", "jax") if name not in rules)
        example = " ".join(["supremum diff", *[*rules, *usual][:2], *dtypes])
        raise click.UsageError(f"name two sets of rules before dtypes; type {example}")


def _with_releases(words: Sequence[str]) -> list[str]:
    """Return words with the rules that are meant where a release follows a library's name.

    Raises:
        UsageError: if the rules of a release are not known.
    """
    meant: list[str] = []
    for word in words:
        if meant and _RELEASE.fullmatch(word) and (name := meant[-1]) in names_of_rules():
            meant[-1] = of_release(name, word)
            if not meant[-1]:
                how = f"supremum systems {name} says which are"
                raise click.UsageError(f"the rules of {name} {word} are not known; {how}")
        else:
            meant.append(word)
    return meant
