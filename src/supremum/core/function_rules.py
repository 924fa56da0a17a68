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

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from .dtypes import KINDS, DType, by_name, dtype, from_code
from .errors import DTypeError, NoJoinError, RulesError, did_you_mean, listed
from .functions import FUNCTIONS, canonical, written
from .hints import cast_first, other_dtype
from .operands import Operand
from .steps import Classified, Settled
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
        otherwise: the name of the dtype that results if the operands do not join.
        by_value: whether the value of a number decides.
    """

    says: str
    select: Callable[[list[Operand]], list[Operand]] | None = None
    result: Callable[[Call], DType] | None = None
    keeps_weak: Callable[[Call], bool | None] | None = None
    otherwise: str | None = None
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
        words = [word.write(name, getattr(self, word.field)) for name, word in WORDS.items()]
        cases = [f"{_group(case.members)}: {case.result}" for case in self.cases]
        return "; ".join(filter(None, [*words, *cases]))

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

    def _case(self, d: DType) -> DType | str:
        return next((case.result for case in self.cases if case.has(d)), "")

    def not_taken(self, operands: Sequence[Operand]) -> tuple[int, Operand] | None:
        """Return the first operand that may not stand where it stands, or None."""
        pairs = enumerate(zip(operands, self.takes, strict=False))
        return next(((i, x) for i, (x, kinds) in pairs if not Case(kinds, "").has(x.dtype)), None)

    def check_store(self, name: str, result: DType, into: DType) -> None:
        """Refuse a result that the first operand does not take.

        Raises:
            NoJoinError: if it does not.
        """
        store = self.store or Store("category")
        if result is into or into in store.all_in:
            return
        rank = _RANKS[store.takes]
        if not rank or rank[result.kind] > rank[into.kind]:
            raise NoJoinError(f"{name} cannot put {result} into {into}")


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
        rule.check_store(self.name, self.joined, self.dtypes[0])
        return self.dtypes[0]

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
    for number, whole in enumerate(text.splitlines(), 1):
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
        read: returns the value of what stands after it; raises `ValueError` if that is wrong.
        after: what stands after it, for an error.
        write: returns the word with a value of the attribute, or ``""`` if it is not said.
        says: returns what the text after it says, as a sentence.
    """

    field: str
    read: Callable[[list[str]], Any]
    after: str
    write: Callable[[str, Any], str]
    says: Callable[[str], str]


def _flag(field: str, says: str) -> Word:
    """Return a word that nothing comes after."""
    return Word(field, _read_nothing, "nothing", lambda word, on: word if on else "",
                lambda _: says)  # fmt: skip


def _read_nothing(rest: list[str]) -> bool:
    if rest:
        raise ValueError
    return True


def _read_ints(rest: list[str]) -> str:
    if " ".join(rest) not in _INTS:
        raise ValueError
    return " ".join(rest)


def _write_value(word: str, value: object) -> str:
    return f"{word} {value}" if value else ""


def _read_arrays(rest: list[str]) -> str:
    text = " ".join(rest) or "all"
    if text not in ("all", "first", "any"):
        raise ValueError
    return text


def _write_arrays(word: str, which: str) -> str:
    return {"all": word, "": ""}.get(which, f"{word} {which}")


def _read_number(rest: list[str]) -> int:
    if len(rest) != 1 or rest[0] not in "123":
        raise ValueError
    return int(rest[0])


def _read_takes(rest: list[str]) -> tuple[frozenset[str], ...]:
    return tuple(_members(group.split()) for group in " ".join(rest).split(","))


def _read_store(rest: list[str]) -> Store:
    if not rest or rest[0] not in _RANKS:
        raise ValueError
    return Store(rest[0], tuple(map(from_code, rest[1:])))


def _write_store(word: str, store: Store | None) -> str:
    return "" if store is None else " ".join([word, store.takes, *map(str, store.all_in)])


def _write_kinds(word: str, kinds: frozenset[str] | None) -> str:
    return "" if kinds is None else " ".join([word, *sorted(kinds)])


def _write_default(word: str, kinds: frozenset[str]) -> str:
    return _write_kinds(word, kinds or None)


def _write_takes(word: str, groups: Sequence[frozenset[str]]) -> str:
    return f"{word} {', '.join(map(_group, groups))}" if groups else ""


def _says_default(text: str) -> str:
    return f"weakly typed {_kinds_in_words(text)} take their default width first"


def _says_takes(text: str) -> str:
    groups = [_any_of(group) for group in text.split(", ")]
    return f"the first operand may be {' for the next, '.join(groups)}"


def _says_weak(text: str) -> str:
    if not text:
        return "the result is never weak"
    return f"a weak result stays weak only of {_kinds_in_words(text)}"


def _says_store(text: str) -> str:
    takes, *everything = text.split()
    said = f"the result goes into the first operand, if {_STORES[takes]}"
    verb = "takes" if len(everything) == 1 else "take"
    return said + (f"; {listed(everything)} {verb} everything" if everything else "")


