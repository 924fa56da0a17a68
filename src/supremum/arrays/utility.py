"""Testing elements, and their differences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .array import Array
    from .space import Namespace

__all__ = ["all", "any", "diff"]


def _tested(xp: Namespace, name: str, x: Any, axis: Any, keepdims: bool) -> Array:
    x = xp._taken(x)
    found = xp._call(name, x._key.dtype, x.native, axis=axis, keepdims=keepdims)
    return xp._wrap(found, xp.bool._dtype)


def all(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:  # noqa: A001  # the standard's name
    """Tell whether all elements along some axes are nonzero."""
    return _tested(xp, "all", x, axis, keepdims)


def any(xp: Namespace, x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Array:  # noqa: A001  # the same
    """Tell whether any element along some axes is nonzero."""
    return _tested(xp, "any", x, axis, keepdims)


def diff(
    xp: Namespace, x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None
) -> Array:
    """Return the `n`-th difference between neighbours along an axis."""
    x = xp._taken(x)
    parts = [part for part in (prepend, x, append) if part is not None]
    if len(parts) > 1:
        x = xp.concat(parts, axis=axis)
    for _ in range(n):
        length = x.shape[axis]
        key = [slice(None)] * x.ndim
        key[axis] = slice(1, None)
        after = x[tuple(key)]
        key[axis] = slice(None, None if length is None else length - 1 if length else 0)
        before = x[tuple(key)]
        name = "subtract"
        if x._key.dtype.kind == "bool" and xp._decide("diff", x).dtype is x._key.dtype:
            name = "not_equal"
        x = xp.operate(name, after, before)
    return x  # type: ignore[no-any-return]  # it is an array
