"""Dtypes: what each one can hold, its names, and reading what stands for one.

Short codes may have two readings: `i8` is eight bits in JAX's design document and eight bytes in
NumPy. So only `from_code` takes those, and reads them as bits; it is for arrow text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module
from keyword import iskeyword
from math import inf
from numbers import Real
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, NoReturn, cast

from . import number_formats
from .errors import DTypeError, did_you_mean, listed, short, shorten
from .foreign import FAMILIES, dtype_name, dtype_of, is_extension, is_numpy_scalar, root_of
from .libraries import libraries, library_of_module, library_of_system, library_prefixed

Kind = Literal["bool", "unsigned", "signed", "float", "complex"]

KINDS: Final[tuple[Kind, ...]] = ("bool", "unsigned", "signed", "float", "complex")
"""The kinds of dtype, each able to hold the components of those before it."""

_CODES = {
    "bool": "b",
    "bfloat16": "bf16",
    "bcomplex32": "bc32",
    **{f"int{n}": f"i{n}" for n in number_formats.INTEGER_BITS},
    **{f"uint{n}": f"u{n}" for n in number_formats.INTEGER_BITS},
    **{f"float{n}": f"f{n}" for n in (16, 32, 64)},
    **{f"complex{n}": f"c{n}" for n in (32, 64, 128)},
    **{f"{kind}*": f"{kind[0]}*" for kind in ("int", "float", "complex")},
}

_INTERNING = object()
_NUMPY: dict[str, Any] = {}

# What NumPy's dtypes have, and what to type for a dtype ``d``.
_INSTEAD = {
    **dict.fromkeys(("itemsize", "nbytes", "alignment"), "d.bits // 8"),
    **dict.fromkeys(("char", "str", "type"), "numpy.dtype(d)"),
    **dict.fromkeys(("promote", "join"), "supremum.promote_types(d, other)"),
    **dict.fromkeys(("is_floating", "is_floating_point"), "d.kind == 'float'"),
    **dict.fromkeys(("is_integer", "is_signed"), "d.kind in ('signed', 'unsigned')"),
    "is_complex": "d.kind == 'complex'",
    **dict.fromkeys(("numpy", "to_numpy", "as_numpy_dtype"), "numpy.dtype(d)"),
    **dict.fromkeys(("torch", "to_torch", "as_torch_dtype"), "d.to('torch')"),
    **dict.fromkeys(("nbits", "bit_width", "width", "size"), "d.bits"),
    "eps": "supremum.finfo(d).eps",
}

# What a dtype can hold, where its format does not say.
_FACTS: number_formats.Facts = {
    **dict.fromkeys(("bits", "precision", "max", "min")),
    **dict.fromkeys(("min_exponent", "max_exponent", "smallest_normal")),
    **dict.fromkeys(("has_inf", "has_nan", "signed_zero"), False),
}


class DType:
    """An element type, and what it can hold.

    There is one object for each dtype, so dtypes are compared with ``is``, hash fast and survive
    pickling. Like NumPy's, they are also equal to their full name, to the scalar types and to the
    other libraries' dtypes that `supremum.dtype` reads as them. As with NumPy's, equal is not the
    same key: a dictionary finds a `DType` only under a `DType`, never under a name or a
    ``np.dtype``; convert keys with `supremum.dtype` or ``np.dtype`` first.
    They have no order of their own: whether one promotes to another depends on rules, see
    `PromotionSystem.can_promote`. ``np.dtype(d)`` works if NumPy or ml_dtypes has the dtype.

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

    def __init__(
        self,
        token: object,
        name: str,
        kind: Kind,
        facts: number_formats.Facts,
        *,
        known: bool = True,
    ) -> None:
        if token is not _INTERNING:
            raise TypeError(
                "dtypes are interned: get one with supremum.dtype('float32'), or make a new one "
                "with supremum.custom.define"
            )
        own = {"name": name, "kind": kind, "weak": name.endswith("*"), "code": _CODES.get(name)}
        for field, value in {**own, "part": self, **(_FACTS if known else {}), **facts}.items():
            object.__setattr__(self, field, value)

    if not TYPE_CHECKING:  # to whom other names are mistakes

        def __getattr__(self, name: str) -> Any:
            """Return a fact of a long double, which is asked of the platform when it is wanted."""
            if name in _FACTS and self.name in LONG_DOUBLES:
                facts = _FACTS | _long_double_facts()
                if self.part is not self:
                    facts["bits"] *= 2
                for field, value in facts.items():
                    object.__setattr__(self, field, value)
                return facts[name]
            how = f"; type {_INSTEAD[name]}" if name in _INSTEAD else ""
            raise AttributeError(f"dtypes have no attribute {name!r}{how}", name=name, obj=self)

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"dtypes are immutable: cannot set {field} of {self}")

    def __delattr__(self, field: str) -> None:
        raise AttributeError(f"dtypes are immutable: cannot delete {field} of {self}")

    def __lt__(self, other: object) -> bool:
        # without this, NumPy's dtypes would take an order from the right
        raise TypeError(
            f"dtypes have no order of their own; ask rules, as in "
            f"supremum.system('jax').can_promote('{self}', '{other}'), or sort them with key=str"
        )

    def __or__(self, other: object) -> NoReturn:
        raise TypeError(f"dtypes are joined by supremum.promote_types('{self}', '{other}')")

    __ror__ = __and__ = __rand__ = __or__

    __le__ = __gt__ = __ge__ = __lt__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DType):
            return self is other
        if isinstance(other, str):
            return CATALOGUE.get(other) is self
        if not is_dtype(other):
            return NotImplemented
        try:
            return dtype(other) is self
        except DTypeError:
            return False

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"supremum.dtype({self.name!r})"

    def __str__(self) -> str:
        return self.name

    def __format__(self, spec: str) -> str:
        return format(self.name, spec)

    def __reduce__(self) -> tuple[Any, ...]:
        if self.name in _DEFINED:
            return _defined_again, (self.name, self.kind, _DEFINED[self.name])
        return find, (self.name,)

    @property
    def is_common(self) -> bool:
        """Whether it is weak, or has eight bits or more, and most programs may meet it.

        The others are float8 and narrower ones, complex numbers of two halves, and long doubles.
        """
        bits = self.bits or 0
        is_wide = bits > 8 or (bits == 8 and self.kind != "float")
        return self.weak or (is_wide and self.name not in _RARE)

    @property
    def __numpy_dtype__(self) -> Any:
        """NumPy's dtype of this name, through which ``np.dtype(self)`` works.

        The attribute does not exist before NumPy is imported: looking for it imports nothing.

        Raises:
            DTypeError: for a weak dtype, and for one that neither NumPy nor ml_dtypes has.
        """
        if sys.modules.get("numpy") is None:
            raise AttributeError(f"{self!r} has a NumPy dtype once NumPy is imported")
        if self.name not in _NUMPY:
            _NUMPY[self.name] = self.to("numpy")
        return _NUMPY[self.name]

    dtype = __numpy_dtype__  # what NumPy before 2.4 reads

    def to(self, library: str | ModuleType) -> Any:
        """Return the dtype object of this name in another library, which is imported.

        Args:
            library: the name of its rules, such as ``"numpy"`` or ``"torch"``, or the module.

        Raises:
            DTypeError: if that library does not have the dtype, or its dtypes are not known.
            ImportError: if that library, or ml_dtypes for its dtypes, is not installed.

        >>> from supremum import dtype
        >>> dtype("bfloat16").to("numpy")
        dtype(bfloat16)
        """
        if isinstance(library, ModuleType):
            library = library.__name__.partition(".")[0]
        facts = library_of_system(library)
        if not facts.dtypes_in:
            raise DTypeError(
                f"{short(library)} has no dtype objects that are known; use 'numpy'", library
            )
        place, _, inner = facts.dtypes_in.partition(":")
        namespace = import_module(place)
        name = dict(facts.dtype_names).get(self.name, self.name)
        found = None
        if place == "numpy":
            try:
                return namespace.dtype(name)
            except TypeError:  # NumPy does not have it; ml_dtypes may
                if self.name not in _DEFINED and not self.weak:
                    found = getattr(import_module("ml_dtypes"), name, None)
        else:
            for owner in (inner, *facts.more_dtypes_in):
                holder: Any = namespace
                for part in filter(None, owner.split(".")):
                    holder = getattr(holder, part, None)
                found = found if found is not None else getattr(holder, name, None)
        if found is None:
            hint = "; settle it first, with result_type" if self.weak else ""
            raise DTypeError(f"{library} does not have the dtype {self.name}{hint}", self)
        return import_module("numpy").dtype(found) if place == "numpy" else found


