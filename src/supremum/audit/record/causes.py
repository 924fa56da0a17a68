"""The ledger of a session: where dtypes were born, and what came of each, written down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ..analysis import checks
from ..analysis.jax_tracers import is_traced
from ..analysis.operation_checks import Verdict
from ..analysis.tracked_types import Values, kind_of
from ..model.kinds import FORBIDDEN, KINDS
from ..model.locations import SITES
from ..model.provenance import Meeting, Origin
from .dataframes import Columns
from .suppressions import Allowances

_ALL = frozenset({*KINDS, FORBIDDEN})


class Settings(NamedTuple):
    """What a session is asked to do.

    Attributes:
        forbid: the dtypes that must not come up.
        allowances: what is allowed, and where.
        announce: called with an origin and a meeting the first time that something is found.
        tick: called now and then, with the session.
    """

    forbid: frozenset[str] = frozenset()
    allowances: Allowances = Allowances()
    announce: Callable[[Origin, Meeting], None] | None = None
    tick: Callable[[Ledger], None] | None = None


class AuditStop(Exception):  # noqa: N818  # it stops the program on purpose
    """A finding, raised in the program at the user's wish (``--on-finding raise``)."""


class Ledger:
    """Keeps where dtypes were born, and what came of each.

    Attributes:
        settings: what was asked for.
        origins: where each dtype was born, by place, name and operand.
        values: the origins of the values that are alive.
        problems: the places that could not be judged, with the errors.
        operations: how many operations on arrays were heard of.
        columns: where the columns of tables come from.
        pending: the origins of tracers first seen, and whether they are weak, until it is known
            what was passed for them.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.origins: dict[tuple[int, str, int | None], Origin] = {}
        self.values = Values()
        self.problems: dict[int, str] = {}
        self.operations = 0
        self.columns = Columns()
        self.pending: dict[tuple[int, bool], tuple[Origin, bool]] = {}

    def _charge(self, site: int, verdict: Verdict, values: Sequence[Any]) -> bool:
        """Write down what an operation did; tell whether some of it is allowed at its place."""
        allowed = False
        for charge in verdict.charges:
            if charge.by_value and verdict.harmless(charge, values):
                continue
            origin = self._blamed(site, verdict, charge.blame, values)
            meeting = origin.meetings.get((charge.kind, site))
            if meeting is not None:
                meeting.count += verdict.skipped + 1
            elif charge.kind != "weak-lost" or origin.from_numbers or self._is_pending(origin):
                allowed |= self._found(charge.kind, origin, site, verdict, against=charge.against)
        for index in verdict.numbers:
            value = values[verdict.places[index]]
            if value is verdict.fits:
                continue
            if verdict.into is None or checks.holds(value, verdict.into):
                verdict.fits = value
                continue
            origin = self._blamed(site, verdict, None, values)
            told = f"{value!r} has no place in {verdict.into}"
            allowed |= self._found("value-changed", origin, site, verdict, against=index, told=told)
        return allowed

    def _blamed(
        self, site: int, verdict: Verdict, index: int | None, values: Sequence[Any]
    ) -> Origin:
        """Return the cause of a charge: where an operand comes from, or the operation itself."""
        if index is None:
            born = verdict.into or verdict.operands[0].dtype
            return self.origin(site, None, born, verdict.facts)
        value = values[verdict.places[index]]
        origin = self.values.get(value) or verdict.usual.get(index)
        if origin is None:
            origin = self._seen(site, verdict, index, value)
        verdict.usual[index] = origin
        return origin

    def _found(
        self,
        kind: str,
        origin: Origin,
        site: int,
        verdict: Verdict,
        *,
        against: int,
        told: str = "",
    ) -> bool:
        """Write one thing down; tell whether it is allowed at its place."""
        if self.settings.allowances.covers(SITES[site], kind):
            return True
        if kind in origin.allowed:
            self.settings.allowances.covers(SITES[origin.site], kind)
            return False
        meeting = origin.met(
            Meeting(
                kind, site, verdict.operands, verdict.result, against,
                rules=verdict.rules, operator=verdict.operator, told=told, spots=verdict.spots,
            )
        )  # fmt: skip
        meeting.count += verdict.skipped + 1
        if meeting.count == 1 and self.settings.announce is not None:
            self.settings.announce(origin, meeting)
        return False

    def origin(self, site: int, index: int | None, dtype: DType, facts: dict[str, Any]) -> Origin:
        """Return the origin of a dtype at a place, which is new if there was none."""
        key = site, dtype.name, index
        origin = self.origins.get(key)
        if origin is None:
            allows, place = self.settings.allowances.allows, SITES[site]
            allowed = frozenset(kind for kind in _ALL if allows(place, kind))
            origin = Origin(site, index, len(self.origins), dtype, allowed, **facts)
            self.origins[key] = origin
            if dtype.name in self.settings.forbid:
                self._forbidden(origin)
        return origin

    def _forbidden(self, origin: Origin) -> None:
        if self.settings.allowances.covers(SITES[origin.site], FORBIDDEN):
            return
        kind = f"{FORBIDDEN}:{origin.dtype}"
        meeting = origin.met(Meeting(kind, origin.site, (), origin.dtype, 0))
        meeting.count = 1
        if self.settings.announce is not None:
            self.settings.announce(origin, meeting)

    def _seen(self, site: int, verdict: Verdict, index: int, value: Any) -> Origin:
        """Return the origin of a value that comes from elsewhere: where it is first seen."""
        op = verdict.operands[index]
        if op.library == "pandas":  # a column, by attribute or label
            column = self.columns.named(getattr(value, "name", None))
            if column is not None and column.dtype is op.dtype:
                return column
        facts = {"library": op.library, "scalar": op.form == "scalar"}
        origin = self.origin(site, verdict.spots[index], op.dtype, facts)
        self.values.put(value, kind_of(value), origin)
        if is_traced(value):
            self.pending[origin.index, op.weak] = origin, op.weak
        return origin

    def _is_pending(self, origin: Origin) -> bool:
        return any(known is origin for known, _ in self.pending.values())

    def _fail(self, site: int, error: Exception) -> None:
        if isinstance(error, AuditStop):
            raise error
        if not isinstance(error, SupremumError):  # what is no number is none of our business
            self.problems.setdefault(site, f"{type(error).__name__}: {error}")
