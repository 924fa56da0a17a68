"""NumPy's ufuncs on our arrays: if one operand is ours, our rules decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..core.dtypes import DType
from ..core.functions import canonical
from .array import LETTERS, Array, summed_in
from .functions import BINARY, UNARY
from .numpy_values import (
    Call,
    by_values,
    has_rule,
    not_supported,
    rule_name,
    store,
    stored,
    values_of,
)
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

    What the namespace does not have is computed by NumPy. One that there is no rule for, such as
    SciPy's, has the dtype that our rules give to a function like `exp`.

    Raises:
        PromotionError: if the rules refuse the operands.
        TypeError: for what there is no rule for, and for what NumPy computes, of arrays whose
            values are not known.
    """
    options = {k: v for k, v in given.items() if v is not None or k == "axis"}
    out = options.pop("out", (None,))
    if method != "__call__":
        found = _by_method(xp, ufunc, method, inputs, options)
        return found if out[0] is None else stored(found, out[0])
    mask = options.get("where", True)
    if mask is not True:
        if len(out) > 1 or out[0] is None:
            what = f"np.{ufunc.__name__}(..., where=) without out="
            raise not_supported(xp, what, "as it leaves elements undefined")
        options["out"] = None  # asked for, so that NumPy does not warn
    found = _called(xp, ufunc, inputs, options)
    if mask is not True:
        found = xp.where(mask, found, out[0])
    if isinstance(found, tuple):
        return tuple(
            x if y is None else stored(x, y, is_spread=True)
            for x, y in zip(found, out if len(out) > 1 else [None] * len(found), strict=True)
        )
    return found if out[0] is None else stored(found, out[0], is_spread=True)


def _called(xp: Any, ufunc: Any, inputs: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Return what a ufunc gives for operands."""
    name = _NAMES.get(canonical(ufunc.__name__) or "")
    if name is not None and not options:
        return xp.operate(name, *inputs)
    if not has_rule(xp, ufunc.__name__) and not options:
        return _elsewhere(xp, ufunc, inputs)
    return by_values(xp, _call(ufunc, "__call__", inputs, options))


def _by_method(
    xp: Any, ufunc: Any, method: str, inputs: Sequence[Any], options: dict[str, Any]
) -> Any:
    """Return what a method of a ufunc gives, such as `reduce`."""
    call = _call(ufunc, method, inputs, options)
    if method == "at":
        return store(xp, call)
    if ufunc.__name__.startswith("logical"):
        options.pop("dtype", None)  # np.all says bool, which it is
    reduction = _REDUCTIONS.get(ufunc.__name__) if method == "reduce" else None
    if reduction and options.keys() <= {"axis", "keepdims", "dtype"}:
        return getattr(xp, reduction)(*inputs, **{"axis": 0, **options})
    return by_values(xp, call)


def _call(ufunc: Any, method: str, inputs: Sequence[Any], options: Mapping[str, Any]) -> Call:
    title = f"np.{ufunc.__name__}" if method == "__call__" else f"np.{ufunc.__name__}.{method}"
    name = rule_name(ufunc.__name__, method)
    return Call(title, name, getattr(ufunc, method), inputs, options, inputs)


def _elsewhere(xp: Any, ufunc: Any, inputs: Sequence[Any]) -> Any:
    """Return what a ufunc of another library gives; without a rule, in a dtype as that of `exp`."""
    operands = [as_operand(xp.engine, x) for x in inputs]
    shared = xp.engine.decider.rules.result_type(*operands)
    known = canonical(ufunc.__name__) or ""
    is_known = xp.engine.decider.rules.rule(known) is not None
    d = xp.engine.decide(*((known, *operands) if is_known else ("exp", shared))).dtype
    compute = summed_in(d if d.kind in ("float", "complex") else shared).to("numpy")
    title = f"np.{ufunc.__name__}"
    values = [
        values_of(xp, title, x).astype(compute, copy=False) if isinstance(x, Array) else x
        for x in operands
    ]
    found = ufunc(*values)
    made = [_as_ours(xp, x, d) for x in (found if isinstance(found, tuple) else (found,))]
    return tuple(made) if isinstance(found, tuple) else made[0]


def _as_ours(xp: Any, found: Any, d: DType) -> Array:
    """Return a result as an array of ours; floats in the dtype that our rules give."""
    own = np.asarray(found)
    is_alike = own.dtype.kind == LETTERS[d.kind]
    return xp.asarray(own, dtype=d if is_alike else None)  # type: ignore[no-any-return]  # an array
