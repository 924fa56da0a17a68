"""A plan: what computes a function of operands of some dtypes, made once and looked up after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, Final, NoReturn

from ..core.dtypes import DType
from ..core.errors import DTypeError, PromotionError
from ..core.functions import FUNCTIONS
from .array import WHOLE, Array, Key, key_of, summed_in
from .backends.base import Backend
from .conversion import fitting
from .decide import Decision, text_of
from .engine import Engine
from .operand import check_into

_KERNELS: Final[Mapping[str, str]] = {
    "clip": "bounding",
    "condition": "selection",
    "cumulative": "reduction",
    "reduction": "reduction",
    "sequence": "joining",
}
"""The methods of backends that compute a function, or a sort of them; `kernel` all others."""

Check = Callable[[Sequence[Any]], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What computes a function of operands of some dtypes: data that can be printed and compared.

    Attributes:
        function: its name.
        operands: the dtypes of the operands, and the types of Python numbers.
        compute: the dtype to compute in.
        key: the dtype of the result, and whether it is weak.
        backend: the backend that computes.
        into: whether the result is put into the first operand.
        run: takes the backend's arrays, and Python numbers as they are.
        check: refuses Python ints that do not fit; None if there are none, or all fit.

    >>> import supremum
    >>> xp = supremum.namespace("jax")
    >>> made = xp.plan("add", xp.ones(2, dtype="int32"), xp.ones(2, dtype="float16"))
    >>> made.operands, made.compute, made.key
    (('int32', 'float16'), supremum.dtype('float16'), float16)
    """

    function: str
    operands: tuple[str, ...]
    compute: DType
    key: Key
    backend: str
    into: bool
    run: Callable[..., Any] = field(repr=False, compare=False)
    check: Check | None = field(repr=False, compare=False)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a plan is not pickled; make it again, with xp.plan(name, x, y)")


def plan(
    engine: Engine, name: str, operands: Sequence[Any], *, into: bool = False, to: DType | None
) -> Plan:
    """Return how a namespace computes a function.

    Args:
        engine: what decides and computes.
        name: the function.
        operands: arrays of the namespace, and Python numbers.
        into: whether the result is put into the first operand.
        to: the dtype of the result and to compute in, if it is given; None if the rules decide.

    Raises:
        PromotionError: if the rules refuse.
        DTypeError: if the backend lacks the dtype.
    """
    deciding = operands[1:] if _category(name) == "condition" else operands
    decision = Decision(to, False, to) if to else engine.decide(name, *deciding)
    given = [x.key.dtype if isinstance(x, Array) else None for x in operands]
    compute, key = decision.compute, key_of(decision.dtype, decision.weak)
    try:
        run = _kernel(engine, name, operands, given, decision)
    except DTypeError as error:
        what = f"{name} of {text_of(operands)}"
        msg = f"{what} gives {decision.dtype} under {engine.rules.title} rules, but {error}"
        raise DTypeError(msg, decision.dtype) from None
    is_exact = _is_exact(engine, name, given)
    check = None if is_exact else _check(engine, name, operands, given, compute)
    if is_exact:
        run = engine.backend.function(name)
    texts = tuple(str(x.key) if isinstance(x, Array) else type(x).__name__ for x in operands)
    made = Plan(name, texts, compute, key, engine.backend.name, into, run, check)
    return _into(engine, name, operands, made, given) if into else made


def _category(name: str) -> str:
    return FUNCTIONS[name].category if name in FUNCTIONS else ""


def _kernel(
    engine: Engine,
    name: str,
    operands: Sequence[Any],
    given: Sequence[DType | None],
    decision: Decision,
) -> Callable[..., Any]:
    """Return what the backend computes a function with."""
    backend = engine.backend
    if given[0] is None and engine.decider.is_by_reciprocal(name, decision):
        return _by_reciprocal(backend, given, decision)
    if engine.decider.has_wide_scalars(name, decision.dtype) and given[0] is not None:
        return _with_scalars(backend, name, given, decision)
    kind = "bounding" if name == "clip" else _KERNELS.get(_category(name), "kernel")
    run: Callable[..., Any] = getattr(backend, kind)(name, given, decision.compute, decision.dtype)
    is_product = _is_multiplied(engine, name, operands)
    return _by_multiplying(backend, run, decision) if is_product else run


def _is_exact(engine: Engine, name: str, given: Sequence[DType | None]) -> bool:
    """Tell whether the backend compares integers of any dtype and size as they are."""
    is_compared = engine.decider.rule(name).ints == "compared" and engine.backend.compares_exactly
    return is_compared and all(d is None or d.kind in WHOLE for d in given)


def _by_reciprocal(
    backend: Backend, given: Sequence[DType | None], decision: Decision
) -> Callable[..., Any]:
    """Return what gives a number over an array as the product of the number and a reciprocal."""
    d = decision.dtype
    reciprocal = backend.kernel("reciprocal", given[1:], d, d)
    product = backend.kernel("multiply", (d, None), decision.compute, d)
    return lambda number, x: product(reciprocal(x), number)


