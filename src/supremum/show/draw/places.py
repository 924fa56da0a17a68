"""Where nodes go, before there are sizes: columns from left to right, and heights within them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Places:
    """A column and a height for every node.

    Every arrow leads to a column further right.

    Attributes:
        columns: the column of each node, counted from 0.
        heights: how far down each node is, in steps of one box and the gap below it.
        via: the heights at which an arrow passes the columns between its ends, if that is given.
        rows: the name of each row that has one, with its height.
    """

    columns: tuple[int, ...]
    heights: tuple[float, ...]
    via: dict[tuple[int, int], tuple[float, ...]] = field(default_factory=dict)
    rows: tuple[tuple[str, float], ...] = ()
