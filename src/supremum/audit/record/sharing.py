"""Several recorders at once: each hears of what its own thread, or task of asyncio, does.

One alone hears of all threads, by itself. Only where several listen that were begun in different
threads or tasks does what probes tell go through here: the context of a thread or task, which
`contextvars` keeps, has the recorder that was begun in it last.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from itertools import pairwise
from typing import Any, Final

from ..checks.tracked_types import Values, is_array
from ..model.provenance import Origin
from .recorder import Recorder
from .settled import Settled


class Listener:
    """A recorder that was begun in some thread or task.

    Attributes:
        recorder: the recorder.
        outer: the one that was begun in the same context before, if it lasts.
        flow: the thread and the task that it was begun in.
        is_over: whether it was ended.
        is_shared: whether it hears of its own thread or task alone.
        has_missed: whether others did something meanwhile that nobody can ascribe.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.outer = current()
        self.flow = threading.get_ident(), _task()
        self.is_over = self.is_shared = self.has_missed = False

    def begin(self) -> None:
        """Hear of this context from now on."""
        _listening.set(self)

    def end(self) -> None:
        """Hear of nothing more."""
        self.is_over = True
        if _listening.get() is self:
            _listening.set(self.outer)

    def share(self) -> None:
        """Hear of this context alone."""
        if not self.is_shared:
            self.is_shared = True
            self.recorder.settled.stop()
            self.recorder.look_anew()


_listening: ContextVar[Listener | None] = ContextVar("supremum_listening", default=None)


def current() -> Listener | None:
    """Return what was begun in this context last, and is not over."""
    found = _listening.get()
    while found is not None and found.is_over:
        found = found.outer
    return found


def _task() -> int | None:
    """Return the number of the task of asyncio that runs, or None if there is none."""
    asyncio = sys.modules.get("asyncio")
    try:
        task = asyncio.current_task() if asyncio is not None else None
    except RuntimeError:  # there is no loop
        return None
    return None if task is None else id(task)


def heard_by(listeners: Sequence[Listener], outside: Recorder | None) -> Recorder | Shared | None:
    """Return who is to hear of everything while some listen.

    Args:
        listeners: those who do, in the order of their beginnings.
        outside: who hears of what is none of theirs.
    """
    if not listeners:
        return outside
    if any(b.outer is not a or b.flow != a.flow for a, b in pairwise(listeners)):
        for listener in listeners:
            listener.share()
    shared = any(listener.is_shared for listener in listeners)
    return Shared(listeners, outside) if shared else listeners[-1].recorder


class Shared:
    """Hands on what probes tell to the recorder that was begun in the same thread or task.

    Args:
        listeners: those who listen.
        outside: who hears of what is none of theirs.
    """

    def __init__(self, listeners: Sequence[Listener], outside: Recorder | None) -> None:
        self.settled: dict[int, Settled] = {}  # every operation is looked at
        self._listeners = tuple(listeners)
        self._outside = outside
        self.hears_truths = any(one.recorder.hears_truths for one in listeners)

    def _mine(self, value: Any) -> Recorder | None:
        listener = current()
        if listener is not None:
            return listener.recorder
        if is_array(value):
            for one in self._listeners:
                one.has_missed = True
        return self._outside

    def count_all(self) -> None:
        """Count what was not looked at, which is nothing."""

    def alarm(self) -> None:
        """Look at the next operation of this thread or task whole."""
        if (recorder := self._mine(None)) is not None:
            recorder.alarm()

    @property
    def values(self) -> Values:
        """The origins of the values of this thread or task."""
        recorder = self._mine(None)
        return recorder.values if recorder is not None else _NO_VALUES

    def operated(self, location: int, result: Any, left: Any, right: Any) -> None:
        """Hear of an operator."""
        if (recorder := self._mine(result)) is not None:
            recorder.operated(location, result, left, right)

    def taken(self, location: int, result: Any, whole: Any) -> None:
        """Hear of a part of a value, or of a sign before it."""
        if (recorder := self._mine(result)) is not None:
            recorder.taken(location, result, whole)

    def called(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Hear of a call."""
        if (recorder := self._mine(result)) is not None:
            recorder.called(location, result, base, arguments)

    def ran(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Hear of a call that counts whatever it gives."""
        if (recorder := self._mine(None)) is not None:
            recorder.ran(location, result, base, arguments)

    def put(self, location: int, result: Any, base: Any, arguments: tuple[Any, ...]) -> bool:
        """Hear of a call that may store what it is given; tell whether it did."""
        recorder = self._mine(None)
        return recorder is not None and recorder.put(location, result, base, arguments)

    def changed(self, location: int, result: Any, old: Any, value: Any) -> None:
        """Hear of an operator in place."""
        if (recorder := self._mine(result)) is not None:
            recorder.changed(location, result, old, value)

    def stored(self, location: int, index: Any, base: Any, value: Any) -> None:
        """Hear of what is about to be stored in part of a value."""
        if (recorder := self._mine(base)) is not None:
            recorder.stored(location, index, base, value)

    def elements(self, values: Any, origin: Origin) -> Iterator[Any]:
        """Yield the elements of an array, each of which has its dtype from where the array has."""
        recorder = self._mine(None)
        return recorder.elements(values, origin) if recorder is not None else iter(values)


_NO_VALUES: Final = Values()
