"""Errors that come up while a probe works, and belong to the program all the same.

A signal handler, a tracer or another thread may raise an exception at any moment, and so while the
audit is at work. The program has to get it. What our own work raises, it must not.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType, FrameType, MethodType
from typing import Final

from ...core.errors import SupremumError

# What our own work, or the library of an operand, raises.
_ORDINARY: Final = (
    TypeError, ValueError, AttributeError, NameError, LookupError, ArithmeticError, RuntimeError,
    AssertionError, ImportError, OSError, MemoryError, StopIteration, BufferError, SyntaxError,
    SupremumError,
)  # fmt: skip
# Those of them that Python raises without a message.
_SILENT: Final = (MemoryError, StopIteration, SupremumError)
_PACKAGE: Final = __name__.partition(".")[0]


def error_of_program(error: BaseException | None) -> BaseException | None:
    """Return the program's own exception among an error and its causes, or None.

    Args:
        error: what was caught in a frame of ours.
    """
    while error is not None:
        frames = list(_frames(error))
        if any(not _is_ours(f) and _handles_signals(f, caller) for caller, f in pairwise(frames)):
            return error
        if frames and _comes_from_outside(error, frames[-1]):
            return error
        error = error.__cause__
    return None


def _frames(error: BaseException) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _is_ours(frame: FrameType) -> bool:
    return _home(frame) == _PACKAGE


def _home(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _handles_signals(frame: FrameType, caller: FrameType) -> bool:
    """Tell whether a frame is that of a signal handler or a tracer: both are given the caller's."""
    for value in frame.f_locals.values():
        if value is caller or (type(value) is tuple and any(v is caller for v in value)):
            return True
    return frame.f_code in _handlers()  # it may have forgotten the frame


def _handlers() -> Iterator[CodeType | None]:
    """Yield the code of each signal handler that is a function or a method."""
    for number in signal.valid_signals():
        handler = signal.getsignal(number)
        if isinstance(handler, MethodType):
            handler = handler.__func__
        yield getattr(handler, "__code__", None)


def _comes_from_outside(error: BaseException, innermost: FrameType) -> bool:
    """Tell whether nothing in the frame that an error was raised in can have raised it."""
    home = _home(innermost)
    if home != _PACKAGE:
        return home in sys.stdlib_module_names and not isinstance(error, _ORDINARY)
    # another thread sets a class of exceptions, of which Python makes one without arguments
    return not isinstance(error, _ORDINARY) or not (error.args or isinstance(error, _SILENT))
