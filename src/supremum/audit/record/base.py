"""What a recorder keeps: where dtypes were born, and what came of each."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...core.dtypes import DType
from ...core.dtypes import dtype as dtype_of
from ...core.errors import SupremumError
from ..checks import calls, checks
from ..checks.checks import Violation
from ..checks.jax_tracers import is_traced
from ..checks.operation_checks import OperationCheck
from ..checks.stores import keeps_values
from ..checks.tracked_types import FRAME, Values, is_array, kind_of
from ..checks.values.looks import is_due, look
from ..checks.values.questions import stored
from ..checks.values.recompute import Change
from ..kinds import FORBIDDEN, KINDS
from ..model.locations import LOCATIONS, Location
from ..model.provenance import Effect, Origin
from .crossings import Crossings
from .dataframes import Columns, given
from .program_errors import error_of_program
from .suppressions import Suppressions

_AUDIT = __name__.partition(".record.")[0]
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

    def _render_traceback_(self) -> Any:
        """Return the traceback as IPython shows it, without the frames of the audit."""
        trace = last = self.__traceback__
        while last is not None and last.tb_next is not None:
            if last.tb_next.tb_frame.f_globals.get("__name__", "").startswith(_AUDIT):
                last.tb_next = None
                break
            last = last.tb_next
        shell = sys.modules["IPython"].get_ipython()
        return shell.InteractiveTB.structured_traceback(type(self), self, trace, tb_offset=1)


class BaseRecorder:
    """Keeps where dtypes were born, and what came of each.

    Attributes:
        settings: what was asked for.
        origins: where each dtype was born, by place, name and operand.
        values: the origins of the values that are alive.
        problems: the places that could not be judged, with the errors.
        operations: how many operations on arrays were heard of.
        columns: where the columns of tables come from.
        stops: the operations that were refused for their dtypes, by which the program ended, or
            a thread of it.
        failure: what exception ended the program, and why it is not explained; or ``""``.
        pending: the origins of tracers first seen, and whether they are weak, until it is known
            what was passed for them.
        is_alarmed: whether NumPy has just warned of an overflow, so that values are looked at.
        crossings: the places where values went over from NumPy to another library.
        hears_truths: whether it hears of comparisons of scalars, which give no array.
    """

    hears_truths = False

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self.origins: dict[tuple[int, str, int | None], Origin] = {}
        self.values = Values()
        self.problems: dict[int, str] = {}
        self.operations = 0
        self.columns = Columns()
        self.stops: list[Any] = []
        self.failure = ""
        self.pending: dict[tuple[int, bool], tuple[Origin, bool]] = {}
        self.is_alarmed = False
        self._widenings: dict[int, list[Effect]] = {}  # by place
        self.crossings = Crossings()

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
            kind = _kind(violation, origin, check)
            effect = origin.effects.get((kind, location))
            if effect is not None:
                effect.count += check.skipped + 1
            elif kind == "widening-store" and not _is_buffer(origin):
                continue
            elif kind != "weak-type-lost" or origin.from_numbers or self._is_pending(origin):
                is_told = violation.cause is None and kind != "narrowing-store"
                births = self._births(location, check, values) if is_told else ()
                allowed |= self._found(
                    kind, origin, location, check, against=violation.against, births=births,
                    told=self._remark(kind, location, check, values)
                    or _lost(violation, location, check, values),
                )  # fmt: skip
        for index in check.numbers:
            value = values[check.places[index]]
            if value is check.fits:
                continue
            is_stored = LOCATIONS[location].form == "store"
            if check.into is None or checks.holds(value, check.into, whole=is_stored):
                check.fits = value
                continue
            origin = self._cause_of(location, check, None, values)
            told = f"{value!r} has no place in {check.into}"
            allowed |= self._found(
                "value-changed", origin, location, check, against=index, told=told
            )
        return allowed

    def _examined(
        self, location: int, check: OperationCheck, operands: Sequence[Any], result: Any
    ) -> None:
        """Look at the values of an operation, if it is its turn, until something is found."""
        check.looked += 1
        check.times += check.skipped + 1
        if check.examine is None or not (
            self.is_alarmed or is_due(check.looked, result, check.skipped)
        ):
            return
        self.is_alarmed = False
        change = look(check.examine, LOCATIONS[location], result, operands, check.times)
        if change is not None:
            check.examine = None
            origin = self._cause_of(location, check, change.cause, operands)
            times, check.skipped = check.skipped, 0  # of those it is not known
            self._found(change.kind, origin, location, check, against=change.against, change=change)
            check.skipped = times

    def _remark(
        self,
        kind: str,  # noqa: ARG002  # the recorder of libraries uses them all
        location: int,  # noqa: ARG002  # the same
        check: OperationCheck,  # noqa: ARG002  # the same
        values: Sequence[Any],  # noqa: ARG002  # the same
    ) -> str:
        """Return what there is to say of a violation beside its kind."""
        return ""

    def _effects_of(self, location: int, check: OperationCheck) -> list[Effect]:
        """Return what was found of an operation that it does whatever its values are."""
        found = []
        for violation in check.violations:
            cause = violation.cause
            origin = (
                check.usual.get(cause) if cause is not None else self._made_here(location, check)
            )
            if origin is not None and not violation.by_value:
                found.append(origin.effects.get((_kind(violation, origin, check), location)))
        return [effect for effect in found if effect is not None]

    def _filled(self, base: Any, *, is_total: bool) -> None:
        """Note that what is put into an array is as wide as it is, or added to it."""
        origin = self.values.get(base)
        if origin is not None:
            origin.is_filled = True
            origin.is_total |= is_total

    def _cause_of(
        self, location: int, check: OperationCheck, index: int | None, values: Sequence[Any]
    ) -> Origin:
        """Return the cause of a violation: where an operand comes from, or the operation itself."""
        if index is None:
            return self._made_here(location, check)
        value = values[check.places[index]]
        origin = self.values.get(value) or check.usual.get(index)
        if origin is None:
            origin = self._seen(location, check, index, value)
        check.usual[index] = origin
        return origin

    def _made_here(self, location: int, check: OperationCheck) -> Origin:
        """Return the origin that an operation itself is."""
        return self.origin(location, None, check.into or check.operands[0].dtype, check.facts)

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
        change: Change | None = None,
        births: Sequence[int | None] = (),
        parts: Sequence[Any] = (),
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
                rules=check.rules, operator=check.operator, told=change.told if change else told,
                enough=change.enough if change else None, is_way=bool(change and change.back),
                spans=check.spans, births=births, parts=parts,
            )
        )  # fmt: skip
        if kind == "widening" and not effect.count:
            self._widenings.setdefault(location, []).append(effect)
        effect.count += check.skipped + 1
        if effect.count == 1 and self.settings.announce is not None:
            self.settings.announce(origin, effect)
        return False

    def _is_forbidden_anew(self, origin: Origin, result: DType) -> bool:
        """Tell whether a forbidden dtype comes of another, as complex128 does of float64."""
        return result.name in self.settings.forbid and result is not origin.dtype

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
        if op.library in ("pandas", "xarray"):  # a column, by attribute or label
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


def _kind(violation: Violation, origin: Origin, check: OperationCheck) -> str:
    """Return the kind of finding that a violation is, by where its cause comes from."""
    is_total = violation.kind == "widening" and _is_total(origin, check)
    return "wide-reduction" if is_total else violation.kind


def _lost(violation: Violation, location: int, check: OperationCheck, values: Sequence[Any]) -> str:
    """Return what became of the values that are stored, if they do not survive, or ``""``."""
    by_value = violation.kind == "narrowing-store" and violation.by_value
    if not by_value or not keeps_values(LOCATIONS[location]) or violation.against != 1:
        return ""
    into, value = (values[place] for place in check.places)
    return stored(value, into)


def _is_buffer(origin: Origin) -> bool:
    """Tell whether a dtype is that of an array that was made without one, to be filled."""
    made = LOCATIONS[origin.location].name in _MAKES_BUFFERS
    return made and origin.operand is None and not origin.explicit and not origin.is_filled


_MAKES_BUFFERS = ("zeros", "empty", "ones", "full")


def _is_total(origin: Origin, check: OperationCheck) -> bool:
    """Tell whether scalars are added to one whose dtype the program names."""
    of_scalars = all(op.form == "scalar" or op.is_python for op in check.operands)
    return origin.scalar and origin.explicit and of_scalars and check.operator in _ADDS


_ADDS = ("add", "subtract")
