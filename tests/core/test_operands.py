"""What operands are taken for: dtypes, arrays, scalars and Python numbers, of any library."""

import enum
import types

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum import DTypeError
from supremum.core.operands import Operand, parse
from supremum.core.shapes import UNKNOWN

ELSEWHERE = ("int128", "uint128")  # neither NumPy nor ml_dtypes has these
STRONG = [d for d in map(supremum.dtype, supremum.names()) if not d.weak]
STRONG = [d for d in STRONG if d.name not in ELSEWHERE]
RECORD = np.dtype([("a", "f4")])
ASTRAY = "only bool and numbers, such as float32, are promoted here"


def refusal(call, x):
    with pytest.raises(supremum.DTypeError) as caught:
        call(x)
    assert caught.value.given is x
    return str(caught.value)


class Colour(enum.IntEnum):
    RED = 1


class Metres(float):
    def __repr__(self):
        return f"Metres({float(self)})"


class Phasor(complex):
    pass


def stand_in(module, kind, /, **attributes):
    """Return an object that says it is of this class of this module."""
    own = {"__module__": module, "__repr__": lambda _: f"{module}.{kind}", **attributes}
    return type(kind, (), own)()


@pytest.mark.parametrize(
    ("kind", "name"), [(bool, "bool"), (int, "int*"), (float, "float*"), (complex, "complex*")]
)
def test_pythons_number_types_are_weak_but_for_bool(kind, name):
    assert supremum.dtype(kind) is supremum.dtype(name)


@pytest.mark.parametrize("d", STRONG, ids=str)
def test_numpys_dtypes_are_recognised_in_any_byte_order(d):
    theirs = np.dtype(d)
    for order in "<>=|":
        assert supremum.dtype(theirs.newbyteorder(order)) is d


@pytest.mark.parametrize("code", np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "?")
def test_every_number_type_of_numpy_is_recognised(code):
    theirs = np.dtype(code)
    d = supremum.dtype(theirs)
    assert supremum.dtype(theirs.type) is d
    assert d.kind[0] == {"i": "s", "u": "u", "f": "f", "c": "c", "b": "b"}[theirs.kind]
    assert d.bits == 8 * theirs.itemsize


@pytest.mark.parametrize("d", STRONG, ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (1, 1, 1, 1)])
def test_an_array_of_any_rank_has_the_dtype_of_its_elements(d, shape):
    taken = supremum.custom.operand(np.zeros(shape, np.dtype(d)))
    sizes = ", ".join(map(str, shape))
    assert taken[:6] == (f"{d}[{sizes}]", d, False, "array", "NumPy", shape)
    assert taken.describe() == "NumPy array"


@pytest.mark.parametrize("d", STRONG, ids=str)
def test_a_scalar_of_numpy_has_a_dtype_with_a_width(d):
    taken = supremum.custom.operand(np.zeros(1, np.dtype(d))[0])
    assert taken[:6] == (f"{d}()", d, False, "scalar", "NumPy", ())
    assert taken.describe() == "NumPy scalar"


@pytest.mark.parametrize(
    ("number", "name", "described"),
    [
        (1, "int*", "Python int, weak"),
        (-(2**70), "int*", "Python int, weak"),
        (1.5, "float*", "Python float, weak"),
        (2j, "complex*", "Python complex, weak"),
        (True, "bool", "Python bool"),
    ],
)
def test_a_python_number_is_weak_and_keeps_its_value(number, name, described):
    taken = supremum.custom.operand(number)
    d = supremum.dtype(name)
    kind = type(number).__name__
    assert taken == Operand(repr(number), d, d.weak, "Python scalar", kind, (), number)
    assert type(taken.value) is type(number)
    assert taken.describe() == described
    assert taken.weak_dtype is d


@pytest.mark.parametrize(
    ("number", "text", "width", "weak_dtype", "described"),
    [
        (Colour.RED, "<Colour.RED: 1>", "int64", "int*", "Python int subclass"),
        (Metres(1.5), "Metres(1.5)", "float64", "float*", "Python float subclass"),
        (Phasor(2j), "2j", "complex128", "complex*", "Python complex subclass"),
    ],
)
def test_an_object_derived_from_a_python_number_has_a_width_and_is_not_weak(
    number, text, width, weak_dtype, described
):
    taken = supremum.custom.operand(number)
    assert (taken.text, taken.dtype.name, taken.form) == (text, width, "Python subclass")
    assert (taken.weak, taken.rank, taken.value) == (False, 0, number)
    assert type(taken.value) in (int, float, complex)
    assert taken.is_python
    assert taken.number == number
    assert taken.weak_dtype.name == weak_dtype
    assert taken.describe() == described


