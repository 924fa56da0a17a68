"""Hints that end a refusal: what to type instead of what rules refuse."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from . import losses
from .dtypes import KINDS, DType, by_name, in_order
from .errors import NoJoinError, listed
from .lattice import Lattice
from .libraries import ASTYPE, Library
from .steps import Join

Accepts = Callable[[DType], bool] | None
"""Whether the function that is asked takes a dtype; None without a function."""

# What to cast to if a kind is refused, in this order.
_INSTEAD = {
    "bool": ("int32", "float32"),
    "unsigned": ("int32", "int64", "float32", "float64"),
    "signed": ("int32", "int64", "float32", "float64"),
    "float": ("float32", "float64", "int32", "int64", "bool"),
    "complex": ("complex64", "complex128"),
}


def other_dtype(refused: DType, known: Sequence[DType], takes: Callable[[DType], bool]) -> str:
    """Return what to type if a dtype is refused, after a semicolon.

    Args:
        refused: the dtype.
        known: the dtypes of the rules.
        takes: whether another dtype is taken.
    """
    usual = [by_name(name) for name in _INSTEAD.get(refused.kind, ())]
    kinds = {d.kind for d in usual}
    others = [d for d in known if d.kind in kinds and not d.weak]
    found = [d for d in usual if d in known or not known] + others
    narrower = (refused.bits or 0).__gt__
    for d in sorted(found, key=lambda d: (d.kind == "bool", narrower(d.bits or 0))):
        if takes(d):
            return cast_first(d)
    return "; take its real part first" if refused.kind == "complex" else ""


def cast_first(d: DType, which: str = "") -> str:
    """Return what to type if another dtype is refused, after a semicolon.

    Args:
        d: the dtype that is taken.
        which: what is to be cast, with a blank: ``"each "`` if one operand alone is not enough.
    """
    return f"; cast {which}to {d} first, for example with x.astype('{d}')"


def in_idiom(text: str, library: Library | None) -> str:
    """Return a hint with a cast as programs of a library write it."""
    is_astype = library is None or not library.cast or library.cast.startswith(ASTYPE[:11])
    if library is None or is_astype or not library.dtypes_in:
        return text

    def spelled(found: re.Match[str]) -> str:
        name = dict(library.dtype_names).get(found[1], found[1])
        return library.cast.format(x="x", dtype=f"{library.import_as[1]}.{name}")

    return re.sub(r"x\.astype\('(\w+)'\)", spelled, text)


def of_unknown(dtypes: Sequence[DType], d: DType, accepts: Accepts) -> str:
    """Return the refusal of a dtype that is not among the dtypes of some rules."""
    strong = [x for x in dtypes if not x.weak and (accepts is None or accepts(x))]
    near = [x for x in strong if x.kind == d.kind]
    if near:  # the narrowest that is as wide, or else the widest
        by_width = {x: (x.bits or 0) - (d.bits or 0) for x in near}
        near = [min(near, key=lambda x: (by_width[x] < 0, abs(by_width[x])))]
    others = listed(near or strong or dtypes, "or")
    return f"{d} is not supported by these rules; cast to {others} first"


def of_mix(
    error: NoJoinError,
    join: Join,
    accepts: Accepts,
    advise: Callable[[Sequence[DType]], str | None] | None,
    promotes: Callable[[DType, DType], bool],
) -> NoJoinError:
    """Return the refusal of a mix of dtypes, with its reason, and a cast if one helps.

    Args:
        error: the refusal by the join.
        join: the join.
        accepts: whether the function that is asked takes a dtype.
        advise: returns the reason of the rules, if they have one.
        promotes: whether the first dtype promotes to the second.
    """
    nodes = [node for node in error.nodes if isinstance(node, DType)]
    if not nodes:
        return error
    why = "no dtype is above all of them" if isinstance(join, Lattice) else str(error)
    why = (advise and advise(nodes)) or why
    highest = max(nodes, key=lambda n: (KINDS.index(n.kind), n.part.bits or 0))
    if len(set(nodes)) == 1 or (accepts is not None and not accepts(highest)):
        return NoJoinError(why, nodes)
    hint = (
        _weak_hint(highest, nodes, join, promotes)
        if highest.weak
        else _common(nodes, highest, join)
    )
    return NoJoinError(why + hint, nodes)


def _common(nodes: Sequence[DType], highest: DType, join: Join) -> str:
    """Return what to type if dtypes do not join: the highest, if it has the range of the others."""
    if not any(losses.overflows(node, highest) for node in nodes if not node.weak):
        return cast_first(highest)
    kin = _kin(join, highest.kind)
    roomy = [d for d in kin if not any(losses.overflows(n, d) for n in nodes if not n.weak)]
    if not roomy:
        return cast_first(highest)
    exact = (d for d in roomy if not any(losses.loses_precision(n, d) for n in nodes))
    return cast_first(next(exact, roomy[0]), "each ")


@lru_cache(maxsize=64)
def _kin(join: Join, kind: str) -> Sequence[DType]:
    """Return the dtypes of a kind that a join has, narrow ones first."""
    return [d for d in in_order(join.nodes) if d.kind == kind and not d.weak]


def _weak_hint(
    highest: DType, nodes: Sequence[DType], join: Join, promotes: Callable[[DType, DType], bool]
) -> str:
    """Return what to type if a number without a width is refused."""
    strong = [n for n in nodes if not n.weak]
    kin = _kin(join, highest.kind)
    if strong and kin and not any(promotes(strong[0], d) for d in kin):
        return f"; cast the array to {kin[-1]} first, with x.astype('{kin[-1]}')"
    return "; give the numbers a dtype first, for example with np.float32(x)"
