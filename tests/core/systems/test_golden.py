"""The written tables, cell by cell."""

import json
from pathlib import Path

import pytest

import supremum

GOLDEN = Path(__file__).parents[2] / "golden"


def by_bytes(code):
    """Return the dtype of one of the original table's codes, which count a part's bytes."""
    if code in ("b1", "bf"):
        return supremum.dtype({"b1": "bool", "bf": "bfloat16"}[code])
    stem = {"u": "uint", "i": "int", "f": "float", "c": "complex"}[code[0]]
    parts = 2 if stem == "complex" else 1
    return supremum.dtype(f"{stem}{8 * parts * int(code[1])}")


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("jep9407_jax_numpy", "jax"),
        ("measured_jax_numpy_add", "jax"),
        ("measured_jax_lax", "jax-lax"),
    ],
)
def test_every_cell_of_the_18_dtypes_is_as_written(golden_table, asked, name, system):
    rules = supremum.system(system)
    cells = golden_table(name)
    assert len(cells) == 324
    assert {pair: asked(rules, *pair) for pair in cells} == cells


def test_every_cell_of_the_original_table_is_as_written(golden_table, asked):
    rules = supremum.system("jax-original")
    cells = golden_table("jax_original_table", by_bytes)
    assert len(cells) == 225
    assert {pair: asked(rules, *pair) for pair in cells} == cells


def test_the_highlighted_cells_of_the_original_table_are_marked():
    written = json.loads((GOLDEN / "jax_original_table.json").read_text(encoding="utf-8"))
    highlighted = {
        (by_bytes(row), by_bytes(column))
        for row, columns in written["differs_from_numpy"].items()
        for column in columns
    }
    assert len(highlighted) == 57
    assert supremum.system("jax-original").table().marked == highlighted


def test_the_rules_know_no_dtype_that_the_written_table_lacks(golden_table):
    written = {a for a, _ in golden_table("jax_original_table", by_bytes)}
    assert set(supremum.system("jax-original").dtypes) == written


def test_the_lattice_adds_nothing_but_narrow_dtypes_to_the_written_ones(golden_table):
    written = {a for a, _ in golden_table("jep9407_jax_numpy")}
    added = set(supremum.system("jax").dtypes) - written
    assert len(written) == 18
    assert all(d.bits <= 8 for d in added)
    assert len(added) == 17
