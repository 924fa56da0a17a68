"""Operands: what users pass, read without regard to any rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeGuard

from . import foreign
from .dtypes import (
    PYTHON_SCALARS,
    WEAK,
    DType,
    by_name,
    dtype,
    is_dtype,
    is_name,
    is_spelled,
    not_a_number,
    unmodelled,
)
from .errors import DTypeError, SupremumError, short, shorten
from .libraries import Library, library_prefixed
from .shapes import UNKNOWN, Shape

SCALAR_LIBRARY: Final = "NumPy"
"""The library whose scalars are operands of their own form."""

DEFAULT: Final = "the default dtype"
"""The text of the operand that stands for the operands of a function that takes none."""

# What NumPy makes of an object of a class derived from one of Python's numbers.
_DERIVED: Final = ((int, "int64"), (float, "float64"), (complex, "complex128"))


_CLASSES: Final = {"int": int, "float": float, "complex": complex}


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
        library: the title of the library that it comes from, or that its prefix names; or ``""``.
        shape: the lengths of an array, `UNKNOWN` for one that is not known; or None for a dtype
            and for an array whose number of dimensions is not known.
        value: the number that a Python scalar is, or a scalar or 0-d array of NumPy; else None.
        swapped: whether it is an array in the byte order of another machine.
    """

    text: str
    dtype: DType
    weak: bool
    form: str
    library: str = ""
    shape: Shape | None = None
    value: complex | None = None
    swapped: bool = False

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None for a dtype and for an array where it is unknown."""
        return None if self.shape is None else len(self.shape)

    def ranked(self, rank: int | None) -> Operand:
        """Return the operand with a number of dimensions, of unknown lengths if it changes."""
        if rank == self.rank:
            return self
        return self._replace(shape=None if rank is None else (UNKNOWN,) * rank)

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
    def is_whole(self) -> bool:
        """Whether it is a Python int or bool, or an integer scalar of NumPy."""
        if self.form == "Python scalar":
            return isinstance(self.value, int)
        return self.form == "scalar" and self.dtype.kind in ("unsigned", "signed")

    @property
    def is_unranked(self) -> bool:
        """Whether it is an array whose number of dimensions is unknown."""
        return self.form == "array" and self.rank is None

    def describe(self) -> str:
        """Return what it is, in words: ``Python float, weak``."""
        form = "dtype" if self.form == "type" else self.form
        name = f"Python {self.library}" if self.is_python else f"{self.library} {form}".strip()
        return f"{name}, weak" if self.weak else name


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
        return Operand(short(x), python, python.weak, "Python scalar", name, (), x)
    if isinstance(x, Operand):
        return x
    if type(x) is type and x in PYTHON_SCALARS:
        found = PYTHON_SCALARS[x]
        return Operand(found.name, found, found.weak, "type")
    if is_dtype(x) and not foreign.is_numpy_scalar(x):
        found = dtype(x)
        if isinstance(x, str):
            return Operand(found.name, found, found.weak, "dtype", library_before(x))
        own = foreign.library_of_class(x if isinstance(x, type) else type(x))
        text = _own_name(x, found, own)
        return Operand(text, found, found.weak, "dtype", own.title if own else "")
    inner = foreign.dtype_of(x)
    if inner is not None:
        return _array(x, dtype(inner))
    for base, width in _DERIVED:
        if isinstance(x, base):
            name = f"{base.__name__} subclass"
            return Operand(short(x), by_name(width), False, "Python subclass", name, (), base(x))  # type: ignore[arg-type]  # it is derived from it
    if x is None:
        raise DTypeError(
            "None is not a valid operand (NumPy treats None as float64); type 'float64'", x
        )
    raise DTypeError(f"{short(x)} is not an operand; {_instead_of(x)}", x)


def _own_name(d: Any, found: DType, library: Library | None) -> str:
    """Return what a library calls a dtype, if it has a text for it, or our name."""
    name = getattr(d, "name", "")
    is_own = library is not None and library.dtypes_as_text and name in dict(library.read_as)
    return str(name if is_own else found)


def _instead_of(x: Any) -> str:
    """Return what to pass instead of what is no operand."""
    if hasattr(x, "dtypes"):
        several = "*x.dtypes.values()" if isinstance(x.dtypes, Mapping) else "*x.dtypes"
        return f"pass a column, or its dtypes, with {several}"
    if isinstance(x, (list, tuple, set, dict)):
        unpacked = "*x.values()" if isinstance(x, dict) else "*x"
        return f"pass what is in it one by one, as with {unpacked}, or an array of it"
    if callable(x):
        return "supremum.eval_dtypes(function, ...) runs a function on dtypes"
    return "pass an array, a dtype, its name, or a Python number"


def is_list(x: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Return whether something is a list or a tuple, which an operand is by its class alone."""
    return type(x) in (list, tuple)


