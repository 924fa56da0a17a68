"""How far live libraries agree with the rules that describe them."""

from supremum.conformance.measure import Difference, Measured, conform
from supremum.conformance.module import conform_module
from supremum.conformance.write import write

LIBRARIES = (
    "numpy", "numpy-legacy", "jax", "jax-lax", "torch", "tensorflow", "keras", "mlx", "tinygrad",
    "paddle", "cupy", "dask", "polars", "pyarrow", "pandas", "array-api",
)  # fmt: skip
"""The rules that a live library can be asked about."""

__all__ = ["LIBRARIES", "Difference", "Measured", "conform", "conform_module", "write"]
