"""What plain Python can reach: a call, and a look-up, beside what Supremum takes, all over NumPy's.

The functions to compare with do nothing else: one returns at once, and one finds the answer in a
dictionary of dictionaries, as Supremum does if it has given the answer before. Then the same for
arrays of eight elements: a class whose methods call NumPy's and make one object, and nothing else.
"""

import statistics
import timeit
from types import SimpleNamespace
from typing import Any

import numpy as np
from budget import PAIRS, Comparison, measured, timer

import supremum

REPEATS = 5


def functions() -> dict[str, tuple[str, list[tuple[Any, ...]], Any]]:
    """Return NumPy's function, the operands, and the function that looks up, of each call."""
    dtypes = [tuple(map(np.dtype, pair)) for pair in PAIRS]
    arrays = [tuple(np.zeros(3, d) for d in pair) for pair in PAIRS]
    known = {a: {b: np.promote_types(a, b) for _, b in dtypes} for a, _ in dtypes}
    named = {str(a): {str(b): d for b, d in row.items()} for a, row in known.items()}
    return {
        "promote_types of two names": ("promote_types", PAIRS, lambda a, b: named[a][b]),
        "promote_types of two NumPy dtypes": ("promote_types", dtypes, lambda a, b: known[a][b]),
        "result_type of two arrays": (
            "result_type", arrays, lambda a, b: known[a.dtype][b.dtype],
        ),
    }  # fmt: skip


class Least:
    """An array that holds one of NumPy, and what ours hold beside it."""

    __slots__ = ("engine", "key", "native", "sharing")

    engine: Any
    key: Any
    native: Any
    sharing: Any

    def _like(self, native: Any) -> "Least":
        return taken(native, self.engine, self.key)

    def __add__(self, other: "Least") -> "Least":
        return self._like(self.native + other.native)

    def __getitem__(self, key: Any) -> "Least":
        found = self.native[key.native if type(key) is Least else key]
        return self._like(found if type(found) is np.ndarray else np.asarray(found))

    def __setitem__(self, key: Any, value: Any) -> None:
        stored = value.native if type(value) is Least else value
        self.native[key.native if type(key) is Least else key] = stored

    def __len__(self) -> int:
        return len(self.native)

    @property
    def T(self) -> "Least":  # noqa: N802  # NumPy's name
        """The transpose."""
        return self._like(self.native.T)


def taken(native: Any, engine: Any = None, key: Any = None) -> Least:
    """Return an object that holds an array of NumPy."""
    made = Least()  # `__init__` would take longer
    made.engine = engine
    made.key = key
    made.native = native
    made.sharing = None
    return made


STATEMENTS = (
    "x + x", "x[0]", "x[0, ...]", "x[None]", "x[1:3]", "x[i]", "x[0] = 1.0", "x[i] = x", "m.T",
    "m[0]", "len(x)", "xp.asarray(few)", "xp.count_nonzero(x)", "xp.zeros(8)", "xp.arange(8)",
    "xp.flip(x)",
)  # fmt: skip

FUNCTIONS = {
    "asarray": taken,
    "count_nonzero": lambda x: taken(np.asarray(np.count_nonzero(x.native))),
    "zeros": lambda shape: taken(np.zeros(shape)),
    "arange": lambda stop: taken(np.arange(stop)),
    "flip": lambda x: taken(x.native[::-1]),
}
"""Those of the namespace of such objects."""


def of_arrays() -> None:
    """Print the table for arrays."""
    ours = supremum.namespace("jax", backend="numpy")
    sides = []
    for make, xp in (
        (np.array, np), (taken, SimpleNamespace(**FUNCTIONS)), (ours.asarray, ours)
    ):  # fmt: skip
        arrays = (np.zeros(8), np.arange(8) % 5, np.zeros((3, 3)))
        names = dict(zip("xim", (make(x.copy()) for x in arrays), strict=True))
        sides.append({**names, "xp": xp, "few": np.zeros(8)})
    print(f"\n{'over the same in NumPy, 8 elements':<40}{'an object':>20}{'Supremum':>12}")
    for statement in STATEMENTS:
        timers = [timeit.Timer(statement, globals=names) for names in sides]
        times = [[timer.timeit(500) for timer in timers] for _ in range(100)]
        least, found, of_ours = (min(column) for column in zip(*times, strict=True))
        print(f"{statement:<40}{found / least:>20.2f}{of_ours / least:>12.2f}")


def main() -> None:
    """Print the tables."""
    print(
        f"{'over the same in NumPy, which is C':<40}{'a call':>8}{'a look-up':>12}{'Supremum':>12}"
    )
    for call, (name, cases, look_up) in functions().items():
        theirs = timer(np, name, cases, bound=True)
        sides = [
            SimpleNamespace(**{name: lambda a, _: a}), SimpleNamespace(**{name: look_up}), supremum
        ]  # fmt: skip
        comparisons = [
            Comparison(call, "numpy", timer(side, name, cases, bound=True), theirs, 1.0)
            for side in sides
        ]
        runs = [[row.ratio or 0.0 for row in measured(comparisons)] for _ in range(REPEATS)]
        least, found, ours = (statistics.median(ratios) for ratios in zip(*runs, strict=True))
        print(f"{call:<40}{least:>8.2f}{found:>12.2f}{ours:>12.2f}")
    of_arrays()


if __name__ == "__main__":
    main()
