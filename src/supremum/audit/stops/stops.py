"""Why a program stopped: the operation that was refused, and its operands with their origins."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.operands import Operand, operand
from ..log import calls
from ..log.libraries import columns, jax_loops, torch_modules
from ..log.libraries.torch_modules import Called
from ..log.recorder import Recorder
from ..log.tracked_types import FRAME, MAPPING, SEQUENCE, is_array, kind_of
from ..model import rows
from ..model.cells import BLOCKS, written
from ..model.dtypes import bits, family
from ..model.locations import DTYPE_OF, LOCATIONS, Location, Span, span_of, text_of
from ..model.provenance import Origin
from ..model.source_file import source_file
from ..model.wording import as_module, near
from . import by_trial
from .frames import (
    INDEX,
    UNKNOWN,
    Operands,
    index_of,
    is_own_raise,
    item_of,
    location_at,
    member,
    span_at,
)
from .messages import (
    Refusal,
    by_message,
    is_possible,
    meant_dtype,
    message,
    speaks_of_dtypes,
)

_TRIED: Final = ("other", "same", "floats", "integers")
"""The sorts of refusals of which a trial says more than the error does."""

_MOST_ERRORS: Final = 100  # of a chain, or a group, that are looked at
_MOST_SHOWN: Final = 8  # elements of a list


class Value(NamedTuple):
    """An operand of the operation that was refused.

    Attributes:
        text: how it is written.
        operand: what it is.
        index: which of the spans of the location it is written at, or None.
        span: where it is written, or None.
        origin: where its dtype was introduced, as far as that is known.
        is_parameter: whether it is a parameter of the module of PyTorch that was called.
        crossing: the location where it went over from NumPy to its library, or None.
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
        refusal: why they were refused.
        error: the error, on one line.
        file: the file that the operation is in.
        span: where it is.
        number: the number of its location, or None if it is not one that is watched.
        values: its operands, and the parameters of the module of PyTorch that it called.
        state: which of `values` a loop of JAX handed on, or None.
        calls: the program's calls that led to it, outermost first: the file and span of each.
    """

    refusal: Refusal
    error: str
    file: str
    span: Span
    number: int | None
    values: tuple[Value, ...]
    state: int | None = None
    calls: tuple[tuple[str, Span], ...] = ()


def stopped(error: BaseException | None, recorder: Recorder | None) -> Stopped | None:
    """Return why an exception was raised, or None if it is not about dtypes.

    In a chain or in a group, it is the first one that is about dtypes, from the outside in.
    Whatever fails while it is looked for, the answer is None.

    Args:
        error: the exception, with its traceback.
        recorder: what knows where values come from, if anything does.
    """
    try:
        found = (_read(one, recorder) for one in errors(error) if is_possible(one))
        return next(filter(None, found), None)
    except Exception:  # noqa: BLE001  # the program is at its end, which stays as it is
        return None


def note(error: BaseException, recorder: Recorder) -> None:
    """Record why a program ends, or a thread of it."""
    found = stopped(error, recorder)
    recorder.failure = recorder.failure or _failure(error)
    if found is not None and found not in recorder.stops:
        recorder.stops.append(found)
        recorder.log.forget_store(found.number)


def _failure(error: BaseException) -> str:
    """Return what an error is, and why it is not explained if it is not."""
    name = type(error).__name__
    what = f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"
    if isinstance(error, ImportError) and (instead := _to_import(error)):
        return f"{what}: {instead}"
    about = [one for one in errors(error) if by_message(one) is not None]
    if not about:
        named = next(filter(speaks_of_dtypes, errors(error)), None)
        if named is None:
            return f"{what}, which is not about dtypes"
        hint = meant_dtype(named) or ", but no change is known to be right for it"
        return f"{what}, which names dtypes{hint}"
    if any(map(_is_remote, about)):
        return f"{what} about dtypes in another process; call the function in this one to see why"
    return (
        f"{what} about dtypes, in code that is not watched; --include PACKAGE watches an "
        "installed package, too"
    )


def _to_import(error: ImportError) -> str:
    """Return what to type so that an import is found, or ``""`` if that is not known."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        if Path(package).is_dir() or Path(f"{package}.py").is_file():
            how = "Python looks for it in that of the program; type PYTHONPATH=. before the command"
            return f"{package} is in this folder, and {how}, or -m {package}"
        return (
            f"{package} is not installed beside supremum; install supremum where the "
            f"program runs, or type uvx --with {package} supremum audit"
        )
    names = next((e.tb_frame.f_globals for e in reversed(_entries(error)) if _is_main(e)), {})
    if names.get("__package__") or "__file__" not in names or "relative" not in message(error):
        return ""
    root, name = as_module(Path(names["__file__"]).absolute())
    if "." not in name:  # of a folder without an __init__.py
        root, name = root.parent, f"{root.name}.{name}"
    where = "" if root == Path.cwd() else f", in the folder {near(str(root))}"
    return f"it is a part of a package; type -m {name.removesuffix('.__main__')}{where}"


