"""How fast arrays are under rules: the time of operations over the best NumPy by hand.

Every library that is installed has a column. A round times every cell of a row, in an order of its
own, and each ratio is a median over rounds: so a slow moment of the machine slows all. Where a
library has no mixed kinds, as array-api-strict, its cell casts by hand. It never fails.
"""

import importlib.metadata
import os
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

import supremum
from supremum.arrays import Namespace
from supremum.arrays.backends import NAMES

ROUNDS = 25
SECONDS = 0.002  # that one cell of one round takes, at least
SIZES = (8, 1024, 65_536, 4_000_000)
F32 = np.float32

Call = Callable[[], Any]
Operation = Callable[[Any, Any], Any]


class Row(NamedTuple):
    """An operation on operands of two dtypes; the second may be a number."""

    what: str
    x: str
    y: str | float


ROWS = (
    Row("int32 + float32", "int32", "float32"),
    Row("int16 + float32", "int16", "float32"),
    Row("float32 + float32", "float32", "float32"),
    Row("float32 + 1.0", "float32", 1.0),
)


def add(x: Any, y: Any) -> Any:
    """Return the sum, as a program writes it."""
    return x + y


def in_place(x: Any, y: Any) -> Any:
    """Cast into what becomes the result, and add to it."""
    total = x.astype(F32)
    total += y
    return total


def into_new(x: Any, y: Any) -> Any:
    """Have the ufunc cast piece by piece, into memory that NumPy's `empty` has asked for."""
    return np.add(x, y, out=np.empty(x.shape, F32), dtype=F32, casting="unsafe")


BY_HAND: Mapping[str, Operation] = {
    "x.astype(f) + y": lambda x, y: x.astype(F32) + y,
    "np.add(x, y, dtype=f)": lambda x, y: np.add(x, y, dtype=F32, casting="unsafe"),
    "x.astype(f); x += y": in_place,
    "np.add(x, y, out=new)": into_new,
}


def by_hand(row: Row, x: Any, y: Any) -> dict[str, Call]:
    """Return the ways to write a row in NumPy, so that the result is float32."""
    ways = {"x + y": add} if row.x == "float32" else BY_HAND
    return {name: partial(way, x, y) for name, way in ways.items()}


def others(row: Row, x: Any, y: Any) -> dict[str, Call]:
    """Return the same operation in the other libraries that are installed."""
    found: dict[str, Call] = {}
    if find_spec("jax"):
        import jax.numpy as jnp

        a, b = (v if v is y and row.y == 1.0 else jnp.asarray(v) for v in (x, y))
        found["jax.numpy"] = lambda: add(a, b).block_until_ready()
    if find_spec("torch"):
        import torch

        c, d = (v if v is y and row.y == 1.0 else torch.from_numpy(v) for v in (x, y))
        found["torch"] = lambda: c + d
    if find_spec("array_api_strict"):
        import array_api_strict as strict

        e, f = (v if v is y and row.y == 1.0 else strict.asarray(v) for v in (x, y))
        mixed = row.x != "float32"
        found["strict"] = lambda: (strict.astype(e, strict.float32) if mixed else e) + f
    return found


def spaces() -> dict[str, Namespace]:
    """Return the namespace by JAX's rules on each backend that is installed."""
    found = {}
    for name in NAMES:
        try:
            xp = supremum.namespace("jax", backend=name)
            xp.ones(1)
        except (ImportError, RuntimeError):  # CuPy is installed where there is no GPU, too
            continue
        found[name] = xp
    return found


def as_it_is(z: Any) -> Any:
    """Return what is ready as it is returned."""
    return z


READY: Mapping[str, Callable[[Any], Any]] = {
    "jax": lambda z: z.native.block_until_ready(),
    "dask": lambda z: z.native.compute(),
}


def done(ready: Callable[[Any], Any], call: Call) -> Any:
    """Return the result of a call on some backend, computed."""
    return ready(call())


def ours(row: Row, x: Any, y: Any) -> dict[str, Call]:
    """Return the same operation on our arrays, on each backend; its work is done on return."""
    found: dict[str, Call] = {}
    for name, xp in spaces().items():
        a, b = (v if v is y and row.y == 1.0 else xp.asarray(v) for v in (x, y))
        if (a + b).dtype != xp.float32:
            raise AssertionError(f"{row.what} on {name} is {(a + b).dtype}")
        found[f"ours/{name}"] = partial(done, READY.get(name, as_it_is), partial(add, a, b))
    return found


