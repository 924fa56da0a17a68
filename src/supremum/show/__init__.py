"""How answers look: tables as text, Markdown, HTML and more, and drawings."""

from ..core.errors import refuse_calls
from .draw import DRAWINGS, Drawing, common, draw_diff, layout
from .tables import FORMATS, render

__all__ = ["DRAWINGS", "FORMATS", "Drawing", "common", "draw_diff", "layout", "render"]


def __dir__() -> list[str]:
    return __all__


refuse_calls(__name__, "draw('jax'), or print(x) for an answer")
