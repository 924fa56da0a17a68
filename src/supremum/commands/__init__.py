"""The command ``supremum``; each file is one of its commands, or what several of them share."""

from __future__ import annotations

from typing import Final

import click

from ..version import __version__
from .group import Group

COMMANDS: Final = {
    "audit": "lint profile run trace",
    "compare": "",
    "conform": "check measure test verify",
    "design": "",
    "diff": "",
    "draw": "graph hasse lattice picture plot",
    "explain": "join promote promote_types result_type type why_not",
    "explore": "browse serve web",
    "export": "",
    "fix": "",
    "laws": "criteria proof prove",
    "sweep": "dtypes functions keep package scan",
    "systems": "libraries list rules",
    "table": "",
    "why": "",
}
"""The commands, each with what people type who look for it; the answer names the command."""


@click.group(cls=Group, sought=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="supremum")
def main() -> None:
    """What dtype results, and why: the promotion rules of Python's array libraries.

    \b
    supremum explain int32 float16 1.0
    supremum compare int32 float32
    supremum diff numpy jax
    supremum audit train.py
    """
