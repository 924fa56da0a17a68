"""What is asked of a library: every pair of its operands, and triples where it takes more."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations_with_replacement, groupby, product
from typing import NamedTuple

from ..core.dtypes import DType
from ..core.functions import FUNCTIONS, OPERAND_SLOT, Function
from ..core.operands import Operand, operand
from ..core.system import PromotionSystem
from . import calls
from .library import Library


class Question(NamedTuple):
    """Some operands, an operator if one is asked about, and what it is given as ``dtype=``."""

    operands: tuple[Operand, ...]
    op: str | None = None
    dtype: DType | None = None

    @property
    def name(self) -> str:
        """The operator, with the name of the parameter."""
        return f"{self.op or ''}{'(dtype=)' if self.dtype else ''}"

    def text(self, called: Mapping[str, str]) -> str:
        """Return the call: ``cumsum(float16[3], dtype=int64)``.

        Args:
            called: how the library calls functions, if otherwise than the catalogue says.
        """
        left = iter(self.operands)
        name = self.op or "add"
        call = called.get(name, FUNCTIONS[name].call).replace(",...", "").replace(",", ", ")
        written = re.sub(OPERAND_SLOT, lambda _: next(left).text, call)
        keyword = f", dtype={self.dtype})" if self.dtype else ")"
        return f"{name}{written.removesuffix(')')}{keyword}"


def questions(
    library: Library,
    rules: PromotionSystem,
    count: int = 0,
    seed: int = 0,
    *,
    functions: bool = True,
    cells: int = 0,
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
        cells: how many questions are drawn of a function, or 0 for all.
    """
    strong = _strong(rules.dtypes)
    every = [library.array(d, rank, rules.setting) for d in strong for rank in library.ranks]
    every += [*library.more(strong), *map(operand, library.scalars)]
    yield from (Question(pair) for pair in product(every, repeat=2))
    if library.nary_settings is None or rules.setting in library.nary_settings:
        yield from _of_several(library, every, count, seed)
    if functions and library.roots:
        numbers = library.function_scalars or library.scalars
        dtypes = _strong(library.function_dtypes(rules))
        of_functions = _of_functions(library, rules, dtypes, numbers)
        for _, alike in groupby(of_functions, lambda question: question.op):
            yield from _drawn(list(alike), cells, seed)


CELLS = 8
"""How many questions of a function compiled code is asked, unless a number is given."""

MADE_INSIDE = ", made inside"
"""What the text of an array ends with that a compiled function makes, and does not take."""

_NUMBERS = (True, 1, 1.0, 1j)


def compiled_questions(
    library: Library,
    rules: PromotionSystem,
    dtypes: Sequence[str] = (),
    cells: int = 0,
    seed: int = 0,
) -> Iterator[Question]:
    """Return what is asked of compiled code: the questions about functions, of some dtypes.

    Reductions and cumulative functions are also asked about an array that the compiled function
    makes itself, as compilers rewrite what is constant, and those that take ``dtype=`` about each
    dtype. Products of vectors are also asked about matrices.

    Args:
        library: how it is asked.
        rules: the rules to compare.
        dtypes: the names of the dtypes; by default those that the library says, and all for "all".
        cells: how many are drawn of a function, or 0 for all.
        seed: what they are drawn from.
    """
    names = dtypes or library.compiled_dtypes
    chosen = [d for d in _strong(rules.operable) if d.name in names or "all" in names]
    every = _of_functions(library, rules, chosen, _NUMBERS)
    for _, alike in groupby(every, lambda question: question.op):
        passed = list(alike)
        inside = list(_made_inside(passed))
        keyword = passed[0].op in library.takes_dtype
        of_matrices = [list(_with_matrices(passed, library, *ranks)) for ranks in _MATRICES]
        for asked in (passed, inside, *of_matrices):
            alone = [q for q in asked if _is_of_one_array(q)] if keyword else []
            yield from _drawn(asked, cells, seed)
            yield from _drawn([q._replace(dtype=d) for q in alone for d in chosen], cells, seed)


def _is_of_one_array(question: Question) -> bool:
    return [(x.form, x.weak, x.rank) for x in question.operands] == [("array", False, 1)]


