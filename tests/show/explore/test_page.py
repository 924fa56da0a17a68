"""The page in a browser: typing, choosing, clicking, sharing, the keyboard, a phone."""

import ast
import json
import time
from pathlib import Path

import pytest

import supremum
from supremum.core.errors import SupremumError
from supremum.show.explore.questions import LONGEST, answer

pytestmark = pytest.mark.thorough

GARBAGE = [
    "<img src=x onerror=alert(1)>", "int32[3] +", "flaot32[3] + 1", "((((", ")", "int32[3",
    "__proto__", "constructor", "x" * 10_000, "(" * 190, "(" * 10_000, "-" * 190 + "1",
    "~" * 190 + "int8", "1" + "+1" * 99, "9" * 190, "[" * 190, "é ∨ 1", "1 +* 2", "\u202eint32",
    "int8[3]" + "[0]" * 60, "2 ** 99999", "9**9**9**9", "[]", "''", ",", ",,,", "${x}",
    "{{written}}", "</script><script>alert(1)</script>", "\t", "", "not " * 48 + "1", "\ud800",
]  # fmt: skip
NEWCOMER = [
    "int32, float32", "int32 float32", "int64, float16", "uint8, int8", "uint64, int64", "bool, 1",
    "True, False", "1", "1.5", "1 + 1.0", "int32", "int32[3]", "float32[]", "float32, 1",
    "int8, 300",
    "int32 + float32", "int32 * 2", "int32[3] / 2", "int8[3] // 2", "uint8[3] - uint8[3]",
    "bool[3] + bool[3]", "bool[3] - bool[3]", "-uint8[3]", "~bool[3]", "int8[3] ** 2",
    "int8[3] ** -1", "float16[3] @ float16[3]", "int32[3] == 1.0", "int32[3] < float32[3]",
    "np.sum(int8[3])", "np.mean(int8[3])", "np.sqrt(int32[3])", "np.where(bool[3], int8[3], 1.0)",
    "jnp.sum(int8[3])", "jnp.mean(int32[3])", "torch.mean(int32[3])", "torch.add(int32[3], 1.5)",
    "torch.float32[3] + torch.int64[3]", "np.int32[3] + np.float32[3]", "np.float32(1) + 1.5",
    "float32[3] + np.float64(2)", "half, bool_", "float, int", "complex64, float64", "bf16, f16",
    "bfloat16, float16", "int4, uint4", "float8_e4m3fn, float16", "x + 1, x=int8[3]",
    "x / y, x=int32[3], y=float16[3]", "i4, f2", "int, str", "object", "flaot32", "np.argmax(x)",
]  # fmt: skip
EVALUATION = Path(__file__).resolve().parents[2] / "core" / "evaluation"


