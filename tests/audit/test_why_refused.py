"""Operations of NumPy that are refused for their dtypes, and errors that have other reasons."""

from textwrap import dedent

import numpy as np
import pytest

from supremum import audit, dtype
from supremum.audit.model.locations import Location
from supremum.audit.stops.by_rules import Question, refused
from supremum.audit.stops.dtype_errors import Refusal
from supremum.core.operands import operand

from .stopping import Refused, check_refused, stop_of

REFUSED = {
    "NaN to integer": Refused(
        """
        import numpy as np
        def bins(values):
            out = np.zeros(3, dtype=np.int64)
            for i, v in enumerate(values):
                out[i] = v
            return out
        print(bins([1.0, float("nan"), 2.0]))
        """,
        "out[i] = v",
        ("int64[3]", "nan"),
    ),
    "int of NaN": Refused(
        """
        import numpy as np
        x = np.array([1.0, np.nan])
        print(int(x.mean()))
        """,
        "int(x.mean())",
        ("float64[2]",),
    ),
    "numpy.random's output": Refused(
        """
        import numpy as np
        rng = np.random.default_rng(0)
        buffer = np.empty(4, dtype=np.float32)
        def refill(buffer):
            rng.standard_normal(out=buffer)
            return buffer
        print(refill(buffer))
        """,
        "rng.standard_normal(out=buffer)",
        ("float32[4]",),
        "rng.standard_normal(out=buffer, dtype=np.float32)",
    ),
    "numpy.random's output, a dtype": Refused(
        """
        import numpy as np
        class Noise:
            def __init__(self, n):
                self.rng = np.random.default_rng(0)
                self.buffer = np.zeros(n)
            def draw(self):
                return self.rng.random(out=self.buffer, dtype=np.float32)
        print(Noise(3).draw())
        """,
        "np.zeros(n)",
        ("float64[3]",),
        "np.zeros(n, dtype=np.float32)",
    ),
    "in place in a helper class": Refused(
        """
        import numpy as np
        class Accumulator:
            def __init__(self, shape):
                self.sum = np.zeros(shape, dtype=np.int32)
                self.n = 0
            def push(self, frame):
                self.sum += frame
                self.n += 1
        acc = Accumulator((2, 2))
        for frame in (np.ones((2, 2)), np.full((2, 2), 0.5)):
            acc.push(frame)
        print(acc.sum)
        """,
        "np.zeros(shape, dtype=np.int32)",
        ("int32[2, 2]", "float64[2, 2]"),
        "np.zeros(shape, dtype=np.float64)",
    ),
    "add casting": Refused(
        """
        import numpy as np
        a = np.ones(3, np.float32)
        b = np.ones(3, np.float64)
        print(np.add(a, b, dtype=np.float32, casting="safe"))
        """,
        "np.ones(3, np.float64)",
        ("float32[3]", "float64[3]"),
        "np.ones(3, np.float32)",
    ),
    "divide into its operand": Refused(
        """
        import numpy as np
        def normalize(values):
            np.divide(values, values.max(), out=values)
            return values
        print([normalize(np.arange(1, n)) for n in (3, 4)])
        """,
        "np.arange(1, n)",
        ("int64[2]", "int64()", "int64[2]"),
        "np.arange(1, n, dtype=np.float64)",
    ),
    "a float index by division": Refused(
        """
        import numpy as np
        def median(x):
            x = np.sort(x)
            return x[np.float64(len(x)) / 2]
        print(median(np.arange(5)))
        """,
        "x[np.float64(len(x)) / 2]",
        ("int64[5]",),
    ),
    "bool subtract": Refused(
        """
        import numpy as np
        def changed(before, after):
            return before - after
        a = np.array([1, 2, 3]) > 1
        b = np.array([1, 2, 3]) > 2
        print(changed(a, b))
        """,
        "before - after",
        ("bool[3]", "bool[3]"),
    ),
    "bool negative": Refused(
        """
        import numpy as np
        class Mask:
            def __init__(self, values):
                self.mask = np.isnan(values)
            def inverted(self):
                return -self.mask
        print(Mask(np.array([1.0, np.nan])).inverted())
        """,
        "-self.mask",
        ("bool[2]",),
    ),
    "int ** -1": Refused(
        """
        import numpy as np
        def weights(n):
            return np.power(np.arange(1, n), -1)
        print(weights(4))
        """,
        "np.arange(1, n)",
        ("int64[3]", "-1"),
        "np.arange(1, n).astype(np.float64)",
    ),
    "concatenate casting": Refused(
        """
        import numpy as np
        parts = [np.arange(3), np.ones(2)]
        def joined(parts):
            return np.concatenate(parts, dtype=np.int64, casting="same_kind")
        print(joined(parts))
        """,
        'np.concatenate(parts, dtype=np.int64, casting="same_kind")',
        ("int64[3]", "float64[2]"),
    ),
    "a shift by floats": Refused(
        """
        import numpy as np
        bits = np.arange(4, dtype=np.uint8)
        amount = np.floor(np.array([1.5, 2.5, 0.0, 1.0]))
        print(np.left_shift(bits, amount))
        """,
        "np.left_shift(bits, amount)",
        ("uint8[4]", "float64[4]"),
    ),
    "take floats": Refused(
        """
        import numpy as np
        table = np.arange(5)
        def lookup(x):
            return table.take(x)
        print(lookup(np.array([1.0, 2.0])))
        """,
        "x",
        ("int64[5]", "float64[2]"),
        "x.astype(np.int64)",
    ),
    "repeat floats": Refused(
        """
        import numpy as np
        counts = np.array([1.0, 2.0])
        print(np.repeat(np.array([3, 4]), counts))
        """,
        "counts",
        ("int64[2]", "float64[2]"),
        "counts.astype(np.int64)",
    ),
    "array of a complex into a float": Refused(
        """
        import numpy as np
        out = np.zeros(2)
        out[0] = 1j
        print(out)
        """,
        "out[0] = 1j",
        ("float64[2]", "1j"),
    ),
    "fill": Refused(
        """
        import numpy as np
        def blank():
            x = np.empty(3, np.int8)
            x.fill(200)
            return x
        print(blank())
        """,
        "x.fill(200)",
        ("int8[3]", "200"),
    ),
    "range of a float scalar": Refused(
        """
        import numpy as np
        def rows(n):
            return [i for i in range(n)]
        print(rows(np.float64(4)))
        """,
        "n",
        ("float64()",),
        "int(n)",
    ),
    "copyto": Refused(
        """
        import numpy as np
        out = np.zeros(3, np.int16)
        def keep(values):
            np.copyto(out, values)
        keep(np.array([0.5, 1, 2]))
        """,
        "np.zeros(3, np.int16)",
        ("int16[3]", "float64[3]"),
        "np.zeros(3, np.float64)",
    ),
}

