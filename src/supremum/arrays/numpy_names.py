"""Names of NumPy's functions and of their parameters, for those that take our arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FACTS: Final = frozenset({
    "allclose", "array2string", "array_equal", "array_equiv", "array_repr", "array_str",
    "atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "may_share_memory",
    "shares_memory",
})  # fmt: skip
"""What NumPy says of values, and what converts arrays and keeps their dtypes.

Code that draws, such as Matplotlib's, asks for arrays of NumPy by these.
"""

ALIKE: Final = frozenset({
    "all", "any", "argmax", "argmin", "broadcast_to", "count_nonzero", "diff",
    "expand_dims", "flip", "full_like", "imag", "isin", "max", "min", "moveaxis", "nonzero",
    "ones_like", "empty_like", "prod", "real", "repeat", "reshape", "roll", "searchsorted", "sum",
    "take", "take_along_axis", "tensordot", "tril", "triu", "zeros_like",
    *(f"linalg.{name}" for name in (
        "cholesky", "det", "eig", "eigh", "eigvals", "eigvalsh", "inv",
        "matrix_power", "matrix_rank", "pinv", "qr", "slogdet", "solve", "svd",
    )),
    *(f"fft.{name}" for name in (
        "fft", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft",
        "irfftn", "rfft", "rfftn",
    )),
})  # fmt: skip
"""Functions whose first argument NumPy and the namespace call differently, and take alike else."""

OPERANDS: Final = frozenset({
    "a", "a1", "a2", "a_max", "a_min", "ar", "arr", "array", "b", "condition", "element",
    "indices", "m", "max", "min", "test_elements", "v", "val", "x", "y",
})  # fmt: skip
"""What NumPy calls parameters that are arrays, and may be lists."""

CALLED: Final[Mapping[str, str]] = {
    "amax": "max", "amin": "min", "concat": "concatenate", "round_": "round", "around": "round",
    "cumulative_sum": "cumsum", "cumulative_prod": "cumprod", "permute_dims": "transpose",
}  # fmt: skip
"""Other names of NumPy's functions."""
