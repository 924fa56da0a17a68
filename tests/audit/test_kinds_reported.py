"""What is said of each kind of finding, in which order, and what was asked for."""

import pytest

from supremum.audit.kinds import FORBIDDEN

HEAD = """\
import numpy as np

f = np.ones((4, 8), np.float32)
d = np.hanning(8)
"""
D = "np.hanning(8)"

BLOCKS = {
    "widening": """\
        import numpy as np

        f = np.ones((4, 8), np.float32)

        def window(n):
            return np.hanning(n)

        d = window(8)
        for i in range(3):
            g = f * d
        h = (f - 1) / d.sum()
        if (h > d).any():
            k = np.outer(f[0], d)
        """,
    "widening where it is introduced": """\
        import numpy as np
        g = np.ones((4, 8), np.float32) * np.sqrt(2.0)
        """,
    "widening of a comparison": """\
        import numpy as np
        d = np.hanning(8)
        ok = np.ones(8, np.float32) == d
        """,
    "narrowing-store": """\
        import numpy as np
        f = np.ones((4, 8), np.float32)
        w = np.hanning(8)
        f[1:3] = w
        f += w
        np.add(f, w, out=f)
        """,
    "value-changed": """\
        import numpy as np
        half = np.float16([1])
        for i in range(4):
            half = half * 1e-9
        """,
    "overflow-risk": """\
        import ml_dtypes
        import numpy as np
        e = np.ones(1, ml_dtypes.float8_e3m4)
        g = e * np.int8([127])
        """,
    "precision-loss": """\
        import numpy as np
        big = np.array([2**53 + 1])
        g = big * np.ones(1)
        """,
    "mixed-kind": """\
        import numpy as np
        i = np.arange(8)
        for j in range(2):
            g = i * np.ones((4, 8), np.uint64)
        """,
    "forbidden:float64": """\
        import numpy as np
        f = np.ones((4, 8), np.float32)
        d = f.astype(np.float64)
        e = d * f
        """,
}


@pytest.mark.parametrize("name", BLOCKS)
def test_what_is_said(told, name, golden):
    golden(told(BLOCKS[name], forbid="float64" if "forbidden" in name else ""))


def test_nothing_is_said_of_a_clean_program(told):
    source = "import numpy as np\nx = np.ones(3, np.float32) * 2.0\n"
    assert told(source) == "Nothing found in 2 operations on arrays."


def test_causes_come_before_notes_and_large_ones_first(audited):
    source = """\
        import numpy as np
        f = np.ones((4, 8), np.float32)
        note = np.int8([1]) * np.int16([3])
        small = f[0] * np.sqrt(2.0)
        large = f * np.hanning(8)
        """
    assert [(f.line, f.kind) for f in audited(source).findings] == [
        (5, "widening"),
        (4, "widening"),
        (3, "larger-integer"),
    ]


def test_kinds_alone(audited):
    source = HEAD + "f[0] = d\ng = f * d\nh = np.int8([1]) * np.int16([3])\n"
    [both, note] = audited(source).findings
    assert (both.kind, both.also, note.kind) == ("widening", ("narrowing-store",), "larger-integer")
    [store] = audited(source, kinds="narrowing-store").findings
    assert (store.kind, store.also, store.line) == ("narrowing-store", (), 4)
    assert [place.line for place in store.places] == [5]
    assert [f.kind for f in audited(source, kinds=["larger-integer"]).findings] == [
        "larger-integer"
    ]
    assert audited(source, kinds="value-changed,overflow-risk").findings == ()


# forbidden


def test_what_is_forbidden_is_found_where_it_is_born(audited):
    source = HEAD + "x = f.astype(np.float64)\ny = x * 2\nz = f * 2\n"
    [first, second] = audited(source, forbid="float64").findings
    assert [(f.kind, f.text) for f in (first, second)] == [
        ("forbidden:float64", D),
        ("forbidden:float64", "f.astype(np.float64)"),
    ]
    assert first.kinds == {FORBIDDEN}
    assert first.severity == "warning"


def test_a_mend_of_what_is_forbidden_is_not_what_is_there(audited):
    source = HEAD + "x = f.astype(np.float64)\n"
    found = audited(source, forbid="float64").findings
    # a window that is converted would be introduced as float64 all the same
    assert {f.text: f.suggestion for f in found} == {
        D: "",
        "f.astype(np.float64)": "f.astype(np.float32)",
    }


@pytest.mark.parametrize(
    "source",
    ["f * f", "f.sum().item()", "f[0] * 2.0", "np.arange(3)", "np.complex128(1)", "1.0 + 2"],
)
def test_what_is_not_forbidden(audited, source):
    head = HEAD.replace("d = np.hanning(8)\n", "")
    assert audited(head + source, forbid="float64").findings == ()
    assert audited(head + source, forbid=["float16"]).findings == ()


def test_several_are_forbidden(audited):
    source = HEAD + "c = 1j * d\n"
    kinds = [f.kind for f in audited(source, forbid="float64,complex128").findings]
    assert sorted(kinds) == ["forbidden:complex128", "forbidden:float64"]
