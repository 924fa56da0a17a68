"""Each kind of finding has a page, with an example that has it and a fix that does not.

`test_docs.py` runs the examples again.
"""

import re
from pathlib import Path

import pytest

from supremum.audit.kinds import KINDS, KNOWN, kind_of

PAGES = Path(__file__).resolve().parents[2] / "docs" / "kinds"


def printed(page, program):
    """Return what the audit of a program prints, as a page shows it."""
    text = (PAGES / f"{page}.md").read_text("utf-8")
    found = re.search(
        rf"^\$ supremum audit .*{program}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    return found[1]


def test_each_kind_has_a_page():
    assert {path.stem for path in PAGES.iterdir()} == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_says_what_the_kind_means_and_why_it_matters(kind):
    text = (PAGES / f"{kind}.md").read_text("utf-8")
    assert text.startswith(f"# `{kind}`\n")
    assert f"<!-- kind {kind} -->" in text
    notes = [note for note in KNOWN if note not in KINDS and kind_of(note) == kind]
    headings = ["Why it matters", "Example", "The fix", *(f"`{note}`" for note in notes)]
    assert re.findall("(?m)^## (.*)", text) == headings
    assert all(f"<!-- kind {note} -->" in text for note in notes)


@pytest.mark.parametrize("kind", KINDS)
def test_the_example_has_one_finding_of_the_kind(kind):
    headings = re.findall(
        r"^program\.py:\d+:\d+: ([\w-]+):", printed(kind, "program.py"), re.MULTILINE
    )
    assert headings == [kind]


@pytest.mark.parametrize(
    ("program", "note"),
    [
        ("labels", "larger-integer"),
        ("frames", "widening-store"),
        ("replay", "wide-storage"),
        ("power", "wide-reduction"),
    ],
)
def test_the_example_of_a_note_has_it(program, note):
    told = printed("widening", f"{program}.py")
    assert re.findall(rf"(?m)^{program}\.py:\d+:\d+: (.*?):", told) == [f"widening ({note})"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_fixed_example_is_clean(kind):
    assert re.search(r"(?m)^Nothing found in \d", printed(kind, "fixed.py"))
