"""What is known of functions and of arrays: from the catalogue, and the facts of each library."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final

from ...core.dtypes import is_name
from ...core.functions import FUNCTIONS, Function, canonical
from ...core.libraries import Library, libraries, library_of_module
from ...core.system import PromotionSystem
from ...core.systems import system

_PACKAGE = __name__.partition(".")[0]

MOST_ELEMENTS: Final = 64
"""How many elements of a list or tuple of arrays are looked at."""


def _called(holds: Callable[[Function], bool]) -> frozenset[str]:
    """Return all names of the functions of the catalogue of which something holds."""
    found = filter(holds, FUNCTIONS.values())
    return frozenset(name for f in found for name in (f.name, *f.spellings))


COPIES: Final = _called(lambda f: f.category == "contraction")
"""Functions of NumPy that convert operands of another dtype as a whole, into a copy."""

TAKES_A_LIST: Final = _called(lambda f: f.category == "sequence" and f.operands is None)
"""Functions whose operands are all in the list that they are given first."""

ADDS_UP: Final = _called(lambda f: f.is_accumulating) | {"accumulate", "reduce"}
"""Functions, and methods of NumPy's, that add up or multiply: integers may become wider."""

_OF_UFUNCS = {"accumulate", "reduce", "reduceat"}
REDUCES: Final = _called(lambda f: f.category in ("reduction", "cumulative")) | _OF_UFUNCS
"""Functions, and methods of NumPy's, that make one number of many, in the dtype of their output."""

GIVES_FLOAT64: Final = _called(lambda f: f.category == "estimate" and not f.follows) | {"bincount"}
"""Functions of NumPy that give float64 whatever they are given."""

COMBINES: Final = {
    name: (f.operands or MOST_ELEMENTS) + (f.category == "condition")
    for f in FUNCTIONS.values()
    if f.combines
    for name in (f.name, *f.spellings)
}
"""Functions that compute as operators do, with how many arrays and numbers they take."""

OPERANDS: Final = {
    name: f.operands
    for f in FUNCTIONS.values()
    if f.category == "elementwise" and f.operands
    for name in (f.name, *f.spellings)
}
"""Functions of elements, with how many operands they take: what comes after is their output."""

RANKS: Final = frozenset({"rank", "rankdata"})
"""Functions that count: what they give stands for none of their operands."""

SEVERAL: Final = frozenset(
    name
    for f in FUNCTIONS.values()
    if f.category == "several" and FUNCTIONS[f.follows].category != "sequence"
    for name in (f.name, *f.spellings)
)
"""Functions with several results, each of which comes from all operands."""

_CONVERTS = _called(lambda f: f.category in ("conversion", "cast"))


def converts(name: str) -> bool:
    """Tell whether a function is called for the sake of a dtype, or makes an array of something."""
    # a short code is more likely what a program calls a function of its own
    return name in _CONVERTS or (len(name) > 2 and is_name(name))


def is_known(function: Any, result: Any) -> bool:
    """Tell whether a function is an array library's own, and does what its name says there."""
    module = getattr(function, "__module__", None)
    if not isinstance(module, str):
        return True
    root = _root(module)
    own = module.startswith(f"{_PACKAGE}.") or root == _root_of(result)
    return own or library_of_module(root) is not None


def rules_of(array: Any) -> PromotionSystem | None:
    """Return the rules that an array's library follows, as it is set now.

    A library without rules of its own follows those of the library that its dtypes come from.
    """
    library = _library_of(array) or _library_of(array.dtype)
    name = next((name for name, known in libraries().items() if known is library), None)
    if name == "jax":
        jax = sys.modules.get("jax")
        return system(name, x64=bool(jax and jax.config.jax_enable_x64))
    if name == "numpy":
        return rules_of_numpy()
    return system(name) if name else None


def rules_of_numpy() -> PromotionSystem:
    """Return the rules of the NumPy that is loaded."""
    release = getattr(sys.modules.get("numpy"), "__version__", "")
    return system("numpy-legacy" if release.startswith("1.") else "numpy")


def as_known(function: str, rules: PromotionSystem | None) -> str | None:
    """Return what the catalogue calls a function, or None if the rules do not have it."""
    return canonical(function) if rules is not None and rules.rule(function) is not None else None


def _library_of(value: Any) -> Library | None:
    return library_of_module(_root_of(value))


def _root_of(value: Any) -> str:
    return _root(type(value).__module__)


def _root(module: str) -> str:
    return module.partition(".")[0]
