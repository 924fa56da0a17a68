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
from supremum.dtypes import _INTERNING, KINDS, WEAK, by_name, from_code, in_order

NAMES = supremum.names()
DTYPES = [supremum.dtype(name) for name in NAMES]
STRONG = [d for d in DTYPES if not d.weak]

every = pytest.mark.parametrize("d", DTYPES, ids=str)
ORDER = [operator.lt, operator.le, operator.gt, operator.ge]

CODES = {
    "b": "bool",
    "u1": "uint1", "u2": "uint2", "u4": "uint4",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
    "i1": "int1", "i2": "int2", "i4": "int4",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
    "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64",
    "bc32": "bcomplex32", "c32": "complex32", "c64": "complex64", "c128": "complex128",
    "i*": "int*", "f*": "float*", "c*": "complex*",
}  # fmt: skip


def test_the_catalogue_is_listed_kind_by_kind_and_narrow_ones_first():
    assert NAMES == (
        "bool",
        "uint1", "uint2", "uint4", "uint8", "uint16", "uint32", "uint64",
        "int1", "int2", "int4", "int8", "int16", "int32", "int64",
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


def test_dtypes_are_equal_to_themselves_alone():
    assert len(set(DTYPES)) == len(NAMES)
    for a in DTYPES:
        assert [b for b in DTYPES if a == b] == [a]
        assert a != a.name


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
        f"dtypes have no order: rules.can_promote(float32, {other}) tells for some rules"
    )


@every
def test_a_dtype_does_not_change(d):
    with pytest.raises(AttributeError, match=r"^dtypes do not change: cannot set bits of "):
        d.bits = 3
    with pytest.raises(AttributeError, match=r"^dtypes do not change: cannot set shape of "):
        d.shape = ()
    assert not hasattr(d, "__dict__")


def test_a_dtype_loses_no_attribute():
    # one of its own, so that a deletion that succeeds harms no other test
    d = supremum.DType(_INTERNING, "bool", "bool", {"bits": 8})
    with pytest.raises(AttributeError, match=r"^dtypes do not change: cannot delete bits of "):
        del d.bits
    assert d.bits == 8


def test_dtypes_are_made_by_the_catalogue_alone():
    with pytest.raises(TypeError) as caught:
        supremum.DType(None, "float33", "float", {})
    assert str(caught.value) == "dtypes are interned: get one with supremum.dtype('float32')"


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


@pytest.mark.parametrize(("code", "name"), CODES.items())
def test_codes_count_bits(code, name):
    d = supremum.dtype(name)
    assert from_code(code) is d
    assert d.code == code


def test_no_other_dtype_has_a_code():
    assert {d.name for d in DTYPES if d.code} == set(CODES.values())


@every
def test_from_code_takes_full_names_too(d):
    assert from_code(d.name) is d


@pytest.mark.parametrize("d", STRONG, ids=str)
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


@pytest.mark.parametrize("name", ["int*", "float*", "complex*"])
def test_a_weak_dtype_is_none_of_numpys(name):
    d = supremum.dtype(name)
    with pytest.raises(supremum.DTypeError) as caught:
        d.to("numpy")
    assert str(caught.value) == f"numpy has no dtype {name}; settle it first, with result_type"
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
def test_other_libraries_have_dtypes_of_their_own(monkeypatch, library, module, name, theirs):
    found = object()
    here = SimpleNamespace(**{theirs: found})
    monkeypatch.setitem(sys.modules, module.partition(".")[0], SimpleNamespace(dtypes=here))
    if library != "tinygrad":
        monkeypatch.setitem(sys.modules, module, here)
    assert supremum.dtype(name).to(library) is found
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype("uint1").to(library)
    assert str(caught.value) == f"{library} has no dtype uint1"
    assert caught.value.given is supremum.dtype("uint1")


def test_a_library_that_is_not_known_is_refused():
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype("int8").to("numpi")
    assert str(caught.value) == (
        "'numpi' is none of numpy, jax, cupy, torch, tensorflow, mlx, tinygrad; did you mean numpy?"
    )
    assert (caught.value.given, caught.value.candidates) == ("numpi", ("numpy",))


