"""What several modules of tests need."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import supremum
from supremum.cli import main
from supremum.core.dtypes import from_code

GOLDEN = Path(__file__).parent / "golden"
CHROMIUM = Path("/usr/bin/chromium")


@pytest.fixture(scope="session")
def browser():
    """Return a browser; there is one in a process, as Playwright has it."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}; Debian's package is chromium")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Build the site of the docs, and return its folder."""
    pytest.importorskip("mkdocstrings")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]  # --quiet counts no warnings
    done = subprocess.run(
        [*command, "--site-dir", folder],
        cwd=GOLDEN.parent.parent,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return folder


def pytest_addoption(parser):
    parser.addoption("--renew-golden", action="store_true", help="write tests/golden/*.txt anew")


@pytest.fixture
def golden(request):
    """Return a function that compares a text with the one that is kept under a name.

    ``pytest --renew-golden`` keeps the texts as they are now; `git diff` shows what became of them.
    """

    def compare(name, text):
        kept = GOLDEN / f"{name}.txt"
        if request.config.getoption("renew_golden"):
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(f"{text}\n", encoding="utf-8")
        assert f"{text}\n" == kept.read_text(encoding="utf-8")

    return compare


@pytest.fixture
def golden_table():
    """Return a function that reads a written table: ordered pairs of dtypes with their answers."""

    def read(name, dtype_of=from_code):
        rows = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["table"]
        return {
            (dtype_of(a), dtype_of(b)): None if answer == "-" else dtype_of(answer)
            for a, row in rows.items()
            for b, answer in row.items()
        }

    return read


@pytest.fixture
def asked():
    """Return a function that gives the answer of some rules, or None where they refuse."""

    def ask(rules, *dtypes):
        try:
            return rules.promote_types(*dtypes)
        except supremum.PromotionError:
            return None

    return ask


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs the command in an empty folder, and gives what came of it."""
    monkeypatch.chdir(tmp_path)

    def invoke(*words, **env):
        return CliRunner().invoke(main, words, env=env)

    return invoke


@pytest.fixture
def count(record_property):
    """Return what takes a line for the summary."""
    return lambda line: record_property("count", line)


def pytest_terminal_summary(terminalreporter):
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                for name, line in report.user_properties:
                    if name == "count":
                        terminalreporter.write_line(line)
