"""Labels under a line of source: each under its operand, in as many rows as they need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Label(NamedTuple):
    """What stands under part of a line: that part's first character, its text and its dtype."""

    start: int
    text: str
    dtype: str


def label_rows(labels: Sequence[Label]) -> list[list[Label]]:
    """Return labels by rows: the last in the first row, and each other where it has room.

    A label without a dtype stands for a stroke, from an operand down to its own label.

    >>> rows = label_rows([Label(0, "x", "float32"), Label(4, "y", "int8")])
    >>> [[(label.start, label.dtype) for label in row] for row in rows]
    [[(0, ''), (4, 'int8')], [(0, 'float32')]]
    """
    rows: list[list[Label]] = []
    for label in reversed(labels):
        end = label.start + len(label.dtype) + 1
        at = next((i for i, row in enumerate(rows) if end <= row[0].start), len(rows))
        if at == len(rows):
            rows.append([])
        rows[at].insert(0, label)
        for row in rows[:at]:
            row.insert(0, label._replace(dtype=""))
    return rows
