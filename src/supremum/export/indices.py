"""A description in numbers, as compiled languages have it: places of nodes in a list."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .description import NUMBERS, Answer, Cells, Description
from .words import codes

MOST = 64
"""How many nodes a mask of 64 bits holds."""


@dataclass(frozen=True)
class Indices:
    """The parts of a description, each node as its place; -1 is a refusal.

    Attributes:
        nodes: the nodes, whose places these are.
        arrows: the arrows, as pairs of names.
        answered: what each node is answered as.
        taken: what each node is taken for, if it is an operand.
        settled: what becomes of each node.
        numbers: for each type of Python's numbers, the node, or -1.
    """

    nodes: tuple[str, ...]
    arrows: tuple[tuple[str, str], ...]
    answered: tuple[int, ...]
    taken: tuple[int, ...]
    settled: tuple[int, ...]
    numbers: dict[str, int]


def indices(description: Description) -> Indices:
    """Return a description in numbers."""
    nodes = description.nodes

    def place(node: Answer) -> int:
        return nodes.index(node) if node in nodes else -1

    def is_word(node: str) -> bool:
        return not node.endswith(")")

    return Indices(
        nodes,
        tuple((low, up) for low, ups in description.arrows.items() for up in ups),
        tuple(place(description.stands_for.get(n, n)) for n in nodes),
        tuple(place(description.taken.get(n, n)) if is_word(n) else -1 for n in nodes),
        tuple(place(description.settled.get(n, n)) for n in nodes),
        {number: place(description.numbers.get(number)) for number in NUMBERS},
    )


def rows(description: Description, cells: Cells) -> Iterator[list[str]]:
    """Return the rows of a table as codes that are names in a program, `no` for a refusal."""
    short = identifiers(description)
    for a in short:
        yield [short[c] if (c := cells.get((a, b))) else "no" for b in short]


def identifiers(description: Description) -> dict[str, str]:
    """Return the code of each node, as a name that programs can have."""
    return {node: identifier(code) for node, code in codes(description).items()}


def identifier(name: str) -> str:
    """Return a name of a node that programs can have: ``int_weak``, ``tie``, ``bool_number``."""
    return name.replace("*", "_weak").replace("()", "_number")
