"""A recorder that charges what comes of traced values to what was passed for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...core.dtypes import DType
from ..checks import calls
from ..checks.jax_tracers import is_traced, leaves, runs_functions
from ..checks.operation_checks import OperationCheck
from ..checks.tracked_types import is_array
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Origin
from .base import BaseRecorder, Settings


class TracingRecorder(BaseRecorder):
    """Keeps what is known of each operation, and where traced values come from."""

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self._checks: dict[Any, OperationCheck] = {}
        self._handed: dict[int, OperationCheck] = {}  # of calls that return what is known
        self._dtypes: dict[int, frozenset[str]] = {}
        self._made: dict[str, Origin] = {}
        self._gave: dict[tuple[int, str], tuple[Any, Origin]] = {}

    def dtypes(self) -> dict[int, frozenset[str]]:
        """Return the dtypes of the results at each place; in other processes, of those born there.

        Those of stores and comparisons, and of several results at once, are left out.
        """
        known = dict(self._dtypes)
        checks = [(key[0], check) for key, check in list(self._checks.items())]
        _add(known, _results((*checks, *list(self._handed.items()))))
        _add(known, (
            (origin.location, origin.dtype)
            for origin in list(self.origins.values())
            if origin.operand is None and not origin.several
        ))  # fmt: skip
        return known

    def _keep_dtypes(self) -> None:
        """Keep the dtypes of the checks that are about to be forgotten."""
        _add(self._dtypes, _results([(key[0], check) for key, check in self._checks.items()]))

    def _link(self, location: int, base: Any, arguments: tuple[Any, ...]) -> None:
        """Find the causes of tracers among the arguments of the call that traced them."""
        name = LOCATIONS[location].name
        if not runs_functions(calls.function_of(base, name), name):
            return
        passed = [value for value in leaves(arguments) if is_array(value)]
        if not passed or any(map(is_traced, passed)):
            return  # it is among what is traced
        pending, self.pending = self.pending, {}
        for origin, weak in pending.values():
            for value in passed:
                cause = self.values.get(value)
                strong = not getattr(value, "weak_type", False)
                if cause is not None and strong is not weak and cause.dtype is origin.dtype:
                    self._merge(origin, cause)
                    break
            else:
                origin.forget("weak-type-lost")

    def _merge(self, origin: Origin, cause: Origin) -> None:
        """Charge a cause with all that came of an origin."""
        cause.take_over(origin)
        for key in [key for key, known in self.origins.items() if known is origin]:
            del self.origins[key]
        for check in self._checks.values():
            check.usual = {i: cause if o is origin else o for i, o in check.usual.items()}

    def _made_inside(self, place: Location, check: OperationCheck) -> None:
        """Note that a result has its dtype from what was traced for it, if it was."""
        function, born = check.facts["function"], check.result
        if born is None or not runs_functions(function, place.name):
            return
        made = self._made.get(born.name)
        key = id(function), born.name
        if made is None and function is not None and key in self._gave:
            made = self._gave[key][1]
        if made is not None:
            check.made_by, check.violations = made, ()
            self._gave[key] = function, made


def _results(checks: Iterable[tuple[int, OperationCheck]]) -> Iterator[tuple[int, DType | None]]:
    for place, check in checks:
        if not check.facts.get("several"):
            yield place, check.into or check.result


def _add(known: dict[int, frozenset[str]], results: Iterable[tuple[int, DType | None]]) -> None:
    for place, result in results:
        if result is not None and LOCATIONS[place].form not in ("comparison", "store"):
            known[place] = known.get(place, frozenset()) | {result.name}