def _is_main(entry: TracebackType) -> bool:
    return entry.tb_frame.f_globals.get("__name__") == "__main__"


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
    """Return whether an exception is raised by a statement, which may wrap another on purpose."""
    entries = _entries(error)
    return bool(entries) and is_own_raise(entries[-1])


def _is_remote(error: BaseException) -> bool:
    """Return whether an exception was raised in another process."""
    return type(error.__cause__).__name__ in ("RemoteTraceback", "_RemoteTraceback")


def _entries(error: BaseException) -> list[TracebackType]:
    entries: list[TracebackType] = []
    trace = error.__traceback__
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    return entries


def _read(error: BaseException, recorder: Recorder | None) -> Stopped | None:
    entries, watched = _entries(error), LOCATIONS.files
    mine = next((i for i in reversed(range(len(entries))) if _file(entries[i]) in watched), None)
    if mine is None or (mine == len(entries) - 1 and is_own_raise(entries[mine])):
        return None
    at, said = _place(entries[mine]), by_message(error)
    if at is None or _is_remote(error):
        return None
    file, span = at
    number, place = location_at(file, span) or (None, Location(file, span, "", ""))
    reader = _Reader(Operands(entries[mine], file), file, place, recorder)
    values = [*reader.operands()]
    called = torch_modules.called(entries[mine + 1 :])
    found = said
    if found is None or found.sort in _TRIED:
        known = {v.index: v.operand.dtype for v in values if v.index is not None}
        stop = by_trial.Stop(reader.frame, place, reader.node)
        found = by_trial.refused(stop, error, called, known) or found
    if found is not None and found.sort == "missing":
        values += reader.lacking()
    if found is None or not reader.is_about_dtypes(found, values):
        return None
    values += [*reader.stored(found, values), *reader.columns(found.part)]
    values += reader.given(called, {v.operand.dtype for v in values})
    values += reader.parameters(called)
    handed = [*reader.handed_on(found)]
    if handed:  # the other parts of a carry are as they should be
        values = [value for value in values if value.index is not None]
    values += [value for value in handed if value not in values]
    state = values.index(handed[0]) if handed else None
    values += reader.returned(found)
    calls_before = (_place(entry) for entry in entries[:mine] if _file(entry) in watched)
    led = tuple(filter(None, calls_before))
    return Stopped(found, _line(error, said), file, place.span, number, tuple(values), state, led)


def _place(entry: TracebackType) -> tuple[str, Span] | None:
    """Return the file and the span that an entry of a traceback was at, or None."""
    span = span_at(entry)
    return written(entry.tb_frame.f_code.co_filename, span) if span is not None else None


def _file(entry: TracebackType) -> str:
    """Return the file that an entry of a traceback is in, or what its cell is called."""
    name = entry.tb_frame.f_code.co_filename
    return BLOCKS[name].file if name in BLOCKS else name


def _line(error: BaseException, said: Refusal | None) -> str:
    """Return an error with the line of its message that says most."""
    first, _, rest = message(error).strip().partition("\n")
    line = said.line if said is not None else first.strip()
    if first.endswith("in user code:") and rest:  # TensorFlow quotes the error itself
        line = rest.strip().splitlines()[-1].partition(": ")[2]
    return f"{type(error).__name__}: {line}"


