# ruff: noqa: E501  # a row is a program with its outcome
"""Floats that leave their range, and totals that stop changing."""

import importlib.util

import pytest

HEAD = {
    "np": "import numpy as np\n",
    "torch": "import torch\n",
    "jnp": "import jax\nimport jax.numpy as jnp\n",
}

# The library, a program, the kind of finding and the line that is to be changed, without the head.
FOUND = {
    "square": ("np", "x = np.array([300, 2], np.float16)\nx ** 2", "float-overflow", 2, "x.astype(np.float32, copy=False) ** 2"),
    "ufunc": ("np", "x = np.array([20, 2], np.float16)\nnp.exp(x)", "float-overflow", 2, "np.exp(x.astype(np.float32, copy=False))"),
    "scalars": ("np", "x = np.float16(300)\nx * x", "float-overflow", 2, "np.float32(x) * x"),
    "squares that become zero": ("np", "g = np.full(9, 1e-4, np.float16)\ng * g", "float-overflow", 2, "g.astype(np.float32, copy=False) * g"),
    "cast": ("np", "np.full(9, 1e5).astype(np.float16)", "float-overflow", 1, "np.full(9, 1e5).astype(np.float32)"),
    "cast to zero": ("np", "np.full(9, 1e-9, np.float32).astype(np.float16)", "float-overflow", 1, None),
    "range of float32": ("np", "x = np.full(9, 1e30, np.float32)\nx * x", "float-overflow", 2, "x.astype(np.float64, copy=False) * x"),
    "product": ("np", "np.prod(np.full(9, 50, np.float16))", "float-overflow", 1, None),
    "scores": ("np", "q = np.full((4, 64), 50, np.float16)\nq @ q.T", "accumulation", 2, "q.astype(np.float32, copy=False) @ q.T"),
    "counter that settles": ("np", "n = np.zeros(4, np.float16)\none = np.ones(4, np.float16)\nfor _ in range(2500):\n    n += one", "accumulation", 1, "np.zeros(4, np.float32)"),
    "moving average": ("np", "m = np.ones(3, np.float16)\nfor _ in range(9):\n    m = 0.9999 * m", "accumulation", 1, "np.ones(3, np.float32)"),
    "square in PyTorch": ("torch", "x = torch.tensor([300., 2.]).half()\nx ** 2", "float-overflow", 2, "x.to(torch.float32) ** 2"),
    "method": ("torch", "x = torch.tensor([20., 2.]).half()\nx.exp()", "float-overflow", 2, "x.to(torch.float32).exp()"),
    "function by another name": ("torch", "x = torch.tensor([300., 2.]).half()\ntorch.mul(x, x)", "float-overflow", 2, "torch.mul(x.to(torch.float32), x)"),
    "scores in PyTorch": ("torch", "q = torch.full((4, 64), 50.).half()\ntorch.mm(q, q.T)", "accumulation", 2, ""),
    "counter": ("torch", "n = torch.zeros((), dtype=torch.bfloat16)\nfor _ in range(600):\n    n += 1", "accumulation", 1, "torch.zeros((), dtype=torch.float32)"),
    "counter by a method": ("torch", "n = torch.zeros(3, dtype=torch.bfloat16)\nfor _ in range(600):\n    n.add_(1)", "accumulation", 1, "torch.zeros(3, dtype=torch.float32)"),
    "moving average in PyTorch": ("torch", "m = torch.ones(3, dtype=torch.bfloat16)\nfor _ in range(9):\n    m = 0.999 * m + 0.001 * torch.zeros(3, dtype=torch.bfloat16)", "accumulation", 1, "torch.ones(3, dtype=torch.float32)"),
    "moving average in place": ("torch", "m = torch.ones(3, dtype=torch.bfloat16)\nfor _ in range(9):\n    m.mul_(0.999).add_(torch.zeros(3, dtype=torch.bfloat16), alpha=0.001)", "accumulation", 1, "torch.ones(3, dtype=torch.float32)"),
    "moving average by lerp_": ("torch", "m = torch.ones(3, dtype=torch.bfloat16)\nfor _ in range(99):\n    m.lerp_(torch.zeros(3, dtype=torch.bfloat16), 0.001)", "accumulation", 1, "torch.ones(3, dtype=torch.float32)"),
    "square in JAX": ("jnp", "x = jnp.array([300., 2.], jnp.float16)\njnp.square(x)", "float-overflow", 2, "jnp.square(x.astype(jnp.float32))"),
    "scores in JAX": ("jnp", "q = jnp.full((4, 64), 50., jnp.float16)\nq @ q.T", "accumulation", 2, "q.astype(jnp.float32) @ q.T"),
    "counter in JAX": ("jnp", "n = jnp.zeros((), jnp.bfloat16)\nfor _ in range(600):\n    n = n + 1", "accumulation", 1, None),
    "masked scores": ("np", "h = np.ones(4, np.float16)\nnp.where(h > 0, h, -1e9)", "value-changed", 2, "np.where(h > 0, h, np.finfo(h.dtype).min)"),
    "least norm": ("np", "h = np.ones(4, np.float16)\nh / np.maximum(h, 1e-9)", "value-changed", 2, "np.maximum(h.astype(np.float32, copy=False), 1e-9)"),
    "masked scores in PyTorch": ("torch", "h = torch.ones(4).half()\ntorch.where(h > 0, h, -1e9)", "value-changed", 2, "torch.where(h > 0, h, torch.finfo(h.dtype).min)"),
    "number set in an array": ("jnp", "x = jnp.zeros(4, jnp.float16)\nx.at[0].set(1e6)", "value-changed", 2, None),
    "wider value set in an array": ("jnp", "x = jnp.zeros(4, jnp.float16)\nx.at[0].set(jnp.float32(0.1))", "narrowing-store", None, None),
    "fraction set among integers": ("jnp", "x = jnp.zeros(4, jnp.int32)\nx.at[0].set(2.5)", "narrowing-store", 2, None),
    "compiled function": ("jnp", "@jax.jit\ndef f(x):\n    return jnp.exp(x * 2)\nf(jnp.array([10., 1.], jnp.float16))", "float-overflow", 3, ""),
    "compiled sum": ("jnp", "@jax.jit\ndef f(x, scale=1):\n    return jnp.where(x > 0, x, 0).sum() * scale\nf(jnp.full(70_000, 1, jnp.float16), scale=1)", "float-overflow", 3, None),
}  # fmt: skip

