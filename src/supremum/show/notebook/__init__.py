"""How values show themselves in a notebook: as HTML, or as Markdown."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from ...core.table import Table
from ..tables import render
from . import answers, judgements, rules
from .elements import code, page

__all__ = ["html", "markdown"]


@singledispatch
def html(value: Any) -> str:
    """Return a value as HTML: what is known of its type, else its text."""
    return page(code(str(value)))


for _module in (rules, answers, judgements):
    for _type, _shown in _module.SHOWN.items():
        html.register(_type, _shown)


@singledispatch
def markdown(value: Any) -> str:
    """Return a value as Markdown: a table as one, all else as its text."""
    return f"```text\n{value}\n```"


@markdown.register
def _(value: Table) -> str:  # type: ignore[type-arg]  # of any nodes
    return render(value, "markdown")
