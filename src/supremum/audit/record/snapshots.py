"""A stretch of a recorder: what came about from one moment to another.

A recorder that goes on keeps what is known of values: a float64 of an earlier stretch is still
named as the cause in a later one.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from itertools import chain, repeat
from operator import attrgetter

from ..kinds import FORBIDDEN, base_name
from ..model.provenance import COUNTERS
from .recorder import Recorder

Key = tuple[int, str, int | None]
Moment = dict[Key, tuple[tuple[int, ...], tuple[tuple[int, int], ...]]]
"""What each origin had come to: its `COUNTERS`, and how often each effect happened."""

_counts = attrgetter(*COUNTERS)
_NOTHING = (0,) * len(COUNTERS)


def moment(recorder: Recorder) -> Moment:
    """Return where a recorder is; it looks at every place anew from here on.

    A recorder soon takes for granted what it has seen often, which is right within a stretch alone.
    """
    recorder.look_anew()
    return {
        key: (_counts(origin), tuple([(m.count, m.cast_back) for m in origin.effects.values()]))
        for key, origin in list(recorder.origins.items())
    }


def since(
    recorder: Recorder,
    start: Moment,
    *,
    allow: frozenset[str] = frozenset(),
    forbid: frozenset[str] = frozenset(),
) -> Recorder:
    """Return a recorder that has heard only what came after a moment.

    Args:
        recorder: the recorder.
        start: the moment.
        allow: kinds of finding that are left out.
        forbid: dtypes that must not come up.
    """
    part = Recorder(recorder.settings)
    part.problems = recorder.problems
    for key, origin in list(recorder.origins.items()):
        before, counts = start.get(key, (_NOTHING, ()))
        part.operations += origin.operations - before[1]
        forbidden = origin.dtype.name in forbid and FORBIDDEN not in allow
        if not origin.effects and not forbidden:
            continue
        came = copy(origin)
        for name, count in zip(COUNTERS, before, strict=True):
            setattr(came, name, getattr(came, name) - count)
        came.effects = {}
        for effect, (count, cast_back) in zip(
            [*origin.effects.values()], chain(counts, repeat((0, 0))), strict=False
        ):
            if effect.count > count and base_name(effect.kind) not in allow:
                new = copy(effect)
                new.count -= count
                new.cast_back -= cast_back
                came.add_effect(new)
        if forbidden and (key not in start or came.operations or came.effects):
            recorder.forbid(came)
        if came.effects:
            part.origins[key] = came
    return part


def add(total: Recorder, part: Recorder) -> Iterator[Key]:
    """Add a stretch to others; yields the causes that it has."""
    total.operations += part.operations
    for key, came in part.origins.items():
        origin = total.origins.setdefault(key, came)
        if origin is not came:
            for name in COUNTERS:
                setattr(origin, name, getattr(origin, name) + getattr(came, name))
            for effect in came.effects.values():
                known = origin.add_effect(effect)
                if known is not effect:
                    known.count += effect.count
                    known.cast_back += effect.cast_back
        yield key
