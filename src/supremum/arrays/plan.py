"""A plan: what computes a function of operands of some dtypes, made once and looked up after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NoReturn

from ..core.dtypes import DType
from ..core.errors import DTypeError, PromotionError
from ..core.functions import FUNCTIONS
from .array import Array, Key, key_of
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

_INTS: Final = ("signed", "unsigned")

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
        run = _kernel(engine, name, given, decision)
    except DTypeError as error:
        what = f"{name} of {text_of(operands)}"
        msg = f"{what} gives {decision.dtype} under {engine.rules.title} rules, but {error}"
        raise DTypeError(msg, decision.dtype) from None
    check = None
    if compute.kind in ("float", "complex"):
        _check_floats(engine, name, operands, compute)
    if _is_exact(engine, name, given):
        run = engine.backend.function(name)
    elif compute.kind in _INTS and any(type(x) is int for x in operands):
        check = _check(engine, name, given, compute)
    texts = tuple(str(x.key) if isinstance(x, Array) else type(x).__name__ for x in operands)
    made = Plan(name, texts, compute, key, engine.backend.name, into, run, check)
    return _into(engine, name, operands, made, given) if into else made


def _category(name: str) -> str:
    return FUNCTIONS[name].category if name in FUNCTIONS else ""


def _kernel(
    engine: Engine, name: str, given: Sequence[DType | None], decision: Decision
) -> Callable[..., Any]:
    """Return what the backend computes a function with."""
    backend = engine.backend
    if given[0] is None and engine.decider.is_by_reciprocal(name, decision):
        return _by_reciprocal(backend, given, decision)
    kind = "bounding" if name == "clip" else _KERNELS.get(_category(name), "kernel")
    return getattr(backend, kind)(name, given, decision.compute, decision.dtype)  # type: ignore[no-any-return]  # it can be called


def _is_exact(engine: Engine, name: str, given: Sequence[DType | None]) -> bool:
    """Tell whether the backend compares integers of any dtype and size as they are."""
    is_compared = engine.decider.rule(name).ints == "compared" and engine.backend.compares_exactly
    return is_compared and all(d is None or d.kind in _INTS for d in given)


def _by_reciprocal(
    backend: Backend, given: Sequence[DType | None], decision: Decision
) -> Callable[..., Any]:
    """Return what gives a number over an array as the product of the number and a reciprocal."""
    d = decision.dtype
    reciprocal = backend.kernel("reciprocal", given[1:], d, d)
    product = backend.kernel("multiply", (d, None), decision.compute, d)
    return lambda number, x: product(reciprocal(x), number)


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


def _check(engine: Engine, name: str, given: Sequence[DType | None], compute: DType) -> Check:
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

    def check_power(values: Sequence[Any]) -> None:
        if any(type(value) is int and value < 0 for value in values[1:]):  # explaining it raises
            pairs = zip(values, given, strict=True)
            arrays = [x if d is None else engine.same(x, key_of(d)) for x, d in pairs]
            engine.decider.rules.explain(*arrays, op=name)
        check(values)

    return check_power if engine.decider.rule(name).is_power else check


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

    within = backend.within(name, given, made.compute, own) if None not in given else None

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
