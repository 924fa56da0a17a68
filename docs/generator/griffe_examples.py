"""Examples of docstrings in the reference: what stands after ``>>>`` is code, wherever it is."""

from __future__ import annotations

import re
from textwrap import dedent, indent
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^( *)>>> .*(?:\n *\S.*)*", re.MULTILINE)


class Examples(griffe.Extension):
    """Fences the examples, which Markdown takes for quotations."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Change the docstring of something, as griffe asks when it has read it."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(_fenced, obj.docstring.value)


def _fenced(example: re.Match[str]) -> str:
    return indent(f"```pycon\n{dedent(example[0])}\n```", example[1])
