"""The pieces of HTML that notebook output is made of.

They read well on light and on dark paper: text has the colour of the notebook, and colours let the
paper shine through. Notebooks that are not trusted drop style sheets, so each piece carries its
own style; where even that is dropped, the text says all that matters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from ...core.dtypes import DType

WARN: Final = "#d9730d"
GOOD: Final = "#2f9e57"

_KINDS: Final = {
    "bool": "128, 128, 128", "unsigned": "20, 160, 150", "signed": "60, 120, 220",
    "float": "225, 130, 30", "complex": "160, 90, 210",
}  # fmt: skip
_CELL: Final = "padding: 1px 6px; border: 1px solid rgba(128, 128, 128, 0.25); text-align: left"
_HEAD: Final = f"{_CELL}; font-weight: 600"
_CODE: Final = (
    "margin: 4px 0; padding: 6px 8px; overflow-x: auto; line-height: 1.35; color: inherit; "
    "font-family: monospace; white-space: pre; word-break: normal; overflow-wrap: normal; "
    "background: rgba(128, 128, 128, 0.12); border: 0; text-align: left"
)


def page(*parts: str) -> str:
    """Return a piece of output."""
    kept = "\n".join(filter(None, parts))
    return f'<div class="supremum" style="text-align: left; max-width: 70em">\n{kept}\n</div>'


def heading(text: str, aside: str = "", *, before: str = "", after: str = "") -> str:
    """Return the first line: what it is, with pieces of HTML beside it, and under which rules."""
    beside = f'<span style="opacity: 0.7">{escape(aside)}</span>' if aside else ""
    pieces = (before, f"<strong>{escape(text)}</strong>", after, beside)
    return f"<div>{' '.join(filter(None, pieces))}</div>"


def note(text: str, *, colour: str = "") -> str:
    """Return a line of text, nothing of an empty one."""
    style = f' style="color: {colour}"' if colour else ""
    return f"<div{style}>{escape(text)}</div>" if text else ""


def shade(d: DType) -> str:
    """Return the background of a dtype, by its kind."""
    return f"background: rgba({_KINDS.get(d.kind, '128, 128, 128')}, 0.18)"


def chip(d: DType, text: str = "") -> str:
    """Return a dtype in the colour of its kind; the border of a weak one is dashed."""
    border = "1px dashed currentColor" if d.weak else "1px solid transparent"
    style = f"{shade(d)}; border: {border}; border-radius: 4px; padding: 0 4px; color: inherit"
    return f'<code style="{style}">{escape(text or str(d))}</code>'


def code(text: str) -> str:
    """Return a text whose lines and blanks are kept."""
    return f'<pre style="{_CODE}">{escape(text)}</pre>'


def badge(text: str, *, good: bool) -> str:
    """Return a verdict."""
    colour = GOOD if good else WARN
    style = f"border: 1px solid {colour}; border-radius: 9px; padding: 0 7px; font-size: 0.85em"
    style += "; white-space: nowrap"
    return f'<span style="{style}">{escape(text)}</span>'


def fold(summary: str, *parts: str, is_open: bool = False) -> str:
    """Return what is seen after a click on its summary."""
    inside = "\n".join(filter(None, parts))
    state = " open" if is_open else ""
    return f"<details{state}><summary>{escape(summary)}</summary>\n{inside}\n</details>"


def tree(items: Iterable[str]) -> str:
    """Return some pieces below each other, as the branches of what stands before them."""
    style = "border-left: 2px solid rgba(128, 128, 128, 0.35); margin: 2px 0 2px 6px; padding: 0"
    branches = "".join(
        f'<li style="list-style: none; padding: 1px 0 1px 10px">{item}</li>' for item in items
    )
    return f'<ul style="{style}">{branches}</ul>' if branches else ""


Piece = str | tuple[str, str, str]
"""A cell: a piece of HTML, or one with its own style and the title that a pointer shows."""


def grid(head: Sequence[str], rows: Iterable[Sequence[Piece]], caption: str = "") -> str:
    """Return a table of pieces of HTML; the first of each row is its head."""
    lines = ['<div style="overflow-x: auto">', '<table style="border-collapse: collapse">']
    if caption:
        style = "text-align: left; caption-side: top; opacity: 0.8"
        lines.append(f'<caption style="{style}">{escape(caption)}</caption>')
    if head:
        cells = "".join(f'<th scope="col" style="{_HEAD}">{cell}</th>' for cell in head)
        lines.append(f"<thead><tr>{cells}</tr></thead>")
    lines.append("<tbody>")
    for first, *others in rows:
        cells = "".join(map(_cell, others))
        lines.append(f'<tr><th scope="row" style="{_HEAD}">{first}</th>{cells}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>", "</div>"])


def _cell(piece: Piece) -> str:
    text, style, title = (piece, _CELL, "") if isinstance(piece, str) else piece
    about = f' title="{escape(title)}"' if title else ""
    return f'<td style="{style}"{about}>{text}</td>'
