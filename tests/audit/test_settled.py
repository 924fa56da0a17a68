"""Loops: what repeats is looked at now and then, and nothing new is missed for that."""

import gc
import pickle
import weakref

import numpy as np
import pytest

from supremum import audit
from supremum.audit.log import hooks
from supremum.audit.log.formulas import Formula, Step, Variable
from supremum.audit.log.recorder import Recorder
from supremum.audit.log.settled import UNSETTLED, place_at
from supremum.audit.model.locations import LOCATIONS, Location, Table
from supremum.audit.probes import import_hook
from supremum.audit.probes.ast_builders import constant


def test_operations_are_counted_though_nobody_looks_at_them(audited):
    source = """\
import numpy as np

f = np.ones(8, np.float32)
for i in range(1000):
    f * f
"""
    assert audited(source).operations == 1001


def test_a_dtype_that_is_of_no_interest_is_asked_about_once(audited, monkeypatch):
    from supremum.audit.log import operation_checks

    asked, judge = [], operation_checks.of_operator

    def of_operator(*operation):
        asked.append(operation)
        return judge(*operation)

    monkeypatch.setattr(operation_checks, "of_operator", of_operator)
    report = audited("""\
import numpy as np

days = np.arange("2026-01", "2026-03", dtype="datetime64[D]")
for i in range(500):
    days == days
    days + np.timedelta64(1, "D")
""")
    assert report.findings == ()
    assert len(asked) <= 2


def test_what_one_audit_knows_is_not_taken_for_granted_by_the_next(write, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    source = "import numpy as np\ndef f(x, y):\n    return x[0] * y[0]\n"
    write(source, "settled_kernel.py")
    audit.install(roots=[tmp_path])
    try:
        from settled_kernel import f

        narrow, wide = np.ones(1, np.float32), np.ones(1)
        counts = []
        for _ in range(3):
            with audit.watch() as watch:
                for _ in range(500):
                    f(narrow, wide)
                with audit.watch() as inner:
                    f(narrow, wide)
                f(narrow, wide)
            counts.append([finding.count for w in (watch, inner) for finding in w.findings])
    finally:
        audit.uninstall()
    assert counts == [[501, 1]] * 3


def test_a_place_is_one_in_a_process_however_it_gets_there():
    table = Table("somewhere.py")
    for _ in range(2):  # it may have been compiled twice
        table.add(Location("somewhere.py", (1, 0, 1, 5), "operator", "add"))
    place = place_at(LOCATIONS.take_up(table))
    assert pickle.loads(pickle.dumps(place)) is place
    assert place.settled is place_at(10**9 + 1).settled is UNSETTLED


def test_calls_that_numbers_are_given_settle(audited, monkeypatch):
    seen, called = [], Recorder.called

    def counted(self, *operation):
        seen.append(operation)
        called(self, *operation)

    monkeypatch.setattr(Recorder, "called", counted)
    audited("import numpy as np\nfor n in range(2_000):\n    half = np.float32(0.5)\n")
    assert len(seen) < 200


def test_truths_that_a_place_goes_on_giving_need_no_probe():
    location = Location("truths.py", (1, 0, 1, 9), "call", "startswith")
    place = place_at(LOCATIONS.number_of(location))
    assert hooks.CALL(place, True, str.startswith, ()) is True
    assert place.plain is bool


def test_what_lists_hold_is_known_by_its_types(monkeypatch):
    from supremum.audit.log import calls

    looked = []
    monkeypatch.setattr(calls, "is_array", looked.append)
    units = [("m", (1.0, 2)), ("s", {"exponent": 1})]
    assert calls.arrays_in(units) == calls.arrays_in([units]) == []
    assert looked == []
    monkeypatch.undo()
    a = np.ones(2)
    assert all(found is a for found in calls.arrays_in(["m", ("s", {"scale": [a]}), [[[[a]]]]]))
    assert len(calls.arrays_in(["m", ("s", {"scale": [a]}), [[[[a]]]]])) == 2
    units.append(units)
    assert calls.arrays_in(units) == []


def test_types_that_are_let_go_are_forgotten():
    from supremum.audit.log import tracked_types

    passing = type("Passing", (), {})
    number, gone = id(passing), weakref.ref(passing)
    assert tracked_types.learn(passing) == tracked_types.learn(passing) == tracked_types.NOTHING
    assert number in tracked_types._passing
    del passing
    gc.collect()
    assert gone() is None
    assert number not in tracked_types._passing


# formulas: what is let go as a whole


@pytest.fixture
def passed(monkeypatch):
    """The results of formulas that were let go."""
    seen, by_name = [], import_hook._PROBES
    name = constant("PASS")

    def noted(formula, result, *others):
        seen.append(result)
        return hooks.PASS(formula, result, *others)

    monkeypatch.setitem(by_name, name, noted)
    return seen


def shown(report):
    return [(f.line, f.kind, f.count) for f in report.findings], report.operations


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (
            """\
import numpy as np

x, y = np.ones(8, np.float32), np.ones(8)
for i in range(1000):
    z = np.abs(x[1:] * 2 - y[1:])
""",
            ["widening"],
        ),
        *(
            (
                f"""\
import numpy as np

x = y = np.ones(8, np.float32)
for i in range(500):
    if i == 333:
        {changed} = np.ones(8)
    z = x * 2 + y
    if i == 333:
        {changed} = np.ones(8, np.float32)
""",
                ["widening"],
            )
            for changed in "xy"
        ),
        (
            """\
import numpy as np

x = np.ones(3, np.float32)
for i in range(300):
    scale = 2.0 if i < 250 else 1e39
    with np.errstate(over="print"):
        z = x * scale + x
""",
            ["value-changed"],
        ),
        (
            """\
import numpy as np

x = np.int8(1)
for i in range(1_000):
    if i == 950:
        x = np.int8(100)
    z = (x + x) * 2 - x
""",
            ["wraparound", "wraparound"],
        ),
    ],
    ids=["on and on", "x", "y", "a number", "a warning"],
)
@pytest.mark.filterwarnings("default:overflow")
def test_a_formula_is_let_go_and_nothing_is_missed(audited, passed, monkeypatch, source, found):
    report = audited(source)
    assert len(passed) > 200
    assert [f.kind for f in report.findings] == found
    monkeypatch.setattr(Formula, "opens", lambda *_: False)
    before = len(passed)
    assert shown(audited(source)) == shown(report)
    assert len(passed) == before


