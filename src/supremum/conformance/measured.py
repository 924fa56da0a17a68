"""What asking a library has found: how much agrees, and what differs, in groups."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from itertools import combinations, islice
from pathlib import Path
from typing import Any, NamedTuple

from ..core.display import displayed
from ..core.errors import RulesError, listed
from ..core.table import REFUSED
from .calls import ALIKE, LACKS, WEAK
from .questions import Question

SHOWN = 20
"""How many groups of differences a text shows."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A question that the rules and the library answer differently.

    Attributes:
        operands: the operands, as they are written.
        rules: the answer of the rules, ``"-"`` for a refusal.
        library: the answer of the library, likewise, or ``"hangs"`` or ``"crashes"``.
        op: the operator, if one was asked about.
        cell: the call that was compiled, if compiled code was asked about.
    """

    operands: tuple[str, ...]
    rules: str
    library: str
    op: str = ""
    cell: str = ""


class Group(NamedTuple):
    """The differences of the same dtypes and the same answers, alone or among more operands.

    Attributes:
        operands: the names of the dtypes; Python numbers as they are written.
        rules: the answer of the rules, ``"-"`` for a refusal.
        library: the answer of the library, as in a `Difference`.
        functions: the functions in which they differ.
        differences: the differences.
    """

    operands: tuple[str, ...]
    rules: str
    library: str
    functions: tuple[str, ...]
    differences: tuple[Difference, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the group as plain lists and texts, with the number of its differences."""
        return {
            "operands": list(self.operands),
            "rules": self.rules,
            "library": self.library,
            "functions": list(self.functions),
            "differences": len(self.differences),
            **({"cell": self.differences[0].cell} if self.differences[0].cell else {}),
        }

    def line(self, *, standard: bool = False) -> str:
        """Return the group in one line.

        Args:
            standard: whether the rules are those of a standard.
        """
        written = {d.operands for d in self.differences}
        operands = " with ".join(written.pop() if len(written) == 1 else self.operands)
        verb = "say" if self.rules != REFUSED else "refuse"
        judge = f"the standard {verb}s" if standard else f"the rules {verb}"
        says = f"{judge} {self.rules}" if self.rules != REFUSED else judge
        theirs = "refused" if self.library == REFUSED else self.library
        line = f"{operands or 'no operands'}: {theirs}, {says}{self._where()}"
        cell = self.differences[0].cell
        return f"{line}, such as {cell}" if cell else line

    def _where(self) -> str:
        """Return in which function the group differs, or in how many, or in how many questions."""
        if self.functions:
            *more, one = self.functions
            where = f"{len(self.functions):,} functions" if more else one
            return f", in {where}" if all(d.op for d in self.differences) else f", also in {where}"
        count = len(self.differences)
        return f", in {count:,} questions" if count > 1 else ""


def grouped(differences: Iterable[Difference]) -> list[Group]:
    """Return differences in groups, those of most differences first."""
    found: dict[tuple[frozenset[str], str, str], list[Difference]] = {}
    for d in sorted(differences, key=lambda d: len({*_names(d)}) > 2):
        own, answers = frozenset(_names(d)), (_in_words(d.rules), _in_words(d.library))
        # a pair that is wrong is why more operands with the same answers are
        pairs = (frozenset(pair) for pair in combinations(sorted(own), 2))
        known = next((pair for pair in pairs if (pair, *answers) in found), own)
        found.setdefault((known, *answers), []).append(d)
    groups = []
    for (_, rules, library), alike in found.items():
        names = min(map(_names, alike), key=lambda names: (len(names), names))
        functions = tuple(dict.fromkeys(d.op for d in alike if d.op))
        groups.append(Group(names, rules, library, functions, tuple(alike)))
    return sorted(groups, key=lambda group: -len(group.differences))


def _names(d: Difference) -> tuple[str, ...]:
    return tuple(text.partition("[")[0] for text in d.operands)


def _in_words(answer: str) -> str:
    return f"weak {answer.removesuffix(WEAK)}" if answer.endswith(WEAK) else answer


