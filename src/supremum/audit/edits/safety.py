"""What stands against a change of a dtype: what the source and the dtypes say of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from math import frexp
from typing import Any, Final

from ...core import losses
from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.functions import facts_of
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ...core.systems import system
from ..kinds import Wanted, find
from ..model.dtypes import SINGLE, bits, family, holds
from ..model.locations import LOCATIONS
from ..model.names import Names
from ..model.provenance import Effect, Origin
from ..model.source_file import name_of
from .spelling import dtype_named

_HUNDREDTH: Final = 0.01
NO_ARRAYS: Final = (
    ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.Constant, ast.Yield, ast.YieldFrom,
    ast.NamedExpr,
)  # fmt: skip
"""Expressions that make no array."""

_ARITHMETIC = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult,
)  # fmt: skip


def keeps_dtype(name: str, called: Any) -> bool:
    """Return whether a function's dtype cannot change without its values."""
    known = facts_of(name)
    owner = getattr(called, "__objclass__", None) or getattr(called, "__self__", None)
    drawn = "random" in f"{getattr(called, '__module__', '')} {owner}".lower()
    return known.has("reads bytes") or drawn or known.draws


def literals_fit(call: ast.Call, want: DType, names: Names) -> bool:
    """Return whether the values that are written in a call have a place in a dtype."""
    known = facts_of(name_of(call))
    makes = known.makes_arrays or known.counts or known.converts
    if known.takes_shape or not (makes or dtype_named(call.func, names) is not None):
        return True  # they are not its values
    counts = known.counts and family(want) == "inexact"
    most = 1 << (want.part.precision or 0)
    numbers = (n for argument in call.args for n in ast.walk(argument))
    return all(
        holds(n.value, want)
        and not (counts and abs(n.value) > most)
        and not _needs_digits(n.value, want)
        for n in numbers
        if isinstance(n, ast.Constant) and isinstance(n.value, (int, float))
    )


def _needs_digits(number: float, want: DType) -> bool:
    """Return whether a dtype leaves little of the fraction of a number, as of a coordinate.

    >>> from supremum.core.dtypes import by_name
    >>> [_needs_digits(x, by_name("float32")) for x in (5335960.127, 31.5, 3.141592653589793)]
    [True, False, False]
    """
    step = 2.0 ** (frexp(number)[1] - (want.part.precision or 0))
    return number % 1 != 0 and step > _HUNDREDTH


def leaves(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what some arithmetic, or a comparison, is done with."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.UnaryOp):
        parts = [node.operand]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
        parts = [node.left, node.right]
    elif isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    else:
        yield node
    for part in parts:
        yield from leaves(part)


def spreads_names(call: ast.Call) -> bool:
    """Return whether a call is given what is in a dictionary, which may name a dtype."""
    return any(k.arg is None for k in call.keywords)


def is_literal(call: ast.Call) -> bool:
    """Return whether all that a call is given is written out."""
    parts = [n for a in call.args for n in ast.walk(a)]
    known = (ast.Constant, ast.List, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load)
    return not call.keywords and all(isinstance(n, known) for n in parts)


def differs(operand: Operand, want: DType) -> bool:
    """Return whether an operand would have to be cast, for a result to have some dtype."""
    d = operand.dtype
    return bool(not operand.weak and family(d)) and d not in (want, want.part)


def narrows_well(d: DType, want: DType) -> bool:
    """Return whether a cast is safe: floats may lose digits, integers must not wrap around."""
    if family(want) == "integer":
        both_large = bits(d) == bits(want) == 64  # the widest there are
        return both_large or not losses.overflows(d, want)
    return family(d) != "integer" or not losses.overflows(d, want)


def has_place(operand: Operand, d: DType) -> bool:
    """Return whether the value of a scalar, if it is known, survives a cast."""
    return operand.value is None or holds(operand.value, d)


def rounds_counts(node: ast.expr, want: DType) -> bool:
    """Return whether numbers are counted up, which 16 bits have no place for."""
    calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
    counts = any(name_of(call) == "arange" for call in calls)
    return counts and family(want) == "inexact" and bits(want) < SINGLE


def adds_to_half(origin: Origin, effect: Effect) -> bool:
    """Return whether parameters in single precision are added in place to half precision.

    Rounded first, more of them would be lost than is lost there: a mean of weights needs the
    digits. What the program makes may be made in half precision.
    """
    if origin.operand is None:
        return False
    place = LOCATIONS[effect.location]
    is_in_place = place.form == "in place" or place.name.endswith("_")
    if not is_in_place or find(effect.kind).wants is not Wanted.STORED_INTO:
        return False
    into, added = (bits(x.dtype) for x in effect.operands[:2])
    adds = facts_of(place.name.rstrip("_")).name in ("add", "subtract", "lerp")
    return adds and into < SINGLE <= added


def is_between_rules(effect: Effect) -> bool:
    """Return whether operands are to be cast, so that what came out here comes out there, too.

    That is so between releases of one library, and of what the other rules refuse.
    """
    if not find(effect.kind).is_of_target:
        return False
    releases = (system("numpy").library, system("numpy-legacy").library)
    return effect.result is None or effect.rules is None or effect.rules.library in releases


def casts_alike(effect: Effect, here: PromotionSystem) -> list[tuple[int, DType]]:
    """Return casts of one operand, or of each, with which two sets of rules compute in one dtype.

    That is the dtype in which it is computed here.

    Args:
        effect: the operation, and the other rules.
        here: the rules by which it was computed.
    """
    want = _computed_in(here, effect.operands, effect.operator)
    if want is None or effect.rules is None:
        return []
    # a cast of an array or a scalar, if there is one, rather than of a number
    order = sorted(enumerate(effect.operands), key=lambda pair: pair[1].is_python)
    able = [i for i, x in order if x.dtype is not want and has_place(x, want)]
    for chosen in (*([index] for index in able), able):
        given = [_cast(x, want) if i in chosen else x for i, x in enumerate(effect.operands)]
        if all(_computed_in(r, given, effect.operator) is want for r in (here, effect.rules)):
            return [(index, want) for index in chosen]
    return []


def _cast(operand: Operand, d: DType) -> Operand:
    form = "scalar" if operand.is_python else operand.form
    return operand._replace(dtype=d, text=d.name, weak=False, form=form)


def _computed_in(
    rules: PromotionSystem, operands: Sequence[Operand], operator: str | None
) -> DType | None:
    """Return the dtype in which an operator computes, or None if it is refused."""
    try:
        return rules.explain(*operands, op=operator).settled.dtype if operator else None
    except SupremumError:
        return None
