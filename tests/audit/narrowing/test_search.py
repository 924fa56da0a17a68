"""Delta debugging finds as many changes as are right together."""

from itertools import chain, combinations

import pytest

from supremum.audit.trial.search import largest

ITEMS = range(4)
SUBSETS = [frozenset(some) for n in range(5) for some in combinations(ITEMS, n)]


def families():
    """Yield every family of subsets that is right for a set of items that are wrong together."""
    for wrong in chain.from_iterable(combinations(SUBSETS[1:], n) for n in range(3)):
        yield [some for some in SUBSETS if not any(bad <= some for bad in wrong)]


@pytest.mark.parametrize("groups", [[[0, 1, 2, 3]], [[0, 1], [2, 3]], [[0], [1, 2, 3]]])
def test_no_item_can_be_added_to_what_is_found(groups):
    for right in families():
        found = frozenset(largest(groups, lambda some, right=right: frozenset(some) in right))
        assert found in right
        assert not any(found < other for other in right)


def test_one_trial_is_enough_where_all_are_right():
    tried = []
    assert largest([[1, 2], [3]], lambda some: not tried.append(some)) == [1, 2, 3]
    assert tried == [[1, 2, 3]]


def test_nothing_is_tried_without_items():
    assert largest([], lambda _: pytest.fail("it was tried")) == []
