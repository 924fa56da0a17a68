"""NumPy's ufuncs on our arrays: if one operand is ours, our rules decide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from ..core.functions import canonical
from .functions import BINARY, UNARY
from .numpy_functions import not_supported, stored

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

    Raises:
        PromotionError: if the rules refuse the operands.
        TypeError: for what the namespace does not have.
    """
    options = {k: v for k, v in given.items() if v is not None or k == "axis"}
    out = options.pop("out", (None,))[0]
    title = f"np.{ufunc.__name__}" if hasattr(np, ufunc.__name__) else ufunc.__name__
    if method == "reduce" and ufunc.__name__ in _REDUCTIONS:
        found = _reduced(xp, ufunc.__name__, title, inputs, options)
        return found if out is None else stored(found, out)
    name = _NAMES.get(canonical(ufunc.__name__) or "")
    if name is None or method != "__call__":
        raise not_supported(xp, title if method == "__call__" else f"{title}.{method}")
    if options:
        raise not_supported(xp, title, f" with {', '.join(sorted(options))}=")
    found = xp.operate(name, *inputs)
    return found if out is None else stored(found, out, is_spread=True)


def _reduced(xp: Any, name: str, title: str, inputs: Sequence[Any], options: dict[str, Any]) -> Any:
    if name.startswith("logical"):
        options.pop("dtype", None)  # np.all says bool, which it is
    if extra := ", ".join(sorted(options.keys() - {"axis", "keepdims", "dtype"})):
        raise not_supported(xp, f"{title}.reduce", f" with {extra}=")
    return getattr(xp, _REDUCTIONS[name])(*inputs, **{"axis": 0, **options})
