"""The smallest set of wishes that no lattice has together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NoReturn

from ..core.dtypes import DType
from ..core.errors import AmbiguousJoinError, CycleError, LatticeError, RulesError, listed
from ..core.lattice import Lattice
from .asking import Spec
from .costs import Arrow
from .model import solver_module
from .posing import Wish, posed, wishes
from .solving import Clock, solve


class ContradictionError(RulesError):
    """Wishes that no lattice has together.

    Attributes:
        wishes: a set of wishes that contradict each other, of which none can be left out.
        smallest: whether it is proven that no smaller set does.
    """

    def __init__(self, message: str, spec: Spec, wishes: Sequence[Wish], *, smallest: bool) -> None:
        super().__init__(message, spec)
        self.wishes = tuple(wishes)
        self.smallest = smallest


def refuse(spec: Spec, clock: Clock) -> NoReturn:
    """Raise the error that names the smallest contradictory set of wishes.

    Raises:
        ContradictionError: always.
    """
    clock.restart()
    found, smallest = contradiction(spec, clock)
    cycle = _cycle(spec)
    if 0 < len(cycle) <= len(found):  # of sets as small, what everybody sees
        found = cycle
    which = "the smallest set" if smallest else "a set"
    has = f"has these {len(found)}" if len(found) != 1 else "has this one"
    raise ContradictionError(
        f"{spec.name}: no lattice has all that is asked; {which} of wishes that contradict each "
        f"other {has}: {'; '.join(map(str, found))}{_reason(spec, found)}; leave one out",
        spec,
        found,
        smallest=smallest,
    )


def _cycle(spec: Spec) -> list[Wish]:
    """Return the arrows that must hold of one cycle, if they make any."""
    error = _fault(spec.required)
    if not isinstance(error, CycleError):
        return []
    return [Wish("require", arrow) for arrow in pairwise((*error.nodes, error.nodes[0]))]


def _reason(spec: Spec, wishes: Sequence[Wish]) -> str:
    """Say what the arrows that must hold come to without any others, if that is no lattice."""
    error = _fault([wish.of for wish in wishes if wish.kind == "require"], spec.base)
    if isinstance(error, AmbiguousJoinError):
        pair, bounds = listed(error.nodes), listed(error.candidates)
        return f" (by these arrows alone {pair} have two least upper bounds, {bounds})"
    if isinstance(error, CycleError):
        return f" (they make a cycle, {' -> '.join(map(str, (*error.nodes, error.nodes[0])))})"
    return ""


def _fault(arrows: Iterable[Arrow], base: Lattice[DType] | None = None) -> LatticeError | None:
    """Return why some arrows, with those of a lattice, are no lattice by themselves, or None."""
    above: dict[DType, list[DType]] = {n: [*ups] for n, ups in base.arrows.items()} if base else {}
    for a, b in arrows:
        above.setdefault(a, []).append(b)
    try:
        Lattice(above)
    except LatticeError as error:
        return error
    return None


def contradiction(spec: Spec, clock: Clock) -> tuple[list[Wish], bool]:
    """Return wishes that no lattice has together, and whether it is proven that none are fewer.

    The solver says which of the wishes it needed, and what can be left out of these is. Is there
    a smaller set? It would have one wish of each set whose removal leaves a lattice. So the
    fewest wishes that meet all such sets known contradict each other, and then they are the
    smallest, or they are among wishes that a lattice has, whose rest is one more set to meet.
    """
    known = _irreducible(spec, clock)
    rests: list[set[Wish]] = []
    smallest = False
    while not clock.is_over and not smallest:
        tried = _fewest_meeting(rests, wishes(spec))
        clock.progress(f"the contradiction: {len(tried)} to {len(known)} wishes")
        smallest = len(tried) >= len(known)
        is_more = not smallest
        while is_more and not clock.is_over:
            left = _left_out(spec, tried, clock)
            if left is None:
                known, is_more = min(known, tried, key=len), False
            else:
                rests.append(left)
                tried |= left
    return [wish for wish in wishes(spec) if wish in known], smallest


def _irreducible(spec: Spec, clock: Clock) -> set[Wish]:
    """Return contradictory wishes of which none can be left out, if the time allows."""
    rules = {wish for wish in wishes(spec) if wish.kind == "never"}
    known = set(wishes(spec))
    if found := posed(spec, rules):
        model, granted = found
        model.cp.add_assumptions([*granted.values()])
        answer = solve(model, clock, "the contradiction", assuming=True)
        if answer.proven and not answer:
            known = rules | {w for w, literal in granted.items() if literal.index in answer.needed}
    for wish in wishes(spec):  # arrows first: the rules make the rest fast
        if wish in known and _is_contradictory(spec, known - {wish}, clock):
            known.remove(wish)
    return known


def _only(spec: Spec, granted: set[Wish]) -> Spec:
    """Return a spec with some of its wishes alone."""
    return replace(
        spec,
        required=tuple(a for a in spec.required if Wish("require", a) in granted),
        forbidden=tuple(a for a in spec.forbidden if Wish("forbid", a) in granted),
        never=tuple(cost for cost in spec.never if Wish("never", cost) in granted),
    )


def _is_contradictory(spec: Spec, granted: set[Wish], clock: Clock) -> bool:
    found = posed(_only(spec, granted))
    if found is None:
        return True
    answer = solve(found[0], clock, "the contradiction")
    return answer.proven and not answer


def _fewest_meeting(sets: list[set[Wish]], wishes: list[Wish]) -> set[Wish]:
    """Return the fewest wishes of which every set has one."""
    cp_model = solver_module()
    cp = cp_model.CpModel()
    taken = {wish: cp.new_bool_var("") for wish in wishes}
    for one in sets:
        cp.add_bool_or([taken[wish] for wish in one])
    cp.minimize(sum(taken.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.solve(cp)
    return {wish for wish, is_taken in taken.items() if solver.value(is_taken)}


def _left_out(spec: Spec, tried: set[Wish], clock: Clock) -> set[Wish] | None:
    """Return the fewest wishes to leave out, all but some, so that a lattice is left; or None."""
    found = posed(spec, tried)
    if found is None:
        return None
    model, granted = found
    model.cp.maximize(sum(granted.values()))
    answer = solve(model, clock, "the contradiction")
    if not answer:
        return None if answer.proven else set()
    return {wish for wish, literal in granted.items() if not answer.solver.value(literal)}
