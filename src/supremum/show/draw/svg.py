"""A drawing as SVG, in the colours of paper, and in dark ones where the reader prefers them."""

from __future__ import annotations

import html
import re
from textwrap import wrap

from .drawing import Arrow, Box, Caption, Drawing

_FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"

# Each with the fill, the line and the letters of a box on white, and on black.
_COLOURS = {
    "": (("#f2f3f5", "#6b7280", "#111827"), ("#23272f", "#8b93a1", "#eceff4")),
    "bool": (("#f2f3f5", "#6b7280", "#111827"), ("#23272f", "#8b93a1", "#eceff4")),
    "unsigned": (("#e3f1ea", "#3f8362", "#0f3325"), ("#16302a", "#5fae8b", "#dcf5ea")),
    "signed": (("#e4eefa", "#3f6fb0", "#10294a"), ("#17293f", "#6d9fdd", "#dfecfb")),
    "float": (("#fdf0da", "#a9741c", "#43290a"), ("#352813", "#d3a04a", "#fbeed6")),
    "complex": (("#f4e7f5", "#8d4f97", "#3b1742"), ("#321f37", "#bd84c8", "#f6e6f9")),
}
_LIT = {
    "operand": ("#0b5fd0", "#7db4ff"),
    "path": ("#0b5fd0", "#7db4ff"),
    "join": ("#b3261e", "#ff8f85"),
    "differs": ("#b3261e", "#ff8f85"),
}
_MARGIN = 24
_LINE = 17
_LETTER = 7.3
_INK = ("#6b7280", "#9aa3b2")
_TEXT = ("#4b5563", "#aab2bf")


def svg(drawing: Drawing, *, prefix: str = "s", adapts: bool = True) -> str:
    """Return a drawing as one SVG element, which needs no other file.

    Its colours are those of paper; a browser whose reader prefers dark ones shows these, on a
    transparent ground.

    Args:
        drawing: the drawing.
        prefix: what its classes begin with, so that two drawings in a page differ.
        adapts: whether dark colours are shown to readers who prefer them. A notebook is light or
            dark by itself, so there the colours are those that are read on both.

    >>> import supremum
    >>> from supremum.show.draw import layout
    >>> svg(layout(supremum.system("python"))).startswith("<svg ")
    True
    """
    drawing.require_places()
    w, h = size_of(drawing)
    size = f'viewBox="0 0 {w} {h}" width="{w}" height="{h}"'
    if not adapts:
        size += ' style="max-width: 100%; height: auto"'
    lit = any(b.mark for b in drawing.boxes)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>',
        f"<title>{_escaped(drawing.title)}</title>",
        f"<desc>{_escaped(_described(drawing))}</desc>",
        *([f"<style>{_style(prefix)}</style>"] if adapts else []),
    ]
    ink = _TEXT[0] if adapts else _INK[0]
    under = [
        Caption(line, _MARGIN, drawing.height + _LINE * i) for i, line in enumerate(_note(drawing))
    ]
    lines += [
        f'<text class="{prefix}-c" x="{c.x:.1f}" y="{c.y + 4:.1f}" fill="{ink}" '
        f'font-family="{_FONT}" font-size="12">{_escaped(c.text)}</text>'
        for c in (*drawing.captions, *under)
    ]
    lines += [_arrow(a, prefix, lit) for a in sorted(drawing.arrows, key=lambda a: bool(a.mark))]
    lines += [_box(b, prefix, lit) for b in drawing.boxes]
    return "\n".join([*lines, "</svg>"])


def size_of(drawing: Drawing) -> tuple[int, int]:
    """Return the width and the height of the picture, in pixels: there is a note below, if any."""
    lines = _note(drawing)
    widths = [2 * _MARGIN + _LETTER * len(line) for line in lines]
    return round(max(drawing.width, *widths, 0)), round(drawing.height + _LINE * len(lines))


def _note(drawing: Drawing) -> list[str]:
    return wrap(drawing.note, max(40, int((drawing.width - 2 * _MARGIN) / _LETTER)))


