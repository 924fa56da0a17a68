"""Where a dtype was introduced: through whatever a program hands its values."""

import pytest

HEAD = """\
import numpy as np

f = np.ones((4, 8), np.float32)
"""
CAUSE = "np.hanning(8)"

# Each program meets float32 in its last line, far from the float64.
WAYS = {
    "a variable": "d = np.hanning(8)\ng = f * d",
    "a return": "def make():\n    return np.hanning(8)\ng = f * make()",
    "several returns": """
def inner():
    return np.hanning(8)
def outer():
    x = inner()
    return x
g = f * outer()""",
    "an argument": "def use(x):\n    return f * x\nuse(np.hanning(8))",
    "a keyword": "def use(*, x):\n    return f * x\nuse(x=np.hanning(8))",
    "a default": "def use(x=np.hanning(8)):\n    return f * x\nuse()",
    "star arguments": "def use(*a, **k):\n    return a[0] * k['x']\nuse(f, **{'x': np.hanning(8)})",
    "a slice": "d = np.hanning(8)\ng = f[:, ::2] * d[::2]",
    "a slice of a slice": "d = np.hanning(8)\ng = f[:, :2] * d[::2][1:3]",
    "an index": "d = np.hanning(8)\ng = f * d[3]",
    "fancy indices": "d = np.hanning(8)\ng = f * d[[0, 1, 2, 3, 4, 5, 6, 7]]",
    "a mask": "d = np.hanning(8)\ng = f[0][d > -1] * d[d > -1]",
    "a view": "d = np.hanning(8)\ng = f[:2] * d.reshape(1, -1)",
    "a transpose": "d = np.hanning(8)\ng = f.T * d[:, None]",
    "a copy": "d = np.hanning(8)\ng = f * d.copy()",
    "copies": "import copy\nd = np.hanning(8)\ng = f * copy.copy(d)",
    "arithmetic": "d = np.hanning(8)\nd = (d + 1) / d.sum() - 2\ng = f * -d",
    "in place": "d = np.hanning(8)\nd += 1\nd **= 2\ng = f * d",
    "ufuncs": "d = np.hanning(8)\ng = f * np.sqrt(np.abs(d))",
    "a reduction": "d = np.hanning(8)\ng = f * d.max()",
    "a scalar": "d = np.hanning(8)\ns = d[2]\ns = s * 2 + 1\ng = f * s",
    "an attribute": "class A:\n    pass\na = A()\na.d = np.hanning(8)\ng = f * a.d",
    "an instance": """
class Window:
    def __init__(self, n):
        self.taps = np.hanning(n) if n else None
    def __call__(self, x):
        return x * self.taps
Window(8)(f)""",
    "a property": """
class Window:
    @property
    def taps(self):
        return np.hanning(8)
g = f * Window().taps""",
    "a dataclass": """
from dataclasses import dataclass, field
@dataclass
class Window:
    taps: object = field(default_factory=lambda: np.hanning(8))
g = f * Window().taps""",
    "a class attribute": "class A:\n    d = np.hanning(8)\ng = f * A.d",
    "a dict": "x = {'d': np.hanning(8)}\ng = f * x['d']",
    "a dict that is walked": "x = {'d': np.hanning(8)}\nfor k, d in x.items():\n    g = f * d",
    "a list": "x = [np.hanning(8)]\nfor d in x:\n    g = f * d",
    "a tuple": "a, (b, d) = 1, (2, np.hanning(8))\ng = f * d",
    "a closure": """
def outer():
    d = np.hanning(8)
    def inner(x):
        return x * d
    return inner
outer()(f)""",
    "a generator": """
def make():
    yield np.hanning(8)
for d in make():
    g = f * d""",
    "what is sent": """
def use():
    d = yield
    yield f * d
g = use()
next(g)
g.send(np.hanning(8))""",
    "a comprehension": "g = [f * d for d in [np.hanning(8)]]",
    "a walrus": "if (d := np.hanning(8)).any():\n    g = f * d",
    "an exception": """
try:
    raise ValueError(np.hanning(8))
except ValueError as error:
    g = f * error.args[0]""",
    "a cache": """
from functools import cache
@cache
def make():
    return np.hanning(8)
for i in range(3):
    g = f * make()""",
    "partial": (
        "from functools import partial\ndef use(x, y):\n    return x * y\n"
        "g = partial(use, f)(np.hanning(8))"
    ),
    "map": "[d] = map(lambda n: np.hanning(8), [1])\ng = f * d",
    "a thread": """
import threading
found = []
thread = threading.Thread(target=lambda: found.append(np.hanning(8)))
thread.start()
thread.join()
g = f * found[0]""",
    "a pool of threads": """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(2) as pool:
    [d] = pool.map(lambda n: np.hanning(8), [1])
g = f * d""",
    "a coroutine": """
import asyncio
async def make():
    await asyncio.sleep(0)
    return np.hanning(8)
async def main():
    return f * await make()
asyncio.run(main())""",
    "concatenation": "d = np.hanning(8)\ng = f[0] * np.concatenate([d[:4], d[4:]])",
    "its real part": "d = np.hanning(8) + 1j\ng = f * d.real",
    "a global": "def make():\n    global d\n    d = np.hanning(8)\nmake()\ng = f * d",
    "context": """
from contextlib import contextmanager
@contextmanager
def window():
    yield np.hanning(8)
with window() as d:
    g = f * d""",
    "match": """
match {'d': np.hanning(8)}:
    case {'d': d}:
        g = f * d""",
}


