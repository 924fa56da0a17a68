"""The badges of README: pictures of facts that the project's own files state, from no server."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from .figures import ASSETS
from .pages import ROOT

LETTER = 6.1  # pixels that one takes at a size of 11


def pictures() -> dict[Path, str]:
    """Return the badges, by their paths."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    classifiers = "\n".join(project["classifiers"])
    supported = re.findall(r":: (3\.\d+)$", classifiers, re.MULTILINE)
    facts = {
        "license": project["license"],
        "python": " | ".join(supported),
        "typed": "yes" if "Typing :: Typed" in classifiers else "no",
        "imports": "the standard library alone",
    }
    return {ASSETS / f"badges/{what}.svg": _badge(what, fact) for what, fact in facts.items()}


def _badge(what: str, fact: str) -> str:
    left, right = (round(LETTER * len(text)) + 12 for text in (what, fact))
    whole = left + right
    texts = "".join(
        f'<text x="{x}" y="14" textLength="{width - 12}">{text}</text>'
        for x, width, text in ((6, left, what), (left + 6, right, fact))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole}" height="20" role="img"'
        f' aria-label="{what}: {fact}"><title>{what}: {fact}</title>'
        f'<clipPath id="r"><rect width="{whole}" height="20" rx="3"/></clipPath>'
        f'<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#4a5160"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="#2f4bb8"/></g>'
        f'<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">{texts}</g>'
        "</svg>\n"
    )
