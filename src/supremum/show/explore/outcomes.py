"""What Python answers about some operands, as templates that many pairs of operands share.

A template is a sentence in which ``$`` and a letter stand for what differs: the texts of the
operands (``$A`` and ``$B``), Python's numbers among them (``$v``, ``$w``), their dtypes (``$a``,
``$b``), what they are taken for (``$p``, ``$q``), the joined dtype (``$j``), the settled one
(``$s``), the result (``$r``), and the function (``$o``, and as it is written ``$f``). ``$F`` is the
form of the operand that a sentence is about: an array or a dtype.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ...core.dtypes import DType
from ...core.errors import PromotionError, short
from ...core.explanation import Explanation
from ...core.functions import written
from ...core.operands import Operand
from ...core.system import PromotionSystem

TEXTS = ("\x01", "\x02")
"""How the operands are written while Python is asked."""

_FORM = re.compile(r"^(array|dtype)\b")
_NAME = re.compile(r"[A-Za-z_]\w*\*?")


class Outcome(NamedTuple):
    """An answer or a refusal.

    Attributes:
        shape: the templates; see `_shape` and `_refusal`.
        dtypes: the joined, the settled and the resulting dtype, and what each of the first two
            operands is taken for.
    """

    shape: tuple[Any, ...]
    dtypes: tuple[DType | None, ...] = ()


_WRAPPED = re.compile(r"(?<=omputes with )-?\d+")

VARIES = Outcome(("varies",))
"""What the numbers of one class do not answer alike."""


def outcome(rules: PromotionSystem, operands: Sequence[Operand], op: str | None) -> Outcome:
    """Return what some rules make of one operand or two."""
    asked = [x._replace(text=text) for x, text in zip(operands, TEXTS, strict=False)]
    names = {f"${'ab'[i]}": x.dtype.name for i, x in enumerate(asked)}
    try:
        why = rules.explain(*asked, op=op)
    except PromotionError as error:
        return Outcome(("refused", _template(str(error), asked, op, names)))
    taken = [t.node for t in why.classified]
    dtypes = (why.node, why.settled.dtype, why.result, *(*taken, None, None)[:2])
    letters = ("$j", "$s", "$r", "$p", "$q")
    names = {**{n: d.name for n, d in zip(letters, dtypes, strict=True) if d}, **names}
    return Outcome(_shape(why, asked, op, names), dtypes)


def _shape(
    why: Explanation, asked: Sequence[Operand], op: str | None, names: Mapping[str, str]
) -> tuple[Any, ...]:
    def said(text: str) -> str:
        return _template(text, asked, op, names)

    taken = tuple((said(t.operand.text), _FORM.sub("$F", said(t.why))) for t in why.classified)
    applied = why.applied.why if why.applied else ""
    return (
        "weak" if why.weak else "",
        taken,
        said(why.reason),
        said(why.settled.why),
        said(applied),
        _WRAPPED.sub("$c", said(why.note)),
        tuple(_WRAPPED.sub("$c", said(loss)) for loss in why.losses),
    )


def _template(text: str, asked: Sequence[Operand], op: str | None, names: Mapping[str, str]) -> str:
    """Return a text with letters for what differs."""
    values = tuple(short(x.number) if type(x.number) in (int, float) else "" for x in asked)
    return _lettered(text, values, op if op and op in text else "", tuple(names.items()))


@lru_cache(1 << 18)
def _lettered(
    text: str, values: tuple[str, ...], op: str, names: tuple[tuple[str, str], ...]
) -> str:
    if "$" in text:
        raise ValueError(f"the page needs $ for itself: {text!r}")
    if op and (formula := written(op)):
        text = text.replace(f"({formula})", "($f)")
    for value, letter in zip(values, ("$v", "$w"), strict=False):
        if value and value in text:
            own = rf"(?<![\w.$-]){re.escape(value)}(?![\w.])"
            text = re.sub(own, letter, text)
    letters = {name: letter for letter, name in reversed(names)} | ({op: "$o"} if op else {})
    text = _NAME.sub(lambda found: letters.get(found[0], found[0]), text)
    for marker, letter in zip(TEXTS, ("$A", "$B"), strict=True):
        text = text.replace(marker, letter)
    return text
