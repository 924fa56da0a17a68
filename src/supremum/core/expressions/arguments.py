"""The arguments of a call in an expression: which are operands, and what the rest say."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..dtypes import PYTHON_SCALARS, DType, by_name
from ..errors import plural
from ..functions import FUNCTIONS, Function, results
from ..operands import SCALAR_LIBRARY, Operand, operand
from .created import OF_NUMBERS, of_numbers, rank_of_shape
from .names import prefixes, title_of
from .numbers import CONSTANTS
from .text import dtype_of

if TYPE_CHECKING:
    from ..explanation import Explanation
    from ..system import PromotionSystem
    from .evaluate import Evaluation

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
_METHODS: Final = ("method", "interpolation")  # by which a quantile may be an element
_ALONG: Final = ("reduction", "cumulative", "part")


class Axis(NamedTuple):
    """What a call says of axes: which, None for all; and whether they are kept."""

    axes: tuple[int, ...] | None = None
    kept: bool = False


class Bound(NamedTuple):
    """The arguments of a call: its operands, the dtype that it asks for, and the axes.

    If it makes an array of a shape that is written out, ``rank`` is the number of dimensions.
    """

    operands: list[Operand]
    dtype: DType | None
    axis: Axis
    rank: int | None = None


def bind(
    evaluation: Evaluation, node: ast.Call, known: Function, x: Operand | None,
    rules: PromotionSystem,
) -> Bound:  # fmt: skip
    """Return the arguments of a call.

    Args:
        evaluation: what evaluates them.
        node: the call.
        known: the function.
        x: the array whose method is called, if it is a method.
        rules: the rules that decide.

    Raises:
        ExpressionError: if there are too many, or one is not understood.
    """
    given: list[Any] = list(node.args)
    wanted = _dtype_without_name(evaluation, given, known)
    made_of = of_numbers(evaluation, node, known, rules) if x is None else None
    if made_of is not None:
        given[0] = made_of
    if x is not None:
        first = next((i for i, letter in enumerate(known.places) if letter), 0)
        given.insert(first, x)
    operands, extra = _positional(evaluation, known, given)
    named = _named(evaluation, node, known)
    operands += named.operands
    axis, wanted = named.axis, wanted or named.dtype
    if extra and known.sort in _ALONG and known.name != "gradient":
        axis = axis._replace(axes=_axes(evaluation, extra.pop(0)))
        if extra and known.sort == "reduction":
            axis = axis._replace(kept=_literal(evaluation, extra.pop(0)) is True)
    for argument in extra:
        _literal(evaluation, argument)
    if axis.axes is not None and operands:
        _check_axes(evaluation, node, operands[0], axis.axes)
    operands = _changed(evaluation, node, known, operands, rules)
    if known.name == "round":
        operands = _rounded(evaluation, node, operands, given[1:])
    return Bound(operands, wanted, axis, made_of.rank if made_of else rank_of_shape(known, node))


def _named(evaluation: Evaluation, node: ast.Call, known: Function) -> Bound:
    """Return what the arguments with a name say."""
    operands: list[Operand] = []
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
        elif name in _PARAMETERS and not (known.name in _FRACTIONS and name in _METHODS):
            _literal(evaluation, value)
        else:
            what = f"the parameter {name!r} of {known.name} is not modelled"
            raise evaluation.source.error(what, value)
    return Bound(operands, wanted, axis)


def _dtype_without_name(evaluation: Evaluation, given: list[Any], known: Function) -> DType | None:
    """Take the dtype that comes last among the arguments without a name, if there is one."""
    if not known.takes_dtype or len(given) < 2:
        return None
    last = given[-1]
    if isinstance(last, ast.Attribute):  # of a library, as in np.float32
        root = last.value
        is_dtype = isinstance(root, ast.Name) and root.id in prefixes()
        is_dtype = is_dtype and last.attr not in CONSTANTS
    elif isinstance(last, ast.Name):
        is_dtype = last.id in _PYTHON
    else:
        is_dtype = isinstance(last, ast.Constant) and isinstance(last.value, str)
    return dtype_of(evaluation.source, given.pop()) if is_dtype else None


_PYTHON: Final = frozenset(t.__name__ for t in PYTHON_SCALARS)
_STACKED: Final = frozenset(("hstack", "vstack", "dstack", "column_stack"))


def _changed(
    evaluation: Evaluation, node: ast.Call, known: Function, operands: list[Operand],
    rules: PromotionSystem,
) -> list[Operand]:  # fmt: skip
    """Return operands as a function sees them, where that is not what they are."""
    if known.name in _STACKED:  # of one dimension, if they have none
        return [x._replace(rank=1) if x.form == "array" and x.rank == 0 else x for x in operands]
    if known.name in OF_NUMBERS and title_of(rules) not in ("", SCALAR_LIBRARY):
        return [x._replace(form="array") if x.form == "scalar" else x for x in operands]
    if known.name == "clip":
        flat = [x for x in operands[1:] if rules.ranked and x.form == "array" and x.rank == 0]
        flat += [x for x in operands[:1] if x.is_python]
        if flat:
            what = f"clip of {flat[0].text}, which has no dimensions, is not modelled"
            raise evaluation.source.error(what, node)
    return operands


def _rounded(
    evaluation: Evaluation, node: ast.Call, operands: list[Operand], given: Sequence[ast.expr]
) -> list[Operand]:
    """Return what is rounded: to decimals a float is multiplied before, so it is not weak then."""
    named = [k.value for k in node.keywords if k.arg in ("decimals", "ndigits")]
    if not any(_literal(evaluation, x) for x in (*given, *named)):
        return operands
    if any(x.dtype.kind == "bool" for x in operands):
        raise evaluation.source.error("round to decimals does not take bool", node)
    return [x._replace(weak=x.weak and x.dtype.kind in ("unsigned", "signed")) for x in operands]


def results_of(
    known: Function, called: str, bound: Bound, rules: PromotionSystem
) -> list[tuple[str, list[Operand]]]:
    """Return the results of a call that has several, each with the operands that decide about it.

    Args:
        known: the function.
        called: what the call names it: torch.amax has one result where torch.max has two.
        bound: its arguments.
        rules: the rules that decide, which say whether there are several.
    """
    second = f"{known.name}[1]"
    if rules.rule(known.name) is None:
        names = results(known.name)
        if len(names) == 1 and known.operands is None:  # as many as operands, each of its own
            given = bound.operands
            return [(names[0], [*given[i:], *given[:i]]) for i in range(len(given))]
        return [(name, bound.operands) for name in names]
    has_places = known.sort != "reduction" or bound.axis.axes is not None
    if has_places and called == known.name and rules.rule(second):
        return [(name, bound.operands) for name in (known.name, second)]
    return []


ALIKE: Final = frozenset(
    name for name, known in FUNCTIONS.items()
    if name.endswith("[0]") and known.sort in ("shape", "index", "count")
)  # fmt: skip
"""The functions with any number of results of one dtype, of which the catalogue has the first."""

_RANKS: Final = {"matmul": 1, "concat": 1, "mm": 2, "bmm": 3}


def check_ranks(
    evaluation: Evaluation, node: ast.expr, known: Function, operands: Sequence[Operand]
) -> None:
    """Refuse operands of too few dimensions.

    Raises:
        ExpressionError: if there are some.
    """
    is_of_one = known.sort == "linalg"  # the right-hand sides may have one dimension
    least = 2 if is_of_one else _RANKS.get(known.name, 0)
    for x in operands[: 1 if is_of_one else None] if least else ():
        if x.form == "array" and x.rank is not None and x.rank < least:
            needed = plural(least, "dimension")
            what = f"{known.name} takes arrays of {needed} or more, and {x.text} has {x.rank}"
            raise evaluation.source.error(what, node)


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
            _check_parameter(evaluation, argument, known)
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


_FRACTIONS: Final = {"quantile": (float,), "nanquantile": (float,), "percentile": (int, float),
                     "nanpercentile": (int, float)}  # fmt: skip


def _check_parameter(evaluation: Evaluation, node: ast.expr, known: Function) -> None:
    """Look at an argument that is not an operand: what it computes may be refused all the same."""
    if known.name in _FRACTIONS:
        x = evaluation.value(node) if not isinstance(node, (ast.List, ast.Tuple)) else None
        if not (isinstance(x, Operand) and type(x.number) in _FRACTIONS[known.name]):
            what = f"of anything but a Python float, {known.name} depends on the dtype of "
            raise evaluation.source.error(f"{what}{evaluation.source.of(node)}", node)
        return
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
        form = "scalar" if library == SCALAR_LIBRARY else "array"
        return Operand(text, why.result, why.weak, form, library, 0)
    home = library if any(x.library for x in arrays) else ""
    return Operand(text, why.result, why.weak, "array", home, rank(known, operands, axis))


def rank(known: Function, operands: Sequence[Operand], axis: Axis | None) -> int | None:
    """Return the number of dimensions of a result, or None if it is not known."""
    if known.name == "gradient":  # an array, or a list of them
        return None
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
        return widest or None  # of those without dimensions, NumPy's and PyTorch's differ
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
