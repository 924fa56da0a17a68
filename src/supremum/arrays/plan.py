"""A plan: what computes a function of operands of some dtypes, made once and looked up after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, prod
from typing import Any, Final, NamedTuple, NoReturn

from ..core.dtypes import DType, by_name
from ..core.errors import DTypeError, PromotionError
from ..core.function_rules import FunctionRule
from ..core.functions import FUNCTIONS
from ..core.losses import wrapped
from .array import WHOLE, Array, Key, key_of, summed_in
from .backends.base import Backend
from .conversion import fitting
from .decide import Decision, text_of
from .engine import INTO, Engine
from .functions import COMPARISONS, METHODS, OPERATORS
from .operand import check_into

_KERNELS: Final[Mapping[str, str]] = {
    "clip": "bounding",
    "matmul": "kernel",
    "condition": "selection",
    "contraction": "producing",
    "count_nonzero": "counting",
    "cumulative": "reduction",
    "isin": "searching",
    "product": "producing",
    "reduction": "reduction",
    "searchsorted": "searching",
    "sequence": "joining",
}
"""The methods of backends that compute a function, or a sort of them; `kernel` all others."""

Check = Callable[[Sequence[Any]], Sequence[Any]]

_WRAPS: Final = frozenset({*METHODS.values(), *COMPARISONS.values()}) - {
    "pow", "matmul", "divide", "bitwise_left_shift", "bitwise_right_shift",
}  # fmt: skip
"""The operators that compute with what an int wraps around to, if the rules take it."""


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
        check: gives the operands with Python ints that fit, and refuses those that the rules do;
            None if there are none, or all fit.

    >>> import supremum
    >>> xp = supremum.namespace("jax", backend="numpy")
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


class _Asked(NamedTuple):
    """A function of operands of some dtypes, and what the rules decide.

    Attributes:
        engine: what decides and computes.
        name: the function.
        operands: arrays of the namespace, and Python numbers.
        given: the dtypes of the operands, None for Python numbers.
        decision: what the rules decide.
    """

    engine: Engine
    name: str
    operands: Sequence[Any]
    given: Sequence[DType | None]
    decision: Decision

    @property
    def backend(self) -> Backend:
        """The backend that computes."""
        return self.engine.backend

    @property
    def rule(self) -> FunctionRule:
        """The rule of the function."""
        return self.engine.decider.rule(self.name)

    @property
    def is_multiplied(self) -> bool:
        """Whether it is a power of an array with a Python int, and a product by some rules."""
        if self.name not in self.engine.decider.multiplied:
            return False
        base, exponent = self.operands
        return isinstance(base, Array) and isinstance(exponent, int)

    @property
    def is_exact(self) -> bool:
        """Whether integers of any dtype and size are compared as they are."""
        has_number = None in self.given and any(self.given)
        is_compared = self.rule.ints == "compared"
        is_done = self.backend.compares_exactly or has_number
        return is_compared and is_done and all(d is None or d.kind in WHOLE for d in self.given)

    def explain(self, values: Sequence[Any]) -> None:
        """Ask the rules about the values of operands, which they may refuse."""
        pairs = zip(values, self.given, strict=True)
        operands = [x if d is None else self.engine.same(x, key_of(d)) for x, d in pairs]
        self.engine.decider.rules.explain(*operands, op=self.name)


def plan(engine: Engine, name: str, operands: Sequence[Any], to: DType | str | None = None) -> Plan:
    """Return how a namespace computes a function.

    Args:
        engine: what decides and computes.
        name: the function.
        operands: arrays of the namespace, and Python numbers.
        to: the dtype of the result and to compute in, if it is given; None if the rules decide,
            and `INTO` if they do and it is put into the first operand.

    Raises:
        PromotionError: if the rules refuse.
        DTypeError: if the backend lacks the dtype.
    """
    if isinstance(to, DType):
        decision = Decision(to, False, to)
    else:
        decision = _decided(engine, name, operands)
    given = [x.key.dtype if isinstance(x, Array) else None for x in operands]
    asked = _Asked(engine, name, operands, given, decision)
    try:
        run = _kernel(asked)
    except DTypeError as error:
        what = f"{name} of {text_of(operands)}"
        msg = f"{what} gives {decision.dtype} under {engine.rules.title} rules, but {error}"
        raise DTypeError(msg, decision.dtype) from None
    if asked.is_exact:
        run, check = _exact(asked, run), None
    else:
        check = _check(asked)
    texts = tuple(str(x.key) if isinstance(x, Array) else type(x).__name__ for x in operands)
    key = key_of(decision.dtype, decision.weak)
    is_into = to is INTO
    made = Plan(name, texts, decision.compute, key, engine.backend.name, is_into, run, check)
    return _into(asked, made) if is_into else made


def _decided(engine: Engine, name: str, operands: Sequence[Any]) -> Decision:
    """Return what results from a function that is given no dtype, by the rules of those it uses."""
    if name == "count_nonzero":
        index = engine.decider.defaults.index
        return Decision(index, False, index)
    if name == "isin":
        return engine.decide("equal", *operands)._replace(weak=False)
    decision = engine.decide(name, *(operands[1:] if _category(name) == "condition" else operands))
    if name == "searchsorted":
        return decision._replace(compute=engine.decide("maximum", *operands).compute, weak=False)
    return decision


def _category(name: str) -> str:
    return FUNCTIONS[name].category if name in FUNCTIONS else ""


def _kernel(asked: _Asked) -> Callable[..., Any]:
    """Return what the backend computes a function with."""
    name, given, decision = asked.name, asked.given, asked.decision
    decider = asked.engine.decider
    if given[0] is None and decider.is_by_reciprocal(name, decision):
        return _by_reciprocal(asked)
    if decider.has_wide_scalars(name, decision.dtype) and given[0] is not None:
        return _with_scalars(asked)
    kind = _KERNELS.get(name) or _KERNELS.get(_category(name), "kernel")
    make = getattr(asked.backend, kind)
    run: Callable[..., Any] = make(name, given, decision.compute, decision.dtype)
    return _by_multiplying(asked, run) if asked.is_multiplied else run


def _exact(asked: _Asked, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return what compares integers of any size: all that a dtype holds are below one beyond it."""
    if asked.backend.compares_exactly:
        return asked.backend.function(asked.name)
    compute, is_first = asked.decision.compute, asked.given[0] is None
    compare, least, largest = OPERATORS[asked.name], int(compute.min), int(compute.max)
    all_or_none = {
        answer: asked.backend.kernel(name, (compute, compute), compute, by_name("bool"))
        for answer, name in ((True, "equal"), (False, "not_equal"))
    }

    def compared(x: Any, y: Any) -> Any:
        number, array = (x, y) if is_first else (y, x)
        if type(number) is not int or least <= number <= largest:
            return run(x, y)
        answer = compare(number, least) if is_first else compare(least, number)
        return all_or_none[answer](array, array)

    return compared


