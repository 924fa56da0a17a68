"""NumPy's ufuncs on our arrays: where one operand is ours, our rules decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from supremum.arrays.functions import BINARY, UNARY

if TYPE_CHECKING:
    from supremum.arrays.space import Namespace

# The ufuncs that the standard calls otherwise.
_NAMES: Final[Mapping[str, str]] = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "conjugate": "conj",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "power": "pow",
    "rint": "round",
    "right_shift": "bitwise_right_shift",
    "true_divide": "divide",
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
    xp: Namespace, ufunc: Any, method: str, inputs: Sequence[Any], given: Mapping[str, Any]
) -> Any:
    """Return what a ufunc of NumPy gives, by the rules of a namespace.

    Raises:
        TypeError: for one that the namespace does not have, for methods of it, and for keywords.
    """
    name = _NAMES.get(ufunc.__name__, ufunc.__name__)
    if method == "__call__" and not given and name in {*UNARY, *BINARY, "matmul"}:
        return xp.operate(name, *inputs)
    options = {k: v for k, v in given.items() if v is not None or k == "axis"}
    if ufunc.__name__.startswith("logical"):
        options.pop("dtype", None)  # np.all says bool, which it is
    reduction = _REDUCTIONS.get(ufunc.__name__) if method == "reduce" else None
    if reduction and options.keys() <= {"axis", "keepdims", "dtype"}:
        return getattr(xp, reduction)(*inputs, **{"axis": 0, **options})
    what = f"np.{ufunc.__name__}" if method == "__call__" else f"np.{ufunc.__name__}.{method}"
    if "out" in options:
        raise TypeError(
            f"{what} puts no result of arrays of {xp} into another array, as the array API has no "
            f"out; write y = y + x in place of y += x, or np.asarray(x) for NumPy's rules"
        )
    keywords = f" with {', '.join(options)}" if options else ""
    raise TypeError(
        f"{what}{keywords} does not take arrays of {xp}; use a function of theirs, or "
        f"np.asarray(x) for NumPy's rules"
    )
