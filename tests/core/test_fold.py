"""Joins that meet one item after another: steps, starts, orders, remarks and refusals."""

import pickle
from typing import NamedTuple

import pytest

from supremum import dtype
from supremum.custom import Classified, Fold, LatticeError, NoJoinError, PromotionSystem


class Remarked(NamedTuple):
    """A state with what it remembers of the items so far, and a remark."""

    node: int
    seen: tuple = ()
    why: str = ""


class Item(NamedTuple):
    """An item that says more than its node."""

    node: int
    heavy: bool = False


class Sums(NamedTuple):
    """Sums up to a limit, in which heavy items count twice."""

    limit: int

    def start(self, first):
        return Remarked(first.node * (1 + first.heavy), (first.node,))

    def step(self, state, item):
        total = state.node + item.node * (1 + item.heavy)
        if total > self.limit:
            raise NoJoinError(f"{total} is over {self.limit}", (state.node, item.node))
        why = f"{item.node} counts twice" if item.heavy else ""
        return Remarked(total, (*state.seen, item.node), why)

    def order(self, items):
        return sorted(items, key=lambda item: item.heavy)


def summing(limit=100, *, ordered=False):
    sums = Sums(limit)
    order = sums.order if ordered else None
    return Fold(range(limit + 1), sums.step, start=sums.start, order=order)


def test_the_state_meets_one_item_after_another_from_the_left():
    first = Fold("abc", lambda state, _: state)
    last = Fold("abc", lambda _, item: item)
    assert (first.join("b", "c", "a"), last.join("b", "c", "a")) == ("b", "a")
    assert [tuple(step) for step in last.steps("b", "c", "a")] == [
        ("b", "c", "c", ""),
        ("c", "a", "a", ""),
    ]


def test_one_item_is_its_own_join_and_takes_no_steps():
    fold = Fold("abc", lambda *_: pytest.fail("there is nothing to meet"))
    assert fold.join("b") == "b"
    assert fold.steps("b") == []
    assert fold.run(["b"]) == ("b", [])


def test_a_state_may_start_as_something_else_and_remember_more_than_its_node():
    fold = summing()
    assert fold.join(Item(1, heavy=True)) == 2
    assert fold.join(Item(1, heavy=True), Item(3), Item(5)) == 10
    assert fold.run([Item(1), Item(3)])[0] == 4


def test_steps_have_the_remarks_of_their_states():
    assert [tuple(step) for step in summing().steps(Item(1), Item(3, heavy=True), Item(2))] == [
        (1, 3, 7, "3 counts twice"),
        (7, 2, 9, ""),
    ]


def test_a_remark_of_an_item_is_not_one_of_the_step_that_returns_it():
    items = Remarked(1, why="of the item"), Remarked(2, why="of the item")
    fold = Fold((1, 2), lambda _, item: item)
    assert [step.why for step in fold.steps(*items)] == [""]


def test_items_are_met_in_their_order():
    items = Item(1, heavy=True), Item(3), Item(2, heavy=True), Item(4)
    found = summing(ordered=True).run(items)
    assert [step.right for step in found[1]] == [4, 1, 2]
    assert found[0] == summing().join(*items)
    assert [step.right for step in summing().run(items)[1]] == [3, 2, 4]


def test_an_order_may_leave_items_out():
    fold = Fold("abc", lambda state, item: state + item, order=lambda items: items[:2])
    assert fold.join("a", "b", "c") == "ab"


@pytest.mark.parametrize("items", [(), []])
def test_a_join_of_nothing_is_refused(golden, items):
    for ordered in (False, True):
        with pytest.raises(LatticeError) as caught:
            summing(ordered=ordered).join(*items)
        golden(caught.value)


def test_a_step_refuses_with_a_reason(golden):
    with pytest.raises(NoJoinError) as caught:
        summing(5).join(Item(2), Item(3), Item(1))
    golden(caught.value)
    assert caught.value.nodes == (5, 1)


