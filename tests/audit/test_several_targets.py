"""What is stored by an assignment to several targets is followed as what is stored by one."""

import pytest

HEAD = """\
import numpy as np

f = np.zeros((4, 3), np.float32)
n = np.zeros(4, np.int8)
wide = np.ones(3)
"""
# What stores `wide` in `f`, and the line and the column of the target.
STORES = {
    "a tuple": ("n[0], f[1] = 1, wide", 6, 6),
    "the result of a call": ("def g():\n    return 1, wide\nn[0], f[1] = g()", 8, 6),
    "a list": ("[n[0], f[1]] = 1, wide", 6, 7),
    "a tuple in a tuple": ("i, (n[0], f[i]) = 1, (1, wide)", 6, 10),
    "with a star": ("f[1], *n[:2] = wide, 1, 2", 6, 0),
    "a chain": ("x = f[1] = y = wide", 6, 4),
    "an attribute beside": ("class A: pass\na = A()\na.x, f[1] = 1, wide", 8, 5),
    "in a function": ("def g():\n    n[0], f[1] = 1, wide\ng()", 7, 10),
    "in a class": ("class A:\n    n[0], f[1] = 1, wide", 7, 10),
    "the target of a loop": ("for n[0], f[1] in [(1, wide)]: pass", 6, 10),
    "the only target of a loop": ("for f[1] in [wide]: pass", 6, 4),
    "the target of a loop in a function":
        ("def g():\n    for i, f[i] in enumerate([wide]): pass\ng()", 7, 11),
}  # fmt: skip


@pytest.mark.parametrize(("source", "line", "column"), STORES.values(), ids=STORES)
def test_it_is_found(audited, source, line, column):
    report = audited(HEAD + source)
    (finding,) = [f for f in report.findings if f.kind == "narrowing-store"]
    assert finding.text == "np.ones(3)"
    (place,) = finding.places
    assert (place.span[:2], place.text) == ((line, column), "f[i]" if "f[i]" in source else "f[1]")
    assert report.problems == ()


def test_what_is_written_out_is_shown_under_its_target(audited):
    report = audited(HEAD + "n[0], f[1] = 1, wide")
    assert [m.text for m in report.findings[0].places[0].operands] == ["f", "wide"]


def test_a_name_that_is_assigned_to_as_well_is_not_shown_as_what_was_stored(audited):
    report = audited(HEAD + "other = f[0]\nother, f[1] = wide, other + wide")
    places = [p for f in report.findings for p in f.places if p.kind == "narrowing-store"]
    assert [m.text for p in places for m in p.operands] == ["f", ""]


def test_a_buffer_that_is_filled_so_is_a_note(audited):
    source = "z = np.zeros(4)\nfor i in range(4):\n    n[i], z[i] = i, f[i].sum()"
    assert [f.kind for f in audited(HEAD + source).findings] == ["widening-store"]


def test_elements_that_change_places_are_no_finding(audited):
    assert audited(HEAD + "f[0], f[1] = f[1], f[0]\nn[0], n[1] = n[1], n[0]").findings == ()
