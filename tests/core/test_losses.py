"""What a value may lose on its way from one dtype to another."""

from itertools import product

import numpy as np
import pytest

import supremum
from supremum import dtype
from supremum.core import losses, number_formats
from supremum.core.dtypes import _INTERNING

STRONG = [d for d in map(supremum.dtype, supremum.names()) if not d.weak]
INTEGERS = [d for d in STRONG if d.kind in ("signed", "unsigned")]


@pytest.mark.parametrize(
    ("source", "target", "lost"),
    [
        ("complex64", "float32", "the imaginary part"),
        ("complex64", "int8", "the imaginary part"),
        ("complex*", "bool", "the imaginary part"),
        ("float32", "int64", "the fraction"),
        ("float32", "bool", "the fraction"),
        ("int8", "bool", "all but whether it is zero"),
        ("uint64", "bool", "all but whether it is zero"),
        ("int8", "uint8", None),
        ("uint8", "int8", None),
        ("int64", "float16", None),
        ("bool", "int8", None),
        ("float64", "complex64", None),
        ("int*", "float*", None),
    ],
)
def test_what_has_no_place_is_dropped(source, target, lost):
    assert losses.dropped(dtype(source), dtype(target)) == lost


@pytest.mark.parametrize("source", INTEGERS, ids=str)
def test_an_integer_overflows_where_its_bounds_do_not_fit(source):
    for target in INTEGERS:
        low, high = max(source.min, target.min), min(source.max, target.max)
        fits = (low, high) == (source.min, source.max)
        assert losses.overflows(source, target) is not fits


@pytest.mark.parametrize(
    ("source", "target", "overflows"),
    [
        ("int64", "float16", True),
        ("uint16", "float16", True),
        ("int16", "float16", False),
        ("uint64", "float32", False),
        ("uint64", "bfloat16", False),
        ("float32", "float16", True),
        ("float32", "bfloat16", True),
        ("bfloat16", "float32", False),
        ("complex128", "complex64", True),
        ("float64", "complex64", True),
        ("float32", "complex64", False),
        ("int*", "int8", False),
        ("int64", "float*", False),
        ("bool", "int1", True),
        ("bool", "uint1", False),
        ("int8", "float4_e2m1fn", True),
        ("float16", "float8_e8m0fnu", True),
    ],
)
def test_a_range_that_is_smaller_overflows(source, target, overflows):
    assert losses.overflows(dtype(source), dtype(target)) is overflows


@pytest.mark.parametrize(
    ("source", "target", "loses"),
    [
        ("int32", "float32", True),
        ("int16", "float32", False),
        ("uint16", "float16", True),
        ("int64", "float64", True),
        ("int32", "float64", False),
        ("float16", "bfloat16", True),
        ("bfloat16", "float16", False),
        ("float64", "complex64", True),
        ("float64", "complex128", False),
        ("int64", "float*", False),
        ("float*", "float16", False),
        ("bool", "int1", True),
    ],
)
def test_fewer_significand_bits_lose_precision(source, target, loses):
    assert losses.loses_precision(dtype(source), dtype(target)) is loses


def test_precision_is_lost_exactly_where_some_integer_does_not_come_back():
    for source, name in product(INTEGERS, ("float16", "float32", "float64")):
        if source.bits > 32 or losses.overflows(source, dtype(name)):
            continue
        there = np.arange(source.max, max(source.max - 4, source.min), -1).astype(name)
        back = there.astype(np.int64)
        kept = back.tolist() == list(range(source.max, max(source.max - 4, source.min), -1))
        assert losses.loses_precision(source, dtype(name)) is not kept


@pytest.mark.parametrize(
    ("sources", "target", "widens"),
    [
        (["int8", "uint8"], "int16", True),
        (["int8", "int16"], "int16", False),
        (["float16", "bfloat16"], "float32", True),
        (["float64"], "complex128", False),
        (["float32"], "complex128", True),
        (["float32", "complex64"], "complex64", False),
        (["int*", "int8"], "int8", False),
        (["int*"], "int64", False),
        (["int8"], "float*", False),
        ([], "int8", False),
    ],
)
def test_a_result_is_wider_by_the_bits_of_one_part(sources, target, widens):
    assert losses.widens(map(dtype, sources), dtype(target)) is widens


def test_every_loss_is_told_in_a_sentence(golden):
    golden("\n".join(losses.describe(map(dtype, ["int32", "int32", "int8"]), dtype("float16"))))
    golden("\n".join(losses.describe([dtype("complex128")], dtype("float32"))))
    golden("\n".join(losses.describe([dtype("float32"), dtype("int8")], dtype("int8"))))
    golden("\n".join(losses.describe([dtype("int8")], dtype("uint16"))))
    golden("\n".join(losses.describe([dtype("float64")], dtype("float32"))))
    assert losses.describe([dtype("int8")], dtype("int8")) == []


def test_a_long_double_that_overflows_is_told_in_short(golden):
    facts = number_formats.floating(15, 63, 16383, "ieee")
    long_double = supremum.DType(_INTERNING, "longdouble", "float", facts)
    told = losses.describe([long_double], dtype("float64"))
    golden("\n".join(told))


@pytest.mark.parametrize("name", [d.name for d in INTEGERS if 8 <= d.bits <= 64])
@pytest.mark.parametrize("op", ["add", "subtract", "multiply"])
def test_common_numbers_wrap_around_as_in_numpy(name, op):
    d = dtype(name)
    told = losses.common_overflow(op, (d, d), d)
    common = np.arange(min(256, d.max) + 1)
    exact = getattr(np, op).outer(common, common)
    assert bool(told) is bool(((exact < d.min) | (exact > d.max)).any())
    if told:
        computation, _, result = told.partition(" is ")
        a, _, b = computation.split()
        assert getattr(np, op)(*np.array([[a], [b]], name)).item() == int(result)


@pytest.mark.parametrize(
    ("op", "given", "result", "told"),
    [
        ("multiply", ("uint8", 100), "uint8", "3 * 100 is 44"),
        ("multiply", ("uint8", 1), "uint8", ""),
        ("multiply", ("uint8", "int8"), "int16", ""),
        ("subtract", (5, 1), "uint64", ""),
        ("add", (200, 100), "uint8", "200 + 100 is 44"),
        ("negative", ("uint16",), "uint16", "-1 is 65535"),
        ("negative", ("int16",), "int16", ""),
        ("add", ("float16", "float16"), "float16", ""),
        ("add", ("int*", "int*"), "int*", ""),
        ("multiply", ("int*", "uint8"), "uint8", "16 * 16 is 0"),
        ("divide", ("uint8", "uint8"), "uint8", ""),
    ],
)
def test_an_operand_has_its_value_or_any_that_its_dtype_holds(op, given, result, told):
    values = tuple(dtype(x) if isinstance(x, str) else x for x in given)
    assert losses.common_overflow(op, values, dtype(result)) == told
