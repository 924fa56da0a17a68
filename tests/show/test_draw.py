"""Drawings: the arrows are those of the order, and nothing runs into anything else."""

import json
import random
import subprocess
import sys
from itertools import combinations, pairwise
from pathlib import Path
from xml.dom import minidom

import pytest

import supremum
from supremum import RulesError, SupremumError, show
from supremum.custom import Lattice, LatticeError, PromotionSystem
from supremum.show.draw.drawing import Arrow, Box, Caption, Drawing
from supremum.show.draw.order import order_of
from supremum.show.draw.routes import CAPTION, LETTER, cells, samples

pytest.importorskip("fast_sugiyama")

DOCS = Path(__file__).parents[2] / "docs"

# What of some rules is an order, as their whole table is not.
PARTS = {
    "torch": [
        d for d in supremum.system("torch").dtypes if d not in ("uint16", "uint32", "uint64")
    ],
}


def sets(random_, count, ground):
    """Return a lattice of sets: their join is their union."""
    found = {frozenset()}
    for _ in range(400):
        one = frozenset(random_.sample(range(ground), random_.randint(1, ground // 2)))
        new = found | {one | other for other in found}
        if len(new) <= count:
            found = new
    name = {s: "".join(chr(97 + i) for i in sorted(s)) or "none" for s in found}
    return Lattice({name[s]: [name[t] for t in found if s < t] for s in found})


def tree(random_, count, spread, extra):
    """Return a lattice of one arrow a node, and some more where they leave it one."""
    names = [f"node{i}" + "x" * random_.randrange(9) for i in range(count)]
    arrows = {
        n: names[i + 1 :][:spread] and [random_.choice(names[i + 1 :][:spread])]
        for i, n in enumerate(names)
    }
    found = Lattice(arrows)
    for _ in range(extra):
        low, high = sorted(random_.sample(range(count), 2))
        try:
            found = found.with_arrows({names[low]: [names[high]]})
        except LatticeError:
            continue
    return found


def random_lattice(seed):
    random_ = random.Random(seed)
    count = random_.randint(2, 200)
    if seed % 3 == 0:
        return sets(random_, min(count, 100), random_.randint(4, 8))
    return tree(random_, count, random_.randint(1, count), 0 if seed % 3 == 1 else 15)


def drawn(name):
    return supremum.system(name).draw(PARTS.get(name, ()))


def edges(drawing):
    names = [box.name for box in drawing.boxes]
    return {(names[a.lower], names[a.upper]) for a in drawing.arrows}


def caption_box(caption):
    width = cells(caption.text) * CAPTION
    return Box(caption.text, "", caption.x + width / 2, caption.y, width, 14)


def inside(box, x, y, margin):
    return abs(x - box.x) < box.width / 2 + margin and abs(y - box.y) < box.height / 2 + margin


def faults(drawing):
    """Return what overlaps, what does not fit, and which arrows run through a label."""
    found = []
    everything = [*drawing.boxes, *map(caption_box, drawing.captions)]
    for a, b in combinations(everything, 2):
        if (
            abs(a.x - b.x) < (a.width + b.width) / 2 + 2
            and abs(a.y - b.y) < (a.height + b.height) / 2 + 2
        ):
            found.append(f"{a.name} overlaps {b.name}")
    found += [
        f"{b.name} is too wide" for b in drawing.boxes if cells(b.label) * LETTER > b.width - 8
    ]
    columns = {}
    for i, box in enumerate(everything):
        columns.setdefault(round(box.x, 3), []).append((i, box))
    for arrow in drawing.arrows:
        ends = (arrow.lower, arrow.upper)
        for x, y in samples(arrow.points, 60):
            if not (0 < x < drawing.width and 0 < y < drawing.height):
                found.append(f"arrow {ends} leaves the picture")
            near = [pair for pair in columns.values() if abs(pair[0][1].x - x) < 200]
            for i, box in (pair for column in near for pair in column):
                if inside(box, x, y, -1 if i in ends else 2):
                    found.append(f"arrow {ends} runs through {box.name}")
                    break
    return found


def test_the_checker_finds_each_fault():
    a, b = Box("a", "a", 50, 50, 40, 30), Box("b", "b", 250, 50, 40, 30)
    level = ((70, 50), (120, 50), (200, 50), (230, 50))
    good = Drawing("", 300, 100, (a, b), (Arrow(0, 1, level),))
    assert faults(good) == []
    between = Box("c", "c", 150, 50, 40, 30)
    crossed = Drawing("", 300, 100, (a, b, between), good.arrows)
    assert set(faults(crossed)) == {"arrow (0, 1) runs through c"}
    captioned = Drawing("", 300, 100, (a, b), good.arrows, (Caption("c", 150, 50),))
    assert set(faults(captioned)) == {"arrow (0, 1) runs through c"}
    near = Drawing("", 300, 100, (a, Box("d", "d", 60, 60, 40, 30)), ())
    assert faults(near) == ["a overlaps d"]
    assert faults(Drawing("", 300, 100, (Box("e", "e" * 9, 50, 50, 40, 30),), ())) == [
        "e is too wide"
    ]
    assert "arrow (0, 1) leaves the picture" in faults(Drawing("", 200, 100, (a, b), good.arrows))
    inward = ((50, 50), *level[1:])
    assert "arrow (0, 1) runs through a" in faults(
        Drawing("", 300, 100, (a, b), (Arrow(0, 1, inward),))
    )


@pytest.mark.parametrize("name", supremum.systems())
def test_nothing_overlaps_in_the_drawing_of_shipped_rules(name):
    assert faults(drawn(name)) == []


@pytest.mark.parametrize("name", ["jax", "jax-lax", "tinygrad", "tensorflow"])
def test_nothing_overlaps_if_all_dtypes_are_drawn(name):
    rules = supremum.system(name)
    drawing = rules.draw(rules.dtypes)
    assert len(drawing.boxes) == len(rules.dtypes)
    assert faults(drawing) == []


@pytest.mark.parametrize("seed", range(50))
def test_nothing_overlaps_in_the_drawing_of_a_random_lattice(seed):
    lattice = random_lattice(seed)
    drawing = lattice.draw()
    assert faults(drawing) == []
    reduced = lattice.reduction().arrows
    assert edges(drawing) == {(low, up) for low, ups in reduced.items() for up in ups}


def test_a_lattice_of_200_nodes_is_drawn():
    lattice = tree(random.Random(7), 200, 40, 20)
    drawing = lattice.draw()
    assert len(drawing.boxes) == 200
    assert faults(drawing) == []
    assert str(drawing).count("node") == 200


@pytest.mark.parametrize("name", supremum.systems())
def test_the_arrows_are_those_that_no_longer_way_replaces(name):
    rules = supremum.system(name)
    dtypes = PARTS.get(name) or show.common(rules.dtypes)
    below = {
        (a, b)
        for a in dtypes
        for b in dtypes
        if a is not b and rules.can_promote(a, b) and answer(rules, b, a) is b
    }
    covers = {
        (a.name, b.name)
        for a, b in below
        if not any((a, c) in below and (c, b) in below for c in dtypes)
    }
    assert edges(drawn(name)) == covers


def answer(rules, a, b):
    try:
        return rules.promote_types(a, b)
    except supremum.PromotionError:
        return None


def test_arrows_lead_to_the_right_and_chains_are_straight():
    drawing = drawn("jax")
    box = {b.label: b for b in drawing.boxes}
    for low, high in ((drawing.boxes[a.lower], drawing.boxes[a.upper]) for a in drawing.arrows):
        assert low.x < high.x
    for letter in "iu":
        assert len({box[f"{letter}{n}"].y for n in (8, 16, 32, 64)}) == 1
    assert {b.label for b in drawing.boxes if b.weak} == {"i*", "f*", "c*"}
    assert {b.kind for b in drawing.boxes} == {"bool", "unsigned", "signed", "float", "complex"}


@pytest.mark.parametrize(
    ("arrows", "kinds"),
    [
        ("b -> u8*; i8, i* -> f16", ["bool", "unsigned", "signed", "signed", "float"]),
        ("bf16 -> bc32; f* -> c*", ["float", "complex", "float", "complex"]),
        ("b -> u8; mine", ["", "", ""]),
    ],
)
def test_boxes_have_the_kind_of_a_code_if_all_are_codes(arrows, kinds):
    assert [box.kind for box in Lattice(arrows).draw().boxes] == kinds


def test_highlighting_shows_both_paths_and_the_join(golden):
    drawing = supremum.system("jax").draw(highlight=["int32", "float16"])
    marks = {box.label: box.mark for box in drawing.boxes if box.mark}
    assert marks == {"i32": "operand", "i64": "path", "f*": "path", "f16": "join"}
    lit = [drawing.boxes[a.lower].label for a in drawing.arrows if a.mark]
    assert sorted(lit) == ["f*", "i32", "i64"]
    golden(drawing.note)
    assert "[i32]" in str(drawing)
    assert "[[f16]]" in str(drawing)


def test_what_operands_are_taken_for_is_where_their_paths_begin(golden):
    drawing = supremum.system("jax", x64=False).draw(highlight=["int32", "float64"])
    marks = {box.label: box.mark for box in drawing.boxes if box.mark}
    assert (marks["i32"], marks["f64"], marks["f32"]) == ("operand", "operand", "join")
    assert not {"c*", "c64"} & marks.keys()
    golden(drawing.note)
    weak = supremum.system("jax").draw(highlight=["bool", "int*"])
    golden(weak.note)


def test_an_answer_that_is_not_a_join_has_no_paths():
    drawing = supremum.system("numpy").draw(highlight=["bool", "int*"])
    assert not any(arrow.mark for arrow in drawing.arrows)
    assert {b.label: b.mark for b in drawing.boxes if b.mark} == {
        "b": "operand", "i*": "operand", "i64": "join",
    }  # fmt: skip
    assert drawing.note.startswith("bool and int* give int64, and not the first node that both ")


def test_a_picture_shows_its_note_below():
    drawing = supremum.system("numpy").draw()
    picture = drawing.render("svg")
    assert "22 pairs do not promote to their" in picture.partition("</desc>")[2]
    assert f'height="{round(drawing.height)}"' not in picture


@pytest.mark.parametrize(
    ("name", "operands"),
    [
        ("jax", ["bool", "int16"]),
        ("keras", ["bool", "int16"]),
        ("jep9407-option1", ["float16", "int*"]),
        ("jep9407-option3-bfloat16", ["uint8", "float32"]),
    ],
)
def test_the_paths_that_are_highlighted_are_those_of_the_explanation(name, operands):
    rules = supremum.system(name)
    paths = rules.explain(*operands).paths
    drawing = rules.draw(highlight=operands)
    marked = {(a.lower, a.upper) for a in drawing.arrows if a.mark == "path"}
    ways = [[drawing.index(str(node)) for node in path] for path in paths]
    assert marked == {step for way in ways for step in pairwise(way)}


def test_what_is_highlighted_is_so_in_every_format():
    drawing = supremum.system("python").draw(highlight=["int*", "complex*"])
    assert drawing.render("mermaid").count("  style n") == 3
    assert drawing.render("mermaid").count("  linkStyle ") == 2
    assert drawing.render("dot").count("penwidth=3") == 5


def test_long_names_that_differ_in_the_middle_keep_apart():
    names = [f"{'a' * 20}{n}{'b' * 20}" for n in range(3)]
    assert [box.label for box in Lattice(" -> ".join(names)).draw().boxes] == names


def test_highlighting_a_pair_without_a_join_says_so(golden):
    drawing = Lattice("a -> b; c").draw(highlight=["a", "c"])
    golden(drawing.note)
    assert [box.mark for box in drawing.boxes] == ["operand", "", "operand"]


def test_what_differs_is_marked_side_by_side():
    one, other = (
        PromotionSystem.from_lattice(text, name=name)
        for text, name in (("i8 -> i16 -> f32", "one"), ("i8 -> i16; i8 -> f32; i32", "other"))
    )
    both = show.draw_diff(one, other)
    assert faults(both) == []
    assert [b.name for b in both.boxes if b.mark] == ["int32"]
    names = [b.name for b in both.boxes]
    differing = {(names[a.lower], names[a.upper]) for a in both.arrows if a.mark}
    assert differing == {("int16", "float32")}
    assert {"one", "other"} <= {c.text for c in both.captions}
    assert max(b.x for b in both.boxes[:3]) < min(b.x for b in both.boxes[3:])


def test_a_table_that_is_no_order_is_refused_with_the_reason(golden):
    with pytest.raises(RulesError) as caught:
        supremum.system("torch").draw()
    golden(caught.value)
    assert supremum.system("torch")._repr_svg_() is None


def test_rules_by_a_table_say_what_the_drawing_does_not(golden):
    golden(order_of(supremum.system("numpy-legacy")).note)
    assert drawn("jax").note == ""


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda d: d.save("x.gif"), "x.gif: a drawing is written to a file that ends in .svg"),
        (lambda d: d.save("no/such/x.svg"), "no/such/x.svg: cannot be written: No such file"),
        (lambda d: d.render("mermiad"), "'mermiad'; did you mean mermaid?"),
        (lambda _: Lattice({"a b": ["c"]}).draw().render("arrows"), "cannot hold the name 'a b'"),
        (lambda _: Lattice("ab -> c").draw(highlight=["ac"]), "no node 'ac'"),
        (lambda _: Lattice("a -> b").draw(["z"]), "z is not a node of this lattice"),
    ],
    ids=["suffix", "folder", "format", "blank", "node", "highlight"],
)
def test_a_mistake_says_what_to_type(call, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SupremumError) as caught:
        call(drawn("python"))
    assert words in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("module", "suffix"), [("typst", "png"), ("typst", "pdf")])
