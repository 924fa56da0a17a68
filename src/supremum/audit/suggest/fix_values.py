"""The change that gives values the room that they lack: a wider operand, accumulator or buffer."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.functions import function
from ..checks import checks
from ..checks.calls import parameters_of
from ..checks.known_functions import converts
from ..model.locations import LOCATIONS, span_of
from ..model.provenance import Effect
from .fix_causes import Cause
from .fix_checks import REDUCTIONS
from .fix_edits import HOLE, Edit
from .fix_names import dtype_argument, name_of, takes_dtype

_SHORT: Final = ("float", "half", "bfloat16", "double", "int", "long", "short")
"""PyTorch's names of conversions, which have no dtype to change."""


def of_values(cause: Cause) -> Edit | None:
    """Return the change, or None if none is known to be right."""
    effect, node = cause.effect, cause.node
    if effect.enough is None:
        return _in_python(cause)
    if not _is_there(cause, effect.enough):
        return None
    if not cause.here:
        return _where_it_is_made(cause)
    if isinstance(node, ast.Call) and cause.explicit and converts(name_of(node)):
        if _is_cast_beside_another(cause, node):
            return None
        return cause.renamed() if effect.enough.kind == "float" else None
    if isinstance(node, ast.Call) and name_of(node) in _SHORT:
        return None
    if isinstance(node, ast.Call) and _takes_dtype(cause, node):
        return _with_accumulator(cause, node)
    data = [i for i, op in enumerate(effect.operands) if checks.is_strong(op)]
    if not data or _is_refused(effect, effect.enough, data[1:]):
        return None
    return cause.with_cast(data[0], effect.enough)


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


def _is_cast_beside_another(cause: Cause, cast: ast.Call) -> bool:
    """Tell whether what a cast gives meets that of another one: both would have to change."""
    node: ast.AST = cast
    parents = cause.source.parents
    while isinstance(parents.get(node), ast.BinOp):
        node = parents[node]
    others = (n for n in ast.walk(node) if isinstance(n, ast.Call) and n is not cast)
    inside = set(ast.walk(cast))
    return any(n not in inside and converts(name_of(n)) for n in others)


def _is_there(cause: Cause, d: DType) -> bool:
    """Tell whether the library has a dtype, as it is set: JAX has no int64 without x64."""
    rules = cause.effect.rules
    try:
        return rules is None or rules.result_type(d) is d
    except SupremumError:
        return False


def _where_it_is_made(cause: Cause) -> Edit | None:
    """Return a change of the dtype of a total where it begins."""
    if cause.origin.operand is not None:
        return None
    return cause.renamed() if cause.explicit else cause.with_dtype()


def _takes_dtype(cause: Cause, call: ast.Call) -> bool:
    known = function(name_of(call))
    reduces = known is not None and known.category in REDUCTIONS
    named = dtype_argument(call, cause.called, cause.names) is not None
    takes = "dtype" in (parameters_of(cause.called) or ())
    return reduces and (named or takes or takes_dtype(cause.called, name_of(call)))


def _with_accumulator(cause: Cause, call: ast.Call) -> Edit | None:
    """Return a change of the dtype that a call accumulates in."""
    wide = cause.spelled().text
    named = dtype_argument(call, cause.called, cause.names)
    if named is not None:
        return Edit(named, wide)
    edit = Edit(call, keyword=f"dtype={wide}")
    if not cause.effect.is_way:
        return edit
    narrow = cause.spelled(cause.origin.dtype)
    method = "to" if cause.origin.library == "PyTorch" else "astype"
    return edit._replace(template=f"{HOLE}.{method}({narrow.text})")


def _in_python(cause: Cause) -> Edit | None:
    """Return a change that computes with Python's integers, which have no limit."""
    call, operands = cause.node, cause.effect.operands
    if cause.effect.kind != "wraparound" or not cause.here:
        return None
    if isinstance(call, ast.Call):
        of_shape = name_of(call) in ("prod", "product") and not operands
        if not of_shape or len(call.args) != 1 or call.keywords:
            return None
        cause.needs = "" if "math" in cause.names.imported.values() else "import math"
        return Edit(call.func, "math.prod")
    spans = LOCATIONS[cause.effect.location].spans
    if not all(op.form == "scalar" or op.is_python for op in operands) or not spans[0]:
        return None
    first = cause.source.find(spans[0])
    is_there = isinstance(first, ast.expr) and span_of(first) == spans[0]
    return Edit(first, f"int({HOLE})") if is_there and isinstance(first, ast.expr) else None
