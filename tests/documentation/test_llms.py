"""`llms.txt`: the pages of the site, in the form of llmstxt.org."""

import re
from pathlib import Path

import pytest
from generator import llms, made

DOCS = Path(__file__).resolve().parents[2] / "docs"
LINK = re.compile(r"- \[([^\]]+)\]\((\S+)\): (.+)")

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def text():
    return made.files()["llms.txt"]


def test_it_has_the_form_of_llms_txt(text):
    title, summary, *rest = re.split(r"\n\n(?=>|##|Commands)", text)
    assert re.fullmatch("# .+", title)
    assert re.fullmatch("> .+", summary)
    parts = [part for part in rest if part.startswith("## ")]
    assert len(parts) == len(rest) - 1 > 5
    for part in parts:
        head, _, lines = part.partition("\n\n")
        assert re.fullmatch("## .+", head)
        for line in lines.split("\n"):
            assert not line or LINK.fullmatch(line), line


def test_each_page_of_the_site_is_in_it_once(text):
    found = [address for _, address, _ in LINK.findall(text)]
    assert len(found) == len(set(found))
    assert all(address.startswith(llms.SITE) for address in found)
    pages = {address.removeprefix(llms.SITE).replace(".html", ".md") for address in found}
    folders = ("templates", "generator")
    written = (p.relative_to(DOCS) for p in DOCS.rglob("*.md"))
    rules = "reference/systems/"  # which one page lists
    assert pages == {
        *(p.as_posix() for p in written if p.parts[0] not in folders),
        *(path for path in made.pages() if not path.startswith(rules)),
    }


def test_each_page_is_described_by_a_sentence(text):
    for title, _, sentence in LINK.findall(text):
        assert re.fullmatch(r"[^\[\]<>|]{12,}[.?!]", sentence), (title, sentence)


@pytest.mark.parametrize(
    ("page", "sentence"),
    [
        ("# A\n\n    pip install a\n\nB [c](d.md) e. F.\n", "B c e."),
        ("# A\n\n```sh\nls\n\nls. \n```\n\n- x\n\nTwo *lines*\nlong:\n", "Two lines long."),
        ("# A\n\n![x](y.svg)\n\n| a |\n\nAnd: what? So.\n", "And: what?"),
    ],
)
def test_a_sentence_is_the_first_of_the_prose(page, sentence):
    assert llms.first_sentence(page) == sentence
