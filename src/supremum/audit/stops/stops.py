"""Why a program stopped: the operation that was refused, its operands, and where they were born."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Final, NamedTuple

from ...core.errors import SupremumError
from ...core.operands import Operand, operand
from ..checks import calls
from ..checks.tracked_types import MAPPING, SEQUENCE, is_array, kind_of
from ..model.cells import BLOCKS, written
from ..model.locations import DTYPE_OF, LOCATIONS, Location, Span, text_of
from ..model.provenance import Origin
from ..record.base import BaseRecorder
from .dtype_errors import Refusal, message, refusal
from .frames import UNKNOWN, Operands, index_span, is_own_raise, location_at, member, span_at

INDEX: Final = -1
"""The number of the operand that is what a subscript is taken at."""

_MOST_ERRORS: Final = 100  # of a chain, or a group, that are looked at
_MOST_MODULES: Final = 2_000  # parts of a module of PyTorch among which one is looked for
LOOPS: Final = {"scan": (1, "init"), "while_loop": (2, "init_val"), "fori_loop": (3, "init_val")}
"""The loops of JAX, with the argument that is what they hand on first."""


class Value(NamedTuple):
    """An operand of the operation that was refused.

    Attributes:
        text: how it is written.
        operand: what it is.
        index: which of the spans of the place it is written at, or None.
        span: where it is written, or None.
        origin: where its dtype was born, as far as that is known.
        is_parameter: whether it is a parameter of the module of PyTorch that was called.
        crossing: the place where it went over from NumPy to its library, or None.
    """

    text: str
    operand: Operand
    index: int | None  # type: ignore[assignment]  # a tuple's own `index` has no use here
    span: Span | None
    origin: Origin | None
    is_parameter: bool = False
    crossing: int | None = None


class Stopped(NamedTuple):
    """An operation that was refused for its operands' dtypes.

    Attributes:
        refusal: what the error says of dtypes.
        error: the error, on one line.
        file: the file that the operation is in.
        span: where it is.
        number: the number of its place, or None if it is none that is watched.
        values: its operands, and the parameters of the module of PyTorch that it called.
        state: which of `values` a loop of JAX handed on, or None.
    """

    refusal: Refusal
    error: str
    file: str
    span: Span
    number: int | None
    values: tuple[Value, ...]
    state: int | None = None


def stopped(error: BaseException | None, recorder: BaseRecorder | None) -> Stopped | None:
    """Return why an exception was raised, or None if it is not about dtypes.

    In a chain or in a group, it is the first one that is about dtypes, from the outside in.
    Whatever fails while it is looked for, the answer is None.

    Args:
        error: the exception, with its traceback.
        recorder: what knows where values were born, if anything does.
    """
    try:
        for one in errors(error):
            found = refusal(one)
            if found is not None and not _is_remote(one):
                read = _read(one, found, recorder)
                if read is not None:
                    return read
    except Exception:  # noqa: BLE001  # the program is at its end, which stays as it is
        return None
    return None


def note(error: BaseException, recorder: BaseRecorder) -> None:
    """Write down why a program ends, or a thread of it."""
    found = stopped(error, recorder)
    recorder.failure = recorder.failure or _failure(error)
    if found is not None and found not in recorder.stops:
        recorder.stops.append(found)


def _failure(error: BaseException) -> str:
    """Return what an error is, and why it is not explained if it is not."""
    name = type(error).__name__
    told = f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"
    about = [one for one in errors(error) if refusal(one) is not None]
    if not about:
        return f"{told}, which is not about dtypes"
    if any(map(_is_remote, about)):
        return f"{told} about dtypes in another process; call the function in this one to see why"
    return (
        f"{told} about dtypes, in code that is not watched; --include PACKAGE watches an "
        "installed package, too"
    )


def errors(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an exception, and those that led to it or are in it."""
    waiting, seen = [error], set[int]()
    while waiting and len(seen) < _MOST_ERRORS:
        one = waiting.pop(0)
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions
        waiting.append(one.__cause__)
        if not one.__suppress_context__ and _is_raised(one):
            waiting.append(one.__context__)


