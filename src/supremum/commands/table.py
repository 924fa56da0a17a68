"""The command ``supremum table``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from .. import show
from .options import Choice, complete_word, format_option
from .output import print_table, tell_rare
from .words import read_dtypes, split_words


@click.command()
@click.argument("words", nargs=-1, metavar="[SYSTEM]... [DTYPE]...", shell_complete=complete_word)
@click.option(
    "--all", "everything", is_flag=True, help="Dtypes of under eight bits and float8 too."
)
@format_option(*show.FORMATS)
def table(words: Sequence[str], everything: bool, format: str) -> None:
    """Print what every pair of dtypes promotes to, under one set of rules or several.

    DTYPEs choose the rows and columns; without any, all that the rules have are shown. People's
    formats show codes that count bits (i8 is int8), csv and json full names. A table is the join
    of dtypes alone: with 64-bit types off, JAX narrows the result after it.

    \b
    supremum table
    supremum table numpy int8 uint8 float16
    supremum table jep9407-option2 --format markdown
    supremum table --all --format csv > jax.csv
    """
    named, dtypes = split_words(words)
    systems = Choice().all(named)
    asked = " ".join(["supremum compare", *dtypes, *(f"-s {name}" for name in named)])
    chosen = read_dtypes(dtypes, asked)
    if len(systems) > 1 and format in ("csv", "json"):
        raise click.UsageError(f"{format} holds one table; name one set of rules")
    for number, rules in enumerate(systems):
        for d in chosen:
            rules.promote_types(d)
        whole = rules.table()
        nodes = chosen or (list(whole.nodes) if everything else show.common(whole.nodes))
        if not chosen:
            tell_rare(len(whole) - len(nodes))
        title = f"{rules.name} rules, {rules.label}" if rules.label else f"{rules.name} rules"
        print_table(whole.only(nodes), format, title, after="\n" if number else "")