ARRAY = np.ones(2)
ASKED = {
    ("subtract", "bool", "bool"): Refusal("other"),
    ("add", "uint8", 300): Refusal("number", want=dtype("uint8"), number=300),
    ("power", "int64", -1): Refusal("power"),
    ("bincount", "float64"): Refusal("integers", dtype("float64")),
    ("inv", "float16"): Refusal("floats", dtype("float16")),
    ("bitwise_and", "float32", "int8"): Refusal("other"),
    ("add", "float32", "int8"): None,
    ("nonesuch", "float32", "int8"): None,
    ("add", "bool"): None,
}


@pytest.mark.parametrize(("asked", "refusal"), ASKED.items(), ids=str)
def test_what_the_rules_would_take_says_why_they_refuse(asked, refusal):
    name, *operands = asked
    place = Location("x.py", (1, 0, 1, 9), "call", name, keywords=("",) * len(operands))
    read = [operand(x)._replace(rank=1) for x in operands]
    read = [x._replace(form="array") if x.form == "dtype" else x for x in read]
    question = Question(place, tuple(enumerate(read, 1)), None, ARRAY)
    assert refused(question, TypeError("whatever it says")) == refusal
    assert refused(question, TypeError("operands of other shapes")) is None
    assert refused(question, KeyError("whatever it says")) is None


