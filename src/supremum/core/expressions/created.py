"""Arrays that a call creates: of numbers that are written out, or of a shape that is."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from ..cache import LARGEST, SMALLEST
from ..dtypes import PYTHON_SCALARS, by_name
from ..functions import Function
from ..operands import Operand
from .names import prefixes, title_of
from .numbers import CONSTANTS

if TYPE_CHECKING:
    from ..system import PromotionSystem
    from .evaluate import Evaluation

OF_NUMBERS: Final = frozenset(("array", "asarray", "asanyarray", "tensor", "as_tensor"))
"""The functions that make an array of what they are given."""


def of_numbers(
    evaluation: Evaluation, node: ast.Call, known: Function, rules: PromotionSystem
) -> Operand | None:
    """Return the array that a call makes of Python numbers that are written out, if it does."""
    if known.name not in OF_NUMBERS or not node.args or rules.rule(known.name) is None:
        return None
    rank, nodes = 0, [node.args[0]]
    while nodes and all(isinstance(x, (ast.List, ast.Tuple)) for x in nodes):
        rank, nodes = rank + 1, [x for part in nodes for x in part.elts]  # type: ignore[attr-defined]
    if not rank and not _is_number(nodes[0]):
        return None
    flat = [evaluation.operand(x).number if _is_number(x) else None for x in nodes]
    kinds = [[*PYTHON_SCALARS].index(type(x)) for x in flat if x is not None]
    is_wide = any(type(x) is int and not SMALLEST <= x <= LARGEST for x in flat)
    if len(kinds) < len(flat) or is_wide:
        what = f"{evaluation.source.of(node.args[0])} is not made of numbers that int64 holds"
        raise evaluation.source.error(what, node.args[0])
    defaults = rules.default_dtypes
    kind = max(kinds, default=2)
    d = (by_name("bool"), defaults.int, defaults.float, defaults.complex)[kind]
    text, is_weak = evaluation.source.of(node.args[0]), rules.weak_arrays and not rank and kind
    return Operand(text, d, bool(is_weak), "array", title_of(rules), rank)


def _is_number(node: ast.expr) -> bool:
    """Tell whether a part is written of Python numbers alone."""
    return all(
        (isinstance(n, ast.Constant) and type(n.value) in PYTHON_SCALARS)
        or isinstance(n, (ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.expr_context))
        or (isinstance(n, ast.Attribute) and n.attr in CONSTANTS)
        or (isinstance(n, ast.Name) and n.id in prefixes())
        for n in ast.walk(node)
    )


_LINES: Final = frozenset(
    """
    arange linspace logspace geomspace fftfreq rfftfreq hanning hamming blackman bartlett kaiser
    hann_window hamming_window blackman_window bartlett_window kaiser_window randperm
    """.split()  # noqa: SIM905  # a list of words
)
_SHAPED: Final = frozenset(("zeros", "ones", "empty", "full", "rand", "randn"))


def rank_of_shape(known: Function, node: ast.Call) -> int | None:
    """Return the number of dimensions of what is made, if its shape is written out."""
    if known.name in _LINES:
        return 1
    if known.name in ("eye", "identity", "tri"):
        return 2
    if known.name not in _SHAPED or not node.args:
        return None
    first = node.args[0]
    if isinstance(first, (ast.Tuple, ast.List)):
        return len(first.elts)
    sizes = node.args[:1] if known.name == "full" else node.args
    of_ints = [isinstance(x, ast.Constant) and type(x.value) is int for x in sizes]
    return (*of_ints, False).index(False) or None
