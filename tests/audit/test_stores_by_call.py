"""Calls that store what they are given are judged as `a[...] = v` is."""

import pytest

HEAD = """\
import numpy as np

f = np.ones((4, 8), np.float32)
d = np.hanning(8)
i = np.zeros(8, np.int16)
two = np.array([0, 1])
"""
D = "np.hanning(8)"

STORES = {
    "copyto": ("np.copyto(f, d)", D),
    "copyto by name": ("np.copyto(src=d, dst=f[0])", D),
    "copyto of fractions": ("np.copyto(i, d, casting='unsafe')", ""),
    "copyto of fractions somewhere": (
        "np.copyto(i, d, where=d % 1 != 0, casting='unsafe')",
        "",
    ),
    "copyto, imported": ("from numpy import copyto\ncopyto(f, d)", D),
    "copyto, in a function": ("def g(x, y):\n    np.copyto(x, y)\ng(f, d)", D),
    "copyto, in a method that returns it": (
        "class A:\n    def g(self, x, y):\n        return np.copyto(x, y)\nA().g(f, d)",
        D,
    ),
    "copyto, in a lambda": ("(lambda x, y: np.copyto(x, y))(f, d)", D),
    "copyto, in a comprehension": ("[np.copyto(x, d) for x in f]", D),
    "put": ("np.put(f, two, d[:2])", D),
    "put of fractions": ("np.put(i, two, d[2:4], mode='wrap')", ""),
    "putmask with a fraction": ("np.putmask(i, i == 0, 2.5)", ""),
    "place of a fraction": ("np.place(i, i == 0, 2.5)", ""),
    "put by name": ("np.put(f, ind=two, v=d[:2])", D),
    "put by a method": ("f[0].put(two, d[:2])", D),
    "put by a method, by name": ("f[0].put(two, values=d[:2])", D),
    "fill": ("f.fill(d[3])", D),
    "fill with a fraction": ("i.fill(2.5)", ""),
    "fill with a number that vanishes": ("f.fill(1e-60)", ""),
    "fill of the class": ("np.ndarray.fill(f, d[3])", D),
    "fill of the class, of fractions": ("np.ndarray.fill(i, 2.5)", ""),
    "a diagonal": ("np.fill_diagonal(f, d)", D),
    "along an axis": ("np.put_along_axis(f, np.zeros((4, 1), int), d[:1], 1)", D),
    "ufunc.at": ("np.add.at(f[0], two, d[:2])", D),
    "ufunc.at, of a name": ("subtract = np.subtract\nsubtract.at(f[0], two, d[:2])", D),
    "output by position": ("np.multiply(f, d, f)", D),
    "output of a reduction": ("np.sum(d, out=f[0, 0:1].reshape(()))", D),
    "output of a method that reduces": ("d.sum(out=f[0, 0:1].reshape(()))", D),
    "output of a sum that goes on": ("np.cumsum(d, out=f[0])", D),
    "output of a method that goes on": ("d.cumsum(out=f[0])", D),
    "output by position, of a reduction": ("np.add.reduce(d, 0, None, f[0, 0:1].reshape(()))", D),
    "output of a mean": ("np.mean(d, out=f[0, 0:1].reshape(()))", D),
    "output of clip": ("d.clip(0, 1, out=f[0])", D),
    "output by position, of clip": ("np.clip(d, 0, 1, f[0])", D),
    "output by position, of a method": ("d.cumsum(0, None, f[0])", D),
    "output of a product": ("np.matmul(f, d[:, None], out=f[:, :1])", D),
    "output of rounding": ("d.round(out=f[0])", D),
}


@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
@pytest.mark.parametrize("name", STORES)
def test_a_call_that_stores_is_judged(audited, name):
    source, cause = STORES[name]
    report = audited(HEAD + source)
    kinds = {f.kind for f in report.findings}
    assert [f.text for f in report.findings] == [cause or source.rpartition("\n")[2]]
    assert kinds <= {"narrowing-store", "value-changed"}
    assert report.problems == ()


