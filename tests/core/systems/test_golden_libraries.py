"""The written tables of libraries, cell by cell, with ranks and values where they matter."""

import json
from pathlib import Path

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
    return Operand(f"{code}[{'3' * rank}]", from_code(code), False, "array", shape=(3,) * rank)


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
