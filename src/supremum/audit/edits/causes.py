"""A cause where it is written, and the change that resolves it: the first candidate that is right.

A change is left out if it is not known to be right: if it could change integers, the meaning of
bytes or a stream of random numbers, or fail on what was seen.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any, Final, TypeGuard

from ...core import losses
from ...core.dtypes import DType, by_name
from ...core.errors import SupremumError
from ...core.functions import facts_of, function
from ...core.libraries import library_of_module, library_titled
from ...core.operands import SCALAR_LIBRARY
from ..kinds import FORBIDDEN, STOPPED, WIDE_STORAGE, Wanted, base_name, find
from ..log import known_functions
from ..log.calls import parameters_of
from ..log.libraries.pandas import nullable
from ..log.stores import is_changed, is_store, may_store
from ..log.values.recompute import OF_UFUNCS
from ..model import rows
from ..model.dtypes import bits, family, holds, is_strong
from ..model.locations import LOCATIONS, Span, is_dtype, span_of
from ..model.names import Names
from ..model.provenance import Effect, Origin
from ..model.source_file import SourceFile, assigned, name_of, origins, source_file
from . import boundary, libraries, meant, safety
from .candidates import Candidate, Change, applied, read_dtype
from .spelling import (
    CASTS,
    HOLE,
    Spelling,
    at_hand,
    cast,
    dtype_argument,
    dtype_named,
    is_cast_method,
    is_given,
    last_number,
    named_dtype,
    named_for,
    renamed,
    spell,
    takes_dtype,
)

Found = Candidate | list[Candidate] | None
"""A change of one expression, or of several in one statement; None if none is known to be right."""

ROOMY: Final = 32
"""How many bits integers have that are no pixels, samples or flags."""

_AS_ANOTHER: Final = "type_as"  # which gives the dtype of its argument, whatever it is called of

_OF_BYTES: Final = ("frombuffer", "fromfile", "memmap", "tobytes", "tofile", "writeframes")
_SPARSE: Final = "scipy"  # whose sparse arrays are met
_FOLDING: Final = ("builtins", "functools", "_functools", "math")
"""The modules of Python whose functions fold what an argument iterates over."""

_LARGER: Final = ("float16", "float32", "float64", "int16", "int32", "int64")
"""Dtypes that are tried for a number, the narrow ones first."""


def cause_span(origin: Origin) -> Span:
    """Return where a cause is written: with the cast to the same dtype that is made of it at once.

    The cast in ``np.ones(8).astype(float)`` gives float64 whatever it is of.
    """
    place = LOCATIONS[origin.location]
    if (number := number_span(origin)) is not None:
        return number
    span = place.span if origin.operand is None else place.spans[origin.operand] or place.span
    source = source_file(place.file)
    node = source.expression(span)
    while node is not None:
        span = span_of(node)
        attribute = source.parents.get(node)
        around = source.parents.get(attribute) if isinstance(attribute, ast.Attribute) else None
        if not isinstance(around, ast.Call) or around.func is not attribute:
            break
        names, is_cast = Names(source, around), name_of(around) in CASTS
        argument = dtype_argument(around, None, names, origin.dtype) if is_cast else None
        if argument is None or dtype_named(argument, names) is not origin.dtype:
            break
        node = around
    return span


def number_span(origin: Origin) -> Span | None:
    """Return where the number is written that a call was given, or None if that is not known.

    Args:
        origin: where the number was first seen: one of the arguments of a call.
    """
    if origin.operand is None or not origin.from_numbers:
        return None
    effects = origin.of(["retracing"])
    place = LOCATIONS[origin.location]
    span = place.spans[origin.operand] if origin.operand < len(place.spans) else None
    source = source_file(place.file)
    node = source.expression(span)
    if not effects or node is None:
        return None
    steps = origins(source, node, effects[0].parts)
    return next((span_of(n) for n, parts in steps if not parts and _is_number(n)), None)


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    if isinstance(node, ast.Call):
        named = isinstance(node.func, ast.Name) and node.func.id in ("float", "int")
        return named and len(node.args) == 1
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def suggest(origin: Origin, effect: Effect, want: DType) -> Change:
    """Return what to type instead of a cause, if a change of it is known to be right.

    If the width that it names is meant, that is at the operation where it leaks.

    Args:
        origin: the cause.
        effect: what came of it first.
        want: the dtype that would have stayed.
    """
    place, span = LOCATIONS[origin.location], cause_span(origin)
    source, none = source_file(place.file), Change(place.file, span, dtype=origin.dtype.name)
    node = source.find(span)
    written = origin.operand is None or place.spans[origin.operand] is not None
    is_whole = libraries.is_of_table(effect) or find(effect.kind).is_of_values
    several = origin.several and not is_whole
    lost = any(row.needs_digits for row in origin.rows) and not meant.is_asked_about(origin)
    if node is None or several or lost or not written:
        return none
    if find(effect.kind).is_intended:
        return Cause(source, node, origin, effect, want).change(none, Cause.as_the_other)
    if effect.kind == WIDE_STORAGE and effect.enough is not None:
        return Cause(source, node, origin, effect, effect.enough).change(none, Cause.to_be_filled)
    if (made := of_stored(effect) or _stored_back(effect)) is not None:
        return made
    if _drops_parts(effect) or safety.adds_to_half(origin, effect):
        return none  # a cast would drop as much, or more
    if _meets_others(origin, effect):  # a literal is right for some of them alone
        return changed_by(Cause.alike, _written_at(effect), origin, effect, want) or none
    cause = Cause(source, node, origin, effect, want)
    # a cast where a value is first seen is one for what is computed there alone
    is_seen = origin.operand is not None and find(effect.kind).widens and not cause.here
    if is_seen or cause.is_meant():
        return _at_leak(origin, want) or none
    return cause.change(none)


def _meets_others(origin: Origin, effect: Effect) -> bool:
    """Return whether a width meets values that have had it, too: then no literal is right there."""
    kind = find(effect.kind)
    stores = kind.wants is Wanted.STORED_INTO
    wide = [effect.operands[i] for i in meant.wide_operands(effect, origin)]
    are_arrays = bool(wide) and all(op.form == "array" for op in wide)
    if not (kind.widens and are_arrays) and not (stores and wide):
        return False
    against = 0 if stores else effect.against
    others = [d for d in effect.others(against) if family(d) == family(origin.dtype)]
    return any(bits(d) >= bits(origin.dtype) for d in others)


def changed_by(
    way: Callable[[Cause], Found],
    node: ast.expr | ast.stmt | None,
    origin: Origin,
    effect: Effect,
    want: DType,
) -> Change | None:
    """Return a change of what is written where a width does harm, or None.

    Args:
        way: gives the change.
        node: what is written there.
        origin: the cause.
        effect: what came of it there.
        want: the dtype that would have stayed.
    """
    file = LOCATIONS[effect.location].file
    if node is None:
        return None
    here = Change(file, span_of(node), dtype=origin.dtype.name)
    change = Cause(source_file(file), node, origin, effect, want).change(here, way)
    return change if change.text else None


def _written_at(effect: Effect) -> ast.expr | ast.stmt | None:
    place = LOCATIONS[effect.location]
    return source_file(place.file).find(place.span)


def for_all(effect: Effect, index: int, want: DType) -> DType | None:
    """Return a dtype for all that an operand has been, or None if none is known.

    Args:
        effect: what came of an operation.
        index: the operand.
        want: the dtype that is right for what it was there.
    """
    own, others = effect.operands[index].dtype, effect.others(index)
    if not find(effect.kind).is_of_values:
        return None if any(_loses(d, want) for d in others) else want
    floats = [d for d in others if d.kind == "float"]
    if family(want) == "integer" and floats:
        wide = [d for d in (*floats, by_name("float64")) if (d.precision or 0) >= 2 * bits(own)]
        want = min(wide, key=bits, default=want)
    want = max([want, *(d for d in others if family(d) == family(want))], key=bits)
    return None if any(_loses(d, want) for d in others) else want


def _loses(d: DType, want: DType) -> bool:
    """Return whether a cast to a dtype may lose values of another."""
    is_cut = family(d) == "inexact" and family(want) == "integer"
    return is_cut or losses.overflows(d, want) or losses.loses_precision(d, want)


def _drops_parts(effect: Effect) -> bool:
    """Return whether complex numbers are stored in an array that has no imaginary parts."""
    if len(effect.operands) < 2 or find(effect.kind).wants is not Wanted.STORED_INTO:
        return False
    into, stored = (x.dtype.kind for x in effect.operands[:2])
    return stored == "complex" != into


def of_stored(effect: Effect, *, is_tried: bool = False) -> Change | None:
    """Return a change of what values are stored in, where it is made, to have room for them.

    If somebody named integers for it, floats may be cut off on purpose, unless that is tried.
    """
    room = _room(effect)
    if room is None:
        return None
    into = effect.operands[0]
    place = LOCATIONS[effect.location]
    source = source_file(place.file)
    call = _maker(source, source.expression(place.spans[effect.spans[0]]))
    introduced = effect.introductions[0]
    if call is None and introduced is not None:  # as by another function
        place = LOCATIONS[introduced]
        source = source_file(place.file)
        made = source.find(place.span)
        if _makes_typed(made, source) and not facts_of(place.name).counts:
            call = made
    if call is None:
        return None
    names = Names(source, call)
    named = dtype_argument(call, names.resolve(call.func), names)
    is_of_floats = family(into.dtype) != family(room)  # or of integers that are to be floats
    is_chosen = is_of_floats and not (is_tried and room.kind == "float")
    is_of_fields = isinstance(named, (ast.List, ast.Tuple, ast.Dict))
    if named is not None and (is_chosen or is_of_fields or is_given(named, source)):
        return None
    new = spell(room, into.library, names)
    variable = next(named_for(source, named, into.dtype), None) if named is not None else None
    changed = variable or named
    change = Candidate.of(changed, new) if changed is not None else None
    node = variable or call
    text = applied(source, node, change or Candidate(call, keyword=f"dtype={new.text}"))
    found = Change(place.file, span_of(node), text, new.needs, into.dtype.name)
    return found if text else None


def _room(effect: Effect) -> DType | None:
    """Return a dtype that has room for what is stored; None if nothing is, or it needs none."""
    is_number = effect.kind == "value-changed" and is_store(LOCATIONS[effect.location])
    if len(effect.operands) < 2 or not (is_number or find(effect.kind).wants is Wanted.STORED_INTO):
        return None
    into, stored = effect.operands[:2]
    if _drops_parts(effect):
        return by_name(f"complex{2 * max(bits(into.dtype), bits(stored.dtype.part))}")
    kinds = family(into.dtype), family(stored.dtype)
    if kinds == ("integer", "inexact"):
        return stored.dtype if is_strong(stored) else by_name("float64")
    if is_number:
        value = stored.value or 0
        is_of_bits = into.dtype.kind == "unsigned" and isinstance(value, int) and value < 0
        vanishes = abs(value) < 1  # another number is meant
        return None if is_of_bits or vanishes else next(iter(_roomy(into.dtype, value)), None)
    are_lost = bool(effect.remark) and kinds[1] == "integer" and is_strong(stored)
    return stored.dtype if are_lost and not effect.others(1) else None


def _roomy(d: DType, value: complex) -> list[DType]:
    """Return the wider dtypes of a family that hold a number, the narrow ones first."""
    wider = (w for w in map(by_name, _LARGER) if family(w) == family(d) and bits(w) > bits(d))
    return [w for w in wider if holds(value, w)]


def _stored_back(effect: Effect) -> Change | None:
    """Return more room for numbers that a statement computes, and stores where they come from.

    What is added up in place, such as a count, gets 64 bits: there may be more another time.
    """
    place = LOCATIONS[effect.location]
    source = source_file(place.file)
    enough, target = effect.enough, _taken_and_stored(source, source.find(place.span))
    if enough is None or not isinstance(target, ast.Subscript):
        return None
    base = target.value
    is_name = isinstance(base, ast.Name)
    made = assigned(source, source.function_at(place.span), base.id) if is_name else None  # type: ignore[attr-defined]  # it is a name
    if not isinstance(made, ast.Call):
        return None
    if family(enough) == "integer" and isinstance(source.parents.get(target), ast.AugAssign):
        enough = by_name("int64")
    if source.defined(ast.ClassDef, name_of(made)) is not None:
        return None  # an object that holds arrays has no dtype of its own
    into, names = effect.operands[effect.against], Names(source, made)
    called = names.resolve(made.func)
    named = named_dtype(made, called, names, into.dtype)
    argument = dtype_argument(made, called, names)
    if named is None and is_dtype(argument):
        named = argument
    if named is not None:
        new: Spelling | None = renamed(source, named, enough, into.library, names)
    else:
        named, new = made, cast(enough, into.library, names, unlike=True)
    candidate = Candidate.of(named, new)
    if candidate is None:
        return None
    text = applied(source, made, candidate)
    return Change(place.file, span_of(made), text, candidate.needs, into.dtype.name)


def _taken_and_stored(source: SourceFile, node: ast.AST | None) -> ast.expr | None:
    """Return what a statement stores in that also computes with it, or None."""
    if isinstance(node, ast.AugAssign):
        return node.target
    statement = source.parents.get(node) if node is not None else None
    if not isinstance(statement, ast.Assign) or node is not statement.value:
        return None
    target = statement.targets[0]
    base = getattr(target, "value", None)
    is_own = isinstance(base, ast.Name) and any(
        isinstance(n, ast.Name) and n.id == base.id for n in ast.walk(statement.value)
    )
    return target if is_own else None


def _maker(source: SourceFile, node: ast.expr | None) -> ast.Call | None:
    """Return the one call that makes an array that takes a dtype, in what it comes of."""
    for one, _ in origins(source, node, ()) if node is not None else ():
        calls = [n for n in safety.leaves(one) if isinstance(n, ast.Call)]
        makers = [call for call in calls if _makes_typed(call, source)]
        if calls:
            return makers[0] if len(calls) == len(makers) == 1 else None
    return None


def _makes_typed(node: ast.AST | None, source: SourceFile) -> TypeGuard[ast.Call]:
    """Return whether a node is a call that makes an array, and takes a dtype."""
    if not isinstance(node, ast.Call) or safety.spreads_names(node):
        return False
    name, called = name_of(node), Names(source, node).resolve(node.func)
    is_new = facts_of(name).makes_arrays or name == "array" or name.endswith("_like")
    return is_new and takes_dtype(called, name)


def _at_leak(origin: Origin, want: DType) -> Change | None:
    """Return a change of the variable that a width leaks by, or of the first operation."""
    effect = meant.leak(origin)
    if effect is None:
        return None
    variable = boundary.assignment(origin, effect)
    ways = ((Cause.leaving, variable), (Cause.narrowed, _written_at(effect)))
    found = (changed_by(way, node, origin, effect, want) for way, node in ways)
    return next(filter(None, found), None)


class Cause:
    """A cause where it is written, and the change that resolves it."""

    def __init__(
        self,
        source: SourceFile,
        node: ast.expr | ast.stmt,
        origin: Origin,
        effect: Effect,
        want: DType,
    ) -> None:
        self.source = source
        self.node = node
        self.origin = origin
        self.effect = effect
        self.want = want
        self.names = Names(source, node)
        self.here = effect.location == origin.location
        self.explicit = meant.is_explicit(source, node, origin)
        self.called: Any = None
        self.name = name_of(node)
        if isinstance(node, ast.Call):
            inside = span_of(node) != LOCATIONS[origin.location].span
            called = None if inside else origin.function
            self.called = called or self.names.resolve(node.func)
            self.explicit |= inside and origin.operand is None

    def change(self, nothing: Change, strategy: Callable[[Cause], Found] | None = None) -> Change:
        """Return the change with its text, and the import that it needs, if one is right."""
        found = (strategy or Cause.candidate)(self)
        parts = found if isinstance(found, list) else [found] if found else []
        text = applied(self.source, self.node, *parts) if parts else ""
        return nothing._replace(text=text, needs=parts[0].needs) if text else nothing

    def is_meant(self) -> bool:
        """Return whether the program names the width on purpose, so that it stays."""
        kind = find(self.effect.kind)
        by_values = kind.is_of_values or (kind.changes_values and kind.name != STOPPED)
        lacks_room = self.effect.kind == STOPPED and not self._narrows()
        if by_values or lacks_room or meant.is_asked_about(self.origin):
            return False
        if meant.goes_through(self.origin):
            return True
        if not self.explicit:
            made = (m.rows for m in self.origin.effects.values())
            is_state = any(rows.is_state(self.origin.rows, results) for results in made)
            return is_state or rows.is_worked_on(self.origin.rows)
        if isinstance(self.node, ast.Call):
            argument = dtype_argument(self.node, self.called, self.names)
            if argument is not None and is_given(argument, self.source):
                return False  # a caller names it
        return meant.is_meant(self.source, self.node, self.origin, self.want)

    def _narrows(self) -> bool:
        is_alike = family(self.want) == family(self.origin.dtype)
        return is_alike and bits(self.want) < bits(self.origin.dtype)

    def candidate(self) -> Found:
        """Return the change, or None if none is known to be right."""
        return next(way(self) for holds, way in _WAYS if holds(self))

    # what each kind wants

    def at_place(self) -> Candidate | None:
        """Return a cast of the operand that fared badly, where the operation is the cause."""
        effect = self.effect
        if effect.enough is not None and not effect.remark:
            return self.of_either_sign()
        stored = effect.operands[effect.against].dtype
        # whoever casts them, integers have no place there, and fractions have none in integers
        if "integer" in (family(stored), family(self.want)):
            return None
        return self.with_cast(effect.against, self.want)

    def of_either_sign(self) -> Candidate | None:
        """Return a cast of integers to the dtype of those of the other sign, if it holds them."""
        enough, dtypes = self.effect.enough, [x.dtype for x in self.effect.operands]
        others = (i for i, d in enumerate(dtypes) if d is not enough)
        return None if enough is None else self.with_cast(next(others), enough)

    def as_the_other(self) -> Candidate | None:
        """Return the dtype of other integers for those that a call makes in the default one.

        Columns that identify become integers that may lack values.
        """
        if libraries.reads_table(self.effect):
            return self.by_library()
        dtypes = [op.dtype for op in self.effect.operands if family(op.dtype) == "integer"]
        is_pair = len(dtypes) == len(self.effect.operands) == 2
        if not self.here or not is_pair or not find(self.effect.kind).is_of_operands:
            return None
        for index, other in enumerate(reversed(dtypes)):
            call = self._operand(index)
            if isinstance(call, ast.Call) and len(call.args) == 1 and self._makes(call):
                new = self.spelled(other)
                return Candidate(call, keyword=f"dtype={new.text}", needs=new.needs)
        return None

    def to_be_filled(self) -> Candidate | None:
        """Return another dtype for an array that is made to be filled, if it is spelled out.

        Flags that are converted have the dtype that the call names; what a caller hands over may
        be no flags the next time.
        """
        call = self.node
        if known_functions.converts(self.name):
            flags = self._what_is_cast()
            return None if flags is None or is_given(flags, self.source) else self.renamed()
        if not isinstance(call, ast.Call) or not takes_dtype(self.called, self.name):
            return None
        is_free = dtype_argument(call, self.called, self.names) is None
        return self._given(call) if is_free else self.renamed()

    def by_library(self) -> Candidate | None:
        """Return a change of what makes a compiled function or a lazy array find another dtype."""
        node, effect = self.node, self.effect
        if libraries.is_of_table(effect):
            return libraries.of_table(effect, self._operand(effect.against), node)
        if find(effect.kind).is_declared:
            return libraries.of_meta(node, self.names, self.spelled())
        if find(effect.kind).wants is Wanted.UNKNOWN or not isinstance(node, ast.expr):
            return None
        if self.origin.from_numbers and self.origin.operand is not None:
            return libraries.of_number(node, effect, self.spelled())
        return self.renamed() or self.with_dtype() or self._cast(node, self.want, scalar=False)

    def where_introduced(self) -> Candidate | None:
        """Return another dtype where the values are made, or a cast of them."""
        node, origin = self.node, self.origin
        if isinstance(node, ast.stmt):
            return self._with_one_cast()
        if isinstance(node, ast.Call):
            argument = dtype_argument(node, self.called, self.names)
            if argument is not None and is_given(argument, self.source):
                return None
            if not safety.literals_fit(node, self.want, self.names):
                return None
        named = self.explicit or (origin.from_numbers and origin.scalar)
        if isinstance(node, ast.Call) and dtype_named(node.func, self.names) is origin.dtype:
            named = True
        other = self.renamed() if named else self.with_dtype()
        return other or self._of_list() or self._with_one_cast() or self._converted()

    def renamed(self) -> Candidate | None:
        """Return a change of the dtype that is named, if it is spelled out."""
        call, was = self.node, self.origin.dtype
        if not isinstance(call, ast.Call) or safety.keeps_dtype(self.name, self.called):
            return None
        named = named_dtype(call, self.called, self.names, was)
        if named is None:
            return None
        new = renamed(self.source, named, self.want, self.origin.library, self.names)
        at_hand = self._dtype_at_hand(self.want) if named is not call.func else None
        return Candidate.of(named, at_hand or new)

    def with_dtype(self) -> Candidate | None:
        """Return a change that gives a dtype to the one function that makes the values."""
        call = self.node if isinstance(self.node, ast.Call) else self._made_in()
        if call is None:
            return None
        called = self.called if call is self.node else self.names.resolve(call.func)
        known = function(name_of(call))
        if known is None or known.reduces or known.draws:
            return None
        if safety.keeps_dtype(name_of(call), called) or not self._may_name_one(call, called):
            return None
        if safety.spreads_names(call) or not safety.literals_fit(call, self.want, self.names):
            return None
        if family(self.want) == "integer" and not safety.is_literal(call):
            return None
        return self._given(call)

    def _given(self, call: ast.Call) -> Candidate:
        """Return a call with the dtype, as the library of the function has it."""
        owner = (
            self.names.resolve(call.func.value) if isinstance(call.func, ast.Attribute) else None
        )
        facts = library_of_module(str(getattr(owner, "__name__", "")).partition(".")[0])
        library = facts.title if facts else self.origin.library
        new = self._dtype_at_hand(self.want) or spell(self.want, library, self.names)
        return Candidate(call, keyword=f"dtype={new.text}", needs=new.needs)

    def _may_name_one(self, call: ast.Call, called: Any) -> bool:
        """Return whether a call takes a dtype, and is given none."""
        named = dtype_argument(call, called, self.names)
        return takes_dtype(called, name_of(call)) and named is None

    def _made_in(self) -> ast.Call | None:
        """Return the call that makes an array in some arithmetic, if the rest are numbers."""
        if not isinstance(self.node, ast.expr):
            return None
        parts = list(safety.leaves(self.node))
        made = [n for n in parts if isinstance(n, ast.Call) and self._makes(n)]
        if len(made) != 1:
            return None
        rest = [n for n in parts if n is not made[0]]
        keep = {span_of(n) for n in self._kept_operands()}
        plain = all(span_of(n) in keep or self.names.is_plain(n) for n in rest)
        return made[0] if plain else None

    def _kept_operands(self) -> Iterator[ast.expr]:
        """Yield the operands, at the place of the cause, that have the wanted dtype."""
        for i, operand in enumerate(self.effect.operands if self.here else ()):
            node = self._operand(i)
            if node is not None and not safety.differs(operand, self.want):
                yield from safety.leaves(node)

    def _makes(self, call: ast.Call) -> bool:
        return facts_of(name_of(call)).makes_arrays and self._may_name_one(
            call, self.names.resolve(call.func)
        )

    # what a narrower dtype wants, whatever meets it

    def narrower(self) -> Candidate | None:
        """Return the narrower dtype where the values are made, or else a cast of them."""
        if isinstance(self.node, ast.stmt) or self.origin.operand is not None:
            return self.cast()
        return (self.renamed() if self.explicit else self.with_dtype()) or self.cast()

    def cast(self) -> Candidate | None:
        """Return a cast of the values."""
        if isinstance(self.node, ast.stmt):
            return None
        scalar = self.origin.scalar
        return self._cast(self.node, self.want, scalar=scalar, unlike=not scalar)

    def rounded(self) -> Candidate | None:
        """Return the values rounded to the narrower dtype, in the dtype that they have."""
        if isinstance(self.node, ast.stmt):
            return None
        narrow = self._cast(self.node, self.want, scalar=self.origin.scalar)
        back = self._cast(self.node, self.origin.dtype, scalar=self.origin.scalar)
        if narrow is None or back is None:
            return None
        return narrow._replace(template=back.template.replace(HOLE, narrow.template, 1))

    # casts

    def seen(self) -> Candidate | None:
        """Return a cast of a value where it is first seen."""
        origin, node = self.origin, self.node
        if not isinstance(node, ast.expr) or self.want is origin.dtype:
            return None
        if not safety.narrows_well(origin.dtype, self.want):
            return None
        if not _is_array_there(origin.location, origin.operand or 0, origin.library):
            return None
        return self._cast(node, self.want, scalar=origin.scalar)

    def with_cast(self, index: int, want: DType) -> Candidate | None:
        """Return a cast of one operand of the effect, where it is the cause."""
        effect, operand = self.effect, self.effect.operands[index]
        node, at = self._operand(index), effect.spans[index]
        if node is None or effect.spans.count(at) > 1:
            return None
        if is_changed(LOCATIONS[effect.location], index, at):
            return None  # a cast gives another array, which nobody has
        everywhere = want if operand.is_python else for_all(effect, index, want)
        if everywhere is None:
            return None
        want, in_python = self._of_scalars(index, everywhere)
        if operand.is_python or in_python:
            number = Spelling("int") if family(want) == "integer" else self.spelled(want)
            return Candidate.of(node, number, f"{{}}({HOLE})")
        d = want.part if operand.dtype.kind != "complex" else want
        was_tried = at > 0 and find(effect.kind).is_of_values  # with a wider array
        if not was_tried and not _is_array_there(effect.location, at, operand.library):
            return None
        # where the rules give the same dtype, the cast changes nothing
        given = effect.result or effect.operands[0].dtype
        if given not in (want, d) and not safety.narrows_well(operand.dtype, d):
            return None
        if operand.dtype is d or d.weak or not safety.has_place(operand, d):
            return None
        scalar = operand.form == "scalar"
        if effect.kind == "wraparound" and effect.operator == "multiply":  # of several factors
            node = next((x for x in _factors(node) if not self.names.is_plain(x)), node)
        change = self._cast(node, d, scalar=scalar, library=operand.library)
        is_nullable = operand.text[:1].isupper()  # as pandas writes those that may lack values
        if change is None or not is_nullable:
            return change
        template = change.template.replace(f'"{d}"', f'"{nullable(d)}"')
        return change._replace(template=template)

    def _of_scalars(self, index: int, want: DType) -> tuple[DType, bool]:
        """Return a dtype for a scalar that wraps around, and whether Python's int is as good.

        Scalars take no memory to speak of, and Python's integers never wrap around.
        """
        effect = self.effect
        others = [x for i, x in enumerate(effect.operands) if i != index]
        are_scalars = effect.operands[index].form == "scalar" and all(
            x.is_python or x.form == "scalar" for x in others
        )
        if effect.kind != "wraparound" or not are_scalars or family(want) != "integer":
            return want, False
        around = self.source.parents.get(self.node)
        sides = (around.left, around.right) if isinstance(around, ast.BinOp) else ()
        are_plain = all(n is self.node or self.names.is_plain(n) for n in sides)
        in_python = are_plain and bool(others) and all(x.is_python for x in others)
        return max(want, by_name("int64"), key=bits), in_python

    def alike(self) -> Candidate | None:
        """Return a cast of what is wide to the dtype of what it meets, which has had several."""
        wide = list(meant.wide_operands(self.effect, self.origin))
        node = self._operand(wide[0]) if len(wide) == 1 else None
        stored = find(self.effect.kind).wants is Wanted.STORED_INTO
        other = self._operand(0 if stored else self.effect.against)
        facts = library_titled(self.origin.library)
        is_plain = isinstance(other, (ast.Name, ast.Attribute)) and node is not None
        if node is not None and self.effect.operands[wide[0]].form == "scalar":
            return Candidate(node, f"float({HOLE})") if facts.casts_scalars else None
        if not is_plain or not facts.cast:
            return None
        d = f"{self.source.text(span_of(other))}.dtype"  # type: ignore[arg-type]  # it is there
        return Candidate(node, facts.cast.format(x=HOLE, dtype=d))  # type: ignore[arg-type]

    def narrowed(self) -> Candidate | None:
        """Return a cast at the operation where a width leaks: of what is wide, or of the result."""
        wide = list(meant.wide_operands(self.effect, self.origin))
        node = self._operand(wide[0]) if len(wide) == 1 else None
        is_named = node is not None and _names_width(node, self.names)
        candidate = (
            self.with_cast(wide[0], self.want) if node is not None and not is_named else None
        )
        if candidate is not None:
            return candidate
        stored = find(self.effect.kind).wants is Wanted.STORED_INTO
        if stored or not isinstance(self.node, ast.expr):
            return None
        undone = libraries.of_undone_cast(self.node, self.source) if not is_named else None
        scalar = all(op.form == "scalar" for op in self.effect.operands)
        library = self.effect.operands[wide[0]].library if wide else ""
        return undone or self._cast(self.node, self.want, scalar=scalar, library=library)

    def leaving(self) -> Candidate | None:
        """Return a cast of all that is written here, which has the width of what leaks."""
        wide = [self.effect.operands[i] for i in meant.wide_operands(self.effect, self.origin)]
        if not wide or not isinstance(self.node, ast.expr):
            return None
        is_scalar = all(op.form == "scalar" for op in wide)
        return self._cast(self.node, self.want, scalar=is_scalar, library=wide[0].library)

    def _with_one_cast(self) -> Candidate | None:
        """Return a cast of the one operand of an operation that has another dtype."""
        effect = self.effect
        computes = effect.operator or LOCATIONS[self.origin.location].form != "call"
        if not self.here or not find(effect.kind).widens or not computes:
            return None
        # it would be the wide operand's to change if the other one were not cast right here
        if any(op.dtype is effect.result for op in effect.operands):
            return libraries.of_undone_cast(self.node, self.source)
        others = [i for i, op in enumerate(effect.operands) if safety.differs(op, self.want)]
        return self.with_cast(others[0], self.want) if len(others) == 1 else None

    def _of_list(self) -> Candidate | None:
        """Return an array of the one operand of an operator that is a list, which has no dtype."""
        effect, place = self.effect, LOCATIONS[self.effect.location]
        lists = [span for i, span in enumerate(place.spans) if i not in effect.spans]
        is_widened = self.here and place.form == "operator" and find(effect.kind).widens
        if not is_widened or len(lists) != 1 or self.origin.library != SCALAR_LIBRARY:
            return None
        node, new = self.source.expression(lists[0]), self.spelled()
        if node is None or not new.module:
            return None
        d = self._dtype_at_hand(self.want) or new
        return Candidate(node, f"{new.module}.asarray({HOLE}, dtype={d.text})", needs=new.needs)

    def _converted(self) -> Candidate | None:
        """Return a cast of the result, which takes no other form."""
        node, origin, kind = self.node, self.origin, find(self.effect.kind)
        # cast, it would be introduced all the same; but what the host makes may be cast there
        how = all if origin.library == SCALAR_LIBRARY else any
        forbidden = how(base_name(m.kind) == FORBIDDEN for m in origin.effects.values())
        if not isinstance(node, ast.expr) or forbidden:
            return None
        if self.here:
            operands = self.effect.operands
            fits = all(safety.narrows_well(op.dtype, self.want) for op in operands)
            if not kind.is_cast_back or not fits:
                return None
        if not kind.is_of_target and not safety.narrows_well(origin.dtype, self.want):
            return None
        return self._cast(node, self.want, scalar=origin.scalar)

    def alike_in_both(self) -> list[Candidate] | None:
        """Return casts of operands with which both rules compute as it is done here."""
        casts = safety.casts_alike(self.effect, known_functions.rules_titled(SCALAR_LIBRARY))
        found = [self._alike(index, want) for index, want in casts]
        return None if None in found else found  # type: ignore[return-value]  # all are there

    def _alike(self, index: int, want: DType) -> Candidate | None:
        """Return a cast of one operand, which may be a number."""
        node, op = self._operand(index), self.effect.operands[index]
        if node is None:
            return None
        if op.is_python and not (new := self.spelled(want)).is_text:
            return Candidate.of(node, new, f"{{}}({HOLE})")
        return self._cast(node, want, scalar=op.form == "scalar")

    def with_larger(self) -> Candidate | None:
        """Return a cast to the first dtype that has a place for a number, and for its multiples."""
        effect = self.effect
        if is_store(LOCATIONS[effect.location]):
            return None
        value = effect.operands[effect.against].value
        others = (i for i, op in enumerate(effect.operands) if family(op.dtype))
        other = next((i for i in others if i != effect.against), 0)  # not a condition
        d = effect.operands[other].dtype
        chooses = facts_of(LOCATIONS[effect.location].name).category == "condition"
        if chooses and d.kind == "float" and value and abs(value) > float(d.max or 0):
            return self._limit(other, is_least=value < 0)  # type: ignore[operator]  # it is real
        roomy = _roomy(d, value or 0)
        if effect.operator == "multiply" and family(d) == "integer":
            product = (value or 0) * int(d.max or 0)
            roomy = [w for w in roomy if holds(product, w)] or roomy
        return self.with_cast(other, roomy[0]) if roomy else None

    def _last_number(self, node: ast.expr, new: Spelling, own: str, *, is_least: bool) -> Candidate:
        """Return a change of a number to the last one of a dtype, as its library has it."""
        text = last_number(new, self.origin.library, own, is_least=is_least)
        return Candidate(node, text, needs=new.needs)

    def _limit(self, other: int, *, is_least: bool) -> Candidate | None:
        """Return the last number of the dtype of an operand, for one that is chosen beside it.

        Nothing is computed with that: it stands for what is out of the question.
        """
        node, array = self._operand(self.effect.against), self._operand(other)
        new = self.spelled(self.effect.operands[other].dtype)
        if node is None or array is None or not new.module:
            return None
        is_plain = isinstance(array, (ast.Name, ast.Attribute))
        own = f"{self.source.text(span_of(array))}.dtype" if is_plain else new.text
        return self._last_number(node, new, own, is_least=is_least)

    def left_weak(self) -> Candidate | None:
        """Return a call that makes an array of a Python number, and leaves it weak."""
        call = self.node
        if not isinstance(call, ast.Call) or not call.args or not self.names.is_plain(call.args[0]):
            return None
        module = self.spelled(by_name("float32")).module
        number = self.source.text(span_of(call.args[0]))
        return Candidate(call, f"{module}.asarray({number})") if module else None

    def _cast(
        self, node: ast.expr, want: DType, *, scalar: bool, unlike: bool = False, library: str = ""
    ) -> Candidate | None:
        """Return a cast of an expression, which may be known to have another dtype.

        It may have gone over to another library than that of the origin.
        """
        if (of_dtype := read_dtype(self.source, node)) is not None:
            return Candidate.of(of_dtype, self.spelled(want))
        if (narrow := self._narrowed_to(node, want)) is not None:
            return Candidate.of(narrow, self.spelled(want))
        resolved = self.names.resolve(node)
        if isinstance(node, safety.NO_ARRAYS) or safety.rounds_counts(node, want):
            return None
        if isinstance(getattr(node, "ctx", None), ast.Store):
            return None
        if isinstance(resolved, (ModuleType, FunctionType, type)):
            return None
        known = facts_of(name_of(node))
        # a scalar that is known to be NumPy's has the method; Python's numbers have not
        of_array = known.reduces or known.category == "index"
        options: dict[str, Any] = {"scalar": scalar, "unlike": unlike}
        options["at_hand"] = self._dtype_at_hand(want)
        spelled = cast(want, library, self.names, **options) if library else None
        spelled = spelled or cast(want, self.origin.library, self.names, **options)
        if scalar and of_array and spelled is not None and not spelled.text.startswith(HOLE):
            spelled = spelled._replace(text=f"{HOLE}.astype({self.spelled(want).text})")
        return Candidate.of(node, spelled)

    def _narrowed_to(self, node: ast.expr, want: DType) -> ast.expr | None:
        """Return the dtype that a cast names, if digits were gone before another cast of it."""
        is_cast = node is self.node and facts_of(name_of(node)).converts
        if not isinstance(node, ast.Call) or not is_cast or bits(want) <= bits(self.origin.dtype):
            return None
        return dtype_argument(node, self.called, self.names)

    # room for values

    def uncast(self) -> Found:
        """Return a change that leaves columns the dtype that they have, where a table is cast."""
        return libraries.uncast(self.node, self.effect, self.names)

    def of_values(self) -> Found:
        """Return a change that gives values the room that they lack."""
        effect, node = self.effect, self.node
        if effect.enough is None:
            return self._rounded() or self._clipped() or self._in_python()
        if not _has(effect, effect.enough):
            return None
        if not self.here:
            return self._wider_total()
        if effect.enough.kind == "signed" and effect.enough.bits == bits(self.origin.dtype):
            if isinstance(node, ast.stmt) or self.origin.scalar:
                return self._in_python()
            return self._cast(node, effect.enough, scalar=False)  # the same bits are right there
        if isinstance(node, ast.Call):
            return self._of_call(node, effect.enough)
        return self._at_operand(effect.enough)

    def _of_call(self, call: ast.Call, enough: DType) -> Candidate | None:
        """Return a change that gives a call room."""
        if self._is_named_cast:
            if (last := self._last_of_cast()) is not None:
                return last
            if self._is_of_format() or self._is_cast_beside_another(call):
                return None
            return self.renamed() or self._unlike(call)
        if facts_of(self.name).has("filled"):
            limit = self._filled_limit(call) if self.effect.kind == "float-overflow" else None
            return limit or self.renamed() or self.with_dtype()
        if is_cast_method(call) or self.name == _AS_ANOTHER:
            return None
        if isinstance(call.func, ast.Attribute) and self.name in known_functions.FLOAT_CONSTRUCTORS:
            return Candidate(call.func, f"{self.source.text(span_of(call.func.value))}.tensor")
        if self._accumulates(call):
            return self._with_accumulator(call)
        return self._begun_at_zero(call, enough) or self._at_operand(enough)

    def _begun_at_zero(self, call: ast.Call, enough: DType) -> Candidate | None:
        """Return a sum of Python's that begins with zero in a dtype."""
        new = self.spelled(enough)
        is_alone = self.called is sum and len(call.args) == 1 and not call.keywords
        is_told = enough.kind == "float" or not self.effect.operands  # of others, each is an int
        if not is_alone or not is_told or isinstance(call.args[0], ast.Starred):
            return None
        return Candidate(call, keyword=f"start={new.text}(0)", needs=new.needs)

    def _filled_limit(self, call: ast.Call) -> Candidate | None:
        """Return the last number of a dtype for one beyond it that an array is filled with."""
        named = [k.value for k in call.keywords if k.arg == "fill_value"]
        values, new = [*call.args[1:2], *named], self.spelled(self.origin.dtype)
        if len(values) != 1 or not new.module:
            return None
        is_least = self.effect.remark.endswith("-inf for it")
        return self._last_number(values[0], new, new.text, is_least=is_least)

    @property
    def _is_named_cast(self) -> bool:
        call = self.node
        is_dtype = isinstance(call, ast.Call) and (
            dtype_named(call.func, self.names) is self.origin.dtype
        )
        return (self.explicit or is_dtype) and known_functions.converts(self.name)

    def _what_is_cast(self) -> ast.expr | None:
        """Return what a call that names a dtype converts to it."""
        call = self.node
        if not (self.here and self._is_named_cast and isinstance(call, ast.Call)):
            return None
        if isinstance(call.func, ast.Attribute) and self.names.resolve(call.func) is None:
            return call.func.value
        return call.args[0] if call.args else None

    def _is_of_format(self) -> bool:
        """Return whether integers are cast to few bits in a file that reads or writes bytes.

        What is written in so many bits is read in as many.
        """
        dtypes = [op.dtype for op in self.effect.operands[:1]]
        dtypes += [self.effect.enough or self.want, self.origin.dtype]
        if any(family(d) != "integer" for d in dtypes) or bits(self.origin.dtype) >= ROOMY:
            return False
        return any(name_of(node) in _OF_BYTES for node in ast.walk(self.source.tree))

    def _last_of_cast(self) -> Candidate | None:
        """Return the last number of a dtype for one beyond it that a call converts to it."""
        call, number = self.node, self._what_is_cast()
        new = self.spelled(self.origin.dtype)
        is_beyond = self.effect.kind == "float-overflow" and bool(new.module)
        if not is_beyond or not isinstance(call, ast.Call) or number is None:
            return None
        if not _is_number(number):
            return None
        named = dtype_argument(call, self.called, self.names)
        own = self.source.text(span_of(named)) if named is not None else new.text
        return self._last_number(number, new, own, is_least=isinstance(number, ast.UnaryOp))

    def _rounded(self) -> Candidate | None:
        """Return floats that are rounded before they are cut off to integers."""
        node, module = self._what_is_cast(), self.spelled(by_name("float32")).module
        is_cut = self.effect.is_way and family(self.origin.dtype) == "integer"
        return Candidate(node, f"{module}.round({HOLE})") if is_cut and node and module else None

    def _clipped(self) -> Candidate | None:
        """Return floats that are cut to the range of the integers that they are converted to.

        What else comes out differs from one processor to the next.
        """
        effect, d, node = self.effect, self.origin.dtype, self._what_is_cast()
        if effect.kind != "wraparound" or not effect.operands:  # as of a list
            return None
        was, module = effect.operands[effect.against].dtype, self.spelled(by_name("float32")).module
        has_limits = was.kind == "float" and (was.precision or 0) >= bits(d)  # as they are
        if not has_limits or family(d) != "integer" or node is None or not module:
            return None
        return Candidate(node, f"{module}.clip({HOLE}, {', '.join(self._ends(d, module))})")

    def _ends(self, d: DType, module: str) -> tuple[str, str]:
        """Return the least and the largest integer of a dtype, which a caller may name."""
        call, argument = self.node, None
        if isinstance(call, ast.Call):
            first = call.args[0] if self.name in CASTS and call.args else None
            argument = dtype_argument(call, self.called, self.names) or first
        if argument is None or not is_given(argument, self.source):
            return str(d.min), str(d.max)
        info = f"{module}.iinfo({self.source.text(span_of(argument))})"
        return f"{info}.min", f"{info}.max"

    def _unlike(self, call: ast.Call) -> Candidate | None:
        """Return the dtype that is wanted, in the place of that of an array which has another."""
        named = dtype_argument(call, self.called, self.names)
        is_cut = family(self.origin.dtype) == "integer"
        return Candidate.of(named, self.spelled()) if is_dtype(named) and is_cut else None

    def _at_operand(self, enough: DType) -> Candidate | None:
        """Return a cast of the operand that lacks room, or the dtype of what is made of numbers."""
        effect, node = self.effect, self.node
        data = [i for i, op in enumerate(effect.operands) if is_strong(op)]
        if not data:  # as of a function that makes an array of numbers
            if not isinstance(node, ast.Call):
                return None
            are_integers = family(enough) == "integer" and self._may_name_one(node, self.called)
            return self._given(node) if are_integers else self.with_dtype()
        index = effect.against if effect.against in data else data[0]
        others = [i for i in data if i != index]
        if self._is_python_fold(index):
            argument = self._operand(index)
            return Candidate(argument, f"map(int, {HOLE})") if argument is not None else None
        return None if _is_refused(effect, enough, others) else self.with_cast(index, enough)

    def _is_python_fold(self, index: int) -> bool:
        """Return whether a function of Python folds the integers that one of its arguments has."""
        spans, operand = self.effect.spans, self.effect.operands[index]
        are_several = spans.count(spans[index]) > 1 and operand.form == "scalar"
        is_python = getattr(self.called, "__module__", None) in _FOLDING
        return are_several and is_python and operand.dtype.kind in ("signed", "unsigned")

    def _is_cast_beside_another(self, call: ast.Call) -> bool:
        """Return whether what a cast gives meets that of another: both would have to change."""
        node: ast.AST = call
        while isinstance(around := self.source.parents.get(node), ast.BinOp):
            node = around
        inside = set(ast.walk(call))
        others = (n for n in ast.walk(node) if isinstance(n, ast.Call) and n not in inside)
        return any(known_functions.converts(name_of(n)) for n in others)

    def _wider_total(self) -> Candidate | None:
        """Return a change of the dtype of a total where it begins: to a wider one of its kind.

        What is there to be filled may have to be of another.
        """
        is_filled = LOCATIONS[self.effect.location].form == "store"
        same = is_filled or family(self.origin.dtype) == family(self.want)
        if self.origin.operand is not None or (self.explicit and not same):
            return None
        return self.renamed() if self.explicit else self.with_dtype()

    def _accumulates(self, call: ast.Call) -> bool:
        known = facts_of(name_of(call))
        of_sparse = any(op.library == _SPARSE for op in self.effect.operands)
        if known.has("squares before dtype") or of_sparse:  # which add up in their own dtype
            return False
        if not known.reduces and name_of(call) not in OF_UFUNCS:
            return False
        named = dtype_argument(call, self.called, self.names) is not None
        takes = "dtype" in (parameters_of(self.called) or ())
        return named or takes or takes_dtype(self.called, name_of(call))

    def _with_accumulator(self, call: ast.Call) -> Candidate:
        """Return a change of the dtype that a call accumulates in."""
        named = dtype_argument(call, self.called, self.names)
        if named is not None:
            return Candidate(named, self.spelled().text, needs=self.spelled().needs)
        given = self._given(call)
        narrow = cast(self.origin.dtype, self.origin.library, self.names, unlike=True)
        back = self.effect.is_way and narrow is not None
        return given._replace(template=narrow.text) if back and narrow else given

    def _in_python(self) -> Found:
        """Return a change that computes with Python's integers, which have no limit."""
        call, operands = self.node, self.effect.operands
        if self.effect.kind != "wraparound" or not self.here:
            return None
        if isinstance(call, ast.Call):
            of_shape = self.name in ("prod", "product") and not operands
            if not of_shape or len(call.args) != 1 or call.keywords:
                return None
            needs = "" if self.names.name_for("math") else "import math"
            return Candidate(call.func, "math.prod", needs=needs)
        if not all(op.form == "scalar" or op.is_python for op in operands):
            return None
        around = self.source.parents.get(call)
        others = (around.left, around.right) if isinstance(around, ast.BinOp) else ()
        if not all(n is call or self.names.is_plain(n) for n in others):
            return None  # a large one of Python's would meet one of NumPy's, and be refused
        nodes = [self._operand(i) for i, op in enumerate(operands) if not op.is_python]
        parts = [part for node in nodes if node is not None for part in _factors(node)]
        return [Candidate(x, f"int({HOLE})") for x in parts if not self.names.is_plain(x)]

    def _operand(self, index: int) -> ast.expr | None:
        """Return how an operand of the effect is written."""
        is_here = source_file(LOCATIONS[self.effect.location].file) is self.source
        return operand_of(self.effect, index) if is_here else None

    def _dtype_at_hand(self, want: DType) -> Spelling | None:
        """Return the dtype of an operand that the function around is given, if it is the one."""
        written = [(op, self._operand(i)) for i, op in enumerate(self.effect.operands)]
        parts = [
            (op, part) for op, node in written
            for part in (ast.walk(node) if node is not None else ()) if self._names_dtype(part)
        ]  # fmt: skip
        given = [*written, *parts]
        return at_hand(self.source, given, want, self.origin.library, around=self.node)

    def _names_dtype(self, node: ast.AST) -> TypeGuard[ast.Name]:
        """Return whether a node is a name whose dtype the function around has written already."""
        function = next(iter(self.source.functions(self.node)), None)
        if not isinstance(node, ast.Name) or function is None:
            return False
        read = (n.value for n in ast.walk(function) if is_dtype(n))
        return any(isinstance(of, ast.Name) and of.id == node.id for of in read)

    def spelled(self, want: DType | None = None) -> Spelling:
        """Return how a dtype is written here: by default, that which is wanted."""
        return spell(want or self.want, self.origin.library, self.names)


