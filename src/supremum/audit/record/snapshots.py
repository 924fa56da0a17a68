"""A stretch of a session: what came about from one moment to another.

A session that goes on keeps what is known of values: a float64 of an earlier stretch is still
named as the cause in a later one.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import chain, repeat
from operator import attrgetter
from typing import Final

from ..model.kinds import FORBIDDEN, family
from ..model.locations import SITES
from ..model.provenance import Meeting, Origin
from .recorder import Session

Key = tuple[int, str, int | None]
Moment = dict[Key, tuple[tuple[int, ...], tuple[int, ...]]]
"""What each origin had come to: its `COUNTERS`, and how often each meeting happened."""

COUNTERS: Final = ("births", "operations", "bytes", "copied", "cast_back")
"""What an origin counts."""

_counts = attrgetter(*COUNTERS)
_NOTHING = (0,) * len(COUNTERS)


def moment(session: Session) -> Moment:
    """Return where a session is; it looks at every place anew from here on.

    A session soon takes for granted what it has seen often, which is right within a stretch alone.
    """
    session.look_anew()
    return {
        key: (_counts(origin), tuple([m.count for m in origin.meetings.values()]))
        for key, origin in list(session.origins.items())
    }


def since(
    session: Session,
    start: Moment,
    *,
    allow: frozenset[str] = frozenset(),
    forbid: frozenset[str] = frozenset(),
) -> Session:
    """Return a session that has heard only what came after a moment.

    Args:
        session: the session.
        start: the moment.
        allow: kinds of finding that are left out.
        forbid: dtypes that must not come up.
    """
    part = Session(session.settings)
    part.problems = session.problems
    for key, origin in list(session.origins.items()):
        before, counts = start.get(key, (_NOTHING, ()))
        part.operations += origin.operations - before[1]
        forbidden = origin.dtype.name in forbid and FORBIDDEN not in allow
        if not origin.meetings and not forbidden:
            continue
        came = copy(origin)
        for name, count in zip(COUNTERS, before, strict=True):
            setattr(came, name, getattr(came, name) - count)
        came.meetings = {}
        for meeting, count in zip(
            [*origin.meetings.values()], chain(counts, repeat(0)), strict=False
        ):
            if meeting.count > count and family(meeting.kind) not in allow:
                new = copy(meeting)
                new.count -= count
                came.met(new)
        if forbidden and (key not in start or came.operations or came.meetings):
            _forbid(session, came)
        if came.meetings:
            part.origins[key] = came
    return part


def _forbid(session: Session, origin: Origin) -> None:
    if not session.settings.allowances.covers(SITES[origin.site], FORBIDDEN):
        kind = f"{FORBIDDEN}:{origin.dtype}"
        meeting = origin.met(Meeting(kind, origin.site, (), origin.dtype, 0))
        meeting.count = 1


def add(total: Session, part: Session) -> Iterator[Key]:
    """Add a stretch to others; yields the causes that it has."""
    total.operations += part.operations
    for key, came in part.origins.items():
        origin = total.origins.setdefault(key, came)
        if origin is not came:
            for name in COUNTERS:
                setattr(origin, name, getattr(origin, name) + getattr(came, name))
            for meeting in came.meetings.values():
                known = origin.met(meeting)
                if known is not meeting:
                    known.count += meeting.count
        yield key
