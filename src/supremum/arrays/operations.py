"""Operations: functions of arrays and numbers, by a plan that is made once for their dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .array import Array
from .context import IN_FORCE
from .data_type import as_dtype
from .decide import Decider
from .engine import Engine
from .operand import as_array, as_operand
from .plan import Plan, plan, separated
from .views import check_writable, is_shared, written


def operate(engine: Engine, name: str, /, *operands: Any, into: bool = False) -> Array:
    """Return a function of arrays and numbers, element by element.

    Args:
        engine: what decides and computes.
        name: the function.
        operands: arrays of the namespace or of NumPy, and Python numbers.
        into: whether the result is put into the first operand.

    Raises:
        PromotionError: if the rules refuse, or namespaces or libraries are mixed.
        DTypeError: if the backend lacks the dtype.
        OverflowError: if a Python int does not fit.
    """
    decider = IN_FORCE.get() or engine.own_decider
    own, ranked = engine.array_type, decider.ranked
    values = []
    try:
        found = (engine.plans_into if into else engine.plans)[decider][name]
        for x in operands:
            if type(x) is own and x.engine is engine:
                native = x.native
                found = found[x.key.flat if ranked and not native.ndim else x.key]
                values.append(native)
            else:
                found = found[type(x)]
                values.append(x)
    except KeyError:
        found, values = _planned(engine, decider, name, operands, into=into)
    run, key, check = found
    if check is not None:
        check(values)
    return own(engine, run(*values), key)


def _planned(
    engine: Engine, decider: Decider, name: str, operands: Sequence[Any], *, into: bool
) -> tuple[Plan, list[Any]]:
    """Return a plan for operands that are new to `operate`, and their values."""
    ready = [as_operand(engine, x) for x in operands]
    values = [x.native if isinstance(x, Array) else x for x in ready]
    keys = [decider.key(x) for x in ready]
    if None in keys:
        return plan(engine, name, ready, into=into), values
    level = (engine.plans_into if into else engine.plans)[decider].setdefault(name, {})
    for key in keys[:-1]:
        level = level.setdefault(key, {})
    if keys[-1] not in level:
        level[keys[-1]] = plan(engine, name, ready, into=into)
    return level[keys[-1]], values


def operate_in_place(engine: Engine, name: str, array: Array, value: Any) -> Array:
    """Return an array with the result of an operator put into it, if the rules do so.

    Views see it, as they see what is stored in the array. Under rules that have no operators
    in place, as JAX's, the array takes the dtype and the shape of the result.

    Raises:
        PromotionError: if the rules do not let the array take the result, or if it would get
            another dtype or shape than an array that shares its elements.
        ValueError: if the result has another shape, or the array was broadcast.
    """
    check_writable(f"{name} in place", array)
    if engine.decider.operates_in_place:
        array.native = operate(engine, name, array, value, into=True).native
    else:
        found = operate(engine, name, array, value)
        alike = found.key.dtype is array.key.dtype and found.shape == array.shape
        if not alike and is_shared(array):
            raise separated(engine, name, array, value, found)
        if alike and engine.backend.is_mutable:
            array.native = engine.backend.put(array.native, ..., found.native)
        else:
            array.native = found.native
            array.sharing = array.sharing if alike else None
        array.key = found.key
    written(array)
    return array


def reduced(engine: Engine, name: str, x: Any, dtype: Any = None, **options: Any) -> Array:
    """Return what a function makes of the elements along some axes."""
    x = as_array(engine, x)
    if dtype is None:
        d, weak, compute = engine.decide(name, x)
    else:
        d = compute = engine.decider.own(as_dtype(dtype))
        weak = False
    reduce = engine.backend.reduce
    return engine.wrap(
        engine.asked(name, compute, reduce, name, x.native, compute, **options), d, weak
    )
