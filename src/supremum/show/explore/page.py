"""The page: its parts put into one file that needs no other, and no network."""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from typing import Final

from .data import shipped

SCRIPTS: Final = (
    "store", "numbers", "expression", "answer", "lattice", "elements", "drawing", "answers_view",
    "lattice_view", "table_view", "laws_view", "own_view", "main",
)  # fmt: skip
"""The scripts, in the order in which each needs those before it."""


def page(data: str = "") -> str:
    """Return the explorer as one HTML page.

    Args:
        data: what it answers from, by default all that ships.

    >>> page().startswith("<!doctype html>")
    True
    """
    here = files(__package__)
    style = (here / "web" / "page.css").read_text(encoding="utf-8")
    script = "\n".join(
        (here / "web" / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS
    )
    library = (here / "vendor" / "dagre.min.js").read_text(encoding="utf-8").strip()
    licence = (here / "vendor" / "dagre.LICENSE").read_text(encoding="utf-8")
    library = f"/*! dagre\n{licence}*/\n{library}"
    policy = "; ".join((
        "default-src 'none'",
        f"script-src {_hash(script)} {_hash(library)}",
        f"style-src {_hash(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    ))  # fmt: skip
    parts = {
        "policy": policy, "style": style, "library": library, "script": script,
        "data": data or shipped(),
    }  # fmt: skip
    whole = (here / "web" / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda part: parts[part[1]], whole)


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
