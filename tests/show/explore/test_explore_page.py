"""The page in a browser: choosing, clicking, typing, sharing, the keyboard, a phone."""

import json
import time

import pytest

import supremum

pytestmark = pytest.mark.thorough

GARBAGE = [
    "<img src=x onerror=alert(1)>", "int32[3] +", "flaot32[3] + 1", "((((", ")", "int32[3",
    "__proto__", "constructor", "x" * 10_000, "(" * 10_000, "1+" * 4999 + "1", "-" * 9_000 + "1",
    "9" * 5000, "int32[3] + " * 900 + "1", "é ∨ 1", "1 +* 2", "\u202eint32",
    "a;b", "np.mean(int32[3])",
    "int32[3] < int8[3] < 1", "int32[3] and 1", "1 / 0", "2 ** 99999", "[]", "''", ",", ",,,",
    "${x}", "{{data}}", "</script><script>alert(1)</script>", "int32, int8, uint8", "\t", "",
]  # fmt: skip


def answers(made):
    rows = made.query_selector_all("details.answer summary")
    return {r.query_selector(".library").inner_text().split()[0]: r.inner_text() for r in rows}


def test_an_expression_is_answered_and_the_parting_step_is_marked(visit):
    made = visit()
    found = answers(made)
    assert "float64" in found["numpy"]
    assert "float32" in found["torch"]
    assert "refused" in found["array-api"]
    assert made.inner_text("mark") == "int32[3] + 1.5"
    made.click("details[data-system=torch] > summary")
    made.wait_for_selector("details[data-system=torch] .steps")  # which open soon after
    steps = made.inner_text("details[data-system=torch]")
    assert "1.5, a number, is of a higher kind than int32" in steps
    assert "they part here" in steps


def test_pickers_ask_and_follow_the_question(visit):
    made = visit("#q=int8%5B3%5D+%2B+300")
    assert made.input_value("#right") == "300"
    made.select_option("#op", "*")
    made.select_option("#right", "float16")
    assert made.input_value("#question") == "int8[3] * float16[3]"
    assert "float16" in answers(made)["jax"]
    made.select_option("#right-form", "[]")
    assert made.input_value("#question") == "int8[3] * float16[]"


@pytest.mark.parametrize("text", GARBAGE, ids=lambda text: repr(text[:20]))
def test_nothing_that_is_typed_blanks_or_freezes_the_page_or_runs(text, visit):
    made = visit()
    began = time.monotonic()
    for view in ("answers", "lattice", "own"):
        made.click(f"#tab-{view}")
        made.fill("#question", text)
    made.fill("#arrows", text)
    made.wait_for_timeout(350)
    assert made.evaluate("1 + 1") == 2
    assert time.monotonic() - began < 20
    assert made.query_selector("#panel img, #mistake img, #panel script") is None
    assert made.is_visible("#tabs")
    made.fill("#question", "int8, uint8")
    made.click("#tab-answers")
    assert "int16" in answers(made)["jax"]


def test_a_broken_expression_says_what_is_wrong(visit):
    made = visit()
    made.fill("#question", "int32[3] + flaot32[3]")
    assert "'flaot32' is not the name of a dtype; did you mean float32?" in made.inner_text(
        "#mistake"
    )
    assert made.get_attribute("#question", "aria-invalid") == "true"


@pytest.mark.parametrize(
    ("arrows", "words"),
    [
        ("i8 -> i16\ni16 -> i8", "line 2: the arrows make a cycle, i8 -> i16 -> i8"),
        ("a, b -> c\na, b -> d", "a and b have 2 least upper bounds, c and d"),
        ("i8 > i16 i32", "line 1: invalid arrow chain 'i8 > i16 i32'"),
        ("__proto__ -> constructor; constructor -> __proto__", "the arrows make a cycle"),
        ("<img onerror=x> -> a", "invalid arrow chain '<img onerror=x> -> a'"),
    ],
)
def test_a_broken_lattice_is_judged_as_it_is_typed(arrows, words, visit):
    made = visit("#view=own")
    made.fill("#arrows", arrows)
    assert words in made.inner_text("#verdict")
    if "least" in words:
        assert "associativity fails" in made.inner_text("#verdict")
    made.fill("#arrows", "toString -> __proto__ -> a; b -> a")
    assert "A lattice" in made.inner_text("#verdict")
    made.wait_for_selector("#panel svg .node")
    assert made.locator("#panel svg .node").count() == 4


