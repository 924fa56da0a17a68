"""Remembered answers: never confused, never without bound, and the same for every thread."""

import enum
import random
import sys
import threading
import weakref
from itertools import permutations, product

import numpy as np
import pytest

import supremum
from supremum import PromotionError, dtype
from supremum.core.answers import LIMIT
from supremum.core.deciding import rules_of_operands
from supremum.custom import Classified, Lattice, PromotionSystem


class DType:
    """A dtype that imitates TensorFlow's: equal to its number, and hashed as it."""

    __module__ = "tensorflow.python.framework.dtypes"
    name = "float32"

    def __eq__(self, other):
        return other == 1

    def __hash__(self):
        return 1


class Tensor:
    """An array whose dtype is such a one."""

    __module__ = "tensorflow.python.framework.ops"
    shape = (2,)

    def __init__(self):
        self.dtype = DType()


class Weak:
    """An array that may be weakly typed, as JAX's are."""

    __module__ = "jax"
    shape = ()

    def __init__(self, name, *, weak_type):
        self.dtype = np.dtype(name)
        self.weak_type = weak_type


# a dtype that can be no key
UNHASHABLE = type("DType", (), {"name": "float32", "__eq__": lambda *_: True, "__hash__": None})()


class One(enum.IntEnum):
    ONE = 1


# Beside an int8, each of these gives JAX's answer on its right. Many of them are equal.
BESIDE_INT8 = [
    (True, "int8"),
    (1, "int8"),
    (1.0, "float64"),
    (1 + 0j, "complex128"),
    (One.ONE, "int64"),
    (np.True_, "int8"),
    (np.int64(1), "int64"),
    (np.float32(1), "float32"),
    (np.float64(1), "float64"),
    (np.complex64(1), "complex64"),
    (np.array(1), "int64"),
    (np.array(1, np.float32), "float32"),
    (np.array(1.0), "float64"),
    (np.array([1], np.int16), "int16"),
    ("float32", "float32"),
    (np.dtype("float32"), "float32"),
    (np.dtype(">f4"), "float32"),
    (np.float32, "float32"),
    (dtype("float32"), "float32"),
    ("float64", "float64"),
    (np.dtype("float64"), "float64"),
    (float, "float64"),
    (int, "int8"),
    (bool, "int8"),
    ("int*", "int8"),
    ("float*", "float64"),
    (dtype("float*"), "float64"),
    (DType(), "float32"),
    (Tensor(), "float32"),
    (Weak("int32", weak_type=True), "int8"),
    (Weak("int32", weak_type=False), "int32"),
    (Weak("float32", weak_type=True), "float64"),
    (supremum.custom.operand(1), "int8"),
    (supremum.custom.operand(1.0), "float64"),
    (supremum.custom.operand("float64"), "float64"),
    (supremum.custom.operand(np.float64(1)), "float64"),
    (UNHASHABLE, "float32"),
]


def ask_all_ways(rules, operand):
    """Return the answers beside an int8, which comes as a name, an array, and on either side."""
    return {
        rules.result_type("int8", operand),
        rules.result_type(operand, "int8"),
        rules.result_type(operand, np.int8(1)),
        rules.result_type(np.zeros(2, np.int8), operand),
        rules.result_type(operand, Weak("int8", weak_type=False)),
        rules.result_type("int8", operand, "bool"),
        rules.result_type(operand, "bool", "int8"),
        rules.result_type(True, operand, np.int8(1)),
    }


def fresh(name="jax", **options):
    """Return rules that remember nothing yet."""
    return supremum.system(name, **options).replace()


def test_operands_that_are_equal_get_answers_of_their_own():
    assert True == 1 == 1.0 == 1 + 0j == One.ONE == DType()  # noqa: PLR0133  # they are
    for first, second in permutations(BESIDE_INT8, 2):
        rules = fresh()
        for _ in range(2):
            for operand, answer in (first, second):
                assert ask_all_ways(rules, operand) == {dtype(answer)}


def test_the_same_rules_answer_all_of_them_in_any_order():
    asked, rules = list(BESIDE_INT8), fresh()
    for seed in range(5):
        random.Random(seed).shuffle(asked)
        for operand, answer in asked:
            assert ask_all_ways(rules, operand) == {dtype(answer)}


