"""What the audit says to type instead: typed into the program, nothing is found any more."""

import pytest

pytestmark = pytest.mark.thorough

HEAD = """\
import ml_dtypes
import numpy as np

f = np.ones((4, 8), np.float32)
"""
HANNING = ("np.hanning(8)", "np.hanning(8).astype(np.float32, copy=False)")

# Each program, and for each cause in it what to type instead. `out` is what was widened.
MENDS = {
    # functions that take a dtype are given one
    "zeros": ("out = f + np.zeros(8)", [("np.zeros(8)", "np.zeros(8, dtype=np.float32)")]),
    "ones": (
        "out = f + np.ones((4, 8))",
        [("np.ones((4, 8))", "np.ones((4, 8), dtype=np.float32)")],
    ),
    "full": ("out = f + np.full(8, .5)", [("np.full(8, .5)", "np.full(8, .5, dtype=np.float32)")]),
    "eye": ("out = f @ np.eye(8)", [("np.eye(8)", "np.eye(8, dtype=np.float32)")]),
    "linspace": (
        "out = f * np.linspace(0, 1, 8)",
        [("np.linspace(0, 1, 8)", "np.linspace(0, 1, 8, dtype=np.float32)")],
    ),
    "keywords": (
        "out = f * np.linspace(0, 1, num=8)",
        [("np.linspace(0, 1, num=8)", "np.linspace(0, 1, num=8, dtype=np.float32)")],
    ),
    "a comma at the end": (
        "out = f * np.zeros(8,)",
        [("np.zeros(8,)", "np.zeros(8, dtype=np.float32)")],
    ),
    "several lines": (
        "out = f * np.linspace(\n    0,\n    1,\n    8,\n)",
        [
            (
                "np.linspace(0, 1, 8,)",
                "np.linspace(\n    0,\n    1,\n    8,\n    dtype=np.float32,\n)",
            )
        ],
    ),
    "another alias": (
        "import numpy as xp\nout = f * xp.zeros(8)",
        [("xp.zeros(8)", "xp.zeros(8, dtype=np.float32)")],
    ),
    "array": (
        "out = f[:, :2] * np.array([1.0, 2.0])",
        [("np.array([1.0, 2.0])", "np.array([1.0, 2.0], dtype=np.float32)")],
    ),
    "asarray": (
        "out = f[:, :2] * np.asarray([1.0, 2.0])",
        [("np.asarray([1.0, 2.0])", "np.asarray([1.0, 2.0], dtype=np.float32)")],
    ),
    "an object that is an int": (
        "import enum\nTwo = enum.IntEnum('Two', {'TWO': 2})\nout = f * Two.TWO",
        [("f * Two.TWO", "f * np.float32(Two.TWO)")],
    ),
    "a new generator": (
        "rng = np.random.default_rng(0)\nout = f * rng.standard_normal(8)",
        [
            (
                "rng.standard_normal(8)",
                "rng.standard_normal(8).astype(np.float32, copy=False)",
            )
        ],
    ),
    "mean of integers": (
        "out = f * np.mean([1, 2])",
        [("np.mean([1, 2])", "np.mean([1, 2]).astype(np.float32)")],
    ),
    "mean of an index": (
        "i = np.arange(8)\nout = f * i.mean()",
        [("i.mean()", "i.mean().astype(np.float32)")],
    ),
    "arange over n": (
        "out = f * (np.arange(8) / 8)",
        [("np.arange(8) / 8", "np.arange(8, dtype=np.float32) / 8")],
    ),
    "arange in place of an index": (
        "out = np.arange(8) * f",
        [("np.arange(8) * f", "np.arange(8, dtype=np.float32) * f")],
    ),
    "complex": (
        "f = f.astype(np.complex64)\nout = f * (1j * np.arange(8))",
        [("1j * np.arange(8)", "1j * np.arange(8, dtype=np.complex64)")],
        "complex64",
    ),
    # a dtype that is named is named otherwise
    "named": (
        "out = f + np.zeros(8, np.float64)",
        [("np.zeros(8, np.float64)", "np.zeros(8, np.float32)")],
    ),
    "named by a keyword": (
        "out = f + np.zeros(8, dtype=np.float64)",
        [("np.zeros(8, dtype=np.float64)", "np.zeros(8, dtype=np.float32)")],
    ),
    "named by a text": (
        "out = f + np.zeros(8, dtype='float64')",
        [("np.zeros(8, dtype='float64')", "np.zeros(8, dtype='float32')")],
    ),
    "named as Python's": (
        "out = f + np.ones(8, dtype=float)",
        [("np.ones(8, dtype=float)", "np.ones(8, dtype=np.float32)")],
    ),
    "named by a code": (
        "out = f + np.zeros(8, 'd')",
        [("np.zeros(8, 'd')", "np.zeros(8, 'float32')")],
    ),
    "named by a variable": (
        "dtype = np.float64\nout = f + np.zeros(8, dtype)",
        [("np.zeros(8, dtype)", "np.zeros(8, dtype).astype(np.float32, copy=False)")],
    ),
    "a cast": (
        "out = f * f.astype(np.float64)",
        [("f.astype(np.float64)", "f.astype(np.float32)")],
    ),
    "a cast to Python's": (
        "out = f * f.astype(float)",
        [("f.astype(float)", "f.astype(np.float32)")],
    ),
    "a scalar": ("out = f * np.float64(2)", [("np.float64(2)", "np.float32(2)")]),
    "a complex scalar": (
        "out = f.astype(np.complex64) * np.complex128(1j)",
        [("np.complex128(1j)", "np.complex64(1j)")],
        "complex64",
    ),
    "named for bfloat16": (
        "b = np.ones(8, ml_dtypes.bfloat16)\nout = b * np.ones(8, np.float32)",
        [("np.ones(8, np.float32)", "np.ones(8, ml_dtypes.bfloat16)")],
        "bfloat16",
    ),
    "named by a text for bfloat16": (
        "b = np.ones(8, ml_dtypes.bfloat16)\nout = b * np.ones(8, dtype='float32')",
        [("np.ones(8, dtype='float32')", "np.ones(8, dtype='bfloat16')")],
        "bfloat16",
    ),
    # what is wide on purpose is cast where it leaks
    "a wide sum": (
        "out = f / f.sum(dtype=np.float64)",
        [("f / f.sum(dtype=np.float64)", "f / f.sum(dtype=np.float64).astype(np.float32)")],
    ),
    "a wide mean": (
        "out = f / np.mean(f, dtype='d')",
        [("f / np.mean(f, dtype='d')", "f / np.mean(f, dtype='d').astype(np.float32)")],
    ),
    # a scalar of NumPy is made one of another dtype
    "a square root": ("out = f * np.sqrt(2.0)", [("np.sqrt(2.0)", "np.float32(np.sqrt(2.0))")]),
    "a sum of logarithms": (
        "out = f * (np.log(2.0) + 1)",
        [("np.log(2.0)", "np.float32(np.log(2.0))")],
    ),
    "a power": (
        "out = f * np.power(2.0, 3)",
        [("np.power(2.0, 3)", "np.float32(np.power(2.0, 3))")],
    ),
    # an array without dimensions stays one
    "an array of a number": (
        "out = f * np.array(2.0)",
        [("np.array(2.0)", "np.array(2.0, dtype=np.float32)")],
    ),
    "an array of a number, of a dtype that is computed": (
        "d = np.dtype(float)\nw = np.asarray(2.0, dtype=d)\nw[...] = 1\nout = f * w",
        [
            (
                "np.asarray(2.0, dtype=d)",
                "np.asarray(2.0, dtype=d).astype(np.float32, copy=False)",
            )
        ],
    ),
    # what takes no dtype is cast
    "hanning": ("out = f * np.hanning(8)", [HANNING]),
    "a store": ("f[0] = np.hanning(8)\nout = f", [HANNING]),
    "in place": ("f += np.hanning(8)\nout = f", [HANNING]),
    "a comparison": ("out = f\nf > np.hanning(8)", [HANNING]),
    "the old generator": (
        "out = f * np.random.standard_normal(8)",
        [
            (
                "np.random.standard_normal(8)",
                "np.random.standard_normal(8).astype(np.float32, copy=False)",
            )
        ],
    ),
    "interp": (
        "out = np.interp(f[0], [0, 1], [0, 1])",
        [
            (
                "np.interp(f[0], [0, 1], [0, 1])",
                "np.interp(f[0], [0, 1], [0, 1]).astype(np.float32, copy=False)",
            )
        ],
    ),
    "what was read": (
        "np.save('d.npy', np.hanning(8))\nout = f * np.load('d.npy')",
        [("np.load('d.npy')", "np.load('d.npy').astype(np.float32, copy=False)")],
    ),
    "two causes": (
        "out = f * np.hanning(8)\nout = f + np.float64(1)",
        [HANNING, ("np.float64(1)", "np.float32(1)")],
    ),
    # an integer that decides is cast, not the result
    "an index array": (
        "i = np.arange(8)\nout = f * i",
        [("f * i", "f * i.astype(np.float32, copy=False)")],
    ),
    "an index array on the left": (
        "i = np.arange(8)\nout = (i + 1) * f",
        [("(i + 1) * f", "(i + 1).astype(np.float32, copy=False) * f")],
    ),
    "an index array over several lines": (
        "i = np.arange(8)\nout = (\n    f\n    * i\n)",
        [("f * i", "f\n    * i.astype(np.float32, copy=False)")],
    ),
    "an index that an index chooses": (
        "i = np.arange(8)\nout = f[0, :3] * i[np.arange(3)]",
        [
            (
                "f[0, :3] * i[np.arange(3)]",
                "f[0, :3] * i[np.arange(3)].astype(np.float32, copy=False)",
            )
        ],
    ),
    "bits of an index": (
        "out = f * (np.arange(8) & 1)",
        [("f * (np.arange(8) & 1)", "f * (np.arange(8) & 1).astype(np.float32, copy=False)")],
    ),
    "an argument of a reduction": (
        "out = f * f.argmax()",
        [("f * f.argmax()", "f * f.argmax().astype(np.float32)")],
    ),
    "an integer in place": (
        "out, i = f[0, 0], np.arange(8)\nout += i",
        [("out += i", "out += i.astype(np.float32, copy=False)")],
    ),
    "an integer in a ufunc": (
        "i = np.arange(8)\nout = np.multiply(f, i)",
        [("np.multiply(f, i)", "np.multiply(f, i.astype(np.float32, copy=False))")],
    ),
    "an integer in a comparison": (
        "i = np.arange(8)\nout = f\nf > i",
        [("f > i", "f > i.astype(np.float32, copy=False)")],
    ),
    # a list is no array yet
    "a list": (
        "out = f[:, :2] * [1.5, 2]",
        [("f[:, :2] * [1.5, 2]", "(f[:, :2] * [1.5, 2]).astype(np.float32, copy=False)")],
    ),
    # where there is no one cause, the operand is cast, and the rest stays
    "large int64 with float64": (
        "big = np.array([2**53 + 1])\nnp.ones(1) * big\nout = np.ones(1)",
        [("np.ones(1) * big", "")],
        "float64",
    ),
    "fractions into integers": (
        "out = np.zeros(8, int)\nout[:] = f[0] * 1.5",
        [("out[:] = f[0] * 1.5", "out[:] = (f[0] * 1.5).astype(np.int64, copy=False)")],
        "int64",
    ),
    "a fraction into integers": (
        "out = np.zeros(8, np.uint8)\nout[0] = 2.7",
        [("out[0] = 2.7", "out[0] = int(2.7)")],
        "uint8",
    ),
    "large integers into less": (
        "out = np.zeros(8, np.int16)\nout[:] = np.arange(8) * 10000",
        [("out[:] = np.arange(8) * 10000", "")],  # a cast would change them all the same
        "int16",
    ),
    "large integers into floats": (
        "big = np.array([2**24 + 1])\nf[0] = big\nout = f",
        [("f[0] = big", "")],
    ),
    "large integers into floats, in place": (
        "big = np.array([2**24 + 1])\nf += big\nout = f",
        [("f += big", "")],
    ),
    # a number that has no place gets one
    "a number that vanishes": (
        "h = np.float16([1])\nout = h * 1e-9",
        [("h * 1e-9", "h.astype(np.float32, copy=False) * 1e-9")],
    ),
    "a number that overflows": (
        "out = 1e39 * (f + 1)",
        [("1e39 * (f + 1)", "1e39 * (f + 1).astype(np.float64, copy=False)")],
        "float64",
    ),
    "an integer that is rounded": (
        "out = f + (2**24 + 1)",
        [("f + (2**24 + 1)", "f.astype(np.float64, copy=False) + (2**24 + 1)")],
        "float64",
    ),
    # what is first seen is cast there
    "from elsewhere": (
        "exec('x = np.hanning(8)', {**globals(), 'g': (s := {})}, s)\nx = s.get('x')\nout = f * x",
        [("s.get('x')", "s.get('x').astype(np.float32, copy=False)")],
    ),
    "a parameter": (
        "def work(x):\n    return f * x\nexec('out = work(np.hanning(8))', globals())",
        [("x", "x.astype(np.float32, copy=False)")],
    ),
    # bytes are not characters
    "other scripts": (
        "größe = 'µ'; out = f * np.hanning(8)  # 变",
        [HANNING],
    ),
}


