"""Reading the names of dtypes: full names, codes that count bits, and what others may have meant.

Short codes have two readings: `i8` is eight bits in JAX's design document and eight bytes in NumPy.
So only `from_code` takes them, and it reads them as bits.
"""

from __future__ import annotations

from .dtypes import CATALOGUE, LONG_DOUBLES, DType, find
from .errors import DTypeError, did_you_mean, listed, shorten

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


_BY_CODE = {d.code: d for d in CATALOGUE.values() if d.code}


def is_name(name: str) -> bool:
    """Tell whether a name is a dtype's, or has been read as one or more of them."""
    tables = (CATALOGUE, _BY_CODE, _NUMPY_CODES, _LOOSE_NAMES)
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
        DTypeError: for any other text. Short codes are named with their readings.

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

    The codes are those of JAX's design document; the command line and arrow text use them.

    >>> from_code("i8"), from_code("f*")
    (supremum.dtype('int8'), supremum.dtype('float*'))
    """
    return find_code(text) or by_name(text)


def find_code(text: str) -> DType | None:
    """Return the dtype of a full name or of a short code that counts bits, or None."""
    return _BY_CODE.get(text) or find(text)


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
    if name in _LOOSE_NAMES:
        full = _LOOSE_NAMES[name]
        msg = f"{name!r} is not the full name of a dtype; type {_either(full)}"
        return DTypeError(msg, name, full)
    for start, what in _NOT_NUMBERS.items():
        if name.lower().startswith(start):
            why = "and only bool and numbers, such as float32, are promoted here"
            return DTypeError(f"{shorten(name)!r} is {what}, {why}", name)
    hint, close = did_you_mean(name, names())
    more = hint or "; full names are such as float32, bfloat16, uint8 and complex64"
    return DTypeError(f"{shorten(name)!r} is not the name of a dtype{more}", name, close)


def _either(full: tuple[str, ...]) -> str:
    return listed([repr(name) for name in full], "or")
