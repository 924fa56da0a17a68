"""Files that pages show for other programs: they are read as those would read them."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from supremum import RulesError, audit
from supremum.audit import options

DOCS = Path(__file__).resolve().parents[2] / "docs"


def blocks(page, language):
    text = (DOCS / "howto" / f"{page}.md").read_text("utf-8")
    return re.findall(rf"^```{language}[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def report(tmp_path, monkeypatch):
    """Return a report as text: one finding of a kind, and one of a dtype."""
    monkeypatch.chdir(tmp_path)
    source = "import numpy as np\nx = np.hanning(8)\ny = np.ones(8, np.float32) * x\n"
    tmp_path.joinpath("program.py").write_text(source, "utf-8")
    found = audit.run("program.py", forbid="float64")
    return audit.render(found, "text").splitlines()


def test_the_problem_matcher_finds_each_finding_and_nothing_else(report):
    [task] = json.loads(next(b for b in blocks("in-your-editor", "json") if "tasks" in b))["tasks"]
    pattern = task["problemMatcher"]["pattern"]
    found = [match for line in report if (match := re.match(pattern["regexp"], line))]
    parts = ("file", "line", "column", "code", "message")
    [match] = [[m[pattern[part]] for part in parts] for m in found]
    kind = "forbidden:float64"
    assert match[:4] == ["program.py", "2", "5", kind]
    assert match[4].startswith("float64 is introduced here")


def test_the_settings_of_the_page_are_read():
    rules, audits = map(tomllib.loads, blocks("settings", "toml"))
    assert rules["tool"]["supremum"] == {"system": "jax:x64=false"}
    given = audits["tool"]["supremum"]["audit"]
    read = options.read(**{name.replace("-", "_"): value for name, value in given.items()})
    assert read.fail_on == {"widening", "forbidden"}
    assert len(given) == 5


def test_the_settings_of_the_page_are_those_that_an_audit_has():
    table = (DOCS / "howto" / "settings.md").read_text("utf-8").partition("| option | is |")[2]
    named = re.findall(r"^\| `([a-z-]+)` \|", table.partition("\n\n")[0], re.MULTILINE)
    with pytest.raises(RulesError) as refused:
        options.read(nonesuch=1)
    known = str(refused.value).partition("; there are ")[2].split(", ")
    assert [name.replace("-", "_") for name in named] == known
