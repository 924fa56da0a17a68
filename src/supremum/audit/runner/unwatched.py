"""Running a notebook as the audit does, but for the audit: to compare what it gives and takes."""

from __future__ import annotations

from collections.abc import Sequence

from . import program, shutdown
from .own_modules import Apart


def run_notebook(file: str, arguments: Sequence[str]) -> int:
    """Run a notebook to the end of this process; returns its exit code.

    Args:
        file: its path.
        arguments: what it finds in `sys.argv` after its name.
    """
    found = program.script(file, arguments)
    Apart(found.path).begin()
    code = program.run_unwatched(found)
    shutdown.as_interrupted()
    return code
