"""The report of an audit, as plain data: causes, what came of each, and what was watched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, NoReturn

from ...core.errors import plural
from ...version import __version__
from ..kinds import UNANSWERED, base_name, find, kind_of
from ..log.suppressions import Suppression
from ..model.cells import home
from ..model.locations import Span
from . import where
from .ids import ids
from .places import Introduction, Place
from .where import extent

DISPLAY: Final[dict[str, Callable[[Any], str]]] = {}
"""What shows a report or a finding: as ``"text"``, or as ``"html"`` in a notebook."""

VERSION: Final = 1
"""Of the report as JSON; another number means that a member changed its meaning."""


class Candidate(NamedTuple):
    """A change to try.

    Attributes:
        place: what it takes the place of.
        suggestion: what to type instead.
        needs: the import that the file lacks for it, or ``""``.
        others: what has to be typed with it.
    """

    place: Introduction
    suggestion: str
    needs: str
    others: tuple[Candidate, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        others = [other.to_dict() for other in self.others]
        more = {"others": others} if others else {}
        said = {"suggestion": self.suggestion, "needs": self.needs}
        return {**self.place.to_dict(), **said, **more}


class Finding(NamedTuple):
    """A cause, what came of it, and what to type instead.

    Attributes:
        names: what came of it, by the names that effects are recorded as, the most important first.
        file: the path of the file with the line to change.
        span: where the cause is in it, columns in bytes.
        line: its line.
        column: its column, in characters from 1.
        text: the cause as it is written.
        dtype: the dtype that was introduced there.
        elsewhere: whether the value came from code that was not watched, and was first seen here.
        count: the number of operations whose result has its dtype from here.
        bytes: how much less memory these results would have taken.
        suggestion: what to type instead of `text`, or ``""`` if no change is known to be right.
        needs: the import that the file lacks for it, or ``""``.
        explanation: why the first of `places` gave what it gave, by the rules of the library.
        places: where it had an effect, in the order in which it did.
        candidates: changes to try that are not known to be right, if somebody tries them.
    """

    names: tuple[str, ...]
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
    candidates: tuple[Candidate, ...] = ()

    @property
    def kind(self) -> str:
        """What it is, first of all."""
        return kind_of(self.names[0])

    @property
    def note(self) -> str:
        """Which note of its kind it is, or ``""``."""
        return self.names[0] if self.names[0] != self.kind else ""

    @property
    def also(self) -> tuple[str, ...]:
        """What else came of it."""
        return tuple(dict.fromkeys(map(kind_of, self.names)))[1:]

    @property
    def end_column(self) -> int:
        """The column after the cause's last character, in characters from 1."""
        return extent(self.file, self.span).end_column

    @property
    def severity(self) -> str:
        """How bad it is: ``"error"``, ``"warning"`` or ``"note"``."""
        found = {find(name).severity for name in self.names}
        return next(word for word in ("error", "warning", "note") if word in found)

    @property
    def headline(self) -> str:
        """What it is, in one sentence."""
        return find(self.names[0]).headline_of(self)

    @property
    def kinds(self) -> frozenset[str]:
        """All that it is, ``forbidden`` without its dtype."""
        return frozenset(map(base_name, (self.kind, *self.also)))

    def is_of(self, names: Iterable[str]) -> bool:
        """Return whether it has one of some names: kinds that are no notes, and notes."""
        return not set(map(base_name, self.names)).isdisjoint(names)

    @property
    def fingerprints(self) -> frozenset[tuple[str, str, str]]:
        """What stays the same where lines are added above: file, name and text, for each name."""
        return frozenset((home(self.file), name, self.text) for name in self.names)

    def __repr__(self) -> str:
        return f"<Finding: {self.kind} at {self.file}:{self.line}>"

    def __str__(self) -> str:
        return DISPLAY["text"](self)

    def _repr_html_(self) -> str:
        """Return the finding as a notebook shows it."""
        return DISPLAY["html"](self)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, as ``--format json`` prints it, without its id."""
        first = self.places[0]
        return {
            **where.at_span(self.file, self.span, self.line, self.column),
            "kind": self.kind,
            **({"note": self.note} if self.note else {}),
            "also": list(self.also),
            "severity": self.severity,
            "message": self.headline,
            "operands": [m.to_dict() for m in first.operands],
            "result": first.result,
            "cause": {"text": self.text, "dtype": self.dtype, "elsewhere": self.elsewhere},
            "count": self.count,
            "bytes": self.bytes,
            "suggestion": self.suggestion,
            "needs": self.needs,
            "explanation": self.explanation,
            "places": [place.to_dict() for place in self.places],
            **({"candidates": [x.to_dict() for x in self.candidates]} if self.candidates else {}),
        }


class Predicted(NamedTuple):
    """A place with the dtypes that came out there, and those that would by the target's rules.

    Attributes:
        file: the path of the file.
        line: its line.
        column: its column, in characters from 1.
        text: what is written there.
        dtypes: the dtypes that came out.
        target: the dtypes that would; `REFUSED` or `UNANSWERED` if there are none.
    """

    file: str
    line: int
    column: int
    text: str
    dtypes: tuple[str, ...]
    target: tuple[str, ...]

    @property
    def is_answered(self) -> bool:
        """Whether it is known what would come out."""
        return UNANSWERED not in self.target


class Watched(NamedTuple):
    """What an audit watched, and what it could not.

    Attributes:
        files: the number of files.
        folders: the folders of the user's code.
        processes: the number of processes.
        lost: the processes that were not watched, with the reason.
        cells: the number of cells of a notebook.
    """

    files: int
    folders: tuple[str, ...]
    processes: int = 1
    lost: tuple[tuple[str, str], ...] = ()
    cells: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        lost = [{"process": process, "reason": reason} for process, reason in self.lost]
        return {**self._asdict(), "folders": list(self.folders), "lost": lost}


_INSTEAD: Final = {
    **dict.fromkeys(("html", "save", "to_file", "to_html", "write"),
                    "supremum.audit.render(x, 'html')"),
    **dict.fromkeys(("json", "to_json"), "supremum.audit.render(x, 'json')"),
    **dict.fromkeys(("sarif", "to_sarif"), "supremum.audit.render(x, 'sarif')"),
    **dict.fromkeys(("print", "show", "summary"), "print(x)"),
    **dict.fromkeys(("causes", "errors", "issues", "warnings"), "x.findings"),
    **dict.fromkeys(("df", "to_dataframe", "to_pandas"), "x.to_dict()"),
    **dict.fromkeys(("exit_code", "returncode"), "x.status"),
    **dict.fromkeys(("clean", "is_clean", "ok", "passed"), "not x.findings"),
}  # fmt: skip
"""What people ask of a report, with what to type for a report ``x``."""


class Report(NamedTuple):
    """What an audit found.

    Attributes:
        findings: the findings, those that cost most first, notes last.
        operations: how many operations on arrays were observed.
        unused: the suppressions that nothing needed.
        unwatched: the files that ran as they are, with the reason.
        problems: the places that could not be judged, with the reason.
        target: the rules that the program may move to, or ``""``.
        known: how many findings the baseline knew already.
        predicted: the places where arrays came out, with their dtypes by the target's rules.
        unknown: the functions of which it is not known what they give there.
        watched: what was watched, or None if a part of a program was audited.
        warning: why nothing can be said of the program, or ``""``.
        results: how many operations gave each dtype.
        setting: the setting of the target's rules, in words.
        fail_on: the kinds that make the audit fail.
        status: the exit status of a script that `run` ran to its end; 0 if it has none.
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
    results: tuple[tuple[str, int], ...] = ()
    setting: str = ""
    fail_on: frozenset[str] = frozenset()
    status: int = 0

    def __bool__(self) -> bool:
        return bool(self.findings)

    @property
    def failed(self) -> bool:
        """Whether a finding is of a kind that makes the audit fail."""
        return any(finding.is_of(self.fail_on) for finding in self.findings)

    def of(self, kinds: Iterable[str]) -> list[Finding]:
        """Return the findings of some kinds."""
        chosen = set(kinds)
        return [finding for finding in self.findings if chosen & finding.kinds]

    def __repr__(self) -> str:
        found = plural(len(self.findings), "finding")
        return f"<Report: {found} in {plural(self.operations, 'operation')} on arrays>"

    def __str__(self) -> str:
        return DISPLAY["text"](self)

    def _repr_html_(self) -> str:
        """Return the report as a notebook shows it."""
        return DISPLAY["html"](self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002  # as IPython calls it
        """Print the report as IPython shows it in a terminal."""
        printer.text(str(self))

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, as ``--format json`` prints it."""
        return {
            "version": VERSION,
            "tool": f"supremum {__version__}",
            "target": self.target or None,
            "operations": self.operations,
            "results": dict(self.results),
            "findings": [
                {"id": name, **finding.to_dict()}
                for name, finding in zip(ids(self.findings), self.findings, strict=True)
            ],
            "unused_suppressions": [str(suppression) for suppression in self.unused],
            "unwatched": [{"file": f, "reason": reason} for f, reason in self.unwatched],
            "problems": list(self.problems),
            "known": self.known,
            "predicted": [
                {**line._asdict(), **where.at_line(line.file, line.line)} for line in self.predicted
            ],
            "unknown_functions": list(self.unknown),
            "watched": self.watched.to_dict() if self.watched else None,
            "warning": self.warning or None,
        }


def lacking(self: object, name: str, instead: Mapping[str, str] = _INSTEAD) -> NoReturn:
    """Refuse an attribute, with what to type."""
    hint = f"; type {instead[name]}" if name in instead else ""
    what = f"{type(self).__name__!r} object has no attribute {name!r}{hint}"
    raise AttributeError(what, name=name, obj=self)


_OF_FINDING: Final = dict.fromkeys(("description", "message", "msg", "title"), "x.headline")


def _lacking_of_finding(self: Finding, name: str) -> NoReturn:
    lacking(self, name, _OF_FINDING)


Finding.__getattr__ = _lacking_of_finding  # type: ignore[attr-defined]  # as for a report
Report.__getattr__ = lacking  # type: ignore[attr-defined]  # to mypy, other names are mistakes
