"""Recognising what users pass: dtypes and arrays of any library, none of which is imported.

An object is recognised by the module and the name of its type. So an array of an unknown library
is an operand as soon as it has a ``dtype`` whose name is in the catalogue.
"""

from __future__ import annotations

import sys
from typing import Any, Final, NamedTuple

from .dtype_names import by_name, find_code, from_code
from .dtypes import WEAK, DType
from .errors import DTypeError, shorten
from .interruptions import is_interruption
from .libraries import library_of_module

PYTHON_SCALARS: Final = {
    bool: by_name("bool"),
    int: WEAK["int"],
    float: WEAK["float"],
    complex: WEAK["complex"],
}
"""What each of Python's number types stands for."""

# NumPy's scalar types that stand for more than one dtype.
_FAMILIES = {
    "generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating",
    "complexfloating", "flexible", "character",
}  # fmt: skip


class Operand(NamedTuple):
    """What a user passed, read without regard to any rules.

    Attributes:
        text: how a report names it: ``int32``, ``float32[3]``, ``1.5``.
        dtype: its dtype. A Python scalar has a weak one (``float*``), an object of a class derived
            from a Python number the one that NumPy gives it.
        weak: whether it defers to the width of others: Python scalars, and weakly typed arrays
            of JAX, which have a dtype with a width all the same.
        form: ``"dtype"``, ``"array"``, ``"scalar"`` (of NumPy), ``"Python scalar"``,
            ``"Python subclass"`` for an object of a class derived from a Python number, or
            ``"type"`` for one of the classes of Python's numbers.
        library: where it comes from, as its library is written, or ``""``.
        rank: the number of dimensions, or None for a dtype and for an array whose rank is unknown.
        value: the number that a Python scalar is, or a scalar or 0-d array of NumPy; else None.
    """

    text: str
    dtype: DType
    weak: bool
    form: str
    library: str = ""
    rank: int | None = None
    value: complex | None = None

    @property
    def weak_dtype(self) -> DType:
        """The weak dtype of the operand's kind; bool has none and stays bool."""
        kinds = {"bool": self.dtype, "float": WEAK["float"], "complex": WEAK["complex"]}
        return kinds.get(self.dtype.kind, WEAK["int"])

    @property
    def is_python(self) -> bool:
        """Whether it is a Python number, or an object of a class derived from one."""
        return self.form.startswith("Python")

    @property
    def number(self) -> Any:
        """The value of a Python number, or None for any other operand."""
        return self.value if self.is_python else None

    @property
    def is_unranked(self) -> bool:
        """Whether it is an array whose number of dimensions is unknown."""
        return self.form == "array" and self.rank is None

    def describe(self) -> str:
        """Return what it is, in words: ``Python float, weak``."""
        form = "dtype" if self.form == "type" else self.form
        name = f"Python {self.library}" if self.is_python else f"{self.library} {form}".strip()
        return f"{name}, weak" if self.weak else name


def dtype(x: Any) -> DType:
    """Return the dtype that a name, a type or another library's dtype object stands for.

    Args:
        x: a full name (``"float32"``, ``"int*"``); Python's ``bool``, ``int``, ``float`` or
            ``complex``, of which the last three are weak; a dtype or scalar type of NumPy,
            ml_dtypes, JAX, PyTorch, TensorFlow, MLX, tinygrad or CuPy, in any byte order.

    Raises:
        DTypeError: for anything else. A short code is refused with its readings, and an array
            or a number with what to type instead.

    >>> import numpy as np
    >>> dtype("float32") is dtype(np.float32) is dtype(np.dtype(">f4"))
    True
    >>> dtype(float)
    supremum.dtype('float*')
    """
    if isinstance(x, DType):
        return x
    if isinstance(x, str):
        if is_numpy_scalar(x):
            raise DTypeError(f"{short(x)} is a string of NumPy, not a dtype; pass str(x)", x)
        return by_name(str(x))
    if isinstance(x, type):
        return _of_type(x)
    name = _foreign_name(x)
    if name is not None:
        return _named(name, x)
    if type(x) in PYTHON_SCALARS:
        msg = (
            f"{short(x)} is a number, not a dtype; for the dtype of Python's numbers type "
            f"{type(x).__name__}, or pass the number to result_type"
        )
        raise DTypeError(msg, x)
    if _inner_dtype(x) is not None:
        what = f"{type(x).__module__}.{type(x).__name__}"
        msg = f"{what} is an operand, not a dtype; pass its .dtype, or pass it to result_type"
        raise DTypeError(msg, x)
    msg = f"{short(x)} is not a dtype; pass a full name such as 'float32', or a library's dtype"
    raise DTypeError(msg, x)


