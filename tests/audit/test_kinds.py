"""Each kind of finding: where it is found, and where its neighbours are not."""

import pytest

from supremum.audit.kinds import KNOWN

HEAD = """\
import ml_dtypes
import numpy as np

f = np.ones((4, 8), np.float32)
d = np.hanning(8)
"""
D = "np.hanning(8)"
BF16 = "b = np.ones(8, ml_dtypes.bfloat16)\n"

# What is found in each program, and the cause: its text, where the finding is not at HEAD's `d`.
FOUND = {
    "operator": ("f * d", "widening", D),
    "reflected": ("d * f", "widening", D),
    "operator with a list": ("f * [0.5]", "widening", "f * [0.5]"),
    "matrix product": ("f @ np.eye(8)", "widening", "np.eye(8)"),
    "inner": ("np.inner(f, d)", "widening", D),
    "tensordot": ("np.tensordot(f, d, 1)", "widening", D),
    "inner of integers and floats": (
        "np.inner(f[0], np.arange(8))",
        "widening",
        "np.inner(f[0], np.arange(8))",
    ),
    "a function called as a code is": (
        "def f(x):\n    return x * d\nf(np.ones(8, np.float32))",
        "widening",
        D,
    ),
    "scalar on the right": ("f * np.float64(2)", "widening", "np.float64(2)"),
    "scalar on the left": ("np.float64(2) * f", "widening", "np.float64(2)"),
    "0-d array": ("f * np.array(2.0)", "widening", "np.array(2.0)"),
    "two scalars": ("np.float32(1) * np.float64(2)", "widening", "np.float64(2)"),
    "in place, not in place after all": ("x = f[0, 0]\nx += d", "widening", D),
    "name in place": ("f += d", "narrowing-store", D),
    "attribute in place": (
        "class A: pass\na = A()\na.f = f\na.f += d",
        "narrowing-store",
        D,
    ),
    "subscript in place": ("f[0] -= d", "narrowing-store", D),
    "item of a list in place": ("x = [f]\nx[0] *= d", "narrowing-store", D),
    "name in place, in a function": (
        "def g(x):\n    x /= d + 1\ng(f)",
        "narrowing-store",
        D,
    ),
    "comparison": ("f > d", "widening", D),
    "equality": ("f == d", "widening", D),
    "comparison in a function": (
        "def g(x):\n    return x <= d\ng(f)",
        "widening",
        D,
    ),
    "store of a row": ("f[0] = d", "narrowing-store", D),
    "store of a slice": ("f[:, ::2] = d[::2]", "narrowing-store", D),
    "store of a scalar": ("f[0, 0] = np.float64(0.1)", "narrowing-store", "np.float64(0.1)"),
    "store by a mask": ("f[f > 0] = np.float64(0)", "narrowing-store", "np.float64(0)"),
    "store in a view": ("f.T[:] = np.hanning(4)[0]", "narrowing-store", "np.hanning(4)"),
    "store of a fraction": ("i = np.zeros(8, int)\ni[0] = 2.7", "narrowing-store", "i[0] = 2.7"),
    "store of fractions": ("i = np.zeros(8, int)\ni[:] = d", "precision-loss", "np.zeros(8, int)"),
    "store of others": ("i = np.zeros(8, int)\ni[:] = d + 1", "narrowing-store", "i[:] = d + 1"),
    "store of large integers": (
        "i = np.zeros(8, np.int16)\ni[:] = np.arange(8) * 10000",
        "narrowing-store",
        "np.zeros(8, np.int16)",
    ),
    "out": ("np.add(f, d, out=f)", "narrowing-store", D),
    "wide out": ("np.add(f, f, out=np.empty((4, 8)))", "widening-store", "np.empty((4, 8))"),
    "ufunc": ("np.multiply(f, d)", "widening", D),
    "ufunc of two results": ("divmod(f, d + 1)", "widening", D),
    "method": ("f.dot(np.ones(8))", "widening", "np.ones(8)"),
    "method with a scalar": ("f.clip(np.float64(0), 1)", "widening", "np.float64(0)"),
    "reduction": ("f * f.sum(dtype=np.float64)", "widening", "f * f.sum(dtype=np.float64)"),
    "reduction of integers": (
        "np.ones(3, np.int16).cumsum()",
        "larger-integer",
        "np.ones(3, np.int16).cumsum()",
    ),
    "concatenate": ("np.concatenate([f[0], d])", "widening", D),
    "stack": ("np.stack([f[0], d])", "widening", D),
    "where": ("np.where(f > 0, f, np.float64(0))", "widening", "np.float64(0)"),
    "einsum": ("np.einsum('ij,j', f, d)", "widening", D),
    "outer": ("np.outer(f[0], d)", "widening", D),
    "interp": (
        "np.interp(f[0], [0, 1], [0, 1])",
        "widening",
        "np.interp(f[0], [0, 1], [0, 1])",
    ),
    "zeros": ("f + np.zeros(8)", "widening", "np.zeros(8)"),
    "full": ("f + np.full(8, 0.5)", "widening", "np.full(8, 0.5)"),
    "arange over n": ("f * (np.arange(8) / 8)", "widening", "np.arange(8) / 8"),
    "linspace": ("f * np.linspace(0, 1, 8)", "widening", "np.linspace(0, 1, 8)"),
    "array of floats": ("f[:, :2] * np.array([1.0, 2.0])", "widening", "np.array([1.0, 2.0])"),
    "random": (
        "f * np.random.default_rng(0).standard_normal(8)",
        "widening",
        "np.random.default_rng(0).standard_normal(8)",
    ),
    "square root of a number": ("f * np.sqrt(2.0)", "widening", "np.sqrt(2.0)"),
    "mean of integers": ("f * np.mean([1, 2])", "widening", "np.mean([1, 2])"),
    "int64 with float32": ("i = np.arange(8)\nf * i", "widening", "f * i"),
    "argmax as a number": ("f * f.argmax()", "widening", "f * f.argmax()"),
    "power of a NumPy integer": ("f ** np.int64(2)", "widening", "f ** np.int64(2)"),
    "integers of two widths": ("np.int8([1]) + np.int16([1])", "larger-integer", "np.int16([1])"),
    "integers of two signs": (
        "np.uint8([1]) + np.int8([1])",
        "larger-integer",
        "np.uint8([1]) + np.int8([1])",
    ),
    "complex": (
        "f.astype(np.complex64) * np.exp(1j * d)",
        "widening",
        D,
    ),
    "longdouble": ("d * np.longdouble(1)", "widening", "np.longdouble(1)"),
    "float16": ("f.astype(np.float16) * f[0]", "widening", "np.ones((4, 8), np.float32)"),
    "float16 with bfloat16": (
        BF16 + "np.float16([1]) * b",
        "widening",
        "np.float16([1]) * b",
    ),
    "bfloat16 with float64": (BF16 + "b * d", "widening", D),
    "bfloat16 with a Python number": (BF16 + "b * 1.0", "widening", "b * 1.0"),
    "store into bfloat16": (
        BF16 + "b[:] = f[0]",
        "narrowing-store",
        "np.ones((4, 8), np.float32)",
    ),
    "comprehension": ("[row * d for row in f]", "widening", D),
    "generator": ("list(row * d for row in f)", "widening", D),
    "lambda": ("(lambda x: x * d)(f)", "widening", D),
    "number that overflows": ("f[0] = -1e39", "value-changed", "np.ones((4, 8), np.float32)"),
    "number that vanishes": ("f * 1e-60", "value-changed", "f * 1e-60"),
    "number that vanishes in place": ("f += 1e-60", "value-changed", "f += 1e-60"),
    "integer that is rounded": ("f * (2**24 + 1)", "value-changed", "f * (2**24 + 1)"),
    "number for float16": (
        "np.float16([1]) + 1e-9",
        "value-changed",
        "np.float16([1]) + 1e-9",
    ),
    "a total": (
        "t = np.zeros(8, dtype=np.float64)\nfor row in f:\n    t += row\nf[0] / t",
        "wide-reduction",
        "np.zeros(8, dtype=np.float64)",
    ),
    "uint64 with int64": (
        "np.uint64([1]) + np.int64([1])",
        "mixed-kind",
        "np.uint64([1]) + np.int64([1])",
    ),
    "large int64 with float64": (
        "d[:1] * np.array([2**53 + 1])",
        "precision-loss",
        "d[:1] * np.array([2**53 + 1])",
    ),
    "uint64 with negative numbers": (
        "np.array([2**60 + 1], np.uint64) + np.array([-1])",
        "precision-loss",
        "np.array([2**60 + 1], np.uint64) + np.array([-1])",
    ),
    "int8 with an eight-bit float": (
        "np.ones(1, ml_dtypes.float8_e4m3fn) * np.int8([127])",
        "precision-loss",
        "np.ones(1, ml_dtypes.float8_e4m3fn) * np.int8([127])",
    ),
    "int8 beyond an eight-bit float": (
        "np.ones(1, ml_dtypes.float8_e3m4) * np.int8([127])",
        "overflow-risk",
        "np.ones(1, ml_dtypes.float8_e3m4) * np.int8([127])",
    ),
}


