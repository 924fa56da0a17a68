"""The formats, each with what writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from ..core.errors import RulesError, did_you_mean
from ..core.system import PromotionSystem
from ..core.systems import find
from .description import Description
from .functions import with_functions
from .json import json
from .modes import with_modes
from .reading import read
from .shown import SHOWN
from .stubs import stubs
from .templating import cpp, python

FORMATS: Final[dict[str, Callable[[Description], str]]] = {
    "python": python,
    "json": json,
    "cpp": cpp,
    "stubs": stubs,
}
"""The formats that compute, each with what writes it from a description."""


_WITH_FUNCTIONS: Final = ("python", "json", "stubs")


def describe(
    rules: str | PromotionSystem, functions: Sequence[str] = (), modes: Sequence[str] = ()
) -> Description:
    """Return what the formats write of a system.

    Args:
        rules: the system, or what `supremum.system` takes.
        functions: functions whose rules are written, too.
        modes: options of the system that callers set.

    Raises:
        RulesError: if an answer depends on more than arrows or tables of dtypes say, such as the
            value of a number; or for unknown rules, functions or options.

    >>> describe("python").arrows
    {'int*': ('float*',), 'float*': ('complex*',), 'complex*': ()}
    """
    found = find(rules) if isinstance(rules, str) else rules
    description = with_functions(found, read(found), functions)
    return with_modes(found, description, modes) if modes else description


_INSTEAD: Final = {
    **dict.fromkeys(
        ("csharp", "go", "java", "javascript", "js", "julia", "r", "rs", "rust", "ts",
         "typescript", "yaml"),
        ("; there is json, which a program in any language reads", ("json",)),
    ),
    "toml": ("; there is json; TOML is what rules of your own are written in", ("json",)),
    **dict.fromkeys(("c", "c++", "cxx", "h", "hpp"), ("; it is called cpp", ("cpp",))),
    **dict.fromkeys(("svg", "png", "pdf"), ("; supremum draw draws a lattice", ())),
}  # fmt: skip
"""Formats that there are not, with the tail of a message and what is meant."""


def check_format(name: str) -> None:
    """Refuse a word that is not the name of a format.

    Raises:
        RulesError: with the formats that there are.
    """
    if name not in NAMES:
        hint, close = _INSTEAD.get(name.lower()) or did_you_mean(name, list(NAMES))
        what = f"there is no format {name!r}{hint or '; there are ' + ', '.join(NAMES)}"
        raise RulesError(what, name, close)


def render(
    rules: str | PromotionSystem,
    to: str = "python",
    functions: Sequence[str] = (),
    modes: Sequence[str] = (),
) -> str:
    """Return a system in one of the formats.

    Args:
        rules: the system, or what `supremum.system` takes.
        to: the format.
        functions: functions whose rules are written, too.
        modes: options of the system that callers of a Python module set.

    Raises:
        RulesError: for an unknown format, and if the format cannot express the rules.

    >>> print(render("python", "stubs").splitlines()[0])
    # Type promotion by the rules of python.
    """
    check_format(to)
    found = find(rules) if isinstance(rules, str) else rules
    if functions and to not in _WITH_FUNCTIONS:
        with_them = " and ".join(_WITH_FUNCTIONS)
        raise RulesError(f"{to} has no functions; {with_them} have them", functions)
    if modes and (to != "python" or functions):
        raise RulesError("only Python modules without functions have modes", modes)
    if to in SHOWN:
        return SHOWN[to](found)
    return FORMATS[to](describe(found, functions, modes))


NAMES: Final = (*FORMATS, *SHOWN)
"""The names of all formats."""

SUFFIXES: Final[Mapping[str, str]] = {
    "python": ".py",
    "json": ".json",
    "cpp": ".hpp .h .hh .hxx .cpp .cc .cxx",
    "stubs": ".pyi",
    "mermaid": ".mmd .mermaid",
    "dot": ".dot .gv",
    "markdown": ".md",
    "latex": ".tex",
}
"""The suffixes of files in each format, the usual one first."""


def format_of(path: str | Path, to: str = "") -> str:
    """Return the format of a file: the one that is named, or that of its suffix.

    Args:
        path: the file.
        to: the format, or ``""`` to go by the suffix.

    Raises:
        RulesError: if the suffix is that of another format than the one that is named, or of none
            and no format is named.

    >>> format_of("jax.hpp"), format_of("jax.txt", "json")
    ('cpp', 'json')
    """
    suffix = Path(path).suffix.lower()
    own = next((name for name, known in SUFFIXES.items() if suffix in known.split()), "")
    if own and to in NAMES and to != own:
        right = Path(path).with_suffix(SUFFIXES[to].split()[0])
        what = f"{path} has the suffix of {own}, not of {to}; leave --to out, or name it {right}"
        raise RulesError(what, to)
    if not (own or to):
        usual = ", ".join(known.split()[0] for known in SUFFIXES.values())
        raise RulesError(f"{path} has the suffix of no format ({usual}); name one with --to", path)
    return to or own
