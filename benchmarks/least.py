"""What plain Python can reach: a call, and a look-up, beside what Supremum takes, all over NumPy's.

The functions to compare with do nothing else: one returns at once, and one finds the answer in a
dictionary of dictionaries, as Supremum does if it has given the answer before.
"""

import statistics
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


def main() -> None:
    """Print the table."""
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


if __name__ == "__main__":
    main()
