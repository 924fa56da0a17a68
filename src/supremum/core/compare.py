"""Rules side by side: the pairs in which two of them differ, and the answers of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

from . import losses
from .dtypes import WEAK, DType, in_order
from .errors import PromotionError, RulesError
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
    """

    def __init__(
        self,
        first: PromotionSystem,
        second: PromotionSystem,
        operands: Sequence[Operand],
        cells: Sequence[Cell],
        op: str | None,
    ) -> None:
        self.first = first
        self.second = second
        self.operands = tuple(operands)
        self.cells = tuple(cells)
        self.op = op

    def grouped(self) -> dict[str, list[Cell]]:
        """Return the cells by reason, the commonest first."""
        count = Counter(cell.reason for cell in self.cells)
        return {r: [c for c in self.cells if c.reason == r] for r, _ in count.most_common()}

    def table(self) -> Table[DType]:
        """Return the second rules' table, without 0-d arrays, with the differences marked."""
        own = {op.text: op.dtype for op in self.operands if not op.text.endswith("[]")}
        answers: dict[tuple[DType, DType], DType] = {}
        for a, b in product(own.values(), repeat=2) if not _is_unary(self.op) else ():
            answer = _ask(self.second, self.op, _written(a, 1), _written(b, 1))
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
            "asked": len(self.operands) ** (1 if _is_unary(self.op) else 2),
            "differences": [
                {
                    "operands": [c.left, c.right] if c.right else [c.left],
                    self.first.name: c.first and c.first.name,
                    self.second.name: c.second and c.second.name,
                    "reason": c.reason,
                }
                for c in self.cells
            ],
        }

    def __str__(self) -> str:
        unary = _is_unary(self.op)
        asked = len(self.operands) ** (1 if unary else 2)
        both = f"{self.first.name} and {self.second.name}"
        what = "dtypes" if unary else "pairs"
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
    first: str | PromotionSystem, second: str | PromotionSystem, *, op: str | None = None
) -> Diff:
    """Return the ordered pairs in which two rules differ, of all that both can be asked.

    That is the dtypes that both have, as arrays with dimensions; as 0-d arrays, if either looks
    at that; and Python scalars, if both take them.

    Args:
        first: rules or their name.
        second: others.
        op: an operator, to compare what it gives.

    Raises:
        RulesError: for unknown rules or operators, and for rules that have no dtype in common.

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
    cells = []
    for asked in product(operands, repeat=1 if _is_unary(op) else 2):
        answers = _ask(a, op, *asked), _ask(b, op, *asked)
        if answers[0] is not answers[1]:
            left, right = (*(x.text for x in asked), "")[:2]
            cells.append(Cell(left, right, *answers, _reason(a.name, b.name, *answers)))
    return Diff(a, b, operands, cells, op)


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


class Comparison(tuple[Answer, ...]):
    """The answers of several rules to one question; printing it shows a line for each."""

    __slots__ = ()

    def as_dict(self) -> dict[str, Any]:
        """Return the answers as plain lists and strings, as ``--format json`` prints them."""
        return {"answers": [{**a._asdict(), "result": a.result and a.result.name} for a in self]}

    def __str__(self) -> str:
        width = max(len(answer.system) for answer in self) + 2
        return "\n".join(
            f"{'*' if a.odd else ' '} {a.system:<{width}}{_shown(a.result):<12}{a.reason}"
            for a in self
        )


def compare(*operands: Any, systems: Iterable[str | PromotionSystem] | None = None) -> Comparison:
    """Return what several rules make of some operands, and why.

    Args:
        operands: what `result_type` takes.
        systems: the rules; by default those of every library.

    >>> [answer.result.name for answer in compare("int32", "float32", systems=["numpy", "jax"])]
    ['float64', 'float32']
    """
    read = [operand(x) for x in operands]
    answers: list[tuple[str, DType | None, str]] = []
    if systems is None:
        systems = compared_libraries()
    for rules in map(system, systems):
        try:
            explanation = rules.explain(*read)
        except PromotionError as error:
            answers.append((rules.name, None, str(error).partition(": ")[2]))
        else:
            reason = explanation.settled.why or explanation.reason
            answers.append((rules.name, explanation.result, reason))
    if not answers:
        raise RulesError("no rules to compare; name one or more", systems)
    commonest = Counter(result for _, result, _ in answers).most_common(1)[0][0]
    return Comparison(Answer(*answer, answer[1] is not commonest) for answer in answers)


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
    return any(_ask(rules, None, d, scalar) for d in own)


def _ask(rules: PromotionSystem, op: str | None, *operands: Operand) -> DType | None:
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
