"""Differences, laws and criteria, as a notebook shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final

from ...core.analysis.criteria import Criteria, Criterion
from ...core.analysis.differences import Cell, Diff
from ...core.analysis.laws import Law, Laws
from ...core.dtypes import DType
from .elements import badge, chip, code, fold, grid, heading, note, page
from .rules import table

_MOST: Final = 50  # rows of a group


def _answer(d: DType | None) -> str:
    return chip(d) if d is not None else "<em>refused</em>"


def _diff(found: Diff) -> str:
    summary, *_ = str(found).splitlines()
    asked = {"op": found.op or "", "expr": found.expr}
    aside = ", ".join(f"{name}={value}" for name, value in asked.items() if value)
    groups = [
        fold(f"{reason}: {len(cells)}", _cells(found, cells))
        for reason, cells in found.grouped().items()
    ]
    marked = found.table() if found.count == 2 else None
    caption = f"{found.names[1]}'s answers; those that differ have a frame"
    shown = fold("Table", table(marked, caption)) if marked is not None else ""
    return page(heading(summary, aside), *groups, shown)


def _cells(found: Diff, cells: Sequence[Cell]) -> str:
    rows = [
        [
            escape(f"{cell.left} with {cell.right}" if cell.right else cell.left),
            _answer(cell.first),
            _answer(cell.second),
        ]
        for cell in cells[:_MOST]
    ]
    names = map(escape, found.names)
    return grid(["operands", *names], rows) + note(_left_out(cells))


def _left_out(rows: Sequence[Any]) -> str:
    return f"and {len(rows) - _MOST} more" if len(rows) > _MOST else ""


def _verdict(law: Law) -> str:
    times = "time" if law.failures == 1 else "times"
    return badge("holds" if law.holds else f"fails {law.failures:,} {times}", good=law.holds)


def _law(law: Law) -> str:
    refused = f", {law.refused:,} refused" if law.refused else ""
    return page(
        heading(law.name, f"{law.cases:,} cases{refused}", after=_verdict(law)),
        note(law.says),
        code("\n".join(law.counterexample)) if law.counterexample else "",
    )


def _laws(found: Laws) -> str:
    rows = [
        [
            escape(law.name),
            escape(law.says),
            _verdict(law),
            f"{law.cases:,}",
            f"{law.refused:,}" if law.refused else "",
            "<br>".join(map(escape, law.counterexample)),
        ]
        for law in found.laws
    ]
    hold = "every law holds" if found.hold else "not every law holds"
    return page(heading(f"{found.system} rules: {hold}"), grid(_LAWS, rows))


_LAWS: Final = ("law", "says", "", "cases", "refused", "smallest counterexample")


def _criterion(criterion: Criterion) -> str:
    wish = "never" if criterion.strict else "avoid if possible"
    head = heading(f"{criterion.number}. {criterion.name}: {len(criterion.cases)} pairs", wish)
    return page(head, _pairs(criterion))


def _pairs(criterion: Criterion) -> str:
    shown = [f"{chip(a)} ∨ {chip(b)} = {chip(c)}" for a, b, c in criterion.cases[:_MOST]]
    return "<br>".join(filter(None, [*shown, _left_out(criterion.cases)]))


def _criteria(found: Criteria) -> str:
    broken = [law.name for law in found.lawful.laws if not law.holds]
    verdict = f"no: {', '.join(broken)}" if broken else "yes"
    rows = [["1", "lawful", badge(verdict, good=not broken), ""]]
    for criterion in found.counted:
        count = len(criterion.cases)
        good = not (criterion.strict and count)
        wish = "never" if criterion.strict else "avoid if possible"
        pairs = fold(f"{wish}; which", _pairs(criterion)) if count else wish
        number = escape(str(criterion.number))
        rows.append([number, escape(criterion.name), badge(str(count), good=good), pairs])
    answered = found.pairs - found.refused
    aside = f"{answered} of {found.pairs} pairs have an answer"
    return page(heading(f"{found.system} rules: five criteria", aside), grid(_CRITERIA, rows))


_CRITERIA: Final = ("", "criterion", "", "wish")

SHOWN: Final[Mapping[type, Callable[[Any], str]]] = {
    Diff: _diff,
    Law: _law,
    Laws: _laws,
    Criterion: _criterion,
    Criteria: _criteria,
}
"""What is shown here, each with the function that gives its HTML."""
