"""Nothing lives longer for being watched, and memory does not grow with what a program does."""

from textwrap import dedent

import pytest

from supremum.audit.log.tracked_types import Values

HEAD = """\
import gc
import sys
import weakref

import numpy as np

f = np.ones((4, 8), np.float32)
"""


def test_memory_is_flat_over_arrays(session_of):
    source = """\
        import numpy as np

        d = np.hanning(4)
        def work():
            x = d
            for i in range(100_000):
                x = x + 1
        work()
        """
    recorder = session_of(source)
    assert recorder.log.operations == 100_001
    [origin] = recorder.log.origins.values()
    assert (origin.operations, origin.bytes) == (100_001, 100_001 * 32)
    assert len(recorder.values) < 10_000


def test_memory_is_flat_over_scalars(session_of):
    source = """\
        import numpy as np

        def work():
            x = np.float64(1)
            for i in range(100_000):
                x = -(x * np.sqrt(x)) / x
                x = abs(x)
        work()
        """
    recorder = session_of(source)
    assert recorder.log.operations >= 100_000
    assert len(recorder.values) < 20_000
    assert len(recorder.log.origins) < 10


def test_arrays_that_live_are_all_known(session_of):
    source = """\
        import numpy as np
        kept = [np.zeros(1) for i in range(20_000)]
        f = np.ones(1, np.float32)
        for x in kept[:3]:
            f * x
        """
    recorder = session_of(source)
    [origin] = [o for o in recorder.log.origins.values() if o.effects]
    assert origin.operations == 20_000 + 3


# The programs below assert by themselves, and so fail without being watched, too.
ALONE = {
    "an array dies with its last name": """
        d = np.hanning(8)
        gone = weakref.ref(d)
        g = d * 2
        del d
        assert gone() is None
    """,
    "operands that have no name die at once": """
        born = []
        def make():
            d = np.hanning(8)
            born.append(weakref.ref(d))
            return d
        g = make() * make() + make()[0]
        assert [r() for r in born] == [None] * 3
    """,
    "operands in a function die at once": """
        born = []
        def make(n):
            d = np.hanning(n)
            born.append(weakref.ref(d))
            return d
        def work():
            x = np.add(make(8), make(8)).sum()
            assert [r() for r in born] == [None] * 2
            y = [make(8) * 2 for i in range(2)]
            y = {i: make(8) for i in range(2)}
            list(make(8) + 1 for i in range(2))
            del y
        work()
        assert [r() for r in born] == [None] * 8
    """,
    "what is stored is not kept": """
        def work():
            f = np.zeros(8, np.float32)
            def make():
                d = np.hanning(8)
                born.append(weakref.ref(d))
                return d
            born = []
            f[:] = make()
            f[0] += make()[0]
            f += make()
            np.add(f, 1, out=f)
            assert [r() for r in born] == [None] * 3
        work()
    """,
    "an exception leaves nothing behind": """
        def work():
            born = []
            def make(n):
                d = np.hanning(n)
                born.append(weakref.ref(d))
                return d
            try:
                make(8) * make(7)
            except ValueError:
                pass
            assert [r() for r in born] == [None] * 2
        work()
    """,
    "references are counted as ever": """
        def work():
            d = np.hanning(8)
            before = sys.getrefcount(d)
            g = d * 2 + d
            h = f * d
            h[:] = d[0]
            k = np.sqrt(d)
            assert sys.getrefcount(d) == before == 2, (before, sys.getrefcount(d))
        work()
    """,
    "nothing is left for the collector": """
        def work():
            d = np.hanning(8)
            for i in range(100):
                g = f * d
                g += d
        gc.collect()
        work()
        assert gc.collect() == 0
    """,
    "an object with arrays dies": """
        class Model:
            def __init__(self):
                self.d = np.hanning(8)
            def step(self, x):
                self.d += 1
                return x * self.d
        model = Model()
        model.step(f)
        gone = weakref.ref(model)
        del model
        assert gone() is None
    """,
    "an array without weak references dies with its last name": """
        died = []
        class Array:
            __slots__ = ("data",)
            dtype = property(lambda self: self.data.dtype)
            shape = property(lambda self: self.data.shape)
            def __init__(self):
                self.data = np.hanning(8)
            def __mul__(self, other):
                return Array()
            def __del__(self):
                died.append(1)
        def work():
            x = Array() * f
            y = x * f
            assert len(died) == 1
            del x
            assert len(died) == 2
            del y
        work()
        assert len(died) == 3
    """,
    "a number of a class with attributes dies": """
        class Length(np.float64):
            pass
        def work():
            x = Length(2)
            x.big = f
            y = abs(Length(3) * x)
            return weakref.ref(x)
        assert work()() is None
    """,
    "a number in place of another is not taken for it": """
        for i in range(1000):
            d = np.float64(i) if i % 2 else np.float32(i)
            g = np.float32(1) * np.float32(d)
            assert g.dtype == np.float32
    """,
}


@pytest.mark.parametrize("source", ALONE.values(), ids=ALONE)
def test_nothing_is_kept_alive(session_of, source):
    recorder = session_of(HEAD + dedent(source))
    assert recorder.log.operations
    assert recorder.log.problems == {}


def test_an_address_that_is_used_again_is_another_array(session_of):
    """The next array often lies where the last one was."""
    source = """\
        import numpy as np
        f = np.ones(8, np.float32)
        for i in range(500):
            d = np.hanning(8)
            del d
            e = np.ones(8, np.float32)
            g = e * f
            del e
        """
    recorder = session_of(source)
    assert [o for o in recorder.log.origins.values() if o.effects] == []


def test_values_forget_what_is_gone():
    class Thing:
        pass

    values, origin = Values(), object()
    things = [Thing() for _ in range(5000)]
    for thing in things:
        values.put(thing, 3, origin)
    assert len(values) == 5000
    assert values.get(things[17]) is origin
    assert values.get(Thing()) is None
    del things[1000:], thing
    for _ in range(20_000):
        values.put(Thing(), 3, origin)
    assert len(values) <= 2 * 4097
    assert all(values.get(thing) is origin for thing in things)


def test_the_last_array_without_weak_references_is_known():
    class Thing:
        __slots__ = ()

    values, origin, another = Values(), object(), object()
    thing, other = Thing(), Thing()
    values.put(thing, 3, origin)
    assert values.get(thing) is origin
    assert len(values) == 0
    values.put(other, 3, another)
    assert values.get(thing) is None
    assert values.get(other) is another


def test_what_takes_no_weak_reference_is_held_for_a_while():
    values, origin = Values(), object()
    numbers = [(i,) for i in range(10_000)]
    for number in numbers:
        values.put(number, 1, origin)
    assert len(values) <= 2 * 4096
    assert values.get(numbers[-1]) is origin
    assert values.get(numbers[-4096]) is origin
    assert values.get(numbers[0]) is None


@pytest.mark.parametrize(
    "holder", ["{}\nx['x'] = x", "[]\nx.append(x)", "[]\nx += [x] * 30\nx.append((x, {0: x}))"]
)
def test_what_holds_itself_is_looked_into_once(session_of, holder):
    source = f"""\
import copy
import numpy as np

x = {holder}
copy.copy(x)
y = copy.deepcopy([x, np.ones(2)])
"""
    assert session_of(source).log.operations >= 1
