"""The engine: what operands come to, step by step, and how a mix is refused."""

import enum
import pickle
import traceback

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum import PromotionError, dtype
from supremum.custom import PromotionSystem, operand

TABLE = """
          i8   u8   i16
    i8    i8   i16! i16
    u8    i16! u8   -
    i16   i16  i16  i16
"""


class Colour(enum.IntEnum):
    RED = 1


class Jax:
    """A stand-in for JAX's arrays."""

    __module__ = "jax"
    shape = ()

    def __init__(self, name, *, weak_type=False):
        self.dtype = np.dtype(dtype(name))
        self.weak_type = weak_type

    def __repr__(self):
        return f"{'weak ' * self.weak_type}{self.dtype}"


def refusal(call, *args, error=PromotionError):
    with pytest.raises(error) as caught:
        call(*args)
    return caught.value


@pytest.mark.parametrize(
    ("operands", "on", "off"),
    [
        ([np.int16([1, 2]), 1], "int16", "int16"),
        ([np.int16([1, 2]), np.array(1)], "int64", "int32"),
        ([np.int16(1), np.int8([1])], "int16", "int16"),
        ([np.uint64(1), np.int64(1)], "float64", "int32"),
        ([np.uint32(1), np.int32(1)], "int64", "int32"),
        ([np.float64(1), np.float32(1)], "float64", "float32"),
        ([1], "int64", "int32"),
        ([1, 2.0], "float64", "float32"),
        ([True, 1], "int64", "int32"),
        ([True], "bool", "bool"),
        ([True, np.int8(1)], "int8", "int8"),
        ([1, ml_dtypes.bfloat16(1)], "bfloat16", "bfloat16"),
        ([1j, np.float16(1)], "complex64", "complex64"),
        ([1j], "complex128", "complex64"),
        ([float, "int8"], "float64", "float32"),
        (["int64"], "int64", "int32"),
        ([Colour.RED], "int64", "int32"),
        ([Colour.RED, np.int8(1)], "int64", "int32"),
        ([Jax("int32", weak_type=True), np.int8([1])], "int8", "int8"),
        ([Jax("int32", weak_type=False), np.int8([1])], "int32", "int32"),
        ([Jax("float32", weak_type=True), 1], "float64", "float32"),
        (["int32", "float16", 1.0], "float16", "float16"),
        ([1, 1.0, "int8"], "float64", "float32"),
        (["int8", "float*", "bfloat16"], "bfloat16", "bfloat16"),
    ],
    ids=str,
)
def test_jax_gives_an_operation_this_dtype(operands, on, off):
    assert supremum.result_type(*operands) is dtype(on)
    assert supremum.result_type(*reversed(operands)) is dtype(on)
    narrow = supremum.system("jax", x64=False)
    assert narrow.result_type(*operands) is dtype(off)
    assert narrow.explain(*operands).result is dtype(off)


@pytest.mark.parametrize(
    ("dtypes", "answer"),
    [
        (["int16", int], "int16"),
        ([int], "int*"),
        ([int, float], "float*"),
        ([bool, int], "int*"),
        (["uint64", "int8"], "float*"),
        (["uint64", "int8", "float16"], "float16"),
        ([np.int8, np.dtype(">u2"), dtype("bool")], "int32"),
    ],
    ids=str,
)
def test_dtypes_promote_to_their_join_which_stays_weak(dtypes, answer):
    assert supremum.promote_types(*dtypes) is dtype(answer)
    assert supremum.promote_types(*reversed(dtypes)) is dtype(answer)


def test_promotion_takes_dtypes_and_operation_takes_operands(golden):
    error = refusal(supremum.promote_types, "int8", 1, error=supremum.DTypeError)
    golden(error)
    error = refusal(supremum.promote_types, np.ones(1), error=supremum.DTypeError)
    error = refusal(supremum.result_type, [1, 2], error=supremum.DTypeError)


def test_a_refusal_says_what_it_knows_and_carries_it(golden):
    asked = np.zeros(3, ml_dtypes.float8_e5m2), "float32", 1
    error = refusal(supremum.system("jax").result_type, *asked)
    golden(error)
    assert [op.text for op in error.operands] == ["float8_e5m2[3]", "float32", "1"]
    assert [op.dtype.name for op in error.operands] == ["float8_e5m2", "float32", "int*"]
    setting = {"x64": True, "mode": "standard", "explicit_x64": "warn", "version": "0.10.2"}
    assert (error.system, error.setting) == ("jax", setting)
    assert error.candidates == ()
    assert isinstance(error, TypeError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.operands) == (str(error), error.operands)


