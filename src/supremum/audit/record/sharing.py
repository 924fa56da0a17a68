"""Several recorders at once: each records what its own thread, or task of asyncio, does.

One alone records all threads, by itself. Only if several are active that were begun in different
threads or tasks does what probes tell go through here: the context of a thread or task, which
`contextvars` keeps, has the recorder that was begun in it last.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from itertools import pairwise
from typing import Any, Final

from ..checks.tracked_types import Values, is_array
from ..model.provenance import Origin
from .recorder import Recorder
from .settled import Settled


class Scope:
    """A recorder that was begun in some thread or task.

    Attributes:
        recorder: the recorder.
        outer: the one that was begun in the same context before, if it lasts.
        flow: the thread and the task that it was begun in.
        is_over: whether it was ended.
        is_shared: whether it records its own thread or task alone.
        has_missed: whether others did something meanwhile that nobody can ascribe.
    """

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.outer = current()
        self.flow = threading.get_ident(), _task()
        self.is_over = self.is_shared = self.has_missed = False

    def begin(self) -> None:
        """Record this context from now on."""
        _scope.set(self)

    def end(self) -> None:
        """Record nothing more."""
        self.is_over = True
        if _scope.get() is self:
            _scope.set(self.outer)

    def share(self) -> None:
        """Record this context alone."""
        if not self.is_shared:
            self.is_shared = True
            self.recorder.settled.stop()
            self.recorder.look_anew()


_scope: ContextVar[Scope | None] = ContextVar("supremum_listening", default=None)


def current() -> Scope | None:
    """Return what was begun in this context last, and is not over."""
    found = _scope.get()
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


def heard_by(scopes: Sequence[Scope], outside: Recorder | None) -> Recorder | Shared | None:
    """Return what probes report to while some scopes last.

    Args:
        scopes: those who do, in the order of their beginnings.
        outside: what records all that belongs to none of them.
    """
    if not scopes:
        return outside
    if any(b.outer is not a or b.flow != a.flow for a, b in pairwise(scopes)):
        for scope in scopes:
            scope.share()
    shared = any(scope.is_shared for scope in scopes)
    return Shared(scopes, outside) if shared else scopes[-1].recorder


def _handed_on(name: str, array: int | None = None) -> Callable[..., Any]:
    """Return a method that has the recorder of this thread or task record an operation.

    Args:
        name: the method of a recorder.
        array: which of its arguments tells whether it is about an array; None for those that are
            not ascribed to anybody otherwise.
    """

    def method(self: Shared, *operation: Any) -> Any:
        recorder = self._mine(None if array is None else operation[array])
        return getattr(recorder, name)(*operation) if recorder is not None else None

    return method


class Shared:
    """Hands on what probes tell to the recorder that was begun in the same thread or task.

    Args:
        scopes: those who listen.
        outside: what records all that belongs to none of them.
    """

    def __init__(self, scopes: Sequence[Scope], outside: Recorder | None) -> None:
        self.settled: dict[int, Settled] = {}  # every operation is looked at
        self._scopes = tuple(scopes)
        self._outside = outside
        self.hears_truths = any(one.recorder.hears_truths for one in scopes)

    def _mine(self, value: Any) -> Recorder | None:
        scope = current()
        if scope is not None:
            return scope.recorder
        if is_array(value):
            for one in self._scopes:
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

    operated = _handed_on("operated", 1)
    taken = _handed_on("taken", 1)
    called = _handed_on("called", 1)
    changed = _handed_on("changed", 1)
    stored = _handed_on("stored", 2)
    ran = _handed_on("ran")
    put = _handed_on("put")

    def elements(self, values: Any, origin: Origin) -> Iterator[Any]:
        """Yield the elements of an array, each of which has its dtype from where the array has."""
        recorder = self._mine(None)
        return recorder.elements(values, origin) if recorder is not None else iter(values)


_NO_VALUES: Final = Values()
