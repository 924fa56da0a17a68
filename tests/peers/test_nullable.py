"""pandas' nullable dtypes promote as those of NumPy do, and what Series are reduced to, too."""

import itertools
import operator

import numpy as np
import pytest

import supremum

pd = pytest.importorskip("pandas")

NUMBERS = [
    "Int8",
    "Int16",
    "Int32",
    "Int64",
    "UInt8",
    "UInt16",
    "UInt32",
    "UInt64",
    "Float32",
    "Float64",
]
OTHERS = [1, 1.5, 300, -1, True, np.int64(1), np.float32(1), np.float64(1)]
OPERATORS = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "true_divide": operator.truediv, "floor_divide": operator.floordiv,
    "remainder": operator.mod,
}  # fmt: skip


def given(ask, *operands):
    """Return the dtype of what an operation gives, or None if it is refused."""
    try:
        found = ask(*operands)
    except (supremum.PromotionError, TypeError, OverflowError, ValueError):
        return None
    return supremum.dtype(getattr(found, "dtype", found)).name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("op", OPERATORS)
def test_each_pair(op, count):
    columns = [pd.Series([1, 1], dtype=name) for name in NUMBERS]
    rules = supremum.system("pandas")
    pairs = [*itertools.product(columns, columns), *itertools.product(columns, OTHERS)]
    differ = [
        (a.dtype, getattr(b, "dtype", b), wanted, found)
        for a, b in pairs
        if (wanted := given(OPERATORS[op], a, b))
        != (found := given(lambda *x: rules.result_type(*x, op=op), a, b))
    ]
    count(f"pandas' nullable dtypes, {op}: {len(pairs)} pairs")
    assert differ == []


@pytest.mark.parametrize("written", ["x.all() & 1", "x.any() | x.all()", "x.all() ^ True"])
def test_bitwise_operators_of_scalars_that_a_series_was_reduced_to(written):
    x = pd.Series([0.5], dtype="float32")
    live = eval(written)  # of pandas itself
    assert supremum.explain(written, system="pandas", x=x).result == live.dtype.name


def test_what_is_written_of_them_says_that_they_are_nullable():
    assert supremum.custom.operand(pd.Series([1, None], dtype="UInt8")).text == "UInt8[2]"


def test_an_explanation_says_what_pandas_calls_it():
    column = pd.Series([1, None], dtype="Int64")
    assert supremum.explain(column, 1.5, system="pandas").remarks == ["pandas calls it Float64."]
    assert supremum.explain(pd.Series([1, 2]), 1.5, system="pandas").remarks == []