@pytest.mark.parametrize(
    ("dtypes", "answer"),
    [
        (("float32", "int8"), "float32"),
        ((np.dtype("float32"), "int8"), "float32"),
        ((np.float32, np.int8), "float32"),
        ((dtype("float32"), dtype("int8")), "float32"),
        ((DType(), "int8"), "float32"),
        ((UNHASHABLE, "int8"), "float32"),
        ((float, "int8"), "float*"),
        ((int, "int8"), "int8"),
        ((bool, "int8"), "int8"),
        ((int,), "int*"),
        ((bool,), "bool"),
        ((DType(),), "float32"),
    ],
)
def test_dtypes_of_any_library_get_their_answer_again_and_again(dtypes, answer):
    for _ in range(3):
        assert supremum.promote_types(*dtypes, system="jax") is dtype(answer)
        assert fresh().promote_types(*dtypes) is dtype(answer)


@pytest.mark.parametrize("number", [True, 1, 1.0, 1 + 0j, One.ONE])
def test_a_number_never_gets_the_answer_of_a_dtype_that_equals_it(number):
    rules = fresh()
    assert rules.promote_types(DType(), "int8") is dtype("float32")
    assert rules.result_type(DType()) is dtype("float32")
    with pytest.raises(supremum.DTypeError):
        rules.promote_types(number, "int8")
    assert rules.result_type(number) is not dtype("float32")


def test_each_setting_has_answers_of_its_own():
    for x64, answer in [(True, "float64"), (False, "float32"), (True, "float64")]:
        assert supremum.system("jax", x64=x64).result_type(1.0) is dtype(answer)
        assert supremum.system("jax", x64=x64).result_type(1.0, 1) is dtype(answer)
    assert supremum.result_type("int32", "float16") is dtype("float16")
    for _ in range(2):
        rules = "jep9407-option2"
        assert supremum.result_type("int32", "float16", system=rules) is dtype("float32")


def test_a_refusal_is_not_remembered_as_an_answer():
    rules = fresh()
    for _ in range(3):
        with pytest.raises(supremum.PromotionError):
            rules.result_type("int4", "int8")
        with pytest.raises(supremum.PromotionError):
            rules.promote_types("int4", "int8")
        with pytest.raises(supremum.DTypeError):
            rules.result_type("i8", "int8")


def ranked(*, valued=False):
    """Return rules in which an operand with dimensions wins, or a large number widens."""

    def classify(op, operands):
        most = max(op.rank or 0 for op in operands)
        node = op.dtype if (op.rank or 0) == most else dtype("int8")
        if valued and op.form == "Python scalar":
            node = dtype("int8" if abs(op.value) < 128 else "int64")
        return Classified(op, node, "")

    lattice = PromotionSystem.from_lattice("i8 -> i16 -> i32 -> i64 -> f64; i* -> i8").join
    return PromotionSystem("ranked", lattice, classify=classify, ranked=True, valued=valued)


def test_rules_that_look_at_the_rank_tell_ranks_apart():
    rules = ranked()
    vector, point = np.ones(3, np.int16), np.array(1, np.int64)
    for _ in range(3):
        assert rules.result_type(vector, point) is dtype("int16")
        assert rules.result_type(vector, np.ones(3, np.int64)) is dtype("int64")
        assert rules.result_type(np.int16(1), point) is dtype("int64")
        assert rules.result_type(np.ones((3, 1), np.int32), vector) is dtype("int32")


def test_rules_that_look_at_the_value_tell_values_apart():
    rules = ranked(valued=True)
    point = np.array(1, np.int8)
    for _ in range(3):
        assert rules.result_type(point, 1) is dtype("int8")
        assert rules.result_type(point, 1000) is dtype("int64")
        assert rules.result_type(point, 1.0) is dtype("int8")
        assert rules.result_type(point, -1000.0) is dtype("int64")
        assert rules.result_type(point, True) is dtype("int8")


