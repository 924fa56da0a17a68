"""Places for dtypes: a row for each kind, and columns by width, as in JAX's design document.

These are a rule of our own: layout libraries know neither kinds nor widths, and place the dtypes of
a kind in different rows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any

from ...core.dtypes import DType
from .order import Order
from .places import Places

_ROWS = ("complex", "float", "signed", "unsigned", "bool")
_KIND_OF = {"b": "bool", "u": "unsigned", "i": "signed", "f": "float", "bf": "float",
            "c": "complex", "bc": "complex"}  # fmt: skip
_CODE = re.compile(r"(bf|bc|[buifc])(\d+)?(\*)?")
_STEP = 1.7
"""How far apart rows are: the room in which arrows bend."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What places a dtype: its kind, its width, and whether it is weak."""

    kind: str
    bits: int
    weak: bool


def facts_of(node: Any) -> Facts | None:
    """Return the facts of a dtype, or of a name that reads as a code such as ``i8`` or ``f*``."""
    if isinstance(node, DType):
        return Facts(node.kind, node.bits or 0, node.weak)
    if not isinstance(node, str):
        return None
    if found := _CODE.fullmatch(node):
        letters, bits, star = found.groups()
        if bits or star or letters == "b":
            return Facts(_KIND_OF[letters], int(bits or 0), bool(star))
    return None


def place_in_rows(order: Order, facts: Sequence[Facts]) -> Places:
    """Return the places of dtypes.

    Args:
        order: their order.
        facts: the facts of each one.
    """
    columns = _columns(order, facts)
    row_of = ["signed" if _joins_integers(f, columns, facts) else f.kind for f in facts]
    stacks: dict[tuple[str, int], list[int]] = defaultdict(list)
    for i, column in enumerate(columns):
        stacks[row_of[i], column].append(i)
    pull = _pull(order, [_ROWS.index(row) for row in row_of])
    heights = [0.0] * len(facts)
    rows = []
    top = 0.0
    for row in _ROWS:
        tallest = max((len(s) for (r, _), s in stacks.items() if r == row), default=0)
        if not tallest:
            continue
        centre = top + (tallest - 1) / 2
        for (r, _), stack in stacks.items():
            if r == row:
                for place, i in enumerate(sorted(stack, key=lambda i: pull[i])):
                    heights[i] = centre + place - (len(stack) - 1) / 2
        rows.append((row, centre))
        top += tallest - 1 + _STEP
    return Places(tuple(columns), tuple(heights), rows=tuple(rows))


def _pull(order: Order, rows: Sequence[int]) -> list[float]:
    """Return how far down the arrows of each node lead, on average, to have few cross."""
    ends: list[list[int]] = [[] for _ in rows]
    for a, b in order.covers():
        ends[a].append(rows[b])
        ends[b].append(rows[a])
    return [sum(e) / len(e) if e else len(_ROWS) for e in ends]


def _joins_integers(f: Facts, columns: Sequence[int], facts: Sequence[Facts]) -> bool:
    """Tell whether a bool stands at the start of the row of signed integers."""
    both = list(zip(columns, facts, strict=True))
    signed = [column for column, other in both if other.kind == "signed" and other.bits]
    bools = [column for column, other in both if other.kind == "bool"]
    return f.kind == "bool" and bool(signed) and max(bools) < min(signed)


def _columns(order: Order, facts: Sequence[Facts]) -> list[int]:
    """Return columns that grow along every arrow and, within a kind, with the width."""
    widths = sorted({f.bits for f in facts if f.bits and f.kind != "bool"})
    wanted = [0 if f.kind == "bool" or not f.bits else 1 + widths.index(f.bits) for f in facts]
    below: list[set[int]] = [set() for _ in facts]
    for a, b in order.covers():
        below[b].add(a)
    wider = [set(low) for low in below]
    for a, f in enumerate(facts):
        for b, g in enumerate(facts):
            if (f.kind, f.weak) == (g.kind, g.weak) and f.bits < g.bits:
                wider[b].add(a)
    try:
        found = _longest(wider, wanted)
    except CycleError:  # some lattices of one's own have widths against the arrows
        found = _longest(below, wanted)
    used = sorted(set(found))
    return [used.index(c) for c in found]


def _longest(below: Sequence[set[int]], wanted: Sequence[int]) -> list[int]:
    """Return the columns in which each node is right of those below it, or where it is wanted."""
    columns: dict[int, int] = {}
    for i in TopologicalSorter(dict(enumerate(below))).static_order():
        columns[i] = max([wanted[i], *(columns[low] + 1 for low in below[i])])
    return [columns[i] for i in range(len(below))]
