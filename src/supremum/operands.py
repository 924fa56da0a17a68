"""Recognising what users pass: dtypes and arrays of any library, none of which is imported.

An object is known by the module and the name of its type. So an array of a library that this
module has never heard of is an operand as soon as it has a ``dtype`` whose name is in the
catalogue.
"""

from __future__ import annotations

import sys
from typing import Any, Final, NamedTuple

from supremum.dtypes import WEAK, DType, by_name, from_code
from supremum.errors import DTypeError

PYTHON_SCALARS: Final = {
    bool: by_name("bool"),
    int: WEAK["int"],
    float: WEAK["float"],
    complex: WEAK["complex"],
}
"""What each of Python's number types stands for."""

_LIBRARY_NAMES = {
    "numpy": "NumPy",
    "ml_dtypes": "NumPy",
    "jax": "JAX",
    "jaxlib": "JAX",
    "torch": "PyTorch",
    "tensorflow": "TensorFlow",
    "mlx": "MLX",
    "cupy": "CuPy",
    "dask": "Dask",
    "paddle": "Paddle",
    "pandas": "pandas",
    "polars": "Polars",
    "pyarrow": "Arrow",
    "xarray": "xarray",
}

# The libraries whose dtypes have other names: tinygrad's and Arrow's are those of C's types.
_OTHER_NAMES = {
    "tinygrad": {
        "signed char": "int8",
        "short": "int16",
        "int": "int32",
        "long": "int64",
        "unsigned char": "uint8",
        "unsigned short": "uint16",
        "unsigned int": "uint32",
        "unsigned long": "uint64",
        "half": "float16",
        "__bf16": "bfloat16",
        "float": "float32",
        "double": "float64",
        "float8_e4m3": "float8_e4m3fn",
        "weakint": "int*",
        "weakfloat": "float*",
    },
    "pyarrow": {"halffloat": "float16", "float": "float32", "double": "float64"},
    "polars": {"boolean": "bool"},
}
_POLARS = "polars.datatypes.classes"  # each dtype of Polars is a class, and an object of it

# NumPy's scalar types that stand for more than one dtype.
_FAMILIES = {
    "generic", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating",
    "complexfloating", "flexible", "character",
}  # fmt: skip


