"""Asking any array library that follows the array API, for its authors."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from ..core.dtypes import DType, dtype, find
from ..core.errors import DTypeError, RulesError, did_you_mean, listed, shorten
from ..core.system import PromotionSystem
from ..core.table import REFUSED
from .calls import LACKS, own_dtype
from .library import Library
from .measure import Progress, said
from .measured import Measured
from .questions import Question, questions


class Namespace(Library):
    """A library with ``asarray``, dtypes by name, and ``result_type`` or operators.

    Args:
        module: the namespace, or what is imported by its name.
    """

    def __init__(self, module: Any) -> None:
        super().__init__("array-api", "", nary_settings=(), scalars=(True, 1, 1.0, 1j))
        self.namespace = _imported(module) if isinstance(module, str) else module
        if not hasattr(self.namespace, "asarray"):
            raise RulesError(
                f"{self.namespace!r} has no asarray, so there is nothing to ask", module
            )

    def version(self) -> str:
        """Return the release of the library, where it says so."""
        return str(getattr(self.namespace, "__version__", "installed"))

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        return self.namespace.asarray(values, dtype=own_dtype(self.namespace, d))

    def ask(self, *operands: Any) -> str:
        """Return what ``result_type`` says, unless a sum has another dtype."""
        if not hasattr(self.namespace, "result_type"):
            return self._named(operator.add(*operands).dtype)
        said = self._named(self.namespace.result_type(*operands))
        if len(operands) != 2 or said.endswith(_NO_DTYPE):
            return said
        try:
            return self._named(operator.add(*operands).dtype)
        except Exception:  # noqa: BLE001  # it adds no bools, perhaps
            return said

    def _named(self, found: Any) -> str:
        """Return the name of a dtype of the library, whatever its class is called."""
        try:
            return dtype(found).name
        except DTypeError:
            own = (n for n in dir(self.namespace) if getattr(self.namespace, n, None) is found)
            return next(filter(find, own), shorten(f"{found!r} {_NO_DTYPE}", 80))


_NO_DTYPE = "(not a dtype)"

# no library refuses dtypes with these
_BROKEN = (
    AttributeError, MemoryError, NameError, OSError, RecursionError, SystemExit,
)  # fmt: skip


def _imported(name: str) -> Any:
    if Path(name).name != name or name.startswith("."):
        path = Path(name).resolve()
        there = "" if path.parent == Path.cwd() else f"go to {path.parent}, and "
        what = f"{name!r} is a path, and a module is asked by its name; {there}type {path.stem}"
        raise RulesError(what, name)
    try:
        return import_module(name)
    except ImportError as error:
        known = [found.name for found in iter_modules([str(Path.cwd())])]
        is_itself = getattr(error, "name", name) in (None, name)  # not what it imports
        hint, close = did_you_mean(name.removesuffix(".py"), known) if is_itself else ("", ())
        raise RulesError(f"cannot import {name!r}: {error}{hint}", name, close) from None
    except (Exception, SystemExit) as error:
        why = f"{type(error).__name__}: {error}"
        raise RulesError(f"cannot import {name!r}, it raises {why}", name) from error


def answers(library: Namespace, question: Question, rules: PromotionSystem) -> tuple[str, str]:
    """Return what the rules and what the library say of one question.

    ``-`` is a refusal; ``?`` and a name say that the library lacks a dtype.
    """
    made = []
    for op in question.operands:
        try:
            made.append(library.make(op))
        except DTypeError:
            return said(rules, question), f"{LACKS} {op.dtype}"
        except (Exception, SystemExit) as error:  # noqa: BLE001  # as below
            return said(rules, question), _refusal(error)
    try:
        live = library.ask(*made)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever the library raises
        live = _refusal(error)
    return said(rules, question), live


def _refusal(error: BaseException) -> str:
    """Return what an error says of a question: that it is refused, or that something broke."""
    if not isinstance(error, _BROKEN):
        return REFUSED
    return shorten(f"{type(error).__name__} ({error})", 80)


def conform_module(
    module: Any, rules: PromotionSystem, *, progress: Progress | None = None
) -> Measured:
    """Return how far a library agrees with some rules, in this process.

    What a standard leaves undefined is counted, and no answer to it is wrong.

    Args:
        module: an array API namespace, or its name.
        rules: the rules to hold it against.
        progress: called now and then with the rules, the number of answers, and that of questions.

    Raises:
        RulesError: if it cannot be imported, or has no ``asarray``.
    """
    library = Namespace(module)
    return measure_questions(library, list(questions(library, rules)), rules, progress=progress)


def measure_questions(
    library: Namespace,
    asked: Sequence[Question],
    rules: PromotionSystem,
    *,
    progress: Progress | None = None,
) -> Measured:
    """Return how far a library agrees with some rules on some questions."""
    name = getattr(library.namespace, "__name__", str(library.namespace))
    release = library.version()
    measured = Measured(f"{name} by {rules.name}", dict(rules.setting), release, release)
    measured.standard = rules.library is not None and rules.library.standard
    for number, question in enumerate(asked):
        if progress and not number % 10:
            progress(measured.label, number, len(asked))
        measured.note(question, *answers(library, question, rules))
    if measured.not_asked and not measured.table:
        measured.reason = f"it lacks {listed(measured.lacks)}"
    return measured