def _by_reciprocal(asked: _Asked) -> Callable[..., Any]:
    """Return what gives a number over an array as the product of the number and a reciprocal."""
    backend, d = asked.backend, asked.decision.dtype
    reciprocal = backend.kernel("reciprocal", asked.given[1:], d, d)
    product = backend.kernel("multiply", (d, None), asked.decision.compute, d)
    return lambda number, x: product(reciprocal(x), number)


def _with_scalars(asked: _Asked) -> Callable[..., Any]:
    """Return what computes narrow floats with one number in a wider dtype, as which it is taken.

    The other operand is as narrow as the result. A number is an operand of one element, too.
    """
    backend, given, d = asked.backend, asked.given, asked.decision.dtype
    wide = summed_in(d)
    with_one = backend.kernel(asked.name, (d, given[1]), wide, d)
    if given[1] is None or asked.decision.compute is wide:
        return lambda x, y: with_one(backend.cast(x, d), y)
    with_many = backend.kernel(asked.name, given, d, d)

    def run(x: Any, y: Any) -> Any:
        return with_one(backend.cast(x, d), y) if prod(y.shape) == 1 else with_many(x, y)

    return run


def _by_multiplying(asked: _Asked, power: Callable[..., Any]) -> Callable[..., Any]:
    """Return what gives a power with an int as a product of squares; `power` gives ones."""
    backend, d = asked.backend, asked.decision.compute
    times = backend.kernel("multiply", (d, d), d, d)
    is_cast = asked.given[0] is not d
    divide = None if d.kind in WHOLE else backend.kernel("divide", (None, d), d, d)

    def run(x: Any, exponent: int) -> Any:
        if exponent == 2 and not is_cast:
            return times(x, x)
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


# ints that a dtype does not hold


