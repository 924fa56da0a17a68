"""The arguments of a call in an expression: which are operands, and what the rest say."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from .dtype_names import by_name
from .dtypes import DType
from .errors import plural
from .expression_text import dtype_of
from .functions import Function
from .operands import Operand, operand

if TYPE_CHECKING:
    from .explanation import Explanation
    from .expressions import Evaluation

CASTS: Final[Mapping[str, DType]] = {
    name: by_name(dtype)
    for name, dtype in {
        "float": "float32", "double": "float64", "half": "float16", "bfloat16": "bfloat16",
        "int": "int32", "long": "int64", "short": "int16", "byte": "uint8", "char": "int8",
        "bool": "bool", "cfloat": "complex64", "cdouble": "complex128",
    }.items()
}  # fmt: skip
"""The methods of PyTorch's tensors that convert them."""

# Keywords that change no dtype, if what they are given is written out.
_PARAMETERS: Final = frozenset(
    """
    axis dim axes dims keepdims keepdim ddof correction mode indexing order side k n s norm
    decimals offset axis1 axis2 dim1 dim2 shape size repeats num endpoint base steps
    full_matrices hermitian compute_uv ord p rtol atol tol equal_nan assume_unique invert
    descending stable kind copy method interpolation bins range density unbiased largest sorted
    decreasing increasing device requires_grad
    """.split()  # noqa: SIM905  # a list of words
)
_BOUNDS: Final = ("min", "max", "a_min", "a_max")


class Axis(NamedTuple):
    """What a call says of axes: which, None for all; and whether they are kept."""

    axes: tuple[int, ...] | None = None
    kept: bool = False


class Bound(NamedTuple):
    """The arguments of a call: its operands, the dtype that it asks for, and the axes."""

    operands: list[Operand]
    dtype: DType | None
    axis: Axis


def bind(evaluation: Evaluation, node: ast.Call, known: Function, x: Operand | None) -> Bound:
    """Return the arguments of a call.

    Args:
        evaluation: what evaluates them.
        node: the call.
        known: the function.
        x: the array whose method is called, if it is a method.

    Raises:
        ExpressionError: if there are too many, or one is not understood.
    """
    given: list[Any] = list(node.args)
    if x is not None:
        first = next((i for i, letter in enumerate(known.places) if letter), 0)
        given.insert(first, x)
    operands, extra = _positional(evaluation, known, given)
    wanted: DType | None = None
    axis = Axis()
    for keyword in node.keywords:
        name, value = keyword.arg, keyword.value
        if name == "dtype":
            is_none = isinstance(value, ast.Constant) and value.value is None
            wanted = None if is_none else dtype_of(evaluation.source, value)
        elif name in ("axis", "dim"):
            axis = axis._replace(axes=_axes(evaluation, value))
        elif name in ("keepdims", "keepdim"):
            axis = axis._replace(kept=bool(_literal(evaluation, value)))
        elif known.name == "clip" and name in _BOUNDS:
            operands += _operands(evaluation, value, known)
        elif name in _PARAMETERS:
            _literal(evaluation, value)
        else:
            what = f"the parameter {name!r} of {known.name} is not modelled"
            raise evaluation.source.error(what, value)
    if extra and known.sort in ("reduction", "cumulative", "part") and len(extra) == 1:
        axis = axis._replace(axes=_axes(evaluation, extra.pop()))
    for argument in extra:
        _literal(evaluation, argument)
    if axis.axes is not None and operands:
        _check_axes(evaluation, node, operands[0], axis.axes)
    return Bound(operands, wanted, axis)


def _positional(
    evaluation: Evaluation, known: Function, given: Sequence[Any]
) -> tuple[list[Operand], list[ast.expr]]:
    """Return the operands among the arguments without a name, and what comes after all of them."""
    places = known.places
    operands: list[Operand] = []
    extra: list[ast.expr] = []
    for i, argument in enumerate(given):
        letter = places[i] if i < len(places) else None
        if isinstance(argument, Operand):
            operands.append(argument)
        elif letter or ("..." in known.call and i >= len(places)):
            operands += _operands(evaluation, argument, known)
        elif i < len(places):
            _check_parameter(evaluation, argument)
        else:
            extra.append(argument)
    if extra and known.sort in ("elementwise", "condition"):
        number, most = len(operands) + len(extra), known.operands or 0
        what = f"{known.name} takes {plural(most, 'operand')}, not {number}"
        raise evaluation.source.error(what, extra[0])
    return operands, extra


