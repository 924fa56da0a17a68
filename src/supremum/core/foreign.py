"""Other libraries' dtypes, arrays and scalars, recognised without importing their libraries.

An object is recognised by the module and the name of its type. So an array of an unknown library
is an operand as soon as it has a ``dtype`` whose name is in the catalogue.
"""

from __future__ import annotations

import operator
import sys
from typing import Any

from .libraries import Library, library_of_module
from .shapes import UNKNOWN, Shape

# NumPy's scalar types that stand for more than one dtype.
FAMILIES = frozenset({
    "generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating",
    "complexfloating", "flexible", "character",
})  # fmt: skip
# Classes of arrays whose functions have rules of their own, which are not modelled.
_OWN_RULES = frozenset({"MaskedArray", "matrix", "sparray", "spmatrix"})
_LONG_DOUBLES = {"g": "longdouble", "G": "clongdouble"}
_PYTHON = (bool, int, float, complex, type)


def root_of(kind: type) -> str:
    """Return the first word of the module of a type, or ``""``.

    >>> from fractions import Fraction
    >>> root_of(Fraction)
    'fractions'
    """
    module = getattr(kind, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else ""


def library_of_class(kind: type) -> Library | None:
    """Return the library of a class, or of the first class that it is derived from, or None."""
    known = (library_of_module(root_of(base)) for base in kind.__mro__)
    return next(filter(None, known), None)


def is_numpy_scalar(x: object) -> bool:
    """Return whether something is a scalar of NumPy, which may be a string that is not a name."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.generic)


def dtype_name(x: object) -> str | None:
    """Return the name of another library's dtype object, or None for any other object."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.dtype):
        # other libraries' dtypes may have the same letters
        own = _LONG_DOUBLES if x.type.__module__ == "numpy" else {}
        return own.get(x.char) or str(x.name)
    kind = type(x)
    if kind in _PYTHON:
        return None
    library = library_of_module(root_of(kind))
    if library is None or library.dtype_classes != kind.__module__:
        names = (c.__name__.lower().lstrip("_") for c in kind.__mro__)
        if not is_extension(kind) and not any(name in ("dtype", "datatype") for name in names):
            return None
    name = getattr(x, "name", None)
    name = name if isinstance(name, str) else str(x)
    name = name.rpartition(".")[2].removesuffix("_ref")
    return dict(library.read_as).get(name, name) if library is not None else name


def is_extension(kind: type) -> bool:
    """Return whether a class is of dtypes that extend those of NumPy's, as pandas has them."""
    return any(c.__name__ == "ExtensionDtype" for c in kind.__mro__)


def dtype_of(x: object) -> Any:
    """Return the dtype object of an array or a scalar, or None for any other object."""
    inner = getattr(x, "dtype", None)
    if inner is None and (library := library_of_module(root_of(type(x)))) is not None:
        inner = getattr(x, library.dtype_attribute, None)
    return inner


def is_array(x: object) -> bool:
    """Return whether something has a dtype, and is neither a class nor a scalar of NumPy."""
    return not isinstance(x, type) and not is_numpy_scalar(x) and dtype_of(x) is not None


def shape_of(x: Any) -> Shape | None:
    """Return the shape of an array, or None if its number of dimensions is unknown."""
    if not _has_shape(x):
        return None
    shape = getattr(x, "shape", None)
    rank = getattr(x, "ndim", None)
    if not isinstance(rank, int):  # TensorFlow's shapes have no length if it is unknown
        rank = len(shape) if isinstance(shape, (tuple, list)) else getattr(shape, "rank", None)
    if not isinstance(rank, int):
        return None
    lengths: tuple[Any, ...] = _lengths(shape)
    if len(lengths) != rank:
        return (UNKNOWN,) * rank
    return tuple(n if type(n) is int else _length(n) for n in lengths)


def _lengths(shape: Any) -> tuple[Any, ...]:
    try:
        return tuple(shape)  # which may be an array itself, without values
    except Exception:  # noqa: BLE001  # no shape, or one whose lengths are not known
        return ()


def _length(n: Any) -> float:
    """Return a length of a shape, which may be of a class of the library's, or not known."""
    try:
        return operator.index(n)
    except Exception:  # noqa: BLE001  # a symbol, or a length that is not computed yet
        return UNKNOWN


def sizes_of(x: Any, shape: Shape | None) -> str:
    """Return the sizes of an array as text, or ``"?"`` if they are unknown."""
    sizes: Any = getattr(x, "shape", None) if shape is not None else None
    return ", ".join(map(str, sizes)) if hasattr(sizes, "__iter__") else "?"


def _has_shape(x: Any) -> bool:
    """Return whether the shape of an array can be read, by the facts of its library."""
    library = library_of_module(root_of(type(x)))
    words = library.shapeless if library is not None else ()
    return not any(word == type(x).__name__ or getattr(x, word, False) is True for word in words)


def value_of(x: Any, shape: Shape | None) -> Any:
    """Return the value of a scalar or a 0-d array of NumPy, or None for any other array."""
    numpy = sys.modules.get("numpy")
    if numpy is None or shape != ():
        return None
    return x.item() if isinstance(x, numpy.generic) or type(x) is numpy.ndarray else None


def own_rules(x: object) -> str:
    """Return the class of an array whose functions have rules of their own, or ``""``."""
    classes = (kind.__name__ for kind in type(x).__mro__)
    return type(x).__name__ if any(name in _OWN_RULES for name in classes) else ""


def is_swapped(x: object) -> bool:
    """Return whether an array has the byte order of another machine, as NumPy's may have."""
    numpy, inner = sys.modules.get("numpy"), getattr(x, "dtype", None)
    return numpy is not None and isinstance(inner, numpy.dtype) and not inner.isnative


def is_weak(x: Any) -> bool:
    """Return whether an array is weakly typed: some libraries have an attribute, others a class."""
    kind = type(x)
    if kind.__name__.endswith("WeakTensor"):
        return True
    # another library's class that defines the dtype of its arrays would define this, too: objects
    # that compute what they are asked for are left alone
    if library_of_module(root_of(kind)) is None and _defines(kind, "dtype"):
        return _defines(kind, "weak_type") and bool(x.weak_type)
    return bool(getattr(x, "weak_type", False))


def _defines(kind: type, name: str) -> bool:
    return any(name in vars(c) for c in kind.__mro__)
