"""How fast promotion, import and lattices are: ratios to what does the same, with their limits.

Each ratio is a median over rounds. A round times every row, both sides one after the other: so a
slow moment of the machine slows both, and a slow minute touches every row. Rows on promotion come
in both styles of call: with the function bound to a name, ``f(a, b)``, and with the attribute
access that users write, ``np.f(a, b)``. It never fails.
"""

import functools
import os
import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Iterator, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import supremum
from supremum.custom import Lattice

try:
    import jax
except ImportError:
    jax = None
try:
    import torch
except ImportError:
    torch = None

ROUNDS = 41
SECONDS = 0.002  # that one side of one round takes
PAIRS = [
    ("int32", "float32"),
    ("uint8", "int8"),
    ("float16", "float64"),
    ("int64", "complex64"),
]
FIVE = ("int8", "uint16", "int32", "float16", "float32")

CACHED = SimpleNamespace(
    __name__="lru_cache",
    promote_types=functools.lru_cache(maxsize=None, typed=True)(np.promote_types),
)

Case = tuple[Any, ...]
"""The operands of one call."""


class Row(NamedTuple):
    """One measurement: what, against what, their ratio and its limit; None if not measured."""

    what: str
    against: str
    ratio: float | None
    limit: float

    def __str__(self) -> str:
        ratio = "-" if self.ratio is None else f"{self.ratio:.3f}"
        verdict = "" if self.ratio is None else "ok" if self.ratio <= self.limit else "OVER"
        return f"{self.what:<58}{self.against:<22}{ratio:>8}{self.limit:>8}  {verdict}".rstrip()


class Comparison(NamedTuple):
    """Two timers that are to be compared, and what `Row` says of them."""

    what: str
    against: str
    ours: timeit.Timer
    theirs: timeit.Timer
    limit: float


def timer(owner: Any, function: str, cases: Sequence[Case], *, bound: bool, more: str = "") -> Any:
    """Return a timer of one call for each case, written out so that no loop is timed."""
    values = {f"x{i}_{j}": x for i, case in enumerate(cases) for j, x in enumerate(case)}
    call = "f" if bound else f"owner.{function}"
    calls = [
        f"{call}({', '.join(f'x{i}_{j}' for j in range(len(case)))}{more})"
        for i, case in enumerate(cases)
    ]
    names = {"f": getattr(owner, function), "owner": owner, **values}
    return timeit.Timer("; ".join(calls), globals=names)


def loops(side: timeit.Timer) -> int:
    """Return how often to run this side in one round."""
    side.timeit(20)  # fills whatever caches there are
    return max(1, int(SECONDS / (min(side.repeat(5, 20)) / 20)))


def measured(comparisons: Sequence[Comparison]) -> list[Row]:
    """Return the ratio of ours to theirs for each, a median over rounds."""
    counts = [(loops(c.ours), loops(c.theirs)) for c in comparisons]
    ratios: list[list[float]] = [[] for _ in comparisons]
    for _ in range(ROUNDS):
        for c, (n, m), found in zip(comparisons, counts, ratios, strict=True):
            found.append((c.ours.timeit(n) / n) / (c.theirs.timeit(m) / m))
    return [
        Row(c.what, c.against, statistics.median(found), c.limit)
        for c, found in zip(comparisons, ratios, strict=True)
    ]


def compare(
    what: str, ours: Any, function: str, cases: list[Case], theirs: Any, others: list[Case],
    limit: float, more: str = "",
) -> Iterator[Comparison]:  # fmt: skip
    """Yield a call in both styles; `more` are keywords that only ours is given."""
    owner = theirs.__name__.replace("jax.numpy", "jnp").replace("numpy", "np")
    for bound in (True, False):
        style = "bound" if bound else "attribute"
        yield Comparison(
            f"{what}, {style}",
            f"{owner}.{function}",
            timer(ours, function, cases, bound=bound, more=more),
            timer(theirs, function, others, bound=bound),
            limit,
        )


