"""How suggestions are written where they are: names, imports, and reports without one."""

import pytest

from supremum import audit

HEAD = "import numpy as np\nf = np.ones(8, np.float32)\n"


@pytest.mark.parametrize("form", ["text", "github", "html", "sarif"])
def test_a_finding_without_a_suggestion_says_nothing_of_one(audited, form):
    source = HEAD + "w, v = np.linalg.eigh(np.arange(64).reshape(8, 8))\nf * w\n"
    report = audited(source)
    assert [f.suggestion for f in report.findings] == [""]
    assert "ype instead:" not in audit.render(report, form)
    assert "Type instead</span>" not in audit.render(report, form)


def test_a_file_that_does_not_import_numpy_gets_a_text(audited):
    source = "from numpy import float16, hanning, ones\nf = ones(8, float16)\nf * hanning(8)\n"
    [finding] = audited(source).findings
    assert finding.suggestion == "hanning(8).astype(float16, copy=False)"
    [finding] = audited(source.replace("float16, h", "h").replace("float16", "'e'")).findings
    assert finding.suggestion == 'hanning(8).astype("float16", copy=False)'


def test_a_name_that_is_another_value_there_is_not_used(audited):
    source = HEAD + "def work(np, hanning):\n    return f * hanning(8)\nwork(0, np.hanning)\n"
    [finding] = audited(source).findings
    assert finding.suggestion == 'hanning(8).astype("float32", copy=False)'


def test_the_import_that_is_missing_is_named(audited):
    pytest.importorskip("torch")
    source = "ones = __import__('torch').ones\nones(8) * ones(8).double()\n"
    report = audited(source)
    [finding] = report.findings
    assert (finding.suggestion, finding.needs) == (
        "ones(8).double().to(torch.float32)",
        "import torch",
    )
    assert "and at the top: import torch" in audit.render(report, "text")
    assert audited(f"import torch\n{source}").findings[0].needs == ""


def test_a_statement_is_never_wrapped(audited):
    source = (
        HEAD + "class Sum:\n    total = f[0]\n    def add(self, x):\n        self.total += [x][0]\n"
    )
    for finding in audited(source + "Sum().add(np.arange(3).max())\n").findings:
        assert not finding.suggestion.startswith("(self")


def test_suggestions_that_contradict_each_other_are_left_out(audited):
    source = HEAD + "def work(x, y):\n    return x * y\ni = np.arange(8)\nwork(f, i)\n"
    [finding] = audited(source).findings
    assert finding.suggestion == "x * y.astype(np.float32, copy=False)"
    found = audited(source + "work(i, f)\n").findings
    assert {f.suggestion for f in found} <= {"", "x * y.astype(np.float32, copy=False)"}
