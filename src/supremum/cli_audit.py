"""The commands that run a program: what its dtypes do."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import click

from .cli_rules import complete_dtypes, complete_from, complete_system


def _kinds() -> tuple[str, ...]:
    from .audit.kinds import KIND_WORDS

    return KIND_WORDS


def _actions() -> tuple[str, ...]:
    from .audit.options import ACTIONS

    return ACTIONS


_complete_kinds = complete_from(_kinds, listed=True)

# what several of the commands take
_forbid_option = click.option(
    "--forbid",
    metavar="DTYPES",
    shell_complete=complete_dtypes,
    help="Dtypes that must not come up.",
)
_include_option = click.option(
    "--include", multiple=True, metavar="PACKAGE", help="Look inside this package, too."
)
_exact_option = click.option(
    "--exact", is_flag=True, help="Look at every operation, in loops too; slower."
)


class _AuditCommand(click.Command):
    """A command whose help lists the kinds of finding."""

    def format_epilog(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the kinds."""
        with formatter.section("Kinds"):
            indent = " " * formatter.current_indent
            names = ", ".join(_kinds())
            lines = wrap(names, formatter.width - len(indent), break_on_hyphens=False)
            formatter.write("".join(f"{indent}{line}\n" for line in lines))


@click.command(
    cls=_AuditCommand,
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False},
)
@click.argument("program", metavar="SCRIPT|MODULE")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "as_module", is_flag=True, help="Run a module, as 'python -m' does.")
@click.option("--kinds", metavar="KINDS", shell_complete=_complete_kinds,
              help="Report only these kinds, such as widening.")  # fmt: skip
@click.option("--fail-on", metavar="KINDS", shell_complete=_complete_kinds,
              help="Exit 3 for findings of these kinds, or all.")  # fmt: skip
@_forbid_option
@click.option(
    "--target",
    metavar="NAME|FILE",
    shell_complete=complete_system,
    help="Report the lines that give another dtype under these rules, such as jax:x64=false.",
)
@_include_option
@click.option(
    "--on-finding",
    metavar="ACTION",
    shell_complete=complete_from(_actions),
    help="What to do at once: report (nothing), warn, raise or pdb.",
)
@_exact_option
@click.option("--baseline", metavar="FILE", help="Ignore findings listed in FILE.")
@click.option("--write-baseline", metavar="FILE", help="Write the findings down for --baseline.")
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    metavar="FILE",
    help="Write the report there: .txt, .json, .sarif, .html or .github.",
)
@click.option(
    "-f",
    "--format",
    type=click.Choice(["text", "json", "sarif", "html", "github"]),
    help="The form of the report.",
)
@click.option(
    "--list-modules", is_flag=True, help="List all imported modules: watched or not, and why not."
)
@click.option("--fix", "fixes", is_flag=True, help="Type the suggestions in: 'supremum fix'.")
@click.pass_context
def audit(context: click.Context, /, program: str, fixes: bool, **asked: Any) -> None:
    """Run SCRIPT, and name the lines where its dtypes widen, mix or lose precision.

    SCRIPT prints and ends as it does without the audit. The report goes to standard error.

    \b
    supremum audit train.py --epochs 3
    supremum audit --fail-on widening --forbid float64 -o report.html train.py
    supremum audit -m package.module

    Exits 3 if a finding is of a kind of --fail-on, else as SCRIPT does.
    """
    if fixes:
        if set_aside := [name for name in _NOT_WITH_FIX if asked.pop(name)]:
            option = set_aside[0].removesuffix("s").replace("_", "-")
            raise click.UsageError(f"--fix runs the program several times, without --{option}")
        context.invoke(fix, program=program, **asked)
    from .audit import cli as command

    context.exit(command.audit(program, **asked))


_NOT_WITH_FIX = (
    "fail_on", "on_finding", "write_baseline", "outputs", "format", "list_modules",
)  # fmt: skip


@click.command(
    cls=_AuditCommand,
    context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False},
)
@click.argument("program", metavar="SCRIPT|MODULE")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "as_module", is_flag=True, help="Run a module, as 'python -m' does.")
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
@click.option("--kinds", metavar="KINDS", shell_complete=_complete_kinds,
              help="Fix only these kinds, such as widening.")  # fmt: skip
@_forbid_option
@click.option(
    "--target",
    metavar="NAME|FILE",
    shell_complete=complete_system,
    help="Fix the lines that give another dtype under these rules, too.",
)
@_include_option
@_exact_option
@click.option("--baseline", metavar="FILE", help="Leave the findings in FILE as they are.")
@click.pass_context
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
    from .audit import cli as command

    context.exit(command.fix(program, **asked))


@click.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False})
@click.argument("program", metavar="SCRIPT|MODULE")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
@click.option("-m", "as_module", is_flag=True, help="Run a module, as 'python -m' does.")
@_include_option
@click.pass_context
def why(context: click.Context, /, program: str, **asked: Any) -> None:
    """Run SCRIPT, and explain the error about dtypes that stops it.

    After the traceback come the operation with the dtypes of its operands, where they were
    introduced, and what to type instead.

    \b
    supremum why train.py --epochs 3
    supremum why -m package.module

    Exits as SCRIPT does.
    """
    from .audit import cli as command

    context.exit(command.why(program, **asked))


@click.command()
def lsp() -> None:
    """Show the last report in an editor, as a language server.

    It speaks the Language Server Protocol over standard input and output, and reads the newest
    report .supremum/*.json in each folder of the workspace.

    \b
    supremum audit --output .supremum/report.json train.py
    supremum lsp
    """
    try:
        from .audit.editor import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in {"pygls", "lsprotocol"}:
            raise
        raise click.UsageError(
            "the editor needs pygls, which is not installed: pip install 'supremum[lsp]'"
        ) from None
    serve()
