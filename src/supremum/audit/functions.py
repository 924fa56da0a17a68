"""What is known of libraries' functions, by their names, as data."""

from __future__ import annotations

from typing import Final

ACCUMULATES: Final = frozenset(
    {
        "sum", "prod", "cumsum", "cumprod", "nansum", "nanprod", "nancumsum", "nancumprod",
        "cumulative_sum", "cumulative_prod", "trace", "dot", "vdot", "inner", "outer", "matmul",
        "tensordot", "einsum", "convolve", "correlate", "kron", "cross", "accumulate", "reduce",
    }
)  # fmt: skip
"""Functions that add up or multiply their operands: integers may become wider."""

COMBINES: Final = frozenset(
    {
        "concatenate", "concat", "stack", "hstack", "vstack", "dstack", "column_stack", "block",
        "append", "cat", "where", "select", "maximum", "minimum", "fmax", "fmin", "clip",
        "add", "subtract", "multiply", "divide", "true_divide", "floor_divide", "mod",
        "remainder", "power", "pow", "float_power", "hypot", "arctan2", "atan2", "logaddexp",
        "mul", "sub", "div", "matmul", "dot", "einsum", "outer", "convolve", "correlate",
    }
)  # fmt: skip
"""Functions that put their operands together as operators do."""

COPIES: Final = frozenset({"matmul", "dot", "vdot", "inner", "tensordot", "convolve", "correlate"})
"""Functions of NumPy that convert operands of another dtype as a whole, into a copy."""

BEARS_FLOAT64: Final = frozenset({"interp", "cov", "corrcoef", "bincount", "polyfit", "vander"})
"""Functions of NumPy that give float64 whatever they are given."""

JOINS: Final = frozenset(
    {"concatenate", "concat", "cat", "stack", "hstack", "vstack", "dstack", "column_stack", "block"}
)
"""Functions whose operands are all in the list that they are given first."""

NO_DATA: Final = frozenset({"axis", "dim", "where", "mode"})
"""What the arguments are called that say how to compute, and are no operands."""

LIBRARIES: Final = frozenset(
    {
        "numpy", "ml_dtypes", "jax", "jaxlib", "torch", "dask", "cupy", "cupyx", "pandas", "xarray",
        "tensorflow", "mlx", "tinygrad", "paddle", "polars", "array_api_compat", "supremum",
    }
)  # fmt: skip
"""The packages whose functions do what their names say in `COMBINES`."""

CONVERTS: Final = frozenset(
    {
        "astype", "asarray", "array", "asanyarray", "ascontiguousarray", "type", "to", "view",
        "double", "float", "half", "bfloat16", "long", "int", "short", "bool", "as_tensor",
        "tensor", "from_numpy", "to_numpy", "cast", "convert_element_type", "numpy", "item",
        "frombuffer", "float64", "float32", "float16", "int64", "int32", "int16", "int8",
        "uint64", "uint32", "uint16", "uint8", "complex128", "complex64", "longdouble",
    }
)  # fmt: skip
"""Functions that are called for the sake of a dtype, or make arrays of something else."""

TAKES_DTYPE: Final = frozenset(
    {
        "zeros", "ones", "empty", "full", "arange", "linspace", "logspace", "geomspace", "eye",
        "identity", "tri", "array", "asarray", "fromiter", "fromfunction", "loadtxt", "genfromtxt",
        "fromfile", "frombuffer", "fromstring", "standard_normal", "random", "standard_exponential",
        "standard_gamma", "mean", "sum", "prod", "cumsum", "cumprod", "var", "std", "tensor",
        "rand", "randn", "normal", "uniform", "zeros_like", "ones_like", "full_like", "Series",
        "read_csv", "concatenate", "stack", "average", "hstack", "vstack",
    }
)  # fmt: skip
"""Functions that take a dtype, in one library or another; `mend` asks their signatures, too."""

OPERATOR_OF: Final = {
    "add": "add", "subtract": "subtract", "multiply": "multiply", "divide": "true_divide",
    "true_divide": "true_divide", "floor_divide": "floor_divide", "mod": "remainder",
    "remainder": "remainder", "power": "power", "pow": "power", "matmul": "matmul",
    "maximum": "maximum", "minimum": "maximum", "where": "where", "concatenate": "concat",
    "concat": "concat", "stack": "concat", "hstack": "concat", "vstack": "concat", "cat": "concat",
    "mul": "multiply", "sub": "subtract", "div": "true_divide", "dot": "matmul",
    "equal": "equal", "less": "less", "bitwise_and": "bitwise_and", "left_shift": "left_shift",
}  # fmt: skip
"""Functions that follow the rule of an operator that `supremum.operators` knows."""

RULES: Final = {
    "NumPy": "numpy", "JAX": "jax", "PyTorch": "torch", "Dask": "dask", "pandas": "pandas",
    "CuPy": "cupy", "TensorFlow": "tensorflow", "MLX": "mlx", "tinygrad": "tinygrad",
    "Paddle": "paddle", "Polars": "polars", "xarray": "numpy",
}  # fmt: skip
"""The rules that each library's arrays follow."""
