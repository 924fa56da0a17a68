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
    {forget}
    raise {raised}

{install}
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
    except (TimeoutError, ValueError, KeyboardInterrupt):
        arrived += 1
print(handled, arrived)
"""
ALARM = "signal.signal(signal.SIGALRM, handler)"
CALLABLE = """
class Handler:
    def __call__(self, *given):
        handler(*given)
signal.signal(signal.SIGALRM, Handler())
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
@pytest.mark.parametrize(
    ("forget", "raised", "install"),
    [
        ("pass", "TimeoutError", ALARM),
        ("pass", "TimeoutError('too late')", ALARM),
        ("del frame", "TimeoutError('too late')", ALARM),
        ("pass", "TimeoutError('too late')", CALLABLE),
        ("pass", "ValueError('too late')", ALARM),
        ("pass", "KeyboardInterrupt", ALARM),
    ],
)
def test_what_a_signal_handler_raises_arrives(write, command, forget, raised, install):
    write(TIMED.format(forget=forget, raised=raised, install=install))
    ended = command("program.py")
    assert ended.stdout.splitlines()[0] == "100 100", ended.stdout + ended.stderr


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timers")
@pytest.mark.parametrize("raised", ["TimeoutError", "ValueError('too late')"])
def test_what_a_signal_handler_raises_arrives_in_a_preview(write, command, raised):
    write(TIMED.format(forget="pass", raised=raised, install=ALARM))
    ended = command("--target", "jax", "program.py")
    assert ended.stdout.splitlines()[0] == "100 100", ended.stdout + ended.stderr


def test_what_another_thread_raises_arrives(write, command):
    write(
        """
        import ctypes, threading, time
        import numpy as np

        class Stop(Exception):
            pass

        f, d = np.ones(4, np.float32), np.ones(4)
        main = threading.get_ident()
        sent = arrived = 0

        def send(wait):
            global sent
            time.sleep(wait)
            sent += 1
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(main), ctypes.py_object(Stop)
            )

        def work():
            while thread.is_alive():
                x = f * d
                x = np.add(x, f)[1:]
                x += 1
            for _ in range(100):
                pass

        for i in range(100):
            thread = threading.Thread(target=send, args=(0.0002 + i % 10 * 0.00013,))
            try:
                thread.start()
                work()
            except Stop:
                arrived += 1
            while thread.is_alive():
                pass
        print(sent, arrived)
        """
    )
    ended = command("program.py")
    assert ended.stdout.splitlines()[0] == "100 100", ended.stdout + ended.stderr


def test_what_a_tracer_raises_arrives(write, command):
    write(
        """
        import sys
        import numpy as np

        class Stop(Exception):
            pass

        f, d = np.ones(4, np.float32), np.ones(4)
        def tracer(frame, event, arg):
            if frame.f_code.co_name == "operated":
                raise Stop("here")
        sys.settrace(tracer)
        try:
            f * d
        except Stop:
            print("stopped")
        else:
            print("not stopped")
        """
    )
    ended = command("program.py")
    assert ended.stdout.splitlines()[0] == "stopped", ended.stdout + ended.stderr


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


@pytest.mark.parametrize(
    "raised", ["Unready", "Unready('yet')", "NotImplementedError", "TimeoutError", "AttributeError"]
)
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
    assert recorder.problems == {}


def test_what_our_own_work_refuses_is_not_looked_for_among_signal_handlers(audited, monkeypatch):
    asked = []
    get = signal.getsignal
    monkeypatch.setattr(signal, "getsignal", lambda number: asked.append(number) or get(number))
    source = """\
        import numpy as np

        records = np.zeros(3, [("a", "f4"), ("b", "f8")])
        for _ in range(100):
            copied = np.concatenate([records, records])
        """
    audited(source)
    assert len(asked) < 100
