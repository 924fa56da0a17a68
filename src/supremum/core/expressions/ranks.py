"""The number of dimensions of what each function gives, as a table; what is not here is unknown.

A rank is known, or it is unknown (None), and the engine asks about unknown ones both ways. It is
never guessed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from ..functions import Function
from ..operands import Operand

_RANKS: Final = """
# as many as the operand that has most of them, conditions and masks among them
widest: *elementwise *condition masked_fill broadcast_arrays[0] kron cross linalg.cross cdist concat
# as many as the first operand
same: *conversion *cast same copy sort argsort msort sort[1] flip fliplr flipud roll rot90 zeros_like
    ones_like empty_like full_like rand_like randn_like randint_like transpose matrix_transpose
    triu tril fftshift ifftshift swapaxes moveaxis permute_dims nan_to_num contiguous detach
    narrow pad constant_pad_nd partition argpartition take_along_axis gather index_select
    index_fill index_add index_copy index_put scatter scatter_add put masked_scatter isin
    digitize bucketize unravel_index bernoulli poisson multinomial inv pinv cholesky matrix_exp
    cholesky_inverse matrix_power eigh[1] eig[1] qr[0] qr[1] svd[0] svd[2] split[0] array_split[0]
    split_with_sizes[0] topk[0] topk[1] aminmax[0] diff unstack ascontiguousarray fill_diagonal
    interp asfortranarray renorm to_numpy from_numpy new_tensor trim_zeros sort_complex
    cummax[0] cummax[1] cummin[0] cummin[1] logcumsumexp softmax log_softmax resize_as
# as many as the first operand, if it has any: what becomes of those without depends on the library
same if any: *transform *angle gradient[0] ediff1d
reduced: *reduction norm vector_norm count_nonzero dist
last: kthvalue[0] kthvalue[1] mode[0] mode[1] trapezoid
as second: searchsorted expand_as view_as reshape_as solve lstsq[0]
cumulative: *cumulative
shape: zeros ones empty full rand randn standard_normal random standard_exponential uniform normal
    reshape view expand broadcast_to new_zeros new_ones new_empty new_full randint
0: vdot equal.all
1: ravel flatten arange fftfreq rfftfreq hanning hamming blackman bartlett kaiser randperm
    hann_window hamming_window blackman_window bartlett_window kaiser_window flatnonzero bincount
    masked_select extract compress tril_indices[0] triu_indices[0] diag_indices[0] union1d
    intersect1d setxor1d setdiff1d histogram[0] histogram[1] histogram_bin_edges histc convolve
    correlate mv addmv polyfit roots unique_consecutive
2: eye identity tri outer linalg.outer mm addmm addr diagflat vander argwhere nonzero
    cartesian_prod block_diag
3: bmm baddbmm
at least 1: hstack atleast_1d
at least 2: vstack column_stack atleast_2d
at least 3: dstack atleast_3d
one more: expand_dims stack diag_embed view_as_real linspace logspace geomspace unfold
one less: select diagonal linalg.diagonal eigvals eigvalsh svdvals svd[1] eig[0] eigh[0]
    view_as_complex
