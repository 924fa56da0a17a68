"""What shows the values of the core: `supremum` hands this module to it."""

from . import layout, render
from .notebook import html, markdown

__all__ = ["html", "layout", "markdown", "render"]
