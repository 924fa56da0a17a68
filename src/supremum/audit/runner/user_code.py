"""Which modules are watched: the user's own, by the folders they lie in, and those asked for."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from ..model.locations import LOCATIONS
from ..probes import import_hook

_SITES = frozenset({"site-packages", "dist-packages"})
_ARRAYS = frozenset({"numpy"})  # of which every program knows what it calls
_NOT_CODE = frozenset({"node_modules", "__pycache__", "__pypackages__"})
_NO_SOURCE = (*EXTENSION_SUFFIXES, ".pyc")


class Disposition(NamedTuple):
    """Whether a module is watched, and why it is not."""

    watch: bool
    reason: str = ""


_WATCHED = Disposition(watch=True)


class UserFinder(import_hook.Finder):
    """Finds the user's own modules and those asked for, and says why others are not watched.

    Args:
        roots: the folders whose modules are the user's own.
        include: the packages that are watched wherever they are.
        files: the files that are, too.
    """

    def watches(self, module: str, file: str) -> bool:
        """Return whether a module is the user's own, or one that was asked for."""
        return self.disposition(module, file).watch

    def disposition(self, module: str, file: str) -> Disposition:
        """Return whether a module is watched wherever it is imported."""
        included = any(module == name or module.startswith(f"{name}.") for name in self.include)
        if included or file in self.files:
            return _WATCHED
        if import_hook.is_ours(module):
            return _unwatched("a part of the audit")
        folder, above = _folders(file)
        if _SITES.intersection(folder.parts):
            package = module.partition(".")[0]
            return _unwatched(f"an installed package; --include {package} watches it")
        if not above.isdisjoint(import_hook.installed()):
            return _unwatched("a part of Python")
        for root in self.roots:
            if root in above and not _is_set_aside(folder, root):
                return _WATCHED
        return _unwatched("outside of the folders that are watched")


def _folders(file: str) -> tuple[Path, frozenset[Path]]:
    """Return the folder of a file, and all that it lies in."""
    is_link = os.path.islink(file)  # noqa: PTH114  # paths are made once for each folder
    return _with_parents(os.path.dirname(os.path.realpath(file) if is_link else file))  # noqa: PTH120


@cache  # most modules have a folder in common
def _with_parents(folder: str) -> tuple[Path, frozenset[Path]]:
    real = Path(folder).resolve()
    return real, frozenset((real, *real.parents))


def _unwatched(reason: str) -> Disposition:
    return Disposition(watch=False, reason=reason)


def imported() -> Iterator[tuple[str, ModuleType, str]]:
    """Yield the name, the module and the file of all that was imported beside the audit."""
    for name, module in sorted(sys.modules.items()):
        file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
        if isinstance(file, str) and file and name != "__main__" and not import_hook.is_ours(name):
            yield name, module, file


def disposition(
    finder: import_hook.Finder, name: str, module: ModuleType, file: str
) -> Disposition:
    """Return whether a module that was imported is watched, of those that a finder would watch."""
    loader = getattr(vars(module).get("__spec__"), "loader", None)
    if isinstance(loader, import_hook.Loader) or file in finder.watched:
        return _WATCHED
    if file.endswith(_NO_SOURCE):
        return _unwatched("compiled: there is no Python source to watch")
    if name in finder.before:
        return _unwatched("imported before the audit began")
    return _unwatched(f"loaded by {type(loader).__name__}, not by Python's own import")


def warned_in(warned: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the files of packages that are not watched, and in which NumPy warned of values.

    Args:
        warned: the files in which it did, with the warning.
    """
    for file, text in warned.items():
        parts = Path(file).parts
        at = next((i for i, part in enumerate(parts) if part in _SITES), None)
        package = parts[at + 1].removesuffix(".py") if at is not None else ""
        if package and package not in _ARRAYS and file not in LOCATIONS.files:
            yield file, f"{text} there; --include {package} watches it"


def missed_by(finder: import_hook.Finder) -> Iterator[tuple[str, str]]:
    """Yield the files that a finder would watch, but does not, each with the reason."""
    for name, module, file in imported():
        if finder.watches(name, file):
            found = disposition(finder, name, module, file)
            if not found.watch:
                yield file, found.reason


def roots(folder: str | Path) -> list[Path]:
    """Return the folders of the user's own code: this one, the current one, and editable installs.

    A folder of installed packages is not one of them.

    Args:
        folder: the folder of the program.
    """
    own = [] if holds_commands(Path(folder)) else [Path(folder)]
    ours = Path(__file__).resolve().parents
    found = [*own, Path.cwd(), *(root for root in editable() if root.resolve() not in ours)]
    return [root for root in found if not _SITES.intersection(root.resolve().parts)]


def holds_commands(folder: Path) -> bool:
    """Return whether a folder holds the commands of an environment, and no code of the user."""
    folder = folder.resolve()
    own = Path(sys.prefix).resolve() / ("Scripts" if sys.platform == "win32" else "bin")
    return folder == own or (folder.parent / "pyvenv.cfg").is_file()


def editable() -> Iterator[Path]:
    """Yield the folders of the packages that are installed in editable mode."""
    from urllib.parse import unquote, urlsplit  # most environments have no such package

    for entry in sys.path:
        site = Path(entry)
        if site.name not in _SITES or not site.is_dir():
            continue
        for path in site.glob("*.dist-info/direct_url.json"):
            try:
                data = json.loads(path.read_text(encoding="utf-8"))
                if data["dir_info"]["editable"]:
                    # not by `urllib.request`, which imports what it takes to fetch a page
                    folder = unquote(urlsplit(data["url"]).path)
                    yield Path(folder.removeprefix("/") if sys.platform == "win32" else folder)
            except (OSError, ValueError, KeyError, TypeError):
                continue
        for path in site.glob("*.pth"):
            yield from _folders_of(path)


def _folders_of(path: Path) -> Iterator[Path]:
    """Yield the folders that a ``.pth`` file adds to `sys.path`."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        if line.strip() and not line.startswith(("#", "import ", "import\t")):
            folder = path.parent / line.strip()
            if folder.is_dir():
                yield folder


@cache
def _is_set_aside(folder: Path, root: Path) -> bool:
    """Return whether a folder below a root is hidden, an environment, or another tool's."""
    if folder == root:
        return False
    aside = folder.name.startswith(".") or folder.name in _NOT_CODE
    return aside or (folder / "pyvenv.cfg").is_file() or _is_set_aside(folder.parent, root)
