"""What the operands of an operation were in a frame that an exception left behind.

Nothing of the program runs for it: variables are read, and the temporary variables in which
rewritten code keeps what it computed. What was let go meanwhile is not known.
"""

from __future__ import annotations

import ast
import dis
from collections.abc import Mapping
from functools import lru_cache
from inspect import getattr_static
from types import CodeType, TracebackType
from typing import Any, Final

from ..log import hooks
from ..log.shown_variables import temporaries
from ..log.tracked_types import NDARRAY, kind_of
from ..model.cells import written
from ..model.locations import LOCATIONS, Location, Span
from ..model.source_file import source_file

UNKNOWN: Final = object()
"""Stands for a value that cannot be read any more."""

INDEX: Final = -1
"""The number of the operand that is what a subscript is taken at."""

_WHOLE: Final = ("int", "int64", "int32", "intp")
"""The types of numbers that an array is read at: they give an element, or a view."""


def span_at(trace: TracebackType) -> Span | None:
    """Return where the expression is that an entry of a traceback was at."""
    positions = list(trace.tb_frame.f_code.co_positions())
    first, last, start, end = positions[trace.tb_lasti // 2]
    if first is None or last is None or start is None or end is None:
        return None
    return first, start, last, end


def is_own_raise(trace: TracebackType) -> bool:
    """Return whether an entry of a traceback is at a ``raise`` statement."""
    code = trace.tb_frame.f_code.co_code
    return dis.opname[code[trace.tb_lasti]] == "RAISE_VARARGS"


def location_at(file: str, span: Span) -> tuple[int, Location] | None:
    """Return the number of the location of a span, and the location, if there is one."""
    found = None
    for place, number in LOCATIONS.numbers_in(file).items():
        if place.span == span:
            return number, place
        # a call of a method over several lines is said to start at the method's name
        if place.form == "call" and place.span[2:] == span[2:] and place.span[:2] <= span[:2]:
            found = number, place
        # a store is the whole statement, and what it stores in comes first
        if place.form == "store" and place.span[:2] == span[:2] and span[2:] <= place.span[2:]:
            found = number, place
    return found


def item_of(node: ast.AST | None) -> ast.Subscript | None:
    """Return the item that an expression is, or that a statement assigns to, or None."""
    taken = node.targets[0] if isinstance(node, ast.Assign) else node
    return taken if isinstance(taken, ast.Subscript) else None


def index_of(node: ast.AST | None) -> ast.expr | None:
    """Return the index of an item, if it is one alone."""
    item = item_of(node)
    is_alone = item is not None and not isinstance(item.slice, (ast.Slice, ast.Tuple))
    return item.slice if item is not None and is_alone else None


class Operands:
    """Reads operands of the operation that a frame was at.

    Args:
        trace: the entry of a traceback with the frame.
        file: the file that its code is written in.
    """

    def __init__(self, trace: TracebackType, file: str) -> None:
        self._frame = frame = trace.tb_frame
        # it went on, to a handler or out of a `with`, and may have bound names anew
        went_on = frame.f_lasti != trace.tb_lasti
        self._rebound = _rebound(frame.f_code, trace.tb_lasti) if went_on else frozenset()
        self._file = file
        self._names = _own(frame.f_locals)
        self._temporaries = temporaries(frame)
        self._kept = _kept_in(frame.f_code)

    def value(self, span: Span) -> Any:
        """Return the value of what is written at a span, or `UNKNOWN`."""
        value = self._kept_at(span)
        node = source_file(self._file).read(span) if value is UNKNOWN else None
        return self.read(node) if isinstance(node, ast.expr) else value

    def read(self, node: ast.expr) -> Any:
        """Return the value of an expression that can be read without an effect, or `UNKNOWN`."""
        if isinstance(node, ast.Name):
            if node.id in self._rebound:
                return UNKNOWN
            for names in (self._names, _own(self._frame.f_globals)):
                if node.id in names:
                    return names[node.id]
            return UNKNOWN
        if isinstance(node, ast.Attribute):
            return member(self.read(node.value), node.attr)
        if isinstance(node, ast.Subscript):
            return self._item(self.read(node.value), node.slice)
        if isinstance(node, (ast.Constant, ast.UnaryOp, ast.BinOp)):
            try:
                return ast.literal_eval(node)
            except (ValueError, TypeError, MemoryError, RecursionError):
                return UNKNOWN
        return UNKNOWN

    def _item(self, whole: Any, index: ast.expr) -> Any:
        """Return an element of an array of NumPy, or `UNKNOWN`."""
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        at = [self.read(part) for part in parts]
        known = all(type(one).__name__ in _WHOLE for one in at)
        if kind_of(whole) != NDARRAY or not known:
            return UNKNOWN
        try:
            return whole[tuple(at)]
        except IndexError:
            return UNKNOWN

    def _kept_at(self, span: Span) -> Any:
        """Return what rewritten code keeps of an operand, or `UNKNOWN`."""
        for name in reversed(self._kept[0].get(span, ())):
            value = self._temporaries.get(name)
            if value is not None:
                return value
        for number in self._kept[1].get(span, ()):
            for name, aside in self._temporaries.items():  # in a comprehension, which has its own
                if name.startswith("@c") and type(aside) is dict and number in aside:
                    return aside[number]
            key = number, id(self._frame)
            if key in hooks._kept:  # noqa: SLF001  # nothing is taken out
                return hooks._kept[key]  # noqa: SLF001  # nothing is taken out
        return UNKNOWN


def member(value: Any, name: str) -> Any:
    """Return what a value has by a name, if it takes no code of the program; else `UNKNOWN`."""
    if value is UNKNOWN:
        return UNKNOWN
    try:
        found = getattr_static(value, name)
    except AttributeError:
        # PyTorch keeps the parameters and parts of a module in dictionaries
        for store in ("_parameters", "_modules", "_buffers"):
            parts = getattr_static(value, store, None)
            if type(parts) is dict and name in parts:
                return parts[name]
        return UNKNOWN
    is_computed = getattr_static(type(found), "__get__", None) is not None
    return UNKNOWN if is_computed else found


def _own(names: Any) -> Mapping[str, Any]:
    """Return the variables of a frame, unless they are in a namespace of the program's own."""
    if type(names) is dict or type(names).__name__ == "FrameLocalsProxy":
        return names  # type: ignore[no-any-return]  # it is a mapping
    return {}


def _rebound(code: CodeType, at: int) -> frozenset[str]:
    """Return the names that some code binds after an instruction, or in a loop."""
    stores: list[tuple[int, str]] = []
    loops: list[tuple[int, int]] = []
    for one in dis.get_instructions(code):
        if one.opname.startswith(("STORE_", "DELETE_")) and isinstance(one.argval, str):
            stores.append((one.offset, one.argval))
        elif "JUMP_BACKWARD" in one.opname:
            loops.append((one.argval, one.offset))
    return frozenset(
        name
        for offset, name in stores
        if offset > at or any(first <= offset <= last for first, last in loops)
    )


@lru_cache(maxsize=64)
def _kept_in(code: CodeType) -> tuple[dict[Span, list[str]], dict[Span, list[int]]]:
    """Return where operands of some code are kept: in variables, and under numbers.

    The places are those that `written` gives: of the code of a cell, in the cell.
    """
    names: dict[Span, list[str]] = {}
    numbers: dict[Span, list[int]] = {}
    holds = False
    for one in dis.get_instructions(code):
        places = one.positions
        if places is None or places.lineno is None or places.end_lineno is None:
            continue
        ends = places.end_lineno, places.end_col_offset or 0
        _, span = written(code.co_filename, (places.lineno, places.col_offset or 0, *ends))
        if one.opname == "STORE_FAST" and str(one.argval).startswith("@"):
            names.setdefault(span, []).append(one.argval)
        elif _is_holder(one):
            holds = True
        elif one.opname == "LOAD_CONST" and holds and type(one.argval) is int:
            numbers.setdefault(span, []).append(one.argval)
            holds = False
        elif one.opname not in ("PUSH_NULL", "CACHE", "PRECALL"):
            holds = False
    return names, numbers


def _is_holder(one: dis.Instruction) -> bool:
    """Return whether an instruction loads what keeps a value under the number that comes next."""
    if one.opname in ("LOAD_METHOD", "LOAD_ATTR"):
        return bool(one.argval == "setdefault")
    return one.opname == "LOAD_CONST" and one.argval is hooks.KEEP
