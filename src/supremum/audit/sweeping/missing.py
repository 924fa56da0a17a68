"""What to type instead of what is not the name of a module."""

from __future__ import annotations

from pathlib import Path

from ...core.errors import RulesError
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
    what = f"there is no module {name!r}; install its package, or go to its folder"
    return RulesError(what, name)


def _of_path(path: Path) -> str:
    """Return what to type for a module that lies at a path."""
    if path.is_dir() and not (path / "__init__.py").exists():
        return "name one that lies there, without its suffix"
    path = path.parent if path.name == "__init__.py" else path
    root = next(p for p in path.parents if not (p / "__init__.py").exists())
    name = ".".join(path.relative_to(root).with_suffix("").parts)
    return f"{'' if root == Path.cwd() else f'go to {root}, and '}type supremum sweep {name}"
