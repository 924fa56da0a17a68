"""What a signal handler or another thread raises while an array is read reaches the program."""

import ctypes
import signal
import sys
import threading
import time

import numpy as np
import pytest

import supremum
from supremum.core.errors import short
from supremum.core.foreign import rank_of

posix = pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="this system has no such signal")


class Interrupted:
    """An array that a signal comes in for while one of its attributes is read."""

    def __init__(self, attribute):
        self.__dict__.update(dtype=np.dtype("float32"), ndim=1, shape=(2,))
        self.__dict__.pop(attribute, None)
        self.attribute = attribute

    def __getattr__(self, name):
        if name == self.__dict__.get("attribute"):
            signal.raise_signal(signal.SIGUSR1)
        raise AttributeError(name)

    def __repr__(self):
        if self.attribute == "repr":
            signal.raise_signal(signal.SIGUSR1)
        return "an array"


@pytest.fixture
def handler():
    """Return a function that has a signal handler raise something."""
    before = signal.getsignal(signal.SIGUSR1)

    def install(error):
        def handle(_number, _frame):
            raise error

        signal.signal(signal.SIGUSR1, handle)

    yield install
    signal.signal(signal.SIGUSR1, before)


ERRORS = [
    TimeoutError("too late"), TimeoutError(), RuntimeError("stop"), ValueError(), Exception("stop"),
    KeyboardInterrupt(),
]  # fmt: skip


@posix
@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("attribute", ["dtype", "ndim", "shape"])
def test_what_a_signal_handler_raises_arrives(handler, attribute, error):
    handler(error)
    for ask in (
        supremum.operand,
        lambda x: supremum.result_type(x, "float64"),
        lambda x: supremum.result_type(x, "float64", system="numpy"),
        lambda x: supremum.explain(x, "float64"),
    ):
        array = Interrupted(attribute)
        if attribute == "shape" and ask is not supremum.operand:
            continue  # it may not be read
        with pytest.raises(type(error)) as raised:
            ask(array)
        assert raised.value is error


@posix
@pytest.mark.parametrize("error", ERRORS, ids=repr)
def test_what_a_signal_handler_raises_in_a_representation_arrives(handler, error):
    handler(error)
    with pytest.raises(type(error)) as raised:
        short(Interrupted("repr"))
    assert raised.value is error


@pytest.mark.parametrize("attribute", ["dtype", "ndim", "shape"])
@pytest.mark.parametrize("error", [ValueError("unknown"), NotImplementedError(), LookupError("x")])
def test_what_an_array_raises_by_itself_arrives_as_it_is(attribute, error):
    def fail(_):
        raise error

    own = {"dtype": np.dtype("float32"), "shape": (2,), attribute: property(fail)}
    array = type("Odd", (), own)()
    with pytest.raises(type(error)) as raised:
        supremum.operand(array)
    assert raised.value is error


def test_what_another_thread_raises_arrives():
    class StopError(Exception):
        pass

    main, arrived, sent = threading.get_ident(), 0, 0
    alive = ready = False
    array = np.ones((2, 3), np.float32)

    class Unknown:
        dtype = array.dtype
        __len__ = shape = None

    def send():
        nonlocal alive
        while not ready:
            time.sleep(0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(main), ctypes.py_object(StopError)
        )
        alive = False

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(200):
            alive, ready, sent = True, False, sent + 1
            thread = threading.Thread(target=send)
            thread.start()
            try:
                ready = True
                while alive:
                    rank_of(Unknown())
                for _ in range(1000):
                    pass
            except StopError:
                arrived += 1
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert arrived == sent


class OwnKeyError(KeyError):
    """An error like those that look-ups make, of a program's own."""


@posix
@pytest.mark.parametrize("ask", [supremum.result_type, supremum.explain])
def test_what_a_handler_raises_arrives_though_it_is_like_an_error_of_a_look_up(ask):
    raised = 0

    def handler(*_):
        nonlocal raised
        raised += 1
        raise OwnKeyError

    before = signal.signal(signal.SIGALRM, handler)
    x, arrived = np.ones(2, "float32"), 0
    ask(x, 1.5, True)  # which loads what is asked
    try:
        for i in range(300):
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 * (1 + i % 20))
                while raised == i:
                    ask(x, 1.5 * i, True)
            except OwnKeyError:
                arrived += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert arrived == raised == 300