def test_a_fold_has_nodes_in_the_order_given_once_each():
    fold = Fold("abca", max)
    assert fold.nodes == ("a", "b", "c")
    assert (len(fold), "b" in fold, "z" in fold) == (3, True, False)
    assert repr(fold) == "<Fold: 3 nodes>"


def test_folds_are_equal_if_their_parts_are():
    assert summing() == summing()
    assert summing() is not summing()
    assert hash(summing()) == hash(summing())
    assert summing(ordered=True) == summing(ordered=True)
    assert Fold("abc", max) == Fold("cba", max)
    assert hash(Fold("abc", max)) == hash(Fold("cba", max))
    different = [
        summing(),
        summing(99),
        summing(ordered=True),
        Fold(range(101), Sums(100).step),
        Fold(range(101), max),
        Fold(range(101), min),
        Fold(range(101), max, start=abs),
        Fold(range(101), max, order=list),
        Fold(range(101), max, order=sorted),
    ]
    assert [(a, b) for i, a in enumerate(different) for b in different[:i] if a == b] == []
    assert Fold("abc", max) != "abc"


def test_folds_pickle_if_their_functions_do():
    for fold in (summing(ordered=True), Fold("abc", max)):
        again = pickle.loads(pickle.dumps(fold))
        assert again == fold
        assert again is not fold
    assert pickle.loads(pickle.dumps(summing())).join(Item(1), Item(2)) == 3


class Widest(NamedTuple):
    """The widest dtype, and of two that are as wide the one that comes first."""

    why: str = ""

    def step(self, state, item):
        node = max(state.node, item.node, key=lambda d: d.bits)
        return Node(node, f"{item.operand.text} {self.why}" if self.why else "")


class Node(NamedTuple):
    node: object
    why: str = ""


DTYPES = tuple(map(dtype, ("int8", "uint8", "int16", "float16", "float32")))


def test_rules_that_fold_are_given_operands_and_explain_each_step(golden):
    rules = PromotionSystem("widest", Fold(DTYPES, Widest("came").step))
    told = rules.explain("int8", "float16", "int16")
    assert told.result is dtype("float16")
    assert told.join is rules.join
    assert [tuple(map(str, step)) for step in told.steps] == [
        ("int8", "float16", "float16", "float16 came"),
        ("float16", "int16", "float16", "int16 came"),
    ]
    golden(told.reason)
    assert told.to_dict()["steps"] == [
        ["int8", "float16", "float16", "float16 came"],
        ["float16", "int16", "float16", "int16 came"],
    ]


def test_an_order_changes_neither_the_operands_nor_their_order_in_an_explanation():
    fold = Fold(DTYPES, Widest().step, order=lambda items: sorted(items, key=lambda t: t.node.bits))
    rules = PromotionSystem("sorted", fold)
    told = rules.explain("float32", "int8", "int16")
    assert [op.text for op in told.operands] == ["float32", "int8", "int16"]
    assert all(isinstance(t, Classified) for t in told.classified)
    assert [str(step.left) for step in told.steps] == ["int8", "int16"]
    assert rules.promote_types("float32", "int8", "int16") is dtype("float32")


def test_rules_that_fold_refuse_with_the_reason_of_the_step(golden):
    def refuse(state, item):
        raise NoJoinError(f"{state.node} never meets {item.node}")

    rules = PromotionSystem("lonely", Fold(DTYPES, refuse))
    assert rules.result_type("int8") is dtype("int8")
    for ask in (rules.result_type, rules.promote_types, rules.explain):
        with pytest.raises(TypeError) as caught:
            ask("int8", "int16")
        golden(caught.value)


def test_a_dtype_that_the_fold_does_not_join_is_refused(golden):
    rules = PromotionSystem("widest", Fold(DTYPES, Widest().step))
    with pytest.raises(TypeError) as caught:
        rules.result_type("int8", "float64")
    golden(caught.value)
