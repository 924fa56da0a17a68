"""Tables in each of the formats that documents are written in."""

import csv
import json

import pytest

import supremum
from supremum import RulesError
from supremum.custom import PromotionSystem, Table
from supremum.show import FORMATS, render

SMALL = """
        i8   u8   i*
    i8  i8   -    i8
    u8  -    u8!  u8
    i*  i8!  u8   i*
"""

RENDERED = {
    "text": """
    u8  i8  i*
u8  u8! -   u8
i8  -   i8  i8
i*  u8  i8! i*
""",
    "markdown": r"""
|     | u8     | i8     | i\* |
| --- | ------ | ------ | --- |
| u8  | **u8** | -      | u8  |
| i8  | -      | i8     | i8  |
| i\* | u8     | **i8** | i\* |
""",
    "rst": r"""
===  ======  ======  ===
\    u8      i8      i\*
===  ======  ======  ===
u8   **u8**  -       u8
i8   -       i8      i8
i\*  u8      **i8**  i\*
===  ======  ======  ===
""",
    "csv": """
,uint8,int8,int*
uint8,uint8,-,uint8
int8,-,int8,int8
int*,uint8,int8,int*
""",
    "html": """
<table>
<tr><th></th><th>u8</th><th>i8</th><th>i*</th></tr>
<tr><th>u8</th><td style="background: #ccf2cc">u8</td><td>-</td><td>u8</td></tr>
<tr><th>i8</th><td>-</td><td>i8</td><td>i8</td></tr>
<tr><th>i*</th><td>u8</td><td style="background: #ccf2cc">i8</td><td>i*</td></tr>
</table>
""",
}


@pytest.fixture
def table():
    return PromotionSystem.from_table(SMALL).table()


@pytest.mark.parametrize(("format", "written"), RENDERED.items(), ids=RENDERED)
def test_a_table_is_rendered_with_its_refusals_and_marks(table, format, written):
    assert render(table, format) == written.strip("\n")


def test_text_is_what_comes_without_a_format(table):
    assert render(table) == render(table, "text")


def test_json_has_full_names_and_a_list_of_marks(table):
    assert json.loads(render(table, "json")) == {
        "dtypes": ["uint8", "int8", "int*"],
        "table": {
            "uint8": {"uint8": "uint8", "int8": None, "int*": "uint8"},
            "int8": {"uint8": None, "int8": "int8", "int*": "int8"},
            "int*": {"uint8": "uint8", "int8": "int8", "int*": "int*"},
        },
        "marked": [["uint8", "uint8"], ["int*", "int8"]],
    }


@pytest.mark.parametrize("format", ["markdown", "rst"])
def test_the_star_of_a_marked_weak_dtype_is_no_markup(format):
    table = PromotionSystem.from_table("i* f*\ni* i*! f*\nf* f* f*!").table()
    assert r"**i\***" in render(table, format)
    assert r"**f\***" in render(table, format)


@pytest.mark.parametrize("format", FORMATS)
def test_a_dtype_without_a_short_code_has_its_full_name(format):
    table = supremum.system("jax").table().only([supremum.dtype("float8_e5m2")])
    assert render(table, format).replace("\\_", "_").count("float8_e5m2") >= 3


def test_csv_and_json_read_back_as_the_whole_table():
    table = supremum.system("jax").table()
    names = [d.name for d in table.nodes]
    answers = [[d and d.name for d in row] for row in table.rows()]
    head, *rows = csv.reader(render(table, "csv").splitlines())
    assert head == ["", *names]
    assert [row for row, *_ in rows] == names
    assert [[None if c == "-" else c for c in cells] for _, *cells in rows] == answers
    read = json.loads(render(table, "json"))
    assert read["dtypes"] == names
    assert [[read["table"][a][b] for b in names] for a in names] == answers
    assert read["marked"] == []


def test_the_highlighted_cells_of_the_original_table_are_shown_in_every_format():
    table = supremum.system("jax-original").table()
    counts = {
        "text": render(table, "text").count("!"),
        "markdown": render(table, "markdown").count("**") // 2,
        "rst": render(table, "rst").count("**") // 2,
        "html": render(table, "html").count("background"),
        "json": len(json.loads(render(table, "json"))["marked"]),
    }
    assert set(counts.values()) == {57}


@pytest.mark.parametrize(
    ("format", "candidates"),
    [
        ("markdwon", ("markdown",)),
        ("xml", ()),
    ],
)
def test_an_unknown_format_is_refused(golden, table, format, candidates):
    with pytest.raises(RulesError) as caught:
        render(table, format)
    golden(caught.value)
    assert (caught.value.given, caught.value.candidates) == (format, candidates)


@pytest.mark.parametrize("format", FORMATS)
def test_a_table_of_other_nodes_than_dtypes_has_their_names(format):
    table = Table.parse("       int    float\n int    int    float\n float  float  float")
    assert "float" in render(table, format)
    assert "int" in table._repr_markdown_()