@pytest.mark.parametrize(
    ("x", "value"),
    [
        (np.float32(1.5), 1.5),
        (np.array(7, np.int8), 7),
        (np.bool_(True), True),
        (np.array([1.5]), None),
        (np.zeros((1, 1)), None),
        ("float32", None),
        (stand_in("mylib", "Tensor", dtype="int8", shape=()), None),
    ],
    ids=str,
)
def test_a_scalar_and_an_array_of_no_dimensions_keep_their_value(x, value):
    taken = supremum.custom.operand(x)
    assert taken.value == value
    assert type(taken.value) is type(value)


def test_numpys_own_float_is_a_scalar_though_it_derives_from_pythons():
    assert isinstance(np.float64(1), float)
    assert supremum.custom.operand(np.float64(1)).form == "scalar"
    assert not supremum.custom.operand(np.float64(1)).weak


@pytest.mark.parametrize("x", ["int32", supremum.dtype("int32")])
def test_a_dtype_is_an_operand_without_rank(x):
    taken = supremum.custom.operand(x)
    assert taken == Operand("int32", supremum.dtype("int32"), False, "dtype")
    assert (taken.rank, taken.value, taken.describe()) == (None, None, "dtype")


@pytest.mark.parametrize("x", [np.int32, np.dtype(">i4")])
def test_a_dtype_of_a_library_says_whose_it_is(x):
    taken = supremum.custom.operand(x)
    assert taken == Operand("int32", supremum.dtype("int32"), False, "dtype", "NumPy")
    assert (taken.rank, taken.value, taken.describe()) == (None, None, "NumPy dtype")


def test_a_weak_dtype_is_a_weak_operand():
    assert supremum.custom.operand(float).describe() == "dtype, weak"
    assert supremum.custom.operand("int*").weak


def test_an_operand_is_taken_as_it_is():
    taken = supremum.custom.operand(1.5)
    assert supremum.custom.operand(taken) is taken


@pytest.mark.parametrize(
    ("name", "weak"),
    [
        ("bool", "bool"),
        ("uint8", "int*"),
        ("int64", "int*"),
        ("bfloat16", "float*"),
        ("float64", "float*"),
        ("complex64", "complex*"),
        ("int*", "int*"),
    ],
)
def test_every_kind_but_bool_has_a_weak_dtype(name, weak):
    assert supremum.custom.operand(name).weak_dtype is supremum.dtype(weak)


@pytest.mark.parametrize(
    ("attributes", "text", "shape"),
    [
        ({"shape": (2, 3)}, "float32[2, 3]", (2, 3)),
        ({"shape": (2, 3), "ndim": 2}, "float32[2, 3]", (2, 3)),
        ({"shape": ()}, "float32[]", ()),
        ({}, "float32[?]", None),
        ({"shape": None, "ndim": 3}, "float32[?]", (UNKNOWN,) * 3),
        ({"shape": (2, "n")}, "float32[2, n]", (2, UNKNOWN)),
    ],
)
@pytest.mark.parametrize(
    "inner", ["float32", np.dtype("float32"), np.float32, supremum.dtype("float32")]
)
def test_whatever_has_a_dtype_is_an_array(inner, attributes, text, shape):
    array = stand_in("mylib.core", "Tensor", dtype=inner, **attributes)
    taken = supremum.custom.operand(array)
    assert taken == Operand(text, supremum.dtype("float32"), False, "array", "mylib", shape)
    assert taken.describe() == "mylib array"


@pytest.mark.parametrize(
    ("module", "library"),
    [
        ("jaxlib._jax", "JAX"),
        ("torch", "PyTorch"),
        ("tensorflow.python.framework.ops", "TensorFlow"),
        ("mlx.core", "MLX"),
        ("cupy", "CuPy"),
        ("dask.array.core", "Dask"),
        ("pandas.core.series", "pandas"),
        ("xarray.core.dataarray", "xarray"),
        ("cubed", "cubed"),
    ],
)
def test_a_library_is_named_as_it_writes_itself(module, library):
    taken = supremum.custom.operand(stand_in(module, "Array", dtype=np.dtype("int8"), shape=(4,)))
    assert (taken.library, taken.dtype.name) == (library, "int8")


def test_a_weakly_typed_array_has_a_width_and_is_weak(golden):
    array = stand_in("jax", "Array", dtype=np.dtype("int32"), shape=(), weak_type=True)
    taken = supremum.custom.operand(array)
    assert (taken.dtype.name, taken.weak, taken.weak_dtype.name) == ("int32", True, "int*")
    golden(taken.describe())
    strong = stand_in("jax", "Array", dtype=np.dtype("int32"), shape=(), weak_type=False)
    assert not supremum.custom.operand(strong).weak


