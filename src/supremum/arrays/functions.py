"""The functions of the namespace that work element by element, and what each returns.

Their names are those of the array API; what they are called elsewhere, and what they follow, is in
the catalogue of `core.functions`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

UNARY: Final[Mapping[str, str]] = {
    "abs": "the absolute value, which is real",
    "acos": "the inverse cosine, in radians",
    "acosh": "the inverse hyperbolic cosine",
    "asin": "the inverse sine, in radians",
    "asinh": "the inverse hyperbolic sine",
    "atan": "the inverse tangent, in radians",
    "atanh": "the inverse hyperbolic tangent",
    "bitwise_invert": "bitwise NOT, ~x",
    "ceil": "the ceiling, the smallest integer not less than x",
    "conj": "the complex conjugate",
    "cos": "the cosine of an angle in radians",
    "cosh": "the hyperbolic cosine",
    "exp": "e to the power of x",
    "expm1": "exp(x) - 1, accurate for small x",
    "floor": "the floor, the largest integer not greater than x",
    "imag": "the imaginary part",
    "isfinite": "whether x is finite",
    "isinf": "whether x is infinite",
    "isnan": "whether x is NaN",
    "log": "the natural logarithm",
    "log10": "the logarithm to base 10",
    "log1p": "log(1 + x), accurate for small x",
    "log2": "the logarithm to base 2",
    "logical_not": "whether x is zero",
    "negative": "-x",
    "positive": "+x",
    "real": "the real part",
    "reciprocal": "1 / x",
    "round": "the nearest integer, the even one of two that are as near",
    "sign": "-1, 0 or 1, the sign of x; for complex x, x / abs(x)",
    "signbit": "whether the sign bit is set",
    "sin": "the sine of an angle in radians",
    "sinh": "the hyperbolic sine",
    "sqrt": "the square root",
    "square": "x * x",
    "tan": "the tangent of an angle in radians",
    "tanh": "the hyperbolic tangent",
    "trunc": "x rounded towards zero",
}

BINARY: Final[Mapping[str, str]] = {
    "add": "x1 + x2",
    "atan2": "the angle of the point (x2, x1), in radians",
    "bitwise_and": "bitwise AND, x1 & x2",
    "bitwise_left_shift": "x1 << x2",
    "bitwise_or": "bitwise OR, x1 | x2",
    "bitwise_right_shift": "x1 >> x2",
    "bitwise_xor": "bitwise XOR, x1 ^ x2",
    "copysign": "the magnitude of x1 with the sign of x2",
    "divide": "x1 / x2",
    "equal": "x1 == x2",
    "floor_divide": "x1 // x2",
    "greater": "x1 > x2",
    "greater_equal": "x1 >= x2",
    "hypot": "the square root of x1**2 + x2**2",
    "less": "x1 < x2",
    "less_equal": "x1 <= x2",
    "logaddexp": "log(exp(x1) + exp(x2))",
    "logical_and": "whether both are nonzero",
    "logical_or": "whether at least one is nonzero",
    "logical_xor": "whether exactly one is nonzero",
    "maximum": "the larger of x1 and x2",
    "minimum": "the smaller of x1 and x2",
    "multiply": "x1 * x2",
    "nextafter": "the next representable number after x1 towards x2",
    "not_equal": "x1 != x2",
    "pow": "x1 ** x2",
    "remainder": "x1 % x2, with the sign of x2",
    "subtract": "x1 - x2",
}

PLANNED: Final = (
    *UNARY, *BINARY, "all", "any", "argmax", "argmin", "clip", "concat", "count_nonzero",
    "cumulative_prod", "cumulative_sum", "isin", "matmul", "max", "mean", "min", "prod",
    "searchsorted", "stack", "std", "sum", "var", "where",
)  # fmt: skip
"""The functions that are computed by a plan."""

METHODS: Final[Mapping[str, str]] = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "pow",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "bitwise_left_shift",
    "rshift": "bitwise_right_shift",
}
"""The operators that may be reflected and in place, by the names of their methods."""

COMPARISONS: Final[Mapping[str, str]] = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
"""The comparison operators, by the names of their methods."""

OPERATORS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    name: getattr(operator, f"__{method}__")
    for method, name in (*METHODS.items(), *COMPARISONS.items())
}
"""Python's operators, by the functions that they stand for."""

IN_PLACE: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    name: getattr(operator, f"__i{method}__") for method, name in METHODS.items()
}
"""Those that put a result into the first operand."""
