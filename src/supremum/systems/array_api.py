"""The array API's rules: within a kind, and from unsigned to signed; any other mix is refused.

Source: the proposal's minimal tables, and the page on type promotion of the standard. The one of
2021.12 leaves out float16, lets bool meet bool, and lets Python scalars meet arrays of their own
kind or a higher one. Later ones add complex dtypes; 2022.12 and 2023.12, which leave a Python
complex beside a real array undefined, are otherwise as 2024.12, and 2025.12 says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from supremum.dtypes import DType
from supremum.errors import NoJoinError
from supremum.explain import Settled, Taken
from supremum.system import PromotionSystem

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

_OPERATORS = {
    "add": "b: -", "subtract": "b: -", "multiply": "b: -", "true_divide": "bool integer: -",
    "floor_divide": "bool complex: -", "remainder": "bool complex: -", "power": "b: -",
    "matmul": "b: -", "equal": "*: b", "less": "bool complex: -; *: b",
    "bitwise_and": "float complex: -", "left_shift": "bool float complex: -",
    "maximum": "bool complex: -", "where": "", "concat": "", "negative": "b: -",
    "invert": "float complex: -", "abs": "b: -; complex: part", "sin": "bool integer: -",
    "floor": "bool complex: -", "sum": "b: -; signed: i64; unsigned: u64",
    "prod": "b: -; signed: i64; unsigned: u64", "mean": "bool integer: -",
    "max": "bool complex: -", "argmax": "bool complex: -; *: i64", "iadd": "into same; b: -",
}  # fmt: skip
OPERATORS = dict.fromkeys(("2024.12", "2025.12"), _OPERATORS)


def build(
    *, version: Literal["proposal", "2021.12", "2024.12", "2025.12"] = "proposal"
) -> PromotionSystem:
    """Return the array API's rules.

    Args:
        version: the proposal's minimal tables, or the standard of that month.
    """
    return PromotionSystem.from_lattice(
        ARROWS[version],
        "array-api",
        settle=_settle,
        operators=OPERATORS.get(version),
        advise=_advise,
        setting={"version": version},
        label=version,
        version=version,
        source="data-apis/array-api: issue on type promotion; API_specification/type_promotion",
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
