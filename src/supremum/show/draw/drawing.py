"""What a drawing is: boxes, arrows and captions with their places, for every format to read."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

from ...core.errors import SupremumError, did_you_mean

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
        is_placed: whether places are known. Without fast-sugiyama they are not, and only formats
            that leave them to another program can show the drawing.
    """

    title: str
    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    captions: tuple[Caption, ...] = ()
    note: str = ""
    is_placed: bool = True

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

    def require_places(self) -> None:
        """Raise `SupremumError` if places are not known."""
        if not self.is_placed:
            raise SupremumError(
                "drawing needs fast-sugiyama; install it with pip install 'supremum[show]', or use "
                "the format mermaid, dot or arrows"
            )

    def save(self, path: str | Path) -> None:
        """Write the drawing to a file; its suffix says how: ``.svg``, ``.png`` or ``.pdf``.

        Raises:
            SupremumError: for another suffix, if the file cannot be written, or if a picture needs
                what is not installed.
        """
        path = Path(path)
        data = writer(path)(self)
        try:
            path.write_bytes(data)
        except OSError as error:
            raise SupremumError(f"{path}: cannot be written: {error.strerror}") from None

    def render(self, format: str = "text") -> str:
        """Return the drawing as text, in one of the formats of `supremum.show.DRAWINGS`.

        Raises:
            SupremumError: for another format, if arrow text cannot hold a name, or if places are
                needed and fast-sugiyama is not installed.

        >>> import supremum
        >>> print(supremum.system("python").draw().render("arrows"))
        int* -> float*
        float* -> complex*
        """
        if format not in DRAWINGS:
            hint, _ = did_you_mean(format, list(DRAWINGS))
            raise SupremumError(
                f"a drawing has no format {format!r}{hint or '; it has ' + ', '.join(DRAWINGS)}"
            )
        return DRAWINGS[format](self)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as dictionaries and lists, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        return f"<Drawing of {self.title}: {len(self.boxes)} nodes, {len(self.arrows)} arrows>"

    def _repr_svg_(self) -> str:
        return DRAWINGS["svg"](self, adapts=False)


DRAWINGS: Final[dict[str, Callable[..., str]]] = {}
"""The formats of a drawing, each with the function that writes it; the modules of formats add
them."""

WRITERS: Final[dict[str, Callable[[Drawing], bytes]]] = {}
"""What writes a drawing, by the suffix of the file."""


def writer(path: Path) -> Callable[[Drawing], bytes]:
    """Return what writes a drawing for a file.

    Raises:
        SupremumError: if its suffix is another, or its folder is missing.
    """
    write = WRITERS.get(path.suffix.lower())
    if write is None:
        kinds = ", ".join(WRITERS)
        raise SupremumError(f"{path}: a drawing is written to a file that ends in {kinds}")
    if not path.parent.is_dir():
        raise SupremumError(f"{path}: cannot be written: {os.strerror(errno.ENOENT)}")
    return write
