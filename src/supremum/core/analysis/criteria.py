"""The five criteria of JAX's design document, measured on any rules.

Weak dtypes have no width of their own. So a weak answer counts in none of the last three, and a
weak operand can neither overflow nor lose precision, and is not as wide as the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, Final

from .. import losses
from ..display import displayed
from ..dtypes import DType
from .laws import Laws, Rules, ask, laws, rules_of

Case = tuple[DType, DType, DType]
"""Two operands and their answer."""


def _either(test: Callable[[DType, DType], object]) -> Callable[[Case], bool]:
    return lambda case: any(test(operand, case[2]) for operand in case[:2])


COUNTED: Final[dict[str, Callable[[Case], bool]]] = {
    "dropped component": _either(losses.dropped),
    "overflow": _either(losses.overflows),
    "precision loss": _either(losses.loses_precision),
    "wider result": lambda case: losses.widens(case[:2], case[2]),
}
"""The criteria that are counted, from the second on: whether a case does not meet one."""

NEVER: Final = ("dropped component", "overflow")
"""Those of which the document says "never"; of the others, "avoid if possible"."""


@displayed
@dataclass(frozen=True, slots=True)
class Criterion:
    """One criterion, and the pairs that do not meet it.

    Attributes:
        number: its number in the document.
        name: what is counted.
        cases: the pairs, each with its answer.
        strict: whether the document says "never" of it; otherwise "avoid if possible".
    """

    number: int
    name: str
    cases: tuple[Case, ...]
    strict: bool


@displayed
@dataclass(frozen=True, slots=True)
class Criteria:
    """The five criteria, measured on one system.

    Attributes:
        system: the name of the rules.
        pairs: how many unordered pairs there are, a dtype with itself included.
        refused: how many of them have no answer.
        lawful: the first criterion: what became of the laws.
        counted: the other four.
    """

    system: str
    pairs: int
    refused: int
    lawful: Laws
    counted: tuple[Criterion, ...]

    def __repr__(self) -> str:
        return f"<Criteria of {self.system}: {str(self).partition(chr(10))[0].partition(': ')[2]}>"

    def __getitem__(self, name: str) -> Criterion:
        return next(criterion for criterion in self.counted if criterion.name == name)

    def to_dict(self) -> dict[str, Any]:
        """Return the measurements as plain lists and strings, as ``--format json`` prints them."""
        return {
            "system": self.system,
            "pairs": self.pairs,
            "refused": self.refused,
            "lawful": self.lawful.hold,
            "criteria": [
                {
                    "number": criterion.number,
                    "name": criterion.name,
                    "never": criterion.strict,
                    "count": len(criterion.cases),
                    "pairs": [[d.name for d in case] for case in criterion.cases],
                }
                for criterion in self.counted
            ],
        }

    def __str__(self) -> str:
        answered = self.pairs - self.refused
        lines = [f"{self.lawful.title}: {answered} of {self.pairs} pairs have an answer", ""]
        broken = [law.name for law in self.lawful.laws if not law.holds]
        verdict = f"no: {', '.join(broken)}" if broken else "yes"
        lines.append(f"  1 {'lawful':<20} {verdict}")
        for criterion in self.counted:
            wish = "never" if criterion.strict else "avoid if possible"
            lines.append(
                f"  {criterion.number} {criterion.name:<20}{len(criterion.cases):>4}   ({wish})"
            )
            usual_first = sorted(criterion.cases, key=lambda case: not all(map(_is_common, case)))
            lines += [f"      {a} ∨ {b} = {c}" for a, b, c in usual_first[:3]]
            if len(criterion.cases) > 3:
                lines.append(f"      and {len(criterion.cases) - 3} more")
        return "\n".join(lines)


def _is_common(d: DType) -> bool:
    return d.is_common


def criteria(rules: str | Rules) -> Criteria:
    """Return how some rules meet the five criteria, over every unordered pair of their dtypes.

    A pair counts if either order of it does.

    Args:
        rules: rules or their name, or anything with ``name``, ``dtypes`` and ``promote_types``.

    Raises:
        RulesError: if they are not rules.

    >>> met = criteria("jep9407-option1")
    >>> [(c.name, len(c.cases)) for c in met.counted][:2]
    [('dropped component', 0), ('overflow', 0)]
    """
    rules = rules_of(rules)
    cases: list[Case] = []
    pairs = refused = 0
    for a, b in combinations_with_replacement(rules.dtypes, 2):
        pairs += 1
        answers = [answer for answer in (ask(rules, a, b), ask(rules, b, a)) if answer]
        refused += not answers
        cases += [(a, b, answer) for answer in dict.fromkeys(answers)]

    def count(number: int, name: str) -> Criterion:
        found = {case[:2]: case for case in cases if COUNTED[name](case)}
        return Criterion(number, name, tuple(found.values()), name in NEVER)

    return Criteria(
        rules.name,
        pairs,
        refused,
        laws(rules),
        tuple(count(number, name) for number, name in enumerate(COUNTED, 2)),
    )
