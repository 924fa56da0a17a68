"""Where two rules differ, grouped by reason."""

import json
from collections import Counter
from pathlib import Path

import pytest

import supremum
from supremum import diff, dtype, show
from supremum.core.analysis.compare import compared_libraries
from supremum.core.analysis.differences import Cell, Diff
from supremum.core.errors import RulesError
from supremum.custom import PromotionSystem

GOLDEN = Path(__file__).parents[2] / "golden"


BRAIN = dtype("bfloat16")


NARROW = PromotionSystem.from_lattice("i8 -> i16 -> f32", "narrow")


WIDE = PromotionSystem.from_table(
    """
          i8   i16  f32
    i8    i16  i16  -
    i16   i16  i16  f32
    f32   -    f32  f32
    """,
    "wide",
)


def pairs(found):
    return {(dtype(c.left), dtype(c.right)) for c in found.cells}


def highlighted():
    """Return the pairs that the document highlights as different from NumPy."""
    by_bytes = {"b1": "bool", "bf": "bfloat16"}
    by_bytes |= {f"u{n}": f"uint{8 * n}" for n in (1, 2, 4, 8)}
    by_bytes |= {f"i{n}": f"int{8 * n}" for n in (1, 2, 4, 8)}
    by_bytes |= {f"f{n}": f"float{8 * n}" for n in (2, 4, 8)}
    by_bytes |= {f"c{n}": f"complex{16 * n}" for n in (4, 8)}
    written = json.loads((GOLDEN / "jax_original_table.json").read_text(encoding="utf-8"))
    rows = written["differs_from_numpy"].items()
    return {(dtype(by_bytes[a]), dtype(by_bytes[b])) for a, columns in rows for b in columns}


def test_jaxs_original_table_differs_from_numpy_as_its_document_highlights():
    found = pairs(diff("jax-original", "numpy"))
    marked = highlighted()
    assert len(marked) == 57
    assert {p for p in found if BRAIN not in p} == {p for p in marked if BRAIN not in p}
    assert len({p for p in marked if BRAIN not in p}) == 28
    assert found < marked


def test_ml_dtypes_has_since_made_15_cells_of_bfloat16_equal():
    since = highlighted() - pairs(diff("jax-original", "numpy"))
    names = ["bool", "uint8", "int8", "bfloat16", "float32", "float64", "complex64", "complex128"]
    others = {dtype(name) for name in names}
    assert since == {(BRAIN, d) for d in others} | {(d, BRAIN) for d in others}
    assert len(since) == 15


def test_what_differs_is_grouped_by_reason_the_commonest_first():
    found = diff("jax-original", "numpy")
    grouped = found.grouped()
    assert {reason: len(cells) for reason, cells in grouped.items()} == {
        "wider in numpy": 28,
        "refused in numpy": 14,
    }
    assert list(grouped) == ["wider in numpy", "refused in numpy"]
    assert [cell for cells in grouped.values() for cell in cells] == sorted(
        found.cells, key=lambda c: c.second is None
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [("numpy", "jax"), ("numpy", "torch"), ("jax", "tensorflow"), ("keras", "mlx")],
)
def test_a_difference_is_one_from_either_side(first, second):
    there, back = diff(first, second), diff(second, first)
    assert there.operands == back.operands
    turned = [Cell(c.left, c.right, c.second, c.first, c.reason) for c in back.cells]
    assert [c[:4] for c in there.cells] == [c[:4] for c in turned]
    reasons = [{there.reason, back.reason} for there, back in zip(there.cells, turned, strict=True)]
    assert all(len(r) == 1 or " in " in min(r) for r in reasons)


@pytest.mark.parametrize("name", compared_libraries())
def test_no_rules_differ_from_themselves(name):
    assert diff(name, name).cells == ()


