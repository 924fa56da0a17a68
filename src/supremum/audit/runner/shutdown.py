"""How a program ends: what Python says of it, and what it does last."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import traceback
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from ..model.interruptions import handles_signals

_INTERRUPTED = 128 + signal.SIGINT  # as a shell sees it
_AUDIT = str(Path(__file__).resolve().parents[1]) + os.sep
_READERS = (f"{_AUDIT}log{os.sep}",)
_was_interrupted = False
_NOT_FLUSHED = 120  # Python's exit code where the last of the output finds no reader


def exit_code(error: SystemExit) -> int:
    """Return the exit code that an exit asks for, and print what goes with it."""
    if error.code is None:
        return 0
    if isinstance(error.code, int):
        return error.code & 0xFF
    print(error.code, file=sys.stderr)  # noqa: T201  # Python prints it, too
    return 1


def tell(error: BaseException, *, is_shown: bool = False) -> int:
    """Hand an exception to `sys.excepthook`, with the program's own frames alone.

    Args:
        error: the exception.
        is_shown: whether that was done already, as IPython does it.

    Returns:
        The exit code.
    """
    error.__traceback__ = _without_ours(error.__traceback__)
    found = type(error), error, error.__traceback__
    sys.last_type, sys.last_value, sys.last_traceback = found
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    try:
        if not is_shown:
            sys.excepthook(*found)
    except SystemExit as leaving:
        return exit_code(leaving)
    except BaseException as another:  # noqa: BLE001  # a program's own hook may fail
        another.__traceback__ = _without_ours(another.__traceback__)
        another.__context__ = None  # Python calls the hook once nothing is being handled
        _write("Error in sys.excepthook:\n")
        traceback.print_exception(another)
        _write("\nOriginal exception was:\n")
        traceback.print_exception(error)
    if isinstance(error, KeyboardInterrupt):
        global _was_interrupted  # noqa: PLW0603  # a process ends once
        _was_interrupted = True
        return _INTERRUPTED
    return 1


def end_of_program(code: int) -> int:
    """Do what Python does last: wait for threads, run the exit handlers, write what is left.

    Returns:
        The exit code.
    """
    shut: Any = getattr(threading, "_shutdown", None)
    if shut is not None:
        try:
            shut()
        except BaseException as error:  # noqa: BLE001  # an interrupt, while it waits
            if sys.version_info < (3, 13):
                _write(f"Exception ignored in: {threading!r}\n")
            _write_error(error)
    run_exit: Any = getattr(atexit, "_run_exitfuncs", None)
    if run_exit is not None:
        run_exit()
    return _flushed(sys.stderr, _flushed(sys.stdout, code))


def _flushed(stream: TextIO | None, code: int) -> int:
    try:
        if stream is not None and not stream.closed:
            stream.flush()
    except Exception as error:  # noqa: BLE001  # nobody reads it
        assert stream is not None  # noqa: S101
        if stream is sys.stdout:
            new = sys.version_info >= (3, 13)
            _write(
                "Exception ignored on flushing sys.stdout:\n"
                if new
                else f"Exception ignored in: {stream!r}\n"
            )
            error.__traceback__ = None
            _write_error(error)
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        return _NOT_FLUSHED
    return code


def _write_error(error: BaseException) -> None:
    """Write an exception that is ignored down, as Python does where it cannot be raised."""
    trace = _without_ours(error.__traceback__)
    if trace is not None:
        _write("Traceback (most recent call last):\n" + "".join(traceback.format_tb(trace)))
    _write(f"{type(error).__name__}: {error}\n")


def _write(text: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(text)


def as_interrupted() -> None:
    """End this process by an interrupt if that is how the program ended.

    So a shell stops what it is doing, as it does for any program that Ctrl-C ends.
    """
    if _was_interrupted:
        _flushed(sys.stderr, _flushed(sys.stdout, 0))
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


def _without_ours(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames of the audit, and of what it reads arrays with."""
    frames: list[TracebackType] = []
    caller, is_reading = None, False
    while trace is not None:
        frame = trace.tb_frame
        file = frame.f_code.co_filename
        is_reading |= file.startswith(_READERS)
        if is_reading and caller is not None and handles_signals(frame, caller):
            is_reading = False
        if not is_reading and not file.startswith(_AUDIT):
            frames.append(trace)
        caller, trace = frame, trace.tb_next
    for entry, following in pairwise([*frames, None]):
        if entry is not None:
            entry.tb_next = following
    return frames[0] if frames else None
