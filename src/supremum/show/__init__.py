"""How answers look: tables as text, Markdown, reStructuredText, CSV, HTML and JSON."""

from supremum.show.tables import FORMATS, render

__all__ = ["FORMATS", "render"]
