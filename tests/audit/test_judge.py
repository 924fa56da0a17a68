"""Judging: what an operation is found to do, by its check and the values at hand."""

import numpy as np
import pytest

from supremum.audit.log import judge, operation_checks
from supremum.audit.log.recorder import Recorder
from supremum.audit.log.settings import Settings
from supremum.audit.log.suppressions import Suppression, Suppressions
from supremum.audit.model.locations import LOCATIONS, Location, Table
from supremum.audit.model.provenance import Effect, Origin
from supremum.core.dtypes import by_name

FLOAT64 = by_name("float64")
F, D = np.ones(2, np.float32), np.ones(2)
SMALL, LARGE = np.array([3]), np.array([2**53 + 1])
OPERANDS = ((1, 0, 1, 1), (1, 4, 1, 5))


def place(name, form="operator"):
    table = Table("judged.py")
    table.add(Location("judged.py", (1, 0, 1, 5), form, name, OPERANDS))
    return LOCATIONS.take_up(table)


def product(left, right):
    """Return the check of a product, with its operands."""
    location, values = place("multiply"), (left, right)
    check = operation_checks.of_operator(LOCATIONS[location], left * right, values)
    check.location = location
    return check, values


def assigned(into, value):
    """Return the check of a store, with its operands."""
    check = operation_checks.of_store(into, value, in_place=False)
    check.location = place("", "store")
    return check, (into, value)


@pytest.mark.parametrize(
    ("operation", "kinds"),
    [
        (product(F, F), []),
        (product(F, D), ["widening"]),
        (product(F, 2.0), []),
        (product(D[:1], SMALL), []),
        (product(D[:1], LARGE), ["precision-loss"]),
        (assigned(F, D), ["narrowing-store"]),
        (assigned(np.zeros(1, np.int8), SMALL), []),
        (assigned(np.zeros(1, np.int8), LARGE), ["narrowing-store"]),
    ],
)
def test_violations_are_those_that_values_do_not_survive(operation, kinds):
    assert [one.kind for one in judge.violations(*operation)] == kinds


@pytest.mark.parametrize(
    ("operation", "remarks"),
    [
        (product(F, 0.1), []),
        (product(F, 2**24 + 1), ["float32 does not hold 16777217"]),
        (product(D, 2**24 + 1), []),
        (assigned(F, 1e39), ["float32 does not hold 1e+39"]),
    ],
)
def test_numbers_are_held_or_change(operation, remarks):
    found = [*judge.of_numbers(*operation)]
    assert [effect.remark for effect in found] == remarks
    assert {effect.kind for effect in found} <= {"value-changed"}


def wide(**facts):
    return Origin(place("hanning", "call"), None, 0, FLOAT64, frozenset(), library="NumPy", **facts)


def test_a_row_has_what_an_operation_does_with_an_operand():
    check, values = product(F, D)
    row = judge.row(check, 1, values, wide(made=id(D)), [False, False])
    assert (row.span, row.violates, row.is_first, row.needs_digits) == (1, True, True, False)
    fine = np.array([2**24 + 1.0, 2**24 + 3.0])
    row = judge.row(check, 1, (F, fine), wide(), [False, False])
    assert (row.follows, row.is_first, row.needs_digits, row.crosses) == (False, False, True, False)
    row = judge.row(check, 1, (F, fine), wide(), [False, True])  # which the program did not make
    assert (row.follows, row.needs_digits, row.is_beside) == (True, False, False)
    check, values = product(D, D)
    row = judge.row(check, 0, values, wide(), [False, False])
    assert (row.violates, row.is_beside) == (False, True)
    assert not judge.row(check, 0, values, wide(), [False, True]).is_beside


@pytest.mark.parametrize(
    ("signed", "unsigned", "enough"),
    [([1, 2], [3, 2**63], "uint64"), ([-1, 2], [3, 4], "int64"), ([-1, 2], [3, 2**63], None)],
)
def test_integers_of_either_sign_have_the_dtype_that_holds_both(signed, unsigned, enough):
    check, values = product(np.array(signed), np.array(unsigned, np.uint64))
    check.into = FLOAT64
    found = judge.of_violation(check, check.violations[0], "precision-loss", values)
    assert (found.enough and found.enough.name) == enough


def test_an_effect_is_counted_and_announced_once():
    told = []
    recorder = Recorder(Settings(announce=lambda *found: told.append(found)))
    origin, location = wide(), place("multiply")
    for times in (3, 1):
        kept = recorder.found(origin, Effect("widening", location, (), FLOAT64, 0), times)
    assert [*origin.effects.values()] == [kept]
    assert (kept.count, told) == (4, [(origin, kept)])


def test_what_is_allowed_is_not_recorded():
    allowed = Suppressions([Suppression(frozenset({"widening"}), "*judged.py")])
    recorder = Recorder(Settings(suppressions=allowed))
    origin, location = wide(), place("multiply")
    assert recorder.found(origin, Effect("widening", location, (), FLOAT64, 0)) is None
    assert recorder.found(origin, Effect("mixed-kind", location, (), FLOAT64, 0)) is not None


def test_what_is_not_reported_is_not_announced():
    told = []
    recorder = Recorder(Settings(announce=lambda *found: told.append(found)))
    number, array = wide(from_numbers=True), wide()
    for origin in (array, number):
        recorder.found(origin, Effect("weak-type-lost", place("add"), (), FLOAT64, 0))
    assert [origin for origin, _ in told] == [number]
