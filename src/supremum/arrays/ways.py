"""Ways: how functions of whole arrays are computed, found once for the dtypes of their operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core.dtypes import DType
from .array import Array, Key, key_of
from .decide import IN_FORCE
from .engine import END, Engine
from .operand import as_array


class Way(NamedTuple):
    """How a function of arrays of some dtypes is computed.

    Attributes:
        name: the function, as the backend calls it.
        run: what the backend computes it with.
        compute: the dtype to compute in.
        casts: which operands are cast to it before.
        results: for each of its results, what gives it in its dtype, and its key.
    """

    name: str
    run: Callable[..., Any]
    compute: DType
    casts: Sequence[int]
    results: Sequence[tuple[Callable[[Any], Any], Key]]


Decide = Callable[[Engine, str, Sequence[Array]], Way]


def make_way(
    engine: Engine,
    name: str,
    operands: Sequence[Array],
    compute: DType,
    results: Sequence[DType],
    *,
    weak: bool = False,
) -> Way:
    """Return how a function of some operands is computed in a dtype; its results may have others.

    Raises:
        DTypeError: if the backend lacks one of the dtypes.
    """
    backend = engine.backend
    for d in (compute, *results):
        backend.dtype(d)
    casts = backend.casts(name, [x.key.dtype for x in operands], compute)
    finished = [(backend.finishing(d), key_of(d, weak)) for d in results]
    return Way(name, backend.function(name), compute, casts, finished)


def computed(
    engine: Engine, name: str, operands: Sequence[Any], decide: Decide, options: dict[str, Any]
) -> list[Array]:
    """Return the results of a function.

    Args:
        engine: what decides and computes.
        name: the function; no other kind of plan is found by it.
        operands: its operands.
        decide: returns the way of this function of the operands, if none is known.
        options: what the function takes besides.

    Raises:
        DTypeError: if the backend lacks a dtype, or does not support it.
    """
    level = plans = engine.plans[IN_FORCE.get() or engine.own_decider]
    taken, values = [], []
    keys: list[Any] = [name]
    for operand in operands:
        x = as_array(engine, operand)
        native = x.native
        taken.append(x)
        values.append(native)
        keys.append(x.key if native.ndim else x.key.flat)
    try:
        for key in keys:
            level = level[key]
        way = level[END]
    except KeyError:
        way = decide(engine, name, taken)
        for key in keys:
            plans = plans.setdefault(key, {})
        plans[END] = way
    called, run, d, casts, results = way
    for index in casts:
        values[index] = engine.backend.cast(values[index], d)
    try:
        found = run(*values, **options)
    except Exception as error:
        engine.check_refusal(error, called, d, values)
        raise
    natives = found if len(results) > 1 else (found,)
    return [
        engine.same(finished(native), key)
        for native, (finished, key) in zip(natives, results, strict=True)
    ]