@displayed
@dataclass(slots=True)
class Measured:
    """What became of asking one library in one setting.

    Attributes:
        system: the name of the rules.
        setting: their options.
        written_for: the release that the rules were measured on.
        installed: the release that was asked, or ``""``.
        unmeasured: the installed releases, if no rules were measured on them: each with its name,
            and with the release that the rules are those of.
        asked: how many questions were answered, besides those that are undefined.
        undefined: how many questions the standard leaves undefined, so that any answer is right.
        not_asked: how many could not be asked, since the library lacks a dtype or a function.
        lacks: the names of these.
        differences: those that were answered otherwise than the rules say.
        table: the library's answers for pairs of arrays with dimensions.
        reason: why nothing was measured, or ``""``.
        standard: whether the rules are those of a standard: what they refuse is undefined.
        compiled: whether the library's compiler was asked.
        alike: how many answers of compiled code are those of eager code, and not of the rules.
        known: the differences of compiled code that are known, by what is known of them.
    """

    system: str
    setting: dict[str, Any]
    written_for: str
    installed: str = ""
    unmeasured: list[tuple[str, str]] = field(default_factory=list)
    asked: int = 0
    undefined: int = 0
    not_asked: int = 0
    lacks: list[str] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)
    table: dict[tuple[str, str], str] = field(default_factory=dict)
    reason: str = ""
    standard: bool = False
    compiled: bool = False
    alike: int = 0
    known: dict[str, list[Difference]] = field(default_factory=dict)

    def note(self, question: Question, rules: str, library: str, cell: str = "") -> None:
        """Count an answer, and keep it where it differs from that of the rules.

        Args:
            question: what was asked.
            rules: the answer of the rules.
            library: the answer of the library, ``"hangs"`` or ``"crashes"``; or ``?`` and the name
                of what the library lacks, and then it is no answer.
            cell: the call, if it is compiled.
        """
        if library.startswith(LACKS):
            self.not_asked += 1
            name = library.removeprefix(LACKS).strip()
            if name not in self.lacks:
                self.lacks.append(name)
            return
        if library.startswith(ALIKE):
            self.alike += 1
            return
        if question.op is None and [op.rank for op in question.operands] == [1, 1]:
            a, b = (op.dtype.name for op in question.operands)
            self.table[a, b] = REFUSED if library in ("hangs", "crashes") else library
        if self.standard and rules == REFUSED:
            self.undefined += 1
            return
        self.asked += 1
        if rules != library:
            texts = tuple(op.text for op in question.operands)
            found = Difference(texts, rules, library, question.name, cell)
            reason = known_reason(self.system, found) if self.compiled else ""
            (self.known.setdefault(reason, []) if reason else self.differences).append(found)

    @property
    def verdict(self) -> str:
        """``"agrees"``, ``"differs"``, or ``"not measured"``."""
        if self.reason:
            return "not measured"
        return "differs" if self.differences else "agrees"

    @property
    def groups(self) -> list[Group]:
        """The differences in groups of the same dtypes and answers, the largest first."""
        return grouped(self.differences)

    @property
    def label(self) -> str:
        """The rules, with their options in parentheses."""
        options = ", ".join(f"{name}={value}" for name, value in self.setting.items())
        label = f"{self.system} ({options})" if options else self.system
        return f"{label}, compiled" if self.compiled else label

    def to_dict(self) -> dict[str, Any]:
        """Return the measurement as plain lists and texts, as ``--format json`` prints it."""
        return {
            "system": self.system,
            "setting": self.setting,
            "verdict": self.verdict,
            "installed": self.installed,
            "written_for": self.written_for,
            "unmeasured": [list(pair) for pair in self.unmeasured],
            "asked": self.asked,
            "undefined": self.undefined,
            "not_asked": self.not_asked,
            "lacks": self.lacks,
            "groups": [group.to_dict() for group in self.groups],
            "differences": [
                {"operands": list(d.operands), "op": d.op, "rules": d.rules, "library": d.library}
                for d in self.differences
            ],
            **({"known": self._known_as_dict(), "alike": self.alike} if self.compiled else {}),
            "reason": self.reason,
        }

    def _known_as_dict(self) -> dict[str, list[str]]:
        return {reason: [d.cell for d in found] for reason, found in self.known.items()}

    def __str__(self) -> str:
        if self.reason:
            return f"{self.label}: not measured: {self.reason}"
        count = sum(map(len, self.known.values()))
        agreed = self.asked - len(self.differences) - count
        head = f"{self.label}: {agreed:,} of {self.asked:,} agree with {self.installed}"
        for release, known in self.unmeasured:
            head += f" ({release} was not measured; the rules are those of {known})"
        if self.undefined:
            head += f", {self.undefined:,} undefined by the standard"
        if self.not_asked:
            verb = "does not compile" if self.compiled else "lacks"
            head += f", {self.not_asked:,} not asked: it {verb} {listed(self.lacks)}"
        if self.alike:
            head += f", {self.alike:,} differ when they are not compiled, too"
        if count:
            head += f", {count:,} known to differ"
        groups = self.groups
        lines = (group.line(standard=self.standard) for group in groups)
        told = [f"    known: {reason}, in {len(d):,} cells" for reason, d in self.known.items()]
        return "\n".join([head, *first_groups(lines, [len(g.differences) for g in groups]), *told])


