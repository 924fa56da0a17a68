"""Rules side by side: the pairs in which two of them differ, and the answers of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from . import losses
from .dtypes import WEAK, DType, in_order
from .errors import ExpressionError, PromotionError, RulesError, listed
from .expression_names import expression_of, free_names
from .expression_steps import ExpressionExplanation, first_parting
from .expression_text import read
from .expressions import explain_expression
from .functions import function
from .libraries import libraries
from .operands import Operand, operand
from .system import PromotionSystem
from .systems import system
from .table import REFUSED, Table


def compared_libraries() -> tuple[str, ...]:
    """Return the rules of libraries, which `compare` asks unless others are named."""
    return tuple(name for name, library in libraries().items() if library.compared)


class Cell(NamedTuple):
    """A pair that two rules answer differently.

    Attributes:
        left: the first operand as it is written: ``float32``, ``float32[]`` (0-d) or ``int*``.
        right: the second one, or ``""`` for an operator of one.
        first: the answer of the first rules, or None for a refusal.
        second: the answer of the second rules.
        reason: how they differ, as in ``"wider in numpy"``.
    """

    left: str
    right: str
    first: DType | None
    second: DType | None
    reason: str


class Diff:
    """The pairs in which two rules differ, over the dtypes that both have.

    Attributes:
        first: the first rules.
        second: the second rules.
        operands: the operands that were asked about, in every ordered pair.
        cells: the pairs that differ.
        op: the operator that was asked about, or None for none.
        expr: the expression that was asked about, or ``""``.
        count: how many operands there are in a question.
    """

    def __init__(
        self,
        first: PromotionSystem,
        second: PromotionSystem,
        operands: Sequence[Operand],
        cells: Sequence[Cell],
        *,
        op: str | None,
        expr: str = "",
    ) -> None:
        self.first = first
        self.second = second
        self.operands = tuple(operands)
        self.cells = tuple(cells)
        self.op = op
        self.expr = expr
        self.count = len(free_names(expr)) if expr else 1 if _is_unary(op) else 2

    def grouped(self) -> dict[str, list[Cell]]:
        """Return the cells by reason, the commonest first."""
        count = Counter(cell.reason for cell in self.cells)
        return {r: [c for c in self.cells if c.reason == r] for r, _ in count.most_common()}

    def table(self) -> Table[DType]:
        """Return the second rules' table, without 0-d arrays, with the differences marked."""
        own = {op.text: op.dtype for op in self.operands if not op.text.endswith("[]")}
        answers: dict[tuple[DType, DType], DType] = {}
        for a, b in product(own.values(), repeat=2) if self.count == 2 else ():
            answer = _ask(self.second, self.op, self.expr, _written(a, 1), _written(b, 1))
            if answer is not None:
                answers[a, b] = answer
        shown = [c for c in self.cells if {c.left, c.right} <= own.keys()]
        marked = [(own[c.left], own[c.right]) for c in shown]
        return Table((*own.values(), *answers.values()), answers, marked).only(own.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the differences as plain lists and strings, as ``--format json`` prints them."""
        return {
            "first": self.first.name,
            "second": self.second.name,
            "op": self.op,
            "expr": self.expr,
            "asked": len(self.operands) ** self.count,
            "differences": [
                {
                    "operands": [text for text in (c.left, c.right) if text],
                    self.first.name: c.first and c.first.name,
                    self.second.name: c.second and c.second.name,
                    "reason": c.reason,
                }
                for c in self.cells
            ],
        }

    def __str__(self) -> str:
        asked = len(self.operands) ** self.count
        both = f"{self.first.name} and {self.second.name}"
        what = ("expressions", "dtypes", "pairs")[self.count]
        lines = [f"{both} differ in {len(self.cells)} of {asked} {what}"]
        for reason, cells in self.grouped().items():
            lines += ["", f"  {reason}: {len(cells)}"]
            for c in cells[:8]:
                pair = f"{c.left} with {c.right}" if c.right else c.left
                lines.append(f"    {pair:<27} {_shown(c.first):<13} {_shown(c.second)}")
            if len(cells) > 8:
                lines.append(f"    and {len(cells) - 8} more")
        return "\n".join(lines)


def diff(
    first: str | PromotionSystem,
    second: str | PromotionSystem,
    *,
    op: str | None = None,
    expr: str = "",
) -> Diff:
    """Return the ordered pairs in which two rules differ, of all that both can be asked.

    That is the dtypes that both have, as arrays with dimensions; as 0-d arrays, if either looks
    at that; and Python scalars, if both take them.

    Args:
        first: rules or their name.
        second: others.
        op: a function, to compare what it gives.
        expr: an expression of one or two operands, such as ``"x.mean() * y"``, to compare that.

    Raises:
        RulesError: for unknown rules or functions, and for rules that have no dtype in common.
        ExpressionError: if the expression is none.

    >>> diff("jax", "jax-original").cells
    ()
    >>> diff("jax", "jep9407-option2").grouped()["wider in jep9407-option2"][0][:2]
    ('uint16', 'float16')
    """
    a, b = system(first), system(second)
    shared = in_order(d for d in set(a.dtypes) & set(b.dtypes) if not d.weak)
    scalars = [_written(d, 0) for d in WEAK.values()]
    scalars = [x for x in scalars if all(_takes(rules, x) for rules in (a, b))]
    if not shared and not scalars:
        raise RulesError(f"{a.name} and {b.name} have no dtype in common", (a.name, b.name))
    ranks = (1, 0) if (a.ranked or a.valued or b.ranked or b.valued) else (1,)
    operands = [_written(d, rank) for rank in ranks for d in shared] + scalars
    found = Diff(a, b, operands, (), op=op, expr=expr)
    if found.count > 2:
        what = f"{expr!r} has {found.count} operands of its own; compare one with two at most"
        raise RulesError(what, expr)
    if expr:
        explain_expression(expr, a, dict.fromkeys(free_names(expr), 1.0))  # is it an expression?
    cells = []
    for asked in product(operands, repeat=found.count):
        answers = _ask(a, op, expr, *asked), _ask(b, op, expr, *asked)
        if answers[0] is not answers[1]:
            left, right = (*(x.text for x in asked), "", "")[:2]
            reason = _reason(a.name, b.name, *answers) + _where(a, b, expr, asked)
            cells.append(Cell(left, right, *answers, reason))
    return Diff(a, b, operands, cells, op=op, expr=expr)


def _where(a: PromotionSystem, b: PromotionSystem, expr: str, asked: Sequence[Operand]) -> str:
    """Say in which step of an expression two rules part first."""
    found = [_explained(rules, expr, asked) for rules in (a, b)] if expr else []
    number = first_parting(found)
    first = next((x for x in found if x is not None), None)
    return f", from {first.steps[number].text} on" if first and number is not None else ""


class Answer(NamedTuple):
    """What one set of rules makes of some operands.

    Attributes:
        system: the name of the rules.
        result: the answer, or None for a refusal.
        reason: why, in one sentence.
        odd: whether other answers are commoner.
    """

    system: str
    result: DType | None
    reason: str
    odd: bool


class Comparison(tuple[Answer, ...]):  # noqa: SLOT001  # a tuple takes no slots of its own
    """The answers of several rules to one question; printing it shows a line for each.

    Attributes:
        parting: the first step of an expression in which they part, in words, or ``""``.
    """

    parting: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the answers as plain lists and strings, as ``--format json`` prints them."""
        answers = [{**a._asdict(), "result": a.result and a.result.name} for a in self]
        return {"answers": answers, "parting": self.parting}

    def __str__(self) -> str:
        width = max(len(answer.system) for answer in self) + 2
        lines = [
            f"{'*' if a.odd else ' '} {a.system:<{width}}{_shown(a.result):<12}{a.reason}"
            for a in self
        ]
        return "\n".join([*lines, *(["", self.parting] if self.parting else [])])


def compare(
    *operands: Any,
    systems: Iterable[str | PromotionSystem] | None = None,
    op: str | None = None,
    **given: Any,
) -> Comparison:
    """Return what several rules make of some operands, and why.

    Args:
        operands: what `result_type` takes; or one text, an expression.
        systems: the rules; by default those of every library.
        op: a function, as in `result_type`.
        given: the operands that an expression has names for.

    >>> [answer.result.name for answer in compare("int32", "float32", systems=["numpy", "jax"])]
    ['float64', 'float32']
    """
    chosen = [*map(system, compared_libraries() if systems is None else systems)]
    if not chosen:
        raise RulesError("no rules to compare; name one or more", systems)
    text = expression_of(operands, op, given)
    if text is not None:
        return _compare_expression(read(text, given).text, chosen, given)
    asked = [operand(x) for x in operands]
    answers: list[tuple[str, DType | None, str]] = []
    for rules in chosen:
        try:
            explanation = rules.explain(*asked, op=op)
        except (PromotionError, RulesError) as error:
            answers.append((rules.name, None, _short(error)))
        else:
            applied = explanation.applied.why if explanation.applied else ""
            reason = applied or explanation.settled.why or explanation.reason
            answers.append((rules.name, explanation.result, reason))
    return Comparison(_marked(answers))


def _marked(answers: Sequence[tuple[str, DType | None, str]]) -> list[Answer]:
    """Return answers, the odd ones marked."""
    commonest = Counter(result for _, result, _ in answers).most_common(1)[0][0]
    return [Answer(*answer, answer[1] is not commonest) for answer in answers]


def _short(error: Exception) -> str:
    first = str(error).partition("\n")[0]
    return first.partition(": ")[2] if isinstance(error, PromotionError) else first


def _compare_expression(
    text: str, chosen: Sequence[PromotionSystem], given: Mapping[str, Any]
) -> Comparison:
    answers: list[tuple[str, DType | None, str]] = []
    found: list[ExpressionExplanation] = []
    for rules in chosen:
        try:
            explanation = explain_expression(text, rules, given)
        except (PromotionError, ExpressionError) as error:
            answers.append((rules.name, None, _short(error)))
        else:
            found.append(explanation)
            widest = [step for step in explanation.steps if step.losses]
            reason = f"{widest[0].text}: {widest[0].losses[0]}" if widest else ""
            answers.append((rules.name, explanation.result, reason))
    if not found:
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
    return f"They part at step {number + 1}, {text}: {said}."


def _is_unary(op: str | None) -> bool:
    known = function(op) if op else None
    return known is not None and known.operands == 1


def _written(d: DType, rank: int) -> Operand:
    if d.weak:
        value = {"int*": 1, "float*": 1.0, "complex*": 1j}[d.name]
        return operand(value)._replace(text=d.name)
    text = f"{d}[]" if rank == 0 else d.name
    return Operand(text, d, False, "array", rank=rank)


def _takes(rules: PromotionSystem, scalar: Operand) -> bool:
    """Tell whether rules have an answer for a Python number beside some dtype of theirs."""
    own = [_written(d, 1) for d in rules.dtypes if not d.weak] or [scalar]
    return any(_ask(rules, None, "", d, scalar) for d in own)


def _explained(
    rules: PromotionSystem, expr: str, operands: Sequence[Operand]
) -> ExpressionExplanation | None:
    try:
        return explain_expression(expr, rules, dict(zip(free_names(expr), operands, strict=True)))
    except (PromotionError, ExpressionError):
        return None


def _ask(rules: PromotionSystem, op: str | None, expr: str, *operands: Operand) -> DType | None:
    if expr:
        explained = _explained(rules, expr, operands)
        return explained.result if explained else None
    try:
        return rules.result_type(*operands, op=op) if op else rules.result_type(*operands)
    except PromotionError:
        return None


def _reason(first: str, second: str, a: DType | None, b: DType | None) -> str:
    if a is None or b is None:
        return f"refused in {first if a is None else second}"
    if losses.widens([b], a):
        return f"wider in {first}"
    if losses.widens([a], b):
        return f"wider in {second}"
    if a.kind != b.kind:
        return f"{a.kind} in {first}, {b.kind} in {second}"
    return "as wide, but another format"


def _shown(answer: DType | None) -> str:
    return REFUSED if answer is None else answer.name
