"""Who compiles or stores functions by their bytecode gets what Python makes of their source."""

import importlib.util
import types

import pytest

from supremum.audit.probes import import_hook, plain_code

pytestmark = pytest.mark.thorough

SOURCE = """\
import functools

def top(x, *, k=2):
    return [abs(x) * k + i for i in range(3)]

def outer(n):
    def inner(x):
        return abs(x) * n
    return inner

both = (lambda x: abs(x) * 2), (lambda x: abs(x) * 3)

class Class:
    def method(self, x):
        return abs(x) + 1

def twice(x): return abs(x) * 2
def twice(x): return abs(x) * 4

def generator(x):
    yield from (abs(v) * 2 for v in x)
"""


@pytest.fixture
def module():
    namespace = {"__name__": "program"}
    exec(import_hook.compiled(SOURCE, "<plain>"), namespace)
    return types.SimpleNamespace(**namespace)


def as_plain(function):
    code = plain_code.plain(function.__code__)
    assert plain_code.has_probes(function.__code__)
    assert not plain_code.has_probes(code)
    return types.FunctionType(code, {}, "f", function.__defaults__, function.__closure__)


def test_the_plain_code_does_what_the_function_does(module):
    assert as_plain(module.outer(5))(-2) == 10
    assert [as_plain(f)(-1) for f in module.both] == [2, 3]
    assert as_plain(module.twice)(-1) == 4
    assert as_plain(module.Class.method)(None, -1) == 2
    assert list(as_plain(module.generator)([-1])) == [2]
    top = as_plain(module.top)
    assert top(-1, k=3) == [3, 4, 5]
    assert plain_code.plain(top.__code__) is top.__code__


def test_code_whose_source_is_another_by_now_stays_as_it_is(module):
    code = module.top.__code__.replace(co_filename="<gone>")
    assert plain_code.plain(code) is code


def test_code_can_be_written_as_bytes(write, command):
    write(
        """
        import io, marshal
        def f(x):
            return abs(x) * 2
        stream = io.BytesIO()
        marshal.dump(f.__code__, stream)
        assert stream.getvalue() == marshal.dumps(f.__code__)
        f.__code__ = marshal.loads(stream.getvalue())
        print(f(-3), marshal.loads(marshal.dumps((1, "a"))))
        """
    )
    ended = command("program.py")
    assert ended.stdout.splitlines()[0] == "6 (1, 'a')", ended.stderr


NUMBA = """
import numpy as np
import numba
from numba import cfunc, float64, njit, vectorize
from numba.experimental import jitclass
from functools import partial
import project

def f(x):
    return np.abs(x) * 2
jit = partial(numba.jit, nopython=True)

@jit
def g(x):
    return f2(x) + np.abs(x)[0] * 2
f2 = njit(f)

def adder(n):
    def add(x):
        return np.abs(x) + n
    return njit(add)

def with_lambda(x):
    return np.abs(x) + 1

@project.compiled
def h(x):
    total = 0.0
    for v in [np.abs(y) * 2 for y in x]:
        total += v
    return total

@jitclass([("n", float64)])
class Box:
    def __init__(self, n):
        self.n = n * np.abs(n)
    def get(self, x):
        return self.n + np.abs(x)

x = np.array([-1.0, 2.0])
print(njit(f)(x), njit(lambda x: np.abs(x) * 3)(x), g(x), adder(2)(x), h(x), Box(-3.0).get(-2.0))
print(cfunc("float64(float64)")(with_lambda).ctypes(-2.0), vectorize(with_lambda)(x))
print(np.float32(1) * np.ones(2, np.float32) * x)
"""
PROJECT = """
import numba

def compiled(function):
    return numba.njit(function)
"""


@pytest.mark.skipif(not importlib.util.find_spec("numba"), reason="Numba is not installed")
def test_numba_compiles_however_it_gets_a_function(write, command):
    write(NUMBA)
    write(PROJECT, "project.py")
    ended = command("program.py")
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert ended.stdout.splitlines()[:3] == [
        "[2. 4.] [3. 6.] [4. 6.] [3. 4.] 6.0 -7.0",
        "3.0 [2. 3.]",
        "[-1.  2.]",
    ]


@pytest.mark.skipif(not importlib.util.find_spec("torch"), reason="PyTorch is not installed")
def test_torch_compiles_comprehensions(write, command):
    write(
        """
        import torch
        @torch.compile(fullgraph=True, backend="eager")
        def f(y):
            z = [y * k for k in range(2)]
            s = sum(abs(y) * abs(v) for v in z)
            return s + sum([abs(v) * torch.sin(v) for v in z if v.ndim >= len(z) - 1])
        print(f(torch.zeros(3)))
        """
    )
    ended = command("program.py")
    assert ended.stdout.splitlines()[:1] == ["tensor([0., 0., 0.])"], ended.stderr[-3000:]


@pytest.mark.skipif(not importlib.util.find_spec("keras"), reason="Keras is not installed")
def test_keras_saves_a_model_with_a_function(write, command):
    write(
        """
        import os
        os.environ["KERAS_BACKEND"] = "jax"
        import keras
        import numpy as np
        model = keras.Sequential([keras.Input((2,)), keras.layers.Lambda(lambda x: abs(x) * 2)])
        model.save("model.keras")
        again = keras.saving.load_model("model.keras", safe_mode=False)
        print(np.asarray(again(-np.ones((1, 2), "float32"))))
        """
    )
    ended = command("program.py")
    assert ended.stdout.splitlines()[:1] == ["[[2. 2.]]"], ended.stderr[-3000:]
