"""The tables of the documents that the project implements, as our rules answer them."""

from __future__ import annotations

import supremum
from supremum import PromotionError, show
from supremum.core.dtypes import from_code
from supremum.core.operands import Operand, operand, parse
from supremum.core.table import Table

from .blocks import block

CODES = [
    "b", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64",
    "bf16", "f16", "f32", "f64", "c64", "c128", "i*", "f*", "c*",
]  # fmt: skip
"""The dtypes of the tables, in their order."""

NUMBERS = {"i*": 1, "f*": 1.0, "c*": 1j}

TABLES: dict[str, tuple[str, dict[str, str]]] = {
    "numpy": ("numpy-legacy", {}),
    "tensorflow": ("tensorflow", {}),
    "pytorch": ("torch", {"version": "1.10"}),
    "jax": ("jax", {}),
    "jax-lax": ("jax-lax", {}),
}
"""The tables in the appendix of JAX's design document, each with the rules that give it."""


@block("appendix")
def appendix(name: str) -> str:
    """Return a table of the appendix: arrays, and Python's numbers as weak dtypes."""
    system, options = TABLES[name]
    rules = supremum.system(system, **options)
    cells: dict[tuple[str, str], str] = {}
    for a in CODES:
        for b in CODES:
            try:
                why = rules.explain(_operand(a), _operand(b))
            except PromotionError:
                continue
            found = why.node if why.weak else why.result
            cells[a, b] = found.code or found.name
    return f"{show.render(Table(CODES, cells).map(from_code), 'markdown')}\n"


def _operand(code: str) -> Operand:
    return operand(NUMBERS[code]) if code in NUMBERS else parse(f"{from_code(code)}[3]")