def _made_inside(asked: Iterable[Question]) -> Iterator[Question]:
    """Yield the questions about one array again, for an array that is made inside."""
    for question in filter(_is_of_one_array, asked):
        if FUNCTIONS[question.op or ""].category in ("reduction", "cumulative"):
            (x,) = question.operands
            yield question._replace(operands=(x._replace(text=f"{x.text}{MADE_INSIDE}"),))


_MATRICES = ((2, 2), (2, 1), (1, 2))


def _with_matrices(asked: Sequence[Question], library: Library, *ranks: int) -> Iterator[Question]:
    """Yield the questions about a product of vectors again, for arrays of these ranks."""
    for question in asked if asked[0].op in library.products else ():
        yield question._replace(operands=tuple(map(_of_rank, question.operands, ranks)))


def _drawn(asked: Sequence[Question], cells: int, seed: int) -> Sequence[Question]:
    if not 0 < cells < len(asked):
        return asked
    draw = random.Random(f"{seed} {asked[0].name}")  # noqa: S311  # no secret depends on it
    return [asked[i] for i in sorted(draw.sample(range(len(asked)), cells))]


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


def _of_functions(
    library: Library, rules: PromotionSystem, dtypes: Sequence[DType], numbers: Sequence[complex]
) -> Iterator[Question]:
    arrays, scalars = ([library.array(d, n, rules.setting) for d in dtypes] for n in (1, 0))
    more = library.more(dtypes)
    others = [*more, *map(operand, numbers)]
    if rules.ranked and not rules.valued:  # where values count, 0-d arrays need one
        others += scalars
    for name in asked_functions(library, rules):
        known = FUNCTIONS[name]
        ranks = calls.ranks_of(library.calls.get(name, known.call))
        besides: Iterable[tuple[Operand, ...]]
        if known.category in _OF_ELEMENTS and library.scalars_alone and len(ranks) < 3:
            besides = _without_dimensions(arrays, others, len(ranks))
        else:
            besides = _besides(known, ranks, arrays, more, others)
        is_left_out = library.unmodelled.get(name)
        for operands in chain(_of_arrays(arrays, ranks), besides):
            if is_left_out is None or not is_left_out(operands):
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


class Chosen(NamedTuple):
    """What a library is asked.

    Attributes:
        name: the rules of the library.
        lists: how many lists are drawn besides pairs and triples.
        seed: what they are drawn from.
        functions: whether functions are asked about.
        compiled: whether compiled code is asked about instead.
        dtypes: the dtypes that it is asked about, with commas between them.
        cells: how many questions of each function it is asked, drawn from the seed, or 0 for all.
    """

    name: str
    lists: int = 0
    seed: int = 0
    functions: bool = True
    compiled: bool = False
    dtypes: str = ""
    cells: int = 0

    @classmethod
    def of_words(cls, name: str, *words: str) -> Chosen:
        """Return what is written as words on a command line."""
        lists, seed, functions, compiled, dtypes, cells = words
        flags = functions == str(True), compiled == str(True)
        return cls(name, int(lists), int(seed), *flags, dtypes, int(cells))

    def questions(self, library: Library, rules: PromotionSystem) -> Iterator[Question]:
        """Return the questions."""
        if self.compiled:
            dtypes = self.dtypes.split(",") if self.dtypes else ()
            return compiled_questions(library, rules, dtypes, self.cells, self.seed)
        return questions(
            library, rules, self.lists, self.seed, functions=self.functions, cells=self.cells
        )


def asked_functions(library: Library, rules: PromotionSystem) -> list[str]:
    """Return the functions that a library is asked about: those that its rules have."""
    unasked = ("same", *library.unasked)
    return [name for name in FUNCTIONS if name not in unasked and rules.rule(name)]


def _strong(dtypes: Iterable[DType]) -> list[DType]:
    return [d for d in dtypes if not d.weak]


def _of_rank(x: Operand, rank: int) -> Operand:
    if rank == x.rank:
        return x
    return x._replace(shape=(3,) * rank, text=x.text.replace("[3]", "[3, 3]"))
