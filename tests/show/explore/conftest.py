"""The page in a browser: as the local server sends it, and as a site with Pyodide."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from supremum.show.explore import site
from supremum.show.explore.serve import Server

PYODIDE = Path(__file__).resolve().parents[3] / ".npm" / f"pyodide@{site.VERSION}"


@pytest.fixture(scope="session")
def served():
    """Return the server that ``supremum explore`` starts."""
    with Server() as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture(scope="session")
def static(tmp_path_factory):
    """Return the address of a saved site, which a plain server of files sends."""
    if not PYODIDE.is_dir():
        pytest.skip(f"there is no {PYODIDE}; make .npm/{PYODIDE.name}")
    folder = tmp_path_factory.mktemp("site")
    site.save(folder, PYODIDE)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}/"
        running.shutdown()


@pytest.fixture(scope="session")
def settle():
    """Return a function that waits until everything that was asked is shown."""

    def settle(made):
        made.wait_for_timeout(250)  # what is typed is asked for after a moment
        made.wait_for_function(
            "() => document.querySelector('#panel > *')"
            " && !document.querySelector('[aria-busy=true]')"
        )

    return settle


@pytest.fixture
def visit(browser, served, settle):
    """Return a function that opens the page; what goes wrong in it fails the test."""
    opened, wrong, asked, origins = [], [], [], set()

    def visit(
        fragment="", *, address=served.address, width=1280, scheme="light", may_complain=False
    ):
        made = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        opened.append(made)
        origins.add("/".join(address.split("/")[:3]))
        made.on("pageerror", lambda error: wrong.append(str(error)))
        if not may_complain:
            made.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
        made.on("request", lambda r: asked.append(r.url))
        made.goto(address + fragment)
        settle(made)
        return made

    yield visit
    for made in opened:
        made.close()
    assert wrong == []
    assert [url for url in asked if not url.startswith((*origins, "data:"))] == []
