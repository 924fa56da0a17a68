"""Asking any array library that follows the array API, for its authors."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from ..core.errors import DTypeError, RulesError
from ..core.operands import Operand, dtype
from ..core.system import PromotionSystem
from ..core.table import REFUSED
from .calls import LACKS, own_dtype
from .measure import Measured, said
from .questions import Question, questions


class Namespace:
    """A library with ``asarray``, dtypes by name, and ``result_type`` or operators.

    Args:
        module: the namespace, or what is imported by its name.
        scalars: the Python numbers to ask about.
    """

    SYSTEM = "array-api"
    DISTRIBUTION = ""
    SETTINGS: Sequence[Mapping[str, Any]] = ({},)
    RANKS: Sequence[int] = (1, 0)
    NARY = False

    def __init__(self, module: Any, scalars: tuple[complex, ...] = (True, 1, 1.0, 1j)) -> None:
        self.SCALARS: Sequence[complex] = scalars
        if isinstance(module, str):
            try:
                module = import_module(module)
            except ImportError as error:
                raise RulesError(f"cannot import {module!r}: {error}", module) from None
        self.namespace = module
        if not hasattr(module, "asarray"):
            raise RulesError(f"{module!r} has no asarray, so there is nothing to ask", module)

    def version(self) -> str:
        """Return the release of the library, where it says so."""
        return str(getattr(self.namespace, "__version__", "installed"))

    def configure(self, **_: Any) -> None:
        """Do nothing: the library is asked as it is."""

    def make(self, op: Operand) -> Any:
        """Return an array, or a Python number."""
        if op.form.startswith("Python"):
            return op.value
        values: Any = 1 if op.rank == 0 else [1, 1, 1]
        return self.namespace.asarray(values, dtype=own_dtype(self.namespace, op.dtype))

    def ask(self, *operands: Any) -> str:
        """Return what ``result_type`` says, or else the dtype of a sum."""
        if hasattr(self.namespace, "result_type"):
            return dtype(self.namespace.result_type(*operands)).name
        return dtype(operator.add(*operands).dtype).name


def every_question(module: Any, rules: PromotionSystem) -> list[tuple[Namespace, Question]]:
    """Return the questions for a library, each with how it is asked."""
    library = Namespace(module)
    return [(library, question) for question in questions(library, rules)]


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
        except Exception:  # noqa: BLE001  # as below
            return said(rules, question), REFUSED
    try:
        live = library.ask(*made)
    except Exception:  # noqa: BLE001  # a refusal is whatever the library raises
        live = REFUSED
    return said(rules, question), live


def conform_module(module: Any, rules: PromotionSystem) -> Measured:
    """Return how far a library agrees with some rules, in this process.

    Args:
        module: an array API namespace, or its name.
        rules: the rules to hold it against.

    Raises:
        RulesError: where it cannot be imported, or has no ``asarray``.
    """
    library = Namespace(module)
    name = getattr(library.namespace, "__name__", str(module))
    measured = Measured(f"{name} by {rules.name}", dict(rules.setting), "", library.version())
    measured.written_for = measured.installed
    for question in questions(library, rules):
        measured.note(question, *answers(library, question, rules))
    return measured
