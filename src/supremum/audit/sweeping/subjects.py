"""What of a module is swept: its public functions, and methods of some kinds of its classes."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, Final, NamedTuple

from ...core.errors import RulesError
from .conversions import container_of_class
from .missing import no_module


class Subject(NamedTuple):
    """What one row is about.

    Attributes:
        module: the module that has it.
        name: its name in there, such as ``sqrtm`` or ``DataFrame.mean``.
        kind: the name of its kind, one of `KINDS`.
        owner: the function itself, or the class.
        attribute: the attribute of the class whose calls are examples, or ``""``.
        call: what repeats a call that was seen.
    """

    module: str
    name: str
    kind: str
    owner: Any
    attribute: str
    call: Callable[..., Any]

    @property
    def full_name(self) -> str:
        """The name of the module and its own."""
        return f"{self.module}.{self.name}"

    @property
    def root(self) -> str:
        """The name of its package."""
        return self.module.partition(".")[0]

    @property
    def texts(self) -> list[str]:
        """The docstrings that may have examples of it."""
        last = getattr(self.owner, self.name.rpartition(".")[2], None) if self.attribute else None
        return [
            text for x in (last, self.owner) if isinstance(text := getattr(x, "__doc__", 0), str)
        ]


Part = tuple[str, str, Callable[..., Any]]
"""A part of an object that is a row: its name, the attribute whose calls are examples, and what
repeats such a call."""


@dataclass(frozen=True)
class FitThen:
    """Calls a method of an estimator, once that is fitted.

    Attributes:
        method: the name of the method.
    """

    method: str

    def __call__(self, estimator: Any, data: Any, *rest: Any, **options: Any) -> Any:
        """Return what the method gives of the data that the estimator was fitted to."""
        estimator.fit(data, *rest, **options)
        if self.method in _OF_RESULT:
            data = getattr(estimator, _OF_RESULT[self.method])(data)
        return getattr(estimator, self.method)(data)


_OF_RESULT: Final = {"inverse_transform": "transform"}
_OF_ESTIMATORS: Final = (
    "transform", "inverse_transform", "predict", "predict_proba", "decision_function",
    "score_samples",
)  # fmt: skip


def _of_estimator(cls: type) -> Iterator[Part]:
    """Yield the methods of an estimator that give arrays."""
    for method in _OF_ESTIMATORS:
        if hasattr(cls, method):
            yield f".{method}", "fit", FitThen(method)


class Kind(NamedTuple):
    """A kind of subject.

    Attributes:
        name: what it is called.
        matches: returns whether an object is of it.
        rows: yields the parts of an object that are rows.
    """

    name: str
    matches: Callable[[Any], bool]
    rows: Callable[[Any], Iterator[Part]]


def _is_function(x: Any) -> bool:
    if isinstance(x, type):
        return False
    return callable(x) and (inspect.isroutine(x) or hasattr(x, "__wrapped__") or hasattr(x, "nin"))


def _is_estimator(x: Any) -> bool:
    return isinstance(x, type) and hasattr(x, "fit") and any(hasattr(x, m) for m in _OF_ESTIMATORS)


def _is_layer(x: Any) -> bool:
    return isinstance(x, type) and hasattr(x, "forward") and container_of_class(x) is not None


def _is_container(x: Any) -> bool:
    found = container_of_class(x) if isinstance(x, type) else None
    return found is not None and x.__name__ in found.classes  # others have the same methods


def _methods(cls: type) -> Iterator[Part]:
    """Yield the public methods of a class, inherited ones, too."""
    for name in dir(cls):
        found = inspect.getattr_static(cls, name)
        is_plain = inspect.isroutine(found) and not isinstance(found, (staticmethod, classmethod))
        if is_plain and not name.startswith("_"):
            yield f".{name}", name, getattr(cls, name)


KINDS: Final = (
    Kind("function", _is_function, lambda x: iter([("", "", x)])),
    Kind("layer", _is_layer, lambda cls: iter([("", "__call__", cls.__call__)])),
    Kind("estimator", _is_estimator, _of_estimator),
    Kind("container", _is_container, _methods),
)  # fmt: skip
"""The kinds; an object is of the first that matches."""


def subjects(module: str) -> list[Subject]:
    """Return what is swept of a module.

    Raises:
        RulesError: if there is no such module, or it has none of the kinds.
    """
    package, _, attribute = module.rpartition(".")
    try:
        home: Any = import_module(module)
    except ModuleNotFoundError as error:
        if not error.name or not f"{module}.".startswith(f"{error.name}."):
            raise  # it imports what is not there
        home = getattr(sys.modules.get(package), attribute, None)
        if not isinstance(home, type):
            raise no_module(module) from None
        return list(_of(package, attribute, home))  # a class, as pandas.DataFrame
    found = [row for name, x in public(home) for row in _of(module, name, x)]
    if not found:
        raise RulesError(_nothing_in(home), module)
    return found


def _of(module: str, name: str, x: Any) -> Iterator[Subject]:
    kind = next((kind for kind in KINDS if kind.matches(x)), None)
    for part, attribute, call in kind.rows(x) if kind else ():
        yield Subject(module, f"{name}{part}", kind.name if kind else "", x, attribute, call)


def public(module: ModuleType) -> list[tuple[str, Any]]:
    """Return the public objects of a module: those of ``__all__``, or those that it defines."""
    root = module.__name__.partition(".")[0]
    listed = getattr(module, "__all__", None)
    names = sorted(listed if listed is not None else dir(module))
    found = [(n, getattr(module, n, None)) for n in names if not n.startswith("_")]
    if listed is None:
        found = [(n, x) for n, x in found if _home(x).partition(".")[0] in (root, "")]
    return [(n, x) for n, x in found if not isinstance(x, ModuleType)]


def _home(x: Any) -> str:
    return getattr(x, "__module__", None) or ""


def _nothing_in(module: ModuleType) -> str:
    name = module.__name__
    parts = iter_modules(getattr(module, "__path__", ()))
    inner = sorted(part.name for part in parts if not part.name.startswith("_"))
    more = f"; sweep a part of it, such as {name}.{inner[0]}" if inner else ""
    more = more or "; a script is audited: type supremum audit, and its file"
    return f"{name} has no public functions{more}"
