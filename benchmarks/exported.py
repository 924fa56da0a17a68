"""The exported Python module against the library's own promotion, and against Supremum.

Each row is a ratio of times, measured in one process in turns, the best of several. Run as
``python benchmarks/exported.py``.
"""

import inspect
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from timeit import repeat
from types import ModuleType
from typing import Any

os.environ.setdefault("DEV", "PYTHON")
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "peers"))

import pytest
from adopted import ADOPTIONS, MODES, module

import supremum
from supremum import export


def time(function: Any, *operands: Any, number: int = 20_000) -> float:
    """Return the microseconds that a call takes."""
    return min(repeat(lambda: function(*operands), number=number, repeat=7)) / number * 1e6


def row(what: str, new: float, old: float) -> None:
    """Print what is measured, both times and the ratio."""
    print(f"{what:58} {new:8.3f} {old:8.3f} {new / old:6.2f}")


def against_supremum() -> None:
    """Compare the exported module of each of some systems with the system."""
    for name in ("jax", "numpy", "torch"):
        rules, made = supremum.system(name), module(name)
        for operands in (("int8", "float32"), ("int8", 1.5), ("int8", "int16", "float32")):
            new, old = time(made.result_type, *operands), time(rules.result_type, *operands)
            row(f"{name}: result_type{operands}", new, old)
        pair = ("int8", "float32")
        new, old = time(made.promote_types, *pair), time(rules.promote_types, *pair)
        row(f"{name}: promote_types{pair}", new, old)


def public(name: str) -> tuple[ModuleType, str, tuple[Any, ...]]:
    """Return the module with the function that is replaced, its name, and operands for it."""
    if name == "keras":
        from keras.src.backend.common import dtypes

        return dtypes, "_least_upper_bound", ("int8", "float32")
    if name == "tinygrad":
        from tinygrad import dtype

        return dtype, "least_upper_dtype", (dtype.dtypes.int8, dtype.dtypes.float32)
    if name == "array_api_strict":
        from array_api_strict import _dtypes

        return _dtypes, "_result_type", (_dtypes.int8, _dtypes.int16)
    import numpy as np
    from jax._src import dtypes

    mode = dtypes.config.NumpyDtypePromotion.STANDARD
    return dtypes, "_least_upper_bound", (mode, True, np.dtype("int8"), np.dtype("float32"))


def lines_of(home: ModuleType, parts: Iterable[str]) -> int:
    """Return how many lines the replaced parts have: functions, and literals by their text."""
    count = 0
    text = inspect.getsource(home)
    for part in parts:
        if f"\n{part} = {{" in text:
            count += text.partition(f"\n{part} = {{")[2].partition("}")[0].count("\n") + 1
        else:
            code = inspect.unwrap(getattr(home, part))
            count += len(inspect.getsource(code).splitlines())
    return count


def added(adopt: Any) -> tuple[int, int]:
    """Return how many lines a library has instead, its tables of names among them: and the module.

    They stand between the import of the module and the patch, without blank lines and comments.
    """
    text = inspect.getsource(adopt)
    own = text[text.index("promotion = ") :].partition("    patch.setattr")[0]
    own = own.partition("    own = ")[0]
    lines = [line for line in own.splitlines() if line.strip() and "# what" not in line]
    name, modes = NAMES[adopt.__name__]
    return len(lines), len(export.render(name, modes=modes).splitlines())


def against_libraries() -> None:
    """Compare the replaced function of each library with what replaces it, and the lines."""
    for name, adopt in ADOPTIONS.items():
        home, function, operands = public(name)
        old = time(getattr(home, function), *operands)
        own = inspect.unwrap(getattr(home, function))
        parts = set(PARTS[name]) | {own.__name__}
        removed = lines_of(home, parts)
        with pytest.MonkeyPatch.context() as patch:
            adopt(patch)
            made = getattr(home, function)
            own, whole = added(adopt)
            row(
                f"{name}: {function}, {removed} lines removed, {own} + {whole} added",
                time(made, *operands),
                old,
            )


NAMES = {
    "keras": ("keras", ()),
    "tinygrad": ("tinygrad", ()),
    "array_api_strict": ("array-api", ()),
    "jax": ("jax", MODES),
}
PARTS = {
    "keras": ["_type_promotion_lattice", "_make_lattice_upper_bounds"],
    "tinygrad": ["promo_lattice", "_get_recursive_parents"],
    "array_api_strict": ["_promotion_table"],
    "jax": ["_type_promotion_lattice", "_make_lattice_upper_bounds"],
}

if __name__ == "__main__":
    print(f"{'microseconds':58} {'exported':>8} {'own':>8} {'ratio':>6}")
    against_supremum()
    against_libraries()
