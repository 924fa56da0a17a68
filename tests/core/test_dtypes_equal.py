"""What a dtype is equal to, what it is a key for, and how NumPy takes it."""

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum import dtype

ELSEWHERE = ["int128", "uint128"]  # neither NumPy nor ml_dtypes has these
STRONG = [d for d in map(dtype, supremum.names()) if not d.weak]
IN_NUMPY = [d for d in STRONG if d.name not in ELSEWHERE]


class DType:
    """A dtype of a library that is not known here, as its class and name tell."""

    def __init__(self, name):
        self.name = name


@pytest.mark.parametrize("d", IN_NUMPY, ids=str)
def test_a_dtype_is_equal_to_its_name_and_to_those_of_other_libraries_from_either_side(d):
    theirs = np.dtype(d)
    for x in (d, d.name, theirs, theirs.type, DType(d.name)):
        assert d == x
        assert x == d
        assert not d != x  # noqa: SIM202  # this asks for inequality
        assert not x != d  # noqa: SIM202  # the same
    # a byte order does not matter here; NumPy, asked on its own side, keeps to its order
    assert d == theirs.newbyteorder()
    assert (theirs.newbyteorder() == d) is (theirs.newbyteorder() == theirs)
    for other in (y for y in IN_NUMPY if y is not d):
        assert d not in (other.name, np.dtype(other), np.dtype(other).type, DType(other.name))
        assert np.dtype(other) != d


def test_equal_dtypes_of_three_libraries_at_once():
    d = dtype("float32")
    assert "float32" == d == np.float32 == d == np.dtype("float32") == d
    assert dtype("bfloat16") == ml_dtypes.bfloat16
    classes = {"bool": bool, "int*": int, "float*": float, "complex*": complex}
    for name, kind in classes.items():
        assert dtype(name) == kind  # a class is equal to what it stands for
    assert dtype("bool") == np.bool_
    # np.dtype(float) is one that has a width, and float none
    assert [x == float for x in (dtype("float64"), np.dtype("float64"))] == [False, True]  # noqa: E721


@pytest.mark.parametrize(
    "x",
    ["f4", "f32", "Float32", "", "zebra", np.int32, np.generic, np.dtype("M8[s]"), np.dtype("O"),
     DType("zebra"), object, str, 1, 1.0, None, (), [], np.float32(1), np.zeros(2, np.float32),
     float, "longdouble"],
    ids=lambda x: type(x).__name__,
)  # fmt: skip
def test_a_dtype_is_equal_to_nothing_else(x):
    unequal = dtype("float32") == x
    assert np.all(np.logical_not(unequal))
    assert np.all(dtype("float32") != x)


def test_equal_is_not_the_same_key():
    d, theirs = dtype("float32"), np.dtype("float32")
    assert d in {d: 0}
    assert dtype(theirs) in {d: 0}
    for other in ("float32", theirs, np.float32):
        assert d == other
        assert d not in {other: 0}
        assert other not in {d: 0}
        # so that a dictionary may have them side by side, and each is found again
        mixed = {d: "ours", other: "theirs"}
        assert (len(mixed), mixed[d], mixed[other]) == (2, "ours", "theirs")
        # in a list, equality is what counts
        assert [d].index(other) == [other].index(d) == 0
    assert {dtype(x): x for x in ("float32", theirs, np.float32, d)} == {d: d}
    assert {np.dtype(x) for x in ("float32", theirs, np.float32, d)} == {theirs}


def test_the_docstring_says_what_a_dictionary_finds(golden):
    told = " ".join(supremum.DType.__doc__.split())
    golden(told)


def test_dtypes_of_numpy_and_names_have_no_hash_of_ours():
    for d in IN_NUMPY:
        assert hash(d) not in (hash(d.name), hash(np.dtype(d)))


@pytest.mark.parametrize("d", IN_NUMPY, ids=str)
def test_numpy_takes_a_dtype_wherever_it_takes_its_own(d):
    theirs = np.dtype(d)
    assert isinstance(theirs, np.dtype)
    assert theirs is np.dtype(d) is d.__numpy_dtype__
    assert theirs == d.to("numpy")
    assert np.zeros(2, d).dtype is theirs
    assert np.zeros(2).astype(d).dtype == theirs
    assert np.asarray([1], dtype=d).dtype == theirs
    assert np.can_cast(d, d)
    assert np.result_type(d) == theirs


def test_numpys_dtype_of_a_dtype_loads_nothing(golden):
    code = (
        "import sys, supremum\n"
        "d = supremum.dtype('float32')\n"
        "print(hasattr(d, '__numpy_dtype__'), hasattr(d, 'dtype'), 'numpy' in sys.modules)\n"
        "print(d == 1, d == 'float32', 'numpy' in sys.modules)\n"
        "import numpy\n"
        "print(repr(d.__numpy_dtype__), 'ml_dtypes' in sys.modules)\n"
        "print(repr(numpy.dtype(supremum.dtype('bfloat16'))))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    golden("\n".join(ran.stdout.splitlines()))


@pytest.mark.parametrize("name", ["int*", "float*", "complex*", *ELSEWHERE])
def test_a_dtype_that_numpy_lacks_is_refused_by_numpy_too(golden, name):
    with pytest.raises(supremum.DTypeError) as caught:
        np.dtype(dtype(name))
    golden(caught.value)
    with pytest.raises(TypeError):
        np.zeros(2, dtype(name))