def known_reason(system: str, found: Difference) -> str:
    """Return what is known of a difference of compiled code, or nothing.

    A file in ``known`` has what is known, and below it the differences: the function, the operands,
    the answer of compiled code and that of the rules, in which a star stands for any letters.
    """
    text = f"{found.op} {' with '.join(found.operands)}: {found.library}, not {found.rules}"
    return next((reason for reason, pattern in _known(system) if pattern.fullmatch(text)), "")


@cache
def _known(system: str) -> list[tuple[str, re.Pattern[str]]]:
    path = files(__package__) / "known" / f"{system}.txt"
    found, reason = [], ""
    for line in path.read_text("utf-8").splitlines() if path.is_file() else ():
        if line.startswith(" "):
            found.append((reason, re.compile(re.escape(line.strip()).replace(r"\*", ".*"))))
        elif not line.startswith("#"):
            reason = line.removesuffix(":")
    return found


def first_groups(lines: Iterable[str], counts: Sequence[int]) -> list[str]:
    """Return the lines of the first groups, and how many differences the others have.

    Args:
        lines: a line for each group.
        counts: how many differences each has.
    """
    found = [f"    {line}" for line in islice(lines, SHOWN)]
    if left := counts[SHOWN:]:
        found.append(f"    and {len(left):,} more groups, of {sum(left):,} differences")
    return found


def write(measured: Measured, path: str | Path) -> None:
    """Write the pairs of arrays that a library was asked about to a TOML file of rules.

    `PromotionSystem.from_file` reads it. Python scalars, 0-d arrays and operators are not in it:
    those are for the steps around the join.

    Args:
        measured: what `conform` returned for one setting.
        path: the file.

    Raises:
        RulesError: where no pair of arrays was measured, or the file cannot be written.
    """
    if measured.reason:
        raise RulesError(f"{measured.system}: not measured: {measured.reason}", measured.system)
    if not measured.table:
        raise RulesError(f"{measured.system}: no pair of arrays was asked about", measured.system)
    nodes = list(dict.fromkeys(a for a, _ in measured.table))
    width = max(map(len, nodes)) + 2
    rows = [["", *nodes]]
    rows += [[a, *(measured.table.get((a, b), "-") for b in nodes)] for a in nodes]
    lines = ["".join(cell.ljust(width) for cell in row).rstrip() for row in rows]
    options = "".join(f", {name}={value}" for name, value in measured.setting.items())
    today = datetime.now(UTC).date()
    head = [
        f'name = "{measured.system}-{measured.installed}"',
        f'version = "{measured.installed}"',
        f'source = "measured on {today}{options}"',
    ]
    text = "\n".join([*head, 'table = """', *lines, '"""', ""])
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise RulesError(f"{path}: {error.strerror}", path) from None
