"""What a call costs that was seen before: ours over the best NumPy by hand, with their limits.

One thread, under JAX's rules on NumPy; array-api-strict, which casts by hand, is beside it. Times
are medians over rounds, as in `arrays`; memory is the most bytes that a call allocates, ours over
NumPy's. Below, in microseconds: what a call of eight elements costs more on the torch and jax
backends, by their own rules, than an eager call of the library. Then each function of the
namespace, and each operator and sort of index, on eight elements over the same in NumPy: those over
their limit, as the least of several rounds. It never fails.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("JAX_ENABLE_X64", "1")

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from timeit import Timer
from typing import Any, NamedTuple

import numpy as np
from arrays import F32, measured, peak, ratio

import supremum

SIZES = (8, 10_000, 4_000_000)
MOST: Mapping[int, float] = {10_000: 1.5, 4_000_000: 1.05}
MEMORY = 1.05
FEW = np.zeros(SIZES[0])
EAGER = 3.0  # microseconds over an eager call

Program = Callable[[Any, Any, Any, Any, Any], Any]


def pipeline(xp: Any, f: Any, x: Any, y: Any, _: Any) -> Any:
    """Return the result of ten operations."""
    z = f(x) * y + y
    z = z - xp.mean(z)
    z = xp.exp(-z * z)
    z = xp.where(z > 0.5, z, y)
    return xp.sum(z * y) / xp.max(z)


def named(np_: Any, f: Any, x: Any, y: Any, _: Any) -> Any:
    """Return what `pipeline` does; a result with a name is not written into by NumPy."""
    cast = f(x)
    cast *= y
    z = cast + y
    mean = np_.mean(z)
    z = z - mean
    minus = -z
    squared = minus * z
    z = np_.exp(squared)
    above = z > 0.5
    z = np_.where(above, z, y)
    product = z * y
    return np_.sum(product) / np_.max(z)


def in_place(_: Any, __: Any, x: Any, y: Any, ___: Any) -> Any:
    """Add to the second operand, which stays finite for as long as it is measured."""
    y += x
    return y


def store(_: Any, __: Any, ___: Any, y: Any, ____: Any) -> Any:
    """Store one element; JAX has a function for it, which returns another array."""
    if hasattr(y, "at"):
        return y.at[0].set(1.0)
    y[0] = 1.0
    return y


class Row(NamedTuple):
    """A program, and the limit of its ratio for eight elements.

    Attributes:
        what: its text.
        limit: the limit.
        run: it takes a namespace, a cast to float32, an int32 array, a float32 array, and a mask.
        calls: how many calls of the library it makes.
        sizes: how many elements it is measured with.
        is_constant: whether it takes as long for any size, so that the limit holds for all.
    """

    what: str
    limit: float
    run: Program
    calls: int = 1
    sizes: tuple[int, ...] = SIZES
    is_constant: bool = False


ROWS = (
    Row("int32 + float32", 3.0, lambda _, f, x, y, __: f(x) + y),
    Row("sum", 3.0, lambda xp, _, __, y, ___: xp.sum(y)),
    Row("where", 4.0, lambda xp, f, x, y, c: xp.where(c, f(x), y)),
    Row("concat", 5.0, lambda xp, f, x, y, _: xp.concat([f(x), y])),
    Row("y[indices]", 3.0, lambda _, __, x, y, ___: y[x]),
    Row("y[i:j]", 5.0, lambda _, __, ___, y, ____: y[2:5], is_constant=True),
    Row("y[0] = 1.0", 4.0, store, is_constant=True),
    Row("ten operations", 4.0, pipeline, 12),
    Row("y += x", 3.0, in_place),
    Row("asarray(np)", 5.0, lambda xp, *_: xp.asarray(FEW), sizes=SIZES[:1]),
    Row("zeros", 5.0, lambda xp, *_: xp.zeros(SIZES[0]), sizes=SIZES[:1]),
)


def sides() -> dict[str, tuple[Any, Callable[[Any], Any], Callable[[Any], Any]]]:
    """Return each library's namespace, its cast to float32, and how it takes arrays of NumPy."""
    ours = supremum.namespace("jax", backend="numpy")
    found = {
        "by hand": (np, lambda x: x.astype(F32), np.array),
        "ours": (ours, lambda x: x, partial(ours.asarray, copy=True)),
    }
    if find_spec("array_api_strict"):
        import array_api_strict as strict

        found["strict"] = (
            strict,
            lambda x: strict.astype(x, strict.float32),
            lambda x: strict.asarray(np.array(x)),
        )
    return found


def calls(row: Row, size: int) -> dict[str, Callable[[], Any]]:
    """Return a program on the arrays of each library."""
    made = {}
    for name, (xp, cast, taken) in sides().items():
        x, y = np.arange(size, dtype=np.int32) % 8, np.full(size, 1e-3, F32)
        given = [taken(x), taken(y), taken(x > 3)]
        call = partial(row.run, xp, cast, *given)
        try:
            call()
        except (TypeError, ValueError, IndexError):  # array-api-strict has no y[indices] of several
            continue
        made[name] = call
    return made