class Operand(NamedTuple):
    """What a user passed, read without regard to any rules.

    Attributes:
        text: how a report names it: ``int32``, ``float32[3]``, ``1.5``.
        dtype: its dtype. A Python scalar has a weak one (``float*``).
        weak: whether it defers to the width of others: Python scalars, and weakly typed arrays
            of JAX, which have a dtype with a width all the same.
        form: ``"dtype"``, ``"array"``, ``"scalar"`` (of NumPy), ``"Python scalar"``, or
            ``"Python subclass"`` for an object of a class derived from a Python number.
        library: where it comes from, as its library writes itself, or ``""``.
        rank: the number of dimensions, or None for a dtype and where it is not known.
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
    def number(self) -> Any:
        """The value of a Python number, or None for any other operand."""
        return self.value if self.form.startswith("Python") else None

    def describe(self) -> str:
        """Return what it is, in words: ``Python float, weak``."""
        weak = ", weak" if self.weak and not self.form.endswith("subclass") else ""
        if self.form.startswith("Python"):
            return f"Python {self.library}{weak}"
        return f"{self.library} {self.form}".strip() + weak


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
        return by_name(x)
    if isinstance(x, type):
        return _of_type(x)
    name = _foreign_name(x)
    if name is not None:
        return _named(name, x)
    if type(x) in PYTHON_SCALARS:
        msg = (
            f"{x!r} is a number, not a dtype; type {type(x).__name__} for that of Python's numbers"
        )
        raise DTypeError(f"{msg}, or pass it to result_type", x)
    if getattr(x, "dtype", None) is not None:
        what = f"{type(x).__module__}.{type(x).__name__}"
        msg = f"{what} is an operand, not a dtype; pass its .dtype, or pass it to result_type"
        raise DTypeError(msg, x)
    msg = f"{_short(x)} is no dtype; pass a full name such as 'float32', or a dtype of a library"
    raise DTypeError(msg, x)


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
        return Operand(repr(x), python, python.weak, "Python scalar", name, 0, x)
    if isinstance(x, Operand):
        return x
    if isinstance(x, (str, DType, type)) or _foreign_name(x) is not None:
        found = dtype(x)
        return Operand(found.name, found, found.weak, "dtype")
    inner = getattr(x, "dtype", None)
    if inner is None and type(x).__module__.startswith("pyarrow"):
        inner = getattr(x, "type", None)
    if inner is not None:
        return _array(x, dtype(inner))
    for base, width in ((int, "int64"), (float, "float64"), (complex, "complex128")):
        if isinstance(x, base):
            name = f"{base.__name__} subclass"
            return Operand(_short(x), by_name(width), True, "Python subclass", name, 0, x)
    if x is None:
        raise DTypeError("None is no operand; NumPy takes it for float64: type 'float64'", x)
    msg = f"{_short(x)} is no operand; pass an array, a dtype, its name, or a Python number"
    raise DTypeError(msg, x)


def parse(text: str) -> Operand:
    """Return the operand that a word of the command line describes.

    Args:
        text: ``int32`` or the bit code ``i32``, ``float32[]`` for a 0-d array, ``float32[3]``
            for a 1-d one, ``float*[3]`` for a weakly typed one, ``1``, ``1.5``, ``2j``,
            ``True``, or ``int*``.

    Raises:
        DTypeError: for any other text.

    >>> parse("i8[3]").dtype, parse("1e3").dtype
    (supremum.dtype('int8'), supremum.dtype('float*'))
    """
    if text in ("True", "False"):
        return operand(text == "True")
    for python in (int, float, complex):
        try:
            return operand(python(text))
        except ValueError:
            pass
    name, bracket, sizes = text.partition("[")
    if not bracket:
        return operand(from_code(text))
    found = from_code(name)
    inner = sizes.removesuffix("]").strip()
    shape = [size.strip() for size in inner.split(",")] if inner else []
    if not sizes.endswith("]") or not all(s.isascii() and s.isdigit() for s in shape):
        msg = f"{text!r} is no array; write its sizes as in {name}[3], {name}[2,3] or {name}[]"
        raise DTypeError(msg, text)
    return Operand(text, found, found.weak, "array", rank=len(shape))


def _of_type(x: type) -> DType:
    if x in PYTHON_SCALARS:
        return PYTHON_SCALARS[x]
    root = x.__module__.partition(".")[0]
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(x, numpy.generic):
        if x.__module__ == "numpy" and x.__name__ in _FAMILIES:
            msg = f"numpy.{x.__name__} is a family of dtypes; name one of them, such as 'float32'"
            raise DTypeError(msg, x)
        return dtype(numpy.dtype(x))
    inner = getattr(x, "dtype", None)  # jax.numpy.float32 and its like
    if root == "jax" and inner is not None:
        return dtype(inner)
    if x.__module__ == _POLARS:
        return dtype(x())
    raise DTypeError(f"the class {x.__name__} is no dtype; pass a full name such as 'float32'", x)


def _foreign_name(x: object) -> str | None:
    """Return the name of another library's dtype object, or None for any other object."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.dtype):
        # other libraries' dtypes may have the same letters
        builtin = x.type.__module__ == "numpy"
        own = {"g": "longdouble", "G": "clongdouble"} if builtin else {}
        return own.get(x.char) or str(x.name)
    kind = type(x)
    root = kind.__module__.partition(".")[0]
    if kind.__name__.lower() not in ("dtype", "datatype") and kind.__module__ != _POLARS:
        return None
    name = getattr(x, "name", None)
    name = name if isinstance(name, str) else str(x)
    name = name.rpartition(".")[2].removesuffix("_ref")
    name = name.lower() if root in ("paddle", "polars") else name
    return _OTHER_NAMES.get(root, {}).get(name, name)


def _named(name: str, x: object) -> DType:
    try:
        return by_name(name)
    except DTypeError as error:
        msg = f"{_short(x)} has no place here: {error}"
        raise DTypeError(msg, x, error.candidates) from None


def _array(x: Any, found: DType) -> Operand:
    root = type(x).__module__.partition(".")[0]
    library = _LIBRARY_NAMES.get(root, root)
    # JAX has an attribute for it, and TensorFlow a class
    weak = bool(getattr(x, "weak_type", False)) or type(x).__name__.endswith("WeakTensor")
    weak = weak or found.weak
    shape = getattr(x, "shape", None)
    rank = getattr(x, "ndim", None)
    if not isinstance(rank, int):
        rank = None if shape is None else len(shape)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.generic):
        return Operand(f"{found}()", found, weak, "scalar", library, 0, x.item())
    value = x.item() if numpy is not None and type(x) is numpy.ndarray and rank == 0 else None
    try:
        sizes = ", ".join(map(str, shape)) if shape is not None else "?"
    except TypeError:
        sizes = "?"
    return Operand(f"{found}[{sizes}]", found, weak, "array", library, rank, value)


def _short(x: object) -> str:
    try:
        text = repr(x).replace("\n", " ")
    except Exception:  # noqa: BLE001  # whatever it raises, the message is about something else
        text = f"a {type(x).__module__}.{type(x).__name__}"
    return text if len(text) <= 60 else f"{text[:57]}..."