def _catalogue() -> dict[str, DType]:
    bool_ = {"bits": 8, "precision": 1, "max": 1, "min": 0}
    found = {"bool": DType(_INTERNING, "bool", "bool", bool_)}
    for kind, stem in (("unsigned", "uint"), ("signed", "int")):
        for bits in number_formats.INTEGER_BITS:
            facts = number_formats.integer(bits, signed=kind == "signed")
            found[f"{stem}{bits}"] = DType(_INTERNING, f"{stem}{bits}", cast("Kind", kind), facts)
    for name, parameters in number_formats.FLOATS.items():
        found[name] = DType(_INTERNING, name, "float", number_formats.floating(*parameters))
    for name, part in number_formats.COMPLEX_PARTS.items():
        found[name] = _complex(name, found[part])
    for name, kind in (("int*", "signed"), ("float*", "float"), ("complex*", "complex")):
        found[name] = DType(_INTERNING, name, cast("Kind", kind), {})
    return found


def _complex(name: str, part: DType) -> DType:
    facts = {field: getattr(part, field) for field in _FACTS}
    return DType(_INTERNING, name, "complex", {**facts, "bits": 2 * facts["bits"], "part": part})


def _long_double_facts() -> number_formats.Facts:
    """Return the facts of the long doubles here; what tells them is slow to import."""
    if (facts := number_formats.long_double()) is None:
        msg = "the format of this platform's long double is not known; type 'float64'"
        raise DTypeError(msg, "longdouble", ("float64",))
    return facts


