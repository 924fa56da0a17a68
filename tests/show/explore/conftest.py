"""A browser with the explorer in it."""

import pytest

from supremum.show.explore.page import page


@pytest.fixture(scope="session")
def address(tmp_path_factory):
    file = tmp_path_factory.mktemp("explore") / "page.html"
    file.write_text(page(), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def visit(browser, address):
    """Return a function that opens the page; what goes wrong in it fails the test."""
    opened, wrong = [], []

    def visit(fragment="", *, width=1280, scheme="light", selector="#panel > *"):
        made = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        opened.append(made)
        made.on("pageerror", lambda error: wrong.append(str(error)))
        made.on("request", lambda r: wrong.append(r.url) if r.url.startswith("http") else None)
        made.goto(address + fragment)
        made.wait_for_selector(selector, state="attached")
        return made

    yield visit
    for made in opened:
        made.close()
    assert wrong == []
