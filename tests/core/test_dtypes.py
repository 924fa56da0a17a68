"""The catalogue's objects: interned, unchanging, without an order, and at home in NumPy."""

import copy
import operator
import pickle
import sys
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum import DTypeError, dtype
from supremum.core.dtypes import _INTERNING, KINDS, WEAK, by_name, in_order

NAMES = supremum.names()
DTYPES = [supremum.dtype(name) for name in NAMES]
STRONG = [d for d in DTYPES if not d.weak]
# the dtypes that neither NumPy nor ml_dtypes has
ELSEWHERE = ["int128", "uint128"]
IN_NUMPY = [d for d in STRONG if d.name not in ELSEWHERE]

every = pytest.mark.parametrize("d", DTYPES, ids=str)
ORDER = [operator.lt, operator.le, operator.gt, operator.ge]


def test_the_catalogue_is_listed_kind_by_kind_and_narrow_ones_first():
    assert NAMES == (
        "bool",
        "uint1", "uint2", "uint4", "uint8", "uint16", "uint32", "uint64", "uint128",
        "int1", "int2", "int4", "int8", "int16", "int32", "int64", "int128",
        "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn",
        "float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz",
        "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
        "bfloat16", "float16", "float32", "float64",
        "bcomplex32", "complex32", "complex64", "complex128",
        "int*", "float*", "complex*",
        "longdouble", "clongdouble",
    )  # fmt: skip


def test_tables_show_dtypes_kind_by_kind_and_weak_ones_last():
    shuffled = [supremum.dtype(n) for n in ("int*", "clongdouble", "float16", "bool", "int8")]
    assert [d.name for d in in_order(shuffled)] == [
        "bool",
        "int8",
        "float16",
        "clongdouble",
        "int*",
    ]


@every
def test_a_name_always_gives_the_same_object(d):
    assert by_name(d.name) is d
    assert supremum.dtype(d.name) is d
    assert supremum.dtype(d) is d
    assert supremum.dtype("".join(d.name)) is d


@every
def test_copies_and_pickles_are_the_same_object(d):
    assert copy.copy(d) is d
    assert copy.deepcopy([d])[0] is d
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(d, protocol)) is d


def test_a_dtype_is_equal_to_itself_and_its_name_alone():
    assert len(set(DTYPES)) == len(NAMES)
    for a in DTYPES:
        assert [b for b in DTYPES if a == b] == [a]
        assert [name for name in NAMES if a == name] == [a.name]
        assert [name for name in NAMES if name != a] == [n for n in NAMES if n != a.name]
        assert a != a.code


@every
def test_a_dtype_is_written_as_its_name(d):
    assert str(d) == d.name
    assert f"{d:>20}" == d.name.rjust(20)
    assert repr(d) == f"supremum.dtype({d.name!r})"
    assert eval(repr(d)) is d


@pytest.mark.parametrize("compare", ORDER)
def test_dtypes_have_no_order(compare):
    for a in DTYPES:
        for b in (a, supremum.dtype("float32")):
            with pytest.raises(TypeError):
                compare(a, b)


@pytest.mark.parametrize("compare", ORDER)
@pytest.mark.parametrize("other", [np.dtype("float64"), "float64", 1, supremum.dtype("float64")])
def test_dtypes_have_no_order_with_what_stands_to_their_right(compare, other):
    with pytest.raises(TypeError) as caught:
        compare(supremum.dtype("float32"), other)
    assert str(caught.value) == (
        "dtypes have no order of their own; ask rules, as in "
        f"supremum.system('jax').can_promote('float32', '{other}'), or sort them with key=str"
    )


@every
def test_a_dtype_does_not_change(d):
    with pytest.raises(AttributeError, match=r"^dtypes are immutable: cannot set bits of "):
        d.bits = 3
    with pytest.raises(AttributeError, match=r"^dtypes are immutable: cannot set shape of "):
        d.shape = ()
    assert not hasattr(d, "__dict__")


def test_a_dtype_loses_no_attribute(golden):
    # one of its own, so that a deletion that succeeds harms no other test
    d = supremum.DType(_INTERNING, "bool", "bool", {"bits": 8})
    with pytest.raises(AttributeError) as caught:
        del d.bits
    golden(caught.value)
    assert d.bits == 8


def test_dtypes_are_made_by_the_catalogue_alone(golden):
    with pytest.raises(TypeError) as caught:
        supremum.DType(None, "float33", "float", {})
    golden(caught.value)


def test_each_kind_is_one_of_those_listed():
    assert KINDS == ("bool", "unsigned", "signed", "float", "complex")
    assert {d.kind for d in DTYPES} == set(KINDS)


