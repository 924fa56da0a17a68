"""Rules side by side: the answers of all of them to one question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import Any, Final, NamedTuple

from ..deciding import other_setting, rules_as_said
from ..display import displayed
from ..dtypes import DType
from ..errors import (
    DTypeError,
    ExpressionError,
    PromotionError,
    RulesError,
    did_you_mean,
    listed,
    sentence,
    short,
)
from ..evaluation.expression import explain_expression
from ..evaluation.names import free_names
from ..evaluation.record import ExpressionExplanation, first_parting
from ..evaluation.text import expression_of, read
from ..libraries import libraries
from ..operands import Operand, operand
from ..system import PromotionSystem
from ..systems import rules_not_dtype, spelled, system
from ..table import REFUSED

_FEW: Final = 4  # answers that need no summary


def compared_libraries() -> tuple[str, ...]:
    """Return the rules of libraries, which `compare` asks unless others are named."""
    return tuple(name for name, library in libraries().items() if library.compared)


class Answer(NamedTuple):
    """What one set of rules makes of some operands.

    Attributes:
        system: the name of the rules.
        result: the answer, or None for a refusal.
        reason: why, in one sentence.
        odd: whether another answer is the commonest; none is odd if several are as common.
        covered: whether the rules have the function that is asked about; if not, nothing is known
            of the library.
    """

    system: str
    result: DType | None
    reason: str
    odd: bool
    covered: bool = True

    @property
    def text(self) -> str:
        """The answer as it is printed."""
        return shown(self.result) if self.covered else "not covered"


@displayed
class Comparison(tuple[Answer, ...]):  # noqa: SLOT001  # a tuple takes no slots of its own
    """The answers of several rules to one question; printing it shows a line for each.

    Attributes:
        parting: the first step of an expression in which they part, in words, or ``""``.
    """

    parting: str = ""

    def __getitem__(self, key: Any) -> Any:
        """Return the answer of rules by their name, or by its place.

        >>> compare("int32", "float32", systems=["numpy", "jax"])["numpy"].result
        supremum.dtype('float64')
        """
        if not isinstance(key, str):
            return super().__getitem__(key)
        if (found := next((a for a in self if a.system == key), None)) is not None:
            return found
        names = [a.system for a in self]
        hint, close = did_you_mean(key, names)
        raise RulesError(f"{key!r} was not asked{hint or f'; {listed(names)} were'}", key, close)

    def keys(self) -> tuple[str, ...]:
        """Return the names of the rules, so that ``dict`` has their answers by them.

        >>> dict(compare("int32", "float32", systems=["numpy"]))["numpy"].result
        supremum.dtype('float64')
        """
        return tuple(answer.system for answer in self)

    def items(self) -> tuple[tuple[str, Answer], ...]:
        """Return the names of the rules, each with its answer."""
        return tuple((answer.system, answer) for answer in self)

    def values(self) -> tuple[Answer, ...]:
        """Return the answers."""
        return tuple(self)

    def __repr__(self) -> str:
        answers = ", ".join(f"{a.text} in {a.system}" for a in self[:3])
        more = f" and {len(self) - 3} more" if len(self) > 3 else ""
        return f"<Comparison: {answers}{more}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the answers as plain lists and strings, as ``--format json`` prints them."""
        answers = [{**a._asdict(), "result": a.result and a.result.name} for a in self]
        return {"answers": answers, "parting": self.parting}

    def __str__(self) -> str:
        width = max(len(answer.system) for answer in self) + 2
        results = max(12, *(len(answer.text) + 1 for answer in self))
        lines = [
            f"{'*' if a.odd else ' '} {a.system:<{width}}{a.text:<{results}}{a.reason}"
            for a in self
        ]
        return "\n".join([*lines, *(["", last] if (last := self.parting or self.summary) else [])])

    @property
    def summary(self) -> str:
        """How many rules give each answer, the commonest first; ``""`` if a glance says it."""
        if len(self) <= _FEW:
            return ""
        counts = Counter(a.text for a in self if a.result is not None)
        given = [f"{n} {'gives' if n == 1 else 'give'} {d}" for d, n in counts.most_common()]
        refused = sum(a.result is None and a.covered for a in self)
        if refused:
            given.append(f"{refused} {'refuses' if refused == 1 else 'refuse'}")
        return f"{listed(given)}."


def compare(
    *operands: Any,
    systems: Iterable[str | PromotionSystem] | str | PromotionSystem | None = None,
    op: str | None = None,
    **given: Any,
) -> Comparison:
    """Return what several rules make of some operands, and why.

    Args:
        operands: what `result_type` takes; or one string, an expression.
        systems: the rules; by default those of every library.
        op: a function, as in `result_type`.
        given: the operands that an expression has names for.

    >>> [answer.result.name for answer in compare("int32", "float32", systems=["numpy", "jax"])]
    ['float64', 'float32']
    """
    if isinstance(systems, (str, PromotionSystem)):
        systems = [systems]
    if "system" in given or not isinstance(systems, (Iterable, NoneType)):
        named = short(given.get("system", systems))
        raise RulesError(f"compare takes systems=, a list of rules or their names, not {named}")
    chosen = [*map(system, compared_libraries() if systems is None else systems)]
    if systems is None:  # in the settings of this program
        chosen = [*map(rules_as_said, chosen)]
    if not chosen:
        raise RulesError("no rules to compare; name one or more", systems)
    text = expression_of(operands, op, given)
    if text is not None:
        return _compare_expression(read(text, given).text, chosen, given)
    asked = _operands(operands)
    if not asked and op is None:
        chosen[0].explain()  # which says that there must be one
    answers = [_answer(rules, asked, op) for rules in chosen]
    if len({rules.name for rules in chosen}) < len(chosen):  # in several settings
        answers = list(map(_spelled_out, answers, chosen))
    if not any(answer.covered for answer in answers):
        chosen[0].explain(*asked, op=op)  # which says why nobody has an answer
    return Comparison(_marked(answers))


