"""The site in a browser, on a desk and on a phone: no page scrolls sideways, and nothing is cut."""

import pytest

pytestmark = pytest.mark.thorough

pytest.importorskip("material", reason="mkdocs-material builds the site")

DESK, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}
# what is wider than the place that it has, in words
WIDE = """() => {
  const wider = e => e.scrollWidth > e.clientWidth + 1
  const hides = e => ["hidden", "clip"].includes(getComputedStyle(e).overflowX)
  const said = e => `${e.tagName} ${e.scrollWidth} in ${e.clientWidth}: ${e.innerText.slice(0, 60)}`
  const within = [...document.querySelectorAll(".md-content *, .md-nav__link")]
  const shown = within.filter(e => e.clientWidth > 1 && e.checkVisibility())
  const code = innerWidth < 960 ? [] : shown.filter(e => e.matches("pre > code") && wider(e))
  const cut = shown.filter(e => wider(e) && hides(e))
  const page = wider(document.documentElement) ? [document.documentElement] : []
  return [...page, ...code, ...cut].map(said)
}"""


@pytest.fixture
def page(browser):
    made = browser.new_page()
    yield made
    made.close()


def test_no_page_scrolls_sideways_and_nothing_is_cut(site, page, count):
    wrong, looked_at = {}, 0
    for path in sorted(site.rglob("*.html")):
        if path.name == "404.html" or path.parent.name == "explorer":  # which has tests of its own
            continue
        page.goto(path.as_uri())
        looked_at += 1
        for size, scheme in ((DESK, "light"), (PHONE, "dark")):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme)
            if found := page.evaluate(WIDE):
                wrong[f"{path.relative_to(site)} at {size['width']}"] = found[:3]
    count(f"{looked_at} pages at two widths, {len(wrong)} with something cut")
    assert not wrong
    assert looked_at > 80


def test_what_is_cut_is_found(page):
    long = "x" * 400
    for size, html in (
        (PHONE, f'<div class="md-content"><p>{long}</p></div>'),
        (DESK, f'<div class="md-content"><pre><code style="display:block;overflow:auto">{long}'),
        (PHONE, f'<div class="md-content"><p style="overflow:hidden">{long}</p></div>'),
    ):
        page.set_viewport_size(size)
        page.set_content(html)
        assert page.evaluate(WIDE)
    page.set_content('<div class="md-content"><p>short</p></div>')
    assert not page.evaluate(WIDE)
