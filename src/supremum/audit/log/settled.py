"""Operations that go on and on at one place with operands of the same dtypes.

Such a place is settled: of what it repeats, one in some is looked at. What is let go is still
compared by its types and dtypes, its result is followed to where the results of its place come
from, and it is counted. So no other dtype is missed; but where an operand has its dtype from is
taken for granted. What is made of settled operations may be let go as a whole: see `formulas`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, Final

from ..model.locations import LOCATIONS, Location
from .formulas import Formula
from .tracked_types import NDARRAY, SCALAR, TYPES, Values, kind_of

if TYPE_CHECKING:  # what runs elsewhere needs the probes alone
    from ..model.provenance import Effect, Origin
    from .operation_checks import OperationCheck

AFTER: Final = 64
"""How often an operation is looked at before its place is settled."""

OF_SCALARS: Final = 508
OF_ARRAYS: Final = 96
"""How often it is let go then. With the one that is looked at, that is a prime: what alternates is
looked at in turn."""


class Settled:
    """An operation on operands of some types, and how often it need not be looked at.

    Attributes:
        left, right, result: the types of its operands and of its result.
        left_dtype, right_dtype, result_dtype: their dtypes; None for what is not an array.
        number: an operand that is a Python number, whose value counts beside an array; else None.
        arguments: those of a call, each as its type and dtype.
        makes_array: whether its result is an array that was not there before.
        skips: how often it is let go from now on.
        given: how often it was to be let go when that was counted last.
        bytes: what an array takes that it makes, as far as the last one says; 0 for a view.
        check: what is known of it.
        last: the scalar that was not looked at last.
        origin: where its results have their dtype from.
        effects: what it does each time, as far as it was found.
        formula: that which lets it go together with others, now; or None.
    """

    __slots__ = (
        "arguments", "bytes", "check", "effects", "formula", "given", "last", "left", "left_dtype",
        "makes_array", "number", "origin", "result", "result_dtype", "right", "right_dtype",
        "skips",
    )  # fmt: skip

    def __init__(
        self,
        check: OperationCheck,
        operation: tuple[Any, Any, Any],
        origin: Origin | None,
        *,
        arguments: Sequence[Any] = (),
    ) -> None:
        left, right, result = operation
        self.check = check
        self.left, self.left_dtype = _of(left)
        self.right, self.right_dtype = _of(right)
        self.result, self.result_dtype = _of(result)
        self.number = _number(check, operation)
        self.arguments = tuple(map(_of, arguments))
        self.makes_array = self.result_dtype is not None and result is not left
        self.skips = self.given = OF_ARRAYS if self.makes_array else OF_SCALARS
        is_owner = self.result_dtype is not None and result.base is None
        self.bytes = result.nbytes if is_owner else 0
        self.last: Any = None
        self.origin = origin
        self.effects: Sequence[Effect] = ()
        self.formula: Formula | None = None

    def renew(
        self, check: OperationCheck, operation: tuple[Any, Any, Any], origin: Origin | None
    ) -> bool:
        """Let an operation go as often once more, if it makes no array; tell whether it is that."""
        left, right, _ = operation
        if (
            self.makes_array
            or check is not self.check
            or origin is not self.origin
            or type(left) is not self.left
            or type(right) is not self.right
        ):
            return False
        self.skips = self.given = OF_SCALARS
        self.number = _number(check, operation)
        return True


UNSETTLED: Final = Settled.__new__(Settled)
"""What is settled where nothing is: no value has the types of its operands."""

UNSETTLED.result = UNSETTLED.left = UNSETTLED.right = UNSETTLED.formula = None
UNSETTLED.skips = 0


class Place:
    """A place in rewritten code, which hands it to its probe.

    A dictionary of what is settled would take as long to ask as all that a probe does of a scalar.

    Attributes:
        number: its number among `LOCATIONS`.
        plain: the type of results that its probe need not see: ``float``, ``int``, ``str`` or
            ``bool``, whichever came last.
        settled: what is settled there, for the recorder that is active.
        formula: that which the operation is a part of, or None.
    """

    __slots__ = ("formula", "number", "plain", "settled")

    def __init__(self, number: int) -> None:
        self.number = number
        self.plain: type = float
        self.settled = UNSETTLED
        self.formula: Formula | None = None

    def settle(self, settled: Settled) -> None:
        """Let the probe find what is settled there from now on, or `UNSETTLED`."""
        if self.settled.formula is not None:
            self.settled.formula.close()
        self.settled = settled
        if self.formula is not None and settled is not UNSETTLED:
            self.formula.ask()

    def __reduce__(self) -> tuple[Callable[[Location, int], Place], tuple[Location, int]]:
        # another process has other numbers: functions may be sent there with their code
        return place_of, (LOCATIONS[self.number], self.number)


_places: dict[int, Place] = {}


def place_at(number: int) -> Place:
    """Return the place of a number, of which there is one in a process."""
    place = _places.get(number)
    return _places.setdefault(number, Place(number)) if place is None else place


def places_from(first: int, count: int) -> list[Place]:
    """Return the places of numbers that are new in this process, in their order."""
    numbers = range(first, first + count)
    places = [*map(Place, numbers)]
    _places.update(zip(numbers, places, strict=True))
    return places


def place_of(location: Location, number: int) -> Place:
    """Return the place of a location that another process may have sent, with its number there."""
    return place_at(LOCATIONS.number_of(location, number))


def offer(settled: Mapping[int, Settled]) -> None:
    """Let probes find what is settled."""
    for number, operation in list(settled.items()):
        place_at(number).settle(operation)


def withdraw(settled: Mapping[int, Settled]) -> None:
    """Let probes find nothing settled at some places."""
    for number in list(settled):
        place_at(number).settle(UNSETTLED)


class Repeated(dict[int, Settled]):
    """The places that are settled, by their numbers.

    Args:
        values: the origins of the values that are alive.
        effects_of: gives what an operation does each time, by its check.
    """

    def __init__(
        self, values: Values[Origin], effects_of: Callable[[OperationCheck], Sequence[Effect]]
    ) -> None:
        super().__init__()
        self._values = values
        self._effects_of = effects_of
        self._after: float = AFTER

    def __setitem__(self, location: int, settled: Settled) -> None:
        super().__setitem__(location, settled)
        place_at(location).settle(settled)

    def __delitem__(self, location: int) -> None:
        super().__delitem__(location)
        place_at(location).settle(UNSETTLED)

    def clear(self) -> None:
        """Let nothing be settled."""
        withdraw(self)
        super().clear()

    def count(
        self,
        check: OperationCheck,
        operation: tuple[Any, Any, Any],
        arguments: Sequence[Any] = (),
        *,
        follow: bool = True,
    ) -> None:
        """Take note that an operation was looked at, and let its place settle if it was often.

        Args:
            check: what is known of the operation.
            operation: its operands, and its result.
            arguments: those of a call, whose object is the first operand.
            follow: whether the place says where its results have their dtype from.
        """
        check.seen += 1
        check.skipped = 0
        if check.seen <= self._after or check.seen <= check.patience:
            return
        check.seen = 0  # unless it settles
        origin = self._values.get(operation[2]) if follow else None
        location = check.location
        before = self.get(location)
        if before is not None and before.renew(check, operation, origin):
            before.effects = self._effects_of(check)
            check.seen = AFTER
        elif before is not None and before.origin is not origin and before.result_dtype is not None:
            del self[location]  # what comes from several places is looked at more often
        elif _is_decided_by_types(check, operation, arguments):
            self[location] = settled = Settled(check, operation, origin, arguments=arguments)
            settled.effects = self._effects_of(check)
            check.seen = AFTER

    def stop(self) -> None:
        """Let no place settle from now on."""
        self._after = inf

    def let_go(self, location: int, check: OperationCheck | None = None) -> int:
        """Return how many operations at a place are to be counted that nobody looked at.

        Those of the same kind count with the one that is looked at now.

        Args:
            location: the place.
            check: what is known of that one; None if none is.
        """
        settled = self.get(location)
        if settled is None:
            return 0
        if settled.formula is not None:
            settled.formula.count()
        count, settled.given = settled.given - settled.skips, settled.skips
        origin = settled.origin
        if origin is not None:
            origin.bytes += settled.bytes * count
        if check is not None and settled.check is check:
            check.skipped = count
            return 0
        for effect in settled.effects:
            effect.count += count
        if origin is None:
            return 0
        origin.operations += count
        return count


def _is_decided_by_types(
    check: OperationCheck, operation: tuple[Any, Any, Any], arguments: Sequence[Any]
) -> bool:
    """Return whether all that an operation does depends on the types and dtypes at hand alone."""
    if any(kind_of(value) == NDARRAY for value in operation):
        known = not (arguments and check.numbers) and not any(v.by_value for v in check.violations)
        return known and all(kind_of(value) <= NDARRAY for value in (*operation, *arguments))
    return not (arguments and check.numbers) and all(kind_of(a) <= SCALAR for a in arguments)


def _number(check: OperationCheck, operation: tuple[Any, Any, Any]) -> Any:
    return next((operation[index] for index in check.numbers), None)


def _of(value: Any) -> tuple[Any, Any]:
    t = type(value)
    return t, value.dtype if TYPES.get(t) == NDARRAY else None
