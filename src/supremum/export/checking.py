"""Writing files, whole or not at all; and telling whether a file is what would be written now."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from ..core.errors import SupremumError, shorten
from ..core.system import PromotionSystem
from .formats import format_of, render


def write(texts: Mapping[str | Path, str]) -> None:
    """Write some files, or none of them if one cannot be written.

    Raises:
        SupremumError: if one cannot be written.
    """
    made: dict[Path, Path] = {}
    try:
        for name, text in texts.items():
            path = Path(name)
            if path.is_dir():
                raise SupremumError(f"{path}: it is a folder; name a file in it")
            made[path] = path.with_name(f".{path.name}.{os.getpid()}")
            if path.is_symlink() or (path.exists() and not path.is_file()):
                del made[path]  # what it stands for is written, and it stays
            try:
                made.get(path, path).write_text(text, encoding="utf-8", newline="\n")
            except OSError as error:
                raise SupremumError(f"{path}: cannot be written: {error.strerror}") from None
        for path, whole in made.items():
            whole.replace(path)
    finally:
        for whole in made.values():
            whole.unlink(missing_ok=True)


def check(
    path: str | Path,
    rules: str | PromotionSystem,
    to: str = "",
    functions: Sequence[str] = (),
    modes: Sequence[str] = (),
) -> str:
    """Return where a file differs from what would be written now, or ``""`` if it does not.

    Args:
        path: the file.
        rules: the system.
        to: the format; by default that of the file's suffix.
        functions: the functions whose rules it has.
        modes: the options that its callers set.

    Raises:
        SupremumError: if there is no such file, it is no text, or its suffix is of another format.
    """
    now = render(rules, format_of(path, to), functions, modes).splitlines()
    try:
        own = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SupremumError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SupremumError(f"{path}: it is not a text in UTF-8") from None
    pairs = list(zip_longest(own, now))
    wrong = [i for i, (a, b) in enumerate(pairs) if a != b]
    if not wrong:
        return ""
    first = wrong[0]
    a, b = pairs[first]
    had = "the file ends here" if a is None else shorten(a.strip() or "an empty line")
    has = "nothing" if b is None else shorten(b.strip() or "an empty line")
    return f"{path}:{first + 1}: - {had}\n{path}:{first + 1}: + {has}"
