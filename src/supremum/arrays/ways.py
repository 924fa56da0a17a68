"""Ways: how functions of whole arrays are computed, found once for the dtypes of their operands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..core.dtypes import DType
from .array import Array, Key, key_of
from .decide import IN_FORCE
from .engine import END, Engine


class Way(NamedTuple):
    """How a function of arrays of some dtypes is computed.

    Attributes:
        name: the function, as the backend calls it.
        run: what the backend computes it with.
        compute: the dtype that this is given.
        finished: gives a result in its dtype.
        key: that of the result, if there is one alone.
    """

    name: str
    run: Callable[..., Any]
    compute: DType
    finished: Callable[[Any], Any]
    key: Key


def make_way(
    engine: Engine, name: str, compute: DType, result: DType, *, weak: bool = False
) -> Way:
    """Return how a function is computed in a dtype.

    Raises:
        DTypeError: if the backend lacks one of the dtypes.
    """
    backend = engine.backend
    for d in (compute, result):
        backend.dtype(d)
    return Way(
        name, backend.function(name), compute, backend.finishing(result), key_of(result, weak)
    )


def way_of(engine: Engine, name: str, operands: Sequence[Array], decide: Callable[..., Way]) -> Way:
    """Return how a function is computed.

    Args:
        engine: what decides and computes.
        name: the function; no other kind of plan is found by it.
        operands: its operands.
        decide: returns the way of this function of the operands, if none is known.
    """
    level = plans = engine.plans[IN_FORCE.get() or engine.own_decider]
    keys = [x.key if x.native.ndim else x.key.flat for x in operands]
    try:
        level = level[name]
        for key in keys:
            level = level[key]
        return level[END]  # type: ignore[no-any-return]  # it is one
    except KeyError:
        made = decide(engine, name, operands)
    for key in (name, *keys):
        plans = plans.setdefault(key, {})
    plans[END] = made
    return made


def computed(engine: Engine, way: Way, operands: Sequence[Array], options: dict[str, Any]) -> Any:
    """Return what the backend gives for operands, which are cast before."""
    d = way.compute
    cast = [x.native if x.key.dtype is d else engine.backend.cast(x.native, d) for x in operands]
    return engine.asked(way.name, d, way.run, *cast, **options)
