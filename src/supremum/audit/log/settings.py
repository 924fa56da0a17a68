"""What a recorder is asked to do."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from ...core.libraries import Library
from ..model.provenance import Effect, Origin
from .suppressions import Suppressions

_AUDIT = __name__.partition(".log.")[0]


class Device(NamedTuple):
    """A device that lacks some dtypes.

    Attributes:
        lacks: their names.
        library: the library whose arrays are on it.
    """

    lacks: frozenset[str]
    library: Library

    def has(self, title: str) -> bool:
        """Return whether it has arrays of a library: of another one if that is not used."""
        return title == self.library.title or self.library.modules[0] not in sys.modules


class Settings(NamedTuple):
    """What a recorder is asked to do.

    Attributes:
        forbid: the dtypes that must not come up.
        device: the device that arrays are to be on, or None.
        suppressions: what is allowed, and where.
        announce: called with an origin and an effect the first time that something is found.
        tick: called now and then, with the recorder.
    """

    forbid: frozenset[str] = frozenset()
    suppressions: Suppressions = Suppressions()
    announce: Callable[[Origin, Effect], None] | None = None
    tick: Callable[[Any], None] | None = None
    device: Device | None = None


class AuditStop(Exception):  # noqa: N818  # it stops the program on purpose
    """A finding, raised at the user's wish: by ``on_finding``, or ``fail_on`` of a statement."""

    def _render_traceback_(self) -> Any:
        """Return the traceback as IPython shows it, without the frames of the audit."""
        trace = last = self.__traceback__
        while last is not None and last.tb_next is not None:
            if last.tb_next.tb_frame.f_globals.get("__name__", "").startswith(_AUDIT):
                last.tb_next = None
                break
            last = last.tb_next
        shell = sys.modules["IPython"].get_ipython()
        return shell.InteractiveTB.structured_traceback(type(self), self, trace, tb_offset=1)
