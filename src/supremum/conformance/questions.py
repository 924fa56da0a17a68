"""What is asked of a library: every pair of its operands, and triples where it takes more."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations_with_replacement, product
from typing import NamedTuple

from ..core.dtypes import DType
from ..core.functions import FUNCTIONS, Function
from ..core.operands import Operand, operand
from ..core.system import PromotionSystem
from . import calls
from .library import Library


class Question(NamedTuple):
    """Some operands, and an operator if one is asked about."""

    operands: tuple[Operand, ...]
    op: str | None = None


def questions(
    library: Library,
    rules: PromotionSystem,
    count: int = 0,
    seed: int = 0,
    *,
    functions: bool = True,
) -> Iterator[Question]:
    """Return every question: pairs in both orders, triples, operators, and lists drawn at random.

    Triples are of arrays with dimensions and Python numbers, in one order: the laws say whether the
    order matters. Functions are asked about every pair of arrays with dimensions, and those of
    elements about Python numbers, weak arrays and, if ranks count, 0-d arrays beside these, and
    about pairs of weak arrays, or of one and a number; others of two operands about weak arrays.
    A library may say that those of elements are asked about operands without dimensions, too.

    Args:
        library: how it is asked.
        rules: the rules to compare.
        count: how many lists of two to five operands to draw.
        seed: what they are drawn from.
        functions: whether functions are asked about.
    """
    strong = _strong(rules.dtypes)
    every = [library.array(d, rank, rules.setting) for d in strong for rank in library.ranks]
    every += [*library.more(strong), *map(operand, library.scalars)]
    yield from (Question(pair) for pair in product(every, repeat=2))
    if library.nary_settings is None or rules.setting in library.nary_settings:
        yield from _of_several(library, every, count, seed)
    if functions and library.roots:
        for question in _of_functions(library, rules):
            is_left_out = library.unmodelled.get(question.op or "")
            if is_left_out is None or not is_left_out(question.operands):
                yield question


def _of_several(
    library: Library, every: Sequence[Operand], count: int, seed: int
) -> Iterator[Question]:
    """Yield triples, and lists drawn at random."""
    several = [op for op in every if library.nary_scalars or not op.is_python]
    some = [op for op in several if op.rank or op.is_python]
    yield from (Question(three) for three in combinations_with_replacement(some, 3))
    draw = random.Random(seed)  # noqa: S311  # no secret depends on it
    for _ in range(count):
        length = draw.randint(2, 5)
        pool = every if length == 2 else several
        if length > library.most_of_any_rank:
            pool = [op for op in several if op.rank]
        yield Question(tuple(draw.choices(pool, k=length)))


_OF_ELEMENTS = ("elementwise", "condition")


def _of_functions(library: Library, rules: PromotionSystem) -> Iterator[Question]:
    dtypes = _strong(library.function_dtypes(rules))
    arrays, scalars = ([library.array(d, n, rules.setting) for d in dtypes] for n in (1, 0))
    more = library.more(dtypes)
    others = [*more, *map(operand, library.function_scalars or library.scalars)]
    others += scalars if _takes_0d(rules) else []
    for name in asked_functions(library, rules):
        known = FUNCTIONS[name]
        ranks = calls.ranks_of(library.calls.get(name, known.call))
        besides: Iterable[tuple[Operand, ...]]
        if known.category in _OF_ELEMENTS and library.scalars_alone and len(ranks) < 3:
            besides = _without_dimensions(arrays, others, len(ranks))
        else:
            besides = _besides(known, ranks, arrays, more, others)
        for operands in chain(_of_arrays(arrays, ranks), besides):
            yield Question(operands, name)


def _besides(
    known: Function,
    ranks: Sequence[int],
    arrays: Sequence[Operand],
    more: Sequence[Operand],
    others: Sequence[Operand],
) -> Iterable[tuple[Operand, ...]]:
    """Return the operands that a function is asked about besides arrays with dimensions."""
    is_of_elements = known.category in _OF_ELEMENTS
    if list(ranks) == [1]:
        return ((x,) for x in more if x.rank or is_of_elements)
    if is_of_elements and list(ranks) == [1, 1]:
        return _beside(arrays, more, others)
    return _of_weak(more, ranks) if len(ranks) == 2 else ()


def _takes_0d(rules: PromotionSystem) -> bool:
    """Return whether 0-d arrays are other operands; where values count, they need one."""
    return rules.ranked and not rules.valued


def _beside(
    arrays: Sequence[Operand], more: Sequence[Operand], others: Sequence[Operand]
) -> Iterator[tuple[Operand, ...]]:
    """Yield arrays beside other operands in both orders, and weak ones beside them."""
    for x, y in product(arrays, others):
        yield x, y
        yield y, x
    yield from product([x for x in more if x.weak], others)


def _without_dimensions(
    arrays: Sequence[Operand], others: Sequence[Operand], count: int
) -> Iterator[tuple[Operand, ...]]:
    """Yield operands without dimensions, by themselves and beside arrays."""
    yield from product(others, repeat=count)
    if count > 1:
        yield from product(arrays, others)
        yield from product(others, arrays)


def _of_weak(more: Sequence[Operand], ranks: Sequence[int]) -> Iterator[tuple[Operand, ...]]:
    """Yield pairs of weak arrays of these ranks."""
    for two in product([x for x in more if x.weak and x.rank], repeat=2):
        yield tuple(map(_of_rank, two, ranks))


def _of_arrays(arrays: Sequence[Operand], ranks: Sequence[int]) -> Iterator[tuple[Operand, ...]]:
    """Yield arrays of these ranks and every pair of dtypes; of three, each dtype twice."""
    for pair in product(arrays, repeat=min(len(ranks), 2)):
        spread = [pair]
        if len(ranks) > 2:
            a, b = pair
            spread = [(a, a, b), (a, b, a), (b, a, a)]
        yield from (tuple(map(_of_rank, operands, ranks)) for operands in spread)


def asked_functions(library: Library, rules: PromotionSystem) -> list[str]:
    """Return the functions that a library is asked about: those that its rules have."""
    unasked = ("same", *library.unasked)
    return [name for name in FUNCTIONS if name not in unasked and rules.rule(name)]


def _strong(dtypes: Iterable[DType]) -> list[DType]:
    return [d for d in dtypes if not d.weak]


def _of_rank(x: Operand, rank: int) -> Operand:
    return x if rank == x.rank else x._replace(rank=rank, text=x.text.replace("[3]", "[3, 3]"))
