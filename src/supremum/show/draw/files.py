"""A drawing in a file: SVG as it is, PNG and PDF by typst, which brings its own fonts."""

from __future__ import annotations

from typing import Literal

from ...core.errors import SupremumError
from .drawing import WRITERS, Drawing
from .svg import size_of, svg

_PAGE = """#set page(width: auto, height: auto, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg", width: {width}pt, alt: sys.inputs.title)"""
_POINTS = 0.75
"""How many points a pixel has, at 96 pixels an inch."""


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


WRITERS.update({".svg": _svg, ".png": _png, ".pdf": _pdf})
