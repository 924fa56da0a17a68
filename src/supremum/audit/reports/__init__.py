"""The forms that a report takes, each a function from a report to text."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from .findings import Report

FORMATS: Final = {
    "text": ".txt",
    "json": ".json",
    "sarif": ".sarif",
    "html": ".html",
    "github": ".github",
}
"""The formats, and the suffix of a file in each."""


def render(report: Report, format: str, *, brief: bool = False) -> str:
    """Return a report as text in one of `FORMATS`.

    Args:
        report: the report.
        format: the format.
        brief: whether ``"text"`` is to have the ten causes alone that cost most.
    """
    module = import_module(f".{format}", __name__)
    write: Callable[[Report], str] = module.brief if brief and format == "text" else module.render
    return write(report)
