"""What JAX traces: inside, arguments are tracers, whose causes are those of what was passed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

_RUN_FUNCTIONS: Final = frozenset(
    {"scan", "map", "fori_loop", "while_loop", "cond", "switch", "associative_scan"}
)


def is_tracer(t: type) -> bool:
    """Tell whether values of a type are those that JAX traces."""
    return _is_tracer(t)


@cache
def _is_tracer(t: Any) -> bool:
    return any(c.__name__ == "Tracer" and c.__module__.startswith("jax") for c in t.__mro__)


def is_traced(value: Any) -> bool:
    """Tell whether a value stands for one that is not there yet."""
    return is_tracer(type(value))


def updated(base: Any) -> Any:
    """Return the array that ``array.at[index]`` refers to, or None if a value is not such."""
    is_update = type(base).__name__ == "_IndexUpdateRef"
    return base.array if is_update and type(base).__module__.startswith("jax") else None


def runs_functions(function: Any, name: str) -> bool:
    """Tell whether a function may run code of the program on tracers."""
    own = str(getattr(function, "__module__", "")).startswith("jax")
    return not own or name in _RUN_FUNCTIONS


def leaves(values: Any, most: int = 256) -> Iterator[Any]:
    """Yield what tuples, lists and dictionaries hold."""
    stack = [values]
    while stack and most:
        most -= 1
        value = stack.pop()
        if isinstance(value, (tuple, list)):
            stack += value[:most]
        elif type(value) is dict:
            stack += [*value.values()][:most]
        else:
            yield value