@pytest.mark.parametrize(
    "source",
    [
        "np.copyto(f, f[0])",
        "np.copyto(d, f[0])",
        "np.copyto(i, d * 0 + 2, casting='unsafe')",
        "np.copyto(i, d, where=d % 1 == 0, casting='unsafe')",
        "np.copyto(i, 7)",
        "np.copyto(i, np.arange(8))",
        "np.copyto(f, 0.1)",
        "i.fill(7)",
        "i.fill(7.0)",
        "np.put(i, two, np.array([1, 2]))",
        "np.add.at(i, two, 1)",
        "np.add.at(d, two, f[0, :2])",
        "np.negative.at(f[0], two)",
        "np.cumsum(f[0], out=f[0])",
        "np.argmax(d, out=np.zeros((), int))",
        "np.sum(i, out=np.zeros((), np.int64))",
        "np.take(f[0], two, out=f[1, :2])",
        "np.add(f, d, out=f, dtype=np.float32)",
        "import queue\nqueue.Queue().put(d)\nqueue.SimpleQueue().put(f)",
        "class Pad:\n    def put(self, x, k, y): pass\nPad().put(f, d, d)",
        "class Pad:\n    def fill(self, x): pass\nPad().fill(d)",
        "def put(x, k, y): pass\nput(f, d, d)\nput(f, two, d)",
        "def set_(x, y): return x\nset_(f, d)",
    ],
)
def test_what_fits_or_is_not_stored_is_no_finding(audited, source):
    report = audited(HEAD + source)
    assert [(f.kind, f.text) for f in report.findings] == []
    assert report.problems == ()


@pytest.mark.parametrize(
    ("source", "suggestion"),
    [
        ("np.copyto(f, d)", "np.hanning(8).astype(np.float32, copy=False)"),
        ("i.fill(2.5)", ""),  # a cast would leave out the fractions all the same
        ("np.copyto(i, d, casting='unsafe')", ""),
        ("f.fill(1e-60)", ""),
    ],
)
def test_suggestions_for_what_is_stored_by_calls(audited, source, suggestion):
    assert [f.suggestion for f in audited(HEAD + source).findings] == [suggestion]


def test_the_report_shows_what_is_stored_where(told):
    assert told(HEAD + "np.copyto(f, d)").splitlines()[4:8] == [
        "  it is stored in float32 at line 7:",
        "     7 | np.copyto(f, d)",
        "       |           ~  ~",
        "       |           |  float64[8]",
    ]


TORCH_HEAD = """\
import torch

f = torch.zeros(8)
d = torch.hann_window(8, dtype=torch.float64)
i = torch.zeros(8, dtype=torch.uint8)
one = torch.tensor([0])
"""
W = "torch.hann_window(8, dtype=torch.float64)"

TORCH = {
    "copy_": ("f.copy_(d)", W),
    "copy_ that does not wait": ("f.copy_(d, non_blocking=True)", W),
    "mul_": ("f.mul_(d)", W),
    "mul_ of the class": ("torch.Tensor.mul_(f, d)", W),
    "mul_ by name": ("f.mul_(other=d)", W),
    "add_ with a factor": ("f.add_(d, alpha=2)", W),
    "div_ that rounds": ("f.div_(d + 1, rounding_mode='floor')", W),
    "addcmul_": ("f.addcmul_(f, d)", W),
    "clamp_": ("f.clamp_(d, d + 1)", W),
    "clamp_ by name": ("f.clamp_(max=d)", W),
    "fill_ with a fraction": ("i.fill_(2.5)", "i.fill_(2.5)"),
    "masked_fill_ with a number that vanishes": (
        "f.masked_fill_(f == 0, 1e-60)",
        "f.masked_fill_(f == 0, 1e-60)",
    ),
    "out": ("torch.add(f, d, out=f)", W),
}


@pytest.mark.parametrize("name", TORCH)
def test_a_method_in_place_of_torch_is_judged(audited, name):
    pytest.importorskip("torch")
    source, cause = TORCH[name]
    report = audited(TORCH_HEAD + source)
    assert [f.text for f in report.findings] == [cause]
    assert {f.kind for f in report.findings} <= {"narrowing-store", "value-changed"}
    assert report.problems == ()


@pytest.mark.parametrize(
    "source",
    [
        "i.unsqueeze_(-1)",
        "i.resize_(300)",
        "i.clamp_(0, 200)",
        "f.gt_(d)",
        "f.logical_and_(d)",
        "i.pow_(2)",
        "f.copy_(f)",
        "d.copy_(f)",
        "d.mul_(f)",
        "f.index_put_((one,), f[:1].clone())",
        "f.index_add_(0, one, f[:1].clone())",
        "f.scatter_(0, one, 2)",
        "f.requires_grad_()",
        "i.zero_()",
    ],
)
def test_what_torch_does_in_place_without_a_loss_is_no_finding(audited, source):
    pytest.importorskip("torch")
    report = audited(TORCH_HEAD + source)
    assert [(f.kind, f.text) for f in report.findings] == []
    assert report.problems == ()
