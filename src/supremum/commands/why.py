"""The command ``supremum why``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .programs import include_option, program_command

if TYPE_CHECKING:
    import click


@program_command
@include_option
def why(context: click.Context, /, program: str, **asked: Any) -> None:
    """Run SCRIPT, and explain the error about dtypes that stops it.

    After the traceback come the operation with the dtypes of its operands, where they were
    introduced, and what to type instead.

    \b
    supremum why train.py --epochs 3
    supremum why -m package.module

    Exits as SCRIPT does.
    """
    from ..audit import cli

    context.exit(cli.why(program, **asked))
