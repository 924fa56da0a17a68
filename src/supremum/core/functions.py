"""The catalogue of functions: each name, its category, and what it follows.

One table serves every question about functions: the engine (``op=``), arrays, the audit's checks,
its preview and its suggestions, and the measurement of live libraries. What a function gives under
some rules is theirs to say; a function that they do not mention follows another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from .catalogue import CATALOGUE, FACTS, WRITTEN
from .libraries import libraries

_MAKING = ("float", "count", "random", "read", "conversion")

NO_DATA: Final = frozenset({"axis", "dim", "where", "mode"})
"""The parameters that say how to compute, and take no operands."""


class Stored(NamedTuple):
    """An argument that a function stores in its first one.

    Attributes:
        position: its position after the first one.
        names: what it is called, in one library or another.
    """

    position: int
    names: tuple[str, ...] = ()


class Function(NamedTuple):
    """One function of the catalogue.

    Attributes:
        name: its name here.
        category: what category it is of, such as ``elementwise``.
        call: how it is called, see `catalogue`.
        follows: the function whose rule it follows, if the rules do not mention it; or ``""``.
        spellings: its other names, in one library or another.
    """

    name: str
    category: str
    call: str
    follows: str = ""
    spellings: tuple[str, ...] = ()

    @property
    def facts(self) -> Sequence[str]:
        """The headings of the facts that it is listed below."""
        return _facts().get(self.name, ())

    def has(self, fact: str) -> bool:
        """Return whether a fact holds of it: a heading of `catalogue.FACTS`, such as ``"sums"``.

        >>> facts_of("np.mean").has("sums"), facts_of("putmask").has("changes")
        (True, True)
        """
        return fact in self.facts

    @property
    def operands(self) -> int | None:
        """How many operands it takes at most, or None for any number."""
        if "..." in self.call or "[x,y]" in self.call or "[m,n]" in self.call:
            return None
        return len(re.findall(OPERAND_SLOT, self.call))

    @property
    def minimum_operands(self) -> int:
        """How many operands it takes at least."""
        return (
            1
            if self.operands is None
            else len(re.findall(OPERAND_SLOT, re.sub("[YZ]", "", self.call)))
        )

    @property
    def places(self) -> tuple[str | None, ...]:
        """What each argument is: the letter of an operand, or None for a parameter.

        >>> FUNCTIONS["where"].places
        (None, 'x', 'y')
        """
        return tuple(map(_letter, self.arguments))

    @property
    def arguments(self) -> tuple[str, ...]:
        """Each argument as the call has it, such as ``c`` for an array of conditions."""
        given = re.findall(_ARGUMENT, self.call[1:-1], re.VERBOSE)
        return tuple(argument for argument in given if argument != "...")

    @property
    def is_accumulating(self) -> bool:
        """Whether it adds up or multiplies elements, so that integers may become wider."""
        is_product = self.category in ("contraction", "product")
        return is_product or (self.name in FUNCTIONS and chain(self.name)[-1] in ("sum", "prod"))

    @property
    def combines(self) -> bool:
        """Whether it puts its operands together, as operators do."""
        if self.category == "elementwise":
            return self.operands != 1 and "equal" not in chain(self.name)
        return self.category in ("condition", "sequence", "contraction", "product")

    @property
    def reduces(self) -> bool:
        """Whether it makes one number of many, in the dtype that it is asked for."""
        return self.category in ("reduction", "cumulative")

    @property
    def converts(self) -> bool:
        """Whether it is called for the sake of a dtype, or makes an array of something."""
        return self.category in ("conversion", "cast")

    @property
    def draws(self) -> bool:
        """Whether it gives random numbers, which another dtype would change."""
        return self.category == "random"

    @property
    def counts(self) -> bool:
        """Whether it gives integers one after the other, or random ones."""
        return self.category == "count"

    @property
    def takes_shape(self) -> bool:
        """Whether the numbers that it is given are sizes, and not its values."""
        return self.category == "float" and self.operands == 0

    @property
    def takes_list(self) -> bool:
        """Whether its operands are all in the list that it is given first."""
        return self.category == "sequence" and self.operands is None

    @property
    def gives_several(self) -> bool:
        """Whether it has several results, each of which comes from all operands."""
        return self.category == "several" and FUNCTIONS[self.follows].category != "sequence"

    @property
    def takes_dtype(self) -> bool:
        """Whether it has a parameter for a dtype, in one library or another."""
        return self.category in _MAKING or "takes dtype" in self.facts

    @property
    def makes_arrays(self) -> bool:
        """Whether its results have a dtype by default, whatever it is given."""
        return self.category in ("float", "count", "fill")

    @property
    def dtype_position(self) -> int | None:
        """The position of the dtype among its arguments in NumPy, without the object of a method.

        >>> facts_of("arange").dtype_position, facts_of("astype").dtype_position
        (3, 0)
        """
        return self._position("dtype ")

    @property
    def output_position(self) -> int | None:
        """The position of the array for its result in NumPy.

        >>> facts_of("add").output_position, facts_of("sum").output_position
        (2, 3)
        """
        if self.category == "elementwise":
            return len(self.arguments)
        return self._position("out ")

    def _position(self, heading: str) -> int | None:
        found = (fact.removeprefix(heading) for fact in self.facts if fact.startswith(heading))
        return next((int(rest) for rest in found), None)

    def form_of_flat(self, form: str) -> str:
        """Return the form of a result without dimensions in NumPy, by that of the operands.

        >>> facts_of("sum").form_of_flat("array"), facts_of("cov").form_of_flat("array")
        ('scalar', 'array')
        """
        if "flat same" in self.facts:
            return form
        is_array = self.makes_arrays or self.converts or self.draws or "flat array" in self.facts
        return "array" if is_array else "scalar"

    @property
    def adds_up(self) -> bool:
        """Whether it adds up, or multiplies, elements or their squares."""
        return self.is_accumulating or self.has("sums") or self.has("squares")

    @property
    def averages(self) -> bool:
        """Whether it divides a sum by the number of elements."""
        return self.has("sums") and not self.is_accumulating and self.category == "reduction"

    @property
    def may_wrap(self) -> bool:
        """Whether its results may be beyond the range of the integers that it is given."""
        return self.has("wraps") or self.is_accumulating

    @property
    def asks(self) -> bool:
        """Whether it asks something of two operands: which one is larger, or whether both hold."""
        asked = {"equal", "less", "logical_and"}
        return self.category == "elementwise" and not asked.isdisjoint(chain(self.name))

    @property
    def puts(self) -> bool:
        """Whether what it stores are elements of another array, as they are."""
        return any(fact.startswith("puts ") for fact in self.facts)

    @property
    def keeps_stored(self) -> bool:
        """Whether what it stores is what it is given, and not computed of it."""
        return any(fact.startswith(("puts ", "fills ")) for fact in self.facts)

    @property
    def stores(self) -> tuple[Stored, ...]:
        """What is stored in its first argument, by it or by what is called so with a suffix.

        >>> facts_of("copyto").stores, facts_of("equal").stores
        ((Stored(position=0, names=('src', 'other')),), ())
        """
        for fact in self.facts:
            verb, _, told = fact.partition(" ")
            if verb in ("puts", "fills", "computes"):
                return tuple(_stored(told))
        is_plain = self.category == "elementwise" and self.operands == 2
        return (Stored(0, ("other", "exponent")),) if is_plain and not self.asks else ()


# patterns are compiled when they are asked for, as that takes a quarter of the time of the import
OPERAND_SLOT: Final = r"(?<![\w'])[xyzmnYZ](?![\w'=])"
"""An operand in a call."""
_ARGUMENT = r"""\([^)]*\)    # a tuple
    | '[^']*'         # a string
    | \[[^\]]*\]      # a list
    | [^,\[]+(?:\[[^\]]*\])?  # a name, with an index or without"""


