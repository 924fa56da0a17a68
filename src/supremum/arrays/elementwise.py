"""Elementwise functions, made from `functions`, and `clip`, which takes bounds."""

from __future__ import annotations

from typing import Any

from .array import WHOLE, Array
from .engine import Engine
from .functions import BINARY, UNARY
from .operand import as_array
from .operations import function_of_one, function_of_two, operate

__all__: list[str] = []
__all__.extend([*UNARY, *BINARY, "clip"])  # noqa: PYI056  # griffe reads `+=`, and only strings


def _make() -> None:
    for made, formulas in ((function_of_one, UNARY), (function_of_two, BINARY)):
        for name, formula in formulas.items():
            function = made(name)
            function.__name__ = function.__qualname__ = name
            function.__doc__ = f"Return {formula}, element by element."
            globals()[name] = function


_make()


def clip(engine: Engine, x: Any, /, min: Any = None, max: Any = None) -> Array:
    """Clamp each element to the range [min, max].

    Args:
        engine: what decides and computes.
        x: an array.
        min: the lower bound, a number or an array; None for no bound.
        max: the upper bound.
    """
    x = as_array(engine, x)
    if int in (type(min), type(max)) and engine.decider.rule("clip").ints == "any":
        min, max = _bounding(engine, x, min, max)  # noqa: A001  # the standard's names
    if max is None:
        if min is not None:
            return operate(engine, "clip", (x, min), {"is_least": True})
        engine.decide("clip", x)  # which refuses what has no order
        return engine.same(engine.backend.copied(x.native), x.key)
    if min is None:
        return operate(engine, "clip", (x, max), {"is_least": False})
    return operate(engine, "clip", (x, min, max))


def _bounding(engine: Engine, x: Array, low: Any, high: Any) -> tuple[Any, Any]:
    """Return bounds without ints that no element of the array reaches, which are None."""
    d = x.key.dtype
    bounds = [bound for bound in (low, high) if bound is not None]
    if d.kind in WHOLE and bounds and engine.decide("clip", x, *bounds).dtype is d:
        low = None if type(low) is int and low < d.min else low
        high = None if type(high) is int and high > d.max else high
    return low, high