_WAYS: Final[tuple[tuple[Callable[[Cause], Any], Callable[[Cause], Found]], ...]] = (
    (lambda c: libraries.is_of_table(c.effect), Cause.by_library),
    (lambda c: c.here and libraries.casts_columns(c.node), Cause.uncast),
    (lambda c: find(c.effect.kind).is_of_values and c.effect.remark, Cause.of_values),
    (lambda c: find(c.effect.kind).needs_larger, Cause.with_larger),
    (lambda c: c.here and safety.is_between_rules(c.effect), Cause.alike_in_both),
    (lambda c: find(c.effect.kind).is_of_library, Cause.by_library),
    (lambda c: c.origin.operand is not None, Cause.seen),
    (lambda c: find(c.effect.kind).leaves_weak, Cause.left_weak),
    (lambda c: c.here and find(c.effect.kind).is_of_operands, Cause.at_place),
    (lambda _: True, Cause.where_introduced),
)
"""The strategies by what is wanted: the first whose condition holds decides."""


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what is multiplied in a product of products."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def _names_width(node: ast.expr, names: Names) -> bool:
    """Return whether an expression is the very cast that names a width."""
    if not isinstance(node, ast.Call):
        return False
    called = names.resolve(node.func)
    return (
        (facts_of(name_of(node)).converts and dtype_argument(node, called, names) is not None)
        or is_cast_method(node)
        or dtype_named(node.func, names) is not None
    )


