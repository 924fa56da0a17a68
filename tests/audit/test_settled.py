"""Loops: what repeats is looked at now and then, and nothing new is missed for that."""

import pytest


def widened(report):
    return [(f.kind, f.line, sum(p.count for p in f.places)) for f in report.findings]


def test_a_dtype_that_comes_up_once_in_a_long_loop_is_found(audited):
    report = audited("""\
import numpy as np

f, d = np.ones(8, np.float32), np.ones(8)

def mixed(x, y):
    return x * y

for i in range(1000):
    mixed(f, d if i == 900 else f)
""")
    assert widened(report) == [("widening", 3, 1)]


@pytest.mark.parametrize(
    "line",
    ["np.multiply(x, y)", "x.dot(y)", "x[0] * y[0]", "np.add(x, y, out=np.zeros(8, y.dtype))"],
)
def test_calls_and_scalars_too(audited, line):
    report = audited(f"""\
import numpy as np

f, d = np.ones(8, np.float32), np.ones(8)

def mixed(x, y):
    return {line}

for i in range(1000):
    mixed(f, d if i == 900 else f)
""")
    assert ("widening", 3, 1) in widened(report)


@pytest.mark.parametrize("line", ["x += y", "x[:] = y", "x[0] = y[0]"])
def test_stores_too(audited, line):
    report = audited(f"""\
import numpy as np

f, d = np.zeros(8, np.float32), np.ones(8) / 3

def put(x, y):
    {line}

for i in range(1000):
    put(f, d if i == 900 else f)
""")
    assert [f.kind for f in report.findings] == ["narrowing-store"]


def test_a_number_that_does_not_fit_is_found_though_others_did(audited):
    report = audited("""\
import numpy as np

f = np.ones(8, np.float32)

def scaled(n):
    return f * n

for i in range(1000):
    scaled(2 if i != 900 else 16_777_217)
""")
    assert "value-changed" in [f.kind for f in report.findings]


@pytest.mark.parametrize("exact", [False, True])
def test_findings_are_counted_one_by_one(audited, exact):
    report = audited(
        """\
import numpy as np

f, d = np.ones(8, np.float32), np.ones(8)
for i in range(1000):
    f * d
    np.multiply(f, d)
""",
        exact=exact,
    )
    assert widened(report) == [("widening", 3, 2000)]


@pytest.mark.parametrize("exact", [False, True])
def test_operations_are_counted_though_nobody_looks_at_them(audited, exact):
    source = """\
import numpy as np

f = np.ones(8, np.float32)
for i in range(1000):
    f * f
"""
    assert audited(source, exact=exact).operations == 1001


def test_what_is_not_looked_at_is_followed_all_the_same(audited):
    report = audited("""\
import numpy as np

f, d = np.ones(8, np.float32), np.ones(8)
parts = []
for i in range(1000):
    parts.append(np.sqrt(d) * d)
for part in parts[990:]:
    f + part
""")
    assert widened(report) == [("widening", 3, 10)]


def test_what_several_arrays_come_from_is_charged_to_each(audited):
    report = audited("""\
import numpy as np

f, d, e = np.ones(8, np.float32), np.ones(8), (
    np.zeros(8))

def double(x):
    return x + x

for i in range(1000):
    f + double(e if i % 2 else d)
""")
    assert {(f.line, f.kind) for f in report.findings} == {(3, "widening"), (4, "widening")}


def test_functions_that_hand_arrays_on_are_seen_through(audited):
    report = audited("""\
import numpy as np

f = np.ones(8, np.float32)

def wide(i):
    if i == 900:
        return f * np.ones(8)
    return f * f

for i in range(1000):
    y = wide(i)
    z = y - f
""")
    assert [f.line for f in report.findings] == [7]


def test_exact_is_true_or_false(audited):
    from supremum import RulesError

    with pytest.raises(RulesError, match="exact is true or false, not 'yes'"):
        audited("", exact="yes")


def test_the_command_looks_at_everything_if_it_is_told_to(command, write, tmp_path):
    import json

    write("""\
import numpy as np

f = np.ones(8, np.float32)
for i in range(1000):
    f * f
""")
    command("--exact", "-o", "report.json", "program.py")
    assert json.loads((tmp_path / "report.json").read_text())["operations"] == 1001


def test_a_dtype_that_is_of_no_interest_is_asked_about_once(audited, monkeypatch):
    from supremum.audit.analysis import operation_checks

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
