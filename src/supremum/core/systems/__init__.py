"""The rules that ship with Supremum, by name; each file is loaded when it is asked for.

A file has a function `build`, whose keywords are the options of the rules, and the facts of the
library, `LIBRARY`. A file with several sets of rules has `NAMES`, which `build` takes first.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from importlib import import_module
from types import ModuleType
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from ..errors import RulesError, did_you_mean, listed, short
from ..lattice import Lattice
from ..libraries import Library, find_libraries, libraries
from ..rules import Origin
from ..system import PromotionSystem

DEFAULT: Final = "jax"
"""The rules that decide unless others are named."""


@cache
def system_files() -> tuple[str, ...]:
    """Return the names of the modules with rules; those that begin with _ are parts of others."""
    from pkgutil import iter_modules  # slow to import, and rules that are named need no list

    found = (module.name for module in iter_modules(__path__))
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
            return import_module(f"{__name__}.{file}")
    return None


def _facts(file: str) -> Library | None:
    library: Library | None = getattr(import_module(f"{__name__}.{file}"), "LIBRARY", None)
    return library


def library_files() -> dict[str, partial[Library | None]]:
    """Return what loads the facts of each library, by the names of the files."""
    return {file: partial(_facts, file) for file in system_files()}


find_libraries(library_files)


def systems() -> tuple[str, ...]:
    """Return the names of the rules that `system` knows.

    >>> "jax" in systems()
    True
    """
    return _names()


def rules_not_dtype(word: object) -> str:
    """Return what a word is that was taken for a dtype and is the name of rules, or ``""``."""
    is_name = isinstance(word, str) and word in systems()
    return f"{word!r} is the name of rules, not of a dtype" if is_name else ""


@cache
def _names() -> tuple[str, ...]:
    found: list[str] = []
    for file in system_files():
        module = import_module(f"{__name__}.{file}")
        found += getattr(module, "NAMES", [file.replace("_", "-")])
    return tuple(found)


def system(name: str | ModuleType | PromotionSystem, **options: Any) -> PromotionSystem:
    """Return the promotion rules of this name.

    Args:
        name: one of `systems`, or another name of its library, such as ``"np"``, or a device that
            it runs on, such as ``"mps"``; options may follow it, as in
            ``"jax:x64=false,mode=strict"``. Or the module of the library; or rules, which are
            returned as they are.
        options: the options of the rules, such as ``x64=False``; see `options`.

    Raises:
        RulesError: for an unknown name or option, or a value that the option does not take.

    >>> system("jax", x64=False).result_type(1)
    supremum.dtype('int32')
    >>> system("jax:x64=false") is system("jax", x64=False)
    True
    """
    if isinstance(name, PromotionSystem):
        if options:
            listing = ", ".join(options)
            msg = f"{name.name} rules are made already, without {listing}; give options to a name"
            raise RulesError(msg, name)
        return name
    if isinstance(name, ModuleType):
        return system(name.__name__.partition(".")[0], **options)
    if not isinstance(name, str):
        raise RulesError(_no_name(name), name)
    return _with_options(name, options) if options else named(name)


def _no_name(given: Any) -> str:
    """Return the message about what is not a name of rules."""
    how = next((f"; {said}" for kind, said in _TO_RULES.items() if isinstance(given, kind)), "")
    return f"`system` must be a string such as 'jax', not {short(given)}{how}"


@cache
def named(text: str) -> PromotionSystem:
    """Return the rules that a text names, as `system` does."""
    return _with_options(text, {})


def _with_options(text: str, more: dict[str, Any]) -> PromotionSystem:
    """Return the rules that a text names, with the options in it and others."""
    if "->" in text:
        how = "type supremum.custom.PromotionSystem.from_lattice('i4 -> f4', 'mine')"
        raise RulesError(f"arrows make rules of your own: {how}", text)
    word, given = _read(text)
    if twice := given.keys() & more.keys():
        raise RulesError(f"{min(twice)} is given twice, in {text!r} and beside it", text)
    name, of_device = _known(word)
    options = of_device | given | more
    _check(name, options)
    usual = _defaults(name)
    # an option written out with its default is the same rules
    chosen = {option: value for option, value in options.items() if value != usual[option]}
    return _built(name, *sorted(chosen.items()))


def find(text: str, **options: Any) -> PromotionSystem:
    """Return the rules that a text names, as `system` does, or that a file describes.

    A name means the rules of that name, whatever files there are; ``./jax`` is a file.

    Args:
        text: a name, with options or without; or the path of a file that
            `PromotionSystem.from_file` reads.
        options: the options of the rules.

    Raises:
        RulesError: for unknown rules or options, and for options of a file.
    """
    name = text.partition(":")[0]
    is_file = name.endswith((".toml", ".txt", ".arrows")) or "/" in name or os.sep in name
    if not is_file and (system_file(name) is not None or not os.path.exists(text)):  # noqa: PTH110  # pathlib is slow to import
        return system(text, **options)
    path, given = (text, {}) if os.path.exists(text) else _read(text)  # noqa: PTH110  # the same
    if options := given | options:
        raise RulesError(f"rules from a file have no options such as {min(options)}", text)
    return PromotionSystem.from_file(path)


def spelled(rules: PromotionSystem) -> str:
    """Return what names some rules in a text, as `find` reads it: ``jax:x64=false``, or a file.

    >>> spelled(system("jax", x64=False))
    'jax:x64=false'
    """
    if rules.origin is None:
        return str(rules.setting.get("file", rules.name))
    _, name, options = rules.origin
    written = {True: "true", False: "false"}
    given = ",".join(f"{option}={written.get(value, value)}" for option, value in options)
    return f"{name}:{given}" if given else name


def _read(text: str) -> tuple[str, dict[str, Any]]:
    """Return the name in a text such as ``jax:x64=false,mode=strict``, and its options."""
    name, colon, settings = text.partition(":")
    if not colon:
        name, comma, more = text.partition(",")
        if comma and all(part in systems() for part in (name, *more.split(","))):
            each = " ".join(f"-s {part}" for part in (name, *more.split(",")))
            how = f"'supremum compare' takes several, as in {each}"
            raise RulesError(f"name one set of rules at a time, not {text!r}; {how}", text)
        if comma:
            what = f"write options of rules as in {name}:x64=false, not {text!r}"
            raise RulesError(what, text)
        return text, {}
    try:
        return name, read_options(settings.split(","))
    except RulesError as error:
        if settings in devices():
            raise RulesError(f"{settings} is a device; type {settings} alone", text) from error
        raise RulesError(
            f"write options of rules as in {_example(name)}, not {text!r}", text
        ) from error


def _example(name: str) -> str:
    """Return how rules are named with an option: one that they have, or JAX's."""
    known = options(name) if name in systems() else {}
    for option, values in known.items():
        value = str(values[-1])
        return f"{name}:{option}={value.lower() if value in ('True', 'False') else value}"
    return "jax:x64=false,mode=strict"


