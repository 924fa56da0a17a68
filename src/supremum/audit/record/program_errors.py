"""Errors that come up while a probe works, and belong to the program all the same.

A signal handler, a tracer or another thread may raise an exception at any moment, and so while the
audit is at work. The program has to get it. What our own work raises, it must not.
"""

from __future__ import annotations

from typing import Final

from ..model.interruptions import is_interruption

_PACKAGE: Final = __name__.partition(".")[0]


def error_of_program(error: BaseException | None) -> BaseException | None:
    """Return the program's own exception among an error and its causes, or None.

    Args:
        error: what was caught in a frame of ours.
    """
    while error is not None:
        if is_interruption(error, _PACKAGE):
            return error
        error = error.__cause__
    return None
