"""The documents show what the code does, and leave nothing out."""

import inspect
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from shutil import copytree

import pytest
import regenerate
from generator import made, tables
from generator.reference import HOW_TO, OF_RULES, RETURNED
from generator.systems import page_of

import supremum
from supremum.commands import COMMANDS
from supremum.core.function_rules import DEFAULTS, INTS, WORDS
from supremum.core.functions import FUNCTIONS
from supremum.core.libraries import libraries
from supremum.core.rules import Rules

pytestmark = pytest.mark.thorough

DOCS = Path(__file__).resolve().parents[2] / "docs"
SITE = "https://supremum.readthedocs.io/en/latest/"


@pytest.fixture(scope="module")
def pages():
    """Return the pages that are made when the site is built."""
    return made.pages()


def test_every_page_is_looked_at():
    assert {DOCS.parent / "README.md", DOCS.parent / "CONTRIBUTING.md", *DOCS.rglob("*.md")} == set(
        regenerate.documents()
    )


@pytest.mark.parametrize(
    "page", regenerate.documents(), ids=lambda p: str(p.relative_to(DOCS.parent))
)
def test_generated_output_is_up_to_date(page):
    text = page.read_text("utf-8")
    assert regenerate.renewed(text) == text, "run `make regenerate`"


STALE = {
    "output": "```console\n$ supremum explain int8\nint16\n```\n",
    "no output": "```console\n$ supremum explain int8\n```\n",
    "error": "```console\n$ supremum explain i9\n```\n",
    "table": "<!-- $ supremum table int8 --format markdown -->\n| i9 |\n<!-- end -->\n",
    "kinds": "<!-- kinds -->\n<!-- end -->\n",
    "appendix": "<!-- appendix numpy -->\n<!-- end -->\n",
    "file": '```text title="a.txt"\ni8 -> i16\n```\n\n```console\n$ supremum table a.txt\n```\n',
}


