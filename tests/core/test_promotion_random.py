"""Random rules, asked in random order: what they remember never changes what they answer."""

import enum
import random
from typing import Any, NamedTuple

import numpy as np
import pytest

import supremum
from supremum import DTypeError, PromotionError, RulesError, dtype
from supremum.core.deciding import rules_of_operands
from supremum.core.function_rules import FunctionRule, Special
from supremum.core.operands import parse
from supremum.custom import Classified, Fold, LatticeError, NoJoinError, PromotionSystem, Table

pytestmark = pytest.mark.thorough

NAMES = [
    "bool", "uint8", "uint16", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32",
    "float64", "complex64", "int*", "float*", "complex*",
]  # fmt: skip
FUNCTIONS = ["add", "true_divide", "sqrt", "sum", "iadd", "power", "where", "concat", "equal"]


def special(says, **parts):
    return FunctionRule(special=Special(says, **parts))


def wide_if_small(call):
    return call.becomes(max(call.dtypes, key=lambda d: d.bits or 0))


RULES = [
    "", "bool: i8", "b: -", "integer: FLOAT", "*: b", "bool integer: INT; complex: part",
    "float: -", "alike", "into kind", "into category", "apart; i8: i32", "only 1", "arrays any",
    "takes integer float, *", "shared", "weak float", "weak", "*: INDEX", "ints any", "ints int64",
    "ints natural", "arrays all", "default float", special("wide if small", result=wide_if_small),
    special("the first joins", select=lambda operands: operands[:1]),
    special("weak", keeps_weak=lambda _: True),
]  # fmt: skip


class Level(enum.IntEnum):
    LOW = 1


class DType:
    """A dtype of no library in particular; not every one of them can be a key."""

    def __init__(self, name):
        self.name = name


class Unhashable(DType):
    __hash__ = None

    def __eq__(self, other):
        return isinstance(other, DType) and self.name == other.name


Unhashable.__name__ = "DType"


class Thing:
    """An array that has what it is given, among dtype, shape, ndim and weak_type."""

    def __init__(self, **has):
        self.__dict__.update(has)

    def __repr__(self):
        return f"Thing({self.__dict__})"


def any_dtype(random_, name):
    strong = not name.endswith("*")
    ways = [dtype, str, DType, Unhashable]
    ways += [lambda x: np.dtype(dtype(x)), lambda x: np.dtype(dtype(x)).type] if strong else []
    return random_.choice(ways)(name)


def any_thing(random_, names):
    has: dict[str, Any] = {}
    if random_.random() < 0.95:
        has["dtype"] = any_dtype(random_, random_.choice(names))
    shape = random_.choice([(), (3,), (2, 3), (0,)])
    if random_.random() < 0.7:
        has["shape"] = shape
    if random_.random() < 0.5:
        has["ndim"] = len(shape)
    if random_.random() < 0.5:
        has["weak_type"] = random_.random() < 0.5
    if random_.random() < 0.1:
        has["shape"] = random_.choice([None, 5, "odd"])
    if random_.random() < 0.1:
        has.pop("shape", None)
        has.pop("ndim", None)
    return Thing(**has)


def any_operand(random_, names):
    """Return anything that may be asked about, and now and then what may not."""
    strong = [n for n in names if not n.endswith("*")] or ["int8"]
    name = random_.choice(strong)
    number = random_.choice([0, 1, 2, -1, 127, 128, 300, 2**63, -(2**63) - 1, 2**70])
    array = np.asarray(random_.choice([0, 1, 2, 3]), np.dtype(dtype(name)))
    return random_.choice(
        [
            lambda: any_thing(random_, names),
            lambda: any_thing(random_, names),
            lambda: any_dtype(random_, random_.choice(names)),
            lambda: dtype(random_.choice(names)),
            lambda: random_.choice([number, float(number % 7), complex(number % 3), True, False]),
            lambda: random_.choice([Level.LOW, bool, int, float, complex]),
            lambda: array,
            lambda: array[()],
            lambda: np.broadcast_to(array, random_.choice([(3,), (2, 3)])),
            lambda: parse(f"{random_.choice(names)}{random_.choice(['', '[]', '[3]'])}"),
            lambda: random_.choice([None, [1], "zebra", object]),
        ]
    )()


