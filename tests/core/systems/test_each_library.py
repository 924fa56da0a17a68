"""The rules of libraries: the laws that they keep and break, their options, and what sets each
apart."""

from functools import cache
from itertools import product

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum import dtype
from supremum.core.operands import parse

pytestmark = pytest.mark.thorough

DOCUMENTS = {name for name in supremum.systems() if name.startswith("jep9407-")}
DOCUMENTS |= {"jax-original", "python"}
ALL = [
    (name, dict(zip(supremum.options(name), values, strict=True)))
    for name in supremum.systems()
    for values in product(*supremum.options(name).values())
]


@cache
def checked(name, **options):
    return supremum.laws(supremum.system(name, **options))


def ask(name, *operands, **options):
    """Return the answer to some words and numbers, or what is said in refusal."""
    rules = supremum.system(name, **options)
    read = [parse(x) if isinstance(x, str) else x for x in operands]
    try:
        return rules.result_type(*read).name
    except supremum.PromotionError as error:
        head, _, why = str(error).partition(": ")
        assert head.startswith("cannot promote ")
        assert f" under {rules.title} rules" in head
        return f"refused: {why}"


def test_numpy_adds_up_otherwise_by_the_grouping_and_both_sums_are_shown():
    law = checked("numpy")["associativity"]
    assert {d.name for d in law.operands} == {"int8", "uint8", "float16"}
    a, b, c = law.operands
    numpy = supremum.system("numpy")
    left, right = numpy.promote_types(a, b), numpy.promote_types(b, c)
    first, second = numpy.promote_types(left, c), numpy.promote_types(a, right)
    assert {first.name, second.name} == {"float16", "float32"}
    assert law.counterexample == (
        f"({a} ∨ {b}) ∨ {c} = {left} ∨ {c} = {first}",
        f"{a} ∨ ({b} ∨ {c}) = {a} ∨ {right} = {second}",
    )


def test_numpy_itself_gives_these_two_sums():
    int8, uint8, half = (np.ones(1, name) for name in ("int8", "uint8", "float16"))
    assert ((int8 + uint8) + half).dtype == np.float32
    assert (int8 + (uint8 + half)).dtype == np.float16


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("mlx", {}),
        ("polars", {"operation": "expression"}),
        ("polars", {"operation": "series"}),
        ("polars", {"operation": "concat"}),
        ("tensorflow", {"mode": "safe"}),
        ("tensorflow", {"mode": "explicit"}),
        ("pyarrow", {"operation": "concat"}),
        ("torch", {}),
    ],
)
def test_the_order_of_three_operands_matters_and_the_report_shows_how(name, options):
    law = checked(name, **options)["n-ary order"]
    assert not law.holds
    assert len(law.counterexample) >= 2
    answers = {line.rpartition(" = ")[2] for line in law.counterexample}
    assert len(answers) == len(law.counterexample)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("jax", {}),
        ("jax", {"x64": False}),
        ("jax", {"mode": "strict"}),
        ("jax-lax", {}),
        *(("keras", options) for name, options in ALL if name == "keras"),
        ("tensorflow", {"mode": "all"}),
        ("array-api", {"version": "2024.12"}),
        ("pyarrow", {"operation": "add"}),
        ("torch", {"version": "1.10"}),
    ],
)
def test_neither_order_nor_grouping_matters(name, options):
    assert checked(name, **options).hold


@pytest.mark.parametrize("name", ["dpnp", "tinygrad", "numpy-legacy"])
def test_the_grouping_matters_and_the_order_does_not(name):
    found = checked(name)
    assert not found["associativity"].holds
    assert found["n-ary order"].holds
    assert found["commutativity"].holds


