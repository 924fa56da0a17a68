"""The command ``supremum``; each file is one of its commands, or what several of them share."""

from __future__ import annotations

from typing import Final

import click

from ..version import __version__
from .group import Group

COMMANDS: Final = {
    "Your program": {
        "audit": "Name the lines where dtypes widen or lose precision.",
        "fix": "Type what the audit suggests, and check the results.",
        "why": "Explain the error about dtypes that stops a program.",
        "sweep": "Show which functions of a module keep a dtype.",
    },
    "Questions": {
        "explain": "Explain what dtype results.",
        "compare": "Show what every library gives.",
        "diff": "Show where two libraries differ.",
        "table": "Print what every pair of dtypes gives.",
        "draw": "Draw the lattice of some rules.",
        "explore": "Open a page that answers in the browser.",
    },
    "Rules": {
        "systems": "List the libraries whose rules are known.",
        "laws": "Check the laws of a join.",
        "conform": "Ask the installed libraries whether the rules hold.",
        "design": "Find the best lattice for what you require.",
        "export": "Write rules as one file in another language.",
    },
}
"""The commands by sections, each with what the list says of it: none is loaded to be listed."""

SOUGHT: Final = {
    "audit": "analyze check find grep lint profile run search statistics stats test trace",
    "conform": "check measure test verify",
    "draw": "graph hasse lattice picture plot show",
    "explain": "join promote promote_types result_type type why_not",
    "explore": "browse serve web",
    "laws": "criteria proof prove",
    "sweep": "dtypes functions keep package scan",
    "systems": "libraries list ls rules",
    "table": "matrix show",
}
"""What people type who look for a command; the answer names the command."""


@click.group(
    cls=Group,
    sections=COMMANDS,
    sought=SOUGHT,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", prog_name="supremum")
def main() -> None:
    """Find the line that turns float32 into float64, and why; ask what dtype results.

    \b
    supremum audit train.py
    supremum explain int32 float16 1.0
    supremum compare int32 float32
    supremum diff numpy jax

    'supremum COMMAND --help' has the options and examples of a command.
    """
