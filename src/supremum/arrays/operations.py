"""Operations: functions of arrays and numbers, by a plan that is made once for their dtypes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.dtypes import PYTHON_SCALARS, DType
from .array import WHOLE, Array, as_dtype
from .decide import IN_FORCE, number_key
from .engine import END, INTO, Engine
from .operand import as_array, as_operand, misplaced, unknown
from .plan import Plan, plan, separated
from .views import check_writable, is_shared, replace


def operate(
    engine: Engine,
    name: str,
    operands: Sequence[Any],
    options: Mapping[str, Any] | None = None,
    to: DType | str | None = None,
) -> Array:
    """Return a function of arrays and numbers.

    Args:
        engine: what decides and computes.
        name: the function.
        operands: arrays of the namespace or of NumPy, and Python numbers.
        options: what the function takes besides, such as axes.
        to: the dtype of the result, if it is given; None if the rules decide, and `INTO` if they
            do and it is put into the first operand, whose data it has then.

    Raises:
        PromotionError: if the rules refuse, or namespaces or libraries are mixed.
        DTypeError: if the backend lacks the dtype.
        OverflowError: if a Python int does not fit.
    """
    decider = IN_FORCE.get() or engine.own_decider
    if name in decider.multiplied and type(operands[1]) not in PYTHON_SCALARS:
        operands = _with_exponent(engine, operands)
    own, ranked = engine.array_type, decider.ranked
    values = []
    try:
        found = engine.plans[decider][(name, to) if to else name]
        for x in operands:
            if type(x) is own and x.engine is engine:
                values.append(x.native)
                found = found[x.key.flat if ranked and not x.native.ndim else x.key]
            else:
                found = found[number_key(x)]
                values.append(x)
        found = found[END]
    except KeyError:
        found, values = planned(engine, name, operands, to)
    if found.check is not None:
        values = found.check(values)
    try:
        native = found.run(*values) if options is None else found.run(*values, **options)
    except Exception as error:
        engine.check_refusal(error, name, found.compute, values)
        raise
    if to is INTO and native is operands[0].native:
        operands[0].key = found.key
        return operands[0]  # type: ignore[no-any-return]  # it is an array
    if type(native) is not engine.native_type and engine.from_scalar is not None:
        native = engine.from_scalar(native)
    made = own()  # as `engine.same` does, whose call takes as long as this
    made.engine = engine
    made.native = native
    made.key = found.key
    made.sharing = None
    return made


def planned(
    engine: Engine, name: str, operands: Sequence[Any], to: DType | str | None = None
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
        return plan(engine, name, ready, to), values
    level = engine.plans[decider]
    for key in ((name, to) if to else name, *keys):
        level = level.setdefault(key, {})
    if END not in level:
        level[END] = plan(engine, name, ready, to)
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
    is_many = type(exponent) is engine.array_type and exponent.native.ndim
    if is_many or type(exponent) in PYTHON_SCALARS:
        return operands
    read = exponent if isinstance(exponent, Array) else as_operand(engine, exponent)
    if not isinstance(read, Array) or read.native.ndim or read.key.dtype.kind not in WHOLE:
        return operands
    read = as_array(engine, read)
    value = engine.backend.integer(read.native)
    return operands if value is None else (as_array(engine, base), value)


def function_of_one(name: str) -> Callable[..., Array]:
    """Return a function of one array or number, which keeps how, if its key alone decides."""

    def function(engine: Engine, x: Any, /, **others: Any) -> Array:
        if others:
            raise unknown(name, others)
        singles, own = engine.singles, engine.array_type
        is_own = type(x) is own and x.engine is engine
        if not is_own or singles is None or IN_FORCE.get() is not None:
            return operate(engine, name, (x,))
        try:
            run, key = singles[name][x.key]
            native = run(x.native)
        except Exception:  # noqa: BLE001  # it is new, or refused, which is said there
            made = operate(engine, name, (x,))
            found = planned(engine, name, (x,))[0]
            singles[name][x.key] = found.run, found.key
            return made
        if type(native) is not engine.native_type and engine.from_scalar is not None:
            native = engine.from_scalar(native)
        made = own()  # as `operate` does
        made.engine = engine
        made.native = native
        made.key = key
        made.sharing = None
        return made

    return function


def function_of_two(name: str) -> Callable[..., Array]:
    """Return a function of two arrays or numbers, which keeps how, if the keys of arrays decide."""

    def function(engine: Engine, x1: Any, x2: Any, /, **others: Any) -> Array:
        if others:
            raise unknown(name, others)
        pairs, own = engine.pairs, engine.array_type
        are_own = type(x1) is own is type(x2) and x1.engine is engine is x2.engine
        if not are_own or pairs is None or IN_FORCE.get() is not None:
            return operate(engine, name, (x1, x2))
        try:
            run, key = pairs[name][x1.key][x2.key]
            native = run(x1.native, x2.native)
        except Exception:  # noqa: BLE001  # it is new, or refused, which is said there
            return operate_on_pair(engine, name, x1, x2)
        if type(native) is not engine.native_type and engine.from_scalar is not None:
            native = engine.from_scalar(native)
        made = own()  # as `operate` does
        made.engine = engine
        made.native = native
        made.key = key
        made.sharing = None
        return made

    return function


def operate_on_pair(engine: Engine, name: str, x: Array, y: Array) -> Array:
    """Return a function of two arrays, and keep how, if their keys alone decide."""
    made = operate(engine, name, (x, y))
    by_value = name in engine.own_decider.multiplied and y.key.dtype.kind in WHOLE
    if engine.pairs is not None and not by_value:
        found = planned(engine, name, (x, y))[0]
        if found.check is None:
            engine.pairs[name].setdefault(x.key, {})[y.key] = found.run, found.key
    return made


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
    if array.sharing is not None and (array.sharing.copies or not engine.decider.operates_in_place):
        check_writable(array, name, " in place")
    key = array.key
    try:
        found = operate(engine, name, (array, value), None, INTO)
        if found is not array:
            _take_result(engine, name, array, value, found)
        elif engine.within is not None and array.key is key and _is_plain(engine, value):
            known = engine.within[name].setdefault(key, {})
            if value.key not in known:
                known[value.key] = planned(engine, name, (array, value), INTO)[0].run
    except FloatingPointError:  # of what is written already
        raise
    except Exception:
        check_writable(array, name, " in place")
        raise
    return array


def _is_plain(engine: Engine, value: Any) -> bool:
    """Return whether a value is an array of ours, and no block is in force."""
    return type(value) is engine.array_type and IN_FORCE.get() is None


def _take_result(engine: Engine, name: str, array: Array, value: Any, found: Array) -> None:
    """Let an array take the dtype and the shape of a result; one of the same is put into it."""
    native, own = found.native, array.native
    if native is own or engine.decider.operates_in_place:
        replace(array, native)
        array.key = found.key
        return
    # unknown lengths are not equal as the library has them
    same_shape = native.shape == own.shape or found.shape == array.shape
    if found.key.dtype is array.key.dtype and same_shape:
        if engine.backend.is_mutable:
            native = engine.backend.put(own, (...,), native)
    else:
        check_writable(array, name, " in place")
        if is_shared(array):
            raise separated(engine, name, array, value, found)
        array.sharing = None
    replace(array, native)
    array.key = found.key


def reduced(
    engine: Engine,
    name: str,
    x: Any,
    others: Sequence[Any],
    dtype: Any = None,
    *,
    to: DType | None = None,
    **options: Any,
) -> Array:
    """Return what a function makes of the elements of an array along some axes.

    Args:
        engine: what decides and computes.
        name: the function.
        x: the array.
        others: what was given by its place after it, which is refused.
        dtype: the dtype of the result that a user asks for.
        to: the dtype of the result, if it is the same for all arrays.
        options: what the function takes besides, such as axes.
    """
    if others:
        raise misplaced(name, "x", others)
    if dtype is not None:
        to = engine.decider.own(as_dtype(dtype))
    return operate(engine, name, (as_array(engine, x),), options, to)
