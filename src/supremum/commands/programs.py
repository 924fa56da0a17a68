"""What the commands share that run a program: `audit`, `fix` and `why`."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import wrap
from typing import Any, Final

import click

from .options import complete_dtypes, complete_from, complete_system


def _kinds() -> tuple[str, ...]:
    from ..audit.kinds import KIND_WORDS

    return KIND_WORDS


class _ProgramCommand(click.Command):
    """A command that runs a program; its help lists the kinds of finding, if it takes any."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; the module may follow ``-m`` at once, as Python has it."""
        at = next((i for i, word in enumerate(args) if not word.startswith("-")), len(args))
        for i, word in enumerate(args[: at + 1]):
            if word.startswith("-m") and len(word) > len("-m"):
                args = [*args[:i], "-m", word.removeprefix("-m"), *args[i + 1 :]]
                break
        return super().parse_args(ctx, args)

    def format_epilog(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the kinds."""
        if not any(parameter.name == "kinds" for parameter in self.params):
            return
        with formatter.section("Kinds"):
            indent = " " * formatter.current_indent
            names = ", ".join(_kinds())
            lines = wrap(names, formatter.width - len(indent), break_on_hyphens=False)
            formatter.write("".join(f"{indent}{line}\n" for line in lines))


def program_command(function: Callable[..., None]) -> click.Command:
    """Make a command that runs a script or a module, and hands over what stands after it."""
    for add in (
        click.option("-m", "as_module", is_flag=True, help="Run a module, as 'python -m' does."),
        click.argument("arguments", nargs=-1, type=click.UNPROCESSED),
        click.argument("program", metavar="SCRIPT|MODULE"),
    ):
        function = add(function)
    settings = {"allow_interspersed_args": False, "ignore_unknown_options": False}
    make = click.command(cls=_ProgramCommand, context_settings=settings)
    return make(click.pass_context(function))


def kinds_option(name: str, help: str) -> Callable[[Any], Any]:
    """Return an option that takes kinds of finding."""
    complete = complete_from(_kinds, listed=True)
    return click.option(name, metavar="KINDS", shell_complete=complete, help=help)


def target_option(help: str) -> Callable[[Any], Any]:
    """Return the option that names the rules to move to."""
    return click.option("--target", metavar="NAME|FILE", shell_complete=complete_system, help=help)


forbid_option: Final = click.option(
    "--forbid",
    metavar="DTYPES",
    shell_complete=complete_dtypes,
    help="Dtypes that must not come up.",
)
include_option: Final = click.option(
    "--include", multiple=True, metavar="PACKAGE", help="Look inside this package, too."
)