@pytest.mark.parametrize("ask", ["promote_types", "result_type", "explain"])
def test_no_operand_is_refused(golden, ask):
    error = refusal(getattr(supremum.system("jax"), ask))
    golden(error)
    assert (error.operands, error.system) == ((), "jax")


def test_a_dtype_that_the_rules_lack_is_refused_with_those_they_have(golden):
    error = refusal(supremum.system("array-api").promote_types, "bfloat16", "int8")
    golden(error)
    assert ([x.text for x in error.operands], error.system) == (["bfloat16", "int8"], "array-api")
    error = refusal(supremum.system("python").promote_types, "bool")
    golden(error)
    assert ([x.text for x in error.operands], error.system) == (["bool"], "python")


def test_rules_with_an_advice_give_it(golden):
    rules = PromotionSystem.from_lattice(
        "i8; i16", "mine", advise=lambda nodes: f"{nodes[0]} is alone"
    )
    error = refusal(rules.promote_types, "int8", "int16")
    golden(error)
    assert ([x.text for x in error.operands], error.system) == (["int8", "int16"], "mine")


def test_rules_without_an_advice_say_that_nothing_is_above(golden):
    rules = PromotionSystem.from_lattice("i8; i16", "mine", label="quiet")
    golden(refusal(rules.result_type, "int8", "int16"))


def test_a_refusal_of_a_table_is_about_the_pair_that_it_met(golden):
    rules = PromotionSystem.from_table(TABLE, "mine")
    error = refusal(rules.result_type, "uint8", "uint8", "int16", "int8")
    assert [op.text for op in error.operands] == ["uint8", "uint8", "int16", "int8"]
    golden(error)


def test_a_dtype_that_meets_not_even_itself_is_refused_without_a_cast(golden):
    rules = PromotionSystem.from_table("i8\ni8 -", "mine")
    golden(refusal(rules.promote_types, "int8", "int8"))


def test_a_weak_narrow_integer_has_no_width_to_settle_to(golden):
    error = refusal(supremum.system("jax").result_type, Jax("int4", weak_type=True))
    golden(error)


@pytest.mark.parametrize("rules", ["jax", "jax-lax", "jax-original", "array-api"])
def test_a_refusal_is_shown_without_the_errors_on_its_way(rules):
    error = refusal(supremum.system(rules).result_type, "int4", "float8_e4m3", "complex64")
    assert "During handling" not in "".join(traceback.format_exception(error))


def test_a_refusal_is_refused_again():
    for _ in range(3):
        for ask in (supremum.result_type, supremum.promote_types):
            assert "cannot promote int4 and int8" in str(refusal(ask, "int4", "int8"))


LIBRARIES = [n for n in supremum.systems() if not n.startswith("jep9407")]


ENOUGH = 2500
"""The characters that a message may have, with the path of a file."""


class Column:
    """An array that has a shape, and no number of dimensions."""

    def __init__(self, name, shape):
        self.dtype, self.shape = np.dtype(name), shape


class Level(enum.IntEnum):
    LOW = 1


class Metres(float):
    pass


class Phasor(complex):
    pass


DERIVED = [(Level.LOW, "int64"), (Metres(1), "float64"), (Phasor(1), "complex128")]


def told(ask, *args, **kwargs):
    """Return the answer as a name, or the refusal as a text."""
    try:
        return str(ask(*args, **kwargs))
    except PromotionError as error:
        return str(error)


@pytest.mark.parametrize(("number", "own"), DERIVED, ids=repr)
def test_objects_derived_from_pythons_numbers_are_not_weak_to_numpy(number, own):
    x = np.ones(2, np.int8)
    assert supremum.result_type(x, number, system="numpy") == (x + number).dtype
    for name in ("numpy", "dask", "cupy", "pandas"):
        assert supremum.result_type(x, number, system=name) is dtype(own)
    assert supremum.result_type(x, number, system="numpy", op="add") is dtype(own)