def operand_of(effect: Effect, index: int) -> ast.expr | None:
    """Return how an operand of an operation is written, or None if it is not written out."""
    place, at = LOCATIONS[effect.location], effect.spans[index]
    span = place.spans[at] if at < len(place.spans) else None
    return source_file(place.file).expression(span)


def _is_refused(effect: Effect, d: DType, others: Sequence[int]) -> bool:
    """Return whether the rules refuse an operation if one of its operands alone is wider."""
    rules, name = effect.rules, LOCATIONS[effect.location].name
    if rules is None or not others or rules.rule(name) is None:
        return False
    try:
        rules.result_type(d, *(effect.operands[i] for i in others), op=name)
    except SupremumError:
        return True
    return False


def _has(effect: Effect, d: DType) -> bool:
    """Return whether the library has a dtype, as it is set: JAX has no int64 without x64."""
    try:
        return effect.rules is None or effect.rules.result_type(d) is d
    except SupremumError:
        return False


def _is_array_there(location: int, index: int, library: str) -> bool:
    """Return whether an operand is sure to be an array where it is written, not a list."""
    place = LOCATIONS[location]
    if place.form != "call" or (index > 1 and may_store(place.name)):
        return True
    if index == 0:  # the object, or something that is not written out
        module, _, name = library_titled(library).array_class.partition(":")
        arrays = getattr(sys.modules.get(module), name, None)
        return arrays is not None and hasattr(arrays, place.name)
    if facts_of(place.name).takes_list or index > len(place.keywords):
        return index > len(place.keywords)  # an element of a list that is written out
    return function(place.name) is not None