def eager(row: Row, name: str) -> dict[str, Callable[[], Any]]:
    """Return a program on arrays of a library, and on ours by its rules on its backend."""
    ours = supremum.namespace(name, backend=name)
    x, y = np.arange(SIZES[0], dtype=np.int32), np.full(SIZES[0], 1e-3, F32)
    given = [ours.asarray(v) for v in (x, y, x > 3)]
    own = [ours.asarray(v, copy=True).native for v in (x, y, x > 3)]
    library: Any = import_module("torch" if name == "torch" else "jax.numpy")
    sides = {"eager": (library, own), "ours": (ours, given)}
    return {side: partial(row.run, xp, lambda v: v, *of) for side, (xp, of) in sides.items()}


def without_elision() -> None:
    """Print what the ten operations take in NumPy if it cannot write into its temporary results.

    NumPy does so if nothing else refers to one, which a class in Python cannot know.
    """
    size = SIZES[-1]
    x, y = np.arange(size, dtype=np.int32) % 8, np.full(size, 1e-3, F32)
    given = (np, lambda x: x.astype(F32), x, y, x > 3)
    taken = measured({"by hand": partial(pipeline, *given), "named": partial(named, *given)}, 15)
    found = ratio(taken, "named", "by hand")
    print(f"{'  in NumPy, named':<18}{size:>10,}{found:>8.2f}  each result has a name")


def over_eager() -> None:
    """Print what calls cost more than eager ones."""
    print(f"\n{'':<18}{'backend':>10}{'eager':>8}{'ours':>8}{'more':>8}{'limit':>7}  us")
    for name in filter(find_spec, ("torch", "jax")):
        for row in ROWS:
            taken = measured(eager(row, name), 41)
            times = {side: 1e6 * median(found) for side, found in taken.items()}
            more = 1e6 * median(o - e for o, e in zip(taken["ours"], taken["eager"], strict=True))
            most = EAGER * row.calls
            both = "".join(f"{times[side]:>8.1f}" for side in ("eager", "ours"))
            told = "ok" if more <= most else "OVER"
            print(f"{row.what:<18}{name:>10}{both}{more:>8.1f}{most:>7.0f}  {told}")


# Calls that NumPy's own namespace takes as well, by their operands, and how else some are called.
FUNCTIONS: Mapping[str, str] = {
    "x": "abs acos all any argmax argmin argsort asarray asin asinh atan atanh ceil conj cos cosh "
    "count_nonzero cumulative_prod cumulative_sum diff empty_like exp expm1 flip floor imag "
    "isfinite isinf isnan log log10 log1p log2 logical_not max mean meshgrid min negative nonzero "
    "ones_like positive prod real reciprocal round sign signbit sin sinh sort sqrt square std sum "
    "tan tanh trunc unique_all unique_counts unique_inverse unique_values unstack var zeros_like "
    "linalg.vector_norm fft.fft fft.ifft fft.rfft fft.irfft fft.hfft fft.ihfft fft.fftn fft.ifftn "
    "fft.rfftn fft.irfftn fft.fftshift fft.ifftshift",
    "x + 1.0": "acosh",
    "x, y": "add atan2 broadcast_arrays copysign divide equal floor_divide greater greater_equal "
    "hypot isin less less_equal logaddexp logical_and logical_or logical_xor matmul maximum "
    "minimum multiply nextafter not_equal pow remainder result_type searchsorted subtract vecdot "
    "linalg.outer linalg.vecdot",
    "x, y, axes=1": "tensordot linalg.tensordot",
    "[x, y]": "concat stack",
    "x, 1.0": "full_like maximum pow subtract",
    "x, 0.2, 0.5": "clip",
    "x, 0.2, None": "clip",
    "c, x, y": "where",
    "c, x, 0.0": "where",
    "x, i": "take",
    "x, i, axis=0": "take take_along_axis",
    "x, 2": "repeat roll",
    "x, (2,)": "tile",
    "x, (2, 4)": "reshape",
    "x, (3, 8)": "broadcast_to",
    "x, axis=0": "cumulative_sum expand_dims flip max sum",
    "x, xp.float32": "astype can_cast",
    "x.dtype, 'real floating'": "isdtype",
    "x[None], axis=0": "squeeze",
    "i": "bitwise_invert",
    "i, i": "bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor",
    "m": "matrix_transpose tril triu linalg.cholesky linalg.det linalg.diagonal linalg.eig "
    "linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.matrix_rank "
    "linalg.matrix_transpose linalg.pinv linalg.qr linalg.slogdet linalg.svd linalg.svdvals "
    "linalg.trace",
    "m, m": "linalg.matmul linalg.solve",
    "m, 2": "linalg.matrix_power",
    "m, 0, 1": "moveaxis",
    "m, (1, 0)": "permute_dims",
    "m, axis=0": "mean",
    "m[0], m[1]": "linalg.cross",
    "few": "asarray from_dlpack",
    "few, dtype=xp.float32": "asarray",
    "few, copy=True": "asarray",
    "[1.0, 2.0]": "asarray",
    "8": "arange empty ones zeros fft.fftfreq fft.rfftfreq",
    "8, 1.0": "full",
    "3": "eye",
    "0.0, 1.0, 8": "linspace",
    "(8,), (3, 1)": "broadcast_shapes",
    "xp.float32": "finfo",
    "xp.int32": "iinfo",
}
OTHERS = (
    *("x + y", "x + 1.0", "1.0 - x", "x * y", "x / y", "x // y", "x % y", "x ** y", "x ** 2"),
    *("m @ m", "-x", "+x", "abs(x)", "x == y", "x < 1.0", "i & i", "~i", "i << 1", "divmod(x, y)"),
    *("x[0]", "x[i]", "x[c]", "x[None]", "x[1:3]", "x[...]", "m[0]", "m[0, 0]", "m[:, 0]", "m.T"),
    *("m.mT", "len(x)", "list(x)", "float(x[0])", "1.0 in x", "x[0] = 1.0", "x[i] = 1.0"),
    *("x[i] = y", "x[c] = 1.0", "x[...] = y", "x[1:3] = 1.0", "m[0, 0] = 1.0"),
)
IN_PLACE = ("x += y", "x += 1.0", "x *= y", "i += 1")
FIVE = ("x[i]", "x[c]", "x[None]", "m.T", "x ** 2", "len(x)")


