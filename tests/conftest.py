"""What several modules of tests need."""

import json
import os
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

# What `make test-thorough` runs and `make test` leaves out, as it takes long: programs that are
# audited in processes of their own, generated documents, and measurements.
THOROUGH = frozenset({
    "audit/test_code_cache.py", "audit/test_command.py", "audit/test_compilers.py",
    "audit/test_editor.py", "audit/test_observed.py",
    "audit/test_endings.py", "audit/test_examples.py", "audit/test_fix.py", "audit/test_fixes.py",
    "audit/test_fixes_apply.py", "audit/test_forks.py", "audit/test_formats.py",
    "audit/test_grammar.py", "audit/test_issues.py", "audit/test_notebooks.py",
    "audit/test_notebooks_fixed.py",
    "audit/test_own_modules.py", "audit/test_processes.py", "audit/test_program_errors.py",
    "audit/test_pytest_plugin.py", "audit/test_reference_counts.py", "audit/test_suppressions.py",
    "audit/test_target.py", "audit/test_whose_code.py", "audit/test_why_command.py",
    "design/test_brute_force.py", "design/test_design.py",
    "export/test_description.py", "export/test_languages.py", "export/test_python.py",
    "explore/test_explore_answers.py", "explore/test_explore_page.py",
    "peers/test_issues.py", "test_ci_files.py", "test_conformance.py", "test_docs.py",
    "test_documents.py", "test_libraries.py", "test_notebook_shown.py",
    "test_random_rules.py", "test_releases.py", "test_site_in_browser.py", "test_typing.py",
})  # fmt: skip


def pytest_collection_modifyitems(items):
    """Mark what takes long."""
    for item in items:
        if Path(os.path.relpath(item.path, GOLDEN.parent)).as_posix() in THOROUGH:
            item.add_marker(pytest.mark.thorough)


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


@pytest.fixture
def golden():
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
