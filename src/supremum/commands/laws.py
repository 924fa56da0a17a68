"""The command ``supremum laws``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from .options import Choice, format_option, systems_argument
from .output import show_all


@click.command()
@systems_argument
@format_option("text", "json")
@click.pass_context
def laws(context: click.Context, systems: Sequence[str], format: str) -> None:
    """Check the laws of a join on every pair and triple of dtypes, and show what breaks them.

    SYSTEM is a name of rules, or a file that describes some.

    \b
    supremum laws
    supremum laws jax-original numpy
    supremum laws my_rules.toml --format json

    Exits 1 if a law fails, so that CI can use it.
    """
    from ..core.analysis.laws import laws as checked_laws

    found = [checked_laws(rules) for rules in Choice().all(systems)]
    styles = [(r"\bholds\b", "green"), (r"\bfails [\d,]+ times?", "bold red")]
    show_all(format, found, styles)
    context.exit(0 if all(laws.hold for laws in found) else 1)
