"""Testing elements, and their differences."""

from __future__ import annotations

from typing import Any, Final

from ..core.dtypes import by_name
from .array import Array, Axes
from .engine import Engine
from .manipulation import concat
from .operand import as_array
from .operations import operate, reduced

__all__ = ["all", "any", "diff"]


_BOOL: Final = by_name("bool")


def all(engine: Engine, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:  # noqa: A001  # the standard's name
    """Tell whether all elements along some axes are nonzero."""
    return reduced(engine, "all", x, _BOOL, axis=axis, keepdims=keepdims)


def any(engine: Engine, x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Array:  # noqa: A001  # the same
    """Tell whether any element along some axes is nonzero."""
    return reduced(engine, "any", x, _BOOL, axis=axis, keepdims=keepdims)


def diff(
    engine: Engine,
    x: Any,
    /,
    *,
    axis: int = -1,
    n: int = 1,
    prepend: Any = None,
    append: Any = None,
) -> Array:
    """Return the `n`-th difference between neighbours along an axis."""
    x = as_array(engine, x)
    parts = [part for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        x = concat(engine, parts, axis=axis)
    for _ in range(n):
        length = x.shape[axis]
        key = [slice(None)] * x.ndim
        key[axis] = slice(1, None)
        after = x[tuple(key)]
        key[axis] = slice(None, None if length is None else length - 1 if length else 0)
        before = x[tuple(key)]
        name = "subtract"
        if x.key.dtype.kind == "bool" and engine.decide("diff", x).dtype is x.key.dtype:
            name = "not_equal"
        x = operate(engine, name, (after, before))
    if not n and len(parts) == 1:
        return engine.same(engine.backend.copied(x.native), x.key)
    return x  # type: ignore[no-any-return]  # it is an array
