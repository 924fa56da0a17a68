"""Modules of PyTorch: which of them an exception came through, and what they compute with."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from inspect import getattr_static
from types import TracebackType
from typing import Any, Final, NamedTuple

_CONTRACTS: Final = "matmul"
"""What a module does that is not called as a function of the catalogue is."""

_ENTRY: Final = "forward"  # what a module is called with
_MOST_MODULES: Final = 2_000  # parts of a module among which one is looked for


class Called(NamedTuple):
    """The innermost module that an exception came through.

    Attributes:
        module: the module.
        given: the first argument that it was called with.
        others: the arguments after it, such as targets.
    """

    module: Any
    given: Any
    others: Sequence[Any] = ()

    @property
    def weight(self) -> Any:
        """Its first parameter, or None."""
        return next((p for _, p, is_parameter in self.parts() if is_parameter), None)

    @property
    def functions(self) -> tuple[str, ...]:
        """What the catalogue may call that which it does with its weight."""
        name = type(self.module).__name__.lower()
        return f"nn.functional.{name}", name, _CONTRACTS

    def parts(self) -> Iterator[tuple[str, Any, bool]]:
        """Yield its parameters and buffers, by name, and whether each is a parameter."""
        for store in ("_parameters", "_buffers"):
            for key, part in (vars(self.module).get(store) or {}).items():
                yield key, part, store == "_parameters"

    def path(self, read: Callable[[ast.expr], Any], call: ast.AST | None) -> str:
        """Return how the program writes the module, which it called, or one that has it.

        Args:
            read: returns the value that an expression had where a module was called.
            call: that call, as far as it is known.
        """
        waiting = []
        if isinstance(call, ast.Call):
            waiting.append((read(call.func), ast.unparse(call.func)))
        for _ in range(_MOST_MODULES):
            if not waiting:
                break
            module, name = waiting.pop()
            if module is self.module:
                return name
            parts = getattr_static(module, "_modules", None)
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
            names = code.co_varnames[1 : code.co_argcount]
            given, *others = [own.get(name) for name in names] or [None]
            return Called(own["self"], given, others if code.co_name == _ENTRY else ())
    return None
