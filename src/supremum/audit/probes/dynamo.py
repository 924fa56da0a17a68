"""What `torch.compile` makes of watched code: it compiles it as if no probes were in it.

Dynamo reads bytecode, and expects that its constants are literals. To Dynamo each probe is a
function that hands a value on, which it inlines: so what it compiles is the program's own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

from ..log import hooks
from ..log.formulas import Formula
from ..log.settled import Place
from .rewriter import NAMES


def _second(_: Any, value: Any, *__: Any) -> Any:
    return value


def _first(value: Any, *_: Any) -> Any:
    return value


def _none_of(_: Any) -> tuple[Any, ...]:
    return ()


def _nothing(*_: Any) -> None:
    return None


class _Place:
    plain = None  # no type: each result goes through its probe


class _Formula:
    open = 0  # never: each operation has a probe


_STAND_INS: Final = {Place: _Place, Formula: _Formula}

_STANDS_FOR: Final = {
    **dict.fromkeys(("DROP", "TAKE"), _nothing),
    **dict.fromkeys(("FOLLOW", "FREE", "HIDE", "ITERATE"), _first),
    "SPACES": _none_of,
}


def _pairs() -> Iterator[tuple[int, Any]]:
    """Yield what rewritten code refers to, as a number, and what that is to Dynamo."""
    for name in NAMES:
        meant = getattr(hooks if hasattr(hooks, name) else operator, name)
        is_probe = getattr(meant, "__module__", "") == hooks.__name__
        yield id(meant), _STANDS_FOR.get(name, _second) if is_probe else meant


_PLAIN: Final = dict(_pairs())


def teach(module: ModuleType) -> None:
    """Tell Dynamo, of which `module` reads constants, what probes are."""
    from torch._dynamo.variables.base import VariableTracker

    reader: Any = module.InstructionTranslatorBase
    as_it_is: Callable[[Any, Any], Any] = reader._load_const  # noqa: SLF001  # there is no other hook

    def load_const(self: Any, instruction: Any) -> Any:
        value = instruction.argval
        plain = _STAND_INS.get(type(value)) or _PLAIN.get(id(value))
        if plain is None:
            return as_it_is(self, instruction)
        return VariableTracker.build(self, plain)

    reader._load_const = load_const  # noqa: SLF001  # there is no other hook