_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _escaped(text: str) -> str:
    return html.escape(_NOT_XML.sub("\ufffd", text))


def _described(drawing: Drawing) -> str:
    arrows = "; ".join(
        f"{drawing.boxes[a.lower].name} to {drawing.boxes[a.upper].name}" for a in drawing.arrows
    )
    note = f" {drawing.note}" if drawing.note else ""
    return f"{len(drawing.boxes)} nodes. Arrows: {arrows or 'none'}.{note}"


def _style(prefix: str) -> str:
    """Return the dark colours; those of paper are attributes, which every program reads."""
    rules = []
    for kind, (_, (fill, line, ink)) in _COLOURS.items():
        rules.append(f".{prefix}-{kind or 'plain'} rect{{fill:{fill};stroke:{line}}}")
        rules.append(f".{prefix}-{kind or 'plain'} text{{fill:{ink}}}")
    rules.append(f".{prefix}-a{{stroke:{_INK[1]}}}.{prefix}-h{{fill:{_INK[1]}}}")
    rules.append(f".{prefix}-c{{fill:{_TEXT[1]}}}")
    for mark, (_, dark) in _LIT.items():
        rules.append(f".{prefix}-a.{prefix}-{mark}{{stroke:{dark}}}")
        rules.append(f".{prefix}-h.{prefix}-{mark}{{fill:{dark}}}")
        rules.append(f".{prefix}-b.{prefix}-{mark} rect{{stroke:{dark}}}")
    return f"@media screen and (prefers-color-scheme:dark){{{''.join(rules)}}}"


def _classes(prefix: str, *names: str) -> str:
    return " ".join(f"{prefix}-{name}" for name in names if name)


def _arrow(arrow: Arrow, prefix: str, lit: bool) -> str:
    first, *rest = arrow.points
    x, y = rest[-1]
    # the line ends inside the head, so that its end does not show at the point
    ends = [*rest[:-1], (x - 5, y)]
    path = f"M{first[0]:.1f} {first[1]:.1f}"
    for i in range(0, len(ends), 3):
        path += "C" + " ".join(f"{px:.1f} {py:.1f}" for px, py in ends[i : i + 3])
    ink = _LIT[arrow.mark][0] if arrow.mark else _INK[0]
    width = 2.4 if arrow.mark else 1.3
    faded = ' opacity="0.35"' if lit and not arrow.mark else ""
    size = 9 if arrow.mark else 7.5
    head = f"M{x:.1f} {y:.1f}l{-size} {-size * 0.45:.1f}q2 {size * 0.45:.1f} 0 {size * 0.9:.1f}z"
    return (
        f'<path class="{_classes(prefix, "a", arrow.mark)}" d="{path}" fill="none" '
        f'stroke="{ink}" stroke-width="{width}"{faded}/>'
        f'<path class="{_classes(prefix, "h", arrow.mark)}" d="{head}" fill="{ink}"{faded}/>'
    )


def _box(box: Box, prefix: str, lit: bool) -> str:
    fill, line, ink = _COLOURS[box.kind][0]
    if box.mark:
        line = _LIT[box.mark][0]
    left, top = box.x - box.width / 2, box.y - box.height / 2
    dashed = ' stroke-dasharray="4 3"' if box.weak else ""
    width = 2.6 if box.mark in {"operand", "join", "differs"} else 1.8 if box.mark else 1.3
    faded = ' opacity="0.45"' if lit and not box.mark else ""
    rx = box.height / 2 if box.weak else 8
    weight = ' font-weight="bold"' if box.mark == "join" else ""
    return (
        f'<g class="{_classes(prefix, "b", box.kind or "plain", box.mark)}"{faded}>'
        f"<title>{_escaped(box.name)}</title>"
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" '
        f'rx="{rx:.0f}" fill="{fill}" stroke="{line}" stroke-width="{width}"{dashed}/>'
        f'<text x="{box.x:.1f}" y="{box.y + 5:.1f}" fill="{ink}" font-family="{_FONT}" '
        f'font-size="14" text-anchor="middle"{weight}>{_escaped(box.label)}</text></g>'
    )
