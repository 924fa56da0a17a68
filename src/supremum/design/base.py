"""The lattice of rules that is extended: their own, or that of their answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.dtypes import DType
from ..core.errors import LatticeError, RulesError, listed
from ..core.lattice import Lattice
from ..core.system import PromotionSystem
from ..show.draw.order import Exceptional, OrderError, exceptions, order_of
from .costs import Tie


def lattice_of(rules: PromotionSystem, dtypes: Sequence[DType]) -> Lattice[Any]:
    """Return the lattice of some dtypes of rules.

    Rules without a lattice have one if each pair of the dtypes promotes to its least upper bound in
    the order of their answers. A pair that has several, and promotes to one of these, has a `Tie`.

    Args:
        rules: the rules.
        dtypes: dtypes that they have.

    Raises:
        RulesError: if there is none; it says which pair has no place in one.

    >>> import supremum
    >>> names = ["float8_e4m3fn", "float8_e5m2", "bfloat16", "float16", "float32"]
    >>> tied = lattice_of(supremum.system("tinygrad"), [*map(supremum.dtype, names)])
    >>> [tie.name for tie in tied if isinstance(tie, Tie)]
    ['bfloat16|float16']
    """
    if rules.lattice is not None:
        try:
            return rules.lattice.restricted_to(dtypes)
        except LatticeError as error:
            msg = f"{rules.name} rules have no lattice of {listed(dtypes)}: {error}"
            raise RulesError(msg, rules.name) from error
    try:
        order = order_of(rules, dtypes)
    except OrderError as error:
        raise _refusal(rules, error.reason, _into_a_file(rules, dtypes, error.without)) from None
    ties = [_tie(rules, case) for case in exceptions(rules, order)]
    above = {d: {e for j, e in enumerate(order.nodes) if order.leq(i, j)}
             for i, d in enumerate(order.nodes)}  # fmt: skip
    arrows: dict[Any, list[Any]] = {tie: [*tie.bounds] for tie in ties}
    for d, ups in above.items():
        arrows[d] = [*(ups - {d}), *(tie for tie in ties if ups.issuperset(tie.bounds))]
    try:
        return Lattice(arrows).reduction().restricted_to([*order.nodes, *ties])
    except LatticeError as error:
        raise _refusal(rules, str(error)) from error


def _tie(rules: PromotionSystem, case: Exceptional) -> Tie:
    """Return the tie of a pair with several least upper bounds, which promotes to one of these."""
    answer, other = case.answers
    if len(case.bounds) < 2 or answer is not other or answer not in case.bounds:
        raise _refusal(rules, f"{case}, which is not their least upper bound")
    return Tie(case.bounds, answer)


def _into_a_file(rules: PromotionSystem, kept: Sequence[DType], without: Sequence[DType]) -> str:
    left_out = [d for d in rules.dtypes if d.is_common and (d in without or d not in kept)]
    names = ",".join(d.name for d in left_out)
    return (
        "write what is an order to a file and name that: "
        f"supremum draw {rules.name} --without {names} -f arrows > my_{rules.name}.txt"
    )


def _refusal(
    rules: PromotionSystem, reason: str, way_out: str = "name rules that have one, such as jax"
) -> RulesError:
    join = type(rules.join).__name__.lower()
    msg = f"{rules.name} rules have no lattice, as their join is a {join}: {reason}; {way_out}"
    return RulesError(msg, rules.name)
