"""What others raise in the program while a probe works arrives there; what it raises does not."""

import signal

import pytest

pytestmark = pytest.mark.thorough

TIMED = """
import signal
import numpy as np

handled = arrived = 0

def handler(signum, frame):
    global handled
    handled += 1
    raise {raised}

signal.signal(signal.SIGALRM, handler)
f, d = np.ones(4, np.float32), np.ones(4)

def step():
    x = f * d
    x = np.add(x, f)[1:]
    x[0] = f[0]
    x += 1

def work():
    before = handled
    while handled == before:
        step()

step()
for i in range(100):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0005 + i % 10 * 0.00013)
        work()
    except (TimeoutError, KeyboardInterrupt):
        arrived += 1
print(handled, arrived)
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
@pytest.mark.parametrize("raised", ["TimeoutError('too late')", "KeyboardInterrupt"])
def test_what_a_signal_handler_raises_arrives(write, command, raised):
    write(TIMED.format(raised=raised))
    ended = command("program.py")
    assert ended.stdout.splitlines()[0] == "100 100", ended.stdout + ended.stderr


OBJECTS = """
import numpy as np

class Unready(Exception):
    pass

class Array:
    shape = (2,)
    ndim = 1
    @property
    def dtype(self):
        raise {raised}
    def __mul__(self, other):
        return Array()

def work():
    return Array() * np.ones(2) * Array()

print(type(work()).__name__)
"""


@pytest.mark.parametrize("raised", ["Unready('yet')", "AttributeError"])
def test_what_a_property_raises_to_a_probe_stays_there(write, command, raised):
    write(OBJECTS.format(raised=raised))
    ended = command("program.py")
    assert (ended.stdout.splitlines()[0], ended.returncode) == ("Array", 0)


def test_an_object_that_is_half_made_is_passed_over(session_of):
    recorder = session_of(
        """
        import numpy as np

        class Lazy:
            dtype = shape = property(lambda self: self.made.dtype)
            def __getattr__(self, name):
                return getattr(self.inner, name)
            def __mul__(self, other):
                return self

        def work():
            half = Lazy.__new__(Lazy)
            return half * np.ones(2)
        work()
        """
    )
    assert recorder.log.problems == {}
