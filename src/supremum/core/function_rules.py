"""What a function makes of the dtype that its operands join to, as data.

For nearly every function the result depends on the joined dtype alone. So a rule is a short text:
groups of dtypes, each with what becomes of them::

    bool: i8; complex: -; *: b

A group is kinds (``bool``, ``unsigned``, ``signed``, ``integer``, ``float``, ``complex``), dtypes
by their names or the codes that count bits, or ``*`` for all the rest; a dtype in no group stays as
it is. What becomes of a group is a dtype; ``-``, a refusal; ``part``, the float dtype of each part
of a complex one; or a default dtype of the rules: ``INT``, ``UINT``, ``FLOAT``, ``COMPLEX`` or
``INDEX``.

Words before the groups say more:

========================  =====================================================================
``alike``                 all operands must have one dtype
``numbers``               no operand may be bool
``each``                  of bools and integers, the result is the widest of what becomes of each
``apart``                 operands join as what becomes of each, not as they are
``beside float``          operands join with a Python float beside them
``whole``                 an int after the first operand does not join: a power of it
``integral``              nor do integers after a weakly typed float, whose dtype is the result's
``default KINDS``         a weakly typed array of these kinds takes its default width first
``shared``                operands join as without a function, if functions join otherwise
``into WHICH CODES``      the result goes into the first operand, if it is of the ``same`` dtype,
                          ``kind`` or ``category`` (integers of either sign); dtypes named by codes
                          take everything
``only N``                the operand of that number joins alone
``takes KINDS, KINDS``    what the first operand may be, the second and so on
``else CODE``             what results if the operands do not join
``alone``                 Python numbers need no array beside them, if they do otherwise
``arrays``                no operand may be a Python number; ``arrays first``, not the first
``ints WHICH``            what a Python int must be: ``any``; ``float``, which it becomes;
                          ``compared`` exactly; to ``fit`` what it is converted to, ``int64`` or
                          ``64 bits``; after the first operand a ``bound``, ``divisor`` or
                          ``exponent``, or ``natural``, not negative among integers
``identity``              beside a Python int 1 the other operand is kept
``weak KINDS``            a weak result stays weak only if the joined dtype is of these kinds
========================  =====================================================================

Rules of many functions are one text, with a line for those that share a rule::

    add, multiply =
    true_divide   = bool integer: FLOAT
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from .dtype_names import by_name, from_code
from .dtypes import KINDS, DType
from .errors import DTypeError, NoJoinError, RulesError, did_you_mean, listed
from .functions import FUNCTIONS, canonical
from .rule_parts import Case, Defaults, Store
from .table import REFUSED
from .ways_out import cast_first, way_out

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


class FunctionRule(NamedTuple):
    """The rule of a function, parsed and checked.

    Attributes:
        cases: the groups, in order: the first that has a dtype decides.
        operands: ``""``, ``"alike"`` or ``"numbers"``: which ones are allowed.
        each: whether the result is the widest of what becomes of each operand.
        apart: whether the groups apply to each operand before they join.
        beside_float: whether a Python float joins, too.
        whole: whether an int after the first operand, Python's or NumPy's, does not join.
        integral: whether integers after a weakly typed float do not join.
        default: the kinds of which weakly typed arrays take their default width.
        identity: whether an operand is kept beside a Python int 1.
        shared: whether the operands join as they do without a function.
        store: where the result goes, or None for a new array.
        alone: whether Python numbers need no array beside them.
        only: the number of the operand that joins alone, or 0.
        takes: what each operand may be, or nothing for anything.
        otherwise: what results if the operands do not join, or None for a refusal.
        arrays: ``"all"`` or ``"first"`` if these operands must not be Python numbers, else ``""``.
        ints: what a Python int must be; ``""`` if that is as the rules say.
        weak: the kinds of which weak results stay weak, or None for all.
    """

    cases: tuple[Case, ...] = ()
    operands: str = ""
    each: bool = False
    apart: bool = False
    beside_float: bool = False
    whole: bool = False
    integral: bool = False
    default: frozenset[str] = frozenset()
    identity: bool = False
    shared: bool = False
    alone: bool = False
    only: int = 0
    takes: tuple[frozenset[str], ...] = ()
    otherwise: DType | None = None
    store: Store | None = None
    arrays: str = ""
    ints: str = ""
    weak: frozenset[str] | None = None

    @property
    def is_power(self) -> bool:
        """Whether a negative int after the first operand is refused among integers."""
        return self.whole or self.ints in _POWERS

    @property
    def text(self) -> str:
        """The rule as text, which `parse` reads.

        >>> FunctionRule.parse("each;b u8: f16").text
        'each; bool uint8: float16'
        """
        words = [
            self.operands,
            *(flag for flag in _FLAGS if getattr(self, flag)),
            f"ints {self.ints}" if self.ints else "",
            "beside float" if self.beside_float else "",
            f"only {self.only}" if self.only else "",
            {"all": "arrays", "first": "arrays first"}.get(self.arrays, ""),
            f"takes {', '.join(map(_group, self.takes))}" if self.takes else "",
            f"else {self.otherwise}" if self.otherwise else "",
            " ".join(["default", *sorted(self.default)]) if self.default else "",
            " ".join(["weak", *sorted(self.weak)]) if self.weak is not None else "",
        ]
        if self.store is not None:
            words.append(" ".join(["into", self.store.takes, *map(str, self.store.all_in)]))
        cases = [f"{_group(case.members)}: {case.result}" for case in self.cases]
        return "; ".join(filter(None, [*words, *cases]))

    @classmethod
    def parse(cls, text: str, line: int | None = None) -> FunctionRule:
        """Return the rule that a text describes.

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
            raise NoJoinError(f"{name} does not take {d}{way_out(d, known, self.accepts)}")
        if isinstance(to, DType):
            return to
        if to == PART:
            return d.part
        return defaults.of(to) if to and defaults else d

    def accepts(self, d: DType) -> bool:
        """Tell whether the function takes a dtype."""
        return self._case(d) != REFUSED

    def _case(self, d: DType) -> DType | str:
        return next((case.result for case in self.cases if case.has(d)), "")

    def apply(
        self,
        name: str,
        joined: DType,
        operands: Sequence[DType],
        defaults: Defaults | None = None,
        known: Sequence[DType] = (),
    ) -> DType:
        """Return what the function gives.

        Args:
            name: the function.
            joined: what the rules give for the operands.
            operands: their dtypes.
            defaults: the default dtypes of the rules.
            known: the dtypes of the rules.

        Raises:
            NoJoinError: if the function refuses.
        """
        if self.operands == "alike" and len(set(operands)) > 1:
            raise NoJoinError(f"{name} takes operands of one dtype{cast_first(joined)}")
        if self.operands == "numbers" and any(d.kind == "bool" for d in operands):
            raise NoJoinError(f"{name} does not take bool{cast_first(by_name('int32'))}")
        becomes = self.result_of(name, joined, defaults, known)
        if self.each and joined.kind in ("bool", "unsigned", "signed"):
            # one that is wider than what they share is weak, and goes by that
            own = [d for d in operands if (d.bits or 0) <= (joined.bits or 0)]
            made = [self.result_of(name, d, defaults, known) for d in own]
            becomes = max(made, key=lambda d: d.bits or 0, default=becomes)
        if self.store is None:
            return becomes
        self.check_store(name, joined, operands[0])
        return operands[0]

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


