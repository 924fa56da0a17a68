"""Commands that packages install: scripts of Python, or entry points."""

from __future__ import annotations

import sysconfig
from pathlib import Path

_HEAD = 256  # bytes, in which a script says what runs it


def find(name: str) -> Path | None:
    """Return the script of a command that this interpreter or the shell knows by name.

    Args:
        name: the command; a path is none.
    """
    if Path(name).name != name:
        return None
    place = Path(sysconfig.get_path("scripts"), name)
    if place.is_file() and is_python(place):
        return place
    from shutil import which

    found = which(name)
    return Path(found) if found is not None and is_python(Path(found)) else None


def is_python(path: Path) -> bool:
    """Return whether a file says that Python runs it."""
    try:
        with path.open("rb") as opened:
            first, _, rest = opened.read(_HEAD).partition(b"\n")
    except OSError:
        return False
    # an interpreter whose path is too long for the system is called by a shell, in a Python string
    return first.startswith(b"#!") and (b"python" in first or rest.startswith(b"'''exec'"))


def source(name: str) -> str:
    """Return the code of a command that is only known as an entry point, or ``""``."""
    from importlib.metadata import entry_points  # it takes longer than most programs start

    for point in entry_points(group="console_scripts", name=name):
        name, _, _ = point.attr.partition(".")
        return f"import sys\nfrom {point.module} import {name}\nsys.exit({point.attr}())\n"
    return ""
