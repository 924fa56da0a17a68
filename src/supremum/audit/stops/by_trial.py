"""Whether an operation that was refused passes with another dtype, which says why it was refused.

In the frame that the error left, the operation is done once more as it was, which has to fail in
the same way, and then with another dtype for one operand at a time. Only what a library itself
computes is tried, on copies: nothing of the program runs, nothing is random, and nothing changes.
"""

from __future__ import annotations

import ast
import copy
import operator
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType, by_name, dtype
from ...core.errors import SupremumError
from ...core.functions import facts_of
from ...core.libraries import library_of_module
from ..log import calls
from ..log.known_functions import has_hooks
from ..log.libraries.torch_modules import Called
from ..log.tracked_types import is_array
from ..log.values.at_hand import in_dtype, is_few
from ..model.interruptions import is_interruption
from ..model.locations import Location, span_of
from ..model.source_file import source_file
from .frames import INDEX, UNKNOWN, Operands, item_of
from .messages import Refusal, is_integer, message

_OPERATORS: Final[Mapping[str, Callable[..., Any]]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "true_divide": operator.truediv, "floor_divide": operator.floordiv,
    "remainder": operator.mod, "power": operator.pow, "matmul": operator.matmul,
    "bitwise_and": operator.and_, "bitwise_or": operator.or_, "bitwise_xor": operator.xor,
    "left_shift": operator.lshift, "right_shift": operator.rshift,
    "negative": operator.neg, "positive": operator.pos, "invert": operator.inv,
}  # fmt: skip
_IN_INDICES: Final[Mapping[type, Callable[..., Any]]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Invert: operator.invert,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.Add: operator.add, ast.Sub: operator.sub,
}  # fmt: skip
"""What an index is computed by, of arrays that are there."""
_UNARY: Final = ("negative", "positive", "invert")
_PACKAGES: Final = ("numba", "scipy", "sklearn", "skimage")
"""Packages beside those of arrays whose functions compute, and change nothing else."""

_USUAL: Final = ("float32", "float64", "int64", "complex128", "bool")

Again = Callable[[Sequence[Any]], Any]
"""Does an operation again, with these operands."""


class Stop(NamedTuple):
    """An operation that was refused.

    Attributes:
        frame: reads the values of the frame.
        place: where it is.
        node: what is written there.
    """

    frame: Operands
    place: Location
    node: ast.AST | None


class Trial(NamedTuple):
    """An operation that can be done again.

    Attributes:
        operands: what it was done with.
        at: which of the spans of its place each is written at.
        again: does it with other operands.
        stores: whether it changes the first one.
        beside: arrays that it computes with beside its operands.
        usual: the names of dtypes to try that no operand has.
    """

    operands: Sequence[Any]
    at: Sequence[int]
    again: Again
    stores: bool = False
    beside: Sequence[Any] = ()
    usual: Sequence[str] = _USUAL


def refused(
    stop: Stop, error: BaseException, called: Called | None, known: Mapping[int, DType]
) -> Refusal | None:
    """Return why an operation was refused if another dtype mends it, or None.

    Args:
        stop: the operation.
        error: what it raised.
        called: the module of PyTorch that the error came through, if it did.
        known: the dtypes of operands, by which of the spans of the place they are written at.
    """
    trials = [_trial(stop.frame, stop.place, stop.node, known)]
    if called is not None:
        parts = [part for _, part, _ in called.parts()]
        trials = [_of_module(called), *trials]
        trials = [x._replace(beside=parts) for x in trials if x is not None]
    found = (_tried(trial, error) for trial in trials if trial is not None)
    return next(filter(None, found), None)


