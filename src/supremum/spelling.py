"""Spelling what a terminal or a file cannot show: an arrow as ``->``, and so on."""

from __future__ import annotations

import codecs
import sys
from typing import Final, TextIO

SPELLED: Final = {
    "→": "->",
    "≤": "<=",
    "∨": "v",
    "…": "...",
    "│": "|",
    "µ": "u",
}
"""What each character becomes in an encoding that lacks it; any other becomes ``?``."""

ERRORS: Final = "supremum.spelled"


def _spell(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(SPELLED.get(character, "?") for character in lacking), error.end


codecs.register_error(ERRORS, _spell)


def spell_output() -> None:
    """Have all that is printed from now on spelled in the encoding of its stream."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=ERRORS)


def spelled(text: str, stream: TextIO | None) -> str:
    """Return a text as a stream can show it.

    >>> import io
    >>> spelled("i8 → f16", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    'i8 -> f16'
    """
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, ERRORS).decode(encoding)