def test_a_lattice_of_200_nodes_is_judged_within_a_second(visit):
    made = visit("#view=own")
    lines = [f"n{i}_{j} -> n{i + 1}_{j}, n{i}_{j + 1}" for i in range(13) for j in range(14)]
    elapsed = made.evaluate(
        """(text) => {
        const began = performance.now();
        const area = document.getElementById("arrows");
        area.value = text;
        area.dispatchEvent(new Event("input"));
        return [performance.now() - began, document.getElementById("verdict").innerText];
        }""",
        "\n".join(lines),
    )
    assert elapsed[0] < 1000, elapsed
    made.fill("#arrows", "\n".join(f"{line}, top{i}" for i, line in enumerate(lines)))
    assert "this page judges 200" in made.inner_text("#verdict")


def test_a_cell_is_explained_and_differences_are_marked(visit):
    made = visit("#view=table&system=jax&other=numpy")
    assert "jax and numpy differ in" in made.inner_text("#panel")
    made.click("td[title^='uint64 and int64']")
    text = made.inner_text("#cell")
    assert "float64 is the smallest NumPy float" in text or "meet in float64" in text
    assert made.locator("td.differs").count() > 10
    assert made.input_value("#question") == "uint64, int64"
    again = visit(shared(made))
    assert again.inner_text("#cell") == text
    made.go_back()
    assert made.input_value("#question") != "uint64, int64"


def test_the_address_gives_the_same_view_again(visit):
    made = visit()
    made.fill("#question", "int16[3] * 2.5")
    made.click("#tab-lattice")
    made.select_option("#system", "jep9407-option2")
    again = visit(shared(made))
    assert again.input_value("#question") == "int16[3] * 2.5"
    assert again.inner_text("#panel") == made.inner_text("#panel")
    made.click("#tab-own")
    made.fill("#arrows", "a -> b & c")
    again = visit(shared(made), selector="#verdict > *")
    assert again.input_value("#arrows") == "a -> b & c"
    visit("#q=%F0%9F&view=__proto__&system=constructor&step=-3&x=1")


def test_the_lattice_lights_the_paths(visit):
    made = visit("#view=lattice&q=int32%2C+float16")
    assert made.text_content("svg .join title") == "float16"
    assert {t.text_content() for t in made.query_selector_all("svg .lit > title")} == {
        "int32", "int64", "float*",
    }  # fmt: skip
    assert made.locator("svg .arrow.lit").count() == 3


def test_the_paths_that_are_lit_are_those_of_the_text(visit):
    made = visit("#view=lattice&q=bool%2C+int16")
    path = supremum.explain("bool", "int16", system="jax").paths[0]
    assert " → ".join(node.name for node in path) in made.inner_text("#panel")
    lit = {t.text_content() for t in made.query_selector_all("svg .lit > title")}
    assert lit == {node.name for node in path[:-1]}


@pytest.mark.parametrize("name", ["jax", "numpy", "pyarrow", "jep9407-option3-bfloat16"])
def test_the_lattice_is_drawn_as_in_python(visit, name):
    made = visit(f"#view=lattice&system={name}&q=")
    drawing = supremum.system(name).draw()
    shown = made.query_selector_all("svg .node")
    assert [node.text_content() for node in shown] == [b.name + b.label for b in drawing.boxes]
    assert [float(n.query_selector("text").get_attribute("x")) for n in shown] == [
        round(box.x) for box in drawing.boxes
    ]
    assert made.locator("svg .arrow").count() == len(drawing.arrows)
    text = made.text_content("#panel pre")
    assert f"{drawing.boxes[0].name} -> " in text
    if drawing.note:
        assert drawing.note in made.inner_text("#panel")


def test_an_answer_that_is_not_a_join_lights_no_arrows(visit):
    made = visit("#view=lattice&system=numpy&q=bool%2C+int*")
    assert made.text_content("svg .join title") == "int64"
    assert made.locator("svg .arrow.lit").count() == 0
    made = visit("#view=lattice&system=numpy&q=int8%2C+uint8")
    assert made.locator("svg .arrow.lit").count() == 2


def test_the_lattice_view_says_why_rules_refuse_or_are_not_drawn(visit):
    made = visit("#view=lattice&system=array-api&q=int32%2C+float32")
    assert "leaves a mix of float and integer undefined" in made.inner_text("#panel")
    made = visit("#view=lattice&system=torch")
    assert "The table of PyTorch is not an order" in made.inner_text("#panel")


