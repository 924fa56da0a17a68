"""Rows of a log: what they say of an origin, and how logs add up."""

import pickle

import pytest

from supremum.audit.model import rows
from supremum.audit.model.locations import LOCATIONS, Location, Table
from supremum.audit.model.log import BEGINNING, Log
from supremum.audit.model.provenance import Effect, Origin
from supremum.audit.model.rows import ADDED_TO, CAST, FILLED, OPERAND, STORED, Row
from supremum.audit.report import findings
from supremum.core.dtypes import by_name

FLOAT64 = by_name("float64")


def at(line, name="multiply", form="operator", spans=(), *, replaces=-1, span=None):
    """Return the number of a new place, on a line of its own."""
    table = Table("rows.py")
    span = span or (line, 0, line, 9)
    table.add(Location("rows.py", span, form, name, spans, replaces=replaces))
    return LOCATIONS.take_up(table)


def origin_at(line, **facts):
    return Origin(at(line, "zeros", "call"), None, 0, FLOAT64, frozenset(), **facts)


ALONE = Row(at(1), 0, OPERAND)
MEETS = Row(at(2), 0, OPERAND, violates=True)
AFTER = Row(at(3), 0, OPERAND, follows=True)
SOLVED = Row(at(4, "solve", "call"), 1, OPERAND)
SUMMED = Row(at(5, "sum", "call"), 0, OPERAND, is_first=True)
SHAPED = Row(at(6, "reshape", "call"), 0, OPERAND)
TOTAL = Row(at(7, "add", replaces=0), 0, OPERAND)

MEANT = {
    "nothing happens": ([], 0, False, False),
    "it is among its own": ([ALONE, ALONE._replace(location=at(8))], 2, False, False),
    "a place counts once": ([ALONE, ALONE._replace(is_first=True)], 1, False, False),
    "it meets something narrower": ([MEETS], 0, False, False),
    "it met something narrower before": ([AFTER], 0, False, False),
    "a shape computes nothing": ([SHAPED], 0, False, False),
    "it is solved": ([SOLVED], 1, True, True),
    "it is solved, beside something narrower": ([SOLVED._replace(violates=True)], 0, True, False),
    "it is solved, after something narrower": ([SOLVED._replace(follows=True)], 0, False, False),
    "it is summed as it was made": ([SUMMED], 1, True, False),
    "what is computed of it is summed": ([SUMMED._replace(is_first=False)], 1, False, False),
    "it is replaced by what is computed of it": ([TOTAL], 1, True, False),
    "it is stored in": ([Row(at(9), 0, FILLED)], 0, False, False),
}


@pytest.mark.parametrize(("found", "own", "precise", "worked_on"), MEANT.values(), ids=MEANT)
def test_rows_say_whether_a_width_is_meant(found, own, precise, worked_on):
    assert rows.own(found) == own
    assert rows.is_precise(found) is precise
    assert rows.is_worked_on(found) is worked_on


@pytest.mark.parametrize(
    ("role", "is_filled", "is_total"),
    [(FILLED, True, False), (ADDED_TO, True, True), (STORED, False, False)],
)
def test_rows_say_what_is_stored_in_an_array(role, is_filled, is_total):
    found = [Row(at(1), 0, role)]
    assert rows.is_filled(found) is is_filled
    assert rows.is_total(found, scalar=True) is is_total


def test_what_replaces_an_array_is_a_total_and_what_replaces_a_scalar_is_none():
    assert [rows.is_total([TOTAL], scalar=scalar) for scalar in (False, True)] == [True, False]


def test_an_error_is_measured_by_its_size_alone():
    square, mean = Row(at(1, "square", "call"), 1, OPERAND), Row(at(2, "mean", "call"), 1, OPERAND)
    assert rows.is_measured([square, mean])
    assert not rows.is_measured([square])
    assert not rows.is_measured([square, mean, ALONE])
    assert not rows.is_measured([square, mean, Row(at(3, "", "store"), 1, STORED)])


