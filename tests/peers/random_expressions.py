"""Random expressions, as people write them, and how often `explain` is right about them.

Run by itself, it takes rules, how many expressions to draw, and the seed.
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from supremum.conformance.expressions import Confirmation, confirm, library_of
from supremum.conformance.library import Library
from supremum.conformance.questions import asked_functions
from supremum.core.dtypes import dtype
from supremum.core.errors import RulesError
from supremum.core.evaluation.text import read
from supremum.core.functions import FUNCTIONS, OPERAND_SLOT
from supremum.core.system import PromotionSystem
from supremum.core.systems import system as rules_named

SHOWN: Final = 10
"""How many differences, and how many reasons of refusals, a text shows."""

_STEP: Final = re.compile(r"(=|max|[+-]?\d)(?:@(\d)(?:-(\d))?)?([~!]?) +(\S+) +(\w|=) +(.+)")
_KINDS: Final = "bifc"  # in the order in which they join
_LETTERS: Final = {"bool": "b", "signed": "i", "unsigned": "i", "float": "f", "complex": "c"}
_NUMBERS: Final = {"b": ["True"], "i": ["2", "1", "-1", "3"], "f": ["0.5", "1.5"], "c": ["2j"]}
_NEEDS_TWOS: Final = re.compile(r"\{[zmi]\}|bool\[2|\(2, 2\)|view\(2\)")
_GREATEST: Final = 3  # dimensions
_LONGEST: Final = 60  # characters that are written twice
# What a library says of values and of sizes, and not of dtypes.
_NOT_OF_DTYPES: Final = re.compile(
    r"(?i)shape|size|broadcast|dimension|axis|axes|empty|singular|negative integer power"
    r"|zerodivision|division by zero|indices|out of range|index .* out of|inver(t|s)|converge"
    r"|square matri"
)


class _Part(NamedTuple):
    """What is written so far: its dimensions, its kind, and what is said of its sizes."""

    text: str
    rank: int = 0
    kind: str = ""
    flag: str = ""


class _Step(NamedTuple):
    """A way to go on: a line of the files in `steps`."""

    effect: str
    least: int
    greatest: int
    flag: str
    kinds: str
    result: str
    template: str

    def fits(self, x: _Part) -> bool:
        """Return whether an expression can go on so."""
        return (
            x.kind in self.kinds
            and self.least <= x.rank <= self.greatest
            and not (x.flag and _NEEDS_TWOS.search(self.template))
            and (len(x.text) <= _LONGEST or self.template.count("{x}") == 1)
        )

    def rank(self, x: _Part, ranks: list[int]) -> int:
        """Return how many dimensions result, from those before and those of all operands."""
        if self.effect in ("=", "max"):
            return x.rank if self.effect == "=" else max(ranks)
        return int(self.effect) + (0 if self.effect.isdigit() else x.rank)


def _step(effect: str, least: str, most: str, flag: str, *rest: str) -> _Step:
    lowered = -int(effect) if effect[0] == "-" else 0
    return _Step(
        effect, int(least or lowered), int(most or _GREATEST - (effect == "+1")), flag, *rest
    )


def _lines(name: str) -> list[str]:
    text = (Path(__file__).parent / "steps" / f"{name}.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def _written(lines: Iterable[str], prefix: str) -> Iterator[_Step]:
    """Yield the steps of some lines, without those of other libraries."""
    others = re.compile(rf"(?<!\w)(?!{prefix}\.)(np|jnp|torch)\.")
    for found in map(_STEP.fullmatch, lines):
        if found and not others.search(found[0]):
            yield _step(*(group or "" for group in found.groups()))


def _dtypes(line: str, known: Container[str]) -> dict[str, list[str]]:
    """Return the dtypes of a line by the letters of their kinds."""
    found: dict[str, list[str]] = {letter: [] for letter in _KINDS}
    for name in line.split()[1:]:
        if name in known:
            found[_LETTERS[dtype(name).kind]].append(name)
    return found


def _of_elements(library: Library, rules: PromotionSystem) -> Iterator[_Step]:
    """Yield the functions of elements that a library has by the name of the catalogue."""
    root = library.namespaces()[0]
    for known in map(FUNCTIONS.__getitem__, asked_functions(library, rules)):
        own = library.calls.get(known.name, known.call)
        if known.category == "elementwise" and callable(getattr(root, known.name, None)):
            call = re.sub(
                OPERAND_SLOT, lambda place: f"{{{place[0]}}}", own.replace(",Y,Z", ",0,1")
            )
            if known.name not in library.names and "{x}" in call and "{m}" not in call:
                yield _step("max", "", "", "", _KINDS, "F", f"{{p}}.{known.name}{call}")


class Writer:
    """Writes random expressions for one library.

    Args:
        rules: its rules.
        draw: what decides.
    """

    def __init__(self, rules: PromotionSystem, draw: random.Random) -> None:
        library = library_of(rules)
        self.draw, self.prefix = draw, rules.library.import_as[1] if rules.library else ""
        first, second, *own = _lines("torch" if self.prefix == "torch" else "numpy")
        steps, functions = [*_written(own, self.prefix)], _of_elements(library, rules)
        self.starts = [x for x in steps if x.kinds == "-"]
        self.steps = ([*_written(_lines("shared"), self.prefix)], steps, [*functions])
        known = {d.name for d in rules.dtypes if rules.result_type(d) is d}
        known |= {"int*", "float*"} if library.weak_results else set()
        self.dtypes = _dtypes(first, known)
        self.operands = _dtypes(f"{first}{second.removeprefix('operands')}", known)

    def expression(self, most: int = 8) -> _Part:
        """Return an expression of one step or more."""
        part = self._longer(self.draw.choice(self.starts), _Part(""))
        for _ in range(self.draw.randint(1, most)):
            (steps,) = self.draw.choices(self.steps, (4, 5, 1))
            part = self._longer(self.draw.choice([x for x in steps if x.fits(part)]), part)
        return part

    def _longer(self, step: _Step, x: _Part) -> _Part:
        """Return an expression with one more step."""
        letters = dict.fromkeys(re.findall(r"\{(\w)\}", step.template))
        taken = {letter: self._taken(letter, step, x) for letter in letters}
        parts = [part for letter, part in taken.items() if letter in "xyzns"]
        joined = max((part.kind for part in parts), key=_KINDS.index, default="b")
        asked = [part.kind for letter, part in taken.items() if letter in "dfo"]
        kinds = {"=": x.kind, "y": joined, "F": max("f", joined, key=_KINDS.index)}
        kinds |= {"R": x.kind.replace("c", "f"), "S": x.kind.replace("b", "i")}
        kinds |= {"d": asked[0] if asked else ""}
        rank = step.rank(x, [part.rank for part in parts])
        flags = f"{step.flag}{''.join(part.flag for part in parts)}" if rank else ""
        text = step.template.format_map({letter: part.text for letter, part in taken.items()})
        flag = "!" if "!" in flags else flags[:1]
        return _Part(text, rank, kinds.get(step.result, step.result), flag)

    def _taken(self, letter: str, step: _Step, x: _Part) -> _Part:
        """Return what stands for a letter; other operands have no dimensions beside odd sizes."""
        pick = self.draw.choice
        kind = pick([k for k in "biiiffffc" if k in step.kinds or step.kinds == "-"])
        operand, d = pick(self.operands[kind]), pick(self.dtypes[kind])
        if letter == "y" and self.draw.random() < 0.2:
            part = self.expression(2)
            if part.kind in step.kinds and not (part.flag or x.flag):
                return part
        rank = x.rank if letter == "z" else 0 if x.flag == "!" else pick([0, 1, 1, 2])
        array = _Part(f"{operand}[{','.join('2' * rank)}]", rank, kind)
        own = f"{d}_" if d == "bool" and self.prefix != "torch" else d
        real = "i" if kind in "bi" else "f"
        return {
            "x": x, "y": array, "z": array, "p": _Part(self.prefix), "o": _Part(operand, 0, kind),
            "m": _Part("bool[2]"), "i": _Part("int32[2]"),
            "n": _Part(pick(_NUMBERS[kind]), 0, kind),
            "d": _Part(f"{self.prefix}.{own}", 0, kind),
            "f": _Part(f"{self.prefix}.{pick(self.dtypes['f'])}", 0, "f"),
            "s": _Part(f"np.{pick(self.dtypes[real])}(2)", 0, real),
        }[letter]  # fmt: skip


@dataclass(slots=True)
class Checked:
    """How often `explain` is right about random expressions of one library.

    Attributes:
        system: the name of the rules.
        setting: their options.
        seed: what the expressions were drawn from.
        installed: the release that was asked.
        counts: how many are right, refused by both, wrong, answered though the library raises,
            refused though it answers, or of values or sizes that it does not take.
        found: those that are wrong, or raise in the library alone.
        reasons: why the rules refuse what the library answers, with how often.
        reason: why nothing was asked, or ``""``.
    """

    system: str
    setting: dict[str, Any]
    seed: int
    installed: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    found: list[Confirmation] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    reason: str = ""

    def note(self, one: Confirmation) -> None:
        """Count an expression, and keep it where it differs."""
        verdict = one.verdict
        if verdict == "raises" and _NOT_OF_DTYPES.search(str(one.theirs)):
            verdict = "values"
        self.counts["both" if one.agrees and one.ours.error else verdict] += 1
        if verdict == "refused":
            self.reasons[_reason(one)] += 1
        if verdict in ("wrong", "raises"):
            self.found.append(one)

    @property
    def verdict(self) -> str:
        """``"agrees"``, ``"differs"`` if any is wrong, or ``"not measured"``."""
        if self.reason:
            return "not measured"
        return "differs" if self.counts["wrong"] else "agrees"

    @property
    def label(self) -> str:
        """The rules, with their options in parentheses."""
        options = ", ".join(f"{name}={value}" for name, value in self.setting.items())
        return f"{self.system} ({options})" if options else self.system

    def __str__(self) -> str:
        if self.reason:
            return f"{self.label}: not measured: {self.reason}"
        of = ", ".join(f"{self.counts[name]:,} {said}" for name, said in _SAID.items())
        shown = sorted(self.found, key=lambda one: one.verdict, reverse=True)[:SHOWN]
        lines = [f"{self.label}: of {self.counts.total():,} expressions, {of} ({self.installed})"]
        lines += [f"    {one.text}: {one.theirs}; ours {one.ours}" for one in shown]
        lines += [f"    {n:,} refused: {reason}" for reason, n in self.reasons.most_common(SHOWN)]
        return "\n".join(lines)


_SAID: Final = {
    "right": "right",
    "both": "refused by both",
    "wrong": "wrong",
    "raises": "answered though the library raises",
    "refused": "refused though it answers",
    "values": "of values or sizes that it does not take",
}


def _reason(one: Confirmation) -> str:
    """Return why the rules refuse, with dots for the parts of the expression."""
    source = read(one.text)
    nodes = [node for node in ast.walk(source.tree) if isinstance(node, ast.expr)]
    parts = {source.of(x) for x in nodes if not isinstance(x, (ast.Constant, ast.Slice))}
    said = str(one.ours.error).partition("\n")[0]
    for part in sorted(parts, key=len, reverse=True):
        said = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", "...", said)
    said = re.sub(r"^in the step .*?: |cannot apply .*? rules[^:]*: ", "", said)
    return said.partition(";")[0]


def check(library: str | PromotionSystem, number: int, seed: int = 0) -> Checked:
    """Return how often `explain` is right about random expressions.

    Args:
        library: the rules of the library, with options.
        number: how many expressions are drawn.
        seed: what they are drawn from.
    """
    rules = rules_named(library)
    checked = Checked(rules.name, dict(rules.setting), seed)
    try:
        checked.installed = library_of(rules).version()
    except RulesError as error:
        checked.reason = str(error)
        return checked
    writer = Writer(rules, random.Random(seed))
    for _ in range(number):
        checked.note(confirm(writer.expression().text, rules))
    return checked


def main() -> None:
    """Ask one library, print what is found, and exit with 1 unless it agrees."""
    name, *numbers = sys.argv[1:]
    number, seed = map(int, (*numbers, *(2000, 0)[len(numbers) :]))
    checked = check(name, number, seed)
    print(f"{checked}\nThe expressions are those of seed {seed}.")
    sys.exit(checked.verdict != "agrees")


if __name__ == "__main__":
    main()
