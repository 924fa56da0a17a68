"""Standard output set aside for a report: what the program prints goes to standard error."""

from __future__ import annotations

import os
import sys
from contextlib import suppress


class SetAside:
    """Standard output as this process was given it, which its program does not get.

    Args:
        number: the number of the open file.
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self._known = os.fstat(number)

    def write(self, text: str) -> None:
        """Write a text there, if anybody still reads it.

        Raises:
            OSError: if the program has closed the file, whose number may be that of another.
        """
        if not os.path.samestat(os.fstat(self._number), self._known):
            raise OSError("it is closed")
        with suppress(BrokenPipeError), open(self._number, "wb", closefd=False) as output:
            output.write(text.encode())


def aside() -> SetAside | None:
    """Set standard output aside for this process and those it starts; None if it has none."""
    try:
        os.fstat(2)
    except OSError:  # standard error is closed: what has no number yet would get its number
        os.open(os.devnull, os.O_WRONLY)
    try:
        kept = SetAside(os.dup(1))
    except OSError:
        return None
    sys.stdout.flush()
    os.dup2(2, 1)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=os.isatty(1))
    return kept