def _long_doubles() -> dict[str, DType]:
    real = DType(_INTERNING, "longdouble", "float", {}, known=False)
    pair = DType(_INTERNING, "clongdouble", "complex", {"part": real}, known=False)
    return {real.name: real, pair.name: pair}


LONG_DOUBLES: Final = ("longdouble", "clongdouble")
"""The dtypes whose format depends on the platform; they are made when they are asked for."""

CATALOGUE: Final = _catalogue()
"""The dtypes by their full names."""

WEAK: Final = {kind: CATALOGUE[f"{kind}*"] for kind in ("int", "float", "complex")}
"""The weak dtype of each kind that has one: ``int``, ``float`` and ``complex``."""


def find(name: str) -> DType | None:
    """Return the dtype of a full name, or None if there is none."""
    found = CATALOGUE.get(name)
    if found is None and name in LONG_DOUBLES:
        for new in _long_doubles().values():
            CATALOGUE.setdefault(new.name, new)  # the first one stays, whichever thread makes it
        found = CATALOGUE[name]
    return found


def in_order(dtypes: Iterable[DType]) -> tuple[DType, ...]:
    """Return dtypes as tables show them: kind by kind, narrow ones first, weak ones last."""
    place = {name: i for i, name in enumerate(CATALOGUE)}

    def key(d: DType) -> tuple[Any, ...]:
        return d.weak, d.name in LONG_DOUBLES, KINDS.index(d.kind), d.bits or 0, place[d.name]

    return tuple(sorted(dtypes, key=key))


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
_RARE = frozenset({"bcomplex32", "complex32", *LONG_DOUBLES})
_LOOSE_NAMES = {
    "int": ("int64", "int32", "int*"),
    "uint": ("uint64", "uint32"),
    "float": ("float64", "float32", "float*"),
    "complex": ("complex128", "complex64", "complex*"),
    "uint_": ("uint64",),
    "float_": ("float64",),
    "complex_": ("complex128",),
    "long": ("int64", "int32"),
    "cfloat": ("complex64",),
    "cdouble": ("complex128",),
    "weakint": ("int*",),
    "weakfloat": ("float*",),
    "float128": ("longdouble",),
    "complex256": ("clongdouble",),
    "tinyint": ("int8",),
    "smallint": ("int16",),
    "integer": ("int32",),
    "bigint": ("int64",),
    "ubigint": ("uint64",),
    "real": ("float32",),
    "float8": ("float8_e4m3fn", "float8_e5m2"),
    "fp8": ("float8_e4m3fn", "float8_e5m2"),
    "None": ("float64",),
    "int_": ("int64", "int32"),
    "intp": ("int64", "int32"),
    "uintp": ("uint64", "uint32"),
    "ulong": ("uint64", "uint32"),
    "longlong": ("int64",),
    "ulonglong": ("uint64",),
    "intc": ("int32",),
    "uintc": ("uint32",),
    "short": ("int16",),
    "ushort": ("uint16",),
    "byte": ("int8",),
    "ubyte": ("uint8",),
    "csingle": ("complex64",),
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
    "decimal": "a decimal number",
}

