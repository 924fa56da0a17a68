"""Which expressions are formulas: they are rewritten twice, with probes and without.

A formula of variables ``a`` and ``b`` becomes, if `F` is what is known of it, and `A` and `B` of
the variables::

    r if F.is_plain and (type(r := formula) is F.plain or SEEN(F, r, a, b)) else
    (r if F.is_plain else PASS(F, r, r := None))
    if F.open
    and ((a is what A says) and (b is what B says) or OPENS(F, a, b))
    and (type(r := formula) is F.plain or not F.is_plain and F.open or SEEN(F, r, a, b))
    else the formula with its probes

The first line is for Python's numbers, which take as long as all that is asked of them. `F.open` is
asked once more since NumPy may have warned meanwhile: then the formula is computed again, and
looked at. So it is where numbers made a number before, and now an array.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from ...core.functions import facts_of
from ..log.formulas import Step
from ..log.stores import may_store
from .ast_builders import (
    all_of,
    any_of,
    at,
    call,
    constant,
    copy_of,
    is_number,
    is_text,
    load,
    nodes_of,
    store,
)

FORMULA: Final = constant("formula")
"""What a constant that stands for a formula begins with."""

VARIABLE: Final = constant("variable")
"""What a constant that stands for a variable of a formula begins with."""

_LEAST: Final = 2  # operations: of one, the probe takes no more time than its variables
_MOST: Final = 8  # variables
_PARTS: Final = {"T", "mT", "real", "imag"}  # attributes that are arrays, of arrays
_CONSTANTS: Final = (bool, int, float, complex, type(None), type(...))
_SIGNS: Final = (ast.USub, ast.UAdd, ast.Invert)
_COMPARISONS: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class _Parts(NamedTuple):
    """What an operation is made of: its operands, the index of an item, and what is called."""

    operands: Sequence[ast.expr]
    item: ast.expr | None = None
    function: str = ""


class _UnfitError(Exception):
    """An expression that is no formula."""


class Formula:
    """What is known of an expression that may be a formula.

    Args:
        node: the expression.
        rebound: the names that must not be read twice.
        unfit: the expressions that are known to be none; more are added.

    Attributes:
        names: the variables.
        steps: the operations, in the order in which Python runs them, each at its node.
        shows_all: whether its result is no number of Python's if anything on the way to it is none.
    """

    def __init__(self, node: ast.expr, rebound: set[str], unfit: set[ast.expr]) -> None:
        self._rebound, self._unfit = rebound, unfit
        self.names: list[str] = []
        self.steps: list[Step] = []
        self.shows_all = True
        try:
            self._read(node)
        except _UnfitError:
            self.steps.clear()

    @property
    def is_worth_it(self) -> bool:
        """Whether it is one, and takes less time without probes."""
        if len(self.steps) < _LEAST or not 0 < len(self.names) <= _MOST:
            return False
        forms = [type(step.place) for step in self.steps]
        computing = forms.count(ast.BinOp) + forms.count(ast.Call)
        return computing > 1 or (computing == 1 and ast.Subscript in forms)

    def _read(self, node: ast.expr) -> set[int]:
        """Read a part; returns the variables in it."""
        if node in self._unfit:
            raise _UnfitError
        try:
            return self._variables_in(node)
        except _UnfitError:
            self._unfit.add(node)
            raise

    def _variables_in(self, node: ast.expr) -> set[int]:
        if isinstance(node, ast.Name):
            return {self._variable(node.id)}
        if is_number(node) and _is_of_numbers(node):
            return set()
        parts = _parts(node)
        found = {n for one in parts.operands for n in self._read(one)}
        if parts.item is not None:
            found |= self._in_index(parts.item)
        own = [self._variable(one.id) for one in parts.operands if isinstance(one, ast.Name)]
        computes = not parts.function and isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare))
        of_constant = any(map(is_number, parts.operands))
        self.steps.append(
            Step(node, parts.function, computes, tuple(sorted(found)), tuple(own), of_constant)
        )
        self.shows_all &= computes or isinstance(parts.item, (ast.Name, ast.Constant))
        return found

    def _in_index(self, index: ast.expr) -> set[int]:
        """Read an index, which may have slices in it; returns the variables in it."""
        if isinstance(index, ast.Tuple):
            return {n for part in index.elts for n in self._in_index(part)}
        if isinstance(index, ast.Slice):
            bounds = (index.lower, index.upper, index.step)
            return {n for bound in bounds if bound is not None for n in self._read(bound)}
        return self._read(index)

    def _variable(self, name: str) -> int:
        if name in self._rebound:
            raise _UnfitError
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)


def _parts(node: ast.expr) -> _Parts:
    """Return what an operation is made of.

    Raises:
        _UnfitError: if it is none that a formula may have in it.
    """
    match node:
        case ast.BinOp(one, _, other) if not (is_text(one) or is_text(other)):
            return _Parts([one, other])
        case ast.UnaryOp(sign, one) if isinstance(sign, _SIGNS):
            return _Parts([one])
        case ast.Compare(one, [how], [other]) if isinstance(how, _COMPARISONS):
            return _Parts([one, other])
        case ast.Subscript(whole, index):
            return _Parts([whole], index)
        case ast.Attribute(whole, name) if name in _PARTS:
            return _Parts([whole])
        case ast.Call(ast.Attribute(ast.Name() as module, name), arguments, []):
            if facts_of(name).category == "elementwise" and not may_store(name):
                return _Parts([module, *arguments], function=name)
    raise _UnfitError


def _is_of_numbers(node: ast.expr) -> bool:
    found = [part for part in nodes_of(node) if isinstance(part, ast.Constant)]
    return all(isinstance(part.value, _CONSTANTS) for part in found)


def let_go(
    number: int,
    formula: Formula,
    places: Sequence[int],
    *,
    plain: ast.expr,
    probed: ast.expr,
    result: str,
) -> ast.expr:
    """Return a formula that is let go where it can be.

    Args:
        number: the number of the formula, which no other one in the tree has.
        formula: what is known of it.
        places: the numbers of the places of its operations.
        plain: the formula as it is.
        probed: the formula with its probes.
        result: a temporary variable.
    """
    steps = tuple((place, *step[1:]) for place, step in zip(places, formula.steps, strict=True))
    known = _constant(FORMULA, number, steps, len(formula.names), formula.shows_all)
    read, names = load(result), [load(name) for name in formula.names]
    of = partial(_attribute, known)
    same = [_is_same(name, _constant(VARIABLE, number, n)) for n, name in enumerate(names)]
    seen = call("SEEN", known, read, *names)

    def gives_number(formula: ast.expr) -> ast.expr:
        computed = call("TYPE", at(plain, store(result, formula)))
        return ast.Compare(computed, [ast.Is()], [of("plain")])

    are_numbers = all_of(of("is_plain"), any_of(gives_number(plain), seen))
    is_no_number = ast.UnaryOp(ast.Not(), of("is_plain"))
    test = all_of(
        of("open"),
        any_of(all_of(*same), call("OPENS", known, *names)),
        any_of(gives_number(copy_of(plain)), all_of(is_no_number, of("open")), seen),
    )
    passed = call("PASS", known, read, store(result, ast.Constant(None)))
    one = ast.IfExp(test, ast.IfExp(of("is_plain"), read, passed), probed)
    # all on the line where the formula begins: a tracer would hear of others
    line, column = plain.lineno, plain.col_offset
    start = ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column)
    return at(start, ast.IfExp(are_numbers, read, one))


def _constant(*value: object) -> ast.Constant:
    return ast.Constant(value)  # type: ignore[arg-type]  # the compiler takes tuples


def _attribute(owner: ast.expr, name: str) -> ast.expr:
    return ast.Attribute(owner, name, ast.Load())


def _is_same(variable: ast.expr, known: ast.expr) -> ast.expr:
    """Return a test of whether a variable is what it was."""
    of = partial(_attribute, known)
    no_dtype = ast.Compare(of("dtype"), [ast.Is()], [ast.Constant(None)])
    same_dtype = ast.Compare(_attribute(variable, "dtype"), [ast.Is()], [of("dtype")])
    same_type = ast.Compare(call("TYPE", variable), [ast.Is()], [of("type")])
    same_value = ast.Compare(variable, [ast.Is()], [of("value")])
    return any_of(all_of(same_type, any_of(no_dtype, same_dtype)), same_value)