def measured(calls: Mapping[str, Call], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Return the seconds that each takes, in every round."""
    counts = {}
    for name, call in calls.items():
        call()
        start = time.perf_counter()
        call()
        counts[name] = max(1, int(SECONDS / (time.perf_counter() - start)))
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(rounds):
        # in another order each time: where memory comes from depends on what was done before
        for name, call in random.Random(turn).sample(list(calls.items()), len(calls)):  # noqa: S311  # it is no secret
            start = time.perf_counter()
            for _ in range(counts[name]):
                call()
            taken[name].append((time.perf_counter() - start) / counts[name])
    return taken


def ratio(taken: Mapping[str, list[float]], what: str, against: str) -> float:
    """Return the median over rounds of one time over another."""
    return statistics.median(a / b for a, b in zip(taken[what], taken[against], strict=True))


def operands(row: Row, size: int) -> tuple[Any, Any]:
    """Return the operands as NumPy has them."""
    x = np.arange(size).astype(row.x)
    return x, np.ones(size, row.y) if isinstance(row.y, str) else row.y


def table() -> list[tuple[str, float, float]]:
    """Print the ratios of every row and size; return those that the budget has a limit for."""
    budget = []
    printed = False
    for size in SIZES:
        for row in ROWS:
            x, y = operands(row, size)
            ways = by_hand(row, x, y)
            rest = {**others(row, x, y), **ours(row, x, y)}
            taken = measured({**ways, **rest})
            best = min(ways, key=lambda way: statistics.median(taken[way]))
            if not printed:
                titles = "".join(f"{name:>12}" for name in rest)
                print(f"{'':<19}{'size':>9}{'by hand':>10}{titles}  fastest by hand")
                printed = True
            cells = "".join(f"{ratio(taken, name, best):>12.2f}" for name in rest)
            print(f"{row.what:<19}{size:>9,}{1:>10}{cells}  {best}", flush=True)
            if row is ROWS[0] and size == SIZES[0] and "jax.numpy" in rest:
                found = ratio(taken, "ours/numpy", "jax.numpy")
                budget.append((f"{row.what}, {size} elements, against jax.numpy", found, 0.4))
            if row in ROWS[:2] and size == SIZES[-1]:
                # once more by themselves: the threads of other libraries linger for a while
                pair = {best: ways[best], "ours/numpy": rest["ours/numpy"]}
                found = ratio(measured(pair, 3 * ROUNDS), "ours/numpy", best)
                budget.append((f"{row.what}, {size:,} elements, against NumPy by hand", found, 1.1))
    return budget


NARROW = ("float16", "bfloat16")
MILLION = 1_000_000


def narrow() -> None:
    """Print what narrow floats cost on each backend, over float32 on the same one."""
    print(f"\n{'a million elements, over float32':<36}", end="")
    functions: dict[str, Callable[[Namespace, Any], Any]] = {
        "x + x": lambda _, x: x + x,
        "x * x": lambda _, x: x * x,
        "sum": lambda xp, x: xp.sum(x),
        "exp": lambda xp, x: xp.exp(x),
        "x @ x": lambda _, x: x @ x,
    }
    print("".join(f"{name:>8}" for name in functions))
    for backend, xp in spaces().items():
        if backend in ("dask", "cupy"):  # it computes as NumPy does; there is no float32 to beat
            continue
        ready = READY.get(backend, as_it_is)
        flat = np.linspace(-1, 1, MILLION)
        square = flat.reshape(1000, 1000)
        for name in NARROW:
            cells = []
            for what, function in functions.items():
                values = square if what == "x @ x" else flat
                calls = {}
                for d in (name, "float32"):
                    x = xp.asarray(values, dtype=getattr(xp, d))
                    calls[d] = partial(done, ready, partial(function, xp, x))
                cells.append(ratio(measured(calls, 15), name, "float32"))
            print(f"{f'{backend}, {name}':<36}" + "".join(f"{cell:>8.1f}" for cell in cells))


def chain(x: Any, y: Any, z: Any) -> Any:
    """Return the result of five operations, each on the one before."""
    a = x + y
    a = a * z
    a = a - y
    a = a / z
    return a + 1.0


def chain_by_hand(x: Any, y: Any, z: Any) -> Any:
    """Return the same of integers of NumPy, which are cast by hand."""
    a = x.astype(F32)
    a += y
    a = a * z
    a = a - y
    a = a / z
    return a + 1.0


def peak(function: Callable[..., Any], *given: Any) -> int:
    """Return the most bytes that a call has allocated at a time, as `tracemalloc` counts them."""
    function(*given)  # so that plans are made
    tracemalloc.start()
    function(*given)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


def memory() -> None:
    """Print what a chain of five operations allocates, ours and by hand."""
    xp = supremum.namespace("jax", backend="numpy")
    y, z = np.ones(MILLION, F32), np.full(MILLION, 2, F32)
    print("\nfive operations on a million elements, the most bytes at a time")
    for name, x, by_hand in (
        ("int32 with float32", np.ones(MILLION, np.int32), chain_by_hand),
        ("float32", np.ones(MILLION, F32), chain),
    ):
        own = peak(chain, *map(xp.asarray, (x, y, z)))
        print(f"{name:<20}{own:>12,} ours{peak(by_hand, x, y, z):>12,} by hand")


def main() -> None:
    """Print the tables."""
    os.environ["JAX_ENABLE_X64"] = "1"  # as in the rules that are compared
    versions = [f"Python {sys.version.split()[0]}"]
    libraries = ("numpy", "jax", "torch", "array-api-strict", "dask")
    there = (name for name in libraries if find_spec(name.replace("-", "_")))
    versions += [f"{name} {importlib.metadata.version(name)}" for name in there]
    threads = os.environ.get("OMP_NUM_THREADS", f"{os.cpu_count()} or as the library likes")
    print(", ".join(versions) + f"; threads: {threads}", end="\n\n")
    budget = table()
    print()
    for what, found, limit in budget:
        print(f"{what:<64}{found:>8.2f}{limit:>6}  {'ok' if found <= limit else 'OVER'}")
    narrow()
    memory()


if __name__ == "__main__":
    main()
