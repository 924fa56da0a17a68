"""What an operator does on top of the join, as data.

For nearly every operator the result depends on the joined dtype alone. So each library's operators
are a mapping of names to a short text: groups of dtypes, each with what becomes of them::

    "bool: i8; complex: -; *: b"

A group is kinds (``bool``, ``unsigned``, ``signed``, ``integer``, ``float``, ``complex``), codes
that count bits, or ``*`` for all the rest; what no group has stays what it is. What becomes of it
is a code, ``-`` for a refusal, or ``part``, the float dtype of each part of a complex one. Words
before the groups say more: ``alike``, that all operands must have one dtype; ``numbers``, that none
may be bool; ``shared``, that the operands join as they do without an operator, where operators
join otherwise; and ``into same``, ``into kind`` or ``into category``, that the result is put into
the left operand, and which casts are allowed; codes after that are left operands that take all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from supremum.dtypes import DType, from_code
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

UNARY = frozenset(
    {"negative", "invert", "abs", "sin", "floor", "sum", "prod", "mean", "max", "argmax"}
)
"""The operators of one operand."""

# The kinds as in-place operators see them: by "category" an integer may change its sign.
_RANKS = {
    "kind": {"bool": 0, "unsigned": 1, "signed": 2, "float": 3, "complex": 4},
    "category": {"bool": 0, "unsigned": 1, "signed": 1, "float": 3, "complex": 4},
}


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
    operators: Mapping[str, str], name: str, joined: DType, operands: Sequence[DType]
) -> Operated:
    """Return what an operator makes of the joined dtype.

    Args:
        operators: the operators of some rules.
        name: one of `OPERATORS`.
        joined: what the rules give for the operands.
        operands: their dtypes.

    Raises:
        NoJoinError: where the operator refuses.
        RulesError: for an unknown operator, or rules that say nothing of it.

    >>> from supremum import dtype
    >>> int8 = dtype("int8")
    >>> apply({"true_divide": "bool integer: f64"}, "true_divide", int8, [int8, int8]).dtype
    supremum.dtype('float64')
    """
    if name not in operators:
        hint, close = did_you_mean(name, list(operators))
        known = f"; there are {', '.join(operators)}" if operators else ", nor of any other"
        msg = f"these rules say nothing of an operator {name!r}{hint or known}"
        raise RulesError(msg, name, close)
    becomes = joined
    for group in operators[name].split(";"):
        members, colon, to = (part.strip() for part in group.partition(":"))
        if not colon:
            _check(name, members, joined, operands)
        elif any(_is_in(joined, member) for member in members.split()):
            if to == REFUSED:
                raise NoJoinError(f"{name} does not take {joined}")
            becomes = joined.part if to == "part" else from_code(to)
            break
    if operators[name].startswith("into"):
        becomes = operands[0]
    why = f"{name}, {OPERATORS[name]}, makes {becomes} of {joined}."
    return Operated(name, becomes, "" if becomes is joined else why)


def _is_in(d: DType, member: str) -> bool:
    if member == "integer":
        return d.kind in ("signed", "unsigned")
    return member in ("*", d.kind, d.code, d.name)


def _check(name: str, words: str, joined: DType, operands: Sequence[DType]) -> None:
    """Refuse what the words before the groups refuse."""
    if words == "alike" and len(set(operands)) > 1:
        raise NoJoinError(f"{name} does not promote: its operands have one dtype")
    if words == "numbers" and any(d.kind == "bool" for d in operands):
        raise NoJoinError(f"{name} takes no bool")
    if words.startswith("into"):
        left = operands[0]
        _, allowed, *takes_all = words.split()
        rank = _RANKS.get(allowed, {})
        if joined is not left and left.code in takes_all:
            return
        if joined is not left and (not rank or rank[joined.kind] > rank[left.kind]):
            raise NoJoinError(f"{name} would have to put {joined} into {left}")
