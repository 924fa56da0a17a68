"""What suggestions make of a document: replaced causes, and the imports that they need."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..model.locations import Span
from ..report.report import Finding
from .documents import Document


class Replacement(NamedTuple):
    """A text that takes the place of a part of a document, which may be empty.

    Attributes:
        span: that part: lines and columns in characters, both from 0.
        text: what stands there then.
    """

    span: Span
    text: str


def fixes(document: Document, findings: Iterable[Finding]) -> list[Replacement]:
    """Return what applies the suggestions for some findings at once, as far as they are apart.

    There is none for a line that has changed since, and none that needs an import in a document
    that is not Python now. Of causes inside of each other, the inner one is replaced.
    """
    chosen: dict[Span, Finding] = {}
    for finding in sorted(findings, key=lambda f: (f.span[2] - f.span[0], len(f.text))):
        where = document.find(finding.span) if finding.suggestion else None
        if where is None or where.is_stale:
            continue
        if all(where.span[2:] <= s[:2] or s[2:] <= where.span[:2] for s in chosen):
            chosen[where.span] = finding
    tree = _parsed(document.text) if any(f.needs for f in chosen.values()) else None
    if tree is None:
        chosen = {span: f for span, f in chosen.items() if not f.needs}
    imports = dict.fromkeys(f.needs for f in chosen.values() if f.needs)
    missing = [line for line in imports if tree is not None and not _is_there(tree, line)]
    replaced = [Replacement(span, f.suggestion) for span, f in sorted(chosen.items())]
    if tree is not None and missing:
        replaced.insert(0, _imported(tree, document.lines, missing))
    return [r._replace(text=r.text.replace("\n", document.line_break)) for r in replaced]


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_there(tree: ast.Module, line: str) -> bool:
    aliases = [alias for n in tree.body if isinstance(n, ast.Import) for alias in n.names]
    return line in {f"import {ast.unparse(alias)}" for alias in aliases}


def _imported(tree: ast.Module, lines: Sequence[str], missing: Sequence[str]) -> Replacement:
    """Return what imports modules: after the first imports, or before all that is no docstring."""
    previous = tree.body[0] if ast.get_docstring(tree, clean=False) is not None else None
    body = tree.body[previous is not None :]
    while body and isinstance(body[0], (ast.Import, ast.ImportFrom)):
        previous, *body = body
    following = body[0] if body else None
    if previous and following and previous.end_lineno == following.lineno:  # after a semicolon
        at = _character(lines, following.lineno, following.col_offset)
        return Replacement((*at, *at), "".join(f"{line}; " for line in missing))
    text = "".join(f"{line}\n" for line in missing)
    if previous is not None:
        line = previous.end_lineno or previous.lineno
        if line < len(lines):
            return Replacement((line, 0, line, 0), text)
        at = line - 1, len(lines[-1])
        return Replacement((*at, *at), f"\n{text}")
    decorators = getattr(following, "decorator_list", [])
    line = min([n.lineno for n in (following, *decorators) if n is not None], default=1) - 1
    return Replacement((line, 0, line, 0), text)


def _character(lines: Sequence[str], line: int, byte: int) -> tuple[int, int]:
    text = lines[line - 1].encode()[:byte].decode(errors="replace")
    return line - 1, len(text)
