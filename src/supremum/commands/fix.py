"""The command ``supremum fix``."""

from __future__ import annotations

from typing import Any

import click

from .options import complete_dtypes
from .programs import forbid_option, include_option, kinds_option, program_command, target_option


@program_command
@click.option(
    "--diff", is_flag=True, help="Print the changes of one run as a patch; write nothing."
)
@click.option("--force", is_flag=True, help="Change files with uncommitted changes, too.")
@click.option(
    "--compare",
    multiple=True,
    metavar="FILE",
    help="Compare this file, too, which SCRIPT writes elsewhere.",
)
@click.option(
    "--within",
    type=float,
    metavar="NUMBER",
    help="How far numbers may be apart; by default 512 times the epsilon of the narrower dtype.",
)
@click.option(
    "--to",
    metavar="DTYPE",
    shell_complete=complete_dtypes,
    help="Find which arrays may have this narrower dtype; print the changes.",
)
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="ARGUMENTS",
    help="With --to: run SCRIPT with these, too; or another script.",
)
@click.option(
    "--check",
    default="",
    metavar="EXPRESSION|COMMAND",
    help="With --to: compare its value at the end of SCRIPT, or its output, too.",
)
@click.option("--write", is_flag=True, help="With --to: write the changes into the files.")
@kinds_option("--kinds", "Fix only these kinds, such as widening.")
@forbid_option
@target_option("Fix the lines that give another dtype under these rules, too.")
@include_option
def fix(context: click.Context, /, program: str, **asked: Any) -> None:
    """Type what the audit of SCRIPT suggests into its files, and check that it does the same.

    SCRIPT runs again after each round of changes. It has to end as it did, and to print the same,
    numbers within the tolerance of the narrower dtype. A change that gives other results is undone.

    With --to, it finds which arrays of SCRIPT may be narrower, so that the results agree.

    \b
    supremum fix train.py --epochs 1
    supremum fix --diff train.py
    supremum fix --compare weights.npz -m package.module
    supremum fix --to float32 --within 1e-5 simulate.py

    Exits 0 if no finding is left, notes aside, and 1 if one is, or if nothing was checked.
    """
    from ..audit import cli

    context.exit(cli.narrow(program, **asked) if asked["to"] else _fixed(program, asked))


def _fixed(program: str, asked: dict[str, Any]) -> int:
    """Fix a program; what goes with --to alone is refused."""
    from ..audit import cli

    own = {name: asked.pop(name) for name in ("to", "inputs", "check", "write")}
    for option, default in (("inputs", ()), ("check", ""), ("write", False)):
        if own[option] != default:
            word = option.removesuffix("s")
            instead = "; leave it out: fix writes into the files" if word == "write" else ""
            what = instead or ", such as --to float32"
            raise click.UsageError(f"--{word} goes with --to{what}")
    return cli.fix(program, tolerance=asked.pop("within"), **asked)
