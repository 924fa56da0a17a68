"""How JAX is asked: ``jax.dtypes.result_type``, and its operators, traced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cached_property, partial
from pkgutil import resolve_name
from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.errors import DTypeError
from ...core.functions import FUNCTIONS
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ..calls import LackingError
from ..library import Library

# Those of which JAX finds only in computing that it cannot, or that it cannot trace.
COMPUTED: Final = (
    "argmax", "argmin", "nanargmax", "nanargmin", "nonzero", "bincount", "argwhere", "flatnonzero",
    "choose", "union1d", "intersect1d", "setxor1d", "setdiff1d", "roots",
    "unique", "unique_all[0]", "unique_counts[0]", "unique_inverse[0]", "unique_all[1]",
    "unique_all[2]", "unique_all[3]", "unique_counts[1]", "unique_inverse[1]", "trim_zeros",
    "compress", "extract", "arange", "from_dlpack", "place", "ix_[0]",
)  # fmt: skip
# Those of jax.lax that the rules of JAX have, too; the others are those of jax-lax.
IN_LAX: Final = {"lax.select": "select", "stop_gradient": "stop_gradient"}
_BESIDE_WIDE: Final = (
    "bool", "uint8", "int32", "uint64", "int64", "float16", "float32", "float64", "complex64",
    "complex128",
)  # fmt: skip
_WEAK: Final = ("uint8", "int8", "int32", "float16", "bfloat16", "float32", "complex64")


class Jax(Library):
    """JAX, whose arrays are described by shape and dtype where nothing is computed."""

    def configure(self, **setting: Any) -> None:
        """Switch 64-bit types and strict promotion."""
        import jax

        jax.config.update("jax_enable_x64", setting["x64"])
        jax.config.update("jax_numpy_dtype_promotion", setting.get("mode", "standard"))
        if hasattr(jax.config, "jax_explicit_x64_dtypes"):  # since 0.8
            jax.config.update("jax_explicit_x64_dtypes", setting.get("explicit_x64", "warn"))
        jax.config.update("jax_traceback_filtering", "off")  # refusals take long enough

    def array(self, d: DType, rank: int, setting: Mapping[str, Any]) -> Operand:
        """Return an array of any library, or of JAX where it may have 64 bits though x64 is off."""
        found = super().array(d, rank, setting)
        is_own = setting.get("explicit_x64", "warn") != "warn"
        return found._replace(library="JAX") if is_own else found

    def function_dtypes(self, rules: PromotionSystem) -> Sequence[DType]:
        """Return all dtypes, or those that show what becomes of 64-bit arrays of JAX.

        If explicit ones are refused there are none, unless they were made while x64 was on.
        """
        some = {"warn": rules.operable, "error": (), "allow": map(by_name, _BESIDE_WIDE)}
        return tuple(some[rules.setting["explicit_x64"]])

    def more(self, dtypes: Sequence[DType]) -> list[Operand]:
        """Return weakly typed arrays, of dtypes that there are with 64-bit types off too."""
        return [
            Operand(f"{d}[{sizes}], weak", d, True, "array", "JAX").ranked(rank)
            for d in dtypes
            if d.name in _WEAK
            for sizes, rank in (("3", 1), ("", 0))
        ]

    def make(self, op: Operand) -> Any:
        """Return the shape and dtype of an array, a weakly typed array, or a Python number.

        JAX makes no arrays of some narrow dtypes, but it knows what they promote to.

        Raises:
            DTypeError: if JAX does not know the dtype, though ml_dtypes has it.
        """
        import jax

        if op.weak and not op.is_python:
            return self.weak(jax.numpy.ones((3,) * (op.rank or 0), op.dtype.to("numpy")))
        if op.is_python:
            return op.value
        shape, own = (3,) * (op.rank or 0), op.dtype.to("numpy")
        if op.library and jax.dtypes.canonicalize_dtype(own) != own:
            from jax._src import config  # whose context older releases have, too

            with config.enable_x64(True):  # without it, no description of an array has 64 bits
                return jax.numpy.ones(shape, own)
        made = jax.ShapeDtypeStruct(shape, own)
        try:
            jax.dtypes.result_type(made)
        except TypeError:
            raise DTypeError(f"JAX does not have the dtype {op.dtype}", op.dtype) from None
        return made

    @contextmanager
    def within(self, **setting: Any) -> Iterator[None]:
        """Evaluate expressions in a setting."""
        import jax

        with (
            jax.enable_x64(setting["x64"]),
            jax.numpy_dtype_promotion(setting["mode"]),
            _explicit(setting["explicit_x64"]),
        ):
            yield

    def filled(self, values: Any, d: DType) -> Any:
        """Return an array of some values."""
        import jax

        return jax.numpy.asarray(values, d.to("numpy"))

    def weak(self, strong: Any) -> Any:
        """Return a weakly typed array, which JAX alone makes out of Python's numbers."""
        from jax._src.lax import lax

        return lax._convert_element_type(strong, strong.dtype, weak_type=True)  # noqa: SLF001  # see above

    @cached_property
    def selectors(self) -> dict[str, Any]:
        """An array of conditions, and one of indices."""
        import jax
        import numpy as np

        return {"c": np.ones(3, bool), "i": np.ones(3, jax.dtypes.canonicalize_dtype(int))}

    def operate(self, function: str, *operands: Any) -> str:
        """Return the dtype of a function's result, without computing it if it need not be."""
        if function in COMPUTED:
            found = self.call(function, [*map(_live, operands)])
        else:
            found = traced(partial(self.call, function), operands)
        return self.answer(found)

    def is_weak(self, found: Any) -> bool:
        """Return whether an array is weakly typed."""
        return bool(found.weak_type)

    def find(self, function: str) -> tuple[str, Callable[..., Any]]:
        """Return how a function is called, and the function."""
        if FUNCTIONS[function].category == "store":
            function = "add"  # JAX's arrays do not change: x += y makes a new one
        if function in IN_LAX:
            return FUNCTIONS[function].call, resolve_name(f"jax.lax.{IN_LAX[function]}")
        return super().find(function)

    def concrete(self, live: Any) -> Any:
        """Return an array, where its shape and dtype are not enough."""
        return _live(live)

    def compiled(self, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
        """Return what a function gives that XLA compiles."""
        import jax

        try:
            return jax.jit(function)(*operands)
        except _untraced() as error:
            raise LackingError(str(error)) from error


def _explicit(chosen: str) -> AbstractContextManager[object]:
    """Return the context in which explicit 64-bit dtypes are treated in a way."""
    from jax._src import config

    state = getattr(config, "explicit_x64_dtypes", None)  # since 0.8
    return nullcontext() if state is None else state(chosen)


def traced(function: Callable[[Sequence[Any]], Any], operands: Sequence[Any]) -> Any:
    """Return the shape and dtype of what a function makes of some operands."""
    import jax

    def run(*arrays: Any) -> Any:
        left = iter(arrays)
        return function([next(left) if hasattr(x, "dtype") else x for x in operands])

    return jax.eval_shape(run, *(x for x in operands if hasattr(x, "dtype")))


def _untraced() -> tuple[type[Exception], ...]:
    """Return what JAX raises where a dtype or a size depends on values."""
    from jax import errors

    return (
        errors.ConcretizationTypeError, errors.NonConcreteBooleanIndexError,
        errors.TracerArrayConversionError, errors.TracerIntegerConversionError,
    )  # fmt: skip


def _live(x: Any) -> Any:
    import jax.numpy as jnp

    return jnp.ones(x.shape, x.dtype) if type(x).__name__ == "ShapeDtypeStruct" else x


def _is_weak_without_rank(operands: Sequence[Operand]) -> bool:
    return any(x.weak for x in operands) and all(x.rank == 0 for x in operands)


def _lack_dimensions(operands: Sequence[Operand]) -> bool:
    return any(x.rank == 0 and not x.is_python for x in operands)


def _are_of_two_dtypes(operands: Sequence[Operand]) -> bool:
    return operands[0].dtype != operands[1].dtype


def _are_weak(operands: Sequence[Operand]) -> bool:
    return all(x.weak for x in operands)


def _are_weak_unsigned(operands: Sequence[Operand]) -> bool:
    return all(x.weak and x.dtype.kind == "unsigned" for x in operands)


def _is_weak_power(operands: Sequence[Operand]) -> bool:
    kinds = [x.dtype.kind in ("float", "complex") for x in operands]
    return _is_weak_without_rank(operands) or (_are_weak(operands) and kinds == [True, False])


def _is_of_bools_or_weak(operands: Sequence[Operand]) -> bool:
    return all(x.dtype.kind == "bool" for x in operands) or _are_weak(operands)


# jnp.select of bools or weak arrays alone meets its own default, the int 0, which is weak. Of weak
# arrays alone, floor division mixes their widths with the default ones, or fails, so do powers in
# strict mode, and comparisons of unsigned ones are weak bools; so are tests and logic of operands
# without dimensions.
_TESTS: Final = ("iscomplex", "isreal", "logical_and", "logical_not", "logical_or", "logical_xor")
_COMPARISONS: Final = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")

LIBRARY = Jax(
    "jax",
    "jax==0.10.2",
    of_releases={"version": "jax"},
    settings=[
        {"x64": x64, "mode": mode, "explicit_x64": explicit}
        for x64, mode, explicit in (
            (True, "standard", "warn"),
            (True, "strict", "warn"),
            (False, "standard", "warn"),
            (False, "strict", "warn"),
            (False, "standard", "error"),
            (False, "standard", "allow"),
        )
    ],
    scalars=(True, 1, 2**70, 1.0, 1j),
    function_scalars=(True, 1, -1, 2**31, 2**70, 1.0, 1j),
    roots=(
        "jax.numpy",
        "jax.numpy.linalg",
        "jax.numpy.fft",
        "jax.nn",
        "jax.scipy.special",
    ),
    unasked=("norm_max", "norm_sum"),  # which stand for the norms of the array API
    # JAX's arrays do not change: what puts something into one makes another.
    calls={
        "gradient": "(x,y)",  # of one dimension, which has one spacing
        "place": "(x,c,y,inplace=False)",
        "put": "(x,i,y,inplace=False)",
        "put_along_axis": "(x,i,y,0,inplace=False)",
        "fill_diagonal": "(m,y,inplace=False)",
    },
    unmodelled={
        "select": _is_of_bools_or_weak,
        "unravel_index": _is_of_bools_or_weak,  # of which the result is weak, or there is none
        **dict.fromkeys(("floor_divide", "divmod[0]", "divmod[1]", "gradient"), _are_weak),
        **dict.fromkeys(_TESTS, _is_weak_without_rank),
        **dict.fromkeys(_COMPARISONS, _are_weak_unsigned),
        # of an axis, and of arrays with one shape
        **dict.fromkeys(("softmax", "log_softmax", "lax.select"), _lack_dimensions),
        "interp": _are_of_two_dtypes,
        "power": _is_weak_power,
    },
    weak_results=True,
    has_expressions=True,
    compiled_dtypes=("bool", "uint8", "int32", "float16", "float32", "complex64"),
    products=("matmul",),
    takes_dtype=("sum", "prod", "mean", "nansum", "cumsum", "cumulative_prod"),
)
