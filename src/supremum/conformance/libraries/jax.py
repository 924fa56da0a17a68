"""How JAX is asked: ``jax.dtypes.result_type``, and its operators, traced."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...core.dtypes import DType, dtype
from ...core.errors import DTypeError
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ..calls import WEAK, call, dtype_of

SYSTEM = "jax"
DISTRIBUTION = "jax==0.10.2"
OF_RELEASES = {"version": "jax"}
SETTINGS = tuple(
    {"x64": x64, "mode": mode} for x64 in (True, False) for mode in ("standard", "strict")
)
WEAK_RESULTS = True
RANKS = (1, 0)
SCALARS = (True, 1, 2**70, 1.0, 1j)
NARY = True
FUNCTION_SCALARS = (True, 1, -1, 2**31, 2**70, 1.0, 1j)

# Which stand for the norms of the array API.
UNASKED = ("norm_max", "norm_sum")
# Those of which JAX finds only in computing that it cannot, or that it cannot trace.
COMPUTED = (
    "argmax", "argmin", "nanargmax", "nanargmin", "nonzero", "bincount", "argwhere", "flatnonzero",
    "choose", "union1d", "intersect1d", "setxor1d", "setdiff1d", "roots",
    "unique", "unique_all[0]", "unique_counts[0]", "unique_inverse[0]", "unique_all[1]",
    "unique_all[2]", "unique_all[3]", "unique_counts[1]", "unique_inverse[1]", "trim_zeros",
    "compress", "extract", "arange", "from_dlpack", "place", "ix_[0]",
)  # fmt: skip
# JAX's arrays do not change: what puts something into one makes another.
CALLS = {
    "place": "(x,c,y,inplace=False)",
    "put": "(x,i,y,inplace=False)",
    "put_along_axis": "(x,i,y,0,inplace=False)",
    "fill_diagonal": "(m,y,inplace=False)",
}


def version() -> str:
    """Return the release that is installed."""
    import jax

    return str(jax.__version__)


def configure(*, x64: bool = True, mode: str = "standard") -> None:
    """Switch 64-bit types and strict promotion."""
    import jax

    jax.config.update("jax_enable_x64", x64)
    jax.config.update("jax_numpy_dtype_promotion", mode)
    jax.config.update("jax_traceback_filtering", "off")  # refusals take long enough


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

    Raises:
        DTypeError: if JAX does not know the dtype, though ml_dtypes has it.
    """
    import jax

    if op.form.startswith("Python"):
        return op.value
    if op.weak:
        return _weak(jax.numpy.ones((3,) * (op.rank or 0), op.dtype.to("numpy")))
    made = jax.ShapeDtypeStruct((3,) * (op.rank or 0), op.dtype.to("numpy"))
    try:
        jax.dtypes.result_type(made)
    except TypeError:
        raise DTypeError(f"JAX does not have the dtype {op.dtype}", op.dtype) from None
    return made


def _weak(strong: Any) -> Any:
    """Return a weakly typed array, which JAX alone makes out of Python's numbers."""
    from jax._src.lax import lax

    return lax._convert_element_type(strong, strong.dtype, weak_type=True)  # noqa: SLF001  # see above


@contextmanager
def within(*, x64: bool = True, mode: str = "standard") -> Iterator[None]:
    """Evaluate expressions in a setting."""
    import jax

    with jax.enable_x64(x64), jax.numpy_dtype_promotion(mode):
        yield


def filled(values: Any, dtype: DType, *, weak: bool) -> Any:
    """Return an array of these values."""
    import jax

    strong = jax.numpy.asarray(values, dtype.to("numpy"))
    return _weak(strong) if weak else strong


def ask(*operands: Any) -> str:
    """Return what ``result_type`` says."""
    import jax

    return dtype(jax.dtypes.result_type(*operands)).name


def roots() -> Sequence[Any]:
    """Return where its functions are."""
    import jax.numpy as jnp

    return jnp, jnp.linalg, jnp.fft


def operate(function: str, *operands: Any) -> str:
    """Return the dtype of a function's result, without computing it if it need not be."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    if FUNCTIONS[function].category == "store":
        function = "add"  # JAX's arrays do not change: x += y makes a new one
    mask, index = np.ones(3, bool), np.ones(3, jax.dtypes.canonicalize_dtype(int))

    def run(*traced: Any) -> Any:
        left = list(traced)
        values = [left.pop(0) if hasattr(x, "dtype") else x for x in operands]
        return call(THIS, function, values, mask, index)

    if function in COMPUTED:
        live = [jnp.ones(x.shape, x.dtype) if _is_described(x) else x for x in operands]
        return _weak_or_not(run(*[x for x in live if hasattr(x, "dtype")]))
    return _weak_or_not(jax.eval_shape(run, *[x for x in operands if hasattr(x, "dtype")]))


def _is_described(x: Any) -> bool:
    return type(x).__name__ == "ShapeDtypeStruct"


def _is_of_bools(operands: Sequence[Operand]) -> bool:
    return all(x.dtype.kind == "bool" for x in operands)


def _is_weak_without_rank(operands: Sequence[Operand]) -> bool:
    return any(x.weak for x in operands) and all(x.rank == 0 for x in operands)


def _is_float(operands: Sequence[Operand]) -> bool:
    return operands[0].dtype.kind == "float"


def _are_weak(operands: Sequence[Operand]) -> bool:
    return all(x.weak for x in operands)


def _are_weak_unsigned(operands: Sequence[Operand]) -> bool:
    return all(x.weak and x.dtype.kind == "unsigned" for x in operands)


def _is_weak_power(operands: Sequence[Operand]) -> bool:
    kinds = [x.dtype.kind in ("float", "complex") for x in operands]
    return _is_weak_without_rank(operands) or (_are_weak(operands) and kinds == [True, False])


def _is_of_bools_or_weak(operands: Sequence[Operand]) -> bool:
    return _is_of_bools(operands) or _are_weak(operands)


# jnp.select of bools or weak arrays alone meets its own default, the int 0, which is weak. Of weak
# arrays alone, floor division mixes their widths with the default ones, or fails, so do powers in
# strict mode, and comparisons of unsigned ones are weak bools; so are tests and logic of operands
# without dimensions.
_TESTS = ("iscomplex", "isreal", "logical_and", "logical_not", "logical_or", "logical_xor")
_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
UNMODELLED = {
    "select": _is_of_bools_or_weak,
    "unravel_index": _is_of_bools_or_weak,  # of which the result is weak, or there is none
    **dict.fromkeys(("floor_divide", "divmod[0]", "divmod[1]"), _are_weak),
    **dict.fromkeys(_TESTS, _is_weak_without_rank),
    **dict.fromkeys(_COMPARISONS, _are_weak_unsigned),
    "power": _is_weak_power,
    "angle": _is_float,
}


def _weak_or_not(result: Any) -> str:
    first = result[0] if isinstance(result, (list, tuple)) else result
    return f"{dtype_of(first)}{WEAK if first.weak_type else ''}"


THIS = sys.modules[__name__]
