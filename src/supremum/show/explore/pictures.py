"""The drawings of some rules, as the page carries them: whole pixels, and dtypes as numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.dtypes import DType
from ...core.errors import RulesError
from ...core.lattice import Lattice
from ...core.system import PromotionSystem
from ..draw import Drawing, common, layout

Number = Callable[[DType], int]


def pictures(rules: PromotionSystem, lattices: list[Lattice[DType]], number: Number) -> list[Any]:
    """Return the drawing of some rules, and of each lattice of functions that is another one.

    Each is a drawing of the common dtypes, and one of all if there are more.

    Rules without a lattice have those of the order of their table; where that is not an order, the
    reason stands in place of a drawing.

    Args:
        rules: the rules.
        lattices: their lattices.
        number: gives the number of a dtype.
    """
    drawn: list[tuple[Lattice[DType] | PromotionSystem, tuple[DType, ...]]]
    drawn = [(rules, rules.dtypes)] if rules.lattice or not lattices else []
    drawn += [(lattice, lattice.nodes) for lattice in lattices if lattice is not rules.lattice]
    return [
        [_picture(what, chosen, number) for chosen in dict.fromkeys((tuple(common(of)), tuple(of)))]
        for what, of in drawn
    ]


def _picture(what: Any, nodes: Any, number: Number) -> dict[str, Any] | str:
    try:
        drawing = layout(what, nodes)
    except RulesError as error:
        return str(error).partition("; ")[0]
    return described(drawing, [number(node) for node in nodes])


def described(drawing: Drawing, numbers: list[int]) -> dict[str, Any]:
    """Return a drawing as lists of numbers: its size, boxes, arrows and captions, and its note."""
    return {
        "size": [round(drawing.width), round(drawing.height)],
        "boxes": [
            [number, round(box.x), round(box.y), round(box.width)]
            for number, box in zip(numbers, drawing.boxes, strict=True)
        ],
        "arrows": [
            [numbers[a.lower], numbers[a.upper], [round(at) for point in a.points for at in point]]
            for a in drawing.arrows
        ],
        "captions": [[c.text, round(c.x), round(c.y)] for c in drawing.captions],
        "note": drawing.note,
    }