def _tried(trial: Trial, error: BaseException) -> Refusal | None:
    """Return what a trial of an operation says, or None."""
    if any(x is UNKNOWN for x in trial.operands) or not _is_small(trial.operands):
        return None
    if not all(_is_own(x) for x in trial.operands if is_array(x)):
        return None
    if _raised(trial.again, trial.operands) is not type(error):
        return None  # what came out depends on something else
    line = message(error).strip().partition("\n")[0]
    for index in (i for i, x in enumerate(trial.operands) if _is_swapped(x)):
        changed = [*trial.operands]
        changed[index] = changed[index].astype(changed[index].dtype.newbyteorder("="))
        if _raised(trial.again, changed) is None:
            [was] = _dtypes_of(trial.operands[index])
            return Refusal("order", was, at=trial.at[index], line=line)
    own = [*dict.fromkeys(d for x in (*trial.operands, *trial.beside) for d in _dtypes_of(x))]
    for index, d in _others(trial, own):
        if trial.stores and index == 0 and d in own:  # others have a share in it
            continue
        value = _cast(trial.operands[index], d)
        changed = [value if i == index else x for i, x in enumerate(trial.operands)]
        if value is not UNKNOWN and _raised(trial.again, changed) is None:
            return _said(trial, index, d, own)._replace(line=line)
    return _into(trial, line) if trial.stores and len(trial.operands) > 1 else None


def _into(trial: Trial, line: str) -> Refusal | None:
    """Return what it says if only another array has a place for what is stored."""
    pairs = product(_dtypes_of(trial.operands[0]), _dtypes_of(trial.operands[1]))
    for was, d in pairs:
        into = _cast(trial.operands[0], d)
        if into is not UNKNOWN and _raised(trial.again, [into, *trial.operands[1:]]) is None:
            return Refusal("into", d, was, line=line)
    return None


def _said(trial: Trial, index: int, d: DType, own: Sequence[DType]) -> Refusal:
    """Return what it says that an operation passes with another dtype of one operand."""
    [was], at = _dtypes_of(trial.operands[index]), trial.at[index]
    if d.kind == "bool":
        return Refusal("cast", was, d, at=at)
    if d.kind == "complex" and was.kind != "complex":
        return Refusal("cast", want=was)  # a complex number has no place there
    if at == INDEX and is_integer(d):
        return Refusal("integers", was, at=at)
    if is_integer(d) and not is_integer(was):
        return Refusal("integers", was, at=at) if d not in own else Refusal("cast", was, d, at=at)
    if d in own:
        return Refusal("cast", was, d) if trial.stores else Refusal("same", was, d)
    is_of_floats = is_integer(was) and not is_integer(d)
    return Refusal("floats", was) if is_of_floats else Refusal("cast", was, d, at=at)


def _others(trial: Trial, own: Sequence[DType]) -> Iterator[tuple[int, DType]]:
    """Yield which operand might have which other dtype.

    Those that are there come first, and what makes floats of integers before what cuts them off.
    """
    arrays = [(i, d) for i, x in enumerate(trial.operands) for d in _dtypes_of(x)]
    usual = [by_name(name) for name in trial.usual]
    for wanted in (own, [d for d in usual if d not in own]):
        pairs = [(i, was, d) for i, was in arrays for d in wanted if d is not was]
        pairs.sort(key=lambda pair: is_integer(pair[2]) and not is_integer(pair[1]))
        yield from ((i, d) for i, _, d in pairs)


def _dtypes_of(value: Any) -> list[DType]:
    """Return the dtype of an array, alone; of what is no array, nothing."""
    try:
        return [dtype(value.dtype)] if is_array(value) else []
    except SupremumError:
        return []


def _is_swapped(value: Any) -> bool:
    """Return whether the bytes of an array are in the order of other machines."""
    return is_array(value) and not getattr(value.dtype, "isnative", True)


def _is_small(operands: Sequence[Any]) -> bool:
    sizes = [prod(x.shape) for x in operands if is_array(x)]
    return bool(sizes) and all(map(is_few, sizes))


def _cast(value: Any, d: DType) -> Any:
    """Return a copy of an array in another dtype, or `UNKNOWN` if that has no place for it."""
    made = _made(value, d)
    if made is UNKNOWN or not is_integer(d):
        return made
    back = _made(made, dtype(value.dtype))  # libraries do not compare all dtypes
    return made if back is not UNKNOWN and bool((back == value).all()) else UNKNOWN