def test_a_value_went_over_to_another_library_where_that_is_one_place():
    over = [Row(at(n, "from_numpy", "call"), 1, OPERAND, crosses=True) for n in (1, 2)]
    assert rows.crossing([over[1], ALONE]) == over[1].location
    assert rows.crossing([*over, ALONE]) is rows.crossing([ALONE]) is None


# how often something is widened and cast back on the spot, and the kind that is reported
CAST_BACK = [(2, 2, []), (3, 2, ["widening"]), (2, 0, ["widening"])]

# where it is widened, and where that which is cast is written
PARTS = [((2, 0, 2, 5), (2, 0, 2, 5)), ((2, 4, 2, 5), (2, 0, 2, 9))]


@pytest.mark.parametrize(("span", "around"), PARTS)
@pytest.mark.parametrize(("widened", "casts", "reported"), CAST_BACK)
def test_what_is_cast_back_each_time_is_not_reported(widened, casts, reported, span, around):
    origin, place = origin_at(1), at(2, span=span)
    cast = Row(at(3, "astype", "call", (around,)), 0, CAST)
    origin.add_effect(Effect("widening", place, (), FLOAT64, 0, count=widened))
    found = findings.reported(origin, rows.casts([{cast: casts}]))
    assert [effect.kind for effect in found] == reported


def logged(origin, *effects, operations=0):
    """Return a log with one origin."""
    log = Log()
    log.operations = origin.operations = operations
    for effect in effects:
        origin.add_effect(effect)
    log.origins[origin.location, origin.dtype.name, origin.operand] = origin
    return log


def counted(log):
    """Return what a log counts: for each origin its operations, its rows, and its effects."""
    return log.operations, [
        (o.operations, o.rows, [(m.kind, m.count, m.rows) for m in o.effects.values()])
        for o in log.origins.values()
    ]


def test_what_came_since_is_a_difference_and_adds_up_again():
    origin = origin_at(1)
    first = Effect("widening", at(2), (), FLOAT64, 0, count=2)
    log = logged(origin, first, operations=5)
    origin.rows = {ALONE: 1}
    total, start = log.since(BEGINNING), log.moment()
    assert counted(total) == counted(log)
    assert log.since(start).origins == {}

    log.operations = origin.operations = 8
    origin.rows[MEETS] = 4
    first.rows[AFTER] = 1
    origin.add_effect(Effect("precision-loss", at(3), (), FLOAT64, 0, count=1))
    part = log.since(start)
    later = [("precision-loss", 1, {})]
    assert counted(part) == (3, [(3, {ALONE: 0, MEETS: 4}, later)])
    total.add(part)
    assert counted(total) == (8, [(8, {ALONE: 1, MEETS: 4}, [("widening", 2, {}), *later])])


def test_a_moment_counts_what_came_further_alone():
    busy, idle = origin_at(1), origin_at(2)
    log = logged(busy, operations=5)
    log.origins[2, "float64", None] = idle
    first = log.moment()
    assert log.moment().origins is first.origins
    busy.operations = 6
    second = log.moment()
    assert [second.origins[key] is first.origins[key] for key in log.origins] == [False, True]
    assert first.origins[next(iter(log.origins))].operations == 5


def test_another_process_has_other_numbers_for_the_same_places():
    widened = Effect("widening", at(2), (), FLOAT64, 0, introductions=(at(4), None), count=1)
    widened.rows = {AFTER: 1}
    log = logged(origin_at(1), widened)
    sent, places = pickle.loads(pickle.dumps((log, log.places())))
    assert {place.line for place in places.values()} == {1, 2, 3, 4}
    sent.renumber(lambda number: number + 1_000)
    [(key, origin)] = sent.origins.items()
    [(effect_key, effect)] = origin.effects.items()
    assert (key[0], effect_key[1]) == (origin.location, effect.location)
    assert effect.location == widened.location + 1_000
    assert effect.introductions == (widened.introductions[0] + 1_000, None)
    assert [*effect.rows] == [AFTER._replace(location=AFTER.location + 1_000)]
