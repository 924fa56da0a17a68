"""The half-life of a sample from counts of its decays, on every backend and by two sets of rules.

    python examples/any_backend.py --rules jax numpy torch --backends numpy dask

The fit is written once, for the array API, and meant to be float32: the counts are int32, and what
they are multiplied with is float32. Whether it stays so is for the rules to say, and not for the
library that computes: each line of a set of rules has the same dtypes.
"""

import os
from argparse import ArgumentParser
from typing import Any

import supremum
from supremum.arrays import Array, Namespace
from supremum.arrays.backends import NAMES

# decays in each minute, and the seconds of it in which the counter was ready for one
COUNTS = [8021, 6412, 5196, 4088, 3330, 2617, 2139, 1678, 1372, 1081, 869, 702]
READY = [51.3, 53.1, 54.4, 55.6, 56.4, 57.2, 57.7, 58.2, 58.5, 58.8, 59.1, 59.2]


def fit(xp: Namespace) -> dict[str, Array]:
    """Return the steps of a line fitted to the logarithm of the rates, weighted by counts."""
    counts = xp.asarray(COUNTS, dtype=xp.int32)
    ready = xp.asarray(READY, dtype=xp.float32)
    minutes = xp.arange(len(COUNTS), dtype=xp.int16)
    rates = counts / ready
    weights = counts / xp.sum(counts, dtype=xp.float32)
    times = minutes - xp.sum(weights * minutes)
    slope = xp.sum(weights * times * xp.log(rates)) / xp.sum(weights * times**2)
    return {
        "decays": xp.sum(counts),
        "rates": rates,
        "times": times,
        "half-life": -0.6931472 / slope,
    }


def row(*cells: object) -> str:
    """Return a line of the table."""
    return "".join(f"{cell!s:<10}" for cell in cells).rstrip()


def spaces(rules: list[str], backends: list[str]) -> list[tuple[str, str, Any]]:
    """Return a namespace, or why there is none, for each set of rules and backend."""
    found: list[tuple[str, str, Any]] = []
    for system in rules:
        for backend in backends:
            try:
                xp = supremum.namespace(system, backend=backend)
                xp.ones(1)
            except (ImportError, RuntimeError) as error:  # a library or, for CuPy, a GPU is missing
                found.append((system, backend, str(error).splitlines()[0]))
            else:
                found.append((system, backend, xp))
    return found


def main() -> None:
    """Print the dtype of each step, and the result in minutes."""
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", nargs="+", default=["jax", "numpy"])
    parser.add_argument("--backends", nargs="+", default=NAMES, choices=NAMES)
    asked = parser.parse_args()
    os.environ.setdefault("JAX_ENABLE_X64", "1")  # or else JAX has no float64
    missing = {}
    print(row("rules", "backend", "decays", "rates", "times", "half-life"))
    for rules, backend, xp in spaces(asked.rules, asked.backends):
        if isinstance(xp, str):
            missing[backend] = xp
            continue
        steps = fit(xp)
        dtypes = [x.dtype for x in steps.values()]
        print(row(rules, backend, *dtypes, f"{float(steps['half-life']):.4f} min"))
    for backend, why in missing.items():
        print(f"not run on {backend}: {why}")


if __name__ == "__main__":
    main()