_BY_CODE: Final = {d.code: d for d in CATALOGUE.values() if d.code}


_ONE_READING: Final = {
    **{code: d for code, d in _BY_CODE.items() if code not in _NUMPY_CODES},
    "half": CATALOGUE["float16"],
    "single": CATALOGUE["float32"],
    "double": CATALOGUE["float64"],
    "fp16": CATALOGUE["float16"],
    "fp32": CATALOGUE["float32"],
    "fp64": CATALOGUE["float64"],
    "bool_": CATALOGUE["bool"],
}
"""Short codes, and other words, that all libraries read alike."""


def is_name(name: str) -> bool:
    """Return whether a name is a dtype's, or has been read as one or more of them."""
    tables = (CATALOGUE, _BY_CODE, _NUMPY_CODES, _LOOSE_NAMES, _ONE_READING)
    stem = name.lower().rstrip("0123456789")
    return stem in _NOT_NUMBERS or name in LONG_DOUBLES or any(name in table for table in tables)


def names() -> tuple[str, ...]:
    """Return the full names of the catalogue, narrow ones first within each kind.

    >>> names()[:4]
    ('bool', 'uint1', 'uint2', 'uint4')
    """
    return (*(name for name in CATALOGUE if name not in LONG_DOUBLES), *LONG_DOUBLES)


def by_name(name: str) -> DType:
    """Return the dtype of this full name.

    Raises:
        DTypeError: for any other string. Short codes are named with their readings.

    >>> by_name("i8")
    Traceback (most recent call last):
        ...
    supremum.core.errors.DTypeError: 'i8' is int8 in bits, as JAX's design document counts, and \
int64 in bytes, as NumPy counts; type 'int8' or 'int64'
    """
    found = find(name)
    if found is None:
        raise _unknown(name)
    return found


def from_code(text: str) -> DType:
    """Return the dtype of a full name, or of a short code that counts bits (``u8``, ``bf16``).

    The codes are those of JAX's design document; arrow text uses them.

    >>> from_code("i8"), from_code("f*")
    (supremum.dtype('int8'), supremum.dtype('float*'))
    """
    return _BY_CODE.get(text) or by_name(text)


def is_ambiguous(code: str) -> bool:
    """Return whether a short code has two readings, in bits and in bytes.

    >>> is_ambiguous("i8"), is_ambiguous("i32")
    (True, False)
    """
    return code in _BY_CODE and code in _NUMPY_CODES


def spelled(text: str) -> DType:
    """Return the dtype of a name as people type it.

    That is a full name; a code with one reading (``i32``, ``bf16``); ``half``, ``single`` or
    ``double``; or what a library calls a dtype, behind its prefix.

    Raises:
        DTypeError: for any other string. Short codes are named with their readings.

    >>> spelled("i32"), spelled("half"), spelled("torch.long"), spelled("pa.uint64()")
    (supremum.dtype('int32'), supremum.dtype('float16'), supremum.dtype('int64'), \
supremum.dtype('uint64'))
    """
    found = _as_typed(text)
    if isinstance(found, str):
        raise _unknown(found)
    return found


def is_spelled(text: str) -> bool:
    """Return whether `spelled` has a dtype for a string."""
    return not isinstance(_as_typed(text), str)


def _as_typed(text: str) -> DType | str:
    """Return the dtype of a name as people type it, or what in it is not one."""
    found = find(text) or _ONE_READING.get(text)
    if found is not None:
        return found
    if unmodelled(text):
        return text
    module, dot, name = text.removesuffix("()").rpartition(".")
    if not dot or not all(word.isidentifier() for word in module.split(".")):
        return text
    library = library_prefixed(module.partition(".")[0])
    own = {**dict(library.read_as), **dict(library.spellings)} if library is not None else {}
    return _as_typed(own.get(name, name))


