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


class Question(NamedTuple):
    """Some operands, and an operator if one is asked about."""

    operands: tuple[Operand, ...]
    op: str | None = None


class Library(Protocol):
    """How a live library is asked; each module of `supremum.conformance.libraries` is one.

    It may have more: ``more(dtypes)``, which returns operands besides those of its ranks and
    scalars; ``operate(function, *operands)``, which returns the answer of a function as ``ask``
    does; ``UNASKED``, the functions that the library lacks, or whose answers are not its own;
    ``FUNCTION_SCALARS``, the Python numbers that functions are asked about, if those are others;
    ``NARY_SETTINGS``, the settings in which alone more than two operands can be asked about, and
    ``MOST_OF_ANY_RANK``, how many of them if there is a 0-d array among them; and
    ``NARY_SCALARS``, False if no Python number may be.
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
    library: Library, rules: PromotionSystem, count: int = 0, seed: int = 0
) -> Iterator[Question]:
    """Return every question: pairs in both orders, triples, operators, and lists drawn at random.

    Triples are of arrays with dimensions and Python numbers, in one order: the laws say whether the
    order matters. Functions are asked about every pair of arrays with dimensions, and those of
    elements about Python numbers, weak arrays and, if ranks count, 0-d arrays beside these.

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
        yield from _of_functions(library, rules)


_ASKED_SORTS = (
    "elementwise", "condition", "part", "reduction", "cumulative", "contraction", "product",
    "sequence", "linalg", "transform", "store",
)  # fmt: skip
OF_MATRICES = ("trace", "tensordot", "fft2", "ifft2", "rfft2", "irfft2")
"""The functions beside those of linear algebra that take matrices."""
_OF_ELEMENTS = ("elementwise", "condition")


def _of_functions(library: Library, rules: PromotionSystem) -> Iterator[Question]:
    arrays = [_array(d, 1) for d in rules.operable]
    weak: list[Operand] = library.more(rules.operable) if hasattr(library, "more") else []
    scalars = getattr(library, "FUNCTION_SCALARS", library.SCALARS)
    others = weak + [operand(value) for value in scalars]
    others += [_array(d, 0) for d in rules.operable] if rules.ranked else []
    for name in asked_functions(library, rules):
        function = FUNCTIONS[name]
        if function.operands == 1:
            of_elements = function.sort in _OF_ELEMENTS
            yield from (Question((x,), name) for x in [*arrays, *(weak if of_elements else ())])
            continue
        yield from (Question(pair, name) for pair in product(arrays, repeat=2))
        if function.sort in _OF_ELEMENTS:
            for x, y in product(arrays, others):
                yield Question((x, y), name)
                yield Question((y, x), name)


def asked_functions(library: Library, rules: PromotionSystem) -> list[str]:
    """Return the functions that a library is asked about, by the names of the catalogue."""
    unasked = getattr(library, "UNASKED", ())
    return [
        name
        for name, function in FUNCTIONS.items()
        if function.sort in _ASKED_SORTS
        and function.operands != 3
        and name not in unasked
        and rules.rule(name) is not None
    ]


def find(module: Any, name: str) -> Any:
    """Return a function of a library, by any of its spellings.

    Raises:
        AttributeError: if the library does not have it.
    """
    for spelling in (name, *FUNCTIONS[name].spellings):
        found = getattr(module, spelling, None)
        if found is not None:
            return found
    raise AttributeError(f"{module.__name__} does not have {name}")


def is_nary(library: Library, rules: PromotionSystem) -> bool:
    """Tell whether more than two operands can be asked about at once, in the rules' setting."""
    return library.NARY or rules.setting in getattr(library, "NARY_SETTINGS", ())


def _array(d: DType, rank: int) -> Operand:
    return Operand(f"{d}[{', '.join('3' * rank)}]", d, False, "array", rank=rank)
