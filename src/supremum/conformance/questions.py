"""What is asked of a library: every pair of its operands, and triples where it takes more."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple, Protocol, cast

from supremum.dtypes import DType
from supremum.operands import Operand, operand
from supremum.operators import UNARY
from supremum.system import PromotionSystem


class Question(NamedTuple):
    """Some operands, and an operator if one is asked about."""

    operands: tuple[Operand, ...]
    op: str | None = None


class Library(Protocol):
    """How a live library is asked; each module of `supremum.conformance.libraries` is one.

    It may have more: ``more(dtypes)``, which returns operands besides those of its ranks and
    scalars; ``operate(op, *operands)``, which returns the answer of an operator as ``ask`` does;
    ``NARY_SETTINGS``, the settings in which alone more than two can be asked about, and
    ``MOST_OF_ANY_RANK``, how many of them if there is a 0-d array among them; ``NARY_SCALARS``,
    False where no Python number may be; and ``UNASKED``, the operators whose answers are not those
    of the library's own rules.
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
        """Return a live operand; raises where the library has no such dtype."""

    def ask(self, *operands: Any) -> str:
        """Return the full name of the answer; raises where the library refuses."""


def load(name: str) -> Library:
    """Return how the library of these rules is asked."""
    module = import_module(f"supremum.conformance.libraries.{name.replace('-', '_')}")
    return cast("Library", module)


def operands(library: Library, dtypes: Sequence[DType]) -> list[Operand]:
    """Return the operands that a library is asked about."""
    strong = [d for d in dtypes if not d.weak]
    arrays = [_array(d, rank) for d in strong for rank in library.RANKS]
    more: list[Operand] = library.more(strong) if hasattr(library, "more") else []
    return arrays + more + [operand(value) for value in library.SCALARS]


def questions(
    library: Library, rules: PromotionSystem, count: int = 0, seed: int = 0
) -> Iterator[Question]:
    """Return every question: pairs in both orders, triples, operators, and lists drawn at random.

    Triples are of arrays with dimensions and Python numbers, in one order: the laws say whether the
    order matters. Operators are asked about every pair of arrays with dimensions.

    Args:
        library: how it is asked.
        rules: the rules to compare.
        count: how many lists of two to five operands to draw.
        seed: what they are drawn from.
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
    if hasattr(library, "operate"):
        arrays = [_array(d, 1) for d in rules.operable]
        unasked = getattr(library, "UNASKED", ())
        for op in (op for op in rules.operators if op not in unasked):
            asked = product(arrays, repeat=1 if op in UNARY else 2)
            yield from (Question(operands, op) for operands in asked)


def is_nary(library: Library, rules: PromotionSystem) -> bool:
    """Tell whether more than two operands can be asked about at once, in the rules' setting."""
    return library.NARY or rules.setting in getattr(library, "NARY_SETTINGS", ())


def _array(d: DType, rank: int) -> Operand:
    return Operand(f"{d}[{', '.join('3' * rank)}]", d, False, "array", rank=rank)
