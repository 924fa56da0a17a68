"""The forms that a report takes, each a function from a report to text."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

from ...core.errors import RulesError
from .report import DISPLAY, Finding, Report

FORMATS: Final = {
    "text": ".txt",
    "compact": ".jsonl",
    "json": ".json",
    "sarif": ".sarif",
    "html": ".html",
    "github": ".github",
}
"""The formats, and the suffix of a file in each."""

BESIDE: Final = frozenset({"text", "github"})
"""The formats that are printed to standard error, beside what the program prints: people read them,
and GitHub reads both. The others are for programs, and have standard output for themselves."""

BRIEF: Final = 10
"""How many causes a text has where everything is printed: those that cost most."""


def format_of(path: str) -> str | None:
    """Return the format that a file's suffix asks for, text if it has none; None for another's."""
    by_suffix = {suffix: name for name, suffix in FORMATS.items()}
    suffix = Path(path).suffix
    return "text" if suffix in ("", ".log") else by_suffix.get(suffix)


def known_format(path: str, instead: str = "") -> str:
    """Return the format that a file's suffix asks for.

    Args:
        path: the path of the file.
        instead: what else names a format, for the message.

    Raises:
        RulesError: for the suffix of no report.
    """
    if (found := format_of(path)) is None:
        usual = ", ".join(FORMATS.values())
        raise RulesError(f"{path} has the suffix of no report ({usual}){instead}", path)
    return found


def render(report: Report, format: str, *, brief: bool = False, width: int | None = None) -> str:
    """Return a report as text in one of `FORMATS`.

    Args:
        report: the report.
        format: the format.
        brief: whether ``"text"`` has no more than `BRIEF` causes.
        width: how many columns the terminal has that ``"text"`` is for, or None if it is for none.
    """
    write: Callable[..., str] = import_module(f".{format}", __name__).render
    report = getattr(report, "report", report)  # what a `with` statement gives has one
    return write(report, BRIEF if brief else None, width) if format == "text" else write(report)


def _text(shown: Report | Finding) -> str:
    from . import text

    return text.described(shown) if isinstance(shown, Finding) else text.render(shown)


def _html(shown: Report | Finding) -> str:
    from . import notebook

    return notebook.finding(shown) if isinstance(shown, Finding) else notebook.render(shown)


DISPLAY.update(text=_text, html=_html)