def test_integers_that_no_int64_holds_are_told_apart_by_all_rules():
    def classify(op, operands):
        large = [op.value is not None and not -(2**63) <= op.value < 2**63 for op in operands]
        return Classified(op, dtype("int64" if any(large) else "int8"), "")

    lattice = PromotionSystem.from_lattice("i8 -> i64").join
    rules = PromotionSystem("mine", lattice, classify=classify)
    for _ in range(2):
        for number in (0, 1, -(2**63), 2**63 - 1):
            assert rules.result_type(number, "int8", "int8") is dtype("int8")
        for number in (2**63, -(2**63) - 1, 2**70):
            assert rules.result_type(number, "int8", "int8") is dtype("int64")


def test_what_is_remembered_has_a_bound(kept):
    rules = fresh()
    names = [d.name for d in rules.dtypes if d.weak or d.bits >= 16 or d.name == "bool"]
    distinct = [*names, *(np.dtype(dtype(n)) for n in names if not n.endswith("*")), True, 1, 1.0]
    tried = 0
    for triple in product(distinct, repeat=3):
        rules.result_type(*triple)
        tried += 1
        if tried % 256 == 0:
            assert max(kept(rules)) <= LIMIT
        if not any(type(x) in (bool, int, float) for x in triple):
            rules.promote_types(*triple)
    assert tried > 3 * LIMIT
    assert max(kept(rules)) <= LIMIT
    assert rules.result_type("int32", "float16", 1.0) is dtype("float16")


def test_classes_made_on_the_fly_are_remembered_within_the_bound(kept):
    rules = fresh()
    for i in range(LIMIT + 10):
        kind = type(f"Array{i}", (), {"dtype": np.dtype("int16"), "shape": (), "ndim": 0})
        assert rules.result_type(kind(), 1) is dtype("int16")
    assert max(kept(rules)) <= LIMIT


def questions():
    """Return calls of every sort, each with its answer."""
    rules = supremum.system("jax")
    names = [d.name for d in rules.dtypes]
    narrow = supremum.system("jax", x64=False)
    asked = []
    for a, b in product(names, repeat=2):
        try:
            joined = rules.lattice.join(dtype(a), dtype(b))
        except supremum.custom.NoJoinError:
            joined = None
        asked.append((supremum.promote_types, (a, b), joined))
        asked.append((supremum.promote_types, (dtype(a), dtype(b)), joined))
    for operand, answer in BESIDE_INT8:
        asked.append((rules.result_type, ("int8", operand), dtype(answer)))
        asked.append((rules.result_type, (operand, np.int8(1)), dtype(answer)))
        asked.append((supremum.result_type, ("int8", operand), decided("int8", operand)))
        half = dtype(answer.replace("64", "32") if answer != "complex64" else answer)
        half = dtype("complex64") if answer == "complex128" else half
        asked.append((narrow.result_type, ("int8", operand), half))
    return asked


def decided(*operands):
    """Return the answer of the rules that decide, which remember nothing."""
    try:
        return rules_of_operands(operands).explain(*operands).result
    except supremum.PromotionError:
        return None