def _check(asked: _Asked) -> Check | None:
    """Return what refuses Python ints that a function does not take; None if there are none."""
    compute = asked.decision.compute
    if compute.kind in ("float", "complex"):
        # the exponent of a product is not converted
        _check_floats(asked, asked.operands[:1] if asked.is_multiplied else asked.operands)
    if compute.kind not in WHOLE or all(type(x) is not int for x in asked.operands):
        return None
    is_power = asked.rule.is_power or asked.name == "pow"
    has_exponent = is_power and type(asked.operands[1]) is int
    least = 0 if has_exponent else int(compute.min)
    largest = inf if asked.is_multiplied else int(compute.max)

    def check(values: Sequence[Any]) -> Sequence[Any]:
        for value in values:
            if type(value) is int and not least <= value <= largest:
                return _taken(asked, values, value, has_exponent=has_exponent)
        return values

    return check


def _check_floats(asked: _Asked, converted: Sequence[Any]) -> None:
    """Refuse Python ints that no float holds; a plan for one so large is not kept."""
    for value in (x for x in converted if type(x) is int):
        try:
            float(value)
        except OverflowError:
            texts = [x.key.dtype.name if isinstance(x, Array) else "an int" for x in asked.operands]
            what = f"{asked.name} of {' and '.join(texts)} on the {asked.backend.name} backend"
            raise OverflowError(
                f"{what}: the int of {value.bit_length()} bits is treated as "
                f"{asked.decision.compute}, which does not hold it"
            ) from None


def _taken(
    asked: _Asked, values: Sequence[Any], value: int, *, has_exponent: bool
) -> Sequence[Any]:
    """Return operands, of which a Python int is beyond a dtype, if the rules take them."""
    engine, name, compute = asked.engine, asked.name, asked.decision.compute
    if has_exponent and value < 0:
        asked.explain(values)  # which raises, if the rules say anything of it
        if asked.is_multiplied:
            return values
        raise ValueError("Integers to negative integer powers are not allowed.")
    if name in _WRAPS and _are_taken(asked, values):
        return [wrapped(x, compute) if type(x) is int else x for x in values]
    texts = [d.name if d else repr(v) for d, v in zip(asked.given, values, strict=True)]
    raise OverflowError(
        f"{name} of {' and '.join(texts)} on the {engine.backend.name} backend: under "
        f"{engine.rules.title} rules the int is treated as {compute}, which goes from "
        f"{compute.min} to {compute.max}; give it a dtype, as in xp.asarray({value}, "
        f"dtype=xp.{fitting(engine, value)})"
    )


def _are_taken(asked: _Asked, values: Sequence[Any]) -> bool:
    """Return whether the library of the rules takes Python ints by their values."""
    library = asked.engine.decider.given.library
    if library is None or library.standard:  # which leaves it undefined
        return False
    try:
        asked.explain(values)
    except PromotionError:
        return False
    return True


# what is put into the first operand


def _into(asked: _Asked, made: Plan) -> Plan:
    """Return how the result of a function is put into its first operand.

    By rules that have no operators in place, it is put there if it has its dtype and its shape.
    """
    engine, name, backend = asked.engine, asked.name, asked.backend
    left, given = asked.operands[0], [*asked.given]
    own = left.key.dtype
    is_direct = not asked.is_multiplied and not engine.decider.has_wide_scalars(name, own)
    within = backend.within(name, given, made.compute, own) if is_direct else None
    if not engine.decider.operates_in_place:
        is_put = within is not None and made.key.dtype is own
        return replace(made, run=_tried(within, made.run)) if is_put else made
    what = f"{name} in place of {text_of(asked.operands)}"
    why = f"which {engine.rules.title} rules refuse"
    check_into(engine, engine.decider.rule("iadd"), what, why, made.key.dtype, asked.operands)

    def run(target: Any, value: Any) -> Any:
        if name != "matmul":  # it has a shape of its own, known after
            _check_shape(name, target.shape, getattr(value, "shape", ()), spreads=True)
        result = made.run(target, value)
        _check_shape(name, target.shape, result.shape)
        return backend.put(target, (...,), backend.cast(result, own))

    return replace(made, run=_tried(within, run), key=left.key)


def _tried(within: Callable[..., Any] | None, run: Callable[..., Any]) -> Callable[..., Any]:
    """Return what puts a result into the first operand, or computes it if the shapes differ."""
    if within is None:
        return run

    def run_within(target: Any, value: Any) -> Any:
        try:
            return within(target, value)
        except ValueError:
            return run(target, value)

    return run_within


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
