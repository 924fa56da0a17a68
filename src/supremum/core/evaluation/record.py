"""The record of an expression: each of its steps, and how it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..display import displayed
from ..dtypes import DType
from ..explanation import Explanation
from ..operands import Operand


class ExpressionStep(NamedTuple):
    """One step of an expression.

    Attributes:
        text: the part of the expression.
        start: where it begins in the text.
        system: the rules that decide.
        function: what is computed, as the catalogue calls it, or ``"astype"``.
        operands: what it is computed of.
        result: what results.
        note: what is to be said of it besides what the rules say, if they decided.
        explanation: the whole explanation, if rules decided.
        aside: what else is often overlooked here.
    """

    text: str
    start: int
    system: str
    function: str
    operands: tuple[Operand, ...]
    result: Operand
    note: str
    explanation: Explanation | None
    aside: str = ""

    @property
    def why(self) -> str:
        """Why it gives what it gives, in one sentence or a few."""
        why = self.explanation
        if why is None:
            return self.note
        applied = why.applied.why if why.applied else ""
        first = why.reason if len(self.operands) > 1 else ""
        said = " ".join(filter(None, [first, why.settled.why, applied])) or why.reason
        return f"{self.note} {said}".strip()

    @property
    def losses(self) -> list[str]:
        """A sentence for each way in which values may not survive, or become wider."""
        return self.explanation.losses if self.explanation else []

    @property
    def remarks(self) -> list[str]:
        """A sentence for each thing that is often overlooked, such as numbers that wrap around."""
        own = self.explanation.remarks if self.explanation else []
        return [*own, self.aside] if self.aside else own


@displayed
class ExpressionExplanation(NamedTuple):
    """What an expression gives, step by step; printing it shows it as the command does.

    Attributes:
        text: the expression.
        system: the name of the rules.
        label: their setting in words.
        steps: the steps, in the order in which Python computes.
        results: what results: one operand, or several for a function with several results.

    >>> import supremum
    >>> supremum.explain("(int32[3] + 1.5) / uint8[3]", system="torch").result
    supremum.dtype('float32')
    """

    text: str
    system: str
    label: str
    steps: tuple[ExpressionStep, ...]
    results: tuple[Operand, ...]

    def __repr__(self) -> str:
        return f"<ExpressionExplanation: {self.result} of {self.text} under {self.system} rules>"

    @property
    def result(self) -> DType:
        """The dtype of the result, or of the first of several."""
        return self.results[0].dtype

    @property
    def dtype(self) -> DType:
        """The result, as arrays call it."""
        return self.result

    @property
    def weak(self) -> bool:
        """Whether the result goes on deferring to others."""
        return self.results[0].weak

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain lists and strings, as ``--format json`` prints it."""
        return {
            "expression": self.text,
            "result": self.result.name,
            "weak": self.weak,
            "results": [x.dtype.name for x in self.results],
            "system": self.system,
            "setting": self.label,
            "steps": [
                {
                    "text": step.text,
                    "start": step.start,
                    "system": step.system,
                    "function": step.function,
                    "operands": [x.text for x in step.operands],
                    "result": step.result.dtype.name,
                    "weak": step.result.weak,
                    "why": step.why,
                    "losses": step.losses,
                    "remarks": step.remarks,
                }
                for step in self.steps
            ],
        }

    def __str__(self) -> str:
        head = ", ".join(map(_shown, self.results))
        setting = f", {self.label}" if self.label else ""
        lines = [f"{head:<47}{self.system} rules{setting}", ""]
        width = max([len(step.text) for step in self.steps] + [10])
        for number, step in enumerate(self.steps, 1):
            who = f"{step.system}: " if step.system not in (self.system, "") else ""
            lines.append(
                f"  {number}  {step.text:<{width}}  {_shown(step.result):<16}{who}{step.why}"
            )
        for number, step in enumerate(self.steps, 1):
            if said := [*step.losses, *step.remarks]:
                marks = " " * step.start + "^" * len(step.text)
                lines += ["", f"  {self.text}", f"  {marks}"]
                lines += [f"  Step {number}: {what}" for what in said]
        return "\n".join(lines)


def first_parting(
    answers: Sequence[ExpressionExplanation | None],
) -> int | None:
    """Return the number of the first step in which some answers differ, counted from 0, or None.

    An answer that is None was refused, and says nothing of the steps before.
    """
    known = [answer for answer in answers if answer is not None]
    for number in range(max((len(answer.steps) for answer in known), default=0)):
        found = {a.steps[number].result.dtype for a in known if number < len(a.steps)}
        if len(found) > 1:
            return number
    return None


def _shown(x: Operand) -> str:
    return f"{x.dtype}, weak" if x.weak and not x.dtype.weak else x.dtype.name
