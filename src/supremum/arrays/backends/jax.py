"""The jax backend: `jax.numpy`, whose transformations take our arrays as pytrees."""

from __future__ import annotations

import operator
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import get_opaque_trace_state

from ...core.dtypes import DType
from ...core.errors import DTypeError
from ..array import Array, DataType, Key, key_of, summed_in
from ..decide import IN_FORCE, Decider
from .base import Backend, Given, Kernel, Parts, checked_power, may_be_negative, power_of_zero
from .indices import ALL, fitting, index_of, is_mask, part_shape

_Facts = tuple[Any, Key, Decider | None]  # the first is the engine


class JaxDataType(DataType):
    """The dtype of arrays of the jax backend: JAX looks it up among NumPy's, by their hash.

    So it is found among these, and not among `supremum.DType`, which it is equal to, too.
    """

    __slots__ = ()

    def __hash__(self) -> int:
        return hash(self.plain.to("jax"))


class JaxArray(Array):
    """An array of the jax backend, with one leaf: what `jax.jit`, `grad` and `vmap` see.

    The scalar that `jax.grad` differentiates has to be JAX's own: return ``y.native`` there.
    """

    __slots__ = ("trace",)

    def __init__(self) -> None:
        self.trace = get_opaque_trace_state(convention="nnx")  # where it was made

    @property
    def dtype(self) -> DataType:
        """Its dtype, which is equal to that of the namespace, such as ``xp.float32``."""
        return _data_type(self.key.dtype)


_data_type = cache(JaxDataType)


def _flatten(x: JaxArray) -> tuple[tuple[Any], _Facts]:
    # The rules of a block are part of it, so that jax.jit compiles once for each set of rules.
    return (x.native,), (x.engine, x.key, IN_FORCE.get())


def _unflatten(facts: _Facts, leaves: tuple[Any]) -> JaxArray:
    engine, key, _ = facts
    (leaf,) = leaves
    # A function of leaves may have cast it, or JAX may have replaced it by anything for a while.
    if isinstance(leaf, jax.Array) and leaf.dtype != jax.dtypes.float0:
        d = BACKEND.of(leaf)
        key = key if d is key.dtype else key_of(d)
    return engine.same(leaf, key)


jax.tree_util.register_pytree_node(JaxArray, _flatten, _unflatten)