@pytest.mark.parametrize("program", REFUSED.values(), ids=REFUSED)
def test_the_operation_its_operands_and_a_change_are_named(program, tmp_path):
    check_refused(program, tmp_path)


OTHER_REASONS = {
    "shape add": """
        import numpy as np
        np.ones(3) + np.ones(4)
    """,
    "shape add with mixed dtypes": """
        import numpy as np
        np.ones(3, np.float32) + np.ones(4)
    """,
    "key": """
        import numpy as np
        {'a': np.ones(3)}['b']
    """,
    "name": """
        import numpy as np
        print(np.ones(3) + nope)
    """,
    "value": """
        import numpy as np
        int('x')
        np.ones(3)
    """,
    "attribute": """
        import numpy as np
        np.ones(3).nothing
    """,
    "index out of bounds": """
        import numpy as np
        np.ones(3)[9]
    """,
    "own class": """
        import numpy as np
        class Mine(TypeError):
            pass
        def check(x):
            if x.dtype != np.float32:
                raise Mine("Cannot cast array data from dtype('float64') to dtype('int64')")
        check(np.ones(3))
    """,
    "own raise": """
        import numpy as np
        def check(x):
            if x.dtype != np.float32:
                raise TypeError("expected scalar type Float but found Double")
        check(np.ones(3))
    """,
    "timeout": """
        import signal
        import numpy as np
        def alarm(*_):
            raise TimeoutError("Python integer 300 out of bounds for uint8")
        signal.signal(signal.SIGALRM, alarm)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        x = np.zeros(1000, int)
        while True:
            x + 1
    """,
    "timeout as RuntimeError": """
        import signal
        import numpy as np
        def alarm(*_):
            raise RuntimeError("out of time")
        signal.signal(signal.SIGALRM, alarm)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        x = np.zeros(1000, int)
        while True:
            try:
                x += 0.5
            except TypeError:
                pass
    """,
    "keyboard": """
        import numpy as np
        raise KeyboardInterrupt
    """,
    "zero division": """
        import numpy as np
        len(np.ones(3)) / 0
    """,
    "singular": """
        import numpy as np
        np.linalg.inv(np.zeros((2, 2)))
    """,
    "a keyword": """
        import numpy as np
        np.zeros(3, dtyp=float)
    """,
    "arguments": """
        import numpy as np
        np.add(np.zeros(3, np.uint8))
    """,
    "array truth": """
        import numpy as np
        if np.ones(3) > 0: pass
    """,
    "text to number": """
        import numpy as np
        np.array(['a']).astype(float)
    """,
    "empty max": """
        import numpy as np
        np.zeros(0, np.int8).max()
    """,
    "read-only": """
        import numpy as np
        x = np.arange(3)
        x.flags.writeable = False
        x += 0.5
    """,
    "read-only with a right dtype": """
        import numpy as np
        x = np.arange(3)
        x.flags.writeable = False
        x += 1
    """,
    "wrapped by a rule that refuses": """
        import numpy as np
        def add(a, b):
            if a.shape != b.shape:
                raise ValueError("no")
            return a - b
        add(np.ones(3, bool), np.ones(4, bool))
    """,
    "stop iteration": """
        import numpy as np
        next(iter(np.zeros(0)))
    """,
    "a helper that has the name of a function": """
        import numpy as np
        class Store:
            def add(self, a, b):
                return {}[a]
        Store().add(1, 2)
    """,
    "a name as an index": """
        import numpy as np
        x = np.ones(3)
        x['a']
    """,
    "NaN of Python to int": """
        import numpy as np
        int(float('nan'))
    """,
    "NaN of a list": """
        import numpy as np
        values = [float('nan')]
        [int(v) for v in values]
    """,
    "a text and a number": "'a' + 1",
}


@pytest.mark.parametrize("source", OTHER_REASONS.values(), ids=OTHER_REASONS)
def test_what_has_other_reasons_is_not_explained(source, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(dedent(source), encoding="utf-8")
    try:
        findings, error = stop_of(path)
    except KeyboardInterrupt as interrupt:
        findings, error = audit.last_report().findings, interrupt
    assert error is not None
    assert audit.why(error) is None
    assert not [f for f in findings if f.kind == "stopped"]