def test_a_library_that_is_not_there_is_an_import_error(monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    with pytest.raises(ImportError):
        supremum.dtype("int8").to("tensorflow")


BOTH = "in bits, as JAX's design document counts, and {} in bytes, as NumPy counts; type {}"
BITS = "in bits, as JAX's design document counts; type {}"
BYTES = "in bytes, as NumPy counts; type {}"


@pytest.mark.parametrize(
    ("code", "bits", "by_bytes"),
    [
        ("i8", "int8", "int64"),
        ("u8", "uint8", "uint64"),
        ("i4", "int4", "int32"),
        ("u4", "uint4", "uint32"),
        ("i2", "int2", "int16"),
        ("u2", "uint2", "uint16"),
        ("i1", "int1", "int8"),
        ("u1", "uint1", "uint8"),
        ("b", "bool", "int8"),
        (">i4", "int4", "int32"),
        ("<u8", "uint8", "uint64"),
    ],
)
def test_a_short_code_with_two_readings_is_refused_with_both(code, bits, by_bytes):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    told = BOTH.format(by_bytes, f"'{bits}' or '{by_bytes}'")
    assert str(caught.value) == f"'{code}' is {bits} {told}"
    assert (caught.value.given, caught.value.candidates) == (code, (bits, by_bytes))


@pytest.mark.parametrize("code", CODES)
def test_a_short_code_is_never_a_dtype_by_name(code):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    assert CODES[code] in caught.value.candidates


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("i16", "int16"),
        ("bf16", "bfloat16"),
        ("f32", "float32"),
        ("c64", "complex64"),
        ("f*", "float*"),
        ("bc32", "bcomplex32"),
    ],
)
def test_a_short_code_that_counts_bits_is_refused_with_that_reading(code, name):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    assert str(caught.value) == f"'{code}' is {name} {BITS.format(repr(name))}"
    assert caught.value.candidates == (name,)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("f4", "float32"),
        ("<f8", "float64"),
        (">f2", "float16"),
        ("=c16", "complex128"),
        ("b1", "bool"),
        ("?", "bool"),
        ("q", "int64"),
        ("e", "float16"),
        ("G", "clongdouble"),
    ],
)
def test_a_short_code_of_numpys_is_refused_with_that_reading(code, name):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    assert str(caught.value) == f"'{code}' is {name} {BYTES.format(repr(name))}"
    assert caught.value.candidates == (name,)


@pytest.mark.parametrize(
    "code", [f"{kind}{n}" for kind in "iu" for n in (1, 2, 4, 8)] + ["f2", "f4", "f8", "c8", "c16"]
)
def test_the_reading_in_bytes_is_numpys(code):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    assert caught.value.candidates[-1] == np.dtype(code).name


@pytest.mark.parametrize("code", "?bhiqBHIQefdgFDG")
def test_the_reading_of_a_letter_is_numpys(code):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    assert supremum.dtype(caught.value.candidates[-1]) is supremum.dtype(np.dtype(code))


@pytest.mark.parametrize(
    ("loose", "told"),
    [
        ("int", "'int64', 'int32' or 'int*'"),
        ("uint", "'uint64' or 'uint32'"),
        ("float", "'float64', 'float32' or 'float*'"),
        ("complex", "'complex128', 'complex64' or 'complex*'"),
        ("half", "'float16'"),
        ("double", "'float64'"),
        ("bool_", "'bool'"),
        ("float128", "'longdouble'"),
        ("float8", "'float8_e4m3fn' or 'float8_e5m2'"),
    ],
)
def test_a_loose_name_is_refused_with_what_it_may_stand_for(loose, told):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(loose)
    assert str(caught.value) == f"'{loose}' is no full name of a dtype; type {told}"
    assert " or ".join(map(repr, caught.value.candidates)) == told.replace(", ", " or ")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("str", "text"),
        ("string", "text"),
        ("bytes", "text"),
        ("object", "an object"),
        ("datetime64", "a date"),
        ("datetime64[ns]", "a date"),
        ("timedelta64[s]", "a time span"),
        ("void", "a record"),
        ("category", "a category"),
    ],
)
def test_what_is_no_number_is_refused_by_name(name, what):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(name)
    assert str(caught.value) == (
        f"{name!r} is {what}, and promotion here is of bool and numbers, such as float32"
    )


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("flaot32", "float32"),
        ("Float32", "float32"),
        ("int23", "int2"),
        ("complex46", "complex64"),
        ("bflot16", "bfloat16"),
        (" int8", "int8"),
        ("float8_e4m3fm", "float8_e4m3fn"),
    ],
)
def test_a_misspelt_name_is_refused_with_what_it_may_mean(name, first):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(name)
    assert str(caught.value).startswith(f"{name!r} is not the name of a dtype; did you mean ")
    assert first in caught.value.candidates
    assert caught.value.given == name


@pytest.mark.parametrize("name", ["", "zebra", "u*", "M8[ns]"])
def test_a_name_like_no_other_is_refused_with_examples(name):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(name)
    assert str(caught.value) == (
        f"{name!r} is not the name of a dtype; "
        "full names are such as float32, bfloat16, uint8 and complex64"
    )
    assert caught.value.candidates == ()


def test_a_refusal_is_a_type_error_that_pickles():
    with pytest.raises(TypeError) as caught:
        supremum.dtype("i8")
    error = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(error, supremum.SupremumError)
    assert str(error) == str(caught.value)
    assert (error.given, error.candidates) == ("i8", ("int8", "int64"))
