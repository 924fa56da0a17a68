"""JAX's original rules: a table, from before it had a lattice and weak types.

Source: "Type promotion semantics" of JAX's first documentation. Its codes count bytes, and those of
complex dtypes the bytes of one part. A ``!`` marks the cells that it highlights as different from
NumPy. It says nothing of Python scalars, so the rules refuse them.
"""

from __future__ import annotations

from ..dtypes import DType, by_name
from ..system import PromotionSystem
from ..table import Table

TABLE = """
          b1  u1  u2  u4  u8  i1  i2  i4  i8  bf  f2  f4  f8  c4  c8
    b1    b1  u1  u2  u4  u8  i1  i2  i4  i8  bf! f2  f4  f8  c4  c8
    u1    u1  u1  u2  u4  u8  i2  i2  i4  i8  bf! f2  f4  f8  c4  c8
    u2    u2  u2  u2  u4  u8  i4  i4  i4  i8  bf! f2! f4  f8  c4  c8
    u4    u4  u4  u4  u4  u8  i8  i8  i8  i8  bf! f2! f4! f8  c4! c8
    u8    u8  u8  u8  u8  u8  f8  f8  f8  f8  bf! f2! f4! f8  c4! c8
    i1    i1  i2  i4  i8  f8  i1  i2  i4  i8  bf! f2  f4  f8  c4  c8
    i2    i2  i2  i4  i8  f8  i2  i2  i4  i8  bf! f2! f4  f8  c4  c8
    i4    i4  i4  i4  i8  f8  i4  i4  i4  i8  bf! f2! f4! f8  c4! c8
    i8    i8  i8  i8  i8  f8  i8  i8  i8  i8  bf! f2! f4! f8  c4! c8
    bf    bf! bf! bf! bf! bf! bf! bf! bf! bf! bf! f4! f4! f8! c4! c8!
    f2    f2  f2  f2! f2! f2! f2  f2! f2! f2! f4! f2  f4  f8  c4  c8
    f4    f4  f4  f4  f4! f4! f4  f4  f4! f4! f4! f4  f4  f8  c4  c8
    f8    f8  f8  f8  f8  f8  f8  f8  f8  f8  f8! f8  f8  f8  c8  c8
    c4    c4  c4  c4  c4! c4! c4  c4  c4! c4! c4! c4  c4  c8  c4  c8
    c8    c8  c8  c8  c8  c8  c8  c8  c8  c8  c8! c8  c8  c8  c8  c8
"""

CODES = {
    "b1": "bool",
    "bf": "bfloat16",
    **{f"u{n}": f"uint{8 * n}" for n in (1, 2, 4, 8)},
    **{f"i{n}": f"int{8 * n}" for n in (1, 2, 4, 8)},
    **{f"f{n}": f"float{8 * n}" for n in (2, 4, 8)},
    **{f"c{n}": f"complex{16 * n}" for n in (4, 8)},
}


def build() -> PromotionSystem:
    """Return JAX's original rules."""
    return PromotionSystem(
        "jax-original",
        Table.parse(TABLE, node=_of_bytes),
        source="JAX documentation, type_promotion.rst, before weak types",
    )


def _of_bytes(code: str) -> DType:
    return by_name(CODES[code])
