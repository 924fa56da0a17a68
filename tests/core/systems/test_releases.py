"""Rules of several releases: what differs between them, and that all were measured."""

import json
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest

import supremum
from supremum.conformance.library import load
from supremum.core.systems import numpy

pytestmark = pytest.mark.thorough

FOUND = Path(__file__).resolve().parents[3] / "docs" / "reference" / "releases.json"
MEASURED = json.loads(FOUND.read_text("utf-8"))
JAX = supremum.system("jax").releases
NARROWED_LAST = supremum.system("jax", x64=False, version="0.4.35").releases
ML_DTYPES = supremum.options("numpy")["ml_dtypes"]


def answer(rules, *operands, op=None):
    try:
        return rules.result_type(*operands, op=op).name
    except supremum.PromotionError:
        return "-"


def test_the_newest_release_is_the_default():
    assert supremum.system("jax") is supremum.system("jax", version="0.10.2")
    assert supremum.system("numpy") is supremum.system("numpy", ml_dtypes="0.6.0")
    assert supremum.options("jax")["version"] == JAX
    assert JAX[0] == supremum.system("jax").version


@pytest.mark.parametrize("version", JAX)
def test_rules_know_their_release(version):
    rules = supremum.system("jax", version=version)
    assert rules.version == version
    assert rules.releases == JAX
    assert rules.setting["version"] == version
    narrow = supremum.system("jax", x64=False, version=version)
    assert version in narrow.releases
    assert (version in NARROWED_LAST) == (narrow.releases == NARROWED_LAST)


def test_releases_with_other_answers_are_apart():
    assert NARROWED_LAST == ("0.7.1", "0.7.0", "0.6.2", "0.5.3", "0.4.35")
    newest = supremum.system("jax", x64=False).releases
    assert newest == ("0.10.2", "0.9.2", "0.8.3", "0.7.2")


# operands, and the answer since 0.7.2 and before, with 64-bit types off
STANDARD = {
    ("uint64", "int8"): ("int32", "float32"),
    ("uint64", "int64"): ("int32", "float32"),
    ("int32", "uint64", "bool"): ("int32", "float32"),
    ("uint64", "uint32"): ("uint32", "uint32"),
    ("uint32", "int8"): ("int32", "int32"),
    ("uint64", 1): ("uint32", "uint32"),
    ("float64", "float64"): ("float32", "float32"),
    ("complex128", "bfloat16"): ("complex64", "complex64"),
}
STRICT = {
    ("uint32", "uint64"): ("uint32", "-"),
    ("int32", "int64"): ("int32", "-"),
    ("float32", "float64"): ("float32", "-"),
    ("complex64", "complex128"): ("complex64", "-"),
    ("int64", "int64"): ("int32", "int32"),
    ("int64", 1): ("int32", "int32"),
    ("int64", "int8"): ("-", "-"),
}


@pytest.mark.parametrize(("mode", "cases"), [("standard", STANDARD), ("strict", STRICT)])
@pytest.mark.parametrize("version", JAX)
def test_jax_narrows_before_or_after_joining(version, mode, cases):
    rules = supremum.system("jax", x64=False, mode=mode, version=version)
    which = int(version in NARROWED_LAST)
    found = {operands: answer(rules, *operands) for operands in cases}
    assert found == {operands: both[which] for operands, both in cases.items()}


@pytest.mark.parametrize("version", JAX)
def test_functions_of_jax_narrow_first_in_every_release(version):
    rules = supremum.system("jax", x64=False, version=version)
    assert answer(rules, "uint64", "int8", op="add") == "int32"


@pytest.mark.parametrize("version", JAX[1:])
@pytest.mark.parametrize("mode", ["standard", "strict"])
def test_with_64_bit_types_on_no_release_of_jax_differs(version, mode):
    rules, newest = (supremum.system("jax", mode=mode, version=v) for v in (version, JAX[0]))
    assert rules.table().rows() == newest.table().rows()


@pytest.mark.parametrize("version", ["0.7.1", "0.4.35"])
@pytest.mark.parametrize("mode", ["standard", "strict"])
def test_without_64_bit_types_the_laws_hold_as_for_the_newest_release(version, mode):
    found, newest = (
        supremum.laws(supremum.system("jax", x64=False, mode=mode, version=v))
        for v in (version, JAX[0])
    )
    assert found.hold == newest.hold
    assert [law.name for law in found.laws if law.holds] == [
        law.name for law in newest.laws if law.holds
    ]


