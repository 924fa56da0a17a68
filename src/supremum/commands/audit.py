"""The command ``supremum audit``."""

from __future__ import annotations

from typing import Any, Final

import click

from .fix import fix
from .options import complete_from
from .programs import (
    exact_option,
    forbid_option,
    include_option,
    kinds_option,
    program_command,
    target_option,
)

_NOT_WITH_FIX: Final = (
    "fail_on", "on_finding", "write_baseline", "outputs", "format", "list_modules",
)  # fmt: skip


def _actions() -> tuple[str, ...]:
    from ..audit.options import ACTIONS

    return ACTIONS


class _Format(click.Choice[str]):
    """A format of a report; the suffix of its files is no other name for it."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name of a format, or say which one has a suffix."""
        from ..audit.report import format_of

        meant = format_of(f"report.{value}")
        if meant not in (None, value):
            self.fail(f"{value!r} is a suffix of files; type -f {meant}", param, ctx)
        return super().convert(value, param, ctx)


@program_command
@kinds_option("--kinds", "Report only these kinds, such as widening.")
@kinds_option("--fail-on", "Exit 3 for findings of these kinds, or all.")
@forbid_option
@target_option(
    "Report the lines that give another dtype by these rules, such as jax:x64=false, mps or tpu."
)
@include_option
@click.option(
    "--on-finding",
    metavar="ACTION",
    shell_complete=complete_from(_actions),
    help="What to do at once: report (nothing), warn, raise or pdb.",
)
@exact_option
@click.option("--baseline", metavar="FILE", help="Ignore findings listed in FILE.")
@click.option("--write-baseline", metavar="FILE", help="Write the findings down for --baseline.")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write the report there: .txt, .jsonl (compact), .json, .sarif, .html or .github.",
)
@click.option(
    "-f",
    "--format",
    type=_Format(["text", "compact", "json", "sarif", "html", "github"]),
    help="The form of the report; compact has a line of JSON for each finding.",
)
@click.option(
    "--list-modules", is_flag=True, help="List all imported modules: watched or not, and why not."
)
@click.option("--fix", "fixes", is_flag=True, help="Type the suggestions in: 'supremum fix'.")
def audit(context: click.Context, /, program: str, fixes: bool, **asked: Any) -> None:
    """Run SCRIPT, and name the lines where its dtypes widen, mix or lose precision.

    SCRIPT prints and ends as it does without the audit. The report goes to standard error. With
    --format compact, json, sarif or html, it has standard output for itself, and what SCRIPT
    prints goes to standard error.

    \b
    supremum audit train.py --epochs 3
    supremum audit -f json train.py | jq .findings
    supremum audit --fail-on widening --forbid float64 -o report.html train.py
    supremum audit -m package.module

    Exits 3 if a finding is of a kind of --fail-on, else as SCRIPT does.
    """
    if fixes:
        if set_aside := [name for name in _NOT_WITH_FIX if asked.pop(name)]:
            option = set_aside[0].removesuffix("s").replace("_", "-")
            raise click.UsageError(f"--fix runs the program several times, without --{option}")
        context.invoke(fix, program=program, **asked)
    from ..audit import cli

    context.exit(cli.audit(program, **asked))
