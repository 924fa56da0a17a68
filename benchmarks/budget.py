"""How fast promotion, import and lattices are: ratios to what does the same, with their limits.

Each ratio is a median over rounds. A round times every row, both sides one after the other: so a
slow moment of the machine slows both, and a slow minute touches every row. Rows on promotion come
twice: for the functions of the module, and for the methods of a system. It never fails.
"""

import os
import statistics
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

import supremum

try:
    import jax
except ImportError:
    jax = None

ROUNDS = 41
SECONDS = 0.002  # that one side of one round takes
PAIRS = [
    ("int32", "float32"),
    ("uint8", "int8"),
    ("float16", "float64"),
    ("int64", "complex64"),
]
FIVE = ("int8", "uint16", "int32", "float16", "float32")

Case = tuple[Any, ...]
"""The operands of one call."""


class Row(NamedTuple):
    """One measurement: what, against what, their ratio and its limit; None where not measured."""

    what: str
    against: str
    ratio: float | None
    limit: float

    def __str__(self) -> str:
        ratio = "-" if self.ratio is None else f"{self.ratio:.3f}"
        verdict = "" if self.ratio is None else "ok" if self.ratio <= self.limit else "OVER"
        return f"{self.what:<46}{self.against:<22}{ratio:>8}{self.limit:>8}  {verdict}".rstrip()


class Comparison(NamedTuple):
    """Two timers that are to be compared, and what `Row` says of them."""

    what: str
    against: str
    ours: timeit.Timer
    theirs: timeit.Timer
    limit: float


class Promotion(NamedTuple):
    """A call to compare: the function's name, its operands for us and for others, the limit."""

    what: str
    function: str
    ours: list[Case]
    theirs: list[Case]
    limit: float


def promotions() -> list[Promotion]:
    """Return the calls that the budget names, each on the same operands on both sides."""
    dtypes = [tuple(map(np.dtype, pair)) for pair in PAIRS]
    own = [tuple(map(supremum.dtype, pair)) for pair in PAIRS]
    arrays = [tuple(np.zeros(3, d) for d in pair) for pair in PAIRS]
    scaled = [(np.zeros(3, d), 1.0) for pair in PAIRS for d in pair]
    five = [tuple(map(np.dtype, FIVE))]
    return [
        Promotion("names", "promote_types", PAIRS, PAIRS, 1.0),
        Promotion("NumPy dtypes", "promote_types", dtypes, dtypes, 1.5),
        Promotion("our dtypes", "promote_types", own, dtypes, 1.5),
        Promotion("array, array", "result_type", arrays, arrays, 2.0),
        Promotion("array, 1.0", "result_type", scaled, scaled, 1.2),
        Promotion("five dtypes", "result_type", five, five, 0.5),
    ]


def timer(function: Callable[..., Any], cases: Sequence[Case]) -> timeit.Timer:
    """Return a timer of one call for each case, written out so that no loop is timed."""
    values = {f"x{i}_{j}": x for i, case in enumerate(cases) for j, x in enumerate(case)}
    calls = [
        f"f({', '.join(f'x{i}_{j}' for j in range(len(case)))})" for i, case in enumerate(cases)
    ]
    return timeit.Timer("; ".join(calls), globals={"f": function, **values})


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


PLACES = {"supremum": supremum, "system": supremum.system("jax")}


def with_numpy() -> Iterator[Comparison]:
    """Set each call that the budget names against NumPy's."""
    for (where, place), p in product(PLACES.items(), promotions()):
        ours, theirs = (
            timer(getattr(place, p.function), p.ours),
            timer(getattr(np, p.function), p.theirs),
        )
        yield Comparison(
            f"{where}.{p.function}({p.what})", f"np.{p.function}", ours, theirs, p.limit
        )


def of_every_system() -> Iterator[Comparison]:
    """Set the methods of all other rules against NumPy's, where they answer for int32 and int64."""
    arrays = np.zeros(3, "int32"), np.zeros(3, "int64")
    cases = {
        "names": ("promote_types", ("int32", "int64"), 1.0),
        "array, array": ("result_type", arrays, 2.0),
        "array, 1": ("result_type", (arrays[0], 1), 1.2),
    }
    for name in supremum.systems():
        rules = supremum.system(name)
        for what, (function, case, limit) in cases.items():
            try:
                getattr(rules, function)(*case)
            except supremum.PromotionError:
                continue
            ours = timer(getattr(rules, function), [case])
            theirs = timer(getattr(np, function), [case])
            label = f"{name}, by {rules.looks_at}: {what}"
            yield Comparison(label, f"np.{function}", ours, theirs, limit)


def with_jax() -> Iterator[Comparison]:
    """Set the same against `jax.numpy`, and calls on JAX's own arrays too."""
    arrays = [tuple(jax.numpy.zeros(3, d) for d in pair) for pair in PAIRS]
    scaled = [(x, 1.0) for pair in arrays for x in pair]
    own = [
        Promotion("JAX array, JAX array", "result_type", arrays, arrays, 0.1),
        Promotion("JAX array, 1.0", "result_type", scaled, scaled, 0.1),
    ]
    for (where, place), p in product(PLACES.items(), [*promotions(), *own]):
        ours = timer(getattr(place, p.function), p.ours)
        theirs = timer(getattr(jax.numpy, p.function), p.theirs)
        yield Comparison(f"{where}.{p.function}({p.what})", f"jnp.{p.function}", ours, theirs, 0.1)


def import_row() -> Row:
    """Compare imports, each in a new process, over a process that imports nothing."""
    programs = ("pass", "import supremum", "import numpy")
    taken: dict[str, list[float]] = {program: [] for program in programs}
    # an installed package has its bytecode, so the first process may write ours down
    own = {name: x for name, x in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(ROUNDS):
        for program in programs:
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], env=own, check=True)  # noqa: S603  # our own
            taken[program].append(time.perf_counter() - start)
    nothing, ours, theirs = (statistics.median(taken[program]) for program in programs)
    return Row("import supremum", "import numpy", (ours - nothing) / (theirs - nothing), 0.25)


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
        yield Row(f"Lattice({name}), 1,024 nodes", "one second", statistics.median(taken), 0.3)


def main() -> None:
    """Print the table."""
    versions = [f"Python {sys.version.split()[0]}", f"numpy {np.__version__}"]
    comparisons = list(with_numpy())
    if jax is None:
        rows = [Row("any of them", "jax not installed", None, 0.1)]
    else:
        jax.config.update("jax_enable_x64", True)  # as in the rules that are compared
        versions.append(f"jax {jax.__version__}")
        comparisons += with_jax()
        rows = []
    comparisons += of_every_system()
    rows = [*measured(comparisons), *rows, import_row(), *lattice_rows()]
    print(", ".join(versions), end="\n\n")
    print(f"{'what':<46}{'against':<22}{'ratio':>8}{'limit':>8}")
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
