"""How answers look: tables as text, Markdown, reStructuredText, CSV, HTML and JSON."""

from .tables import FORMATS, render

__all__ = ["FORMATS", "render"]
