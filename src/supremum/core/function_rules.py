"""What a function makes of the dtype that its operands join to, as data.

For nearly every function the result depends on the joined dtype alone. So a rule is a short string:
groups of dtypes, each with what becomes of them::

    bool: i8; complex: -; *: b

A group is kinds (``bool``, ``unsigned``, ``signed``, ``integer``, ``float``, ``complex``), dtypes
by their names or the codes that count bits, or ``*`` for all the rest; a dtype in no group stays as
it is. What becomes of a group is a dtype; ``-``, a refusal; ``part``, the float dtype of each part
of a complex one; or a default dtype of the rules: ``INT``, ``UINT``, ``FLOAT``, ``COMPLEX`` or
``INDEX``. Words before the groups say more, see `WORDS`.

Rules of many functions are one string, with a line for those that share a rule::

    add, multiply =
    true_divide   = bool integer: FLOAT

What no word says is a `Special`: a few short functions of Python, in the file of the library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from .dtypes import KINDS, DType, by_name, from_code
from .errors import DTypeError, NoJoinError, RulesError, did_you_mean, listed
from .functions import FUNCTIONS, canonical, written
from .hints import cast_first, other_dtype
from .operands import Operand
from .steps import DEFAULT_WIDTHS, Classified, Settled
from .table import REFUSED

PART: Final = "part"
DEFAULTS: Final = ("INT", "UINT", "FLOAT", "COMPLEX", "INDEX")
_GROUPS: dict[str, tuple[str, ...]] = {
    **{kind: (kind,) for kind in KINDS},
    "integer": ("unsigned", "signed"),
    "*": KINDS,
}

# The kinds as operators in place see them: by "category" an integer may change its sign.
_RANKS: dict[str, dict[str, int]] = {
    "same": {},
    "kind": {"bool": 0, "unsigned": 1, "signed": 2, "float": 3, "complex": 4},
    "category": {"bool": 0, "unsigned": 1, "signed": 1, "float": 3, "complex": 4},
}


class Defaults(NamedTuple):
    """The dtypes of what rules make without one, and the dtype of indices and counts."""

    int: DType
    float: DType
    complex: DType
    index: DType  # type: ignore[assignment]  # shadows tuple.index; never used as a sequence

    def of(self, symbol: str) -> DType:
        """Return the dtype that a symbol of a rule stands for."""
        if symbol == "UINT":
            return by_name(f"uint{self.int.bits}")
        found: DType = getattr(self, symbol.lower())
        return found


class Case(NamedTuple):
    """A group of dtypes, and what becomes of them: a dtype, or a word of the language."""

    members: frozenset[str]
    result: DType | str

    def has(self, d: DType) -> bool:
        """Return whether a dtype is in the group."""
        return d.kind in self.members or d.name in self.members

    def takes(self, d: DType) -> bool:
        """Return whether a dtype is in the group, or the width that a weak one takes alone."""
        return self.has(by_name(DEFAULT_WIDTHS.get(d.name, d.name)))


class Store(NamedTuple):
    """Where a result goes: what the first operand takes, and which dtypes take everything."""

    takes: str
    all_in: tuple[DType, ...] = ()


class Special(NamedTuple):
    """What a function does that no word says, as functions of Python.

    Attributes:
        says: what it does, in a few words.
        select: returns the operands that join, of those given.
        result: returns what results of a call, instead of what becomes of the joined dtype.
        keeps_weak: returns whether the result of a call is weak, or None if the rule decides.
        by_value: whether the value of a number decides.
    """

    says: str
    select: Callable[[list[Operand]], list[Operand]] | None = None
    result: Callable[[Call], DType] | None = None
    keeps_weak: Callable[[Call], bool | None] | None = None
    by_value: bool = False


class FunctionRule(NamedTuple):
    """The rule of a function, parsed and checked.

    Attributes:
        cases: the groups, in order: the first that has a dtype decides.
        alike: whether all operands must have one dtype.
        apart: whether the groups apply to each operand before they join.
        shared: whether the operands join as they do without a function.
        only: the number of the operand that joins alone, or 0.
        takes: what each operand may be, or nothing for anything.
        arrays: which operands must be arrays: ``"all"``, ``"first"``, ``"any"`` for at least one,
            or ``""``.
        ints: what a Python int must be; ``""`` if that is as the rules say.
        default: the kinds of which weakly typed arrays take their default width.
        weak: the kinds of which weak results stay weak, or None for all.
        store: where the result goes, or None for a new array.
        special: what the words do not say, or None.
    """

    cases: tuple[Case, ...] = ()
    alike: bool = False
    apart: bool = False
    shared: bool = False
    only: int = 0
    takes: tuple[frozenset[str], ...] = ()
    arrays: str = ""
    ints: str = ""
    default: frozenset[str] = frozenset()
    weak: frozenset[str] | None = None
    store: Store | None = None
    special: Special | None = None

    @property
    def is_power(self) -> bool:
        """Whether a negative int after the first operand is refused among integers."""
        return self.ints in ("exponent", "natural")

    @property
    def text(self) -> str:
        """The rule as a string, which `parse` reads; a special part is left out.

        >>> FunctionRule.parse("apart;b u8: f16").text
        'apart; bool uint8: float16'
        """
        usual = FunctionRule()
        words = [
            f"{name} {word.write(value)}".strip()
            for name, word in WORDS.items()
            if (value := getattr(self, word.field)) != getattr(usual, word.field)
        ]
        cases = [f"{_group(case.members)}: {case.result}" for case in self.cases]
        return "; ".join([*words, *cases])

    @classmethod
    def parse(cls, text: str, line: int | None = None) -> FunctionRule:
        """Return the rule that a string describes.

        Args:
            text: the rule, in the language of this module.
            line: the line that it stands on, which an error names.

        Raises:
            RulesError: if a word, a group or a dtype in it is unknown.

        >>> FunctionRule.parse("bool integer: f64").result_of("true_divide", by_name("int8")).name
        'float64'
        """
        try:
            return _parse(text)
        except (DTypeError, RulesError) as error:
            where = f"line {line}: " if line else ""
            what = f"{where}in the rule {text.strip()!r}: {error}"
            raise RulesError(what, text, error.candidates, line) from None

    def result_of(
        self, name: str, d: DType, defaults: Defaults | None = None, known: Sequence[DType] = ()
    ) -> DType:
        """Return what becomes of a dtype.

        Args:
            name: the function, which a refusal names.
            d: the dtype.
            defaults: the default dtypes of the rules.
            known: the dtypes of the rules, one of which a refusal names to cast to.

        Raises:
            NoJoinError: if it is refused.
        """
        to = self._case(d)
        if to == REFUSED:
            raise NoJoinError(f"{name} does not take {d}{other_dtype(d, known, self.accepts)}")
        if isinstance(to, DType):
            return to
        if to == PART:
            return d.part
        return defaults.of(to) if to and defaults else d

    def accepts(self, d: DType) -> bool:
        """Return whether the function takes a dtype."""
        return self._case(d) != REFUSED

    def becomes_default(self, d: DType) -> bool:
        """Return whether a dtype becomes a default one of the rules, whatever that is."""
        return self._case(d) in DEFAULTS

    def _case(self, d: DType) -> DType | str:
        return next((case.result for case in self.cases if case.has(d)), "")

    def not_taken(self, operands: Sequence[Operand]) -> tuple[int, Operand] | None:
        """Return the first operand that may not stand where it stands, or None."""
        pairs = enumerate(zip(operands, self.takes, strict=False))
        return next(((i, x) for i, (x, kinds) in pairs if not Case(kinds, "").takes(x.dtype)), None)

    def check_store(self, name: str, result: DType, into: DType, why: str = "") -> None:
        """Refuse a result that the first operand does not take; `why` it is that one.

        Raises:
            NoJoinError: if it does not.
        """
        store = self.store or Store("category")
        if result is into or into in store.all_in:
            return
        rank = _RANKS[store.takes]
        if not rank or rank[result.kind] > rank[into.kind]:
            raise NoJoinError(f"{name} cannot put {result} into {into}{why}")


class Call(NamedTuple):
    """A call of a function, whose operands have joined.

    Attributes:
        name: the function.
        rule: its rule.
        settled: what the operands join to.
        classified: the operands that joined.
        dtypes: the dtype of each.
        defaults: the default dtypes of the rules.
        known: the dtypes of the rules.
    """

    name: str
    rule: FunctionRule
    settled: Settled
    classified: tuple[Classified, ...]
    dtypes: tuple[DType, ...]
    defaults: Defaults
    known: Sequence[DType]

    @property
    def joined(self) -> DType:
        """The joined dtype."""
        return self.settled.dtype

    def becomes(self, d: DType) -> DType:
        """Return what becomes of a dtype by the groups of the rule.

        Raises:
            NoJoinError: if it is refused.
        """
        return self.rule.result_of(self.name, d, self.defaults, self.known)

    def result(self) -> DType:
        """Return what the function gives.

        Raises:
            NoJoinError: if the function refuses.
        """
        rule = self.rule
        if rule.special is not None and rule.special.result is not None:
            return rule.special.result(self)
        if rule.alike and len(set(self.dtypes)) > 1:
            raise NoJoinError(f"{self.name} takes operands of one dtype{cast_first(self.joined)}")
        made = self.becomes(self.joined)
        if rule.store is None:
            return made
        rule.check_store(self.name, self.joined, self.dtypes[0], self._origin())
        return self.dtypes[0]

    def _origin(self) -> str:
        """Return where the kind of the joined dtype comes from, as the tail of a refusal."""
        others = self.classified[1:]
        maker = next((x for x in others if x.operand.dtype.kind == self.joined.kind), None)
        if not others or (maker is not None and maker.operand.text == self.joined.name):
            return ""
        if maker is not None:
            return f"; {maker.operand.text} makes the result {self.joined}"
        met = " and ".join(str(x.node) for x in self.classified)
        return f"; {met} meet in {self.joined}"

    def stays_weak(self, made: DType) -> bool:
        """Return whether a result is weak, for rules with weak arrays."""
        rule, weak = self.rule, self.settled.weak
        if rule.special is not None and rule.special.keeps_weak is not None:
            found = rule.special.keeps_weak(self)
            if found is not None:
                return found
        if rule.weak is not None:
            return weak and self.joined.kind in rule.weak
        return weak and made.kind != "bool"


def weak_but_of_floats(call: Call) -> bool:
    """Return whether a result is weak: it is, unless a float that is not weak is taken."""
    return call.settled.weak or call.joined.kind != "float"


def changed(name: str, joined: DType, result: DType) -> str:
    """Return a sentence that says what a function made of the joined dtype, or ``""``."""
    if result is joined:
        return ""
    formula = written(canonical(name) or name)
    how = f" ({formula})" if formula else ""
    return f"{name}{how} converts {joined} to {result}."


# reading many rules


def parse_rules(rules: str | Mapping[str, str | FunctionRule]) -> dict[str, FunctionRule]:
    """Return the rules of functions by their names.

    Args:
        rules: one string with many rules, or a mapping of names to the string of each.

    Raises:
        RulesError: for an unknown function, or a mistake in a rule; with its line.

    >>> sorted(parse_rules("add, multiply =  # the same"))
    ['add', 'multiply']
    """
    found: dict[str, FunctionRule] = {}
    for number, names, given in _lines(rules) if isinstance(rules, str) else _items(rules):
        rule = given if isinstance(given, FunctionRule) else FunctionRule.parse(given, number)
        for name in names:
            if (known := _known(name, number)) in found:
                where = f"line {number}: " if number else ""
                raise RulesError(f"{where}{known} has a rule already", name, line=number)
            found[known] = rule
    return found


def special_rules(special: Special, rules: str) -> dict[str, FunctionRule]:
    """Return the rules of functions that share a special part, by their names."""
    parsed = parse_rules(rules)
    return {name: rule._replace(special=special) for name, rule in parsed.items()}


def _items(
    rules: Mapping[str, str | FunctionRule],
) -> Iterator[tuple[None, list[str], str | FunctionRule]]:
    """Yield each rule of a mapping as `_lines` does, without a line."""
    if not isinstance(rules, Mapping):
        raise RulesError(f"functions are a string or a mapping of names, not {rules!r}", rules)
    for name, rule in rules.items():
        if not isinstance(rule, (str, FunctionRule)):
            raise RulesError(f"the rule of {name} is a string, not {rule!r}", rule)
        yield None, [name], rule


def _lines(text: str) -> Iterator[tuple[int, list[str], str]]:
    """Yield each rule with its line and its names; after a comma or a semicolon a line goes on."""
    before, start = "", 0
    for number, whole in enumerate(text.split("\n"), 1):
        line = before + whole.partition("#")[0].strip()
        start = start or number
        if line.endswith((",", ";")):
            before = f"{line} "
            continue
        if line:
            names, equals, rule = line.partition("=")
            if not equals:
                what = f"line {start}: {line!r} is not a rule; write it as 'add, multiply = b: -'"
                raise RulesError(what, line, line=start)
            yield start, [name.strip() for name in names.split(",")], rule
        before, start = "", 0
    if before:
        what = f"line {start}: {before.strip()!r} ends with a comma or a semicolon"
        raise RulesError(f"{what}; write what follows, or leave it out", before, line=start)


def _known(name: str, line: int | None) -> str:
    found = canonical(name)
    if found is None:
        hint, close = did_you_mean(name, list(FUNCTIONS))
        where = f"line {line}: " if line else ""
        what = f"{where}{name!r} is not a function of the catalogue{hint}"
        raise RulesError(what, name, close, line)
    return found


# words


class Word(NamedTuple):
    """A word that may stand before the groups of a rule.

    Attributes:
        field: the attribute of `FunctionRule` that it sets.
        after: what comes after it, for an error.
        read: returns the value of what comes after it; raises `ValueError` if that is wrong.
        write: returns what comes after the word for a value.
    """

    field: str
    after: str
    read: Callable[[Sequence[str]], Any]
    write: Callable[[Any], str] = str


def _one_of(*choices: str) -> tuple[str, Callable[[Sequence[str]], str]]:
    """Return what comes after a word that takes one of some values, and what reads it."""

    def read(rest: Sequence[str]) -> str:
        if " ".join(rest) not in choices:
            raise ValueError
        return " ".join(rest)

    return listed(choices, "or"), read


def _read_flag(rest: Sequence[str]) -> bool:
    if rest:
        raise ValueError
    return True


def _read_number(rest: Sequence[str]) -> int:
    if rest not in (["1"], ["2"], ["3"]):
        raise ValueError
    return int(rest[0])


def _read_store(rest: Sequence[str]) -> Store:
    if not rest or rest[0] not in _RANKS:
        raise ValueError
    return Store(rest[0], tuple(map(from_code, rest[1:])))


def _read_groups(rest: Sequence[str]) -> tuple[frozenset[str], ...]:
    return tuple(_members(group.split()) for group in " ".join(rest).split(","))


def _write_store(store: Store) -> str:
    return " ".join([store.takes, *map(str, store.all_in)])


def _write_kinds(kinds: frozenset[str]) -> str:
    return " ".join(sorted(kinds))


def _write_groups(groups: Sequence[frozenset[str]]) -> str:
    return ", ".join(map(_group, groups))


def _write_nothing(_: object) -> str:
    return ""


@cache  # libraries say the same of many functions
def _parse(text: str) -> FunctionRule:
    rule = FunctionRule()
    cases: list[Case] = []
    for part in (part.strip() for part in text.split(";")):
        members, colon, to = (word.strip() for word in part.partition(":"))
        if colon:
            if not members:
                raise RulesError(
                    f"the group before {part!r} is empty; write it as in bool: i8", part
                )
            cases.append(Case(_members(members.split()), _result(to)))
        elif part:
            if cases:
                raise RulesError(f"{part!r} stands after a group; words come first", part)
            rule = _with_word(rule, *part.split())
    return rule._replace(cases=tuple(cases))


def _with_word(rule: FunctionRule, name: str, *rest: str) -> FunctionRule:
    word = WORDS.get(name)
    if word is None:
        hint, close = did_you_mean(name, list(WORDS))
        what = f"{' '.join((name, *rest))!r} is not understood"
        raise RulesError(f"{what}{hint or '; write groups as in bool: i8'}", name, close)
    try:
        return rule._replace(**{word.field: word.read(list(rest))})
    except ValueError as error:
        if isinstance(error, RulesError):
            raise
        what = f"{' '.join((name, *rest))!r} is not understood; after {name!r} comes {word.after}"
        raise RulesError(what, name) from None


def _members(words: Sequence[str]) -> frozenset[str]:
    found: list[str] = []
    for word in words:
        if word in _GROUPS:
            found += _GROUPS[word]
            continue
        try:
            found.append(from_code(word).name)
        except DTypeError as error:
            hint, close = did_you_mean(word, list(_GROUPS))
            what = f"{word!r} is neither a kind nor a dtype{hint}"
            raise RulesError(what, word, close or error.candidates) from None
    return frozenset(found)


def _group(members: frozenset[str]) -> str:
    """Return the words of a group."""
    if members.issuperset(KINDS):
        return "*"
    words = set(members)
    if members.issuperset(_GROUPS["integer"]):
        words = {*words.difference(_GROUPS["integer"]), "integer"}
    return " ".join(sorted(words))


def _result(to: str) -> DType | str:
    return to if to in (REFUSED, PART, *DEFAULTS) else from_code(to)


INTS: Final = (
    "any", "float", "compared", "fit", "int64", "64 bits", "bound", "divisor", "exponent",
    "natural",
)  # fmt: skip
WORDS: Final[Mapping[str, Word]] = {
    "alike": Word("alike", "nothing", _read_flag, _write_nothing),
    "apart": Word("apart", "nothing", _read_flag, _write_nothing),
    "shared": Word("shared", "nothing", _read_flag, _write_nothing),
    "ints": Word("ints", *_one_of(*INTS)),
    "only": Word("only", "1, 2 or 3", _read_number),
    "arrays": Word("arrays", *_one_of("all", "first", "any")),
    "takes": Word("takes", "groups of kinds, with commas", _read_groups, _write_groups),
    "default": Word("default", "kinds", _members, _write_kinds),
    "weak": Word("weak", "kinds, or nothing", _members, _write_kinds),
    "into": Word("store", "same, kind or category", _read_store, _write_store),
}
"""The words that may stand before the groups of a rule; `FunctionRule` says what they mean."""
