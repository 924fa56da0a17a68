"""Reading names of dtypes: full names, codes that count bits, and what others may have meant."""

import pickle
import re

import numpy as np
import pytest

import supremum
from supremum.core.dtypes import by_name, from_code, is_ambiguous
from supremum.core.operands import parse

DTYPES = [supremum.dtype(name) for name in supremum.names()]

every = pytest.mark.parametrize("d", DTYPES, ids=str)

CODES = {
    "b": "bool",
    "u1": "uint1", "u2": "uint2", "u4": "uint4",
    "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64", "u128": "uint128",
    "i1": "int1", "i2": "int2", "i4": "int4",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "i128": "int128",
    "bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64",
    "bc32": "bcomplex32", "c32": "complex32", "c64": "complex64", "c128": "complex128",
    "i*": "int*", "f*": "float*", "c*": "complex*",
}  # fmt: skip


@every
def test_a_full_name_is_read_as_its_dtype(d):
    assert by_name(d.name) is d


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
def test_a_short_code_with_two_readings_is_refused_with_both(golden, code, bits, by_bytes):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    golden(caught.value)
    assert (caught.value.given, caught.value.candidates) == (code, (bits, by_bytes))


AMBIGUOUS = ["b", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8"]


@pytest.mark.parametrize("code", CODES)
def test_a_short_code_is_a_dtype_if_it_has_one_reading(code):
    assert is_ambiguous(code) == (code in AMBIGUOUS)
    if code not in AMBIGUOUS:
        assert supremum.dtype(code) is supremum.dtype(CODES[code])
        return
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    assert CODES[code] in caught.value.candidates


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
def test_a_short_code_of_numpys_is_refused_with_that_reading(golden, code, name):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(code)
    golden(caught.value)
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
        ("float128", "'longdouble'"),
        ("float8", "'float8_e4m3fn' or 'float8_e5m2'"),
    ],
)
def test_a_loose_name_is_refused_with_what_it_may_stand_for(golden, loose, told):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(loose)
    golden(caught.value)
    assert " or ".join(map(repr, caught.value.candidates)) == told.replace(", ", " or ")


@pytest.mark.parametrize(
    "name",
    [
        "str",
        "string",
        "bytes",
        "object",
        "datetime64",
        "datetime64[ns]",
        "timedelta64[s]",
        "void",
        "category",
    ],
)
def test_what_is_not_a_number_is_refused_by_name(golden, name):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(name)
    golden(caught.value)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("flaot32", "float32"),
        ("FLOAT32", "float32"),
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
def test_a_name_like_no_other_is_refused_with_examples(golden, name):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.dtype(name)
    golden(caught.value)
    assert caught.value.candidates == ()


def test_a_refusal_is_a_type_error_that_pickles():
    with pytest.raises(TypeError) as caught:
        supremum.dtype("i8")
    error = pickle.loads(pickle.dumps(caught.value))
    assert isinstance(error, supremum.SupremumError)
    assert str(error) == str(caught.value)
    assert (error.given, error.candidates) == ("i8", ("int8", "int64"))


SPELLED = {
    "half": "float16", "single": "float32", "double": "float64", "bool_": "bool",
    "np.float64": "float64", "numpy.intc": "int32", "np.half": "float16", "np.bool_": "bool",
    "torch.long": "int64", "torch.float": "float32", "torch.bfloat16": "bfloat16",
    "pl.Int64": "int64", "polars.UInt8": "uint8", "pl.Boolean": "bool", "pl.Float32": "float32",
    "pd.Int64Dtype()": "int64", "pd.BooleanDtype()": "bool",
    "pa.uint64()": "uint64", "pa.bool_()": "bool", "tf.half": "float16", "jnp.int4": "int4",
    "mx.float16": "float16", "ml_dtypes.float8_e5m2": "float8_e5m2", "i32": "int32",
    "u16": "uint16", "f16": "float16", "bf16": "bfloat16", "c64": "complex64", "f*": "float*",
}  # fmt: skip


@pytest.mark.parametrize(("text", "name"), SPELLED.items())
def test_what_people_type_means_the_same_wherever_a_dtype_is_asked_for(text, name, run):
    wanted = supremum.dtype(name)
    assert supremum.dtype(text) is wanted
    assert parse(text).dtype is supremum.custom.operand(text).dtype is wanted
    if text[-1].isalnum() and wanted.is_common:
        assert parse(f"{text}[3]")._replace(text="") == parse(f"{name}[3]")._replace(
            text="", library=parse(text).library
        )
        assert supremum.explain(f"np.zeros(3, {text})", system="jax").result is wanted
    said = run("explain", text, "-s", "jax", "-f", "json")
    assert said.exit_code or f'"{name}"' in said.stdout


OF_PANDAS = {
    "Int64": "'int64', which promotes alike and knows no missing values, or 'pl.Int64'",
    "boolean": "'bool'",
    "int64[pyarrow]": "'pa.int64()', for Arrow's rules",
    "double[pyarrow]": "'pa.float64()'",
}  # fmt: skip


@pytest.mark.parametrize(("text", "instead"), OF_PANDAS.items())
def test_dtypes_of_pandas_that_are_not_modelled_are_refused_by_name(text, instead, run):
    for ask in (supremum.dtype, parse, supremum.result_type, supremum.promote_types):
        with pytest.raises(
            supremum.DTypeError, match=rf"pandas.*leave out; type {re.escape(instead)}"
        ):
            ask(text)
    said = run("explain", text, "int8")
    assert said.exit_code == 2
    assert f"type {instead}" in said.stderr


class ExtensionDtype:
    """What pandas derives its own dtypes from."""

    name = "Int64"


class Int64Dtype(ExtensionDtype):
    """Integers of which some may be missing."""

    __module__ = "pandas.core.arrays.integer"

    def __repr__(self):
        return "Int64Dtype()"


class Series:
    """A column of them."""

    __module__ = "pandas.core.series"
    dtype = Int64Dtype()
    shape, ndim = (3,), 1


@pytest.mark.parametrize("x", [Int64Dtype(), Int64Dtype, Series()], ids=["dtype", "class", "array"])
def test_nullable_ones_promote_as_those_of_numpy_by_the_rules_of_pandas(x):
    assert supremum.custom.operand(x).dtype.name == "int64"
    assert supremum.result_type(x, np.int8).name == "int64"
    assert supremum.explain(x).system == "pandas"
    assert "pandas calls it Int64." in supremum.explain(x).remarks


class ArrowDtype(ExtensionDtype):
    """Integers that Arrow keeps."""

    __module__ = "pandas.core.dtypes.dtypes"
    name = "int64[pyarrow]"


def test_those_of_arrow_are_refused_by_name():
    for ask in (supremum.custom.operand, supremum.result_type, supremum.explain):
        with pytest.raises(supremum.DTypeError, match=r"dtype of pandas.*'pa.int64\(\)'"):
            ask(ArrowDtype())