@pytest.mark.parametrize("source", WAYS.values(), ids=WAYS)
def test_the_birth_is_named(audited, source):
    report = audited(HEAD + source)
    [finding] = [f for f in report.findings if f.kind != "mixed-kind"]
    where = (HEAD + source).split("\n")[finding.line - 1][finding.column - 1 :]
    assert finding.text in {CAUSE, "np.hanning(n)"}
    assert where.startswith(finding.text)
    assert (finding.kind, finding.dtype, finding.elsewhere) == ("widening", "float64", False)
    assert all(place.line >= finding.line or "def " in source for place in finding.places)
    assert report.problems == ()


def test_a_birth_in_another_file(write, audited):
    write("import numpy as np\n\ndef window(n):\n    return np.hanning(n)\n", "lib/windows.py")
    write("", "lib/__init__.py")
    [finding] = audited(HEAD + "from lib.windows import window\ng = f * window(8)\n").findings
    assert finding.file.endswith("windows.py")
    assert (finding.line, finding.column, finding.text) == (4, 12, "np.hanning(n)")
    [place] = finding.places
    assert place.file.endswith("program.py")
    assert (place.line, place.text) == (5, "f * window(8)")


def test_a_meeting_in_another_file(write, told):
    write("def blur(image, taps):\n    return image * taps\n", "blurring.py")
    source = HEAD + "from blurring import blur\ntaps = np.hanning(8)\ng = blur(f, taps)\n"
    assert told(source) == (
        "program.py:5:8: widening: float64 is introduced here; it reaches 2 results, 160 bytes "
        "more than needed\n"
        "     5 | taps = np.hanning(8)\n"
        "       |        ^^^^^^^^^^^^^\n"
        "       |        float64\n"
        "  it widens to float64 at blurring.py:2:\n"
        "     2 | return image * taps\n"
        "       |        ~~~~~   ~~~~\n"
        "       |        |       float64[8]\n"
        "       |        float32[4, 8]\n"
        "  type instead: np.hanning(8).astype(np.float32, copy=False)\n"
        "  why, by numpy rules: float64 holds every value of float32.\n"
        "\n"
        "1 cause (1 widening) in 3 operations on arrays; 160 bytes more than needed."
    )


@pytest.mark.parametrize(
    ("make", "text"),
    [
        ("np.load('x.npy')", "np.load('x.npy')"),
        ("np.loadtxt(['1', '2', '3', '4', '5', '6', '7', '8'])", None),
        ("np.fromiter(range(8), float)", None),
        ("np.array([1.0] * 8)", None),
        ("np.memmap('x.bin', float, 'w+', shape=8)", None),
    ],
)
def test_what_reads_data_bears_it(audited, make, text):
    source = HEAD + f"np.save('x.npy', np.hanning(8))\nd = {make}\ng = f * d\n"
    [finding] = audited(source).findings
    assert (finding.line, finding.text, finding.elsewhere) == (5, text or make, False)


