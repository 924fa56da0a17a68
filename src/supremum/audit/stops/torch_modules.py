"""Modules of PyTorch: which of them an exception came through, and what they compute with."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Final, NamedTuple

from ...core.operands import operand
from ..checks import known_functions
from ..checks.tracked_types import is_array
from ..model.locations import Location
from .by_rules import Question
from .frames import Operands, member

_CONTRACTS: Final = "matmul"
"""What a module does that is not called as a function of the catalogue is."""

_MOST_MODULES: Final = 2_000  # parts of a module among which one is looked for


class Called(NamedTuple):
    """The innermost module that an exception came through.

    Attributes:
        module: the module.
        given: the first argument that it was called with.
    """

    module: Any
    given: Any

    @property
    def question(self) -> Question | None:
        """What the rules are asked: whether it takes what it is given, beside its weight."""
        weight = next((p for _, p, is_parameter in self.parts() if is_parameter), None)
        if not (is_array(weight) and is_array(self.given)):
            return None
        rules = known_functions.rules_of(weight)
        name = type(self.module).__name__.lower()
        names = (f"nn.functional.{name}", name, _CONTRACTS)
        op = next((n for n in names if known_functions.as_known(n, rules)), "")
        place = Location("", (0, 0, 0, 0), "call", op, keywords=("", ""))
        return Question(place, ((1, operand(self.given)), (2, operand(weight))), None, weight)

    def parts(self) -> Iterator[tuple[str, Any, bool]]:
        """Yield its parameters and buffers, by name, and whether each is a parameter."""
        for store in ("_parameters", "_buffers"):
            for key, part in (vars(self.module).get(store) or {}).items():
                yield key, part, store == "_parameters"

    def path(self, frame: Operands, call: ast.AST | None) -> str:
        """Return how the program writes the module, which it called, or one that has it.

        Args:
            frame: reads values of the frame that called a module.
            call: that call, as far as it is known.
        """
        waiting = []
        if isinstance(call, ast.Call):
            waiting.append((frame.read(call.func), ast.unparse(call.func)))
        for _ in range(_MOST_MODULES):
            if not waiting:
                break
            module, name = waiting.pop()
            if module is self.module:
                return name
            parts = member(module, "_modules")
            for key, part in parts.items() if type(parts) is dict else ():
                waiting.append((part, f"{name}[{key}]" if key.isdecimal() else f"{name}.{key}"))
        return type(self.module).__name__


def called(below: Sequence[TracebackType]) -> Called | None:
    """Return the innermost module that an exception came through, or None.

    Args:
        below: the entries of its traceback after the call of a module.
    """
    module = getattr(getattr(sys.modules.get("torch"), "nn", None), "Module", ())
    for entry in reversed(below):
        own, code = entry.tb_frame.f_locals, entry.tb_frame.f_code
        if isinstance(own.get("self"), module):
            given = own.get(code.co_varnames[1]) if code.co_argcount > 1 else None
            return Called(own["self"], given)
    return None
