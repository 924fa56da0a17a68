"""The picture of a sweep, as a terminal shows it."""

from __future__ import annotations

import re
from contextlib import chdir
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from supremum import audit
from supremum.audit.sweeping import table

from .figures import ASSETS
from .pages import FILE


def pictures() -> dict[Path, str]:
    """Return the picture of the sweep of the page about sweeps, by its path."""
    page = (ASSETS.parent / "howto/sweep-a-package.md").read_text(encoding="utf-8")
    with TemporaryDirectory() as folder, chdir(folder):
        for name, written in FILE.findall(page):
            Path(name).write_text(written, encoding="utf-8")
        found = audit.sweep("smooth")
    console = Console(width=86, record=True, file=StringIO(), force_terminal=True)
    console.print(*table.parts(found), sep="\n")
    svg = console.export_svg(title="supremum sweep smooth", unique_id="sweep")
    svg = re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)  # nothing is loaded
    return {ASSETS / "sweep.svg": "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"}
