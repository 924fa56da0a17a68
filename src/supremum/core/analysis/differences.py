"""The pairs in which two rules differ."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, Final, NamedTuple, overload

from .. import losses
from ..display import displayed
from ..dtypes import WEAK, DType, dtype, in_order
from ..errors import PromotionError, RulesError, listed, short
from ..evaluation.expression import explain_expression
from ..evaluation.names import free_names
from ..evaluation.record import first_parting
from ..functions import function
from ..operands import Operand, operand
from ..system import PromotionSystem
from ..systems import spelled, system
from ..table import Table
from .compare import ask, explained, shown


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


@displayed
class Diff:
    """The pairs in which two rules differ, over the dtypes that both have.

    Attributes:
        first: the first rules.
        second: the second rules.
        operands: the operands that were asked about, in every ordered pair.
        cells: the pairs that differ, those of common dtypes first.
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

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    @overload
    def __getitem__(self, at: int) -> Cell: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Cell, ...]: ...
    def __getitem__(self, at: int | slice) -> Cell | tuple[Cell, ...]:
        return self.cells[at]

    @property
    def names(self) -> tuple[str, str]:
        """What the two rules are called: with their setting, if both have one name."""
        return _names(self.first, self.second)

    def grouped(self) -> dict[str, list[Cell]]:
        """Return the cells by reason, the commonest first."""
        return _grouped(self.cells)

    @property
    def common(self) -> tuple[Cell, ...]:
        """The cells of common dtypes alone, which are neither float8 nor narrower than 8 bits."""
        narrow = {x.text for x in self.operands if not x.dtype.is_common}
        return tuple(c for c in self.cells if not narrow & {c.left, c.right})

    def table(self) -> Table[DType]:
        """Return the second rules' table, without 0-d arrays, with the differences marked."""
        own = {op.text: op.dtype for op in self.operands if not op.text.endswith("[]")}
        answers: dict[tuple[DType, DType], DType] = {}
        for a, b in product(own.values(), repeat=2) if self.count == 2 else ():
            answer = ask(self.second, self.op, self.expr, _written(a, 1), _written(b, 1))
            if answer is not None:
                answers[a, b] = answer
        shown = [c for c in self.cells if {c.left, c.right} <= own.keys()]
        marked = [(own[c.left], own[c.right]) for c in shown]
        return Table((*own.values(), *answers.values()), answers, marked).only(own.values())

    def to_dict(self) -> dict[str, Any]:
        """Return the differences as plain lists and strings, as ``--format json`` prints them."""
        first, second = self.names
        return {
            "first": first,
            "second": second,
            "labels": [self.first.label, self.second.label],
            "op": self.op,
            "expr": self.expr,
            "asked": len(self.operands) ** self.count,
            "differences": [
                {
                    "operands": [text for text in (c.left, c.right) if text],
                    first: c.first and c.first.name,
                    second: c.second and c.second.name,
                    "reason": c.reason,
                }
                for c in self.cells
            ],
        }

    @property
    def summary(self) -> str:
        """How many pairs differ, and how many of each reason."""
        asked = len(self.operands) ** self.count
        what = ("expressions", "dtypes", "pairs")[self.count]
        both = f"{_called(self.first)} and {_called(self.second)}"
        lines = [f"{both} differ in {len(self.cells)} of {asked} {what}"]
        common = _grouped(self.common)
        for reason, cells in self.grouped().items():
            own = len(common.get(reason, ()))
            aside = "" if own == len(cells) else f", {own} of common dtypes"
            lines.append(f"  {reason}: {len(cells)}{aside}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        first, second = self.names
        return f"<Diff of {first} and {second}: {len(self.cells)} differences>"

    def __str__(self) -> str:
        cells = self.common or self.cells
        lines = [self.summary.partition("\n")[0]]
        pairs = {c: f"{c.left} with {c.right}" if c.right else c.left for c in cells}
        first = max([len(pair) for pair in pairs.values()], default=0) + 2
        names = self.names
        second = max([len(names[0]), *(len(shown(c.first)) for c in cells)]) + 2
        if cells:
            lines += ["", f"    {'':<{first}}{names[0]:<{second}}{names[1]}"]
        for reason, group in _grouped(cells).items():
            lines.append(f"  {reason}: {len(group)}")
            for c in sorted(group, key=_is_scalar)[:_MOST]:
                answers = f"{shown(c.first):<{second}}{shown(c.second)}"
                lines.append(f"    {pairs[c]:<{first}}{answers}")
            if len(group) > _MOST:
                lines.append(f"    and {len(group) - _MOST} more")
        if any(text.endswith("[]") for c in cells for text in (c.left, c.right)):
            lines += ["", "int8[] is a scalar, or an array without dimensions, of int8."]
        if left := len(self.cells) - len(cells):
            how = f"supremum diff {spelled(self.first)} {spelled(self.second)} int4 int8"
            lines += ["", f"With rare dtypes: {left} more; name dtypes to see them, as in {how}"]
        return "\n".join(lines)


_MOST: Final = 8  # pairs of a group that are printed


def _is_scalar(cell: Cell) -> bool:
    """Return whether an operand of a cell is a Python number or a 0-d array."""
    return any(text.endswith(("[]", "*")) for text in (cell.left, cell.right))


def _grouped(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    found: dict[str, list[Cell]] = {}
    for cell in cells:
        found.setdefault(cell.reason, []).append(cell)
    return dict(sorted(found.items(), key=lambda group: -len(group[1])))


def _called(rules: PromotionSystem) -> str:
    return f"{rules.name} ({rules.label})" if rules.label else rules.name


def _names(a: PromotionSystem, b: PromotionSystem) -> tuple[str, str]:
    return (a.name, b.name) if a.name != b.name else (_called(a), _called(b))


def diff(
    first: str | PromotionSystem,
    second: str | PromotionSystem,
    *dtypes: Any,
    op: str | None = None,
    expr: str = "",
) -> Diff:
    """Return the ordered pairs in which two rules differ, of all that both can be asked.

    That is the dtypes that both have, as arrays with dimensions; as 0-d arrays, if either looks
    at that; and Python scalars, if both take them.

    Args:
        first: rules or their name.
        second: others.
        dtypes: the dtypes to ask about; by default all that both have.
        op: a function, to compare what it gives.
        expr: an expression of one or two operands, such as ``"x.mean() * y"``, to compare that.

    Raises:
        RulesError: for unknown rules or functions, and for rules that have no dtype in common.
        ExpressionError: if it is not an expression.

    >>> diff("jax", "jax-original").cells
    ()
    >>> diff("jax", "jep9407-option2").grouped()["wider in jep9407-option2"][0][:2]
    ('uint16', 'float16')
    """
    a, b = system(first), system(second)
    _check_question(op, expr)
    operands = _common_operands(a, b, dtypes)
    found = Diff(a, b, operands, (), op=op, expr=expr)
    if found.count > 2:
        what = f"{expr!r} has {found.count} operands of its own; compare one with two at most"
        raise RulesError(what, expr)
    if expr:
        with suppress(PromotionError):  # is it an expression, whatever it is of?
            explain_expression(expr, a, dict.fromkeys(free_names(expr), 1.0))

    def answer(rules: PromotionSystem, *operands: Operand) -> DType | None:
        return ask(rules, op, expr, *operands)

    cells = []
    for asked in product(operands, repeat=found.count):
        answers = answer(a, *asked), answer(b, *asked)
        if answers[0] is not answers[1]:
            left, right = (*(x.text for x in asked), "", "")[:2]
            found_by = zip((a, b), answers, strict=True)
            lacks = "by value" if _by_value(found_by, asked, answer) else "refused"
            reason = _reason(*_names(a, b), *answers, lacks) + _where(a, b, expr, asked)
            cells.append(Cell(left, right, *answers, reason))
    narrow = {x.text for x in operands if not x.dtype.is_common}
    cells.sort(key=lambda cell: bool(narrow & {cell.left, cell.right}))
    return Diff(a, b, operands, cells, op=op, expr=expr)


def _check_question(op: Any, expr: Any) -> None:
    """Refuse what is neither a function nor an expression, and both at once."""
    if op is not None and not (isinstance(op, str) and op):
        raise RulesError(f"op is the name of a function, not {short(op)}", op)
    if not isinstance(expr, str):
        raise RulesError(f"expr is a string such as 'x.mean() * y', not {short(expr)}", expr)
    if op is not None and expr:
        raise RulesError("op and expr ask two questions; give one of them", op)


def _common_operands(
    a: PromotionSystem, b: PromotionSystem, dtypes: Sequence[Any]
) -> list[Operand]:
    """Return what both rules can be asked about, of some dtypes or of all."""
    weak = set(WEAK.values())
    common = {*a.dtypes} & {*b.dtypes} - weak
    chosen = {*map(dtype, dtypes)} or common | weak
    if unknown := chosen - common - weak:
        what = f"{a.name} and {b.name} do not both have {listed(sorted(map(str, unknown)))}"
        raise RulesError(what, (a.name, b.name))
    shared = in_order(common & chosen)
    scalars = [_written(d, 0) for d in in_order(weak & chosen)]
    scalars = [x for x in scalars if _takes(a, x) and _takes(b, x)]
    if not shared and not scalars:
        raise RulesError(f"{a.name} and {b.name} have no dtype in common", (a.name, b.name))
    looks_at_rank = any(rules.ranked or rules.valued for rules in (a, b))
    ranks = (1, 0) if looks_at_rank else (1,)
    return [_written(d, rank) for rank in ranks for d in shared] + scalars


def _where(a: PromotionSystem, b: PromotionSystem, expr: str, asked: Sequence[Operand]) -> str:
    """Say in which step of an expression two rules part first."""
    found = [explained(rules, expr, asked) for rules in (a, b)] if expr else []
    number = first_parting(found)
    first = next((x for x in found if x is not None), None)
    return f", from {first.steps[number].text} on" if first and number is not None else ""


def _by_value(
    found: Iterable[tuple[PromotionSystem, DType | None]],
    asked: Sequence[Operand],
    answers: Callable[..., DType | None],
) -> bool:
    """Return whether one of two rules has no answer since it looks at the value of a scalar."""
    zeros = [x._replace(value=0) if x.rank == 0 else x for x in asked]
    return any(r.valued and x is None and answers(r, *zeros) is not None for r, x in found)


def _is_unary(op: str | None) -> bool:
    known = function(op) if op else None
    return known is not None and known.operands == 1


def _written(d: DType, rank: int) -> Operand:
    if d.weak:
        value = {"int*": 1, "float*": 1.0, "complex*": 1j}[d.name]
        return operand(value)._replace(text=d.name)
    text = f"{d}[]" if rank == 0 else d.name
    return Operand(text, d, False, "array").ranked(rank)


def _takes(rules: PromotionSystem, scalar: Operand) -> bool:
    """Return whether rules have an answer for a Python number with some dtype of theirs."""
    own = [_written(d, 1) for d in rules.dtypes if not d.weak] or [scalar]
    return any(ask(rules, None, "", d, scalar) for d in own)


def _reason(first: str, second: str, a: DType | None, b: DType | None, lacks: str) -> str:
    if a is None or b is None:
        return f"{lacks} in {first if a is None else second}"
    if losses.widens([b], a):
        return f"wider in {first}"
    if losses.widens([a], b):
        return f"wider in {second}"
    if a.kind != b.kind:
        return f"{a.kind} in {first}, {b.kind} in {second}"
    return "as wide, but another format"
