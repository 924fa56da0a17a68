"""A drawing in a file: SVG as it is, PNG and PDF by typst, which brings its own fonts."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from ...core.errors import SupremumError
from .drawing import Drawing
from .svg import size_of, svg

_PAGE = """#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg", width: {width}pt, alt: sys.inputs.title)"""
_POINTS = 0.75
"""How many points a pixel has, at 96 pixels an inch."""


def save(drawing: Drawing, path: str | Path) -> None:
    """Write a drawing to a file, as its suffix says.

    Raises:
        SupremumError: for another suffix, if the file cannot be written, or without typst.
    """
    path = Path(path)
    data = writer(path)(drawing)
    try:
        path.write_bytes(data)
    except OSError as error:
        raise SupremumError(f"{path}: cannot be written: {error.strerror}") from None


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


def _svg(drawing: Drawing) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg(drawing)}\n'.encode()


def _picture(drawing: Drawing, format: Literal["png", "pdf"]) -> bytes:
    try:
        import typst
    except ImportError:
        raise SupremumError(
            f"writing {format.upper()} needs typst; install it with pip install 'supremum[show]', "
            "or write SVG"
        ) from None
    texts = "".join(box.label for box in drawing.boxes)
    return typst.compile(
        _PAGE.format(width=size_of(drawing)[0] * _POINTS).encode(),
        format=format,
        ppi=192.0 if format == "png" else None,
        # typst's own fonts lack some scripts, and to look for others takes a while
        ignore_system_fonts=texts.isascii(),
        sys_inputs={"svg": svg(drawing), "title": drawing.title},
    )


def _png(drawing: Drawing) -> bytes:
    return _picture(drawing, "png")


def _pdf(drawing: Drawing) -> bytes:
    return _picture(drawing, "pdf")


WRITERS: dict[str, Callable[[Drawing], bytes]] = {".svg": _svg, ".png": _png, ".pdf": _pdf}
"""What writes a drawing, by the suffix of the file."""
