"""A plan: what computes a function of operands of some dtypes, made once and looked up after."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core.dtypes import DType
from ..core.errors import DTypeError, PromotionError
from .array import Array, Key, key_of
from .conversion import fitting
from .decide import text_of
from .engine import Engine
from .operand import check_into


class Plan(NamedTuple):
    """What computes a function of operands of some dtypes.

    Attributes:
        run: takes the backend's arrays, and Python numbers as they are.
        key: the dtype of the result, and whether it is weak.
        check: refuses Python ints that do not fit; None if there are none, or all fit.
    """

    run: Callable[..., Any]
    key: Key
    check: Callable[[Sequence[Any]], None] | None


def plan(engine: Engine, name: str, operands: Sequence[Any], *, into: bool = False) -> Plan:
    """Return how a namespace computes a function.

    Args:
        engine: what decides and computes.
        name: the function.
        operands: arrays of the namespace, and Python numbers.
        into: whether the result is put into the first operand.

    Raises:
        PromotionError: if the rules refuse.
        DTypeError: if the backend lacks the dtype.
    """
    decision = engine.decide(name, *operands)
    rule = engine.decider.rule(name)
    given = [x.key.dtype if isinstance(x, Array) else None for x in operands]
    compute, key = decision.compute, key_of(decision.dtype, decision.weak)
    try:
        run = engine.backend.kernel(name, given, compute, decision.dtype)
    except DTypeError as error:
        what = f"{name} of {text_of(operands)}"
        msg = f"{what} gives {decision.dtype} under {engine.rules.title} rules, but {error}"
        raise DTypeError(msg, decision.dtype) from None
    check = None
    if rule.ints == "compared" and engine.backend.compares_exactly:
        run = engine.backend.function(name)
    elif compute.kind in ("signed", "unsigned") and any(type(x) is int for x in operands):
        check = _check(engine, name, given, compute, natural=rule.ints == "natural")
    made = Plan(run, key, check)
    return _into(engine, name, operands, made) if into else made


def _check(
    engine: Engine, name: str, given: Sequence[DType | None], compute: DType, *, natural: bool
) -> Callable[[Sequence[Any]], None]:
    """Return what refuses Python ints that a dtype does not hold.

    Args:
        engine: what decides and computes.
        name: the function.
        given: the dtypes of the operands, None for Python numbers.
        compute: the dtype that ints are converted to.
        natural: whether those after the first operand may not be negative.
    """
    least, largest = int(compute.min), int(compute.max)

    def check(values: Sequence[Any]) -> None:
        for value in values:
            if type(value) is int and not least <= value <= largest:
                break
        else:
            return
        texts = [d.name if d else repr(v) for d, v in zip(given, values, strict=True)]
        raise OverflowError(
            f"{name} of {' and '.join(texts)} on the {engine.backend.name} backend: under "
            f"{engine.rules.title} rules the int is treated as {compute}, which goes from {least} "
            f"to {largest}; give it a dtype, as in xp.asarray({value}, "
            f"dtype=xp.{fitting(engine, value)})"
        )

    def check_power(values: Sequence[Any]) -> None:
        if any(type(value) is int and value < 0 for value in values[1:]):  # explaining it raises
            pairs = zip(values, given, strict=True)
            arrays = [x if d is None else engine.same(x, key_of(d)) for x, d in pairs]
            engine.decider.rules.explain(*arrays, op=name)
        check(values)

    return check_power if natural else check


def _into(engine: Engine, name: str, operands: Sequence[Any], made: Plan) -> Plan:
    """Return how the result of a function is put into its first operand."""
    left, backend = operands[0], engine.backend
    what = f"{name} in place of {text_of(operands)}"
    why = f"which {engine.rules.title} rules refuse"
    check_into(engine, engine.decider.rule("iadd"), what, why, made.key.dtype, operands)
    own = left.key.dtype

    def run(target: Any, value: Any) -> Any:
        if name != "matmul":  # it has a shape of its own, known after
            _check_shape(name, target.shape, getattr(value, "shape", ()), spreads=True)
        result = made.run(target, value)
        _check_shape(name, target.shape, result.shape)
        return backend.put(target, ..., backend.cast(result, own))

    return made._replace(run=run, key=left.key)


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


def separated(engine: Engine, name: str, array: Array, value: Any, found: Array) -> PromotionError:
    """Return the error for an operator in place that would separate an array from its views."""
    what = text_of([array, value])
    return PromotionError(
        f"{name} in place of {what} on the {engine.backend.name} backend gives {found.dtype} of "
        f"shape {found.shape} under {engine.rules.title} rules, but another array shares the "
        f"elements of the first operand and would not see it; write x = xp.{name}(x, y) for a "
        f"new array",
        (array, value), engine.rules.name, dict(engine.rules.setting),
    )  # fmt: skip
