"""NumPy's ufuncs on our arrays: if one operand is ours, our rules decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..core.dtypes import DType
from ..core.functions import canonical
from .array import LETTERS, Array, summed_in
from .functions import BINARY, UNARY
from .operand import as_operand

# The functions of the namespace by the names of the catalogue, which knows NumPy's, too.
_NAMES: Final[Mapping[str, str]] = {
    canonical(name) or name: name for name in (*UNARY, *BINARY, "matmul")
}

# Those whose `reduce` the standard has as a function. NumPy's own sum, min and so on call it.
_REDUCTIONS: Final[Mapping[str, str]] = {
    "add": "sum",
    "logical_and": "all",
    "logical_or": "any",
    "maximum": "max",
    "minimum": "min",
    "multiply": "prod",
}


def apply_ufunc(
    xp: Any, ufunc: Any, method: str, inputs: Sequence[Any], given: Mapping[str, Any]
) -> Any:
    """Return what a ufunc of NumPy gives under the rules of a namespace.

    One that the namespace does not have, such as SciPy's, is computed by NumPy, in the dtype that
    our rules give to a function like `exp`.

    Raises:
        TypeError: for its other methods, for keywords, and on Dask for one that the namespace does
            not have.
    """
    name = _NAMES.get(canonical(ufunc.__name__) or "")
    if method == "__call__" and not given and name is not None:
        return xp.operate(name, *inputs)
    if method == "__call__" and not given and xp.engine.backend.is_eager:
        return _elsewhere(xp, ufunc, inputs)
    options = {k: v for k, v in given.items() if v is not None or k == "axis"}
    if ufunc.__name__.startswith("logical"):
        options.pop("dtype", None)  # np.all says bool, which it is
    reduction = _REDUCTIONS.get(ufunc.__name__) if method == "reduce" else None
    if reduction and options.keys() <= {"axis", "keepdims", "dtype"}:
        return getattr(xp, reduction)(*inputs, **{"axis": 0, **options})
    what = f"np.{ufunc.__name__}" if method == "__call__" else f"np.{ufunc.__name__}.{method}"
    if "out" in options:
        raise TypeError(
            f"{what}(..., out=) is not supported for arrays of {xp}, as the array API has no out; "
            f"write y = y + x instead of y += x, or np.asarray(x) for NumPy's rules"
        )
    keywords = ", ".join(f"{option}=" for option in options)
    what += f"(..., {keywords})" if options else ""
    raise TypeError(
        f"{what} is not supported for arrays of {xp}; use a function of the namespace, or "
        f"np.asarray(x) for NumPy's rules"
    )


def _elsewhere(xp: Any, ufunc: Any, inputs: Sequence[Any]) -> Any:
    """Return what a ufunc gives that the namespace does not have."""
    operands = [as_operand(xp.engine, x) for x in inputs]
    shared = xp.engine.decider.rules.result_type(*operands)
    known = canonical(ufunc.__name__) or ""
    has_rule = xp.engine.decider.rules.rule(known) is not None
    d = xp.engine.decider.decide(*((known, *operands) if has_rule else ("exp", shared))).dtype
    compute = summed_in(d if d.kind in ("float", "complex") else shared)
    values = [_values(ufunc, x, compute) for x in operands]
    found = ufunc(*values)
    several = isinstance(found, tuple)
    made = [_as_ours(xp, one, d) for one in (found if several else (found,))]
    return tuple(made) if several else made[0]


def _values(ufunc: Any, x: Any, compute: DType) -> Any:
    """Return an operand as NumPy has it, in the dtype to compute in."""
    if not isinstance(x, Array):
        return x
    if getattr(x.native, "requires_grad", False):
        raise TypeError(
            f"np.{ufunc.__name__} would lose the gradient of its operand; use a function of the "
            f"namespace or of PyTorch, or detach it first, with xp.asarray(x.native.detach())"
        )
    return np.asarray(x).astype(compute.to("numpy"), copy=False)


def _as_ours(xp: Any, found: Any, d: DType) -> Array:
    """Return a result as an array of ours; floats in the dtype that our rules give."""
    own = np.asarray(found)
    if own.dtype.kind == LETTERS[d.kind]:
        return xp.asarray(own, dtype=d)  # type: ignore[no-any-return]  # an array
    return xp.asarray(own)  # type: ignore[no-any-return]  # the same
