"""What a recorder keeps: where dtypes were born, and what came of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...core.dtypes import DType
from ...core.errors import SupremumError
from ...core.operands import dtype as dtype_of
from ..analysis import calls, checks
from ..analysis.jax_tracers import is_traced
from ..analysis.operation_checks import OperationCheck
from ..analysis.tracked_types import FRAME, Values, is_array, kind_of
from ..model.kinds import FORBIDDEN, KINDS
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Effect, Origin
from .dataframes import Columns, given
from .program_errors import error_of_program
from .suppressions import Suppressions

_ALL = frozenset({*KINDS, FORBIDDEN})


class Settings(NamedTuple):
    """What a recorder is asked to do.

    Attributes:
        forbid: the dtypes that must not come up.
        suppressions: what is allowed, and where.
        announce: called with an origin and an effect the first time that something is found.
        tick: called now and then, with the recorder.
        exact: whether every operation is looked at, however often it comes up.
    """

    forbid: frozenset[str] = frozenset()
    suppressions: Suppressions = Suppressions()
    announce: Callable[[Origin, Effect], None] | None = None
    tick: Callable[[BaseRecorder], None] | None = None
    exact: bool = False


class AuditStop(Exception):  # noqa: N818  # it stops the program on purpose
    """A finding, raised in the program at the user's wish (``--on-finding raise``)."""