def _with_scalars(
    backend: Backend, name: str, given: Sequence[DType | None], decision: Decision
) -> Callable[..., Any]:
    """Return what computes narrow floats with one number in a wider dtype, as which it is taken.

    The other operand is as narrow as the result. A number is an operand of one element, too.
    """
    d, wide = decision.dtype, summed_in(decision.dtype)
    with_one = backend.kernel(name, (d, given[1]), wide, d)
    if given[1] is None or decision.compute is wide:
        return lambda x, y: with_one(backend.cast(x, d), y)
    with_many = backend.kernel(name, given, d, d)

    def run(x: Any, y: Any) -> Any:
        return with_one(backend.cast(x, d), y) if prod(y.shape) == 1 else with_many(x, y)

    return run


def _is_multiplied(engine: Engine, name: str, operands: Sequence[Any]) -> bool:
    """Return whether a power is a product: that of an array with a Python int, by some rules."""
    if name not in engine.decider.multiplied:
        return False
    base, exponent = operands
    return isinstance(base, Array) and isinstance(exponent, int)


def _by_multiplying(
    backend: Backend, power: Callable[..., Any], decision: Decision
) -> Callable[..., Any]:
    """Return what gives a power with an int as a product of squares; `power` gives ones."""
    d = decision.compute
    times = backend.kernel("multiply", (d, d), d, d)
    divide = None if d.kind in WHOLE else backend.kernel("divide", (None, d), d, d)

    def run(x: Any, exponent: int) -> Any:
        if not exponent:
            return power(x, exponent)
        square, found, rest = backend.cast(x, d), None, abs(exponent)
        while rest:
            if rest & 1:
                found = square if found is None else times(found, square)
            rest >>= 1
            square = times(square, square) if rest else square
        if divide is not None and exponent < 0:
            found = divide(1, found)
        return backend.copied(found) if found is x else found

    return run


def _check_floats(engine: Engine, name: str, operands: Sequence[Any], compute: DType) -> None:
    """Refuse Python ints that no float holds; a plan for one so large is not kept."""
    for value in (x for x in operands if type(x) is int):
        try:
            float(value)
        except OverflowError:
            texts = [x.key.dtype.name if isinstance(x, Array) else "an int" for x in operands]
            raise OverflowError(
                f"{name} of {' and '.join(texts)} on the {engine.backend.name} backend: the int "
                f"of {value.bit_length()} bits is treated as {compute}, which does not hold it"
            ) from None


def _check(
    engine: Engine,
    name: str,
    operands: Sequence[Any],
    given: Sequence[DType | None],
    compute: DType,
) -> Check | None:
    """Return what refuses Python ints that a function does not take; None if there are none."""
    is_product = _is_multiplied(engine, name, operands)  # whose exponent is not converted
    converted = operands[:1] if is_product else operands
    if compute.kind in ("float", "complex"):
        _check_floats(engine, name, converted, compute)
    if compute.kind not in WHOLE or all(type(x) is not int for x in operands):
        return None
    checks = []
    if engine.decider.rule(name).is_power:
        checks.append(_check_exponent(engine, name, given))
    if any(type(x) is int for x in converted):
        checks.append(_check_range(engine, name, given, compute))

    def check(values: Sequence[Any]) -> None:
        for one in checks:
            one(values)

    return checks[0] if len(checks) == 1 else check


def _check_range(engine: Engine, name: str, given: Sequence[DType | None], compute: DType) -> Check:
    """Return what refuses Python ints that a dtype does not hold.

    Args:
        engine: what decides and computes.
        name: the function.
        given: the dtypes of the operands, None for Python numbers.
        compute: the dtype that ints are converted to.
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

    return check


def _check_exponent(engine: Engine, name: str, given: Sequence[DType | None]) -> Check:
    """Return what refuses negative Python ints after the first operand, of integers."""

    def check(values: Sequence[Any]) -> None:
        if any(type(value) is int and value < 0 for value in values[1:]):  # explaining it raises
            pairs = zip(values, given, strict=True)
            arrays = [x if d is None else engine.same(x, key_of(d)) for x, d in pairs]
            engine.decider.rules.explain(*arrays, op=name)

    return check


def _into(
    engine: Engine, name: str, operands: Sequence[Any], made: Plan, given: list[DType | None]
) -> Plan:
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
        return backend.put(target, (...,), backend.cast(result, own))

    is_direct = None not in given and not engine.decider.has_wide_scalars(name, own)
    within = backend.within(name, given, made.compute, own) if is_direct else None

    def run_within(target: Any, value: Any) -> Any:
        try:
            return within(target, value)  # type: ignore[misc]  # it is there
        except ValueError:
            return run(target, value)

    return replace(made, run=run if within is None else run_within, key=left.key)


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
        f"elements of the first operand and keeps its dtype and shape; write x = xp.{name}(x, y) "
        f"for a new array",
        (array, value), engine.rules.name, dict(engine.rules.setting),
    )  # fmt: skip
