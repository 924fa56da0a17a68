"""The report of a recorder: its findings, causes first, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ... import __version__
from ...core.dtype_names import by_name
from ...core.dtypes import DType
from ...core.errors import SupremumError
from ..analysis import checks
from ..model.kinds import FORBIDDEN, KINDS, family, rank
from ..model.locations import LOCATIONS, Location, Span
from ..model.provenance import Effect, Origin
from ..record.recorder import Recorder
from ..record.suppressions import Suppression
from .fixes import cause_span, effect_operand, suggest
from .places import Birth, Mark, Place


class Finding(NamedTuple):
    """A cause, what came of it, and what to type instead.

    Attributes:
        kind: what it is, first of all.
        also: what else came of it.
        file: the path of the file with the line to mend.
        span: where the cause is in it, columns in bytes.
        line: its line.
        column: its column, in characters from 1.
        text: the cause as it is written.
        dtype: the dtype that was born there.
        elsewhere: whether the value came from code that was not watched, and was first seen here.
        count: the number of operations whose result has its dtype from here.
        bytes: how much less memory these results would have taken.
        suggestion: what to type instead of `text`, or ``""`` if no change is known to be right.
        needs: the import that the file lacks for it, or ``""``.
        explanation: why the first of `places` gave what it gave, by the rules of the library.
        places: where it had an effect, in the order in which it did.
    """

    kind: str
    also: tuple[str, ...]
    file: str
    span: Span
    line: int
    column: int
    text: str
    dtype: str
    elsewhere: bool
    count: int  # type: ignore[assignment]  # a tuple's own `count` has no use here
    bytes: int
    suggestion: str
    needs: str
    explanation: str
    places: tuple[Place, ...]

    @property
    def severity(self) -> str:
        """How bad it is: ``"warning"`` or ``"note"``."""
        kinds = (self.kind, *self.also)
        found = {"warning" if family(k) == FORBIDDEN else KINDS[k].severity for k in kinds}
        return "warning" if "warning" in found else "note"

    @property
    def kinds(self) -> frozenset[str]:
        """All that it is, ``forbidden`` without its dtype."""
        return frozenset(map(family, (self.kind, *self.also)))

    @property
    def fingerprints(self) -> frozenset[tuple[str, str, str]]:
        """What stays the same where lines are added above: file, kind and text, for each kind."""
        return frozenset((self.file, kind, self.text) for kind in (self.kind, *self.also))

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values, as ``--format json`` prints it."""
        first = self.places[0]
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_line": self.span[2],
            "kind": self.kind,
            "also": list(self.also),
            "severity": self.severity,
            "operands": [m.as_dict() for m in first.operands],
            "result": first.result,
            "cause": {"text": self.text, "dtype": self.dtype, "elsewhere": self.elsewhere},
            "count": self.count,
            "bytes": self.bytes,
            "suggestion": self.suggestion,
            "needs": self.needs,
            "explanation": self.explanation,
            "places": [place.as_dict() for place in self.places],
        }


class Predicted(NamedTuple):
    """A place with the dtypes that came out there, and those that would by the target's rules.

    Attributes:
        file: the path of the file.
        line: its line.
        column: its column, in characters from 1.
        text: what is written there.
        dtypes: the dtypes that came out.
        target: the dtypes that would.
    """

    file: str
    line: int
    column: int
    text: str
    dtypes: tuple[str, ...]
    target: tuple[str, ...]