def test_numbers_in_a_formula_are_looked_at_once_they_are_arrays(audited, monkeypatch):
    source = """\
import numpy as np

x = 1.5
for i in range(300):
    if i == 200:
        x = np.ones(3, np.float32)
    z = x * 2 + x
    if i == 250:
        z = z + np.ones(3)
"""
    report = audited(source)
    assert [(f.line, f.kind) for f in report.findings] == [(9, "widening")]
    monkeypatch.setattr(Formula, "opens", lambda *_: False)
    assert shown(audited(source)) == shown(report)


def test_what_objects_of_a_program_compute_is_computed_once(audited, capsys):
    audited("""\
class Vector:
    def __init__(self, x):
        self.x = x

    def __mul__(self, other):
        print("times", other)
        return Vector(self.x * other)

    def __sub__(self, other):
        return self.x - other.x


v, n = 2, 3
for i in range(9):
    if i == 7:
        v = Vector(3)
    r = v * n - v
print(r)
""")
    assert capsys.readouterr().out == "times 3\n" * 2 + "6\n"


def test_a_formula_is_sent_to_another_process_with_its_variables():
    places = [
        place_at(LOCATIONS.number_of(Location("far.py", (n, 0, n, 5), "operator", "add")))
        for n in (1, 2)
    ]
    steps = [Step(p, "", True, (0,), (0,), True) for p in places]
    variable = Variable()
    formula = Formula(steps, [variable], shows_all=True)
    assert formula.open
    other, own = pickle.loads(pickle.dumps((formula, variable)))
    assert other.opens([1.5])
    assert other.is_plain
    assert other._variables == [own]
    assert places[0].formula is other