@pytest.mark.parametrize("text", STALE.values(), ids=STALE.keys())
def test_stale_output_is_found_and_renewed(text, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(text, "utf-8")
    assert regenerate.main(["--check", str(page)]) == 1
    assert page.read_text("utf-8") == text
    assert capsys.readouterr().out == f"{page}: out of date\n"
    assert regenerate.main([str(page)]) == 0
    assert page.read_text("utf-8") != text
    assert regenerate.main(["--check", str(page)]) == 0


def test_stale_pictures_are_renewed(tmp_path, monkeypatch, capsys):
    picture = tmp_path / "new" / "python.svg"
    monkeypatch.setattr(regenerate, "documents", list)
    monkeypatch.setattr(regenerate, "others", lambda: {picture: "<svg/>\n"})
    assert regenerate.main(["--check"]) == 1
    assert not picture.exists()
    assert capsys.readouterr().out == f"{picture}: out of date\n"
    assert regenerate.main([]) == 0
    assert picture.read_text("utf-8") == "<svg/>\n"
    assert regenerate.main(["--check"]) == 0


def test_a_file_of_the_page_is_read():
    shown = regenerate.renewed(STALE["file"])
    assert (
        "$ supremum table a.txt\na rules\n\n     i8  i16\ni8   i8  i16\ni16  i16 i16\n```" in shown
    )


def test_other_commands_are_left_alone():
    text = "```console\n$ make demo\nanything\n$ pip install .\n```\n\n```python\n$ supremum\n```\n"
    assert regenerate.renewed(text) == text


def test_both_streams_are_shown_as_on_a_terminal():
    shown = regenerate.renewed("```console\n$ supremum table\n```\n").splitlines()
    assert shown[2].endswith("--all shows them")
    assert shown[3] == "jax rules, x64 on"


def test_what_fix_measures_is_left_out():
    program = "import numpy as np\n\nprint((np.ones(3, np.float32) * np.hanning(3)).sum())\n"
    text = f'```python title="a.py"\n{program}```\n\n```console\n$ supremum fix a.py\n```\n'
    shown = regenerate.renewed(text).splitlines()
    assert shown[shown.index("$ supremum fix a.py") + 1] == "a.py:3:33: np.hanning(3)"
    assert shown[-2:] == ["  ...", "```"]
    assert not any("peak memory" in line for line in shown)


def test_a_crash_is_not_taken_for_output(monkeypatch):
    def crash(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr(supremum.custom.PromotionSystem, "explain", crash)
    with pytest.raises(RuntimeError, match="explain int8"):
        regenerate.renewed("```console\n$ supremum explain int8\n```\n")


def rows(table):
    split = (line.split("|") for line in table.splitlines() if line.startswith("|"))
    return {cells[1].strip(): cells[2:-1] for cells in split}


def test_the_table_of_laws_has_all_rules_that_ship():
    found = rows(tables.laws())
    named = {head.partition(",")[0] for head in found}
    assert {f"`{name}`" for name in supremum.systems()} <= named
    assert [cell.strip() for cell in found["`jax-original`"][2:]] == [
        "holds", "holds", "holds", "fails 64", "fails 32", "fails 16", "0", "5", "28", "7",
    ]  # fmt: skip


def test_the_catalogue_of_functions_has_all_functions_with_all_spellings():
    shown = tables.functions()
    every = {name for f in FUNCTIONS.values() for name in (f.name, *f.spellings)}
    assert every <= set(re.findall(r"`([\w.\[\]]+)`", shown))


@pytest.mark.parametrize("name", supremum.systems())
def test_the_page_of_rules_has_each_function_with_a_rule_of_its_own(name, pages):
    rules, page = supremum.system(name), pages[page_of(name)]
    shown = set(re.findall(r"`([\w.\[\]]+)`", page.partition("## Functions")[2]))
    numpy = supremum.system("numpy")
    is_beside = "## Beside `numpy`" in page
    assert is_beside == (name in ("cupy", "dask", "dpnp", "numpy-legacy", "pandas", "pytensor"))
    own = {
        function
        for function, rule in rules.functions.items()
        if (rule != numpy.functions.get(function) if is_beside else rule.text or rule.special)
    }
    assert own <= shown


def test_every_word_of_the_language_of_rules_is_explained():
    page = (DOCS / "concepts" / "functions.md").read_text("utf-8")
    language = page.partition("## The language of rules")[2].partition("\n## ")[0]
    words = {word for _, code in re.findall(r"(`+)(.+?)\1", language) for word in code.split()}
    assert {*WORDS, *" ".join(INTS).split(), *DEFAULTS, "part", "-"} <= words


def test_benchmarks_are_counted_and_shown_without_their_verdicts():
    shown = tables.benchmarks()
    printed = json.loads((DOCS / "performance.json").read_text("utf-8"))["calls"]["printed"]
    judged = sum(line.endswith(("ok", "OVER")) for line in printed)
    assert judged
    assert f" of {judged} are within their limits" in shown
    assert not re.search(r" (ok|OVER)\b", shown)


def test_a_dtype_of_a_program_is_not_in_the_catalogue():
    supremum.custom.define("posit16", kind="float", bits=16, precision=12, max=2.0**56)
    assert "posit16" in supremum.names()
    assert "posit16" not in tables.catalogue()


def test_every_page_is_in_the_navigation_but_those_of_rules_which_a_page_lists(pages):
    config = (DOCS.parent / "mkdocs.yml").read_text("utf-8")
    listed = re.findall(r"[\w/-]+\.md", config.partition("\nnav:")[2])
    written = [p.relative_to(DOCS).as_posix() for p in DOCS.rglob("*.md")]
    rest = {page for page in pages if not page.startswith("reference/systems/")}
    assert not rest & {*written}
    assert sorted(listed) == sorted([*written, *rest])


WRITTEN = regenerate.documents()


@pytest.mark.parametrize("page", WRITTEN, ids=lambda p: str(p.relative_to(DOCS.parent)))
def test_links_lead_to_pages_where_the_repository_is_read(page, pages):
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path = link.partition("#")[0]
        if path.startswith(SITE):  # a page that only the site has
            known = {"", "explorer/index.md", *pages}  # the root; what docs/site_hook.py writes
            assert path.removeprefix(SITE).replace(".html", ".md") in known, link
        elif path and "://" not in path:
            assert (page.parent / path).exists(), link


ONE_CLICK = (
    "tutorial", "howto/find-the-line", "howto/read-an-explanation", "howto/arrays-on-any-backend",
    "howto/write-your-own-rules", "howto/move-to-another-library", "howto/run-in-ci",
)  # fmt: skip


@pytest.mark.parametrize("first", [DOCS / "index.md", DOCS.parent / "README.md"])
def test_the_first_page_leads_to_each_use_in_one_click(first):
    text = first.read_text("utf-8")
    links = {(first.parent / link).resolve() for link in re.findall(r"\]\(([\w/-]+\.md)\)", text)}
    assert links >= {DOCS / f"{page}.md" for page in ONE_CLICK}
    assert all(link.is_file() for link in links)
    assert re.findall(r"^\$ supremum (\w+)", text, re.MULTILINE)[:3] == ["audit", "explain", "diff"]


def test_the_library_of_the_page_works_in_a_copy_of_the_core_under_another_name(tmp_path):
    page = (DOCS / "howto" / "add-a-library.md").read_text("utf-8")
    source = re.search(r'```python\n(""".*?)^```', page, re.DOTALL | re.MULTILINE)[1]
    assert source in (DOCS.parent / "tests/core/systems/test_new_library.py").read_text("utf-8")
    shown = re.search(
        r"\$ supremum explain (.*) --system toy\n(.*?)^```", page, re.DOTALL | re.MULTILINE
    )
    core = Path(supremum.__file__).parent / "core"
    systems = copytree(core, tmp_path / "promotion") / "systems"
    (systems / "toy.py").write_text(source, "utf-8")
    asked = f"system('toy').explain(*map(parse, {shown[1].split()}))"
    code = "from promotion.operands import parse\nfrom promotion.systems import system\n"
    printed = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", f"{code}print({asked})"],
        capture_output=True,
        check=True,
        cwd=tmp_path,
    ).stdout
    assert printed.decode("utf-8").splitlines() == shown[2].splitlines()


@pytest.mark.parametrize("name", supremum.__all__)
def test_every_public_function_has_an_example(name):
    public = getattr(supremum, name)
    assert inspect.getdoc(public)
    assert not inspect.isfunction(public) or ">>> " in inspect.getdoc(public)


FIRST = {"": DOCS / "index.md", "docs/": DOCS.parent / "README.md"}
"""The two pages at which people arrive, by what their links begin with."""


@pytest.mark.parametrize("page", FIRST.values(), ids=lambda page: page.name)
def test_libraries_are_counted(page):
    own = [known for known in libraries().values() if known.modules and not known.standard]
    assert re.findall(r"(\d+) libraries", page.read_text("utf-8")) == [str(len(own))]


@pytest.mark.parametrize(
    "linked",
    [
        "tutorial",
        "gallery",
        "before-and-after",
        "libraries",
        "related-tools",
        "howto/find-the-line",
        "howto/my-loss-is-float64",
        "howto/pandas-and-polars",
        "howto/questions-and-answers",
        "howto/why-nothing-was-found",
    ],
)
def test_first_pages_link_what_beginners_look_for(linked):
    for folder, page in FIRST.items():
        assert f"]({folder}{linked}.md" in page.read_text("utf-8")


def test_every_part_of_rules_is_documented():
    parts = re.findall(r'^    (\w+): .*\n    """', inspect.getsource(Rules), re.MULTILINE)
    assert {part.name for part in fields(Rules)} <= {*parts}


def own_members(public):
    """Return the names that a class or module defines and does not hide."""
    if inspect.ismodule(public) and not hasattr(public, "__all__"):
        functions = inspect.getmembers(public, inspect.isfunction)
        names = [n for n, f in functions if f.__module__ == public.__name__]
    elif inspect.ismodule(public):
        names = public.__all__
    elif inspect.isclass(public):
        # a descriptor that only says which function to call is no member
        names = (n for n, value in vars(public).items() if type(value).__name__ != "NoMethod")
        names = (*names, *getattr(public, "__slots__", ()), *getattr(public, "_fields", ()))
    else:
        names = ()
    return {n for n in names if not n.startswith("_")}


@pytest.mark.parametrize("name", [name for section in COMMANDS.values() for name in section])
def test_every_command_is_documented_with_its_help(name, pages):
    page = pages["reference/command.md"]
    said = page.partition(f"## `supremum {name}`\n")[2].partition("\n## ")[0]
    assert f"$ supremum {name} --help\nUsage: supremum {name} " in said
    if name in HOW_TO:
        assert (DOCS / f"howto/{HOW_TO[name]}.md").exists()


@pytest.mark.parametrize("name", supremum.systems())
def test_all_rules_that_ship_are_described(name, pages):
    link = re.search(rf"\[`{name}`\]\((systems/[\w-]+\.md)(#\S+)?\)", pages["reference/systems.md"])
    page = pages[f"reference/{link[1]}"]
    assert page_of(name) == f"reference/{link[1]}"
    assert "Source: " in page
    assert link[2] is None or f"\n## `{link[2][1:]}`\n" in page


def test_each_page_that_is_made_has_a_title_and_a_text(pages):
    assert len(pages) > 30
    for path, text in pages.items():
        assert re.match(r"# .+\n\n\S", text), path
        assert text.endswith("\n"), path


def test_names_of_the_reference_are_there(pages):
    both = pages["reference/python.md"] + pages["reference/python-custom.md"]
    paths = re.findall(r"^::: (\S+)$", both, re.MULTILINE)
    assert len(paths) == len(set(paths)) > 40
    assert set(paths) >= {*RETURNED, *OF_RULES}


@pytest.fixture(scope="module")
def entries(site):
    """Return what the reference that is made from the code has: names with what they are."""
    from mkdocstrings import Inventory

    with (site / "objects.inv").open("rb") as file:
        return {(item.name, item.role) for item in Inventory.parse_sphinx(file).values()}


MODULES = ["supremum", *(n for n in supremum.__all__ if inspect.ismodule(getattr(supremum, n)))]


@pytest.mark.parametrize(
    "module", [supremum, *(getattr(supremum, n) for n in MODULES[1:])], ids=MODULES
)
def test_every_public_name_is_in_the_reference_made_from_the_code(entries, module):
    for name in module.__all__:
        public = inspect.unwrap(getattr(module, name))
        sort = next(
            (
                sort
                for sort in ("function", "class", "module")
                if getattr(inspect, f"is{sort}")(public)
            ),
            "data",
        )
        where = {f"{module.__name__}.{name}"}
        if sort in ("function", "class"):
            where.add(f"{public.__module__}.{public.__qualname__}")
        assert {(path, sort) for path in where} & entries, f"{module.__name__}.{name}"
        if sort == "class":
            for member in own_members(public):
                known = {path for path, _ in entries}
                assert {f"{path}.{member}" for path in where} & known, f"{name}.{member}"


def test_functions_of_arrays_are_in_the_reference_made_from_the_code(entries):
    known = {path.rpartition(".")[2] for path, _ in entries if ".arrays.signatures." in path}
    xp = supremum.namespace()
    for space in (xp, xp.linalg, xp.fft):
        own = {n for n in dir(space) if inspect.ismethod(getattr(space, n)) and n[0] != "_"}
        assert own - set(dir(type(space))) <= known


def test_examples_in_entries_are_code(site):
    for page in (site / "reference").glob("python*.html"):
        assert "<blockquote>" not in page.read_text("utf-8"), page.name


def test_the_site_can_be_searched(site):
    found = json.loads((site / "search/search_index.json").read_text("utf-8"))["docs"]
    assert "reference/python.html#supremum.result_type" in {p["location"] for p in found}


def test_entries_link_to_their_source(site):
    source = tomllib.loads((DOCS.parent / "pyproject.toml").read_text("utf-8"))["project"]["urls"][
        "Source"
    ]
    page = (site / "reference/python.html").read_text("utf-8")
    links = re.findall(rf'<a href="{source}/blob/main/(.*?)#L(\d+)">source</a>', page)
    found = [(DOCS.parent / f).read_text("utf-8").splitlines()[int(n) - 1 :] for f, n in links]
    assert any("def result_type(" in line for lines in found for line in lines[:3])
    assert all(lines[0].lstrip().startswith(("def ", "class ", "@")) for lines in found)
