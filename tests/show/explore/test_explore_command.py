"""The explorer as a file and as a command."""

import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from itertools import pairwise
from threading import Thread

import pytest

import supremum
from supremum.show.explore import serve
from supremum.show.explore.answers import answers
from supremum.show.explore.classes import numbers
from supremum.show.explore.data import data
from supremum.show.explore.page import page


def test_the_page_is_one_small_file_that_asks_nobody_for_more():
    text = page()
    assert len(text.encode()) < 1_000_000
    assert not re.findall(r"(?:src|href)=[\"'](?!#)", text)
    assert "default-src 'none'" in text
    assert "unsafe" not in text.partition("</head>")[0]
    assert "Permission is hereby granted" in text  # dagre's licence


def test_the_classes_of_numbers_hold_each_number_once():
    ints = [n for n in numbers() if n.kind == "int"]
    assert ints[0].low is None
    assert ints[-1].high is None
    assert all(a.high == b.low for a, b in pairwise(ints))
    for own in numbers():
        assert own.some()


def test_data_of_one_system_is_made_again_alike():
    assert data(["python"]) == data(["python"])


def test_rules_without_functions_say_so():
    found = answers(supremum.system("jax-original"))
    assert "no function rules are defined" in found.functions["add"]


def test_the_server_answers_this_machine_alone():
    with serve.server() as running:
        Thread(target=running.serve_forever, daemon=True).start()
        host, port = running.server_address
        assert host == "127.0.0.1"
        address = f"http://127.0.0.1:{port}/"
        with urllib.request.urlopen(address) as answer:
            assert answer.read().decode() == page()
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        for url, headers in [(f"{address}etc/passwd", {}), (address, {"Host": "evil.example"})]:
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(urllib.request.Request(url, headers=headers))
        running.shutdown()


def test_the_command_writes_the_page(run, tmp_path):
    file = tmp_path / "page.html"
    assert "kB; open it in any browser" in run("explore", "--save", str(file)).stdout
    assert file.read_text(encoding="utf-8") == page()
    found = run("explore", "--save", str(tmp_path / "none" / "page.html"))
    assert found.exit_code == 2
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
        address = re.search(r"http://127\.0\.0\.1:\d+/", line)[0]
        with urllib.request.urlopen(address) as answer:
            assert answer.status == 200
    finally:
        started.terminate()
        started.wait(10)
        started.stdout.close()
