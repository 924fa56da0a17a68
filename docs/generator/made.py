"""The pages that the site has and the repository has not: they are made when the site is built."""

from __future__ import annotations

from functools import cache

from . import figures, llms, reference, systems, tables

PAGES = {
    "performance.md": tables.benchmarks,
    "reference/audit-issues.md": tables.issues,
    "reference/command.md": reference.command,
    "reference/dtypes.md": tables.dtypes,
    "reference/functions.md": tables.functions,
    "reference/laws-of-all-systems.md": tables.laws,
    "reference/python.md": reference.python,
    "reference/python-custom.md": reference.custom,
    "reference/python-audit.md": lambda: reference.AUDIT,
    "reference/python-modules.md": lambda: reference.MODULES,
    "reference/releases.md": lambda: tables.releases(systems.link),
}
"""What makes each page, besides those of the rules."""


@cache
def pages() -> dict[str, str]:
    """Return the text of each page that is made, by its path in the docs."""
    return {**{path: make() for path, make in PAGES.items()}, **systems.pages()}


def files() -> dict[str, str]:
    """Return everything that is made: these pages, the drawings on them, and `llms.txt`."""
    texts = pages()
    shown = "".join(texts.values())
    drawings = {path: svg for path, svg in figures.system_pictures().items() if path in shown}
    return {**texts, **drawings, "llms.txt": llms.text(texts)}
