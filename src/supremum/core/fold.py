"""Joins that meet one operand after another, as most libraries compute them.

A fold has a step, which says what becomes of the state so far and the next operand; and an order,
in which operands are met. The record of its steps is the explanation of its answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from types import MethodType
from typing import Any, Generic, TypeVar

from .errors import LatticeError, short
from .table import Step

Node = TypeVar("Node", bound=Hashable)


class Fold(Generic[Node]):
    """A join by steps: ``state = step(state, item)``, over the items in an order.

    Items and states are nodes, or anything with an attribute ``node``: a state may remember more
    than the node so far, and an item may say more than its node. A state may have a remark on the
    step that led to it, ``why``; and a ``refusal``, which is raised if no further item lifts it.

    Args:
        nodes: the nodes that it joins.
        step: returns the state after an item; raises `NoJoinError` with a reason to refuse.
        start: returns the state after the first item; by default the item itself.
        order: returns the items in the order in which they are met; by default as they come.
        marked: pairs of nodes that tables highlight.

    >>> widest = Fold(range(8), step=max)
    >>> widest.join(1, 5, 3)
    5
    >>> [tuple(step) for step in widest.steps(1, 5, 3)]
    [(1, 5, 5, ''), (5, 3, 5, '')]
    """

    def __init__(
        self,
        nodes: Iterable[Node],
        step: Callable[[Any, Any], Any],
        *,
        start: Callable[[Any], Any] | None = None,
        order: Callable[[Sequence[Any]], Sequence[Any]] | None = None,
        marked: Iterable[tuple[Node, Node]] = (),
    ) -> None:
        if wrong := [x for x in (step, start, order) if x is not None and not callable(x)]:
            raise LatticeError(f"a step, a start and an order are functions, not {short(wrong[0])}")
        self._nodes = tuple(dict.fromkeys(nodes))
        self._known = frozenset(self._nodes)
        self._step = step
        self._start = start
        self._order = order
        self._marked = frozenset(marked)

    @property
    def marked(self) -> frozenset[tuple[Node, Node]]:
        """The pairs that tables highlight."""
        return self._marked

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes that it joins."""
        return self._nodes

    @property
    def owner(self) -> object:
        """What the step is a method of, if it is one; it has the data that the steps follow."""
        return getattr(self._step, "__self__", None)

    def __contains__(self, node: object) -> bool:
        return node in self._known

    def __len__(self) -> int:
        return len(self._nodes)

    def join(self, *items: Any) -> Node:
        """Return the node after the last step.

        Raises:
            NoJoinError: if a step refuses.
            LatticeError: if there are no items.
        """
        return self.run(items)[0]

    def steps(self, *items: Any) -> list[Step[Node]]:
        """Return the steps that lead to the join; one item takes none."""
        return self.run(items)[1]

    def run(self, items: Sequence[Any]) -> tuple[Node, list[Step[Node]]]:
        """Return the join and the steps that lead to it."""
        ordered = self._order(items) if self._order else items
        if not ordered:
            raise LatticeError("a join needs one node or more")
        first, *rest = ordered
        state = self._start(first) if self._start else first
        steps = []
        for item in rest:
            after = self._step(state, item)
            why = getattr(after, "why", "") if after is not item else ""
            steps.append(Step(_node(state), _node(item), _node(after), why))
            state = after
        if (refusal := getattr(state, "refusal", None)) is not None:
            raise refusal
        return _node(state), steps

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fold):
            return NotImplemented
        return self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._known)

    def _parts(self) -> tuple[Any, ...]:
        return self._known, *map(comparable, (self._step, self._start, self._order))

    def __repr__(self) -> str:
        return f"<Fold: {len(self)} nodes>"


def _node(x: Any) -> Any:
    return getattr(x, "node", x)


def comparable(function: Any) -> Any:
    """Return what a function is compared by: methods of equal objects are equal."""
    if isinstance(function, MethodType):
        return function.__func__, function.__self__
    return function
