"""What to type so that a program does not stop: a cast of an operand, or another dtype.

Two values meet that should have one dtype. The rule, which is that of most maintainers:

- What a function makes for its own use is changed where it is made; so is a buffer that nobody
  gave a dtype, such as ``self.keys = torch.zeros(n)``, if all it is for is to be filled.
- A value of single precision that was made elsewhere may have to be so: a table of sines, a
  parameter, what a model gives. Half precision is asked for where it is used, so it is cast there.
- float64 is seldom wanted outside of NumPy, where it is usual: it is cast where a value goes over
  to another library.
- What is stored is cast to the dtype of what it goes into, which others have a share in.
- An array that was handed in is not changed in place: the statement makes a new one, if only the
  function itself goes on with it.
- What a loop hands on is changed where its first value is written, part by part.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from math import isfinite
from typing import Any, Final

from ...core.dtypes import DType, by_name
from ...core.function_rules import Defaults
from ...core.functions import facts_of
from ...core.libraries import library_of_module, library_titled
from ...core.operands import SCALAR_LIBRARY, Operand
from ..kinds import STOPPED, Wanted, find
from ..log.judge import is_untyped
from ..log.known_functions import converts, rules_titled
from ..log.libraries import columns, jax_loops
from ..log.libraries.pandas import nullable
from ..log.recorder import Recorder
from ..log.stores import is_in_place, may_store
from ..model import rows
from ..model.dtypes import SINGLE, bits, family
from ..model.locations import LOCATIONS, Span, is_dtype, span_of
from ..model.names import Names
from ..model.provenance import Effect, Origin
from ..model.source_file import (
    are_together,
    assigned,
    handed_over,
    is_made_elsewhere,
    is_read_after,
    name_of,
    origins,
    source_file,
    written,
)
from ..stops.frames import INDEX, item_of
from ..stops.messages import is_integer
from ..stops.stops import Stopped, Value
from . import meant, table
from .candidates import Candidate, Change, applied
from .causes import Cause, changed_by, suggest
from .spelling import (
    HOLE,
    Spelling,
    at_hand,
    cast,
    dtype_argument,
    dtype_named,
    last_number,
    named_dtype,
    renamed,
    spell,
    takes_dtype,
)

_NAMES: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)

_FRACTION: Final = re.compile(r"\d\.|\.\d")

_OF_SIZE: Final = frozenset({"abs", "int", "len", "max", "min", "round", "sum"})
"""Functions of Python that give numbers that are meant as they are, rather than their bits."""

_ORDERS: Final = ("<", ">")
"""The orders of bytes, with which the text of a dtype begins."""

_OF_STORAGE: Final = 8  # bits of floats that are there to be kept, not to compute in
_MOSTLY: Final = 2  # times as many operations
_PAIR: Final = 2  # dtypes
_FLOAT32: Final = by_name("float32")
_INT32: Final = by_name("int32")
_WIDER: Final = {"float16": (_FLOAT32,), "bfloat16": (_FLOAT32,), "float32": (by_name("float64"),)}
"""What an operand is cast to that meets no other one."""

Changes = Iterator[Change | None]


def change_for(stop: Stopped, recorder: Recorder | None) -> Change:
    """Return what to type so that a program does not stop where it did."""
    return _Stop(stop, recorder).change()


def changes_for(stop: Stopped, recorder: Recorder | None) -> Changes:
    """Yield what may be typed so that a program does not stop: a trial decides."""
    found = _Stop(stop, recorder)
    return chain(found.all(), found.casts_to_others())


class _Stop:
    """An operation that was refused, and the changes by which it would not be."""

    def __init__(self, stop: Stopped, recorder: Recorder | None) -> None:
        self.stop = stop
        self.said = stop.refusal
        self.recorder = recorder
        self.source = source_file(stop.file)
        self.place = LOCATIONS[stop.number] if stop.number is not None else None
        self.name = self.place.name if self.place is not None else ""
        self.form = self.place.form if self.place is not None else ""
        self.node = self.source.find(stop.span)
        self.names = Names(self.source, self.node or self.source.tree)
        self.arrays = [v for v in stop.values if not v.operand.is_python]

    def change(self) -> Change:
        """Return the first change that is known to be right."""
        found = (change for change in self.all() if change is not None and change.text)
        named = self.said.got or self.said.want
        shown = named or next((v.operand.dtype for v in self.arrays), None)
        nothing = Change(self.stop.file, self.stop.span, dtype=shown.name if shown else "unknown")
        return next(found, nothing)

    def casts_to_others(self) -> Changes:
        """Yield a cast of each operand to the dtype of each other one, or to a wider one."""
        if self.said.sort == "into":  # what is stored would be cut off
            return
        dtypes = [v.operand.dtype for v in self.arrays]
        for value in self.arrays:
            own = value.operand.dtype
            for d in dict.fromkeys(dtypes if len({*dtypes}) > 1 else _WIDER.get(own.name, ())):
                cuts_off = family(own) == "inexact" and is_integer(d)
                if d is not own and not cuts_off:
                    yield self._cast(value, d)

    def all(self) -> Changes:
        """Yield the changes, those first that are most likely right."""
        puts = self.form == "call" and facts_of(self.name.rstrip("_")).puts
        if puts and self.said.sort == "same" and self._at(0) is not None:
            return self._casts()
        way = _WAYS.get(self.said.sort)
        first = chain(self.unmixed(), self.minus(), self.columns(), self.named_before())
        return chain(first, way(self) if way is not None else ())

    def named_before(self) -> Changes:
        """Yield another dtype for what the program cast as it was handed on: `f(x.double())`."""
        parameters = {v.operand.dtype for v in self.arrays if v.is_parameter}
        values = [v for v in self.arrays if not v.is_parameter and v.operand.dtype.kind == "float"]
        if len(parameters) != 1 or len(values) != 1 or values[0].operand.dtype in parameters:
            return
        [want], [value] = parameters, values
        for file, span in self.stop.calls[::-1]:
            source = source_file(file)
            call = source.find(span)
            for node in call.args if isinstance(call, ast.Call) else ():
                base = _cast_by_method(node, value.operand)
                if base is None:
                    continue
                new = cast(want, value.operand.library, Names(source, node), unlike=True)
                if new is not None:
                    text = new.text.replace(HOLE, source.text(span_of(base)))
                    yield Change(file, span_of(node), text, new.needs, value.operand.dtype.name)

    def unmixed(self) -> Changes:
        """Yield the dtype of the others for integers whose meeting made floats of an operand."""
        for origin in (v.origin for v in self.arrays if v.origin is not None):
            for effect in origin.effects.values():
                kind = find(effect.kind)
                if effect.location == origin.location and kind.is_intended and kind.is_of_operands:
                    yield suggest(origin, effect, origin.dtype)
                    node = self.source.find(LOCATIONS[effect.location].span)
                    yield changed_by(Cause.of_either_sign, node, origin, effect, origin.dtype)

    def columns(self) -> Changes:
        """Yield another dtype for a column of integers that floats are stored in, just before."""
        want, statement = self.said.want, self.source.statement(self.stop.span)
        others = [v for v in self.arrays if v.index != 1 and v.operand.library != columns.LIBRARY]
        is_cut = want is not None and is_integer(want) and self.said.sort == "cast"
        if not is_cut or others or columns.LIBRARY not in sys.modules:
            return
        d = self._of_column(want) if want is not None else None
        target: ast.expr | None = getattr(statement, "target", None)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else target
        column = table.column(self.source, target) if target and d is not None else ""
        if column and statement is not None:
            yield self._after(f'{column} = {column}.astype("{d}")', statement, str(want))

    def _after(self, line: str, statement: ast.stmt, was: str) -> Change | None:
        """Return a statement with a line before it, if it has one of its own."""
        if not self.source.begins_line(statement):
            return None
        span, indent = span_of(statement), " " * statement.col_offset
        text = f"{line}\n{indent}{self.source.text(span)}"
        return Change(self.stop.file, span, text, dtype=was)

    def _of_column(self, was: DType) -> DType | None:
        """Return the dtype that a column of integers needs for what is stored in it, or None."""
        stored = self._at(1)
        if stored is not None and not stored.operand.weak:
            return stored.operand.dtype if stored.operand.dtype.kind == "float" else None
        value: Any = stored.operand.value if stored is not None else None
        if isinstance(value, int):
            return _wider(was, value)
        is_float = stored is not None or _FRACTION.search(self.said.line)
        return by_name("float64") if is_float else None

    # by what the error says

    def numbers(self) -> Changes:
        """Yield what makes room for a Python number."""
        number, refused = self.said.number, self.said.want
        if refused is not None and family(refused) == "inexact":
            yield self._largest(refused)
        if refused is None:
            yield self._as_float()
        if number is None or refused is None:
            return
        operand = next((v for v in self.arrays if v.operand.dtype is refused), None)
        adds = self.name in ("add", "subtract")
        most = abs(number) + refused.max if adds else number
        wider = _wider(refused, most, least=0 if adds else 64)
        product = number * refused.max if self.name == "multiply" else number
        if self.form == "store":
            yield self._in_store(operand, refused, number)
        elif operand is None:
            yield self._all_bits(refused)
            yield self._renamed(refused, wider, self.node)
            yield self._unlike(refused, _wider(refused, number))
        elif self.form == "in place":
            yield from self._in_place(operand, refused, wider)
        elif operand.operand.form == "scalar":
            yield self._edited(operand.span, refused, f"int({HOLE})")
        elif self.form == "operator" or self._combines():
            signed = self.name == "subtract"
            room = _wider(refused, product, least=64, signed=signed)
            yield self._cast(operand, room or _wider(refused, number, least=64, signed=signed))
        elif self.form == "item":
            yield self._cast(operand, _wider(refused, number))

    def _as_float(self) -> Change | None:
        """Return an integer of Python as a float, beside floats of a library without wider ones."""
        given = (v for v in self.stop.values if _is_large_int(v))
        beside = next((v.operand.dtype for v in self.arrays), None)
        value = next(given, None)
        if value is None or beside is None or beside.kind != "float":
            return None
        return self._edited(value.span, beside, f"float({HOLE})")

    def _largest(self, refused: DType) -> Change | None:
        """Return the largest number of a float, or the least, for one that it has no place for."""
        array = next((v for v in self.arrays if v.operand.dtype is refused), None)
        value = next((v for v in self.stop.values if _is_beyond(v, refused)), None)
        if array is None or value is None or array.span is None:
            return None
        new = spell(refused, array.operand.library, self.names)
        if not new.module:
            return None
        is_plain = isinstance(self.source.expression(array.span), (ast.Name, ast.Attribute))
        own = f"{self.source.text(array.span)}.dtype" if is_plain else new.text
        is_least = value.operand.value < 0  # type: ignore[operator]  # it is real
        last = last_number(new, array.operand.library, own, is_least=is_least)
        return self._edited(value.span, refused, last)

    def _all_bits(self, refused: DType) -> Change | None:
        """Return the number whose bits are all set, for -1 that unsigned integers are made of."""
        call = self.node
        value = next((v for v in self.stop.values if v.operand.value == -1), None)
        if refused.kind != "unsigned" or value is None or not isinstance(call, ast.Call):
            return None
        of_type = isinstance(call.func, ast.Attribute) and call.func.attr == "type"
        named = call.func.value if of_type else call.func  # type: ignore[attr-defined]  # it has
        if not of_type and dtype_named(call.func, self.names) is None:
            named = dtype_argument(call, self.names.resolve(call.func), self.names)
        new = spell(refused, SCALAR_LIBRARY, self.names)
        if named is None or (dtype_named(named, self.names) is None and not new.module):
            return None
        is_written = dtype_named(named, self.names) is refused
        own = f"{new.module}.iinfo({self.source.text(span_of(named))}).max"
        return self._edited(value.span, refused, str(refused.max) if is_written else own)

    def _unlike(self, refused: DType, wider: DType | None) -> Change | None:
        """Return the dtype that a number needs, in the place of that of an array: ``x.dtype``."""
        call = self.node
        if not isinstance(call, ast.Call) or wider is None:
            return None
        named = dtype_argument(call, self.names.resolve(call.func), self.names)
        new = spell(wider, self._library_of(call), self.names)
        return self._changed(refused, Candidate.of(named, new), call) if is_dtype(named) else None

    def _in_store(self, operand: Value | None, refused: DType, number: int) -> Change | None:
        """Return the lowest bits of what is stored, or a dtype that holds it.

        A number that the program only names or writes out, such as 300, is meant as it is; the
        bits of a negative one that is written out are, such as those of -1, and those of what it
        computes may be, unless that is a count, or a float that is made an integer.
        """
        value = self._at(1)
        node = self.source.expression(value.span) if value is not None else None
        called = node.func if isinstance(node, ast.Call) else None
        is_of_size = isinstance(called, ast.Name) and called.id in _OF_SIZE
        is_computed = isinstance(node, (ast.BinOp, ast.Call)) and not is_of_size
        is_written = isinstance(node, (ast.Constant, ast.UnaryOp)) and number < 0
        if (is_written or is_computed) and refused.kind == "unsigned" and value is not None:
            return self._edited(value.span, refused, f"{HOLE} & {hex(refused.max)}")
        wider, origin = _wider(refused, number), operand.origin if operand is not None else None
        return self._where_introduced(origin, wider) if wider is not None else None

    def _in_place(self, operand: Value, refused: DType, wider: DType | None) -> Changes:
        if operand.operand.form == "scalar":
            yield self._assigned("int({})", refused)
        elif wider is not None:
            if not self._is_handed(operand):
                yield self._where_introduced(operand.origin, wider)
            new = spell(wider, operand.operand.library, self.names).text
            yield self._assigned(f"{{}}.astype({new})", refused)

    def _combines(self) -> bool:
        return self.form == "call" and facts_of(self.name).combines

    def room(self) -> Changes:
        """Yield what makes room for what an operation gives, or has it give something smaller."""
        target, got = self._target(), self.said.got
        if target is None or got is None:
            yield from self._casts()
            return
        into, other = target.operand.dtype, self._at(1)
        of_sign = other is not None and other.operand.dtype.kind == "signed"
        modular = (
            self.form == "in place"
            and facts_of(self.name).has("modular")
            and into.kind == "unsigned"
        )
        if modular and of_sign and other is not None and not other.operand.is_python:
            yield self._cast(other, into)
        if other is not None and self._is_whole(other) and is_integer(into):
            yield self._cast(other, into)
        yield self._floored(target)
        if not self._is_handed(target):
            yield self._where_introduced(target.origin, got)
        if self.form == "in place":
            yield self._assigned("{}", into)
            yield self._cast_before(target, got)

    def _cast_before(self, target: Value, d: DType) -> Change | None:
        """Return a cast of a variable before a statement that changes a part of it in place."""
        node = self.node
        part = node.target if isinstance(node, ast.AugAssign) else None
        if not isinstance(node, ast.AugAssign) or not isinstance(part, ast.Subscript):
            return None
        spelled = cast(d, target.operand.library, self.names, unlike=True)
        if not isinstance(part.value, ast.Name) or spelled is None or spelled.needs:
            return None
        name = part.value.id
        line = f"{name} = {spelled.text.replace(HOLE, name)}"
        return self._after(line, node, target.operand.dtype.name)

    def _is_whole(self, value: Value) -> bool:
        """Return whether an operand is what a function gives whose results are whole numbers."""
        node = self.source.expression(value.span)
        if not isinstance(node, ast.Call) or node.args[1:] or node.keywords:
            return False
        return facts_of(name_of(node)).has("whole")

    def _floored(self, target: Value) -> Change | None:
        """Return the division that gives integers, for one into an array of them of its own."""
        call, into = self.node, target.operand.dtype
        called = call.func if isinstance(call, ast.Call) else None
        is_division = facts_of(self.name).name == "true_divide" and family(into) == "integer"
        others = [self.source.text(v.span) for v in self.arrays if v is not target and v.span]
        own = self.source.text(target.span) if target.span else ""
        if not is_division or own in others or not isinstance(called, ast.Attribute):
            return None
        floored = f"{self.source.text(span_of(called.value))}.floor_divide"
        return self._changed(into, Candidate.of(called, Spelling(floored)), call)  # type: ignore[arg-type]  # it is a call

    def exact(self) -> Changes:
        """Yield the dtype of an output for a function, unless it or nobody names one."""
        target, got, call = self._target(), self.said.got, self.node
        if target is None or got is None:
            return
        named = self.place.keywords if self.place is not None else ()
        if "dtype" not in named and isinstance(call, ast.Call) and not is_untyped(target.origin):
            yield self._given(call, target.operand.dtype, target.operand.dtype)
        yield self._where_introduced(target.origin, got)

    def containers(self) -> Changes:
        """Yield another dtype where an array is made that has no place for what is stored."""
        into, got = self._at(0), self.said.got
        if into is not None and got is not None:
            yield self._where_introduced(into.origin, got)

    def native(self) -> Changes:
        """Yield the dtype of an operand in the order of bytes that this machine has."""
        if isinstance(self.node, ast.Call):
            for named in (k.value for k in self.node.keywords if k.arg == "dtype"):
                text = named.value if isinstance(named, ast.Constant) else None
                if isinstance(text, str) and text[:1] in _ORDERS:
                    yield self._edited(span_of(named), by_name("float64"), repr(text[1:]))
        for value in self.arrays:
            if self.said.at in (None, value.index):
                yield self._cast(value, value.operand.dtype)

    def classes(self) -> Changes:
        """Yield a cast of what a loss compares with, or of a tangent: the last array."""
        value = next((v for v in self.arrays[::-1] if v.operand.dtype is self.said.got), None)
        if value is not None:
            yield self._cast(value, self.said.want)

    def _target(self) -> Value | None:
        """Return the operand that an operation puts its result into, or None."""
        place = self.place
        if place is None or self.form == "in place":
            return self._at(0)
        if self.form == "call" and "out" in place.keywords:
            return self._at(place.keywords.index("out") + 1)
        if self.form == "call" and may_store(place.name) and not place.name.endswith("_"):
            return self._at(1)
        return None

    def _casts(self) -> Changes:
        got, want = self.said.got, self.said.want
        if got is not None and want is None:  # which is not supported
            found = (v for v in self.arrays if v.operand.dtype is got)
            yield from (self._cast(v, d) for v in found for d in _WIDER.get(got.name, ()))
        if got is None or want is None or self.said.sort == "same":
            got, want = self._scattered()
        if got is None or want is None:
            return
        if self.said.sort == "output":
            yield from (self._cast(v, got) for v in self.arrays if v.operand.dtype is want)
            return
        into = next((v for v in self.arrays if v.operand.dtype is want), None)
        for value in self.arrays:
            is_named = self.said.at in (None, value.index)
            if value.operand.dtype is got and is_named:
                yield from self._stored(value, into, want)

    def _scattered(self) -> tuple[DType | None, DType | None]:
        """Return the dtypes of what is put into the first operand, and its own, if alike."""
        into = self._at(0)
        if into is None:
            return None, None
        want = into.operand.dtype
        last = (v.operand.dtype for v in self.arrays[::-1] if v.operand.dtype is not want)
        got = next(last, None)
        alike = got is not None and is_integer(got) is is_integer(want)
        return (got, want) if alike else (None, None)

    def _stored(self, value: Value, into: Value | None, want: DType) -> Changes:
        """Yield a cast of what is stored, or another dtype of what it goes into."""
        got = value.operand.dtype
        if family(got) != family(want) or bits(got) >= bits(want):
            yield from self._made(value, want)
            return
        is_total = is_in_place(self.name) and not facts_of(self.name.rstrip("_")).puts
        is_free = into is not None and is_untyped(into.origin) and not is_total
        if into is not None and is_free and not self._is_autocast(value):
            yield self._where_introduced(into.origin, got)
        yield self._cast(value, want)

    def _is_autocast(self, value: Value) -> bool:
        """Return whether the library itself gave a value its dtype."""
        if value.origin is not None or self.recorder is None:
            return value.origin is not None and value.origin.is_autocast
        known = self.recorder.log.origins.values()
        return any(o.is_autocast and o.dtype is value.operand.dtype for o in known)

    def same(self) -> Changes:
        """Yield what gives all operands one dtype."""
        wanted = self._common()
        if wanted is None:
            return
        named = [d for d in (self.said.got, self.said.want) if d is not None]
        of_floats = len(named) > 1 and not any(map(is_integer, named))  # indices are not meant
        for value in self.arrays:
            d = value.operand.dtype
            is_left = of_floats and is_integer(d)
            if value.is_parameter or d is wanted or is_left or (self._chooses and _is_bool(value)):
                continue
            yield from self._made(value, wanted)
            return

    @property
    def _chooses(self) -> bool:
        """Whether the operation chooses by bools, which are no data."""
        return self.name in ("where", "select")

    def _common(self) -> DType | None:
        """Return the dtype that all operands should have: that of a module, or the narrowest.

        A single operand of half precision among others has theirs, and nothing is computed in 8
        bits, in which values are kept. What a function makes follows what it is handed.
        """
        data = [v.operand.dtype for v in self.arrays if not (self._chooses and _is_bool(v))]
        parameters = [v.operand.dtype for v in self.arrays if v.is_parameter]
        floats = [d for d in parameters or data if family(d) == "inexact"]
        floats = [d for d in floats if bits(d) > _OF_STORAGE] or floats
        if not floats:
            return max(data, key=bits, default=None)
        if not parameters and (named := self._named() or self._asked_for()) is not None:
            return named
        least = min(floats, key=bits)
        others = [d for d in floats if d is not least]
        is_odd = bits(least) < SINGLE and floats.count(least) < len(others)
        return min(others, key=bits) if is_odd else least

    def _named(self) -> DType | None:
        """Return the dtype that is named for what a function is handed, if it names none itself."""
        origins = [v.origin for v in self.arrays if family(v.operand.dtype) == "inexact"]
        known = [origin for origin in origins if origin is not None and origin.operand is None]
        if self.place is None or len(known) < len(origins):
            return None
        own = {o for o in known if are_together(self.place, LOCATIONS[o.location])}
        named = {o.dtype for o in known if o.explicit}
        is_own = own and all(o.explicit is not (o in own) for o in known)
        return named.pop() if is_own and len(named) == 1 else None

    def _asked_for(self) -> DType | None:
        """Return the wide dtype that the program names, and mostly computes in.

        That of NumPy's arrays is NumPy's own.
        """
        floats = [v for v in self.arrays if family(v.operand.dtype) == "inexact"]
        known = ((v.origin, v.operand.library) for v in floats)
        own = [o for o, library in known if o and o.operand is None and o.library == library]
        dtypes = sorted({o.dtype for o in own}, key=bits)
        if len(own) < len(floats) or len(dtypes) != _PAIR or bits(dtypes[0]) < SINGLE:
            return None
        narrow, wide = dtypes
        is_named = all(o.explicit for o in own if o.dtype is wide)
        return wide if is_named and self._is_usual(wide, narrow) else None

    def _made(self, value: Value, want: DType) -> Changes:
        """Yield another dtype where a float was introduced, and a cast of it where it is used."""
        if family(value.operand.dtype) == family(want) == "inexact":
            yield self._at_meeting(value, want)
            if _is_widened(value.origin, want):
                yield self._where_introduced(value.origin, want)
            origin, is_half = value.origin, bits(want) < SINGLE
            if origin is not None and (
                meant.goes_through(origin) or (is_half and rows.meets_its_like(origin.rows))
            ):
                yield self._cast(value, want)
            if self._is_from_elsewhere(value, want) or self._is_named_for_any(value, want):
                yield self._cast(value, want)
            if not is_untyped(value.origin):
                yield self._at_crossing(value, want)
            yield self._where_introduced(value.origin, want)
        yield self._cast(value, want)

    def _at_meeting(self, value: Value, want: DType) -> Change | None:
        """Return a cast of a value that was first seen where it widened one of another dtype."""
        origin = value.origin
        if origin is None or origin.operand is None:
            return None
        effects = origin.effects.values()
        met = next((e for e in effects if find(e.kind).widens and e.result is not want), None)
        if met is None or all(op.dtype is not want for op in met.operands):
            return None
        return self._of_statement(origin, met, want) or suggest(origin, met, want)

    def _of_statement(self, origin: Origin, met: Effect, want: DType) -> Change | None:
        """Return a cast of what a statement gives, if several of its operations widen."""
        place = LOCATIONS[met.location]
        source = source_file(place.file)
        statement = source.statement(place.span)
        known = self.recorder.log.origins.values() if self.recorder is not None else ()
        others = (
            LOCATIONS[e.location]
            for other in known if other is not origin
            for e in other.effects.values() if find(e.kind).widens and e.result is met.result
        )  # fmt: skip
        value = getattr(statement, "value", None)
        if not isinstance(value, ast.BinOp) or not any(
            other.file == place.file and source.statement(other.span) is statement
            for other in others
        ):
            return None
        return changed_by(Cause.leaving, value, origin, met, want)

    def _is_from_elsewhere(self, value: Value, want: DType) -> bool:
        """Return whether a value of single precision, made elsewhere, meets half precision."""
        fits = bits(value.operand.dtype) == SINGLE > bits(want)
        if value.origin is None or self.place is None or not fits:
            return False
        introduced = LOCATIONS[value.origin.location]
        if self.said.sort == "cast":  # what it goes into decides
            return not are_together(self.place, introduced)
        return is_made_elsewhere(self.place, introduced)

    def _is_named_for_any(self, value: Value, want: DType) -> bool:
        """Return whether a cast named the dtype of what a module of any dtype is handed."""
        origin = value.origin
        is_cast = origin is not None and converts(LOCATIONS[origin.location].name)
        return is_cast and self._of_parameter(want) is not None

    def _is_handed(self, target: Value) -> bool:
        """Return whether a function changes an array in place that it was handed, and goes on."""
        node = self.node.target if isinstance(self.node, ast.AugAssign) else None
        if not isinstance(node, ast.Name) or target.origin is None or self.place is None:
            return False
        together = are_together(self.place, LOCATIONS[target.origin.location])
        return not together and is_read_after(self.stop.file, self.stop.span, node.id)

    def missing(self) -> Changes:
        """Yield the integers of pandas that have a place for missing values."""
        call = self.node if isinstance(self.node, ast.Call) else None
        argument = call.args[0] if call is not None and len(call.args) == 1 else None
        d = dtype_named(argument, self.names) if argument is not None else None
        of_column = any(v.operand.library == columns.LIBRARY for v in self.arrays)
        if of_column and argument is not None and d is not None and is_integer(d):
            new = Candidate(argument, f'"{nullable(d)}"')
            yield self._changed(d, new, call)

    def integers(self) -> Changes:
        """Yield casts of what may be an index."""
        indices = [v for v in self.arrays if v.index == INDEX and v.operand.dtype.kind != "bool"]
        if len(indices) > 1:
            yield self._all_cast(indices, _defaults(indices[0]).index)
        for value in self.arrays:
            is_index = value.index == INDEX and value.operand.dtype is self.said.got
            if (is_index or family(value.operand.dtype) == "inexact") and self._may_index(value):
                yield self._cast(value, _defaults(value).index)
        for value in self.stop.values:
            if value.operand.is_python and value.index == INDEX:
                yield self._whole(value)
        yield self._of_range()
        item, base = item_of(self.node), self._at(0)
        is_known = any(value.index == INDEX for value in self.stop.values)
        if item is not None and base is not None and not is_known:
            yield self._index_cast(item.slice, base)

    def _of_range(self) -> Change | None:
        """Return an integer for the one number that a range is given which is computed."""
        call = self.node
        if not isinstance(call, ast.Call) or not _is_range(call.func):
            return None
        computed = [x for x in call.args if not isinstance(x, (ast.Constant, ast.UnaryOp))]
        only = computed[0] if len(computed) == 1 else None
        got = self.said.got or by_name("float64")
        return self._edited(span_of(only), got, f"int({HOLE})") if only is not None else None

    def _index_cast(self, index: ast.expr, base: Value) -> Change | None:
        """Return a cast of an index that is gone, as what a function gave is."""
        if not isinstance(index, (ast.Call, ast.BinOp)):
            return None
        d = _defaults(base).index
        spelled = cast(d, base.operand.library, self.names, unlike=True)
        return self._changed(base.operand.dtype, Candidate.of(index, spelled), index)

    def _all_cast(self, values: Sequence[Value], want: DType) -> Change | None:
        """Return a cast of several parts of an index."""
        item = item_of(self.node)
        changes: list[Candidate] = []
        for value in (v for v in values if v.operand.dtype is not want):
            node = self.source.expression(value.span)
            spelled = cast(want, value.operand.library, self.names, unlike=True)
            change = Candidate.of(node, spelled) if node is not None else None
            changes += [change] if change is not None else []
        if not changes or item is None:
            return None
        text = applied(self.source, item, *changes)
        return Change(self.stop.file, span_of(item), text, changes[0].needs, str(want))

    def _whole(self, value: Value) -> Change | None:
        """Return an integer in the place of a float of Python's, or of the quotient that it is."""
        node = self.source.expression(value.span)
        if isinstance(node, ast.Name):
            made = assigned(self.source, self.source.function_at(span_of(node)), node.id)
            node = made if isinstance(made, ast.BinOp) else node
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            return self._edited(value.span, value.operand.dtype, f"int({HOLE})")
        left, right = (self.source.text(span_of(x)) for x in (node.left, node.right))
        return self._edited(span_of(node), value.operand.dtype, f"{left} // {right}")

    def _may_index(self, value: Value) -> bool:
        """Return whether an operand is an index, not what it is an index of."""
        if self.said.at is not None:
            return value.index == self.said.at
        if self.form in ("item", "store"):
            return value.index == INDEX
        return value.index != 0 or self.form != "call"

    def floats(self) -> Changes:
        """Yield what makes floats of integers."""
        got = self.said.got
        for value in self.stop.values:
            d = value.operand.dtype
            if value.operand.is_python:
                if is_integer(d) and got is not None and not self.arrays:
                    yield self._edited(value.span, d, f"float({HOLE})")
            elif d is got or (got is None and is_integer(d)):
                want = _defaults(value).float if is_integer(d) else _FLOAT32
                yield self._cast(value, want)
                yield self._where_introduced(value.origin, want)
        yield self._of_floats()

    def _of_floats(self) -> Change | None:
        """Return a call that asks for a gradient, with a dtype that has one."""
        call = self.node
        given = [k.arg for k in call.keywords] if isinstance(call, ast.Call) else []
        if self.arrays or "requires_grad" not in given or "dtype" in given:
            return None
        return self._given(call, _FLOAT32, by_name("int64"))  # type: ignore[arg-type]  # it is a call

    def _library_of(self, call: ast.Call) -> str:
        """Return the title of the library whose function is called, or NumPy's."""
        root: ast.expr = call.func
        while isinstance(root, ast.Attribute):
            root = root.value
        imported = self.names.imported.get(root.id, "") if isinstance(root, ast.Name) else ""
        library = library_of_module(imported.partition(".")[0])
        return library.title if library is not None else SCALAR_LIBRARY

    def _given(self, call: ast.Call, d: DType, was: DType) -> Change | None:
        """Return a call that is given a dtype."""
        new = spell(d, self._library_of(call), self.names)
        candidate = Candidate(call, keyword=f"dtype={new.text}", needs=new.needs)
        return self._changed(was, candidate)

    def powers(self) -> Changes:
        """Yield a base that may be raised to a negative power."""
        base = self._at(0) if self.form != "call" else self._at(1)
        node = self.source.find(base.span) if base is not None else None
        if base is None:
            return
        if isinstance(node, ast.Constant):
            yield self._edited(
                base.span, base.operand.dtype, f"{self.source.text(span_of(node))}.0"
            )
        elif base.operand.is_python or base.operand.form == "scalar":
            yield self._edited(base.span, base.operand.dtype, f"float({HOLE})")
        else:
            yield self._cast(base, by_name("float64"))

    def minus(self) -> Changes:
        """Yield the operator for bools that a minus stands for."""
        node = self.node
        if not self.arrays or not all(map(_is_bool, self.stop.values)):
            return
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            text = f"~{self.source.text(span_of(node.operand))}"
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            left, right = (self.source.text(span_of(x)) for x in (node.left, node.right))
            is_part = isinstance(self.source.parents.get(node), (ast.BinOp, ast.Compare))
            text = f"({left} ^ {right})" if is_part else f"{left} ^ {right}"
        else:
            return
        yield Change(self.stop.file, span_of(node), text, dtype="bool")

    # what a loop hands on

    def carries(self) -> Changes:
        """Yield another dtype of what a loop begins with, or of what makes it wider."""
        got, want, state = self.said.got, self.said.want, self.stop.state
        if got is None or want is None:
            return
        wider = family(got) == family(want) and bits(got) > bits(want)
        if wider and self.recorder is not None:
            made = [
                (origin, effect)
                for origin in self.recorder.log.origins.values()
                for effect in origin.effects.values()
                if origin.dtype is got and _is_wider(effect) and _gives(effect, got)
            ]
            is_default = got is rules_titled(jax_loops.LIBRARY).default_dtypes.float
            is_default &= all(one.library == jax_loops.LIBRARY for one, _ in made)
            is_begun_here = isinstance(self._first(), ast.Call)  # nobody handed it in
            is_wanted = all(one.explicit for one, _ in made) or (is_default and is_begun_here)
            is_meant = is_wanted and self._is_usual(got, want)
            if len({origin.location for origin, _ in made}) == 1 and not is_meant:
                yield self._summed(made[0][0], want)
                yield self._where_introduced(made[0][0], want, made[0][1])
        call, gives_counts = self.node, (family(got), family(want)) == ("integer", "inexact")
        if gives_counts and isinstance(call, ast.Call):
            for result in jax_loops.returned(self.source, call, self.said.part, handed_over):
                yield self._begun(result, got, want, of_number=True)
        first = self._first()
        if first is not None:
            yield self._begun(first, want, got, isinstance(first, ast.Constant))
        if state is not None:
            value = self.stop.values[state]
            node = self.source.expression(value.span)
            is_other = value.operand.library != jax_loops.LIBRARY
            yield self._begun(node, value.operand.dtype, got, is_other)

    def _is_usual(self, d: DType, other: DType) -> bool:
        """Return whether most of what was computed has a dtype, rather than another."""
        times = {d: 0, other: 0}
        for origin in self.recorder.log.origins.values() if self.recorder is not None else ():
            if origin.dtype in times:
                times[origin.dtype] += origin.operations
        return times[d] > _MOSTLY * times[other]

    def _summed(self, origin: Origin, want: DType) -> Change | None:
        """Return a sum of integers in the dtype that the loop hands on, which somebody chose."""
        place = LOCATIONS[origin.location]
        call = self.source.find(place.span) if place.file == self.stop.file else None
        is_sum = isinstance(call, ast.Call) and facts_of(place.name).reduces
        if not is_sum or family(want) != "integer" or "dtype" in place.keywords:
            return None
        return self._given(call, want, origin.dtype)  # type: ignore[arg-type]  # it is a call

    def _begun(
        self, node: ast.expr | None, was: DType, want: DType, of_number: bool
    ) -> Change | None:
        """Return what a loop begins with in another dtype, where it is written."""
        renamed = self._renamed(was, want, node) or self._of_variable(was, want, node)
        if renamed is not None:
            return renamed
        new = spell(want, jax_loops.LIBRARY, self.names)
        made = f"{new.module}.asarray({HOLE}, {{}})" if new.module else ""
        template = made if of_number else f"{HOLE}.astype({{}})"
        if node is None or not template:
            return None
        return self._changed(was, Candidate.of(node, new, template))

    def _of_variable(self, was: DType, want: DType, call: ast.AST | None) -> Change | None:
        """Return another dtype where a variable is set that a call has its dtype from."""
        if not isinstance(call, ast.Call):
            return None
        named = dtype_argument(call, self.names.resolve(call.func), self.names)
        for value, rest in origins(self.source, named, ()) if isinstance(named, ast.Name) else ():
            names = Names(self.source, value)
            if not rest and dtype_named(value, names) is was:
                return self._changed(
                    was, Candidate.of(value, spell(want, jax_loops.LIBRARY, names))
                )
        return None

    def _first(self) -> ast.expr | None:
        """Return the expression that a part of the carry begins with, or None if none is known."""
        call = self.node
        if not isinstance(call, ast.Call) or self.name not in jax_loops.LOOPS:
            return None
        position, keyword = jax_loops.LOOPS[self.name]
        given = {k.arg: k.value for k in call.keywords}
        by_position = call.args[position] if position < len(call.args) else None
        start = given.get(keyword, by_position)
        if start is None or any(isinstance(a, ast.Starred) for a in call.args):
            return None
        path = jax_loops.path_of(self.name, self.said.part)
        return written(self.source, start, path)

    # how a change is typed

    def _at(self, index: int) -> Value | None:
        """Return the operand that is written at one of the spans of the place."""
        return next((v for v in self.stop.values if v.index == index), None)

    def _cast(self, value: Value, want: DType | None) -> Change | None:
        """Return a cast of an operand where it is used, if that is not what is stored into."""
        node = self.source.expression(value.span)
        if node is None or want is None or (self._changes_object and value.index == 0):
            return None
        operand = value.operand
        number = operand.value if isinstance(operand.value, float) else 0.0
        if is_integer(want) and not number.is_integer():
            return None  # which would be cut off
        scalar = operand.form == "scalar"
        names = Names(self.source, node)
        given = self._of_parameter(want) or self._as_another(value, want)
        spelled = cast(want, operand.library, names, scalar=scalar, unlike=True, at_hand=given)
        return self._changed(operand.dtype, Candidate.of(node, spelled))

    def _as_another(self, value: Value, want: DType) -> Spelling | None:
        """Return a dtype as another operand has it: whatever that is, the two are to be alike."""
        others = [v for v in self.arrays if v is not value]
        written = [(v.operand, self.source.expression(v.span)) for v in others]
        return at_hand(self.source, written, want, value.operand.library, is_there=True)

    @property
    def _changes_object(self) -> bool:
        """Whether the first operand is changed itself: what a cast gives may be another one."""
        is_call = self.form == "call" and is_in_place(self.name)
        return is_call or self.form in ("store", "in place")

    def _of_parameter(self, want: DType) -> Spelling | None:
        """Return a dtype as a parameter of the module has it, which may be loaded in any.

        Outside of a module's own methods, only half precision is no dtype of every module.
        """
        named = (v.text for v in self.stop.values if v.is_parameter and v.operand.dtype is want)
        text = next(named, "") if family(want) == "inexact" else ""
        if bits(want) >= SINGLE and not text.startswith("self."):
            return None
        module, _, part = text.partition("[")
        if not text or not all(map(str.isidentifier, module.split("."))):
            return None
        return Spelling(f"next({module}.parameters()).dtype" if part else f"{text}.dtype")

    def _at_crossing(self, value: Value, want: DType) -> Change | None:
        """Return a cast of a value where it goes over from one library to another."""
        if value.crossing is None:
            return None
        place = LOCATIONS[value.crossing]
        source = source_file(place.file)
        node = source.find(place.span)
        if not isinstance(node, ast.Call):
            return None
        names, library = Names(source, node), value.operand.library
        called, new = names.resolve(node.func), spell(want, library, names)
        change: Candidate | None = Candidate(node, keyword=f"dtype={new.text}", needs=new.needs)
        if dtype_argument(node, called, names) is not None or not takes_dtype(called, place.name):
            scalar = value.operand.form == "scalar"
            spelled = cast(want, library, names, scalar=scalar, unlike=True)
            change = Candidate.of(node, spelled)
        if change is None:
            return None
        text = applied(source, node, change)
        return Change(place.file, place.span, text, change.needs, value.operand.dtype.name)

    def _where_introduced(
        self, origin: Origin | None, want: DType, effect: Effect | None = None
    ) -> Change | None:
        """Return a change of the line where a dtype is introduced."""
        if origin is None or origin.operand is not None or origin.several:
            return None
        number = self.stop.number if self.stop.number is not None else origin.location
        return suggest(origin, effect or Effect(STOPPED, number, (), None, 0), want)

    def _renamed(self, was: DType, want: DType | None, call: ast.AST | None) -> Change | None:
        """Return another dtype in the place of one that a call names."""
        if not isinstance(call, ast.Call) or want is None:
            return None
        called = self.names.resolve(call.func)
        named = named_dtype(call, called, self.names, was)
        if named is None:
            return None
        new = renamed(self.source, named, want, self._library_of(call), self.names)
        return self._changed(was, Candidate.of(named, new), call)

    def _assigned(self, form: str, was: DType) -> Change | None:
        """Return a statement that gives a variable a new value, instead of one in place."""
        node = self.node
        if not isinstance(node, ast.AugAssign) or isinstance(node.target, ast.Subscript):
            return None
        target = self.source.text(span_of(node.target))
        value = self.source.text(span_of(node.value))
        if not isinstance(node.value, _NAMES):
            value = f"({value})"
        sign = ast.unparse(ast.BinOp(ast.Name("a"), node.op, ast.Name("b"))).split()[1]
        text = f"{target} = {form.format(target)} {sign} {value}"
        return Change(self.stop.file, span_of(node), text, dtype=was.name)

    def _edited(self, span: Span | None, was: DType, template: str) -> Change | None:
        """Return a change of what is written at a span."""
        node = self.source.expression(span)
        change = Candidate.of(node, Spelling(template)) if node is not None else None
        return self._changed(was, change)

    def _changed(
        self, was: DType, change: Candidate | None, whole: ast.expr | None = None
    ) -> Change | None:
        """Return a change of a node, or of an expression that it is in, as it is typed."""
        if change is None:
            return None
        node = whole or change.node
        text = applied(self.source, node, change)
        return Change(self.stop.file, span_of(node), text, change.needs, was.name)