def test_the_order_matters_in_numpy_for_dtypes_of_ml_dtypes_alone():
    numpy = supremum.system("numpy")
    own = [d for d in numpy.dtypes if not d.weak and d.name != "bfloat16"]
    own = [d for d in own if d.kind == "bool" or d.bits >= (8 if "int" in d.name else 16)]
    own = [d for d in own if d.name not in ("complex32", "bcomplex32")]

    class Own:
        name, dtypes = "numpy's own", tuple(own)
        promote_types = staticmethod(numpy.promote_types)

    found = supremum.laws(Own())
    assert found["n-ary order"].holds
    assert not found["associativity"].holds
    assert not checked("numpy")["n-ary order"].holds


@pytest.mark.parametrize(
    ("operands", "answer"),
    [
        (("int8", "uint8", "float16"), "float16"),
        (("int8", "uint8", "float32"), "float32"),
        (("uint8", "int8", "float16", "int16"), "float32"),
        (("uint64", "int8", "float16"), "float64"),
        (("float32", "int32", "complex64"), "complex128"),
    ],
)
def test_numpy_promotes_more_than_two_at_once(operands, answer):
    assert ask("numpy", *operands) == answer
    assert np.result_type(*operands).name == answer


@pytest.mark.parametrize(("name", "options"), ALL, ids=str)
def test_every_value_of_every_option_builds(name, options):
    rules = supremum.system(name, **options)
    assert rules.name == name
    assert rules.setting == options
    assert rules.source
    assert rules.dtypes
    assert bool(rules.version) == (name not in DOCUMENTS)


@pytest.mark.parametrize(("name", "options"), ALL, ids=str)
def test_a_dtype_with_itself_is_itself_or_refused_with_what_to_do(name, options):
    rules = supremum.system(name, **options)
    for d in rules.dtypes:
        if d.weak:
            continue
        try:
            assert rules.promote_types(d, d) is d
        except supremum.PromotionError as error:
            assert f"cannot promote {d} and {d} under " in str(error)  # noqa: PT017  # it may also answer
            assert "cast" in str(error)  # noqa: PT017  # it may also answer


@pytest.mark.parametrize(("name", "options"), ALL, ids=str)
def test_what_some_rules_lack_they_refuse_with_what_they_have(name, options):
    rules = supremum.system(name, **options)
    missing = [dtype(text) for text in ("float8_e8m0fnu", "bcomplex32", "int32") if
               dtype(text) not in rules.dtypes]  # fmt: skip
    for d in missing:
        with pytest.raises(supremum.PromotionError) as caught:
            rules.promote_types(d, rules.dtypes[0])
        assert f"{d} is not supported by these rules; cast to " in str(caught.value)


@pytest.mark.parametrize(("name", "options"), ALL, ids=str)
def test_every_answer_of_a_pair_is_a_dtype_of_the_rules(name, options):
    rules = supremum.system(name, **options)
    table = rules.table()
    answers = {table[a, b] for a, b in product(rules.dtypes, repeat=2)} - {None}
    assert answers <= set(rules.dtypes)