def test_threads_share_what_is_remembered_and_all_get_their_answers():
    asked = questions()
    failures = []
    start = threading.Barrier(16)

    def ask_all(seed):
        mine = random.Random(seed).sample(asked, len(asked))
        start.wait()
        for ask, operands, answer in mine:
            try:
                found = ask(*operands)
            except supremum.PromotionError:
                found = None
            except Exception as error:  # noqa: BLE001  # whatever it is, it is a failure
                found = error
            if found is not answer:
                failures.append((ask, operands, answer, found))

    threads = [threading.Thread(target=ask_all, args=(seed,)) for seed in range(16)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert failures == []
    assert len(asked) * len(threads) > 40_000


def test_threads_fill_a_bounded_store_together(monkeypatch, kept):
    monkeypatch.setattr("supremum.core.answers.LIMIT", 8)
    rules = PromotionSystem("mine", Lattice({dtype("int8"): [dtype("int16")]}))
    operands = ["int8", np.int8, np.dtype("int8"), dtype("int8"), np.int8(1), np.zeros(2, np.int8)]
    wrong = []

    def ask_all(seed):
        random_ = random.Random(seed)
        for _ in range(500):
            pair = random_.choices(operands, k=random_.randint(1, 3))
            if rules.result_type(*pair) is not dtype("int8"):
                wrong.append(pair)
            if rules.result_type(*pair, "int16") is not dtype("int16"):
                wrong.append(pair)
            if rules.promote_types(*random_.choices(operands[:4], k=2)) is not dtype("int8"):
                wrong.append(pair)

    threads = [threading.Thread(target=ask_all, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert max(kept(rules)) <= 8


LIBRARIES = [n for n in supremum.systems() if not n.startswith("jep9407")]


RANKED = [n for n in LIBRARIES if supremum.system(n).ranked]


class Column:
    """An array that has a shape, and no number of dimensions."""

    def __init__(self, name, shape):
        self.dtype, self.shape = np.dtype(name), shape


def told(ask, *args, **kwargs):
    """Return the answer as a name, or the refusal as a text."""
    try:
        return str(ask(*args, **kwargs))
    except PromotionError as error:
        return str(error)


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


def test_the_value_of_a_scalar_of_numpy_decides_about_a_power():
    rules = fresh("torch")
    ints = np.ones(3, np.int32)
    assert rules.result_type(ints, np.int64(2), op="power") is dtype("int32")
    with pytest.raises(PromotionError):
        rules.result_type(ints, np.int64(-2), op="power")


def test_a_class_of_a_number_and_a_number_are_told_apart():
    rules = fresh("numpy")
    ints = np.ones(3, np.int8)
    for _ in range(2):
        assert rules.result_type(ints, 1) is dtype("int8")
        assert rules.result_type(ints, int) is dtype("int64")


def test_a_dtype_that_changes_while_it_is_asked_about_is_not_remembered():
    changing = np.ones(4, np.int8)

    class Lazy:
        read = 0

        @property
        def dtype(self):
            type(self).read += 1
            if self.read == 1:
                changing.dtype = np.uint8
            return np.dtype("int8")

    rules = fresh()
    rules.result_type(changing, Lazy())
    assert rules.result_type(np.ones(2, np.uint8), Lazy()) is dtype("int16")


def test_a_class_whose_dtype_changes_is_read_anew():
    class Changing:
        dtype = np.dtype("int8")

    rules = fresh()
    assert rules.result_type(Changing, "int8") is dtype("int8")
    Changing.dtype = np.dtype("float32")
    assert rules.result_type(Changing, "int8") is dtype("float32")


@pytest.mark.parametrize("ask", [supremum.promote_types, supremum.result_type])
def test_none_names_the_usual_rules(ask):
    assert ask("int32", "float32", system=None) is dtype("float32")


@pytest.mark.parametrize("given", [[1], {}, ("int8", ["int8"])], ids=repr)
def test_what_can_be_no_key_gets_its_own_error(given):
    rules = fresh()
    for ask in (rules.promote_types, rules.result_type, supremum.result_type):
        for operands in ((given,), (given, "int8"), ("int8", given), ("int8", given, 1)):
            with pytest.raises(supremum.DTypeError, match="is not"):
                ask(*operands)
    with pytest.raises(supremum.RulesError):
        rules.result_type("int8", "int8", op=[])


def test_a_refusal_names_the_operands_as_they_were_given():
    rules = fresh("numpy-legacy")
    with pytest.raises(supremum.PromotionError, match=r"float32\[3\]"):
        fresh().result_type(np.ones(3, np.float32), np.ones(3, np.int8), op="left_shift")
    with pytest.raises(supremum.PromotionError, match=r"2\.5"):
        rules.result_type(np.ones(3, np.int8), 2.5, op="left_shift")


@pytest.mark.parametrize("name", ["jax", "numpy", "numpy-legacy", "torch"])
def test_no_operand_is_kept_alive(name):
    class Array(np.ndarray):
        """An array that can be referred to weakly."""

    rules, array = fresh(name), np.ones(3).view(Array)
    for others in ((), (1,), ("int8", 1.0)):
        rules.result_type(array, *others)
        supremum.result_type(array, *others)
    gone = weakref.ref(array)
    del array
    assert gone() is None


def test_what_a_signal_handler_raises_is_passed_on():
    class Interrupted:
        @property
        def dtype(self):
            raise TypeError("from a handler")

    for _ in range(2):
        with pytest.raises(TypeError, match="from a handler"):
            fresh().result_type("int8", Interrupted())
