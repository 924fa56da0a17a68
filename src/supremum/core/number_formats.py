"""What a number format can hold, computed from the parameters of the format."""

from __future__ import annotations

import sys
from math import ldexp
from typing import Any

Facts = dict[str, Any]
"""The facts of a format, by the names of `DType`'s attributes."""

# Exponent bits, mantissa bits, exponent bias, and what the format does beyond finite numbers:
#   ieee    infinities and NaNs share the largest exponent
#   fn      no infinity; one NaN a sign, with every bit set
#   finite  neither infinity nor NaN
#   fnuz    no infinity; the one NaN is where minus zero would be
#   scale   powers of two alone: no sign, no zero, one NaN
FLOATS: dict[str, tuple[int, int, int, str]] = {
    "float4_e2m1fn": (2, 1, 1, "finite"),
    "float6_e2m3fn": (2, 3, 1, "finite"),
    "float6_e3m2fn": (3, 2, 3, "finite"),
    "float8_e3m4": (3, 4, 3, "ieee"),
    "float8_e4m3": (4, 3, 7, "ieee"),
    "float8_e4m3b11fnuz": (4, 3, 11, "fnuz"),
    "float8_e4m3fn": (4, 3, 7, "fn"),
    "float8_e4m3fnuz": (4, 3, 8, "fnuz"),
    "float8_e5m2": (5, 2, 15, "ieee"),
    "float8_e5m2fnuz": (5, 2, 16, "fnuz"),
    "float8_e8m0fnu": (8, 0, 127, "scale"),
    "bfloat16": (8, 7, 127, "ieee"),
    "float16": (5, 10, 15, "ieee"),
    "float32": (8, 23, 127, "ieee"),
    "float64": (11, 52, 1023, "ieee"),
}

COMPLEX_PARTS = {
    "bcomplex32": "bfloat16",
    "complex32": "float16",
    "complex64": "float32",
    "complex128": "float64",
}

INTEGER_BITS = (1, 2, 4, 8, 16, 32, 64, 128)

# The long doubles of C compilers, by the bytes of their 1.0, least significant first and without
# padding: exponent bits, mantissa bits.
_LONG_DOUBLES = {
    bytes.fromhex("0000000000000080ff3f"): (15, 63),  # x87's extended format
    bytes.fromhex("0000000000000000000000000000ff3f"): (15, 112),  # IEEE quadruple
    bytes.fromhex("000000000000f03f"): (11, 52),  # the same as double
}


def integer(bits: int, *, signed: bool) -> Facts:
    """Return the facts of a two's complement or unsigned integer.

    >>> integer(8, signed=True)
    {'bits': 8, 'precision': 7, 'max': 127, 'min': -128}
    """
    digits = bits - signed
    low = -(1 << digits) if signed else 0
    return {"bits": bits, "precision": digits, "max": (1 << digits) - 1, "min": low}


def floating(exponent: int, mantissa: int, bias: int, specials: str) -> Facts:
    """Return the facts of a binary floating-point format.

    Args:
        exponent: bits of the exponent.
        mantissa: bits of the mantissa, the hidden one not counted.
        bias: what is subtracted from the stored exponent.
        specials: one of the words above `FLOATS`.

    >>> floating(4, 3, 7, "fn")["max"]
    448.0
    """
    top = (1 << exponent) - 1 - (specials in ("ieee", "scale")) - bias
    bottom = (specials != "scale") - bias
    # the significand of the largest value as an integer: all ones, less one where that is the NaN
    largest = _scaled((1 << mantissa + 1) - 1 - (specials == "fn"), top - mantissa)
    smallest = _scaled(1, bottom)
    return {
        "bits": exponent + mantissa + (specials != "scale"),
        "precision": mantissa + 1,
        "max": largest,
        "min": smallest if specials == "scale" else -largest,
        "min_exponent": bottom,
        "max_exponent": top,
        "smallest_normal": smallest,
        "has_inf": specials == "ieee",
        "has_nan": specials != "finite",
        "signed_zero": specials not in ("fnuz", "scale"),
    }


def long_double() -> Facts | None:
    """Return the facts of this platform's long double, or None for a format that is unknown.

    Its ``bits`` count the padding, as C's ``sizeof`` and NumPy do.
    """
    from ctypes import c_longdouble, sizeof

    one = bytes(c_longdouble(1.0))
    digits = one if sys.byteorder == "little" else one[::-1]
    for ones_bytes, (exponent, mantissa) in _LONG_DOUBLES.items():
        if digits.startswith(ones_bytes):
            facts = floating(exponent, mantissa, (1 << exponent - 1) - 1, "ieee")
            return {**facts, "bits": 8 * sizeof(c_longdouble)}
    return None


def _scaled(significand: int, exponent: int) -> Any:
    """Return ``significand * 2**exponent`` exactly: a float where one holds it."""
    if exponent >= -1074 and exponent + significand.bit_length() <= 1024 and significand < 2**53:
        return ldexp(significand, exponent)
    if exponent >= 0:
        return significand << exponent
    from fractions import Fraction  # only long doubles come here, and it is slow to import

    return Fraction(significand, 1 << -exponent)
