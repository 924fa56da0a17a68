"""What to type instead of what rules refuse: the end of each refusal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .dtype_names import by_name
from .dtypes import KINDS, DType
from .errors import NoJoinError, listed
from .lattice import Lattice

if TYPE_CHECKING:
    from .explanation import Join
    from .system import PromotionSystem

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


def way_out(refused: DType, known: Sequence[DType], takes: Callable[[DType], bool]) -> str:
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


def cast_first(d: DType) -> str:
    """Return what to type if another dtype is refused, after a semicolon."""
    return f"; cast to {d} first, for example with x.astype('{d}')"


def of_unknown(rules: PromotionSystem, d: DType, accepts: Accepts) -> str:
    """Return the refusal of a dtype that rules do not have."""
    strong = [x for x in rules.dtypes if not x.weak and (accepts is None or accepts(x))]
    near = [x for x in strong if x.kind == d.kind] or strong or rules.dtypes
    return f"{d} is not supported by these rules; cast to {listed(near, 'or')} first"


def of_mix(rules: PromotionSystem, error: NoJoinError, join: Join, accepts: Accepts) -> NoJoinError:
    """Return the refusal of a mix of dtypes, with its reason, and a cast if one helps."""
    nodes = [node for node in error.nodes if isinstance(node, DType)]
    if not nodes:
        return error
    why = "no dtype is above all of them" if isinstance(join, Lattice) else str(error)
    why = (rules.advise and rules.advise(nodes)) or why
    highest = max(nodes, key=lambda n: (KINDS.index(n.kind), n.part.bits or 0))
    if len(set(nodes)) == 1 or (accepts is not None and not accepts(highest)):
        return NoJoinError(why, nodes)
    way = cast_first(highest)
    if highest.weak:
        way = "; give the numbers a dtype first, for example with np.float32(x)"
        strong = [n for n in nodes if not n.weak]
        kin = [d for d in rules.dtypes if d.kind == highest.kind and not d.weak]
        if strong and kin and not any(rules.can_promote(strong[0], d) for d in kin):
            way = f"; cast the array to {kin[-1]} first, with x.astype('{kin[-1]}')"
    return NoJoinError(why + way, nodes)