def is_dtype(x: Any) -> bool:
    """Tell whether something is a dtype, a name or a type, which `dtype` may be able to read."""
    return isinstance(x, (str, DType, type)) or _foreign_name(x) is not None


def is_numpy_scalar(x: Any) -> bool:
    """Tell whether something is a scalar of NumPy, which may be a string that is no name."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.generic)


def operand(x: Any) -> Operand:
    """Return what `x` is as an operand of a promotion.

    Args:
        x: anything that `dtype` takes; a Python number; an array, scalar or tracer of any
            library: whatever has a ``dtype``, of any shape, on any device.

    Raises:
        DTypeError: for anything else, such as a list.

    >>> operand(1.0).describe(), operand("int32").describe()
    ('Python float, weak', 'dtype')
    """
    python = PYTHON_SCALARS.get(type(x))
    if python is not None:
        name = type(x).__name__
        return Operand(short(x), python, python.weak, "Python scalar", name, 0, x)
    if isinstance(x, Operand):
        return x
    if type(x) is type and x in PYTHON_SCALARS:
        found = PYTHON_SCALARS[x]
        return Operand(found.name, found, found.weak, "type")
    if is_dtype(x) and not is_numpy_scalar(x):
        found = dtype(x)
        return Operand(found.name, found, found.weak, "dtype")
    inner = _inner_dtype(x)
    if inner is not None:
        return _array(x, dtype(inner))
    bases: tuple[tuple[type[Any], str], ...]
    bases = ((int, "int64"), (float, "float64"), (complex, "complex128"))
    for base, width in bases:
        if isinstance(x, base):
            name, value = f"{base.__name__} subclass", base(x)
            return Operand(short(x), by_name(width), False, "Python subclass", name, 0, value)
    if x is None:
        raise DTypeError(
            "None is not a valid operand (NumPy treats None as float64); type 'float64'", x
        )
    msg = f"{short(x)} is not an operand; pass an array, a dtype, its name, or a Python number"
    raise DTypeError(msg, x)


def rank_of(x: Any) -> int | None:
    """Return the number of dimensions of an array, or None if it is unknown."""
    try:
        rank = getattr(x, "ndim", None)
        return rank if isinstance(rank, int) else len(x.shape)
    except Exception as error:  # an array of unknown rank raises what it likes
        if is_interruption(error):
            raise
        return None


def value_of(x: Any, rank: int | None) -> Any:
    """Return the value of a scalar or a 0-d array of NumPy, or None for any other array."""
    numpy = sys.modules.get("numpy")
    if numpy is None or rank != 0:
        return None
    return x.item() if isinstance(x, numpy.generic) or type(x) is numpy.ndarray else None


def parse(text: str) -> Operand:
    """Return the operand that a word of the command line describes.

    Args:
        text: ``int32`` or the bit code ``i32``, ``float32[]`` for a 0-d array, ``float32[3]``
            for a 1-d one, ``float*[3]`` for a weakly typed one, ``1``, ``1.5``, ``2j``,
            ``True``, or ``int*``; a module may stand before a dtype, as in ``np.float32``.

    Raises:
        DTypeError: for any other text.

    >>> parse("i8[3]").dtype, parse("1e3").dtype
    (supremum.dtype('int8'), supremum.dtype('float*'))
    >>> parse("torch.bfloat16").text
    'bfloat16'
    """
    number = _number(text)
    if number is not None:
        return number
    name, bracket, sizes = _split(text)
    if not bracket:
        return operand(from_code(name))
    found = from_code(name)
    inner = sizes.removesuffix("]").strip()
    shape = [size.strip() for size in inner.split(",")] if inner else []
    if not sizes.endswith("]") or not all(s.isascii() and s.isdigit() for s in shape):
        way = f"write its sizes as in {name}[3], {name}[2,3] or {name}[]"
        msg = f"{shorten(text)!r} is not an array; {way}"
        raise DTypeError(msg, text)
    return Operand(text, found, found.weak, "array", rank=len(shape))


def begins_as_operand(text: str) -> bool:
    """Tell whether a text is a number, or has the name of a dtype where `parse` wants it."""
    return _number(text) is not None or find_code(_split(text)[0]) is not None


def _number(text: str) -> Operand | None:
    if text in ("True", "False"):
        return operand(text == "True")
    if "[" in text:
        return None
    if text.isascii() and text.removeprefix("-").removeprefix("+").isdigit():
        return operand(_whole(text))
    for python in (int, float, complex):
        try:
            return operand(python(text))
        except ValueError:
            pass
    return None


def _split(text: str) -> tuple[str, str, str]:
    """Return the name of a dtype in a text, without a module before it, and what comes after."""
    whole, bracket, sizes = text.partition("[")
    module, _, name = whole.rpartition(".")
    is_module = all(word.isidentifier() for word in module.split(".") if module)
    return name if is_module else whole, bracket, sizes


def _whole(text: str) -> int:
    """Return the int that a text of digits writes, of as many digits as it has."""
    digits = text.lstrip("+-")
    if len(digits) > 100_000:
        raise DTypeError(f"an int of {len(digits):,} digits is too long to be an operand", text)
    value = 0
    for start in range(0, len(digits), 1000):  # Python converts no more than 4,300 at once
        part = digits[start : start + 1000]
        value = value * 10 ** len(part) + int(part)
    return -value if text.startswith("-") else value


def _of_type(x: type) -> DType:
    if x in PYTHON_SCALARS:
        return PYTHON_SCALARS[x]
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(x, numpy.generic):
        if x.__module__ == "numpy" and x.__name__ in _FAMILIES:
            msg = f"numpy.{x.__name__} is a family of dtypes; name one of them, such as 'float32'"
            raise DTypeError(msg, x)
        try:
            made = numpy.dtype(x)
        except TypeError as error:
            raise DTypeError(f"{short(x)} is not a dtype: {error}", x) from None
        return dtype(made)
    inner = getattr(x, "dtype", None)  # jax.numpy.float32 and its like
    if numpy is not None and isinstance(inner, numpy.dtype):
        return dtype(inner)
    library = library_of_module(_root(x))
    if library is not None and library.dtype_classes == x.__module__:
        try:
            return dtype(x())
        except TypeError:  # of nested values, which need the dtype of those
            pass
    name = getattr(x, "__name__", "") or short(x)
    raise DTypeError(f"the class {name} is not a dtype; pass a full name such as 'float32'", x)


def _root(kind: type) -> str:
    """Return the root of the module of a type, or ``""``."""
    module = getattr(kind, "__module__", None)
    return module.partition(".")[0] if isinstance(module, str) else ""


def _inner_dtype(x: object) -> Any:
    """Return the dtype object of an array, or None for what is none."""
    try:
        inner = getattr(x, "dtype", None)
        if inner is None and (library := library_of_module(_root(type(x)))) is not None:
            inner = getattr(x, library.dtype_attribute, None)
    except Exception as error:
        if is_interruption(error):
            raise
        what = f"the dtype of a {type(x).__name__} cannot be read: {type(error).__name__}: {error}"
        raise DTypeError(shorten(what, 300), None) from error
    return inner


def _foreign_name(x: object) -> str | None:
    """Return the name of another library's dtype object, or None for any other object."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.dtype):
        # other libraries' dtypes may have the same letters
        builtin = x.type.__module__ == "numpy"
        own = {"g": "longdouble", "G": "clongdouble"} if builtin else {}
        return own.get(x.char) or str(x.name)
    kind = type(x)
    if kind in PYTHON_SCALARS or kind is type:
        return None
    is_called_so = any(
        c.__name__.lower().lstrip("_") in ("dtype", "datatype") for c in kind.__mro__
    )
    library = library_of_module(_root(kind))
    if not is_called_so and (library is None or library.dtype_classes != kind.__module__):
        return None
    name = getattr(x, "name", None)
    name = name if isinstance(name, str) else str(x)
    name = name.rpartition(".")[2].removesuffix("_ref")
    read_as = dict(library.read_as) if library is not None else {}
    return read_as.get(name, name)


