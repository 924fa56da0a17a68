"""The local server, and the command that starts it or writes a site."""

import http.client
import io
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile

import pytest

from supremum.show.explore import site


def told(served, path, *, method="GET", body=None, **headers):
    """Return the status of an answer, and its text."""
    made = http.client.HTTPConnection(*served.server_address, timeout=10)
    made.request(method, path, body, headers)
    answer = made.getresponse()
    return answer.status, answer.read().decode()


@pytest.fixture
def root(served):
    return f"/{served.token}/"


def test_the_page_and_its_files_are_sent(served, root):
    for name, content in site.page("server").items():
        assert told(served, root + name)[1].encode() == content
    assert told(served, root)[0] == 200
    with urllib.request.urlopen(served.address) as answer:
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["X-Frame-Options"] == "DENY"
    assert len(served.token) > 20


@pytest.mark.parametrize(
    "path", ["", "/", "//", "/x/", "/{0}x/", "/{0}", "/index.html", "/x/{0}/", "{0}/"]
)
def test_whoever_has_no_address_gets_nothing(served, path):
    assert told(served, path.format(served.token))[0] in (400, 403)
    assert told(served, "/x/ask", method="POST", body='{"ask": "about"}')[0] == 403


@pytest.mark.parametrize("name", ["../page.css", "..%2Fserve.py", "%2e%2e/serve.py", "/etc/passwd",
                                  "web/page.html", "worker.js", "engine.zip"])  # fmt: skip
def test_no_other_file_is_sent(served, root, name):
    assert told(served, root + name)[0] == 404


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Host": "127.0.0.1:1"}, {"Host": ""}, {"Host": "localhost"},
     {"Origin": "http://evil.example"}, {"Origin": "null"}],
)  # fmt: skip
def test_who_comes_from_elsewhere_is_refused(served, root, headers):
    assert told(served, root, **headers)[0] == 403
    asked = told(served, root + "ask", method="POST", body='{"ask": "about"}', **headers)
    assert asked[0] == 403


def test_a_question_is_answered(served, root):
    question = json.dumps({"ask": "explain", "text": "int32, float16, 1.0"})
    status, answer = told(served, root + "ask", method="POST", body=question)
    assert (status, json.loads(answer)["result"]) == (200, "float16")
    assert told(served, root + "page.css", method="POST", body=question)[0] == 404
    status, answer = told(served, root + "ask", method="POST", body=b"\xff\xfe")
    assert "error" in json.loads(answer)


def test_large_requests_are_refused_before_they_are_read(served, root):
    for length in ("20001", "9" * 30):
        made = http.client.HTTPConnection(*served.server_address, timeout=10)
        made.putrequest("POST", root + "ask")
        made.putheader("Content-Length", length)
        made.endheaders()
        assert made.getresponse().status == 413
    for length in ("-1", "x", ""):
        made = http.client.HTTPConnection(*served.server_address, timeout=10)
        made.putrequest("POST", root + "ask")
        made.putheader("Content-Length", length)
        made.endheaders()
        assert made.getresponse().status == 404


def test_other_methods_are_none(served, root):
    assert told(served, root, method="PUT", body="x")[0] == 501
    assert told(served, root, method="DELETE")[0] == 501


def test_the_page_asks_nobody_else_and_has_nothing_written_as_markup():
    files = site.page("server")
    text = files["index.html"].decode()
    assert "default-src 'none'" in text
    assert not re.findall(r"(?:src|href)=[\"'](?:https?:)?//", text)
    assert text.count("<script") == 2 + len(site.SCRIPTS)
    assert b"Permission is hereby granted" in files["dagre.js"]
    assert sum(map(len, files.values())) < 150_000


def test_the_engine_is_the_package_as_it_is():
    archive = zipfile.ZipFile(io.BytesIO(site.engine()))
    names = archive.namelist()
    assert "supremum/core/systems/jax.py" in names
    assert (
        archive.read("supremum/core/lattice.py")
        == (site.SOURCE / "core" / "lattice.py").read_bytes()
    )
    assert {name.split("/")[1] for name in names} == {"core", "show", "__init__.py", "version.py"}
    assert site.engine() == site.engine()


def test_a_site_needs_pyodide_and_a_folder(run, tmp_path):
    found = run("explore", "--save", str(tmp_path / "site"))
    assert found.exit_code == 2
    assert f"type npm pack pyodide@{site.VERSION}" in found.stderr
    found = run("explore", "--save", str(tmp_path / "site"), "--pyodide", str(tmp_path))
    assert "has no pyodide.mjs, so it is not Pyodide" in found.stderr
    assert not (tmp_path / "site").exists()
    assert "type --save FOLDER" in run("explore", "--pyodide", "package").stderr


def test_a_site_is_written(run, tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    for name in site.PYODIDE:
        (package / name).write_text(name, "utf-8")
    found = run("explore", "--save", str(tmp_path / "site"), "--pyodide", str(package))
    assert "type python -m http.server -d" in found.stdout
    written = {p.relative_to(tmp_path / "site").as_posix() for p in (tmp_path / "site").rglob("*")}
    assert {"index.html", "worker.js", "engine.zip", "pyodide/pyodide.asm.wasm"} <= written
    (tmp_path / "file").write_text("", "utf-8")
    found = run("explore", "--save", str(tmp_path / "file"), "--pyodide", str(package))
    assert "cannot be written" in found.stderr


def test_the_command_serves_until_it_is_stopped():
    started = subprocess.Popen(
        [sys.executable, "-m", "supremum", "explore"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", "BROWSER": "true"},
    )
    try:
        line = started.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+/[\w-]+/", line)[0]
        with urllib.request.urlopen(address) as answer:
            assert answer.status == 200
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(address.rpartition("/")[0].rpartition("/")[0] + "/")
    finally:
        started.terminate()
        started.wait(10)
        started.stdout.close()
