"""What adversaries found when they tried the engine, each finding as a test of its own."""

import copy
import enum
import pickle
import time
from itertools import permutations

import numpy as np
import pytest

import supremum
from supremum import DTypeError, Lattice, PromotionError, PromotionSystem, RulesError, dtype
from supremum.core.operands import parse

LIBRARIES = [n for n in supremum.systems() if not n.startswith("jep9407")]
RANKED = [n for n in LIBRARIES if supremum.system(n).ranked]
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


# High


@pytest.mark.parametrize("name", RANKED)
def test_operands_with_a_shape_but_no_ndim_do_not_share_an_answer_whatever_their_rank(name):
    shapes = [(), (3,), (2, 3)]
    arrays = [Column(d, shape) for d in ("float64", "float32", "int8") for shape in shapes]
    explained = {}
    for i, j in permutations(range(len(arrays)), 2):
        explained[i, j] = told(
            lambda *x: supremum.explain(*x, system=name).result, arrays[i], arrays[j]
        )
    for order in (explained, reversed(explained)):
        rules = supremum.system(name).replace()
        for i, j in order:
            assert told(rules.result_type, arrays[i], arrays[j]) == explained[i, j]
    y = Column("float32", (3,))
    torch = supremum.system("torch").replace()
    assert torch.result_type(Column("float64", ()), y) is dtype("float32")
    assert torch.result_type(Column("float64", (3,)), y) is dtype("float64")


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


def test_the_command_refuses_a_python_int_that_does_not_fit(run):
    found = run("explain", "int8", "300", "--op", "add", "--system", "numpy")
    assert (found.exit_code, found.stdout) == (1, "")
    assert "300 does not fit int8" in found.stderr


# Medium


@pytest.mark.parametrize("kind", [int, float, complex])
@pytest.mark.parametrize("name", ["bool", "int8", "float32", "complex64"])
def test_the_classes_of_pythons_numbers_are_wide_dtypes_to_numpy(kind, name):
    live = np.promote_types(name, kind).name
    assert supremum.promote_types(name, kind, system="numpy").name == live
    array = np.ones(2, name)
    assert supremum.result_type(array, kind, system="numpy") == np.result_type(array, kind)
    assert supremum.promote_types("float32", float, system="numpy") is dtype("float64")


class UnknownShape:
    """A shape of TensorFlow whose rank is unknown: it has no length."""

    rank = None

    def __len__(self):
        raise ValueError("Cannot take the length of shape with unknown rank.")


ODD = [Column("float32", UnknownShape()), Column("float32", 5), Column("float32", None)]


@pytest.mark.parametrize("x", ODD, ids=["unknown", "5", "None"])
@pytest.mark.parametrize("name", LIBRARIES)
def test_an_array_of_unknown_rank_is_answered_if_the_rank_does_not_matter(name, x):
    assert (supremum.operand(x).text, supremum.operand(x).rank) == ("float32[?]", None)
    rules = supremum.system(name)
    for other in ("float32", "float64", 1.0, np.ones(2, np.int8)):
        vector, point = Column("float32", (3,)), Column("float32", ())
        both = {told(rules.result_type, y, other) for y in (vector, point)}
        found = told(rules.result_type, x, other)
        assert found in both if len(both) == 1 else "cannot promote float32[?]" in found


def test_arrows_between_nodes_that_a_lattice_has_are_added_to_it_and_no_strings_beside_them():
    jax, steps = supremum.system("jax").lattice, supremum.system("jep9407-option2").lattice
    for arrow in ("i32 -> f16", "int32 -> float16"):
        more = jax.with_arrows(arrow)
        assert set(more) == set(jax)
        assert more.arrows[dtype("int32")] == (dtype("int64"), dtype("float16"))
    assert len(steps.with_arrows("i64 -> f64")) == len(steps)
    with pytest.raises(DTypeError, match="'zebra' is not the name of a dtype"):
        jax.with_arrows("i32 -> zebra")


@pytest.mark.parametrize(
    "table",
    [
        "      i8   int8\ni8    i8   i8\nint8  i8   i8",
        "      i8   u8\ni8    i8   u8\nint8  i8   i8\nu8    i8   i8",
        {"i8": {"i8": "i8"}, "int8": {"i8": "i8"}},
        {"i8": {"i8": "i8", "int8": "u8"}, "u8": {"u8": "u8"}},
    ],
    ids=["rows and columns", "rows", "mapping", "row of a mapping"],
)
def test_a_table_may_not_name_one_dtype_twice(table):
    with pytest.raises(supremum.LatticeError):
        PromotionSystem.from_table(table)