class Classify(NamedTuple):
    """A first step that looks at what it says it looks at, of an operand and of its company."""

    low: Any
    high: Any
    ranked: bool
    valued: bool

    def __call__(self, op, operands):
        node = op.weak_dtype if op.weak else op.dtype
        if self.ranked and op.rank == 0 and any(x.rank == 1 for x in operands):
            node = self.low
        if self.valued and isinstance(op.value, int | float) and not isinstance(op.value, bool):
            node = self.high if abs(op.value) > 127 else self.low
        return Classified(op, node, op.describe())


class Step(NamedTuple):
    """A step of a fold by a table, which may look at ranks and values too."""

    table: Table
    ranked: bool
    valued: bool

    def step(self, state, item):
        node = getattr(state, "node", state)
        if self.ranked and item.operand.rank == 0:
            return State(node, "it has no dimensions")
        if self.valued and item.operand.value == 2:
            raise NoJoinError("two is odd here")
        return State(self.table.join(node, item.node), "")

    def order(self, items):
        return sorted(items, key=lambda t: str(t.node))


class State(NamedTuple):
    node: Any
    why: str


def any_lattice(random_, nodes):
    while True:
        arrows = {
            n: [m for m in nodes[i + 1 :] if random_.random() < 0.35] for i, n in enumerate(nodes)
        }
        try:
            return supremum.custom.Lattice(arrows)
        except LatticeError:
            pass


def any_table(random_, nodes):
    cells = {(a, b): random_.choice(nodes) for a in nodes for b in nodes if random_.random() < 0.8}
    return Table(nodes, cells)


def any_join(random_, nodes, *, ranked, valued):
    kind = random_.choice(["lattice", "table", "fold"])
    if kind == "lattice":
        return any_lattice(random_, nodes)
    table = any_table(random_, nodes)
    if kind == "table":
        return table
    steps = Step(table, ranked, valued)
    return Fold(nodes, steps.step, order=random_.choice([None, steps.order]))


def refuse_int(value, d, _, ints):
    fits = d.min is None or d.kind in ("float", "complex") or d.min <= value <= d.max
    return (
        None if fits or ints == "any" else f"an int of {value.bit_length()} bits does not fit {d}"
    )


def any_rules(random_):
    names = random_.sample(NAMES, random_.randint(3, 8))
    nodes = [dtype(name) for name in names]
    ranked, valued = random_.random() < 0.5, random_.random() < 0.5
    looks = {"ranked": ranked, "valued": valued}
    parts: dict[str, Any] = dict(looks)
    if random_.random() < 0.7:
        parts["classify"] = Classify(*random_.choices(nodes, k=2), **looks)
    if random_.random() < 0.5:
        parts["widths"] = {"int*": random_.choice(["int8", "int64"])}
    if random_.random() < 0.7:
        parts["functions"] = {f: random_.choice(RULES) for f in random_.sample(FUNCTIONS, 5)}
    if random_.random() < 0.3:
        parts["function_join"] = any_join(random_, nodes, **looks)
    if random_.random() < 0.3:
        parts["refuse_int"] = refuse_int
    parts["weak_arrays"] = random_.random() < 0.7
    return names, PromotionSystem("random", any_join(random_, nodes, **looks), **parts)


def outcome(ask, *operands, **how):
    """Return the answer, or the refusal with all that it says."""
    try:
        found = ask(*operands, **how)
    except (PromotionError, DTypeError, RulesError) as error:
        return type(error), str(error)
    return found.result if isinstance(found, supremum.Explanation) else found


def ways_to_ask(rules):
    """Return each way to ask for the answer of an operation."""
    return [
        rules.result_type,
        rules.explain,
        lambda *x, **how: supremum.result_type(*x, system=rules, **how),
        lambda *x, **how: supremum.explain(*x, system=rules, **how),
    ]