@pytest.mark.parametrize("text", ["1 + 2", "(int8)", "-1", "int*, f*"])
def test_what_has_no_step_is_no_mistake_in_any_view(text, visit):
    made = visit()
    made.fill("#question", text)
    for view in ("lattice", "answers"):
        made.click(f"#tab-{view}")
        assert made.inner_text("#mistake") == ""
        assert made.inner_text("#panel")


def test_a_lattice_of_one_node_is_drawn_after_another(visit):
    made = visit("#view=own&arrows=a+-%3E+b&x=a&y=b")
    made.fill("#arrows", "only")
    made.wait_for_selector("#panel svg .node.join")
    assert made.locator("#panel svg .node").count() == 1


def test_a_function_that_rules_lack_is_not_a_refusal(visit):
    made = visit()
    assert "not covered" in answers(made)["paddle"]
    assert made.query_selector("details.odd[data-system=paddle]") is None


def test_back_goes_to_the_view_before(visit):
    made = visit("#q=int8%2C+uint8")
    for view in ("table", "laws"):
        made.click(f"#tab-{view}")
        made.wait_for_timeout(300)
    made.go_back()
    assert made.get_attribute("#tab-table", "aria-selected") == "true"
    made.go_back()
    assert made.get_attribute("#tab-answers", "aria-selected") == "true"
    assert made.input_value("#question") == "int8, uint8"
    made.go_forward()
    assert made.get_attribute("#tab-table", "aria-selected") == "true"


def test_the_keyboard_is_enough(visit):
    made = visit()
    made.keyboard.press("Tab")
    assert made.evaluate("document.activeElement.id") == "skip"
    made.keyboard.press("Tab")
    assert made.evaluate("document.activeElement.id") == "question"
    made.focus("#tab-answers")
    made.keyboard.press("ArrowRight")
    made.keyboard.press("ArrowRight")
    assert made.get_attribute("#tab-table", "aria-selected") == "true"
    made.select_option("#op", ",")
    assert made.inner_text("#cell h2") == "int32[3], float32[3]"
    assert made.get_attribute("td[aria-current]", "title").startswith("int32 and float32: ")
    made.focus("#tab-table")
    made.keyboard.press("Home")
    made.focus("details[data-system=jax] > summary")
    made.keyboard.press("Enter")
    made.wait_for_selector("details[data-system=jax] .steps")


def shared(made):
    """Return the view as its address has it, which is kept soon after a change."""
    made.wait_for_timeout(400)
    return made.evaluate("location.hash")


VIEWS = [
    "", "#view=lattice", "#view=table&other=torch&q=int8%2C+uint8", "#view=laws&system=numpy",
    "#bare=1", "#view=own", "#view=own&arrows=a%2Cb+-%3E+c%0Aa%2Cb+-%3E+d",
]  # fmt: skip


def test_a_page_that_frames_it_gets_answers_and_the_drawing_beside_them(visit):
    made = visit("#bare=1&q=int32%5B3%5D+%2B+float32%5B3%5D")
    assert "float64" in answers(made)["numpy"]
    assert "float32" in answers(made)["jax"]
    assert made.query_selector("#panel .two svg .join text").text_content() == "f32"
    assert not made.is_visible("#tabs")
    made.fill("#question", "int8, uint8")
    assert made.query_selector("#panel .two svg .join text").text_content() == "i16"
    assert "bare=1" in shared(made)


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_scrolls_only_down(view, visit):
    made = visit(view, width=360)
    made.wait_for_timeout(100)
    assert made.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(view, scheme, visit):
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe looks at the page")
    made = visit(view, scheme=scheme)
    made.wait_for_timeout(100)
    found = axe.Axe().run(made)["violations"]
    assert [
        (v["id"], [n["html"][:120] for n in v["nodes"][:3]])
        for v in found
        if v["impact"] in ("serious", "critical")
    ] == [], json.dumps(found)[:2000]


def test_the_first_answer_comes_within_100_ms(visit):
    """The fastest of some loads counts: other programs have the processor, too."""
    took = []
    while len(took) < 12 and min(took, default=100) >= 100:
        made = visit()
        took.append(
            made.evaluate(
                "performance.getEntriesByName('answered')[0].startTime"
                " - performance.getEntriesByName('loaded')[0].startTime"
            )
        )
    assert min(took) < 100, took