@cache
def _known(name: str) -> tuple[str, dict[str, Any]]:
    """Return the rules that a name means, and their options on a device, as ``mps`` is one."""
    try:
        _builder(name)
    except RulesError:
        for known, library in libraries().items():
            module, alias = library.import_as
            names = (module, module.replace(".", "-"), alias)
            own = names if module.partition(".")[0] in library.modules else ()
            if name.lower() in {library.title.lower(), *library.modules, *own}:
                return known, {}
            if name.lower() in dict(library.devices):
                return known, read_options(dict(library.devices)[name.lower()].split(","))
        raise
    return name, {}


def devices() -> dict[str, str]:
    """Return the devices that rules have a name for, each with the rules that it means.

    >>> devices()["tpu"]
    'jax:x64=false'
    """
    return {
        device: f"{known}:{given}"
        for known, library in libraries().items()
        for device, given in library.devices
    }


def options(name: str) -> dict[str, tuple[Any, ...]]:
    """Return the options of some rules: for each the values it takes, the default first.

    >>> options("jax")["mode"]
    ('standard', 'strict')
    """
    if not isinstance(name, str):
        raise RulesError(f"options are those of rules with a name, not of {short(name)}", name)
    name = _known(name)[0]
    build = _builder(name)
    hints = get_type_hints(build) if _defaults(name) else {}
    found = {}
    for option, default in _defaults(name).items():
        hint = hints[option]
        values = get_args(hint) if get_origin(hint) is Literal else (True, False)
        found[option] = (default, *(value for value in values if value != default))
    return found


def read_options(texts: Iterable[str]) -> dict[str, Any]:
    """Return the options that texts such as ``version=2024.12`` set.

    Raises:
        RulesError: for a text without a value.
    """
    given: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.strip().partition("=")
        if not (name and equals and value):
            raise RulesError(f"write an option as NAME=VALUE, not {text.strip()!r}", text)
        given[name] = {"true": True, "false": False}.get(value.lower(), value)
    return given


@cache
def _defaults(name: str) -> dict[str, Any]:
    build = _builder(name)
    own = build.func if isinstance(build, partial) else build
    return dict(own.__kwdefaults__ or {})


@cache
def _built(name: str, *chosen: tuple[str, Any]) -> PromotionSystem:
    return _builder(name)(**dict(chosen)).replace(
        origin=Origin(system, name, chosen),
        setting={**_defaults(name), **dict(chosen)},
        library=getattr(system_file(name), "LIBRARY", None),
    )


