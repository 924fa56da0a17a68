"""What JAX's documentation and the array API's proposal say of their tables, beside the cells."""

import json
from itertools import combinations, permutations, product
from pathlib import Path

import numpy as np
import pytest

import supremum
from supremum.core.dtypes import from_code

GOLDEN = Path(__file__).parents[2] / "golden"
PAGE = json.loads((GOLDEN / "jax_lattice_page.json").read_text("utf-8"))
DTYPES = [from_code(code) for code in PAGE["codes"]]
BRAIN = supremum.dtype("bfloat16")
CLASSES = {"int*": int, "float*": float, "complex*": complex}


def numpys(*dtypes):
    """Return what NumPy promotes dtypes to, as the page compares: a weak one is Python's class."""
    return supremum.dtype(np.promote_types(*(CLASSES.get(d.name, d.name) for d in dtypes)))


def is_inexact(d):
    return d.kind in ("float", "complex")


def test_the_table_of_the_lattice_page_is_as_written():
    jax = supremum.system("jax")
    written = {(a, b): answer for a, row in PAGE["table"].items() for b, answer in row.items()}
    assert len(written) == 324
    assert {
        (a.code, b.code): jax.promote_types(a, b).code for a, b in product(DTYPES, repeat=2)
    } == written


def test_the_green_cells_of_the_lattice_page_are_those_that_differ_from_numpy():
    jax = supremum.system("jax")
    green = {(a, b) for a, row in PAGE["differs_from_numpy"].items() for b in row}
    differing = [
        pair
        for pair in product(DTYPES, repeat=2)
        if BRAIN in pair or jax.explain(*pair).result is not numpys(*pair)
    ]
    assert {(a.code, b.code) for a, b in differing} == green
    kinds = [
        "bfloat16" if BRAIN in pair
        else "whole beside inexact" if is_inexact(pair[0]) != is_inexact(pair[1])
        else "Python number" if pair[0].weak or pair[1].weak
        else "none"
        for pair in differing
    ]  # fmt: skip
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "Python number": 26, "bfloat16": 35, "whole beside inexact": 34,
    }  # fmt: skip


def test_jax_prefers_inexact_dtypes_to_integers():
    jax = supremum.system("jax")
    strong = [d for d in DTYPES if not d.weak]
    for a, b in product(strong, repeat=2):
        if is_inexact(b) and not is_inexact(a):
            assert jax.promote_types(a, b) is b


def test_of_the_floats_only_float16_gives_bfloat16_another_dtype():
    jax = supremum.system("jax")
    inexact = [d for d in DTYPES if is_inexact(d) and not d.weak]
    found = {d.name: jax.promote_types(BRAIN, d) for d in inexact}
    others = {name: d.name for name, d in found.items() if d.name not in (name, "bfloat16")}
    assert others == {"float16": "float32"}


def test_the_warning_of_the_lattice_page_about_mixed_expressions():
    """`np.int16(1) + 1 + jnp.int16(1)`: NumPy decides the first addition, and JAX the second."""
    legacy = supremum.system("numpy-legacy")
    assert supremum.result_type(np.int16(1) + 1, "int16").name == "int16"
    assert legacy.result_type(np.int16(1), 1).name == "int64"
    left = np.int16(1) + 1.0
    assert supremum.result_type(left, "float16", system="jax").name == "float64"
    right = supremum.result_type(1.0, "float16")
    assert supremum.result_type(np.int16(1), right, system="jax").name == "float16"
    assert supremum.result_type(np.int16(1), 1.0, "float16", system="jax").name == "float16"


def test_the_lattice_answers_eight_cells_of_the_original_table_otherwise():
    original, jax = supremum.table("jax-original"), supremum.table("jax")
    signed = [d for d in original.nodes if d.kind == "signed"]
    uint64 = supremum.dtype("uint64")
    differing = original.differences(jax)
    assert set(differing) == {(uint64, d) for d in signed} | {(d, uint64) for d in signed}
    assert {original[pair].name for pair in differing} == {"float64"}
    assert {jax[pair].name for pair in differing} == {"float*"}
    assert len(differing) == 8


def test_the_original_table_fails_on_uint64_a_signed_integer_and_a_narrower_inexact_dtype():
    rules = supremum.system("jax-original")

    def fails(triple):
        return len({rules.promote_types(*order) for order in permutations(triple)}) > 1

    def has_all_three(triple):
        return (
            "uint64" in {d.name for d in triple}
            and any(d.kind == "signed" for d in triple)
            and any(is_inexact(d) and d.part.bits < 64 for d in triple)
        )

    triples = [*combinations(rules.dtypes, 3)]
    failing = [triple for triple in triples if fails(triple)]
    assert failing == [triple for triple in triples if has_all_three(triple)]
    assert len(failing) == 16


def test_the_original_table_highlights_what_differs_from_todays_numpy():
    original = supremum.table("jax-original")
    assert original.marked == {
        (a, b)
        for a, b in product(original.nodes, repeat=2)
        if BRAIN in (a, b) or original[a, b] is not numpys(a, b)
    }


@pytest.mark.parametrize("name", ["cupy", "dask"])
def test_cupy_and_dask_follow_numpy_as_the_proposal_says(name):
    numpy = supremum.system("numpy").table()
    assert supremum.system(name).table().differences(numpy) == []


@pytest.mark.parametrize(
    ("version", "adds"),
    [
        ("2021.12", "bool int* float*"),
        ("2024.12", "bool complex64 complex128 int* float* complex*"),
        ("2025.12", "bool complex64 complex128 int* float* complex*"),
    ],
)
def test_the_standard_keeps_the_cells_of_the_proposal_that_it_has(version, adds):
    proposal = supremum.system("array-api", version="proposal")
    standard = supremum.system("array-api", version=version)
    assert standard.table().differences(proposal.table()) == []
    assert [str(d) for d in proposal.dtypes if d not in standard.dtypes] == ["float16"]
    assert [str(d) for d in standard.dtypes if d not in proposal.dtypes] == adds.split()
