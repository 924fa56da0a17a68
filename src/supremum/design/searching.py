"""The best lattices under a spec, proven by a constraint solver."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core.errors import RulesError
from .asking import Spec
from .contradictions import refuse
from .costs import COSTS, USUAL, Arrow
from .model import Model
from .posing import posed
from .result import Design, Found
from .solving import Answer, Clock, Progress, solve, timed

_FEW = 100
"""How many solutions are searched for one by one: each takes longer, and the first less."""

MOST_DTYPES = 64
"""How many dtypes a search takes; the constraints grow with their cube."""


def search(
    spec: Spec,
    *,
    time_limit: float | None = None,
    ties: int = 10,
    progress: Progress = lambda _: None,
) -> Found:
    """Return the lattices under a spec that cost least, and whether that is proven.

    Args:
        spec: what is asked, from `supremum.design.spec` or `supremum.design.read`.
        time_limit: how many seconds it may take; without, until it is proven.
        ties: how many of the lattices that cost the same are listed.
        progress: is told in words how far the search has come.

    Raises:
        ContradictionError: if no lattice has what is asked; with the smallest set of wishes that
            contradict each other.
        RulesError: if there are no dtypes, or too many.
        SupremumError: if OR-tools is not installed.

    >>> from supremum import design
    >>> asked = design.spec("i8 u8 i16 f16 f32", require="i8, u8 -> i16; f16 -> f32")
    >>> found = design.search(asked)
    >>> found.proven, found.designs[0].costs["precision loss"]
    (True, 0)
    """
    with timed(time_limit, progress) as left:
        return _searched(spec, ties, left)


def _searched(spec: Spec, ties: int, clock: Clock) -> Found:
    model = model_of(spec, clock)
    numbers = {name: model.number(COSTS[name]) for name in dict.fromkeys((*spec.counted, *USUAL))}
    answer, bounds = _minimised(spec, model, numbers, clock)
    if not answer and answer.proven:
        refuse(spec, clock)
    if not answer:
        return Found(spec, (), False, False, bounds, clock.seconds, clock.interrupted)
    first = design_of(model, numbers, answer.solver.value)
    designs: tuple[Design, ...] = (first,)
    complete = False
    if answer.proven:
        designs, complete = all_of(model, numbers, [first], ties, clock)
    return Found(spec, designs, answer.proven, complete, bounds, clock.seconds, clock.interrupted)


def model_of(spec: Spec, clock: Clock) -> Model:
    """Return the constraints of a spec.

    Raises:
        ContradictionError: if the spec contradicts itself on its face.
        RulesError: if it has no dtypes, or too many.
    """
    if not 1 < len(spec.dtypes) <= MOST_DTYPES:
        raise RulesError(
            f"{spec.name}: a design has 2 to {MOST_DTYPES} dtypes, and this has "
            f'{len(spec.dtypes)}; write dtypes = "i8 u8 i16"',
            spec.dtypes,
        )
    found = posed(spec)
    return refuse(spec, clock) if found is None else found[0]


def _minimised(
    spec: Spec, model: Model, numbers: Mapping[str, Any], clock: Clock
) -> tuple[Answer, dict[str, int]]:
    """Return the best solution, and the bound of each step; each step keeps what it found."""
    if isinstance(spec.costs, Mapping):
        weighted = sum(spec.costs[name] * numbers[name] for name in spec.counted)
        steps = {"weighted sum": weighted}
    else:
        steps = {name: numbers[name] for name in spec.counted} or {"nothing": 0}
    best, bounds = Answer(None, proven=False), dict[str, int]()
    for name, cost in steps.items():
        model.cp.minimize(cost)
        answer = solve(model, clock, name)
        if not answer:
            # that of the step before is still the best, but nothing is proven of this one
            return (best and Answer(best.solver, proven=False)) or answer, bounds
        best, bounds[name] = answer, round(answer.bound)
        if not answer.proven:
            break
        model.cp.clear_objective()
        if not isinstance(cost, int):
            model.cp.add(cost == round(answer.solver.objective_value))
        remember(model, answer.solver)
    return best, bounds


def remember(model: Model, solver: Any) -> None:
    """Have the next search begin with the last solution."""
    model.cp.clear_hints()
    for literal in model.free.values():
        model.cp.add_hint(literal, solver.value(literal))


def design_of(model: Model, numbers: Mapping[str, Any], value: Callable[[Any], int]) -> Design:
    """Return a solution as a lattice with its costs."""
    costs = {name: value(number) for name, number in numbers.items()}
    return Design(model.dtypes, model.order(value), costs, model.certain)


def all_of(
    model: Model,
    numbers: Mapping[str, Any],
    known: Sequence[Design],
    most: int,
    clock: Clock,
) -> tuple[tuple[Design, ...], bool]:
    """Return the solutions of a model, and whether these are all.

    Args:
        model: its constraints.
        numbers: the variables of the costs.
        known: solutions that are known already.
        most: how many are wanted.
        clock: how long it may take.
    """
    found = {design.order: design for design in known}
    model.cp.clear_hints()
    collect = _enumerated if most > _FEW else _one_by_one
    complete = collect(model, numbers, found, most, clock)
    listed = sorted(found.values(), key=lambda d: (len(d.added), d.added_text))
    return tuple(listed[:most]), complete and len(found) <= most


Orders = dict[frozenset[Arrow], Design]


def _enumerated(
    model: Model, numbers: Mapping[str, Any], found: Orders, most: int, clock: Clock
) -> bool:
    """Add all solutions in one search, best for very many; return whether these are all."""

    def each(solution: Any) -> bool:
        design = design_of(model, numbers, solution.value)
        found.setdefault(design.order, design)
        return len(found) <= most

    return solve(model, clock, "lattices", each=each).proven


def _one_by_one(
    model: Model, numbers: Mapping[str, Any], found: Orders, most: int, clock: Clock
) -> bool:
    """Add solutions, each by a search that excludes those before; return whether these are all."""
    others = model.of(model.cp.clone())
    for order in found:
        others.exclude(order)
    while len(found) <= most:
        answer = solve(others, clock, "lattices that tie")
        if not answer:
            return answer.proven
        design = design_of(model, numbers, answer.solver.value)
        found[design.order] = design
        others.exclude(design.order)
    return False