@pytest.mark.parametrize(
    ("first", "second", "pair", "answers", "reason"),
    [
        ("numpy", "jax", ("int32", "float32"), ("float64", "float32"), "wider in numpy"),
        ("jax", "numpy", ("int32", "float32"), ("float32", "float64"), "wider in numpy"),
        ("jax", "torch", ("bool", "uint16"), ("uint16", None), "refused in torch"),
        ("torch", "jax", ("bool", "uint16"), (None, "uint16"), "refused in torch"),
        ("numpy", "torch", ("uint64", "int8[]"), ("float64", "uint64"),
         "float in numpy, unsigned in torch"),
        ("numpy", "torch", ("uint8", "int16[]"), ("int16", "uint8"), "wider in numpy"),
        ("numpy", "jax", ("bool", "int*"), None, None),
        ("numpy", "torch", ("bool", "float64"), None, None),
    ],
)  # fmt: skip
def test_a_pair_that_differs_has_both_answers_and_a_reason(first, second, pair, answers, reason):
    found = {(c.left, c.right): c for c in diff(first, second).cells}
    if answers is None:
        assert pair not in found
        return
    cell = found[pair]
    assert tuple(d and d.name for d in (cell.first, cell.second)) == answers
    assert cell.reason == reason


def test_the_reasons_of_rules_of_ones_own():
    same = PromotionSystem.from_table("      f16  bf16\nf16  f16  f16\nbf16 f16  bf16", "half")
    other = PromotionSystem.from_table("      f16  bf16\nf16  f16  bf16\nbf16 bf16 bf16", "brain")
    reasons = {c.reason for c in diff(same, other).cells}
    assert reasons == {"as wide, but another format"}
    assert {(c.left, c.right, c.reason) for c in diff(NARROW, WIDE).cells} == {
        ("int8", "int8", "wider in wide"),
        ("int8", "float32", "refused in wide"),
        ("float32", "int8", "refused in wide"),
    }


@pytest.mark.parametrize(
    ("first", "second", "asks_0d"),
    [
        ("numpy", "jax", False),
        ("numpy", "torch", True),
        ("torch", "jax", True),
        ("paddle", "keras", True),
        ("jax", "keras", False),
    ],
)
def test_arrays_without_dimensions_are_asked_about_where_either_looks_at_them(
    first, second, asks_0d
):
    texts = [op.text for op in diff(first, second).operands]
    assert any(text.endswith("[]") for text in texts) is asks_0d
    strong = [text for text in texts if not text.endswith(("[]", "*"))]
    assert [text for text in texts if text.endswith("[]")] == [f"{t}[]" for t in strong if asks_0d]


def test_python_scalars_are_asked_about_where_both_take_them():
    assert {"int*", "float*", "complex*"} <= {op.text for op in diff("numpy", "jax").operands}
    assert not [op for op in diff("jax-original", "jax").operands if op.dtype.weak]
    cells = {(c.left, c.right): c for c in diff("numpy", "keras").cells}
    assert cells["uint8", "float*"][2:] == (dtype("float64"), dtype("float32"), "wider in numpy")


def test_the_scalars_of_libraries_that_look_at_ranks_are_asked_about():
    texts = {op.text for op in diff("numpy", "torch").operands}
    assert {"int*", "float*", "complex*"} <= texts


def test_a_function_is_compared_by_what_it_gives():
    plain, divided = diff("numpy", "jax"), diff("numpy", "jax", op="true_divide")
    assert (plain.op, divided.op) == (None, "true_divide")
    found = {(c.left, c.right): c for c in divided.cells}
    assert found["int8", "int8"][2:] == (dtype("float64"), dtype("float32"), "wider in numpy")
    assert ("int8", "int8") not in {c[:2] for c in plain.cells}
    assert ("float32", "float32") not in found


def test_the_table_is_that_of_the_second_rules_with_the_differences_marked():
    found = diff("jax-original", "numpy")
    table = found.table()
    assert table.marked == pairs(found)
    assert set(table.nodes) >= set(supremum.system("jax-original").dtypes)
    numpy = supremum.system("numpy")
    for a in supremum.system("jax-original").dtypes:
        for b in supremum.system("jax-original").dtypes:
            try:
                answer = numpy.promote_types(a, b)
            except supremum.PromotionError:
                answer = None
            assert table[a, b] is answer


def test_the_table_leaves_arrays_without_dimensions_out():
    table = diff("numpy", "torch").table()
    assert all(dtype(str(node)) is node for node in table.nodes)
    assert (dtype("bool"), dtype("uint16")) in table.marked
    assert (dtype("uint8"), dtype("int16")) not in table.marked


@pytest.mark.parametrize("format", ["markdown", "rst", "html"])
def test_the_table_can_be_rendered(format, run):
    printed = run("diff", "jax-original", "numpy", "--format", format)
    assert printed.exit_code == 1
    rendered = show.render(diff("jax-original", "numpy").table(), format)
    assert printed.stdout.removesuffix("\n") == rendered


