"""NumPy's own warnings, of which those of scalars that overflow say when values are worth a look.

What the program hides, by a filter or an ``errstate``, is not observed: it is meant.
"""

from __future__ import annotations

import warnings
from typing import Any, Final

_OVERFLOW: Final = "overflow encountered in scalar"
_OF_VALUES: Final = " encountered in "
_SHOWS: Final = "_showwarnmsg"
"""What C code calls, whatever a program makes of `warnings.showwarning`."""


class OverflowWarnings:
    """Observes each warning that is shown, and alarms a recorder of an overflow."""

    def __init__(self) -> None:
        self._recorder: Any = None
        self._show: Any = None

    def attach(self, recorder: Any) -> None:
        """Observe warnings for a recorder from now on, or for none."""
        self._recorder = recorder
        if self._show is None and recorder is not None and hasattr(warnings, _SHOWS):
            self._show = getattr(warnings, _SHOWS)
            setattr(warnings, _SHOWS, self._shown)
        elif recorder is None and getattr(warnings, _SHOWS, None) == self._shown:
            setattr(warnings, _SHOWS, self._show)
            self._show = None

    def _shown(self, message: Any) -> None:
        text, recorder = str(message.message), self._recorder
        if _OF_VALUES in text and issubclass(message.category, RuntimeWarning) and recorder:
            recorder.warned.setdefault(message.filename, text)
            if text.startswith(_OVERFLOW):
                recorder.alarm((message.filename, message.lineno))
        self._show(message)


OVERFLOW_WARNINGS: Final = OverflowWarnings()
