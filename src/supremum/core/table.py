"""Joins that are given pair by pair, as the libraries without a lattice write them down."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Generic, NamedTuple, TypeVar, overload

from .display import displayed
from .errors import LatticeError, NoJoinError, SupremumError, listed, short

Node = TypeVar("Node", bound=Hashable)
Other = TypeVar("Other", bound=Hashable)

REFUSED = "-"
"""How a written table shows a pair without an answer."""


class Step(NamedTuple, Generic[Node]):
    """One step of a join: what was there, what it met, the result, and a remark or ``""``."""

    left: Node
    right: Node
    result: Node
    why: str = ""


@displayed
class Table(Generic[Node]):
    """An answer, or a refusal, for every ordered pair of nodes.

    It need be neither symmetric nor associative. Three nodes or more are joined pair by pair
    from the left, as libraries with a table do.

    Args:
        nodes: the nodes, in the order of the rows and columns.
        cells: the answers; a pair that is left out has none.
        marked: pairs that a document highlights.
        answers: nodes that are answers and have no row.

    Raises:
        LatticeError: if a cell names a node that is in none of these.

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
        *,
        answers: Iterable[Node] = (),
    ) -> None:
        self._nodes = tuple(dict.fromkeys(nodes))
        self._marked = frozenset(marked)
        self._rows = frozenset(self._nodes)
        self._cells = dict(cells)
        known = self._rows | {*answers}
        for pair, answer in self._cells.items():
            for node in (*pair, answer):
                if node not in known:
                    names = " and ".join(map(str, pair))
                    raise LatticeError(
                        f"the table's cell for {names} names {node}, which has no row", pair
                    )

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes, in the order of the rows and columns."""
        return self._nodes

    @property
    def marked(self) -> frozenset[tuple[Node, Node]]:
        """The pairs that a document highlights."""
        return self._marked

    @classmethod
    def from_rows(
        cls, rows: Mapping[Any, Mapping[Any, Any]], *, node: Callable[[Any], Other]
    ) -> Table[Other]:
        """Return a table from a mapping of rows to columns to answers, in which ``-`` refuses.

        Args:
            rows: the rows.
            node: what each name stands for.

        Raises:
            LatticeError: if two names in a line stand for the same.
        """
        cells: dict[tuple[Any, Any], Any] = {}
        if not isinstance(rows, Mapping) or not all(isinstance(x, Mapping) for x in rows.values()):
            what = "a table is a string, or a mapping of rows to columns to answers"
            raise LatticeError(f"{what}, not {short(rows)}")
        for line, what in ((rows, "rows"), *((row, "columns") for row in rows.values())):
            if len({node(name) for name in line}) < len(line):
                raise LatticeError(f"two {what} of the table name one dtype: {listed([*line])}")
        for a, row in rows.items():
            cells |= {(node(a), node(b)): node(c) for b, c in row.items() if c != REFUSED}
        return Table(map(node, rows), cells)

    @overload
    @classmethod
    def parse(cls, text: str) -> Table[str]: ...
    @overload
    @classmethod
    def parse(cls, text: str, *, node: Callable[[str], Other]) -> Table[Other]: ...
    @classmethod
    def parse(cls, text: str, *, node: Callable[[str], Any] = str) -> Table[Any]:
        """Read a table from text: a line of column names, then one line for each row, name first.

        A ``-`` is a pair without an answer, and a ``!`` after an answer marks its cell.

        Args:
            text: the table.
            node: what a name stands for; by default itself.

        Raises:
            LatticeError: if a row is missing, too short or too long, or an answer has no row; with
                its line.
        """
        if not isinstance(text, str):
            raise LatticeError(f"a written table is a string, not {short(text)}")
        lines = [(i, line.split()) for i, line in enumerate(text.split("\n"), 1) if line.strip()]
        if not lines:
            raise LatticeError("the table is empty; write a line of names, then a row for each")
        first, names = lines[0]
        columns = [_read(name, node, first) for name in names]
        cells: dict[tuple[Any, Any], Any] = {}
        marked: set[tuple[Any, Any]] = set()
        rows = []
        for number, (name, *answers) in lines[1:]:
            row = _read(name, node, number)
            rows.append(row)
            if len(answers) != len(columns):
                msg = f"line {number}: the row of {name} has {len(answers)} answers for"
                raise LatticeError(f"{msg} {len(columns)} columns", (row,), line=number)
            for column, answer in zip(columns, answers, strict=True):
                answered = answer.removesuffix("!")
                if answer != answered:
                    marked.add((row, column))
                if answered != REFUSED:
                    cells[row, column] = _answer(answered, (row, column), columns, node, number)
        for name in (*columns, *rows):
            if columns.count(name) != 1 or rows.count(name) != 1:
                counts = f"{rows.count(name)} rows and {columns.count(name)} columns"
                raise LatticeError(
                    f"the table has {counts} for {name}; it needs one of each", [name]
                )
        return Table(columns, cells, marked)

    def __getitem__(self, pair: tuple[Any, Any]) -> Node | None:
        """Return the answer for a pair, or None; a node may be given as what is equal to it."""
        if not isinstance(pair, tuple):
            raise TypeError(f"a table has answers for pairs, as in table[{pair!r}, {pair!r}]")
        if not self._rows.issuperset(pair):
            a, b = (next((n for n in self._nodes if n == node), node) for node in pair)
            pair = (a, b)
        return self._cells.get(pair)

    def __contains__(self, node: object) -> bool:
        return node in self._rows

    def __len__(self) -> int:
        return len(self.nodes)

    def join(self, *nodes: Node) -> Node:
        """Return the answer for one node or more, pair by pair from the left.

        Raises:
            NoJoinError: at the first pair without an answer, which ``nodes`` holds.
        """
        if not nodes:
            raise LatticeError("a join needs one node or more")
        return self.steps(*nodes)[-1].result

    def steps(self, *nodes: Node) -> list[Step[Node]]:
        """Return the pairs that `join` looks up, each with its answer."""
        left, *rest = nodes if len(nodes) > 1 else (*nodes, *nodes)
        steps: list[Step[Node]] = []
        for node in rest:
            answer = self._cells.get((left, node))
            if answer is None:
                raise NoJoinError(f"the table has no answer for {left} and {node}", (left, node))
            steps.append(Step(left, node, answer))
            left = answer
        return steps

    def rows(self) -> list[list[Node | None]]:
        """Return the answers row by row, None where there is none."""
        return [[self[a, b] for b in self.nodes] for a in self.nodes]

    def to_dict(self) -> dict[str, dict[str, str | None]]:
        """Return the names of the answers by row and by column, None where there is none.

        >>> import supremum
        >>> supremum.table("numpy", "int8", "uint8").to_dict()["int8"]
        {'int8': 'int8', 'uint8': 'int16'}
        """

        def row(a: Node) -> dict[str, str | None]:
            answers = {b: self[a, b] for b in self.nodes}
            return {str(b): None if c is None else str(c) for b, c in answers.items()}

        return {str(a): row(a) for a in self.nodes}

    def to_dataframe(self) -> Any:
        """Return the names of the answers as a data frame of pandas, which has to be installed."""
        return import_module("pandas").DataFrame.from_dict(self.to_dict(), orient="index")

    def only(self, nodes: Iterable[Node]) -> Table[Node]:
        """Return the part of the table with these rows and columns.

        An answer may be a node that has no row there.
        """
        kept = tuple(dict.fromkeys(nodes))
        cells = {(a, b): c for a in kept for b in kept if (c := self[a, b]) is not None}
        return Table(kept, cells, self.marked, answers=cells.values())

    def differences(self, other: Table[Any]) -> list[tuple[Node, Node]]:
        """Return the pairs that both tables have and answer differently.

        >>> a = Table("xy", {("x", "y"): "y", ("y", "x"): "y"})
        >>> a.differences(Table("xy", {("x", "y"): "y"}))
        [('y', 'x')]
        """
        shared = [node for node in self.nodes if node in other]
        return [(a, b) for a in shared for b in shared if self[a, b] != other[a, b]]

    def map(self, name: Callable[[Any], Any], nodes: Sequence[Any] = ()) -> Table[Any]:
        """Return the table with every node renamed.

        Raises:
            LatticeError: if two nodes get the same name.
        """
        new = {node: name(node) for node in self.nodes}
        if len(set(new.values())) < len(new):
            raise LatticeError(f"two rows of the table stand for the same: {listed([*new])}")
        cells = {(new[a], new[b]): new[c] for (a, b), c in self._cells.items()}
        return Table(nodes or new.values(), cells, [(new[a], new[b]) for a, b in self.marked])

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same nodes and the same answers; marks do not count."""
        if not isinstance(other, Table):
            return NotImplemented
        return self._rows == other._rows and self._cells == other._cells

    def __hash__(self) -> int:
        return hash(self._rows)

    def __str__(self) -> str:
        nodes = [_short(node) for node in self.nodes]
        grid = [["", *nodes]]
        for a, row in zip(self.nodes, self.rows(), strict=True):
            marks = ["!" if (a, b) in self.marked else "" for b in self.nodes]
            answers = [_short(answer) + mark for answer, mark in zip(row, marks, strict=True)]
            grid.append([_short(a), *answers])
        widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
        rows = [[c.ljust(w) for c, w in zip(line, widths, strict=True)] for line in grid]
        return "\n".join(f"{first}  {' '.join(cells)}".rstrip() for first, *cells in rows)

    def __repr__(self) -> str:
        return f"<Table: {len(self)} nodes, {len(self._cells)} of {len(self) ** 2} pairs answered>"


def _short(node: Any) -> str:
    """Return how a cell is written: a dtype by its code, if it has one."""
    return REFUSED if node is None else str(getattr(node, "code", "") or node)


def _answer(
    name: str,
    cell: tuple[Any, Any],
    columns: Sequence[Any],
    node: Callable[[str], Any],
    line: int,
) -> Any:
    """Return what an answer in a written table stands for."""
    if not name:
        what = f"line {line}: the mark '!' has no answer before it"
        raise LatticeError(what, cell, line=line)
    found = _read(name, node, line)
    if found not in columns:
        msg = f"line {line}: the answer {name} for {cell[0]} and {cell[1]} has no row"
        raise LatticeError(msg, cell, line=line)
    return found


def _read(name: str, node: Callable[[str], Any], line: int) -> Any:
    try:
        return node(name)
    except SupremumError as error:
        error.args, error.line = (f"line {line}: {error}",), line
        raise
