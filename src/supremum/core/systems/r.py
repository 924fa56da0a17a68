"""R's rules: logical, integer, double and complex, each above the one before; no other widths.

What vectors promote to is what ``c`` makes of them. R's integer has 32 bits, and its double 64;
neither has another width, and no unsigned one. Arithmetic makes integers of logicals; division and
powers of integers are double, ``%/%`` and ``%%`` of them integer. A number that is written without
an ``L``, such as ``1``, is double. A scalar is a vector of length one, and counts as any other.

Source: measured on R 4.2.2, by ``typeof``; the R Language Definition, chapter 3.3.
Not modelled: raw vectors, strings and lists; the values that become ``NA`` as they overflow, which
keeps the type; bitwise functions, which look at values; packages, such as bit64.
"""

from __future__ import annotations

from ..common_steps import Literals
from ..dtypes import by_name
from ..libraries import Library
from ..system import PromotionSystem

LIBRARY = Library("R", (), compared=False)

ARROWS = "b -> i32 -> f64 -> c128"
FUNCTIONS = """
    add, subtract, multiply, negative, sum, cumulative_sum, diff = b: i32
    true_divide, power, prod, cumulative_prod, mean, matmul, atan2 = bool integer: f64
    floor_divide, remainder, max, min, maximum, minimum = b: i32; complex: -
    equal, not_equal, logical_and, logical_or, logical_xor, logical_not, any, all, isnan, isfinite,
    isinf = *: b
    less, less_equal, greater, greater_equal = complex: -; *: b
    abs = b: i32; complex: part
    sqrt, exp, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, log, log2,
    log10, round, conj = bool integer: f64
    log1p, expm1, floor, ceil, trunc, sign = complex: -; *: f64
    real, imag, var, std = *: f64
    argmax, argsort = *: i32
    concat, sort, flip, unique =
"""


def build() -> PromotionSystem:
    """Return R's rules."""
    return PromotionSystem.from_lattice(
        ARROWS,
        "r",
        classify=Literals("R", by_name("float64")),
        functions=FUNCTIONS,
        weak_arrays=False,
        version="4.2.2",
        source="measured on typeof(c(x, y)) and on operators; R Language Definition, 3.3",
    )
