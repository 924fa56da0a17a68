"""Comparing stubs with the library that they describe, cell by cell."""

from __future__ import annotations

import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from ...core.errors import RulesError, did_you_mean
from ..measure import NOT_INSTALLED
from .cells import LIBRARIES, answered, cells
from .checkers import CHECKERS, ask, release
from .found import Known, StubsMeasured


def conform_stubs(
    name: str, *, functions: bool = True, known: Known = frozenset()
) -> list[StubsMeasured]:
    """Return how far stubs agree with the installed library, a measurement a type checker.

    Args:
        name: ``stubs:`` and a library, ``numpy`` or ``scipy``, for the stubs that are installed; or
            a folder of stubs, which are read instead of those.
        functions: whether to ask about functions besides operators.
        known: the differences that are left out, as `read_baseline` returns them.

    Raises:
        RulesError: if there is no such library, no such folder, or no stubs in it.
    """
    described, packages = _find(name.removeprefix("stubs:"))
    found = [StubsMeasured(name, checker, described, known=known) for checker in CHECKERS]
    missing = _missing(described, stated_elsewhere=described in packages)
    if missing:
        for measured in found:
            measured.reason = f"{missing} {NOT_INSTALLED}; type pip install {missing}"
        return found
    installed = metadata.version(described)
    asked = list(answered(described, list(cells(described, functions=functions))))
    for measured in found:
        measured.installed = installed
        try:
            measured.release = release(measured.checker)
            measured.cells = ask(measured.checker, described, packages, asked)
        except RulesError as error:
            measured.reason = str(error)
    return found


def _missing(library: str, *, stated_elsewhere: bool) -> str:
    """Return what is to be installed: the library, or its stubs if it states no types itself.

    Without any, a checker reads the source of the library, which is not what is asked about.
    """
    spec = find_spec(library)
    if spec is None:
        return library
    states = (Path(place) / "py.typed" for place in spec.submodule_search_locations or ())
    stubs = (Path(place) / f"{library}-stubs" for place in sys.path)
    is_stated = stated_elsewhere or any(path.exists() for path in (*states, *stubs))
    return "" if is_stated else f"{library}-stubs"


def _find(name: str) -> tuple[str, dict[str, Path]]:
    """Return the library that stubs describe, and the packages beside them in their folder."""
    if name in LIBRARIES:
        return name, {}
    folder = Path(name)
    packages = {
        path.name.removesuffix("-stubs"): path.resolve()
        for path in (folder.iterdir() if folder.is_dir() else ())
        if (path / "__init__.pyi").is_file() or path.name.endswith("-stubs")
    }
    for library in LIBRARIES:
        if library in packages:
            return library, packages
    hint, close = did_you_mean(name, list(LIBRARIES))
    folders = " or ".join(f"{library}-stubs" for library in LIBRARIES)
    msg = f"{name!r} is neither {' nor '.join(LIBRARIES)} nor has it a folder {folders}{hint}"
    raise RulesError(msg, name, close)
