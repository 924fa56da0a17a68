"""What other processes of a program find reaches the report of the process they come from.

A process writes down what it found when it finds something new, now and then, and when it ends in
good order: a pool may kill its workers.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from ..model.locations import LOCATIONS
from ..model.log import BEGINNING
from ..model.provenance import Effect, Origin
from . import hooks
from .recorder import Recorder

_SECONDS: Final = 1.0  # between two times that a process writes what it has


class Forks:
    """Collects what other processes of a program find, each in a file of one folder.

    Args:
        recorder: the recorder of this process.
        folder: the folder, in a process that another one started; by default one is made.
        more: gives what else a process has to say, which can be pickled.
    """

    def __init__(
        self, recorder: Recorder, folder: str = "", more: Callable[[], Any] | None = None
    ) -> None:
        self._recorder: Recorder | None = recorder
        self._owner = 0 if folder else os.getpid()
        self._folder = folder
        self._more = more
        self._start = BEGINNING
        self._registered = False
        self._written_at = 0.0
        os.register_at_fork(before=self._before, after_in_child=self._in_child)
        if folder:
            self._follow(recorder)

    def folder(self) -> str:
        """Return the folder, which is made when it is needed first."""
        if not self._folder:
            import tempfile

            self._folder = tempfile.mkdtemp(prefix="supremum-")
        return self._folder

    def collect(self) -> list[Any]:
        """Add what other processes wrote down to the recorder, and return what else they say.

        There is nothing to collect after.
        """
        recorder, folder = self._recorder, self._folder
        self._recorder = None
        if recorder is None or not folder:
            return []
        more = []
        for log, places, predicted, rest in _read(folder):
            numbers = {number: LOCATIONS.number_of(place) for number, place in places.items()}
            log.renumber(numbers.__getitem__)
            recorder.log.add(log)
            for follower, one in zip(recorder.followers, predicted, strict=False):
                follower.add(one, LOCATIONS.number_of)
            more.append(rest)
        rmtree(folder, ignore_errors=True)
        return more

    def _before(self) -> None:
        if self._recorder is None or hooks.active() is not self._recorder:
            return
        self.folder()
        util = sys.modules.get("multiprocessing.util")
        if util is not None and not self._registered:
            # the children of multiprocessing forget all exit handlers first, and then run this
            util.register_after_fork(self, Forks._at_exit)
            self._registered = True

    def _in_child(self) -> None:
        recorder = self._recorder
        if recorder is None or not self._folder:
            return
        recorder.look_anew()
        self._start = recorder.log.moment()
        for follower in recorder.followers:
            follower.forget()
        if self._owner:  # else it follows already
            self._follow(recorder)

    def _follow(self, recorder: Recorder) -> None:
        """Write down what is found at once, and more now and then: this process may be killed."""
        announce = recorder.settings.announce

        def written(origin: Origin, effect: Effect) -> None:
            self.write()
            if announce is not None:
                announce(origin, effect)

        def now_and_then(_: Recorder) -> None:
            if time.monotonic() - self._written_at > _SECONDS:
                self.write()

        recorder.settings = recorder.settings._replace(announce=written, tick=now_and_then)

    def _at_exit(self) -> None:
        util: Any = sys.modules["multiprocessing.util"]
        util.Finalize(None, self.write, exitpriority=0)

    @property
    def in_child(self) -> bool:
        """Whether another process of the program reports what this one finds."""
        return os.getpid() != self._owner

    def write(self) -> None:
        """Write down what this process found, if another one reports it."""
        recorder = self._recorder
        if recorder is None or not self._folder or not self.in_child:
            return
        import pickle

        self._written_at = time.monotonic()
        recorder.count_all()
        log = recorder.log.since(self._start)
        for origin in log.origins.values():
            origin.function = None  # which may be one of the program's
        more = self._more() if self._more is not None else None
        path = Path(self._folder, f"{os.getpid()}.found")
        with suppress(OSError, pickle.PicklingError):
            predicted = [follower.found() for follower in recorder.followers]
            found = pickle.dumps((log, log.places(), predicted, more))
            path.with_suffix(".new").write_bytes(found)
            path.with_suffix(".new").replace(path)


def _read(folder: str) -> Iterator[Any]:
    import pickle

    for path in sorted(Path(folder).glob("*.found")):
        with suppress(OSError, EOFError, pickle.UnpicklingError):
            yield pickle.loads(path.read_bytes())  # noqa: S301  # a process of the program wrote it
