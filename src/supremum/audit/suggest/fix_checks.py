"""What stands against a change of a dtype: what the source and the dtypes say of a cause."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any, Final

from ...core import losses
from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.functions import function
from ...core.operands import Operand
from ...core.system import PromotionSystem
from ...core.systems import system
from ..checks import checks
from ..model.provenance import Effect
from .fix_edits import SourceTree
from .fix_names import Names, name_of

REDUCTIONS: Final = ("reduction", "cumulative")
"""The sorts of functions that accumulate, so that their dtype is that of the accumulator."""

LARGER: Final = ("float16", "float32", "float64", "int16", "int32", "int64")
"""Dtypes that are tried for a number, the narrow ones first."""

NO_ARRAYS: Final = (
    ast.List, ast.Tuple, ast.Set, ast.Dict, ast.Starred, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.Constant, ast.Yield, ast.YieldFrom,
    ast.NamedExpr,
)  # fmt: skip
"""Expressions that make no array."""

_READS_BYTES: Final = {"frombuffer", "fromfile", "fromstring", "memmap", "view", "fromfunction"}
"""Functions whose dtype says what their input is, not what becomes of it."""

_MAKES_VALUES: Final = ("count", "fill", "conversion", "cast")
_SHAPES: Final = {"zeros", "ones", "empty", "eye", "identity", "tri"}
"""Functions whose numbers are shapes, not values."""

_ARITHMETIC = (
    ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult,
)  # fmt: skip


def is_added_to(source: SourceTree, node: ast.AST) -> bool:
    """Tell whether a value is what a sum starts with, as in ``s = np.float64(0)``."""
    parent = source.parents.get(node)
    if not isinstance(parent, (ast.Assign, ast.AnnAssign)):
        return False
    targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
    names = {ast.unparse(target) for target in targets}
    scope = next(iter(source.functions(node)), source.tree)
    if any(isinstance(target, ast.Attribute) for target in targets):
        scope = source.tree  # other methods may add to it
    for n in ast.walk(scope):
        if isinstance(n, ast.AugAssign) and _variable(n.target) in names:
            return True
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.BinOp):
            again = names & {_variable(target) for target in n.targets}
            if again & {_variable(n.value.left), _variable(n.value.right)}:
                return True
    return False


def keeps_dtype(name: str, called: Any) -> bool:
    """Tell whether a function's dtype cannot change without its values."""
    known = function(name)
    owner = getattr(called, "__objclass__", None) or getattr(called, "__self__", None)
    drawn = "random" in f"{getattr(called, '__module__', '')} {owner}".lower()
    return name in _READS_BYTES or drawn or (known is not None and known.category == "random")


def literals_fit(call: ast.Call, want: DType, names: Names) -> bool:
    """Tell whether the values that are written in a call have a place in a dtype."""
    known = function(name_of(call))
    makes = known is not None and (known.makes_arrays or known.category in _MAKES_VALUES)
    if name_of(call) in _SHAPES or not (makes or names.dtype_named(call.func) is not None):
        return True  # they are not its values
    counts = known is not None and known.category == "count" and checks.family(want) == "inexact"
    most = 1 << (want.part.precision or 0)
    for n in (n for argument in call.args for n in ast.walk(argument)):
        if not isinstance(n, ast.Constant) or not isinstance(n.value, (int, float)):
            continue
        if not checks.holds(n.value, want) or (counts and abs(n.value) > most):
            return False
    return True


def _variable(target: ast.expr) -> str:
    """Return the variable that an assignment or an expression is of, in part or as a whole."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return ast.unparse(target)


def leaves(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what some arithmetic, or a comparison, is done with."""
    if isinstance(node, ast.UnaryOp):
        yield from leaves(node.operand)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
        yield from leaves(node.left)
        yield from leaves(node.right)
    elif isinstance(node, ast.Compare):
        for side in (node.left, *node.comparators):
            yield from leaves(side)
    else:
        yield node


def is_literal(call: ast.Call) -> bool:
    """Tell whether all that a call is given is written out."""
    parts = [n for a in call.args for n in ast.walk(a)]
    known = (ast.Constant, ast.List, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load)
    return not call.keywords and all(isinstance(n, known) for n in parts)


def differs(operand: Operand, want: DType) -> bool:
    """Tell whether an operand would have to be cast, for a result to have some dtype."""
    d = operand.dtype
    return bool(not operand.weak and checks.family(d)) and d not in (want, want.part)


def narrows_well(d: DType, want: DType) -> bool:
    """Tell whether a cast is no danger: floats may lose digits, integers must not wrap around."""
    if checks.family(want) == "integer":
        both_large = checks.bits(d) == checks.bits(want) == 64  # the widest there are
        return both_large or not losses.overflows(d, want)
    if checks.family(d) == "integer":
        return not losses.overflows(d, want)
    return True


def is_between_rules(effect: Effect) -> bool:
    """Tell whether operands are to be cast, so that what came out here comes out there, too.

    That is so between releases of NumPy, and of what the other rules refuse.
    """
    if effect.kind != "port-mismatch":
        return False
    releases = (system("numpy").library, system("numpy-legacy").library)
    return effect.result is None or effect.rules is None or effect.rules.library in releases


def casts_alike(effect: Effect, here: PromotionSystem) -> Iterator[tuple[int, DType]]:
    """Yield casts of one operand with which two sets of rules compute in one dtype.

    That is the dtype in which it is computed here.

    Args:
        effect: the operation, and the other rules.
        here: the rules by which it was computed.
    """
    want = _computed_in(here, effect.operands, effect.operator)
    if want is None or effect.rules is None:
        return
    # a cast of an array or a scalar, if there is one, rather than of a number
    for index, op in sorted(enumerate(effect.operands), key=lambda pair: pair[1].is_python):
        fits = op.value is None or checks.holds(op.value, want)
        if op.dtype is want or not fits:
            continue
        form = "scalar" if op.is_python else op.form
        cast = op._replace(dtype=want, text=want.name, weak=False, form=form)
        given = [*effect.operands[:index], cast, *effect.operands[index + 1 :]]
        if all(_computed_in(r, given, effect.operator) is want for r in (here, effect.rules)):
            yield index, want


def _computed_in(
    rules: PromotionSystem, operands: Sequence[Operand], operator: str | None
) -> DType | None:
    """Return the dtype in which an operator computes, or None if it is refused."""
    try:
        return rules.explain(*operands, op=operator).settled.dtype if operator else None
    except SupremumError:
        return None
