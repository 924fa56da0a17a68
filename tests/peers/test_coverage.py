"""How many functions of the live libraries their rules know."""

import sys
from pathlib import Path

import pytest

from supremum import RulesError

sys.path.insert(0, str(Path(__file__).parent))  # where it lies
from covered import coverable, coverage

# What each library has too much or too little of to be read as its own list.
SOME = {
    "numpy": {"add.reduce", "linalg.inv", "fft.fft", "savez", "nancumprod"},
    "jax": {"add.reduce", "linalg.inv", "fft.fft", "savez", "vectorize"},
    "array-api": {"add", "linalg.inv", "fft.fft", "isdtype"},
    "torch": {"add", "abs_", "linalg.inv", "fft.fft", "special.erf", "Tensor.new_zeros"},
}
NOT_THERE = {
    "numpy": {"float32", "vectorize", "linalg", "matmul.reduce"},
    "jax": {"float32", "ufunc"},
    "array-api": {"linalg.Literal", "linalg.finfo", "float32"},
    "torch": {"float32", "Tensor", "Tensor.add", "Tensor.add.reduce", "Tensor.det"},
}


@pytest.fixture(params=coverable())
def found(request):
    try:
        return coverage(request.param)
    except RulesError as error:
        pytest.skip(str(error))


def test_the_public_names_are_those_of_the_library(found):
    names = {*found.names}
    assert len(names) == len(found.names)
    assert names >= SOME[found.system]
    assert not names & NOT_THERE[found.system]


def test_what_is_left_out_is_there_and_has_no_rule(found):
    assert found.installed == found.written_for
    assert found.stale == ()


def test_every_name_is_known_left_out_or_missing(found, count):
    out = [n for names in found.left_out.values() for n in names]
    assert sorted([*found.known, *out, *found.missing]) == sorted(found.names)
    share = f"{found.percent:.1f} % of {found.dependent:,}"
    count(f"functions of {found.system} {found.installed}: {len(found.known):,} known, {share}")
