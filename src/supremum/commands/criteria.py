"""The command ``supremum criteria``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from .options import Choice, format_option, rules_options, systems_argument
from .output import show_all


@click.command()
@systems_argument
@format_option("text", "json")
@rules_options
def criteria(choice: Choice, systems: Sequence[str], format: str) -> None:
    """Measure the five criteria of JAX's design document on some rules.

    \b
    supremum criteria
    supremum criteria numpy torch
    supremum criteria jep9407-option1 --format json
    """
    from ..core.analysis.criteria import criteria as measured_criteria

    found = [measured_criteria(rules) for rules in choice.all(systems)]
    show_all(format, found, [(r"(?m)^  \d .*$", "bold"), (r"\((never|avoid.*)\)", "dim")])
