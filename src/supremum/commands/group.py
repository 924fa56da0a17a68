"""The group of commands: each is loaded when it is asked for, and every error is one line.

What only an error needs is loaded with it: the list of commands is what newcomers wait for.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click

from ..core.errors import DTypeError, ExpressionError, PromotionError, SupremumError
from ..terminal import spell_output
from ..version import SITE

READER_GONE, CRASHED = 141, 70

STATUSES: Final = {
    0: "the answer is there, or yes",
    1: "no: the rules refuse, differ, or break a law; a library differs; a fix was undone",
    2: "the question cannot be asked; the message says what to type instead",
    3: "the audit, or a sweep, found what --fail-on names",
    CRASHED: "a mistake in supremum itself",
    130: "interrupted",
    READER_GONE: "whoever read the output stopped reading",
}
"""What the command exits with; `audit`, `fix` and `why` exit as the program does otherwise."""


class Group(click.Group):
    """A group whose commands are the functions of the modules of their names.

    Args:
        sections: the commands by sections, each with what the list says of it.
        sought: other words for some of them.
        options: those of a group of click's.
    """

    def __init__(
        self,
        *,
        sections: Mapping[str, Mapping[str, str]],
        sought: Mapping[str, str],
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.sections, self.sought = sections, sought
        self.names = [name for listed in sections.values() for name in listed]

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click passes it
        """Return the names of the commands."""
        return self.names

    def get_command(self, ctx: click.Context | None, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # click passes it
        """Return a command, or None if there is none of this name."""
        if cmd_name not in self.names:
            return None
        module = import_module(f".{cmd_name}", __package__)
        command: click.Command = getattr(module, cmd_name)
        return command

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command, and exit with one of the `STATUSES`."""
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            code = 0
        except click.Abort:
            code = 130
        except (click.ClickException, SupremumError) as error:
            code = _complain(_message(error), 1 if isinstance(error, PromotionError) else 2)
        except Exception:  # noqa: BLE001  # no status of an answer may mean a crash
            import traceback

            traceback.print_exc()
            code = _complain("this is a mistake in supremum itself; please report it", CRASHED)
        sys.exit(code if isinstance(code, int) else 0)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; to click, a reader that is gone is no status of its own."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(READER_GONE)

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command does, by sections."""
        width = max(map(len, self.names))
        for title, listed in self.sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), said) for name, said in listed.items()])

    def format_epilog(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what commands take and what they exit with."""
        with formatter.section("Names of rules"):
            formatter.write_text(
                "jax, numpy, torch, jax:x64=false and more, which 'supremum systems' lists; or a "
                ".toml, .txt or .arrows file with your own. Names of dtypes alone are answered by "
                "those of JAX, unless -s names others."
            )
        with formatter.section("Exit statuses"):
            formatter.write_dl([(str(status), said) for status, said in STATUSES.items()])
        with formatter.section("Documentation"):
            formatter.write_text(SITE)

    def instead_of(self, option: str, command: click.Command) -> str:
        """Return what to type for an option that a command does not have; or ``""``."""
        from .guesses import instead_of

        return instead_of(option, command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; all but the audit, whose program prints, spell what they print."""
        if args[0] in ("help", "version"):
            args = [*args[1:2], "--help"] if args[0] == "help" else ["--version"]
        try:
            name, command, rest = super().resolve_command(ctx, args)
        except click.UsageError as error:
            from .guesses import no_such_command

            raise click.UsageError(no_such_command(args, self.names, self.sought)) from error
        if name != "audit":
            spell_output()
        return name, command, rest


def _message(error: click.ClickException | SupremumError) -> str:
    """Return what an error says, in one line, and that rules are not a dtype."""
    if isinstance(error, click.UsageError):
        from .guesses import usage

        return usage(error)
    if isinstance(error, click.ClickException):
        return error.format_message().rstrip(".").replace("\n", " ")
    word = error.text if isinstance(error, ExpressionError) else getattr(error, "given", None)
    if isinstance(error, (DTypeError, ExpressionError)) and isinstance(word, str):
        from .guesses import no_such_dtype

        return no_such_dtype(word) or str(error)
    return str(error)


def _complain(message: str, code: int) -> int:
    click.echo(f"supremum: {message}", err=True)
    return code
