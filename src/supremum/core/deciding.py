"""Whose rules decide if nobody names any: those of the operands' library, or the usual ones.

An array, a scalar, a dtype object and a prefix (``np.``, ``torch.``) name their library; names and
Python's numbers name none. No other place guesses.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from types import ModuleType
from typing import Any, NamedTuple

from .answers import Reader, forget, read_now
from .dtypes import DType
from .errors import PromotionError, RulesError, SupremumError, did_you_mean, listed
from .foreign import is_array, library_of_class
from .libraries import Library, libraries, library_called
from .operands import SCALAR_LIBRARY, Operand, library_before
from .system import PromotionSystem
from .systems import DEFAULT, find, named, system

_OF_PROJECT = ("system", "audit")  # what [tool.supremum] may say
_ELSEWHERE = ("array-api", "numpy", "tensorflow", "torch")  # the rules most programs meet


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
        named = found.get("tool", {}).get("supremum", {}).get("system", "")
    except (OSError, ValueError, AttributeError) as error:
        raise RulesError(f"{path} cannot be read: {error}", path) from None
    check_project(path, found)
    if not isinstance(named, str):
        what = f'{path}: system is a name such as "{DEFAULT}", not {named!r}'
        raise RulesError(what, named)
    return Usual(named, f"[tool.supremum] in {path}") if named else None


def check_project(path: object, found: dict[str, Any]) -> None:
    """Refuse what nobody reads of ``[tool.supremum]`` in a project's file.

    Raises:
        RulesError: with what to type instead.
    """
    tool = found.get("tool", {})
    given = tool.get("supremum", {}) if isinstance(tool, dict) else {}
    unknown = [name for name in given if name not in _OF_PROJECT] if isinstance(given, dict) else []
    if unknown:
        hint = did_you_mean(unknown[0], _OF_PROJECT)[0]
        hint = hint or "; options of an audit belong in [tool.supremum.audit]"
        raise RulesError(f"{path}: [tool.supremum] has no {unknown[0]!r}{hint}", unknown[0])


_in_force: ContextVar[PromotionSystem | None] = ContextVar("rules in force", default=None)


@contextmanager
def in_force(rules: PromotionSystem) -> Iterator[None]:
    """Let some rules decide in a ``with`` block, whatever the operands are."""
    _heed_block()
    token = _in_force.set(rules)
    try:
        yield
    finally:
        _in_force.reset(token)


@cache
def _heed_block() -> None:
    """Keep answers by the block that they are asked in, from now on: before, there was none."""
    forget()


def rules_of_block() -> PromotionSystem | None:
    """Return the rules of the innermost block around that sets some, or None."""
    return _in_force.get()


def usual_system() -> PromotionSystem:
    """Return the rules of the block around, or the usual ones as their library is set now.

    The usual ones are set when they are first asked for.
    """
    return rules_of_block() or rules_as_said(*set_first())


@cache
def set_first() -> tuple[PromotionSystem, bool]:
    """Return the usual rules as they were set when this was first asked, and if with options."""
    text, where = usual_rules()
    try:
        return find(text), ":" in text
    except RulesError as error:
        raise RulesError(f"{where}: {error}", text, error.candidates) from None


def rules_in_program(text: str) -> PromotionSystem:
    """Return the rules that a text names, as `rules_as_said` does if it has no options."""
    return rules_as_said(find(text), ":" in text)


def rules_as_set(library: Library) -> PromotionSystem:
    """Return the rules that a library follows, as it is set now."""
    return _of_program(library) or system(_name_of(library), **library.as_said())


def _name_of(library: Library) -> str:
    return next(name for name, known in libraries().items() if known is library)


def _of_program(library: Library) -> PromotionSystem | None:
    """Return the rules that a library follows in this program, or None if it is not loaded."""
    module = sys.modules.get(library.modules[0]) if library.modules else None
    if library.rules_as_set is None or module is None:
        return None
    return named(library.rules_as_set(module))


def rules_as_said(rules: PromotionSystem, is_spelled: bool = False) -> PromotionSystem:  # noqa: FBT002  # beside the rules
    """Return rules named without options as the program sets their library, or the environment."""
    library = rules.library
    if is_spelled or rules.origin is None or rules.origin.options or library is None:
        return rules
    found = _of_program(library)
    if found is not None and found.name == rules.name:  # NumPy 1 has rules of another name
        return found
    said = library.as_said()
    return system(rules.name, **said) if said else rules


def rules_given(given: str | ModuleType | PromotionSystem) -> PromotionSystem:
    """Return the rules that a question is given: those named without options are as set now."""
    return rules_as_said(named(given), ":" in given) if isinstance(given, str) else system(given)


def rules_as_installed(rules: PromotionSystem) -> PromotionSystem:
    """Return rules named without options in the setting that a program meets them in."""
    library = rules.library
    if rules.origin is None or rules.origin.options or library is None:
        return rules
    if (found := _of_program(library)) is not None:
        return found
    own = library.as_installed
    return system(rules.name, **{**dict(own), **library.as_said()}) if own else rules


def other_rules(rules: PromotionSystem) -> PromotionSystem | None:
    """Return the rules of the same library as it is installed, or as it can be set instead."""
    library = rules.library
    if rules.origin is None or library is None or library.as_installed is None:
        return None
    turned = {option: not rules.setting[option] for option, _ in library.as_installed}
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


def elsewhere(result: DType, ask: Callable[[PromotionSystem], DType]) -> str:
    """Return what the rules that most programs meet give, where that is not a result, or ``""``.

    Args:
        result: the answer of the usual rules.
        ask: returns the answer of other rules.
    """
    answers: dict[str, list[str]] = {}
    for name in _ELSEWHERE:
        try:
            found = f"{ask(system(name))} by"
        except PromotionError:
            found = "refused by"
        except SupremumError:  # they lack the function
            continue
        if found != f"{result} by":
            answers.setdefault(found, []).append(name)
    refused = answers.pop("refused by", [])
    said = [f"{found} {', '.join(names)}" for found, names in answers.items()]
    said += [f"refused by {', '.join(refused)}"] if refused else []
    return f"elsewhere: {'; '.join(said)}" if said else ""


# whose the operands are


class _Home(NamedTuple):
    """What an operand says about whose rules decide: its library, if any, and if it is an array."""

    library: Library | None
    is_array: bool = False


def rules_of_operands(
    operands: Iterable[object], usual: Callable[[], PromotionSystem] = usual_system
) -> PromotionSystem:
    """Return the rules of the library that operands are of, or the usual ones.

    Those of a library's arrays decide, whatever it meets. NumPy's arrays give way to those of
    another library, and its dtypes and scalars to a library that has NumPy's dtypes.

    Args:
        operands: arrays, scalars, dtypes, names and Python's numbers; the last two are of none.
        usual: returns the rules that decide about operands of no library.

    Raises:
        RulesError: for operands of several libraries, of which none decides.
    """
    return _rules_of([_home(x) for x in operands], usual)


def _rules_of(
    homes: Sequence[_Home], usual: Callable[[], PromotionSystem] = usual_system
) -> PromotionSystem:
    if (block := rules_of_block()) is not None:
        return block
    library = _deciding(homes)
    return usual() if library is None else rules_as_set(library)


def usual_setting(*, of_library: bool = False) -> Reader | None:
    """Return how to read what decides beside operands: how a program sets the usual library.

    It is None for operands of a library, whose own rules decide. Once there was a block with other
    rules, the rules of the block around count, too.

    Args:
        of_library: whether the operands are of a library.
    """
    reader = None if of_library else _reader(set_first()[0].library)
    return _in_block(reader or ("", str)) if _heed_block.cache_info().currsize else reader


def _in_block(reader: Reader) -> Reader:
    """Return how to read something together with the rules of the block around, if any."""
    return __name__, lambda _: (rules_of_block(), read_now(reader))


def _reader(library: Library | None) -> Reader:
    if library is None or library.rules_as_set is None or library.rules_by_release:
        return "", str
    return library.modules[0], library.rules_as_set


def rules_that_vary(
    operands: Sequence[object],
) -> tuple[Callable[[], PromotionSystem], Reader] | None:
    """Return what gives the rules of operands if values or settings of a program decide, or None.

    With it comes how to read what the rules depend on.

    Args:
        operands: as in `rules_of_operands`, which has an answer for them.
    """
    homes = [_home(x) for x in operands]
    rules = _rules_of(homes)
    reader = _reader(rules.library)
    is_of_block = rules is rules_of_block()
    is_by_setting = rules.library is set_first()[0].library and not any(x.library for x in homes)
    if not rules.valued and (not reader[0] or is_of_block or is_by_setting):
        return None
    return partial(_rules_of, homes), ("", str) if _heed_block.cache_info().currsize else reader


def _home(x: Any) -> _Home:
    if isinstance(x, Operand):
        return _Home(library_called(x.library), x.form == "array")
    if isinstance(x, str):
        return _Home(library_called(library_before(x)))
    library = library_of_class(x if isinstance(x, type) else type(x))
    return _Home(library, library is not None and is_array(x))


def _deciding(homes: Sequence[_Home]) -> Library | None:
    """Return the library whose rules decide, or None if the operands are of none."""
    arrays = {x.library.title: x.library for x in homes if x.library and x.is_array}
    found = arrays or {x.library.title: x.library for x in homes if x.library}
    shared = found.get(SCALAR_LIBRARY)
    others = {title: x for title, x in found.items() if x is not shared}
    if shared and (arrays or any(x.dtypes_in == shared.dtypes_in for x in others.values())):
        found = others or found
    if len(found) > 1:
        names = [_name_of(x) for x in found.values()]
        what = f"operands of {listed([*found])} do not say whose rules decide"
        how = f"system={names[0]!r}, or by -s {names[0]} for the command"
        raise RulesError(f"{what}; name them by {how}", names, tuple(names))
    return next(iter(found.values()), None)
