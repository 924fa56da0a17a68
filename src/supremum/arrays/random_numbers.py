"""Random numbers, which the array API does not have: the backend draws them, in any dtype."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import floor, frexp, fsum, isfinite, ldexp, nextafter, prod
from operator import index
from typing import Any, Final

from ..core.dtypes import DType, by_name
from ..core.errors import DTypeError, shorten
from .array import Array
from .conversion import asarray
from .data_type import as_dtype
from .engine import Engine
from .indexing import take
from .manipulation import reshape
from .operand import as_array
from .space import Namespace

_SEEDS: Final = 2**32  # PyTorch reads no more bits of one
_DOUBLE: Final = 53  # the bits of Python's floats
_LEAST: Final = -1022  # their least exponent
_KINDS: Final = {"float": ("float",), "int": ("signed", "unsigned", "bool")}
_INSTEAD: Final = {
    "complex": "draw the two parts as floats, and write x + 1j * y",
    "float": "use uniform or normal",
}


class Random:
    """Random numbers of a namespace; `supremum.random` makes it.

    Each call draws new ones. The same calls in the same order give the same numbers again for the
    same seed, on the same backend and release of its library; another backend has others. What is
    refused draws nothing.

    >>> import supremum
    >>> xp = supremum.namespace("jax")
    >>> draw = supremum.random(xp, 1)
    >>> draw.normal(shape=(2, 3), dtype=xp.float16).dtype.name
    'float16'
    >>> draw.integers(0, 6, 4).dtype.name
    'int64'
    """

    def __init__(self, engine: Engine, seed: int) -> None:
        self._engine = engine
        self._seed = seed
        self._generator = engine.backend.generator(seed)

    def __repr__(self) -> str:
        return f"supremum.random({self._engine}, {self._seed})"

    def uniform(
        self, low: float = 0.0, high: float = 1.0, shape: Any = (), *, dtype: Any = None
    ) -> Array:
        """Return numbers that are spread evenly over [low, high).

        They are rounded to the dtype, and none is below `low`, nor at `high` or above.

        Args:
            low: the lower bound.
            high: the upper bound, which is not included.
            shape: the shape of the result, a length or several.
            dtype: a float dtype; by default that of the rules.

        Raises:
            TypeError: for a dtype that is not a float, or a bound that is not a number.
            ValueError: if the interval is empty, or the dtype has no number in it.
            OverflowError: for a bound that the dtype does not hold.
        """
        sizes, d = self._shape("uniform", shape), self._dtype("uniform", dtype, "float")
        low, high = (
            self._number("uniform", name, x, d) for name, x in (("low", low), ("high", high))
        )
        if not low < high:
            raise ValueError(self._says("uniform", _empty(low, high)))
        least, largest = -_down(d, -low), _down(d, nextafter(high, low))
        if least > largest:
            why = f"{d} has no number in [{low}, {high}); give a wider interval or dtype"
            raise ValueError(self._says("uniform", why))
        return self._engine.wrap(self._spread(low, high, least, largest, sizes, d), d)

    def _spread(
        self, low: float, high: float, least: float, largest: float, shape: Any, d: DType
    ) -> Any:
        backend, compute = self._engine.backend, _drawn_in(d)
        unit = backend.uniform(self._generator, shape, compute)
        span = high - low
        # the span of bounds that fit may not fit
        wide = span > float(compute.max)
        made = low * (1 - unit) + high * unit if wide else low + unit * span
        return backend.function("clip")(made, least, largest)

    def normal(
        self, loc: float = 0.0, scale: float = 1.0, shape: Any = (), *, dtype: Any = None
    ) -> Array:
        """Return numbers of a normal distribution.

        Args:
            loc: the mean.
            scale: the standard deviation, which is not negative.
            shape: the shape of the result, a length or several.
            dtype: a float dtype; by default that of the rules.

        Raises:
            TypeError: for a dtype that is not a float, or something that is not a number.
            ValueError: for a negative deviation.
            OverflowError: for a number that the dtype does not hold.
        """
        sizes, d = self._shape("normal", shape), self._dtype("normal", dtype, "float")
        loc, scale = (
            self._number("normal", name, x, d) for name, x in (("loc", loc), ("scale", scale))
        )
        if scale < 0:
            why = f"scale={scale} is negative; pass the standard deviation, such as {-scale}"
            raise ValueError(self._says("normal", why))
        if d.min >= 0:
            why = f"{d} has no negative numbers; draw float32 and cast, with xp.astype"
            raise TypeError(self._says("normal", why))
        standard = self._engine.backend.normal(self._generator, sizes, _drawn_in(d))
        return self._engine.wrap(loc + standard * scale, d)

    def integers(self, low: int, high: int, shape: Any = (), *, dtype: Any = None) -> Array:
        """Return integers of [low, high), each as likely as the others.

        Args:
            low: the least.
            high: the bound above, which is not included.
            shape: the shape of the result, a length or several.
            dtype: an integer dtype or bool; by default the int dtype of the rules.

        Raises:
            TypeError: for a dtype or a bound that is not an integer.
            ValueError: if there is no integer between the bounds.
            OverflowError: for integers that the dtype does not hold.
        """
        sizes, d = self._shape("integers", shape), self._dtype("integers", dtype, "int")
        low, high = (self._int("integers", name, x) for name, x in (("low", low), ("high", high)))
        if not low < high:
            raise ValueError(self._says("integers", _empty(low, high)))
        for x in (low, high - 1):
            if not d.min <= x <= d.max:
                raise OverflowError(self._says("integers", _beyond(d, str(x))))
        return self._engine.wrap(
            self._engine.backend.integers(self._generator, low, high, sizes, d), d
        )

    def choice(self, x: Any, shape: Any = (), replace: bool = True, p: Any = None) -> Array:  # noqa: FBT002  # NumPy's place for it
        """Return elements of an array that are chosen along its first axis.

        Args:
            x: the array, or a length, which stands for ``xp.arange(x)``.
            shape: how many, a length or several; the other axes of `x` come after these.
            replace: whether an element may be chosen several times.
            p: how likely each element is, whose sum is 1; by default all are as likely. Its values
                are read at once.

        Raises:
            TypeError: for something that is not an array or a length.
            ValueError: if there are too few elements, or `p` is not a probability for each.
        """
        sizes = self._shape("choice", shape)
        x, n = self._elements("choice", x)
        count = prod(sizes)
        weights = None if p is None else self._weights(n, p)
        possible = n if weights is None else sum(w > 0 for w in weights)
        if count > possible and not (replace and possible):
            likely = "" if weights is None else " that p makes possible"
            noun = "element" if count == 1 else "elements"
            why = f"{count} {noun} cannot be chosen of {possible}{likely}"
            more = (
                " without replacement; pass replace=True"
                if possible
                else "; pass an array with elements"
            )
            raise ValueError(self._says("choice", why + more))
        places = self._places(n, count, replace=replace, weights=weights)
        found = places if x is None else take(self._engine, x, places, axis=0)
        return reshape(self._engine, found, (*sizes, *found.shape[1:]))

    def permutation(self, x: Any) -> Array:
        """Return the elements of an array in random order along its first axis.

        Args:
            x: the array, or a length, which stands for ``xp.arange(x)``.

        Raises:
            TypeError: for something that is not an array or a length.
            ValueError: for an array without axes, or of a length that is not known yet.
        """
        x, n = self._elements("permutation", x)
        places = self._order(n)
        return places if x is None else take(self._engine, x, places, axis=0)

    # places

    def _as_places(self, native: Any) -> Array:
        return self._engine.wrap(native, self._default("int"))

    def _order(self, n: int) -> Array:
        return self._as_places(self._engine.backend.permutation(self._generator, n))

    def _places(
        self, n: int, count: int, *, replace: bool, weights: Sequence[float] | None
    ) -> Array:
        """Return the places of elements that are chosen."""
        backend, draw = self._engine.backend, self._generator
        if not count:
            return self._as_places(backend.make([], self._default("int")))
        if weights is None:
            if not replace:
                return self._order(n)[:count]
            return self._as_places(backend.integers(draw, 0, n, (count,), self._default("int")))
        precise = by_name("float64" if backend.has(by_name("float64")) else "float32")
        if replace:
            sums = list(accumulate(weights))
            ends = backend.make([one / sums[-1] for one in sums], precise)
            unit = backend.uniform(draw, (count,), precise)
            search = backend.function("searchsorted")
            return self._as_places(search(ends, unit, side="right", sorter=None))
        # Clocks that ring at random, each at its own rate, ring first in the order of such choices.
        able = [place for place, w in enumerate(weights) if w > 0]
        rates = backend.make([weights[place] for place in able], precise)
        unit = backend.uniform(draw, (len(able),), precise)
        rings = -backend.function("log1p")(-unit) / rates
        order = backend.sort("argsort", rings, 0, descending=False, stable=True)
        places = self._as_places(backend.make(able, self._default("int")))
        return take(self._engine, places, self._as_places(order)[:count], axis=0)

    # what is given

    def _default(self, name: str) -> DType:
        decider = self._engine.decider
        return decider.own(getattr(decider.defaults, name))

    def _says(self, name: str, why: str) -> str:
        rules, backend = self._engine.rules.title, self._engine.backend.name
        return f"{name} on the {backend} backend under {rules} rules: {why}"

    def _dtype(self, name: str, dtype: Any, default: str) -> DType:
        d = self._default(default) if dtype is None else self._engine.decider.own(as_dtype(dtype))
        if d.kind not in _KINDS[default]:
            what = "a float" if default == "float" else "an integer"
            instead = _INSTEAD.get(d.kind, "draw integers, or cast the result with xp.astype")
            raise TypeError(self._says(name, f"dtype={d} is not {what} dtype; {instead}"))
        try:
            self._engine.backend.dtype(d)
        except DTypeError as error:
            raise DTypeError(self._says(name, str(error)), d) from None
        return d

    def _shape(self, name: str, shape: Any) -> tuple[int, ...]:
        try:
            one = not isinstance(shape, (tuple, list))
            sizes = (index(shape),) if one else tuple(map(index, shape))
        except TypeError:
            sizes = (-1,)
        if any(n < 0 for n in sizes):
            why = f"shape={shape!r} is not a shape; pass a length or several, such as shape=(2, 3)"
            raise TypeError(self._says(name, why))
        return sizes

    def _number(self, name: str, what: str, x: Any, d: DType) -> float:
        """Return a real number that a float dtype holds."""
        if getattr(x, "ndim", 0) or isinstance(x, (str, bytes, complex)) or not _is_number(x):
            why = f"{what} must be one real number, not {_text(x)}"
            more = "; for one for each element, scale what is drawn without it"
            raise TypeError(self._says(name, why + more))
        number = float(x)
        if not isfinite(number):
            raise ValueError(
                self._says(name, f"{what}={number} is not finite; pass a finite number")
            )
        if not d.min <= number <= d.max:
            raise OverflowError(self._says(name, _beyond(d, f"{what}={number}")))
        return number

    def _int(self, name: str, what: str, x: Any) -> int:
        try:
            return index(x)
        except TypeError:
            why = f"{what} must be an int, not {_text(x)}; pass int({what.partition(',')[0]})"
            raise TypeError(self._says(name, why)) from None

    def _elements(self, name: str, x: Any) -> tuple[Array | None, int]:
        """Return the array to choose from, or None, and its length."""
        if isinstance(x, bool) or not (_is_number(x) or hasattr(x, "dtype")):
            why = f"x must be an array or a length, not {_text(x)}; convert it with xp.asarray(x)"
            raise TypeError(self._says(name, why))
        if not getattr(x, "ndim", 0):
            n = self._int(name, "x, without axes,", x)
            if n < 0:
                raise ValueError(self._says(name, f"x={n} is not a length; pass 0 or more"))
            return None, n
        taken = as_array(self._engine, x)
        if taken.shape[0] is None:
            why = "the length of x is not known yet; compute it with x.native.compute_chunk_sizes()"
            raise ValueError(self._says(name, why))
        return taken, taken.shape[0]

    def _weights(self, n: int, p: Any) -> list[float]:
        """Return how likely each of some elements is."""
        made = asarray(self._engine, p)
        if made.shape != (n,):
            why = f"p has the shape {made.shape}, and x has {n} elements; pass one number for each"
            raise ValueError(self._says("choice", why))
        if made.key.dtype.kind == "complex":
            raise TypeError(self._says("choice", "p must have real numbers; take xp.real(p)"))
        numbers = [float(one) for one in made.tolist()]
        near = 2.0 ** (-(made.key.dtype.precision or 0) / 2)  # half of its bits, as NumPy has it
        if not all(0 <= one <= 1 for one in numbers) or abs(fsum(numbers) - 1) > near:
            why = "p must have numbers from 0 to 1 whose sum is 1; pass p / xp.sum(p)"
            raise ValueError(self._says("choice", why))
        return numbers


def _is_number(x: Any) -> bool:
    return hasattr(x, "__float__") or hasattr(x, "__index__")


def _text(x: Any) -> str:
    if isinstance(x, (str, int, float, complex)):
        return shorten(repr(x))
    name = type(x).__name__
    return "None" if x is None else f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def _empty(low: float, high: float) -> str:
    return f"low={low} is not below high={high}, so nothing is between them; pass a larger high"


def _beyond(d: DType, what: str) -> str:
    return f"{what} does not fit {d}, which goes from {d.min} to {d.max}; pass a wider dtype"


def _drawn_in(d: DType) -> DType:
    """Return the dtype that the numbers of a float dtype are drawn in, and rounded from."""
    return by_name("float32" if (d.bits or 0) <= 32 else "float64")


def _down(d: DType, x: float) -> float:
    """Return the largest number of a float dtype that is not above another."""
    bits = min(int(d.precision or 0), _DOUBLE)
    exponent = max(frexp(x)[1] - 1, int(d.min_exponent or 0), _LEAST)
    step = ldexp(1.0, exponent - bits + 1)
    return floor(x / step) * step


def random(xp: Any, seed: Any) -> Random:
    """Return what draws random numbers for a namespace, as its backend draws them.

    Args:
        xp: the namespace.
        seed: an int from 0 on, below 2**32.

    Raises:
        TypeError: for something that is not a namespace, or a seed that is not an int.
        ValueError: for a seed out of range.

    >>> import supremum
    >>> xp = supremum.namespace("jax")
    >>> x = supremum.random(xp, 1).uniform(-1, 1, 3, dtype=xp.bfloat16)
    >>> x.dtype.name, bool(xp.all(x == supremum.random(xp, 1).uniform(-1, 1, 3, dtype=xp.bfloat16)))
    ('bfloat16', True)
    """
    if not isinstance(xp, Namespace):
        what = f"supremum.random takes a namespace first, not {_text(xp)}"
        raise TypeError(f'{what}; make one, such as xp = supremum.namespace("jax")')
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        why = f"not {_text(seed)}; pass one, such as 1"
        raise TypeError(f"supremum.random of {xp} takes an int as its seed, {why}")
    number = index(seed)
    if not 0 <= number < _SEEDS:
        why = f"not {shorten(str(number))}; pass one of them, such as 1"
        raise ValueError(f"supremum.random of {xp} takes a seed from 0 to 2**32 - 1, {why}")
    return Random(xp.engine, number)
