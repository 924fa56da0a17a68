"""What the commands share: their errors, the options that choose rules, and how they print."""

from __future__ import annotations

import os
import re
import sys
from collections import UserDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from itertools import groupby
from typing import Any, Final

import click

from .core.dtypes import dtype, names
from .core.errors import DTypeError, PromotionError, SupremumError, did_you_mean
from .core.operands import Operand, parse
from .core.system import PromotionSystem
from .core.systems import systems as names_of_rules
from .core.table import Table
from .spelling import spell_output, spelled

Command = Callable[..., None]

_NUMBER = re.compile(r"-(\d|\.\d|inf|nan)")
_MARK = "\0"

READER_GONE, CRASHED = 141, 70

STATUSES = {
    0: "the answer is there, or yes",
    1: "no: the rules refuse, differ, or break a law; a library differs; a fix was undone",
    2: "the question cannot be asked; the message says what to type instead",
    3: "the audit found what --fail-on names",
    CRASHED: "a mistake in supremum itself",
    130: "interrupted",
    READER_GONE: "whoever read the output stopped reading",
}
"""What the command exits with; `audit`, `fix` and `why` exit as the program does otherwise."""


_MEANT: Final = {
    **dict.fromkeys(
        ("join", "promote", "promote_types", "result_type", "type", "why_not"), "explain"
    ),
    **dict.fromkeys(("graph", "hasse", "lattice", "picture", "plot"), "draw"),
    **dict.fromkeys(("libraries", "list", "rules"), "systems"),
    **dict.fromkeys(("lint", "profile", "run", "trace"), "audit"),
    **dict.fromkeys(("check", "measure", "test", "verify"), "conform"),
    **dict.fromkeys(("proof", "prove"), "laws"),
    **dict.fromkeys(("browse", "serve", "web"), "explore"),
}
"""What commands of other names are called here."""