def _operands(given: Sequence[Any]) -> list[Operand]:
    """Return what is compared, or say where rules are named if their names are among it."""
    try:
        return [operand(x) for x in given]
    except DTypeError as error:
        if not (why := rules_not_dtype(error.given)):
            raise
        hint = f"systems={[*filter(rules_not_dtype, given)]!r} names the rules that are compared"
        what = f"{why}; {hint}, and supremum.diff shows two side by side"
        raise DTypeError(what, error.given) from None


def _answer(rules: PromotionSystem, asked: Sequence[Operand], op: str | None) -> Answer:
    """Return what one set of rules makes of some operands."""
    try:
        explanation = rules.explain(*asked, op=op)
    except (PromotionError, RulesError) as error:
        return _refused(rules, error)
    applied = explanation.applied.why if explanation.applied else ""
    reason = applied or explanation.settled.why or explanation.reason
    note = sentence(explanation.note)
    other = other_setting(rules, explanation.result, lambda r: r.explain(*asked, op=op).result)
    reason = _together(reason, note, other)
    return Answer(rules.name, explanation.result, reason, odd=False)


def _spelled_out(answer: Answer, rules: PromotionSystem) -> Answer:
    return answer._replace(system=spelled(rules))


def _together(*remarks: str) -> str:
    return " ".join(filter(None, remarks))


def _refused(rules: PromotionSystem, error: Exception) -> Answer:
    reason, covered = str(error).partition("\n")[0], isinstance(error, PromotionError)
    if covered:
        reason = reason.partition(": ")[2]
    return Answer(rules.name, None, reason, odd=False, covered=covered)


def _marked(answers: Sequence[Answer]) -> list[Answer]:
    """Return answers, the odd ones marked."""
    first, *others = Counter(a.result for a in answers if a.covered).most_common(2)
    if others and others[0][1] == first[1]:
        return [*answers]
    return [a._replace(odd=a.covered and a.result is not first[0]) for a in answers]


def _compare_expression(
    text: str, chosen: Sequence[PromotionSystem], given: Mapping[str, Any]
) -> Comparison:
    answers: list[Answer] = []
    found: list[ExpressionExplanation] = []
    for rules in chosen:
        try:
            explanation = explain_expression(text, rules, given)
        except (PromotionError, ExpressionError) as error:
            answers.append(_refused(rules, error))
        else:
            found.append(explanation)
            widest = [step for step in explanation.steps if step.losses]
            reason = f"{widest[0].text}: {widest[0].losses[0]}" if widest else ""
            reason = _together(reason, *(step.aside for step in explanation.steps))
            other = other_setting(
                rules, explanation.result, lambda r: explain_expression(text, r, given).result
            )
            reason = _together(reason, other)
            answers.append(Answer(rules.name, explanation.result, reason, odd=False))
    if not any(answer.covered for answer in answers):
        explain_expression(text, chosen[0], given)  # which says why nobody has an answer
    comparison = Comparison(_marked(answers))
    comparison.parting = _parting(found)
    return comparison


def _parting(found: Sequence[ExpressionExplanation]) -> str:
    """Say which step is the first in which some answers differ, and how."""
    number = first_parting(found)
    if number is None:
        return ""
    groups: dict[str, list[str]] = {}
    for answer in found:
        if number < len(answer.steps):
            groups.setdefault(answer.steps[number].result.dtype.name, []).append(answer.system)
    said = "; ".join(f"{d} in {listed(names)}" for d, names in groups.items())
    text = next(a.steps[number].text for a in found if number < len(a.steps))
    return f"They first differ at step {number + 1}, {text}: {said}."


def explained(
    rules: PromotionSystem, expr: str, operands: Sequence[Operand]
) -> ExpressionExplanation | None:
    """Return what an expression gives under some rules, or None if they refuse."""
    try:
        return explain_expression(expr, rules, dict(zip(free_names(expr), operands, strict=True)))
    except (PromotionError, ExpressionError):
        return None


def ask(rules: PromotionSystem, op: str | None, expr: str, *operands: Operand) -> DType | None:
    """Return what rules give for a function or an expression of operands, or None."""
    if expr:
        found = explained(rules, expr, operands)
        return found.result if found else None
    try:
        return rules.result_type(*operands, op=op) if op else rules.result_type(*operands)
    except PromotionError:
        return None


def shown(answer: DType | None) -> str:
    """Return how an answer is printed."""
    return REFUSED if answer is None else answer.name