NO_INTEGER = "refused: it does not fit any integer, and NumPy makes it an object; pass a float"
NUMPY = [
    (("int8[3]", "int64[]"), {}, "int64"),
    (("float32[3]", 1e300), {}, "float32"),
    (("int8[3]", 300), {}, "int8"),
    (("uint8[3]", -1), {}, "uint8"),
    (("bool[3]", 1), {}, "int64"),
    (("float16[3]", 1j), {}, "complex64"),
    ((2**63,), {}, "uint64"),
    ((2**70,), {}, NO_INTEGER),
]
NUMPY_LEGACY = [
    (("int8[3]", 1), {}, "int8"),
    (("int8[3]", 300), {}, "int16"),
    (("uint8[3]", -1), {}, "int16"),
    (("int8[3]", 1.0), {}, "float64"),
    (("float32[3]", 1e300), {}, "float64"),
    (("float16[3]", 70000.0), {}, "float32"),
    ((2**64,), {}, NO_INTEGER),
]
TORCH = [
    (("uint16[]", "bool[3]", "bfloat16[]"), {}, "bfloat16"),
    (
        ("uint16[]", "int8[]", "bfloat16[]"),
        {},
        (
            "refused: uint16, uint32 and uint64 promote only with real floats; cast to int8 first, "
            "for example with x.to(torch.int8)"
        ),
    ),
    (("int64[3]", "int8[]"), {}, "int64"),
    (("int8[3]", "int64[]"), {}, "int8"),
    (("int8[3]", "float64[]"), {}, "float64"),
    (("int8[]", "int64[]"), {}, "int64"),
    (("int8[3]", 300), {}, "int8"),
    (("int8[3]", 1.0), {}, "float32"),
    (("int8[3]", 1.0), {"default_dtype": "float64"}, "float64"),
    (("float16[3]", 1j), {}, "complex32"),
    (("float16[3]", 1j), {"version": "1.10"}, "complex64"),
    (("bfloat16[3]", 1j), {}, "complex64"),
    (("bfloat16[3]", 1j), {"version": "2.15.0"}, "bcomplex32"),
    (("bfloat16[3]", "complex64[3]"), {"version": "2.15.0"}, "complex64"),
    (("bfloat16[3]", "complex64[]"), {"version": "2.15.0"}, "bcomplex32"),
    (("bcomplex32[3]", "float16[3]"), {"version": "2.15.0"}, "complex64"),
    (("uint16[3]", "float32[3]"), {}, "float32"),
]
TENSORFLOW = [
    (("float64[3]", 1.0), {}, "float64"),
    (("bool[3]", "bool[3]"), {"mode": "all"}, "bool"),
    (("int8[3]", "uint8[3]"), {"mode": "all"}, "int16"),
    (("int8[3]", "int16[3]", "uint8[3]"), {"mode": "safe"}, "int16"),
    ((1,), {"mode": "all"}, "int32"),
    ((1.0,), {"mode": "all"}, "float32"),
    (("int8[3]", 2**31), {"mode": "all"},
     "refused: a Python int must fit int32; make it a tensor of a wider dtype"),
    (("int8[3]", "int16[3]"), {},
     ("refused: TensorFlow does not promote dtypes unless it is told to; "
     "cast to int16 first, for example with tf.cast(x, tf.int16)")),
    ((1.0, "float64[3]"), {},
     ("refused: the Python float is float32, and TensorFlow does not promote dtypes unless it is "
     "told to; cast to float64 first, for example with tf.cast(x, tf.float64); operators such "
     "as add give float64 here, though")),
]  # fmt: skip
KERAS = [
    ((1,), {}, "int32"),
    ((1,), {"floatx": "float16"}, "int16"),
    ((1.0,), {"floatx": "bfloat16"}, "float16"),
    (("int8[3]", 1.0), {}, "float32"),
    (("int8[3]", 1j), {}, "complex64"),
    (("int64[3]", "int8[3]"), {"backend": "tensorflow"}, "int64"),
    (("int64[3]", "int8[3]"), {"backend": "jax"}, "int32"),
    (("uint64[3]", "uint8[3]"), {"backend": "tensorflow"}, "uint32"),
    (("float64[3]", "int8[3]"), {"backend": "torch"}, "float32"),
]
MLX = [
    (("uint64[3]", "int8[3]"), {}, "float32"),
    (("uint64[3]", "int8[3]", "float16[3]"), {}, "float32"),
    (("float16[3]", "uint64[3]", "int8[3]"), {}, "float16"),
    (("float64[3]", "complex64[3]"), {}, "complex64"),
    (("int8[3]", 100), {}, "int8"),
    (("int8[3]", 300), {}, "refused: 300 does not fit int8, which goes from -128 to 127"),
]
TINYGRAD = [
    (("float8_e4m3fn[3]", "float8_e5m2[3]"), {}, "float16"),
    (("float8_e4m3fn[3]", "float8_e5m2[3]", "bfloat16[3]"), {}, "bfloat16"),
    (("bfloat16[3]", "float8_e4m3fn[3]", "float8_e5m2[3]"), {}, "bfloat16"),
    (("int8[3]", 1.0), {}, "float32"),
    ((1.0,), {"default_float": "float16"}, "float16"),
    ((1,), {"default_int": "int64"}, "int64"),
]
PADDLE = [
    (("float16[3]", "float32[3]"), {}, "float32"),
    (("int8[3]", "complex64[3]"), {}, "complex64"),
    (("int8[3]", "int16[]"), {}, "int8"),
    (("int8[3]", "float16[]"), {}, "float16"),
    (("int8[]", "int16[]"), {}, "int16"),
    (("int8[3]", 1.0), {}, "float32"),
    (("int8[3]", True), {}, "int8"),
    (("int8[3]", "int16[3]"), {},
     ("refused: two tensors promote among floats, with complex ones, or if one of them is 0-d; "
     "cast to int16 first, for example with x.astype('int16')")),
]  # fmt: skip
OF_NUMPY = [
    (("int8[3]", "int64[]"), {}, "int64"),
    (("int8[3]", "float16[]"), {}, "float16"),
    (("int8[3]", 1.0), {}, "float64"),
    (("int8[3]", 300), {}, "int8"),
]
POLARS = [
    (("uint8[3]", 1), {}, "uint8"),
    (("uint8[3]", 300), {}, "uint16"),
    (("uint8[3]", -1), {}, "int16"),
    (("uint64[3]", -1), {}, "int64"),
    (("bool[3]", 1), {}, "int32"),
    (("bool[3]", "bool[3]"), {}, "uint32"),
    (("bool[3]", "bool[3]"), {"operation": "concat"}, "bool"),
    (("uint8[3]", "int8[3]", "float16[3]"), {}, "float32"),
    (("uint8[3]", "float16[3]", "int8[3]"), {}, "float16"),
    (("int8[3]", 100), {"operation": "series"}, "int8"),
    (("uint64[3]", "int8[3]", "float32[3]"), {}, "float64"),
]
PYARROW = [
    (("uint64[3]", "int8[3]"), {}, "int64"),
    (("int64[3]", "float32[3]"), {}, "float32"),
    (("int8[3]", 1), {}, "int64"),
    (("float32[3]", 1.0), {}, "float64"),
    (("uint64[3]", "int8[3]"), {"operation": "concat"}, "int64"),
    (("bool[3]", "bool[3]"), {"operation": "concat"}, "bool"),
    (("float32[3]", 2**24 + 1), {},
     "refused: 16777217 is beyond the integers up to which float32 is exact"),
    (("float16[3]", "float16[3]"), {},
     "refused: float16 is not supported by these rules; cast to float32 first"),
]  # fmt: skip
PANDAS = [
    (("int8[3]", 1), {}, "int8"),
    (("int8[3]", "float64[]"), {}, "float64"),
    (("float32[3]", "float64[]"), {}, "float32"),
    (("int8[3]", "uint8[3]"), {"operation": "concat"}, "int16"),
    (("int8[3]", 300), {}, "refused: 300 does not fit int8, which goes from -128 to 127"),
    (("bool[3]", "int8[3]"), {"operation": "concat"},
     ("refused: pd.concat makes objects of bool with numbers; "
     "cast to int8 first, for example with x.astype('int8')")),
]  # fmt: skip
NUMBA = [
    (("int64[3]", "float32[3]"), {}, "float32"),
    (("uint64[3]", "int8[3]"), {}, "float64"),
    (("float32[3]", 3.0), {}, "float64"),
    (("int8[3]", 1), {}, "int64"),
    ((True, True), {}, "int64"),
    ((1, "int8[]"), {}, "int64"),
    ((1, 2**63), {}, "int64"),
    (("int8[]", True), {}, "int8"),
    (("int8[]", "int8[]", True), {}, "int64"),
    ((2**64,), {}, ("refused: 18446744073709551616 does not fit uint64, which goes from 0 to "
     "18446744073709551615")),
]  # fmt: skip
NUMEXPR = [
    (("int8[3]", "uint8[3]"), {}, "int32"),
    (("int64[3]", "float32[3]"), {}, "float32"),
    (("float32[3]", 3.0), {}, "float64"),
    (("float16[3]", 300), {}, "float32"),
    (("int8[3]", 2**31), {}, "int64"),
    (("complex64[3]",), {}, "complex128"),
]
NDONNX = [
    (("int8[3]", "uint8[3]"), {}, "int16"),
    (("int8[3]", "float16[3]"), {}, "float32"),
    (("uint64[3]", "int8[3]"), {}, "float64"),
    (("int8[3]", "bool[3]", "float16[3]"), {}, "float32"),
    (("float16[3]", "bool[3]", "int8[3]"), {},
     ("refused: the table has no answer for float16 and bool; cast to float16 first, for example "
     "with x.astype('float16')")),
    (("bool[3]", 1), {}, "int64"),
    ((1.0, "int8[3]"), {}, "float64"),
    ((1.0, "float16[3]"), {}, "float16"),
]  # fmt: skip
DUCKDB = [
    (("int8[3]", "uint8[3]"), {}, "int16"),
    (("int64[3]", "float32[3]"), {}, "float32"),
    (("bool[3]", "float32[3]"), {}, "float32"),
    (("uint64[3]", "int8[3]"), {},
     "refused: the result is HUGEINT, which is not among these dtypes"),
    (("uint64[3]", "int8[3]", "float32[3]"), {}, "float32"),
    (("int8[3]", 1), {}, "int32"),
    (("int8[3]", 2**31), {}, "int64"),
    (("float32[3]", 1.0), {}, "float64"),
    (("float32[3]", 2**70), {}, "float32"),
]  # fmt: skip
SINGLE = {"floatx": "float32", "cast_policy": "numpy+floatX"}
PYTENSOR = [
    (("float32[3]", 9.0), {}, "float32"),
    (("float32[3]", 8.9), {}, "float64"),
    (("float32[3]", 8.9), {"floatx": "float32"}, "float32"),
    (("float32[3]", "int64[3]"), {}, "float64"),
    (("float32[3]", "int64[3]"), SINGLE, "float32"),
    (("float64[3]", "int64[3]"), SINGLE, "float64"),
    (("int8[3]", 300), {}, "int16"),
    (("int8[3]", 300), SINGLE, "int64"),
    (("uint64[3]", 1), {}, "float64"),
    (("bool[3]", 2**63), {}, "int64"),
    (("bool[3]", True), {},
     "refused: PyTensor does not take True and False; pass an array of bool"),
]  # fmt: skip
DPNP = [
    (("int64[3]", "float32[3]"), {}, "float64"),
    (("int64[3]", "float32[3]"), {"fp64": False}, "float32"),
    (("uint64[3]", "int8[3]", "float16[3]"), {"fp64": False}, "float32"),
    (("int8[3]", 1.0), {"fp64": False}, "float32"),
    (("float16[3]", 1j), {"fp64": False}, "complex64"),
    (("int8[3]", 300), {"fp64": False}, "int8"),
    (("bool[3]", True), {}, "bool"),
    (("bool[3]", True), {"fp16": False}, "int64"),
    ((1.0, 1j), {"fp64": False}, "complex128"),
    ((2**63, 1), {}, "uint64"),
    ((1, 2**63), {}, "int64"),
    (("float64[3]", "int8[3]"), {"fp64": False},
     "refused: float64 is not supported by these rules; cast to float32 first"),
]  # fmt: skip
BEHAVIOURS = {
    "numpy": NUMPY, "numpy-legacy": NUMPY_LEGACY, "torch": TORCH, "tensorflow": TENSORFLOW,
    "keras": KERAS, "mlx": MLX, "tinygrad": TINYGRAD, "paddle": PADDLE, "cupy": OF_NUMPY,
    "dask": OF_NUMPY, "numba": NUMBA, "numexpr": NUMEXPR,
    "duckdb": DUCKDB, "ndonnx": NDONNX, "pytensor": PYTENSOR,
    "dpnp": DPNP,
    "polars": POLARS, "pyarrow": PYARROW, "pandas": PANDAS,
}  # fmt: skip
ROWS = [
    pytest.param(name, *row, id="-".join(map(str, (name, *row[0], *row[1].values()))))
    for name, rows in BEHAVIOURS.items()
    for row in rows
]


