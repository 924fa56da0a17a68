"""What to type instead of what is not the name of a module."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from ...core.errors import RulesError
from ..model.wording import swept
from .target import NAMES


def is_dotted(name: str) -> bool:
    """Return whether a word may name a module."""
    return all(map(str.isidentifier, name.split(".")))


def no_module(name: str) -> RulesError:
    """Return the refusal of a word that names no module: perhaps a dtype, or a path."""
    if name in NAMES:
        return RulesError(f"{name!r} is a dtype, not a module; type --dtype {name}", name)
    path = Path(name).resolve()
    if path.exists() and not (is_dotted(name) and path.is_dir()):
        what = f"{name!r} is a path, and a sweep takes the name of a module; {_of_path(path)}"
        return RulesError(what, name)
    return RulesError(f"there is no module {name!r}; {_instead(name)}", name)


def _instead(name: str) -> str:
    """Return what to type for a word that is not the name of a module."""
    path, twice, test = name.partition("::")  # as pytest names it
    if twice and Path(path).is_file():
        return f"{swept(Path(path).resolve())} --only {test}"
    module, colon, function = name.partition(":")  # as entry points name it
    if colon and is_dotted(module):
        return f"type supremum sweep {module} --only {function}"
    stem, (parent, _, last) = name.removesuffix(".py"), name.rpartition(".")
    if stem != name and is_dotted(stem):
        return f"type supremum sweep {stem}, or a path that exists"
    if parent and is_dotted(parent) and _is_found(parent):
        if not _has(parent, last):
            return (
                f"{parent} has no {last!r}; type supremum sweep {parent}, which lists what it has"
            )
        return f"for one function of {parent}, type supremum sweep {parent} --only {last}"
    return "install its package, or go to its folder"


def _is_found(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):  # what is above it is not a package
        return False


def _has(module: str, name: str) -> bool:
    """Return whether a module, which a sweep would import as well, has a name."""
    try:
        return hasattr(import_module(module), name)
    except Exception:  # noqa: BLE001  # the sweep is to tell of it
        return True


def _of_path(path: Path) -> str:
    """Return what to type for a module that lies at a path."""
    if path.is_dir() and not (path / "__init__.py").exists():
        return "name one that lies there, without its suffix"
    return swept(path)
