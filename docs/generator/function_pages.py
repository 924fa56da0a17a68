"""The functions of a library that is installed, by what the rules say that they give."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import supremum
from supremum.core.errors import RulesError

from .blocks import block, code, markdown
from .rule_words import in_words

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "peers"))  # where it lies
from covered import Coverage, coverage


@block("functions of")
@cache
def functions_of(name: str) -> str | None:
    """Return Markdown tables of a library's functions, or None if its release is not installed.

    Args:
        name: the name of its rules.
    """
    try:
        found = coverage(name)
    except RulesError:
        return None
    if found.installed != found.written_for:
        return None
    public, known = len(found.names), len(found.known)
    out = f"Of {public:,} public names in release {found.installed}, {public - found.dependent:,}"
    parts = [
        f"{out} are left out. The rules know {known:,} of the other {found.dependent:,}.\n",
        _titled("By result", ("result", "functions"), _by_result(found)),
        _titled("Left out", ("the function", "names"), found.left_out.items()),
    ]
    if found.missing:
        parts.append(f"## Without a rule\n\n{code(found.missing)}\n")
    return "\n" + "\n".join(parts) + "\n"


def _by_result(found: Coverage) -> list[tuple[str, list[str]]]:
    """Return what rules say, and the names that follow each: those of most names first."""
    rules = supremum.system(found.system)
    groups: dict[str, list[str]] = {}
    for name, functions in found.known.items():
        for function in functions:
            rule = rules.rule(function)
            which = f"[{function[-2]}]" if len(functions) > 1 else ""
            if rule is not None:
                groups.setdefault(in_words(rule), []).append(name + which)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def _titled(title: str, columns: tuple[str, str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    table = [columns, ("---", "---"), *((text, code(names)) for text, names in rows)]
    return f"## {title}\n\n{markdown(table)}"
