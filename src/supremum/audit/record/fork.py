"""What other processes of a program find reaches the report of the process they come from.

A process writes down what it found when it finds something new, now and then, and when it ends in
good order: a pool may kill its workers.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path
from shutil import rmtree
from typing import Any, Final

from ..model.locations import LOCATIONS, Location
from ..model.provenance import COUNTERS, Effect, Origin
from . import hooks
from .recorder import Recorder

_SECONDS: Final = 1.0  # between two times that a process writes what it has


_FACTS: Final = (
    "library", "scalar", "from_numbers", "from_lists", "explicit", "several", "is_autocast",
)  # fmt: skip


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
        for operations, problems, places, origins, predicted, rest in _read(folder):
            recorder.operations += operations
            numbers = {number: LOCATIONS.number_of(place) for number, place in places.items()}
            for origin in origins:
                _merge(recorder, origin, numbers)
            for location, problem in problems:
                recorder.problems.setdefault(LOCATIONS.number_of(location), problem)
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
        recorder.operations = 0
        for follower in recorder.followers:
            follower.forget()
        for origin in recorder.origins.values():
            for name in COUNTERS:
                setattr(origin, name, 0)
            for effect in origin.effects.values():
                effect.count = effect.cast_back = 0
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
        origins = [_written(origin) for origin in list(recorder.origins.values())]
        problems = [(LOCATIONS[place], error) for place, error in list(recorder.problems.items())]
        more = self._more() if self._more is not None else None
        path = Path(self._folder, f"{os.getpid()}.found")
        with suppress(OSError, pickle.PicklingError):
            predicted = [follower.found() for follower in recorder.followers]
            whole = recorder.operations, problems, _places(origins), origins, predicted, more
            found = pickle.dumps(whole)
            path.with_suffix(".new").write_bytes(found)
            path.with_suffix(".new").replace(path)


def _read(folder: str) -> Iterator[Any]:
    import pickle

    for path in sorted(Path(folder).glob("*.found")):
        with suppress(OSError, EOFError, pickle.UnpicklingError):
            yield pickle.loads(path.read_bytes())  # noqa: S301  # a process of the program wrote it


def _written(origin: Origin) -> Origin:
    """Return an origin as it can be pickled, with what came of it in this process."""
    found = copy(origin)
    found.function = None
    found.effects = {key: m for key, m in origin.effects.items() if m.count}
    return found


def _places(origins: Sequence[Origin]) -> dict[int, Location]:
    """Return the locations that origins and their effects name by numbers."""
    effects = [m for origin in origins for m in origin.effects.values()]
    named = {m.location for m in effects}.union(*(m.introductions for m in effects))
    named |= {origin.location for origin in origins}
    return {number: LOCATIONS[number] for number in named if number is not None}


def _merge(recorder: Recorder, found: Origin, numbers: Mapping[int | None, int]) -> None:
    """Add what another process found to a recorder.

    Args:
        recorder: the recorder.
        found: an origin, as it was written down.
        numbers: what each number of a location is here.
    """
    facts = {name: getattr(found, name) for name in _FACTS}
    origin = recorder.origin(numbers[found.location], found.operand, found.dtype, facts)
    for name in COUNTERS:
        setattr(origin, name, getattr(origin, name) + getattr(found, name))
    origin.is_filled |= found.is_filled
    origin.is_total |= found.is_total
    origin.is_precise |= found.is_precise
    origin.own = max(origin.own, found.own)
    origin.needs_digits |= found.needs_digits
    for effect in found.effects.values():
        effect.location = numbers[effect.location]
        effect.introductions = tuple(map(numbers.get, effect.introductions))
    origin.add_effects(found.effects.values())
