"""A drawing as text for other programs: Mermaid, Graphviz's dot, and arrow text."""

from __future__ import annotations

from collections import defaultdict
from html import escape

from ...core.errors import SupremumError, shorten
from .drawing import DRAWINGS, Drawing
from .routes import printable
from .svg import svg
from .text import text

_LINES = {"operand": "#0b5fd0", "path": "#0b5fd0", "join": "#b3261e", "differs": "#b3261e"}
"""The colour of what is highlighted."""


def _mermaid(drawing: Drawing) -> str:
    lines = ["flowchart LR"]
    for i, box in enumerate(drawing.boxes):
        label = escape(printable(box.name)).replace("*", "#42;")
        opened, closed = ("([", "])") if box.weak else ("[", "]")
        style = ":::weak" if box.weak else ""
        lines.append(f'  n{i}{opened}"{label}"{closed}{style}')
    lines += [f"  n{a.lower} --> n{a.upper}" for a in drawing.arrows]
    if any(box.weak for box in drawing.boxes):
        lines.append("  classDef weak stroke-dasharray: 4 3")
    for i, box in enumerate(drawing.boxes):
        if box.mark:
            lines.append(f"  style n{i} stroke:{_LINES[box.mark]},stroke-width:3px")
    for i, arrow in enumerate(drawing.arrows):
        if arrow.mark:
            lines.append(f"  linkStyle {i} stroke:{_LINES[arrow.mark]},stroke-width:3px")
    return "\n".join(lines)


def _dot(drawing: Drawing) -> str:
    lines = ["digraph {", "  rankdir=LR", "  node [shape=box, style=rounded]"]
    for i, box in enumerate(drawing.boxes):
        name = printable(box.name).replace("\\", "\\\\").replace('"', '\\"')
        style = ', style="rounded,dashed"' if box.weak else ""
        lit = f', color="{_LINES[box.mark]}", penwidth=3' if box.mark else ""
        lines.append(f'  n{i} [label="{name}"{style}{lit}]')
    for a in drawing.arrows:
        lit = f' [color="{_LINES[a.mark]}", penwidth=3]' if a.mark else ""
        lines.append(f"  n{a.lower} -> n{a.upper}{lit}")
    return "\n".join([*lines, "}"])


def _arrows(drawing: Drawing) -> str:
    names = [box.name for box in drawing.boxes]
    for name in names:
        if (
            not name
            or any(c.isspace() or not c.isprintable() for c in name)
            or any(c in name for c in (",", ";", "#", "->"))
        ):
            raise SupremumError(
                f"arrow text cannot hold the name {shorten(name)!r}; use the format dot or mermaid"
            )
    ups: dict[int, list[str]] = defaultdict(list)
    for a in drawing.arrows:
        ups[a.lower].append(names[a.upper])
    touched = {a.upper for a in drawing.arrows}
    return "\n".join(
        f"{name} -> {', '.join(ups[i])}" if i in ups else name
        for i, name in enumerate(names)
        if i in ups or i not in touched
    )


DRAWINGS.update(
    {"text": text, "mermaid": _mermaid, "dot": _dot, "arrows": _arrows, "svg": svg},
)
