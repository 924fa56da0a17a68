"""The pages of the reference that the code writes: the command's help, and Python's docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Container, Iterable, Iterator
from types import ModuleType

import supremum
from supremum.commands import COMMANDS

from .pages import ROOT, output

HOW_TO = {
    "audit": "find-the-line",
    "compare": "compare-libraries",
    "conform": "check-your-library",
    "design": "design-a-lattice",
    "diff": "compare-libraries",
    "draw": "tables-and-drawings",
    "explain": "read-an-explanation",
    "explore": "compare-libraries",
    "export": "export-a-system",
    "fix": "fix-a-program",
    "laws": "write-your-own-rules",
    "sweep": "look-inside-packages",
    "table": "tables-and-drawings",
    "why": "find-the-line",
}
"""The page with examples of a command."""

RETURNED = (
    "supremum.core.analysis.compare.Comparison",
    "supremum.core.analysis.compare.Answer",
    "supremum.core.analysis.differences.Diff",
    "supremum.core.analysis.differences.Cell",
    "supremum.core.analysis.laws.Laws",
    "supremum.core.analysis.laws.Law",
    "supremum.core.evaluation.record.ExpressionExplanation",
    "supremum.core.evaluation.record.ExpressionStep",
)
"""What functions of `supremum` return, and it does not export."""

OF_RULES = (
    "supremum.core.rules.Rules",
    "supremum.core.analysis.criteria.Criteria",
    "supremum.core.analysis.criteria.Criterion",
)
"""What `supremum.custom` takes or returns, and does not export."""


def command() -> str:
    """Return the page with the help of every command."""
    settings = "[The command and its settings](../howto/settings.md)"
    said = f"{settings} says what operands are, which rules decide, and what else can be set.\n"
    parts = ["# The command\n", said, _help("supremum")]
    for name in (name for section in COMMANDS.values() for name in section):
        parts += [f"## `supremum {name}`\n", _help(f"supremum {name}")]
        if name in HOW_TO:
            parts.append(f"Examples: [how to](../howto/{HOW_TO[name]}.md).\n")
    return "\n".join(parts)


def _help(words: str) -> str:
    return f"```console\n$ {words} --help\n{output(f'{words} --help')}```\n"


def python() -> str:
    """Return the page of what the module `supremum` has, which mkdocstrings fills in."""
    written = "".join(page.read_text("utf-8") for page in (ROOT / "docs/reference").glob("*.md"))
    elsewhere = set(re.findall(r"^::: (\S+)$", written, re.MULTILINE))
    text = """\
# Python: supremum

Everything that `import supremum` brings, as the code has it. What `supremum.system` returns, and
what rules of your own are made of, is in [supremum.custom](python-custom.md).
"""
    return "\n".join([text, *_entries(supremum, RETURNED, elsewhere)])


def custom() -> str:
    """Return the page of what `supremum.custom` has, in the same order."""
    text = """\
# Python: supremum.custom

What authors of rules need, as the code has it: promotion systems, what they are made of, and their
errors. How to use it: [write your own rules](../howto/write-your-own-rules.md).

::: supremum.custom
    options:
      members: false
"""
    return "\n".join([text, *_entries(supremum.custom, OF_RULES)])


def _entries(
    module: ModuleType, more: Iterable[str], elsewhere: Container[str] = ()
) -> Iterator[str]:
    """Yield the functions, classes and errors of a module, without what is described elsewhere."""
    sorts: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in module.__all__:
        public, path = getattr(module, name), f"{module.__name__}.{name}"
        if inspect.isroutine(public) and path not in elsewhere:
            sorts["Functions"].append(path)
        elif inspect.isclass(public):
            sorts["Errors" if issubclass(public, Exception) else "Classes"].append(path)
    sorts["Classes"] += more
    for title, paths in sorts.items():
        yield f"## {title}\n"
        yield from (f"::: {path}\n" for path in paths)


AUDIT = """\
# Python: supremum.audit

The audit in Python, as the code has it. How to use it: [find the
line](../howto/find-the-line.md).

::: supremum.audit
"""

MODULES = """\
# Python: conformance, show and export

The other modules of `supremum`, as the code has them.

::: supremum.conformance
    options:
      members:
        - conform
        - conform_module
        - conformable
        - Measured
        - Group
        - Difference

::: supremum.conformance.measured.write

::: supremum.conformance.pytest

::: supremum.show

::: supremum.export
"""
