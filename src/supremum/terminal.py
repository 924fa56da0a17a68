"""What a terminal is told: lines in its width, in colour if it takes that, and how far one is.

Rich draws progress and tables, where there is a terminal. It takes as long to import as click, so
that an answer of some lines is coloured by click, and broken here: Rich indents no further lines.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from math import ceil
from time import monotonic
from typing import TYPE_CHECKING, Final, Protocol, TextIO

import click

from .core.errors import plural

if TYPE_CHECKING:
    from rich.console import RenderableType

SPELLED: Final = {"→": "->", "≤": "<=", "∨": "v", "…": "...", "│": "|", "µ": "u"}
"""What each character becomes in an encoding that lacks it; any other becomes ``?``."""

_ERRORS: Final = "supremum.spelled"


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(SPELLED.get(character, "?") for character in lacking), error.end


codecs.register_error(_ERRORS, _spell)


def spell_output() -> None:
    """Have all that is printed from now on spelled in the encoding of its stream."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ERRORS)


def spelled(text: str, stream: TextIO | None) -> str:
    """Return a text as a stream can show it.

    >>> import io
    >>> spelled("i8 → f16", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    'i8 -> f16'
    """
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, _ERRORS).decode(encoding)


class Progress(Protocol):
    """What hears how far something has come: what it does, and how much of how much is done."""

    def __call__(self, doing: str, done: float | None = None, total: float | None = None) -> None:
        """Show it."""


@contextmanager
def progress(first: str = "", *, logged: bool = False) -> Iterator[Progress]:
    """Show on stderr how far something has come, if that is a terminal; nothing of it stays.

    Args:
        first: what is done until something else is said.
        logged: whether what is no terminal, such as a log, gets a line from time to time.
    """
    if not (sys.stderr and sys.stderr.isatty()):
        yield _Log() if logged and sys.stderr else lambda _doing, _done=None, _total=None: None
        return
    from rich import progress as bars
    from rich.console import Console

    columns = [bars.SpinnerColumn(), bars.TextColumn("{task.description}", markup=False)]
    counted = [bars.BarColumn(), bars.TaskProgressColumn(), bars.TimeRemainingColumn()]
    console = Console(stderr=True)
    with bars.Progress(
        *columns, *counted, console=console, transient=True, redirect_stdout=False
    ) as bar:
        task = bar.add_task(first, total=None)

        def tell(doing: str, done: float | None = None, total: float | None = None) -> None:
            bar.update(task, description=doing, completed=done, total=total)

        yield tell


class _Log:
    """Progress in whole lines: the first after some seconds, and each after twice the time."""

    def __init__(self) -> None:
        self._due = monotonic() + _PATIENCE
        self._wait = _PATIENCE
        self._began, self._before = monotonic(), 0.0

    def __call__(self, doing: str, done: float | None = None, total: float | None = None) -> None:
        now, done = monotonic(), done or 0.0
        if done < self._before:  # something else is counted
            self._began = now
        self._before = done
        if now < self._due:
            return
        self._wait *= 2
        self._due = now + self._wait
        left = (now - self._began) * ((total or 0) / done - 1) if done else 0
        counted = f": {done:,.0f} of {total:,.0f} done" if total else ""
        more = f", about {_duration(left)} more" if left else ""
        click.echo(f"supremum: {doing}{counted}{more}", err=True)


_PATIENCE: Final = 5.0  # seconds without a line


def _duration(seconds: float) -> str:
    """Return about how long something takes.

    >>> _duration(8.3), _duration(59.7), _duration(3540)
    ('10 seconds', '1 minute', '59 minutes')
    """
    tens = max(ceil(seconds / 10), 1) * 10
    return plural(tens, "second") if tens < 60 else plural(round(seconds / 60), "minute")


def print_parts(parts: Iterable[RenderableType]) -> None:
    """Print tables and texts of Rich's on the terminal."""
    from rich.console import Console

    Console().print(*parts, sep="\n")


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal, or is to be taken for one by ``FORCE_COLOR``."""
    if os.environ.get("FORCE_COLOR"):
        return True
    try:
        return stream is not None and stream.isatty()
    except (AttributeError, ValueError):  # it is what a program put there, or closed
        return False


def has_colour(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal that takes colours, and nobody asks for none."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") in ("dumb", "unknown")
    return is_terminal(stream) and not plain


def terminal_width(stream: TextIO | None = None) -> int:
    """Return how many columns the terminal has, or the variable ``COLUMNS`` says."""
    import shutil

    if stream is not None and not os.environ.get("COLUMNS"):
        with suppress(AttributeError, OSError, ValueError):  # it is none, or has no number
            return os.get_terminal_size(stream.fileno()).columns or 80
    return shutil.get_terminal_size().columns


def print_text(text: str, styles: Sequence[tuple[str, str]] = ()) -> None:
    """Print a text; on a terminal in colour, and its long lines broken at blanks.

    Args:
        text: the text.
        styles: patterns, each with how what it finds is shown, such as ``bold green``.
    """
    shown = is_terminal(sys.stdout)
    if shown:
        width = terminal_width()
        text = "\n".join(hanging(line, width) for line in text.splitlines())
        if has_colour(sys.stdout):
            text = styled(text, styles)
    click.echo(spelled(text, sys.stdout), color=shown)


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


def hanging(line: str, width: int, indent: int = 0) -> str:
    """Return a line broken at blanks, its further lines below its last column.

    Args:
        line: the line.
        width: how many characters a line has.
        indent: how far further lines are indented at least.

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
    column = max(column, indent)
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