def expressions():
    """Return 150 expressions of the tests of `explain`, spread over them, and a newcomer's."""
    texts = {}
    for path in sorted(EVALUATION.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            value = getattr(node, "value", None)
            if isinstance(node, ast.Constant) and isinstance(value, str) and "[" in value:
                texts[value] = None
    usable = [t for t in texts if len(t) < LONGEST["text"] and "\n" not in t and is_asked(t)]
    return [*usable[:: len(usable) // 150][:150], *NEWCOMER]


def is_asked(text):
    try:
        supremum.explain(text)
    except supremum.PromotionError:
        return True
    except SupremumError:
        return False
    return True


def answers(made):
    rows = made.query_selector_all(".libraries li")
    return {r.query_selector("button").inner_text(): r.inner_text() for r in rows}


def given(made):
    return made.inner_text("#why .answer")


def test_an_expression_is_answered_and_told_how_libraries_differ(visit, settle):
    made = visit("#q=(int32[3] %2B 1.5) / uint8[3]")
    assert given(made).startswith("float64 weak by jax")
    found = answers(made)
    assert "float64" in found["numpy"]
    assert "float32" in found["torch"]
    assert "refused" in found["array-api"]
    assert "not covered" in visit("#q=np.mean(int8[3])").inner_text("#libraries")
    assert "They first differ at step 1" in made.inner_text("#libraries")
    made.click("#by-torch")
    settle(made)
    assert given(made).startswith("float32 by torch")
    assert "is of a higher kind than int32" in made.inner_text("#why")
    assert made.input_value("#system") == "torch"


def test_readmes_own_example_is_written_into_the_page(visit, settle):
    asked = []
    made = visit()
    assert given(made) == "float16 by jax, x64 on"
    assert "int32 → int64 → float* → float16" in made.inner_text("#why")
    assert "May overflow: int32 reaches 2147483647" in made.inner_text("#why")
    made.on("request", lambda request: asked.append(request.url))
    made.reload()
    settle(made)
    assert [url for url in asked if url.endswith("ask")] == []
    assert made.inner_text("#table h2").startswith("The table of JAX")


def test_what_is_i4_with_f2_stands_on_the_first_screen(visit, settle):
    made = visit()
    cell = made.locator("td[title='int32 and float16: float16']")
    assert cell.inner_text() == "f16"
    box = cell.bounding_box()
    assert box["y"] + box["height"] < 900
    cell.click()
    settle(made)
    assert made.input_value("#question") == "int32, float16"
    assert made.get_attribute("td[aria-current]", "title") == "int32 and float16: float16"
    shared(made)
    made.go_back()
    assert made.input_value("#question") == "int32, float16, 1.0"


@pytest.mark.parametrize("text", GARBAGE, ids=lambda text: ascii(text[:20]))
def test_nothing_that_is_typed_blanks_or_freezes_the_page_or_runs(text, visit, settle):
    made = visit()
    began = time.monotonic()
    made.fill("#question", text)
    settle(made)
    took = time.monotonic() - began
    for view in ("table", "own", "answers"):
        made.click(f"#tab-{view}")
        settle(made)
        if view == "own":
            made.fill("#arrows", text)
            settle(made)
    assert took < 20  # the machine may be busy
    assert made.query_selector("#panel img, #mistake img, #panel script") is None
    assert made.is_visible("#tabs")
    made.fill("#question", "int8, uint8")
    settle(made)
    assert given(made).startswith("int16")
    assert made.inner_text("#mistake") == ""


def test_what_the_address_has_is_shown_as_text(visit, settle):
    made = visit("#q=<img src=x onerror=alert(1)>&system=<b>&other=../x&step=-3&rare=<i>")
    assert "no rules named '<b>'" in made.inner_text("#mistake")
    assert made.query_selector("#panel img, #mistake img, #mistake b") is None
    made.select_option("#system", "numpy")
    settle(made)
    assert "<img src=x" in made.inner_text("#mistake")
    visit("#q=%F0%9F&view=__proto__&system=constructor&x=1")


def test_a_broken_expression_says_what_is_wrong_and_then_not(visit, settle):
    made = visit()
    made.fill("#question", "int32[3] + flaot32[3]")
    settle(made)
    assert "'flaot32' is not the name of a dtype; did you mean float32" in made.inner_text(
        "#mistake"
    )
    assert made.get_attribute("#question", "aria-invalid") == "true"
    made.fill("#question", "int32[3] + float32[3]")
    settle(made)
    assert made.get_attribute("#question", "aria-invalid") == "false"


def test_a_refusal_says_what_to_type_instead(visit):
    made = visit("#q=int32, float32&system=array-api")
    why = "leaves a mix of float and integer undefined"
    assert why in made.inner_text("#mistake")
    assert made.inner_text("#why") == ""
    assert made.inner_text("#table h2").startswith("The table of array API")


def test_differences_are_marked_and_counted(visit, settle):
    made = visit("#view=table&system=jax&other=torch")
    count = made.locator("td.differs").count()
    assert count > 50
    assert f"torch and jax differ in {count} of" in made.inner_text("#says")
    made.click("td[title^='uint64 and int64']")
    settle(made)
    assert made.input_value("#question") == "uint64, int64"
    made.check("#rare")
    settle(made)
    assert f"differ in {made.locator('td.differs').count()} of" in made.inner_text("#says")


def test_the_address_gives_the_same_view_again(visit, settle):
    made = visit()
    made.fill("#question", "int16[3] * 2.5")
    settle(made)
    made.select_option("#system", "jep9407-option2")
    settle(made)
    again = visit(shared(made))
    assert again.input_value("#question") == "int16[3] * 2.5"
    assert again.inner_text("#panel") == made.inner_text("#panel")
    made.click("#tab-own")
    settle(made)
    made.fill("#arrows", "a -> b & c")
    again = visit(shared(made))
    assert again.input_value("#arrows") == "a -> b & c"


def shared(made):
    """Return the view as its address has it, which is kept soon after a change."""
    made.wait_for_timeout(500)
    return made.evaluate("location.hash")


def test_the_drawing_lights_the_paths_of_a_step(visit, settle):
    made = visit("#q=(int32[3] %2B float16[3]) * int8[3]")
    made.click("#step-0")
    settle(made)
    assert made.text_content("svg .join title") == "float16"
    lit = {t.text_content() for t in made.query_selector_all("svg .node:is(.operand, .path) title")}
    assert lit == {"int32", "int64", "float*"}
    assert made.get_attribute("#step-0", "aria-pressed") == "true"
    assert made.evaluate("document.activeElement.id") == "step-0"


@pytest.mark.parametrize(
    ("arrows", "words"),
    [
        ("i8 -> i16\ni16 -> i8", "line 2: the arrows make a cycle, i8 -> i16 -> i8"),
        ("a, b -> c\na, b -> d", "a and b have 2 least upper bounds, c and d"),
    ],
)
def test_a_broken_lattice_is_judged_as_it_is_typed(arrows, words, visit, settle):
    made = visit("#view=own")
    made.fill("#arrows", arrows)
    settle(made)
    assert words in made.inner_text("#verdict")
    assert made.get_attribute("#arrows", "aria-invalid") == "true"
    made.fill("#arrows", "toString -> __proto__ -> a; b -> a")
    settle(made)
    assert "A lattice" in made.inner_text("#verdict")
    assert made.locator("#verdict svg .node").count() == 4
    assert "toString and b give a." in made.inner_text("#verdict")
    made.select_option("#x", "__proto__")
    settle(made)
    assert "__proto__ and b give a." in made.inner_text("#verdict")


def test_back_goes_to_the_view_before(visit, settle):
    made = visit("#q=int8, uint8")
    for view in ("table", "laws"):
        made.click(f"#tab-{view}")
        made.wait_for_timeout(400)
    made.go_back()
    assert made.get_attribute("#tab-table", "aria-selected") == "true"
    made.go_back()
    assert made.get_attribute("#tab-answers", "aria-selected") == "true"
    assert made.input_value("#question") == "int8, uint8"
    made.go_forward()
    assert made.get_attribute("#tab-table", "aria-selected") == "true"
    settle(made)


def test_the_keyboard_is_enough(visit, settle):
    made = visit()
    for element in ("skip", "question", "system"):
        made.keyboard.press("Tab")
        assert made.evaluate("document.activeElement.id") == element
    made.focus("#tab-answers")
    made.keyboard.press("ArrowRight")
    made.keyboard.press("ArrowRight")
    assert made.get_attribute("#tab-laws", "aria-selected") == "true"
    made.keyboard.press("Home")
    settle(made)
    made.focus("#by-jax")
    made.keyboard.press("Enter")
    settle(made)
    assert made.input_value("#system") == "jax"
    assert made.evaluate("document.activeElement.id") == "by-jax"


def test_a_page_that_frames_it_gets_the_box_and_the_answer(visit, settle):
    made = visit("#bare=1")
    assert not made.is_visible("#tabs")
    assert not made.is_visible("header")
    assert made.is_visible("#engine")
    made.fill("#question", "int8, uint8")
    settle(made)
    assert made.text_content("svg .join text") == "i16"
    assert "bare=1" in shared(made)


def test_an_engine_that_is_gone_is_told(visit, settle):
    made = visit(may_complain=True)
    made.route("**/ask", lambda route: route.fulfill(status=500, body="no engine"))
    made.fill("#question", "int8, int16")
    settle(made)
    assert made.inner_text("#mistake") == "no engine"
    made.unroute("**/ask")
    made.fill("#question", "int8, int32")
    settle(made)
    assert given(made).startswith("int32")


VIEWS = [
    "", "#view=table&other=torch&q=int8, uint8", "#view=laws&system=numpy", "#bare=1", "#view=own",
    "#view=own&arrows=a,b -> c%0Aa,b -> d", "#q=np.mean(int8[3]) * 2 %2B float32[3]", "#q=<b>",
]  # fmt: skip


@pytest.mark.parametrize("view", VIEWS)
def test_a_phone_scrolls_only_down(view, visit):
    made = visit(view, width=360)
    assert made.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_nothing_serious(view, scheme, visit):
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe looks at the page")
    made = visit(view, scheme=scheme)
    made.wait_for_timeout(600)  # what waits is pale for a while
    found = axe.Axe().run(made)["violations"]
    assert [
        (v["id"], [n["html"][:120] for n in v["nodes"][:3]])
        for v in found
        if v["impact"] in ("serious", "critical")
    ] == [], json.dumps(found)[:2000]


ASK = """async (texts) => {
  const found = [];
  for (const text of texts) found.push(JSON.stringify(await ask({ ask: "explain", text })));
  return found;
}"""


def test_200_expressions_are_answered_as_in_python(visit, settle):
    texts = expressions()
    assert len(texts) >= 200
    assert_same(visit(), texts, settle)


def assert_same(made, texts, settle):
    told = [json.loads(x) for x in made.evaluate(ASK, texts)]
    wanted = [json.loads(answer(json.dumps({"ask": "explain", "text": t}))) for t in texts]
    assert [(t, a) for t, a, b in zip(texts, told, wanted, strict=True) if a != b] == []
    shown = [t for t, a in zip(texts, told, strict=True) if "result" in a][:: len(texts) // 8]
    for text in shown:
        made.fill("#question", text)
        settle(made)
        result = json.loads(answer(json.dumps({"ask": "explain", "text": text})))["result"]
        assert given(made).split()[0] == result, text


# the same page as a site, whose engine is Pyodide


def ready(made):
    made.wait_for_function("() => performance.getEntriesByName('ready').length", timeout=60_000)


def test_a_site_shows_what_is_written_in_and_then_runs_python(visit, static, settle):
    made = visit(address=static)
    assert given(made) == "float16 by jax, x64 on"
    ready(made)
    assert "by Python 3." in made.inner_text("#engine")
    assert "it was there after" in made.inner_text("#engine")
    for mark in ("shown", "ready"):
        print(mark, made.evaluate(f"performance.getEntriesByName('{mark}')[0].startTime"))
    assert_same(made, expressions(), settle)
    made.click("#tab-own")
    settle(made)
    assert "A lattice" in made.inner_text("#verdict")
    assert made.locator("#verdict svg .node").count() == 9
    made.click("#tab-answers")
    made.select_option("#system", "numpy")
    settle(made)
    drawing = supremum.draw("numpy")
    assert [float(x.get_attribute("x")) for x in made.query_selector_all("svg .node text")] == [
        round(box.x) for box in drawing.boxes
    ]


def test_what_breaks_the_browsers_python_is_told_and_the_page_goes_on(visit, static, settle):
    made = visit(address=static, may_complain=True)
    ready(made)
    for text in GARBAGE:
        made.fill("#question", text)
        settle(made)
    made.evaluate("engine.ask('['.repeat(20000)).catch(() => {})")
    made.fill("#question", "int8, uint8")
    settle(made)
    made.wait_for_function("() => document.getElementById('question').value === 'int8, uint8'")
    made.fill("#question", "int8, uint16")
    settle(made)
    assert given(made).startswith("int32")


def test_a_site_without_its_engine_says_so(visit, static, settle):
    made = visit(address=static, may_complain=True)
    made.route("**/engine.zip", lambda route: route.fulfill(status=404))
    made.reload()
    made.get_by_text("does not run").wait_for()
    assert "engine.zip is missing beside this page" in made.inner_text("#engine")
    assert given(made) == "float16 by jax, x64 on"
    made.fill("#question", "int8, uint16")
    settle(made)
    assert "the engine does not run" in made.inner_text("#mistake")
