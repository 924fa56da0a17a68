"""What there is to know of each library beside its rules, as the file of its rules states it.

The files in `systems` are found by looking into the folder, and loaded when they are needed. So
adding a library adds one file there, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import NamedTuple

from .errors import DTypeError, did_you_mean

SYSTEMS = f"{__package__}.systems"
"""The package of the rules."""

Names = tuple[tuple[str, str], ...]
"""Pairs of names, one of ours and one of a library's."""


class Library(NamedTuple):
    """The facts of a library, beside its rules.

    Attributes:
        title: its name as it is written in prose, such as ``"PyTorch"``.
        modules: the roots of the modules that its objects come from.
        import_as: how programs import the module that has its dtypes: the module, and its alias.
        dtypes_in: the module that has its dtype objects, and after a colon the attribute of it that
            has them; ``"numpy"`` if they are NumPy's, ``""`` if they are not known.
        more_dtypes_in: other attributes of that module that have some.
        dtype_names: our name of a dtype with what the library calls it in there, if that differs.
        read_as: what its dtype objects call themselves with our name, if that differs.
        dtype_classes: the module in which every class, and every object of one, is a dtype.
        dtype_attribute: the attribute of its arrays that has their dtype.
        compared: whether its rules are asked if every library is compared.
        standard: whether it is a standard, which leaves undefined what its rules refuse.
    """

    title: str
    modules: tuple[str, ...]
    import_as: tuple[str, str] = ("numpy", "np")
    dtypes_in: str = ""
    more_dtypes_in: tuple[str, ...] = ()
    dtype_names: Names = ()
    read_as: Names = ()
    dtype_classes: str = ""
    dtype_attribute: str = "dtype"
    compared: bool = True
    standard: bool = False


@cache
def system_files() -> tuple[str, ...]:
    """Return the names of the modules in `systems`; those that begin with _ are parts of others."""
    from pkgutil import iter_modules  # slow to import, and rules that are named need no list

    found = (module.name for module in iter_modules(import_module(SYSTEMS).__path__))
    return tuple(sorted(name for name in found if not name.startswith("_")))


@cache
def system_file(name: str) -> ModuleType | None:
    """Return the module with the rules of a name, or None.

    It is called as they are, with underscores for dashes; or as the first words of their name, if
    it describes several.
    """
    words = name.split("-")
    for count in range(len(words), 0, -1):
        file = "_".join(words[:count])
        if file.isidentifier() and file in system_files():
            return import_module(f"{SYSTEMS}.{file}")
    return None


@cache
def library_of_module(root: str) -> Library | None:
    """Return the library whose objects come from modules of this root, or None if it has no rules.

    The name of its file begins the root, as ``jax`` begins ``jaxlib``.
    """
    for file in reversed(system_files()):
        if root.startswith(file):
            library: Library | None = getattr(import_module(f"{SYSTEMS}.{file}"), "LIBRARY", None)
            if library is not None and root in library.modules:
                return library
    return None


@cache
def libraries() -> Mapping[str, Library]:
    """Return every library by the name of its rules."""
    modules = {file: import_module(f"{SYSTEMS}.{file}") for file in system_files()}
    return {
        file.replace("_", "-"): module.LIBRARY
        for file, module in modules.items()
        if hasattr(module, "LIBRARY")
    }


def library_of_system(name: str) -> Library:
    """Return the library whose rules have this name.

    Raises:
        DTypeError: if there is none.
    """
    module = system_file(name) if isinstance(name, str) else None
    library: Library | None = getattr(module, "LIBRARY", None)
    if library is None:
        known = [name for name, facts in libraries().items() if facts.dtypes_in]
        hint, close = did_you_mean(str(name), known)
        raise DTypeError(f"{name!r} is not one of {', '.join(known)}{hint}", name, close)
    return library