@pytest.mark.parametrize(("name", "operands", "options", "answer"), ROWS)
def test_what_sets_a_library_apart(name, operands, options, answer):
    assert ask(name, *operands, **options) == answer


@pytest.mark.parametrize("value", [0, 1, 127, 128, 255, 300, -1, -129, 70000, 2**40, 2**63])
@pytest.mark.parametrize("name", ["bool", "uint8", "int8", "int64", "float16", "float64"])
def test_a_python_int_beside_an_array_of_numpy_gives_what_numpy_gives(name, value):
    array = np.ones(3, name)
    rules = supremum.system("numpy")
    assert rules.result_type(array, value) is dtype(np.result_type(array, value))
    assert rules.result_type(value, array) is dtype(np.result_type(value, array))


@pytest.mark.parametrize("narrow", ["bfloat16", "float8_e5m2", "float8_e4m3fn", "int4"])
def test_dtypes_of_ml_dtypes_meet_numpys_as_they_do_there(narrow):
    rules = supremum.system("numpy")
    live = np.dtype(getattr(ml_dtypes, narrow))
    for other in (d for d in rules.dtypes if not d.weak and d.kind != "complex"):
        theirs = other.to("numpy") if hasattr(np, other.name) else None
        if theirs is None:
            continue
        try:
            expected = dtype(np.promote_types(live, theirs))
        except TypeError:
            expected = None
        try:
            ours = rules.promote_types(live, theirs)
        except supremum.PromotionError:
            ours = None
        assert ours is expected, other


