"""What a notebook shows of each public result: HTML that says what the text says."""

import re
from html.parser import HTMLParser

import pytest

import supremum
from supremum.core import display
from supremum.custom import Lattice, PromotionSystem

VOID = {"br", "path", "rect", "circle", "line", "meta", "polygon", "use"}


class Reader(HTMLParser):
    """Reads HTML strictly: every element that opens closes, in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.elements = [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def html_of(value):
    """Return what HTML says, its blanks folded."""
    return " ".join("".join(Reader(value._repr_html_()).text).split())


RESULTS = {
    "explanation": lambda: supremum.explain("int32", "float16", 1.0),
    "function": lambda: supremum.explain("int32", op="mean"),
    "expression": lambda: supremum.explain("(int32[3] + 1.5) / uint8[3]", system="torch"),
    "comparison": lambda: supremum.compare("int32", "float32"),
    "comparison of an expression": lambda: supremum.compare("(int32[3] + 1.5) / uint8[3]"),
    "diff": lambda: supremum.diff("numpy", "jax"),
    "diff of an expression": lambda: supremum.diff("numpy", "jax", expr="x.mean() * 2 + y"),
    "laws": lambda: supremum.laws("jax-original"),
    "law": lambda: supremum.laws("jax-original")["associativity"],
    "criteria": lambda: supremum.custom.criteria("jep9407-option1"),
    "criterion": lambda: supremum.custom.criteria("jep9407-option1").counted[1],
    "table": lambda: supremum.table("jax", "int8", "uint8", "float16"),
    "lattice": lambda: Lattice("i8 -> i16 -> f32; u8 -> i16"),
    "lattice of dtypes": lambda: supremum.system("jax").lattice,
    "rules": lambda: supremum.system("jax"),
    "rules by a table": lambda: supremum.system("numpy"),
    "rules of mine": lambda: PromotionSystem.from_lattice("i8 -> i16", name="mine"),
}


@pytest.mark.parametrize("name", RESULTS)
def test_each_result_shows_itself(name):
    value = RESULTS[name]()
    html, markdown = value._repr_html_(), value._repr_markdown_()
    Reader(html)
    assert "object at 0x" not in html + markdown
    # it is read on dark paper and on light: no colour of its own but on what shines through
    assert not re.search(r"(?<!-)\bcolor: #(?!d9730d|2f9e57)", html)
    assert "background: #" not in html
    assert markdown.count("```") in (0, 2)


@pytest.mark.parametrize("name", ["explanation", "function", "laws", "law", "criteria"])
def test_every_number_and_dtype_of_the_text_is_shown(name):
    value = RESULTS[name]()
    told = html_of(value)
    text = f"{value.cases:,}" if name == "law" else re.sub("and [0-9]+ more", "", str(value))
    words = set(re.findall(r"[a-z]+\d+|\d[\d,]*\d", text))
    assert words
    assert not {word for word in words if word not in told}


def test_the_steps_of_an_expression_are_a_tree():
    reader = Reader(supremum.explain("(int32[3] + 1.5) / uint8[3]", system="torch")._repr_html_())
    assert sum(tag == "ul" for tag, _ in reader.elements) == 2
    one_after_another = supremum.explain("(int32[3] + 1.5) / (uint8[3] * 2)", system="torch")
    reader = Reader(one_after_another._repr_html_())
    assert [tag for tag, _ in reader.elements].count("li") == 3
    assert [tag for tag, _ in reader.elements].count("ul") == 2  # two of them are side by side


def test_a_table_has_the_answers_of_python():
    table = supremum.table("jax", "int8", "uint8", "float16")
    titles = {
        attributes["title"]
        for tag, attributes in Reader(table._repr_html_()).elements
        if tag == "td"
    }
    assert titles == {f"{a} with {b} gives {table[a, b]}" for a in table.nodes for b in table.nodes}
    assert table._repr_markdown_().splitlines()[0].startswith("|")


def test_marked_cells_have_a_frame():
    found = supremum.diff("numpy", "jax")
    framed = found._repr_html_().count("outline: 2px")
    assert framed == len(found.table().marked) > 0


def test_what_is_typed_is_text():
    evil = "<script>alert(1)</script>"
    for value in (
        Lattice({evil: ["top"], "&amp;": ["top"]}),
        supremum.custom.Table([evil, "b"], {(evil, "b"): "b", ("b", evil): "b"}),
        PromotionSystem.from_lattice("i8 -> i16", name=evil),
    ):
        assert "<script" not in value._repr_html_()
        assert "<script" not in (getattr(value, "_repr_svg_", str)() or "")
        assert evil in html_of(value)


def test_lattices_and_rules_have_drawings_and_others_none():
    for value in (Lattice("a -> b"), supremum.system("jax")):
        assert value._repr_svg_().startswith("<svg")
    # by their tables, uint16 is below bfloat16, and that below complex64, where uint16 is not
    assert supremum.system("torch")._repr_svg_() is None
    assert "no drawing" in html_of(supremum.system("torch"))


def test_the_core_alone_shows_text(monkeypatch):
    monkeypatch.setattr(display, "_load", None)
    table = supremum.table("jax", "int8")
    with pytest.raises(supremum.SupremumError):
        display.render_table(table, "html")
    with pytest.raises(supremum.SupremumError):
        supremum.system("jax").draw()
    assert supremum.system("jax")._repr_svg_() is None
    assert table._repr_html_() is table._repr_markdown_() is None


def test_printing_gives_the_text_of_the_command(golden):
    table = supremum.table("jax", "int8", "uint8")
    assert str(table) == supremum.show.render(table) == "    i8  u8\ni8  i8  i16\nu8  i16 u8"
    golden(Lattice("i8 -> i16 -> f32; u8 -> i16"))
