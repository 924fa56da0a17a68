"""The rules of a system as literals of a Python module, which ruff's format leaves alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from .description import Answer, Description
from .words import aligned, grid, wrapped

WIDTH: Final = 88
"""How long a line of a module is, at most."""

_LONG: Final = "  # noqa: E501"
_ABOUT_TABLE: Final = {
    "table": "A row for each dtype, its code first; `-` has no answer.",
    "asked": "What a dtype, in its row, answers for those that it knows; `-` if it does not.",
    "tiers": "A row for each dtype, its code first; `-` has no answer. After a slash stands\n"
    "# the answer if the column is of a lower tier, 0-d or a number; nothing is the row's.",
}
_ABOUT: Final = {
    "LATTICE": "Each dtype, with those right above it.",
    "TIES": "What is answered for ties, of whose dtypes none is the least.",
    "NUMBERS": "What Python's numbers are taken for.",
    "TAKEN": "What result_type takes other names for.",
    "SETTLED": "What becomes of these in the end.",
    "REASONS": "Why operands are refused: the first reason of which every group has one of them.",
    "INTS": "Beyond these bounds the value of an int matters.",
    "FLOATS": "Beyond these bounds the value of a float matters.",
    "FUNCTION_INTS": "Beyond these bounds the value of an int in a function matters.",
    "FUNCTIONS": "What a function gives, for the dtypes from which it gives others; `-` refuses.",
}
_BY_MODE: Final = ("LATTICE", "TAKEN", "SETTLED", "REASONS")
"""What may differ between the modes of a system."""


class Mode(NamedTuple):
    """One of the modes of a module: how its options are set, and the literals that it goes by."""

    key: str
    names: list[str]


def literals(description: Description) -> dict[str, str]:
    """Return the literals of a module by their names, each with what it is."""
    return {**dict(_of_join(description)), **dict(_of_rules(description))}


def modes(description: Description) -> tuple[list[Mode], dict[str, str]]:
    """Return the modes of a module, and all of its literals, those that modes share once."""
    found = literals(description)
    called = {(name, text): name for name, text in found.items()}
    chosen = []
    for setting, own in description.modes.items():
        texts = literals(own)
        names = []
        for name in _BY_MODE:
            text = texts.get(name)
            if text is not None and (name, text) not in called:
                new = name if name not in found else f"{name}_{_suffix(description, setting)}"
                called[name, text] = new
                found[new] = _renamed(own, description, name, new, text)
            names.append("{}" if text is None else called[name, text])
        key = repr(setting).replace("'", '"')
        chosen.append(Mode(key, names))
    return chosen, found


def _suffix(description: Description, setting: Sequence[Any]) -> str:
    """Return what a literal of a mode is called after its name: what is not the default."""
    pairs = zip(description.options.items(), setting, strict=True)
    other = [f"{name}_{x}" for (name, usual), x in pairs if x != usual]
    return "_".join(other).upper()


def _renamed(own: Description, first: Description, name: str, new: str, text: str) -> str:
    """Return a literal under another name; of a lattice that differs little, what differs."""
    changed = {n: ups for n, ups in own.arrows.items() if ups != first.arrows.get(n)}
    if name == "LATTICE" and len(changed) < len(own.arrows) // 2:
        lines = [_item(f'"{n}"', " ".join(ups), 4) for n, ups in changed.items()]
        hint = f"{new}: Final[dict[str, str]] = {{"
        return "\n".join([f"# {_ABOUT[name]}", hint, "    **LATTICE,", *lines, "}"])
    renamed = text.replace(f"\n{name}: ", f"\n{new}: ")
    if name == "SETTLED" and max(map(len, renamed.splitlines())) > WIDTH:
        return _mapping(name, own.settled, called=new)
    return renamed


def _of_join(description: Description) -> Iterator[tuple[str, str]]:
    if not description.arrows:
        yield "TABLE", _table(description)
        return
    above = {node: " ".join(description.arrows[node]) for node in description.nodes}
    yield "LATTICE", _mapping("LATTICE", above)
    listed = "LATTICE"
    if description.stands_for:
        yield "TIES", _mapping("TIES", description.stands_for)
        listed = "n for n in LATTICE if n not in TIES"
    yield "DTYPES", f"DTYPES: Final = tuple({listed})"


def _of_rules(description: Description) -> Iterator[tuple[str, str]]:
    yield "NUMBERS", _mapping("NUMBERS", description.numbers, key="{}", hint="type")
    if description.taken:
        yield "TAKEN", _mapping("TAKEN", description.taken)
    if description.settled:
        yield "SETTLED", _mapping("SETTLED", description.settled)
    if description.refusals:
        yield "REASONS", _reasons(description.refusals)
    if description.functions:
        yield "FUNCTIONS", _functions(description)
    for name in ("INTS", "FLOATS", "FUNCTION_INTS"):
        limits = getattr(description, name.lower())
        if limits:
            low, high = (f"{x:.8g}".replace("e+", "e") if name == "FLOATS" else x for x in limits)
            yield name, f"# {_ABOUT[name]}\n{name}: Final = ({low}, {high})"


def _functions(description: Description) -> str:
    """Return what functions make of dtypes, grouped by that."""
    lines = []
    for name, changed in description.functions.items():
        groups: dict[str, list[str]] = {}
        for d, made in changed.items():
            groups.setdefault(made or "-", []).append(d)
        rows = [_item(f'"{made}"', " ".join(group), 8) for made, group in groups.items()]
        lines += [f'    "{name}": {{', *rows, "    },"] if rows else [f'    "{name}": {{}},']
    start = "FUNCTIONS: Final[dict[str, dict[str, str]]] = {"
    return "\n".join([f"# {_ABOUT['FUNCTIONS']}", start, *lines, "}"])


def _reasons(refusals: Mapping[str, Sequence[str]]) -> str:
    lines = []
    for why, groups in refusals.items():
        short = f'"{groups[0]}",' if len(groups) == 1 else ""
        line = f'    "{why}": ({short}),'
        if len(groups) < 2 and len(line) <= WIDTH:
            lines.append(line)
        elif not groups:
            lines.append(f"{line}{_LONG}")
        else:
            start = f'    "{why}": ('
            lines.append(f"{start}{_LONG}" if len(start) > WIDTH else start)
            lines += [text for group in groups for text in _strings(group, 8, ",")]
            lines.append("    ),")
    start = "REASONS: Final[dict[str, tuple[str, ...]]] = {"
    return "\n".join([f"# {_ABOUT['REASONS']}", start, *lines, "}"])


def _table(description: Description) -> str:
    rows = grid(description, description.table)
    if description.join == "tiers":
        lower = grid(description, description.lower)
        rows = [
            [_both(a, b, own[1]) for a, b in zip(own, other, strict=True)]
            for own, other in zip(rows, lower, strict=True)
        ]
    texts = aligned(rows)
    long = _LONG if max(map(len, texts)) > WIDTH else ""
    about = f"# {_ABOUT_TABLE[description.join]}"
    return "\n".join([about, 'TABLE: Final = """', *texts, f'"""{long}'])


def _both(same: str, lower: str, row: str) -> str:
    """Return a cell for two operands of a tier, and one beside an operand of a lower one."""
    if same == lower:
        return same
    return f"{same}/{'' if lower == row else lower}"


def _mapping(
    name: str,
    values: Mapping[str, Answer],
    key: str = '"{}"',
    hint: str = "str",
    called: str = "",
) -> str:
    is_refused = None in values.values()
    about = _ABOUT[name].replace(".", "; None is a refusal.") if is_refused else _ABOUT[name]
    called = called or name
    pairs = (f"{key.format(k)}: {json.dumps(v)}" for k, v in values.items())
    short = f"{called}: Final = {{{', '.join(pairs)}}}"
    if values and len(short) <= WIDTH and not is_refused:
        return f"# {about}\n{short}"
    answer = "str | None" if is_refused else "str"
    start = f"# {about}\n{called}: Final[dict[{hint}, {answer}]] = {{"
    items = [_item(key.format(k), v, 4) for k, v in values.items()]
    return "\n".join([start, *items, "}"]) if items else f"{start}}}"


def _item(key: str, value: Answer, depth: int) -> str:
    """Return a line of a dict, or more if it is long."""
    space = " " * depth
    line = f"{space}{key}: " + ("None," if value is None else f'"{value}",')
    if value is None or len(line) <= WIDTH:
        return line
    return "\n".join([f"{space}{key}: (", *_strings(value, depth + 4, ""), f"{space}),"])


def _strings(text: str, depth: int, end: str) -> list[str]:
    """Return a text as strings that are joined, each on a line."""
    *some, last = wrapped(text, WIDTH - depth - 7).split("\n")
    space = " " * depth
    if some and end:
        inner = [f'{space}    "{piece} "' for piece in some]
        return [f"{space}(", *inner, f'{space}    "{last}"', f"{space}){end}"]
    return [*(f'{space}"{piece} "' for piece in some), f'{space}"{last}"{end}']
