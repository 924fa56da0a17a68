"""A program's own modules and ours: neither hides the other's of the same name."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.machinery import all_suffixes
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Final

from ..probes.import_hook import PACKAGE

# What Python imports itself before any program, and never again.
_AT_START: Final = frozenset({
    "__main__", "_abc", "_codecs", "_collections_abc", "_frozen_importlib",
    "_frozen_importlib_external", "_imp", "_io", "_sitebuiltins", "_stat", "_thread",
    "_warnings", "_weakref", "abc", "builtins", "codecs", "encodings", "genericpath", "io",
    "marshal", "nt", "ntpath", "os", "posix", "posixpath", "site", "sitecustomize", "stat",
    "sys", "time", "usercustomize", "winreg", "zipimport",
})  # fmt: skip


def names_in(folder: str) -> set[str]:
    """Return the names of the modules and packages in a folder."""
    found = set()
    try:
        for path in Path(folder).iterdir():
            if path.is_dir():
                found.add(path.name if (path / "__init__.py").is_file() else "")
            for suffix in all_suffixes():
                if path.name.endswith(suffix):
                    found.add(path.name.removesuffix(suffix))
    except OSError:
        return set()
    return found - _AT_START - {"", PACKAGE}


class ModuleIsolation:
    """Keeps our modules apart from a program's of the same name.

    Args:
        folder: the folder that the program's modules come from first.
    """

    def __init__(self, folder: str) -> None:
        self._names = names_in(folder)
        self._path = list(sys.path)
        if self._names & sys.stdlib_module_names:
            place = Path(folder).resolve()
            sys.path[:] = [entry for entry in self._path if Path(entry).resolve() != place]
            try:
                _load_ours()
            finally:
                sys.path[:] = self._path
        self._ours: dict[str, ModuleType] = {}

    def begin(self) -> None:
        """Remove our modules of these names, so that the program imports its own."""
        for name in list(sys.modules):
            if name.partition(".")[0] in self._names:
                self._ours[name] = sys.modules.pop(name)

    @contextmanager
    def ours(self) -> Iterator[None]:
        """Put our modules back, in place of the program's, inside a ``with`` block."""
        theirs = {n: m for n, m in sys.modules.items() if n.partition(".")[0] in self._names}
        path = list(sys.path)
        for name in theirs:
            del sys.modules[name]
        sys.modules.update(self._ours)
        sys.path[:] = self._path
        try:
            yield
        finally:
            sys.path[:] = path
            for name in list(sys.modules):
                if name.partition(".")[0] in self._names:
                    del sys.modules[name]
            sys.modules.update(theirs)


_LATER: Final = ("jinja2", "pickle", "pygments.lexers.python", "tempfile")
"""What the audit imports once it needs it."""

_PACKAGES: Final = (
    "audit.edits", "audit.log", "audit.report", "audit.runner", "audit.stops", "core.systems",
)  # fmt: skip


def _load_ours() -> None:
    """Import all of the audit, which would import a part later and meet the program's modules."""
    for name in _LATER:
        import_module(name)
    for part in _PACKAGES:
        package = import_module(f"{PACKAGE}.{part}")
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.ispkg:
                import_module(module.name)
