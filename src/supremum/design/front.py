"""What must be given up for what: the lattices that no other one betters in every cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..core.display import displayed
from ..core.dtypes import DType
from ..core.errors import LatticeError, RulesError, listed, plural
from ..core.lattice import Lattice
from .asking import Spec
from .contradictions import refuse
from .costs import COSTS, FRONT, LOST_BITS, costs_of
from .model import Model
from .posing import order_of, wishes
from .result import Design, ended, shown_costs
from .searching import all_of, design_of, model_of, remember
from .solving import Clock, Progress, solve, timed


@displayed
@dataclass(frozen=True, slots=True)
class Point:
    """One choice of costs that no lattice betters.

    Attributes:
        costs: how many pairs have each cost.
        designs: lattices with these costs that lose the fewest bits, those that add the fewest
            arrows first.
        complete: whether these are all.
    """

    costs: Mapping[str, int]
    designs: tuple[Design, ...]
    complete: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the costs and the lattices as plain values."""
        return {
            "costs": dict(self.costs),
            "complete": self.complete,
            "designs": [design.as_dict() for design in self.designs],
        }

    def __str__(self) -> str:
        count = len(self.designs)
        more = "" if self.complete else " or more"
        ties = f"  ({count}{more} tie)" if count > 1 or more else ""
        return "\n".join(
            [
                f"{shown_costs(self.costs)}{ties}",
                *(f"  {design.added_text}" for design in self.designs),
            ]
        )


