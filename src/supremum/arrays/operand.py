"""What may stand beside an array: arrays of the namespace, NumPy's, and Python numbers."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from supremum.arrays.array import Array
from supremum.dtypes import DType, by_name
from supremum.errors import NoJoinError, PromotionError
from supremum.operands import PYTHON_SCALARS, operand
from supremum.operators import apply

if TYPE_CHECKING:
    from supremum.arrays.space import Namespace

# What is stored in part of an array may not change its kind, but integers may change their sign.
_STORE: Final = "into category"

_WIDER: Final = ("int16", "int32", "int64", "uint64")


def is_operand(x: Any) -> bool:
    """Tell whether something may be an operand beside an array."""
    return isinstance(x, (Array, bool, int, float, complex)) or _is_array(x)


def as_operand(xp: Namespace, x: Any) -> Any:
    """Return an operand as an array of a namespace; a Python number stays one.

    Raises:
        PromotionError: for an array of another namespace or library.
        TypeError: for what is no operand.
    """
    if isinstance(x, (bool, int, float, complex)) and not _is_array(x):
        return next(kind for kind in PYTHON_SCALARS if isinstance(x, kind))(x)
    return as_array(xp, x)


def as_array(xp: Namespace, x: Any) -> Array:
    """Return an operand as an array of a namespace.

    Raises:
        PromotionError: for an array of another namespace or library.
        TypeError: for what is no operand.
    """
    if isinstance(x, Array):
        if x._xp is not xp:
            raise _mixed(xp, x, str(x._xp))
        return x
    if _is_numpy(x) or xp._backend.is_own(x):
        return xp.asarray(x)  # type: ignore[no-any-return]  # it is an array
    if _is_array(x):
        raise _mixed(xp, x, operand(x).library)
    if isinstance(x, (bool, int, float, complex)):
        return xp.asarray(as_operand(xp, x))  # type: ignore[no-any-return]  # the same
    if isinstance(x, (list, tuple)):
        told = f"a {type(x).__name__} is no operand of {xp}"
        raise TypeError(f"{told}; make an array of it first, with xp.asarray(y)")
    given = "None" if x is None else f"a {type(x).__name__}"
    raise TypeError(f"{given} is no operand of {xp}; pass an array or a number")


def as_stored(xp: Namespace, array: Array, value: Any) -> Any:
    """Return what is stored in part of an array: data of the backend, in its dtype.

    Raises:
        PromotionError: where that would change its kind.
        OverflowError: for a Python int that does not fit.
    """
    given = as_operand(xp, value)
    d = given.dtype if isinstance(given, Array) else PYTHON_SCALARS[type(given)]
    what = f"a store of {text_of([given])} in {text_of([array])}"
    check_into(xp, _STORE, what, "which is of another kind", d, (array, given))
    if isinstance(given, Array):
        return xp._backend.cast(given.native, array.dtype)
    return xp.asarray(given, dtype=array.dtype, device=array.device).native


def check_into(
    xp: Namespace, words: str, what: str, why: str, found: DType, operands: Sequence[Any]
) -> None:
    """Refuse a result that an array may not take.

    Args:
        xp: the namespace.
        words: which casts are allowed, as the rules of operators in place say it.
        what: what would put the result into the first operand.
        why: why that is refused where it is none of them.
        found: the dtype of the result.
        operands: the array, and what is put into it.

    Raises:
        PromotionError: where it is none of them.
    """
    own = operands[0].dtype
    try:
        apply({what: words}, what, found, [own])
    except NoJoinError:
        rules = xp.rules
        to = getattr(xp.decider.defaults, found.name.rstrip("*")) if found.weak else found
        raise PromotionError(
            f"{what} on the {xp.backend} backend would put {found} into {own}, {why}; make room "
            f"first with x = xp.astype(x, xp.{to}), or cast with xp.astype(y, xp.{own})",
            operands, rules.name, dict(rules.setting),
        ) from None  # fmt: skip


def fitting(xp: Namespace, number: int) -> DType:
    """Return a dtype of the namespace that holds an int, or its default float dtype."""
    wide = [d for d in map(by_name, _WIDER) if xp.decider.knows(d)]
    return next((d for d in wide if d.min <= number <= d.max), xp.decider.defaults.float)


def text_of(operands: Sequence[Any]) -> str:
    """Return operands as a message names them."""
    return " with ".join(operand(x).text for x in operands)


def _mixed(xp: Namespace, x: Any, other: str) -> PromotionError:
    return PromotionError(
        f"one operand is of {other} and one of {xp}; choose one of the two, and convert the other "
        f"with its asarray, for example xp.asarray(y)",
        (x,), xp.rules.name, dict(xp.rules.setting),
    )  # fmt: skip


def _is_array(x: Any) -> bool:
    return hasattr(x, "dtype") and hasattr(x, "shape")


def _is_numpy(x: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, (numpy.ndarray, numpy.generic))
