"""The rules that decide if nobody names any: those of the operands' library, or the usual ones."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from .dtypes import DType
from .errors import RulesError, SupremumError, did_you_mean
from .foreign import dtype_of, root_of
from .libraries import Library, libraries, library_of_module
from .system import PromotionSystem
from .systems import DEFAULT, find, system

_OF_PROJECT = ("system", "audit")  # what [tool.supremum] may say


class Usual(NamedTuple):
    """The rules that decide if none are named, and no library.

    Attributes:
        text: their name, with options or without, or their file.
        where: what sets them, in words.
    """

    text: str
    where: str


def usual_rules() -> Usual:
    """Return the rules that decide if none are named, and what sets them.

    That is the environment variable ``SUPREMUM_SYSTEM``; or ``system`` in ``[tool.supremum]`` of
    the nearest ``pyproject.toml``; or JAX's. A copy inside of another library heeds no settings
    but its own ``DEFAULT``.

    Raises:
        RulesError: if that file cannot be read, or has something else there.
    """
    if not __name__.startswith("supremum."):
        return Usual(DEFAULT, "the default")
    if named := os.environ.get("SUPREMUM_SYSTEM"):
        return Usual(named, "SUPREMUM_SYSTEM")
    return _set_by_project() or Usual(DEFAULT, "the default")


def _set_by_project() -> Usual | None:
    """Return the rules that the nearest ``pyproject.toml`` names, if it does."""
    folder, below = os.getcwd(), ""  # noqa: PTH109  # pathlib is slow to import, here and below
    while not os.path.isfile(path := os.path.join(folder, "pyproject.toml")):  # noqa: PTH113, PTH118
        folder, below = os.path.dirname(folder), folder  # noqa: PTH120
        if folder == below:
            return None
    import tomllib
    from pathlib import Path

    try:
        found = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        given = found.get("tool", {}).get("supremum", {})
        unknown = [name for name in given if name not in _OF_PROJECT]
        named = given.get("system", "")
    except (OSError, ValueError, AttributeError) as error:
        raise RulesError(f"{path} cannot be read: {error}", path) from None
    if unknown:
        hint = did_you_mean(unknown[0], _OF_PROJECT)[0] or "; it has system and audit"
        raise RulesError(f"{path}: [tool.supremum] has no {unknown[0]!r}{hint}", unknown[0])
    if not isinstance(named, str):
        what = f'{path}: system is a name such as "{DEFAULT}", not {named!r}'
        raise RulesError(what, named)
    return Usual(named, f"[tool.supremum] in {path}") if named else None


@cache
def usual_system() -> PromotionSystem:
    """Return the usual rules, as they are set when they are first asked for."""
    text, where = usual_rules()
    try:
        return find(text)
    except RulesError as error:
        raise RulesError(f"{where}: {error}", text, error.candidates) from None


def rules_as_set(library: Library) -> PromotionSystem:
    """Return the rules that a library follows, as it is set now."""
    module = sys.modules.get(library.modules[0])
    if library.rules_as_set is not None and module is not None:
        name, options = library.rules_as_set(module)
        return system(name, **options)
    return system(next(name for name, known in libraries().items() if known is library))


def rules_as_installed(rules: PromotionSystem) -> PromotionSystem:
    """Return rules named without options in the setting that a program meets them in."""
    library = rules.library
    if rules.origin is None or rules.origin.options or library is None:
        return rules
    module = sys.modules.get(library.modules[0]) if library.modules else None
    if module is not None and library.rules_as_set is not None:
        name, options = library.rules_as_set(module)
        return system(name, **options)
    return system(rules.name, **library.as_installed()) if library.as_installed else rules


def other_rules(rules: PromotionSystem) -> PromotionSystem | None:
    """Return the rules of the same library as it is installed, or as it can be set instead."""
    library = rules.library
    if rules.origin is None or library is None or library.as_installed is None:
        return None
    turned = {option: not rules.setting[option] for option in library.as_installed()}
    return system(rules.name, **{**dict(rules.origin.options), **turned})


def other_setting(
    rules: PromotionSystem, result: DType, ask: Callable[[PromotionSystem], DType]
) -> str:
    """Return what the setting in which a library is not asked would give, in a sentence, or ``""``.

    Args:
        rules: the rules that were asked.
        result: their answer.
        ask: returns the answer of other rules.
    """
    if (other := other_rules(rules)) is None:
        return ""
    try:
        found = ask(other)
    except SupremumError:
        return ""
    return "" if found is result else f"With {other.label} it is {found}."


def rules_of_operands(operands: Iterable[object]) -> PromotionSystem:
    """Return the rules of the library that all operands are of, or the usual ones.

    Python's numbers, and those of classes derived from them, are of any library. So are dtypes of a
    library beside its arrays: by themselves they are not, as several libraries share NumPy's.
    """
    given = [(x, _library_of_class(x if isinstance(x, type) else type(x))) for x in operands]
    found = {own for x, own in given if own or not isinstance(x, (int, float, complex))}
    library = found.pop() if len(found) == 1 else None
    if library is None or not any(_is_array(x) for x, own in given if own):
        return usual_system()
    return rules_as_set(library)


def _library_of_class(kind: type) -> Library | None:
    """Return the library of a class, or of the first class that it is derived from."""
    known = (library_of_module(root_of(base)) for base in kind.__mro__)
    return next(filter(None, known), None)


def _is_array(x: object) -> bool:
    return not isinstance(x, type) and dtype_of(x) is not None
