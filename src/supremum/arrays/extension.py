"""What a namespace is bound from: chapters of functions, constants, and extensions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MethodType, ModuleType
from typing import TYPE_CHECKING, Any, Final

from ..core.errors import did_you_mean
from .engine import Engine

CONSTANTS: Final[Mapping[str, Any]] = {
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "newaxis": None,
    "pi": math.pi,
}
"""The constants of the standard."""


class Extension:
    """The functions of an extension of the standard: ``xp.linalg`` and ``xp.fft``."""

    def __init__(self, engine: Engine, name: str, module: ModuleType) -> None:
        self._engine = engine
        self._name = name
        self.__name__ = f"{engine}.{name}"
        bind(self, engine, (module,))

    if not TYPE_CHECKING:  # to whom other names are mistakes

        def __getattr__(self, name: str) -> Any:
            raise missing(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return getattr, (self._engine.namespace, self._name)

    def __dir__(self) -> list[str]:
        return sorted(name for name in super().__dir__() if not name.startswith("_"))

    def __repr__(self) -> str:
        return self.__name__


def bind(target: Any, engine: Engine, chapters: Sequence[ModuleType]) -> None:
    """Bind the functions of modules to an engine, which each takes first.

    The engine has them by their names, too, as a pickle asks it for them: those of an extension as
    ``linalg.inv`` and so on.
    """
    for chapter in chapters:
        for name in chapter.__all__:
            function = getattr(chapter, name)
            if isinstance(target, Extension) and function.__module__ == chapter.__name__:
                function.__name__ = f"{chapter.__name__.rpartition('.')[2]}.{name}"
            bound = MethodType(function, engine)
            setattr(target, name, bound)
            setattr(engine, function.__name__, bound)


def missing(space: Any, name: str) -> AttributeError:
    """Return the error for what a namespace does not have, with what may have been meant."""
    msg = f"{space} has no attribute {name!r}"
    if name == "random":
        how = "draw them with NumPy or the backend's library, and pass them to xp.asarray"
        return AttributeError(f"{msg}: the array API has no random numbers; {how}")
    if name.startswith("_"):
        return AttributeError(msg)
    return AttributeError(f"{msg}{did_you_mean(name, dir(space))[0]}")
