"""The laws of a join, checked on every pair and triple of dtypes.

A refused pair is counted, and is not a failure by itself. An answer that exists in one order or
grouping, and differs or is refused in another, is a failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, permutations, product
from typing import Any, Protocol

from ..display import displayed
from ..dtypes import DType
from ..errors import PromotionError, RulesError, short
from ..systems import system


class Rules(Protocol):
    """What the laws are tried on: some dtypes, and a way to promote them."""

    @property
    def name(self) -> str:
        """What to call the rules."""

    @property
    def dtypes(self) -> tuple[DType, ...]:
        """The dtypes to try."""

    def promote_types(self, *dtypes: Any) -> DType:
        """Return what some dtypes promote to, or raise `PromotionError`."""


@displayed
@dataclass(frozen=True, slots=True)
class Law:
    """What became of one law.

    Attributes:
        name: the law.
        says: the law as a formula.
        cases: how many were tried.
        refused: how many of these had no answer on any side.
        failures: how many broke the law.
        counterexample: the smallest failure as the calculations that show it, a line a side:
            rather of common dtypes than of weak or rare ones, then of the fewest bits, then of
            the smallest range of floats.
        operands: the dtypes of that failure.
    """

    name: str
    says: str
    cases: int
    refused: int
    failures: int
    counterexample: tuple[str, ...] = ()
    operands: tuple[DType, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether no case broke the law."""
        return not self.failures