@pytest.mark.parametrize(
    ("module", "kind", "text", "name"),
    [
        ("torch", "dtype", "torch.float32", "float32"),
        ("torch", "dtype", "torch.bool", "bool"),
        ("torch", "dtype", "torch.complex32", "complex32"),
        ("torch", "dtype", "torch.float8_e4m3fn", "float8_e4m3fn"),
        ("mlx.core", "Dtype", "mlx.core.bfloat16", "bfloat16"),
    ],
)
def test_dtypes_that_print_their_name_are_recognised(module, kind, text, name):
    theirs = stand_in(module, kind, __repr__=lambda _: text)
    assert supremum.dtype(theirs) is supremum.dtype(name)
    assert supremum.custom.operand(theirs).form == "dtype"


@pytest.mark.parametrize(
    ("theirs", "name"),
    [("float32", "float32"), ("bool_ref", "bool"), ("int32_ref", "int32")],
)
def test_dtypes_that_have_a_name_are_recognised(theirs, name):
    found = supremum.dtype(stand_in("tensorflow.python.framework.dtypes", "DType", name=theirs))
    assert found is supremum.dtype(name)


@pytest.mark.parametrize(
    ("theirs", "name"),
    [
        ("signed char", "int8"),
        ("short", "int16"),
        ("int", "int32"),
        ("long", "int64"),
        ("unsigned char", "uint8"),
        ("unsigned short", "uint16"),
        ("unsigned int", "uint32"),
        ("unsigned long", "uint64"),
        ("half", "float16"),
        ("__bf16", "bfloat16"),
        ("float", "float32"),
        ("double", "float64"),
        ("bool", "bool"),
        ("float8_e4m3", "float8_e4m3fn"),
        ("float8_e5m2", "float8_e5m2"),
        ("weakint", "int*"),
        ("weakfloat", "float*"),
    ],
)
def test_tinygrads_dtypes_are_known_by_their_c_names(theirs, name):
    found = supremum.dtype(stand_in("tinygrad.dtype", "DType", name=theirs))
    assert found is supremum.dtype(name)


def test_a_scalar_type_of_jax_stands_for_its_dtype():
    float32 = type("float32", (), {"__module__": "jax.numpy", "dtype": np.dtype("float32")})
    assert supremum.dtype(float32) is supremum.dtype("float32")


def test_a_foreign_dtype_that_is_not_known_is_refused_with_its_reason(golden):
    theirs = stand_in("torch", "dtype", __repr__=lambda _: "torch.quint8")
    golden(refusal(supremum.dtype, theirs))


@pytest.mark.parametrize(
    ("theirs", "name", "what"),
    [
        (np.dtype("M8[ns]"), "datetime64[ns]", "a date"),
        (np.dtype("m8[s]"), "timedelta64[s]", "a time span"),
        (np.dtype("U3"), "str96", "text"),
        (np.dtype("S3"), "bytes24", "text"),
        (np.dtype("O"), "object", "an object"),
        (np.dtype("V8"), "void64", "a record"),
        (RECORD, "void32", "a record"),
    ],
    ids=str,
)
@pytest.mark.parametrize("call", [supremum.dtype, supremum.custom.operand])
def test_what_is_not_a_number_is_refused_by_name(call, theirs, name, what):
    message = refusal(call, theirs)
    instead = "; numpy.result_type answers for dates" * name.startswith(("date", "time"))
    assert message == f"cannot promote {theirs!r}: '{name}' is {what}, and {ASTRAY}{instead}"


@pytest.mark.parametrize(
    "array",
    [np.array("a"), np.array([None]), np.zeros(2, RECORD), np.array(0, "M8[s]")],
    ids=lambda array: array.dtype.name,
)
def test_an_array_without_numbers_is_not_an_operand(array):
    with pytest.raises(supremum.DTypeError) as caught:
        supremum.custom.operand(array)
    assert caught.value.given is array.dtype
    assert ASTRAY in str(caught.value)


@pytest.mark.parametrize(
    "family",
    [
        np.generic,
        np.number,
        np.integer,
        np.signedinteger,
        np.unsignedinteger,
        np.inexact,
        np.floating,
        np.complexfloating,
        np.flexible,
        np.character,
    ],
)
@pytest.mark.parametrize("call", [supremum.dtype, supremum.custom.operand])
def test_a_family_of_dtypes_is_refused(golden, call, family):
    golden(refusal(call, family))


@pytest.mark.parametrize(
    "kind", [str, object, list, types.SimpleNamespace, np.ndarray, ml_dtypes.finfo, supremum.DType]
)
def test_a_class_that_is_not_of_numbers_is_refused(golden, kind):
    golden(refusal(supremum.dtype, kind))