def test_a_difference_is_plain_data_too():
    assert diff(NARROW, WIDE).to_dict() == {
        "first": "narrow",
        "second": "wide",
        "labels": ["", ""],
        "op": None,
        "expr": "",
        "asked": 9,
        "differences": [
            {
                "operands": ["int8", "int8"],
                "narrow": "int8",
                "wide": "int16",
                "reason": "wider in wide",
            },
            {
                "operands": ["int8", "float32"],
                "narrow": "float32",
                "wide": None,
                "reason": "refused in wide",
            },
            {
                "operands": ["float32", "int8"],
                "narrow": "float32",
                "wide": None,
                "reason": "refused in wide",
            },
        ],
    }


def test_a_difference_is_printed_by_reason(golden):
    golden(diff(NARROW, WIDE))


def test_a_long_group_is_cut_short_and_its_columns_keep_apart():
    lines = str(diff("numpy", "jax")).splitlines()
    found = diff("numpy", "jax")
    assert lines[0] == f"numpy and jax (x64 on) differ in {len(found.cells)} of 1225 pairs"
    most = Counter(cell.reason for cell in found.common).most_common(1)[0][1]
    assert f"    and {most - 8} more" in lines
    for line in lines:
        if " with " in line:
            words = line.split()
            assert words[1] == "with"
            assert len(words) == 5, line


def test_two_settings_of_one_library_are_told_apart():
    found = diff("jax", "jax:mode=strict")
    assert found.names == ("jax (x64 on)", "jax (x64 on, strict)")
    assert set(found.grouped()) == {"refused in jax (x64 on, strict)"}
    assert set(found.to_dict()["differences"][0]) == {"operands", "reason", *found.names}
    assert str(found).endswith("as in supremum diff jax jax:mode=strict int4 int8")


def test_two_rules_that_agree_say_so(golden):
    golden(diff("jax", "jax"))
    assert isinstance(diff("jax", "jax"), Diff)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: diff("nmpy", "jax"), "there are no rules named 'nmpy'; did you mean numpy?"),
        (lambda: diff("jax", "jaxx"), "there are no rules named 'jaxx'; did you mean jax"),
        (lambda: diff("python", "cupy", op="divide"), "'divide'"),
        (lambda: diff("numpy", "jax", op="true_divid"), "did you mean true_divide"),
        (lambda: diff("numpy", "jep9407-option3", op="add"), "no function rules are defined"),
        (
            lambda: diff(PromotionSystem.from_lattice("f32 -> f64", "mine"), "python"),
            "mine and python have no dtype in common",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(ask, message):
    with pytest.raises(RulesError) as caught:
        ask()
    assert message in str(caught.value)


def test_diff_on_the_command_line(run):
    found = run("diff", "jax-original", "numpy")
    assert (found.exit_code, found.stderr) == (1, "")
    assert found.stdout == f"{diff('jax-original', 'numpy')}\n"
    as_json = run("diff", "jax-original", "numpy", "--format", "json")
    assert json.loads(as_json.stdout) == diff("jax-original", "numpy").to_dict()
    divided = run("diff", "numpy", "jax", "--op", "true_divide", "-f", "json")
    assert json.loads(divided.stdout) == diff("numpy", "jax", op="true_divide").to_dict()


def test_diff_takes_rules_from_files(run):
    Path("mine.txt").write_text("i8 -> i16 -> f32\n")
    assert run("diff", "mine.txt", "jax").stdout.startswith(
        "mine and jax (x64 on) differ in 0 of 9 "
    )


@pytest.mark.parametrize(
    "words",
    [
        ["diff", "nmpy", "jax"],
        ["diff", "numpy"],
        ["diff", "numpy", "jax", "--op", "subtrac"],
        ["diff", "numpy", "jax", "-f", "csv"],
        ["compare"],
        ["compare", "int8", "--json"],
        ["compare", "u9"],
    ],
)  # fmt: skip
def test_a_mistake_is_answered_in_one_line(golden, run, words):
    found = run(*words)
    assert (found.exit_code, found.stdout) == (2, "")
    golden(found.stderr)


@pytest.mark.parametrize(("rules", "is_by_value"), [("numpy-legacy", True), ("tensorflow", False)])
def test_what_no_value_has_an_answer_for_is_refused(rules, is_by_value):
    found = diff("torch", rules).grouped()
    assert (f"by value in {rules}" in found) is is_by_value
