"""The array API's rules: within a kind, and from unsigned to signed; any other mix is refused.

Source: the proposal's minimal tables, and the page on type promotion of the standard. The one of
2021.12 leaves out float16, lets bool meet bool, and lets Python scalars meet arrays of their own
kind or a higher one. Later ones add complex dtypes; 2022.12 and 2023.12, which leave a Python
complex beside a real array undefined, are otherwise as 2024.12, and 2025.12 says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..dtypes import DType
from ..errors import NoJoinError
from ..explanation import Settled, Taken
from ..libraries import Library
from ..settle import numbers_are_weak
from ..system import PromotionSystem

LIBRARY = Library(
    "array API", ("array_api_strict", "array_api_compat"), import_as=("array_api_strict", "xp")
)

_INTEGERS = """
    u8 -> u16 -> u32 -> u64
    i8 -> i16 -> i32 -> i64
    u8 -> i16; u16 -> i32; u32 -> i64
"""
_STANDARD = f"""{_INTEGERS}
    b
    i* -> u8, i8
    i* -> f* -> f32 -> f64
"""
_COMPLEX = """
    f* -> c* -> c64
    f32 -> c64 -> c128
    f64 -> c128
"""

ARROWS = {
    "proposal": f"{_INTEGERS} \n f16 -> f32 -> f64",
    "2021.12": _STANDARD,
    "2024.12": _STANDARD + _COMPLEX,
    "2025.12": _STANDARD + _COMPLEX,
}

_FUNCTIONS = """
    where, concat, unique, same =
    add, subtract, multiply, power, matmul, negative, positive, round, diff, square = b: -
    true_divide, sin, mean, inv = bool integer: -
    floor_divide, remainder, maximum, clip, floor, max = bool complex: -
    equal = *: b
    less = bool complex: -; *: b
    logical_and, logical_not = integer float complex: -; *: b
    bitwise_and, invert = float complex: -
    left_shift = bool float complex: -
    abs = b: -; complex: part
    conj = bool: -
    real = bool: -; complex: part
    imag = bool integer float: -; complex: part
    isfinite = bool: -; *: b
    signbit = bool integer complex: -; *: b
    atan2, copysign, hypot, logaddexp, nextafter, std = bool integer complex: -
    norm = bool integer: -; complex: part
    sum, prod = b: -; signed: i64; unsigned: u64
    argmax = bool complex: -; *: i64
    eigvalsh, svdvals = bool integer: -; complex: part
    fft = bool integer float: -
    rfft = bool integer complex: -; f32: c64; f64: c128
    irfft = bool integer float: -; c64: f32; c128: f64
    iadd = into same; b: -
"""
FUNCTIONS = {
    "2024.12": f"{_FUNCTIONS}\n eigvals = *: -",
    "2025.12": f"{_FUNCTIONS}\n eigvals = bool integer: -; f32: c64; f64: c128",
}


def build(
    *, version: Literal["2025.12", "2024.12", "2021.12", "proposal"] = "2025.12"
) -> PromotionSystem:
    """Return the array API's rules.

    Args:
        version: the standard of that month, or the proposal's minimal tables.
    """
    return PromotionSystem.from_lattice(
        ARROWS[version],
        "array-api",
        classify=numbers_are_weak,
        settle=_settle,
        functions=FUNCTIONS.get(version, ""),
        advise=_advise,
        setting={"version": version},
        label=version,
        version=version,
        source="data-apis/array-api: issue on type promotion; API_specification/type_promotion",
        library=LIBRARY,
    )


def _settle(node: DType, taken: Sequence[Taken]) -> Settled:
    if node.weak or all(t.operand.form == "Python scalar" for t in taken):
        raise NoJoinError("among Python scalars there must be an array or a dtype")
    return Settled(node)


def _advise(nodes: Sequence[DType]) -> str | None:
    kinds = {"integer" if n.kind in ("signed", "unsigned") else n.kind for n in nodes}
    if len(kinds) > 1:
        return f"the standard leaves a mix of {' and '.join(sorted(kinds))} undefined"
    return "the standard leaves uint64 with signed integers undefined"
