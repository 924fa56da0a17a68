"""The extension for Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from supremum.arrays.data_type import as_dtype

if TYPE_CHECKING:
    from supremum.arrays.array import Array
    from supremum.arrays.space import Namespace

_ONE = {
    "fft": "the discrete Fourier transform",
    "ifft": "its inverse",
    "rfft": "the discrete Fourier transform of real values, its first half",
    "irfft": "its inverse, which is real",
    "hfft": "the transform of values that are symmetric in time, which is real",
    "ihfft": "its inverse",
}
_MANY = {
    "fftn": "the discrete Fourier transform along several axes",
    "ifftn": "its inverse",
    "rfftn": "the discrete Fourier transform of real values along several axes, its first half",
    "irfftn": "its inverse, which is real",
}
_REAL_RESULT = ("irfft", "hfft", "irfftn")
_REAL_OPERAND = ("rfft", "rfftn", "ihfft")

__all__ = [*_ONE, *_MANY, "fftfreq", "fftshift", "ifftshift", "rfftfreq"]  # noqa: PLE0604  # the keys are strings


def _transform(xp: Namespace, name: str, x: Any, options: dict[str, Any]) -> Array:
    x = xp._taken(x)
    rule = "irfft" if name in _REAL_RESULT else "rfft" if name in _REAL_OPERAND else "fft"
    d = xp._decide(rule, x).dtype
    if name in _REAL_OPERAND and x.dtype.kind == "complex":
        raise TypeError(f"{name} is of real values, and this is {x.dtype}; use {name[1:]}")
    compute = xp._complex(d) if name in _REAL_RESULT else d.part if name in _REAL_OPERAND else d
    cast = xp._backend.cast(x.native, compute)
    return xp._wrap(xp._call(f"fft.{name}", compute, cast, **options), d)


def _along_one(name: str) -> Callable[..., Array]:
    def function(
        xp: Namespace, x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward"
    ) -> Array:
        return _transform(xp, name, x, {"n": n, "axis": axis, "norm": norm})

    return function


def _along_many(name: str) -> Callable[..., Array]:
    def function(
        xp: Namespace, x: Any, /, *, s: Any = None, axes: Any = None, norm: str = "backward"
    ) -> Array:
        return _transform(xp, name, x, {"s": s, "axes": axes, "norm": norm})

    return function


def _make() -> None:
    for made, names in ((_along_one, _ONE), (_along_many, _MANY)):
        for name, what in names.items():
            function = made(name)
            function.__name__ = function.__qualname__ = name
            function.__doc__ = f"Return {what}."
            globals()[name] = function


_make()


def _frequencies(xp: Namespace, name: str, n: int, d: float, dtype: Any, device: Any) -> Array:
    to = xp.decider.own(xp.decider.defaults.float if dtype is None else as_dtype(dtype))
    made = xp._call(f"fft.{name}", to, n, d=float(d))
    return xp.asarray(xp._backend.cast(made, to), device=device)  # type: ignore[no-any-return]  # it is an array


def fftfreq(
    xp: Namespace, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None
) -> Array:
    """Return the frequencies of `fft`, for `n` samples `d` apart."""
    return _frequencies(xp, "fftfreq", n, d, dtype, device)


def rfftfreq(
    xp: Namespace, n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None
) -> Array:
    """Return the frequencies of `rfft`, for `n` samples `d` apart."""
    return _frequencies(xp, "rfftfreq", n, d, dtype, device)


def fftshift(xp: Namespace, x: Any, /, *, axes: Any = None) -> Array:
    """Return a transform with the frequency zero in the middle."""
    x = xp._taken(x)
    return xp._same(xp._call("fft.fftshift", x.dtype, x.native, axes=axes), x._key)


def ifftshift(xp: Namespace, x: Any, /, *, axes: Any = None) -> Array:
    """Return a transform with the frequency zero in front again."""
    x = xp._taken(x)
    return xp._same(xp._call("fft.ifftshift", x.dtype, x.native, axes=axes), x._key)
