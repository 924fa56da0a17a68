"""What an operator does on top of the join, as data.

For nearly every operator the result depends on the joined dtype alone. So each library's operators
are a mapping of names to a short text: groups of dtypes, each with what becomes of them::

    "bool: i8; complex: -; *: b"

A group is kinds (``bool``, ``unsigned``, ``signed``, ``integer``, ``float``, ``complex``), codes
that count bits, or ``*`` for all the rest; what no group has stays what it is. What becomes of it
is a code, ``-`` for a refusal, or ``part``, the float dtype of each part of a complex one. Words
before the groups say more: ``alike``, that all operands must have one dtype; ``numbers``, that none
may be bool; ``each``, that of bools and integers the result is the widest of what becomes of each
operand; ``shared``, that the operands join as they do without an operator, where operators join
otherwise; and ``into same``, ``into kind`` or ``into category``, that the result is put into
the left operand, and which casts are allowed; codes after that are left operands that take all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from supremum.dtypes import DType, by_name, from_code
from supremum.errors import NoJoinError, RulesError, did_you_mean
from supremum.table import REFUSED

OPERATORS: Mapping[str, str] = {
    "add": "x + y",
    "subtract": "x - y",
    "multiply": "x * y",
    "true_divide": "x / y",
    "floor_divide": "x // y",
    "remainder": "x % y",
    "power": "x ** y",
    "matmul": "x @ y",
    "equal": "x == y",
    "less": "x < y",
    "bitwise_and": "x & y",
    "left_shift": "x << y",
    "maximum": "maximum(x, y)",
    "where": "where(condition, x, y)",
    "concat": "concat([x, y])",
    "negative": "-x",
    "invert": "~x",
    "abs": "abs(x)",
    "sin": "sin(x), and every function of its kind: exp, log, sqrt",
    "floor": "floor(x), ceil, trunc",
    "sum": "sum(x)",
    "prod": "prod(x)",
    "mean": "mean(x)",
    "max": "max(x)",
    "argmax": "argmax(x)",
    "iadd": "x += y",
}
"""The operators by their names in the array API and NumPy, each as it is written."""

_UNARY_LIKE = {
    "sin": "acos acosh asin asinh atan atanh cos cosh exp expm1 log log1p log2 log10 reciprocal "
    "sinh sqrt tan tanh cholesky det eig eigh eigvals eigvalsh inv matrix_rank pinv qr slogdet svd "
    "svdvals",
    "sum": "cumulative_sum trace",
    "prod": "cumulative_prod",
    "floor": "ceil trunc",
    "negative": "sign",
    "abs": "imag real",
    "multiply": "square",
    "invert": "bitwise_invert",
    "max": "min",
    "mean": "std var",
    "argmax": "argmin",
}
_BINARY_LIKE = {
    "true_divide": "divide",
    "power": "pow",
    "sin": "atan2 copysign hypot logaddexp nextafter solve",
    "subtract": "diff",
    "equal": "not_equal",
    "less": "less_equal greater greater_equal",
    "bitwise_and": "bitwise_or bitwise_xor",
    "left_shift": "right_shift bitwise_left_shift bitwise_right_shift",
    "maximum": "minimum",
    "matmul": "tensordot vecdot",
    "multiply": "cross outer",
    "concat": "stack",
}

UNARY = frozenset(
    {"negative", "invert", "abs", "sin", "floor", "sum", "prod", "mean", "max", "argmax"}
    | {name for names in _UNARY_LIKE.values() for name in names.split()}
)
"""The operators of one operand."""

LIKE: Mapping[str, str] = {
    name: operator
    for likes in (_UNARY_LIKE, _BINARY_LIKE)
    for operator, names in likes.items()
    for name in names.split()
}
"""The functions of the array API that follow an operator where they have no rule of their own."""

# What to cast to where a kind is refused, in this order.
_INSTEAD = {
    "bool": ("int32", "float32"),
    "unsigned": ("int32", "int64", "float32", "float64"),
    "signed": ("int32", "int64", "float32", "float64"),
    "float": ("float32", "float64", "int32", "int64", "bool"),
    "complex": ("complex64", "complex128"),
}

# The kinds as in-place operators see them: by "category" an integer may change its sign.
_RANKS = {
    "kind": {"bool": 0, "unsigned": 1, "signed": 2, "float": 3, "complex": 4},
    "category": {"bool": 0, "unsigned": 1, "signed": 1, "float": 3, "complex": 4},
}


def rule_of(operators: Mapping[str, str], name: str) -> str | None:
    """Return the rule of an operator, or of a function that follows one; None where none is known.

    >>> rule_of({"sin": "integer: f64"}, "atan2")
    'integer: f64'
    """
    return operators.get(name, operators.get(LIKE.get(name, name)))


_Groups = list[tuple[list[str], str]]


class Operated(NamedTuple):
    """What an operator made of a joined dtype.

    Attributes:
        name: the operator.
        dtype: its result.
        why: a sentence where that is not the joined dtype, else ``""``.
    """

    name: str
    dtype: DType
    why: str


def apply(
    operators: Mapping[str, str],
    name: str,
    joined: DType,
    operands: Sequence[DType],
    known: Sequence[DType] = (),
) -> Operated:
    """Return what an operator makes of the joined dtype.

    Args:
        operators: the operators of some rules.
        name: one of `OPERATORS`.
        joined: what the rules give for the operands.
        operands: their dtypes.
        known: the dtypes of the rules, one of which a refusal names to cast to.

    Raises:
        NoJoinError: where the operator refuses.
        RulesError: for an unknown operator, or rules that say nothing of it.

    >>> from supremum import dtype
    >>> int8 = dtype("int8")
    >>> apply({"true_divide": "bool integer: f64"}, "true_divide", int8, [int8, int8]).dtype
    supremum.dtype('float64')
    """
    rule = rule_of(operators, name)
    if rule is None:
        hint, close = did_you_mean(name, list(operators))
        there = f"; there are {', '.join(operators)}" if operators else ", nor of any other"
        msg = f"these rules say nothing of an operator {name!r}{hint or there}"
        raise RulesError(msg, name, close)
    words, groups = _read(rule)
    for word in words:
        _check(name, word, joined, operands)
    becomes = _become(name, groups, joined, known)
    if "each" in words and joined.kind in ("bool", "unsigned", "signed"):
        # one that is wider than what they share is weak, and goes by that
        own = [d for d in operands if (d.bits or 0) <= (joined.bits or 0)]
        made = [_become(name, groups, d, known) for d in own]
        becomes = max(made, key=lambda d: d.bits or 0, default=becomes)
    if rule.startswith("into"):
        becomes = operands[0]
    written = f", {OPERATORS[name]}," if name in OPERATORS else ""
    why = f"{name}{written} makes {becomes} of {joined}."
    return Operated(name, becomes, "" if becomes is joined else why)


def _read(rule: str) -> tuple[list[str], _Groups]:
    """Return the words before the groups of a rule, and each group with what becomes of it."""
    parts = [part.partition(":") for part in rule.split(";")]
    words = [word.strip() for word, colon, _ in parts if not colon]
    return words, [(members.split(), to.strip()) for members, colon, to in parts if colon]


def _become(name: str, groups: _Groups, d: DType, known: Sequence[DType]) -> DType:
    """Return what becomes of a dtype."""
    to = _group_of(groups, d)
    if to == REFUSED:
        raise NoJoinError(f"{name} does not take {d}{_way_out(groups, d, known)}")
    return d.part if to == "part" else from_code(to) if to else d


def _group_of(groups: _Groups, d: DType) -> str:
    """Return what becomes of the group that a dtype is in, or ``""`` where it is in none."""
    return next((to for members, to in groups if any(_is_in(d, m) for m in members)), "")


def _way_out(groups: _Groups, refused: DType, known: Sequence[DType]) -> str:
    """Return what to type where a dtype is refused, after a semicolon."""
    usual = [by_name(name) for name in _INSTEAD.get(refused.kind, ())]
    kinds = {d.kind for d in usual}
    others = [d for d in known if d.kind in kinds and not d.weak]
    found = [d for d in usual if d in known or not known] + others
    for d in sorted(found, key=lambda d: (d.kind == "bool", (d.bits or 0) < (refused.bits or 0))):
        if _group_of(groups, d) != REFUSED:
            return cast_first(d)
    return "; take its real part first" if refused.kind == "complex" else ""


def cast_first(d: DType) -> str:
    """Return what to type where another dtype is refused, after a semicolon."""
    return f"; cast to {d} first, for example with x.astype('{d}')"


def _is_in(d: DType, member: str) -> bool:
    if member == "integer":
        return d.kind in ("signed", "unsigned")
    return member in ("*", d.kind, d.code, d.name)


def _check(name: str, words: str, joined: DType, operands: Sequence[DType]) -> None:
    """Refuse what the words before the groups refuse."""
    if words == "alike" and len(set(operands)) > 1:
        raise NoJoinError(
            f"{name} does not promote: its operands have one dtype{cast_first(joined)}"
        )
    if words == "numbers" and any(d.kind == "bool" for d in operands):
        raise NoJoinError(f"{name} takes no bool{cast_first(by_name('int32'))}")
    if words.startswith("into"):
        left = operands[0]
        _, allowed, *takes_all = words.split()
        rank = _RANKS.get(allowed, {})
        if joined is not left and left.code in takes_all:
            return
        if joined is not left and (not rank or rank[joined.kind] > rank[left.kind]):
            raise NoJoinError(f"{name} would have to put {joined} into {left}")
