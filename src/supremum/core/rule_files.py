"""Reading the files in which users describe their own rules: arrow text, or TOML."""

from __future__ import annotations

import re
from os import PathLike
from typing import Any

from .errors import RulesError, short, shorten

_EXAMPLE = 'arrows = "bool -> int8 -> int16"'
_ENTRIES = {"arrows", "table", "name", "version", "source", "functions", "widths"}


def read(path: str | PathLike[str]) -> tuple[str, str, dict[str, Any]]:
    """Return whether a file has ``"arrows"`` or a ``"table"``, that text, and the other entries.

    The text begins with as many empty lines as come before it in the file, so that an error in it
    has the line of the file.

    Args:
        path: arrow text, or a TOML file (``.toml``).

    Raises:
        RulesError: if there is no such file, or its entries are not those of rules.
    """
    from pathlib import Path  # slow to import, and most rules come from no file

    text, about = load(path)
    path = Path(path)
    about.setdefault("name", path.stem)
    if unknown := about.keys() - _ENTRIES:
        known = ", ".join(sorted(_ENTRIES))
        msg = f"{path}: unknown entry {min(unknown)!r}; it may have {known}, as in {_EXAMPLE}"
        raise RulesError(msg, path)
    widths = about.get("widths", {})
    if not isinstance(widths, dict):
        raise RulesError(f"{path}: 'widths' must be a table of dtypes' names", path)
    for entry, value in {**about, "widths": "", **widths}.items():
        if not isinstance(value, str):
            how = f", as in {_EXAMPLE}" if entry == "arrows" else ""
            raise RulesError(f"{path}: {entry!r} must be a string{how}", path)
    forms = [form for form in ("arrows", "table") if form in about]
    if len(forms) != 1:
        raise RulesError(f"{path}: give either 'arrows' or 'table', as a string", path)
    rules = about.pop(forms[0])
    if forms[0] == "arrows" and not rules.strip():
        raise RulesError(f"{path}: it has no arrows; write 'i8 -> i16'", path)
    if "functions" in about:
        about["functions"] = (
            "\n" * _lines_before(text, "functions", about["functions"]) + about["functions"]
        )
    lines = _lines_before(text, forms[0], rules) if path.suffix == ".toml" else 0
    return forms[0], "\n" * lines + rules, about


def load(path: str | PathLike[str]) -> tuple[str, dict[str, Any]]:
    """Return the text of a file, and its entries; those of arrow text are the ``arrows`` alone.

    Raises:
        RulesError: if there is no such file, or it cannot be read.
    """
    import tomllib  # slow to import, as pathlib is, and most rules come from no file
    from pathlib import Path

    if not isinstance(path, (str, PathLike)):
        raise RulesError(f"a file of rules has a path, not {short(path)}", path)
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors begin files with a mark
        return text, tomllib.loads(text) if path.suffix == ".toml" else {"arrows": text}
    except (OSError, ValueError, RecursionError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"not text in UTF-8: {error}"
        if isinstance(error, tomllib.TOMLDecodeError):
            reason = f"not TOML: {shorten(str(error), 300)}"
        elif isinstance(error, RecursionError):
            reason = "not TOML that describes rules: its brackets are nested too deeply"
        raise RulesError(f"{path}: {reason}", path) from None


def _lines_before(text: str, entry: str, value: str) -> int:
    """Return how many lines of a file come before the value of an entry."""
    named = re.search(rf"^\s*[\"']?{entry}[\"']?\s*=", text, re.MULTILINE)
    start = text.find(value, named.end() if named else 0)
    return text[: max(0, start)].count("\n")
