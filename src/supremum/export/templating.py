"""Each language from its template, and what the templates ask of a description."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .description import NUMBERS, Answer, Cells, Description
from .literals import WIDTH, modes
from .words import about, aligned, codes, command, filled, head, wrapped

_ABOUT_TABLE: Final = {
    ("table", "table"): "A row for each dtype; a dash, or no, has no answer.",
    ("asked", "table"): "What a dtype, in its row, answers for those that it knows.",
    ("tiers", "table"): "The answers for operands of one tier; a dash, or no, has none.",
    ("tiers", "lower"): "The answers for a dtype, in its row, beside one of a lower tier.",
}


def python(description: Description) -> str:
    """Return a system as one Python module without dependencies."""
    description, fallback = _last_reason(description)
    keys, found = modes(description)
    types = ", ".join(type(x).__name__ for x in next(iter(description.modes), ()))
    again = command(description, "python") + ("" if keys else " -o FILE")
    said = [
        *about(description)[1:],
        f"Supremum wrote this: `{again}` does so again,",
        "and then `git diff` says whether the rules have changed since.",
    ]
    options = description.options
    named = (
        (bounds, kind, first)
        for bounds, kind, first in _BOUNDS
        if getattr(description, bounds.lower()) is not None
    )
    return rendered(
        "python.py.j2",
        description,
        said=" ".join(said),
        licence=head(description, "python")[-1],
        literals=found.values(),
        modes=keys,
        options=list(options),
        option_types=types,
        option_parameters=", ".join(
            f"{name}: {type(value).__name__} = {json.dumps(value) if value is not True else True}"
            for name, value in options.items()
        ),
        mode_parameter=", mode: Mode" if keys else "",
        mode_argument=", mode" if keys else "",
        of=lambda name: f"RULES[mode].{name.lower()}" if keys else name,
        bounds=[(kind, name, first) for name, kind, first in named],
        hidden=any(node.endswith(")") for node in description.nodes),
        fallback=fallback,
        none_settled=None in description.settled.values(),
    )


def _last_reason(description: Description) -> tuple[Description, str]:
    """Return a description without the last reason if that holds for all others, and the last."""
    why, groups = ([("", ("",)), *description.refusals.items()])[-1]
    if groups or description.modes:
        return description, "they have no common dtype"
    others = {own: parts for own, parts in description.refusals.items() if own != why}
    return replace(description, refusals=others), why


_BOUNDS: Final = (("INTS", "int", ""), ("FLOATS", "float", ""), ("FUNCTION_INTS", "int", "op and "))


def cpp(description: Description) -> str:
    """Return a system as one C++17 header, which computes as the program is compiled."""
    called = {node: _cpp_name(code) for node, code in codes(description).items()}

    def cases(values: Mapping[str, Answer]) -> dict[str, str]:
        return {called[n]: called.get(v or "", "no") for n, v in values.items() if n in called}

    def rows(cells: Cells) -> Iterator[tuple[str, str]]:
        table = [[f"{called.get(cells.get((a, b), ''), 'no')}," for b in called] for a in called]
        widths = max(map(len, called.values())) + 1
        for node, line in zip(called.values(), aligned(table), strict=True):
            yield node.ljust(widths), line

    return rendered(
        "cpp.hpp.j2",
        description,
        "cpp",
        codes=called,
        namespace=_namespace(description.name),
        about_table=_ABOUT_TABLE,
        rows=rows,
        arrows=[
            f"{{{called[low]}, {called[up]}}}"
            for low in description.nodes
            for up in description.arrows.get(low, ())
        ],
        steps=[
            ("taken", "What a dtype is taken for as an operand.", cases(description.taken)),
            ("settled", "What becomes of a node in the end.", cases(description.settled)),
            ("answered", "The dtype that is taken for a tie.", cases(description.stands_for)),
        ],
        numbers={n: called.get(description.numbers.get(n, ""), "no") for n in NUMBERS},
    )


_TAKEN: Final = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept
const constexpr continue decltype default delete do double else enum explicit export extern
false float for friend goto if inline int linux long mutable namespace new noexcept not not_eq
nullptr operator or or_eq private protected public register requires return short signed sizeof
static std struct switch template this throw true try typedef typeid typename union unix
unsigned using virtual void volatile wchar_t while xor xor_eq
"""
"""Names that no namespace in C++ can have: keywords, `std`, and macros of compilers."""


def _namespace(name: str) -> str:
    """Return the name of some rules, or of their file, as C++ has it: ``jax_x64_false``."""
    stem = re.sub(r"\.(toml|txt|arrows)$", "", name)
    found = re.sub(r"[\W_]+", "_", stem, flags=re.ASCII).strip("_")
    return f"rules_{found}" if found in _TAKEN.split() or not found[:1].isalpha() else found


def tests(description: Description, **known: Any) -> str:
    """Return tests of a Python module."""
    return rendered("tests.py.j2", description, "python", **known)


def rendered(template: str, description: Description, format: str = "", **known: Any) -> str:
    """Return what a template makes of a description, and of whatever else it asks for."""
    text = _environment().get_template(template).render(
        d=description,
        about=about(description),
        **{"head": "\n".join(head(description, format)), **known},
    )  # fmt: skip
    return f"{text.rstrip()}\n"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        undefined=StrictUndefined,
        autoescape=False,  # noqa: S701  # programs, no HTML
    )
    environment.filters |= {
        "comment": lambda text, mark: "\n".join(f"{mark}{x}".rstrip() for x in text.split("\n")),
        "cpp_name": _cpp_name,
        "cpp_switch": _cpp_switch,
        "docstring": lambda text: text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"'),
        "filled": filled,
        "json": json.dumps,
        "line": lambda text, depth: text + ("  # noqa: E501" if len(text) + depth > WIDTH else ""),
        "quoted": quoted,
        "wrapped": wrapped,
    }
    return environment


def quoted(names: Iterable[str]) -> list[str]:
    """Return names as strings of a program."""
    return [json.dumps(name) for name in names]


def _cpp_name(node: str) -> str:
    """Return a name of a node that C++ can have: ``int_weak``, ``tie``, ``bool_number``."""
    name = node.replace("*", "_weak").replace("()", "" if node.startswith("tie") else "_number")
    return "bool_" if name == "bool" else name


def _cpp_switch(cases: Mapping[str, str]) -> str:
    if not cases:
        return "return node;"
    lines = [f"        case {node}: return {answer};" for node, answer in cases.items()]
    return "\n".join(["switch (node) {", *lines, "        default: return node;", "    }"])
