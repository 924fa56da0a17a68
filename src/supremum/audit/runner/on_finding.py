"""What may be done at once when something is found."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Final

from ..log.settings import AuditStop
from ..model.cells import written
from ..model.locations import LOCATIONS
from ..model.provenance import Effect, Origin
from ..probes.import_hook import PACKAGE

if TYPE_CHECKING:
    from ..report.report import Finding


class PromotionWarning(UserWarning):
    """A finding, as a warning at the line where it happened (``--on-finding warn``)."""


def _headline(origin: Origin, effect: Effect) -> tuple[str, Finding]:
    from ..model.wording import location_name
    from ..report.findings import findings_of

    finding = findings_of(origin, [effect])
    cause = f"cause at {location_name(finding.file, finding.line)}: {finding.text}"
    if finding.suggestion:
        cause += f"; type instead: {finding.suggestion}"
    return f"{finding.kind}: {finding.headline}; {cause}", finding


def warn(origin: Origin, effect: Effect) -> None:
    """Warn at the line where something was found."""
    location = LOCATIONS[effect.location]
    message, _ = _headline(origin, effect)
    try:
        warnings.warn_explicit(message, PromotionWarning, location.file, location.line)
    except PromotionWarning:  # warnings are errors here
        raise AuditStop(message) from None


def stop(origin: Origin, effect: Effect) -> None:
    """Raise at the operation where something was found."""
    raise AuditStop(_headline(origin, effect)[0])


def debug(origin: Origin, effect: Effect) -> None:
    """Open Python's debugger in the program's frame where something was found."""
    import pdb  # noqa: T100  # it was asked for

    print(_headline(origin, effect)[0], file=sys.stderr)  # noqa: T201  # for whoever debugs
    frame = sys._getframe()  # noqa: SLF001  # the only way to the program's frame
    file = LOCATIONS[effect.location].file
    while frame.f_back is not None and written(frame.f_code.co_filename, (1, 0, 1, 0))[0] != file:
        frame = frame.f_back
    debugger = pdb.Pdb(skip=[f"{PACKAGE}.*"])
    debugger.reset()
    debugger.interaction(frame, None)  # here, at the operation; `set_trace` would go on to a line
    if debugger.quitting:
        raise AuditStop("the debugger was left by q")
    if debugger.breaks or debugger.stoplineno != -1:  # it is not to continue
        outer: FrameType | None = frame
        while outer is not None:
            outer.f_trace = debugger.trace_dispatch
            debugger.botframe = outer
            outer = outer.f_back
        sys.settrace(debugger.trace_dispatch)


ANNOUNCE: Final[dict[str, Callable[[Origin, Effect], None] | None]] = {
    "report": None,
    "warn": warn,
    "raise": stop,
    "pdb": debug,
}
"""What is done for each action."""
