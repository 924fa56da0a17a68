"""Where integers that made floats wider were introduced is told, wherever that is."""

import json

import pytest

HEAD = """\
import numpy as np
f = np.ones(8, np.float32)
"""

LIB = """\
import numpy as np
STEPS = np.arange(8)

def ramp(n):
    return np.arange(n) + 1
"""

# The lines after HEAD, the text of the birth, and its line there; None where the file is another.
BORN = {
    "arange": ("n = np.arange(8)\ng = f * n", "np.arange(8)", 1),
    "array": ("n = np.array([1] * 8)\ng = f * n", "np.array([1] * 8)", 1),
    "arithmetic": ("n = np.arange(8)\nn = n + 1\ng = f * n", "np.arange(8)", 1),
    "argsort": ("def rank(x):\n    return np.argsort(x)\ng = f - rank(f)", "np.argsort(x)", 2),
    "where": ("n = np.where(f > 0, 1, 2)\ng = f * n", "np.where(f > 0, 1, 2)", 1),
    "a length": ("n = np.full(8, len(f))\ng = f / n", "np.full(8, len(f))", 1),
    "a scalar": ("n = np.int64(len(f))\ng = f / n", "np.int64(len(f))", 1),
    "bools that are added": ("n = np.cumsum(f > 0)\ng = f * n", "np.cumsum(f > 0)", 1),
    "a count": ("n = (f > 0).sum()\ng = f / n", "(f > 0).sum()", 1),
    "a loop": ("for i in np.arange(3):\n    g = f * i", "np.arange(3)", 1),
    "enumerate": (
        "idx = np.arange(8)\nfor k, i in enumerate(idx):\n    g = f * i",
        "np.arange(8)",
        1,
    ),
    "a dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n    n: object\n\
a = A(np.arange(8))\ng = f * a.n",
        "np.arange(8)",
        5,
    ),
    "a closure": (
        "def outer():\n    n = np.arange(8)\n    def inner(x):\n        return x * n\n\
    return inner\ng = outer()(f)",
        "np.arange(8)",
        2,
    ),
    "a parameter": (
        "def use(x, n):\n    return x * n\nuse(f, np.arange(8))",
        "np.arange(8)",
        3,
    ),
    "a function": ("n = np.arange(8)\ng = np.multiply(f, n)", "np.arange(8)", 1),
    "a product": ("n = np.arange(8)\ng = np.dot(f, n)", "np.arange(8)", 1),
    "a list": ("n = np.arange(8)\ng = np.concatenate([f, n])", "np.arange(8)", 1),
    "a comparison": ("n = np.arange(8)\ng = f > n", "np.arange(8)", 1),
    "another module": ("import lib\ng = f * lib.STEPS", "np.arange(8)", None),
    "a function of another module": ("from lib import ramp\ng = f * ramp(8)", "np.arange(n)", None),
}


@pytest.mark.parametrize("name", BORN)
def test_the_birth_of_integers_is_told(audited, write, name):
    source, text, line = BORN[name]
    write(LIB, "lib.py")
    [finding] = audited(HEAD + source).findings
    assert finding.kind == "widening"
    assert finding.text in source
    assert finding.suggestion
    [born] = [m.born for m in finding.places[0].operands if m.born is not None]
    assert born.text == text
    if line is None:
        assert born.file.endswith("lib.py")
        assert (
            born.line == LIB.splitlines().index(next(x for x in LIB.splitlines() if text in x)) + 1
        )
    else:
        assert (born.file, born.line) == (finding.file, line + 2)


@pytest.mark.parametrize(
    "source",
    [
        "g = f * np.arange(8)",
        "d = np.hanning(8)\ng = f * d",
        "g = f * np.arange(8).astype(np.float64)",
        "n = np.zeros(8, int)\nn[:] = np.hanning(8)",
        "n = np.zeros(8, int)\nn.fill(2.5)",
    ],
)
def test_what_is_born_in_the_same_statement_or_is_the_cause_is_not_told(audited, source):
    for finding in audited(HEAD + source).findings:
        assert [m.born for place in finding.places for m in place.operands] == [None, None]


def test_the_suggestions_work(audited):
    for source, *_ in BORN.values():
        if "lib" in source:
            continue
        [finding] = audited(HEAD + source).findings
        mended = source.replace(finding.text, finding.suggestion)
        assert [f.text for f in audited(HEAD + mended).findings] == [], source


def test_each_format_tells_the_birth(audited, write):
    from supremum import audit

    write(LIB, "lib.py")
    report = audited(HEAD + "from lib import STEPS\nn = np.arange(8)\ng = f * n\nh = f - STEPS")
    text = audit.render(report, "text")
    assert text.splitlines()[4:6] == [
        "       |     float32[8]",
        "  int64 is introduced at line 4: np.arange(8)",
    ]
    assert "  int64 is introduced at lib.py:2: np.arange(8)" in text.splitlines()
    first = json.loads(audit.render(report, "json"))["findings"][0]
    assert [m["born"] and m["born"]["line"] for m in first["operands"]] == [None, 4]
    [result, _] = json.loads(audit.render(report, "sarif"))["runs"][0]["results"]
    [related] = result["relatedLocations"]
    assert related["message"]["text"] == "int64 is introduced here"
    assert related["physicalLocation"]["region"]["startLine"] == 4
    assert "int64 is introduced at line 4" in audit.render(report, "github")
    assert "int64 is introduced at line 4: np.arange(8)" in audit.render(report, "html")


def test_another_process_tells_the_birth(command, write, tmp_path):
    write(LIB, "lib.py")
    write(
        """
        import multiprocessing
        import numpy as np
        from lib import ramp

        def work(n):
            return np.ones(n, np.float32) * ramp(n)

        if __name__ == "__main__":
            with multiprocessing.get_context("spawn").Pool(1) as pool:
                pool.map(work, [3, 3])
                pool.close()
                pool.join()
        """
    )
    command("-o", "report.json", "program.py")
    report = json.loads((tmp_path / "report.json").read_text())
    [finding] = report["findings"]
    born = [m["born"] for m in finding["operands"]]
    assert [b and (b["line"], b["text"]) for b in born] == [None, (5, "np.arange(n)")]