two less: det logdet slogdet[0] slogdet[1] matrix_rank cond trace matrix_norm
outer: *outer
matmul: matmul
inner: dot inner
tensordot: tensordot
einsum: einsum
vecdot: vecdot
diag: diag
squeeze: squeeze
tile: tile
repeat: repeat
flat or along: append insert delete
unique: unique
take: take
meshgrid: meshgrid[0]
cov: cov corrcoef
"""


class Shapes(NamedTuple):
    """What decides about the rank of a result.

    Attributes:
        operands: the operands.
        parameters: the parameters, by name.
        ranks: the ranks of the operands, and of conditions and masks.
    """

    operands: Sequence[Operand]
    parameters: Mapping[str, Any]
    ranks: Sequence[int | None]

    @property
    def first(self) -> int | None:
        """The rank of the first operand."""
        return self.ranks[0] if self.ranks else None

    @property
    def widest(self) -> int | None:
        """The greatest rank."""
        known = [r for r in self.ranks if r is not None]
        return max(known) if known and len(known) == len(self.ranks) else None

    @property
    def axes(self) -> tuple[int, ...] | None:
        """The axes that the call names, or None for none; `()` has no meaning of its own here."""
        found = self.parameters.get("axis")
        return (found,) if type(found) is int else found

    @property
    def sizes(self) -> int | None:
        """How many sizes a shape has that is written out."""
        shape = self.parameters.get("shape")
        return len(shape) if isinstance(shape, (tuple, list)) else 1 if shape is not None else None


def rank(known: Function, x: Shapes) -> int | None:
    """Return the number of dimensions of a result, or None if it is not known.

    Args:
        known: the function.
        x: what it is given.
    """
    effect = _EFFECTS.get(known.name) or _EFFECTS.get(f"*{known.sort}")
    if effect is None:
        return None
    found = effect(x)
    return found if found is None or found >= 0 else None


def of_operands(operands: Sequence[Operand], parameters: Mapping[str, Any]) -> Shapes:
    """Return what decides about a rank; a dtype has none, and says nothing."""
    masks = [parameters.get(name) for name in ("condition", "mask")]
    given = [*operands, *(x for x in masks if isinstance(x, Operand))]
    ranks = [x.rank for x in given if x.form != "dtype"]
    return Shapes(operands, parameters, ranks)


def of_item(x: Operand, parts: Sequence[Any]) -> int | None:
    """Return the rank of an item, or None if it is not known.

    Slices, None and an ellipsis take their usual part. A number, or an array of them, stands for
    one axis, and a mask for as many as it has; together they make the axes of the widest of them.

    Args:
        x: the array.
        parts: the parts of the index: operands, or lists of numbers, beside those three.
    """
    arrays = [_place(p) for p in parts if not isinstance(p, slice) and p not in (None, ...)]
    added = sum(p is None for p in parts)
    if x.rank is None or None in arrays:
        return None
    places = [place for place in arrays if place is not None]
    taken = sum(count for count, _ in places) + sum(isinstance(p, slice) for p in parts)
    if taken > x.rank:
        return -1
    made = max((made for _, made in places), default=0)
    return x.rank - sum(count for count, _ in places) + made + added


def _place(part: Any) -> tuple[int, int] | None:
    """Return how many axes a part of an index stands for, and how many it makes, if known."""
    depth, inner = 0, part
    while type(inner) in (list, tuple):
        depth, inner = depth + 1, inner[0] if inner else 0
    if not isinstance(inner, Operand):
        return 1, depth
    if inner.rank is None:
        return None
    depth += inner.rank
    return (depth, 1) if inner.dtype.kind == "bool" else (1, depth)


# what becomes of ranks


def _reduced(x: Shapes) -> int | None:
    """Return what is left without some axes, or without any if none are named."""
    if x.first is None or x.parameters.get("keepdims"):
        return x.first
    if x.axes == ():  # all of them to some libraries, and none to others
        return None
    return 0 if x.axes is None else max(x.first - len(x.axes), 0)


def _last(x: Shapes) -> int | None:
    """Return what is left without one axis."""
    is_kept = x.first is None or x.parameters.get("keepdims")
    return x.first if is_kept else max((x.first or 0) - 1, 0)


def _cumulative(x: Shapes) -> int | None:
    """Return as many; all is one where no axis is named, and nothing is known without any."""
    if not x.first:
        return None
    return 1 if x.axes is None else x.first


def _shape(x: Shapes) -> int | None:
    return x.sizes


def _matmul(x: Shapes) -> int | None:
    if x.widest is None:
        return None
    a, b = x.ranks[0] or 0, x.ranks[-1] or 0
    return max(a, b) - (a == 1) - (b == 1) if max(a, b) > 1 else 0


def _less(x: Shapes, count: int, place: int = 0) -> int | None:
    found = x.ranks[place] if len(x.ranks) > place else None
    return None if found is None else found - count


def _sum(x: Shapes, contracted: int) -> int | None:
    if x.widest is None:
        return None
    ranks = [r or 0 for r in x.ranks]
    return sum(ranks) - (contracted if 0 not in ranks else 0)


def _tensordot(x: Shapes) -> int | None:
    count = x.parameters.get("axis", 2)
    return _sum(x, 2 * count) if type(count) is int else None


def _einsum(x: Shapes) -> int | None:
    pattern = x.parameters.get("pattern")
    inputs, arrow, made = str(pattern).replace(" ", "").partition("->")
    if "." in inputs or not isinstance(pattern, str):
        return None
    return len(made) if arrow else sum(inputs.count(letter) == 1 for letter in {*inputs} - {","})


def _diag(x: Shapes) -> int | None:
    return {1: 2, 2: 1}.get(x.first or 0)


def _squeeze(x: Shapes) -> int | None:
    """Return what is left without axes of size 1, as far as an operand has its sizes written."""
    text = x.operands[0].text.rpartition("[")[2].removesuffix("]").split(",")
    if not x.first or len(text) != x.first or not all(s.strip().isdigit() for s in text):
        return None if x.first else 0
    sizes = [int(size) for size in text]
    axes = range(x.first) if x.axes is None else x.axes
    return x.first - sum(sizes[axis] == 1 for axis in {axis % x.first for axis in axes})


def _tile(x: Shapes) -> int | None:
    return None if x.sizes is None or x.first is None else max(x.first, x.sizes)


def _repeat(x: Shapes) -> int | None:
    if x.axes is not None:
        return x.first
    return 1 if x.first in (0, 1) and x.sizes == 1 else None


def _flat_or_along(x: Shapes) -> int | None:
    return 1 if x.axes is None else x.first


def _unique(x: Shapes) -> int | None:
    return 1 if x.axes is None else None


def _take(x: Shapes) -> int | None:
    indices = x.parameters.get("indices")
    made = indices.rank if isinstance(indices, Operand) else 0 if type(indices) is int else None
    if made is None or x.first is None:
        return None
    return made if x.axes is None else x.first - 1 + made


def _at_least(count: int) -> Callable[[Shapes], int | None]:
    return lambda x: None if x.widest is None else max(x.widest, count)


def _constant(count: int) -> Callable[[Shapes], int | None]:
    return lambda _: count


_NAMED: Final[Mapping[str, Callable[[Shapes], int | None]]] = {
    "widest": lambda x: x.widest, "same": lambda x: x.first, "reduced": _reduced, "last": _last,
    "same if any": lambda x: x.first or None, "cumulative": _cumulative, "shape": _shape,
    "as second": lambda x: _less(x, 0, place=1), "matmul": _matmul, "einsum": _einsum,
    "one more": lambda x: None if x.widest is None else x.widest + 1, "diag": _diag,
    "one less": lambda x: _less(x, 1), "two less": lambda x: _less(x, 2), "tile": _tile,
    "outer": lambda x: _sum(x, 0), "inner": lambda x: _sum(x, 2), "tensordot": _tensordot,
    "vecdot": lambda x: None if x.widest is None else x.widest - 1, "squeeze": _squeeze,
    "repeat": _repeat, "flat or along": _flat_or_along, "unique": _unique, "take": _take,
    "meshgrid": lambda x: len(x.operands), "cov": lambda x: {1: 0, 2: 2}.get(x.first or 0),
    **{str(count): _constant(count) for count in range(4)},
    **{f"at least {count}": _at_least(count) for count in range(1, 4)},
}  # fmt: skip


def _read() -> dict[str, Callable[[Shapes], int | None]]:
    found, effect = {}, ""
    for line in _RANKS.strip().splitlines():
        if not line.startswith("#"):
            head, colon, names = line.partition(": ")
            effect, names = (head, names) if colon else (effect, line)
            found.update(dict.fromkeys(names.split(), _NAMED[effect]))
    return found


_EFFECTS: Final = _read()
