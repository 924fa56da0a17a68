"""Reading a system: what it says as a description, compared with its own answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

from ..core.errors import LatticeError, NoJoinError, RulesError
from ..core.fold import Fold
from ..core.lattice import Lattice
from ..core.system import PromotionSystem
from ..core.systems import spelled
from ..core.systems.numpy import Knowing
from .asking import Difference, ask, ask_types, read_word, told
from .description import NUMBERS, Answer, Cells, Description
from .ranges import with_ranges
from .reasons import reasons
from .running import Module

WEAK: Final = ("int*", "float*", "complex*")

_FEW, _SOME = 15_000, 3_000
"""How many triples are compared one and all, and how many of more."""


@lru_cache(maxsize=64)
def read(rules: PromotionSystem) -> Description:
    """Return what the formats write of a system; it takes seconds, once for each system.

    Raises:
        RulesError: if its answers do not follow from arrows or tables of dtypes.
    """
    first = None
    for description in _readings(rules):
        wrong = difference(rules, description)
        if wrong is None:
            refusals = reasons(rules, description.dtypes)
            return with_ranges(rules, replace(description, refusals=refusals))
        first = first or wrong
    words, own, other = first or ((), None, None)
    what = f"{rules.title} rules are neither a lattice nor a table of dtypes"
    raise RulesError(f"{what}: {told(words, own, other)}", rules)


def _readings(rules: PromotionSystem) -> Iterator[Description]:
    """Return the ways in which rules may be read, the simplest first."""
    plain, join = base(rules), rules.join
    if isinstance(join, Lattice):
        arrows = {str(n): tuple(map(str, ups)) for n, ups in join.arrows.items()}
        yield replace(plain, arrows=arrows)
        return
    table = _cells(rules, plain.dtypes, plain.dtypes)
    yield replace(plain, join="table", table=table)
    if isinstance(join, Fold) and isinstance(knowing := join.owner, Knowing):
        pairs = product(knowing.table.nodes, repeat=2)
        known = {(str(a), str(b)): str(c) for a, b in pairs if (c := knowing.asked(a, b))}
        yield replace(plain, join="asked", table=known)
    if rules.ranked:
        lower = _cells(rules, [f"{d}[3]" for d in plain.dtypes], [f"{d}[]" for d in plain.dtypes])
        between = {(a[:-3], b[:-2]): c for (a, b), c in lower.items()}
        yield replace(plain, join="tiers", table=table, lower=between)
    if tied := _with_ties(table, plain.dtypes):
        yield replace(plain, arrows=tied[0], stands_for=tied[1])
    for which in (["bool"], [*NUMBERS]):
        yield _with_numbers(rules, replace(plain, table=table), which)


def base(rules: PromotionSystem) -> Description:
    """Return what a system says of its operands one by one, without the join."""
    names = tuple(d.name for d in rules.dtypes)
    taken, numbers, settled = {}, {}, {}
    for name in (*names, *WEAK):
        node = _node(rules, name)
        if node != name and node in names:
            taken[name] = node
        elif name in names and (alone := ask(rules, [name])) != name:
            settled[name] = alone
    numbers_alone = True
    for number in NUMBERS:
        node = _node(rules, f"{number}()")
        if node in names:
            numbers[number] = node
            is_refused = ask(rules, [f"{number}()"]) is None
            has_answer = settled.get(node, node) is not None
            numbers_alone = numbers_alone and not (is_refused and has_answer)
    name = spelled(rules)
    return Description(
        name=Path(name).name if "file" in rules.setting else name,
        title=rules.title, version=rules.version, label=rules.label,
        source=rules.source, ranked=rules.ranked, dtypes=names, taken=taken, numbers=numbers,
        settled=settled, numbers_alone=numbers_alone,
    )  # fmt: skip


def _node(rules: PromotionSystem, word: str) -> str | None:
    read = read_word(word)
    try:
        return rules.classify(read, [read]).node.name
    except NoJoinError:
        return None


def _cells(rules: PromotionSystem, rows: Sequence[str], columns: Sequence[str]) -> Cells:
    """Return what the operands of a table come to, before they settle."""
    cells = {}
    for a, b in product(rows, columns):
        found = _joined(rules, a, b) if b.endswith("]") else ask_types(rules, a, b)
        if found is not None:
            cells[a, b] = found
    return cells


def _joined(rules: PromotionSystem, *words: str) -> Answer:
    """Return the node that some words come to, or None if they are refused."""
    read = [read_word(word) for word in words]
    try:
        taken = [rules.classify(x, read) for x in read]
        join = rules.join
        items: Any = taken if isinstance(join, Fold) else [t.node for t in taken]
        return str(join.join(*items))
    except (NoJoinError, LatticeError):
        return None


Ties = tuple[dict[str, tuple[str, ...]], dict[str, str]]


def _with_ties(table: Cells, nodes: Sequence[str]) -> Ties | None:
    """Return the order that a table has, with a node for each tie, and what is taken there.

    A tie is a pair of which no dtype is the least that both reach. None if the table says more.
    """
    up = {a: frozenset(b for b in nodes if table.get((a, b)) == b) for a in nodes}
    taken: dict[frozenset[str], str] = {}
    for (a, b), answer in table.items():
        common = up[a] & up[b]
        if answer not in common:
            return None
        if common != up[answer]:
            taken[common] = answer
    places = {**up, **{f"tie{i or ''}()": common for i, common in enumerate(taken)}}
    if len(places) > len({*places.values()}):
        return None
    arrows = {low: _right_above(low, places) for low in places}
    try:
        Lattice(arrows)
    except LatticeError:
        return None
    return arrows, {f"tie{i or ''}()": answer for i, answer in enumerate(taken.values())}


def _right_above(low: str, places: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the least of the nodes above one; each node has the dtypes that it reaches."""
    higher = [n for n, other in places.items() if other < places[low]]
    return tuple(n for n in higher if not any(places[n] < places[m] for m in higher))


