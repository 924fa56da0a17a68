"""Joins that are given pair by pair, as the libraries without a lattice write them down."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from supremum.errors import LatticeError, NoJoinError

Node = TypeVar("Node", bound=Hashable)

REFUSED = "-"
"""How a written table shows a pair without an answer."""


class Table(Generic[Node]):
    """An answer, or none, for every ordered pair of nodes.

    It need be neither symmetric nor associative. Three nodes or more are joined pair by pair
    from the left, as libraries with a table do.

    Args:
        nodes: the nodes, in the order of the rows and columns.
        cells: the answers; a pair that is left out has none.
        marked: pairs that a document highlights.

    >>> table = Table.parse('''
    ...           int    float
    ...    int    int    float
    ...    float  float  -
    ... ''')
    >>> table.join("int", "float")
    'float'
    >>> table["float", "float"] is None
    True
    """

    def __init__(
        self,
        nodes: Iterable[Node],
        cells: Mapping[tuple[Node, Node], Node],
        marked: Iterable[tuple[Node, Node]] = (),
    ) -> None:
        self.nodes = tuple(dict.fromkeys(nodes))
        self.marked = frozenset(marked)
        self._known = frozenset(self.nodes)
        self._cells = dict(cells)
        for pair, answer in self._cells.items():
            for node in (*pair, answer):
                if node not in self._known:
                    names = " and ".join(map(str, pair))
                    raise LatticeError(
                        f"the table's cell for {names} names {node}, which has no row", pair
                    )

    @classmethod
    def parse(cls, text: str) -> Table[str]:
        """Read a table from text: a line of column names, then a row a line, its name first.

        A ``-`` is a pair without an answer, and a ``!`` after an answer marks its cell.

        Raises:
            LatticeError: where a row is too short or too long, with its line, or is missing.
        """
        lines = [(i, line.split()) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines:
            raise LatticeError("the table is empty; write a line of names, then a row for each")
        columns = lines[0][1]
        cells, marked = {}, set()
        for number, (row, *answers) in lines[1:]:
            if len(answers) != len(columns):
                msg = f"line {number}: the row of {row} has {len(answers)} answers for"
                raise LatticeError(f"{msg} {len(columns)} columns", (row,), line=number)
            for column, answer in zip(columns, answers, strict=True):
                if answer != REFUSED:
                    cells[row, column] = answer.removesuffix("!")
                if answer.endswith("!"):
                    marked.add((row, column))
        rows = [row for _, (row, *_) in lines[1:]]
        for name in (*columns, *rows):
            if columns.count(name) != 1 or rows.count(name) != 1:
                counts = f"{rows.count(name)} rows and {columns.count(name)} columns"
                raise LatticeError(
                    f"the table has {counts} named {name}; it needs one each", [name]
                )
        return Table(columns, cells, marked)

    def __getitem__(self, pair: tuple[Node, Node]) -> Node | None:
        return self._cells.get(pair)

    def __contains__(self, node: object) -> bool:
        return node in self._known

    def __len__(self) -> int:
        return len(self.nodes)

    def join(self, *nodes: Node) -> Node:
        """Return the answer for one node or more, pair by pair from the left.

        Raises:
            NoJoinError: at the first pair without an answer, which ``nodes`` holds.
        """
        if not nodes:
            raise LatticeError("a join needs one node or more")
        return self.steps(*nodes)[-1][-1]

    def steps(self, *nodes: Node) -> list[tuple[Node, Node, Node]]:
        """Return the pairs that `join` looks up, each with its answer."""
        first, *rest = nodes if len(nodes) > 1 else (*nodes, *nodes)
        steps: list[tuple[Node, Node, Node]] = []
        for node in rest:
            answer = self._cells.get((first, node))
            if answer is None:
                raise NoJoinError(f"the table has no answer for {first} and {node}", (first, node))
            steps.append((first, node, answer))
            first = answer
        return steps

    def rows(self) -> list[list[Node | None]]:
        """Return the answers row by row, None where there is none."""
        return [[self[a, b] for b in self.nodes] for a in self.nodes]

    def only(self, nodes: Iterable[Node]) -> Table[Node]:
        """Return the part of the table with these rows and columns.

        An answer may be a node that has no row there.
        """
        kept = tuple(dict.fromkeys(nodes))
        cells = {(a, b): c for a in kept for b in kept if (c := self[a, b]) is not None}
        part = Table((*kept, *cells.values()), cells, self.marked)
        part.nodes = kept
        return part

    def differences(self, other: Table[Any]) -> list[tuple[Node, Node]]:
        """Return the pairs that both tables have and answer differently.

        >>> a = Table("xy", {("x", "y"): "y", ("y", "x"): "y"})
        >>> a.differences(Table("xy", {("x", "y"): "y"}))
        [('y', 'x')]
        """
        shared = [node for node in self.nodes if node in other]
        return [(a, b) for a in shared for b in shared if self[a, b] != other[a, b]]

    def map(self, name: Callable[[Any], Any], nodes: Sequence[Any] = ()) -> Table[Any]:
        """Return the table with every node renamed."""
        new = {node: name(node) for node in self.nodes}
        cells = {(new[a], new[b]): new[c] for (a, b), c in self._cells.items()}
        return Table(nodes or new.values(), cells, [(new[a], new[b]) for a, b in self.marked])

    def __eq__(self, other: object) -> bool:
        """Tell whether both have the same nodes and the same answers; marks do not count."""
        if not isinstance(other, Table):
            return NotImplemented
        return self._known == other._known and self._cells == other._cells

    def __hash__(self) -> int:
        return hash(self._known)

    def __repr__(self) -> str:
        return f"<Table: {len(self)} nodes, {len(self._cells)} of {len(self) ** 2} pairs answered>"
