"""The drawings that the pages show, each a file in `docs/assets`.

`pictures` is what `docs/regenerate.py` writes, and a test compares.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import supremum
from supremum.core.errors import RulesError
from supremum.core.systems import jep9407
from supremum.custom import Lattice
from supremum.show.draw import Caption, Drawing, Order, common, drawn, layout
from supremum.show.draw.drawing import WRITERS

ASSETS = Path(__file__).resolve().parents[1] / "assets"

Arrows = Mapping[str, Sequence[str]]

TWO_BOUNDS: Arrows = {"A": ["C", "D"], "B": ["C", "D"]}
SIGNED = "i8* -> i16* -> i32* -> i64* -> i8 -> i16 -> i32 -> i64"
COLLAPSED = f"{jep9407.CATEGORIES}\n u* -> u8; i* -> i8; f* -> f16; c* -> c64"
TWICE_THE_WIDTH: Arrows = {
    "u8": ["f16"], "i8": ["f16"], "u16": ["f32"], "i16": ["f32"], "u32": ["f64"], "i32": ["f64"],
}  # fmt: skip

FIGURES: dict[str, Lattice[str] | Arrows] = {
    "python": Lattice("int -> float -> complex"),
    "no-upper-bound": Lattice({"A": ["B", "C"]}),
    "two-upper-bounds": TWO_BOUNDS,
    "categories": Lattice(jep9407.CATEGORIES),
    "signed-scalars": Lattice(SIGNED),
    "collapsed-scalars": Lattice(COLLAPSED),
    "scalars": Lattice(jep9407.SCALARS),
    "float-complex": Lattice(jep9407.FLOAT_COMPLEX),
    "integers": Lattice(jep9407.INTEGERS),
    "twice-the-width": {
        node: [*ups, *TWICE_THE_WIDTH.get(node, ())]
        for node, ups in Lattice(jep9407.INTEGERS).arrows.items()
    },
    "option1": Lattice(jep9407.OPTION_1),
    "option2": Lattice(jep9407.OPTION_2),
    "option3": Lattice(jep9407.OPTION_3),
    "option3-bfloat16": Lattice(jep9407.OPTION_3_BFLOAT16),
    "jax": Lattice(f"{jep9407.OPTION_3_BFLOAT16}\n u64 -> f*"),
}
"""The figures of JAX's design document, in its order: lattices, and arrows that are none."""

GROUPS = {"signed-scalars": {"i8*": "scalar types", "i8": "array types"}}
"""What a figure writes below some nodes and those that follow."""


@cache
def figure(name: str) -> Drawing:
    """Return a drawing of a figure of the design document."""
    what = FIGURES[name]
    title = f"Figure {[*FIGURES].index(name) + 1}: {name.replace('-', ' ')}"
    is_lattice = isinstance(what, Lattice)
    drawing = layout(what, title=title) if is_lattice else drawn(order(what), title)
    boxes = {box.label: box for box in drawing.boxes}
    below = [
        Caption(text, boxes[node].x - boxes[node].width / 2, drawing.height)
        for node, text in GROUPS.get(name, {}).items()
    ]
    if not below:
        return drawing
    return replace(drawing, captions=(*drawing.captions, *below), height=drawing.height + 20)


def order(arrows: Arrows) -> Order:
    """Return the order of arrows, which need not be a lattice."""
    nodes = tuple(dict.fromkeys([*arrows, *(up for ups in arrows.values() for up in ups)]))
    place = {node: i for i, node in enumerate(nodes)}

    def above(node: str) -> int:
        found = 0
        for up in arrows.get(node, ()):
            found |= 1 << place[up] | above(up)
        return found

    return Order(nodes, tuple(map(above, nodes)))


@cache
def system_drawing(name: str) -> Drawing | str:
    """Return the drawing of rules, or the reason why there is none.

    If the message says without which dtypes it can be drawn, that is drawn, with the reason.
    """
    rules = supremum.system(name)
    try:
        return rules.draw()
    except RulesError as error:
        reason = str(error)
    found = re.fullmatch(r"(.*); it is one without .* --without (\S+)", reason)
    if found is None:
        return reason
    without = found[2].split(",")
    drawing = rules.draw([d for d in common(rules.dtypes) if d.name not in without])
    left = f"It is drawn without {', '.join(without)}."
    reason = found[1][0].upper() + found[1][1:]
    return replace(drawing, note=f"{reason}. {left} {drawing.note}".rstrip())


WRITE = WRITERS[".svg"]


def pictures() -> dict[Path, str]:
    """Return the text of every picture of the repository, by its path."""
    jax = supremum.system("jax")
    drawings = {f"design/{name}": figure(name) for name in FIGURES} | {
        "jax-lattice": jax.draw(),
        "join": jax.draw(highlight=["int32", "float16"]),
    }
    return {ASSETS / f"{name}.svg": WRITE(drawing).decode() for name, drawing in drawings.items()}


def system_pictures() -> dict[str, str]:
    """Return the drawing of all rules that have one, by its path in the docs."""
    drawings = {name: system_drawing(name) for name in supremum.systems()}
    return {
        f"assets/systems/{name}.svg": WRITE(drawing).decode()
        for name, drawing in drawings.items()
        if isinstance(drawing, Drawing)
    }
