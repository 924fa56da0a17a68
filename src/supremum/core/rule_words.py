"""What a rule of a function says, in words.

The words are made of the rule's own text, so that a rule with a word that has no sentence here
shows that word as it is written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from .dtypes import KINDS
from .errors import listed
from .function_rules import PART, FunctionRule
from .operands import dtype
from .rule_parts import Case
from .table import REFUSED

_KINDS = {
    "bool": "bool",
    "unsigned": "unsigned integers",
    "signed": "signed integers",
    "integer": "integers",
    "float": "floats",
    "complex": "complex dtypes",
}

_DEFAULT = "the default {} dtype"
_RESULTS = {
    PART: "the dtype of their parts",
    "INT": _DEFAULT.format("integer"),
    "UINT": _DEFAULT.format("unsigned"),
    "FLOAT": _DEFAULT.format("float"),
    "COMPLEX": _DEFAULT.format("complex"),
    "INDEX": "the dtype of indices",
}

_INTS = "a Python int must "
PHRASES: Final = {
    "alike": "operands must have one dtype",
    "numbers": "no operand may be bool",
    "each": "of bools and integers, the widest of what becomes of each operand",
    "whole": "an int after the first operand does not join, and is not negative among integers",
    "integral": "integers after a weakly typed float do not join",
    "identity": "beside a Python int 1 the other operand is kept",
    "shared": "operands join as they do without a function",
    "apart": "operands join as what becomes of each",
    "alone": "Python numbers need no array beside them",
    "only": "operand {} joins alone",
    "takes": "the first operand may be {}",
    "else": "{} if the operands do not join",
    "beside": "operands join with a Python {} beside them",
    "arrays": "no operand may be a Python number",
    "arrays first": "the first operand may not be a Python number",
    "ints float": "a Python int may be of any size, and becomes a float",
    "ints any": "a Python int may be of any size",
    "ints compared": "a Python int of any size is compared exactly",
    "ints fit": _INTS + "fit the dtype that it is converted to",
    "ints int64": _INTS + "fit int64",
    "ints 64 bits": _INTS + "fit 64 bits",
    "ints exponent": "a Python int after the first operand must fit as an exponent, and is not "
    "negative among integers",
    "ints bound": "a Python int after the first operand must fit as a bound",
    "ints divisor": "a Python int after the first operand must fit as a divisor",
    "ints natural": "a Python int after the first operand is not negative, among integers",
    "into same": "the result goes into the first operand, if it is of the same dtype",
    "into kind": "the result goes into the first operand, if it is of no higher kind",
    "into category": "the result goes into the first operand, if that is of its category or a "
    "higher one",
    "default": "weakly typed {} take their default width first",
    "weak": "a weak result stays weak only of {}",
}
"""The sentences of the words that stand before the groups of a rule."""


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
    said = [_case(case, cases[:i]) for i, case in enumerate(cases)]
    kept = [] if said or rule.store else ["the joined dtype"]
    words = [part for part in rule.text.split("; ") if part and ":" not in part]
    return "; ".join([*kept, *said, *map(_word, words)])


def _merged(cases: Sequence[Case]) -> list[Case]:
    """Return the groups, those that follow each other with one result as one."""
    found: list[Case] = []
    for case in cases:
        if found and found[-1].result == case.result:
            found[-1] = Case(found[-1].members | case.members, case.result)
        else:
            found.append(case)
    return found


def _case(case: Case, before: Sequence[Case]) -> str:
    if case.members.issuperset(KINDS):
        if case.result == REFUSED:
            return "the rest is refused" if before else "every dtype is refused"
        return f"the rest becomes {_result(case)}" if before else f"always {_result(case)}"
    names = _members(case.members, {_kind(member) for other in before for member in other.members})
    is_one = len(names) == 1 and not names[0].endswith("s")
    if case.result == REFUSED:
        return f"{listed(names)} {'is' if is_one else 'are'} refused"
    return f"{listed(names)} {'becomes' if is_one else 'become'} {_result(case)}"


def _result(case: Case) -> str:
    return _RESULTS.get(str(case.result), str(case.result))


def _kind(member: str) -> str:
    return member if member in KINDS else dtype(member).kind


def _members(members: frozenset[str], before: Collection[str] = ()) -> list[str]:
    """Return the names of a group; of a kind of which there were dtypes before, the others."""
    kinds: dict[str, bool] = {kind: kind in before for kind in KINDS if kind in members}
    if {"unsigned", "signed"} <= members:
        of_both = {"integer": kinds.pop("unsigned") | kinds.pop("signed")}
        kinds = {k: v for k, v in kinds.items() if k == "bool"} | of_both | kinds
    dtypes = [dtype(name) for name in members.difference(KINDS)]
    order = sorted(dtypes, key=lambda d: (KINDS.index(d.kind), d.bits or 0, d.name))
    named = [f"{'other ' if other else ''}{_KINDS[kind]}" for kind, other in kinds.items()]
    return named + [d.name for d in order]


def _any_of(group: str) -> str:
    """Return the names of a group of operands, as `FunctionRule.text` writes it."""
    words = group.replace("integer", "unsigned signed").split()
    return "any dtype" if group == "*" else listed(_members(frozenset(words)))


def _word(text: str) -> str:
    """Return the sentence of a word and what stands after it; of an unknown one, itself."""
    first, _, rest = text.partition(" ")
    if first == "takes":
        groups = [_any_of(group) for group in rest.split(", ")]
        return PHRASES[first].format(" for the next, ".join(groups))
    if first in ("default", "weak"):
        if not rest:
            return "the result is never weak" if first == "weak" else f"`{text}`"
        return PHRASES[first].format(listed(_members(frozenset(rest.split()))))
    if first == "into":
        takes, *everything = rest.split()
        known = PHRASES.get(f"into {takes}", f"`{text}`")
        verb = "takes" if len(everything) == 1 else "take"
        return known + (f"; {listed(everything)} {verb} everything" if everything else "")
    if text in PHRASES:
        return PHRASES[text]
    return PHRASES[first].format(rest) if "{}" in PHRASES.get(first, "") else f"`{text}`"
