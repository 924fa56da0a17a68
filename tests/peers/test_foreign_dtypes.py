"""The dtype objects and arrays of TensorFlow, MLX and tinygrad, each in a process of its own.

CuPy cannot be installed where there is no GPU. Its dtype objects are NumPy's own, so what is left
to recognise is an array whose class is CuPy's, and a class that says so stands in for it.
"""

import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import supremum

# Each script defines DTYPES, the dtype objects by name, and `array`, which makes an array of one.
# The names here are those by which a dtype object may be refused; all the others are recognised.
TENSORFLOW = """
import tensorflow as tf
from tensorflow.python.framework.dtypes import _INTERN_TABLE
DTYPES = {dtype.name: dtype for dtype in _INTERN_TABLE.values()}
def array(dtype):
    with tf.Graph().as_default():  # eager tensors cannot be made of all dtypes
        return tf.compat.v1.placeholder(dtype, (2, 3))
def check():
    assert DTYPES["float32"] is tf.float32 and len(DTYPES) > 60, DTYPES
    for made in (tf.zeros((2, 3)), tf.Variable(tf.zeros((2, 3)))):
        found = supremum.custom.operand(made)
        assert (found.text, found.library, found.rank) == ("float32[2, 3]", "TensorFlow", 2), found
    assert supremum.result_type(tf.zeros(3, tf.bfloat16), 1.0).to("tensorflow") is tf.bfloat16
    # equal to 1 and of the same hash, it must not get the answer that 1 got
    assert supremum.result_type("int8", 1).name == "int8"
    assert supremum.result_type("int8", tf.float32, system="jax").name == "float32"
    assert supremum.promote_types("int8", tf.float32, system="jax").name == "float32"
    assert supremum.result_type("int8", 1).name == "int8"
"""
MLX = """
import mlx.core as mx
DTYPES = {name: x for name, x in vars(mx).items() if isinstance(x, mx.Dtype)}
def array(dtype):
    return mx.zeros((2, 3), dtype)
def check():
    assert len(DTYPES) == 14, DTYPES
    assert supremum.result_type(mx.zeros((2, 3), mx.bfloat16), 1.0).to("mlx") == mx.bfloat16
"""
TINYGRAD = """
from tinygrad import Tensor, dtypes
from tinygrad.dtype import DType
DTYPES = {name: x for name in dir(dtypes) if isinstance(x := getattr(dtypes, name), DType)}
def array(dtype):
    return None if dtype in dtypes.weaks else Tensor.zeros(2, 3, dtype=dtype)
def check():
    assert len(set(DTYPES.values())) == 22, DTYPES
    weak = supremum.custom.operand(Tensor(1.0))
    assert weak.weak and weak.dtype.name == "float*", weak
    assert supremum.result_type(Tensor.zeros(3, dtype=dtypes.int8), 1).to("tinygrad") is dtypes.int8
"""
TAIL = """
import json, supremum
recognised, refused = {}, {}
for name, dtype in DTYPES.items():
    try:
        found = supremum.dtype(dtype)
    except supremum.DTypeError as error:
        refused[name] = str(error)
        continue
    recognised[name] = found.name
    if not name.endswith("_ref"):
        assert found.to(LIBRARY) == dtype, (name, found)
        made = array(dtype)
        if made is not None:
            operand = supremum.custom.operand(made)
            assert (operand.dtype, operand.rank) == (found, 2), (name, operand)
            assert operand.library.lower() == LIBRARY, operand.library
check()
print(json.dumps([recognised, refused]))
"""


def asked(library, script):
    """Return what a new process says of a library's dtypes: those recognised, those refused."""
    if importlib.util.find_spec(library) is None:
        pytest.fail(f"{library} is not installed: make .venv/.peers installs it")
    ran = subprocess.run(
        [sys.executable, "-c", f"LIBRARY = {library!r}\n{script}\n{TAIL}"],
        capture_output=True,
        text=True,
        env={**os.environ, "DEV": "PYTHON", "TF_CPP_MIN_LOG_LEVEL": "3"},  # DEV is tinygrad's
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    recognised, refused = json.loads(ran.stdout.splitlines()[-1])
    for name, message in refused.items():
        assert name.strip("_").removesuffix("_ref") in message
    return recognised, refused.keys()


def test_tensorflow(count):
    recognised, refused = asked("tensorflow", TENSORFLOW)
    for name, found in recognised.items():
        assert found == name.removesuffix("_ref")
    plain = {"string", "resource", "variant", "qint8", "qint16", "qint32", "quint8", "quint16"}
    assert refused == plain | {f"{name}_ref" for name in plain}
    count(f"tensorflow: {len(recognised)} dtypes recognised, {len(refused)} refused by name")


def test_mlx(count):
    recognised, refused = asked("mlx", MLX)
    for name, found in recognised.items():
        assert found == name.removesuffix("_")
    assert not refused
    count(f"mlx: {len(recognised)} dtypes recognised")


def test_tinygrad(count):
    recognised, refused = asked("tinygrad", TINYGRAD)
    renamed = {
        "fp8e4m3": "float8_e4m3fn",
        "fp8e4m3fnuz": "float8_e4m3fnuz",
        "fp8e5m2": "float8_e5m2",
        "fp8e5m2fnuz": "float8_e5m2fnuz",
        "weakint": "int*",
        "weakfloat": "float*",
        "char": "int8",
        "short": "int16",
        "int": "int32",
        "long": "int64",
        "uchar": "uint8",
        "ushort": "uint16",
        "uint": "uint32",
        "ulong": "uint64",
        "half": "float16",
        "float": "float32",
        "double": "float64",
        "default_int": "int32",
        "default_float": "float32",
        "_uint128": "uint128",
    }
    for name, found in recognised.items():
        assert found == renamed.get(name, name)
    assert refused == {"void", "_uint256"}
    count(f"tinygrad: {len(recognised)} dtypes recognised, {len(refused)} refused by name")


@pytest.mark.parametrize("name", ["bool", "int8", "float16", "bfloat16", "complex64"])
def test_cupy(name):
    def ndarray(dtype):
        stand_in = type("ndarray", (), {"__module__": "cupy", "shape": (2, 3), "ndim": 2})()
        stand_in.dtype = dtype
        return stand_in

    dtype = supremum.dtype(name)
    array = ndarray(dtype.to("cupy"))
    assert isinstance(array.dtype, np.dtype)
    found = supremum.custom.operand(array)
    assert (found.dtype, found.library, found.rank, found.weak) == (dtype, "CuPy", 2, False)
    for other in ("int16", np.float32(1), 1.0, array):
        expected = supremum.result_type(np.zeros(3, array.dtype), other, system="jax")
        assert supremum.result_type(array, other, system="jax") is expected


def test_rules_that_are_named_alone_are_as_the_program_sets_them():
    torch = pytest.importorskip("torch")
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        tensor = torch.ones(2, dtype=torch.int32)
        assert (tensor * 1.5).dtype is torch.float64
        for integer in ("int32", tensor):
            assert supremum.result_type(integer, 1.5, system="torch") == "float64"
            assert supremum.explain(integer, 1.5, system="torch").result == "float64"
        assert supremum.result_type("int32", 1.5, system=supremum.system("torch")) == "float32"
    finally:
        torch.set_default_dtype(before)
    assert supremum.result_type("int32", 1.5, system="torch") == "float32"