def with_numpy() -> Iterator[Comparison]:
    """Set each call that the budget names against NumPy's."""
    dtypes = [tuple(map(np.dtype, pair)) for pair in PAIRS]
    own = [tuple(map(supremum.dtype, pair)) for pair in PAIRS]
    arrays = [tuple(np.zeros(3, d) for d in pair) for pair in PAIRS]
    scaled = [(np.zeros(3, d), 1.0) for pair in PAIRS for d in pair]
    five, our_five = [tuple(map(np.dtype, FIVE))], [tuple(map(supremum.dtype, FIVE))]
    pairs = {"names": (PAIRS, PAIRS), "NumPy dtypes": (dtypes, dtypes), "our dtypes": (own, dtypes)}
    results = {
        "arrays": (arrays, arrays, 1.2, ""),
        "array, 1.0": (scaled, scaled, 0.8, ""),
        "our dtypes": (own, dtypes, 0.4, ""),
        "NumPy dtypes": (dtypes, dtypes, 0.4, ""),
        "five NumPy dtypes": (five, five, 0.4, ""),
        "five of our dtypes": (our_five, five, 0.4, ""),
        "arrays, op='add'": (arrays, arrays, 1.5, ", op='add'"),
    }
    for name, place in (("supremum", supremum), ("system", supremum.system("jax"))):
        for what, (ours, theirs) in pairs.items():
            label = f"{name}.promote_types: {what}"
            yield from compare(label, place, "promote_types", ours, CACHED, theirs, 1.05)
        for what, (ours, theirs, limit, more) in results.items():
            label = f"{name}.result_type: {what}"
            yield from compare(label, place, "result_type", ours, np, theirs, limit, more)


def of_every_system() -> Iterator[Comparison]:
    """Set the methods of all other rules against NumPy's, if they answer for int32 and int64."""
    arrays = np.zeros(3, "int32"), np.zeros(3, "int64")
    cases: dict[str, tuple[str, Case, Any, float]] = {
        "names": ("promote_types", ("int32", "int64"), CACHED, 1.05),
        "arrays": ("result_type", arrays, np, 1.2),
        "array, 1.0": ("result_type", (np.zeros(3, "float32"), 1.0), np, 0.8),
    }
    for name in supremum.systems():
        rules = supremum.system(name)
        for what, (function, case, theirs, limit) in cases.items():
            try:
                getattr(rules, function)(*case)
            except supremum.PromotionError:
                continue
            label = f"{name} ({', '.join(rules.depends_on)}): {what}"
            yield from compare(label, rules, function, [case], theirs, [case], limit)


def with_jax() -> Iterator[Comparison]:
    """Set calls on JAX's own arrays, under its rules, against `jax.numpy`."""
    rules = supremum.system("jax")
    arrays = [tuple(jax.numpy.zeros(3, d) for d in pair) for pair in PAIRS]
    scaled = [(x, 1.0) for pair in arrays for x in pair]
    for what, cases in (("JAX arrays", arrays), ("JAX array, 1.0", scaled)):
        yield from compare(f"jax: {what}", rules, "result_type", cases, jax.numpy, cases, 0.1)


def with_torch() -> Iterator[Comparison]:
    """Set calls on tensors, under PyTorch's rules, against `torch`."""
    rules = supremum.system("torch")
    tensors = [tuple(torch.zeros(3, dtype=getattr(torch, d)) for d in pair) for pair in PAIRS]
    scaled = [(x, 1.0) for pair in tensors for x in pair]
    for what, cases in (("tensors", tensors), ("tensor, 1.0", scaled)):
        yield from compare(f"torch: {what}", rules, "result_type", cases, torch, cases, 1.5)


