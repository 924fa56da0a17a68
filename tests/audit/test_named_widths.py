"""A width that a program names is meant: what is suggested is a change where it leaks."""

import pytest

HEAD = """\
import numpy as np

rng = np.random.default_rng(0)
f = rng.standard_normal((6, 4), dtype=np.float32)
row = f[0]
"""

# What each program is about, its lines after HEAD, and what is suggested: the text of the line
# that changes, with what takes its place; nothing if there is no single place where it leaks.
MEANT = {
    "an accumulator": (
        "total = np.zeros(4, dtype=np.float64)\nfor x in f:\n    total += x\nout = row / total",
        None,
    ),
    "an accumulator by index": (
        (
            "sums = np.zeros(3, dtype=np.float64)\n"
            "for k, x in enumerate(f.ravel()):\n    sums[k % 3] += x\nout = f[:, :3] * sums"
        ),
        ("f[:, :3] * sums", "f[:, :3] * sums.astype(np.float32, copy=False)"),
    ),
    "the scalar that leaves an accumulator": (
        "total = np.float64(0)\nfor x in f.ravel():\n    total += x\nout = f / total",
        ("f / total", "f / np.float32(total)"),
    ),
    "a total without augmented assignment": (
        "t = np.float64(0)\nfor x in row:\n    t = t + x\nout = f / t",
        ("f / t", "f / np.float32(t)"),
    ),
    "an attribute that is added to": (
        (
            "class Mean:\n    def __init__(self):\n        self.total = np.float64(0)\n"
            "    def add(self, x):\n        self.total += x.sum()\n        return x / self.total\n"
            "out = Mean().add(f)"
        ),
        ("x / self.total", "x / np.float32(self.total)"),
    ),
    "a sum in double": (
        "norm = f.sum(dtype=np.float64)\nout = f / norm",
        ("f / norm", "f / np.float32(norm)"),
    ),
    "a mean in double, of a function": (
        (
            "def centred(x):\n    m = np.mean(x, axis=0, dtype=np.float64)\n    return x - m\n"
            "out = centred(f)"
        ),
        ("x - m", "x - m.astype(np.float32, copy=False)"),
    ),
    "a cast before a solve": (
        "a = (f.T @ f).astype(np.float64)\nw = np.linalg.solve(a, np.ones(4))\nout = f @ w",
        ("f @ w", "f @ w.astype(np.float32, copy=False)"),
    ),
    "a cast of what is handed in, inside of a solve": (
        (
            "def inverse(x):\n    return np.linalg.inv(x[:4].astype(np.float64))\n"
            "out = f @ inverse(f)"
        ),
        ("f @ inverse(f)", "f @ inverse(f).astype(np.float32, copy=False)"),
    ),
    "a cast of a factor of what is solved": (
        "a = f.T.astype(np.float64) @ f\nw = np.linalg.solve(a, f.T @ f[:, 0])\nout = f @ w",
        ("f @ w", "f @ w.astype(np.float32, copy=False)"),
    ),
    "a cast beside the narrow operand, of what is added up": (
        "out = np.mean(f.astype(np.float64) * f)",
        None,
    ),
    "a total that grows by a product": (
        (
            "def horner(x):\n    total = np.zeros(x.shape, dtype=np.float64)\n"
            "    for c in (1.0, -2.0):\n        total = total * x + c\n    return total\n"
            "out = f * horner(row)"
        ),
        ("f * horner(row)", "f * horner(row).astype(np.float32, copy=False)"),
    ),
    "numbers of a column": (
        (
            "class Book:\n    def __init__(self, prices):\n"
            "        self.prices = np.array(prices, dtype=float)\n"
            "    def value(self, x):\n        return x * self.prices\n"
            "out = Book([10.5, 11.25, 9.75, 3.5]).value(f)"
        ),
        ("x * self.prices", "x * self.prices.astype(np.float32, copy=False)"),
    ),
    "a variance in double": (
        (
            "def standardised(x):\n    wide = x.astype(np.float64)\n"
            "    return (x - wide.mean()) / x.std()\nout = standardised(f)"
        ),
        ("x - wide.mean()", "x - wide.mean().astype(np.float32)"),
    ),
    "coordinates": (
        (
            "east = np.array([455123.25, 455124.5, 455130.75, 455131.0], dtype=np.float64)\n"
            "offset = east - east[0]\nout = f * offset"
        ),
        ("f * offset", "f * offset.astype(np.float32, copy=False)"),
    ),
    "angles": (
        (
            "lon = np.linspace(-180, 180, 4, dtype=np.float64)\nout = f * np.cos(np.deg2rad(lon))\n"
            "print(np.diff(lon).sum())"
        ),
        (
            "f * np.cos(np.deg2rad(lon))",
            "f * np.cos(np.deg2rad(lon)).astype(np.float32, copy=False)",
        ),
    ),
    "a counter": (
        "seen = np.zeros(4, dtype=np.int64)\nseen += 3\nout = f / seen",
        ("f / seen", "f / seen.astype(np.float32, copy=False)"),
    ),
    "a comparison in double": (
        "near = f.astype(np.float64) <= np.nextafter(f, 9)\nout = near.sum()",
        None,
    ),
    "a threshold in double": (
        "limit = np.array([0.1, 0.2, 0.3, 0.4], dtype=np.float64)\nout = (f > limit).sum()",
        None,
    ),
    "a buffer of wide values": (
        "state = np.zeros(4, dtype=np.float64)\nstate[:] = rng.standard_normal(4)\nout = f * state",
        ("f * state", "f * state.astype(np.float32, copy=False)"),
    ),
    "several leaks": (
        (
            "half = np.linspace(0, 1, 4, dtype=float)\nprint(half @ half)\n"
            "out = f * half\nother = f + half"
        ),
        None,
    ),
    "what comes of a leak is no other": (
        "a = np.eye(4, dtype=np.float64)\nw = np.linalg.inv(a)\nout = f @ w\nmore = out * f",
        ("f @ w", "f @ w.astype(np.float32, copy=False)"),
    ),
    "a store": (
        "a = np.eye(4, dtype=np.float64)\nw = np.linalg.inv(a)\nf[:4] = w\nout = f",
        ("f[:4] = w", "f[:4] = w.astype(np.float32, copy=False)"),
    ),
}

