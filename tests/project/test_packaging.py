"""What an index and a repository's site show, and what can be installed."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from generator import made
from markdown_it import MarkdownIt

import supremum

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
SITE = PROJECT["project"]["urls"]["Documentation"]


@pytest.fixture(scope="module")
def metadata():
    """Return what the backend tells an index, so that classifiers and licences are checked too."""
    command = [sys.executable, "-m", "hatchling", "metadata"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    return json.loads(done.stdout)


def names(requirements):
    """Return what extras of this project a list of requirements names."""
    found = [re.fullmatch(r"supremum\[(.*)\]", r) for r in requirements if isinstance(r, str)]
    return {name for match in found if match for name in match[1].split(",")}


def test_extras_are_what_users_need():
    assert list(EXTRAS) == ["arrays", "dask", "show", "notebook", "design", "all"]
    assert all(EXTRAS.values())
    assert names(EXTRAS["all"]) == EXTRAS.keys() - {"all"}


def test_groups_name_extras_and_groups_that_there_are():
    for group in GROUPS.values():
        assert group
        assert names(group) <= EXTRAS.keys()
        assert {g["include-group"] for g in group if isinstance(g, dict)} <= GROUPS.keys()


def test_the_makefile_installs_every_group():
    assert set(re.findall(r"\.venv[\w-]*/\.(\w+)", MAKEFILE)) == GROUPS.keys()


def test_every_extra_that_is_named_can_be_installed():
    files = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("src/**/*.py")]
    text = "\n".join(path.read_text("utf-8") for path in files)
    named = {n for found in re.findall(r"\bsupremum\[([a-z, ]+)\]", text) for n in found.split(",")}
    assert {"show", "notebook", "dask"} <= named <= EXTRAS.keys()


def test_a_page_that_installs_from_the_index_says_what_to_do_until_it_is_there():
    pages = [ROOT / "README.md", *ROOT.glob("docs/**/*.md")]
    texts = {page.name: page.read_text("utf-8") for page in pages}
    install = re.compile(r"pip install [^\n`]*\bsupremum\b")
    named = {name for name, text in texts.items() if install.search(text)}
    assert {"README.md", "index.md", "run-in-ci.md", "audit-a-notebook.md"} <= named
    assert [name for name in sorted(named) if "clone" not in texts[name]] == []


def test_installing_brings_only_what_the_command_needs(metadata):
    names = [re.match(r"\w+", r)[0] for r in metadata["dependencies"]]
    assert names == ["click", "jinja2", "rich"]


def test_the_metadata_name_one_place_and_its_people(metadata):
    assert metadata["authors"] == [{"name": "Supremum contributors"}]
    urls = metadata["urls"]
    assert list(urls) == ["Documentation", "Source", "Issues", "Changelog"]
    assert all(urls[name].startswith(urls["Source"]) for name in ("Issues", "Changelog"))
    supported = re.findall(r"Python :: (3\.\d+)", "\n".join(metadata["classifiers"]))
    assert supported == ["3.11", "3.12", "3.13"]


def test_links_of_the_readme_work_on_an_index(metadata):
    links = []
    for block in MarkdownIt().parse(metadata["readme"]["text"]):
        for token in block.children or ():
            links += [token.attrs[a] for a in ("href", "src") if a in token.attrs]
        links += re.findall(r'(?:src|srcset|href)="(.*?)"', block.content)
    pages = [link.removeprefix(SITE) for link in links if link.startswith(SITE)]
    assert len(pages) > 5
    for page in pages:
        file = page.partition("#")[0] or "index.html"
        source = file if file.startswith("assets/") else file.replace(".html", ".md")
        made_pages = {*made.PAGES, "explorer/index.md"}  # the last by docs/site_hook.py
        assert (ROOT / "docs" / source).is_file() or source in made_pages, page
    assert {page for page in pages if page.endswith(".svg")} >= {
        f"assets/report-{theme}.svg" for theme in ("light", "dark")
    }
    assert all(link.startswith("https://") for link in links)


FORMS = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("[!c]*.yml"))
SCHEMAS = {
    "citation-file-format": [ROOT / "CITATION.cff"],
    "github-issue-config": [ROOT / ".github/ISSUE_TEMPLATE/config.yml"],
    "github-issue-forms": FORMS,
    "github-workflows": sorted((ROOT / ".github/workflows").glob("*.yml")),
    "readthedocs": [ROOT / ".readthedocs.yaml"],
}


@pytest.mark.parametrize("schema", SCHEMAS)
def test_what_others_read_is_as_they_want_it(schema):
    assert SCHEMAS[schema]
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    done = subprocess.run([*command, *SCHEMAS[schema]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_recipe_of_conda_needs_what_the_package_needs():
    text = (ROOT / "packaging/recipe.yaml").read_text("utf-8")
    read = yaml.safe_load(text)
    project = PROJECT["project"]
    python, *needed = read["requirements"]["run"]
    assert [need.replace(" ", "") for need in needed] == project["dependencies"]
    assert f">={read['context']['python_min']}" == project["requires-python"]
    built = [need.replace(" ", "") for need in read["requirements"]["host"]]
    assert {*PROJECT["build-system"]["requires"]} <= {*built}
    assert read["about"]["license_file"] == project["license-files"]
    assert read["about"]["repository"] == project["urls"]["Source"]
    assert python == "python >=${{ python_min }}"
    assert read["build"]["python"]["entry_points"] == [
        f"{name} = {where}" for name, where in project["scripts"].items()
    ]
    assert text.count("SHA256") == text.count("version: VERSION") == 1  # what a release fills in


def test_the_workflows_run_what_contributors_run():
    runs = re.findall(
        r"run: make (\S+)",
        "".join(
            path.read_text("utf-8") for path in sorted((ROOT / ".github/workflows").glob("*.yml"))
        ),
    )
    targets = re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {*runs} == {"test", "lint", "docs", "dist", "release"} <= {*targets}


def test_the_version_is_the_same_everywhere():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    released = re.search(r'^date-released: "(.*)"$', citation, re.MULTILINE)[1]
    assert f"\nversion: {supremum.__version__}\n" in citation
    headings = re.findall(r"^## (.*)$", changes, re.MULTILINE)
    assert headings[:2] == ["Unreleased", f"{supremum.__version__} ({released})"]
    assert citation.count(SITE) == 1
    assert f"repository-code: {PROJECT['project']['urls']['Source']}\n" in citation
