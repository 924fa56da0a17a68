"""Kernels that are NumPy's ufuncs: casts become the result. What is 0-d may be a scalar."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from .base import Kernel

_LARGE: Final = 1 << 13  # in elements, measured: from here on it is faster to compute into a cast
_HUGE: Final = 1 << 21  # but from here on piece by piece, if a cast has to be twice as wide or more


def result_dtype(
    function: Kernel, native: Any, count: int, options: Mapping[str, Any] | None = None
) -> Any:
    """Return the dtype that a ufunc, or `clip`, gives for one dtype; None if it takes none."""
    empty = np.empty(0, np.int8 if options else native)
    try:
        return function(*[empty] * count, **(options or {})).dtype
    except TypeError:
        return None


def array_from(function: Kernel, *operands: Any, **options: Any) -> Any:
    """Return what a function gives as an array, which may be 0-d."""
    return np.asarray(function(*operands, **options))


def into_cast(
    function: Kernel, options: Mapping[str, Any], run: Kernel, casts: Sequence[int], *, pair: bool
) -> Kernel:
    """Return a ufunc that computes into an operand's cast, if that has the shape of the result.

    Args:
        function: the ufunc, of one or two operands.
        options: with which it casts its operands itself.
        run: the same, if the result has another shape.
        casts: which operands are to be cast.
        pair: whether it takes two arrays.
    """
    native, is_second = options["signature"][0], casts[0] == 1
    others = {} if len(casts) == 1 else options

    def run_one(x: Any) -> Any:
        if type(x) is not np.ndarray:  # a scalar, as Dask has it
            return run(x)
        made = x.astype(native)
        return function(made, out=made)

    def run_two(x: Any, y: Any) -> Any:
        cast, other = (y, x) if is_second else (x, y)
        if cast.size < _LARGE and not others:
            return function(x, y.astype(native)) if is_second else function(x.astype(native), y)
        if cast.size >= _HUGE and 2 * cast.dtype.itemsize <= native.itemsize:
            return run(x, y)
        alike = not pair or cast.shape == other.shape or _is_spread(other, cast)
        if type(cast) is not np.ndarray or not alike:
            return run(x, y)
        made = cast.astype(native, order_of(other) if pair and cast.ndim > 1 else "K")
        if is_second:
            return function(x, made, out=made, **others)
        return function(made, y, out=made, **others)

    return run_one if function.nin == 1 else run_two


def order_of(*others: Any) -> Any:
    """Return the layout of a cast that is computed into: NumPy's results have that of all or C."""
    return "K" if all(x.flags.f_contiguous for x in others) else "C"


def _is_spread(x: Any, over: Any) -> bool:
    """Tell whether an array broadcasts to the shape of a large one."""
    if over.size < _LARGE or x.ndim > over.ndim:
        return False
    return all(n in (1, m) for n, m in zip(x.shape[::-1], over.shape[::-1], strict=False))


def with_numbers(run: Kernel, to: Any, numbers: Sequence[int], *operands: Any) -> Any:
    """Return what a kernel gives for operands of which some are numbers, made scalars first."""
    values = list(operands)
    for index in numbers:
        values[index] = to(values[index])
    return run(*values)


def float_of(scalar: Any) -> Kernel:
    """Return what makes a scalar of ml_dtypes, which takes no int that is large."""
    return lambda value: scalar(float(value))


def cast_after(run: Kernel, final: Any, *operands: Any) -> Any:
    """Return what a kernel gives in another dtype."""
    return run(*operands).astype(final, copy=False)
