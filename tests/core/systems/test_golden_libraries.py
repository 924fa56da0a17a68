"""The written tables of libraries, cell by cell, with ranks and values where they matter."""

import json
from pathlib import Path

import numpy as np
import pytest

import supremum
from supremum.core.dtypes import from_code
from supremum.core.operands import Operand, operand

GOLDEN = Path(__file__).parents[2] / "golden"
ONES = {"i*": 1, "f*": 1.0, "c*": 1j}
ZEROS = {"i*": 0, "f*": 0.0, "c*": 0j}


def written(name):
    """Return the codes of a written table, and its cells."""
    table = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    cells = {(a, b): answer for a, row in table["table"].items() for b, answer in row.items()}
    assert len(table["codes"]) == 18
    assert len(cells) == 324
    return table["codes"], cells


def made(code, rank=1, scalars=ONES):
    """Return an array of a rank, or a Python scalar."""
    if code in scalars:
        return operand(scalars[code])
    return Operand(f"{code}[{'3' * rank}]", from_code(code), False, "array", rank=rank)


def answers(rules, codes, cells, *, op=None, ranks=(1, 1), scalars=ONES):
    """Return the answers of some rules in codes; refused is what has no code, too."""
    found = {}
    for a, b in cells:
        operands = made(a, ranks[0], scalars), made(b, ranks[1], scalars)
        try:
            code = rules.result_type(*operands, op=op).code
        except supremum.PromotionError:
            code = "-"
        found[a, b] = code if code in codes else "-"
    return found


@pytest.mark.parametrize(
    ("name", "system", "options", "op", "ranks"),
    [
        ("jep9407_pytorch", "torch", {"version": "1.10"}, None, (1, 1)),
        ("jep9407_tensorflow", "tensorflow", {}, None, (1, 1)),
        ("measured_tensorflow_add", "tensorflow", {"mode": "explicit"}, None, (1, 1)),
        ("measured_torch_result_type", "torch", {}, None, (1, 1)),
        ("measured_torch_result_type_0d_left", "torch", {}, None, (0, 1)),
        ("measured_torch_add", "torch", {}, "add", (1, 1)),
        ("measured_numpy_add", "numpy", {}, "add", (1, 1)),
    ],
)
def test_every_cell_is_as_written(name, system, options, op, ranks):
    codes, cells = written(name)
    rules = supremum.system(system, **options)
    assert answers(rules, codes, cells, op=op, ranks=ranks) == cells


@pytest.mark.parametrize("scalars", [ZEROS, ONES], ids=["zeros", "ones"])
def test_every_cell_of_numpys_table_in_the_document_is_as_written(scalars):
    codes, cells = written("jep9407_numpy")
    rules = supremum.system("numpy-legacy")
    assert answers(rules, codes, cells, scalars=scalars) == cells


def test_the_document_says_of_numpy_what_arrays_and_zeros_gave():
    codes, cells = written("jep9407_numpy")
    rules = supremum.system("numpy-legacy")
    live = {
        c: ZEROS[c] if c in ZEROS else np.ones(1, from_code(c).to("numpy"))
        for c in codes
        if c != "bf16"
    }
    for (a, b), answer in cells.items():
        if "bf16" in (a, b):
            assert answer == "-"
        else:
            assert rules.result_type(live[a], live[b]).code == answer


def test_the_codes_that_pytorch_leaves_out_are_complex32():
    rules = supremum.system("torch")
    for pair in [("f16", "c*"), ("c*", "f16")]:
        assert rules.result_type(*map(made, pair)).name == "complex32"
        assert written("measured_torch_result_type")[1][pair] == "-"


def test_bfloat16_is_what_numpys_operators_and_result_type_differ_in():
    codes, cells = written("measured_numpy_add")
    shared = answers(supremum.system("numpy"), codes, cells)
    left = {"u16": "-", "u32": "-", "u64": "-", "i16": "-", "i32": "-", "i64": "-", "f16": "-"}
    left["f*"] = "f64"
    expected = {(a, "bf16"): answer for a, answer in left.items()}
    expected |= {(b, a): answer for (a, b), answer in expected.items()}
    assert {pair: shared[pair] for pair in cells if shared[pair] != cells[pair]} == expected


def test_numpy_itself_still_adds_as_written():
    codes, cells = written("measured_numpy_add")
    import ml_dtypes  # noqa: F401  # registers bfloat16

    live = {c: ONES[c] if c in ONES else np.ones(1, from_code(c).to("numpy")) for c in codes}
    for (a, b), answer in cells.items():
        found = np.asarray(np.add(live[a], live[b])).dtype
        assert supremum.dtype(found).code == answer
