"""What the page asks is answered as Python answers."""

import json
from types import SimpleNamespace

import pytest

import supremum
from supremum.show.explore import questions, site
from supremum.show.explore.questions import answer


def asked(**question):
    return json.loads(answer(json.dumps(question)))


@pytest.mark.parametrize(
    ("text", "operands", "given"),
    [
        ("int32, float16, 1.0", ["int32", "float16", 1.0], {}),
        ("int32 float16 1.0", ["int32", "float16", 1.0], {}),
        ("(int32[3] + 1.5) / uint8[3]", ["(int32[3] + 1.5) / uint8[3]"], {}),
        ("np.mean(int8[3]) * 2 + float32[3]", ["np.mean(int8[3]) * 2 + float32[3]"], {}),
        ("np.add(int8[3], np.abs(int8[3]))", ["np.add(int8[3], np.abs(int8[3]))"], {}),
        ("x / y, x=int32[3], y=float16[3]", ["x / y"], {"x": "int32[3]", "y": "float16[3]"}),
        ("int8 -1", ["int8 -1"], {}),
    ],
)
def test_a_text_is_read_as_the_command_reads_words(text, operands, given):
    found = asked(ask="explain", text=text)
    why = supremum.explain(*operands, **given)
    assert (found["result"], found["weak"]) == (why.result.name, why.weak)
    if "reason" in found:
        assert found["reason"] == why.reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int32[3] + flaot32[3]", "did you mean float32"),
        ("i4, f2", "type 'int4' or 'int32'"),
        ("", "promotion needs one operand or more"),
        ("system=int8, x", "an operand cannot be named system"),
        ("(" * 200, "not an expression"),
        ("x" * 201, "the page takes 200 characters, not 201"),
        ("<img src=x onerror=alert(1)>", "not an expression"),
        ("numpy", "'numpy'"),
    ],
)
def test_a_mistake_is_told_as_python_tells_it(text, words):
    assert words in asked(ask="explain", text=text)["error"]


@pytest.mark.parametrize(
    "question",
    ["", "5", "[]", "{", "null", '"ask"', "{}", '{"ask": "system"}', '{"ask": ["explain"]}',
     '{"ask": "explain", "text": 5}', '{"ask": "explain", "__class__": "x"}', "[" * 100_000,
     '{"ask": "explain", "text": "\\ud800"}', '{"ask": "table", "system": "./rules.toml"}',
     '{"ask": "table", "system": "/etc/passwd"}'],
)  # fmt: skip
def test_what_is_no_question_is_refused(question):
    assert set(json.loads(answer(question))) == {"error"}


def test_no_rules_are_read_from_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.txt").write_text("i8 -> i16\n", "utf-8")
    for question in ("table", "laws", "explain", "draw"):
        text = {} if question == "laws" else {"text": "int8"}
        assert "no rules named" in asked(ask=question, system="mine.txt", **text)["error"]


def test_the_libraries_and_the_kinds_are_pythons():
    about = asked(ask="about")
    assert set(supremum.systems()) <= set(about["systems"])
    assert [supremum.system(name).name for name in about["systems"]]
    assert "jax:x64=false" in about["systems"]
    assert about["kinds"]["bfloat16"] == "float"


def test_every_library_is_compared():
    found = asked(ask="compare", text="int32, float16, 1.0")
    same = supremum.compare("int32", "float16", 1.0)
    assert [a["result"] for a in found["answers"]] == [a.result and a.result.name for a in same]
    assert found["summary"] == same.summary


@pytest.mark.parametrize("name", ["jax", "numpy", "torch", "array-api", "python"])
def test_the_table_is_pythons(name):
    found = asked(ask="table", system=name, rare="1")
    table = supremum.table(name)
    names = [[c and c[0] for c in row] for row in found["rows"]]
    assert names == [[d and d.name for d in row] for row in table.rows()]
    assert found["left_out"] == 0


def test_differences_are_counted_in_the_table_that_is_shown():
    found = asked(ask="table", system="jax", other="numpy", text="int32, float32")
    marked = sum(cell[2] for row in found["rows"] for cell in row if cell)
    refused = sum(cell is None for row in found["rows"] for cell in row)
    assert (
        found["says"]
        == f"numpy and jax differ in {marked} of {len(found['nodes']) ** 2} pairs here."
    )
    assert (refused, found["pair"], found["left_out"]) == (0, ["int32", "float32"], 17)
    assert found["text"].startswith("numpy and jax (x64 on) differ")


def test_a_refusal_that_differs_is_counted_and_marked():
    found = asked(ask="table", system="array-api", other="numpy")
    differ = supremum.diff("numpy", "array-api").table().marked
    shown = {name for name, _ in found["nodes"]}
    assert f"differ in {sum({a.name, b.name} <= shown for a, b in differ)} of" in found["says"]