def unmodelled(name: str) -> str:
    """Return why a dtype of a library is not read, by its name, or ``""``."""
    if not name.endswith(("]", "Dtype", "boolean")) and not name[:1].isupper():
        return ""
    for library in libraries().values():
        if name in (own := dict(library.unmodelled)):
            others = [
                f"{other.import_as[1]}.{name}"
                for other in libraries().values()
                if other is not library and name in dict(other.read_as)
            ]
            what = f"{name!r} is a dtype of {library.title} that its rules here leave out"
            return f"{what}; type {own[name]}{', or ' + _either(tuple(others)) if others else ''}"
    return ""


def in_bytes(text: str) -> DType | None:
    """Return the dtype of a code that counts bytes, as NumPy's strings do, or None.

    >>> in_bytes("f8"), in_bytes("<i4")
    (supremum.dtype('float64'), supremum.dtype('int32'))
    """
    name = _NUMPY_CODES.get(text.lstrip("<>=|"))
    return by_name(name) if name else None


def _unknown(name: str) -> DTypeError:
    code = name.lstrip("<>=|")
    readings = {
        "in bits, as JAX's design document counts": _BY_CODE.get(code),
        "in bytes, as NumPy counts": _NUMPY_CODES.get(code),
    }
    known = {how: str(what) for how, what in readings.items() if what}
    if known:
        both = ", and ".join(f"{what} {how}" for how, what in known.items())
        full = tuple(dict.fromkeys(known.values()))
        return DTypeError(f"{name!r} is {both}; type {_either(full)}", name, full)
    if why := unmodelled(name):
        return DTypeError(why, name)
    if name in _LOOSE_NAMES:
        full = _LOOSE_NAMES[name]
        msg = f"{name!r} is not the full name of a dtype; type {_either(full)}"
        return DTypeError(msg, name, full)
    if (weak := _meant_weak(name)) is not None:
        why = f"{name!r} has a width, and weak dtypes have none; type '{weak}'"
        return DTypeError(why, name, (weak.name,))
    if why := not_a_number(name):
        return DTypeError(why, name)
    hint, close = did_you_mean(name, names())
    if close and by_name(close[0]).is_common:
        hint, close = did_you_mean(name, [own for own in names() if by_name(own).is_common])
    begins = name.partition("[")[0].partition(" ")[0]
    if "(" in name or (begins != name.rstrip() and is_spelled(begins)):
        hint = "; supremum.explain takes arrays and expressions as texts"
    parts = name.replace(",", " ").split()
    if len(parts) > 1 and all(map(is_spelled, parts)):
        hint, close = f"; pass dtypes one by one, as in {', '.join(map(repr, parts))}", tuple(parts)
    more = hint or "; full names are such as float32, bfloat16, uint8 and complex64"
    return DTypeError(f"{shorten(name)!r} is not the name of a dtype{more}", name, close)


_DATES: Final = ("datetime", "timedelta")
_DATE_CODES: Final = {"M8": "datetime64", "m8": "timedelta64"}


def not_a_number(name: str) -> str:
    """Return why a name that begins as that of text, a date or an object is no dtype, or ``""``."""
    code = name.lstrip("<>=|")
    full = _DATE_CODES.get(code[:2], name).lower()
    for start, what in _NOT_NUMBERS.items():
        rest = full.removeprefix(start)
        if rest != full and ("dtype" in rest or not rest[:1].isalpha()):
            why = "and only bool and numbers, such as float32, are promoted here"
            why += "; numpy.result_type answers for dates" if start in _DATES else ""
            return f"{shorten(name)!r} is {what}, {why}"
    return ""


def _meant_weak(name: str) -> DType | None:
    """Return the weak dtype that a name with a width, such as ``i32*``, is meant to be."""
    stem, marked, _ = name.partition("*") if "*" in name else name.partition("{weak")
    found = _BY_CODE.get(stem) or CATALOGUE.get(stem.removeprefix("u").rstrip("0123456789") + "*")
    if not marked or found is None:
        return None
    kinds = {"float": "float", "complex": "complex"}
    return WEAK[kinds.get(found.kind, "int")]


def _either(full: tuple[str, ...]) -> str:
    return listed([repr(name) for name in full], "or")