def test_a_missing_extra_is_named(golden, module, suffix, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SupremumError) as caught:
        drawn("python").save(tmp_path / f"x.{suffix}")
    golden(caught.value)
    monkeypatch.setitem(sys.modules, "fast_sugiyama", None)
    with pytest.raises(SupremumError) as caught:
        Lattice("A -> B").draw().render()
    golden(caught.value)
    assert Lattice("A -> B").draw().render("arrows") == "A -> B"
    assert "n0 --> n1" in Lattice("A -> B").draw().render("mermaid")
    assert Lattice("A -> B")._repr_svg_() is None
    assert supremum.system("jax")._repr_svg_() is None
    assert "no drawing" in supremum.system("jax")._repr_html_()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("suffix", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")]
)
def test_files_are_what_their_suffix_says(suffix, start, tmp_path):
    pytest.importorskip("typst")
    path = tmp_path / f"x.{suffix}"
    drawn("jax").save(path)
    assert path.read_bytes().startswith(start)


def test_names_cannot_break_any_format(tmp_path):
    pytest.importorskip("typst")
    names = ['<script>"&', "日本語", "a\nb\\", "x" * 300, "*_`[", "", "é́", "]]>", "\x00\x1b"]
    drawing = Lattice({a: [b] for a, b in pairwise(names)}).draw()
    assert faults(drawing) == []
    drawing.save(tmp_path / "x.png")
    for way in ("svg", "mermaid"):
        assert "<script>" not in drawing.render(way)
    xml = minidom.parseString(drawing.render("svg"))
    assert len(xml.getElementsByTagName("rect")) == len(names)
    assert max(len(box.label) for box in drawing.boxes) == 28