@cache
def _builder(name: str) -> Callable[..., PromotionSystem]:
    module = system_file(name)
    names = (
        getattr(module, "NAMES", (module.__name__.rpartition(".")[2].replace("_", "-"),))
        if module
        else ()
    )
    if module is None or name not in names:
        hint, close = (
            _INSTEAD.get(name)
            or _of_file(name)
            or _of_release(name)
            or _of_hardware(name)
            or did_you_mean(name, [*systems(), *devices()])
        )
        more = hint or f"; the rules are {', '.join(systems())}"
        raise RulesError(f"there are no rules named {short(name)}{more}", name, close)
    return partial(module.build, name) if hasattr(module, "NAMES") else module.build


def _of_file(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the tail of a message about a file that describes rules."""
    is_file = text.endswith((".toml", ".txt", ".arrows"))
    return (f"; type {_MAKING}.from_file({text!r}) for a file", ()) if is_file else None


def _of_release(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the tail of a message about a library with its release, such as ``numpy==1.26``."""
    found = re.fullmatch(r"([a-z-]*[a-z])(==|[<>~]=|[-<>=:@ ])?(\d[\d.]*)", text)
    if found is None:
        return None
    library, sign, release = found.groups()
    if sign == "<" and release.split(".")[0].isdigit():  # the releases before
        release = str(int(release.split(".")[0]) - 1)
    known = of_release(library, release) or _near_release(library, release)
    return (f"; type {known}", (known.partition(":")[0],)) if known else None


def _near_release(library: str, release: str) -> str:
    """Return what names the rules of a library's releases of the same major number, or ``""``."""
    major = release.partition(".")[0]
    return of_release(library, major) if major != release else ""


def of_release(library: str, release: str) -> str:
    """Return what names the rules of a library's release, or of the first of several; or ``""``.

    >>> of_release("numpy", "1"), of_release("numpy", "2"), of_release("numpy", "9")
    ('numpy-legacy', 'numpy', '')
    """
    for name in systems():
        if name == library or name.startswith(f"{library}-"):
            if any(f"{r}.".startswith(f"{release}.") for r in named(name).releases):
                return name
            releases = options(name).get("version", ())
            version = next((v for v in releases if f"{v}.".startswith(f"{release}.")), None)
            if version is not None:
                return f"{name}:version={version}"
    return ""


_INSTEAD = {
    **dict.fromkeys(
        ("jax-x32", "jax32", "jax-32", "jax:x32", "jax_x32", "x32"),
        ("; type jax:x64=false", ("jax",)),
    ),
    **dict.fromkeys(
        ("jax-x64", "jax64", "jax-64", "jax:x64", "jax_x64", "x64"),
        ("; type jax:x64=true", ("jax",)),
    ),
    "all": ("; name one, or ask supremum compare, which asks every library of some dtypes", ()),
}
"""What people name that is no rules, with the tail of a message, and the rules that are meant."""

_MAKING = "supremum.custom.PromotionSystem"
_TO_RULES: Final[Mapping[type, str]] = {
    Lattice: f"type {_MAKING}.from_lattice(lattice) to make rules of it",
    dict: f"type {_MAKING}.from_lattice(arrows), or from_table, to make rules of it",
    list: "supremum.compare(..., systems=[...]) asks several",
}
"""What is no name of rules, with what to type."""

_HARDWARE = {"cpu": "", "cuda": "", "gpu": "", "rocm": "", "metal": "mps", "xla": "tpu"}


def _of_hardware(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the tail of a message about the name of a device."""
    word = re.split(r"[-_ .]", text.lower())[-1]
    known = _HARDWARE.get(word, word if word in devices() else None)
    if known is None:
        return None
    libraries_there = listed([x for x, library in libraries().items() if library.devices], "or")
    as_elsewhere = f"dtypes are those of elsewhere: leave it out, or name {libraries_there}"
    rules = f"type {known}" if known else as_elsewhere
    return f"; {rules}", (known,) if known else ()


_NO_OPTIONS: Final = {"system": "the rules are named by rules=, not by system="}
"""What is no option of any rules, with what to type instead."""


def _check(name: str, given: dict[str, Any]) -> None:
    if not given:
        return
    known = options(name)
    for option, value in given.items():
        if option not in known:
            release = _of_release(f"{name}=={value}") if option == "version" else None
            hint, close = release or did_you_mean(option, list(known))
            if option in _NO_OPTIONS:
                raise RulesError(_NO_OPTIONS[option], option)
            more = hint or (f"; they have {', '.join(known)}" if known else "; they have none")
            raise RulesError(f"{name} rules have no option {short(option)}{more}", option, close)
        if not any(value is v or (value == v and isinstance(v, str)) for v in known[option]):
            values = " or ".join(map(repr, known[option]))
            release = _of_release(f"{name}=={value}") if option == "version" else None
            hint, close = release or ("", ())
            what = f"{name} rules: {option} is {values}, not {short(value)}{hint}"
            raise RulesError(what, value, close)
