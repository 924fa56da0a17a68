"""Errors of the program that come up while the audit is at work, and are not about its work.

A signal handler, a tracer or another thread may raise an exception at any moment, and so while an
attribute of an array is read. The program has to get it: it is not an answer of the array.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # its `getsignal` makes no enumerations: 100 times as fast
import sys
from collections.abc import Iterator
from itertools import pairwise
from types import CodeType, FrameType, FunctionType, MethodType
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
_CORE: Final = SupremumError.__module__.rpartition(".")[0]


def is_interruption(error: BaseException, package: str = _CORE) -> bool:
    """Return whether an error comes from neither our own work nor an object that was read.

    Args:
        error: what was caught in a frame of ours.
        package: the package whose work it is.
    """
    frames = list(_frames(error))
    called = ((f, caller) for caller, f in pairwise(frames) if not _is_of(f, package))
    if any(handles_signals(frame, caller) for frame, caller in called):
        return True
    return bool(frames) and _comes_from_outside(error, frames[-1], package)


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


def _frames(error: BaseException) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def _is_of(frame: FrameType, package: str) -> bool:
    """Return whether a frame is of a module of a package."""
    module = _module(frame)
    return module == package or module.startswith(f"{package}.")


def handles_signals(frame: FrameType, caller: FrameType) -> bool:
    """Return whether a frame is that of a signal handler or a tracer: both are given the caller's.

    Args:
        frame: the frame in question.
        caller: the one that it interrupts.
    """
    for value in frame.f_locals.values():
        if value is caller or (type(value) is tuple and any(v is caller for v in value)):
            return True
    return frame.f_code in _handlers()  # it may have forgotten the frame


def _handlers() -> Iterator[CodeType]:
    """Yield the code of each signal handler that is a function or a method."""
    for number in range(1, _signal.NSIG):
        handler = _signal.getsignal(number)
        if isinstance(handler, MethodType):
            handler = handler.__func__
        if isinstance(handler, FunctionType):
            yield handler.__code__


def _comes_from_outside(error: BaseException, innermost: FrameType, package: str) -> bool:
    """Return whether nothing in the frame that an error was raised in can have raised it."""
    if not _is_of(innermost, package):
        in_library = _module(innermost).partition(".")[0] in sys.stdlib_module_names
        return in_library and not isinstance(error, _ORDINARY)
    # another thread sets a class of exceptions, of which Python makes one without arguments
    return not isinstance(error, _ORDINARY) or not (error.args or isinstance(error, _SILENT))
