"""Operations: functions of arrays and numbers, by a plan that is made once for their dtypes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from ..core.dtypes import PYTHON_SCALARS, DType
from .array import WHOLE, Array, as_dtype
from .decide import IN_FORCE, Decider, number_key
from .engine import END, Engine
from .operand import as_array, as_operand
from .plan import Plan, plan, separated
from .views import check_writable, is_shared, replace

NO_OPTIONS: Final[Mapping[str, Any]] = MappingProxyType({})


def operate(
    engine: Engine,
    name: str,
    operands: Sequence[Any],
    options: Mapping[str, Any] = NO_OPTIONS,
    *,
    into: bool = False,
    to: DType | None = None,
) -> Array:
    """Return a function of arrays and numbers.

    Args:
        engine: what decides and computes.
        name: the function.
        operands: arrays of the namespace or of NumPy, and Python numbers.
        options: what the function takes besides, such as axes.
        into: whether the result is put into the first operand, whose data it has then.
        to: the dtype of the result, if it is given; None if the rules decide.

    Raises:
        PromotionError: if the rules refuse, or namespaces or libraries are mixed.
        DTypeError: if the backend lacks the dtype.
        OverflowError: if a Python int does not fit.
    """
    decider = IN_FORCE.get() or engine.own_decider
    if name in decider.multiplied:
        operands = _with_exponent(engine, operands)
    own, ranked = engine.array_type, decider.ranked
    values = []
    try:
        found = engine.plans[decider][(name, to, into) if into or to else name]
        for x in operands:
            if type(x) is own and x.engine is engine:
                native = x.native
                found = found[x.key.flat if ranked and not native.ndim else x.key]
                values.append(native)
            else:
                found = found[number_key(x)]
                values.append(x)
        found = found[END]
    except KeyError:
        found, values = planned(engine, name, operands, into=into, to=to)
    if found.check is not None:
        values = found.check(values)
    return _run(engine, name, found, *values, **options)


def operate_one(
    engine: Engine,
    name: str,
    x: Any,
    options: Mapping[str, Any] = NO_OPTIONS,
    *,
    to: DType | None = None,
) -> Array:
    """Return a function of one operand, as `operate` does, in less time if it has a plan."""
    decider = IN_FORCE.get() or engine.own_decider
    found = None
    if type(x) is engine.array_type and x.engine is engine:
        key = x.key.flat if decider.ranked and not x.native.ndim else x.key
        try:
            found = engine.plans[decider][(name, to, False) if to else name][key][END]
        except KeyError:
            found = None
    if found is None:
        return operate(engine, name, (x,), options, to=to)
    return _run(engine, name, found, x.native, **options)


def _run(engine: Engine, name: str, found: Plan, *values: Any, **options: Any) -> Array:
    try:
        native = found.run(*values, **options)
    except Exception as error:
        engine.check_refusal(error, name, found.compute, values)
        raise
    return engine.array_type(engine, native, found.key)


def operate_two(engine: Engine, name: str, x: Any, y: Any) -> Array:
    """Return a function of two operands, as `operate` does, in less time if it has a plan."""
    found = _planned_two(engine, IN_FORCE.get() or engine.own_decider, name, x, y)
    if found is None:
        return operate(engine, name, (x, y))
    first, second = x.native, y.native if isinstance(y, Array) else y
    if found.check is not None:
        first, second = found.check((first, second))
    return _run(engine, name, found, first, second)


def _planned_two(engine: Engine, decider: Decider, name: Any, x: Any, y: Any) -> Plan | None:
    """Return the plan for an array and another operand; None if none was made yet."""
    own, ranked = engine.array_type, decider.ranked
    if type(x) is not own or x.engine is not engine:
        return None
    try:
        level = engine.plans[decider][name]
        level = level[x.key.flat if ranked and not x.native.ndim else x.key]
        if type(y) is not own:
            return level[number_key(y)][END]  # type: ignore[no-any-return]  # it is a plan
        if y.engine is engine and name not in decider.multiplied:
            return level[y.key.flat if ranked and not y.native.ndim else y.key][END]  # type: ignore[no-any-return]  # the same
    except KeyError:
        pass
    return None


def planned(
    engine: Engine,
    name: str,
    operands: Sequence[Any],
    *,
    into: bool = False,
    to: DType | None = None,
) -> tuple[Plan, list[Any]]:
    """Return the plan for operands, made once for their dtypes, and their values; see `plan`."""
    decider = engine.decider
    if name in decider.multiplied:
        operands = _with_exponent(engine, operands)
    ready, values = [], []
    for x in operands:
        number = _as_number(engine, name, x)
        ready.append(as_operand(engine, x) if number is None else number)
        values.append(x if number is not None else getattr(ready[-1], "native", ready[-1]))
    keys = [decider.key(x) for x in ready]
    if None in keys:
        return plan(engine, name, ready, into=into, to=to), values
    level = engine.plans[decider]
    for key in ((name, to, into) if into or to else name, *keys):
        level = level.setdefault(key, {})
    if END not in level:
        level[END] = plan(engine, name, ready, into=into, to=to)
    return level[END], values


def _as_number(engine: Engine, name: str, x: Any) -> Any:
    """Return a number of the type of a Python number that the library holds in an array, or None.

    As JAX does in what it traces. Rules with weak arrays take it for one of these.
    """
    kind, decider = engine.backend.number_type(x), engine.decider
    if kind is None or decider.keeps_weak or decider.valued or name in decider.multiplied:
        return None
    return kind(1)


def _with_exponent(engine: Engine, operands: Sequence[Any]) -> Sequence[Any]:
    """Return operands, of which an integer exponent without dimensions is read as an int."""
    base, exponent = operands
    if type(exponent) in PYTHON_SCALARS:
        return operands
    read = as_operand(engine, exponent)
    if not isinstance(read, Array) or read.native.ndim or read.key.dtype.kind not in WHOLE:
        return operands
    value = engine.backend.integer(read.native)
    return operands if value is None else (as_array(engine, base), value)


def _run_into(found: Plan, target: Any, value: Any) -> Any:
    """Return what takes the place of an array into which a result is put; None if it is refused."""
    try:
        if isinstance(value, Array):
            return found.run(target, value.native)
        if found.check is not None:
            target, value = found.check((target, value))
        return found.run(target, value)
    except FloatingPointError:  # of what is written already
        raise
    except Exception:  # noqa: BLE001  # it is said by who calls
        return None


def operate_in_place(engine: Engine, name: str, array: Array, value: Any) -> Array:
    """Return an array with the result of an operator put into it, if the rules do so.

    Under rules that have no operators in place, as JAX's, the array takes the dtype and the shape
    of the result.

    Raises:
        PromotionError: if the rules do not let the array take the result, or if it would get
            another dtype or shape than an array that shares its elements.
        ValueError: if the result has another shape, the array was broadcast, or another one would
            have to see it.
    """
    decider = IN_FORCE.get() or engine.own_decider
    if decider.operates_in_place and (array.sharing is None or not array.sharing.copies):
        known = _planned_two(engine, decider, (name, None, True), array, value)
        native = _run_into(known, array.native, value) if known else None
        if native is not None:
            replace(array, native)
            return array
    check_writable(array, name, " in place")
    if decider.operates_in_place:
        replace(array, operate(engine, name, (array, value), into=True).native)
    else:
        found = operate(engine, name, (array, value))
        # unknown lengths are not equal as the library has them
        same_shape = found.native.shape == array.native.shape or found.shape == array.shape
        alike = found.key.dtype is array.key.dtype and same_shape
        if not alike and is_shared(array):
            raise separated(engine, name, array, value, found)
        if alike and engine.backend.is_mutable:
            found.native = engine.backend.put(array.native, (...,), found.native)
        elif not alike:
            array.sharing = None
        replace(array, found.native)
        array.key = found.key
    return array


def reduced(engine: Engine, name: str, x: Any, dtype: Any = None, **options: Any) -> Array:
    """Return what a function makes of the elements of an array along some axes."""
    to = None if dtype is None else engine.decider.own(as_dtype(dtype))
    return operate_one(engine, name, as_array(engine, x), options, to=to)
