"""What an array or a signal handler raises while an array is read reaches the program."""

import signal

import numpy as np
import pytest

import supremum
from supremum.core.errors import short


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


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="this system has no such signal")
@pytest.mark.parametrize("attribute", ["dtype", "ndim", "shape", "repr"])
def test_what_a_signal_handler_raises_arrives(attribute):
    def handle(_number, _frame):
        raise TimeoutError("too late")

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        with pytest.raises(TimeoutError, match="too late"):
            (short if attribute == "repr" else supremum.custom.operand)(Interrupted(attribute))
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize("attribute", ["dtype", "ndim", "shape"])
@pytest.mark.parametrize("error", [ValueError("unknown"), NotImplementedError(), LookupError("x")])
def test_what_an_array_raises_by_itself_arrives_as_it_is(attribute, error):
    def fail(_):
        raise error

    own = {"dtype": np.dtype("float32"), "shape": (2,), attribute: property(fail)}
    array = type("Odd", (), own)()
    with pytest.raises(type(error)) as raised:
        supremum.custom.operand(array)
    assert raised.value is error
