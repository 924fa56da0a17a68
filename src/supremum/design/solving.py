"""Running the solver: until it is done, the time is over, or somebody presses Ctrl-C."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread, current_thread, main_thread
from typing import Any

from ..core.errors import SupremumError
from .model import Model, solver_module

Progress = Callable[[str], None]
"""Is told, in words, how far a search has come."""


@dataclass(slots=True)
class Clock:
    """How long a search of several steps may go on.

    Attributes:
        limit: the seconds that it may take, or None.
        progress: what is told how far it has come.
        interrupted: whether somebody pressed Ctrl-C.
    """

    limit: float | None = None
    progress: Progress = lambda _: None
    interrupted: bool = False
    _start: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        if self.limit is not None and not self.limit > 0:
            raise SupremumError(f"a time limit is a number of seconds above 0, not {self.limit}")

    @property
    def seconds(self) -> float:
        """How long it has taken."""
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return float("inf") if self.limit is None else self.limit - self.seconds

    def restart(self) -> None:
        """Begin again to count the seconds."""
        self._start = time.monotonic()

    @property
    def is_over(self) -> bool:
        """Whether the search must end."""
        return self.interrupted or self.left <= 0


@contextmanager
def timed(limit: float | None, progress: Progress) -> Iterator[Clock]:
    """Return how long a search may go on; within it, Ctrl-C ends the search instead of raising.

    A second Ctrl-C raises, and so does the first one if the program has a handler of its own.
    """
    found = Clock(limit, progress)

    def end(_: int, __: Any) -> None:
        if found.interrupted:
            raise KeyboardInterrupt
        found.interrupted = True

    usual = signal.default_int_handler
    is_ours = current_thread() is main_thread() and signal.getsignal(signal.SIGINT) is usual
    if is_ours:
        signal.signal(signal.SIGINT, end)
    try:
        yield found
    finally:
        if is_ours:
            signal.signal(signal.SIGINT, usual)


@dataclass(slots=True)
class Answer:
    """What the solver found.

    Attributes:
        solver: the solver, which has the values; None if it found nothing.
        proven: whether nothing better is possible; if nothing was found, that nothing is.
        bound: what the sum of costs cannot be less than.
        needed: if nothing is possible, the indices of the assumptions that say so.
    """

    solver: Any
    proven: bool
    bound: float = 0.0
    needed: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.solver is not None


def solve(
    model: Model,
    clock: Clock,
    step: str = "",
    *,
    each: Callable[[Any], bool] | None = None,
    assuming: bool = False,
) -> Answer:
    """Return the best values of a model's variables.

    Args:
        model: the model, with what is to be least.
        clock: how long it may take.
        step: what is searched, in words.
        each: if given, all solutions are wanted: it is called with each, and returns whether to
            go on.
        assuming: whether to ask which assumptions are needed, if nothing is possible.
    """
    cp_model = solver_module()
    if clock.is_over:
        return Answer(None, proven=False)
    solver = cp_model.CpSolver()
    solver.parameters.catch_sigint_signal = False  # Python has it
    solver.parameters.max_time_in_seconds = clock.left
    solver.parameters.enumerate_all_solutions = each is not None
    solver.parameters.num_workers = 1 if each is not None or assuming else 0

    class Watch(cp_model.CpSolverSolutionCallback):  # type: ignore[name-defined,misc]  # it is imported late
        count = 0

        def on_solution_callback(self) -> None:
            self.count += 1
            if each is None:
                cost, bound = round(self.objective_value), round(self.best_objective_bound)
                clock.progress(f"{step}: solution {self.count} has {cost}, at least {bound}")
            else:
                clock.progress(f"{step}: {self.count}")
                if not each(self):
                    self.stop_search()

    status: list[Any] = []
    watch = Watch()
    # Python handles signals between its own steps, so the solver runs beside the thread that waits
    thread = Thread(target=lambda: status.append(solver.solve(model.cp, watch)), daemon=True)
    try:
        thread.start()
        while thread.is_alive():
            thread.join(0.02)
            if clock.interrupted:
                solver.stop_search()
    except KeyboardInterrupt:  # a second one, or not ours
        while thread.is_alive():  # a process that ends while the solver runs aborts
            with suppress(KeyboardInterrupt):
                solver.stop_search()
                thread.join(0.02)
        raise
    if not status or status[0] == cp_model.MODEL_INVALID:
        raise RuntimeError(f"the solver failed: {solver.status_name(status[0]) if status else ''}")
    found = status[0] in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    proven = status[0] in (cp_model.OPTIMAL, cp_model.INFEASIBLE)
    needed = solver.sufficient_assumptions_for_infeasibility() if assuming and not found else ()
    bound = solver.best_objective_bound if found else 0
    return Answer(solver if found else None, proven, bound, tuple(needed))