def _letter(argument: str) -> str | None:
    found = re.match(r"\[?([xyzmnYZ])(?!\w)", argument)
    return found[1] if found else None


def _stored(text: str) -> Iterator[Stored]:
    """Yield the arguments of a heading such as ``0 min 1 max``."""
    position, names = 0, list[str]()
    for i, word in enumerate(text.split()):
        if word.isdigit():
            if i:
                yield Stored(position, tuple(names))
            position, names = int(word), []
        else:
            names.append(word)
    yield Stored(position, tuple(names))


def _lines(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each heading of a text with what is listed below it, line by line."""
    head = ""
    for line in text.strip().splitlines():
        if not line or line.startswith("#"):
            continue
        before, colon, names = f"{line} ".partition(": ")
        head, names = (before, names) if colon else (head, line)
        yield head, names.split()


def _read() -> dict[str, Function]:
    found: dict[str, Function] = {}
    for head, names in _lines(CATALOGUE):
        category, call, *like = head.split()
        follows = like[1] if like else ""
        for spelling in names:
            name, *others = spelling.split("=")
            found[name] = Function(name, category, call, follows, tuple(others))
    for first in [name for name in found if name.endswith("[0]")]:
        name = first.removesuffix("[0]")
        if name not in found:
            found[name] = Function(name, "several", found[first].call, first)
    return found


@cache
def _facts() -> Mapping[str, Sequence[str]]:
    """Return the headings of the facts of each function, which are read when one is asked for."""
    found: dict[str, list[str]] = {}
    for heading, names in _lines(FACTS):
        for name in names:
            found.setdefault(name, []).append(heading)
    return found


def results(name: str) -> tuple[str, ...]:
    """Return what the results of a function are called, or nothing if it has one.

    >>> results("frexp")
    ('frexp[0]', 'frexp[1]')
    """
    known = canonical(name) or name
    return tuple(part for i in range(9) if (part := f"{known}[{i}]") in FUNCTIONS)


FUNCTIONS: Final[Mapping[str, Function]] = _read()
"""The catalogue, by the names that it uses."""

_BY_SPELLING = {other: f.name for f in FUNCTIONS.values() for other in (f.name, *f.spellings)}
_BY_SPELLING |= {
    symbol: name
    for name, written in WRITTEN.items()
    if (symbol := written.strip("xy ")) and len(written.split()) == 3  # of two operands
}


# The functions in each namespace: by category, or by a pattern of their names.
_SPECIAL = r"""erf\w*|\w*gamma\w*|psi|\w*bessel_\w+|\w+_polynomial_\w+|airy_ai|(log_)?ndtri?|i[01]e?
    |entr|expit|sigmoid|logit|xlog\w+|zeta|exp2|expm1|log1p|logsumexp|(log_)?softmax|sinc|round
    |exp[1i]|factorial|spence"""
_LINEAR = r"""matmul|outer|cross|trace|diagonal|vecdot|tensordot|matrix_transpose|matrix_power
    |multi_dot|(vector|matrix)_norm|inner|solve_\w+|lu\w*|matvec|vecmat|diag|einsum|block_diag|vander"""
_LAYERS = r"""\w*relu6?|[cgs]?elu|\w*soft(max|min|plus|sign)|\w*sigmoid|\w*tanh|\w*dropout
    |threshold|\w*shrink|hard_?\w+|silu|swish|mish|soft_sign|sparse_plus|squareplus|log1mexp|pad
    |cosine_similarity|pairwise_distance|pdist|pixel_\w+|(channel|native)_\w+|log(sum|mean)exp
    |rms_norm|lerp"""
NAMESPACES: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(("linalg", "scipy.linalg"), ("linalg norm", _LINEAR)),
    **dict.fromkeys(("special", "scipy.special"), ("", _SPECIAL)),
    **dict.fromkeys(("nn", "nn.functional", "functional", "F"), ("layer", _LAYERS)),
    "fft": ("transform", r"(i?fft|rfft)(shift|freq)"),
    "random": ("random", """randint|randperm|bernoulli|multinomial|binomial|integers|choice
        |permut(ation|ed)"""),
    "math": ("elementwise reduction cumulative", _SPECIAL),
    "signal": ("transform contraction float", r"(i?fft|rfft)(shift|freq)"),
    **dict.fromkeys(("array", "compute", "lax", "ops", "ndarray", "Array", "DataFrame", "Expr",
                     "Series", "Tensor"), ("", ".*")),  # all functions
}  # fmt: skip
"""What may stand before the name of a function, after the module of a library."""


def canonical(name: str) -> str | None:
    """Return the name of the catalogue for any spelling of a function, or None if it is unknown.

    A dotted prefix is a library, as programs import it, or one of `NAMESPACES`, or both.

    >>> canonical("arctan2"), canonical("frobnicate"), canonical("//")
    ('atan2', None, 'floor_divide')
    >>> canonical("np.linalg.inv"), canonical("np.add.reduce"), canonical("np.divide.outer")
    ('inv', 'sum', None)
    """
    found = _BY_SPELLING.get(name)
    if found or "." not in name:
        return found
    parts = name.split(".")
    for i in range(1, len(parts)):  # the longest first, such as add.reduce
        last = ".".join(parts[i:])
        if found := _BY_SPELLING.get(last):
            return found if _is_at(found, last, parts[:i]) else None
    return None


def _is_at(name: str, last: str, path: list[str]) -> bool:
    """Return whether a function of the catalogue is found at a path, under its last name."""
    if ".".join(path) not in NAMESPACES:  # the words of a library come first
        known = _library_words()
        path = path[next((i for i, word in enumerate(path) if word not in known), len(path)) :]
    if not path:
        return True
    categories, pattern = NAMESPACES.get(".".join(path), ("", ""))
    known_as = FUNCTIONS[name]
    if known_as.category == "several":
        known_as = FUNCTIONS[known_as.follows]
    return (
        known_as.category in categories.split()
        or re.fullmatch(pattern, last, re.VERBOSE) is not None
    )


def _library_words() -> set[str]:
    """Return what stands before functions for the libraries: modules, and what programs call them.

    It is asked for names with a dot alone, since it loads the facts of all libraries.
    """
    found: set[str] = set()
    for library in libraries().values():
        module, alias = library.import_as
        found.update(library.modules, module.split("."), (alias,))
    return found


def function(name: str) -> Function | None:
    """Return what the catalogue says of a function, by any spelling, or None if it is unknown."""
    return FUNCTIONS.get(canonical(name) or "")


def facts_of(name: str) -> Function:
    """Return a function with its facts, by any spelling; none hold for one that is unknown.

    Functions that no rules speak of have facts, too.

    >>> facts_of("np.add.reduce").has("sums"), facts_of("frobnicate").has("sums")
    (True, False)
    """
    return function(name) or Function(name if name in _facts() else "", "", "()")


def chain(name: str) -> tuple[str, ...]:
    """Return a function of the catalogue and those that it follows, one after the other.

    >>> chain("cumulative_sum")
    ('cumulative_sum', 'sum')
    """
    found = [name]
    while follows := FUNCTIONS[found[-1]].follows:
        found.append(follows)
    return tuple(found)


def written(name: str) -> str:
    """Return how an operator is written, such as ``x + y``, or ``""``."""
    return WRITTEN.get(name, "")
