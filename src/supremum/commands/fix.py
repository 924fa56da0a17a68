"""The command ``supremum fix``."""

from __future__ import annotations

from typing import Any

import click

from .programs import (
    exact_option,
    forbid_option,
    include_option,
    kinds_option,
    program_command,
    target_option,
)


@program_command
@click.option(
    "--diff", is_flag=True, help="Print the changes of one run as a patch; write nothing."
)
@click.option("--once", is_flag=True, help="Make the changes of one run, and check nothing.")
@click.option("--force", is_flag=True, help="Change files with uncommitted changes, too.")
@click.option(
    "--compare", multiple=True, metavar="FILE", help="Compare this file, which SCRIPT writes, too."
)
@click.option(
    "--tolerance",
    type=float,
    metavar="NUMBER",
    help="How far numbers may be apart; by default 512 times the epsilon of the narrower dtype.",
)
@kinds_option("--kinds", "Fix only these kinds, such as widening.")
@forbid_option
@target_option("Fix the lines that give another dtype under these rules, too.")
@include_option
@exact_option
@click.option("--baseline", metavar="FILE", help="Leave the findings in FILE as they are.")
def fix(context: click.Context, /, program: str, **asked: Any) -> None:
    """Type what the audit of SCRIPT suggests into its files, and check that it does the same.

    SCRIPT runs again after each round of changes. It has to end as it did, and to print the same,
    numbers within the tolerance of the narrower dtype. A change that gives other results is undone.

    \b
    supremum fix train.py --epochs 1
    supremum fix --diff train.py
    supremum fix --compare weights.npz -m package.module

    Exits 0 if nothing is left to fix, 1 if a suggestion was undone or left.
    """
    from ..audit import cli

    context.exit(cli.fix(program, **asked))