@displayed
@dataclass(frozen=True, slots=True)
class Front:
    """The choices that no lattice betters: each is better in one cost only by more of another.

    Attributes:
        spec: what was asked.
        points: the choices, those with the least of the first cost first; each is proven.
        complete: whether it is proven that there are no others.
        seconds: how long it took.
        interrupted: whether Ctrl-C ended the search.
    """

    spec: Spec
    points: tuple[Point, ...]
    complete: bool
    seconds: float
    interrupted: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the front as plain values."""
        points = [point.as_dict() for point in self.points]
        return {"name": self.spec.name, "complete": self.complete, "points": points}

    @property
    def verdict(self) -> str:
        """What is known of the points, in words."""
        count = plural(len(self.points), "point")
        if self.complete:
            return f"the whole front, {count}, proven"
        when = ended(interrupted=self.interrupted)
        if not self.points:
            return f"no point of the front was found {when}; there may be some"
        return f"{count} of the front {when}, each proven; there may be more"

    def __str__(self) -> str:
        lines = [f"{self.spec.name}: {self.verdict}"]
        for number, point in enumerate(self.points, 1):
            first, *rest = str(point).splitlines()
            lines += ["", f"{number:>3}  {first}", *(f"     {line}" for line in rest)]
        return "\n".join(lines)


def pareto(
    spec: Spec,
    *,
    time_limit: float | None = None,
    ties: int = 3,
    progress: Progress = lambda _: None,
) -> Front:
    """Return the front over undefined pairs, overflow, precision loss and wider results.

    A lattice is on it if no other under the spec has as little of all four and less of one.

    Args:
        spec: what is asked; what it never wants is no choice.
        time_limit: how many seconds it may take; without, until the front is proven whole.
        ties: how many lattices are listed for each point.
        progress: is told in words how far the search has come.

    Raises:
        ContradictionError: if no lattice has what is asked.

    >>> from supremum import design
    >>> asked = design.spec("i8 u8 i16 f16", require="i8, u8 -> i16", never=["dropped component"])
    >>> [point.costs["undefined"] for point in design.pareto(asked).points]
    [0, 0, 1, 2]
    """
    with timed(time_limit, progress) as left:
        return _front(spec, ties, left)


def _front(spec: Spec, ties: int, clock: Clock) -> Front:
    model = model_of(spec, clock)
    numbers, bits = _numbers(spec, model), model.number(COSTS[LOST_BITS])
    points: list[Point] = []
    while True:
        model.cp.minimize(sum(numbers.values()))
        answer = solve(model, clock, f"point {len(points) + 1}")
        if not answer or not answer.proven:
            break
        design = design_of(model, numbers, answer.solver.value)
        model.cp.clear_objective()
        remember(model, answer.solver)
        here = model.of(model.cp.clone())
        for name, number in numbers.items():
            here.cp.add(number == design.costs[name])
        designs, complete = _of_fewest_bits(here, numbers, bits, design, ties, clock)
        points.append(Point(design.costs, designs, complete))
        _not_bettered_by(model, numbers, design.costs)
    if not points and answer.proven:
        refuse(spec, clock)
    points.sort(key=lambda point: [*point.costs.values()])
    complete = answer.proven and not answer
    return Front(spec, tuple(points), complete, clock.seconds, clock.interrupted)


def _of_fewest_bits(  # noqa: PLR0917  # as `all_of` takes them
    model: Model, numbers: Mapping[str, Any], bits: Any, known: Design, most: int, clock: Clock
) -> tuple[tuple[Design, ...], bool]:
    """Return the lattices of a point that lose the fewest bits, and whether these are all."""
    model.cp.minimize(bits)
    answer = solve(model, clock, LOST_BITS)
    if not answer or not answer.proven:
        return (known,), False
    model.cp.clear_objective()
    model.cp.add(bits == round(answer.solver.objective_value))
    best = design_of(model, numbers, answer.solver.value)
    return all_of(model, numbers, [best], most, clock)


def _not_bettered_by(model: Model, numbers: Mapping[str, Any], costs: Mapping[str, int]) -> None:
    """Add that one of the costs is less than what some lattice has."""
    less = []
    for name, number in numbers.items():
        is_less = model.cp.new_bool_var("")
        model.cp.add(number < costs[name]).only_enforce_if(is_less)
        model.cp.add(number >= costs[name]).only_enforce_if(is_less.negated())
        less.append(is_less)
    model.cp.add_bool_or(less)


@displayed
@dataclass(frozen=True, slots=True)
class Standing:
    """How a lattice stands to the front.

    Attributes:
        name: what to call the lattice.
        costs: how many of its pairs have each cost.
        breaks: the wishes of the spec that it does not meet.
        better: lattices under the spec that cost as little in all and less in one, ten at most:
            of these, those with the costs that are least in all together.
        proven: whether it is proven that there is no better one, or that none of the better ones
            costs less in all together.
        interrupted: whether Ctrl-C ended the search.
    """

    name: str
    costs: Mapping[str, int]
    breaks: tuple[str, ...]
    better: tuple[Design, ...]
    proven: bool
    interrupted: bool = False

    @property
    def on_front(self) -> bool | None:
        """Whether it is on the front; None if that is not known."""
        if self.better or self.breaks:
            return False
        return True if self.proven else None

    def as_dict(self) -> dict[str, Any]:
        """Return the standing as plain values."""
        return {
            "name": self.name,
            "costs": dict(self.costs),
            "breaks": list(self.breaks),
            "on_front": self.on_front,
            "proven": self.proven,
            "better": [design.as_dict() for design in self.better],
        }

    def __str__(self) -> str:
        said = {
            True: "on the front: it is proven that no lattice betters it",
            None: "not known: no lattice that betters it was found "
            + ended(interrupted=self.interrupted),
            False: f"breaks {listed(self.breaks)}",
        }[self.on_front]
        lines = [f"{self.name}: {said}", f"  {shown_costs(self.costs)}"]
        if self.better:
            lines[0] = f"{self.name}: not on the front" + (f"; {said}" if self.breaks else "")
            lines.append(f"  better: {shown_costs(self.better[0].costs)}")
            lines += [f"    {design.added_text}" for design in self.better]
        elif self.breaks:
            lines.append("  no lattice under the spec betters it" if self.proven else "")
        return "\n".join(filter(None, lines))


def standing(
    spec: Spec,
    lattice: Lattice[DType],
    name: str = "the lattice",
    *,
    time_limit: float | None = None,
    progress: Progress = lambda _: None,
) -> Standing:
    """Return how a lattice stands to the front of a spec, proven by the solver.

    Args:
        spec: what is asked.
        lattice: the lattice; of its dtypes, those of the spec count.
        name: what to call it.
        time_limit: how many seconds it may take.
        progress: is told in words how far the search has come.

    Raises:
        RulesError: if the lattice is without a dtype of the spec.

    >>> import supremum
    >>> from supremum import design
    >>> asked = design.spec("i8 u8 i16", never=["dropped component"])
    >>> design.standing(asked, supremum.system("jax").lattice).on_front
    True
    """
    with timed(time_limit, progress) as left:
        return _stands(spec, lattice, name, left)


def _numbers(spec: Spec, model: Model) -> dict[str, Any]:
    """Return the costs of the front that a spec may have, as variables."""
    return {name: model.number(COSTS[name]) for name in FRONT if name not in spec.never}


def _stands(spec: Spec, lattice: Lattice[DType], name: str, clock: Clock) -> Standing:
    if missing := [d.name for d in spec.dtypes if d not in lattice]:
        raise RulesError(f"{name} is without {listed(missing)}, which the spec has", missing)
    try:
        own = lattice.restricted_to(spec.dtypes)
    except LatticeError as error:
        raise RulesError(f"{name} on these dtypes is no lattice: {error}", name) from error
    model = model_of(spec, clock)
    numbers = _numbers(spec, model)
    found = costs_of(own)
    for cost, number in numbers.items():
        model.cp.add(number <= found[cost])
    total = sum(found[cost] for cost in numbers)
    model.cp.add(sum(numbers.values()) < total)
    model.cp.minimize(sum(numbers.values()))
    answer = solve(model, clock, name)
    better: tuple[Design, ...] = ()
    if answer:
        better = (design_of(model, numbers, answer.solver.value),)
        model.cp.clear_objective()
        for cost, number in numbers.items():
            model.cp.add(number == better[0].costs[cost])
        better, _ = all_of(model, numbers, better, 10, clock)
    costs = {cost: found[cost] for cost in FRONT}
    broken = _broken(spec, own, found)
    return Standing(name, costs, broken, better, answer.proven, clock.interrupted)


def _broken(spec: Spec, lattice: Lattice[DType], costs: Mapping[str, int]) -> tuple[str, ...]:
    held = order_of(lattice, spec.dtypes)
    broken = []
    for wish in wishes(spec):
        is_broken = {
            "require": wish.of not in held,
            "forbid": wish.of in held,
            "never": costs.get(wish.of, 0) > 0 if wish.kind == "never" else False,
        }[wish.kind]
        if is_broken:
            broken.append(str(wish))
    return tuple(broken)