def _operands(evaluation: Evaluation, node: ast.expr, known: Function) -> list[Operand]:
    if isinstance(node, (ast.List, ast.Tuple)):
        inner = [evaluation.operand(part) for part in node.elts]
        if known.operands is None and "[" in known.call:
            return inner
        if inner and all(x.is_python for x in inner):
            what = f"a list is not an operand; write {known.name} of an array such as float64[3]"
            raise evaluation.source.error(what, node)
    if isinstance(node, ast.Constant) and node.value is None:
        return []
    return [evaluation.operand(node)]


def _check_parameter(evaluation: Evaluation, node: ast.expr) -> None:
    """Look at an argument that is not an operand: what it computes may be refused all the same."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError):
        evaluation.value(node)


def _literal(evaluation: Evaluation, node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        what = f"{evaluation.source.of(node)} is not a number that is written out"
        raise evaluation.source.error(what, node) from None


def _axes(evaluation: Evaluation, node: ast.expr) -> tuple[int, ...] | None:
    value = _literal(evaluation, node)
    axes = value if isinstance(value, tuple) else (value,)
    if value is None:
        return None
    if not all(type(axis) is int for axis in axes):
        raise evaluation.source.error(f"an axis is an int, not {value!r}", node)
    return axes


def _check_axes(evaluation: Evaluation, node: ast.Call, x: Operand, axes: tuple[int, ...]) -> None:
    rank = x.rank
    for axis in axes:
        if rank is not None and not -max(rank, 1) <= axis < max(rank, 1):
            count = plural(rank, "dimension")
            raise evaluation.source.error(f"there is no axis {axis}: {x.text} has {count}", node)


_WITHOUT_DATA: Final = frozenset(("dtype", "type"))


def result(
    known: Function,
    why: Explanation,
    *,
    text: str,
    operands: Sequence[Operand],
    axis: Axis | None,
    library: str,
) -> Operand:
    """Return what a function gives, as an operand of the next step.

    Args:
        known: the function.
        why: what it gives.
        text: how it is written.
        operands: what it is given.
        axis: what its call says of axes.
        library: the title of the library whose rules decide.
    """
    arrays = [x for x in operands if not x.is_python]
    forms = {x.form for x in arrays}
    if forms and forms <= _WITHOUT_DATA:
        return operand(why.result)._replace(text=text, weak=why.weak)
    if forms == {"scalar"}:
        return Operand(text, why.result, False, "scalar", library, 0)
    home = library if any(x.library for x in arrays) else ""
    return Operand(text, why.result, why.weak, "array", home, rank(known, operands, axis))


def rank(known: Function, operands: Sequence[Operand], axis: Axis | None) -> int | None:
    """Return the number of dimensions of a result, or None if it is not known."""
    ranks = [x.rank for x in operands if not (x.form == "dtype" and x.rank is None)]
    if not ranks or None in ranks:
        return None
    widest = max([r for r in ranks if r is not None])
    if known.sort in ("elementwise", "condition"):
        return widest
    if known.sort == "reduction" or known.name in _TO_ONE:
        if axis is not None and axis.kept:
            return widest
        return 0 if axis is None or axis.axes is None else max(widest - len(axis.axes), 0)
    if known.sort in ("cumulative", "part", "transform", "angle"):
        return max(widest, 1)
    if known.name == "matmul":
        first, second = ranks[0] or 0, ranks[-1] or 0
        return max(first, second) - (first == 1) - (second == 1) if max(first, second) > 1 else 0
    if known.name in _SAME_RANK:
        return widest
    return 1 if known.name in ("ravel", "flatten") else None


_TO_ONE: Final = frozenset(("count_nonzero", "dist", "norm", "vector_norm"))
_SAME_RANK: Final = frozenset(
    """
    same copy sort flip fliplr flipud roll zeros_like ones_like empty_like full_like transpose
    matrix_transpose triu tril fftshift ifftshift swapaxes moveaxis permute_dims concat
    nan_to_num
    """.split()  # noqa: SIM905  # a list of words
)