class Commands(UserDict[str, Any]):
    """Commands by their names, each loaded from its module when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        """Return a command."""
        found = self.data[name]
        if isinstance(found, str):
            found = self.data[name] = getattr(import_module(f".{found}", __package__), name)
        return found


class Main(click.Group):
    """The command group, with errors of one line."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command, and exit with one of the `STATUSES`."""
        try:
            code = super().main(*args, **{**kwargs, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            code = 0
        except click.ClickException as error:
            code = _complain(error.format_message().rstrip(".").replace("\n", " "), 2)
        except PromotionError as error:
            code = _complain(str(error), 1)
        except DTypeError as error:
            code = _complain(_named_rules(error) or str(error), 2)
        except SupremumError as error:
            code = _complain(str(error), 2)
        except click.Abort:
            code = 130
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
        """Write what each command does, whole."""
        rows = [
            (name, self.commands[name].get_short_help_str(500)) for name in sorted(self.commands)
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def format_epilog(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what commands take and what they exit with."""
        with formatter.section("Rules"):
            formatter.write_text(", ".join(names_of_rules()))
            formatter.write_text(
                "Options stand behind a name, as in jax:x64=false; a .toml, .txt or .arrows file "
                "describes rules of your own. 'supremum systems' shows more."
            )
        with formatter.section("Exit statuses"):
            formatter.write_dl([(str(status), said) for status, said in STATUSES.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command; all but the audit, whose program prints, spell what they print."""
        try:
            name, command, rest = super().resolve_command(ctx, args)
        except click.UsageError as error:
            near = _MEANT.get(args[0], "") or did_you_mean(args[0], [*self.commands])[0]
            hint = near if near.startswith(";") else near and f"; 'supremum {near}' does that"
            raise click.UsageError(f"there is no command {args[0]!r}{hint}") from error
        if name != "audit":
            spell_output()
        return name, command, rest


class OperandCommand(click.Command):
    """A command whose operands may be negative numbers, which look like options."""

    ignore_unknown_options = True

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words, with a mark before negative numbers."""
        return super().parse_args(ctx, [f"{_MARK}{a}" if _NUMBER.match(a) else a for a in args])


def _named_rules(error: DTypeError) -> str:
    """Say that a name is not that of a dtype but of rules, if it is; else ``""``."""
    name = error.given
    if not isinstance(name, str) or name not in names_of_rules():
        return ""
    return f"{name!r} is the name of rules, not of a dtype; give rules with -s {name}"


def _complain(message: str, code: int) -> int:
    click.echo(f"supremum: {message}", err=True)
    return code


def compared_by_function(
    text: str, operands: Sequence[str], systems: Sequence[PromotionSystem]
) -> Any:
    """Return what a function gives everywhere, named as in ``module:name`` or ``file.py:name``."""
    import runpy
    from pathlib import Path

    from .arrays.evaluation import compare_function

    place, _, name = text.rpartition(":")
    if not place or not name:
        raise click.UsageError(f"write a function as MODULE:NAME or FILE.py:NAME, not {text!r}")
    sys.path.insert(0, str(Path.cwd()))  # as python -m has it
    try:
        is_file = place.endswith(".py")
        module = runpy.run_path(place) if is_file else vars(import_module(place))
    except (ImportError, OSError) as error:
        raise click.UsageError(f"{place} cannot be loaded: {error}") from None
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise click.UsageError(f"{place} cannot be loaded, it raises {why}") from error
    found = module.get(name)
    if not callable(found):
        hint, _ = did_you_mean(name, [n for n, x in module.items() if callable(x) and n[0] != "_"])
        raise click.UsageError(f"{place} has no function {name!r}{hint}")
    return compare_function(found, *operands, systems=systems)


def format_option(*formats: str) -> Callable[[Command], Command]:
    """Return the option that chooses one of some formats."""
    return click.option(
        "-f", "--format", type=click.Choice(formats), default=formats[0], show_default=True,
        help="How to print it.",
    )  # fmt: skip


def show_value(format: str, value: Any, styles: Sequence[tuple[str, str]] = ()) -> None:
    """Print a value as text, in colour on a terminal, or as JSON."""
    if format == "json":
        import json

        click.echo(json.dumps(value.as_dict(), indent=1, ensure_ascii=False))
        return
    print_text(str(value), styles)


def print_text(text: str, styles: Sequence[tuple[str, str]] = ()) -> None:
    """Print a text; on a terminal in colour, and its long lines broken at blanks.

    Args:
        text: the text.
        styles: patterns, each with how what it finds is shown, such as ``bold green``.
    """
    is_terminal = bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()
    if is_terminal:
        width = terminal_width()
        text = "\n".join(hanging(line, width) for line in text.splitlines())
        if not os.environ.get("NO_COLOR") and os.environ.get("TERM") not in ("dumb", "unknown"):
            text = styled(text, styles)
    click.echo(spelled(text, sys.stdout), color=is_terminal)


def styled(text: str, styles: Sequence[tuple[str, str]]) -> str:
    r"""Return a text with the codes of terminals for its styles; a later style is the one shown.

    >>> styled("no: 1 of 2", [("no", "bold"), ("[0-9]", "green")])
    '\x1b[1mno\x1b[0m: \x1b[32m1\x1b[0m of \x1b[32m2\x1b[0m'
    """
    shown = [""] * len(text)
    for pattern, style in styles:
        for found in re.finditer(pattern, text):
            shown[found.start() : found.end()] = [style] * len(found[0])
    parts = []
    for style, group in groupby(zip(text, shown, strict=True), key=lambda pair: pair[1]):
        part, words = "".join(character for character, _ in group), style.split()
        has = {word: True for word in words if word in ("bold", "dim")}
        colour = next((word for word in words if word not in has), None)
        parts.append(click.style(part, fg=colour, **has) if words else part)
    return "".join(parts)


def terminal_width() -> int:
    """Return how many columns the terminal has, or the variable ``COLUMNS`` says."""
    import shutil

    return shutil.get_terminal_size().columns


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar on stderr for a while, if that is a terminal.

    Yields:
        What is called with the name of a step, how much of it is done, and of how much.
    """
    if not sys.stderr.isatty():
        yield lambda _name, _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=None)
        yield lambda name, done, total: bar.update(
            task, description=name, completed=done, total=total
        )


def hanging(line: str, width: int) -> str:
    """Return a line broken at blanks, its further lines below its last column.

    >>> print(hanging("* torch  float32  1.5, a number, is of a higher kind than int32.", 40))
    * torch  float32  1.5, a number, is of a
                      higher kind than
                      int32.
    """
    if len(line) <= width:
        return line
    from textwrap import wrap

    columns = [found.end() for found in re.finditer(r"^ +|\S {2,}(?=\S)", line)]
    longest = max(map(len, line.split()))
    column = max((c for c in columns if c <= min(width // 2, width - longest)), default=0)
    room = max(width - column, 12)
    return (
        "\n".join(
            wrap(
                line,
                column + room,
                subsequent_indent=" " * column,
                drop_whitespace=True,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
        or line
    )


def print_table(table: Table[Any], format: str, title: str, *, after: str = "") -> None:
    """Print a table, as text in blocks of columns that fit the terminal, under a title."""
    from . import show

    if format != "text":
        click.echo(show.render(table, format))
        return
    text = f"{after}{title}\n\n{show.render(table)}"
    if sys.stdout.isatty():
        text = f"{after}{title}\n\n{in_blocks(show.render(table), terminal_width())}"
    print_text(
        text,
        [
            (r"(?m)^ {2,}\S.*$", "bold"),
            (r"(?m)^[a-z]+[\d*_a-z]*(?=  )", "bold"),
            (r"\S+!", "bold yellow"),
            (r"(?<= )-(?= |$)", "dim"),
        ],
    )


def tell_narrow(count: int, does: str = "shows") -> None:
    """Say on stderr how many narrow dtypes are left out, if any are, and what --all does."""
    if count:
        click.echo(f"{count} narrow dtypes are left out; --all {does} them", err=True)


def in_blocks(text: str, width: int) -> str:
    """Return a table of which no line is longer than a width: some columns below the others.

    >>> print(in_blocks("    i8  u8\\ni8  i8  i16\\nu8  i16 u8", 8))
        i8
    i8  i8
    u8  i16
    <BLANKLINE>
        u8
    i8  i16
    u8  u8
    """
    lines = text.splitlines()
    if max(map(len, lines)) <= width:
        return text
    starts = [found.start() for found in re.finditer(r"\S+", lines[0])]
    ends = [*starts[1:], max(map(len, lines)) + 1]
    head = starts[0]
    blocks: list[list[tuple[int, int]]] = [[]]
    used = head
    for start, end in zip(starts, ends, strict=True):
        if blocks[-1] and used + end - start - 1 > width:
            blocks.append([])
            used = head
        blocks[-1].append((start, end))
        used += end - start
    return "\n\n".join(
        "\n".join((line[:head] + line[block[0][0] : block[-1][1]]).rstrip() for line in lines)
        for block in blocks
    )


def read_operands(operands: Sequence[str], command: click.Command) -> list[Operand]:
    """Return the operands that some words describe."""
    for text in operands:
        _refuse_option(text, command)
    return [parse(unmarked(text)) for text in operands]


def unmarked(text: str) -> str:
    """Return a word as it was typed: negative numbers come with a mark before them."""
    return text.removeprefix(_MARK)


def tell_codes(operands: Sequence[str], read: Sequence[Operand]) -> None:
    """Say which words were read as codes that count bits."""
    codes = {t: op.dtype.name for t, op in zip(operands, read, strict=True) if _is_code(t)}
    if codes:
        readings = ", ".join(f"{code} as {name}" for code, name in codes.items())
        click.echo(f"Short codes count bits: {readings}.")


def _is_code(text: str) -> bool:
    return any(d.code == text.partition("[")[0] for d in map(dtype, names()))


def _refuse_option(text: str, command: click.Command) -> None:
    """Refuse an option that click took for an operand: a misspelt one, or one after ``--``."""
    if text.startswith("-"):
        known = [name for parameter in command.params for name in parameter.opts]
        name = text.partition("=")[0]
        if name in known:
            raise click.UsageError(f"{name} comes after --, where only operands may come")
        near = did_you_mean(name.strip("-"), [option.strip("-") for option in known])[1]
        hint = f"; did you mean {' or '.join(f'--{word}' for word in near)}?" if near else ""
        raise click.UsageError(f"no such option: {name}{hint}")
