"""Explanations: the record of the steps that led to an answer, and how it reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from supremum import losses
from supremum.dtypes import DType
from supremum.lattice import Lattice
from supremum.operands import Operand
from supremum.operators import Operated
from supremum.table import Table

Join = Lattice[DType] | Table[DType]
"""How rules join dtypes: by a lattice, or by a table."""

_INTEGERS = ("unsigned", "signed")


class Taken(NamedTuple):
    """An operand, the node that the rules took it for, and why."""

    operand: Operand
    node: DType
    why: str


class Settled(NamedTuple):
    """What became of a joined node: the result, whether it stays weak, and why (or ``""``)."""

    dtype: DType
    weak: bool = False
    why: str = ""


class Explanation:
    """Why some operands give the dtype that they give: the three steps of promotion, recorded.

    Printing it shows it as the command does.

    Attributes:
        system: the name of the rules.
        setting: their options.
        label: the setting in words.
        taken: each operand with the node that it was taken for, and why (*classify*).
        join: the node that the rules join these to (*join*).
        settled: what became of that node (*settle*).
        rules: the lattice or the table that the join comes from.
        operated: what an operator made of that, where one was asked about.
        aside: what operators give, where the library's differ from what it says of the dtypes.

    >>> import supremum
    >>> told = supremum.explain("int16", 1)
    >>> told.result, told.weak, " → ".join(map(str, told.paths[1]))
    (supremum.dtype('int16'), False, 'int* → int8 → int16')
    """

    __slots__ = (
        "aside",
        "join",
        "label",
        "operated",
        "rules",
        "setting",
        "settled",
        "system",
        "taken",
    )

    def __init__(
        self,
        *,
        system: str,
        setting: Mapping[str, Any],
        label: str,
        taken: Sequence[Taken],
        join: DType,
        settled: Settled,
        rules: Join,
        operated: Operated | None = None,
        aside: str = "",
    ) -> None:
        self.system = system
        self.setting = setting
        self.label = label
        self.taken = tuple(taken)
        self.join = join
        self.settled = settled
        self.rules = rules
        self.operated = operated
        self.aside = aside

    def __repr__(self) -> str:
        operands = ", ".join(op.text for op in self.operands)
        return f"<Explanation: {self.result} of {operands} in {self.system} rules>"

    @property
    def operands(self) -> tuple[Operand, ...]:
        """The operands as they were read."""
        return tuple(t.operand for t in self.taken)

    @property
    def result(self) -> DType:
        """The dtype that comes out."""
        return self.operated.dtype if self.operated else self.settled.dtype

    @property
    def weak(self) -> bool:
        """Whether the result goes on deferring to others, as a weakly typed array would."""
        return self.settled.weak

    @property
    def paths(self) -> tuple[tuple[DType, ...], ...]:
        """For each operand, the dtypes on the way to the join: with a table, the two ends."""
        if isinstance(self.rules, Lattice):
            return tuple(self.rules.path(t.node, self.join) for t in self.taken)
        return tuple(tuple(dict.fromkeys((t.node, self.join))) for t in self.taken)

    @property
    def reason(self) -> str:
        """One sentence that says why the join is what it is."""
        nodes = list(dict.fromkeys(t.node for t in self.taken))
        if len(self.taken) == 1:
            return f"There is nothing to promote: {self.join} stands alone."
        if len(nodes) == 1:
            same = all(t.operand.dtype is self.join for t in self.taken)
            what = "There is nothing to promote: the operands are all" if same else "All count as"
            return f"{what} {self.join}."
        if isinstance(self.rules, Table):
            steps = self.rules.steps(*(t.node for t in self.taken))
            told = ", then ".join(f"{a} and {b} give {c}" for a, b, c in steps)
            return f"The table says so: {told}."
        count = {2: "both", 3: "all three", 4: "all four", 5: "all five"}.get(
            len(self.taken), f"all {len(self.taken)}"
        )
        remark = _remark(self.rules, nodes, self.join)
        return f"{self.join} is the least type that {count} reach{remark}."

    @property
    def losses(self) -> list[str]:
        """A sentence for each way in which an operand's values may not survive."""
        sources = [t.operand.dtype for t in self.taken if not t.operand.weak]
        # an operator such as abs takes a part of the values on purpose, and loses none
        on_purpose = losses.dropped(self.settled.dtype, self.result)
        return losses.describe(sources, self.settled.dtype if on_purpose else self.result)

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain lists, texts and booleans, as ``--format json`` prints it."""
        return {
            "result": self.result.name,
            "weak": self.weak,
            "system": self.system,
            "setting": dict(self.setting),
            "operands": [
                {
                    "operand": t.operand.text,
                    "dtype": t.operand.dtype.name,
                    "taken_as": t.node.name,
                    "why": t.why,
                    "path": [node.name for node in path],
                }
                for t, path in zip(self.taken, self.paths, strict=True)
            ],
            "join": self.join.name,
            "reason": self.reason,
            "settled": self.settled.why,
            "operator": self.operated and self.operated._asdict() | {"dtype": self.result.name},
            "aside": self.aside,
            "losses": self.losses,
        }

    def __str__(self) -> str:
        rows = [
            (t.operand.text, t.why, " → ".join(map(str, path)))
            for t, path in zip(self.taken, self.paths, strict=True)
        ]
        first, second = (max(len(row[i]) for row in rows) for i in (0, 1))
        first, second = max(first + 3, 10), max(second + 2, 23)
        head = f"{self.result:<{first + second + 14}}{self.system} rules"
        table = [f"  {a:<{first}}{b:<{second}}{c}" for a, b, c in rows]
        operated = self.operated.why if self.operated else ""
        aside = f"{self.aside[:1].upper()}{self.aside[1:]}." if self.aside else ""
        told = [self.reason, *filter(None, [self.settled.why, operated, aside]), *self.losses]
        return "\n".join([f"{head}, {self.label}" if self.label else head, "", *table, "", *told])


def _remark(lattice: Lattice[DType], nodes: Sequence[DType], join: DType) -> str:
    """Return what is worth knowing of this join, read off the lattice itself."""
    for a, b in combinations([n for n in nodes if not n.weak], 2):
        if a.kind == b.kind and not (lattice.leq(a, b) or lattice.leq(b, a)):
            return f": neither {a} nor {b} is above the other"
    kinds = {n.kind for n in nodes}
    strong = [n for n in lattice if not n.weak]
    floats = [n for n in strong if n.kind == "float"]
    if join.kind == "float" and not join.weak and kinds & {*_INTEGERS} and "float" in kinds:
        integers = [n for n in strong if n.kind in _INTEGERS and lattice.up_set(n) != (n,)]
        if all(lattice.leq(i, f) for i in integers for f in floats):
            return ": in these rules every float is above every integer"
        return ": in these rules an integer promotes to a float only where an arrow leads"
    if kinds == {*_INTEGERS} and join.kind == "signed" and join not in nodes:
        return ": it holds the values of each"
    if join in nodes and not join.weak and all(n.weak for n in nodes if n != join):
        return ": a weak dtype takes the width of what it meets"
    return ""
