"""The command ``supremum laws``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ..terminal import print_text, progress
from .options import Choice, format_option, systems_argument
from .output import print_json

_STYLES = [
    (r"\bholds\b", "green"),
    (r"\bfails [\d,]+ times?", "bold red"),
    (r"(?m)^  \d .*$", "bold"),
    (r"\((never|avoid.*)\)", "dim"),
]


@click.command()
@systems_argument
@format_option("text", "json")
@click.pass_context
def laws(context: click.Context, systems: Sequence[str], format: str) -> None:
    """Check the laws of a join on every pair and triple of dtypes, and show what breaks them.

    The five criteria of JAX's design document follow, measured on every pair.

    SYSTEM is a name of rules, or a file that describes some.

    \b
    supremum laws
    supremum laws jax-original numpy
    supremum laws my_rules.toml --format json

    Exits 1 if a law fails, so that CI can use it.
    """
    from ..core.analysis.criteria import criteria

    found = []
    with progress() as tell:  # of NumPy they take three seconds
        for rules in Choice().all(systems):
            tell(f"checking the laws of {rules.name}")
            found.append(criteria(rules))
    if format == "json":
        values = [{**met.lawful.to_dict(), "criteria": met.to_dict()} for met in found]
        print_json(values if len(values) > 1 else values[0])
    else:
        print_text("\n\n".join(f"{met.lawful}\n\n{met}" for met in found), _STYLES)
    context.exit(0 if all(met.lawful.hold for met in found) else 1)
