"""The extension for Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.functions import chain
from .array import Array, as_dtype, complex_of
from .conversion import asarray
from .engine import Engine
from .operand import as_array
from .ways import Way, computed, make_way

_ONE = {
    "fft": "the discrete Fourier transform",
    "ifft": "the inverse of `fft`",
    "rfft": "the discrete Fourier transform of real input, without negative frequencies",
    "irfft": "the inverse of `rfft`, which is real",
    "hfft": "the discrete Fourier transform of input with Hermitian symmetry, which is real",
    "ihfft": "the inverse of `hfft`",
}
_MANY = {
    "fftn": "the discrete Fourier transform over several axes",
    "ifftn": "the inverse of `fftn`",
    "rfftn": "the discrete Fourier transform of real input over several axes",
    "irfftn": "the inverse of `rfftn`, which is real",
}
# Those that are not in the catalogue, with the functions whose rules they follow.
_LIKE = {"hfft": "irfft", "ihfft": "rfft"}
_OF_COMPLEX = {"rfft": "fft", "rfftn": "fftn", "ihfft": "ifft"}

__all__ = [*_ONE, *_MANY, "fftfreq", "fftshift", "ifftshift", "rfftfreq"]  # noqa: PLE0604  # the keys are strings


def _decided(engine: Engine, function: str, operands: Sequence[Array]) -> Way:
    """Return how a transform is computed."""
    name, (x,) = function.removeprefix("fft."), operands
    rule = _LIKE.get(name, name)
    leader = chain(rule)[-1]
    if leader == "rfft" and x.key.dtype.kind == "complex":
        raise TypeError(f"{name} requires real input, got {x.key.dtype}; use {_OF_COMPLEX[name]}")
    d = engine.decide(rule, x).dtype
    compute = {"rfft": d.part, "irfft": complex_of(d)}.get(leader, d)
    if leader == "fft" and x.key.dtype is d.part:  # it takes half of the time
        compute = d.part
    return make_way(engine, function, operands, compute, [d])


def _along_one(name: str) -> Callable[..., Array]:
    def function(
        engine: Engine, x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Array:
        options = {"n": n, "axis": axis, "norm": norm}
        return computed(engine, name, [x], _decided, options)[0]

    return function


def _along_many(name: str) -> Callable[..., Array]:
    def function(
        engine: Engine,
        x: Any,
        /,
        *,
        s: Sequence[int] | None = None,
        axes: Sequence[int] | None = None,
        norm: str = "backward",
    ) -> Array:
        options = {"s": s, "axes": axes, "norm": norm}
        return computed(engine, name, [x], _decided, options)[0]

    return function


def _make() -> None:
    for made, names in ((_along_one, _ONE), (_along_many, _MANY)):
        for name, what in names.items():
            function = made(f"fft.{name}")
            function.__name__ = function.__qualname__ = name
            function.__doc__ = f"Return {what}."
            globals()[name] = function


_make()


def _frequencies(engine: Engine, name: str, n: int, d: float, dtype: Any, device: Any) -> Array:
    to = engine.decider.own(engine.decider.defaults.float if dtype is None else as_dtype(dtype))
    made = engine.call(f"fft.{name}", to, n, d=float(d))
    return asarray(engine, engine.backend.cast(made, to), device=device)


def fftfreq(
    engine: Engine, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None
) -> Array:
    """Return the sample frequencies of `fft`, for `n` samples with spacing `d`."""
    return _frequencies(engine, "fftfreq", n, d, dtype, device)


def rfftfreq(
    engine: Engine, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None
) -> Array:
    """Return the sample frequencies of `rfft`, for `n` samples with spacing `d`."""
    return _frequencies(engine, "rfftfreq", n, d, dtype, device)


def fftshift(engine: Engine, x: Any, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Shift the zero-frequency component to the centre."""
    x = as_array(engine, x)
    return engine.same(engine.call("fft.fftshift", x.key.dtype, x.native, axes=axes), x.key)


def ifftshift(engine: Engine, x: Any, /, *, axes: int | Sequence[int] | None = None) -> Array:
    """Undo `fftshift`."""
    x = as_array(engine, x)
    return engine.same(engine.call("fft.ifftshift", x.key.dtype, x.native, axes=axes), x.key)
