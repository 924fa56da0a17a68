"""Casting, and inspecting dtypes."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..core import limits
from ..core.dtypes import DType
from ..core.errors import SupremumError
from ..core.limits import FloatInfo, IntInfo
from .array import Array, DataType, as_dtype, data_type, imaginary_part_lost, key_of
from .decide import IN_FORCE
from .engine import END, Engine
from .operand import as_array
from .views import alike

__all__ = ["astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]


def astype(
    engine: Engine, x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None
) -> Array:
    """Cast an array to a dtype, whatever the rules say of the two.

    Raises:
        TypeError: from complex to real, as the imaginary part would be lost.
    """
    x, decider = as_array(engine, x), engine.decider
    d = decider.own(dtype.plain if isinstance(dtype, DataType) else as_dtype(dtype))
    if x.key.dtype.kind == "complex" and d.kind not in ("complex", "bool"):
        raise imaginary_part_lost(x.key.dtype, d)
    native = x.native
    if d is not x.key.dtype:
        native = engine.backend.cast(native, d)
    elif copy:
        native = engine.backend.copied(native)
    elif device in (None, x.device):
        return alike(engine, x, weak=False) if x.weak_type else x
    if device is not None:
        native = engine.backend.to_device(native, device)
    return engine.same(native, key_of(d))


def result_type(engine: Engine, *arrays_and_dtypes: Any) -> DataType:
    """Return the dtype that arrays, dtypes and Python numbers share under the rules."""
    decider = IN_FORCE.get() or engine.own_decider
    own, ranked = engine.array_type, decider.ranked
    level = engine.plans[decider]
    try:
        level = level["result_type"]
        for x in arrays_and_dtypes:
            if type(x) is own:
                level = level[x.key.flat if ranked and not x.native.ndim else x.key]
            else:
                level = level[x.plain if isinstance(x, DataType) else None]
        return level[END]  # type: ignore[no-any-return]  # it is a dtype
    except KeyError:
        pass
    plain = [x.plain if isinstance(x, DataType) else x for x in arrays_and_dtypes]
    made = data_type(decider.shared(*plain))
    if all(isinstance(x, (Array, DType)) for x in plain):
        level = engine.plans[decider]
        for key in ("result_type", *map(decider.key, plain)):
            level = level.setdefault(key, {})
        level[END] = made
    return made


def can_cast(engine: Engine, from_: Any, to: Any, /) -> bool:
    """Tell whether one dtype, or that of an array, promotes to another under the rules."""
    d = from_.dtype if isinstance(from_, Array) else as_dtype(from_)
    try:
        return engine.decider.rules.promote_types(d, as_dtype(to)) is as_dtype(to)
    except SupremumError:
        return False


def isdtype(engine: Engine, dtype: Any, kind: Any) -> bool:  # noqa: ARG001  # a method of it
    """Tell whether a dtype is of a kind such as ``"real floating"``, or of one of several."""
    return limits.isdtype(as_dtype(dtype), kind)


def finfo(engine: Engine, type: Any, /) -> FloatInfo:  # noqa: ARG001  # the same
    """Return the limits of a floating dtype, or that of an array."""
    return _finfo(type.key.dtype if isinstance(type, Array) else as_dtype(type))


def iinfo(engine: Engine, type: Any, /) -> IntInfo:  # noqa: ARG001  # the same
    """Return the limits of an integer dtype, or that of an array."""
    return _iinfo(type.key.dtype if isinstance(type, Array) else as_dtype(type))


@cache
def _finfo(d: DType) -> FloatInfo:
    found = limits.finfo(d)
    return found._replace(dtype=data_type(found.dtype))


@cache
def _iinfo(d: DType) -> IntInfo:
    found = limits.iinfo(d)
    return found._replace(dtype=data_type(found.dtype))