class BaseRecorder:
    """Keeps where dtypes were born, and what came of each.

    Attributes:
        settings: what was asked for.
        origins: where each dtype was born, by place, name and operand.
        values: the origins of the values that are alive.
        problems: the places that could not be judged, with the errors.
        operations: how many operations on arrays were heard of.
        columns: where the columns of tables come from.
        pending: the origins of tracers first seen, and whether they are weak, until it is known
            what was passed for them.
    """

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.origins: dict[tuple[int, str, int | None], Origin] = {}
        self.values = Values()
        self.problems: dict[int, str] = {}
        self.operations = 0
        self.columns = Columns()
        self.pending: dict[tuple[int, bool], tuple[Origin, bool]] = {}

    def predictions(self) -> Any:
        """Return what would come out by other rules, such that another process can read it."""
        return None

    def add_predictions(self, told: Any, number_of: Callable[[Location], int]) -> None:
        """Take over what another process predicted."""

    def forget_predictions(self) -> None:
        """Begin anew, in a process that another one became, which tells what was before."""

    def _judged(
        self, judge: Callable[..., OperationCheck], *operation: Any, **options: Any
    ) -> OperationCheck:
        """Return the check of an operation; an empty one if a dtype is of no interest."""
        try:
            return judge(*operation, **options)
        except SupremumError as error:
            if error_of_program(error) is not None:
                raise
            return OperationCheck()

    def _record(self, location: int, check: OperationCheck, values: Sequence[Any]) -> bool:
        """Write down what an operation did; tell whether some of it is allowed at its place."""
        allowed = False
        for violation in check.violations:
            if violation.by_value and check.harmless(violation, values):
                continue
            origin = self._cause_of(location, check, violation.cause, values)
            kind = violation.kind
            if kind == "widening" and _is_total(origin, check):
                kind = "wide-total"
            effect = origin.effects.get((kind, location))
            if effect is not None:
                effect.count += check.skipped + 1
            elif kind != "weak-lost" or origin.from_numbers or self._is_pending(origin):
                is_told = violation.cause is None and kind != "narrowing-store"
                births = self._births(location, check, values) if is_told else ()
                allowed |= self._found(
                    kind, origin, location, check, against=violation.against, births=births
                )
        for index in check.numbers:
            value = values[check.places[index]]
            if value is check.fits:
                continue
            if check.into is None or checks.holds(value, check.into):
                check.fits = value
                continue
            origin = self._cause_of(location, check, None, values)
            told = f"{value!r} has no place in {check.into}"
            allowed |= self._found(
                "value-changed", origin, location, check, against=index, told=told
            )
        return allowed

    def _cause_of(
        self, location: int, check: OperationCheck, index: int | None, values: Sequence[Any]
    ) -> Origin:
        """Return the cause of a violation: where an operand comes from, or the operation itself."""
        if index is None:
            born = check.into or check.operands[0].dtype
            return self.origin(location, None, born, check.facts)
        value = values[check.places[index]]
        origin = self.values.get(value) or check.usual.get(index)
        if origin is None:
            origin = self._seen(location, check, index, value)
        check.usual[index] = origin
        return origin

    def _births(
        self, location: int, check: OperationCheck, values: Sequence[Any]
    ) -> Sequence[int | None]:
        """Return where the integers among the operands were born, if that was elsewhere."""
        births: list[int | None] = []
        for op, place in zip(check.operands, check.places, strict=True):
            is_integer = checks.family(op.dtype) == "integer" and checks.is_strong(op)
            origin = self.values.get(values[place]) if is_integer else None
            is_told = origin is not None and origin.operand is None and origin.dtype is op.dtype
            births.append(origin.location if origin is not None and is_told else None)
        around = LOCATIONS[location]
        return [b if b is not None and not around.holds(LOCATIONS[b]) else None for b in births]

    def _found(
        self,
        kind: str,
        origin: Origin,
        location: int,
        check: OperationCheck,
        *,
        against: int,
        told: str = "",
        births: Sequence[int | None] = (),
    ) -> bool:
        """Write one thing down; tell whether it is allowed at its place."""
        if self.settings.suppressions.covers(LOCATIONS[location], kind):
            return True
        if kind in origin.allowed:
            self.settings.suppressions.covers(LOCATIONS[origin.location], kind)
            return False
        effect = origin.add_effect(
            Effect(
                kind, location, check.operands, check.result, against,
                rules=check.rules, operator=check.operator, told=told, spans=check.spans,
                births=births,
            )
        )  # fmt: skip
        effect.count += check.skipped + 1
        if effect.count == 1 and self.settings.announce is not None:
            self.settings.announce(origin, effect)
        return False

    def origin(
        self, location: int, index: int | None, dtype: DType, facts: dict[str, Any]
    ) -> Origin:
        """Return the origin of a dtype at a place, which is new if there was none."""
        key = location, dtype.name, index
        origin = self.origins.get(key)
        if origin is None:
            allows, place = self.settings.suppressions.allows, LOCATIONS[location]
            allowed = frozenset(kind for kind in _ALL if allows(place, kind))
            origin = Origin(location, index, len(self.origins), dtype, allowed, **facts)
            self.origins[key] = origin
            if dtype.name in self.settings.forbid:
                self._forbidden(origin)
        return origin

    def _forbidden(self, origin: Origin) -> None:
        if self.settings.suppressions.covers(LOCATIONS[origin.location], FORBIDDEN):
            return
        kind = f"{FORBIDDEN}:{origin.dtype}"
        effect = origin.add_effect(Effect(kind, origin.location, (), origin.dtype, 0))
        effect.count = 1
        if self.settings.announce is not None:
            self.settings.announce(origin, effect)

    def _seen(self, location: int, check: OperationCheck, index: int, value: Any) -> Origin:
        """Return the origin of a value that comes from elsewhere: where it is first seen."""
        op = check.operands[index]
        if op.library == "pandas":  # a column, by attribute or label
            column = self.columns.named(getattr(value, "name", None))
            if column is not None and column.dtype is op.dtype:
                return column
        facts = {"library": op.library, "scalar": op.form == "scalar"}
        origin = self.origin(location, check.spans[index], op.dtype, facts)
        self.values.put(value, kind_of(value), origin)
        if is_traced(value):
            self.pending[origin.index, op.weak] = origin, op.weak
        return origin

    def _origin_of_whole(self, location: int, whole: Any) -> Origin | None:
        if kind_of(whole) == FRAME:
            return self.columns.of(whole).get(LOCATIONS[location].name) or self.values.get(whole)
        return self.values.get(whole) if kind_of(whole) else None

    def _is_known(self, result: Any, base: Any, place: Location) -> bool:
        """Tell whether it is known where what a call returned comes from.

        If a ufunc wraps its result by a method of the program's, it was but seen there.
        """
        origin = self.values.get(result)
        if origin is None or origin.operand is None:
            return origin is not None
        return type(calls.function_of(base, place.name)).__name__ != "ufunc"

    def _is_loaded(self, location: int, result: Any, whole: Any) -> bool:
        """Tell whether an item makes an array, as those of files do."""
        is_new = is_array(result) and not kind_of(whole) and self.values.get(result) is None
        return is_new and LOCATIONS[location].form == "item"

    def _framed(self, location: int, frame: Any, base: Any, arguments: tuple[Any, ...]) -> None:
        """Note where a table of columns, and each of them, comes from."""
        if self.values.get(frame) is not None:
            return
        for value in (base, *arguments):
            if kind_of(value) == FRAME:
                self.columns.take_over(frame, self.columns.of(value))
                origin = self.values.get(value)
                if origin is not None:
                    self.values.put(frame, FRAME, origin)
                return
        for name, value in given(arguments):
            origin = self.values.get(value) if is_array(value) else None
            if origin is not None:
                self.columns.put(frame, name, origin)
        library = type(frame).__module__.partition(".")[0]
        if LOCATIONS[location].form == "call" and library != "xarray":
            facts = {
                "library": library,
                "function": calls.function_of(base, LOCATIONS[location].name),
                "several": True,
            }
            self.values.put(frame, FRAME, self.origin(location, None, dtype_of("float64"), facts))

    def _is_pending(self, origin: Origin) -> bool:
        return any(known is origin for known, _ in self.pending.values())

    def _fail(self, location: int, error: Exception) -> None:
        if isinstance(error, AuditStop):
            raise error
        of_program = error_of_program(error)
        if of_program is not None:
            raise of_program
        if isinstance(error, RecursionError):  # of an object that is half made, or a full stack
            return
        if not isinstance(error, SupremumError):  # what is no number is none of our business
            self.problems.setdefault(location, f"{type(error).__name__}: {error}")


def _is_total(origin: Origin, check: OperationCheck) -> bool:
    """Tell whether scalars are added to one whose dtype the program names."""
    of_scalars = all(op.form == "scalar" or op.is_python for op in check.operands)
    return origin.scalar and origin.explicit and of_scalars and check.operator in _ADDS


_ADDS = ("add", "subtract")
