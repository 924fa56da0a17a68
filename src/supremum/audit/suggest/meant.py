"""Whether the width that a program names is meant, and where it leaks into narrower arrays.

A width that is written out, as in ``dtype=np.float64`` or ``x.astype(np.float64)``, is meant: what
is to change is the operation where it meets something narrower. There are two exceptions, in which
the width itself is what should change:

- It is named for new values, which then only meet narrower ones: a buffer, a constant, a cast
  beside the narrower operand.
- A function converts whatever array it is handed, and neither solves, accumulates nor compares with
  what comes of it: it does not keep the precision of its input. Half precision is always widened on
  purpose, and numbers of a list may need the digits.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from ...core.dtypes import DType
from ...core.functions import Function, facts_of, function
from ..kinds import FORBIDDEN, Wanted, find
from ..model.dtypes import bits, family, is_strong
from ..model.locations import LOCATIONS, Location, span_of
from ..model.provenance import Effect, Origin
from ..source.flow import Use, origins, reached, uses
from ..source.names import Names
from ..source.source_file import SourceFile, name_of, parameters, source_file
from .safety import SINGLE, is_literal
from .spelling import cast_methods, dtype_named

_SOLVES: Final = ("linalg", "estimate")
_PRECISE: Final = (*_SOLVES, "norm", "transform", "cumulative")


def is_explicit(source: SourceFile, call: ast.expr | ast.stmt, origin: Origin) -> bool:
    """Return whether a call names its dtype: by an argument, its name, or as a layer was made."""
    if origin.explicit or not isinstance(call, ast.Call):
        return origin.explicit
    if name_of(call) in cast_methods() and not call.args and isinstance(call.func, ast.Attribute):
        return origin.operand is None
    return origin.operand is None and _is_layer(source, call)


def _is_layer(source: SourceFile, call: ast.Call) -> bool:
    """Return whether what is called was made by a call that names a dtype."""
    made = [made for made, _ in origins(source, call.func, ()) if isinstance(made, ast.Call)]
    return any(k.arg == "dtype" for k in made[0].keywords) if made else False


def is_asked_about(origin: Origin) -> bool:
    """Return whether the user asks for another dtype than the program names."""
    kinds = [find(m.kind) for m in origin.effects.values()]
    return any(kind.name == FORBIDDEN or kind.wants is Wanted.RESULT for kind in kinds)


def _leaks(origin: Origin) -> list[Effect]:
    """Return the effects in which the width of an origin meets something narrower."""
    wanted = (Wanted.NARROW_OPERAND, Wanted.STORED_INTO)
    found = [(m, find(m.kind)) for m in origin.effects.values()]
    leaks = [m for m, kind in found if kind.wants in wanted and not kind.is_intended]
    # a comparison hands no width on
    leaks = [m for m in leaks if LOCATIONS[m.location].form != "comparison"]
    kept = (_is_for_precision(LOCATIONS[m.location]) or _is_step(m, origin) for m in leaks)
    return [m for m, is_kept in zip(leaks, kept, strict=True) if not is_kept]


def _is_for_precision(place: Location) -> bool:
    """Return whether an operation is meant to be wide: it solves, or makes what is solved with.

    So is one beside the very cast, if its result is added up.
    """
    source = source_file(place.file)
    node = source.expression(place.span)
    if node is None:
        return False
    found = [use.node for use in uses(source, node)]
    if any(_facts(n).category in _SOLVES for n in (node, *found)):
        return True
    operands = filter(None, map(source.expression, place.spans))
    beside = any(isinstance(n, ast.Call) and _converts(n, Names(source, n)) for n in operands)
    return beside and _any_precise(source, list(uses(source, node)))


def _is_step(effect: Effect, origin: Origin) -> bool:
    """Return whether what an operation makes of a wide value takes its place."""
    place = LOCATIONS[effect.location]
    source = source_file(place.file)
    node = source.expression(place.span)
    spans = dict(enumerate(place.spans))
    wide = (spans.get(effect.spans[index]) for index in wide_operands(effect, origin))
    values = filter(None, map(source.expression, wide))
    return node is not None and any(_is_assigned_to(source, Use(node, v)) for v in values)


def is_meant(
    source: SourceFile, node: ast.expr | ast.stmt, origin: Origin, want: DType, at: Location
) -> bool:
    """Return whether a program names a width on purpose.

    Args:
        source: the file that names it.
        node: the call that does.
        origin: the call, as it was recorded.
        want: the dtype that it meets.
        at: where it first does.
    """
    if not isinstance(node, ast.Call) or _is_wide_by_nature(source, node, origin):
        return True
    meets = _meets(origin, at)
    found = list(uses(source, node))
    others = [use for use in found if not _is_at(source, use.node, meets)]
    if not meets or _grows(source, found) or _any_precise(source, others):
        return True
    narrow = _all_narrow(source, others, meets)
    if not _converts(node, Names(source, node)):
        # a number that is written out fits where it goes
        return not origin.scalar and (origin.is_filled or not narrow)
    if origin.from_lists or bits(want) < SINGLE or _any_for_precision(meets):
        return True
    return not (narrow or _is_of_parameter(source, node))


def _grows(source: SourceFile, found: list[Use]) -> bool:
    return any(_is_assigned_to(source, use) for use in found)


def _any_for_precision(meets: list[Location]) -> bool:
    return any(map(_is_for_precision, meets))


def _meets(origin: Origin, at: Location) -> list[Location]:
    """Return where values of an origin met narrower ones, first of all at a location."""
    places = (at, *(LOCATIONS[m.location] for m in _leaks(origin)))
    return [place for place in places if place.form != "comparison"]


def _all_narrow(source: SourceFile, found: list[Use], meets: list[Location]) -> bool:
    return all(_is_narrow(source, use, meets) for use in found)


def _any_precise(source: SourceFile, found: list[Use]) -> bool:
    return any(_is_precise(source, use) for use in found)


def _is_wide_by_nature(source: SourceFile, call: ast.Call, origin: Origin) -> bool:
    """Return whether a call gives integers or a total, or is of a layer with a dtype of its own."""
    if origin.is_total or family(origin.dtype) == "integer":
        return True
    name = name_of(call)
    known = facts_of(name)
    adds = known.reduces or known.is_accumulating or name in ("accumulate", "reduce")
    return adds or _is_layer(source, call)


def _converts(call: ast.Call, names: Names) -> bool:
    """Return whether a call converts what it is given, which is not written out."""
    named = dtype_named(call.func, names) is not None or name_of(call) in cast_methods()
    converts = facts_of(name_of(call)).converts
    of_object = isinstance(call.func, ast.Attribute) and names.resolve(call.func.value) is None
    plain = ast.Call(call.func, call.args[:1], [])
    return (named or converts) and (of_object or not is_literal(plain))


def _is_of_parameter(source: SourceFile, call: ast.Call) -> bool:
    """Return whether a call is given what a caller hands to the function around it."""
    scope = next(iter(source.functions(call)), None)
    named = {n.id for n in ast.walk(call) if isinstance(n, ast.Name)}
    return scope is not None and not named.isdisjoint(parameters(scope))


def _is_precise(source: SourceFile, use: Use) -> bool:
    """Return whether a value is used for what takes precision: it is added up, or solved for."""
    if isinstance(use.node, ast.AugAssign):
        return use.node.target is use.value
    if isinstance(use.node, ast.BinOp):
        return _is_assigned_to(source, use)
    known = _facts(use.node)
    accumulates = known.is_accumulating or known.has("sums") or known.has("squares")
    return accumulates or known.category in _PRECISE


def _is_assigned_to(source: SourceFile, use: Use) -> bool:
    """Return whether what is computed with a value takes its place, as that of a total does."""
    above = source.above(use.node) if isinstance(use.node, ast.BinOp) else iter(())
    parent = next((n for n in above if not isinstance(n, ast.BinOp)), None)
    targets = parent.targets if isinstance(parent, ast.Assign) else []
    return ast.unparse(use.value) in map(ast.unparse, targets)


def _facts(node: ast.AST) -> Function:
    """Return what is known of the function or attribute that a node asks for."""
    name = name_of(node) if isinstance(node, ast.Call) else getattr(node, "attr", "")
    return facts_of(name)


_NEUTRAL: Final = (
    ast.Return, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.keyword, ast.For, ast.comprehension,
    ast.Attribute, ast.Expr, ast.Assign, ast.Yield, ast.YieldFrom, ast.FormattedValue,
)  # fmt: skip
"""What a value is in without being computed with."""


def _is_narrow(source: SourceFile, use: Use, meets: list[Location]) -> bool:
    """Return whether a value meets a narrower one where it is used, or is not computed with."""
    if any(_is_at(source, node, meets) for node in source.above(use.node)):
        return True
    called = function(name_of(use.node)) if isinstance(use.node, ast.Call) else None
    return isinstance(use.node, _NEUTRAL) or (isinstance(use.node, ast.Call) and called is None)


def _is_at(source: SourceFile, node: ast.AST, places: list[Location]) -> bool:
    """Return whether a node is what is written at one of some locations."""
    known = isinstance(node, (ast.expr, ast.AugAssign, ast.Assign))
    spans = [p.span for p in places if source_file(p.file) is source] if known else []
    return known and span_of(node) in spans  # type: ignore[arg-type]  # it is one of them


def leak(origin: Origin) -> Effect | None:
    """Return the one operation in which a width meets something narrower; None for several.

    What is computed with the result of one is no other.
    """
    found = _leaks(origin)
    for m in found:
        place = LOCATIONS[m.location]
        source = source_file(place.file)
        node = source.find(place.span)
        after = reached(source, node) if isinstance(node, ast.expr) else set()
        others = (LOCATIONS[o.location] for o in found if o is not m)
        if all(o.file == place.file and o.span in after for o in others):
            return m
    return None


def wide_operands(effect: Effect, origin: Origin) -> Iterator[int]:
    """Yield the operands of an operation that have the width of an origin."""
    for index, op in enumerate(effect.operands):
        if op.dtype is origin.dtype and is_strong(op):
            yield index
