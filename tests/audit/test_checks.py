"""Operands are judged as they are: what an operation, or a store, does to their dtypes."""

import numpy as np
import pytest

from supremum.audit.log import violations
from supremum.audit.model.dtypes import Operation, holds, survive
from supremum.core.dtypes import by_name
from supremum.core.operands import Operand, operand

# What NumPy cannot do is judged from operands; `tests/peers` has it live.

WEAK = Operand("float32[3], weak", by_name("float32"), True, "array", "JAX", (3,))
STRONG = Operand("float32[]", by_name("float32"), False, "array", "JAX", ())


@pytest.mark.parametrize(
    ("left", "right", "charged"),
    [
        (WEAK, STRONG, [("weak-type-lost", 1, 0)]),
        (STRONG, WEAK, [("weak-type-lost", 0, 1)]),
        (WEAK, WEAK, []),
        (STRONG, STRONG, []),
        (WEAK, STRONG.ranked(1), []),
    ],
)
def test_strong_scalars_that_decide_for_weak_arrays(left, right, charged):
    found = violations.of_operation(Operation([left, right], by_name("float32")))
    assert [(c.kind, c.cause, c.against) for c in found] == charged


@pytest.mark.parametrize(
    ("left", "right", "result", "kinds"),
    [
        ("int64", "float16", "float16", ["overflow-risk", "precision-loss"]),
        ("int32", "bfloat16", "bfloat16", ["precision-loss"]),
        ("uint32", "float16", "float16", ["overflow-risk", "precision-loss"]),
        ("float32", "bfloat16", "float32", ["widening"]),
        ("float16", "bfloat16", "float32", ["widening"]),
        ("float32", "float16", "float16", ["overflow-risk", "precision-loss"]),
        ("int8", "float32", "float32", []),
        ("int64", "uint64", "float64", ["precision-loss", "precision-loss", "mixed-kind"]),
        ("int64", "int32", "int64", ["larger-integer"]),
        ("complex64", "float64", "complex128", ["widening"]),
        ("float32", "float32", "float32", []),
        ("bool", "float32", "float32", []),
        ("bool", "int64", "int64", []),
        ("float64", "complex128", "complex128", []),
    ],
)
def test_operands_are_judged(left, right, result, kinds):
    operands = [operand(by_name(left)), operand(by_name(right))]
    found = violations.of_operation(Operation(operands, by_name(result), "add"))
    assert [violation.kind for violation in found] == kinds


def test_python_numbers_are_not_charged():
    array = operand(np.ones(3, np.float16))
    assert violations.of_operation(Operation([array, operand(1.5)], array.dtype)) == []
    assert violations.of_operation(Operation([array, operand(10**6)], array.dtype)) == []


def test_division_of_integers_is_meant_to_give_floats():
    operands = [operand(by_name("int32")), operand(by_name("int64"))]
    assert violations.of_operation(Operation(operands, by_name("float64"), "divide")) == []
    assert violations.of_operation(Operation(operands, by_name("float64"), "add")) != []


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (2**24, "float32", True),
        (2**24 + 1, "float32", False),
        (2**24 + 2, "float32", True),
        (-(2**24) - 1, "float32", False),
        (2**128, "float32", False),
        (1e39, "float32", False),
        (float("inf"), "float16", True),
        (float("nan"), "int8", False),
        (65504.0, "float16", True),
        (65536.0, "float16", False),
        (5e-8, "float16", True),
        (1e-8, "float16", False),
        (0.1, "bfloat16", True),
        (127, "int8", True),
        (128, "int8", False),
        (-1, "uint8", False),
        (2.0, "int8", True),
        (2.5, "int8", False),
        (1e39j, "complex64", False),
        (1j, "complex64", True),
        (True, "int8", True),
    ],
)
def test_numbers_that_have_a_place(value, dtype, expected):
    assert holds(value, by_name(dtype)) is expected


@pytest.mark.parametrize(
    ("values", "dtype", "expected"),
    [
        ([2**24], "float32", True),
        ([2**24 + 1], "float32", False),
        ([-(2**24), 3], "float32", True),
        ([2**53], "float64", True),
        ([2**53 + 1], "float64", False),
        ([255, 0], "uint8", True),
        ([256], "uint8", False),
        ([-1], "uint8", False),
        ([], "uint8", True),
        ([2048], "float16", True),
        ([2049], "float16", False),
    ],
)
def test_values_that_survive(values, dtype, expected):
    assert survive(np.array(values, np.int64), by_name(dtype)) is expected


@pytest.mark.parametrize(("values", "expected"), [([1.0, -2.0], True), ([0.5], False)])
def test_fractions_that_survive(values, expected):
    assert survive(np.array(values), by_name("int64")) is expected
