"""The command ``supremum``."""

from __future__ import annotations

import click

from . import __version__
from .cli_parts import Commands, Main

_COMMANDS = Commands({
    "explain": "cli_questions", "compare": "cli_questions",
    "table": "cli_tables", "diff": "cli_tables",
    "laws": "cli_systems", "criteria": "cli_systems", "conform": "cli_systems",
    "systems": "cli_systems",
    "draw": "cli_draw", "explore": "cli_show", "design": "cli_design",
    "export": "cli_export",
    "audit": "cli_audit", "fix": "cli_audit", "why": "cli_audit", "lsp": "cli_audit",
})  # fmt: skip


@click.group(cls=Main, commands=_COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="supremum")
def main() -> None:
    """What dtype results, and why: the promotion rules of Python's array libraries.

    \b
    supremum explain int32 float16 1.0
    supremum compare int32 float32
    supremum diff numpy jax
    supremum audit train.py
    """