_WAYS: Final[dict[str, Callable[[_Stop], Changes]]] = {
    "number": _Stop.numbers, "cast": _Stop.room, "output": _Stop.room, "same": _Stop.same,
    "target": _Stop.classes, "carry": _Stop.carries, "integers": _Stop.integers,
    "floats": _Stop.floats, "power": _Stop.powers, "exact": _Stop.exact,
    "into": _Stop.containers, "missing": _Stop.missing, "order": _Stop.native,
}  # fmt: skip
"""The changes to try, by what the error says."""


def _is_range(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "range"


def _is_widened(origin: Origin | None, d: DType) -> bool:
    """Return whether an origin has widened an array of some dtype itself, or one without a dtype.

    Then it is not meant to have another one, wherever its values go.
    """
    effects = origin.effects.values() if origin is not None else ()
    widened = [e for e in effects if find(e.kind).widens and any(x.dtype is d for x in e.operands)]
    is_here = origin is not None and any(e.location == origin.location for e in widened)
    return is_here or (bool(widened) and is_untyped(origin))


def _defaults(value: Value) -> Defaults:
    """Return the dtypes of what an operand's library makes without one."""
    return rules_titled(value.operand.library).default_dtypes


def _is_beyond(value: Value, d: DType) -> bool:
    """Return whether an operand is a Python number that a float has no place for."""
    number = value.operand.value
    is_real = value.operand.is_python and isinstance(number, (int, float))
    return is_real and isfinite(number) and abs(number) > d.max  # type: ignore[arg-type]  # as said


def _cast_by_method(node: ast.expr, made: Operand) -> ast.expr | None:
    """Return what is cast by a method that is called as the dtype is, or None."""
    method = dict(library_titled(made.library).cast_methods).get(made.dtype.name)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.args:
        return None
    return node.func.value if node.func.attr == method else None


def _is_large_int(value: Value) -> bool:
    """Return whether an operand is an integer of Python that 32 bits have no place for."""
    number: Any = value.operand.value
    return type(number) is int and abs(number) > _INT32.max


def _is_bool(value: Value) -> bool:
    return value.operand.dtype.kind == "bool"


def _wider(d: DType, number: int, least: int = 0, *, signed: bool = True) -> DType | None:
    """Return the first dtype of integers that holds all of another, and a number.

    Unsigned ones of 32 bits are hashes, of which the next may have all bits of a product.
    """
    are_bits = d.name == "uint32" and number >= 0 and not signed
    for name in ("uint64",) if are_bits else ("int16", "int32", "int64", "uint64"):
        wider = by_name(name)
        holds = wider.min <= min(number, d.min) and max(number, d.max) <= wider.max
        if holds and (wider.bits or 0) >= max(least, (d.bits or 0) + 1):
            return wider
    return None


def _gives(effect: Effect, d: DType) -> bool:
    """Return whether a dtype comes out, or complex numbers with parts of it."""
    return effect.result is not None and effect.result.part is d.part


def _is_wider(effect: Effect) -> bool:
    return find(effect.kind).wants is Wanted.NARROW_OPERAND
