"""The figures and tables of the documents that the project implements, as the pages show them."""

import json
import re
from pathlib import Path

import pytest
from generator import badges, documents, figures, house, made, terminals
from generator.systems import page_of

import supremum

pytestmark = pytest.mark.thorough

DOCS = figures.ASSETS.parent
GOLDEN = Path(__file__).parents[1] / "golden"
FIGURES = json.loads((GOLDEN / "jep9407_figures.json").read_text("utf-8"))["figures"]
PAGE = json.loads((GOLDEN / "jax_lattice_page.json").read_text("utf-8"))


def graph(arrows):
    """Return the nodes and the arrows that are written down."""
    pairs = {(low, up) for low, ups in arrows.items() for up in ups}
    return {*arrows, *(up for _, up in pairs)}, pairs


def drawn(drawing):
    """Return the nodes and the arrows of a drawing."""
    labels = [box.label for box in drawing.boxes]
    return set(labels), {(labels[a.lower], labels[a.upper]) for a in drawing.arrows}


def test_all_fifteen_figures_are_there():
    assert len(FIGURES) == 15
    assert list(FIGURES) == list(figures.FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_the_nodes_and_arrows_of_the_document(name):
    nodes, arrows = graph(FIGURES[name])
    drawing = figures.figure(name)
    assert len(drawing.boxes) == len(nodes)
    assert len(drawing.arrows) == len(arrows)
    assert drawn(drawing) == (nodes, arrows)


def test_the_lattice_of_the_page_is_drawn_with_its_nodes_and_arrows():
    assert drawn(figures.system_drawing("jax")) == graph(PAGE["arrows"])


PICTURES = {
    path: text
    for part in (figures, house, badges, terminals)
    for path, text in part.pictures().items()
}


@pytest.mark.parametrize("path", PICTURES, ids=lambda p: f"{p.parent.name}/{p.name}")
def test_the_file_of_a_picture_is_up_to_date(path):
    assert path.read_text("utf-8") == PICTURES[path], "run `make regenerate`"


def test_no_other_picture_is_left():
    assert set(figures.ASSETS.rglob("*.svg")) == set(PICTURES)


def images(page):
    """Return the words and the file of each image of a page."""
    return re.findall(r"!\[(.*?)\]\((.*?)\)", (DOCS / page).read_text("utf-8"))


def test_the_page_shows_each_figure_once_in_order_with_words():
    shown = images("design-document.md")
    assert [file for _, file in shown] == [f"assets/design/{name}.svg" for name in FIGURES]
    for number, (words, _) in enumerate(shown, 1):
        assert re.match(rf"Figure {number}: .{{10,}}", words)


def test_the_scalar_and_array_types_are_named_below_their_chain():
    drawing = figures.figure("signed-scalars")
    place = {box.label: box.x - box.width / 2 for box in drawing.boxes}
    below = {c.text: c.x for c in drawing.captions if c.y > max(box.y for box in drawing.boxes)}
    assert below == {"scalar types": place["i8*"], "array types": place["i8"]}


def cells(markdown):
    """Return the cells of a table by the codes of row and column, and those that are bold."""
    lines = markdown.replace(r"\*", "☆").splitlines()
    grid = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line]
    (_, *columns), _, *rows = grid
    found = {(a, b): cell for a, *row in rows for b, cell in zip(columns, row, strict=True)}
    bold = {pair for pair, cell in found.items() if cell.startswith("**")}

    def codes(pair):
        return tuple(code.replace("☆", "*") for code in pair)

    plain = {codes(pair): cell.strip("*").replace("☆", "*") for pair, cell in found.items()}
    return plain, set(map(codes, bold))


def section(page, comment):
    text = (DOCS / page).read_text("utf-8")
    return re.search(rf"<!-- {comment} -->\n(.*?)<!-- end -->", text, re.DOTALL)[1]


@pytest.mark.parametrize(
    ("name", "golden"),
    [
        ("numpy", "jep9407_numpy"),
        ("tensorflow", "jep9407_tensorflow"),
        ("pytorch", "jep9407_pytorch"),
        ("jax", "jep9407_jax_numpy"),
        ("jax-lax", "jep9407_jax_lax"),
    ],
)
def test_a_table_of_the_appendix_is_the_documents_in_every_cell(name, golden):
    written = json.loads((GOLDEN / f"{golden}.json").read_text("utf-8"))["table"]
    expected = {(a, b): answer for a, row in written.items() for b, answer in row.items()}
    assert len(expected) == 324
    assert cells(section("design-document.md", f"appendix {name}")) == (expected, set())


def test_the_tables_have_the_dtypes_of_the_document():
    assert PAGE["codes"] == documents.CODES


@pytest.mark.parametrize("name", supremum.systems())
def test_the_page_of_rules_shows_their_drawing_or_says_why_there_is_none(name):
    page = made.pages()[page_of(name)]
    drawing = figures.system_drawing(name)
    if "## Beside `numpy`" in page:
        assert "(numpy.md), which has the table and the drawing" in page
    elif isinstance(drawing, str):
        assert drawing.replace("*", r"\*") in page
    else:
        path = f"assets/systems/{name}.svg"
        assert f"](../../{path})" in page
        assert path in made.files()
        assert drawing.note.replace("*", r"\*") in page


def test_what_is_no_order_is_drawn_without_the_dtypes_that_the_reason_names():
    drawing = figures.system_drawing("torch")
    assert drawing.note.startswith("The table of PyTorch is not an order, so it cannot be drawn: ")
    assert "It is drawn without uint16, uint32, uint64." in drawing.note
    assert not {"u16", "u32", "u64"} & {box.label for box in drawing.boxes}
