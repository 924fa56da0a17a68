"""The number of dimensions of what each function gives, as a table; what is not here is unknown.

A rank is known, or it is unknown (None), and the engine asks about an unknown one both ways. It is
never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..errors import plural
from ..functions import Function
from ..operands import Operand

Ranks = Sequence[int]
"""The ranks of operands; those of conditions and masks come last."""

Parameters = Mapping[str, Any]
"""Parameters by name."""


def rank(known: Function, operands: Sequence[Operand], parameters: Mapping[str, Any]) -> int | None:
    """Return the number of dimensions of a result, or None if it is not known.

    Args:
        known: the function.
        operands: its operands.
        parameters: its parameters, by name.
    """
    if known.name == "squeeze":
        return _squeezed(operands[0], parameters.get("axis"))
    if effect := _KNOWN.get(known.name):
        return effect((), parameters)
    effect = _EFFECTS.get(known.name) or _EFFECTS.get(f"*{known.category}")
    ranks = _ranks(operands, parameters)
    if effect is None or not ranks:
        return None
    found = effect(ranks, parameters)
    return found if found is None or found >= 0 else None


def _ranks(operands: Sequence[Operand], parameters: Mapping[str, Any]) -> list[int]:
    """Return the ranks of operands and of masks, or nothing if one is not known."""
    masks = (parameters.get(name) for name in ("condition", "mask"))
    given = [*operands, *(x for x in masks if isinstance(x, Operand))]
    given = [x for x in given if x.form != "dtype"]  # which says nothing of dimensions
    known = [x.rank for x in given if x.rank is not None]
    return known if len(known) == len(given) else []


# The dimensions that functions need at least, by sort or name.
_LEAST: Final = {"linalg": 2, "transform": 1, "matmul": 1, "concat": 1, "mm": 2, "bmm": 3}
_ALONG: Final = ("reduction", "cumulative", "part")


def refusal(known: Function, operands: Sequence[Operand], axis: Any) -> str:
    """Return why operands have too few dimensions, or not the axis that is asked for, or ``""``."""
    is_of_one = known.category in _LEAST  # the right-hand sides may have fewer
    least = _LEAST.get(known.category, _LEAST.get(known.name, 0))
    for x in operands[: 1 if is_of_one else None]:
        if x.form in ("array", "scalar") and x.rank is not None and x.rank < least:
            needed = plural(least, "dimension")
            return f"{known.name} takes arrays of {needed} or more, and {x.text} has {x.rank}"
    rank = operands[0].rank if operands and known.category in _ALONG else None
    axes = axis if isinstance(axis, tuple) else () if axis is None else (axis,)
    if rank is None or all(-max(rank, 1) <= i < max(rank, 1) for i in axes):
        return ""
    wrong = next(i for i in axes if not -max(rank, 1) <= i < max(rank, 1))
    return f"there is no axis {wrong}: {operands[0].text} has {plural(rank, 'dimension')}"


def of_item(x: Operand, parts: Sequence[Any]) -> int | None:
    """Return the rank of an item: None if it is not known, and negative if there is none.

    A slice takes one axis and gives it back; None adds one. A number, or an array of them, takes
    one, and a mask takes as many as it has; together they give as many as the widest of them has.

    Args:
        x: the array.
        parts: the parts of the index: operands, or lists of them, beside those and an ellipsis.
    """
    slices = sum(isinstance(p, slice) for p in parts)
    arrays = [_place(p) for p in parts if not isinstance(p, slice) and p not in (None, ...)]
    places = [place for place in arrays if place is not None]
    if x.rank is None or len(places) < len(arrays):
        return None
    left = x.rank - sum(taken for taken, _ in places)
    if left < slices:
        return -1
    return left + max((given for _, given in places), default=0) + sum(p is None for p in parts)


def _place(part: Any) -> tuple[int, int] | None:
    """Return how many axes a part of an index takes, and how many it gives, if that is known."""
    depth = 0
    while type(part) in (list, tuple) and part:
        depth, part = depth + 1, part[0]
    if not isinstance(part, Operand):
        return 1, depth
    if part.rank is None:
        return None
    depth += part.rank
    return (depth, 1) if part.dtype.kind == "bool" else (1, depth)


def _squeezed(x: Operand, axis: Any) -> int | None:
    """Return what is left without axes of size 1, if an operand has its sizes written."""
    sizes = [size.strip() for size in x.text.rpartition("[")[2].removesuffix("]").split(",")]
    if not x.rank or len(sizes) != x.rank or not all(map(str.isdigit, sizes)):
        return None if x.rank else x.rank
    axes = (
        range(x.rank)
        if axis is None
        else {i % x.rank for i in ((axis,) if type(axis) is int else axis)}
    )
    return x.rank - sum(int(sizes[i]) == 1 for i in axes)


def _count(axis: Any) -> int:
    return 1 if type(axis) is int else len(axis)


def _reduced(r: Ranks, p: Parameters) -> int | None:
    axis = p.get("axis")
    if p.get("keepdims") or axis == ():  # which is all axes to some libraries, and none to others
        return r[0] if p.get("keepdims") else None
    return 0 if axis is None else max(r[0] - _count(axis), 0)


def _shape(_: Ranks, p: Parameters) -> int | None:
    shape = p.get("shape")
    return len(shape) if isinstance(shape, (tuple, list)) else None if shape is None else 1


def _matmul(r: Ranks, _: Parameters) -> int:
    return max(r) - (r[0] == 1) - (r[-1] == 1) if max(r) > 1 else 0


def _contracted(r: Ranks, count: int) -> int:
    return sum(r) - (0 if 0 in r else 2 * count)


def _einsum(_: Ranks, p: Parameters) -> int | None:
    inputs, arrow, made = str(p.get("pattern")).replace(" ", "").partition("->")
    if "." in inputs:
        return None
    return len(made) if arrow else sum(inputs.count(letter) == 1 for letter in {*inputs} - {","})


def _tile(r: Ranks, p: Parameters) -> int | None:
    sizes = _shape(r, p)
    return None if sizes is None else max(r[0], sizes)


def _repeat(r: Ranks, p: Parameters) -> int | None:
    is_one = r[0] < 2 and _shape(r, p) == 1
    return 1 if is_one else r[0] if p.get("axis") is not None else None


def _take(r: Ranks, p: Parameters) -> int | None:
    indices = p.get("indices")
    given = indices.rank if isinstance(indices, Operand) else 0 if type(indices) is int else None
    left = 0 if p.get("axis") is None else r[0] - 1
    return None if given is None else left + given


_Effect = Callable[[Ranks, Parameters], int | None]

# What becomes of the ranks of operands, and in which functions; a star stands before a sort.
_OF_PARAMETERS: Final[Sequence[tuple[_Effect, str]]] = [
    (lambda _, __: 0, "vdot"),
    (lambda _, __: 1, """
        ravel flatten arange fftfreq rfftfreq hanning hamming blackman bartlett kaiser randperm
        hann_window hamming_window blackman_window bartlett_window kaiser_window flatnonzero
        bincount masked_select extract compress tril_indices[0] triu_indices[0] diag_indices[0]
        union1d roots intersect1d setxor1d setdiff1d histogram[0] histogram[1] histc convolve
        histogram_bin_edges correlate mv addmv polyfit unique_consecutive"""),
    (lambda _, __: 2, """
        eye identity tri outer linalg.outer mm addmm addr diagflat vander argwhere nonzero
        block_diag cartesian_prod"""),
    (lambda _, __: 3, "bmm baddbmm"),
    (_shape, """
        zeros ones empty full rand randn standard_normal random standard_exponential uniform
        normal reshape view expand broadcast_to new_zeros new_ones new_empty new_full randint"""),
    (_einsum, "einsum"),
    (lambda _, p: 1 if p.get("axis") is None else None, "unique"),
]  # fmt: skip
_OF_RANKS: Final[Sequence[tuple[_Effect, str]]] = [
    (lambda r, _: max(r), """
        *elementwise *condition masked_fill broadcast_arrays[0] kron cross linalg.cross cdist
        concat"""),
    (lambda r, _: r[0], """
        *conversion *cast *angle same copy sort argsort msort sort[1] flip fliplr flipud roll rot90
        zeros_like ones_like empty_like full_like rand_like randn_like randint_like transpose triu
        tril matrix_transpose fftshift ifftshift swapaxes moveaxis permute_dims nan_to_num narrow
        contiguous detach pad constant_pad_nd partition argpartition take_along_axis gather isin
        index_select index_fill index_add index_copy index_put scatter scatter_add put digitize
        masked_scatter bucketize unravel_index bernoulli poisson multinomial inv pinv cholesky
        matrix_exp diff unstack cholesky_inverse matrix_power eigh[1] eig[1] qr[0] qr[1] svd[0]
        svd[2] split[0] array_split[0] topk[0] topk[1] cummax[0] cummax[1] cummin[0] cummin[1]
        logcumsumexp interp fill_diagonal renorm"""),
    (lambda r, _: r[0] or None, "*transform ediff1d"),
    (lambda r, _: r[1], "searchsorted expand_as view_as reshape_as solve lstsq[0]"),
    (_reduced, "*reduction norm vector_norm count_nonzero dist"),
    (lambda r, p: r[0] if p.get("keepdims") else max(r[0] - 1, 0),
     "kthvalue[0] kthvalue[1] mode[0] mode[1] trapezoid"),
    (lambda r, p: 1 if r[0] and p.get("axis") is None else r[0] or None, "*cumulative"),
    (lambda r, _: max(*r, 1), "hstack atleast_1d"),
    (lambda r, _: max(*r, 2), "vstack column_stack atleast_2d"),
    (lambda r, _: max(*r, 3), "dstack atleast_3d"),
    (lambda r, _: max(r) + 1, """
        expand_dims stack diag_embed view_as_real linspace logspace geomspace unfold"""),
    (lambda r, _: max(r) - 1, """
        select diagonal linalg.diagonal eigvals eigvalsh svdvals svd[1] eig[0] eigh[0] vecdot
        view_as_complex"""),
    (lambda r, _: r[0] - 2, "det logdet slogdet[0] slogdet[1] matrix_rank cond trace matrix_norm"),
    (lambda r, _: sum(r), "*outer"),
    (lambda r, _: len(r), "meshgrid[0]"),
    (lambda r, _: _contracted(r, 1), "dot inner"),
    (lambda r, p: _contracted(r, n) if type(n := p.get("axis", 2)) is int else None, "tensordot"),
    (_matmul, "matmul"),
    (lambda r, _: {1: 2, 2: 1}.get(r[0]), "diag"),
    (lambda r, p: 1 if p.get("axis") is None else r[0], "append insert delete"),
    (_tile, "tile"),
    (_repeat, "repeat"),
    (_take, "take"),
]  # fmt: skip


def _by_name(table: Sequence[tuple[_Effect, str]]) -> dict[str, _Effect]:
    return {name: effect for effect, names in table for name in names.split()}


_KNOWN: Final = _by_name(_OF_PARAMETERS)
_EFFECTS: Final = _by_name(_OF_RANKS)