def test_the_rules_of_a_step_are_drawn_and_its_operands_highlighted():
    text = "torch.add(int32[3], 1.5) + float32[3]"
    found = asked(ask="draw", text=text)
    assert found["rules"] == "torch"
    first = asked(ask="draw", text="(int32 + float16) * int8", step="0")["drawing"]
    assert {b["name"]: b["mark"] for b in first["boxes"] if b["mark"]} == {
        "int32": "operand", "int64": "path", "float*": "path", "float16": "join",
    }  # fmt: skip
    rare = asked(ask="draw", text="int4")["drawing"]
    assert "int4" in {b["name"] for b in rare["boxes"]}


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("np.float32(1)", "numpy"), ("torch.int32[3].view(torch.float32)", "torch"),
        ("torch.float32[3] & 1", "torch"), ("int32[3] + flaot", "jax"), ("", "jax"),
        ("int32, float32", "jax"), ("1 + 1.0", "jax"), ("np.int8[3] + 300", "numpy"),
    ],
)  # fmt: skip
def test_without_an_answer_the_table_is_of_the_rules_that_were_asked(text, rules):
    assert asked(ask="table", text=text)["rules"] == rules
    assert asked(ask="draw", text=text)["rules"] == rules
    assert asked(ask="draw", text=text, system="mlx")["rules"] == "mlx"


def test_a_result_that_settles_is_drawn_with_what_it_becomes():
    note = asked(ask="draw", text="int64, int32", system="jax:x64=false")["drawing"]["note"]
    assert note == str(supremum.draw("jax:x64=false", highlight=["int64", "int32"]).note)


def test_a_mistake_in_the_engine_is_told_and_the_page_goes_on(monkeypatch, capsys):
    monkeypatch.setitem(questions.QUESTIONS, "about", lambda: 1 / 0)
    assert "please report what you typed" in asked(ask="about")["error"]
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["jax", "numpy", "jep9407-option3-bfloat16"])
def test_the_drawing_is_that_of_the_command(name):
    found = asked(ask="draw", system=name)["drawing"]
    same = json.loads(json.dumps(supremum.draw(name).to_dict()))
    assert found == same


def test_a_table_that_is_no_order_is_drawn_without_what_keeps_it_so():
    note = asked(ask="draw", system="torch")["drawing"]["note"]
    assert "Without uint16" in note
    assert "is not an order" in note


def test_an_engine_that_lays_out_nothing_has_the_places_of_a_site(monkeypatch):
    there = asked(ask="draw", text="int32, float16", system="jax:x64=false")["drawing"]
    kept = json.loads(json.dumps(site.places()))
    monkeypatch.setattr("supremum.show.draw.places.find_spec", lambda _: None)
    assert not asked(ask="draw", text="int32, float16")["drawing"]["is_placed"]
    monkeypatch.setattr(questions, "_places", lambda: kept)
    found = asked(ask="draw", text="int32, float16", system="jax:x64=false")["drawing"]
    assert found["is_placed"]
    assert [round(b["x"]) for b in there["boxes"]] == [b["x"] for b in found["boxes"]]
    assert [b["mark"] for b in there["boxes"]] == [b["mark"] for b in found["boxes"]]
    for rules in supremum.systems():
        assert asked(ask="draw", system=rules)["drawing"]["is_placed"], rules


@pytest.mark.parametrize("name", ["python", "pyarrow"])
def test_laws_and_criteria_are_pythons(name):
    found = asked(ask="laws", system=name, rare="1")
    met = supremum.custom.criteria(name)
    assert found["laws"] == met.lawful.to_dict()["laws"]
    assert found["criteria"] == met.to_dict()["criteria"]


def test_laws_are_tried_on_common_dtypes_unless_all_are_asked_for():
    found = asked(ask="laws", system="torch")
    assert (found["of"], found["left_out"], found["lawful"]) == (15, 6, False)


@pytest.mark.parametrize(
    ("arrows", "words"),
    [
        ("i8 -> i16\ni16 -> i8", "line 2: the arrows make a cycle, i8 -> i16 -> i8"),
        ("a, b -> c\na, b -> d", "a and b have 2 least upper bounds, c and d"),
        ("__proto__ -> constructor; constructor -> __proto__", "the arrows make a cycle"),
    ],
)
def test_arrows_that_are_no_lattice_are_refused_and_drawn(arrows, words):
    found = asked(ask="own", arrows=arrows)
    assert words in found["refused"]
    assert any(box["mark"] for box in found["drawing"]["boxes"])


@pytest.mark.parametrize(
    ("arrows", "words"),
    [
        ("i8 > i16 i32", "line 1: invalid arrow chain 'i8 > i16 i32'"),
        ("", "there are no arrows; type i8 -> i16"),
        (",".join(f"n{i}" for i in range(201)), "the page takes 200 nodes"),
        (f"{','.join(map(str, range(500)))} -> {','.join(f'{i}x' for i in range(400))}", "nodes"),
        ("x" * 4001, "the page takes 4,000 characters"),
    ],
)
def test_arrows_that_cannot_be_read_are_refused(arrows, words):
    assert words in asked(ask="own", arrows=arrows)["error"]


def test_a_lattice_of_ones_own_is_judged_by_its_laws():
    found = asked(ask="own", arrows="i8 -> i16; u8 -> i16 -> f", x="i8", y="u8")
    lattice = SimpleNamespace(**{law["law"]: law for law in found["laws"]})
    assert lattice.monotonicity["cases"] > 0
    assert all(law["holds"] for law in found["laws"])
    assert found["drawing"]["note"] == "i8 and u8 give i16."
    partial = asked(ask="own", arrows="a; b")
    assert not partial["total"]
    assert {law["law"]: law["refused"] for law in partial["laws"]}["existence"] == 2
