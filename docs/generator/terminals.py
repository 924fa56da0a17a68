"""The pictures of a sweep and of narrower arrays, as a terminal shows them."""

from __future__ import annotations

import re
from contextlib import chdir
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console, RenderableType
from rich.text import Text

from supremum import audit
from supremum.audit.sweeping import table

from .figures import ASSETS
from .pages import FILE


def pictures() -> dict[Path, str]:
    """Return the pictures, by their paths."""
    return {ASSETS / "sweep.svg": _sweep(), ASSETS / "narrow.svg": _narrow()}


def _sweep() -> str:
    """Return the sweep of the page about sweeps."""
    with TemporaryDirectory() as folder, chdir(folder):
        for name, written in FILE.findall(_page("sweep-a-package")):
            Path(name).write_text(written, encoding="utf-8")
        found = audit.sweep("smooth")
    return _terminal(*table.parts(found), title="supremum sweep smooth", width=86)


def _narrow() -> str:
    """Return what the page about narrower arrays says is printed, which has times in it."""
    shown = re.search(
        r"```text\n\$ (supremum fix .*)\n((?:.+\n|\n)*?)```", _page("narrow-a-program")
    )
    if shown is None:
        raise ValueError("the page shows no output")
    text = Text(shown[2])
    text.highlight_regex(r"(?m)^(place .*|Kept wide:)$", "bold")
    text.highlight_regex(r"\bfloat64\b", "yellow")
    text.highlight_regex(r"\bfloat32\b", "green")
    return _terminal(text, title=shown[1], width=112)


def _page(name: str) -> str:
    return (ASSETS.parent / f"howto/{name}.md").read_text(encoding="utf-8")


def _terminal(*parts: RenderableType, title: str, width: int) -> str:
    console = Console(width=width, record=True, file=StringIO(), force_terminal=True)
    console.print(*parts, sep="\n")
    svg = console.export_svg(title=title, unique_id=title.split()[1])
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)  # nothing is loaded
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"
