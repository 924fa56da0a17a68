"""What the formats hold, against NumPy, ml_dtypes, and every bit pattern there is."""

import ctypes
import math
import subprocess
import sys
from types import SimpleNamespace

import ml_dtypes
import numpy as np
import pytest

import supremum
from supremum.core import dtypes, number_formats

CATALOGUE = [supremum.dtype(name) for name in supremum.names()]
INTEGERS = [d for d in CATALOGUE if d.kind in ("signed", "unsigned") and not d.weak]
IN_NUMPY = [d for d in INTEGERS if d.bits < 128]
FLOATS = [d for d in CATALOGUE if d.kind == "float" and not d.weak]
COMPLEX = [d for d in CATALOGUE if d.kind == "complex" and not d.weak]
SMALL = [d for d in FLOATS if d.bits <= 8]
BY_NUMPY = [supremum.dtype(n) for n in ("float16", "float32", "float64", "longdouble")]


def named(dtypes):
    return pytest.mark.parametrize("d", dtypes, ids=str)


def exact(value):
    """Return a number of NumPy or ml_dtypes as a ratio of integers."""
    if isinstance(value, np.longdouble):
        return value.as_integer_ratio()
    return float(value).as_integer_ratio()


def every_value(d):
    """Return the value of each bit pattern of a format of eight bits or fewer."""
    return np.arange(2**d.bits, dtype=np.uint8).view(np.dtype(d))


def test_the_catalogue_is_every_format_that_was_promised():
    assert len(INTEGERS) == 16
    assert {d.name for d in INTEGERS} - {d.name for d in IN_NUMPY} == {"int128", "uint128"}
    assert len(FLOATS) == 16
    assert len(COMPLEX) == 5
    assert len(SMALL) == 11
    assert [d.name for d in CATALOGUE if d.weak] == ["int*", "float*", "complex*"]
    assert len(CATALOGUE) == 1 + 16 + 16 + 5 + 3


def test_every_number_format_of_ml_dtypes_is_in_the_catalogue():
    theirs = {
        name
        for name, kind in vars(ml_dtypes).items()
        if isinstance(kind, type) and kind not in (ml_dtypes.finfo, ml_dtypes.iinfo)
    }
    assert theirs <= set(supremum.names())
    assert len(theirs) == 20


@named(IN_NUMPY)
def test_integers_are_as_iinfo_says(d):
    known = ml_dtypes.iinfo(np.dtype(d))
    assert (d.bits, d.min, d.max) == (known.bits, known.min, known.max)
    assert d.precision == known.bits - (known.kind == "i")


@named(INTEGERS)
def test_integers_have_the_bounds_of_their_bits(d):
    digits = d.bits - (d.kind == "signed")
    assert d.name == f"{'int' if d.kind == 'signed' else 'uint'}{d.bits}"
    assert (d.precision, d.max) == (digits, 2**digits - 1)
    assert d.min == (-(2**digits) if d.kind == "signed" else 0)


@named(INTEGERS)
def test_integers_have_no_exponent_and_nothing_beyond_numbers(d):
    assert (d.min_exponent, d.max_exponent, d.smallest_normal) == (None, None, None)
    assert (d.has_inf, d.has_nan, d.signed_zero) == (False, False, False)


@named(IN_NUMPY)
def test_integers_hold_their_bounds_and_nothing_beyond(d):
    numbers = np.array([d.min, d.max, d.min - 1, d.max + 1], dtype=object)
    modulo = [int(n) % 2**d.bits for n in numbers]
    bottom, top, below, above = map(int, np.array(modulo, np.uint64).astype(np.dtype(d)))
    assert (bottom, top, below, above) == (d.min, d.max, d.max, d.min)


def test_bool_holds_zero_and_one():
    d = supremum.dtype("bool")
    assert (d.bits, d.precision, d.min, d.max) == (8, 1, 0, 1)
    assert d.bits == 8 * np.dtype(d).itemsize
    assert (d.has_inf, d.has_nan, d.signed_zero) == (False, False, False)


@named(FLOATS)
def test_floats_are_as_finfo_says(d):
    known = ml_dtypes.finfo(np.dtype(d))
    assert d.bits == known.bits
    assert d.precision == known.nmant + 1
    assert d.min_exponent == known.minexp
    assert d.max_exponent == known.maxexp - 1
    for ours, theirs in (
        (d.max, known.max),
        (d.min, known.min),
        (d.smallest_normal, known.smallest_normal),
    ):
        assert ours.as_integer_ratio() == exact(theirs)


@named(BY_NUMPY)
def test_the_floats_that_numpy_has_are_as_its_finfo_says(d):
    known = np.finfo(np.dtype(d))
    assert d.bits == known.bits
    assert d.precision == known.nmant + 1
    assert (d.min_exponent, d.max_exponent) == (known.minexp, known.maxexp - 1)
    assert d.max.as_integer_ratio() == exact(known.max)
    assert d.min.as_integer_ratio() == exact(known.min)
    assert d.smallest_normal.as_integer_ratio() == exact(known.smallest_normal)
    assert (d.has_inf, d.has_nan, d.signed_zero) == (True, True, True)


@named(FLOATS)
def test_the_exponents_are_those_of_the_smallest_normal_and_the_largest_value(d):
    over, under = d.smallest_normal.as_integer_ratio()
    assert over * 2**-d.min_exponent == under if d.min_exponent < 0 else over == 2**d.min_exponent
    assert 2**d.max_exponent <= int(d.max) < 2 ** (d.max_exponent + 1)


@named(SMALL)
def test_the_bounds_are_those_of_every_bit_pattern(d):
    finite = [float(x) for x in every_value(d) if np.isfinite(x)]
    assert max(finite) == d.max
    assert min(finite) == d.min