def test_a_tie_of_tinygrad_is_marked_and_told(golden):
    rules = supremum.system("tinygrad")
    pair = dtype("float8_e4m3fn"), dtype("float8_e5m2")
    assert pair in rules.table().marked
    assert len(rules.table().marked) == 12
    told = rules.explain(*pair)
    assert told.result is dtype("float16")
    golden(told.reason)


def test_an_explanation_of_pytorch_says_which_operands_give_way(golden):
    told = str(supremum.system("torch").explain(*map(parse, ("int64[3]", "int8[]"))))
    assert "  int64[3]" in told
    assert "array, 0-d" in told
    golden(told)


# Measured with NumPy 1.26.4, of which all 4,107 pairs of 37 operands were compared.
LINES = [
    ("linspace", "float32[3]", 0, "float32"),
    ("linspace", 0, "float32[3]", "float32"),
    ("linspace", "float32[]", 0, "float64"),
    ("linspace", "float16[3]", 1e30, "float32"),
    ("linspace", "float32[3]", 1e300, "float64"),
    ("linspace", "int8[3]", 1, "float64"),
    ("logspace", "float32[3]", 1, "float64"),
    ("geomspace", "float32[3]", 1, "float32"),
    ("geomspace", "float32[]", "float32[]", "float64"),
    ("geomspace", "bool[3]", 1, "float64"),
]


@pytest.mark.parametrize(("op", "first", "last", "result"), LINES)
def test_ends_of_lines_count_by_their_value_in_numpy_1(op, first, last, result):
    legacy = supremum.system("numpy-legacy")
    assert legacy.explain(parsed(first), parsed(last), op=op).result.name == result


def parsed(x):
    return parse(x) if isinstance(x, str) else x


@pytest.mark.parametrize("op", ["equal", "power", "logical_and"])
@pytest.mark.parametrize("other", ["float16", "bfloat16", "complex64"])
def test_dtypes_that_duckdb_lacks_are_refused_beside_one_that_decides_alone(op, other):
    with pytest.raises(supremum.PromotionError, match=f"{other} is not supported|take {other}"):
        supremum.explain("int8", other, op=op, system="duckdb")


def test_what_does_not_change_the_dtype_is_named():
    note = supremum.explain("int8", "float32", op="true_divide", system="duckdb").note
    assert note == "the dtype does not depend on int8"
