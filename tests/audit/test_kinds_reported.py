"""What is said of each kind of finding, in which order, and what was asked for."""

import pytest

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


# forbidden


@pytest.mark.parametrize(
    "source",
    ["f * f", "f.sum().item()", "f[0] * 2.0", "np.arange(3)", "np.complex128(1)", "1.0 + 2"],
)
def test_what_is_not_forbidden(audited, source):
    head = HEAD.replace("d = np.hanning(8)\n", "")
    assert audited(head + source, forbid="float64").findings == ()
    assert audited(head + source, forbid=["float16"]).findings == ()
