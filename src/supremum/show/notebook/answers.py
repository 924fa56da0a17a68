"""Explanations and comparisons, as a notebook shows them: the steps as a small tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Final

from ...core.analysis.compare import Comparison
from ...core.dtypes import DType
from ...core.errors import sentence
from ...core.evaluation.record import ExpressionExplanation, ExpressionStep
from ...core.explanation import Explanation
from .elements import WARN, badge, chip, code, grid, heading, note, page, tree


def _result(d: DType, *, weak: bool) -> str:
    return chip(d, f"{d}, weak" if weak and not d.weak else "")


def _explanation(why: Explanation) -> str:
    branches = []
    for taken, path in zip(why.classified, why.paths, strict=True):
        way = " → ".join(map(chip, path))
        branches.append(f"<code>{escape(taken.operand.text)}</code> {escape(taken.why)}: {way}")
    applied = why.applied.why if why.applied else ""
    notes = [why.reason, *filter(None, [why.settled.why, applied, sentence(why.note)])]
    result = _result(why.result, weak=why.weak)
    return page(
        heading(_question(why), _rules(why), before=result),
        tree(branches),
        *map(note, notes),
        *(note(what, colour=WARN) for what in [*why.losses, *why.remarks]),
    )


def _rules(why: Explanation | ExpressionExplanation) -> str:
    return f"{why.system} rules, {why.label}" if why.label else f"{why.system} rules"


def _question(why: Explanation) -> str:
    operands = ", ".join(operand.text for operand in why.operands)
    return f"{why.applied.name}({operands})" if why.applied else operands


def _expression(why: ExpressionExplanation) -> str:
    results = " ".join(_result(x.dtype, weak=x.weak) for x in why.results)
    head = heading(why.text, _rules(why), before=results)
    return page(head, tree(_branches(why.steps, why.system)))


def _branches(steps: Sequence[ExpressionStep], system: str) -> list[str]:
    """Return the last of some steps, and those before it that no other has inside."""
    branches: list[str] = []
    while steps:
        *before, step = steps
        inside = [s for s in before if _is_inside(s, step)]
        who = f"{step.system}: " if step.system not in (system, "") else ""
        result = _result(step.result.dtype, weak=step.result.weak)
        own = f"<code>{escape(step.text)}</code> gives {result}. "
        lost = "".join(note(what, colour=WARN) for what in [*step.losses, *step.remarks])
        of = tree(_branches(inside, system))
        branches.insert(0, f"{own}{escape(who + step.why)}{lost}{of}")
        steps = [s for s in before if not _is_inside(s, step)]
    return branches


def _is_inside(inner: ExpressionStep, outer: ExpressionStep) -> bool:
    ends = inner.start + len(inner.text), outer.start + len(outer.text)
    return outer.start <= inner.start and ends[0] <= ends[1]


def _comparison(found: Comparison) -> str:
    rows = []
    for answer in found:
        odd = badge("differs", good=False) if answer.odd else ""
        refused = "refused" if answer.covered else answer.text
        result = chip(answer.result) if answer.result else f"<em>{refused}</em>"
        rows.append([escape(answer.system), result, odd, escape(answer.reason)])
    parting = code(found.parting) if found.parting else ""
    count = sum(answer.odd for answer in found)
    covered = [answer.result for answer in found if answer.covered]
    agreed = "all agree" if len(set(covered)) == 1 else "no answer is the commonest"
    aside = f"{count} of {len(covered)} differ from most" if count else agreed
    return page(heading("Every library's answer", aside), grid(_COLUMNS, rows), parting)


_COLUMNS: Final = ("rules", "result", "", "why")

SHOWN: Final[Mapping[type, Callable[[Any], str]]] = {
    Explanation: _explanation,
    ExpressionExplanation: _expression,
    Comparison: _comparison,
}
"""What is shown here, each with the function that gives its HTML."""