SEEN = """\
import numpy as np

class Framework:
    pass

def step(x):
    return x * np.ones(8, np.float32)

exec("import numpy as np\\ndef call(g): return g(np.hanning(8))", namespace := {})
for i in range(3):
    namespace["call"](step)
"""


def test_a_value_from_elsewhere_is_first_seen(told, audited):
    [finding] = audited(SEEN).findings
    assert (finding.line, finding.column, finding.text) == (7, 12, "x")
    assert finding.elsewhere
    assert finding.suggestion == "x.astype(np.float32, copy=False)"
    head, *_ = told(SEEN).split("\n")
    assert head == (
        "program.py:7:12: widening: float64 is first seen here; "
        "it reaches 3 results, 96 bytes more than needed"
    )


def test_a_parameter_keeps_where_it_was_first_seen(audited):
    source = """\
        import numpy as np

        def first(x):
            y = x + 1
            return second(y)

        def second(y):
            return np.ones(8, np.float32) * y

        exec("def call(g, x): return g(x)", space := {})
        exec("import numpy as np\\nx = np.hanning(8)", space)
        space["call"](first, space["x"])
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text, finding.elsewhere) == (4, "x", True)
    assert [place.text for place in finding.places] == ["np.ones(8, np.float32) * y"]


def test_what_merely_spreads_a_cause_is_counted_under_it(audited):
    source = (
        HEAD
        + """
def window(n):
    return np.hanning(n)

d = window(8)
for i in range(10):
    g = f * d
    h = g + f
    k = np.sqrt(h) - g
s = k.sum() * f
"""
    )
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (6, "np.hanning(n)")
    results = 1 + 10 * 4 + 2
    assert finding.count == results
    # half of what was allocated: eight elements, four arrays a round, and one at the end
    assert finding.bytes == (8 * 8 + 10 * 4 * 32 * 8 + 32 * 8) // 2
    assert [(p.text, p.count) for p in finding.places] == [
        ("f * d", 10),
        ("g + f", 10),
        ("k.sum() * f", 1),
    ]


def test_two_causes_that_meet(audited):
    source = HEAD + "a = np.hanning(8)\nb = np.hamming(8)\nc = a + b\ng = f * c\nh = f * b\n"
    first, second = audited(source).findings
    assert (first.text, [p.text for p in first.places]) == ("np.hanning(8)", ["f * c"])
    assert (second.text, [p.text for p in second.places]) == ("np.hamming(8)", ["f * b"])


def test_where_two_meet_the_one_that_is_a_cause_already_is_named(audited):
    source = HEAD + "a = np.hanning(8)\nb = np.hamming(8)\ng = f * b\nc = a + b\nh = f * c\n"
    [finding] = audited(source).findings
    assert finding.text == "np.hamming(8)"
    assert [p.text for p in finding.places] == ["f * b", "f * c"]


def test_those_that_cost_most_come_first(audited):
    source = (
        HEAD
        + """
for n, d in enumerate([np.hanning(8), np.hamming(8), np.blackman(8)]):
    for i in range([2, 3, 1][n]):
        g = f * d
"""
    )
    findings = audited(source).findings
    assert [f.text for f in findings] == ["np.hamming(8)", "np.hanning(8)", "np.blackman(8)"]
    assert [f.bytes for f in findings] == [32 + 3 * 128, 32 + 2 * 128, 32 + 128]


def test_one_place_bears_several_dtypes(audited):
    source = (
        HEAD
        + """
def ones(dtype):
    return np.ones(8, dtype)

