"""What processes that the program forks find reaches the report of the process they come from.

A child writes down what it found when it finds something new, and when it ends in good order: a
pool may kill its workers. Children that start Python anew (``spawn``) are not watched.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ...core.dtypes import DType
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ..model.locations import LOCATIONS, Location, Table
from ..model.provenance import Effect, Origin
from . import hooks
from .recorder import Recorder


class _Met(NamedTuple):
    """A effect, as it is written down."""

    kind: str
    location: Location
    operands: tuple[Operand, ...]
    result: DType | None
    against: int
    rules: PromotionSystem | None
    operator: str | None
    told: str
    spans: tuple[int, ...]
    count: int  # type: ignore[assignment]  # a tuple's own `count` has no use here


class _Born(NamedTuple):
    """An origin, as it is written down."""

    location: Location
    operand: int | None
    dtype: DType
    facts: dict[str, Any]
    births: int
    operations: int
    bytes: int
    copied: int
    cast_back: int
    effects: tuple[_Met, ...]


class Forks:
    """Collects what forked children of a recorder find.

    Args:
        recorder: the recorder of the process that forks.
    """

    def __init__(self, recorder: Recorder) -> None:
        self._recorder: Recorder | None = recorder
        self._owner = os.getpid()
        self._folder: str | None = None
        self._registered = False
        os.register_at_fork(before=self._before, after_in_child=self._in_child)

    def collect(self) -> None:
        """Add what children wrote down to the recorder. There is nothing to collect after."""
        recorder, folder = self._recorder, self._folder
        self._recorder = None
        if recorder is None or folder is None:
            return
        import pickle
        import shutil

        numbers: dict[str, dict[Location, int]] = {}
        for path in sorted(Path(folder).glob("*.found")):
            with suppress(OSError, EOFError, pickle.UnpicklingError):
                operations, born = pickle.loads(path.read_bytes())  # noqa: S301  # a child wrote it
                recorder.operations += operations
                for origin in born:
                    _merge(recorder, origin, numbers)
        shutil.rmtree(folder, ignore_errors=True)

    def _before(self) -> None:
        if self._recorder is None or hooks.active() is not self._recorder:
            return
        if self._folder is None:
            import tempfile

            self._folder = tempfile.mkdtemp(prefix="supremum-")
        util = sys.modules.get("multiprocessing.util")
        if util is not None and not self._registered:
            # the children of multiprocessing forget all exit handlers first, and then run this
            util.register_after_fork(self, Forks._at_exit)
            self._registered = True

    def _in_child(self) -> None:
        recorder = self._recorder
        if recorder is None or self._folder is None:
            return
        recorder.operations = 0
        for origin in recorder.origins.values():
            origin.births = origin.operations = origin.bytes = 0
            origin.copied = origin.cast_back = 0
            for effect in origin.effects.values():
                effect.count = 0
        announce = recorder.settings.announce

        def written(origin: Origin, effect: Effect) -> None:
            self.write()
            if announce is not None:
                announce(origin, effect)

        recorder.settings = recorder.settings._replace(announce=written, tick=None)

    def _at_exit(self) -> None:
        util: Any = sys.modules["multiprocessing.util"]
        util.Finalize(None, self.write, exitpriority=0)

    @property
    def in_child(self) -> bool:
        """Whether this is a process that was forked."""
        return os.getpid() != self._owner

    def write(self) -> None:
        """Write down what this process found, where it was forked."""
        if self._recorder is None or self._folder is None or not self.in_child:
            return
        import pickle

        born = [_written(origin) for origin in self._recorder.origins.values()]
        path = Path(self._folder, f"{os.getpid()}.found")
        with suppress(OSError, pickle.PicklingError):
            path.with_suffix(".new").write_bytes(pickle.dumps((self._recorder.operations, born)))
            path.with_suffix(".new").replace(path)


def _written(origin: Origin) -> _Born:
    facts = {
        name: getattr(origin, name) for name in ("library", "scalar", "from_numbers", "explicit")
    }
    effects = [m for m in origin.effects.values() if m.count]
    return _Born(
        LOCATIONS[origin.location], origin.operand, origin.dtype, facts,
        origin.births, origin.operations, origin.bytes, origin.copied, origin.cast_back,
        tuple(map(_met, effects)),
    )  # fmt: skip


def _met(m: Effect) -> _Met:
    return _Met(
        m.kind, LOCATIONS[m.location], m.operands, m.result, m.against, m.rules, m.operator, m.told,
        m.spans, m.count,
    )  # fmt: skip


def _merge(recorder: Recorder, born: _Born, numbers: dict[str, dict[Location, int]]) -> None:
    def number(location: Location) -> int:
        file = location.file
        if file not in numbers:
            numbers[file] = LOCATIONS.numbers_in(file)
        if location not in numbers[file]:
            table = Table(file)
            table.add(location)
            numbers[file][location] = LOCATIONS.take_up(table)
        return numbers[file][location]

    origin = recorder.origin(number(born.location), born.operand, born.dtype, born.facts)
    origin.births += born.births
    origin.operations += born.operations
    origin.bytes += born.bytes
    origin.copied += born.copied
    origin.cast_back += born.cast_back
    for found in born.effects:
        effect = origin.add_effect(
            Effect(
                found.kind, number(found.location), found.operands, found.result, found.against,
                rules=found.rules, operator=found.operator, told=found.told, spans=found.spans,
            )
        )  # fmt: skip
        effect.count += found.count
