"""What several modules of tests need."""

import inspect
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import supremum
from supremum.commands import main
from supremum.core.dtypes import from_code

GOLDEN = Path(__file__).parent / "golden"
CHROMIUM = Path("/usr/bin/chromium")
SECTION = re.compile(r"^=== (.+)\n((?:(?!=== ).*\n)*)", re.MULTILINE)
JAX_STARTS_WITH = {
    "jax_enable_x64": False,
    "jax_numpy_dtype_promotion": "standard",
    "jax_traceback_filtering": "auto",
}


@pytest.fixture(autouse=True)
def _libraries_stay_as_they_were():
    before = JAX_STARTS_WITH
    if "jax" in sys.modules:
        before = {name: getattr(sys.modules["jax"].config, name) for name in before}
    default = sys.modules["torch"].get_default_dtype() if "torch" in sys.modules else None
    yield
    for name, value in before.items() if "jax" in sys.modules else ():
        sys.modules["jax"].config.update(name, value)
    if "torch" in sys.modules:
        sys.modules["torch"].set_default_dtype(default or sys.modules["torch"].float32)


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
    pytest.importorskip("mkdocs_gen_files")
    if not (GOLDEN.parents[1] / ".npm").is_dir():
        pytest.skip("there is nothing from npm for the site; type make docs")
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
    parser.addoption(
        "--renew-golden", action="store_true", help="write wording in tests/golden anew"
    )


@pytest.fixture(scope="module")
def _wording(request):
    """Yield what a module's file in `golden` says, by test, and what its tests say."""
    name = request.path.relative_to(GOLDEN.parent).with_suffix(".txt")
    said, kept = {}, {}
    if (GOLDEN / name).exists():
        kept = dict(SECTION.findall((GOLDEN / name).read_text(encoding="utf-8")))
    yield kept, said
    if request.config.getoption("renew_golden"):
        ran = {key.partition("[")[0].partition(" ")[0] for key in said}
        others = {
            key: text
            for key, text in kept.items()
            if (function := key.partition("[")[0].partition(" ")[0]) not in ran
            and hasattr(request.module, function)
        }
        (GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
        told = sorted({**others, **said}.items())
        sections = [f"=== {key}\n{text.strip(chr(10))}\n" for key, text in told]
        (GOLDEN / name).write_text("\n".join(sections), encoding="utf-8")


@pytest.fixture
def golden(request, _wording):
    """Return a function that compares a text with what the module's file in `golden` says.

    `tests/golden/core/test_fold.txt` is that of `tests/core/test_fold.py`. With the option
    ``--renew-golden`` it is written anew, and ``git diff`` shows which words have changed.
    """
    kept, said = _wording
    keys = (f"{request.node.name}{f' ({i})' if i else ''}" for i in itertools.count())

    def compare(text):
        text = str(text).strip("\n")
        if "tmp_path" in request.fixturenames:
            text = text.replace(str(request.getfixturevalue("tmp_path")), "TMP")
        key = next(keys)
        said[key] = f"{text}\n"
        if not request.config.getoption("renew_golden"):
            assert said[key] == kept.get(key, "").rstrip("\n") + "\n"

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
def kept():
    """Return what counts the answers that each function of some rules keeps."""

    def count(rules):
        promotions = inspect.getclosurevars(rules.promote_types).nonlocals["promotions"]
        results = inspect.getclosurevars(rules.result_type).nonlocals["results"]
        stores = [promotions.pairs, results.of_arrays, results.of_floats, results.of_pairs]
        found = [promotions.kept.cache_info().currsize]
        found += map(_answers_in, [*stores, results.of_many])
        return found

    return count


def _answers_in(kept):
    """Return how many answers dictionaries in dictionaries hold."""
    return sum(map(_answers_in, kept.values())) if isinstance(kept, dict) else 1


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs the command in an empty folder, and gives what came of it."""
    monkeypatch.chdir(tmp_path)
    # an audited program ends as a process does, and this process goes on
    monkeypatch.setattr("threading._shutdown", lambda: None)
    monkeypatch.setattr("atexit._run_exitfuncs", lambda: None)

    def invoke(*words, input=None, **env):
        return CliRunner().invoke(main, words, input=input, env=env)

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
