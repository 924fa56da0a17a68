"""A drawing in letters: labels where its boxes are, and its curves in the dots of braille."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from .drawing import Drawing
from .routes import STEP, cells, samples

_GAP = 5
"""How many letters apart two columns are, at least."""
_BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
_HEAD = "▸"


def text(drawing: Drawing) -> str:
    """Return a drawing as lines of text.

    What is highlighted stands in brackets: a join in ``[[ ]]``.

    >>> import supremum
    >>> print(supremum.system("python").draw())
    i*⠒⠒⠒⠒▸f*⠒⠒⠒⠒▸c*
    """
    drawing.require_places()
    labels = [_label(box.label, box.mark) for box in drawing.boxes]
    across = _Scale(_columns(drawing, labels))
    down = _Scale(_rows(drawing))
    size = round(across(drawing.width)) + 1, round(down(drawing.height)) + 1
    dots: dict[tuple[int, int], int] = {}
    letters: dict[tuple[int, int], str] = {}
    for arrow in drawing.arrows:
        for x, y in samples(arrow.points, 200):
            column, row = across(x) * 2, down(y) * 4 + 1.5
            place = int(column) // 2, int(row) // 4
            dots[place] = dots.get(place, 0) | _BITS[int(column) % 2][int(row) % 4]
        x, y = arrow.points[-1]
        letters[round(across(x)) - 1, round(down(y))] = _HEAD
    for box, label in zip(drawing.boxes, labels, strict=True):
        left = round(across(box.x) - cells(label) / 2)
        _write(letters, label, left, round(down(box.y)))
    for caption in drawing.captions:
        _write(letters, caption.text, 0, round(down(caption.y)))
    for place, bits in dots.items():
        letters.setdefault(place, chr(0x2800 + bits))
    lines = [
        "".join(letters.get((x, y), " ") for x in range(size[0])).rstrip() for y in range(size[1])
    ]
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    return "\n".join(lines)


def _label(label: str, mark: str) -> str:
    if mark in {"join", "differs"}:
        return f"[[{label}]]"
    return f"[{label}]" if mark else label


def _write(letters: dict[tuple[int, int], str], text: str, left: int, row: int) -> None:
    at = left
    for letter in text:
        letters[at, row] = letter
        # a letter of two cells, or one that stands on the letter before it
        for beyond in range(1, cells(letter)):
            letters[at + beyond, row] = ""
        at += max(1, cells(letter))


class _Scale:
    """A scale with a given value at some places, and even steps between them."""

    def __init__(self, anchors: Sequence[tuple[float, float]]) -> None:
        self._from = [a for a, _ in anchors]
        self._to = [b for _, b in anchors]

    def __call__(self, value: float) -> float:
        i = min(max(bisect(self._from, value), 1), len(self._from) - 1)
        (a, b), (c, d) = self._from[i - 1 : i + 1], self._to[i - 1 : i + 1]
        return c + (value - a) * (d - c) / (b - a)


def _columns(drawing: Drawing, labels: Sequence[str]) -> list[tuple[float, float]]:
    """Return where the edges of each column are, in letters."""
    spans: dict[tuple[float, float], int] = {}
    for box, label in zip(drawing.boxes, labels, strict=True):
        span = (box.x - box.width / 2, box.x + box.width / 2)
        spans[span] = max(spans.get(span, 0), cells(label))
    at = max((cells(c.text) + 2 for c in drawing.captions), default=0)
    anchors: list[tuple[float, float]] = [(0, 0)]
    for left, right in sorted(spans):
        gap = (left - anchors[-1][0]) / 14 if len(anchors) > 1 else 0
        at += max(_GAP, round(gap)) if len(anchors) > 1 else 0
        anchors.append((left, at))
        at += spans[left, right]
        anchors.append((right, at))
    return [*anchors, (anchors[-1][0] + 100, at + 5)]


def _rows(drawing: Drawing) -> list[tuple[float, float]]:
    """Return the row of each height at which there are boxes."""
    heights = sorted({box.y for box in drawing.boxes}) or [0.0]
    anchors = [(y, round(2 * y / STEP)) for y in heights]
    first, last = anchors[0], anchors[-1]
    return [(first[0] - STEP, first[1] - 2), *anchors, (last[0] + STEP, last[1] + 2)]