PYTHON_SCALARS: Final = {
    bool: CATALOGUE["bool"],
    int: WEAK["int"],
    float: WEAK["float"],
    complex: WEAK["complex"],
}
"""What each of Python's number types stands for."""


def dtype(x: Any) -> DType:
    """Return the dtype that a name, a type or another library's dtype object stands for.

    Args:
        x: a full name (``"float32"``, ``"int*"``), or another that has one reading (``"bf16"``,
            ``"half"``, ``"np.float64"``, ``"torch.long"``, ``"pl.Int64"``); Python's ``bool``,
            ``int``, ``float`` or ``complex``, of which the last three are weak; a dtype or scalar
            type of NumPy, ml_dtypes, JAX, PyTorch, TensorFlow, MLX, tinygrad or CuPy, in any byte
            order.

    Raises:
        DTypeError: for anything else. A short code with several readings is refused with them,
            and an array or a number with what to type instead.

    >>> import numpy as np
    >>> dtype("float32") is dtype(np.float32) is dtype(np.dtype(">f4"))
    True
    >>> dtype(float)
    supremum.dtype('float*')
    """
    if type(x) is str:
        return spelled(x)
    if isinstance(x, DType):
        return x
    if isinstance(x, str):
        if is_numpy_scalar(x):
            raise DTypeError(f"{short(x)} is a string of NumPy, not a dtype; pass str(x)", x)
        return spelled(str(x))
    if isinstance(x, type):
        return _of_type(x)
    name = dtype_name(x)
    if name is not None:
        return _named(name, x)
    if type(x) in PYTHON_SCALARS:
        msg = (
            f"{short(x)} is a number, not a dtype; for the dtype of Python's numbers type "
            f"{type(x).__name__}, or pass the number to result_type"
        )
        raise DTypeError(msg, x)
    if dtype_of(x) is not None:
        what = f"{type(x).__module__}.{type(x).__name__}"
        msg = f"{what} is an operand, not a dtype; pass its .dtype, or pass it to result_type"
        raise DTypeError(msg, x)
    how = "pass a full name such as 'float32', or a library's dtype"
    if isinstance(x, list | tuple) and x and all(isinstance(name, str) for name in x):
        how = "unpack it, with * before it"
    msg = f"{short(x)} is not a dtype; {how}"
    raise DTypeError(msg, x)


def is_dtype(x: Any) -> bool:
    """Return whether something is a dtype, a name or a type, which `dtype` may be able to read."""
    return isinstance(x, (str, DType, type)) or dtype_name(x) is not None


def _of_type(x: type) -> DType:
    if x in PYTHON_SCALARS:
        return PYTHON_SCALARS[x]
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(x, numpy.generic):
        if x.__module__ == "numpy" and x.__name__ in FAMILIES:
            msg = f"numpy.{x.__name__} is a family of dtypes; name one of them, such as 'float32'"
            raise DTypeError(msg, x)
        try:
            made = numpy.dtype(x)
        except TypeError as error:
            raise DTypeError(f"{short(x)} is not a dtype: {error}", x) from None
        return dtype(made)
    inner = getattr(x, "dtype", None)  # jax.numpy.float32 and its like
    if numpy is not None and isinstance(inner, numpy.dtype):
        return dtype(inner)
    library = library_of_module(root_of(x))
    is_own = library is not None and library.dtype_classes == x.__module__
    if is_own or is_extension(x):
        try:
            return dtype(x())
        except TypeError as error:  # of nested values, which need the dtype of those
            if is_extension(x) and isinstance(error, DTypeError):
                raise
    name = getattr(x, "__name__", "") or short(x)
    raise DTypeError(f"the class {name} is not a dtype; pass a full name such as 'float32'", x)


def _named(name: str, x: object) -> DType:
    try:
        return by_name(name)
    except DTypeError as error:
        raise DTypeError(f"cannot promote {short(x)}: {error}", x, error.candidates) from None


_DEFINED: dict[str, number_formats.Facts] = {}
_DEFINING = Lock()  # a name is looked up and taken in one step


