"""Functions of array code, evaluated without data: arrays of a dtype, a weakness and a shape.

A function is given stand-ins, which ask the evaluation that expressions are evaluated by. A length
that the values would tell, such as how many elements a mask selects, is unknown (None).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isnan
from types import CodeType
from typing import Any, Final, NoReturn

from .. import limits
from ..completion import completed
from ..deciding import rules_given, rules_of_operands
from ..dtypes import PYTHON_SCALARS, DType, dtype, find
from ..errors import DTypeError, short
from ..foreign import dtype_of
from ..operands import Operand, is_list, operand, parse
from ..shapes import Shape, text
from ..system import PromotionSystem
from ..systems import DEFAULT, system
from . import facts, names
from .called import called
from .evaluate import Evaluation, with_ends
from .parts import MIRRORED, SPECIAL, Limits, Named, Path, Traced, Value
from .place import Place

_PARTS: Final = ("linalg", "fft", "random")
_METHODS: Final = names.METHODS | {"tolist", "dim", "numel", "size", "to"}
_FIELDS: Final[Mapping[str, str]] = {
    "qr": "Q R", "eigh": "eigenvalues eigenvectors", "eig": "eigenvalues eigenvectors",
    "svd": "U S Vh", "slogdet": "sign logabsdet", "unique_counts": "values counts",
    "unique_inverse": "values inverse_indices",
    "unique_all": "values indices inverse_indices counts",
}  # fmt: skip
"""The names of several results, as the array API has them."""


class AbstractArray:
    """An array of a dtype and a shape, without elements; see `eval_dtypes`.

    It has the operators of arrays, and the methods that NumPy's have, so that code for NumPy can
    be followed.

    Args:
        program: what evaluates.
        made: the array.
    """

    __slots__ = ("_made", "_program")
    __hash__ = None  # type: ignore[assignment]  # as arrays have none

    def __init__(self, program: Program, made: Operand) -> None:
        self._program = program
        self._made = made

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self._made.dtype

    @property
    def weak_type(self) -> bool:
        """Whether it defers to the width of others."""
        return self._made.weak

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The lengths, None for one that is not known."""
        return tuple(None if isnan(n) else int(n) for n in self._lengths())

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._lengths())

    def _lengths(self) -> Shape:
        if self._made.shape is None:
            raise TypeError("the number of dimensions of the array is not known")
        return self._made.shape

    def __array_namespace__(self, *, api_version: Any = None) -> Space:  # there is one
        """Return the namespace of its functions."""
        return Space(self._program)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **how: Any) -> Any:
        """Return what a ufunc of NumPy gives."""
        words = ("np", ufunc.__name__, *([] if method == "__call__" else [method]))
        given = {k: v[0] if k == "out" else v for k, v in how.items() if v is not None}
        return self._program.call(words, inputs, given)

    def __array_function__(self, function: Any, _: Any, args: Any, kwargs: Any) -> Any:
        """Return what a function of NumPy gives."""
        part = function.__module__.removeprefix("numpy").strip(".")
        words = ("np", *([part] if part in _PARTS else []), function.__name__)
        return self._program.call(words, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not (name in _METHODS or self._program.has(self._made, name)):
            raise AttributeError(f"an array has no attribute {name!r}", name=name, obj=self)
        return self._program.attribute(self._made, name)

    def __getitem__(self, index: Any) -> Any:
        return self._program.item(self._made, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._program.store(self._made, index, value)

    def __len__(self) -> int:
        lengths = self._lengths()
        if not lengths:
            raise TypeError("len() of an array without dimensions")
        if isnan(lengths[0]):
            raise TypeError("the length of the array is not known, since values decide it")
        return int(lengths[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        facts = f"dtype={self.dtype}{', weak_type=True' if self.weak_type else ''}"
        return f"Array(shape={text(self._lengths())}, {facts})"

    def __abs__(self) -> Any:
        return self._program.call(("abs",), (self,), {})

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def _refuse(self, *_: Any) -> NoReturn:
        raise TypeError(
            f"an array without data has no values, only {self.dtype} and shape "
            f"{text(self._lengths())}: a program that needs them runs with data"
        )

    __bool__ = __int__ = __float__ = __complex__ = __index__ = __array__ = _refuse


def _asking(special: str, *, is_back: bool = False) -> Callable[..., Any]:
    def asked(self: AbstractArray, *others: Any) -> Any:
        parts = (*others, self) if is_back else (self, *others)
        return self._program.operation(special, parts)  # of this module

    return asked


def _storing(special: str) -> Callable[..., Any]:
    def stored(self: AbstractArray, other: Any) -> Any:
        return self._program.operation(special, (self, other), into=self._made)  # the same

    return stored


for _name in SPECIAL:
    setattr(AbstractArray, _name, _asking(_name))
    if _name not in MIRRORED and _name not in ("__neg__", "__pos__", "__invert__"):
        setattr(AbstractArray, f"__r{_name[2:]}", _asking(_name, is_back=True))
        setattr(AbstractArray, f"__i{_name[2:]}", _storing(_name))


class Space:
    """The namespace of the functions of stand-ins.

    Args:
        program: what evaluates.
        words: the parts of the namespace that it is in, such as ``linalg``.
    """

    def __init__(self, program: Program, words: Sequence[str] = ()) -> None:
        self._program = program
        self._words = tuple(words)

    @property
    def __name__(self) -> str:
        return ".".join(("supremum", *self._words))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        own = {
            "isdtype": limits.isdtype, "finfo": _of_dtype(limits.finfo),
            "iinfo": _of_dtype(limits.iinfo), "newaxis": None, "can_cast": self._program.can_cast,
        }  # fmt: skip
        if name in own and not self._words:
            return own[name]
        if name in names.CONSTANTS:
            return names.CONSTANTS[name]
        if not self._words and (d := find(name)) is not None:
            return d
        if name in _PARTS and not self._words:
            return Space(self._program, [name])
        words = (names.NEUTRAL, *self._words, name)
        if not self._program.knows(words):
            raise AttributeError(f"the namespace has no {'.'.join(words[1:])!r}", name=name)
        return lambda *args, **kwargs: self._program.call(words, args, kwargs)

    def __repr__(self) -> str:
        return f"<namespace of {self._program.rules.title} rules, without data>"


def _of_dtype(ask: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: ask(dtype_of(x) if isinstance(x, AbstractArray) else x)


class Program:
    """What evaluates a function: it turns what the function has into what the evaluation has.

    Args:
        rules: the rules.
        note: is called with each array that is made, as its dtype and shape in a text.
    """

    def __init__(
        self, rules: PromotionSystem, note: Callable[[AbstractArray], Any] = lambda _: None
    ) -> None:
        self.rules = rules
        self.evaluation = Evaluation(
            Place(), rules, called=called, is_free=False, otherwise=completed(rules)
        )
        self._note = note

    # what the function asks

    def operation(self, special: str, parts: Sequence[Any], into: Operand | None = None) -> Any:
        """Return what an operator gives, in the dtype of the array that it is stored in, if any."""
        if any(type(x) is str or x is None for x in parts):
            return NotImplemented
        found: Any = self.evaluation.operation(special, *map(self._inward, parts))
        if into is not None and not self.rules.weak_arrays:
            found = Value(self.evaluation, self.evaluation.stored(found.results[0], into))
        return self._outward(found)

    def call(self, words: tuple[str, ...], args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Return what a function gives."""
        path = Path(self.evaluation, words)
        return self._called(path, words[-1], args, kwargs)

    def _called(
        self, path: Traced, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Any:
        given = {k: self._inward(v) for k, v in kwargs.items() if k not in ("device", "like")}
        found = self.evaluation.call(path, tuple(map(self._inward, args)), given)
        return self._outward(found, name)

    def attribute(self, made: Operand, name: str) -> Any:
        """Return an attribute of an array, or a method."""
        found = self.evaluation.attribute(Value(self.evaluation, made), name)
        if isinstance(found, Path):
            return lambda *args, **kwargs: self._called(found, name, args, kwargs)
        return self._outward(found)

    def item(self, made: Operand, index: Any) -> Any:
        """Return an item of an array."""
        value = Value(self.evaluation, made)
        return self._outward(self.evaluation.item(value, self._index(index)))

    def store(self, made: Operand, index: Any, value: Any) -> None:
        """Refuse what cannot be stored in part of an array."""
        part: Any = self.evaluation.item(Value(self.evaluation, made), self._index(index))
        stored: Any = self._inward(value)
        self.evaluation.stored_in(part.results[0], stored.results[0])

    def has(self, made: Operand, name: str) -> bool:
        """Return whether an array has an attribute, or a method, of this name."""
        is_fact = name in facts.ATTRIBUTES or name in ("T", "mT", "real", "imag", "data")
        library = self.rules.library
        return (
            is_fact
            or bool(library and library.updates and name == library.updates)
            or (
                bool(made.rank)
                and bool(library and library.stores_in_place)
                and self.knows((name,))
            )
        )

    def knows(self, words: Sequence[str]) -> bool:
        """Return whether there is a function of a name, or what tells something of arrays."""
        name = names.located(words)[2]
        told = (*facts.TRUTHS, *facts.DTYPES_OF, *facts.FUNCTIONS, "shape", "astype")
        return names.find(name) is not None or name in told or names.outer_of(name) is not None

    def can_cast(self, from_: Any, to: Any) -> bool:
        """Return whether one dtype, or that of an array, promotes to another."""
        d = from_.dtype if isinstance(from_, AbstractArray) else from_
        return self.rules.can_promote(d, to)

    # there and back

    def _inward(self, x: Any) -> Any:
        """Return what the function passes as the evaluation takes it."""
        if isinstance(x, AbstractArray):
            return Value(self.evaluation, x._made)  # noqa: SLF001  # of this module
        if type(x) in PYTHON_SCALARS:
            return Value(self.evaluation, operand(x))
        if type(x) in (list, tuple):
            return type(x)(map(self._inward, x))
        if isinstance(x, str) or x is None or x is ... or isinstance(x, slice):
            return x
        if isinstance(x, DType) or (isinstance(x, type) and x not in PYTHON_SCALARS):
            return Named(self.evaluation, operand(dtype(x)))
        return Value(self.evaluation, operand(x))

    def _index(self, index: Any) -> Any:
        if isinstance(index, tuple):
            return tuple(map(self._index, index))
        if isinstance(index, slice):
            return with_ends(index, self._inward)
        return self._inward(index)

    def _outward(self, found: Any, name: str = "") -> Any:
        """Return what the evaluation gives as the function sees it."""
        if type(found) in (list, tuple):
            return type(found)(self._outward(x) for x in found)
        if isinstance(found, Limits):
            return limits.iinfo(found.dtype) if found.dtype.kind in (
                "signed", "unsigned") else limits.finfo(found.dtype)  # fmt: skip
        if isinstance(found, Named):
            return found.results[0].dtype
        if not isinstance(found, Value):
            return found
        made = [self._shown(x) for x in found.results]
        if not found.is_several:
            return made[0]
        fields = _FIELDS.get(name, "").split()
        return _several(name, fields)(*made) if len(fields) == len(made) else tuple(made)

    def _shown(self, made: Operand) -> Any:
        if made.form == "Python scalar":
            if made.value is None:
                raise TypeError("a number of an array without data has no value")
            return made.value
        shape = "?" if made.shape is None else text(made.shape).strip("(,)")
        array = AbstractArray(self, made._replace(text=f"{made.dtype}[{shape}]"))
        self._note(array)
        return array


def _several(name: str, fields: Sequence[str]) -> Any:
    from collections import namedtuple

    return namedtuple(name, fields)  # noqa: PYI024  # its fields are data


def eval_dtypes(
    function: Callable[..., Any],
    *operands: Any,
    rules: str | PromotionSystem | None = None,
    **options: Any,
) -> Any:
    """Return what a function of arrays gives, with dtypes, weakness and shapes, but no values.

    Args:
        function: it takes arrays; their namespace is ``x.__array_namespace__()``. Functions of
            NumPy work, too, as far as the rules have an answer for them.
        operands: dtypes with shapes, such as ``"int32[3, 4]"``, ``"float32[]"``, or weak ones
            such as ``"float32*[]"``; Python numbers; arrays of any library.
        rules: the rules, or their name; by default those of the library that the arrays are of, or
            else JAX's; without options, they are as their library is set now.
        options: those of the rules.

    Returns:
        What the function returns, with arrays that have a dtype and a shape alone. A length that
        depends on values is None.

    Raises:
        DTypeError: for something that is not an operand.
        PromotionError: if the rules refuse.
        ExpressionError: for shapes that do not fit, and for what is not modelled.
        TypeError: if the function needs the values of an array.

    >>> import supremum
    >>> def scaled(x, y):
    ...     return x * 2.5 + y
    >>> supremum.eval_dtypes(scaled, "int32[3, 4]", "float16[4]", rules="jax")
    Array(shape=(3, 4), dtype=float16)
    >>> supremum.eval_dtypes(scaled, "int32[3, 4]", "float16[4]", rules="numpy")
    Array(shape=(3, 4), dtype=float64)
    """
    given_one: Any = function
    if not callable(given_one):
        what = f"eval_dtypes takes a function, not {short(function)}"
        raise TypeError(f"{what}; supremum.explain('x + 1', x='float32[3]') takes expressions")
    arrays = [x for x in operands if type(x) is not str and type(x) not in PYTHON_SCALARS]
    if options:
        chosen = system(DEFAULT if rules is None else rules, **options)
    elif rules is None:
        chosen = rules_of_operands(arrays, lambda: rules_given(DEFAULT))
    else:
        chosen = rules_given(rules)
    program = Program(chosen)
    return function(*(given(program, x) for x in operands))


def given(program: Program, x: Any) -> Any:
    """Return an operand as a function is given it: an array without data, or a number.

    Raises:
        DTypeError: for something that is not an operand.
    """
    if type(x) in PYTHON_SCALARS:
        return x
    if not isinstance(x, str):
        if not is_list(x) and (read := operand(x)).form == "dtype":
            d = read.dtype
            raise DTypeError(f"{d} has no shape; write '{d}[3]', '{d}[2, 3]' or '{d}[]'", x)
        return program.call((names.NEUTRAL, "asarray"), (x,), {})
    name, bracket, sizes = x.partition("[")
    strong = name.removesuffix("*")
    is_weak = bool(bracket) and strong != name
    has_width = is_weak and strong not in ("int", "float", "complex")
    read = parse(f"{strong}[{sizes}" if has_width else x)
    if read.is_python:
        return read.value
    if read.form != "array":
        raise DTypeError(f"{x!r} has no shape; write {x}[3], {x}[2, 3] or {x}[]", x)
    d = getattr(program.rules.default_dtypes, strong) if is_weak and not has_width else read.dtype
    made = Operand(x, d, is_weak, "array", "", read.shape)
    return program._shown(made)  # noqa: SLF001  # of this module


def line_of_program(end: CodeType) -> tuple[str, int]:
    """Return the file and the line of the program that is running; none if it is a library's.

    Args:
        end: the code that calls the program, above which nothing is its.
    """
    frame = sys._getframe(1)  # noqa: SLF001  # the program's is above it
    while str(frame.f_globals.get("__name__")).partition(".")[0] in _LIBRARIES:
        if frame.f_back is None or frame.f_code is end:
            return "", 0
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


_LIBRARIES: Final = frozenset({__name__.partition(".")[0], "numpy"})