def test_the_floats_of_early_ml_dtypes_do_not_know_its_narrow_integers():
    narrow = ("uint2", "uint4", "int2", "int4")
    floats = ("float4_e2m1fn", "float6_e3m2fn", "float8_e4m3fn", "float8_e3m4")
    for release in ML_DTYPES:
        rules = supremum.system("numpy", ml_dtypes=release)
        known = release in ("0.6.0", "0.5.4")
        for a, b in product(narrow, floats):
            assert answer(rules, a, b) == answer(rules, b, a) == (b if known else "-")
        assert answer(rules, "uint8", "float8_e4m3fn") == "float8_e4m3fn"
        assert answer(rules, "int4", "float32") == "float32"
        assert answer(rules, "uint2", "uint4") == "uint4"


def test_early_ml_dtypes_differ_in_narrow_integers_alone():
    newest, early = (supremum.system("numpy", ml_dtypes=v).table() for v in ("0.6.0", "0.5.3"))
    differing = [
        (a, b) for a, b in product(newest.nodes, repeat=2) if newest[a, b] is not early[a, b]
    ]
    assert differing
    for a, b in differing:
        kinds = {d.kind for d in (a, b)}
        assert kinds in ({"signed", "float"}, {"unsigned", "float"})
        assert early[a, b] is None
        assert any(d.kind != "float" and d.bits < 8 for d in (a, b))


def measured_releases(name):
    """Return the releases that were asked about some rules, of each distribution."""
    rows = [row for row in MEASURED if row["system"] == name]
    return [dict(pin.split("==") for pin in row["installed"].split()) for row in rows]


@pytest.mark.parametrize(
    ("name", "distribution"),
    [("numpy", "numpy"), ("jax", "jax"), ("jax-lax", "jax"), ("array-api", "array-api-strict")],
)
def test_every_release_that_rules_name_was_measured(name, distribution):
    found = {pins[distribution] for pins in measured_releases(name)}
    assert found == {*supremum.system(name).releases}


def test_every_release_of_ml_dtypes_was_measured():
    assert {pins["ml_dtypes"] for pins in measured_releases("numpy")} == {*ML_DTYPES}


def test_every_setting_of_a_release_was_measured_and_agrees():
    for row in MEASURED:
        library = load(row["system"])
        same = [
            {option: other["setting"][option] for option in library.settings[0]}
            for other in MEASURED
            if (other["system"], other["installed"]) == (row["system"], row["installed"])
        ]
        assert same == [dict(setting) for setting in library.settings]
        assert row["asked"] == row["agree"] > 500
        assert bool(row["not_asked"]) == bool(row["lacks"])


@pytest.mark.parametrize(
    ("op", "operands", "before", "since"),
    [
        ("eigvals", ("float32",), "float32", "complex64"),
        ("eigvals", ("int8",), "float64", "complex128"),
        ("eig[0]", ("float64",), "float64", "complex128"),
        ("eigvals", ("float16",), "-", "-"),
        ("where", ("uint8", 300), "uint8", "-"),
        ("where", ("uint8", 200), "uint8", "uint8"),
        ("add", ("uint8", 300), "-", "-"),
    ],
)
def test_some_functions_of_numpy_differ_since_2_5(op, operands, before, since):
    newer = supremum.system("numpy", version="2.5.5")
    assert answer(supremum.system("numpy"), *operands, op=op) == before
    assert answer(newer, *operands, op=op) == since
    assert newer.table().rows() == supremum.system("numpy").table().rows()


@pytest.mark.parametrize(
    ("release", "version"),
    [("2.4.6", "2.4.6"), ("2.0.2", "2.4.6"), ("2.5.5", "2.5.5"), ("2.6.0rc1", "2.5.5")],
)
def test_the_rules_of_numpy_are_those_of_its_release(release, version):
    followed = numpy.LIBRARY.rules_as_set(SimpleNamespace(__version__=release))
    assert supremum.system(followed).version == version
