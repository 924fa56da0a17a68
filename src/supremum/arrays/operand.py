"""What may stand beside an array: arrays of the namespace, NumPy's, and Python numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ..core.dtype_names import by_name
from ..core.dtypes import DType
from ..core.errors import NoJoinError, PromotionError
from ..core.function_rules import FunctionRule
from ..core.operands import PYTHON_SCALARS, operand
from ..core.rule_parts import Store
from .array import Array
from .backends.base import is_numpy

if TYPE_CHECKING:
    from .space import Namespace

# What is stored in part of an array may not change its kind, but integers may change their sign.
_STORE: Final = FunctionRule(store=Store("category"))

_WIDER: Final = ("int16", "int32", "int64", "uint64")


def is_operand(x: Any) -> bool:
    """Tell whether something may be an operand beside an array."""
    return isinstance(x, (Array, bool, int, float, complex)) or is_array(x)


def is_array(x: Any) -> bool:
    """Tell whether something is an array or a scalar of any library."""
    return hasattr(x, "dtype") and hasattr(x, "shape")


def as_operand(xp: Namespace, x: Any) -> Any:
    """Return an operand as an array of a namespace; a Python number stays one.

    Raises:
        PromotionError: for an array of another namespace or library.
        TypeError: for something that is not an operand.
    """
    if isinstance(x, (bool, int, float, complex)) and not is_array(x):
        return next(kind for kind in PYTHON_SCALARS if isinstance(x, kind))(x)
    return as_array(xp, x)


def as_array(xp: Namespace, x: Any) -> Array:
    """Return an operand as an array of a namespace.

    Raises:
        PromotionError: for an array of another namespace or library.
        TypeError: for something that is not an operand.
    """
    if isinstance(x, Array):
        if x._xp is not xp:
            raise _mixed(xp, x, str(x._xp))
        return x
    if is_numpy(x) or xp._backend.is_own(x):
        return xp.asarray(x)  # type: ignore[no-any-return]  # it is an array
    if is_array(x):
        raise _mixed(xp, x, operand(x).library)
    if isinstance(x, (bool, int, float, complex)):
        return xp.asarray(as_operand(xp, x))  # type: ignore[no-any-return]  # the same
    if isinstance(x, (list, tuple)):
        msg = f"a {type(x).__name__} is not an operand of {xp}"
        raise TypeError(f"{msg}; convert it first, with xp.asarray(y)")
    what = "None" if x is None else f"a {type(x).__name__}"
    raise TypeError(f"{what} is not an operand of {xp}; pass an array or a number")


def as_stored(xp: Namespace, array: Array, value: Any) -> Any:
    """Return what is stored in part of an array: data of the backend, in its dtype.

    Raises:
        PromotionError: if that would change its kind.
        OverflowError: for a Python int that does not fit.
    """
    ready = as_operand(xp, value)
    d = ready._key.dtype if isinstance(ready, Array) else PYTHON_SCALARS[type(ready)]
    what = f"a store of {text_of([ready])} in {text_of([array])}"
    check_into(xp, _STORE, what, "which is of another kind", d, (array, ready))
    if isinstance(ready, Array):
        return xp._backend.cast(ready.native, array._key.dtype)
    return xp.asarray(ready, dtype=array._key.dtype, device=array.device).native


def check_into(
    xp: Namespace,
    rule: FunctionRule,
    what: str,
    why: str,
    result: DType,
    operands: Sequence[Any],
) -> None:
    """Refuse a result that an array may not take.

    Args:
        xp: the namespace.
        rule: the rule that says what the first operand takes.
        what: what would put the result into the first operand.
        why: why that is refused.
        result: the dtype of the result.
        operands: the array, and what is put into it.

    Raises:
        PromotionError: if the rule refuses.
    """
    own = operands[0]._key.dtype
    try:
        rule.check_store(what, result, own)
    except NoJoinError:
        rules = xp.rules
        to = getattr(xp.decider.defaults, result.name.rstrip("*")) if result.weak else result
        raise PromotionError(
            f"{what} on the {xp.backend} backend would put {result} into {own}, {why}; widen the "
            f"array first with x = xp.astype(x, xp.{to}), or cast with xp.astype(y, xp.{own})",
            operands, rules.name, dict(rules.setting),
        ) from None  # fmt: skip


def fitting(xp: Namespace, number: int) -> DType:
    """Return a dtype of the namespace that holds an int, or its default float dtype."""
    wide = [d for d in map(by_name, _WIDER) if xp.decider.knows(d)]
    return next((d for d in wide if d.min <= number <= d.max), xp.decider.defaults.float)


def text_of(operands: Sequence[Any]) -> str:
    """Return operands as a message names them."""
    return " and ".join(operand(x).text for x in operands)


def _mixed(xp: Namespace, x: Any, other: str) -> PromotionError:
    return PromotionError(
        f"one operand is from {other} and one from {xp}; choose one of the two, and convert the "
        f"other operand with its asarray, for example xp.asarray(y)",
        (x,), xp.rules.name, dict(xp.rules.setting),
    )  # fmt: skip
