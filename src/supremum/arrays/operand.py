"""What may stand beside an array: arrays of the namespace, NumPy's, and Python numbers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ..core.dtypes import PYTHON_SCALARS, DType
from ..core.errors import NoJoinError, PromotionError
from ..core.function_rules import FunctionRule
from ..core.operands import operand
from .array import Array
from .backends.base import is_numpy
from .conversion import asarray
from .engine import Engine

OPERANDS: Final = Array, bool, int, float, complex
"""The classes of operands beside an array, but for the arrays of other libraries."""


def is_array(x: Any) -> bool:
    """Tell whether something is an array or a scalar of any library."""
    return hasattr(x, "dtype") and hasattr(x, "shape")


def as_operand(engine: Engine, x: Any) -> Any:
    """Return an operand as an array of a namespace; a Python number stays one.

    Raises:
        PromotionError: for an array of another namespace or library.
        TypeError: for something that is not an operand.
    """
    if isinstance(x, (bool, int, float, complex)) and not is_array(x):
        return next(kind for kind in PYTHON_SCALARS if isinstance(x, kind))(x)
    return as_array(engine, x)


def as_array(engine: Engine, x: Any) -> Array:
    """Return an operand as an array of a namespace.

    Raises:
        PromotionError: for an array of another namespace or library.
        TypeError: for something that is not an operand.
    """
    if isinstance(x, Array):
        if x.engine is not engine:
            raise _mixed(engine, x, repr(x.engine))
        return x
    if is_numpy(x) or engine.backend.is_own(x):
        check_meaning(engine, x)
        return asarray(engine, x)
    if is_array(x):
        raise _mixed(engine, x, operand(x).library)
    if isinstance(x, (bool, int, float, complex)):
        return asarray(engine, as_operand(engine, x))
    if isinstance(x, (list, tuple)):
        msg = f"a {type(x).__name__} is not an operand of {engine}"
        raise TypeError(f"{msg}; convert it first, with xp.asarray(y)")
    what = "None" if x is None else f"a {type(x).__name__}"
    raise TypeError(f"{what} is not an operand of {engine}; pass an array or a number")


def misplaced(name: str, operands: str, others: Sequence[Any]) -> TypeError:
    """Return the error for an axis that is given by its place, as NumPy takes it."""
    return TypeError(f"{name} takes an axis by its name: xp.{name}({operands}, axis={others[0]!r})")


def unknown(name: str, others: Iterable[str]) -> TypeError:
    """Return the error for a keyword of a function of operands, such as NumPy's ``out``."""
    return TypeError(
        f"{name} does not take {', '.join(others)}: in the array API it takes only operands; write "
        f"y = xp.{name}(...), or y[...] = xp.{name}(...) to write into an array"
    )


def check_meaning(engine: Engine, x: Any) -> None:
    """Refuse an array of NumPy that means more than its values.

    So it is with masks, matrices, units and fields: all subclasses, but for those in files.

    Raises:
        TypeError: with what to type.
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(x, numpy.ndarray):
        return
    if type(x) not in (numpy.ndarray, numpy.memmap):
        raise TypeError(
            f"a {type(x).__name__} is not an operand of {engine}, which would drop what it means "
            f"beside its values; pass these, as in np.asarray(y), or convert the other operand, "
            f"with np.asarray(x)"
        )


def as_native(engine: Engine, x: Any, d: DType, device: Any) -> Any:
    """Return an operand as an array of the backend in a dtype."""
    if type(x) in PYTHON_SCALARS:
        return asarray(engine, x, dtype=d, device=device).native
    return engine.backend.cast(as_array(engine, x).native, d)


def check_into(
    engine: Engine,
    rule: FunctionRule,
    what: str,
    why: str,
    result: DType,
    operands: Sequence[Any],
) -> None:
    """Refuse a result that an array may not take.

    Args:
        engine: what decides and computes.
        rule: the rule that says what the first operand takes.
        what: what would put the result into the first operand.
        why: why that is refused.
        result: the dtype of the result.
        operands: the array, and what is put into it.

    Raises:
        PromotionError: if the rule refuses.
    """
    own = operands[0].key.dtype
    try:
        rule.check_store(what, result, own)
    except NoJoinError:
        rules = engine.rules
        to = getattr(engine.decider.defaults, result.name.rstrip("*")) if result.weak else result
        raise PromotionError(
            f"{what} on the {engine.backend.name} backend would put {result} into {own}, {why}; "
            f"widen the array first with x = xp.astype(x, xp.{to}), or cast with "
            f"xp.astype(y, xp.{own})",
            operands, rules.name, dict(rules.setting),
        ) from None  # fmt: skip


def _mixed(engine: Engine, x: Any, other: str) -> PromotionError:
    return PromotionError(
        f"one operand is from {other} and one from {engine}; choose one of the two, and convert "
        f"the other operand with its asarray, for example xp.asarray(y)",
        (x,), engine.rules.name, dict(engine.rules.setting),
    )  # fmt: skip
