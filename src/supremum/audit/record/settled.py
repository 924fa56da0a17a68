"""Operations that go on and on at one place with operands of the same dtypes.

Such a place is settled: of what it repeats, one in some is looked at. What is let go is still
compared by its types and dtypes, its result is followed to where the results of its place come
from, and it is counted. So no other dtype is missed; but where an operand has its dtype from is
taken for granted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any, Final

from ..analysis.operation_checks import OperationCheck
from ..analysis.tracked_types import NDARRAY, TYPES, Values, kind_of
from ..model.provenance import Effect, Origin

AFTER: Final = 64
"""How often an operation is looked at before its place is settled."""

OF_SCALARS: Final = 126
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
        skips: how often it is let go from now on.
        given: how often it was to be let go when that was counted last.
        bytes: what the arrays take that were made since.
        is_view: whether its results have no memory of their own.
        check: what is known of it.
        last: the scalar that was not looked at last.
        origin: where its results have their dtype from.
        effects: what it does each time, as far as it was found.
    """

    __slots__ = (
        "arguments", "bytes", "check", "effects", "given", "is_view", "last", "left", "left_dtype",
        "number", "origin", "result", "result_dtype", "right", "right_dtype", "skips",
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
        self.number = next((operation[index] for index in check.numbers), None)
        self.arguments = tuple(map(_of, arguments))
        self.skips = self.given = OF_SCALARS if self.result_dtype is None else OF_ARRAYS
        self.is_view = self.result_dtype is not None and result.base is not None
        self.bytes = 0
        self.last: Any = None
        self.origin = origin
        self.effects: Sequence[Effect] = ()


class Repeated(dict[int, Settled]):
    """The places that are settled, by their numbers.

    Args:
        values: the origins of the values that are alive.
        effects_of: gives what an operation does each time, by its place and check.
        exact: whether none is ever settled.
    """

    def __init__(
        self,
        values: Values,
        effects_of: Callable[[int, OperationCheck], Sequence[Effect]],
        *,
        exact: bool,
    ) -> None:
        super().__init__()
        self._values = values
        self._effects_of = effects_of
        self._after = inf if exact else AFTER

    def count(
        self,
        location: int,
        check: OperationCheck,
        operation: tuple[Any, Any, Any],
        arguments: Sequence[Any] = (),
        *,
        follow: bool = True,
    ) -> None:
        """Take note that an operation was looked at, and let its place settle if it was often.

        Args:
            location: the place.
            check: what is known of the operation.
            operation: its operands, and its result.
            arguments: those of a call, whose object is the first operand.
            follow: whether the place says where its results have their dtype from.
        """
        check.seen += 1
        check.skipped = 0
        if check.seen <= self._after:
            return
        check.seen = 0  # unless it settles
        origin = self._values.get(operation[2]) if follow else None
        before = self.get(location)
        if before is not None and before.origin is not origin and before.result_dtype is not None:
            del self[location]  # what comes from several places is looked at more often
        elif _is_decided_by_types(check, operation, arguments):
            self[location] = settled = Settled(check, operation, origin, arguments=arguments)
            settled.effects = self._effects_of(location, check)
            check.seen = AFTER

    def stop(self) -> None:
        """Let no place settle from now on."""
        self._after = inf

    def let_go(self, location: int, check: OperationCheck) -> int:
        """Return how many operations at a place are to be counted that nobody looked at.

        Those of the same kind count with the one that is looked at now.

        Args:
            location: the place.
            check: what is known of that one.
        """
        settled = self.get(location)
        if settled is None:
            return 0
        count, settled.given = settled.given - settled.skips, settled.skips
        origin = settled.origin
        if origin is not None:
            origin.bytes += settled.bytes
            settled.bytes = 0
        if settled.check is check:
            check.skipped = count
            return 0
        for effect in settled.effects:
            effect.count += count
        if origin is None:
            return 0
        origin.operations += count
        if origin.location == location:
            origin.births += count
        return count


def _is_decided_by_types(
    check: OperationCheck, operation: tuple[Any, Any, Any], arguments: Sequence[Any]
) -> bool:
    """Tell whether all that an operation does depends on the types and dtypes at hand alone."""
    if any(kind_of(value) == NDARRAY for value in operation):
        known = not (arguments and check.numbers) and not any(v.by_value for v in check.violations)
        return known and all(kind_of(value) <= NDARRAY for value in (*operation, *arguments))
    return not arguments


def _of(value: Any) -> tuple[Any, Any]:
    t = type(value)
    return t, value.dtype if TYPES.get(t) == NDARRAY else None
