"""Functions of the user, applied to arrays of Dask chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any

import dask.array as da
import numpy as np

from ...core.dtypes import PYTHON_SCALARS, DType
from ...core.errors import DTypeError, PromotionError
from ...core.system import PromotionSystem
from ..array import Array, Key, key_of
from ..decide import IN_FORCE, rules

Operands = Sequence[tuple[Any, Key | None]]


def mapped(
    near: Any, f: Callable[..., Any], operands: Operands, d: DType | None
) -> tuple[Any, Key]:
    """Return an array of Dask whose chunks a function makes of those of others, and its key.

    Args:
        near: the engine of the numpy backend, under the same rules.
        f: the function, of arrays of the numpy backend.
        operands: arrays of Dask with their keys, and Python numbers without.
        d: the dtype of the result; by default that of what `f` makes of arrays without elements.

    Raises:
        DTypeError: if `f` makes chunks of another dtype.
        TypeError: if `f` cannot be called, or does not make an array.
        ValueError: if it makes arrays of another shape.
    """
    if not callable(f):
        raise TypeError(f"map_blocks takes a function of arrays first, not {f!r}")
    in_force = IN_FORCE.get()
    keys = tuple(None if key is None else (key.dtype, key.weak) for _, key in operands)
    run = partial(_apply, f, near, None if in_force is None else in_force.given, keys)
    natives = [x for x, _ in operands]
    ndim = max(x.ndim for x in natives if isinstance(x, da.Array))
    key = _probed(run, natives, f) if d is None else key_of(d)
    native = near.backend.dtype(key.dtype)
    found = da.map_blocks(
        partial(_chunk, run, key.dtype),
        *natives,
        dtype=native,
        meta=np.empty((0,) * ndim, native),
    )
    return found, key


def _apply(
    f: Callable[..., Any],
    near: Any,
    in_force: PromotionSystem | None,
    keys: Sequence[tuple[DType, bool] | None],
    *values: Any,
) -> Array:
    """Return what a function makes of chunks, under the rules that were in force."""
    pairs = zip(values, keys, strict=True)
    arrays = [x if key is None else near.same(np.asarray(x), key_of(*key)) for x, key in pairs]
    with nullcontext() if in_force is None else rules(in_force):
        found = f(*arrays)
    if not isinstance(found, Array) or found.engine is not near:
        what = f"of {found.engine}" if isinstance(found, Array) else f"but a {type(found).__name__}"
        msg = f"map_blocks of {_name(f)} did not return an array of {near}, {what}"
        raise TypeError(f"{msg}; return xp.asarray(y), with xp = x.__array_namespace__()")
    shape = np.broadcast_shapes(*(x.native.shape for x in arrays if isinstance(x, Array)))
    if found.native.shape != shape:
        msg = f"map_blocks of {_name(f)} made {found.native.shape} of chunks of shape {shape}"
        raise ValueError(f"{msg}; for other shapes, use x.native.map_blocks and xp.asarray")
    return found


def _probed(run: Callable[..., Array], natives: Sequence[Any], f: Callable[..., Any]) -> Key:
    """Return the key of what a function makes of chunks without elements, or of one each."""
    error: Exception | None = None
    for samples in _samples(natives):
        try:
            return run(*samples).key
        except Exception as raised:  # noqa: BLE001  # it is the user's function
            error = error or raised
    msg = f"map_blocks cannot tell the dtype of what {_name(f)} returns"
    kind = type(error) if isinstance(error, (DTypeError, TypeError, ValueError)) else TypeError
    why = f"for chunks without elements it raises {error}"
    raise kind(f"{msg}: {why}; pass dtype=") from error


def _samples(natives: Sequence[Any]) -> Iterator[list[Any]]:
    for n in (0, 1):
        yield [np.ones((n,) * x.ndim, x.dtype) if isinstance(x, da.Array) else x for x in natives]


def _chunk(run: Callable[..., Array], d: DType, *chunks: Any) -> Any:
    found = run(*chunks)
    if found.key.dtype is not d:
        raise DTypeError(
            f"map_blocks of {_name(run.args[0])} gave {found.dtype} for a chunk, and {d} was "  # type: ignore[attr-defined]  # it is partial
            f"expected; cast in the function, with xp.astype(y, xp.{d}), or pass "
            f"dtype=xp.{found.dtype}",
            d,
        )
    return found.native


def _name(f: Any) -> str:
    return getattr(f, "__qualname__", repr(f))


def operands_of(engine: Any, arrays: Sequence[Any]) -> Operands:
    """Return operands as arrays of Dask with their keys, and Python numbers as they are.

    Raises:
        PromotionError: for an array of another namespace.
    """
    made: list[tuple[Any, Key | None]] = []
    for x in arrays:
        if isinstance(x, Array) and x.engine is not engine:
            msg = f"map_blocks takes arrays of {engine}, and one is of {x.engine}"
            raise PromotionError(
                f"{msg}; convert it with its asarray, for example xp.asarray(y)",
                (x,), engine.rules.name, dict(engine.rules.setting),
            )  # fmt: skip
        one = x if type(x) in PYTHON_SCALARS else engine.namespace.asarray(x)
        made.append((one.native, one.key) if isinstance(one, Array) else (one, None))
    return made