@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
@pytest.mark.parametrize(("source", "kind", "text"), FOUND.values(), ids=FOUND)
def test_it_is_found(audited, source, kind, text):
    report = audited(HEAD + source)
    assert [(f.note or f.kind, f.text) for f in report.findings] == [(kind, text or source)]
    assert report.problems == ()
    assert report.unwatched == ()


# Near what is found above, and all right.
NEIGHBOURS = {
    "int16 with float32": "f * np.arange(8, dtype=np.int16)",
    "division by an integer": "f / np.uint8(3)",
    "bfloat16 with int8": BF16 + "b * np.int8([1])",
    "small int64 with float64": "d * np.arange(8)",
    "int64 as large as float64 holds": "d[:1] * np.array([2**53])",
    "integers divided by floats": "d / np.arange(1, 9)",
    "float32 with float32": "f * f + f",
    "float32 with Python numbers": "f * 2.0 + 1 - True",
    "a Python complex is as wide": "f * 1j",
    "constants of modules": "import math\nf * np.pi * math.sqrt(2) * np.e",
    "NumPy numbers made Python's": "f * float(np.sqrt(2.0)) * np.float64(2).item() * int(f[0, 0])",
    "float64 by itself": "d * d + d.sum() + np.sqrt(2.0)",
    "float64 with Python numbers": "d * 2 + 1.5",
    "0-d float32": "f * np.array(2.0, np.float32) * np.float32(2)",
    "an explicit cast that meets nothing": "f.astype(np.float64).sum()",
    "an explicit cast, computed with": "x = f.astype(np.float64)\nx * 2 * d",
    "a wide sum that meets nothing": "f.sum(dtype=np.float64)",
    "a wide mean of float32": "float(f.mean(dtype=np.float64))",
    "a wide cumulative sum": "np.cumsum(f, dtype=np.float64)",
    "a ufunc told its dtype": "np.multiply(f, d, dtype=np.float32, casting='same_kind')",
    "a cast back at once": "(f * np.arange(8)).astype(np.float32)",
    "reductions of float32": "f * f.sum() * f.mean() * f.std() * f.max() * np.median(f)",
    "an index array": "f[np.arange(3)]",
    "indices of float32": "f.argsort()\nnp.argmax(f)\nf.nonzero()",
    "a place in float32": "np.searchsorted(f[0], f[0]) * 2",
    "a mask": "(f > 0) * f",
    "a share of a mask": "(f > 0).sum() / f.size",
    "integers divided": "np.arange(3) / 2 + np.arange(3) / np.arange(1, 4)",
    "integers of one width": "np.arange(3) * np.arange(3) // 2",
    "sums of integers to scalars": "np.ones(3, np.int16).sum() + np.ones(3, np.int8).sum()",
    "sums of int64": "np.arange(3).cumsum()",
    "a Python integer that fits": "np.uint8([200]) + 55",
    "a Python integer that wraps": "np.uint8([100]) + 100",
    "comparison with a large integer": "np.uint8([1]) > 300",
    "comparison with a number": "f > 0.1",
    "comparison of indices": "f.argsort() > 2",
    "float32 into float64": "x = np.zeros((4, 8))\nx[:] = f\nx += f",
    "float32 into float32": "f[0] = f[1]\nf[0] += f[1]",
    "Python numbers into float32": "f[0] = 0.1\nf[0, 0] = 3\nf[f > 0] = 0.0\nf += 1",
    "objects that are numbers into float32": "class F(float): pass\nf[0] = F(0.1)\nf += F(0.1)",
    "objects that are ints with float64": "import enum\nd * enum.IntEnum('A', 'B').B",
    "objects that are ints into integers": "import enum\ni = np.zeros(8, np.int8)\n"
    "i[0] = enum.IntEnum('A', 'B').B",
    "functions called as codes are": "def i8(x):\n    return x\ni8(f) * f",
    "whole numbers into integers": "i = np.zeros(8, int)\ni[0] = 2.0\ni[:] = f[0]",
    "small integers into less": "i = np.zeros(8, np.uint8)\ni[:] = np.arange(8)\ni[0] = 255",
    "integers put into less": "i = np.zeros(8, np.int8)\ni += np.arange(8, dtype=np.int16)",
    "integers that float32 holds": "f[0] = np.array([2**24])\nf[0] = np.array([-3])",
    "fractions, cast first": "i = np.zeros(8, np.uint8)\ni[:] = (d * 255).astype(np.uint8)",
    "integers as a mask": "m = np.zeros(8, bool)\nm[:] = np.arange(8)",
    "float32 out": "np.add(f, f, out=f)",
    "float32 chosen": "np.where(f > 0, f, 0.0)",
    "float32 clipped": "f.clip(0, 1)\nnp.maximum(f, 0)",
    "float32 joined": "np.concatenate([f[0], f[1]])\nnp.stack([f, f])",
    "made as float32": "f * np.zeros(8, np.float32) * np.ones_like(f) * np.full_like(f, 0.5)",
    "made as float32 by a name": "f * np.zeros(8, dtype='f4') * np.arange(8).astype('float32')",
    "fractions lose digits": "f * 0.1",
    "a number that fits float16": "np.float16([1]) * 1e-7 + 65504",
    "an infinity": "f[0] = float('inf')\nf[0, 0] = float('nan')",
    "an integer power": "f ** 2\nf ** 0.5",
    "shifts": "np.uint8([1]) << 7",
    "bfloat16 with bfloat16": BF16 + "b * b + b.sum()",
    "bfloat16 with an integer": BF16 + "b * 2",
    "bfloat16 into float32": BF16 + "f[0] = b",
    "complex64": "f.astype(np.complex64) * f * np.fft.fft(f)",
    "a real part": "np.fft.fft(f).real * f + np.abs(np.fft.fft(f))",
    "texts and objects": "'%s' % f\n'a' + 'b'\n[1] * 2\n{1} | {2}\nnp.array(['a']) == 'a'",
    "dates": "np.array(['2026-01-01'], 'M8[D]') + np.timedelta64(1, 'D')",
}


@pytest.mark.parametrize("source", NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_its_neighbour_is_not(audited, source):
    report = audited(HEAD + source + "\nf * f\n")
    assert report.findings == ()
    assert report.problems == ()
    assert report.unwatched == ()
    assert report.operations  # it was watched


def test_every_kind_is_found_somewhere():
    found = {kind for _, kind, _ in FOUND.values()}
    # test_checks.py, test_float_values.py, test_target.py, test_value_kinds.py, programs
    live_elsewhere = {
        "weak-type-lost", "port-mismatch", "wraparound", "accumulation", "widening-store",
        "stopped", "forbidden", "float-overflow", "wide-storage",
    }  # fmt: skip
    live_elsewhere |= {"meta-mismatch", "retracing"}  # peers/test_audit_of_libraries.py
    assert found | live_elsewhere == set(KNOWN)