@named(SMALL)
def test_infinities_and_nans_are_there_exactly_if_some_bit_pattern_is_one(d):
    values = [float(x) for x in every_value(d)]
    assert any(map(math.isinf, values)) == d.has_inf
    assert any(map(math.isnan, values)) == d.has_nan


@named(SMALL)
def test_minus_zero_is_there_exactly_if_two_bit_patterns_are_zero(d):
    signs = {math.copysign(1, float(x)) for x in every_value(d) if float(x) == 0}
    assert (signs == {1.0, -1.0}) == d.signed_zero
    assert (signs == set()) == (d.name == "float8_e8m0fnu")


@named(SMALL)
def test_the_smallest_normal_is_the_first_value_with_its_whole_precision(d):
    positive = sorted(x for x in map(float, every_value(d)) if 0 < x < math.inf)
    # in full precision, as many values share an exponent as the mantissa has patterns
    full = [x for x in positive if sum(_same_exponent(x, y) for y in positive) >= _patterns(d)]
    assert min(full) == d.smallest_normal


def _same_exponent(x, y):
    return math.frexp(x)[1] == math.frexp(y)[1]


def _patterns(d):
    return 2 ** (d.precision - 1)


@named(SMALL)
def test_the_mantissa_has_as_many_bits_as_the_precision_says(d):
    finite = [x for x in map(float, every_value(d)) if math.isfinite(x)]
    significands = [abs(x).as_integer_ratio()[0] for x in finite if x]
    odd = [n >> ((n & -n).bit_length() - 1) for n in significands]
    assert max(n.bit_length() for n in odd) == d.precision


@named(COMPLEX)
def test_a_complex_dtype_is_two_of_its_part(d):
    assert d.part.kind == "float"
    assert d.bits == 2 * d.part.bits
    for fact in ("precision", "max", "min", "min_exponent", "max_exponent", "smallest_normal"):
        assert getattr(d, fact) == getattr(d.part, fact)
    for fact in ("has_inf", "has_nan", "signed_zero"):
        assert getattr(d, fact) is getattr(d.part, fact)


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("bcomplex32", "bfloat16"),
        ("complex32", "float16"),
        ("complex64", "float32"),
        ("complex128", "float64"),
        ("clongdouble", "longdouble"),
    ],
)
def test_the_parts_of_complex_dtypes(name, part):
    d = supremum.dtype(name)
    assert d.part is supremum.dtype(part)
    parts = np.zeros(1, np.dtype(d)).view(np.dtype(d.part))
    assert parts.size == 2


@pytest.mark.parametrize("name", ["int*", "float*", "complex*"])
def test_a_weak_dtype_has_no_width_and_no_facts(name):
    d = supremum.dtype(name)
    facts = ("bits", "precision", "max", "min", "min_exponent", "max_exponent", "smallest_normal")
    assert [getattr(d, fact) for fact in facts] == [None] * 7
    assert (d.has_inf, d.has_nan, d.signed_zero, d.weak) == (False, False, False, True)
    assert d.part is d


def test_long_doubles_count_their_padding_as_numpy_does():
    assert supremum.dtype("longdouble").bits == 8 * np.dtype(np.longdouble).itemsize
    assert supremum.dtype("clongdouble").bits == 8 * np.dtype(np.clongdouble).itemsize


@pytest.mark.parametrize(
    ("order", "one", "facts"),
    [
        ("little", "0000000000000080ff3f000000000000", (128, 64, 16383)),
        ("little", "0000000000000080ff3f0000", (96, 64, 16383)),
        ("little", "0000000000000000000000000000ff3f", (128, 113, 16383)),
        ("little", "000000000000f03f", (64, 53, 1023)),
        ("big", "3fff0000000000000000000000000000", (128, 113, 16383)),
        ("big", "3ff0000000000000", (64, 53, 1023)),
    ],
)
def test_the_long_doubles_of_other_platforms_are_known(monkeypatch, order, one, facts):
    use_long_double(monkeypatch, bytes.fromhex(one), order)
    found = number_formats.long_double()
    assert (found["bits"], found["precision"], found["max_exponent"]) == facts
    assert found["min_exponent"] == 1 - found["max_exponent"]


def test_rules_that_have_long_doubles_do_not_ask_the_platform_about_them():
    asked = "import supremum, sys; supremum.system('numpy').result_type('int8', 'longdouble')"
    said = "print({'ctypes', 'fractions'} & {*sys.modules})"
    told = "print(supremum.dtype('clongdouble').bits // supremum.dtype('longdouble').bits)"
    code = f"{asked}; {said}; {told}"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines() == ["set()", "2"]


def test_what_numpys_dtypes_have_and_ours_do_not_is_refused_with_what_to_type():
    with pytest.raises(AttributeError, match=r"no attribute 'itemsize'; type d.bits // 8"):
        supremum.dtype("int8").itemsize  # noqa: B018  # it is refused
    assert not hasattr(supremum.dtype("longdouble"), "nonesuch")


def test_a_long_double_of_an_unknown_format_is_refused(golden, monkeypatch):
    use_long_double(monkeypatch, b"\0" * 16, "little")
    assert number_formats.long_double() is None
    with pytest.raises(supremum.DTypeError) as caught:
        dtypes._long_double_facts()
    golden(caught.value)
    assert caught.value.candidates == ("float64",)


def use_long_double(monkeypatch, one, order):
    """Have this platform write the long double 1.0 as these bytes."""

    class LongDouble(ctypes.Structure):
        _fields_ = (("digits", ctypes.c_ubyte * len(one)),)

        def __init__(self, _):
            super().__init__(tuple(one))

    monkeypatch.setattr(ctypes, "c_longdouble", LongDouble)
    monkeypatch.setattr(number_formats, "sys", SimpleNamespace(byteorder=order))