def names(xp: Any, taken: Callable[[Any], Any]) -> dict[str, Any]:
    """Return what the statements stand on, as arrays of a namespace."""
    x, i = np.linspace(0.1, 0.9, SIZES[0]), np.arange(SIZES[0]) % 5
    m = np.array([[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 5.0]])
    made = {"x": x, "y": x / 2, "i": i, "c": i > 2, "m": m}
    return {"xp": xp, "few": FEW, **{name: taken(value) for name, value in made.items()}}


def functions() -> None:
    """Print what functions, operators and indices take over the same in NumPy."""
    ours = supremum.namespace("jax", backend="numpy")
    known = [names(np, np.array), names(ours, partial(ours.asarray, copy=True))]
    statements = {f"xp.{f}({given})": "" for given, of in FUNCTIONS.items() for f in of.split()}
    statements.update(dict.fromkeys(OTHERS, ""))
    statements.update(dict.fromkeys(IN_PLACE, "x, y, i = (xp.asarray(v, copy=True) for v in xyi)"))
    for side in known:
        side["xyi"] = [side[name] for name in "xyi"]
    found = []
    for statement, before in statements.items():
        timers = [Timer(statement, before or "pass", globals=side) for side in known]
        count = max(5, int(2e-4 / (timers[0].timeit(20) / 20)))
        rounds = [[timer.timeit(count) / count for timer in timers] for _ in range(40)]
        theirs, own = (min(column) for column in zip(*rounds, strict=True))
        limit = 5.0 if statement in FIVE else 4.0
        found.append((own / theirs, limit, statement, 1e6 * theirs, 1e6 * own))
    over = [row for row in found if row[0] > row[1]]
    print(f"\n{'8 elements, over NumPy':<40}{'NumPy':>8}{'ours':>8}{'ratio':>8}{'limit':>7}  us")
    for share, limit, statement, theirs, own in sorted(over, reverse=True):
        print(f"{statement:<40}{theirs:>8.2f}{own:>8.2f}{share:>8.2f}{limit:>7.0f}  OVER")
    middle = median(row[0] for row in found)
    print(f"{len(found)} statements, {len(over)} over their limit; the median is {middle:.2f}")


def main() -> None:
    """Print the tables."""
    print(f"{'':<18}{'size':>10}{'ours':>8}{'strict':>8}{'limit':>8}{'memory':>9}{'limit':>7}")
    for size in SIZES:
        for row in (one for one in ROWS if size in one.sizes):
            made = calls(row, size)
            taken = measured(made, 15 if size > 10**6 else 41)
            found = ratio(taken, "ours", "by hand")
            strict = f"{ratio(taken, 'strict', 'by hand'):.2f}" if "strict" in made else "-"
            limit = row.limit if size == SIZES[0] or row.is_constant else MOST[size]
            more, memory = "", 0.0
            if size == SIZES[-1] and (least := peak(made["by hand"])) > size:
                memory = peak(made["ours"]) / least
                more = f"{memory:>9.2f}{MEMORY:>7}"
            told = "ok" if found <= limit and memory <= MEMORY else "OVER"
            print(f"{row.what:<18}{size:>10,}{found:>8.2f}{strict:>8}{limit:>8}{more:<16}  {told}")
    without_elision()
    over_eager()
    functions()


if __name__ == "__main__":
    main()