def _items(whole: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the keys and elements of a list, a tuple or a dictionary; of others none."""
    if type(whole) is dict:
        yield from dict.items(whole)
    elif isinstance(whole, list):
        yield from enumerate(list.__iter__(whole))
    elif isinstance(whole, tuple):
        yield from enumerate(tuple.__iter__(whole))


def _inside(whole: Any, text: str) -> Iterator[tuple[str, Any]]:
    """Yield what is in a list, and in those in it, with what leads to it.

    There is no end of it if a list holds itself.
    """
    fields = getattr(type(whole), "_fields", ()) if isinstance(whole, tuple) else ()
    for key, value in _items(whole):
        name = f"{text}.{fields[key]}" if key in range(len(fields)) else f"{text}[{key!r}]"
        yield name, value
        yield from _inside(value, name)


def _parts(node: ast.AST | None) -> Iterator[ast.expr]:
    """Yield what an index is made of: what stands between commas, and the ends of slices."""
    item = item_of(node)
    if item is None:
        return
    for one in item.slice.elts if isinstance(item.slice, ast.Tuple) else [item.slice]:
        ends = [one.lower, one.upper, one.step] if isinstance(one, ast.Slice) else [one]
        yield from (end for end in ends if end is not None)


class _Reader:
    """Reads the operands of an operation.

    Args:
        frame: reads values.
        file: the file that the operation is in.
        place: the operation.
        recorder: what knows where values come from, if anything does.

    Attributes:
        array: one of the arrays among the operands; None before they are read.
    """

    def __init__(
        self, frame: Operands, file: str, place: Location, recorder: Recorder | None
    ) -> None:
        self.frame = frame
        self.file = file
        self.place = place
        self.recorder = recorder
        self.node = source_file(file).read(place.span)
        self.index = index_of(self.node) if place.form in ("item", "store") else None
        self.array: Any = None
        self._tables: list[tuple[str, Any]] = []

    def is_about_dtypes(self, found: Refusal, values: Sequence[Value]) -> bool:
        """Return whether a refusal that depends on values, too, is one of dtypes."""
        strong = [v.operand.dtype for v in values if not v.operand.is_python]
        if found.sort == "range":  # infinity is refused, too
            most = bits(found.want) if found.want is not None else 0
            return any(family(d) == "inexact" and bits(d) > most for d in strong)
        if found.sort == "integers" and self.index is not None:
            return not isinstance(self.frame.value(span_of(self.index)), str)
        return found.sort != "missing" or bool(strong)

    def operands(self) -> Iterator[Value]:
        """Yield the operands that are written out, and what the lists among them hold."""
        is_call = self.place.form == "call"
        count = len(self.place.keywords) + 1 if is_call else len(self.place.spans)
        for index, span in enumerate(self.place.spans[:count]):
            if span is not None and not (is_call and index and self._is_dtype(index)):
                yield from self._operand(index, span)
        if not self.place.form and isinstance(self.node, ast.Call):
            yield from self._inside(self.node.args)
        if self.index is not None:
            yield from self._whole_index(self.index)
        for part in _parts(self.node) if self.place.form in ("item", "store") else ():
            yield from self._part(part, is_alone=self.index is not None)

    def _whole_index(self, index: ast.expr) -> Iterator[Value]:
        """Yield an index that is an array, or a part of one that is no index."""
        span = span_of(index)
        value, whole = self.frame.value(span), index
        if value is UNKNOWN and isinstance(index, ast.Subscript):
            value = by_trial.computed(self.frame, index)
            while isinstance(whole, ast.Subscript):
                whole = whole.value
        if is_array(value):
            of = self.frame.read(whole) if whole is not index else value
            yield from self._value(value, text_of(self.file, span), INDEX, span, of)

    def _part(self, part: ast.expr, *, is_alone: bool) -> Iterator[Value]:
        """Yield a part of an index: an array among others, or a float, as a quotient is."""
        value, text = self.frame.value(span_of(part)), text_of(self.file, span_of(part))
        if type(value) is float:
            yield Value(text, operand(value), INDEX, span_of(part), None)
        elif is_array(value) and not is_alone:
            yield from self._value(value, text, INDEX, span_of(part))

    def _operand(self, index: int, span: Span) -> Iterator[Value]:
        """Yield what is written at a span, or what a list there holds."""
        value = self.frame.value(span)
        if value is UNKNOWN:
            yield from self._introduced_at(index, span) or self._about_to_be_stored(index, span)
            yield from self._indexed(index, span)
        elif kind_of(value) in (SEQUENCE, MAPPING):
            yield from self._elements(index, value)
        elif kind_of(value) == FRAME:
            self._tables.append((text_of(self.file, span), value))
        else:
            whole = self._changed_part(index, span)
            yield from self._value(value, text_of(self.file, span), index, span, whole)

    def _changed_part(self, index: int, span: Span) -> Any:
        """Return the array that a statement changes a part of in place, or None."""
        node = source_file(self.file).read(span)
        if self.place.form != "in place" or index or not isinstance(node, ast.Subscript):
            return None
        whole = self.frame.read(node.value)
        return whole if is_array(whole) else None

    def _indexed(self, index: int, span: Span) -> Iterator[Value]:
        """Yield the column that an attribute of pandas such as `loc` is of, if one is named."""
        source = source_file(self.file)
        node = source.find(span)
        if not isinstance(node, ast.Attribute) or node.attr not in columns.INDEXERS:
            return
        whole, around = self.frame.read(node.value), source.parents.get(node)
        if columns.is_plain_table(whole):
            taken = around.slice if isinstance(around, ast.Subscript) else None
            named = taken.elts[-1] if isinstance(taken, ast.Tuple) else None
            name = named.value if isinstance(named, ast.Constant) else None
            is_there = isinstance(name, str) and name in whole.columns  # numbers may be positions
            whole = whole[name] if is_there else UNKNOWN
        yield from self._value(whole, text_of(self.file, span), index, span)

    def _inside(self, arguments: Sequence[ast.expr]) -> Iterator[Value]:
        """Yield the variables in the arguments of a call that is not watched, such as of `int`."""
        for index, argument in enumerate(arguments, 1):
            for node in ast.walk(argument):
                value = self.frame.read(node) if isinstance(node, ast.expr) else UNKNOWN
                if value is not UNKNOWN and is_array(value):
                    whole = node is argument
                    span = span_of(argument) if whole else None
                    yield from self._value(value, ast.unparse(node), index if whole else None, span)

    def _is_dtype(self, index: int) -> bool:
        return self.place.keywords[index - 1] in ("dtype", DTYPE_OF)

    def _elements(self, index: int, whole: Any) -> Iterator[Value]:
        """Yield the elements of a list, and of those in it, by what leads to them."""
        first = self.place.lists[index - 1] if self.place.form == "call" and index else 0
        text, shown = self.place.operand_text(index), 0
        for number, (key, element) in enumerate(islice(_items(whole), _MOST_SHOWN)):
            at = first + number if first else index
            span = self.place.spans[at] if at < len(self.place.spans) else None
            name = self.place.operand_text(at) if first and span is not None else f"{text}[{key!r}]"
            if is_array(element) and shown < _MOST_SHOWN:
                spot = (at, span) if first else (None, None)
                yield from self._value(element, name, *spot)
                shown += 1
            for inner, part in islice(_inside(element, name), _MOST_SHOWN - shown):
                yield from self._value(part, inner) if is_array(part) else ()
                shown += 1

    def _value(
        self,
        value: Any,
        text: str,
        index: int | None = None,
        span: Span | None = None,
        part_of: Any = None,
    ) -> Iterator[Value]:
        """Yield an array or number as an operand; nothing of what is neither.

        One that is part of another comes from where that does.
        """
        if not is_array(value) and type(value) not in calls.NUMBERS:
            return
        try:
            read = operand(value)
        except (SupremumError, ValueError):  # a number may have more digits than Python prints
            return
        if self.array is None and is_array(value):
            self.array = value
        recorder = self.recorder
        known = value if part_of is None else part_of
        origin = recorder.values.get(known) if recorder is not None else None
        if origin is None and recorder is not None and read.library == columns.LIBRARY:
            origin = recorder.columns.named(member(value, "_name"), read.dtype)
        if origin is not None and origin.dtype is not read.dtype:
            origin = None
        crossing = None
        if origin is not None and origin.library != read.library:
            crossing = rows.crossing(origin.rows)
        yield Value(text, read, index, span, origin, crossing=crossing)

    def _about_to_be_stored(self, index: int, span: Span) -> Iterator[Value]:
        """Yield what was to be stored, or what in, and is gone, as it was recorded before."""
        if self.place.form != "store" or self.recorder is None:
            return
        location, base = self.recorder.last_stored
        if index == 0 and location is not None and LOCATIONS[location] == self.place:
            yield from self._value(base(), text_of(self.file, span), index, span)
        if index != 1:
            return
        for origin in self.recorder.log.origins.values():
            for effect in origin.effects.values():
                is_here = LOCATIONS[effect.location] == self.place
                if is_here and len(effect.operands) > 1 and not effect.operands[1].is_python:
                    yield Value(text_of(self.file, span), effect.operands[1], index, span, origin)
                    return

    def _introduced_at(self, index: int, span: Span) -> list[Value]:
        """Return an operand that is gone, if its dtype was introduced where it is written."""
        here = [
            origin
            for origin in (self.recorder.log.origins.values() if self.recorder is not None else ())
            if origin.operand is None
            and LOCATIONS[origin.location].file == self.file
            and LOCATIONS[origin.location].span == span
        ]
        if len(here) != 1:
            return []
        origin = here[0]
        form = "scalar" if origin.scalar else "array"
        read = Operand(origin.dtype.name, origin.dtype, False, form, origin.library)
        return [Value(text_of(self.file, span), read, index, span, origin)]

    def stored(self, found: Refusal, values: Sequence[Value]) -> Iterator[Value]:
        """Yield what was to be stored, which is let go before, by what the error says of it."""
        if self.place.form != "store" or any(v.index == 1 for v in values):
            return
        base = next((v.operand for v in values if v.index == 0), None)
        read = None
        if found.number is not None:
            read = operand(found.number)
        elif found.got is not None and base is not None:
            read = Operand(found.got.name, found.got, False, "array", base.library)
        span = self.place.spans[1] if len(self.place.spans) > 1 else None
        if read is not None and span is not None:
            yield Value(text_of(self.file, span), read, 1, span, None)

    def columns(self, name: str) -> Iterator[Value]:
        """Yield the columns of a name of the tables among the operands."""
        for text, table in self._tables if name else ():
            if columns.is_plain_table(table) and name in table.columns:
                yield from self._value(table[name], f"{text}[{name!r}]")

    def lacking(self) -> Iterator[Value]:
        """Yield the columns of floats that lack values, of the tables among the operands."""
        for text, table in self._tables:
            floats = table.select_dtypes("float") if columns.is_plain_table(table) else ()
            for name in [name for name in floats if table[name].isna().any()][:_MOST_SHOWN]:
                yield from self._value(table[name], f"{text}[{name!r}]")

    def given(self, called: Called | None, known: Collection[DType]) -> Iterator[Value]:
        """Yield what the module of PyTorch was given, if its dtype is not that of an operand.

        Then another module of the program made it.
        """
        if called is not None and is_array(called.given):
            name = called.path(self.frame.read, self.node)
            given = self._value(called.given, f"what {name} is given")
            yield from (value for value in given if value.operand.dtype not in known)

    def parameters(self, called: Called | None) -> Iterator[Value]:
        """Yield the parameters and buffers of the module of PyTorch that was called."""
        name = called.path(self.frame.read, self.node) if called is not None else ""
        for key, part, is_parameter in called.parts() if called is not None else ():
            for value in self._value(part, f"{name}.{key}") if is_array(part) else ():
                yield value._replace(is_parameter=is_parameter)

    def handed_on(self, found: Refusal) -> Iterator[Value]:
        """Yield the part of a carry that a loop of JAX was given, if it can be read."""
        if found.sort != "carry":
            return
        try:
            value, text, span = jax_loops.handed_on(self.frame.value, self.place, found.part)
        except LookupError:
            return
        at = self.place.spans.index(span) if span in self.place.spans else None
        yield from self._value(value, text, at, span)

    def returned(self, found: Refusal) -> Iterator[Value]:
        """Yield what the functions return that a loop or a condition of JAX was given."""
        source = source_file(self.file)
        nodes = (
            jax_loops.returned(source, self.node, found.part)
            if isinstance(self.node, ast.Call)
            else ()
        )
        for node, d in zip(nodes, (found.got, found.want), strict=False):
            if d is not None:
                read = Operand(d.name, d, False, "array", jax_loops.LIBRARY)
                yield Value(source.text(span_of(node)), read, None, span_of(node), None)