def define(
    name: str,
    *,
    kind: Kind,
    bits: int,
    precision: int | None = None,
    max: Any = None,  # as the attribute is called
    min: Any = None,  # the same
    part: DType | None = None,
    **facts: Any,
) -> DType:
    """Return a new dtype, which lattices, tables, explanations, laws and criteria then know.

    Args:
        name: its full name, which no other dtype has. Defining the same dtype again is allowed.
        kind: one of `KINDS`.
        bits: its width.
        precision: its significand bits, with the hidden one and without the sign. An integer's
            follow from its width, as do its largest and smallest values.
        max: the largest finite value.
        min: the smallest finite value; by default ``-max``.
        part: the dtype of each part of a complex dtype, from which all but `bits` follows.
        facts: any other attribute of `DType`, such as ``has_inf=False``.

    Raises:
        DTypeError: if the name is taken or is not a name, or a size is invalid.

    >>> posit16 = define("posit16", kind="float", bits=16, precision=12, max=2.0**56)
    >>> posit16, posit16.min == -(2.0**56)
    (supremum.dtype('posit16'), True)
    """
    _check_form(name, kind, bits)
    if unknown := facts.keys() - _FACTS.keys():
        raise DTypeError(
            f"{name}: a dtype has no attribute {listed([*map(repr, sorted(unknown))])}; it has "
            f"{listed(sorted(_FACTS))}",
            facts,
        )
    is_symmetric = min is None and kind == "float" and isinstance(max, Real)
    given = {"precision": precision, "max": max, "min": -max if is_symmetric else min}
    own = _facts_of_kind(name, kind, bits, part)
    own |= {fact: value for fact, value in given.items() if value is not None}
    own |= {**facts, "bits": bits}
    _check_range(name, bits, own)
    with _DEFINING:
        if _DEFINED.get(name) == own and CATALOGUE[name].kind == kind:
            return CATALOGUE[name]
        if is_name(name):
            what = f"the name {name!r} is taken; choose another, such as 'my_{name}'"
            raise DTypeError(what, name)
        return _defined_again(name, kind, own)


def _check_form(name: str, kind: Kind, bits: int) -> None:
    """Refuse what is not a name, a kind or a width."""
    is_word = isinstance(name, str) and name.isascii() and name.isidentifier()
    if not is_word or iskeyword(name):
        raise DTypeError(f"{short(name)} is not a name for a dtype; type it as posit16", name)
    if kind not in KINDS:
        raise DTypeError(f"a kind is one of {listed(KINDS, 'or')}, not {short(kind)}", kind)
    if type(bits) is not int or not 0 < bits <= 1 << 16:
        raise DTypeError(f"{name}: bits is a whole number from 1 to 65536, not {short(bits)}", bits)


def _facts_of_kind(name: str, kind: Kind, bits: int, part: DType | None) -> number_formats.Facts:
    """Return what follows from the kind and the width of a new dtype."""
    inexact = kind in ("float", "complex")
    own: number_formats.Facts = {**_FACTS, "has_nan": inexact, "has_inf": inexact}
    if kind == "complex":
        is_float = isinstance(part, DType) and part.kind == "float" and not part.weak
        if part is None or not is_float or 2 * (part.bits or 0) != bits:
            what = "the float dtype of half its width, as float16 is of 32 bits"
            raise DTypeError(f"{name}: part is {what}", part)
        own |= {field: getattr(part, field) for field in _FACTS} | {"part": part}
    elif kind == "bool":
        own |= {"precision": 1, "max": 1, "min": 0}
    elif not inexact:
        own |= number_formats.integer(bits, signed=kind == "signed")
    return own


def _check_range(name: str, bits: int, own: number_formats.Facts) -> None:
    """Refuse a precision or bounds that no dtype of this width has."""
    if type(own["precision"]) is not int or not 0 < own["precision"] <= bits:
        raise DTypeError(
            f"{name}: precision is a whole number from 1 to {bits}, not {short(own['precision'])}",
            own["precision"],
        )
    ends = (own["min"], own["max"])
    if not all(isinstance(end, Real) for end in ends) or not -inf < ends[0] < ends[1] < inf:
        raise DTypeError(f"{name}: min and max are finite numbers, min below max", ends)


def _defined_again(name: str, kind: Kind, own: number_formats.Facts) -> DType:
    """Return a dtype of a user's, which may have been defined in another process."""
    found = CATALOGUE.setdefault(name, DType(_INTERNING, name, kind, own))
    if _DEFINED.setdefault(name, own) != own:
        raise DTypeError(f"the dtype {name!r} is defined here with other facts", name)
    return found
