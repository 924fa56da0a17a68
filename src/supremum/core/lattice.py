"""Partial orders in which two elements have at most one least upper bound, and its computation.

Number the nodes so that every arrow leads to a higher number, and give each node the bit mask of
the nodes at or above it. The common upper bounds of some nodes are the AND of their masks, and
they have a least one exactly if some node's own mask equals that AND. So a join is one AND and
one look-up, and the same test over all pairs proves that the arrows make a lattice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise, product
from typing import Any, Generic, NoReturn, TypeVar, cast, overload

from .display import Drawn, displayed
from .errors import (
    AmbiguousJoinError,
    CycleError,
    LatticeError,
    NoJoinError,
    SupremumError,
    listed,
    short,
    shorten,
)

Node = TypeVar("Node", bound=Hashable)


@displayed
class Lattice(Drawn, Generic[Node]):
    """An order given by arrows, in which no two nodes have more than one least upper bound.

    It may be *partial*: nodes without a common upper bound have no join, and asking for one raises.
    Two least upper bounds, and cycles, are refused when the lattice is built.

    Args:
        arrows: a mapping of each node to the nodes right above it, or arrow text: one chain a
            line (or several, separated by ``;``), such as ``i* -> u8, i8 -> i16``, where a comma
            lists nodes that share their arrows, and ``#`` begins a comment.
        node: what a name in arrow text stands for; by default itself, or the node that is written
            so.
        total: refuse pairs without an upper bound too.

    Raises:
        CycleError: if arrows lead back to their start.
        AmbiguousJoinError: if a pair has two least upper bounds; ``candidates`` holds them.
        NoJoinError: with ``total``, if a pair has no upper bound.

    >>> python = Lattice("int -> float -> complex")
    >>> python.join("int", "complex")
    'complex'
    >>> Lattice({"A": ["C", "D"], "B": ["C", "D"]})
    Traceback (most recent call last):
        ...
    supremum.core.errors.AmbiguousJoinError: A and B have 2 least upper bounds, C and D, and \