def can_parse(text: str) -> bool:
    """Return whether a word is a dtype, an array of one, or a number."""
    try:
        parse(text)
    except SupremumError:
        return False
    return True


def parse(text: str) -> Operand:
    """Return the operand that a word of the command line describes.

    Args:
        text: ``int32``, or the code ``i32``, which has one reading; ``float32[]`` for a 0-d array,
            ``float32[3]`` for a 1-d one, ``float*[3]`` for a weakly typed one; ``1``, ``1.5``,
            ``2j``, ``True``, or ``int*``. A module may stand before a dtype, as in ``np.float32``.

    Raises:
        DTypeError: for any other string.

    >>> parse("int8[3]").dtype, parse("1e3").dtype
    (supremum.dtype('int8'), supremum.dtype('float*'))
    >>> parse("torch.long").text, parse("torch.long").library
    ('int64', 'PyTorch')
    """
    number = _number(text)
    if number is not None:
        return number
    if text in _CLASSES:
        return operand(_CLASSES[text])
    if why := unmodelled(text) or (not_a_number(text) if text.endswith(")") else ""):
        raise DTypeError(why, text)
    name, bracket, sizes = text.partition("[")
    called, parenthesis, inside = name.partition("(")
    if text.endswith(")") and parenthesis and ("." not in called or inside != ")"):
        what = f"{shorten(text)!r} is an expression, and stands alone; beside other operands"
        name = called.rpartition(".")[2]
        instead = f"{name}[]" if is_name(name) else "its dtype and sizes, as in int64[3]"
        raise DTypeError(f"{what} write {instead}", text)
    if bracket and not name:
        what = f"{shorten(text)!r} has no dtype; write that and sizes, as in int64[3]"
        raise DTypeError(what, text)
    found, own = dtype(name), library_before(text)
    if not bracket:
        return operand(found)._replace(library=own)
    inner = sizes.removesuffix("]").strip()
    shape = [size.strip() for size in inner.split(",")] if inner else []
    if not sizes.endswith("]") or not all(s.isascii() and s.isdigit() for s in shape):
        way = f"write its sizes as in {name}[3], {name}[2,3] or {name}[]"
        msg = f"{shorten(text)!r} is not an array; {way}"
        raise DTypeError(msg, text)
    return Operand(text, found, found.weak, "array", own, tuple(map(int, shape)))


def begins_as_operand(text: str) -> bool:
    """Return whether a string is a number, or names a dtype where `parse` expects one."""
    if _number(text) is not None or unmodelled(text):
        return True
    name = text.partition("[")[0]
    return is_spelled(name) or is_name(name)


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


def library_before(text: str) -> str:
    """Return the title of the library whose prefix stands before a dtype, or ``""``."""
    word, dot, _ = text.partition("[")[0].partition(".")
    library = library_prefixed(word) if dot else None
    return library.title if library is not None else ""


def _whole(text: str) -> int:
    """Return the int that a string of digits stands for, however many there are."""
    digits = text.lstrip("+-")
    if len(digits) > 100_000:
        raise DTypeError(f"an int of {len(digits):,} digits is too long to be an operand", text)
    value = 0
    for start in range(0, len(digits), 1000):  # Python converts no more than 4,300 at once
        part = digits[start : start + 1000]
        value = value * 10 ** len(part) + int(part)
    return -value if text.startswith("-") else value


def _array(x: Any, found: DType) -> Operand:
    library = foreign.library_of_class(type(x))
    weak = found.weak or foreign.is_weak(x)
    shape = foreign.shape_of(x)
    value = foreign.value_of(x, shape)
    if foreign.is_numpy_scalar(x):
        return Operand(f"{found}()", found, weak, "scalar", SCALAR_LIBRARY, (), value)
    title = library.title if library is not None else foreign.root_of(type(x))
    name = _own_name(foreign.dtype_of(x), found, library)
    text = f"{name}[{shorten(foreign.sizes_of(x, shape))}]"
    return Operand(text, found, weak, "array", title, shape, value, foreign.is_swapped(x))