@pytest.mark.parametrize(("number", "own"), DERIVED, ids=repr)
def test_objects_derived_from_pythons_numbers_are_weak_to_jaxs_functions_alone(number, own):
    # as test_jax.py among the peers says of JAX itself
    rules = supremum.system("jax")
    assert rules.result_type("bool", number) is dtype(own)
    assert rules.result_type("complex64", number, op="add") is dtype("complex64")
    assert rules.result_type("int16", Level.LOW) is dtype("int64")
    assert rules.result_type("int16", Level.LOW, op="add") is dtype("int16")


@pytest.mark.parametrize(
    ("name", "joined", "number", "answer"),
    [
        ("numpy", "int8", 300, None),
        ("numpy", "int8", -129, None),
        ("numpy", "int8", 127, "int8"),
        ("numpy", "uint8", -1, None),
        ("numpy", "uint64", 2**64 - 1, "uint64"),
        ("numpy", "float32", 2**70, "float32"),
        ("jax", "int8", 300, "int8"),
        ("jax", "int8", 2**63, None),
        ("jax", "int8", 2**70, None),
        ("torch", "int8", 300, "int8"),
        ("torch", "int8", 2**64, None),
        ("torch", "int8", 2**70, None),
    ],
)
def test_functions_look_at_the_values_of_python_ints(name, joined, number, answer):
    rules = supremum.system(name)
    for small in (1, number, 1, number):
        expected = answer if small == number else joined
        asked = told(rules.result_type, joined, small, op="add")
        explained = told(lambda *x: rules.explain(*x, op="add").result, joined, small)
        assert asked == explained
        assert (asked == expected) if expected else f"cannot apply add to {joined} and" in asked


class UnknownShape:
    """A shape of TensorFlow whose rank is unknown: it has no length."""

    rank = None

    def __len__(self):
        raise ValueError("Cannot take the length of shape with unknown rank.")


ODD = [Column("float32", UnknownShape()), Column("float32", 5), Column("float32", None)]


@pytest.mark.parametrize("x", ODD, ids=["unknown", "5", "None"])
@pytest.mark.parametrize("name", LIBRARIES)
def test_an_array_of_unknown_rank_is_answered_if_the_rank_does_not_matter(name, x):
    assert (operand(x).text, operand(x).rank) == ("float32[?]", None)
    rules = supremum.system(name)
    for other in ("float32", "float64", 1.0, np.ones(2, np.int8)):
        vector, point = Column("float32", (3,)), Column("float32", ())
        both = {told(rules.result_type, y, other) for y in (vector, point)}
        found = told(rules.result_type, x, other)
        assert found in both if len(both) == 1 else "cannot promote float32[?]" in found


HUGE = 10**5000


@pytest.mark.parametrize("name", LIBRARIES)
def test_python_ints_of_any_length_are_answered_or_refused(name):
    rules = supremum.system(name)
    for operands in [(HUGE,), (HUGE, "int32"), ("float32", -HUGE), (HUGE, 1.5)]:
        for op in (None, "add") if rules.rule("add") and len(operands) == 2 else (None,):
            assert len(told(rules.result_type, *operands, op=op)) < ENOUGH
            assert len(told(rules.explain, *operands, op=op)) < ENOUGH


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("rules", ["numpy", "jax", "torch"])
@pytest.mark.parametrize("make", [np.ma.ones, lambda n, d: np.asmatrix(np.ones(n, d))])
def test_functions_of_arrays_with_rules_of_their_own_are_refused_by_name(rules, make):
    x = make(3, "float32")
    with pytest.raises(
        PromotionError, match=f"a {type(x).__name__} has rules of its own"
    ) as caught:
        supremum.result_type(x, 1.0, op="add", system=rules)
    assert [operand.dtype.name for operand in caught.value.operands] == ["float32", "float*"]
    assert supremum.result_type(x, 1.0, system=rules) == "float32"  # which looks at dtypes


def test_functions_of_jax_refuse_the_byte_order_of_another_machine():
    swapped = np.ones(3, np.dtype("f4").newbyteorder())
    assert operand(swapped).swapped
    assert not operand(np.ones(3, "f4")).swapped
    with pytest.raises(PromotionError, match="byte order"):
        supremum.result_type(swapped, op="sin", system="jax")
    assert supremum.result_type(swapped, system="jax") == "float32"
    assert supremum.result_type(swapped, op="sin", system="numpy") == "float32"


def test_what_operators_refuse_too_is_not_said_to_be_theirs():
    with pytest.raises(PromotionError) as caught:
        supremum.promote_types("bool", "bool", system="tensorflow")
    assert "operators" not in str(caught.value)
