"""What processes that the program forks find reaches the report of the process they come from.

A child writes down what it found when it finds something new, and when it ends in good order: a
pool may kill its workers. Children that start Python anew (``spawn``) are not watched.
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ...core.dtypes import DType
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ..model.locations import SITES, Site, add
from ..model.provenance import Meeting, Origin
from . import hooks
from .recorder import Session


class _Met(NamedTuple):
    """A meeting, as it is written down."""

    kind: str
    site: Site
    operands: tuple[Operand, ...]
    result: DType | None
    against: int
    rules: PromotionSystem | None
    operator: str | None
    told: str
    spots: tuple[int, ...]
    count: int  # type: ignore[assignment]  # a tuple's own `count` has no use here


class _Born(NamedTuple):
    """An origin, as it is written down."""

    site: Site
    operand: int | None
    dtype: DType
    facts: dict[str, Any]
    births: int
    operations: int
    bytes: int
    copied: int
    cast_back: int
    meetings: tuple[_Met, ...]


class Forks:
    """Collects what forked children of a session find.

    Args:
        session: the session of the process that forks.
    """

    def __init__(self, session: Session) -> None:
        self._session: Session | None = session
        self._owner = os.getpid()
        self._folder: str | None = None
        self._registered = False
        os.register_at_fork(before=self._before, after_in_child=self._in_child)

    def collect(self) -> None:
        """Add what children wrote down to the session. There is nothing to collect after."""
        session, folder = self._session, self._folder
        self._session = None
        if session is None or folder is None:
            return
        numbers = {site: number for number, site in enumerate(SITES)}
        for path in sorted(Path(folder).glob("*.found")):
            with suppress(OSError, EOFError, pickle.UnpicklingError):
                operations, born = pickle.loads(path.read_bytes())  # noqa: S301  # a child wrote it
                session.operations += operations
                for origin in born:
                    _merge(session, origin, numbers)
        shutil.rmtree(folder, ignore_errors=True)

    def _before(self) -> None:
        if self._session is None or hooks.active() is not self._session:
            return
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="supremum-")
        util = sys.modules.get("multiprocessing.util")
        if util is not None and not self._registered:
            # the children of multiprocessing forget all exit handlers first, and then run this
            util.register_after_fork(self, Forks._at_exit)
            self._registered = True

    def _in_child(self) -> None:
        session = self._session
        if session is None or self._folder is None:
            return
        session.operations = 0
        for origin in session.origins.values():
            origin.births = origin.operations = origin.bytes = 0
            origin.copied = origin.cast_back = 0
            for meeting in origin.meetings.values():
                meeting.count = 0
        announce = session.settings.announce

        def written(origin: Origin, meeting: Meeting) -> None:
            self.write()
            if announce is not None:
                announce(origin, meeting)

        session.settings = session.settings._replace(announce=written, tick=None)

    def _at_exit(self) -> None:
        util: Any = sys.modules["multiprocessing.util"]
        util.Finalize(None, self.write, exitpriority=0)

    @property
    def in_child(self) -> bool:
        """Whether this is a process that was forked."""
        return os.getpid() != self._owner

    def write(self) -> None:
        """Write down what this process found, where it was forked."""
        if self._session is None or self._folder is None or not self.in_child:
            return
        born = [_written(origin) for origin in self._session.origins.values()]
        path = Path(self._folder, f"{os.getpid()}.found")
        with suppress(OSError, pickle.PicklingError):
            path.with_suffix(".new").write_bytes(pickle.dumps((self._session.operations, born)))
            path.with_suffix(".new").replace(path)


def _written(origin: Origin) -> _Born:
    facts = {
        name: getattr(origin, name) for name in ("library", "scalar", "from_numbers", "explicit")
    }
    meetings = [m for m in origin.meetings.values() if m.count]
    return _Born(
        SITES[origin.site], origin.operand, origin.dtype, facts,
        origin.births, origin.operations, origin.bytes, origin.copied, origin.cast_back,
        tuple(map(_met, meetings)),
    )  # fmt: skip


def _met(m: Meeting) -> _Met:
    return _Met(
        m.kind, SITES[m.site], m.operands, m.result, m.against, m.rules, m.operator, m.told,
        m.spots, m.count,
    )  # fmt: skip


def _merge(session: Session, born: _Born, numbers: dict[Site, int]) -> None:
    def number(site: Site) -> int:
        if site not in numbers:
            numbers[site] = add(site)
        return numbers[site]

    origin = session.origin(number(born.site), born.operand, born.dtype, born.facts)
    origin.births += born.births
    origin.operations += born.operations
    origin.bytes += born.bytes
    origin.copied += born.copied
    origin.cast_back += born.cast_back
    for met in born.meetings:
        meeting = origin.met(
            Meeting(
                met.kind, number(met.site), met.operands, met.result, met.against,
                rules=met.rules, operator=met.operator, told=met.told, spots=met.spots,
            )
        )  # fmt: skip
        meeting.count += met.count