def started(processes: Sequence[Sequence[str]]) -> list[float]:
    """Return how long new processes take, over an interpreter that does nothing."""
    seconds: list[list[float]] = [[] for _ in range(len(processes) + 1)]
    # an installed package has its bytecode, so the first process may write ours down
    own = {name: x for name, x in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(ROUNDS):
        for process, found in zip((["-c", "pass"], *processes), seconds, strict=True):
            start = time.perf_counter()
            subprocess.run(  # noqa: S603  # our own
                [sys.executable, *process], env=own, check=True, stdout=subprocess.DEVNULL
            )
            found.append(time.perf_counter() - start)
    nothing, *others = (statistics.median(found) for found in seconds)
    return [seconds - nothing for seconds in others]


def start_rows() -> Iterator[Row]:
    """Compare imports, first answers and commands, each in a new process."""
    first = "import {0}; {0}.result_type('int32', 'float16')"
    explained = ("-m", "supremum", "explain", "int32", "float32")
    rows = [
        ("import supremum", ("-c", "import supremum"), "import numpy", 0.2),
        ("first answer of a process", ("-c", first.format("supremum")), first.format("numpy"), 0.5),
        ("supremum --help", ("-m", "supremum", "--help"), "import click", 2.0),
        ("supremum explain int32 float32", explained, "import click", 1.5),
    ]
    for what, ours, against, limit in rows:
        mine, other = started([ours, ("-c", against)])
        named = "np.result_type" if "result_type" in against else against
        yield Row(what, named, mine / other, limit)


def lattice_rows() -> Iterator[Row]:
    """Time the construction of lattices of 1,024 nodes, which proves every pair."""
    shapes: dict[str, dict[Any, list[Any]]] = {
        "subsets of ten": {
            n: [n | 1 << i for i in range(10) if not n >> i & 1] for n in range(1024)
        },
        "32 x 32 grid": {
            (i, j): [(k, m) for k, m in ((i + 1, j), (i, j + 1)) if k < 32 and m < 32]
            for i in range(32)
            for j in range(32)
        },
        "chain": {n: [n + 1] if n < 1023 else [] for n in range(1024)},
    }
    for name, arrows in shapes.items():
        taken = timeit.repeat(lambda a=arrows: Lattice(a, total=True), number=1, repeat=7)
        yield Row(f"Lattice({name}), 1,024 nodes", "one second", statistics.median(taken), 0.2)


def of_expressions() -> Iterator[Comparison]:
    """Set an expression against `jax.eval_shape` of it, whose traces are forgotten each time."""
    x = jax.ShapeDtypeStruct((3,), "int32")
    y = jax.ShapeDtypeStruct((3,), "uint8")
    names = {"explain": supremum.explain, "shape": jax.eval_shape, "x": x, "y": y}
    yield Comparison(
        "explain('jnp.sin((int32[3] + 1.5) / uint8[3])')",
        "jax.eval_shape",
        timeit.Timer("explain('jnp.sin((int32[3] + 1.5) / uint8[3])')", globals=names),
        timeit.Timer(
            "shape(lambda x, y: sin((x + 1.5) / y), x, y)", globals=names | {"sin": jax.numpy.sin}
        ),
        0.5,
    )


def main() -> None:
    """Print the table."""
    versions = [f"Python {sys.version.split()[0]}", f"numpy {np.__version__}"]
    comparisons = list(with_numpy())
    rows = []
    for library, rows_of, what in ((jax, with_jax, "JAX arrays"), (torch, with_torch, "tensors")):
        if library is None:
            rows.append(Row(what, "not installed", None, 1.0))
        else:
            versions.append(f"{library.__name__} {library.__version__}")
            comparisons += rows_of()
    comparisons += of_every_system()
    if jax is not None:
        comparisons += of_expressions()
    rows = [*measured(comparisons), *rows, *start_rows(), *lattice_rows()]
    print(", ".join(versions), end="\n\n")
    print(f"{'what':<58}{'against':<22}{'ratio':>8}{'limit':>8}")
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
