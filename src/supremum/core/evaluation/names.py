"""What the names in an expression stand for: libraries, their functions, and operands."""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from ..dtypes import is_name
from ..functions import FUNCTIONS, Function, function
from ..libraries import Library, libraries
from ..operands import SCALAR_LIBRARY
from .text import read

CONSTANTS: Final[Mapping[str, float]] = {
    "pi": math.pi, "e": math.e, "euler_gamma": 0.5772156649015329, "inf": math.inf, "nan": math.nan,
}  # fmt: skip
"""The Python floats that array libraries have, by their names there."""

METHODS: Final = frozenset(
    """
    all any argmax argmin argpartition argsort astype clip compress conj conjugate copy
    cumprod cumsum diagonal dot flatten item max mean min nonzero prod ravel repeat reshape round
    searchsorted sort squeeze std sum swapaxes take trace transpose var view
    """.split()  # noqa: SIM905  # a list of words
)
"""The methods of NumPy's arrays, and of those that are like them, that give an array."""

NOT_OF_SCALARS: Final = ("argpartition", "dot")
"""Those of them that NumPy's scalars lack."""

CHANGING: Final = ("sort", "fill", "partition", "put", "resize")
"""The methods of NumPy's arrays that change them, and give None."""

_SHORT: Final = {"F": "nn.functional"}
"""Names that programs give to a namespace, whichever library has it."""

NEUTRAL: Final = "xp"
"""The name of a module whose library the rules say."""


def free_names(text: str) -> tuple[str, ...]:
    """Return the names in an expression that stand for operands, sorted.

    >>> free_names("np.mean(x) * 2 + y")
    ('x', 'y')
    """
    source = read(text)
    called = {id(n.func) for n in ast.walk(source.tree) if isinstance(n, ast.Call)}
    found = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name) and id(n) not in called}
    known = {*source.operands, *roots(), "math"}
    return tuple(sorted(name for name in found - known if not is_name(name)))


@cache
def roots() -> Mapping[str, str]:
    """Return the names of rules by the words with which programs call their library."""
    found, more = dict[str, str](), dict[str, str]()
    for name, library in libraries().items():
        module, alias = library.import_as
        root = module.partition(".")[0]
        if root in library.modules:
            found[root] = found[alias] = name
        if library.prefixes:
            more.update(dict.fromkeys((library.modules[0], *library.prefixes), name))
    return {**more, **found, NEUTRAL: "", **dict.fromkeys(_SHORT, "")}


@cache
def rules_of(title: str) -> str:
    """Return the name of the rules of a library, by its title; or ``""``."""
    return next((name for name, known in libraries().items() if known.title == title), "")


def scalar_rules() -> str:
    """Return the name of the rules of scalars, which are NumPy's wherever they are met."""
    return rules_of(SCALAR_LIBRARY)


def is_like_scalars(library: Library | None) -> bool:
    """Return whether the arrays of a library have the methods of NumPy's."""
    if library is None:
        return False
    root, _, last = library.import_as[0].rpartition(".")
    is_own = not library.modules or (root or last) in library.modules
    return is_own and last == libraries()[scalar_rules()].import_as[0]


def has_scalar_dtypes(library: Library | None) -> bool:
    """Return whether the dtype objects of a library are NumPy's."""
    return library is not None and library.dtypes_in == libraries()[scalar_rules()].dtypes_in


def located(words: Sequence[str]) -> tuple[str, str, str]:
    """Return whose a dotted name is: a library's rules, those of the module, and what is inside.

    A module may have rules of its own. What a name does not have is ``""``.

    >>> located(["jnp", "linalg", "inv"]), located(["jax", "lax", "add"]), located(["sin"])
    (('jax', 'jax', 'linalg.inv'), ('jax', 'jax-lax', 'add'), ('', '', 'sin'))
    """
    first, *rest = words
    if not rest or first not in roots():
        return "", "", ".".join(words)
    home, part = roots()[first], f"{first}-{rest[0]}"
    if part in libraries() and len(rest) > 1:
        return home, part, ".".join(rest[1:])
    _, _, tail = libraries()[home].import_as[0].partition(".") if home else ("", "", "")
    if rest[0] == tail and len(rest) > 1:
        rest = rest[1:]
    return home, home, ".".join([_SHORT[first], *rest] if first in _SHORT else rest)


def find(name: str) -> Function | None:
    """Return the function of a name inside a library, or None: a namespace has its own functions.

    >>> find("linalg.inv").name, find("linalg.add"), find("nosuch.matmul")
    ('inv', None, None)
    """
    known = function(name) or function(f"{name}[0]")
    if known is not None and name.isidentifier():  # all of the results, not the first
        known = FUNCTIONS.get(known.name.removesuffix("[0]"), known)
    return known


def outer_of(name: str) -> Function | None:
    """Return the function whose pairs a name such as ``add.outer`` takes, or None."""
    first, _, last = name.rpartition(".")
    known = function(first) if last == "outer" and "." not in first else None
    return known if known and known.category == "elementwise" and known.operands == 2 else None
