"""The command ``supremum audit``."""

from __future__ import annotations

from typing import Any

import click

from .options import complete_from
from .programs import forbid_option, include_option, kinds_option, program_command, target_option


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
@click.option("--samples", metavar="FILE", hidden=True)  # what fix compares
def audit(context: click.Context, /, program: str, **asked: Any) -> None:
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
    from ..audit import cli

    context.exit(cli.audit(program, **asked))