def test_the_weak_dtype_of_each_kind():
    assert {kind: d.name for kind, d in WEAK.items()} == {
        "int": "int*",
        "float": "float*",
        "complex": "complex*",
    }
    assert [d.kind for d in WEAK.values()] == ["signed", "float", "complex"]
    assert {d for d in DTYPES if d.weak} == set(WEAK.values())


@pytest.mark.parametrize("d", IN_NUMPY, ids=str)
def test_numpy_takes_a_dtype_for_its_own_and_back(d):
    theirs = np.dtype(d)
    assert supremum.dtype(theirs) is d
    assert supremum.dtype(theirs.type) is d
    assert np.zeros(2, dtype=d).dtype == theirs
    assert d.to("numpy") == d.to("jax") == d.to("cupy") == d.dtype == theirs
    assert isinstance(d.to("numpy"), np.dtype)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("bool", np.bool_),
        ("uint8", np.uint8),
        ("int64", np.int64),
        ("float16", np.float16),
        ("complex128", np.complex128),
        ("longdouble", np.longdouble),
        ("clongdouble", np.clongdouble),
        ("bfloat16", ml_dtypes.bfloat16),
        ("int4", ml_dtypes.int4),
        ("uint2", ml_dtypes.uint2),
        ("float8_e4m3fn", ml_dtypes.float8_e4m3fn),
        ("complex32", ml_dtypes.complex32),
    ],
)
def test_numpys_dtype_of_a_name_is_the_one_of_that_name(name, theirs):
    assert np.dtype(supremum.dtype(name)) == np.dtype(theirs)


def test_a_result_works_where_numpy_wants_a_dtype():
    d = supremum.result_type(np.ones(2, np.int16), np.float32(2))
    assert np.ones(2).astype(d).dtype == np.float32
    assert np.result_type(d, np.int8) == np.float32


@pytest.mark.parametrize("name", [*ELSEWHERE, "int*", "float*", "complex*"])
def test_a_weak_dtype_and_one_that_numpy_lacks_are_none_of_numpys(golden, name):
    d = supremum.dtype(name)
    with pytest.raises(supremum.DTypeError) as caught:
        d.to("numpy")
    golden(caught.value)
    assert caught.value.given is d
    with pytest.raises(TypeError):
        np.dtype(d)


@pytest.mark.parametrize(
    ("library", "module", "name", "theirs"),
    [
        ("torch", "torch", "float32", "float32"),
        ("torch", "torch", "complex32", "complex32"),
        ("tensorflow", "tensorflow", "bfloat16", "bfloat16"),
        ("mlx", "mlx.core", "bool", "bool_"),
        ("mlx", "mlx.core", "int8", "int8"),
        ("tinygrad", "tinygrad", "uint64", "uint64"),
        ("tinygrad", "tinygrad", "float8_e4m3fn", "fp8e4m3"),
        ("tinygrad", "tinygrad", "int*", "weakint"),
    ],
)
def test_other_libraries_have_dtypes_of_their_own(  # noqa: PLR0917  # a table of four columns
    golden, monkeypatch, library, module, name, theirs
):  # a table of four columns
    found = object()
    here = SimpleNamespace(**{theirs: found})
    monkeypatch.setitem(sys.modules, module.partition(".")[0], SimpleNamespace(dtypes=here))
    if library != "tinygrad":
        monkeypatch.setitem(sys.modules, module, here)
    assert supremum.dtype(name).to(library) is found
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype("uint1").to(library)
    golden(caught.value)
    assert caught.value.given is supremum.dtype("uint1")


def test_a_library_that_is_not_known_is_refused(golden):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype("int8").to("numpi")
    golden(caught.value)
    assert (caught.value.given, caught.value.candidates) == ("numpi", ("numpy",))


def test_a_library_that_is_not_there_is_an_import_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    with pytest.raises(ImportError):
        supremum.dtype("int8").to("tensorflow")


@pytest.mark.parametrize("kind", [int, float, complex])
@pytest.mark.parametrize("name", ["bool", "int8", "float32", "complex64"])
def test_the_classes_of_pythons_numbers_are_wide_dtypes_to_numpy(kind, name):
    live = np.promote_types(name, kind).name
    assert supremum.promote_types(name, kind, system="numpy").name == live
    array = np.ones(2, name)
    assert supremum.result_type(array, kind, system="numpy") == np.result_type(array, kind)
    assert supremum.promote_types("float32", float, system="numpy") is dtype("float64")


def test_text_of_numpys_is_not_the_name_of_a_dtype():
    for ask in (dtype, supremum.custom.operand, supremum.promote_types, supremum.result_type):
        with pytest.raises(DTypeError):
            ask(np.str_("float32"))