def _with_numbers(rules: PromotionSystem, plain: Description, which: Sequence[str]) -> Description:
    """Return a description in which some types of numbers are nodes of their own."""
    own = {number: f"{number}()" for number in which}
    numbers = {**plain.numbers, **own}
    words = {**{d: d for d in plain.dtypes}, **{f"{n}()": node for n, node in numbers.items()}}
    table = dict(plain.table)
    for a, b in product(words, repeat=2):
        joined = _joined(rules, a, b)
        if joined is not None and {a, b} & {*own.values()}:
            if a[-1] == b[-1] == ")":  # of numbers alone, it is a number still
                joined = next((o for n, o in own.items() if plain.numbers.get(n) == joined), joined)
            table[words[a], words[b]] = joined
    settled = {**plain.settled, **{node: ask(rules, [node]) for node in own.values()}}
    return replace(plain, join="table", table=table, numbers=numbers, settled=settled)


def difference(rules: PromotionSystem, description: Description) -> Difference | None:
    """Return the first words for which a description is wrong, with both answers."""
    module = Module(description)
    for a, b in product(description.dtypes, repeat=2):
        own, read = ask_types(rules, a, b), module.promote_types(a, b)
        if own != read:
            return (a, b), own, read
    words = description.words
    for some in (*product(words), *product(words, repeat=2), *_triples(words)):
        own, read = ask(rules, some), module.result_type(some)
        if own != read:
            return some, own, read
    return None


def _triples(words: Sequence[str]) -> Iterable[tuple[str, ...]]:
    """Return the triples that are compared: all, or if there are many, some."""
    if len(words) ** 3 <= _FEW:
        return product(words, repeat=3)
    draw = Random(0)  # noqa: S311  # a sample, no secret
    return [tuple(draw.choices(words, k=3)) for _ in range(_SOME)]
