"""What a rule of a function says, in words, for the pages of systems."""

from collections.abc import Collection, Sequence
from typing import Final

from supremum.core.dtypes import KINDS, dtype
from supremum.core.errors import listed
from supremum.core.function_rules import PART, WORDS, Case, FunctionRule
from supremum.core.table import REFUSED

_MUST: Final = "a Python int must "
_AFTER: Final = "a Python int after the first operand "
PHRASES: Final = {
    "alike": "operands must have one dtype",
    "apart": "operands join as what becomes of each",
    "shared": "operands join as they do without a function",
    "ints any": "a Python int may be of any size",
    "ints float": "a Python int may be of any size, and becomes a float",
    "ints compared": "a Python int of any size is compared exactly",
    "ints fit": _MUST + "fit the dtype that it is converted to",
    "ints int64": _MUST + "fit int64",
    "ints 64 bits": _MUST + "fit 64 bits",
    "ints bound": _AFTER + "must fit as a bound",
    "ints divisor": _AFTER + "must fit as a divisor",
    "ints exponent": _AFTER + "must fit as an exponent, and is not negative among integers",
    "ints natural": _AFTER + "is not negative, among integers",
    "only": "operand {} joins alone",
    "arrays all": "no operand may be a Python number",
    "arrays first": "the first operand may not be a Python number",
    "arrays any": "one operand at least is not a Python number",
    "takes": "the first operand may be {}",
    "default": "weakly typed {} take their default width first",
    "weak": "a weak result stays weak only of {}",
    "into same": "the result goes into the first operand, if it is of the same dtype",
    "into kind": "the result goes into the first operand, if it is of no higher kind",
    "into category": "the result goes into the first operand, if that is of its category or a "
    "higher one",
}
"""The sentences of the words that stand before the groups of a rule."""

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
    words = [_word(part) for part in rule.text.split("; ") if part.split(" ")[0] in WORDS]
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


def _word(text: str) -> str:
    """Return the sentence of a word and of what comes after it."""
    first, _, rest = text.partition(" ")
    if first == "takes":
        return PHRASES[first].format(" for the next, ".join(map(_any_of, rest.split(", "))))
    if first == "weak" and not rest:
        return "the result is never weak"
    if first in ("default", "weak"):
        return PHRASES[first].format(_kinds_in_words(rest))
    if first == "into":
        takes, *everything = rest.split()
        verb = "takes" if len(everything) == 1 else "take"
        more = f"; {listed(everything)} {verb} everything" if everything else ""
        return PHRASES[f"into {takes}"] + more
    return PHRASES.get(text) or PHRASES[first].format(rest)


def _kinds_in_words(text: str) -> str:
    return listed(_names(frozenset(text.split())))


def _any_of(group: str) -> str:
    """Return the names of a group of operands, as `FunctionRule.text` writes it."""
    words = group.replace("integer", "unsigned signed")
    return "any dtype" if group == "*" else _kinds_in_words(words)
