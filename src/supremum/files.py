"""Reading the files in which users describe their own rules: arrow text, or TOML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from supremum.errors import RulesError

if TYPE_CHECKING:
    from pathlib import Path

_ENTRIES = {"arrows", "table", "name", "version", "source", "widths"}


def read(path: str | Path) -> tuple[str, str, dict[str, Any]]:
    """Return whether a file has ``"arrows"`` or a ``"table"``, that text, and the other entries.

    The text begins with as many empty lines as come before it in the file, so that an error in it
    has the line of the file.

    Args:
        path: arrow text, or a TOML file (``.toml``).

    Raises:
        RulesError: where there is no such file, or its entries are not those of rules.
    """
    import tomllib  # slow to import, as pathlib is, and most rules come from no file
    from pathlib import Path

    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        about: dict[str, Any] = tomllib.loads(text) if path.suffix == ".toml" else {"arrows": text}
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"no text in UTF-8: {error}"
        if isinstance(error, tomllib.TOMLDecodeError):
            reason = f"not TOML: {error}"
        raise RulesError(f"{path}: {reason}", path) from None
    about.setdefault("name", path.stem)
    if unknown := about.keys() - _ENTRIES:
        msg = f"{path}: unknown entry {min(unknown)!r}; it may have {', '.join(sorted(_ENTRIES))}"
        raise RulesError(msg, path)
    widths = about.get("widths", {})
    if not isinstance(widths, dict):
        raise RulesError(f"{path}: widths must be a table of dtypes' names", path)
    for entry, value in {**about, "widths": "", **widths}.items():
        if not isinstance(value, str):
            raise RulesError(f"{path}: {entry} must be a text in quotes", path)
    forms = [form for form in ("arrows", "table") if form in about]
    if len(forms) != 1:
        raise RulesError(f"{path}: give either 'arrows' or 'table', as a text", path)
    rules = about.pop(forms[0])
    if forms[0] == "arrows" and not rules.strip():
        raise RulesError(f"{path}: there are no arrows in it; write 'i8 -> i16'", path)
    before = text[: max(0, text.find(rules))].count("\n")
    return forms[0], "\n" * before + rules, about