_STORES: Final = {
    "same": "it is of the same dtype",
    "kind": "it is of no higher kind",
    "category": "that is of its category or a higher one",
}
_ARRAYS: Final = {
    "": "no operand may be a Python number",
    "first": "the first operand may not be a Python number",
    "any": "one operand at least is not a Python number",
}
_MUST: Final = "a Python int must "
_AFTER: Final = "a Python int after the first operand "
_INTS: Final = {
    "any": "a Python int may be of any size",
    "float": "a Python int may be of any size, and becomes a float",
    "compared": "a Python int of any size is compared exactly",
    "fit": _MUST + "fit the dtype that it is converted to",
    "int64": _MUST + "fit int64",
    "64 bits": _MUST + "fit 64 bits",
    "bound": _AFTER + "must fit as a bound",
    "divisor": _AFTER + "must fit as a divisor",
    "exponent": _AFTER + "must fit as an exponent, and is not negative among integers",
    "natural": _AFTER + "is not negative, among integers",
}


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


WORDS: Final[Mapping[str, Word]] = {
    "alike": _flag("alike", "operands must have one dtype"),
    "apart": _flag("apart", "operands join as what becomes of each"),
    "shared": _flag("shared", "operands join as they do without a function"),
    "ints": Word("ints", _read_ints, listed([*_INTS], "or"), _write_value, _INTS.__getitem__),
    "only": Word("only", _read_number, "1, 2 or 3", _write_value, "operand {} joins alone".format),
    "arrays": Word(
        "arrays", _read_arrays, "nothing, first or any", _write_arrays, _ARRAYS.__getitem__
    ),
    "takes": Word("takes", _read_takes, "groups of kinds, with commas", _write_takes, _says_takes),
    "default": Word("default", _members, "kinds", _write_default, _says_default),
    "weak": Word("weak", _members, "kinds, or nothing", _write_kinds, _says_weak),
    "into": Word("store", _read_store, "same, kind or category", _write_store, _says_store),
}
"""The words that may stand before the groups of a rule."""


# rules in words

_KINDS: Final = {
    "bool": "bool",
    "unsigned": "unsigned integers",
    "signed": "signed integers",
    "integer": "integers",
    "float": "floats",
    "complex": "complex dtypes",
}
_RESULTS: Final = {
    PART: "the dtype of their parts",
    "INT": "the default integer dtype",
    "UINT": "the default unsigned dtype",
    "FLOAT": "the default float dtype",
    "COMPLEX": "the default complex dtype",
    "INDEX": "the dtype of indices",
}


def in_words(rule: FunctionRule) -> str:
    """Return what a rule says.

    >>> in_words(FunctionRule.parse("bool integer: f64; complex: part"))
    'bool and integers become float64; complex dtypes become the dtype of their parts'
    >>> in_words(FunctionRule.parse("shared"))
    'the joined dtype; operands join as they do without a function'
    >>> in_words(FunctionRule.parse("i64: f64; integer: f32"))
    'int64 becomes float64; other integers become float32'
    """
    cases = _merged(rule.cases)
    said = [_case_in_words(case, cases[:i]) for i, case in enumerate(cases)]
    kept = [] if said or rule.store else ["the joined dtype"]
    texts = [(name, word.write(name, getattr(rule, word.field))) for name, word in WORDS.items()]
    words = [WORDS[name].says(text.partition(" ")[2]) for name, text in texts if text]
    special = [rule.special.says] if rule.special is not None else []
    return "; ".join([*kept, *said, *words, *special])


def _merged(cases: Sequence[Case]) -> list[Case]:
    """Return the groups, those that follow each other with one result as one."""
    found: list[Case] = []
    for case in cases:
        if found and found[-1].result == case.result:
            found[-1] = Case(found[-1].members | case.members, case.result)
        else:
            found.append(case)
    return found


def _case_in_words(case: Case, before: Sequence[Case]) -> str:
    result = _RESULTS.get(str(case.result), str(case.result))
    refused = case.result == REFUSED
    if case.members.issuperset(KINDS):
        if refused:
            return "the rest is refused" if before else "every dtype is refused"
        return f"the rest becomes {result}" if before else f"always {result}"
    names = _names(case.members, {_kind(member) for other in before for member in other.members})
    is_one = len(names) == 1 and not names[0].endswith("s")
    if refused:
        return f"{listed(names)} {'is' if is_one else 'are'} refused"
    return f"{listed(names)} {'becomes' if is_one else 'become'} {result}"


def _kind(member: str) -> str:
    return member if member in KINDS else dtype(member).kind


def _names(members: frozenset[str], before: Collection[str] = ()) -> list[str]:
    """Return the names of a group; of a kind of which there were dtypes before, the others."""
    kinds: dict[str, bool] = {kind: kind in before for kind in KINDS if kind in members}
    if {"unsigned", "signed"} <= members:
        of_both = {"integer": kinds.pop("unsigned") | kinds.pop("signed")}
        kinds = {k: v for k, v in kinds.items() if k == "bool"} | of_both | kinds
    dtypes = [dtype(name) for name in members.difference(KINDS)]
    order = sorted(dtypes, key=lambda d: (KINDS.index(d.kind), d.bits or 0, d.name))
    named = [f"{'other ' if other else ''}{_KINDS[kind]}" for kind, other in kinds.items()]
    return named + [d.name for d in order]


def _kinds_in_words(text: str) -> str:
    return listed(_names(frozenset(text.split())))


def _any_of(group: str) -> str:
    """Return the names of a group of operands, as `FunctionRule.text` writes it."""
    words = group.replace("integer", "unsigned signed")
    return "any dtype" if group == "*" else _kinds_in_words(words)
