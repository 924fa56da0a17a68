"""What a drawing is: boxes, arrows and captions with their places, for every format to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

Point = tuple[float, float]

Mark = Literal["", "operand", "path", "join", "differs"]
"""What is highlighted, and as what: "differs" is what another drawing has not."""


@dataclass(frozen=True, slots=True)
class Box:
    """A node: a label in a rounded box.

    Attributes:
        name: the full name.
        label: what the box shows: a short code, or the name cut to fit.
        x: the centre, from the left.
        y: the centre, from the top.
        width: the width of the box.
        height: its height.
        kind: the kind of a dtype, or ``""``.
        weak: whether it is a weak dtype.
        mark: how it is highlighted.
    """

    name: str
    label: str
    x: float
    y: float
    width: float
    height: float
    kind: str = ""
    weak: bool = False
    mark: Mark = ""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between two boxes, as a curve.

    Attributes:
        lower: the index of the box where it starts.
        upper: the index of the box where it ends.
        points: the start, then three points for each cubic Bézier piece: two control points and
            the end.
        mark: how it is highlighted.
    """

    lower: int
    upper: int
    points: tuple[Point, ...]
    mark: Mark = ""


@dataclass(frozen=True, slots=True)
class Caption:
    """A line of text beside the boxes, such as the kind of a row; `x` is where it starts."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, repr=False)
class Drawing:
    """Where everything in a drawing is, in pixels at 100 %, from the top left corner.

    Attributes:
        title: what is drawn.
        width: the width of all.
        height: the height of all.
        boxes: the nodes.
        arrows: the arrows: those of the order that no longer way replaces.
        captions: lines of text.
        note: what must be said of the drawing, in one sentence, or ``""``.
    """

    title: str
    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    captions: tuple[Caption, ...] = ()
    note: str = ""

    def index(self, name: str) -> int | None:
        """Return the index of the box of a full name or a label, or None."""
        names = [box.name for box in self.boxes], [box.label for box in self.boxes]
        return next((known.index(name) for known in names if name in known), None)

    def marked(self, boxes: Mapping[int, Mark], arrows: Mapping[tuple[int, int], Mark]) -> Drawing:
        """Return the same drawing with some boxes and arrows highlighted."""
        return replace(
            self,
            boxes=tuple(replace(b, mark=boxes.get(i, b.mark)) for i, b in enumerate(self.boxes)),
            arrows=tuple(
                replace(a, mark=arrows.get((a.lower, a.upper), a.mark)) for a in self.arrows
            ),
        )

    def save(self, path: str | Path) -> None:
        """Write the drawing to a file; its suffix says how: ``.svg``, ``.png`` or ``.pdf``.

        Raises:
            SupremumError: for another suffix, if the file cannot be written, or if a picture needs
                typst and it is not installed.
        """
        from .files import save

        save(self, path)

    def render(self, format: str = "text") -> str:
        """Return the drawing as text, in one of the formats of `supremum.show.DRAWINGS`.

        Raises:
            SupremumError: for another format, or if arrow text cannot hold a name.

        >>> import supremum
        >>> print(supremum.system("python").draw().render("arrows"))
        int* -> float*
        float* -> complex*
        """
        from .formats import render

        return render(self, format)

    def as_dict(self) -> dict[str, Any]:
        """Return all of it as dictionaries and lists, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<Drawing of {self.title}: {len(self.boxes)} nodes, {len(self.arrows)} arrows>"

    def _repr_svg_(self) -> str:
        from .svg import svg

        return svg(self, adapts=False)