HUGE = 10**5000


@pytest.mark.parametrize("name", LIBRARIES)
def test_python_ints_of_any_length_are_answered_or_refused(name):
    rules = supremum.system(name)
    for operands in [(HUGE,), (HUGE, "int32"), ("float32", -HUGE), (HUGE, 1.5)]:
        for op in (None, "add") if rules.rule("add") and len(operands) == 2 else (None,):
            assert len(told(rules.result_type, *operands, op=op)) < ENOUGH
            assert len(told(rules.explain, *operands, op=op)) < ENOUGH


def test_an_int_of_many_digits_on_the_command_line_is_an_int():
    digits = "12345" * 1000
    for sign in ("", "-", "+"):
        taken = parse(sign + digits)
        assert (taken.dtype.name, taken.form) == ("int*", "Python scalar")
        ten = 10**2500
        value = int(digits[:2500]) * ten + int(digits[2500:])
        assert taken.value == (-value if sign == "-" else value)
    with pytest.raises(DTypeError, match="an int of 200,000 digits is too long"):
        parse("1" * 200_000)


# Low


def test_an_empty_name_of_a_function_is_an_unknown_one():
    for ask in (supremum.result_type, supremum.explain):
        with pytest.raises(RulesError, match=r"^JAX rules have no function '';"):
            ask("int8", op="")


@pytest.mark.parametrize(
    ("op", "count"), [("add", 1), ("add", 3), ("sqrt", 2), ("where", 3), ("diff", 2), ("clip", 4)]
)
def test_a_function_takes_its_number_of_operands(op, count):
    with pytest.raises(PromotionError, match=f"{op} takes .* operands?, not {count}"):
        supremum.result_type(*["int8"] * count, op=op)
    assert supremum.result_type("int8", op="diff") is dtype("int8")
    assert supremum.result_type("int8", "int16", op="where") is dtype("int16")
    assert supremum.result_type("int8", "int16", "int32", op="concat") is dtype("int32")


def test_two_rules_from_the_same_arrows_and_their_copies_and_pickles_are_equal():
    one, two = (PromotionSystem.from_lattice("i8 -> i16", "m") for _ in range(2))
    assert one == two == copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one))


def equal_to_everything(value):
    """Return a dtype that is equal to everything, and has the hash of some value."""
    methods = {"__eq__": lambda *_: True, "__hash__": lambda _: hash(value), "name": "float32"}
    return type("DType", (), methods)()


TWINS = pytest.mark.parametrize("twin", [dtype("int8"), "int8", np.dtype("int8")], ids=repr)


@TWINS
def test_a_dtype_that_is_equal_to_everything_changes_no_answer(twin):
    rules, odd = supremum.system("jax").replace(), equal_to_everything(twin)
    for _ in range(2):
        for ask in (rules.promote_types, rules.result_type):
            for pair in ((odd, twin), (twin, odd), (odd, odd), (odd,)):
                ask(*pair)
            assert ask(twin, twin) is ask("int8", twin) is ask(twin) is dtype("int8")


@TWINS
def test_a_dtype_that_is_equal_to_everything_gets_its_own_answer(twin):
    rules, odd = supremum.system("jax").replace(), equal_to_everything(twin)
    for _ in range(2):
        assert rules.result_type(twin, twin) is dtype("int8")
        assert rules.result_type(odd, twin) is rules.result_type(twin, odd) is dtype("float32")


def test_text_of_numpys_is_not_the_name_of_a_dtype():
    for ask in (dtype, supremum.operand, supremum.promote_types, supremum.result_type):
        with pytest.raises(DTypeError):
            ask(np.str_("float32"))


def test_large_lattices_are_built_at_once():
    chain = {i: [i + 1] for i in range(1000)}
    star = {i: [5000] for i in range(5000)}
    both = {0: range(1, 3000), **{i: [3000] for i in range(1, 3000)}}
    start = time.perf_counter()
    assert [len(Lattice(arrows)) for arrows in (chain, star, both)] == [1001, 5001, 3001]
    # a minute before; the machine may be busy
    assert time.perf_counter() - start < 5
