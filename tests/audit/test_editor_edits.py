"""What the editor's fixes make of a document, and where its findings are after edits."""

import ast
import json
import random

import pytest

from supremum.audit.editor.documents import Document, moved
from supremum.audit.editor.edits import fixes
from supremum.audit.editor.saved_reports import key, read

HELPERS = """\
import numpy as np
def narrow():
    return np.ones(3, np.float32)
def wide(n=3):
    return np.full(n, 1.5)
def helpers():
    pass
helpers.narrow, helpers.wide = narrow, wide
"""
PROGRAM = "narrow = helpers.narrow()\nout = narrow * helpers.wide()\n"
NEEDED = "import numpy as np\n"
MADE = "helpers = __import__('helpers')\n"

# the beginning of a file, and what it is with the import
OPENINGS = {
    "import": ("import helpers\n", "import helpers\n" + NEEDED),
    "imports": ("import helpers\nimport os\n\n", "import helpers\nimport os\n" + NEEDED + "\n"),
    "docstring": ('"""Of."""\nimport helpers\n', '"""Of."""\nimport helpers\n' + NEEDED),
    "lines": (
        "from os import (\n    path,\n)\nimport helpers\n\n\n",
        "from os import (\n    path,\n)\nimport helpers\n" + NEEDED + "\n\n",
    ),
    "future": (
        "#!/usr/bin/env python\nfrom __future__ import annotations\n" + MADE,
        "#!/usr/bin/env python\nfrom __future__ import annotations\n" + NEEDED + MADE,
    ),
    "no import": ("# of\n" + MADE, "# of\n" + NEEDED + MADE),
    "only a docstring": ("'''Of.'''\n" + MADE, "'''Of.'''\n" + NEEDED + MADE),
    "semicolon": ("import helpers; é = 1\n", "import helpers; import numpy as np; é = 1\n"),
    "decorator": (
        "@(lambda f: __import__('helpers'))\ndef helpers(): pass\n",
        NEEDED + "@(lambda f: __import__('helpers'))\ndef helpers(): pass\n",
    ),
}


def typed(text, replacements):
    """Return a text after replacements, which are in the order of the text."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for (first, start, last, end), new in reversed(replacements):
        text = text[: starts[first] + start] + new + text[starts[last] + end :]
    return text


@pytest.fixture
def opened(audited, write):
    """Return a function that audits a program, and gives what is known of it and a document."""

    def audit_program(source, now=None):
        report = audited(source)
        path = write(json.dumps(report.as_dict()), "report.json")
        file = read(path)[key(path.with_name("program.py"))]
        return file, Document(source if now is None else now, file.lines)

    return audit_program


@pytest.mark.parametrize("opening", OPENINGS)
def test_what_a_fix_needs_is_imported_where_imports_are(audited, write, opening):
    write(HELPERS, "helpers.py")
    before, after = OPENINGS[opening]
    report = audited(before + PROGRAM).as_dict()
    place = report["findings"][0]["places"][0]
    # as if the cause were in the program: what it comes from is called there
    line, text = place["line"], "helpers.wide()"
    start = PROGRAM.split("\n")[1].index(text)
    report["findings"][0] |= {
        "file": place["file"], "line": line, "end_line": line, "column": start + 1,
        "end_column": start + 1 + len(text), "suggestion": f"np.float32({text})",
        "needs": "import numpy as np",
    }  # fmt: skip
    file = read(write(json.dumps(report), "report.json"))[key(place["file"])]
    replaced = fixes(Document(before + PROGRAM, file.lines), file.findings)
    mended = typed(before + PROGRAM, replaced)
    assert mended == after + PROGRAM.replace(text, f"np.float32({text})")
    assert not audited(mended).findings
    other = Document((before + PROGRAM).replace("\n", "\r\n"), file.lines)
    texts = [r.text for r in fixes(other, file.findings)]
    assert texts == [r.text.replace("\n", "\r\n") for r in replaced]


def test_an_import_is_not_added_twice_nor_to_what_is_not_python(audited, write):
    write(HELPERS, "helpers.py")
    report = audited("import helpers\n" + PROGRAM).as_dict()
    place = report["findings"][0]["places"][0]
    report["findings"][0] |= {name: place[name] for name in ("file", "line", "end_line")}
    report["findings"][0] |= {"column": 16, "end_column": 30, "needs": "import numpy as np"}
    report["findings"][0] |= {"suggestion": "np.float32(helpers.wide())"}
    file = read(write(json.dumps(report), "report.json"))[key(place["file"])]
    source = "import helpers\n" + PROGRAM
    for more, count in (
        ("", 2),
        ("import numpy as np\n", 1),
        ("import os, numpy as np\n", 1),
        ("import numpy\n", 2),
        ("import numpy as array\n", 2),
        ("if 1: import numpy as np\n", 2),
    ):
        assert len(fixes(Document(more + source, file.lines), file.findings)) == count
    assert fixes(Document(source + "def (\n", file.lines), file.findings) == []


def test_a_fix_without_an_import_is_offered_while_the_document_is_not_python(opened):
    source = "import numpy as np\nx = np.float32([1]) * np.arange(3.0)\n"
    file, document = opened(source, source + "def (\n")
    (replaced,) = fixes(document, file.findings)
    assert replaced.text == "np.arange(3.0, dtype=np.float32)"


SEVERAL = """\
import numpy as np
f = np.ones(8, np.float32)
x = f * np.hanning(8); y = f * np.hamming(8)
for _ in range(2):
    z = f * np.linspace(
        0, 1,
        8,
    )
"""


def test_all_fixes_of_a_file_mend_it(opened, audited):
    file, document = opened(SEVERAL)
    assert len(file.findings) == 3
    mended = typed(SEVERAL, fixes(document, file.findings))
    assert not audited(mended).findings


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("0, 1,", "0, 2,"),
        ("0, 1,", "0,\n        1,"),
        ("        8,\n", "        8,\n        # more\n"),
        ("        8,\n", ""),
    ],
)
def test_a_cause_of_several_lines_is_stale_if_one_of_them_has_changed(opened, before, after):
    now = SEVERAL.replace(before, after, 1)
    file, document = opened(SEVERAL, now)
    chosen = fixes(document, file.findings)
    assert len(chosen) == 2
    ast.parse(typed(now, chosen))
    stale = [document.find(f.span).is_stale for f in file.findings]
    assert sorted(stale) == [False, False, True]


def test_lines_are_found_again_whatever_was_inserted_removed_and_changed():
    draw = random.Random(0)
    for _ in range(300):
        before = [draw.choice("abcdefgh") for _ in range(draw.randrange(12))]
        now = list(before)
        for _ in range(draw.randrange(4)):
            at = draw.randrange(len(now) + 1)
            new = [draw.choice("abcxyz") for _ in range(draw.randrange(3))]
            now[at : at + draw.randrange(3)] = new
        found = moved(before, now)
        assert len(found) == len(before)
        there = [place for place in found if place is not None]
        assert there == sorted(there, key=lambda place: place[0])
        for line, place in zip(before, found, strict=True):
            if place is not None and place[1]:
                assert now[place[0]] == line
        same = [line for line, is_same in there if is_same]
        assert len(same) == len(set(same))
        if before == now:
            assert found == [(line, True) for line in range(len(now))]
