"""What types mean: the dtypes that a type, as a checker writes it, may have."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from typing import Final

from ...core.table import REFUSED

ANY: Final = "Any"
"""What stands among dtypes for one that a type leaves open."""

# NumPy's scalars are also of Python's types, where these are; REFUSED is what a checker rejects
_OTHERS: Final = {
    **dict.fromkeys(("Any", "Unknown", "object"), (ANY,)),
    **dict.fromkeys((REFUSED, "Never", "NoReturn"), ()),
    "bool": ("Python bool",),
    "int": ("Python int", "Python bool"),
    "float": ("Python float", "float64"),
    "complex": ("Python complex", "complex128"),
}
_HOLDS: Final = ("ndarray", "NDArray", "dtype")
"""The types whose last argument says which dtype it is."""


def short(text: str) -> str:
    """Return a type without the names of modules; of an array's type, that of its elements.

    >>> short("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.floating[Any]]]")
    'floating[Any]'
    """
    text = re.sub(r"\w+\.", "", text)
    found = re.fullmatch(r"(?:ndarray\[.*, dtype|NDArray)\[(.*?)\]\]?", text)
    return found[1] if found else text


@cache
def dtypes_of(text: str) -> frozenset[str]:
    """Return the dtypes that a type may have, with `ANY` if it leaves them open.

    A type that is none of NumPy's or Python's numbers is its own name.

    >>> sorted(dtypes_of("numpy.ndarray[tuple[Any, ...], numpy.dtype[numpy.unsignedinteger]]"))
    ['uint16', 'uint32', 'uint64', 'uint8']
    >>> dtypes_of("Never")
    frozenset()
    """
    try:
        # mypy writes a tuple of a class of its own with the class as a keyword
        return _dtypes(ast.parse(text.replace("fallback=", ""), mode="eval").body)
    except SyntaxError:
        return frozenset(_OTHERS.get(text, (text,)))


def _dtypes(node: ast.expr) -> frozenset[str]:
    if isinstance(node, ast.BinOp):
        return _dtypes(node.left) | _dtypes(node.right)
    arguments: list[ast.expr] = []
    base = node
    if isinstance(node, ast.Subscript):
        base, inner = node.value, node.slice
        arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    path = ast.unparse(base)
    name = path.rpartition(".")[2]
    if name in _HOLDS and arguments:
        return _dtypes(arguments[-1])
    if name in _OTHERS and not (arguments or path.startswith("numpy.")):
        return frozenset(_OTHERS[name])
    return _of_scalar(name, ast.unparse(arguments[0]) if arguments else "") or frozenset((path,))


def _of_scalar(name: str, width: str) -> frozenset[str]:
    """Return the dtypes of one of NumPy's classes of scalars; the width is as in ``_32Bit``."""
    np = import_module("numpy")
    scalar = vars(np).get(name)
    if not isinstance(scalar, type):
        return frozenset()
    bits = set() if ANY in width else {int(found) for found in re.findall(r"_(\d+)Bit\b", width)}
    parts = 2 if scalar is np.complexfloating else 1
    every = map(np.dtype, "?" + np.typecodes["AllInteger"] + np.typecodes["AllFloat"])
    found = [dtype for dtype in every if issubclass(dtype.type, scalar)]
    return frozenset(d.name for d in found if not bits or d.itemsize * 8 // parts in bits)
