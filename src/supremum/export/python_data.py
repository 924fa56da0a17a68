"""The rules of a system as literals of Python."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent, wrap
from typing import Final

from .description import Answer, Description
from .words import codes, grid

WIDTH: Final = 88
"""How long a line of a module is, at most."""


def data(description: Description) -> list[str]:
    """Return the literals of a module, each with what it is."""
    parts = []
    if description.arrows:
        pointed = {up for ups in description.arrows.values() for up in ups}
        above = {node: " ".join(ups) for node, ups in description.arrows.items()}
        above = {node: ups for node, ups in above.items() if ups or node not in pointed}
        parts.append(_mapping("Each dtype, with those right above it.", "LATTICE", above))
    else:
        parts.append(_table(description))
    if description.stands_for:
        what = "What is answered for ties, of whose dtypes none is the least."
        parts.append(_mapping(what, "TIES", description.stands_for))
    what = "What Python's numbers are taken for."
    parts.append(_mapping(what, "NUMBERS", description.numbers, key="{}", hint="type"))
    if description.taken:
        what = "What result_type takes other names for."
        parts.append(_mapping(what, "TAKEN", description.taken))
    if description.settled:
        refused = "; None is a refusal" if None in description.settled.values() else ""
        what = f"What becomes of these in the end{refused}."
        parts.append(_mapping(what, "SETTLED", description.settled))
    if description.functions:
        parts.append(_functions(description))
    limits_of = {
        "INTS": description.ints,
        "FLOATS": description.floats,
        "FUNCTION_INTS": description.function_ints,
    }
    for name, limits in limits_of.items():
        if limits:
            low, high = (f"{x:.8g}".replace("e+", "e") if name == "FLOATS" else x for x in limits)
            kind = "a float" if name == "FLOATS" else "an int"
            where = " in a function" if name.startswith("FUNCTION") else ""
            what = f"Beyond these bounds the value of {kind}{where} matters."
            parts.append(f"# {what}\n{name}: Final = ({low}, {high})")
    return parts


def _functions(description: Description) -> str:
    """Return what functions make of dtypes, grouped by that."""
    lines = []
    for name, changed in description.functions.items():
        groups: dict[str, list[str]] = {}
        for d, made in changed.items():
            groups.setdefault(made or "-", []).append(d)
        if not groups:
            lines.append(f'    "{name}": {{}},')
            continue
        rows = indent("\n".join(_item(f'"{d}"', " ".join(g), 8) for d, g in groups.items()), "    ")
        lines.append(f'    "{name}": {{\n{rows}\n    }},')
    what = "What a function gives, for the dtypes from which it gives others; `-` refuses."
    start = "FUNCTIONS: Final[dict[str, dict[str, str]]] = {"
    return "\n".join([f"# {what}", start, *lines, "}"])


_ABOUT_TABLE: Final = {
    "table": "A row for each dtype, its code first; `-` has no answer.",
    "asked": "What a dtype, in its row, answers for those that it knows; `-` if it does not.",
    "tiers": "A row for each dtype, its code first; `-` has no answer. After a slash stands\n"
    "# the answer if the column is of a lower tier, 0-d or a number; nothing is the row's.",
}


def _table(description: Description) -> str:
    rows = grid(description, description.table)
    if description.join == "tiers":
        lower = grid(description, description.lower)
        rows = [
            [
                a if a == b else f"{a}/{'' if b == own[1] else b}"
                for a, b in zip(own, other, strict=True)
            ]
            for own, other in zip(rows, lower, strict=True)
        ]
    lines = [["", "", *codes(description).values()], *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    texts = [
        " ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    long = "  # noqa: E501  # a table" if max(map(len, texts)) > WIDTH else ""
    return "\n".join(
        [f"# {_ABOUT_TABLE[description.join]}", 'TABLE: Final = """', *texts, f'"""{long}']
    )


def _mapping(
    what: str, name: str, values: Mapping[str, Answer], key: str = '"{}"', hint: str = "str"
) -> str:
    pairs = {key.format(k): "None" if v is None else f'"{v}"' for k, v in values.items()}
    answer = "str | None" if None in values.values() else "str"
    start = f"# {what}\n{name}: Final[dict[{hint}, {answer}]] = {{"
    short = f"{name}: Final = {{{', '.join(f'{k}: {v}' for k, v in pairs.items())}}}"
    if pairs and len(short) <= WIDTH:
        return f"# {what}\n{short}"
    if not pairs:
        return f"{start}}}"
    lines = [_item(k, v.strip('"') if v != "None" else None, 4) for k, v in pairs.items()]
    return "\n".join([start, *lines, "}"])


def _item(key: str, value: Answer, depth: int) -> str:
    """Return a line of a dict, or more if it is long."""
    line = f"    {key}: " + ("None," if value is None else f'"{value}",')
    if value is None or len(line) + depth - 4 <= WIDTH:
        return line
    *some, last = wrap(value, WIDTH - 8 - depth, break_on_hyphens=False)
    pieces = [*(f'        "{piece} "' for piece in some), f'        "{last}"']
    return "\n".join([f"    {key}: (", *pieces, "    ),"])
