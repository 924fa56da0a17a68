"""Which modules are the user's own: what lies in their folders, and what is not installed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

from ..instrument import import_hook

WATCHED = ""
"""The reason for a module that is watched: there is none against it."""

_SITES = frozenset({"site-packages", "dist-packages"})
_NOT_CODE = frozenset({"node_modules", "__pycache__", "__pypackages__"})
_NO_SOURCE = (*EXTENSION_SUFFIXES, ".pyc")


class UserFinder(import_hook.Finder):
    """Finds the user's own modules and those asked for, and says why others are not watched.

    Args:
        roots: the folders whose modules are the user's own.
        include: the packages that are watched wherever they are.
        files: the files that are, too.
    """

    def watches(self, module: str, file: str) -> bool:
        """Tell whether a module is the user's own, or one that was asked for."""
        return self.reason(module, file) == WATCHED

    def reason(self, module: str, file: str) -> str:
        """Return why a module is not watched wherever it is imported, or `WATCHED`."""
        if any(module == name or module.startswith(f"{name}.") for name in self.include):
            return WATCHED
        if file in self.files:
            return WATCHED
        if import_hook.is_ours(module):
            return "a part of the audit"
        path = Path(file).resolve()
        if _SITES.intersection(path.parts):
            package = module.partition(".")[0]
            return f"an installed package; --include {package} watches it"
        if any(root in path.parents for root in import_hook.installed()):
            return "a part of Python"
        for root in self.roots:
            if root in path.parents and not _is_set_aside(path.parent, root):
                return WATCHED
        return "outside of the folders that are watched"


def missed_by(finder: import_hook.Finder) -> Iterator[tuple[str, str]]:
    """Yield the files that were imported and that a finder would watch, but does not: with why."""
    for name, module in sorted(sys.modules.items()):
        file = file_of(module)
        if file and name != "__main__" and not import_hook.is_ours(name):
            reason = why_missed(finder, name, module, file)
            if reason != WATCHED:
                yield file, reason


def why_missed(finder: import_hook.Finder, name: str, module: ModuleType, file: str) -> str:
    """Return why a module that a finder would watch is not watched, or `WATCHED`."""
    if not finder.watches(name, file):
        return WATCHED
    loader = getattr(vars(module).get("__spec__"), "loader", None)
    if isinstance(loader, import_hook.Loader) or file in finder.watched:
        return WATCHED
    if file.endswith(_NO_SOURCE):
        return "compiled: there is no Python source to watch"
    if name in finder.before:
        return "imported before the audit began"
    return f"loaded by {type(loader).__name__}, not by Python's own import"


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
    """Tell whether a folder holds the commands of an environment, and no code of the user."""
    folder = folder.resolve()
    own = Path(sys.prefix).resolve() / ("Scripts" if sys.platform == "win32" else "bin")
    return folder == own or (folder.parent / "pyvenv.cfg").is_file()


def _path_of(url: str) -> str:
    """Return the path that a URL of a file has on this system."""
    path = unquote(urlsplit(url).path)
    if sys.platform == "win32":
        from urllib.request import url2pathname  # it takes long to import

        return url2pathname(path)
    return path


def editable() -> Iterator[Path]:
    """Yield the folders of the packages that are installed in editable mode."""
    for entry in sys.path:
        site = Path(entry)
        if site.name not in _SITES or not site.is_dir():
            continue
        for path in site.glob("*.dist-info/direct_url.json"):
            try:
                told = json.loads(path.read_text(encoding="utf-8"))
                if told["dir_info"]["editable"]:
                    yield Path(_path_of(told["url"]))
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


def file_of(module: ModuleType) -> str:
    """Return the file of a module, or ``""`` if it has none."""
    file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
    return file if isinstance(file, str) else ""


@cache
def _is_set_aside(folder: Path, root: Path) -> bool:
    """Tell whether a folder below a root is hidden, an environment, or another tool's."""
    if folder == root:
        return False
    aside = folder.name.startswith(".") or folder.name in _NOT_CODE
    return aside or (folder / "pyvenv.cfg").is_file() or _is_set_aside(folder.parent, root)
