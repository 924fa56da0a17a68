"""What is asked of a library: every pair of its operands, and triples where it takes more."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import combinations_with_replacement, product
from pkgutil import iter_modules
from typing import Any, NamedTuple, Protocol, cast

from ..core.dtypes import DType
from ..core.functions import FUNCTIONS
from ..core.operands import Operand, operand
from ..core.system import PromotionSystem
from . import calls


class Question(NamedTuple):
    """Some operands, and an operator if one is asked about."""

    operands: tuple[Operand, ...]
    op: str | None = None


class Library(Protocol):
    """How a live library is asked; each module of `supremum.conformance.libraries` is one.

    It may have more: ``more(dtypes)``, which returns operands besides those of its ranks and
    scalars; ``operate(function, *operands)``, which returns the answer of a function as ``ask``
    does; ``roots()``, ``CALLS`` and ``NAMES``, see `calls`; ``UNMODELLED``, for a function a test
    of operands about which it is not asked, since the rules refuse them by name;
    ``FUNCTION_SCALARS``, the Python numbers that functions are asked about, if those are others;
    ``NARY_SETTINGS``, the settings in which alone more than two operands can be asked about, and
    ``MOST_OF_ANY_RANK``, how many of them if a 0-d array is among them;
    ``NARY_SCALARS``, False if no Python number may be; ``WEAK_RESULTS``, True if the answers of
    functions say whether they are weak; and ``OF_RELEASES``, options of the rules
    with the distribution whose release they are.
    """

    SYSTEM: str
    """The name of the rules."""
    DISTRIBUTION: str
    """What installs the library, with the release that the rules were measured on."""
    SETTINGS: Sequence[Mapping[str, Any]]
    """The options of the rules; each setting is asked in a process of its own."""
    RANKS: Sequence[int]
    """The ranks of the arrays that are asked about."""
    SCALARS: Sequence[complex]
    """The Python numbers that are asked about."""
    NARY: bool
    """Whether more than two operands can be asked about at once."""

    def version(self) -> str:
        """Return the release that is installed."""

    def configure(self, **options: Any) -> None:
        """Bring the library into a setting."""

    def make(self, op: Operand) -> Any:
        """Return a live operand; raises DTypeError where the library has no such dtype."""

    def ask(self, *operands: Any) -> str:
        """Return the full name of the answer; raises where the library refuses."""


def load(name: str) -> Library:
    """Return how the library of these rules is asked."""
    module = import_module(f".libraries.{name.replace('-', '_')}", __package__)
    return cast("Library", module)


@cache
def conformable() -> tuple[str, ...]:
    """Return the names of the rules that a live library can be asked about."""
    files = iter_modules(import_module(".libraries", __package__).__path__)
    return tuple(sorted(file.name.replace("_", "-") for file in files))


def operands(library: Library, dtypes: Sequence[DType]) -> list[Operand]:
    """Return the operands that a library is asked about."""
    strong = [d for d in dtypes if not d.weak]
    arrays = [_array(d, rank) for d in strong for rank in library.RANKS]
    more: list[Operand] = library.more(strong) if hasattr(library, "more") else []
    return arrays + more + [operand(value) for value in library.SCALARS]


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

    Args:
        library: how it is asked.
        rules: the rules to compare.
        count: how many lists of two to five operands to draw.
        seed: what they are drawn from.
        functions: whether functions are asked about.
    """
    every = operands(library, rules.dtypes)
    yield from (Question(pair) for pair in product(every, repeat=2))
    if is_nary(library, rules):
        scalars = getattr(library, "NARY_SCALARS", True)
        several = [op for op in every if scalars or op.form != "Python scalar"]
        some = [op for op in several if op.rank or op.form == "Python scalar"]
        yield from (Question(three) for three in combinations_with_replacement(some, 3))
        draw = random.Random(seed)  # noqa: S311  # no secret depends on it
        for _ in range(count):
            length = draw.randint(2, 5)
            pool = every if length == 2 else several
            if length > getattr(library, "MOST_OF_ANY_RANK", 5):
                pool = [op for op in several if op.rank]
            yield Question(tuple(draw.choices(pool, k=length)))
    if functions and hasattr(library, "operate"):
        unmodelled = getattr(library, "UNMODELLED", {})
        for question in _of_functions(library, rules):
            is_left_out = unmodelled.get(question.op)
            if is_left_out is None or not is_left_out(question.operands):
                yield question


_OF_ELEMENTS = ("elementwise", "condition")


def _of_functions(library: Library, rules: PromotionSystem) -> Iterator[Question]:
    more: list[Operand] = library.more(dtypes_of(rules)) if hasattr(library, "more") else []
    weak = [x for x in more if x.weak]
    scalars = getattr(library, "FUNCTION_SCALARS", library.SCALARS)
    others = more + [operand(value) for value in scalars]
    if rules.ranked and not rules.valued:  # else those without a value are refused
        others += [_array(d, 0) for d in dtypes_of(rules)]
    for name in asked_functions(library, rules):
        ranks = calls.ranks_of(FUNCTIONS[name], getattr(library, "CALLS", {}))
        of_elements = FUNCTIONS[name].category in _OF_ELEMENTS and ranks == [1] * len(ranks)
        if not ranks:
            yield Question((), name)
            continue
        for pair in product(dtypes_of(rules), repeat=min(len(ranks), 2)):
            for dtypes in _spread(pair, len(ranks)):
                yield Question(tuple(map(_array, dtypes, ranks)), name)
        if ranks == [1]:
            some = [x for x in more if of_elements or x.rank]
            yield from (Question((x,), name) for x in some)
        elif of_elements and len(ranks) == 2:
            for x, y in product([_array(d, 1) for d in dtypes_of(rules)], others):
                yield Question((x, y), name)
                yield Question((y, x), name)
            for x, y in product(weak, others):
                yield Question((x, y), name)
        elif len(ranks) == 2:
            for two in product([x for x in weak if x.rank], repeat=2):
                yield Question(tuple(map(_of_rank, two, ranks)), name)


def _of_rank(x: Operand, rank: int) -> Operand:
    return x if rank == x.rank else x._replace(rank=rank, text=x.text.replace("[3]", "[3, 3]"))


def _spread(pair: tuple[DType, ...], count: int) -> list[tuple[DType, ...]]:
    """Return a pair of dtypes in the places of three operands, each of them twice."""
    if count < 3:
        return [pair]
    a, b = pair
    return [(a, a, b), (a, b, a), (b, a, a)]


def dtypes_of(rules: PromotionSystem) -> list[DType]:
    """Return the dtypes of arrays that functions are asked about."""
    return [d for d in rules.operable if not d.weak]


def asked_functions(library: Library, rules: PromotionSystem) -> list[str]:
    """Return the functions that a library is asked about: those that its rules have."""
    unasked = getattr(library, "UNASKED", ())
    return [name for name in FUNCTIONS if name not in ("same", *unasked) and rules.rule(name)]


def is_nary(library: Library, rules: PromotionSystem) -> bool:
    """Tell whether more than two operands can be asked about at once, in the rules' setting."""
    return library.NARY or rules.setting in getattr(library, "NARY_SETTINGS", ())


def _array(d: DType, rank: int) -> Operand:
    return Operand(f"{d}[{', '.join('3' * rank)}]", d, False, "array", rank=rank)
