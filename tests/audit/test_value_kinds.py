# ruff: noqa: E501  # a row is a program with its outcome
"""What is found by looking at values: integers that wrap around, sums in few bits, lost numbers."""

import operator
import tracemalloc

import numpy as np
import pytest

from supremum.audit.log.values import questions, recompute

HEAD = """\
import numpy as np

a = np.array([200, 3], np.uint8)
b = np.array([100, 2], np.uint8)
i = np.array([70_000, 3], np.int32)
s = np.array([100, -128], np.int8)
m = np.full((4, 4), 70_000, np.int32)
h = np.full(70_000, 1, np.float16)
f = np.full((20_000, 4), 0.1, np.float32)
"""

# What is found in each program: the kind, what is told, and what to type instead of what.
FOUND = {
    "sum": ("a + b", "wraparound", "200 + 100 became 44, in 1 of 2 elements",
            "a.astype(np.int16, copy=False) + b"),
    "difference": ("b - a", "wraparound", "100 - 200 became 156, in 2 of 2 elements",
                   "b.astype(np.int16, copy=False) - a"),
    "product": ("i * i", "wraparound", "70000 * 70000 became 605032704, in 1 of 2 elements",
                "i.astype(np.int64, copy=False) * i"),
    "power": ("i ** 2", "wraparound", "70000 ** 2 became 605032704, in 1 of 2 elements",
              "i.astype(np.int64, copy=False) ** 2"),
    "shift": ("a << 8", "wraparound", "200 << 8 became 0, in 2 of 2 elements",
              "a.astype(np.int32, copy=False) << 8"),
    "negative of unsigned": ("-a", "wraparound", "-(200) became 56, in 2 of 2 elements",
                             "-a.astype(np.int16, copy=False)"),
    "abs of the smallest": (
        "abs(np.array([-128, 1], np.int8))", "wraparound", "abs(-128) became -128, in 1 of 2 elements",
        "abs(np.array([-128, 1], np.int8).astype(np.int16, copy=False))"),
    "ufunc": ("np.subtract(b, a)", "wraparound", "100 - 200 became 156, in 2 of 2 elements",
              "np.subtract(b.astype(np.int16, copy=False), a)"),
    "matrix product": ("a @ b", "wraparound", "a sum of 2 products became 38",
                       "a.astype(np.int32, copy=False) @ b"),
    "product of a shape": ("np.prod((2**40, 2**30))", "wraparound",
                           "prod of [1099511627776, 1073741824] became 0", "math.prod((2**40, 2**30))"),
    "named accumulator": ("np.cumsum(np.append(i, i) * 30_000, dtype=np.int32)", "wraparound",
                          None, None),
    "difference of neighbours": ("np.diff(a)", "wraparound", "diff of [200, 3] became 59",
                                 "np.diff(a.astype(np.int16, copy=False))"),
    "scalars": ("np.uint8(200) + np.uint8(100)", "wraparound", "200 + 100 became 44",
                "np.int64(np.uint8(200)) + np.uint8(100)"),
    "scalars of 64 bits": ("np.int64(2**62) * np.int64(4)", "wraparound",
                           "4611686018427387904 * 4 became 0",
                           "int(np.int64(2**62)) * int(np.int64(4))"),
    "in place": ("i *= 1\ni += np.int32(2**31 - 1)", "wraparound",
                 "70000 + 2147483647 became -2147413649, in 2 of 2 elements", None),
    "into an output": ("np.add(a, b, out=np.zeros(2, np.uint8))", "wraparound",
                       "200 + 100 became 44, in 1 of 2 elements", ""),
    "into an output by position": ("np.subtract(b, a, b)", "wraparound",
                                   "100 - 200 became 156, in 2 of 2 elements", ""),
    "into a wider output": ("np.add(a, b, out=np.zeros(2, np.int64))", "wraparound",
                            "200 + 100 became 44, in 1 of 2 elements", ""),
    "into an operand": ("np.add(a, b, out=a)", "wraparound", "200 + 100 became 44, in 1 of 2 elements", ""),
    "product in place": ("a *= 3", "wraparound", "a product with 3 became 88, in 1 of 2 elements", None),
    "product into an operand": ("np.multiply(a, 3, out=a)", "wraparound",
                                "a product with 3 became 88, in 1 of 2 elements", ""),
    "added at places": ("np.add.at(a, [1, 1], np.uint8(200))", "wraparound",
                        "3 + 400 became 147, in 1 of 2 elements", "np.array([200, 3], np.int16)"),
    "subtracted at places": ("np.subtract.at(a, [1], 5)", "wraparound",
                             "3 - 5 became 254, in 1 of 2 elements", "np.array([200, 3], np.int16)"),
    "smallest by minus one": ("s // np.int8(-1)", "wraparound", "-128 // (-1) became -128, in 1 of 2 elements",
                              "s.astype(np.int16, copy=False) // np.int8(-1)"),
    "quotient by name": ("np.floor_divide(s, np.int8(-1))", "wraparound",
                         "-128 // (-1) became -128, in 1 of 2 elements", None),
    "reduced by a ufunc": ("np.multiply.reduce(np.array([2**40, 2**41]))", "wraparound",
                           "reduce of [1099511627776, 2199023255552] became 0", ""),
    "accumulated": ("np.multiply.accumulate(np.array([2**40, 2**41]))", "wraparound", None, ""),
    "outer product": ("np.outer(a, b)", "wraparound", "outer of [200, 3] became 32, in 3 of 4 elements",
                      "np.outer(a.astype(np.int32, copy=False), b)"),
    "outer product of a ufunc": ("np.multiply.outer(a, b)", "wraparound",
                                 "outer of [200, 3] became 32, in 3 of 4 elements", None),
    "outer difference": ("np.subtract.outer(b, a)", "wraparound",
                         "outer of [100, 2] became 156, in 3 of 4 elements", None),
    "outer difference of signed": ("np.subtract.outer(np.int8([100]), np.int8([-100]))", "wraparound",
                                   "outer of [100] became -56", None),
    "Kronecker product": ("np.kron(a, b)", "wraparound", "kron of [200, 3] became 32, in 3 of 4 elements", None),
    "cross product": ("np.cross(np.int8([100, 100, 1]), np.int8([1, 100, 100]))", "wraparound",
                      "cross of [100, 100, 1] became -84, in 3 of 3 elements", None),
    "einsum": ("np.einsum('ij,jk->ik', m, m)", "wraparound",
               "einsum of 16 elements became -1874836480, in 16 of 16 elements",
               "np.einsum('ij,jk->ik', m.astype(np.int64, copy=False), m)"),
    "dot": ("m.dot(m)", "wraparound", "dot of 16 elements became -1874836480, in 16 of 16 elements",
            "m.astype(np.int64, copy=False).dot(m)"),
    "tensordot": ("np.tensordot(m, m, 1)", "wraparound", None, None),
    "correlation": ("np.correlate(s, s)", "wraparound", "correlate of [100, -128] became 16", None),
    "convolution": ("np.convolve(s, s, 'same')", "wraparound", None, None),
    "power of a matrix": ("np.linalg.matrix_power(m, 3)", "wraparound", None, None),
    "product of polynomials": ("np.polymul(s, s)", "wraparound", None, None),
    "peak to peak": ("np.ptp(s)", "wraparound", "ptp of [100, -128] became -28",
                     "np.ptp(s.astype(np.int16, copy=False))"),
    "difference of signed neighbours": ("np.diff(s)", "wraparound", "diff of [100, -128] became 28", None),
    "second differences": ("np.diff(np.int8([100, 0, 100]), 2)", "wraparound",
                           "diff of [100, 0, 100] became -56", None),
    "Python's sum of a list": ("sum([np.uint8(200), np.uint8(100)])", "wraparound",
                               "sum of [200, 100] became 44", None),
    "Python's sum of arrays": ("sum([a, b])", "wraparound",
                               "sum of [[200, 3], [100, 2]] became 44, in 1 of 2 elements", None),
    "Python's sum of an array": ("sum(np.append(a, a))", "wraparound", "sum of [200, 3, 200, 3] became 150",
                                 None),
    "store": ("q = np.zeros(4_096, np.int8)\nq[...] = np.arange(4_096) // 31", "narrowing-store",
              "128 became -128, in 128 of 4,096 elements", None),
    "store of fractions": ("q = np.zeros(2, int)\nq[:] = np.array([0.5, 5])", "narrowing-store",
                           "0.5 became 0, in 1 of 2 elements", None),
    "copied": ("np.copyto(s, np.array([300, 5]), casting='unsafe')", "narrowing-store",
               "300 became 44, in 1 of 2 elements", None),
    "output that nothing else fills": ("d = np.zeros((20_000, 4))\nnp.add(f, f, out=d)", "widening-store",
                                       "", "np.zeros((20_000, 4), dtype=np.float32)"),
    "cast": ("np.array([300, 3]).astype(np.uint8)", "wraparound", "300 became 44, in 1 of 2 elements",
             "np.array([300, 3]).astype(np.uint16)"),
    "cast of a negative": ("np.array([-1.5, 3]).astype(np.uint32)", "wraparound",
                           "-1.5 became 4294967295, in 1 of 2 elements",
                           "np.array([-1.5, 3]).astype(np.int64)"),
    "cast of a stray": ("np.array([260.0] + [3.0] * 9).astype(np.uint8)", "wraparound",
                        "260.0 became 4, in 1 of 10 elements",
                        "np.clip(np.array([260.0] + [3.0] * 9), 0, 255).astype(np.uint8)"),
    "sum that overflows": ("h.sum()", "accumulation",
                           "sum of 70,000 elements gives inf in float16, 70000 in float64",
                           "h.sum(dtype=np.float32)"),
    "mean of columns": ("f.mean(axis=0)", "accumulation", None,
                        "f.mean(axis=0, dtype=np.float64).astype(np.float32)"),
    "norm": ("np.linalg.norm(h * np.float16(300))", "accumulation",
             "norm of 70,000 elements gives inf in float16, 79372.54 in float64",
             "np.linalg.norm((h * np.float16(300)).astype(np.float32, copy=False))"),
    "running total": (
        "t = np.float16(0)\nfor x in h[:5000]:\n    t += x", "accumulation",
        "2048 + 1 stays what it is in float16", "np.float32(0)"),
    "running total of an array": (
        "t = np.zeros(2, np.float32)\nfor _ in range(40):\n    t += np.float32([2e7, 1])",
        None, None, None),
    "cast of large integers": (
        "np.array([2**24 + 1, 3]).astype(np.float32)", "precision-loss",
        "16777217 became 16777216, in 1 of 2 elements", "np.array([2**24 + 1, 3]).astype(np.float64)"),
    "cast of times": (
        "(1.7e9 + np.arange(400.0) + 0.5).astype(np.float32)", "precision-loss",
        "of 400 different numbers, 4 are left in float32",
        "(1.7e9 + np.arange(400.0) + 0.5).astype(np.float64)"),
    "cast beside another": (
        "n = np.array([2**24 + 1])\nn.astype(np.float32) - np.float32(2**24 + 1)", "precision-loss",
        "16777217 became 16777216", ""),
    "scalar": ("np.float32(2**24 + 1)", "precision-loss", "16777217 became 16777216",
               "np.float64(2**24 + 1)"),
    "list": ("np.array([2**53 + 1, 0.5])", "precision-loss",
             "9007199254740993 became 9007199254740992", ""),
    "whole number stored": (
        "f[0] = 1748229500.0", "value-changed", "float32 does not hold 1748229500.0", None),
    "running total in place": ("w = np.zeros(3, np.float16)\nfor n in range(4000):\n    w += 1",
                               "accumulation", "2048 + 1 stays what it is in float16", None),
    "norm of few": ("np.linalg.norm(np.full(10, 300, np.float16))", "accumulation",
                    "norm of 10 elements gives inf in float16, 948.6833 in float64", None),
    "many elements": (
        "x = np.full((3, 1 << 20), 200, np.uint8)\nx + x", "wraparound",
        "200 + 200 became 144, in 1,048,576 of the 1,048,576 elements sampled", None),
    "integers beyond float64": ("np.array([2**53 + 1]) * 0.5", "precision-loss", None, ""),
    "buffer": (
        "z = np.zeros((9, 4))\nfor n in range(9):\n    z[n] = f[n]", "widening-store", "",
        "np.zeros((9, 4), dtype=np.float32)"),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore:overflow encountered in:RuntimeWarning")
@pytest.mark.parametrize(("source", "kind", "told", "instead"), FOUND.values(), ids=FOUND)
def test_it_is_found(audited, source, kind, told, instead):
    report = audited(HEAD + source)
    assert report.problems == ()
    if kind is None:
        assert report.findings == ()
        return
    finding = report.findings[0]
    assert (finding.note or finding.kind) == kind
    assert told is None or finding.places[0].told == told
    assert instead is None or finding.suggestion == instead


# Near what is found above, and all right.
NEIGHBOURS = {
    "in range": "a - a + b % 50",
    "at the limits": "np.int8([-128, 127]) + np.int8([0, 0])",
    "into an output of a named dtype": "np.add(f, f, out=np.zeros((20_000, 4), np.float64))",
    "into an output that others fill": "z = np.zeros((20_000, 4))\nnp.add(f, f, out=z)\nnp.add(z, z, out=z)",
    "added up in an output": "z = np.zeros(4)\nnp.sum(f, axis=0, out=z)",
    "some elements of an output": "z = np.zeros(2, np.uint8)\nnp.add(a, b, out=z, where=a < 100)",
    "into a wide output, in its dtype": "np.add(a, b, dtype=np.int64, out=np.zeros(2, np.int64))",
    "into an output that overlaps": "x = np.array([100, 100, 100], np.uint8)\nnp.add(x[1:], x[:-1] % 50, out=x[1:])",
    "product in place that fits": "a *= 1\nb *= np.uint8(2)\ni *= i // i",
    "added at places that fit": "np.add.at(b, [0, 0], 70)\nnp.subtract.at(b, [0], 200)",
    "quotients": "s // np.int8(-2)\nnp.int8([-127]) // np.int8(-1)",
    "products that fit": "np.outer(b, b[1:])\nnp.kron(b[1:], b)\nnp.einsum('i,i->', b[1:], b[:1])\nnp.cross(np.int8([1, 2, 3]), np.int8([3, 4, 5]))",
    "differences that fit": "np.diff(b[::-1])\nnp.ptp(b)\nnp.diff(np.int8([100, 0, -27]))",
    "Python's sums that fit": "sum(b)\nsum([b, b])\nsum(b.tolist())\nsum(x for x in b)",
    "stores that survive": "a[...] = np.array([255, 0])\nf[0] = np.arange(4)\ni[:] = np.array([1.0, 2.0])",
    "guarded": "a.astype(np.int16) + b",
    "masked": "x = np.array([2**31], np.uint32)\n(x * np.uint32(3)) & 0xFFFFFFFF",
    "hash": "def mix(x):\n    return x * np.uint32(2654435761)\nmix(np.arange(9, dtype=np.uint32))",
    "generator": "def step(x):\n    return x * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)\nstep(np.arange(5, dtype=np.uint64))",
    "checksum of bits": "np.bitwise_xor.reduce(a)",
    "buffer added to": "z = np.zeros(9)\nz[:] = np.ones(9, np.float32)\nz += 1e-9",
    "xor": "def f(x):\n    x = x * np.uint8(33)\n    return x ^ 7\nf(a)",
    "asked for": "with np.errstate(over='ignore'):\n    a + b",
    "named unsigned accumulator": "np.add.reduce(a, dtype=np.uint8)",
    "a comment": "a + b  # supremum: allow wraparound",
    "clipped": "np.clip(np.array([300.0]), 0, 255).astype(np.uint8)",
    "fractions": "np.array([0.7, 254.9]).astype(np.uint8)",
    "not a number": "np.nan_to_num(np.array([np.nan])).astype(np.int32)",
    "small sum": "h[:100].sum()\nf.sum()",
    "sum in float64": "h.sum(dtype=np.float64)",
    "numbers that cancel": "np.sum(np.array([1e8, 1, -1e8] * 100, np.float32))",
    "infinite already": "np.sum(np.array([np.inf] * 100, np.float32))",
    "epsilon": "f + 1e-12",
    "epsilon in place": "for _ in range(99):\n    f += 1e-12",
    "decay": "v = f[0]\nfor n in range(400):\n    v = v * np.float32(0.9) + f[n]",
    "rounded floats": "(np.random.default_rng(0).random(99) * 1e9).astype(np.float32)",
    "large whole floats": "np.array([1e30, 3e200]).astype(np.float64)",
    "integers that fit": "np.array([2**24, 3]).astype(np.float32)",
    "buffer filled by wider": "z = np.zeros(4)\nz[0] = f[0, 0]\nz[1] = np.float64(1)",
    "buffer of a named dtype": "z = np.zeros(4, np.float64)\nz[0] = f[0, 0]",
}


def test_division_by_zero_is_no_wraparound(audited):
    with np.errstate(divide="ignore"):
        assert audited(HEAD + "a // np.uint8(0)").findings == ()


@pytest.mark.filterwarnings("ignore:overflow encountered in:RuntimeWarning")
@pytest.mark.parametrize("source", NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_neighbours_are_right(audited, source):
    report = audited(HEAD + source)
    assert [(f.kind, f.text) for f in report.findings if f.severity == "warning"] == []
    assert report.problems == ()


OPERATORS = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "left_shift": operator.lshift,
}


@pytest.mark.parametrize("d", [np.int8, np.uint8])
@pytest.mark.parametrize("name", OPERATORS)
def test_each_pair_of_bytes_is_as_python_has_it(name, d):
    info = np.iinfo(d)
    every = np.arange(info.min, info.max + 1).astype(d)
    for n in range(8) if name == "left_shift" else every.tolist():
        right = d(n)
        exact = [OPERATORS[name](int(left), n) for left in every]
        out = sum(not info.min <= value <= info.max for value in exact)
        with np.errstate(all="ignore"):
            result = OPERATORS[name](every, right)
        change = questions.wraparound(recompute.of_elements(name, (every, right), result))
        assert (change is None) == (out == 0)
        if change is not None:
            assert change.remark.endswith(f"in {out} of 256 elements")


def test_what_wraps_late_is_found(audited):
    source = HEAD + "t = np.int32(0)\nfor n in range(40_000):\n    t = t + np.int32(65_536)"
    with pytest.warns(RuntimeWarning, match="overflow encountered in scalar add"):
        [finding] = audited(source).findings
    assert finding.places[0].told == "2147418112 + 65536 became -2147483648"


def test_the_values_of_a_place_are_looked_at_now_and_then(audited):
    source = HEAD + (
        "c = np.zeros(8, np.uint8)\nfor n in range(3000):\n"
        "    c = np.full(8, n // 10 % 256, np.uint8) + a[:1]"
    )
    [finding] = audited(source).findings
    assert finding.kind == "wraparound"


def test_the_program_hears_of_nothing(audited, recwarn):
    audited(HEAD + "np.array([1.0, np.nan, 1e300]).astype(np.float64)\nh.mean()\ni[:1] * 2")
    assert [str(w.message) for w in recwarn] == []


def test_a_function_that_is_called_again_warns_once(audited):
    with pytest.warns(DeprecationWarning, match="2-dimensional vectors") as told:
        assert audited(HEAD + "np.cross(a, a[::-1])").findings[0].kind == "wraparound"
    assert len(told) == 1


def test_what_is_looked_at_takes_no_memory_of_the_size_of_large_arrays(audited):
    source = (
        "import numpy as np\nx = np.full(8_000_000, 2, np.float32)\nx.sum()\nx.mean()\n"
        "x.astype(np.float16)\nnp.arange(8_000_000).astype(np.float32)\n"
        "u = np.full(16_000_000, 200, np.uint8)\nu + u\n"
    )
    tracemalloc.start()
    exec(compile(source, "plain", "exec"), {})
    plain = tracemalloc.get_traced_memory()[1]
    tracemalloc.reset_peak()
    audited(source)
    watched = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert watched - plain < 64_000_000
