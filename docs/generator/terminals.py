"""The pictures of a report, of a sweep and of narrower arrays, as a terminal shows them."""

from __future__ import annotations

import re
from contextlib import chdir
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console, RenderableType
from rich.terminal_theme import DEFAULT_TERMINAL_THEME, SVG_EXPORT_THEME, TerminalTheme
from rich.text import Text

from supremum import audit
from supremum.audit.sweeping import table

from .figures import ASSETS
from .pages import FILE, renewed

THEMES = {"light": DEFAULT_TERMINAL_THEME, "dark": SVG_EXPORT_THEME}
"""What README shows by the reader's setting."""

REPORTED = "supremum audit examples/image_filter.py"


def pictures() -> dict[Path, str]:
    """Return the pictures, by their paths."""
    reports = {ASSETS / f"report-{name}.svg": _report(theme) for name, theme in THEMES.items()}
    return {**reports, ASSETS / "sweep.svg": _sweep(), ASSETS / "narrow.svg": _narrow()}


def _report(theme: TerminalTheme) -> str:
    """Return the first finding about a program of the examples, and the summary."""
    printed = renewed(f"```console\n$ {REPORTED}\n```\n").removesuffix("\n```\n")
    first, *_, summary = printed[printed.index("examples/image_filter.py:") :].split("\n\n")
    text = Text(f"{first}\n\n{summary}")
    text.highlight_regex(r"^\S+(?=: widening)", "bold")
    text.highlight_regex(r"\bwidening\b|\^+|\bfloat64\b", "bold yellow")
    text.highlight_regex(r"\bfloat32(?=[\[(\n])|type instead: .*", "green")
    text.highlight_regex(r"(?m)^ *\d* \|", "dim")
    return _terminal(text, title=REPORTED, width=84, theme=theme)


def _sweep() -> str:
    """Return the sweep of the page about sweeps."""
    with TemporaryDirectory() as folder, chdir(folder):
        for name, written in FILE.findall(_page("look-inside-packages")):
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


def _terminal(
    *parts: RenderableType, title: str, width: int, theme: TerminalTheme = SVG_EXPORT_THEME
) -> str:
    console = Console(width=width, record=True, file=StringIO(), force_terminal=True)
    console.print(*parts, sep="\n")
    svg = console.export_svg(title=title, theme=theme, unique_id=title.split()[1])
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)  # nothing is loaded
    svg = svg.replace("rgba(255,255,255,0.35)", "rgba(128,128,128,0.5)")  # an edge on white, too
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"
