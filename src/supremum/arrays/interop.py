"""What einops asks of the arrays that it takes, given to it for ours if it is installed."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from .array import Array


@cache
def introduce() -> type | None:
    """Let einops take our arrays: it looks among the subclasses that are alive of a class of it."""
    with suppress(ImportError):
        from einops._backends import AbstractBackend  # type: ignore[import-not-found,unused-ignore]  # if it is there

        return type("Backend", (_Functions, AbstractBackend), {"framework_name": "supremum"})
    return None


class _Functions:
    """The functions that einops is made of; it has other names for some of the standard's."""

    def is_appropriate_type(self, x: Any) -> bool:
        return isinstance(x, Array)

    def to_numpy(self, x: Array) -> Any:
        import numpy as np

        return np.asarray(x)

    def reshape(self, x: Array, shape: Any) -> Any:
        return x.engine.namespace.reshape(x, shape)

    def transpose(self, x: Array, axes: Sequence[int]) -> Any:
        return x.engine.namespace.permute_dims(x, axes)

    def reduce(self, x: Array, operation: str, axes: Any) -> Any:
        return getattr(x.engine.namespace, operation)(x, axis=axes)

    def stack_on_zeroth_dimension(self, arrays: Sequence[Array]) -> Any:
        return arrays[0].engine.namespace.stack(arrays)

    def add_axis(self, x: Array, new_position: int) -> Any:
        return x.engine.namespace.expand_dims(x, axis=new_position)

    def tile(self, x: Array, repeats: Sequence[int]) -> Any:
        return x.engine.namespace.tile(x, repeats)

    def concat(self, arrays: Sequence[Array], axis: int) -> Any:
        return arrays[0].engine.namespace.concat(arrays, axis=axis)

    def is_float_type(self, x: Array) -> bool:
        return x.key.dtype.kind in ("float", "complex")
