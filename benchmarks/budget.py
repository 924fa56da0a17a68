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
from supremum.core.operands import parse

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
ON_DTYPES = 1.4

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
    cached = SimpleNamespace(
        __name__="lru_cache", promote_types=functools.lru_cache(maxsize=None)(np.promote_types)
    )
    for name, place in (("supremum", supremum), ("system", supremum.system("jax"))):
        yield from compare(
            f"{name}.promote_types: NumPy dtypes", place, "promote_types", dtypes, cached, dtypes,
            0.95,
        )  # fmt: skip
        promote, result = f"{name}.promote_types", f"{name}.result_type"
        yield from compare(f"{promote}: names", place, "promote_types", PAIRS, np, PAIRS, 0.5)
        yield from compare(
            f"{promote}: NumPy dtypes", place, "promote_types", dtypes, np, dtypes, ON_DTYPES
        )
        yield from compare(
            f"{promote}: our dtypes", place, "promote_types", own, np, dtypes, ON_DTYPES
        )
        yield from compare(f"{result}: arrays", place, "result_type", arrays, np, arrays, 1.0)
        yield from compare(f"{result}: array, 1.0", place, "result_type", scaled, np, scaled, 1.0)
        yield from compare(f"{result}: our dtypes", place, "result_type", own, np, dtypes, 0.5)
        yield from compare(f"{result}: NumPy dtypes", place, "result_type", dtypes, np, dtypes, 1.2)
        yield from compare(
            f"{result}: five NumPy dtypes", place, "result_type", five, np, five, 0.5
        )
        yield from compare(
            f"{result}: five of our dtypes", place, "result_type", our_five, np, five, 0.3
        )
        yield from compare(
            f"{result}: arrays, op='add'", place, "result_type", arrays, np, arrays, 1.5,
            more=", op='add'",
        )  # fmt: skip


def of_every_system() -> Iterator[Comparison]:
    """Set the methods of all other rules against NumPy's, if they answer for int32 and int64."""
    arrays = np.zeros(3, "int32"), np.zeros(3, "int64")
    cases: dict[str, tuple[str, Case, float]] = {
        "names": ("promote_types", ("int32", "int64"), 0.5),
        "arrays": ("result_type", arrays, 1.0),
        "array, 1.0": ("result_type", (np.zeros(3, "float32"), 1.0), 1.0),
    }
    for name in supremum.systems():
        rules = supremum.system(name)
        for what, (function, case, limit) in cases.items():
            try:
                getattr(rules, function)(*case)
            except supremum.PromotionError:
                continue
            label = f"{name} ({', '.join(rules.depends_on)}): {what}"
            yield from compare(label, rules, function, [case], np, [case], limit)


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
        yield from compare(f"torch: {what}", rules, "result_type", cases, torch, cases, 1.2)


def started(programs: Sequence[str]) -> list[float]:
    """Return how long new processes take for some programs, over one that does nothing."""
    seconds: dict[str, list[float]] = {program: [] for program in ("pass", *programs)}
    # an installed package has its bytecode, so the first process may write ours down
    own = {name: x for name, x in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(ROUNDS):
        for program, found in seconds.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], env=own, check=True)  # noqa: S603  # our own
            found.append(time.perf_counter() - start)
    nothing, *others = (statistics.median(found) for found in seconds.values())
    return [seconds - nothing for seconds in others]


def start_rows() -> Iterator[Row]:
    """Compare imports, and first answers, each in a new process."""
    ours, theirs = started(["import supremum", "import numpy"])
    yield Row("import supremum", "import numpy", ours / theirs, 0.2)
    first = "import {0}; {0}.result_type('int32', 'float16')"
    ours, theirs = started([first.format("supremum"), first.format("numpy")])
    yield Row("first answer of a process", "np.result_type", ours / theirs, 0.5)


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
        taken = timeit.repeat(lambda a=arrows: supremum.Lattice(a, total=True), number=1, repeat=7)
        yield Row(f"Lattice({name}), 1,024 nodes", "one second", statistics.median(taken), 0.2)


def of_expressions() -> Iterator[Comparison]:
    """Set an expression against its steps, asked one by one."""
    rules = supremum.system("jax")
    words = {"a": "int32[3]", "b": "1.5", "c": "float32[3]", "d": "uint8[3]"}
    names = {"rules": rules, "parse": parse, "explain": supremum.explain, **words}
    steps = (
        "rules.explain(parse(a), parse(b), op='add')",
        "rules.explain(parse(c), parse(d), op='true_divide')",
    )
    yield Comparison(
        "explain('(int32[3] + 1.5) / uint8[3]')",
        "its two steps",
        timeit.Timer("explain('(int32[3] + 1.5) / uint8[3]', system=rules)", globals=names),
        timeit.Timer("; ".join(steps), globals=names),
        2.0,
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
    comparisons += of_expressions()
    rows = [*measured(comparisons), *rows, *start_rows(), *lattice_rows()]
    print(", ".join(versions), end="\n\n")
    print(f"{'what':<58}{'against':<22}{'ratio':>8}{'limit':>8}")
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
