"""Every place for a new dtype in a lattice that stays as it is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from ..core.display import displayed
from ..core.dtypes import DType, dtype, from_code
from ..core.errors import LatticeError, RulesError, listed, plural
from ..core.lattice import Lattice
from ..core.system import PromotionSystem
from ..core.systems import system
from .asking import Spec
from .base import lattice_of
from .contradictions import refuse
from .costs import COSTS, LOOPHOLES, LOST_BITS, USUAL, Count
from .posing import order_of
from .result import Design, ended, shown_costs
from .searching import all_of, model_of
from .solving import Clock, Progress, timed

CHANGED = "changed join"
"""The cost of a pair of the rules' own dtypes that promotes to a new one."""

NEVER = ("dropped component", *LOOPHOLES)
"""The hard rules of an insertion, if nothing else is said: JAX's own lattice has overflow."""

ORDER = (*USUAL, LOST_BITS)
"""The costs that places are ranked by, the most important first, if nothing else is said."""

MOST_PLACES = 100_000
"""How many places are looked at before a search gives up to list all."""


@displayed
@dataclass(frozen=True, slots=True)
class Places:
    """The places for new dtypes.

    Attributes:
        spec: what was asked, with the lattice that stays as it is.
        into: the name of the rules.
        dtypes: the new dtypes.
        places: the places: each is the whole lattice, with the costs of the pairs that are new,
            or promote to something else than before. Those that cost less come first.
        present: the place that the rules have the dtypes in, if they have them.
        complete: whether these are all, which the solver has proven.
        seconds: how long it took.
        interrupted: whether Ctrl-C ended the search.
        left_out: the dtypes of the rules that the lattices lack, of under eight bits or float8.
    """

    spec: Spec
    into: str
    dtypes: tuple[DType, ...]
    places: tuple[Design, ...]
    present: Design | None
    complete: bool
    seconds: float
    interrupted: bool = False
    left_out: tuple[DType, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the places as plain values."""
        return {
            "into": self.into,
            "dtypes": [d.name for d in self.dtypes],
            "complete": self.complete,
            "left_out": [d.name for d in self.left_out],
            "present": self.present and self.places.index(self.present),
            "places": [place.to_dict() for place in self.places],
        }

    @property
    def verdict(self) -> str:
        """What is known of the places, in words."""
        count = plural(len(self.places), "place")
        if self.complete:
            return f"{count}, proven to be all"
        return f"{count} found {ended(interrupted=self.interrupted)}; there may be more"

    def as_text(self, most: int | None = None) -> str:
        """Return the places as text, the first of them or all."""
        lines = [f"{listed(self.dtypes)} in {self.into}: {self.verdict}"]
        shown = self.places[:most]
        numbered = list(enumerate(shown, 1))
        if self.present is not None and self.present not in shown:
            numbered.append((self.places.index(self.present) + 1, self.present))
        for number, place in numbered:
            mark = f"  (where {self.into} has it)" if place is self.present else ""
            lines += [
                "",
                f"{number:>3}  {shown_costs(place.costs)}{mark}",
                f"     {place.added_text}",
            ]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.as_text()


def insert(
    dtypes: Any,
    into: str | PromotionSystem,
    *,
    spec: Spec | None = None,
    everything: bool = False,
    most: int = MOST_PLACES,
    time_limit: float | None = None,
    progress: Progress = lambda _: None,
) -> Places:
    """Return every place where new dtypes can go into rules and leave a lattice.

    The order of the rules' own dtypes stays as it is.

    Args:
        dtypes: a dtype or several. Those that the rules have are taken out, and placed anew.
        into: rules with a lattice, or their name.
        spec: arrows that must hold or must not, hard rules and the order of costs; by default
            no arrows, and that nothing is dropped and no width lost to a weak dtype. The rules keep
            the dtypes that it names.
        everything: whether the rules keep dtypes of under eight bits and float8.
        most: how many places to look at.
        time_limit: how many seconds it may take.
        progress: is told in words how far the search has come.

    Raises:
        RulesError: if the rules have no lattice, or not without the dtypes; it says why.
        ContradictionError: if there is no place; with the smallest set of wishes that exclude it.

    >>> from supremum import design
    >>> found = design.insert("float16", "python")
    >>> len(found.places), found.complete
    (3, True)
    """
    rules = system(into) if isinstance(into, str) else into
    given = [dtypes] if isinstance(dtypes, (str, DType)) else [*dtypes]
    new = tuple(dict.fromkeys(from_code(d) if isinstance(d, str) else dtype(d) for d in given))
    if not new:
        raise RulesError("name a dtype to insert, such as float8_e5m2")
    asked, whole = _asked(spec, new, rules, everything=everything)
    with timed(time_limit, progress) as left:
        return _placed(asked, whole, rules, most, left)


def _placed(
    asked: Spec,
    whole: Lattice[Any] | None,
    rules: PromotionSystem,
    most: int,
    clock: Clock,
) -> Places:
    model = model_of(asked, clock)
    counted: dict[str, Count] = {CHANGED: _changes(asked), **COSTS}
    numbers = {
        name: model.number(_of_new(asked, counted[name]))
        for name in dict.fromkeys((CHANGED, *asked.counted, *USUAL))
        if name not in asked.never
    }
    places, complete = all_of(model, numbers, [], most, clock)
    if not places and complete:
        refuse(asked, clock)
    ranked = sorted(places, key=lambda place: _rank(asked, place))
    present = None
    if whole is not None:
        held = order_of(whole, asked.dtypes)
        present = next((place for place in ranked if place.order == held), None)
    left_out = tuple(d for d in rules.dtypes if d not in asked.dtypes)
    new = tuple(d for d in asked.dtypes if asked.base and d not in asked.base)
    return Places(
        asked, rules.name, new, tuple(ranked), present, complete, clock.seconds, clock.interrupted,
        left_out,
    )  # fmt: skip


def _asked(
    spec: Spec | None, new: tuple[DType, ...], rules: PromotionSystem, *, everything: bool
) -> tuple[Spec, Lattice[Any] | None]:
    """Return what is asked, and the lattice of the rules if they have the dtypes."""
    spec = spec or Spec(rules.name, (), never=NEVER, costs=ORDER)
    named = spec.dtypes
    own = [d for d in rules.dtypes if d not in new]
    kept = [d for d in own if everything or d.is_common or d in named]
    if len(kept) + len(new) < 2:
        narrow = listed(own)
        keeps = f"a spec that names them, or everything=True, keeps {narrow}"
        raise RulesError(f"{rules.name} rules have no common dtypes; {keeps}", rules.name)
    if unknown := [d.name for d in named if d not in (*kept, *new)]:
        msg = f"{listed(unknown)} is not a dtype of {rules.name} rules; insert it too"
        raise RulesError(msg, unknown)
    base, whole = lattice_of(rules, kept), None
    if len(own) + len(new) == len(rules.dtypes):
        with suppress(RulesError, LatticeError):  # the dtypes may be what breaks the order
            whole = lattice_of(rules, [*kept, *new])
            base = whole.restricted_to([node for node in whole if node not in new])
    return replace(spec, name=rules.name, dtypes=(*base.nodes, *new), base=base), whole


def _changes(spec: Spec) -> Count:
    return lambda pair, _: spec.base is not None and all(d in spec.base for d in pair)


def _of_new(spec: Spec, counts: Count) -> Count:
    return lambda pair, join: not spec.is_old(pair, join) and counts(pair, join)


def _rank(spec: Spec, place: Design) -> tuple[Any, ...]:
    """Return what places are listed by: what they cost, and then how many arrows they add."""
    costs: Any = spec.costs
    if isinstance(costs, Mapping):
        ranked = [sum(costs[name] * place.costs[name] for name in spec.counted)]
    else:
        ranked = [place.costs[name] for name in spec.counted]
    return place.costs[CHANGED], *ranked, *place.costs.values(), len(place.added), place.added_text