def test_arrow_text_of_a_drawing_is_read_as_the_same_lattice():
    for name in ("jax", "array-api", "jax-lax", "jep9407-option2"):
        rules = supremum.system(name)
        text = rules.draw(rules.dtypes).render("arrows")
        assert PromotionSystem.from_lattice(text, name="again").lattice == rules.lattice


def test_drawings_are_equal_each_time_and_go_into_json():
    lattice = random_lattice(5)
    assert lattice.draw() == lattice.draw()
    data = json.loads(json.dumps(drawn("jax").to_dict()))
    assert data["boxes"][0]["label"] == "b"
    assert data["arrows"][0].keys() == {"lower", "upper", "points", "mark"}


def test_an_empty_lattice_and_one_node_are_drawn():
    assert str(Lattice({}).draw()) == ""
    assert "<svg" in Lattice({}).draw().render("svg")
    assert str(Lattice("A").draw()) == "A"
    assert faults(Lattice({n: [] for n in "abcdefghij"}).draw()) == []


def test_the_svg_has_dark_colours_for_screens_alone_and_says_what_it_shows():
    text = drawn("jax").render("svg")
    assert "@media screen and (prefers-color-scheme:dark)" in text
    assert "float16 to float32" in text
    assert 'role="img"' in text


def test_a_drawing_loads_no_library_that_it_does_not_need():
    code = (
        "import supremum, sys; supremum.system('jax').draw().render('svg')\n"
        "print({'typst'} & set(sys.modules))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert printed.stdout == "set()\n"


@pytest.mark.parametrize(
    ("name", "highlight"), [("jax-lattice", []), ("join", ["int32", "float16"])]
)
def test_the_pictures_of_the_docs_are_those_of_today(name, highlight):
    """To write them: supremum draw jax -o docs/assets/jax-lattice.svg, and likewise join.svg."""
    shown = (DOCS / "assets" / f"{name}.svg").read_text(encoding="utf-8")
    assert supremum.system("jax").draw(highlight=highlight).render("svg") in shown