def _made(value: Any, d: DType) -> Any:
    try:
        return in_dtype(value, d)
    except Exception as error:
        if is_interruption(error):
            raise
        return UNKNOWN


def _raised(again: Again, operands: Sequence[Any]) -> type | None:
    """Return the class of what an operation raises, or None if it passes."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again([_copied(x) if is_array(x) else x for x in operands])
    except Exception as error:
        if is_interruption(error):
            raise
        return type(error)
    return None


def _copied(value: Any) -> Any:
    """Return a copy of an array, in which nothing of the program has a share."""
    if hasattr(value, "detach"):
        return value.detach().clone()
    return value.copy() if hasattr(value, "copy") else value  # others do not change


# what can be done again


def _trial(
    frame: Operands, place: Location, node: ast.AST | None, known: Mapping[int, DType]
) -> Trial | None:
    """Return an operation as it can be done again, or None."""
    if place.form == "operator" and place.name in _OPERATORS:
        return _of_operator(frame, place)
    if place.form == "call" and isinstance(node, ast.Call):
        return _of_call(frame, place, node)
    if place.form in ("item", "store") and (item := item_of(node)) is not None:
        return _of_item(frame, place, item.slice, known.get(1))
    return None


def _of_operator(frame: Operands, place: Location) -> Trial | None:
    compute = _OPERATORS[place.name]
    spans = place.spans[: 1 if place.name in _UNARY else 2]
    operands = [frame.value(span) if span is not None else UNKNOWN for span in spans]
    of_library = all(is_array(x) or type(x) in calls.NUMBERS for x in operands)
    usual = ("bool",) if place.name == "invert" else _USUAL  # floats that are a mask
    found = Trial(operands, (0, 1), lambda given: compute(*given), usual=usual)
    return found if of_library else None


def _of_item(
    frame: Operands, place: Location, index: ast.expr, stored: DType | None
) -> Trial | None:
    """Return an item that is taken, or stored in: its index is the last operand.

    If what is stored was let go before, a part of the array in its dtype stands for it.
    """
    spans = place.spans[: 2 if place.form == "store" else 1]
    operands = [frame.value(span) if span is not None else UNKNOWN for span in spans]
    if len(operands) > 1 and operands[1] is UNKNOWN:  # it was let go, and may be an item
        node = source_file(place.file).read(spans[1])
        operands[1] = computed(frame, node) if isinstance(node, ast.expr) else UNKNOWN
    at = computed(frame, index)
    if not _is_own(operands[0]) or len(operands) != len(spans) or at is UNKNOWN:
        return None
    if place.form == "item":  # in which the array stays as it is, whatever its size
        whole: Any = operands[0]
        return Trial([at], (INDEX,), lambda given: whole[given[0]])
    if operands[1] is UNKNOWN and stored is not None:
        part: Any = operands[0]
        operands[1] = _cast(part[at], stored)

    def again(given: Sequence[Any]) -> None:
        given[0][given[2]] = given[1]

    return Trial([*operands, at], (0, 1, INDEX), again, stores=True)


def computed(frame: Operands, node: ast.expr) -> Any:
    """Return a value, which may be an item, or computed of arrays by operators, or `UNKNOWN`."""
    value = frame.value(span_of(node))
    if value is not UNKNOWN:
        return value
    try:
        return _evaluated(frame, node)
    except Exception as error:
        if is_interruption(error):
            raise
        return UNKNOWN


def _evaluated(frame: Operands, node: ast.expr) -> Any:
    """Return an item of an array, an index, or what an operator gives of some, or `UNKNOWN`."""
    if isinstance(node, ast.Subscript):
        base, at = computed(frame, node.value), computed(frame, node.slice)
        return base[at] if _is_own(base) and _is_own(at) else UNKNOWN
    if isinstance(node, ast.Tuple):
        items = [computed(frame, part) for part in node.elts]
        return UNKNOWN if any(item is UNKNOWN for item in items) else tuple(items)
    if isinstance(node, ast.Slice):
        ends = [
            computed(frame, end) if end is not None else None
            for end in (node.lower, node.upper, node.step)
        ]
        return UNKNOWN if any(end is UNKNOWN for end in ends) else slice(*ends)
    if isinstance(node, ast.Constant):
        return node.value
    sign: ast.AST
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        sign, parts = node.ops[0], [node.left, *node.comparators]
    elif isinstance(node, ast.UnaryOp):
        sign, parts = node.op, [node.operand]
    elif isinstance(node, ast.BinOp):
        sign, parts = node.op, [node.left, node.right]
    else:
        return UNKNOWN
    compute, operands = _IN_INDICES.get(type(sign)), [computed(frame, part) for part in parts]
    are_own = all(_is_own(x) or type(x) in calls.NUMBERS for x in operands)
    return compute(*operands) if compute is not None and are_own else UNKNOWN


def _of_module(called: Called) -> Trial | None:
    """Return a module of PyTorch's own with what it was given, beside its parameters."""
    module, given = called.module, called.given
    if not _is_of_library(module) or not is_array(given) or has_hooks(module):
        return None
    operands = [given, *called.others]
    return Trial(operands, range(1, len(operands) + 1), lambda x: copy.deepcopy(module)(*x))