# What floats do in programs that are right.
SILENT = {
    "softmax with a mask": (
        "np",
        "s = np.linspace(-9, 9, 64).reshape(8, 8).astype(np.float16)\ns = np.where(np.tri(8) > 0, s, -np.inf)\ne = np.exp(s - s.max(-1, keepdims=True))\ne / e.sum(-1, keepdims=True)",
    ),
    "number as a mask": (
        "torch",
        "s = torch.linspace(-9, 9, 64).reshape(8, 8).half()\ns.masked_fill(s > 0, float('-inf')).softmax(-1)\n(s + torch.where(s > 0, -65504., 0.).half()).softmax(-1)",
    ),
    "variance of equal numbers": (
        "np",
        "x = np.full((4, 64), 7.3, np.float32)\nx.var(-1)\nx.std(-1)\nnp.full(99, 0.3, np.float16).std()",
    ),
    "histogram": (
        "np",
        "x = np.linspace(0, 1, 99, dtype=np.float32)\nnp.histogram(x, 5, density=True)\nnp.histogram2d(x, x)",
    ),
    "error of a cast": (
        "np",
        "w = np.linspace(0, 1, 99, dtype=np.float32)\nw - w.astype(np.float16)\nabs(w.astype(np.float16) - w).max()",
    ),
    "error of a cast in PyTorch": (
        "torch",
        "w = torch.linspace(0, 1, 99)\nw - w.to(torch.bfloat16)\nw.half() - w",
    ),
    "layer norm": (
        "np",
        "x = np.random.default_rng(0).normal(size=(16, 64)).astype(np.float32)\nm = x.mean(-1, keepdims=True)\n(x - m) / np.sqrt(((x - m) ** 2).mean(-1, keepdims=True) + np.float32(1e-5))",
    ),
    "logarithm of a sum of exponentials": (
        "np",
        "x = np.linspace(-99, 99, 64, dtype=np.float32)\nx.max() + np.log(np.exp(x - x.max()).sum())",
    ),
    "hash": (
        "np",
        "def hashed(x):\n    x = x * np.uint32(2654435761)\n    return x ^ (x >> np.uint32(16))\nhashed(np.arange(9, dtype=np.uint32))",
    ),
    "clock that begins again": (
        "np",
        "t = np.array([4294967000, 4294967200, 100, 300], np.uint32)\nafter, before = t[1:], t[:-1]\nafter - before\nnp.diff(t)\nt[2] - t[1]",
    ),
    "ring buffer": (
        "np",
        "r = np.zeros(16, np.float32)\nfor n in range(99):\n    r[n % 16] = n * 0.1\n    r.mean()",
    ),
    "nothing in an array": ("np", "x = np.ones((0, 4), np.float16)\nx * x + np.exp(x)"),
    "cumulative sum": ("np", "np.cumsum(np.random.default_rng(0).random(1000).astype(np.float32))"),
    "image": (
        "np",
        "i = (np.random.default_rng(0).random((8, 8, 3)) * 255).astype(np.uint8)\nf = i.astype(np.float32) / 255\nn = (f - f.mean((0, 1))) / f.std((0, 1))\nnp.clip(n * 64 + 128, 0, 255).astype(np.uint8)",
    ),
    "window of a Gaussian": (
        "np",
        "r = np.arange(-50, 51).astype(np.float16)\nw = np.exp(-r ** 2 / 8)\nw[:, None] * w[None, :]",
    ),
    "sigmoid": (
        "torch",
        "t = torch.tensor([-200., 0., 5.])\n1 / (1 + torch.exp(-t))\ntorch.where(t > 20, t, torch.log1p(torch.exp(30 * t)))",
    ),
    "asked for": (
        "np",
        "x = np.array([300, 2], np.float16)\nwith np.errstate(over='ignore'):\n    x ** 2",
    ),
    "infinite in any dtype": (
        "torch",
        "torch.log(torch.zeros(3)).half()\ntorch.ones(3).half() / torch.zeros(3).half()\ntorch.full((3,), float('inf')).half() * 2",
    ),
    "Newton's iteration": (
        "np",
        "x = np.float32(1)\nfor _ in range(50):\n    x = x - (x * x - np.float32(2)) / (np.float32(2) * x)",
    ),
    "residual of a solution": (
        "np",
        "a = np.random.default_rng(0).normal(size=(9, 9)).astype(np.float32)\nb = a @ np.ones(9, np.float32)\nb - a @ np.linalg.solve(a, b)",
    ),
    "limit beyond the range": ("np", "np.minimum(np.ones(4, np.float16), 1e9)"),
    "limits that have a place": (
        "np",
        "h = np.ones(4, np.float16)\nnp.maximum(np.where(h > 0, h, -1e4), 1e-4)",
    ),
    "decay": ("torch", "v = torch.ones(4).half()\nfor _ in range(99):\n    v = v * 0.5"),
    "moving average that moves": (
        "torch",
        "m = torch.ones(4, dtype=torch.bfloat16)\nfor _ in range(60):\n    m = 0.9 * m + 0.1 * torch.rand(4, dtype=torch.bfloat16)",
    ),
    "optimiser in float32": (
        "torch",
        "m, v = torch.zeros(9), torch.zeros(9)\nfor t in range(1, 40):\n    g = torch.randn(9) * 1e-3\n    m.mul_(0.9).add_(g, alpha=0.1)\n    v.mul_(0.999).addcmul_(g, g, value=0.001)\n    m / (1 - 0.9 ** t) / ((v / (1 - 0.999 ** t)).sqrt() + 1e-8)",
    ),
    "shift by the maximum": (
        "np",
        "f = np.float32(1e6) + np.arange(99, dtype=np.float32)\nf - f.max()\nf[1:] - f[:-1]\nnp.diff(f)",
    ),
    "iteration that converges at once": (
        "np",
        "a = np.ones((9, 9), np.float32) + np.eye(9, dtype=np.float32) / 8\nv, last = np.arange(9, dtype=np.float32), np.float32(0)\nfor _ in range(9):\n    w = a @ v\n    norm = np.linalg.norm(w)\n    step = norm - last\n    last, v = norm, w / norm\na @ v - last * v",
    ),
    "error of a sum": (
        "np",
        "r = np.random.default_rng(0)\na, b = r.random(99, np.float32) * np.float32(1e4), r.random(99, np.float32)\ns = a + b\nc = s - a\n(a - (s - c)) + (b - c)",
    ),
    "centred twice": (
        "np",
        "x = np.random.default_rng(0).normal(size=(100, 4)).astype(np.float32)\ny = x - x.mean(0)\nz = y - y.mean(0)\nz - y",
    ),
    "sum of probabilities": (
        "np",
        "x = np.random.default_rng(1).normal(size=(40, 3)).astype(np.float32)\nfor row in x:\n    p = np.exp(row - np.log(np.exp(row).sum()))\n    p.sum() - 1",
    ),
    "slope of a tangent": (
        "np",
        "x = np.linspace(-99, 99, 199, dtype=np.float32)\n1 - np.tanh(x) ** 2",
    ),
    "comparison with a tolerance": (
        "np",
        "a = np.linspace(0, 1, 11, dtype=np.float32)\nb = a * np.float32(1 + 1e-7)\nnp.abs(a - b).max() < 1e-6",
    ),
    "noise beside a line": (
        "np",
        "x = np.linspace(1, 2, 99, dtype=np.float32)\ny = 2 * x + np.float32(1e-3) * np.sin(99 * x)\ny - 2 * x",
    ),
    "threshold in double": (
        "np",
        "x = np.linspace(0, 1, 99, dtype=np.float32)\nx < np.float64(0.1)\nx >= np.mean(x, dtype=np.float64)\nx.astype(np.float64) <= x",
    ),
    "fractions": (
        "np",
        "t = np.arange(50, dtype=np.float32) * np.float32(0.1)\nt - np.floor(t)\nnp.float32(0.1) * 3 - 0.3",
    ),
    "acceptance of a step": (
        "jnp",
        "jnp.exp(-100 / 0.5 * jnp.ones(()))\njax.nn.softmax(jnp.linspace(-99, 99, 64))",
    ),
    "compiled mask": (
        "jnp",
        "@jax.jit\ndef f(x):\n    return jnp.where(x > 0, x, -jnp.inf), jnp.log(x * 0)\nf(jnp.ones(3, jnp.float16))\njax.jit(lambda x: jnp.log(x * 0))(jnp.ones(3, jnp.float16))",
    ),
    "added at an index": (
        "jnp",
        "jnp.zeros(4, jnp.int32).at[jnp.array([0, 1])].add(1)\njnp.zeros(4).at[0].set(1.5)",
    ),
    "half precision layer": (
        "torch",
        "x = torch.nn.Linear(64, 64).half()(torch.randn(4, 64).half())\ny = torch.relu(x) * 2\ny / (y.norm() + 1e-5)",
    ),
}


def program(library, source):
    if importlib.util.find_spec({"np": "numpy", "jnp": "jax"}.get(library, library)) is None:
        pytest.skip(f"{library} is not installed")
    return HEAD[library] + source


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::FutureWarning")
@pytest.mark.parametrize(
    ("library", "source", "kind", "line", "instead"), FOUND.values(), ids=FOUND
)
def test_it_is_found(audited, library, source, kind, line, instead):  # noqa: PLR0917
    report = audited(program(library, source))
    assert report.problems == ()
    found = {finding.kind: finding for finding in report.findings}
    assert kind in found
    assert line is None or found[kind].line == line + HEAD[library].count("\n")
    assert instead is None or found[kind].suggestion == instead


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("library", "source"), SILENT.values(), ids=SILENT)
def test_what_is_right_is_silent(audited, library, source):
    report = audited(program(library, source))
    assert [(f.kind, f.line) for f in report.findings if f.severity == "warning"] == []
    assert report.problems == ()