def typed(source, findings):
    """Return a program in which each cause is replaced by what to type instead."""
    data = source.encode()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for finding in sorted(findings, key=lambda f: f.span, reverse=True):
        first, start, last, end = finding.span
        before, after = data[: starts[first - 1] + start], data[starts[last - 1] + end :]
        data = before + finding.suggestion.encode() + after
    return data.decode()


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize("row", MENDS.values(), ids=MENDS)
def test_what_to_type_instead(audited, row):
    source, mends, dtype = (*row, "float32")[:3]
    source = HEAD + source + "\n"
    report = audited(source)
    assert [(f.text, f.suggestion) for f in report.findings] == mends
    mended = typed(source, report.findings) + f"\nassert out.dtype == '{dtype}', out.dtype\n"
    again = audited(mended)
    assert [(f.text, f.suggestion) for f in again.findings] == []
    assert again.operations


# What no change of the cause is known to be right for, with the cause.
NO_FIX = {
    # no number that the array has a place for is the same number
    "a store": ("f[0] = 1e39", "f[0] = 1e39"),
    "in place": ("f += 1e-60", "f += 1e-60"),
    # a tuple has no astype; which of the results is meant is not known
    "a QR decomposition": ("q, r = np.linalg.qr(np.eye(8, dtype=int))\nout = f @ q", None),
    # on purpose
    "uint64 with int64": ("u = np.uint64([1])\nout = u + np.int64([1])", "u + np.int64([1])"),
    "an object that is an int": (
        "import enum\nTwo = enum.IntEnum('Two', {'TWO': 2})\nout = np.int8([1]) + Two.TWO",
        "np.int8([1]) + Two.TWO",
    ),
    "an array of totals": (
        "t = np.zeros(8, np.float64)\nfor row in f:\n    t += row\nout = f / t",
        "np.zeros(8, np.float64)",
    ),
    # a caller decides
    "a parameter": (
        "def made(dtype):\n    return np.zeros(8, dtype)\nout = f + made(np.float64)",
        "np.zeros(8, dtype)",
    ),
    "an attribute of a parameter": (
        """
class Grid:
    dtype = np.float64
    def made(self):
        return np.zeros(8, dtype=self.dtype)
out = f + Grid().made()
""",
        "np.zeros(8, dtype=self.dtype)",
    ),
    # the integers might wrap around
    "integers of two signs": ("u = np.uint8([1])\nout = np.int8([1]) + u", "np.int8([1]) + u"),
    "integers of unknown size": ("n = 8\nout = np.int8([1]) * np.arange(n)", "np.arange(n)"),
    # the numbers have no place in the narrow dtype
    "a large number": ("out = f * np.float64(1e300)", "np.float64(1e300)"),
    "integers in half precision": (
        "i = np.arange(8)\nout = f.astype(np.float16) * i", "f.astype(np.float16) * i",
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize(("source", "text"), NO_FIX.values(), ids=NO_FIX)
def test_no_suggestion_rather_than_a_wrong_one(audited, source, text):
    found = audited(HEAD + source).findings
    assert found
    assert {f.suggestion for f in found} == {""}
    assert text is None or text in {f.text for f in found}


def test_a_mend_that_uncovers_another_cause(audited):
    source = HEAD + "out = f * (np.hanning(8) + np.hamming(8))\n"
    [finding] = audited(source).findings
    assert finding.suggestion == "np.hanning(8).astype(np.float32, copy=False)"
    mended = typed(source, [finding])
    [finding] = audited(mended).findings
    assert finding.suggestion == "np.hamming(8).astype(np.float32, copy=False)"
    assert audited(typed(mended, [finding])).findings == ()


def test_the_result_of_an_operation_that_is_cast_at_once_is_no_finding(audited):
    mended = HEAD + "i = np.arange(8)\nout = (f * i).astype(np.float32, copy=False)\n"
    assert audited(mended).findings == ()
    [finding] = audited(mended + "f * i\n").findings
    assert finding.line == 7