def _of_call(frame: Operands, place: Location, node: ast.Call) -> Trial | None:
    if facts_of(place.name).draws or not place.spans:
        return None
    base = frame.value(place.spans[0]) if place.spans[0] is not None else UNKNOWN
    is_method = isinstance(node.func, ast.Attribute) and is_array(base)
    function = calls.function_of(base, place.name) if base is not UNKNOWN else None
    if function is None and base is UNKNOWN:
        function = frame.read(node.func)
    if function is UNKNOWN or function is None or not _is_of_library(function):
        return None
    if has_hooks(function):
        return None
    given = [*node.args, *(k.value for k in node.keywords)]
    values = [_argument(frame, place, i, part) for i, part in enumerate(given)]
    names = [None] * len(node.args) + [k.arg for k in node.keywords]
    if any(isinstance(part, ast.Starred) for part in node.args) or None in names[len(node.args) :]:
        return None
    before = [base] if is_method else []

    def again(operands: Sequence[Any]) -> Any:
        own, rest = operands[: len(before)], operands[len(before) :]
        called = getattr(own[0], place.name) if own else copy.deepcopy(function)
        pairs = [*zip(rest, names, strict=True)]
        return called(
            *(x for x, name in pairs if name is None),
            **{name: x for x, name in pairs if name is not None},
        )

    at = [*range(1 - len(before), len(values) + 1)]
    return Trial([*before, *values], at, again, stores=is_method and place.name.endswith("_"))


def _argument(frame: Operands, place: Location, index: int, node: ast.expr) -> Any:
    """Return what an argument was, or `UNKNOWN`."""
    span = place.spans[index + 1] if index + 1 < len(place.spans) else None
    value = frame.value(span or span_of(node))
    if value is UNKNOWN and isinstance(node, (ast.Tuple, ast.List)):
        parts = [frame.read(part) for part in node.elts]
        made = tuple(parts) if isinstance(node, ast.Tuple) else parts
        value = UNKNOWN if any(part is UNKNOWN for part in parts) else made
    is_dtype = type(value).__name__.lower().endswith("dtype") or isinstance(value, type)
    return value if is_dtype or calls.is_data(value) else UNKNOWN


def _is_own(value: Any) -> bool:
    """Return whether a value is an array, and of a class that its library has itself."""
    return is_array(value) and _is_of_library(type(value))


def _is_of_library(function: Any) -> bool:
    """Return whether a function is a library's own, or was compiled by one."""
    modules = [getattr(x, "__module__", None) for x in (function, type(function))]
    roots = {m.partition(".")[0] for m in modules if isinstance(m, str)}
    if type(function).__module__ == "builtins" and roots == {"builtins"}:
        return type(function).__name__ in ("builtin_function_or_method", "method_descriptor")
    return any(library_of_module(root) is not None or root in _PACKAGES for root in roots)