def _is_raised(error: BaseException) -> bool:
    """Tell whether an exception is raised by a statement, which may wrap another on purpose."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and is_own_raise(trace)


def _is_remote(error: BaseException) -> bool:
    """Tell whether an exception was raised in another process."""
    return type(error.__cause__).__name__ in ("RemoteTraceback", "_RemoteTraceback")


def _read(error: BaseException, found: Refusal, recorder: BaseRecorder | None) -> Stopped | None:
    entries: list[TracebackType] = []
    trace = error.__traceback__
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    watched = LOCATIONS.files
    mine = next((i for i in reversed(range(len(entries))) if _file(entries[i]) in watched), None)
    if mine is None or (mine == len(entries) - 1 and is_own_raise(entries[mine])):
        return None
    at_span = span_at(entries[mine])
    if at_span is None:
        return None
    file, span = written(entries[mine].tb_frame.f_code.co_filename, at_span)
    at = location_at(file, span)
    told = f"{type(error).__name__}: {_first_line(message(error), found)}"
    if at is None:
        return Stopped(found, told, file, span, None, ())
    reader = _Reader(Operands(entries[mine], file), file, at[1], found, recorder)
    values = [*reader.operands(), *reader.parameters(entries[mine + 1 :])]
    state = None
    if found.sort == "carry" and (handed := reader.state(found.part)) is not None:
        values.append(handed)
        state = len(values) - 1
    return Stopped(found, told, file, at[1].span, at[0], tuple(values), state)


def _file(entry: TracebackType) -> str:
    """Return the file that an entry of a traceback is in, or what its cell is called."""
    name = entry.tb_frame.f_code.co_filename
    return BLOCKS[name].file if name in BLOCKS else name


def _first_line(text: str, found: Refusal) -> str:
    """Return the line of a message that says most."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if found.part:
        return next((line for line in lines if "so the dtypes do not match" in line), lines[0])
    if lines and lines[0].endswith("in user code:"):  # TensorFlow quotes the error itself
        return lines[-1].partition(": ")[2]
    return lines[0] if lines else ""


