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
    "widening": (
        """\
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
        """\
program.py:6:12: widening: float64 is introduced here; it reaches 6 results, 544 bytes more \
than needed
     6 | return np.hanning(n)
       |        ^^^^^^^^^^^^^
       |        float64
  it widens to float64 at line 10, 3 times:
    10 | g = f * d
       |     ~   ~
       |     |   float64[8]
       |     float32[4, 8]
  it widens to float64 at line 11:
    11 | h = (f - 1) / d.sum()
       |      ~~~~~    ~~~~~~~
       |      |        float64()
       |      float32[4, 8]
  type instead: np.hanning(n).astype(np.float32, copy=False)
  why, by numpy rules: float64 holds every value of float32.

1 cause (1 widening) in 8 operations on arrays; 544 bytes more than needed.""",
    ),
    "widening where it is introduced": (
        """\
        import numpy as np
        g = np.ones((4, 8), np.float32) * np.sqrt(2.0)
        """,
        """\
program.py:2:35: widening: float64 is introduced here; it reaches 2 results, 128 bytes more \
than needed
  it widens to float64 at line 2:
     2 | g = np.ones((4, 8), np.float32) * np.sqrt(2.0)
       |     ~~~~~~~~~~~~~~~~~~~~~~~~~~~   ^^^^^^^^^^^^
       |     float32[4, 8]                 float64()
  type instead: np.float32(np.sqrt(2.0))
  why, by numpy rules: float64 holds every value of float32.

1 cause (1 widening) in 3 operations on arrays; 128 bytes more than needed.""",
    ),
    "widening of a comparison": (
        """\
        import numpy as np
        d = np.hanning(8)
        ok = np.ones(8, np.float32) == d
        """,
        """\
program.py:2:5: widening: float64 is introduced here, 32 bytes more than needed
     2 | d = np.hanning(8)
       |     ^^^^^^^^^^^^^
       |     float64
  it widens a comparison at line 3:
     3 | ok = np.ones(8, np.float32) == d
       |      ~~~~~~~~~~~~~~~~~~~~~~    ~
       |      float32[8]                float64[8]
  type instead: np.hanning(8).astype(np.float32, copy=False)
  why, by numpy rules: float64 holds every value of float32. equal (x == y) converts \
float64 to bool.

1 cause (1 widening) in 2 operations on arrays; 32 bytes more than needed.""",
    ),
    "narrowing-store": (
        """\
        import numpy as np
        f = np.ones((4, 8), np.float32)
        w = np.hanning(8)
        f[1:3] = w
        f += w
        np.add(f, w, out=f)
        """,
        """\
program.py:3:5: narrowing-store: float64 is introduced here; it reaches 3 results, 32 bytes more \
than needed
     3 | w = np.hanning(8)
       |     ^^^^^^^^^^^^^
       |     float64
  it is stored in float32 at line 4:
     4 | f[1:3] = w
       | ~        ~
       | |        float64[8]
       | float32[4, 8]
  it is stored in float32 at line 5:
     5 | f += w
       | ~    ~
       | |    float64[8]
       | float32[4, 8]
  and 1 time at 1 other place
  type instead: np.hanning(8).astype(np.float32, copy=False)
  why, by numpy rules: float64 holds every value of float32.

1 cause (1 narrowing-store) in 3 operations on arrays; 32 bytes more than needed.""",
    ),
    "value-changed": (
        """\
        import numpy as np
        half = np.float16([1])
        for i in range(4):
            half = half * 1e-9
        """,
        """\
program.py:4:12: value-changed: 1e-09 has no place in float16, 4 times
     4 | half = half * 1e-9
       |        ~~~~   ~~~~
       |        |      1e-09   1e-09 has no place in float16
       |        float16[1]
  type instead: half.astype(np.float32, copy=False) * 1e-9
  why, by numpy rules: float* takes the dtype of float16.

1 cause (1 value-changed) in 5 operations on arrays.""",
    ),
    "overflow-risk": (
        """\
        import ml_dtypes
        import numpy as np
        e = np.ones(1, ml_dtypes.float8_e3m4)
        g = e * np.int8([127])
        """,
        """\
program.py:4:5: overflow-risk: float8_e3m4 with int8 gives float8_e3m4
     4 | g = e * np.int8([127])
       |     ~   ~~~~~~~~~~~~~~
       |     |   int8[1]
       |     float8_e3m4[1]
  why, by numpy rules: float8_e3m4 is kept beside int8, though it cannot hold every value of it. \
May lose precision: int8 carries 7 bits, float8_e3m4 carries 5. May overflow: int8 reaches 127, \
float8_e3m4 reaches 15.5.

1 cause (1 overflow-risk) in 3 operations on arrays.""",
    ),
    "precision-loss": (
        """\
        import numpy as np
        big = np.array([2**53 + 1])
        g = big * np.ones(1)
        """,
        """\
program.py:3:5: precision-loss: int64 with float64 gives float64
     3 | g = big * np.ones(1)
       |     ~~~   ~~~~~~~~~~
       |     |     float64[1]
       |     int64[1]
  int64 is introduced at line 2: np.array([2**53 + 1])
  why, by numpy rules: float64 is kept beside int64, though it cannot hold every value of it. \
May lose precision: int64 carries 63 bits, float64 carries 53.

1 cause (1 precision-loss) in 3 operations on arrays.""",
    ),
    "mixed-kind": (
        """\
        import numpy as np
        i = np.arange(8)
        for j in range(2):
            g = i * np.ones((4, 8), np.uint64)
        """,
        """\
program.py:4:9: mixed-kind: int64 with uint64 gives float64, 2 times
     4 | g = i * np.ones((4, 8), np.uint64)
       |     ~   ~~~~~~~~~~~~~~~~~~~~~~~~~~
       |     |   uint64[4, 8]
       |     int64[8]
  int64 is introduced at line 2: np.arange(8)
  why, by numpy rules: uint64 and int64 have no integer dtype in common, so they meet in float64. \
May lose precision: int64 carries 63 bits, float64 carries 53. \
May lose precision: uint64 carries 64 bits, float64 carries 53.

1 cause (1 mixed-kind) in 5 operations on arrays.""",
    ),
    "forbidden:float64": (
        """\
        import numpy as np
        f = np.ones((4, 8), np.float32)
        d = f.astype(np.float64)
        e = d * f
        """,
        """\
program.py:3:5: forbidden:float64: float64 is introduced here; it reaches 2 results, 256 bytes \
more than needed
     3 | d = f.astype(np.float64)
       |     ^^^^^^^^^^^^^^^^^^^^
       |     float64
  it widens to float64 at line 4:
     4 | e = d * f
       |     ~   ~
       |     |   float32[4, 8]
       |     float64[4, 8]
  type instead: f.astype(np.float32)
  why, by numpy rules: float64 holds every value of float32.

1 cause (1 forbidden:float64) in 3 operations on arrays; 256 bytes more than needed.""",
    ),
}


@pytest.mark.parametrize(("source", "block"), BLOCKS.values(), ids=BLOCKS)
def test_what_is_said(told, request, source, block):
    forbid = "float64" if "forbidden" in request.node.name else ""
    assert told(source, forbid=forbid) == block


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