def _named(name: str, x: object) -> DType:
    try:
        return by_name(name)
    except DTypeError as error:
        raise DTypeError(f"cannot promote {short(x)}: {error}", x, error.candidates) from None


def _array(x: Any, found: DType) -> Operand:
    root = _root(type(x))
    library = library_of_module(root)
    title = library.title if library is not None else root
    # some libraries have an attribute for it, and others a class
    weak = bool(getattr(x, "weak_type", False)) or type(x).__name__.endswith("WeakTensor")
    weak = weak or found.weak
    rank = rank_of(x)
    value = value_of(x, rank)
    if is_numpy_scalar(x):
        return Operand(f"{found}()", found, weak, "scalar", SCALAR_LIBRARY, 0, value)
    try:
        sizes = ", ".join(map(str, x.shape))
    except Exception as error:  # an array of unknown sizes raises what it likes
        if is_interruption(error):
            raise
        sizes = "?"
    return Operand(f"{found}[{shorten(sizes)}]", found, weak, "array", title, rank, value)


SCALAR_LIBRARY: Final = "NumPy"


def short(x: object) -> str:
    """Return how a message names any object, however long it is."""
    try:
        text = repr(x).replace("\n", " ")
    except Exception as error:  # whatever it raises, the message is about something else
        if is_interruption(error):
            raise
        text = f"a {type(x).__name__}"
        if isinstance(x, int):
            text = f"an int of {x.bit_length():,} bits"
    return shorten(text)