a = np.float16([1]) * ones(np.float32)
b = f * ones(np.float64)
c = f * ones(np.float32)
"""
    )
    found = audited(source).findings
    assert {(f.dtype, f.text) for f in found} == {
        ("float32", "ones(np.float32)"),  # half precision is asked for here, not there
        ("float64", "np.ones(8, dtype)"),
    }


# long loops over scalars are looked at now and then

ROUNDS = 10_000


def test_a_loop_over_scalars_is_counted(audited):
    source = f"""\
        import numpy as np

        def total(values):
            s = np.float64(0)
            for v in values:
                s = s + v
            return s

        total(np.ones({ROUNDS}, np.float32))
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (4, "np.float64(0)")
    assert finding.suggestion == ""  # sums are meant to be wider
    assert abs(finding.count - (ROUNDS + 1)) <= 60
    [place] = finding.places
    assert (place.text, place.operands[0].dtype) == ("s + v", "float64()")
    assert abs(place.count - ROUNDS) <= 60


def test_a_loop_in_place_is_counted(audited):
    source = f"""\
        import numpy as np

        def total(values):
            s = np.float64(0)
            for i in range(len(values)):
                s += values[i] * 2
            return s

        total(np.ones({ROUNDS}, np.float32))
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (4, "np.float64(0)")
    [place] = finding.places
    assert place.text == "s += values[i] * 2"
    assert abs(place.count - ROUNDS) <= 60


def test_a_cause_late_in_a_loop_is_found(audited):
    source = f"""\
        import numpy as np

        for i in range({ROUNDS}):
            w = np.float32(0.5) if i < {ROUNDS} - 5 else np.float64(1)
            s = np.float32(2) * w
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (4, "np.float64(1)")
    [place] = finding.places
    assert (place.text, place.count) == ("np.float32(2) * w", 5)


def test_the_element_of_an_array_has_its_origin_after_a_long_loop(audited):
    source = f"""\
        import numpy as np

        d = np.hanning({ROUNDS})
        f = np.ones(4, np.float32)
        for i in range({ROUNDS}):
            x = d[i]
            y = x + x
        g = f * x
        h = f * y
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (3, f"np.hanning({ROUNDS})")
    assert [place.text for place in finding.places] == ["f * x", "f * y"]


def test_a_scalar_that_is_met_late_in_a_long_loop_has_its_origin(audited):
    source = f"""\
        import numpy as np

        def work(d, f):
            for i in range(len(d)):
                x = d[i]
                if i == {ROUNDS} - 7:
                    return f * x

        work(np.hanning({ROUNDS}), np.ones(4, np.float32))
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (9, f"np.hanning({ROUNDS})")


def test_a_constant_that_is_used_now_and_then_keeps_its_origin(audited):
    source = f"""\
        import numpy as np

        c = np.float64(2)
        f = np.ones(4, np.float32)
        for i in range({ROUNDS}):
            s = np.float32(i)
            if not i % 1000:
                g = f * c
        h = f * c
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (3, "np.float64(2)")
    assert [(place.text, place.count) for place in finding.places] == [("f * c", 10), ("f * c", 1)]


@pytest.mark.parametrize("make", ["np.ones((3, 8))", "np.hanning(8)"])
def test_what_a_loop_takes_from_an_array_has_its_origin(audited, make):
    source = HEAD + f"for x in {make}:\n    g = f * x\n"
    [finding] = audited(source).findings
    assert (finding.line, finding.text, finding.elsewhere) == (4, make, False)


def test_a_result_that_the_program_wraps_is_born_where_it_is_computed(audited):
    source = """\
        import numpy as np

        class Quantity(np.ndarray):
            def __array_wrap__(self, obj, context=None, return_scalar=False):
                return obj.view(Quantity)

        q = np.ones(8, np.float32).view(Quantity)
        wide = np.power(q, np.asarray(2))
        out = np.ones(8, np.float32) + wide
        """
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (8, "np.power(q, np.asarray(2))")
    assert [place.line for place in finding.places] == [8, 9]


def test_what_is_read_from_bytes_is_cast_where_it_is_used(audited):
    source = HEAD + "d = np.frombuffer(bytes(64), np.float64)\ng = f * d\n"
    [finding] = audited(source).findings
    assert (finding.line, finding.text) == (5, "f * d")
    assert finding.suggestion == "f * d.astype(np.float32, copy=False)"
