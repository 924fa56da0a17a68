"""A plan: what computes a function of operands of some dtypes, made once and looked up after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from supremum.arrays.array import Array, Key, key_of
from supremum.arrays.functions import COMPARISONS
from supremum.arrays.operand import check_into, fitting, text_of
from supremum.dtypes import DType
from supremum.errors import DTypeError

if TYPE_CHECKING:
    from supremum.arrays.space import Namespace

INTO: Final = "into "
"""What stands before the name of a function whose result is put into its first operand."""


class Plan(NamedTuple):
    """What computes a function of operands of some dtypes.

    Attributes:
        run: takes the backend's arrays, and Python numbers as they are.
        key: the dtype of the result, and whether it is weak.
        check: refuses Python ints that do not fit; None where there are none, or all fit.
    """

    run: Callable[..., Any]
    key: Key
    check: Callable[[Sequence[Any]], None] | None


def plan(xp: Namespace, name: str, operands: Sequence[Any]) -> Plan:
    """Return how a namespace computes a function.

    Args:
        xp: the namespace.
        name: the function, after `INTO` where its result is put into the first operand.
        operands: arrays of the namespace, and Python numbers.

    Raises:
        PromotionError: where the rules refuse.
        DTypeError: where the backend lacks the dtype.
    """
    if name.startswith(INTO):
        return _into(xp, name.removeprefix(INTO), operands)
    decision = xp._decide(name, *operands)
    given = [x.dtype if isinstance(x, Array) else None for x in operands]
    compute, key = decision.compute, key_of(decision.dtype, decision.weak)
    try:
        run = xp._backend.kernel(name, given, compute, decision.dtype)
    except DTypeError as error:
        what = f"{name} of {text_of(operands)}"
        told = f"{what} gives {decision.dtype} by {xp.rules.name} rules, and {error}"
        raise DTypeError(told, decision.dtype) from None
    if name in COMPARISONS.values() and xp.rules.name == xp.backend == "numpy":
        # NumPy compares integers of any size exactly, whatever dtype they share
        return Plan(xp._backend.function(name), key, None)
    has_int = any(type(x) is int for x in operands) and compute.kind in ("signed", "unsigned")
    return Plan(run, key, _check(xp, name, given, compute) if has_int else None)


def _check(
    xp: Namespace, name: str, given: Sequence[DType | None], compute: DType
) -> Callable[[Sequence[Any]], None]:
    """Return what refuses Python ints that a dtype does not hold."""
    least, largest = int(compute.min), int(compute.max)

    def check(values: Sequence[Any]) -> None:
        for value in values:
            if type(value) is int and not least <= value <= largest:
                break
        else:
            return
        texts = [d.name if d else repr(v) for d, v in zip(given, values, strict=True)]
        raise OverflowError(
            f"{name} of {' with '.join(texts)} on the {xp.backend} backend: by {xp.rules.name} "
            f"rules the int is taken for {compute}, which goes from {least} to {largest}; give it "
            f"a dtype, as in xp.asarray({value}, dtype=xp.{fitting(xp, value)})"
        )

    return check


def _into(xp: Namespace, name: str, operands: Sequence[Any]) -> Plan:
    """Return how the result of a function is put into its first operand."""
    made = plan(xp, name, operands)
    left, backend = operands[0], xp._backend
    words = xp.decider.rule("iadd").partition(";")[0]
    what = f"{name} in place of {text_of(operands)}"
    check_into(xp, words, what, f"which {xp.rules.name} rules refuse", made.key.dtype, operands)
    own = left.dtype

    def run(target: Any, value: Any) -> Any:
        if name != "matmul":  # it has a shape of its own, known after
            _check_shape(name, target.shape, getattr(value, "shape", ()), spreads=True)
        found = made.run(target, value)
        _check_shape(name, target.shape, found.shape)
        return backend.put(target, ..., backend.cast(found, own))

    return made._replace(run=run, key=left._key)


def _check_shape(
    name: str, own: Sequence[Any], other: Sequence[Any], *, spreads: bool = False
) -> None:
    """Refuse what would give an array another shape; what spreads may have lengths of 1."""
    ends = zip(reversed(own), reversed(other), strict=False)
    known = [(m, n) for m, n in ends if n == n and not (spreads and n == 1)]  # noqa: PLR0124  # NaN
    if len(other) > len(own) or any(m != n for m, n in known):
        raise ValueError(
            f"{name} in place cannot put {tuple(other)} into an array of shape {tuple(own)}; "
            f"write x = xp.{name}(x, y) for a new array"
        )
