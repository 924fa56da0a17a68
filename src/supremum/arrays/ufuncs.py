"""NumPy's ufuncs on our arrays: if one operand is ours, our rules decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from ..core.functions import canonical
from .functions import BINARY, UNARY

if TYPE_CHECKING:
    from .space import Namespace

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
    xp: Namespace, ufunc: Any, method: str, inputs: Sequence[Any], given: Mapping[str, Any]
) -> Any:
    """Return what a ufunc of NumPy gives under the rules of a namespace.

    Raises:
        TypeError: for one that the namespace does not have, for its other methods, and for
            keywords.
    """
    name = _NAMES.get(canonical(ufunc.__name__) or "")
    if method == "__call__" and not given and name is not None:
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
            f"{what}(..., out=) is not supported for arrays of {xp}, as the array API has no out; "
            f"write y = y + x instead of y += x, or np.asarray(x) for NumPy's rules"
        )
    keywords = ", ".join(f"{option}=" for option in options)
    what += f"(..., {keywords})" if options else ""
    raise TypeError(
        f"{what} is not supported for arrays of {xp}; use a function of the namespace, or "
        f"np.asarray(x) for NumPy's rules"
    )
