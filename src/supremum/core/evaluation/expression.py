"""Explaining expressions: Python evaluates them, and each function and operator is a step."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from ..deciding import rules_as_said, rules_of_operands
from ..errors import PromotionError
from ..foreign import library_of_class
from ..functions import function
from ..libraries import libraries
from ..promotion import explain
from ..system import PromotionSystem
from ..systems import named
from . import names
from .called import called
from .evaluate import Evaluation
from .place import InText
from .record import ExpressionExplanation, ExpressionStep
from .text import Source, read


def explain_expression(
    text: str, rules: PromotionSystem | None = None, given: Mapping[str, Any] | None = None
) -> ExpressionExplanation:
    """Return what an expression gives, step by step.

    Args:
        text: the expression, in Python's syntax.
        rules: the rules that decide; without any, those of the library whose functions it calls,
            or that all of `given` are of, or else the usual ones. Functions of another library are
            those of the rules, unless the expression has some of both.
        given: operands by the names that the expression has for them.

    Raises:
        ExpressionError: if it is not an expression, or has something that is not understood.
        PromotionError: if a step is refused.
    """
    source = read(text, given)
    usual = rules or _rules_of(source) or rules_of_operands((given or {}).values())
    is_free = rules is None or names_own(source, rules, given or {})
    evaluation = Evaluation(InText(source), usual, called=called, is_free=is_free)
    found = evaluation.run(source)
    own = evaluation.last or evaluation.deciding(found)
    if not evaluation.steps and found[0].form == "Python scalar":
        try:
            alone = explain(own, found[:1]).settled.why
        except PromotionError:  # some rules have numbers beside arrays alone
            alone = ""
        why = f"Python computes it. {alone}".rstrip()
        evaluation.steps.append(
            ExpressionStep(source.text, 0, own.name, "python", (), found[0], why, None)
        )
    return ExpressionExplanation(source.text, own.name, own.label, tuple(evaluation.steps), found)


def _rules_of(source: Source) -> PromotionSystem | None:
    """Return the rules of the first library whose functions an expression calls, if it does."""
    return next((rules_as_said(named(name)) for name in _homes(source)), None)


def _homes(source: Source) -> list[str]:
    """Return the libraries whose functions an expression calls, by the names of their rules."""
    paths = [n.func for n in ast.walk(source.tree) if isinstance(n, ast.Call)]
    called = [f for f in paths if isinstance(f, ast.Attribute) and function(f.attr)]
    roots = names.roots() if called else {}  # which loads every library's rules
    found = [roots.get(_root(f)) for f in called]
    return [name for name in found if name]


def names_own(source: Source, rules: PromotionSystem, given: Mapping[str, Any]) -> bool:
    """Return whether an expression has arrays or functions of the library whose rules are named."""
    arrays = (library_of_class(type(x)) for x in given.values())
    if rules.library is not None and any(library is rules.library for library in arrays):
        return True
    return any(libraries()[name] is rules.library for name in _homes(source))


def _root(node: ast.AST) -> str:
    """Return the name that a dotted name begins with, through calls and indices, or ``""``."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