@displayed
@dataclass(frozen=True, slots=True)
class Laws:
    """What became of every law, on one system.

    Attributes:
        system: the name of the rules.
        laws: the laws, each with its cases.
        label: the setting of the rules in words, or ``""``.
    """

    system: str
    laws: tuple[Law, ...]
    label: str = ""

    @property
    def hold(self) -> bool:
        """Whether every law holds."""
        return all(law.holds for law in self.laws)

    @property
    def title(self) -> str:
        """The rules in words, with their setting."""
        return f"{self.system} rules, {self.label}" if self.label else f"{self.system} rules"

    def __bool__(self) -> bool:
        return self.hold

    def __repr__(self) -> str:
        held = sum(law.holds for law in self.laws)
        return f"<Laws of {self.system}: {held} of {len(self.laws)} hold>"

    def __getitem__(self, name: str) -> Law:
        return next(law for law in self.laws if law.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain lists and strings, as ``--format json`` prints it."""
        return {
            "system": self.system,
            "label": self.label,
            "hold": self.hold,
            "laws": [
                {
                    "law": law.name,
                    "says": law.says,
                    "holds": law.holds,
                    "cases": law.cases,
                    "refused": law.refused,
                    "failures": law.failures,
                    "counterexample": list(law.counterexample),
                    "operands": [d.name for d in law.operands],
                }
                for law in self.laws
            ],
        }

    def __str__(self) -> str:
        lines = [
            f"{self.title}: {'every law holds' if self.hold else 'not every law holds'}",
            "",
        ]
        for law in self.laws:
            times = "time" if law.failures == 1 else "times"
            verdict = "holds" if law.holds else f"fails {law.failures:,} {times}"
            refused = f", {law.refused:,} refused" if law.refused else ""
            rare = "" if all(d.is_common for d in law.operands) else "; none of common dtypes alone"
            lines.append(f"  {law.name:<14}{verdict:<20}{law.cases:>9,} cases{refused}{rare}")
            lines += [f"      {line}" for line in law.counterexample]
        return "\n".join(lines)


def rules_of(rules: str | Rules) -> Rules:
    """Return rules by their name, or as they are.

    Raises:
        RulesError: if they are not rules.
    """
    if isinstance(rules, str):
        return system(rules)
    parts = ("name", "dtypes", "promote_types")
    if isinstance(rules, type) or not all(hasattr(rules, part) for part in parts):
        raise RulesError(f"pass rules or their name, not {short(rules)}", rules)
    return rules


def laws(rules: str | Rules) -> Laws:
    """Return whether some rules obey each law, by exhaustion over their dtypes.

    Args:
        rules: rules or their name, or anything with ``name``, ``dtypes`` and ``promote_types``.

    Raises:
        RulesError: if they are not rules.

    >>> print(laws("python"))
    python rules: every law holds
    <BLANKLINE>
      existence     holds                       9 cases
      idempotence   holds                       3 cases
      commutativity holds                       9 cases
      associativity holds                      27 cases
      monotonicity  holds                      18 cases
      n-ary order   holds                      10 cases
    """
    trial = _Trial(rules_of(rules))
    return Laws(
        trial.rules.name,
        (
            trial.law("existence", "a ∨ b is at or above a and b", trial.existence()),
            trial.law("idempotence", "a ∨ a = a", trial.idempotence()),
            trial.law("commutativity", "a ∨ b = b ∨ a", trial.commutativity()),
            trial.law("associativity", "(a ∨ b) ∨ c = a ∨ (b ∨ c)", trial.associativity()),
            trial.law("monotonicity", "a ≤ b gives a ∨ c ≤ b ∨ c", trial.monotonicity()),
            trial.law("n-ary order", "promote_types(a, b, c) in any order", trial.order()),
        ),
        getattr(trial.rules, "label", ""),
    )


# A case: its operands, whether it was refused on every side, and if it failed the lines that
# show it.
_Case = tuple[tuple[DType, ...], bool, tuple[str, ...]]


def ask(rules: Rules, *dtypes: DType) -> DType | None:
    """Return what some dtypes promote to, or None if the rules refuse."""
    try:
        return rules.promote_types(*dtypes)
    except PromotionError:
        return None


def _size(operands: Iterable[DType]) -> tuple[int, ...]:
    """Return how large a counterexample is: odd dtypes, then bits, then the range."""
    sizes = [(d.weak or not d.is_common, d.bits or 0, d.max_exponent or 0) for d in operands]
    return tuple(map(sum, zip(*sizes, strict=True)))


class _Trial:
    """The rules under trial, with the answers for every pair."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.dtypes = rules.dtypes
        self.pairs = {(a, b): ask(rules, a, b) for a, b in product(self.dtypes, repeat=2)}

    def join(self, a: DType | None, b: DType | None) -> DType | None:
        if a is None or b is None:
            return None
        return self.pairs[a, b] if (a, b) in self.pairs else ask(self.rules, a, b)

    def law(self, name: str, says: str, cases: Iterable[_Case]) -> Law:
        tried = refused = failures = 0
        smallest: tuple[Any, ...] = ()
        for i, (operands, nothing, lines) in enumerate(cases):
            tried += 1
            refused += nothing
            if lines:
                failures += 1
                size = (*_size(operands), i)
                if not smallest or size < smallest[0]:
                    smallest = (size, lines, operands)
        return Law(name, says, tried, refused, failures, *smallest[1:])

    def existence(self) -> Iterator[_Case]:
        for (a, b), c in self.pairs.items():
            above = c is None or (self.join(a, c) is c and self.join(b, c) is c)
            lines = () if above else tuple(f"{d} ∨ {c} = {_shown(self.join(d, c))}" for d in (a, b))
            yield (a, b), c is None, lines if above else (f"{a} ∨ {b} = {c}", *lines)

    def idempotence(self) -> Iterator[_Case]:
        for a in self.dtypes:
            c = self.pairs[a, a]
            yield (a,), c is None, () if c in (a, None) else (f"{a} ∨ {a} = {c}",)

    def commutativity(self) -> Iterator[_Case]:
        for (a, b), c in self.pairs.items():
            d = self.pairs[b, a]
            lines = () if c is d else (f"{a} ∨ {b} = {_shown(c)}", f"{b} ∨ {a} = {_shown(d)}")
            yield (a, b), c is d is None, lines

    def associativity(self) -> Iterator[_Case]:
        for a, b, c in product(self.dtypes, repeat=3):
            ab, bc = self.pairs[a, b], self.pairs[b, c]
            left, right = self.join(ab, c), self.join(a, bc)
            lines: tuple[str, ...] = ()
            if left is not right:
                lines = (
                    f"({a} ∨ {b}) ∨ {c} = {_shown(ab)} ∨ {c} = {_shown(left)}",
                    f"{a} ∨ ({b} ∨ {c}) = {a} ∨ {_shown(bc)} = {_shown(right)}",
                )
            yield (a, b, c), left is right is None, lines

    def monotonicity(self) -> Iterator[_Case]:
        for (a, b), joined in self.pairs.items():
            if joined is not b:
                continue
            for c in self.dtypes:
                low, high = self.pairs[a, c], self.pairs[b, c]
                # if b has no join with c nothing is claimed; if it has one, a must have too
                lines: tuple[str, ...] = ()
                if high not in (None, low) and (low is None or self.join(low, high) is not high):
                    lines = (
                        f"{a} ≤ {b}, since {a} ∨ {b} = {b}",
                        f"{a} ∨ {c} = {_shown(low)}, which is not ≤ {b} ∨ {c} = {high}",
                    )
                yield (a, b, c), low is high is None, lines

    def order(self) -> Iterator[_Case]:
        for triple in combinations_with_replacement(self.dtypes, 3):
            answers = {p: ask(self.rules, *p) for p in dict.fromkeys(permutations(triple))}
            lines: tuple[str, ...] = ()
            if len(set(answers.values())) > 1:
                by_answer = {answer: p for p, answer in reversed(answers.items())}
                lines = tuple(
                    f"promote_types({', '.join(map(str, p))}) = {_shown(answer)}"
                    for answer, p in sorted(by_answer.items(), key=lambda item: str(item[1]))
                )
            yield triple, set(answers.values()) == {None}, lines


def _shown(answer: DType | None) -> str:
    return "refused" if answer is None else str(answer)
