"""How JAX is asked: ``jax.dtypes.result_type``, and its operators, traced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtypes import DType
from ...core.functions import FUNCTIONS
from ...core.operands import Operand, dtype
from ..questions import OF_MATRICES, find

SYSTEM = "jax"
DISTRIBUTION = "jax==0.10.2"
SETTINGS = tuple(
    {"x64": x64, "mode": mode} for x64 in (True, False) for mode in ("standard", "strict")
)
RANKS = (1, 0)
SCALARS = (True, 1, 2**70, 1.0, 1j)
NARY = True
FUNCTION_SCALARS = (True, 1, 2**31, 2**70, 1.0, 1j)

# Those that JAX lacks, and those that need more than arrays.
UNASKED = ("nan_to_num", "append", "matrix_rank", "quantile", "percentile", "block", "einsum")


def version() -> str:
    """Return the release that is installed."""
    import jax

    return str(jax.__version__)


def configure(*, x64: bool = True, mode: str = "standard") -> None:
    """Switch 64-bit types and strict promotion."""
    import jax

    jax.config.update("jax_enable_x64", x64)
    jax.config.update("jax_numpy_dtype_promotion", mode)


def more(dtypes: Sequence[DType]) -> list[Operand]:
    """Return weakly typed arrays, of dtypes that there are with 64-bit types off too."""
    weak = ("uint8", "int8", "int32", "float16", "bfloat16", "float32", "complex64")
    return [
        Operand(f"{d}[{sizes}], weak", d, True, "array", "JAX", rank)
        for d in dtypes
        if d.name in weak
        for sizes, rank in (("3", 1), ("", 0))
    ]


def make(op: Operand) -> Any:
    """Return the shape and dtype of an array, a weakly typed array, or a Python number.

    JAX makes no arrays of some narrow dtypes, but it knows what they promote to.
    """
    import jax

    if op.form.startswith("Python"):
        return op.value
    if op.weak:
        # only JAX itself makes them, out of Python's numbers, in the dtypes that it chooses
        from jax._src.lax import lax

        strong = jax.numpy.ones((3,) * (op.rank or 0), op.dtype.to("numpy"))
        return lax._convert_element_type(strong, strong.dtype, weak_type=True)  # noqa: SLF001  # see above
    return jax.ShapeDtypeStruct((3,) * (op.rank or 0), op.dtype.to("numpy"))


def ask(*operands: Any) -> str:
    """Return what ``result_type`` says."""
    import jax

    return dtype(jax.dtypes.result_type(*operands)).name


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result, without computing it."""
    import jax
    import jax.numpy as jnp

    known = FUNCTIONS[function]
    if known.sort == "store":
        function = "add"  # JAX's arrays do not change: x += y makes a new one
    if known.sort == "index" or known.name in ("argmax", "argmin"):
        # JAX finds only in computing it that it cannot
        (x,) = operands
        return dtype(find(jnp, function)(jnp.ones(x.shape, x.dtype)).dtype).name
    if known.sort == "linalg" or function in OF_MATRICES:
        operands = tuple(jax.ShapeDtypeStruct((3, 3), x.dtype) for x in operands)
    places = {"linalg": jnp.linalg, "transform": jnp.fft}
    called: Any = (
        jnp.where if known.sort == "condition" else find(places.get(known.sort, jnp), function)
    )

    def run(*traced: Any) -> Any:
        left = list(traced)
        values = [left.pop(0) if hasattr(x, "dtype") else x for x in operands]
        if known.sort == "sequence":
            return called(values)
        return called(jnp.ones(3, bool), *values) if known.sort == "condition" else called(*values)

    arrays = [x for x in operands if hasattr(x, "dtype")]
    return dtype(jax.eval_shape(run, *arrays).dtype).name
