"""What is a finding and what is none: programs that are right as they are, and their neighbours."""

import pytest

HEAD = """\
import copy
import numpy as np

f = np.ones((4, 8), np.float32)
d = np.hanning(8)
i = np.arange(8, dtype=np.int32)
"""

# A function of two arrays that gives both, and others that give several results.
PAIR = """
import collections
Pair = collections.namedtuple("Pair", "x t")
def split(x, t):
    return x[:2], x[2:], t[:2], t[2:]
"""

# A function of an array that comes from code that is not watched.
UNHEARD = """
class System:
    def __init__(self, out):
        self.out = out
np.fromfunction(lambda x: System(out).out(f, x), (8,), dtype=float)
"""

CLEAN = {
    "a copy of a list of both": "a, b = copy.deepcopy([f, d])",
    "an operand that is handed on": "def out(t, x):\n    return x\n" + UNHEARD,
    "a part that is handed on": "def out(t, x):\n    return x[:4]\n" + UNHEARD,
    "a tuple of both": PAIR + "a = Pair(f, d)",
    "a dictionary of both": "a = dict(x=f, t=d)",
    "parts of both": PAIR + "a = split(f, d)",
    "axes of both": "a, b = np.meshgrid(f[0], d)",
    "broadcast both": "a, b = np.broadcast_arrays(f, d)",
    "a spectrum and its frequencies": "from scipy import signal\na, b = signal.periodogram(f[0])",
    "float64 alone, with integers": "a = np.arange(8) * d + np.arange(8)",
    "a cast back at once": "a = (f * d).astype(f.dtype)",
    "a cast back at once, by a keyword": "a = (f * d).astype(dtype=f.dtype, copy=False)",
    "a cast back at once, by asarray": "a = np.asarray(f * d, dtype=f.dtype)",
    "a cast back at once, named": "a = (f * d).astype(np.float32)",
    "interpolated, and cast back at once": "a = np.interp(f[0], d, f[1]).astype(np.float32)",
    "room for products": "a = i.astype(np.int64) * i",
    "room for differences": "p = f.astype(np.uint8)\na = p.astype(np.int16) - p",
    "integers as indices": "a = f[0][np.argsort(f[0]) + (i - i)]",
    "a wide total": "total = np.float64(0)\nfor x in f[0]:\n    total += x",
    "a wide total, in a function": """
def add(xs):
    total = np.float64(0)
    for x in xs:
        total = total + x
    return total
a = add(f[0])""",
}


@pytest.mark.parametrize("program", CLEAN, ids=str)
def test_what_is_meant_is_no_warning(audited, program):
    if "scipy" in CLEAN[program]:
        pytest.importorskip("scipy")
    report = audited(HEAD + CLEAN[program])
    assert [(x.kind, x.text) for x in report.findings if x.severity == "warning"] == []


def test_a_mix_of_kinds_is_noted_only_if_it_decided_the_result(audited):
    report = audited(HEAD + "a = np.arange(8) * d\nb = np.arange(8) + i.astype(np.uint64)")
    assert [(x.kind, x.text) for x in report.findings] == [
        ("mixed-kind", "np.arange(8) + i.astype(np.uint64)")
    ]


# A library of arrays, of which the audit sees what it gives alone.
LIBRARY = '''
exec("""
class Shaped:
    def __init__(self, values):
        self.shape = values.shape
class Array(Shaped):
    def __init__(self, values):
        super().__init__(values)
        self.values, self.dtype = values, values.dtype
    def __mul__(self, other):
        return Array(self.values * getattr(other, "values", other))
    def sum(self):
        return Array(self.values[:1])
    __array_ufunc__ = None
    def __rmul__(self, other):
        return self * other
""")
'''

FOUND = {
    "one result of several is wider than all": (
        "def wide(x):\n    two = np.float64(2)\n    return two * x, two + x\na = wide(f)",
        ["np.float64(2)"],
    ),
    "a reduction is not a cast": ("a = np.sum(f * d, dtype='f4')", ["np.hanning(8)"]),
    "nor is a method that reduces": (
        "g = f * d\na = g.mean(dtype=np.float32)",
        ["np.hanning(8)"],
    ),
    "a cast in another statement is late": (
        "g = f * d\nh = g.astype(np.float32)",
        ["np.hanning(8)"],
    ),
    "an operand of an unknown dtype": (
        "def make(_):\n    return np.hanning(8)\ng = f * make(np.datetime64('2020'))",
        ["np.hanning(8)"],
    ),
    "a word that is no dtype": (
        "def join(xs, dim):\n    return xs[0][0] * xs[1]\na = join([f, d], 'd')",
        ["np.hanning(8)"],
    ),
    "an output by position": (
        "g = f[0].copy()\nnp.multiply(f[0], d, g, casting='unsafe')",
        ["np.hanning(8)"],
    ),
    "an array that is given its dtype as it is made": (
        LIBRARY + "a = Array(f) * d\nb = Array(d).sum() * f",
        ["np.hanning(8)"],
    ),
    "the twentieth of a list": (
        "xs = [f] * 19 + [np.hanning(8)]\ndef pick(xs):\n    return xs[-1]\na = f * pick(xs)",
        ["np.hanning(8)"],
    ),
    "a file of arrays": (
        "np.savez('w.npz', w=d)\nw = np.load('w.npz')['w']\n(lambda w: f * w)(w)",
        ["np.load('w.npz')['w']"],
    ),
}


@pytest.mark.parametrize("program", FOUND, ids=str)
def test_what_widens_is_a_warning_at_its_birth(audited, program):
    source, causes = FOUND[program]
    report = audited(HEAD + source)
    assert [x.text for x in report.findings if x.severity == "warning"] == causes