neither is below the other; add an arrow between them, or remove one that leads to them
    """

    @overload
    def __init__(self: Lattice[str], arrows: str, *, total: bool = False) -> None: ...
    @overload
    def __init__(
        self, arrows: str, *, node: Callable[[str], Node], total: bool = False
    ) -> None: ...
    @overload
    def __init__(
        self,
        arrows: Mapping[Node, Iterable[Node]],
        *,
        node: Callable[[str], Any] | None = None,
        total: bool = False,
    ) -> None: ...
    def __init__(
        self,
        arrows: Mapping[Any, Iterable[Any]] | str,
        *,
        node: Callable[[str], Any] | None = None,
        total: bool = False,
    ) -> None:
        lines: dict[tuple[Any, Any], int] = {}
        given = parse_arrows(arrows, lines, node or str)
        self._node = node
        above: dict[Node, tuple[Node, ...]] = {n: tuple(dict.fromkeys(given[n])) for n in given}
        for up in [up for ups in above.values() for up in ups]:
            above.setdefault(up, ())
        self._arrows = above
        self._order = _topological(above, lines)
        masks: dict[Node, int] = {}
        for i, low in reversed(list(enumerate(self._order))):
            masks[low] = reduce(int.__or__, (masks[up] for up in above[low]), 1 << i)
        self._mask = masks
        self._node_of = {mask: low for low, mask in masks.items()}
        self._refuse_bad_pairs([masks[low] for low in self._order], total)

    def _refuse_bad_pairs(self, masks: list[int], total: bool) -> None:
        known = self._node_of.keys() if total else self._node_of.keys() | {0}
        # nodes with the same nodes above them join with all others alike: checking two is enough
        alike: dict[int, int] = {}
        tried = []
        for i, mask in enumerate(masks):
            above = mask & ~(1 << i)
            alike[above] = alike.get(above, 0) + 1
            if alike[above] <= 2:
                tried.append(mask)
        for i, mask in enumerate(tried):
            rest = tried[i + 1 :]
            # if the AND is the other's own mask, the other is above this one: nothing to prove
            bad = {common for other in rest if (common := mask & other) != other} - known
            if bad:
                other = next(o for o in rest if mask & o in bad)
                self._no_join((self._node_of[mask], self._node_of[other]))

    @property
    def arrows(self) -> dict[Node, tuple[Node, ...]]:
        """The arrows as given: each node with the nodes right above it."""
        return dict(self._arrows)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes, in the order in which the arrows name them."""
        return tuple(self._arrows)

    def __contains__(self, node: object) -> bool:
        return node in self._arrows

    def __iter__(self) -> Iterator[Node]:
        return iter(self._arrows)

    def __len__(self) -> int:
        return len(self._arrows)

    def join(self, *nodes: Node) -> Node:
        """Return the least upper bound of one node or more.

        Raises:
            NoJoinError: if they have no common upper bound.
            LatticeError: if there are no nodes, or one is not in the lattice.

        >>> Lattice("i8 -> i16 -> i32; u8 -> i16").join("i8", "u8")
        'i16'
        """
        common = reduce(int.__and__, self._masks(nodes))
        if common not in self._node_of:
            self._no_join(nodes)
        return self._node_of[common]

    def _masks(self, nodes: Sequence[Node]) -> list[int]:
        masks = [self._mask.get(node) for node in nodes]
        if None in masks:
            unknown = [*nodes][masks.index(None)]
            written = next((repr(x) for x in self._arrows if str(x) == unknown), "")
            other = f"type the node itself, {written}, not its name"
            known = other if written else f"it has {listed([*self._arrows])}"
            raise LatticeError(f"{unknown} is not a node of this lattice; {known}", (unknown,))
        if not masks:
            raise LatticeError("a join needs one node or more")
        return cast("list[int]", masks)

    def _no_join(self, nodes: tuple[Node, ...]) -> NoReturn:
        names = listed([*dict.fromkeys(nodes)])
        bounds = self.minimal_upper_bounds(*nodes)
        if not bounds:
            msg = f"{names} have no common upper bound; add an arrow from one towards the other"
            raise NoJoinError(msg, nodes)
        relation = "neither is below the other" if len(bounds) == 2 else "none is below the others"
        msg = (
            f"{names} have {len(bounds)} least upper bounds, {listed(bounds)}, and {relation}; "
            "add an arrow between them, or remove one that leads to them"
        )
        raise AmbiguousJoinError(msg, nodes, bounds)

    def minimal_upper_bounds(self, *nodes: Node) -> tuple[Node, ...]:
        """Return the common upper bounds that have no other one below them.

        If the nodes have a join, it is the only one.
        """
        common = self._from_mask(reduce(int.__and__, self._masks(nodes)))
        return tuple(n for n in common if not any(m != n and self.leq(m, n) for m in common))

    def leq(self, a: Node, b: Node) -> bool:
        """Return whether ``a <= b``: arrows lead from ``a`` to ``b``, or they are the same.

        >>> Lattice("i8 -> i16 -> i32").leq("i8", "i32")
        True
        """
        mask, other = self._masks((a, b))
        return mask & other == other

    def up_set(self, node: Node) -> tuple[Node, ...]:
        """Return the nodes at or above ``node``, lower ones first."""
        return self._from_mask(self._masks((node,))[0])

    def down_set(self, node: Node) -> tuple[Node, ...]:
        """Return the nodes at or below ``node``, lower ones first."""
        return tuple(n for n in self._order if self.leq(n, node))

    def upper_neighbours(self, node: Node) -> tuple[Node, ...]:
        """Return the nodes above ``node`` with nothing between."""
        above = [n for n in self.up_set(node) if n != node]
        return tuple(n for n in above if not any(m != n and self.leq(m, n) for m in above))

    def lower_neighbours(self, node: Node) -> tuple[Node, ...]:
        """Return the nodes below ``node`` with nothing between."""
        below = [n for n in self.down_set(node) if n != node]
        return tuple(n for n in below if not any(m != n and self.leq(n, m) for m in below))

    def path(self, a: Node, b: Node) -> tuple[Node, ...]:
        """Return a shortest way along the arrows from ``a`` to ``b``, both included.

        Raises:
            NoJoinError: if ``b`` is not above ``a``.

        >>> Lattice("i8 -> i16 -> i32 -> f; i16 -> f").path("i8", "f")
        ('i8', 'i16', 'f')
        """
        if not self.leq(a, b):
            raise NoJoinError(f"arrows do not lead from {a} to {b}", (a, b))
        came_from: dict[Node, Node] = {}
        queue = deque([a])
        while b not in came_from and (node := queue.popleft()) != b:
            for up in self._arrows[node]:
                if up not in came_from and self.leq(up, b):
                    came_from[up] = node
                    queue.append(up)
        way = [b]
        while way[-1] != a:
            way.append(came_from[way[-1]])
        return tuple(reversed(way))

    def reduction(self) -> Lattice[Node]:
        """Return the same order with the fewest arrows: those that no longer way replaces."""
        arrows = {node: self.upper_neighbours(node) for node in self._arrows}
        return Lattice(arrows, node=self._node)

    def as_text(self) -> str:
        """Return the arrows as text in one line, which `Lattice` reads.

        >>> Lattice("i8 -> i16; u8 -> i16").as_text()
        'i8 -> i16; u8 -> i16'
        """
        pointed = {up for ups in self._arrows.values() for up in ups}
        arrows = [
            f"{node} -> {', '.join(map(str, ups))}" if ups else str(node)
            for node, ups in self._arrows.items()
            if ups or node not in pointed
        ]
        return "; ".join(arrows)

    @property
    def is_total(self) -> bool:
        """Whether every pair of nodes has a join."""
        return not self._order or all(self._mask[n] & self._top == self._top for n in self._order)

    @property
    def _top(self) -> int:
        return 1 << (len(self._order) - 1)

    def with_arrows(self, arrows: Mapping[Node, Iterable[Node]] | str) -> Lattice[Node]:
        """Return this lattice with more arrows, and the nodes that they name.

        >>> Lattice("i8 -> i16").with_arrows("i16 -> f16").join("i8", "f16")
        'f16'
        """
        extra = parse_arrows(arrows, {}, self._node or self._named)
        merged = {
            n: [*self._arrows.get(n, ()), *extra.get(n, ())] for n in {**self._arrows, **extra}
        }
        return Lattice(merged, node=self._node)

    def _named(self, name: str) -> Any:
        """Return the node that is written so; among strings, a new one."""
        found = next((node for node in self._arrows if str(node) == name), None)
        if found is None and not all(isinstance(node, str) for node in self._arrows):
            raise LatticeError(
                f"{shorten(name)!r} is not a node of this lattice; pass new nodes in a mapping, as "
                "in {node: [nodes above it]}"
            )
        return name if found is None else found

    def restricted_to(self, nodes: Iterable[Node]) -> Lattice[Node]:
        """Return the same order on fewer nodes: ``a <= b`` holds there exactly if it holds here.

        Raises:
            AmbiguousJoinError: if the node that made a join unique is left out.
        """
        kept = list(dict.fromkeys(nodes))
        if kept:
            self._masks(kept)
        return Lattice(
            {n: [m for m in kept if m != n and self.leq(n, m)] for n in kept}, node=self._node
        ).reduction()

    def __le__(self, other: object) -> bool:
        """Return whether the other lattice has all of this one's nodes, and keeps ``a <= b``."""
        if not isinstance(other, Lattice):
            return NotImplemented
        return all(
            node in other and up in other and other.leq(node, up)
            for node, ups in self._arrows.items()
            for up in ups or (node,)
        )

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same nodes in the same order, whatever arrows say so."""
        if not isinstance(other, Lattice):
            return NotImplemented
        return self <= other <= self

    def __hash__(self) -> int:
        return hash(frozenset(self._arrows))

    def _from_mask(self, mask: int) -> tuple[Node, ...]:
        return tuple(node for i, node in enumerate(self._order) if mask >> i & 1)

    def __str__(self) -> str:
        return self.as_text().replace("; ", "\n")

    def __repr__(self) -> str:
        kind = "" if self.is_total else "partial, "
        return f"<Lattice: {kind}{len(self)} nodes, {sum(map(len, self._arrows.values()))} arrows>"


def parse_arrows(
    given: Any,
    lines: dict[tuple[Any, Any], int],
    node: Callable[[str], Any],
) -> Mapping[Any, Iterable[Any]]:
    """Return arrows as a mapping: each node with those right above it, whether a lattice or not.

    Args:
        given: what `Lattice` takes.
        lines: is filled with the line of each arrow.
        node: what a name in a text stands for.
    """
    if not isinstance(given, (str, Mapping)):
        what = "arrows are text such as 'i8 -> i16', or a mapping of nodes to those above them"
        raise LatticeError(f"{what}, not {short(given)}")
    if not isinstance(given, str):
        if name := next((name for name in given.values() if isinstance(name, str)), ""):
            raise LatticeError(f"the nodes above one are a list; write [{name!r}], not {name!r}")
        return given
    arrows: dict[Any, list[Any]] = {}
    for number, chain in _chains(given):
        try:
            chained = [[node(name) for name in step] for step in chain]
        except SupremumError as error:
            error.args, error.line = (f"line {number}: {error}",), number
            raise
        for a in [a for step in chained for a in step]:
            arrows.setdefault(a, [])
        for lower, upper in pairwise(chained):
            for a, b in product(lower, upper):
                arrows[a].append(b)
                lines.setdefault((a, b), number)
    return arrows


def _chains(text: str) -> Iterator[tuple[int, list[list[str]]]]:
    """Yield each chain of an arrow text as the names of its steps, with its line."""
    for number, line in enumerate(text.split("\n"), 1):
        for chain in line.split("#")[0].split(";"):
            steps = [[name.strip() for name in step.split(",")] for step in chain.split("->")]
            if any(not name or " " in name for step in steps for name in step):
                if not chain.strip():
                    continue
                msg = (
                    f"line {number}: invalid arrow chain {shorten(chain.strip())!r}; "
                    "write it as 'i8 -> i16 -> i32' or 'i* -> u8, i8'"
                )
                raise LatticeError(msg, line=number)
            yield number, steps


def _topological(
    above: Mapping[Node, tuple[Node, ...]], lines: Mapping[tuple[Any, Any], int]
) -> list[Node]:
    waiting = dict.fromkeys(above, 0)
    for ups in above.values():
        for node in ups:
            waiting[node] += 1
    order = [node for node, count in waiting.items() if not count]
    for node in order:
        for up in above[node]:
            waiting[up] -= 1
            if not waiting[up]:
                order.append(up)
    if len(order) < len(above):
        _refuse_cycle(above, {n: count for n, count in waiting.items() if count}, lines)
    return order


def _refuse_cycle(
    above: Mapping[Node, tuple[Node, ...]],
    left: Mapping[Node, int],
    lines: Mapping[tuple[Any, Any], int],
) -> NoReturn:
    # every node that is left has one below it that is left, so walking down must meet itself
    below = {up: node for node in left for up in above[node] if up in left}
    way = [next(node for node in above if node in left)]
    while way[-1] not in way[:-1]:
        way.append(below[way[-1]])
    cycle = way[way.index(way[-1]) :][::-1]
    line = max((lines.get(pair, 0) for pair in pairwise(cycle)), default=0)
    where = f"line {line}: " if line else ""
    shown = " -> ".join(map(str, cycle)) if len(cycle) <= 40 else f"of {len(cycle) - 1:,} nodes"
    msg = f"{where}the arrows make a cycle, {shown}; remove one of them"
    raise CycleError(msg, cycle[:-1], line=line or None)
