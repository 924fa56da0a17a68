"""Formats for documents, which drawings and tables write: here is the head that they lack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..core.display import render_table
from ..core.system import PromotionSystem
from .reading import base
from .words import head


def _head(rules: PromotionSystem, format: str) -> list[str]:
    return head(base(rules), format)


def _drawing(format: str, comment: str) -> Callable[[PromotionSystem], str]:
    def write(rules: PromotionSystem) -> str:
        drawn = rules.draw(rules.dtypes).render(format)
        return "\n".join([*(f"{comment} {line}" for line in _head(rules, format)), drawn, ""])

    return write


def _table(format: str, start: str, end: str) -> Callable[[PromotionSystem], str]:
    def write(rules: PromotionSystem) -> str:
        head = [f"{start} {line}{end}" for line in _head(rules, format)]
        gap = [""] if format == "markdown" else []
        return "\n".join([*head, *gap, render_table(rules.table(), format), ""])

    return write


SHOWN: Final[dict[str, Callable[[PromotionSystem], str]]] = {
    "mermaid": _drawing("mermaid", "%%"),
    "dot": _drawing("dot", "//"),
    "markdown": _table("markdown", "<!--", " -->"),
    "latex": _table("latex", "%", ""),
}
"""The formats that show, each with what writes it."""
