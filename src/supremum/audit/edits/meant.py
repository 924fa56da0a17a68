"""Whether the width that a program names is meant, and where it leaks into narrower arrays.

A width that is written out, as in ``dtype=np.float64`` or ``x.astype(np.float64)``, is meant if
most of the operations on its values are among that width, or if they go to what takes precision: a
total, a sum, a solver, an array that wide values are stored in. Then what is to change is the
operation where it meets something narrower. If its values do nothing but meet narrower ones, the
width itself is to change.

A function that converts whatever array it is handed does not keep the precision of its input, so
that the conversion is to change. But half precision is always widened on purpose, and numbers of a
list may need the digits.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from ...core.dtypes import DType
from ...core.functions import facts_of
from ..kinds import FORBIDDEN, Wanted, find
from ..log.values.recompute import OF_UFUNCS
from ..model import rows
from ..model.dtypes import SINGLE, bits, family, is_strong
from ..model.locations import LOCATIONS, Location
from ..model.names import Names
from ..model.provenance import Effect, Origin, is_beside
from ..model.source_file import SourceFile, name_of, origins, parameters, source_file
from .safety import is_literal
from .spelling import dtype_named, is_cast_method


def is_explicit(source: SourceFile, call: ast.expr | ast.stmt, origin: Origin) -> bool:
    """Return whether a call names its dtype: by an argument, its name, or as a layer was made."""
    if origin.explicit or not isinstance(call, ast.Call):
        return origin.explicit
    if is_cast_method(call):
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


def goes_through(origin: Origin) -> bool:
    """Return whether values are handed to an object that computes, such as a module of PyTorch.

    It has a dtype of its own, so that they are not to have another one.
    """
    handed = (row for row in origin.rows if row.role == rows.OPERAND and row.span > 0)
    return any(_is_of_object(row.place) for row in handed if row.place.form == "call")


def _is_of_object(place: Location) -> bool:
    """Return whether what is called is an object that the program made."""
    source = source_file(place.file)
    call = source.find(place.span)
    name = place.name
    if not isinstance(call, ast.Call) or name[:1].isupper() or hasattr(builtins, name):
        return False
    is_method = isinstance(call.func, ast.Attribute) and bool(facts_of(name.rstrip("_")).name)
    return not is_method and Names(source, call).resolve(call.func) is None


def leaks(origin: Origin) -> list[Effect]:
    """Return the effects in which the width of an origin meets something narrower.

    Comparisons hand no width on; what solves is meant to be wide; and what an operation makes of a
    wide value may take its place, as a total does.
    """
    wanted = (Wanted.NARROW_OPERAND, Wanted.STORED_INTO)
    found = []
    for effect in origin.effects.values():
        kind, place = find(effect.kind), LOCATIONS[effect.location]
        is_plain = place.form != "comparison" and facts_of(place.name).category not in rows.SOLVES
        is_chosen = rows.is_precise(origin.rows) and is_beside(effect.location, origin)
        is_state = rows.is_state(origin.rows, effect.rows)
        is_meant = kind.is_intended or is_chosen or is_state or _is_step(effect, origin)
        if kind.wants in wanted and is_plain and not is_meant:
            found.append(effect)
    return found


def _is_step(effect: Effect, origin: Origin) -> bool:
    """Return whether what an operation makes of a wide value takes its place."""
    wide = (effect.spans[index] for index in wide_operands(effect, origin))
    return LOCATIONS[effect.location].replaces in wide


def is_meant(source: SourceFile, call: ast.expr | ast.stmt, origin: Origin, want: DType) -> bool:
    """Return whether a program names a width on purpose.

    Args:
        source: the file that names it.
        call: the call that does.
        origin: the call, as it was recorded.
        want: the dtype that it meets.
    """
    if not isinstance(call, ast.Call) or _is_wide_by_nature(origin, call):
        return True
    if rows.is_precise(origin.rows) or _is_added_to(source, call):
        return True
    if not _converts(call, Names(source, call)):
        return not origin.scalar and (rows.is_filled(origin.rows) or _stays(origin))
    if origin.from_lists or bits(want) < SINGLE:
        return True
    return _stays(origin) and not _is_of_parameter(source, call)


def _stays(origin: Origin) -> bool:
    """Return whether most of the operations on values of a width are among that width."""
    return rows.own(origin.rows) >= max(len(leaks(origin)), 1)


def _is_added_to(source: SourceFile, call: ast.Call) -> bool:
    """Return whether something is added to items of what a call gives."""
    made = source.parents.get(call)
    names = {*map(ast.unparse, made.targets)} if isinstance(made, ast.Assign) else set()
    added = (n.target for n in ast.walk(source.tree) if isinstance(n, ast.AugAssign))
    return any(isinstance(n, ast.Subscript) and ast.unparse(n.value) in names for n in added)


def _converts(call: ast.Call, names: Names) -> bool:
    """Return whether a call converts what it is given, which is not written out."""
    named = dtype_named(call.func, names) is not None or is_cast_method(call)
    converts = facts_of(name_of(call)).converts
    of_object = isinstance(call.func, ast.Attribute) and names.resolve(call.func.value) is None
    plain = ast.Call(call.func, call.args[:1], [])
    return (named or converts) and (of_object or not is_literal(plain))


def _is_of_parameter(source: SourceFile, call: ast.Call) -> bool:
    """Return whether a call is given what a caller hands to the function around it."""
    scope = next(iter(source.functions(call)), None)
    named = {n.id for n in ast.walk(call) if isinstance(n, ast.Name)}
    return scope is not None and not named.isdisjoint(parameters(scope))


def _is_wide_by_nature(origin: Origin, call: ast.Call) -> bool:
    """Return whether a call gives integers, a total or what it is given to read."""
    is_total = rows.is_total(origin.rows, scalar=origin.scalar)
    if is_total or family(origin.dtype) == "integer":
        return True
    name = name_of(call)
    known = facts_of(name)
    adds = known.reduces or known.is_accumulating or name in OF_UFUNCS
    return adds or known.has("reads bytes")


def leak(origin: Origin) -> Effect | None:
    """Return the first operation in which a width meets something narrower, or None.

    What is computed with the result of one is no other.
    """
    found = leaks(origin)
    # all may come of a total, or of a cast that is meant, which are left out
    met = {(row.location, row.follows) for row in origin.rows if row.violates}
    follows = {at for at, is_later in met if is_later and (at, False) not in met}
    first = [effect for effect in found if effect.location not in follows] or found
    return first[0] if first else None


def wide_operands(effect: Effect, origin: Origin) -> Iterator[int]:
    """Yield the operands of an operation that have the width of an origin."""
    for index, op in enumerate(effect.operands):
        if op.dtype is origin.dtype and is_strong(op):
            yield index
