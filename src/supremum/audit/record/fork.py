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
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Effect, Origin
from . import hooks
from .recorder import Recorder

_SECONDS: Final = 1.0  # between two times that a process writes what it has


class _WrittenEffect(NamedTuple):
    """An effect, as it is written down."""

    kind: str
    location: Location
    operands: tuple[Operand, ...]
    result: DType | None
    against: int
    rules: PromotionSystem | None
    operator: str | None
    told: str
    enough: DType | None
    is_way: bool
    spans: tuple[int, ...]
    births: tuple[Location | None, ...]
    parts: tuple[Any, ...]
    count: int  # type: ignore[assignment]  # a tuple's own `count` has no use here
    cast_back: int


class _WrittenOrigin(NamedTuple):
    """An origin, as it is written down."""

    location: Location
    operand: int | None
    dtype: DType
    facts: dict[str, Any]
    births: int
    operations: int
    bytes: int
    copied: int
    is_filled: bool
    is_total: bool
    needs_digits: bool
    effects: tuple[_WrittenEffect, ...]


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
        for operations, problems, born, predicted, told in _read(folder):
            recorder.operations += operations
            for origin in born:
                _merge(recorder, origin)
            for location, problem in problems:
                recorder.problems.setdefault(LOCATIONS.number_of(location), problem)
            for follower, one in zip(recorder.followers, predicted, strict=False):
                follower.add(one, LOCATIONS.number_of)
            more.append(told)
        rmtree(folder, ignore_errors=True)
        return more

    def so_far(self) -> list[Any]:
        """Return what else other processes say so far."""
        return [told for *_, told in _read(self._folder)] if self._folder else []

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
            origin.births = origin.operations = origin.bytes = 0
            origin.copied = 0
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
        born = [_written(origin) for origin in list(recorder.origins.values())]
        problems = [(LOCATIONS[place], told) for place, told in list(recorder.problems.items())]
        more = self._more() if self._more is not None else None
        path = Path(self._folder, f"{os.getpid()}.found")
        with suppress(OSError, pickle.PicklingError):
            predicted = [follower.found() for follower in recorder.followers]
            found = pickle.dumps((recorder.operations, problems, born, predicted, more))
            path.with_suffix(".new").write_bytes(found)
            path.with_suffix(".new").replace(path)


def _read(folder: str) -> Iterator[Any]:
    import pickle

    for path in sorted(Path(folder).glob("*.found")):
        with suppress(OSError, EOFError, pickle.UnpicklingError):
            yield pickle.loads(path.read_bytes())  # noqa: S301  # a process of the program wrote it


def _written(origin: Origin) -> _WrittenOrigin:
    facts = {
        name: getattr(origin, name)
        for name in ("library", "scalar", "from_numbers", "from_lists", "explicit", "several")
    }
    effects = [m for m in origin.effects.values() if m.count]
    return _WrittenOrigin(
        LOCATIONS[origin.location], origin.operand, origin.dtype, facts,
        origin.births, origin.operations, origin.bytes, origin.copied,
        origin.is_filled, origin.is_total, origin.needs_digits,
        tuple(map(_written_effect, effects)),
    )  # fmt: skip


def _written_effect(m: Effect) -> _WrittenEffect:
    births = tuple(None if place is None else LOCATIONS[place] for place in m.births)
    return _WrittenEffect(
        m.kind, LOCATIONS[m.location], m.operands, m.result, m.against, m.rules, m.operator,
        m.told, m.enough, m.is_way, m.spans, births, m.parts, m.count, m.cast_back,
    )  # fmt: skip


def _merge(recorder: Recorder, born: _WrittenOrigin) -> None:
    number_of = LOCATIONS.number_of
    origin = recorder.origin(number_of(born.location), born.operand, born.dtype, born.facts)
    origin.births += born.births
    origin.operations += born.operations
    origin.bytes += born.bytes
    origin.copied += born.copied
    origin.is_filled |= born.is_filled
    origin.is_total |= born.is_total
    origin.needs_digits |= born.needs_digits
    for found in born.effects:
        births = [None if place is None else number_of(place) for place in found.births]
        effect = origin.add_effect(
            Effect(
                found.kind, number_of(found.location), found.operands, found.result, found.against,
                rules=found.rules, operator=found.operator, told=found.told,
                enough=found.enough, is_way=found.is_way, spans=found.spans, births=births,
                parts=found.parts,
            )
        )  # fmt: skip
        effect.count += found.count
        effect.cast_back += found.cast_back
