"""What of an expression may be evaluated: operators, known functions, and methods in a list.

Whoever asks may not have written the text. So its tree is rebuilt: each function, dtype and
constant of a library is looked up here and gets a name of its own. What is left has no attributes
of modules, and no other names than operands.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

from ..core.dtypes import dtype
from ..core.dtypes import names as dtype_names
from ..core.evaluation.text import Source
from ..core.functions import function
from ..core.libraries import libraries
from ..core.systems import DEFAULT

PYTHON: Final = {f.__name__: f for f in (abs, round, pow, bool, int, float, complex)}
"""The functions of Python itself."""

_MATH: Final = frozenset(("cos", "e", "exp", "floor", "inf", "log", "pi", "sin", "sqrt", "tau"))
_CONSTANTS: Final = frozenset(("e", "euler_gamma", "inf", "nan", "newaxis", "pi"))
_DTYPES: Final = frozenset((*dtype_names(), "bool_", "half", "single", "double"))
# Modules in a library that have functions, and what a ufunc has.
_INNER: Final = frozenset(("", "linalg", "fft", "special", "nn", "nn.functional", "lax", "ma"))
_UFUNC: Final = frozenset(("accumulate", "outer", "reduce", "reduceat"))
_ATTRIBUTES: Final = frozenset(
    """
    H L Q R S T U V Vh eigenvalues eigenvectors flat imag indices logabsdet mT real residuals sign
    values
    """.split()  # noqa: SIM905  # a list of words
)
# What the catalogue may not have: casts, and functions that give Python's numbers.
_MORE: Final = frozenset(
    """
    allclose array_equal array_equiv bfloat16 bool byte cdouble cfloat char conjugate cpu dim
    double equal fill float half int is_nonzero item long numpy one_hot short size tolist
    """.split()  # noqa: SIM905  # a list of words
)
_KEPT: Final = (
    ast.UnaryOp, ast.BinOp, ast.Compare, ast.Slice, ast.unaryop, ast.operator, ast.cmpop,
    ast.expr_context,
)  # fmt: skip
_LONGEST: Final = 10_000  # that a Python number may be raised to


def vetted(
    source: Source, names: dict[str, Any], home: str, *, is_free: bool = False
) -> ast.Expression:
    """Return the tree of an expression, of what may be evaluated alone.

    Args:
        source: the expression.
        names: the live operands by their names; what is looked up is added.
        home: the rules of the library that is asked: its functions stand for those of any other.
        is_free: whether functions are rather those of the library that they name.

    Raises:
        ExpressionError: if there is anything else in it.
        AttributeError: if a library does not have a function.
    """
    tree = _Vetting(source, names, home, is_free=is_free).visit(copy.deepcopy(source.tree))
    return ast.fix_missing_locations(ast.Expression(tree))


@cache
def roots() -> Mapping[str, str]:
    """Return the rules of each library by what programs call its module."""
    found = {"xp": DEFAULT}
    for name, facts in libraries().items():
        module, alias = facts.import_as
        if module.partition(".")[0] in facts.modules and module not in found:
            found |= {module: name, module.partition(".")[0]: name, alias: name}
    return found


class _Vetting(ast.NodeTransformer):
    """Rebuilds a tree of what is known, and refuses the rest."""

    def __init__(self, source: Source, names: dict[str, Any], home: str, *, is_free: bool) -> None:
        self.source, self.names, self.home, self.is_free = source, names, home, is_free

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Keep operators and slices, and refuse what is none of those below."""
        if not isinstance(node, _KEPT) or (isinstance(node, ast.BinOp) and _is_long(node)):
            what = self.source.of(node) or type(node).__name__
            raise self.source.error(f"{what} is not evaluated", node)
        return super().generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Keep a number."""
        if type(node.value) not in (bool, int, float, complex):
            raise self.source.error(f"{node.value!r} is not evaluated", node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Keep an operand."""
        if node.id not in self.source.operands:
            raise self.source.error(f"{node.id!r} is not an operand", node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Look up a constant of a library, or keep a part of an array."""
        words = self._words(node)
        if words and words[-1] in (_MATH if words[0] == "math" else _CONSTANTS):
            return self._bound(node, self._found(words))
        if words or node.attr not in _ATTRIBUTES:
            raise self.source.error(f"{self.source.of(node)} is not evaluated", node)
        node.value = self.visit(node.value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Keep a part of an array."""
        node.value, node.slice = self.visit(node.value), self._argument(node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Look up a function, or keep a method."""
        words, called = self._words(node.func), node.func
        if words and self._is_known(words):
            node.func = self._bound(called, self._found(words, is_scalar=words[-1] in _DTYPES))
        elif isinstance(called, ast.Name) and called.id in PYTHON:
            node.func = self._bound(called, PYTHON[called.id])
        elif isinstance(called, ast.Attribute) and not words and _is_function(called.attr):
            called.value = self.visit(called.value)
        else:
            raise self.source.error(f"{self.source.of(called)} is not evaluated", node)
        node.args = [self._argument(x) for x in node.args]
        for keyword in node.keywords:
            if keyword.arg is None:
                raise self.source.error("** is not evaluated", keyword.value)
            keyword.value = self._argument(keyword.value)
        return node

    def _argument(self, node: ast.expr) -> ast.expr:
        """Return what else an argument or an index may be: text, None, a list, a dtype."""
        words = self._words(node)
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, type(None), type(...))):
            return node
        if isinstance(node, (ast.Tuple, ast.List)):
            node.elts = [self._argument(x) for x in node.elts]
            return node
        if isinstance(node, ast.Name) and isinstance(PYTHON.get(node.id), type):
            return self._bound(node, PYTHON[node.id])
        if isinstance(node, ast.Name) and node.id in _DTYPES:
            return self._bound(node, dtype(node.id.removesuffix("_")).to(self.home))
        if words and words[-1] in _DTYPES:
            return self._bound(node, self._found(words))
        found: ast.expr = self.visit(node)
        return found

    def _words(self, node: ast.expr) -> list[str]:
        """Return the words of a path from a module of a library, or nothing for anything else."""
        words = ast.unparse(node).split(".") if isinstance(node, ast.Attribute) else []
        is_path = words and all(map(str.isidentifier, words))
        is_path = is_path and words[0] in {*roots(), "math"} - {*self.source.operands}
        return words if is_path else []

    def _is_known(self, words: list[str]) -> bool:
        """Return whether a path may lead to a function, or to a scalar type."""
        *inner, last = self._inner(words)
        if last in _UFUNC and inner:
            *inner, last = inner
        if words[0] == "math":
            return not inner and last in _MATH
        return ".".join(inner) in _INNER and (_is_function(last) or last in _DTYPES)

    def _inner(self, words: list[str]) -> list[str]:
        """Return a path without the module that it begins with: what ``jax.numpy`` has, say."""
        return words[2:] if ".".join(words[:2]) in roots() else words[1:]

    def _found(self, words: list[str], *, is_scalar: bool = False) -> Any:
        """Return what a path leads to, in the library that is asked; scalars are their own's."""
        named = roots().get(words[0])
        rules = self.home if named and not (self.is_free or is_scalar) else named
        inner, facts = self._inner(words), libraries().get(rules or "")
        module = facts.import_as[0] if facts else "math"
        if rules == named and words[0] == module.partition(".")[0] and len(inner) == len(words) - 1:
            module = words[0]  # jax.nn is not in jax.numpy
        found: Any = import_module(module)
        for word in inner:
            found = getattr(found, word, None)
        if found is None and words[-1] in _DTYPES and rules:
            return dtype(words[-1].removesuffix("_")).to(rules)
        if found is None and words[-1] != "newaxis":
            raise AttributeError(f"{module} does not have {'.'.join(inner)}")
        return found

    def _bound(self, node: ast.expr, found: Any) -> ast.Name:
        """Return a name that stands for what was looked up."""
        name = f"{ast.unparse(node)} looked up"  # which no text can have
        self.names[name] = found
        return ast.copy_location(ast.Name(name, ast.Load()), node)


def _is_long(node: ast.BinOp) -> bool:
    """Return whether a power of Python numbers has more than literals, or large ones."""
    if not isinstance(node.op, (ast.Pow, ast.LShift)):
        return False
    ends = (node.left, node.right)
    values = [getattr(x, "value", None) for x in ends]
    is_short = all(isinstance(x, (int, float, complex)) and abs(x) <= _LONGEST for x in values)
    return not is_short and all(map(_is_number, ends))


def _is_number(node: ast.AST) -> bool:
    """Return whether a part is written of Python numbers alone."""
    inner = [x for x in ast.iter_child_nodes(node) if isinstance(x, ast.expr)]
    if isinstance(node, ast.Call):
        inner = node.args
    is_of_python = isinstance(getattr(node, "func", None), ast.Name)
    is_of_python = is_of_python or isinstance(node, (ast.Constant, ast.UnaryOp, ast.BinOp))
    return is_of_python and all(map(_is_number, inner))


def _is_function(name: str) -> bool:
    """Return whether a name is that of a known function, and of none that reads files."""
    known = function(name) or function(f"{name}[0]")
    return name in _MORE or bool(known and known.category != "read")