def ask_all(random_, rules, names, count):
    """Ask about random operands in random order, again and again, and compare with a fresh copy."""
    questions = []
    for _ in range(count):
        operands = [any_operand(random_, names) for _ in range(random_.choice([1, 2, 2, 2, 3, 4]))]
        op = random_.choice([None, None, *FUNCTIONS])
        questions.append((operands, op, outcome(rules.replace().explain, *operands, op=op)))
    promoted = []
    for operands, _, _ in questions:
        promoted.append((operands, outcome(rules.replace().promote_types, *operands)))
    for _ in range(2):
        asked = [(q, way) for q in questions for way in ways_to_ask(rules)]
        for (operands, op, answer), way in random_.sample(asked, len(asked)):
            assert outcome(way, *operands, op=op) == answer, (operands, op)
        for operands, answer in random_.sample(promoted, len(promoted)):
            found = outcome(rules.promote_types, *operands)
            assert found == answer, operands
            assert outcome(supremum.promote_types, *operands, system=rules) == answer, operands
    return questions


SEEDS = range(40)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_rules_answer_alike_however_and_in_whatever_order_they_are_asked(seed, kept):
    random_ = random.Random(seed)
    names, rules = any_rules(random_)
    ask_all(random_, rules, names, 50)
    assert any(kept(rules))


@pytest.mark.parametrize("name", [n for n in supremum.systems() if not n.startswith("jep9407")])
def test_the_rules_that_ship_do_so_too(name):
    random_ = random.Random(name)
    rules = supremum.system(name).replace()
    ask_all(random_, rules, [n for n in NAMES if dtype(n) in rules.join] or NAMES, 50)


def test_the_default_rules_do_so_too_without_their_name():
    random_ = random.Random(9407)
    fresh = supremum.system("jax").replace()
    questions = ask_all(random_, supremum.system("jax"), NAMES, 100)
    for operands, op, answer in random_.sample(questions, len(questions)):
        rules = rules_of_operands(operands)
        if rules.name != "jax":  # those of the one library that all are of
            answer = outcome(rules.result_type, *operands, op=op)  # noqa: PLW2901  # the other one
        assert outcome(supremum.result_type, *operands, op=op) == answer, operands
        assert outcome(supremum.explain, *operands, op=op) == answer, operands
        promoted = outcome(fresh.replace().promote_types, *operands)
        assert outcome(supremum.promote_types, *operands) == promoted, operands


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_read_of_an_operand_is_answered_as_the_operand_is(seed):
    random_ = random.Random(seed)
    names, rules = any_rules(random_)
    tried = 0
    for _ in range(60):
        operands = [any_operand(random_, names) for _ in range(random_.randint(1, 3))]
        try:
            read = [supremum.custom.operand(x) for x in operands]
        except DTypeError:
            continue
        tried += 1
        for op in (None, "add", "concat"):
            answer = outcome(rules.result_type, *operands, op=op)
            assert outcome(rules.result_type, *read, op=op) == answer, (operands, op)
    assert tried > 10


def test_the_random_rules_are_of_every_sort_and_their_answers_too():
    """Guard the test: it would prove little if all were refused, or all rules alike."""
    kinds, answered, refused, unread = set(), 0, 0, 0
    for seed in SEEDS:
        random_ = random.Random(seed)
        names, rules = any_rules(random_)
        kinds.add((type(rules.join).__name__, rules.ranked, rules.valued))
        for _ in range(60):
            operands = [any_operand(random_, names) for _ in range(2)]
            found = outcome(rules.explain, *operands)
            answered += isinstance(found, supremum.DType)
            refused += isinstance(found, tuple) and found[0] is PromotionError
            unread += isinstance(found, tuple) and found[0] is DTypeError
    assert len(kinds) >= 9
    assert min(answered, refused, unread) > 200
    assert answered > 700