class Watched(NamedTuple):
    """What an audit watched, and what it could not.

    Attributes:
        files: the number of files.
        folders: the folders of the user's code.
        processes: the number of processes.
        lost: the processes that were not watched, with the reason.
    """

    files: int
    folders: tuple[str, ...]
    processes: int = 1
    lost: tuple[tuple[str, str], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        lost = [{"process": process, "reason": reason} for process, reason in self.lost]
        return {**self._asdict(), "folders": list(self.folders), "lost": lost}


class Report(NamedTuple):
    """What an audit found.

    Attributes:
        findings: the findings, those that cost most first, notes last.
        operations: how many operations on arrays were heard of.
        unused: the suppressions that nothing needed.
        unwatched: the files that ran as they are, with the reason.
        problems: the places that could not be judged, with the reason.
        target: the rules that the program may move to, or ``""``.
        known: how many findings the baseline knew already.
        predicted: the places where arrays came out, with their dtypes by the target's rules.
        unknown: the functions of which it is not known what they give there.
        watched: what was watched, or None if a part of a program was audited.
        warning: why nothing can be said of the program, or ``""``.
    """

    findings: tuple[Finding, ...]
    operations: int = 0
    unused: tuple[Suppression, ...] = ()
    unwatched: tuple[tuple[str, str], ...] = ()
    problems: tuple[str, ...] = ()
    target: str = ""
    known: int = 0
    predicted: tuple[Predicted, ...] = ()
    unknown: tuple[str, ...] = ()
    watched: Watched | None = None
    warning: str = ""

    def of(self, kinds: Iterable[str]) -> list[Finding]:
        """Return the findings of some kinds."""
        chosen = set(kinds)
        return [finding for finding in self.findings if chosen & finding.kinds]

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as ``--format json`` prints it."""
        return {
            "version": 1,
            "tool": f"supremum {__version__}",
            "target": self.target or None,
            "operations": self.operations,
            "findings": [finding.as_dict() for finding in self.findings],
            "unused_suppressions": [str(suppression) for suppression in self.unused],
            "unwatched": [{"file": f, "reason": reason} for f, reason in self.unwatched],
            "problems": list(self.problems),
            "known": self.known,
            "predicted": [line._asdict() for line in self.predicted],
            "unknown_functions": list(self.unknown),
            "watched": self.watched.as_dict() if self.watched else None,
            "warning": self.warning or None,
        }


def predicted(lines: Mapping[int, Iterable[tuple[str, str]]]) -> tuple[Predicted, ...]:
    """Return the places that a target was told of, in the order of the source."""
    found = []
    for index, pairs in lines.items():
        location = LOCATIONS[index]
        was, would = (tuple(sorted(set(names))) for names in zip(*pairs, strict=True))
        found.append(
            Predicted(location.file, location.line, location.column, location.text, was, would)
        )
    return tuple(sorted(found))


def findings(recorder: Recorder, kinds: Iterable[str] | None = None) -> tuple[Finding, ...]:
    """Return what a recorder found: those that cost most first, notes last.

    Args:
        recorder: the recorder.
        kinds: the kinds to tell of; by default all.
    """
    chosen = {*KINDS, FORBIDDEN} if kinds is None else set(kinds)
    found = []
    for origin in list(recorder.origins.values()):
        effects = [m for m in list(origin.effects.values()) if family(m.kind) in chosen]
        effects = [m for m in effects if not m.is_undone]
        if effects:
            found.append((origin.index, findings_of(origin, effects)))
    found.sort(key=lambda pair: (pair[1].severity == "note", -pair[1].bytes, pair[0]))
    return _agreed([finding for _, finding in found])


def _agreed(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return findings without the suggestions that contradict each other.

    Code that runs with arrays of several dtypes may be the cause of several findings.
    """
    fixes: dict[tuple[str, Span], set[str]] = {}
    for finding in found:
        fixes.setdefault((finding.file, finding.span), set()).add(finding.suggestion)
    return tuple(
        f if len(fixes[f.file, f.span]) == 1 else f._replace(suggestion="", needs="") for f in found
    )


def findings_of(origin: Origin, effects: Sequence[Effect]) -> Finding:
    """Return the finding that a cause is, with what came of it."""
    kinds = sorted({m.kind for m in effects}, key=rank)
    first = next(m for m in effects if m.kind == kinds[0])
    location = LOCATIONS[origin.location]
    span = cause_span(origin)
    here = location._replace(span=span)
    want = _wanted(origin, sorted(effects, key=lambda m: rank(m.kind)))
    # a cause that widens is mended as such, whatever else it does
    others = [m for m in effects if family(m.kind) != FORBIDDEN]
    told = min(others, key=lambda m: rank(m.kind), default=first)
    wide, narrow = checks.bits(origin.dtype), checks.bits(want)
    saved = origin.bytes * max(wide - narrow, 0) // wide if wide and narrow else 0
    saved += origin.copied
    ordered = [first, *(m for m in effects if m is not first)]
    fix = suggest(origin, told, want)
    return Finding(
        kind=kinds[0],
        also=tuple(kinds[1:]),
        file=location.file,
        span=span,
        line=here.line,
        column=here.column,
        text=here.text,
        dtype=origin.dtype.name,
        elsewhere=origin.operand is not None,
        count=max(origin.operations, sum(m.count for m in effects)),
        bytes=saved if any(m.kind in _COSTS for m in effects) else 0,
        suggestion=fix.text,
        needs=fix.needs,
        explanation=_explained(told),
        places=tuple(map(_place, ordered)),
    )


_WIDER = ("widening", "larger-integer", "wide-total")
_COSTS = (*_WIDER, "narrowing-store", "weak-lost")
_OF_DTYPES = (*_WIDER, "weak-lost", "mixed-kind", "precision-loss", "overflow-risk")


def _wanted(origin: Origin, effects: Sequence[Effect]) -> DType:
    """Return the dtype that would have stayed if it were not for the cause."""
    for m in effects:
        if m.kind in _OF_DTYPES:
            floats = [op.dtype for op in m.operands if checks.family(op.dtype) == "inexact"]
            d = m.operands[m.against].dtype
            if m.kind not in _WIDER:
                others = (op.dtype for i, op in enumerate(m.operands) if i != m.against)
                d = floats[0] if floats else next(others, d)
            return _part(d, origin.dtype)
        if m.kind == "other-dtype" and m.result is not None:
            return m.result
        if m.kind == "narrowing-store":
            return _part(m.operands[0].dtype, origin.dtype)
    forbidden = any(family(m.kind) == FORBIDDEN for m in effects)
    return (
        by_name(_NARROWER.get(origin.dtype.name, origin.dtype.name)) if forbidden else origin.dtype
    )


_NARROWER = {
    "float64": "float32", "float32": "float16", "complex128": "complex64",
    "int64": "int32", "int32": "int16", "uint64": "uint32", "uint32": "uint16",
    "longdouble": "float64", "clongdouble": "complex128",
}  # fmt: skip


def _part(d: DType, like: DType) -> DType:
    """Return a dtype of the kind of another, with the width of the first."""
    if like.kind == "complex" and d.kind == "float":
        return by_name(f"complex{2 * checks.bits(d)}")
    return d.part if like.kind == "float" else d


def _place(m: Effect) -> Place:
    location: Location = LOCATIONS[m.location]
    marks = []
    for i, op in enumerate(m.operands):
        index = effect_operand(m, i)
        span = location.spans[index] if index < len(location.spans) else None
        marks.append(Mark(location.operand_text(index), op.text, span, _birth(m.births[i])))
    return Place(
        file=location.file,
        span=location.span,
        line=location.line,
        column=location.column,
        kind=m.kind,
        text=location.text,
        operands=tuple(marks),
        result=m.result.name if m.result else None,
        count=m.count,
        told=m.told,
    )


def _birth(location: int | None) -> Birth | None:
    if location is None:
        return None
    place = LOCATIONS[location]
    return Birth(place.file, place.span, place.line, place.column, place.text)


def _explained(m: Effect) -> str:
    """Return why the library gave what it gave, by its own rules."""
    if m.rules is None or not m.operands:
        return ""
    try:
        told = m.rules.explain(*m.operands, op=m.operator)
    except SupremumError:
        try:  # these rules may have no rule of the function
            told = m.rules.explain(*m.operands)
        except SupremumError:
            return ""
    return str(told) if m.result in (None, told.result) else ""