RENAMED = {
    "a buffer": (
        (
            "def window(n):\n    w = np.zeros(n, dtype=np.float64)\n    w[0] = 1\n    return w\n"
            "out = f * window(4)"
        ),
        ("np.zeros(n, dtype=np.float64)", "np.zeros(n, dtype=np.float32)"),
    ),
    "a buffer in an attribute": (
        (
            "class Layer:\n    def __init__(self):\n"
            "        self.bias = np.ones(4, dtype=np.float64)\n    def __call__(self, x):\n"
            "        return x + self.bias\nout = Layer()(f)"
        ),
        ("np.ones(4, dtype=np.float64)", "np.ones(4, dtype=np.float32)"),
    ),
    "a constant": (
        "w = np.array([1.0, 2.0, 3.0, 4.0], dtype=np.float64)\nout = f * w",
        (
            "np.array([1.0, 2.0, 3.0, 4.0], dtype=np.float64)",
            "np.array([1.0, 2.0, 3.0, 4.0], dtype=np.float32)",
        ),
    ),
    "a scalar": ("k = np.float64(0.5)\nout = f * k", ("np.float64(0.5)", "np.float32(0.5)")),
    "a factor of a product": (
        "out = np.dot(f, np.ones(4, np.float64))",
        ("np.ones(4, np.float64)", "np.ones(4, np.float32)"),
    ),
    "whatever is handed in": (
        "def as_float(x):\n    return x.astype(np.double)\nout = f * as_float(row)",
        ("x.astype(np.double)", "x.astype(np.float32)"),
    ),
    "whatever a class is given": (
        (
            "class Scaler:\n    def fit(self, x):\n        x = np.asarray(x, dtype=float)\n"
            "        self.span = x.max() - x.min()\n        return self\n"
            "out = f / Scaler().fit(f).span"
        ),
        ("np.asarray(x, dtype=float)", "np.asarray(x, dtype=np.float32)"),
    ),
    "a cast beside the narrow operand": (
        "out = f * f.astype(np.float64)",
        ("f.astype(np.float64)", "f.astype(np.float32)"),
    ),
    "an argument of a function": (
        "def scaled(x, by):\n    return x * by\nout = scaled(f, np.full(4, 0.5, dtype=float))",
        ("np.full(4, 0.5, dtype=float)", "np.full(4, 0.5, dtype=np.float32)"),
    ),
}

TORCH = """\
import torch

torch.manual_seed(0)
h = torch.ones(4, 8, dtype=torch.bfloat16)
weight = torch.ones(8, dtype=torch.bfloat16)
"""