class _Reader:
    """Reads what an operation had to do with.

    Args:
        frame: reads the operands.
        file: the file that the operation is in.
        place: the operation.
        found: what the error says.
        recorder: what knows where values were born, if anything does.
    """

    def __init__(
        self,
        frame: Operands,
        file: str,
        place: Location,
        found: Refusal,
        recorder: BaseRecorder | None,
    ) -> None:
        self.frame = frame
        self.found = found
        self.file = file
        self.place = place
        self.recorder = recorder

    def operands(self) -> Iterator[Value]:
        """Yield the operands that are written out, and what the lists among them hold."""
        is_call = self.place.form == "call"
        arguments = self.place.spans[: len(self.place.keywords) + 1] if is_call else None
        for index, span in enumerate(self.place.spans if arguments is None else arguments):
            if span is None or (is_call and index and self._is_dtype(index)):
                continue
            value = self.frame.value(span)
            if value is UNKNOWN:
                born = self._born_at(index, span) or self._said(index, span)
                if born is not None:
                    yield born
            elif kind_of(value) in (SEQUENCE, MAPPING):
                yield from self._elements(index, value)
            elif (read := self._value(value, text_of(self.file, span), index, span)) is not None:
                yield read
        if self.place.form in ("item", "store"):
            span = index_span(self.file, self.place.span)
            value = self.frame.value(span) if span is not None else UNKNOWN
            if value is not UNKNOWN and span is not None and is_array(value):
                read = self._value(value, text_of(self.file, span), INDEX, span)
                if read is not None:
                    yield read

    def _is_dtype(self, index: int) -> bool:
        return self.place.keywords[index - 1] in ("dtype", DTYPE_OF)

    def _elements(self, index: int, whole: Any) -> Iterator[Value]:
        first = self.place.lists[index - 1] if self.place.form == "call" and index else 0
        text = self.place.operand_text(index)
        for number, element in enumerate(calls.elements(whole)[:_MOST_SHOWN]):
            at = first + number if first else index
            span = self.place.spans[at] if at < len(self.place.spans) else None
            name = self.place.operand_text(at) if first else f"{text}[{number}]"
            read = self._value(element, name, at if first else None, span if first else None)
            if read is not None and is_array(element):
                yield read

    def _value(self, value: Any, text: str, index: int | None, span: Span | None) -> Value | None:
        if not is_array(value) and type(value) not in calls.NUMBERS:
            return None
        try:
            read = operand(value)
        except (SupremumError, ValueError):  # a number may have more digits than Python prints
            return None
        origin = self.recorder.values.get(value) if self.recorder is not None else None
        if origin is not None and origin.dtype is not read.dtype:
            origin = None
        if origin is None and self.recorder is not None and read.library == "pandas":
            column = self.recorder.columns.named(member(value, "_name"))
            origin = column if column is not None and column.dtype is read.dtype else None
        crossing = None
        if origin is not None and self.recorder is not None and origin.library != read.library:
            crossing = self.recorder.crossings.of(value, origin)
        return Value(text, read, index, span, origin, crossing=crossing)

    def _born_at(self, index: int, span: Span) -> Value | None:
        """Return an operand that is gone, if its dtype was born where it is written."""
        if self.recorder is None:
            return None
        here = [
            origin
            for origin in self.recorder.origins.values()
            if origin.operand is None
            and LOCATIONS[origin.location].file == self.file
            and LOCATIONS[origin.location].span == span
        ]
        if len(here) != 1:
            return None
        origin = here[0]
        form = "scalar" if origin.scalar else "array"
        read = Operand(origin.dtype.name, origin.dtype, False, form, origin.library)
        return Value(text_of(self.file, span), read, index, span, origin)

    def _said(self, index: int, span: Span) -> Value | None:
        """Return what was to be stored, which is let go before, by what the error says of it."""
        if self.place.form != "store" or index != 1:
            return None
        number, got = self.found.number, self.found.got
        if number is not None:
            return Value(text_of(self.file, span), operand(number), index, span, None)
        if got is not None and (first := self.place.spans[0]) is not None:
            base = self.frame.value(first)
            library = operand(base).library if is_array(base) else ""
            read = Operand(got.name, got, False, "array", library)
            return Value(text_of(self.file, span), read, index, span, None)
        return None

    # what a call of a module of PyTorch computes with

    def parameters(self, below: Sequence[TracebackType]) -> Iterator[Value]:
        """Yield the parameters of the innermost module that an exception came through."""
        torch = sys.modules.get("torch")
        module = getattr(getattr(torch, "nn", None), "Module", None)
        if module is None:
            return
        selves = [entry.tb_frame.f_locals.get("self") for entry in below]
        inner = next((one for one in reversed(selves) if isinstance(one, module)), None)
        if inner is None:
            return
        name = self._path_to(inner)
        for key, parameter in (vars(inner).get("_parameters") or {}).items():
            if is_array(parameter):
                read = self._value(parameter, f"{name}.{key}", None, None)
                if read is not None:
                    yield read._replace(is_parameter=True)
        for key, buffer in (vars(inner).get("_buffers") or {}).items():
            if is_array(buffer):
                read = self._value(buffer, f"{name}.{key}", None, None)
                if read is not None:
                    yield read

    def _path_to(self, inner: Any) -> str:
        """Return how the program writes a module that it called, or one in it."""
        try:
            call = ast.parse(self.place.text, mode="eval").body
        except SyntaxError:
            return type(inner).__name__
        if not isinstance(call, ast.Call):
            return type(inner).__name__
        waiting = [(self.frame.read(call.func), ast.unparse(call.func))]
        for _ in range(_MOST_MODULES):
            if not waiting:
                break
            module, name = waiting.pop()
            if module is inner:
                return name
            parts = member(module, "_modules")
            for key, part in parts.items() if type(parts) is dict else ():
                waiting.append((part, f"{name}[{key}]" if key.isdecimal() else f"{name}.{key}"))
        return type(inner).__name__

    # what a loop of JAX hands on

    def state(self, part: str) -> Value | None:
        """Return the part of a carry that a loop was given, or None if it cannot be read."""
        position, keyword = LOOPS.get(self.place.name, (0, ""))
        named = self.place.keywords
        index = named.index(keyword) + 1 if keyword in named else position + 1
        if not keyword or index > len(named) or (keyword not in named and any(named[:index])):
            return None
        span = self.place.spans[index]
        value = self.frame.value(span) if span is not None else UNKNOWN
        path: list[Any] = [ast.literal_eval(key) for key in re.findall(r"\[(\d+|'[^']*')\]", part)]
        if self.place.name == "fori_loop":  # which hands its counter on, too
            path = path[1:]
        written = self.place.lists[index - 1]
        text = self.place.operand_text(index)
        for depth, key in enumerate(path):
            if written and depth == 0 and type(key) is int:
                at = written + key
                span = self.place.spans[at] if at < len(self.place.spans) else None
                text = self.place.operand_text(at)
            else:
                span, text = None, f"{text}[{key!r}]"
            value = _item(value, key)
        return None if value is UNKNOWN else self._value(value, text, None, span)


_MOST_SHOWN: Final = 8  # elements of a list


def _item(value: Any, key: Any) -> Any:
    """Return an element of a tuple, list or dictionary, whatever its class makes of it."""
    if isinstance(value, dict):
        return dict.get(value, key, UNKNOWN)
    if type(key) is int and isinstance(value, tuple) and key < len(value):
        return tuple.__getitem__(value, key)
    if type(key) is int and isinstance(value, list) and key < len(value):
        return list.__getitem__(value, key)
    return UNKNOWN