class JaxBackend(Backend):
    """JAX. Its arrays are always strong: ours know which ones are weak."""

    array_type = JaxArray
    plain_types = frozenset({np.ndarray})
    dtype_type = JaxDataType
    is_mutable = False

    def dtype(self, d: DType) -> Any:
        """Return its own dtype of the same name.

        Raises:
            DTypeError: if it has none, or 64-bit dtypes are off.
        """
        native = super().dtype(d)
        if _is_wide(d) and not jax.config.jax_enable_x64:
            raise DTypeError(
                f"the jax backend does not have {d} while jax_enable_x64 is off; enable it first, "
                f'with jax.config.update("jax_enable_x64", True), or use rules without 64 bits, '
                f'such as supremum.namespace("jax", x64=False, backend="jax")',
                d,
            )
        return native

    def _find(self, d: DType) -> Any:
        """Return its dtype of this name, if it can make arrays of it."""
        native = super()._find(d)
        try:
            if native is not None and not _is_wide(d):
                jax.eval_shape(lambda: jnp.zeros((), native))
        except TypeError:
            return None
        return native

    def is_own(self, x: Any) -> bool:
        """Tell whether something is an array of JAX, or a tracer."""
        return isinstance(x, jax.Array)

    def ones(self, shape: tuple[int, ...], d: DType) -> Any:
        """Return what a function is tried with: only a shape and a dtype, no values."""
        return jax.ShapeDtypeStruct(shape, self.dtype(d))

    def attempt(self, function: Kernel, *operands: Any) -> Any:
        """Trace a function to see whether it supports its operands' dtypes, and what it gives."""
        return jax.eval_shape(function, *operands)

    def cast(self, data: Any, d: DType) -> Any:
        """Return an array in another dtype; of complex numbers a real dtype takes the real part."""
        if self.of(data) is d and not data.weak_type:
            return data
        if data.dtype.kind == "c" and d.kind != "complex":
            data = data != 0 if d.kind == "bool" else data.real
        return _convert(data, new_dtype=self.dtype(d))

    def copied(self, data: Any) -> Any:
        """Return a copy of an array."""
        return jnp.array(data, copy=True)

    def device(self, data: Any) -> Any:
        """Return where an array is; None for a tracer, which is nowhere yet."""
        return getattr(data, "device", None)

    def integer(self, data: Any) -> int | None:
        """Return the int that an integer array without dimensions is; None for a tracer."""
        return None if isinstance(data, jax.core.Tracer) else int(data)

    def number_type(self, x: Any) -> type | None:
        """Return the type of the Python number that is traced, or that a weak array is made of."""
        is_number = isinstance(x, jax.Array) and x.weak_type and not x.ndim
        return _NUMBERS[x.dtype.kind] if is_number else None

    def to_jax(self, data: Any) -> Any:
        """Return the array itself, which may be a tracer."""
        return data

    def to_device(self, data: Any, device: Any, stream: Any = None) -> Any:
        """Return an array on another device."""
        if stream is not None:
            raise ValueError("the jax backend does not have streams; leave stream out")
        return jax.device_put(data, device)

    def put(self, data: Any, parts: Parts, value: Any) -> Any:
        """Return an array with another value in part of it, which replaces the old one."""
        found = index_of(self, data.shape, parts)
        is_traced = any(is_mask(k) and isinstance(k, jax.core.Tracer) for k in found.arrays)
        if value.ndim and not is_traced:
            value = fitting(value, part_shape(data.shape, found))
        ints = [k for k in found.basic if k != ALL]
        if found.insert is None and not found.arrays and all(type(k) is int for k in ints):
            return _stored(data, value, *ints, at=tuple(k != ALL for k in found.basic))
        if found.insert is None:
            return data.at[found.whole].set(value)
        return data[found.insert].at[found.whole].set(value).reshape(data.shape)

    def number(self, value: Any, native: Any, near: Any) -> Any:  # noqa: ARG002  # it has no device
        """Return a Python number as an array of NumPy, which JAX takes in less time."""
        return np.asarray(value, native)

    def check_replaced(self, array: Array, native: Any) -> None:
        """Refuse a tracer in an array that was made outside of what is traced.

        Raises:
            TypeError: with what to do instead.
        """
        is_tracer = isinstance(native, jax.core.Tracer)
        if is_tracer and array.trace != get_opaque_trace_state(convention="nnx"):  # type: ignore[attr-defined]  # it is a JaxArray
            raise TypeError(
                "a store is refused: the array was made outside of the function that JAX traces, "
                "as by jax.jit or jax.grad, and would keep a value that ends with it; pass the "
                "array to the function as an argument and return it, or store in a copy that is "
                "made there, x = xp.asarray(x, copy=True)"
            )

    def from_dlpack(self, x: Any, device: Any, copy: bool | None) -> Any:
        """Return an array of another library; JAX reads those alone that lie without gaps."""
        try:
            return super().from_dlpack(x, device, copy)
        except jax.errors.JaxRuntimeError:
            if copy is False:
                raise
            return jnp.asarray(np.array(np.from_dlpack(x)), device=device)

    def as_result(self, data: Any, d: DType) -> Any:
        """Return the result of a function as a strong array of a dtype."""
        return data if self.of(data) is d and not data.weak_type else self.cast(data, d)

    def take(self, data: Any, parts: Parts) -> Any:
        """Return part of an array; JAX reads an index anew each time, which takes it long."""
        first = parts[0] if len(parts) == 1 else None
        if isinstance(first, jax.Array) and first.dtype.kind in "iu":
            return _taken(data, first)
        found = index_of(self, data.shape, parts)
        return (data if found.insert is None else data[found.insert])[found.whole]

    def kernel(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what computes a function of arrays and numbers, in one call."""
        arrays = [d or compute for d in given]
        run = _compiled(super().kernel(name, arrays, compute, result), arrays, compute)
        if may_be_negative(name, given, compute):
            run = partial(_powered, run)
        return self._of_numbers(run, given, compute)

    def function(self, name: str) -> Kernel:
        """Return one of its functions by its name in the array API."""
        if name == "permute_dims":  # JAX's own takes no axes from the end
            return jnp.transpose
        found = super().function(name)
        if name == "pow":
            return _power
        return partial(_divided, found) if name in ("floor_divide", "remainder") else found

    def selection(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what takes elements of two operands by a condition, as `kernel` does."""
        arrays = [d or compute for d in given]
        run = super().selection(name, arrays, compute, result)
        return self._of_numbers(_compiled(run, arrays[1:], compute), given, compute)

    def reduction(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what reduces an array along some axes, as `kernel` does.

        A correction is traced, as in JAX: XLA divides by a constant in another way.
        """
        options = "axis", "keepdims", "include_initial"
        run = super().reduction(name, given, compute, result)
        return _compiled(run, given, compute, *options)

    def joining(self, name: str, given: Given, compute: DType, result: DType) -> Kernel:
        """Return what puts arrays together along an axis, as `kernel` does."""
        return _compiled(super().joining(name, given, compute, result), given, compute, "axis")

    def _of_numbers(self, run: Kernel, given: Given, compute: DType) -> Kernel:
        """Return a kernel that takes numbers where the given dtype is None."""
        numbers = [index for index, d in enumerate(given) if d is None]
        if not numbers:
            return run
        is_narrow = compute.kind == "float" and summed_in(compute) is not compute

        def call(*operands: Any) -> Any:
            values, native = list(operands), self.dtype(compute)
            for index in numbers:
                value = values[index]
                if isinstance(value, jax.Array):
                    values[index] = self.cast(value, compute)
                    continue
                # of ml_dtypes, none takes a large int
                values[index] = self.number(float(value) if is_narrow else value, native, None)
            return run(*values)

        return call

    def text(self, data: Any, facts: str) -> str:
        """Return the `repr` of an array of ours with this data."""
        if isinstance(data, jax.core.Tracer):
            return f"supremum.Array({data}, {facts})"
        return super().text(data, facts)


def _powered(run: Kernel, x: Any, y: Any) -> Any:
    """Return a power of integers; whether what is traced is negative is not known."""
    return run(x, y) if isinstance(y, jax.core.Tracer) else checked_power(run, x, y)


def _power(x: Any, y: Any) -> Any:
    if x.dtype.kind in "iu":
        return _power_of_integers(x, y)
    found = jnp.pow(x, y)
    return power_of_zero(jnp.where, found, x, y) if x.dtype.kind == "c" else found


def _power_of_integers(x: Any, y: Any) -> Any:
    """Return a power of integers; XLA's own takes six bits of the exponent alone."""

    def is_left(state: tuple[Any, Any, Any]) -> Any:
        return (state[1] > 0).any()

    def multiplied(state: tuple[Any, Any, Any]) -> tuple[Any, Any, Any]:
        base, rest, found = state
        return jnp.pow(jnp.pow(base, 32), 2), rest >> 6, found * jnp.pow(base, rest & 63)

    base, exponent = jnp.broadcast_arrays(x, y)
    state = base, exponent, jnp.ones_like(base)
    found = jax.lax.while_loop(is_left, multiplied, state)[2]
    return jnp.where(exponent < 0, jnp.pow(x, y), found)


def _divided(function: Kernel, x: Any, y: Any) -> Any:
    """Return a quotient or a remainder; that of integers by zero is 0, as in NumPy."""
    if not jnp.issubdtype(y.dtype, jnp.integer):
        return function(x, y)
    by_zero = y == 0
    return jnp.where(by_zero, 0, function(x, jnp.where(by_zero, 1, y)))


def _compiled(run: Kernel, given: Given, compute: DType, *options: str) -> Kernel:
    """Return a kernel that is compiled with its casts, so that it is one call of XLA.

    That of narrow floats stays as it is: XLA would not round to them in between.
    """
    used = [compute, *(d for d in given if d is not None)]
    are_all_wide = all(summed_in(d) is d for d in used)
    return _at_once(run, *options) if are_all_wide else run


def _at_once(run: Kernel, *options: str) -> Kernel:
    """Return a function that is compiled for arrays; in what is traced it stays as it is."""
    compiled = jax.jit(run, static_argnames=options)

    def call(*operands: Any, **given: Any) -> Any:
        for x in operands:
            if isinstance(x, jax.core.Tracer):
                return run(*operands, **given)
        try:
            return compiled(*operands, **given)
        except (TypeError, ValueError):  # it compiles for no list of axes, nor what is refused
            return run(*operands, **given)

    return call


_NUMBERS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
_convert = _at_once(jax.lax.convert_element_type, "new_dtype")
_taken = _at_once(operator.getitem)


def _with(data: Any, value: Any, *ints: int, at: tuple[bool, ...]) -> Any:
    """Return an array with another value at some ints; `at` tells which axes have one."""
    left = iter(ints)
    return data.at[tuple(next(left) if has_int else ALL for has_int in at)].set(value)


_stored = _at_once(_with, "at")  # JAX reads an index anew each time, which takes it long


def _is_wide(d: DType) -> bool:
    return d.part.bits == 64


BACKEND = JaxBackend("jax", "JAX", jnp)