@pytest.mark.parametrize("number", [1, 1.5, True, -3])
def test_a_number_is_not_a_dtype(golden, number):
    golden(refusal(supremum.dtype, number))


@pytest.mark.parametrize(
    "x",
    [
        np.arange(3),
        np.array(1),
        np.float32(1),
        stand_in("mylib", "Tensor", dtype="int8"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_an_array_is_not_a_dtype(golden, x):
    golden(refusal(supremum.dtype, x))


@pytest.mark.parametrize("x", [None, [1, 2], (1,), {}, np.array, object])
def test_what_is_neither_is_not_a_dtype(golden, x):
    golden(refusal(supremum.dtype, x))


def test_none_is_not_an_operand_and_numpys_reading_is_named(golden):
    message = refusal(supremum.custom.operand, None)
    golden(message)


@pytest.mark.parametrize(
    "x",
    [
        [1, 2],
        (1,),
        {"a": 1},
        list(range(100)),
        types.SimpleNamespace(dtype=None),
    ],
)
def test_what_is_not_an_operand_is_shown_in_short(golden, x):
    golden(refusal(supremum.custom.operand, x))


@pytest.mark.parametrize(
    ("word", "name", "form", "text", "rank"),
    [
        ("int32", "int32", "dtype", "int32", None),
        ("i32", "int32", "dtype", "int32", None),
        ("bf16", "bfloat16", "dtype", "bfloat16", None),
        ("half", "float16", "dtype", "float16", None),
        ("int*", "int*", "dtype", "int*", None),
        ("f*", "float*", "dtype", "float*", None),
        ("longdouble", "longdouble", "dtype", "longdouble", None),
        ("float32[]", "float32", "array", "float32[]", 0),
        ("float32[3]", "float32", "array", "float32[3]", 1),
        ("u16[2,3]", "uint16", "array", "u16[2,3]", 2),
        ("u16[2, 3, 4]", "uint16", "array", "u16[2, 3, 4]", 3),
        ("float*[3]", "float*", "array", "float*[3]", 1),
        ("i*[]", "int*", "array", "i*[]", 0),
        ("1", "int*", "Python scalar", "1", 0),
        ("-1", "int*", "Python scalar", "-1", 0),
        ("1.5", "float*", "Python scalar", "1.5", 0),
        ("-.5", "float*", "Python scalar", "-0.5", 0),
        ("1e3", "float*", "Python scalar", "1000.0", 0),
        ("inf", "float*", "Python scalar", "inf", 0),
        ("2j", "complex*", "Python scalar", "2j", 0),
        ("1+2j", "complex*", "Python scalar", "(1+2j)", 0),
        ("True", "bool", "Python scalar", "True", 0),
        ("False", "bool", "Python scalar", "False", 0),
    ],
)
def test_a_word_of_the_command_line_describes_an_operand(word, name, form, text, rank):
    taken = parse(word)
    assert (taken.dtype.name, taken.form, taken.text, taken.rank) == (name, form, text, rank)
    assert taken.weak is taken.dtype.weak


@pytest.mark.parametrize(
    "word",
    [
        "float32[3",
        "float32[a]",
        "float32[-1]",
        "float32[1.5]",
        "float32[3]]",
        "float32[][]",
        "float32[,]",
        "float32[\N{SUPERSCRIPT TWO}]",
    ],
)
def test_sizes_that_are_none_are_refused(golden, word):
    golden(refusal(parse, word))


@pytest.mark.parametrize(
    "word",
    [
        "",
        "true",
        "zebra[3]",
        "f4",
        "f4[3]",
        "u8",
        "i8[3]",
        "datetime64",
    ],
)
def test_a_word_that_describes_no_operand_is_refused(golden, word):
    with pytest.raises(supremum.DTypeError) as caught:
        parse(word)
    golden(caught.value)


@pytest.mark.parametrize("word", ["DType", "_DType"])
def test_the_class_of_a_dtype_may_be_private(word):
    made = type(word, (), {"__repr__": lambda _: "namespace.int64", "__module__": "namespace"})()
    assert supremum.dtype(made) is supremum.dtype("int64")


def test_an_int_of_many_digits_on_the_command_line_is_an_int(golden):
    digits = "12345" * 1000
    for sign in ("", "-", "+"):
        taken = parse(sign + digits)
        assert (taken.dtype.name, taken.form) == ("int*", "Python scalar")
        ten = 10**2500
        value = int(digits[:2500]) * ten + int(digits[2500:])
        assert taken.value == (-value if sign == "-" else value)
    with pytest.raises(DTypeError) as caught:
        parse("1" * 200_000)
    golden(caught.value)