MEANT_TORCH = {
    "a section in single precision": (
        (
            "def norm(x):\n    wide = x.to(torch.float32)\n"
            "    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + 1e-6)\n"
            "    return weight * wide\nout = norm(h)"
        ),
        ("weight * wide", "weight * wide.to(torch.bfloat16)"),
    ),
    "a section in single precision, by a method": (
        "def norm(x):\n    wide = x.float()\n    return wide * weight\nout = norm(h)",
        ("wide * weight", "wide.to(torch.bfloat16) * weight"),
    ),
    "what a module returns": (
        (
            "class Norm(torch.nn.Module):\n"
            "    def forward(self, x):\n        wide = x.float()\n        return wide * weight\n"
            "norm = Norm()\nout = norm(h) + weight"
        ),
        ("wide * weight", "wide.to(torch.bfloat16) * weight"),
    ),
    "what an object returns": (
        (
            "class Norm:\n"
            "    def __call__(self, x):\n        wide = x.float()\n        return wide * weight\n"
            "class Net:\n    def __init__(self):\n        self.norm = Norm()\n"
            "    def run(self, x):\n        return self.norm(x) + weight\n"
            "out = Net().run(h)"
        ),
        ("wide * weight", "wide.to(torch.bfloat16) * weight"),
    ),
    "a tensor": (
        (
            "mean = torch.tensor([0.5] * 8, dtype=torch.float64)\nprint(mean.std())\n"
            "out = torch.ones(8) - mean"
        ),
        ("torch.ones(8) - mean", "torch.ones(8) - mean.to(torch.float32)"),
    ),
    "doubles": (
        "a = torch.eye(8).double()\nout = torch.ones(8, 8) * torch.linalg.inv(a)",
        (
            "torch.ones(8, 8) * torch.linalg.inv(a)",
            "torch.ones(8, 8) * torch.linalg.inv(a).to(torch.float32)",
        ),
    ),
}


def suggested(report):
    return [(f.text, f.suggestion) for f in report.findings if f.suggestion]


@pytest.mark.parametrize(("source", "wanted"), MEANT.values(), ids=MEANT)
def test_what_is_named_stays(audited, source, wanted):
    report = audited(HEAD + source)
    assert suggested(report) == ([wanted] if wanted else [])
    if wanted:
        [finding] = [f for f in report.findings if f.suggestion]
        assert finding.places[0].span == finding.span
        again = audited((HEAD + source).replace(*wanted))
        assert [f.text for f in again.findings if f.text == wanted[0] or f.suggestion] == []


@pytest.mark.parametrize(("source", "wanted"), RENAMED.values(), ids=RENAMED)
def test_what_only_meets_narrower_values_is_changed_where_it_is_named(audited, source, wanted):
    assert suggested(audited(HEAD + source)) == [wanted]


@pytest.mark.parametrize(("source", "wanted"), MEANT_TORCH.values(), ids=MEANT_TORCH)
def test_what_a_tensor_is_cast_to_stays(audited, source, wanted):
    pytest.importorskip("torch")
    assert suggested(audited(TORCH + source)) == [wanted]


KEPT = {
    "times": "t = 1.7e9 + np.arange(24) * 0.25\nout = f.ravel() + t",
    "named times": "t = np.asarray([1.7e9 + k for k in range(4)], dtype=np.float64)\nout = t + row",
    "identifiers": "ids = np.array([16777217.0, 16777219.0, 5, 6])\nout = row * ids",
}


@pytest.mark.parametrize("source", KEPT.values(), ids=KEPT)
def test_numbers_that_need_their_digits_stay(audited, source):
    report = audited(HEAD + source)
    assert [f.kind for f in report.findings] == ["widening"]
    assert suggested(report) == []


def test_who_forbids_a_dtype_asks_for_another(audited):
    source = f"{HEAD}a = np.eye(4, dtype=np.float64)\nout = f @ np.linalg.inv(a)\n"
    found = suggested(audited(source, forbid=["float64"]))
    assert ("np.eye(4, dtype=np.float64)", "np.eye(4, dtype=np.float32)") in found


def test_the_finding_names_where_the_width_leaks_and_where_it_was_introduced(audited):
    source, (text, _) = MEANT["a sum in double"]
    report = audited(HEAD + source)
    [finding] = report.findings
    assert (finding.kind, finding.line, finding.text) == ("widening", 7, text)
    [introduced] = [mark.born for mark in finding.places[0].operands if mark.born]
    assert (introduced.line, introduced.text) == (6, "f.sum(dtype=np.float64)")
    assert "float64 meets a narrower dtype here" in str(report)
