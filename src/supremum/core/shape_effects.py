"""What each function of the catalogue does to shapes, as a table; what is not here is unknown.

A length is known or it is not, and so is the number of dimensions: nothing is guessed, and the
engine asks about an unknown number both ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isnan, prod
from typing import Any, Final

from . import shapes, shapes_linalg
from .errors import plural
from .functions import Function
from .operands import Operand, is_list
from .shapes import UNKNOWN, Shape, ShapeError, as_known, axis_of, broadcast

Shapes = Sequence[Shape]
"""The shapes of operands; those of conditions and masks come last."""

Parameters = Mapping[str, Any]
"""Parameters by name."""

Effect = Callable[[Shapes, Parameters], "Shape | None"]
"""Returns the shape of a result, or None if not even its rank is known."""


def shape_of_result(
    known: Function, operands: Sequence[Operand], parameters: Parameters
) -> Shape | None:
    """Return the shape of what a function gives, or None if not even its rank is known.

    Args:
        known: the function.
        operands: its operands.
        parameters: its parameters, by name.

    Raises:
        ShapeError: if the function does not take these shapes.
    """
    if known.name == "arange":
        return _counted([x.value for x in operands])
    given = _shapes(operands, parameters)
    effect = _OF_PARAMETERS.get(known.name)
    if effect is None:
        if why := _refusal(known, operands, parameters):
            raise ShapeError(why)
        by_sort = _OF_SHAPES.get(f"*{known.category}")
        effect = by_sort if known.category == "condition" else _OF_SHAPES.get(known.name, by_sort)
        if effect is None or not given:
            return None
    try:
        found = effect(given, parameters)
    except (ValueError, IndexError) as error:
        raise ShapeError(str(error).replace("<name>", known.name)) from None
    return None if found is None else as_known(found)


def _shapes(operands: Sequence[Operand], parameters: Parameters) -> list[Shape]:
    """Return the shapes of operands and of masks, or nothing if one is not known."""
    masks = (parameters.get(name) for name in ("condition", "mask"))
    given = [*operands, *(x for x in masks if isinstance(x, Operand))]
    given = [x for x in given if x.form != "dtype"]  # which says nothing of dimensions
    known = [x.shape for x in given if x.shape is not None]
    return known if len(known) == len(given) else []


# The dimensions that functions need at least, by sort or name.
_LEAST: Final = {"linalg": 2, "transform": 1, "matmul": 1, "concat": 1, "mm": 2, "bmm": 3}
_ALONG: Final = ("reduction", "cumulative", "part")


def _refusal(known: Function, operands: Sequence[Operand], parameters: Parameters) -> str:
    """Return why operands have too few dimensions, or not the axis that is asked for, or ``""``."""
    is_of_one = known.category in _LEAST  # the right-hand sides may have fewer
    needed = _LEAST.get(known.category, _LEAST.get(known.name, 0))
    is_flat = known.name == "concat" and parameters.get("axis", 0) is None
    for x in operands[: 1 if is_of_one else None]:
        is_array = x.form in ("array", "scalar") and x.rank is not None
        if is_array and x.rank < needed and not is_flat:  # type: ignore[operator]  # it is no None
            what = plural(needed, "dimension")
            return f"{known.name} takes arrays of {what} or more, and {x.text} has {x.rank}"
    axis = parameters.get("axis")
    rank = operands[0].rank if operands and known.category in _ALONG else None
    axes = axis if isinstance(axis, tuple) else () if axis is None else (axis,)
    if rank is None or all(-max(rank, 1) <= i < max(rank, 1) for i in axes):
        return ""
    wrong = next(i for i in axes if not -max(rank, 1) <= i < max(rank, 1))
    return f"there is no axis {wrong}: {operands[0].text} has {plural(rank, 'dimension')}"


# what parameters say


def _of_shape(_: Shapes, p: Parameters) -> Shape | None:
    wanted = p.get("shape")
    if is_list(wanted):
        return tuple(n if type(n) is int else UNKNOWN for n in wanted)
    return None if wanted is None else (wanted if type(wanted) is int else UNKNOWN,)


def _filled(name: str, s: Shapes, p: Parameters) -> Shape | None:
    found = _of_shape(s, p)
    return None if found is None else shapes.filled(name, found)


def _drawn(s: Shapes, p: Parameters) -> Shape:
    found = _filled("an array", s, p)
    if found is None:
        raise ValueError("<name> without a size is not modelled; write a size, as in (3,)")
    return found


def _chosen(s: Shapes, p: Parameters) -> Shape | None:
    return _of_shape(s, p) if "shape" in p else ()


def _square(_: Shapes, p: Parameters) -> Shape:
    rows = p.get("rows", UNKNOWN)
    columns = rows if p.get("columns") is None else p["columns"]
    return shapes.filled("eye", tuple(n if type(n) is int else UNKNOWN for n in (rows, columns)))


def _counted(values: Sequence[Any]) -> Shape:
    """Return the shape of evenly spaced numbers, by where they start, stop and step."""
    if not values or not all(type(x) in (int, float) for x in values):
        return (UNKNOWN,)
    start, stop, step = (*values, 1)[:3] if len(values) > 1 else (0, values[0], 1)
    return shapes.arange(start, stop, step) if step else (UNKNOWN,)


def _einsum(s: Shapes, p: Parameters) -> Shape | None:
    inputs, arrow, made = str(p.get("pattern")).replace(" ", "").partition("->")
    if "." in inputs + made:
        return None
    count = Counter(inputs.replace(",", ""))
    letters = made if arrow else "".join(sorted(x for x in count if count[x] == 1))
    lengths = {
        letter: n
        for word, shape in zip(inputs.split(","), s, strict=False)
        for letter, n in zip(word, shape, strict=False)
    }
    return tuple(lengths.get(letter, UNKNOWN) for letter in letters)


def _convolved(usual: str, s: Shapes, p: Parameters) -> Shape:
    lengths = sorted(shape[0] if len(shape) == 1 else UNKNOWN for shape in s)
    if len(lengths) != 2 or any(map(isnan, lengths)):
        return (UNKNOWN,)
    short, long = lengths
    made = {"full": long + short - 1, "same": long, "valid": long - short + 1}
    return (made.get(p.get("mode", usual), UNKNOWN),)


def _spaced(s: Shapes, p: Parameters) -> Shape:
    count = p.get("num", UNKNOWN)
    count = count if type(count) is int else UNKNOWN
    return (*shapes.filled("linspace", (count,)), *broadcast(*s))


# what becomes of one shape


def _along(p: Parameters, default: int | None = -1) -> Any:
    return p.get("axis", default)


def _reduced(name: str, s: Shapes, p: Parameters) -> Shape | None:
    axis, keepdims = p.get("axis"), bool(p.get("keepdims"))
    if p.get("keeps_shape"):
        return s[0]
    if axis == ():  # which is all axes to some libraries, and none to others
        return s[0] if keepdims else None
    if not s[0]:
        return ()
    axis = tuple(axis) if isinstance(axis, list) else axis
    return shapes.reduced(name, s[0], axis, keepdims=keepdims)


def _without_axis(s: Shapes, p: Parameters) -> Shape:
    axis = _along(p)
    if not s[0]:
        return ()
    return shapes.reduced("<name>", s[0], -1 if axis is None else axis,
                          keepdims=bool(p.get("keepdims")))  # fmt: skip


def _with_length(shape: Shape, axis: Any, length: float) -> Shape:
    """Return a shape with another length along an axis."""
    if type(axis) is not int:
        return (UNKNOWN,) * len(shape)
    one = axis_of("<name>", axis, len(shape))
    return tuple(length if i == one else n for i, n in enumerate(shape))


def _flat(s: Shapes, _: Parameters) -> Shape:
    return (prod(s[0]),)


def _sorted(s: Shapes, p: Parameters) -> Shape:
    return (prod(s[0]),) if p.get("axis", -1) is None else s[0]


def _accumulated(s: Shapes, p: Parameters) -> Shape | None:
    if not s[0]:
        return None
    if (axis := p.get("axis")) is None:
        return (prod(s[0]) + bool(p.get("include_initial")),)
    return shapes.accumulated("<name>", s[0], axis, include_initial=bool(p.get("include_initial")))


def _differences(s: Shapes, p: Parameters) -> Shape | None:
    times, axis = p.get("n", 1), _along(p)
    if not s[0] or type(times) is not int or type(axis) is not int:
        return s[0] and (UNKNOWN,) * len(s[0])
    n = s[0][axis_of("diff", axis, len(s[0]))] - times
    return _with_length(s[0], axis, n if isnan(n) else max(n, 0))


def _transposed(s: Shapes, p: Parameters) -> Shape:
    if "axis1" in p:
        return _swapped(s, p)
    axes = p.get("axes")
    if axes is None or axes == []:
        return s[0][::-1]
    axes = axes if is_list(axes) else [axes]
    if len(axes) == 1 and is_list(axes[0]):
        axes = axes[0]
    if len(axes) == len(s[0]):
        return shapes.permute_dims(s[0], axes)
    return _swapped(s, {"axis1": axes[0], "axis2": axes[-1]})


def _swapped(s: Shapes, p: Parameters) -> Shape:
    one, other = p.get("axis1"), p.get("axis2")
    if type(one) is not int or type(other) is not int:
        return (UNKNOWN,) * len(s[0])
    order = [*range(len(s[0]))]
    i, j = (axis_of("swapaxes", axis, len(s[0])) for axis in (one, other))
    order[i], order[j] = order[j], order[i]
    return tuple(s[0][axis] for axis in order)


def _moved(s: Shapes, p: Parameters) -> Shape:
    if "destination" not in p:
        return (UNKNOWN,) * len(s[0])
    return shapes.moveaxis(s[0], p["source"], p["destination"])


def _reshaped(s: Shapes, p: Parameters) -> Shape | None:
    wanted = _of_shape(s, p)
    if not s or wanted is None or any(map(isnan, wanted)):
        return None if wanted is None else tuple(UNKNOWN if n == -1 else n for n in wanted)
    return shapes.reshape(s[0], wanted)


def _expanded(s: Shapes, p: Parameters) -> Shape | None:
    wanted = _of_shape(s, p)
    if not s or wanted is None:
        return wanted
    own = (1,) * (len(wanted) - len(s[0])) + tuple(s[0])
    return broadcast(own, tuple(m if n == -1 else n for m, n in zip(own, wanted, strict=False)))


def _flattened(s: Shapes, p: Parameters) -> Shape:
    if "start_dim" not in p and "end_dim" not in p:
        return (prod(s[0]),)
    rank = max(len(s[0]), 1)
    start = axis_of("flatten", p.get("start_dim", 0), rank)
    end = axis_of("flatten", p.get("end_dim", -1), rank)
    return (*s[0][:start], prod(s[0][start : end + 1]), *s[0][end + 1 :])


def _squeezed(s: Shapes, p: Parameters) -> Shape | None:
    axis = p.get("axis")
    if axis is not None:
        axes = tuple(axis) if is_list(axis) else (axis,)
        lengths = [s[0][axis_of("squeeze", one, len(s[0]))] for one in axes]
        return None if any(map(isnan, lengths)) else shapes.reduced("squeeze", s[0], tuple(
            one for one, n in zip(axes, lengths, strict=True) if n == 1))  # fmt: skip
    return None if any(map(isnan, s[0])) else tuple(n for n in s[0] if n != 1)


def _tiled(s: Shapes, p: Parameters) -> Shape | None:
    times = _of_shape(s, p)
    return None if times is None else shapes.tile(s[0], times)  # type: ignore[arg-type]  # as lengths


def _repeated(s: Shapes, p: Parameters) -> Shape | None:
    times, axis = p.get("shape"), p.get("axis")
    is_one = type(times) is int or isinstance(times, Operand) or (
        isinstance(times, list) and len(times) == 1)  # fmt: skip
    if axis is not None:
        return shapes.repeat(s[0], times[0] if isinstance(times, list) else times, axis)
    if is_one and len(s[0]) < 2:
        times = times[0] if isinstance(times, list) else times
        return shapes.repeat((prod(s[0]),), times)
    return None  # as NumPy repeats elements, and PyTorch whole arrays


def _taken(s: Shapes, p: Parameters) -> Shape | None:
    indices = _shape_of(p.get("indices"))
    if indices is None:
        return None
    axis = p.get("axis")
    return indices if axis is None else shapes.take(s[0], indices, axis)


def _shape_of(indices: Any) -> Shape | None:
    """Return the shape of indices, which are an operand, or numbers that are written out."""
    if is_list(indices):
        return (len(indices), *(_shape_of(indices[0]) or () if indices else ()))
    return indices.shape if isinstance(indices, Operand) else () if type(indices) is int else None


def _selected(s: Shapes, p: Parameters) -> Shape:
    indices = _shape_of(p.get("indices"))
    length = indices[0] if indices else UNKNOWN
    return _with_length(s[0], p.get("axis"), length)


def _gathered(s: Shapes, p: Parameters) -> Shape:
    indices = _shape_of(p.get("indices"))
    return (UNKNOWN,) * len(s[0]) if indices is None else indices


def _taken_along(s: Shapes, p: Parameters) -> Shape:
    indices, axis = _shape_of(p.get("indices")), p.get("axis")
    if indices is None or type(axis) is not int or len(indices) != len(s[0]):
        return (UNKNOWN,) * (len(s[0]) if axis is not None else 1)
    return shapes.take_along_axis(s[0], indices, axis)


def _best(s: Shapes, p: Parameters) -> Shape:
    count, axis = p.get("k", UNKNOWN), _along(p)
    return _with_length(s[0], axis, count if type(count) is int else UNKNOWN) if s[0] else ()


def _diagonal(s: Shapes, p: Parameters) -> Shape | None:
    if len(s[0]) < 2:
        return None
    first, last = (s[0][:2], s[0][2:])
    n = UNKNOWN if p else shapes.shortest(*first)
    return (*last, n)


def _diag(s: Shapes, p: Parameters) -> Shape | None:
    if len(s[0]) == 1:
        n = UNKNOWN if p else s[0][0]
        return (n, n)
    return (UNKNOWN if p else shapes.shortest(*s[0]),) if len(s[0]) == 2 else None


def _transformed(name: str, s: Shapes, p: Parameters) -> Shape:
    kind = name.removesuffix("2")
    if name[-1] in "2n":
        axes = p.get("axis") or ((-2, -1) if name[-1] == "2" else None)
        return shapes.transformed(kind, s[0], s=p.get("s"), axes=axes)
    return shapes.transformed(kind, s[0], n=p.get("n"), axis=_along(p))


# what becomes of several shapes


def _stacked(least: int, axis: int, s: Shapes, _: Parameters) -> Shape:
    """Return the shape of arrays side by side, each of some dimensions at least."""
    grown = [_at_least(least, shape) for shape in s]
    is_row = least == 1 and len(grown[0]) == 1
    return shapes.concat(grown, 0 if is_row else axis)


def _at_least(least: int, shape: Shape) -> Shape:
    """Return a shape of one, two or three dimensions at least, as NumPy makes them."""
    if least == 3 and len(shape) in (1, 2):
        return (*(shape if len(shape) == 2 else (1, *shape)), 1)
    return (*(1,) * (least - len(shape)), *shape)


def _columns(s: Shapes, _: Parameters) -> Shape:
    return shapes.concat([(*shape, *(1,) * (2 - len(shape))) for shape in s], 1)


def _appended(s: Shapes, p: Parameters) -> Shape:
    if (axis := p.get("axis")) is None:
        return (sum(map(prod, s)),) if len(s) > 1 else (UNKNOWN,)
    return shapes.concat(s, axis) if len(s) > 1 else _with_length(s[0], axis, UNKNOWN)


def _dot(s: Shapes, _: Parameters) -> Shape:
    x, y = s[0], s[-1]
    if not (x and y):
        return (*x, *y)
    shapes.check_same("dot", x, y, x[-1], y[-2] if len(y) > 1 else y[-1])
    return (*x[:-1], *y[:-2], *(y[-1:] if len(y) > 1 else ()))


def _inner(s: Shapes, _: Parameters) -> Shape:
    x, y = s[0], s[-1]
    if not (x and y):
        return (*x, *y)
    shapes.check_same("inner", x, y, x[-1], y[-1])
    return (*x[:-1], *y[:-1])


def _vdot(s: Shapes, _: Parameters) -> Shape:
    shapes.check_same("vdot", s[0], s[-1], prod(s[0]), prod(s[-1]))
    return ()


def _tensordot(s: Shapes, p: Parameters) -> Shape:
    return shapes.tensordot(s[0], s[1], p.get("axis", 2))


def _matvec(s: Shapes, _: Parameters) -> Shape:
    return shapes.matmul(s[0], (*s[1], 1))[:-1]


def _vecmat(s: Shapes, _: Parameters) -> Shape:
    found = shapes.matmul((*s[0][:-1], 1, s[0][-1]), s[1])
    return (*found[:-2], found[-1])


def _kron(s: Shapes, _: Parameters) -> Shape:
    rank = max(map(len, s))
    x, y = ((1,) * (rank - len(shape)) + tuple(shape) for shape in s)
    return tuple(m * n for m, n in zip(x, y, strict=True))


def _crossed(s: Shapes, p: Parameters) -> Shape | None:
    axis = _along(p)
    if not all(s) or any(shape[axis_of("cross", axis, len(shape))] == 2 for shape in s):
        return None
    return shapes_linalg.cross(s[0], s[1], axis)


def _meshed(s: Shapes, p: Parameters) -> Shape:
    lengths = [prod(shape) for shape in s]
    if p.get("indexing") == "xy" and len(lengths) > 1:
        lengths[:2] = lengths[1::-1]
    return tuple(lengths) if "indexing" in p else (UNKNOWN,) * len(s)


def _lost(s: Shapes, p: Parameters) -> Shape:
    """Return the shape of a loss, which is the mean of all elements unless it is not reduced."""
    return s[0] if p.get("reduction", "mean") == "none" else ()


def _lost_of_both(s: Shapes, p: Parameters) -> Shape:
    """Return the shape of a loss whose operands broadcast."""
    return _lost((broadcast(*s),), p)


def _lost_of_alike(s: Shapes, p: Parameters) -> Shape:
    """Return the shape of a loss whose operands do not broadcast."""
    x, y = s[0], s[1]
    lengths = zip(x, y, strict=True) if len(x) == len(y) else [(len(x), len(y))]
    for m, n in lengths:
        shapes.check_same("binary_cross_entropy", x, y, m, n)
    return _lost(s, p)


def _distance(s: Shapes, p: Parameters) -> Shape:
    """Return the shape of distances of vectors, which are along the last axis."""
    keepdims = bool(p.get("keepdims"))
    return shapes.reduced("pairwise_distance", broadcast(*s), -1, keepdims=keepdims)


def _similarity(s: Shapes, p: Parameters) -> Shape:
    """Return the shape of similarities of vectors, which are along the second axis."""
    return shapes.reduced("cosine_similarity", broadcast(*s), p.get("axis", 1))


def _lost_of_classes(_: Shapes, p: Parameters) -> Shape | None:
    """Return the shape of a loss whose target has fewer dimensions, which are not known here."""
    return None if p.get("reduction") == "none" else ()


def _norm_of_matrices(s: Shapes, p: Parameters) -> Shape:
    return shapes_linalg.matrix_norm(s[0], keepdims=bool(p.get("keepdims")))


def _svd(place: int) -> Effect:
    def svd(s: Shapes, p: Parameters) -> Shape:
        return shapes_linalg.svd(s[0], full_matrices=p.get("full_matrices", True))[place]

    return svd


def _qr(place: int) -> Effect:
    return lambda s, p: shapes_linalg.qr(s[0], p.get("mode", "reduced"))[place]


def _matrix(name: str, last: int | None = None) -> Effect:
    """Return the effect of a function of square matrices, which keeps some of the dimensions."""
    return lambda s, _: shapes_linalg.square(name, s[0])[:last]


def _one(change: Callable[[Shape], Shape]) -> Effect:
    return lambda s, _: change(s[0])


def _same_rank(s: Shapes, _: Parameters) -> Shape:
    return (UNKNOWN,) * len(s[0])


# What becomes of parameters alone, and in which functions.
_BY_PARAMETERS: Final[Sequence[tuple[Effect, str]]] = [
    (lambda _, __: (UNKNOWN,), """
        fftfreq rfftfreq hanning hamming blackman bartlett kaiser randperm hann_window
        hamming_window blackman_window bartlett_window kaiser_window flatnonzero bincount
        masked_select extract compress tril_indices[0] triu_indices[0] diag_indices[0] union1d roots
        intersect1d setxor1d setdiff1d histogram[0] histogram[1] histc histogram_bin_edges
        polyfit unique_consecutive unique_all[0] unique_all[1] unique_all[3]
        unique_counts[0] unique_counts[1] unique_inverse[0] polyadd polysub polymul trim_zeros
        polydiv[0] polydiv[1] poly polyder polyint"""),
    (_square, "eye identity tri"),
    (partial(_filled, "an array"), """
        zeros ones empty full new_zeros new_ones new_empty new_full"""),
    (_drawn, """
        rand randn standard_normal random standard_exponential uniform normal randint integers
        exponential laplace gumbel logistic lognormal rayleigh random.poisson
        standard_gamma"""),
    (_chosen, "choice"),
    (_reshaped, "reshape view resize"),
    (_expanded, "expand"),
    (lambda s, p: broadcast(*s[:1], _of_shape(s, p) or ()) if "shape" in p else None,
     "broadcast_to"),
    (lambda s, p: (UNKNOWN,) if p.get("axis") is None else (s and _same_rank(s, p)) or None,
     "unique"),
    (_einsum, "einsum"),
    (partial(_convolved, "full"), "convolve"),
    (partial(_convolved, "valid"), "correlate"),
]  # fmt: skip
# What becomes of the shapes of operands, and in which functions; a star stands before a sort.
_BY_SHAPES: Final[Sequence[tuple[Effect, str]]] = [
    (lambda s, _: broadcast(*s), """
        *elementwise *condition masked_fill broadcast_arrays[0] binomial"""),
    (lambda s, _: s[0], """
        *conversion *cast *angle *store same copy msort sort[1] fliplr flipud zeros_like ones_like
        empty_like full_like rand_like randn_like randint_like nan_to_num contiguous detach
        index_fill index_add index_copy index_put scatter scatter_add put digitize masked_scatter
        bucketize bernoulli poisson interp fill_diagonal renorm fill unwrap cummax[0] cummax[1]
        cummin[0] cummin[1] logcumsumexp isin gradient index_reduce scatter_reduce
        diagonal_scatter select_scatter slice_scatter layer_norm rms_norm group_norm batch_norm
        instance_norm prelu unique_all[2] unique_inverse[1] argpartition partition
        new_empty_strided sort_complex place put_along_axis sort_values sort_index
        persist rechunk shift rolling_mean rolling_sum rolling_std rolling_var rolling_max
        rolling_min fillna pct_change duplicated is_unique is_first_distinct between rank"""),
    (lambda s, p: shapes.moved("<name>", s[0], p.get("axis")), "flip roll fftshift ifftshift"),
    (lambda s, _: shapes_linalg.matrices("<name>", s[0]), "triu tril"),
    (_sorted, "sort argsort"),
    (_same_rank, """
        rot90 narrow narrow_copy pad constant_pad_nd multinomial split[0] array_split[0] hsplit[0]
        vsplit[0] dsplit[0] head tail dropna drop_duplicates
        nlargest nsmallest conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d
        avg_pool1d adaptive_avg_pool1d max_pool1d max_pool2d max_pool3d rollaxis lstsq[0]
        cholesky_solve"""),
    (lambda s, _: s[0] or (UNKNOWN,), "permutation"),
    (lambda s, _: (UNKNOWN, *s[0]), "unravel_index"),  # a tuple, as an array
    (_flat, "ravel"),
    (_flattened, "flatten"),
    (_transposed, "transpose permute_dims"),
    (_swapped, "swapaxes"),
    (_moved, "moveaxis"),
    (_one(shapes.matrix_transpose), "matrix_transpose"),
    (_differences, "diff"),
    (lambda s, _: (prod(s[0]) - 1,) if prod(s[0]) else None, "ediff1d"),
    (_taken_along, "take_along_axis"),
    (_gathered, "gather"),
    (_selected, "index_select"),
    (_taken, "take"),
    (lambda s, _: s[1], "searchsorted expand_as view_as reshape_as polyval new_tensor"),
    (lambda s, _: shapes_linalg.solve(s[0], s[1]), "solve"),
    (_without_axis, "kthvalue[0] kthvalue[1] mode[0] mode[1] trapezoid"),
    (lambda s, p: shapes.moveaxis(s[0], p.get("axis", 0), 0), "unstack"),  # a list, as an array
    (lambda s, p: _with_length(s[0], _along(p), UNKNOWN), "cumulative_trapezoid"),
    (_accumulated, "*cumulative"),
    (partial(_stacked, 1, 1), "hstack"),
    (partial(_stacked, 2, 0), "vstack"),
    (partial(_stacked, 3, 2), "dstack"),
    (_columns, "column_stack"),
    (lambda s, _: _at_least(1, s[0]), "ascontiguousarray asfortranarray"),
    *((lambda s, _, n=n: _at_least(n, s[0]), f"atleast_{n}d") for n in (1, 2, 3)),
    (lambda s, p: shapes.concat(s, p.get("axis", 0)), "concat"),
    (lambda s, p: shapes.stack(s, p.get("axis", 0)), "stack"),
    (lambda s, p: shapes.expand_dims(s[0], p.get("axis", 0)), "expand_dims"),
    (lambda s, _: (*s[0], *s[0][-1:]), "diag_embed"),
    (lambda s, _: (*s[0], 2), "view_as_real"),
    (_spaced, "linspace logspace geomspace"),
    (lambda s, _: (UNKNOWN,) * (len(s[0]) + 1), "unfold"),
    (lambda s, _: s[0][1:], "select"),
    (lambda s, _: s[0][:-1], "view_as_complex"),
    (_diagonal, "diagonal"),
    (lambda s, p: (*s[0][:-2], UNKNOWN) if p else shapes_linalg.diagonal(s[0]), "linalg.diagonal"),
    (_diag, "diag"),
    (lambda s, _: (prod(s[0]),) * 2, "diagflat"),
    (lambda s, _: (UNKNOWN, len(s[0])), "argwhere nonzero"),
    (lambda s, _: (UNKNOWN, len(s)), "cartesian_prod"),
    (lambda s, _: (sum(x[-2] if len(x) > 1 else 1 for x in s), sum(x[-1] if x else 1 for x in s)),
     "block_diag"),
    (lambda s, _: (prod(s[0]), UNKNOWN), "vander"),
    (_norm_of_matrices, "matrix_norm"),
    (lambda s, _: shapes_linalg.matrices("<name>", s[0])[:-2], "trace cond matrix_rank"),
    (_matrix("det", -2), "det logdet slogdet[0] slogdet[1]"),
    (_matrix("<name>"), """
        inv cholesky matrix_exp cholesky_inverse matrix_power eigh[1] eig[1] inv_ex[0]"""),
    (_matrix("<name>", -1), "eigvals eigvalsh eigh[0] eig[0]"),
    (_one(lambda s: shapes.matrix_transpose(shapes_linalg.matrices("pinv", s))), "pinv"),
    (_one(lambda s: (*s[:-2], shapes.shortest(*shapes_linalg.matrices("svdvals", s)[-2:]))),
     "svdvals"),
    *((_svd(i), f"svd[{i}]") for i in range(3)),
    *((_qr(i), f"qr[{i}]") for i in range(2)),
    (_best, "topk[0] topk[1]"),
    (lambda s, _: tuple(n for shape in s for n in shape), "*outer"),
    (lambda s, _: (prod(s[0]), prod(s[-1])), "outer addr"),
    (lambda s, _: shapes_linalg.outer(s[0], s[-1]), "linalg.outer"),
    (_meshed, "meshgrid[0]"),
    (_dot, "dot"),
    (_inner, "inner"),
    (_vdot, "vdot"),
    (_tensordot, "tensordot"),
    (lambda s, _: shapes.matmul(s[0], s[1]), "matmul mm bmm mv"),
    (lambda s, _: broadcast(s[0], shapes.matmul(s[1], s[2])), "addmm addmv baddbmm"),
    (_matvec, "matvec"),
    (_vecmat, "vecmat"),
    (lambda s, p: shapes.vecdot(s[0], s[1], _along(p)), "vecdot"),
    (lambda s, _: (*s[0][:-1], s[1][-2]), "cdist"),
    (_kron, "kron"),
    (_crossed, "cross linalg.cross"),
    (_appended, "append insert delete"),
    (_tiled, "tile"),
    (_repeated, "repeat"),
    (_squeezed, "squeeze"),
    (lambda s, _: () if len(s[0]) < 2 else (s[0][0],) * 2, "cov corrcoef"),
    (_distance, "pairwise_distance"),
    (_similarity, "cosine_similarity"),
    (_lost_of_both, "mse_loss l1_loss smooth_l1_loss huber_loss kl_div hinge_embedding_loss"),
    (_lost_of_alike, "binary_cross_entropy binary_cross_entropy_with_logits"),
    (_lost_of_classes, "cross_entropy nll_loss multi_margin_loss multilabel_soft_margin_loss"),
    (_lost, "poisson_nll_loss margin_ranking_loss triplet_margin_loss cosine_embedding_loss"),
    (_lost, "ctc_loss"),
]  # fmt: skip
_REDUCTIONS: Final = """
    sum prod mean max min std var argmax argmin all any nansum nanprod median average nanmean
    nanmedian logsumexp quantile nanquantile percentile nanpercentile ptp nanmax nanmin nanstd
    nanvar nanargmax nanargmin first last skew kurtosis sem nunique null_count count norm
    vector_norm count_nonzero dist norm_max norm_sum
"""
_TRANSFORMS: Final = """
    fft rfft irfft ifft fft2 ifft2 fftn ifftn ihfft rfft2 rfftn ihfft2 ihfftn hfft irfft2 irfftn
    hfft2 hfftn
"""


def _by_name(table: Sequence[tuple[Effect, str]]) -> dict[str, Effect]:
    return {name: effect for effect, names in table for name in names.split()}


_OF_PARAMETERS: Final[Mapping[str, Effect]] = _by_name(_BY_PARAMETERS)
_OF_SHAPES: Final[Mapping[str, Effect]] = {
    "*reduction": partial(_reduced, "<name>"),
    **{name: partial(_reduced, name) for name in _REDUCTIONS.split()},
    **{name: partial(_transformed, name) for name in _TRANSFORMS.split()},
    **_by_name(_BY_SHAPES),
}