def parse_rules(rules: str | Mapping[str, str | FunctionRule]) -> dict[str, FunctionRule]:
    """Return the rules of functions by their names.

    Args:
        rules: the text of many rules, or a mapping of names to the text of each.

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


_POWERS = ("exponent", "natural")
_INTS = ("any", "float", "compared", "fit", "int64", "64 bits", "bound", "divisor", *_POWERS)
_TAKES = {
    "into": "same, kind or category", "beside": "float", "else": "a dtype",
    "ints": listed(_INTS, "or"), "arrays": "nothing, or first", "only": "1, 2 or 3",
}  # fmt: skip
_FLAGS = ("each", "apart", "whole", "integral", "identity", "shared", "alone")
_WORDS = (
    "alike", "arrays", "beside", "default", "else", "into", "ints", "numbers", "only", "takes",
    "weak", *_FLAGS,
)  # fmt: skip


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


def _with_word(rule: FunctionRule, word: str, *rest: str) -> FunctionRule:
    if word in _FLAGS and not rest:
        return FunctionRule(**{**rule._asdict(), word: True})
    if word in ("alike", "numbers") and not rest:
        return rule._replace(operands=word)
    if word == "arrays" and rest in ((), ("first",)):
        return rule._replace(arrays=rest[0] if rest else "all")
    if (word, *rest) == ("beside", "float"):
        return rule._replace(beside_float=True)
    if word == "ints" and " ".join(rest) in _INTS:
        return rule._replace(ints=" ".join(rest))
    if word == "into" and rest and rest[0] in _RANKS:
        return rule._replace(store=Store(rest[0], tuple(map(from_code, rest[1:]))))
    if word == "weak":
        return rule._replace(weak=_members(rest))
    if word == "only" and len(rest) == 1 and rest[0] in "123":
        return rule._replace(only=int(rest[0]))
    if word == "takes":
        return rule._replace(takes=tuple(_members(g.split()) for g in " ".join(rest).split(",")))
    if word == "else" and len(rest) == 1:
        return rule._replace(otherwise=from_code(rest[0]))
    if word == "default":
        return rule._replace(default=_members(rest))
    what = f"{' '.join((word, *rest))!r} is not understood"
    if word in _TAKES:
        raise RulesError(f"{what}; after {word!r} comes {_TAKES[word]}", word)
    hint, close = did_you_mean(word, _WORDS)
    raise RulesError(f"{what}{hint or '; write groups as in bool: i8'}", word, close)


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
