"""Explanations: the record of the steps that led to an answer, and how it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from . import losses
from .display import displayed
from .dtypes import DType
from .errors import listed, sentence
from .fold import Fold
from .lattice import Lattice
from .libraries import library_titled
from .operands import DEFAULT, Operand
from .steps import Applied, Classified, Join, Settled
from .table import Step, Table

_INTEGERS = ("unsigned", "signed")
_NOUNS = {
    "bool": "bool dtype", "unsigned": "integer", "signed": "integer", "float": "float",
    "complex": "complex",
}  # fmt: skip
_ALL = {2: "both", 3: "all three", 4: "all four", 5: "all five"}
_RANKS = {"bool": 0, "unsigned": 1, "signed": 1, "float": 2, "complex": 3}


@displayed
class Explanation(NamedTuple):
    """Why some operands give the dtype that they give: the three steps of promotion, recorded.

    Printing it shows it as the command does.

    Attributes:
        system: the name of the rules.
        title: the name of their library, or ``""``.
        setting: their options.
        label: the setting in words.
        classified: each operand with the node that it is treated as, and why (*classify*), in the
            order asked.
        join: the lattice, table or fold that joins them.
        steps: the steps of a table or a fold; a lattice takes none.
        node: the joined node (*join*).
        settled: what became of that node (*settle*).
        applied: what a function made of that, if a function was asked about.
        note: what operators give, if the library's differ from what it says of the dtypes.
        valued: whether the rules look at values.
        lost: what becomes of a Python int that the result does not hold, or ``""``.
        wraps: which common numbers wrap around in the result, or ``""``.

    >>> import supremum
    >>> why = supremum.explain("int16", 1)
    >>> why.result, why.weak, " → ".join(map(str, why.paths[1]))
    (supremum.dtype('int16'), False, 'int* → int8 → int16')
    """

    system: str
    title: str
    setting: Mapping[str, Any]
    label: str
    classified: tuple[Classified, ...]
    join: Join
    steps: tuple[Step[DType], ...]
    node: DType
    settled: Settled
    applied: Applied | None = None
    note: str = ""
    valued: bool = False
    lost: str = ""
    wraps: str = ""

    def __repr__(self) -> str:
        operands = ", ".join(op.text for op in self.operands)
        return f"<Explanation: {self.result} of {operands} under {self.system} rules>"

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands as they were read, in the order asked."""
        return tuple(t.operand for t in self.classified)

    @property
    def result(self) -> DType:
        """The resulting dtype."""
        return self.applied.dtype if self.applied else self.settled.dtype

    @property
    def dtype(self) -> DType:
        """The result, as arrays call it."""
        return self.result

    @property
    def weak(self) -> bool:
        """Whether the result goes on deferring to others, as a weakly typed array does."""
        return self.applied.weak if self.applied else self.settled.weak

    @property
    def paths(self) -> tuple[tuple[DType, ...], ...]:
        """For each operand, the dtypes on the way to the join; without a lattice, the two ends."""
        if isinstance(self.join, Lattice):
            return tuple(self.join.path(t.node, self.node) for t in self.classified)
        return tuple(tuple(dict.fromkeys((t.node, self.node))) for t in self.classified)

    @property
    def reason(self) -> str:
        """One sentence that says why the joined node is what it is."""
        if len(self.classified) == 1:
            return self._reason_of_one()
        if all(x.node is self.node for x in self.classified):
            same = all(op.dtype is self.node for op in self.operands)
            return f"All operands {'are' if same else 'count as'} {self.node}."
        nodes = list(dict.fromkeys(x.node for x in self.classified))
        if isinstance(self.join, Lattice):
            count = _ALL.get(len(self.classified), f"all {len(self.classified)}")
            remark = _remark(self.join, nodes, self.node)
            return f"{self.node} is the least dtype that {count} reach{remark}."
        steps = self.steps
        if len(steps) == 1 and {steps[0].left, steps[0].right} == {self.node} < {*nodes}:
            other = next(node for node in nodes if node is not self.node)  # left out in the steps
            steps = (steps[0]._replace(right=other),)
        reasons = [_step_reason(step, self.join, self.title) for step in steps]
        if len(reasons) == 1:
            return self._reason_of_step(steps[0], reasons[0])
        parts = [
            f"{step.left} and {step.right} give {step.result} ({why})"
            for step, why in zip(self.steps, reasons, strict=True)
        ]
        return f"Step by step: {', then '.join(dict.fromkeys(parts))}."

    def _reason_of_one(self) -> str:
        (only,) = self.operands
        if self.applied is not None and self.note:
            return f"Only {only.text} decides."
        if only.text == DEFAULT:
            return f"It has no operand with a dtype; {only.text} is {self.node}."
        if self.node.weak:
            return "Only one operand."
        kept = "its dtype is kept" if only.dtype is self.node else f"it counts as {self.node}"
        return f"Only one operand; {kept}."

    def _reason_of_step(self, step: Step[DType], why: str) -> str:
        """Return the reason of the only step as a sentence; a name at its start keeps its case."""
        if why.startswith("listed"):
            why = f"{step.left} and {step.right} give {step.result}, {why}"
        names = {*map(str, step), *(op.dtype.name for op in self.operands)}
        begins_with_name = why.partition(" ")[0].partition("[")[0] in names
        if begins_with_name or why.startswith(tuple(f"{op.text}," for op in self.operands)):
            return f"{why}."
        return sentence(why)

    @property
    def losses(self) -> list[str]:
        """A sentence for each way in which an operand's values may not survive."""
        # what rules take by its value is as narrow as that value
        sources = [
            t.node
            if self.valued and t.operand.value is not None and not t.node.weak
            else t.operand.dtype
            for t in self.classified
            if not t.operand.weak
            and not (t.operand.is_python and (t.node.weak or t.operand.dtype.kind == "bool"))
        ]
        # a function such as abs takes a part of the values on purpose, and loses none
        on_purpose = losses.dropped(self.settled.dtype, self.result)
        found = losses.describe(sources, self.settled.dtype if on_purpose else self.result)
        return [*filter(None, [sentence(self.lost)]), *found]

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain lists and strings, as ``--format json`` prints it."""
        return {
            "result": self.result.name,
            "weak": self.weak,
            "system": self.system,
            "setting": dict(self.setting),
            "label": self.label,
            "operands": [
                {
                    "operand": t.operand.text,
                    "dtype": t.operand.dtype.name,
                    "taken_as": t.node.name,
                    "why": t.why,
                    "path": [node.name for node in path],
                }
                for t, path in zip(self.classified, self.paths, strict=True)
            ],
            "node": self.node.name,
            "steps": [[str(x) for x in step] for step in self.steps],
            "reason": self.reason,
            "settled": self.settled.why,
            "function": self.applied and self.applied._asdict() | {"dtype": self.result.name},
            "aside": self.note,
            "losses": self.losses,
            "remarks": self.remarks,
        }

    @property
    def remarks(self) -> list[str]:
        """A sentence for each thing that is often overlooked, though the dtype is what was asked.

        >>> import supremum
        >>> supremum.explain("uint8", "uint8", op="subtract").remarks
        ['May wrap around: 0 - 1 is 255 in uint8.']
        """
        return [*filter(None, [sentence(self.wraps), self._own_name])]

    @property
    def _own_name(self) -> str:
        """A sentence on what the library calls the result, if an operand has a dtype of its own."""
        for x in self.operands:
            library = library_titled(x.library)
            if library.dtypes_as_text and x.text.partition("[")[0] in dict(library.read_as):
                own = {ours: name for name, ours in library.read_as}
                return f"{library.title} calls it {own.get(self.result.name, self.result)}."
        return ""

    def __str__(self) -> str:
        rows = [
            (t.operand.text, t.why, " → ".join(map(str, path)))
            for t, path in zip(self.classified, self.paths, strict=True)
        ]
        first, second = (max(len(row[i]) for row in rows) for i in (0, 1))
        first, second = max(first + 3, 10), max(second + 2, 23)
        head = f"{self.result:<{first + second + 14}}{self.system} rules"
        table = [f"  {a:<{first}}{b:<{second}}{c}" for a, b, c in rows]
        applied = self.applied.why if self.applied else ""
        more = filter(None, [self.settled.why, applied, sentence(self.note)])
        notes = [self.reason, *more, *self.losses, *self.remarks]
        return "\n".join([f"{head}, {self.label}" if self.label else head, "", *table, "", *notes])


def _remark(lattice: Lattice[DType], nodes: Sequence[DType], join: DType) -> str:
    """Return what is worth knowing of this join, read off the lattice itself."""
    for a, b in combinations(nodes, 2):
        if _are_apart(lattice, a, b):
            return f": neither {a} nor {b} is above the other"
    kinds, others = {n.kind for n in nodes}, {*nodes} - {join}
    if join.weak:
        return ""
    if join.kind == "float" and kinds & {*_INTEGERS} and "float" in kinds:
        return _float_remark(lattice)
    if kinds == {*_INTEGERS} and join.kind == "signed" and len(others) == len(nodes):
        return ": it holds the values of each"
    is_above_weak = len(others) < len(nodes) and all(n.weak for n in others)
    return ": a weak dtype takes the width of what it meets" if is_above_weak else ""


def _are_apart(lattice: Lattice[DType], a: DType, b: DType) -> bool:
    """Return whether two dtypes are of one kind, and neither is above the other."""
    if a.weak or b.weak or a.kind != b.kind:
        return False
    return not (lattice.leq(a, b) or lattice.leq(b, a))


def _float_remark(lattice: Lattice[DType]) -> str:
    """Return how integers are promoted to floats on a lattice."""
    strong = [n for n in lattice if not n.weak]
    floats = [n for n in strong if n.kind == "float"]
    integers = [n for n in strong if n.kind in _INTEGERS and lattice.up_set(n) != (n,)]
    if all(lattice.leq(i, f) for i in integers for f in floats):
        return ": in these rules every float is above every integer"
    return ": in these rules an integer promotes to a float only along an arrow"


def _step_reason(step: Step[DType], join: Table[DType] | Fold[DType], title: str) -> str:
    """Return why a step of a table or a fold gives what it gives."""
    a, b, c, why = step
    if why:
        return why
    listing = f"listed in {f'the table of {title}' if title else 'the table'}"
    if a is b is c:
        return f"both are {c}"
    if a.weak or b.weak:
        return _weak_reason(a, b, c, listing)
    if _holds(a, c) and _holds(b, c):
        return _holding_reason(a, b, c, join, f"{title} " if title else "")
    if {a.kind, b.kind} <= {*_INTEGERS} and c.kind == "float":
        return f"{a} and {b} have no integer dtype in common, so they meet in {c}"
    if c in (a, b):
        other = b if c is a else a
        return f"{c} is kept beside {other}, though it cannot hold every value of it"
    lost = [what for x in dict.fromkeys((a, b)) if (what := _beyond(x, c))]
    return f"{listing}, though it does not hold {listed(lost)}" if lost else listing


def _holding_reason(
    a: DType, b: DType, c: DType, join: Table[DType] | Fold[DType], owner: str
) -> str:
    """Return why a dtype is the result that holds every value of two others."""
    if c in (a, b):
        return f"{c} holds every value of {b if c is a else a}"
    same_kind = [d for d in join.nodes if d.kind == c.kind and not d.weak]
    narrower = [d for d in same_kind if (d.bits or 0) < (c.bits or 0)]
    if any(_holds(a, d) and _holds(b, d) for d in narrower):
        return f"{c} holds both {a} and {b}"
    return f"{c} is the smallest {owner}{_NOUNS[c.kind]} that holds both {a} and {b}"


def _weak_reason(a: DType, b: DType, c: DType, listing: str) -> str:
    weak, other = (a, b) if a.weak else (b, a)
    if c is other:
        return f"{weak} takes the dtype of {other}"
    if _RANKS[weak.kind] > _RANKS[other.kind] and c.kind == weak.kind:
        result = "" if c is weak else f", so it takes its default dtype, {c}"
        return f"{weak} is of a higher kind than {other}{result}"
    return listing


def _beyond(source: DType, target: DType) -> str:
    """Return which values of a dtype do not survive in another, or ``""``."""
    if what := losses.dropped(source, target):
        return f"{what} of {source}"
    if source.kind in _INTEGERS and losses.loses_precision(source, target):
        return f"{source} beyond 2**{target.precision}"
    if losses.loses_precision(source, target):
        return f"all digits of {source}"
    return f"all of the range of {source}" if losses.overflows(source, target) else ""


def _holds(source: DType, target: DType) -> bool:
    """Return whether every value of a dtype survives in another."""
    return not (
        losses.dropped(source, target)
        or losses.overflows(source, target)
        or losses.loses_precision(source, target)
    )
