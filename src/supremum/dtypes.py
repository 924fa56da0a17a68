"""The catalogue of dtypes: what each one can hold, computed from the parameters of its format.

A dtype is found by its full name with `dtype`, which also reads other libraries' dtype
objects (see `recognise`). Short codes have two readings: `i8` is eight bits in JAX's design
document and eight bytes in NumPy. So only `from_code` takes them, and it reads them as bits.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from typing import Any, Final, Literal, cast

from supremum import formats
from supremum.errors import DTypeError, did_you_mean

Kind = Literal["bool", "unsigned", "signed", "float", "complex"]

KINDS: Final[tuple[Kind, ...]] = ("bool", "unsigned", "signed", "float", "complex")
"""The kinds of dtype, each able to hold the components of those before it."""

_CODES = {
    "bool": "b",
    "bfloat16": "bf16",
    "bcomplex32": "bc32",
    **{f"int{n}": f"i{n}" for n in formats.INTEGER_BITS},
    **{f"uint{n}": f"u{n}" for n in formats.INTEGER_BITS},
    **{f"float{n}": f"f{n}" for n in (16, 32, 64)},
    **{f"complex{n}": f"c{n}" for n in (32, 64, 128)},
    **{f"{kind}*": f"{kind[0]}*" for kind in ("int", "float", "complex")},
}

# NumPy's readings of short codes: a kind with its bytes, and one letter a C type.
_NUMPY_CODES = {
    **{f"i{n}": f"int{8 * n}" for n in (1, 2, 4, 8)},
    **{f"u{n}": f"uint{8 * n}" for n in (1, 2, 4, 8)},
    **{f"f{n}": f"float{8 * n}" for n in (2, 4, 8)},
    **{f"c{n}": f"complex{8 * n}" for n in (8, 16)},
    "b1": "bool",
    "?": "bool",
    "b": "int8",
    "h": "int16",
    "i": "int32",
    "q": "int64",
    "B": "uint8",
    "H": "uint16",
    "I": "uint32",
    "Q": "uint64",
    "e": "float16",
    "f": "float32",
    "d": "float64",
    "g": "longdouble",
    "F": "complex64",
    "D": "complex128",
    "G": "clongdouble",
}

# Names that are no dtype's full name; the readings that libraries give them.
_LOOSE_NAMES = {
    "int": ("int64", "int32", "int*"),
    "uint": ("uint64", "uint32"),
    "float": ("float64", "float32", "float*"),
    "complex": ("complex128", "complex64", "complex*"),
    "long": ("int64", "int32"),
    "half": ("float16",),
    "single": ("float32",),
    "double": ("float64",),
    "bool_": ("bool",),
    "cfloat": ("complex64",),
    "cdouble": ("complex128",),
    "weakint": ("int*",),
    "weakfloat": ("float*",),
    "float128": ("longdouble",),
    "complex256": ("clongdouble",),
    "float8": ("float8_e4m3fn", "float8_e5m2"),
    "bf": ("bfloat16",),
}

_NOT_NUMBERS = {
    "str": "text",
    "bytes": "text",
    "string": "text",
    "unicode": "text",
    "object": "an object",
    "void": "a record",
    "datetime": "a date",
    "timedelta": "a time span",
    "category": "a category",
}

_INTERNING = object()
_NUMPY: dict[str, Any] = {}

# What a dtype can hold, where its format does not say.
_FACTS: formats.Facts = {
    **dict.fromkeys(("bits", "precision", "max", "min")),
    **dict.fromkeys(("min_exponent", "max_exponent", "smallest_normal")),
    **dict.fromkeys(("has_inf", "has_nan", "signed_zero"), False),
}


class DType:
    """An element type, and what it can hold.

    There is one object a dtype, so they compare by identity, hash fast and survive pickling. NumPy
    takes its own dtypes for equal to ours of the same name, but they hash otherwise.
    They have no order of their own: whether one promotes to another is a matter of rules, and
    `PromotionSystem.can_promote` tells. ``np.dtype(d)`` works where NumPy knows the dtype.

    Attributes:
        name: the full name, such as ``"float32"``; weak dtypes end in a star.
        kind: ``"bool"``, ``"unsigned"``, ``"signed"``, ``"float"`` or ``"complex"``.
        weak: whether it has no width of its own (``int*``, ``float*``, ``complex*``). Then all
            of the following are None or False.
        bits: the width in bits, both parts for a complex dtype. Long doubles count their padding.
        precision: significand bits, the hidden one included and the sign not: int32 carries 31
            bits, float32 24. For a complex dtype, and for all below, that of one part.
        max: the largest finite value, exactly: an int where it is beyond a float.
        min: the smallest finite value.
        min_exponent: ``e`` where ``2**e`` is the smallest normal value; None for integers.
        max_exponent: ``e`` where ``2**e`` is the largest finite power of two; None for integers.
        smallest_normal: the smallest positive value in full precision; None for integers.
        has_inf: whether it has infinities.
        has_nan: whether it has a NaN.
        signed_zero: whether minus zero differs from zero.
        part: the float dtype of each part of a complex dtype; of any other, the dtype itself.
        code: the short code of JAX's design document, which counts bits (``"f32"``), or None.

    >>> from supremum import dtype
    >>> half = dtype("float16")
    >>> half.bits, half.precision, half.max, half.smallest_normal == 2**-14
    (16, 11, 65504.0, True)
    >>> dtype("float8_e4m3fn").max, dtype("float8_e4m3fn").has_inf
    (448.0, False)
    """

    __slots__ = (
        "bits", "code", "has_inf", "has_nan", "kind", "max", "max_exponent", "min",
        "min_exponent", "name", "part", "precision", "signed_zero", "smallest_normal", "weak",
    )  # fmt: skip

    name: str
    kind: Kind
    weak: bool
    bits: int | None
    precision: int | None
    max: Any
    min: Any
    min_exponent: int | None
    max_exponent: int | None
    smallest_normal: Any
    has_inf: bool
    has_nan: bool
    signed_zero: bool
    part: DType
    code: str | None

    def __init__(self, token: object, name: str, kind: Kind, facts: formats.Facts) -> None:
        if token is not _INTERNING:
            raise TypeError("dtypes are interned: get one with supremum.dtype('float32')")
        own = {"name": name, "kind": kind, "weak": name.endswith("*"), "code": _CODES.get(name)}
        for field, value in {**own, "part": self, **_FACTS, **facts}.items():
            object.__setattr__(self, field, value)

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"dtypes do not change: cannot set {field} of {self}")

    def __delattr__(self, field: str) -> None:
        raise AttributeError(f"dtypes do not change: cannot delete {field} of {self}")

    def __lt__(self, other: object) -> bool:
        # without this, NumPy's dtypes would take an order from the right
        raise TypeError(
            f"dtypes have no order: rules.can_promote({self}, {other}) tells for some rules"
        )

    __le__ = __gt__ = __ge__ = __lt__

    def __repr__(self) -> str:
        return f"supremum.dtype({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __reduce__(self) -> tuple[Any, ...]:
        return by_name, (self.name,)

    @property
    def dtype(self) -> Any:
        """NumPy's dtype of this name, through which ``np.dtype(self)`` works.

        There is none before NumPy is imported: nothing is imported to look for an attribute.

        Raises:
            DTypeError: for a weak dtype, and for one that neither NumPy nor ml_dtypes has.
        """
        if sys.modules.get("numpy") is None:
            raise AttributeError(f"{self!r} has a NumPy dtype once NumPy is imported")
        if self.name not in _NUMPY:
            _NUMPY[self.name] = self.to("numpy")
        return _NUMPY[self.name]

    def to(self, library: str) -> Any:
        """Return the dtype object of this name in another library, which is imported.

        Args:
            library: ``"numpy"``, ``"jax"``, ``"torch"``, ``"tensorflow"``, ``"mlx"``,
                ``"tinygrad"`` or ``"cupy"``.

        Raises:
            DTypeError: where that library has no such dtype.
            ImportError: where that library, or ml_dtypes for its dtypes, is not installed.

        >>> from supremum import dtype
        >>> dtype("bfloat16").to("numpy")
        dtype(bfloat16)
        """
        if library not in _LIBRARIES:
            hint, close = did_you_mean(library, list(_LIBRARIES))
            known = ", ".join(_LIBRARIES)
            raise DTypeError(f"{library!r} is none of {known}{hint}", library, close)
        place, renamed = _LIBRARIES[library]
        module, _, inner = place.partition(":")
        namespace = import_module(module)
        name = renamed.get(self.name, self.name)
        if module == "numpy":
            try:
                return namespace.dtype(name)
            except TypeError:  # NumPy does not know it; ml_dtypes may
                namespace = import_module("ml_dtypes") if name in _BY_NAME else namespace
        found = getattr(getattr(namespace, inner) if inner else namespace, name, None)
        if found is None and module == "tensorflow":
            experimental = getattr(getattr(namespace, "dtypes", None), "experimental", None)
            found = getattr(experimental, name, None)
        if found is None:
            hint = "; settle it first, with result_type" if self.weak else ""
            raise DTypeError(f"{library} has no dtype {self.name}{hint}", self)
        return import_module("numpy").dtype(found) if module == "numpy" else found


# Where each library keeps its dtypes (a module, and a class in it), and those it names otherwise.
_LIBRARIES: dict[str, tuple[str, dict[str, str]]] = {
    "numpy": ("numpy", {}),
    "jax": ("numpy", {}),
    "cupy": ("numpy", {}),
    "torch": ("torch", {}),
    "tensorflow": ("tensorflow", {}),
    "mlx": ("mlx.core", {"bool": "bool_"}),
    "tinygrad": (
        "tinygrad:dtypes",
        {
            "int*": "weakint",
            "float*": "weakfloat",
            "float8_e4m3fn": "fp8e4m3",
            "float8_e5m2": "fp8e5m2",
            "float8_e4m3fnuz": "fp8e4m3fnuz",
            "float8_e5m2fnuz": "fp8e5m2fnuz",
        },
    ),
}


def _catalogue() -> dict[str, DType]:
    bool_ = {"bits": 8, "precision": 1, "max": 1, "min": 0}
    found = {"bool": DType(_INTERNING, "bool", "bool", bool_)}
    for kind, stem in (("unsigned", "uint"), ("signed", "int")):
        for bits in formats.INTEGER_BITS:
            facts = formats.integer(bits, signed=kind == "signed")
            found[f"{stem}{bits}"] = DType(_INTERNING, f"{stem}{bits}", cast("Kind", kind), facts)
    for name, parameters in formats.FLOATS.items():
        found[name] = DType(_INTERNING, name, "float", formats.floating(*parameters))
    for name, part in formats.COMPLEX_PARTS.items():
        found[name] = _complex(name, found[part])
    for name, kind in (("int*", "signed"), ("float*", "float"), ("complex*", "complex")):
        found[name] = DType(_INTERNING, name, cast("Kind", kind), {})
    return found


def _complex(name: str, part: DType) -> DType:
    facts = {field: getattr(part, field) for field in _FACTS}
    return DType(_INTERNING, name, "complex", {**facts, "bits": 2 * facts["bits"], "part": part})


def _long_doubles() -> dict[str, DType]:
    facts = formats.long_double()
    if facts is None:
        msg = "this platform's long double has a format that is not known here; type 'float64'"
        raise DTypeError(msg, "longdouble", ("float64",))
    real = DType(_INTERNING, "longdouble", "float", facts)
    return {"longdouble": real, "clongdouble": _complex("clongdouble", real)}


_LONG = ("longdouble", "clongdouble")
_BY_NAME = _catalogue()
_BY_CODE = {d.code: d for d in _BY_NAME.values() if d.code}
WEAK: Final = {kind: _BY_NAME[f"{kind}*"] for kind in ("int", "float", "complex")}
"""The weak dtype of each kind that has one: ``int``, ``float`` and ``complex``."""


def names() -> tuple[str, ...]:
    """Return the full names of the catalogue, narrow ones first within each kind.

    >>> names()[:4]
    ('bool', 'uint1', 'uint2', 'uint4')
    """
    return (*(name for name in _BY_NAME if name not in _LONG), *_LONG)


def in_order(dtypes: Iterable[DType]) -> tuple[DType, ...]:
    """Return dtypes as tables show them: kind by kind, narrow ones first, weak ones last."""
    place = {name: i for i, name in enumerate((*_BY_NAME, *_LONG))}
    return tuple(sorted(dtypes, key=lambda d: (d.weak, d.name in _LONG, place[d.name])))


def by_name(name: str) -> DType:
    """Return the dtype of this full name.

    Raises:
        DTypeError: for any other text. Short codes are named with their readings.

    >>> by_name("i8")
    Traceback (most recent call last):
        ...
    supremum.errors.DTypeError: 'i8' is int8 in bits, as JAX's design document counts, and int64 \
in bytes, as NumPy counts; type 'int8' or 'int64'
    """
    found = _BY_NAME.get(name)
    if found is None and name in _LONG:
        for new in _long_doubles().values():
            _BY_NAME.setdefault(new.name, new)  # the first one stays, whoever else is at it
        found = _BY_NAME[name]
    if found is None:
        raise _unknown(name)
    return found


def from_code(text: str) -> DType:
    """Return the dtype of a full name, or of a short code that counts bits (``u8``, ``bf16``).

    The codes are those of JAX's design document; the command line and arrow text use them.

    >>> from_code("i8"), from_code("f*")
    (supremum.dtype('int8'), supremum.dtype('float*'))
    """
    return _BY_CODE.get(text) or by_name(text)


def _unknown(name: str) -> DTypeError:
    code = name.lstrip("<>=|")
    readings = {
        "in bits, as JAX's design document counts": _BY_CODE.get(code),
        "in bytes, as NumPy counts": _NUMPY_CODES.get(code),
    }
    told = {how: str(what) for how, what in readings.items() if what}
    if told:
        said = ", and ".join(f"{what} {how}" for how, what in told.items())
        full = tuple(dict.fromkeys(told.values()))
        return DTypeError(f"{name!r} is {said}; type {_either(full)}", name, full)
    if name in _LOOSE_NAMES:
        full = _LOOSE_NAMES[name]
        msg = f"{name!r} is no full name of a dtype; type {_either(full)}"
        return DTypeError(msg, name, full)
    for start, what in _NOT_NUMBERS.items():
        if name.lower().startswith(start):
            why = "and promotion here is of bool and numbers, such as float32"
            return DTypeError(f"{name!r} is {what}, {why}", name)
    hint, close = did_you_mean(name, names())
    more = hint or "; full names are such as float32, bfloat16, uint8 and complex64"
    return DTypeError(f"{name!r} is not the name of a dtype{more}", name, close)


def _either(full: tuple[str, ...]) -> str:
    *first, last = map(repr, full)
    return f"{', '.join(first)} or {last}" if first else last
