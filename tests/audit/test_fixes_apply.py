"""Every suggestion of a corpus is typed into its program, and mends it."""

import importlib.util
import math
import re
import sys
from pathlib import Path

import pytest

from . import programs

pytestmark = pytest.mark.thorough

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

START = """\
import numpy as np

f = np.linspace(1, 2, 8, dtype=np.float32)
m = np.reshape(np.linspace(1, 2, 64, dtype=np.float32), (8, 8))
h = f.astype(np.float16)
c = f.astype(np.complex64)
i = np.arange(8)
small = np.arange(8, dtype=np.int16)
rng = np.random.default_rng(0)
np.random.seed(0)
"""

# Lines of NumPy, each a program of its own after `START`; `out` is what is compared.
NUMPY = """
out = f * np.arange(8)
out = np.arange(8) * f
out = f * np.arange(0, 4, 0.5)
out = f * np.arange(8.0)
out = f * np.arange(1, 9) / 8
out = f * (np.arange(8) / 8)
out = f * (np.arange(8) / i.size)
out = f * (np.arange(1, 9) / (i + 1))
out = f * (np.arange(8) / np.arange(1, 9))
out = f * np.arange(8, dtype=np.int64)
out = f * np.arange(0, 8, 1, np.int64)
out = f * np.arange(0, 8, 1, float)
out = f * np.arange(8, dtype=float)
out = h * np.arange(8)
out = h * np.arange(8.0)
out = h * i
out = f.astype(np.int32) * np.arange(8)
out = f * np.linspace(0, 1, 8)
out = f * np.linspace(0, 1, 8, True, False, np.float64)
out = f * np.linspace(0, 1, num=8, dtype="d")
out = f * np.linspace(0, 1, 8)[::-1]
out = f * np.logspace(0, 1, 8)
out = f * np.geomspace(1, 2, 8)
out = f * np.linspace(0, 1, 8, retstep=True)[0]
out = f * np.ones(8)
out = f * np.ones(8, np.double)
out = f * np.ones(8, "d")
out = f * np.ones(8, "f8")
out = f * np.ones(8, "<f8")
out = f * np.ones(8, float)
out = f * np.ones(8, dtype=float)
out = f * np.ones(8, dtype=np.dtype("float64"))
out = f * np.ones(8, dtype=np.dtype(float))
out = f * np.zeros(8, np.float64)
out = f * np.empty(8).clip(1, 1)
out = m @ np.eye(8)
out = m @ np.eye(8, 8, 0, float)
out = m @ np.identity(8, float)
out = m * np.tri(8, 8, 0, np.float64)
out = f * np.full(8, 0.5)
out = f * np.full(8, 0.5, np.float64)
out = f * np.full((8,), np.pi)
out = f * np.array([1.0] * 8)
out = f * np.array([1, 2, 3, 4, 5, 6, 7, 8.5], np.float64)
out = f * np.asarray([1.0] * 8, float)
out = f * np.asarray([1e300] * 8)[0]
out = f * np.array([2**53 + 1])[0]
out = f * np.fromiter([1.0] * 8, float)
out = f * np.ones(8, np.float32) * np.arange(8)
out = np.ones(8, np.float32) * np.arange(8)
out = f * np.ones(8).astype(float)
out = f * np.ones(8, np.float32).astype(np.double)
out = f * f.astype("float64")
out = f * f.astype("d")
out = f * f.astype(dtype="<f8")
out = f * f.astype(np.float64, copy=False)
out = f * f.astype(np.result_type(f, 1j).type(0).real.dtype)
out = f * i.astype(float)
out = f * np.asarray(i, dtype=float)
out = c * f.astype(complex)
out = c * np.exp(1j * np.arange(8))
out = c * (1j * np.linspace(0, 1, 8))
out = c * np.array([1j] * 8)
out = c * np.complex128(1j)
out = f * np.float64(2)
out = f * np.float64(1e300)
out = f * np.float64("2.5")
out = f * np.double(0.5)
out = f * np.sqrt(2.0)
out = f / np.log(10.0)
out = f * (1 / np.sqrt(2 * 3.0))
out = f * np.float64(2) ** 0.5
out = f * -np.exp(0.5)
out = f * np.finfo(np.float64).eps
out = f * np.int64(3)
out = f * np.int16(3)
out = f * np.uint8(3)
out = h * np.float32(3)
out = f * i.mean()
out = f * i.std()
out = f - np.mean(i)
out = f - np.average([1, 2, 3])
out = f - np.median([1, 2, 3])
out = f - np.var(np.arange(8))
out = f - i.mean(dtype=np.float64)
out = h - i.mean()
out = h - i.mean(axis=0, dtype=float)
out = f / f.sum(dtype=np.float64)
out = f / np.mean(f, dtype=float)
out = f / np.add.reduce(f, dtype=float)
out = f * np.cumsum(f, dtype=np.float64)
out = f * i.sum()
out = f * i.argmax()
out = f * np.percentile(i, 50)
out = f * np.hanning(8)
out = f * np.blackman(8)[::-1]
out = f * np.kaiser(8, 14)
out = f * np.interp(f, [0, 1], [0, 1])
out = np.convolve(f, [0.25, 0.5, 0.25])
out = f * np.fft.fftfreq(8)
out = f * np.fft.rfftfreq(15)
out = np.linalg.qr(np.eye(8))[0] @ m
q, r = np.linalg.qr(np.eye(8)); out = m @ q
w, v = np.linalg.eigh(np.eye(8)); out = f * w
out = f * np.histogram(i, 8)[0]
counts, edges = np.histogram(i, 8); out = f * edges[1:]
out = f[:, None] * np.meshgrid(np.linspace(0, 1, 8), i)[0]
out = f * np.polyfit(i, 2.0 * i, 1)[0]
out = f * np.frombuffer(np.arange(8.0).tobytes())
out = f * np.frombuffer(np.arange(8.0).tobytes(), dtype=np.float64)
out = f * np.frombuffer(np.arange(8.0).tobytes(), "d")
out = f * np.arange(8).view(np.float64)
out = f * rng.random(8)
out = f * rng.standard_normal(8)
out = f * rng.random(8, dtype=np.float64)
out = f * rng.normal(0, 1, 8)
out = f * rng.uniform(size=8)
out = f * rng.integers(0, 9, 8)
out = f * np.random.RandomState(0).rand(8)
out = f * np.random.RandomState(0).randint(0, 9, 8)
out = f[0] * np.random.RandomState(0).rand(8)
out = small * np.arange(8)
out = small.astype(np.int64) * small
out = i.astype(np.uint8).astype(np.int16) - i.astype(np.uint8)
out = small * f
out = i * np.ones(8)
out = np.concatenate([f, np.ones(8)])
out = np.concatenate([f, i])
parts = [f, np.ones(8)]; out = np.concatenate(parts)
parts = [f, i]; out = np.concatenate(parts)
out = np.where(f > 1, f, np.zeros(8))
out = np.where(f > 1, f, i)
out = np.maximum(f, np.zeros(8))
out = np.multiply(f, i)
out = np.hypot(f, small)
out = f[:2] * [1.5, 2]
out = f.copy(); out[:] = np.hanning(8)
out = f.copy(); out += np.hanning(8)
out = f.copy(); out *= i
out = i.copy(); out[:] = f * 1.5
out = i.astype(np.uint8); out[0] = 2.7
out = f[0]; out += i
out = (f > np.linspace(0, 3, 8)).astype(int)
out = (f > i).astype(int)
out = h * 1e-9
out = f + (2**24 + 1)
out = (lambda x: f * x)(np.ones(8))
total = np.float64(0)\\nfor x in f: total += x\\nout = f / total
total = 0.0\\nfor x in f.astype(float): total += x\\nout = f / total
n = 8; out = f * np.arange(n)
n = len(f); out = f * (np.arange(n) / n)
dtype = np.float64; out = f * np.zeros(8, dtype)
from numpy import linspace; out = f * linspace(0, 1, 8)
import numpy; out = f * numpy.hanning(8)
np.ones(8).tofile("x.bin"); out = f * np.fromfile("x.bin")
np.ones(8).tofile("x.bin"); out = f * np.fromfile("x.bin", dtype=float)
np.ones(8).tofile("x.bin"); out = f * np.memmap("x.bin", np.float64)
np.savetxt("x.txt", f); out = f * np.loadtxt("x.txt")
np.savez("x.npz", w=np.ones(8)); out = f * np.load("x.npz")["w"]
out = f * np.linspace(  # where from\\n    0,\\n    1,  # where to\\n    8,  # how many\\n)
out = f * np.linspace(0, 1,\\n    8  # how many\\n)
out = (f\\n    # times\\n    * i)
out = f * np.ones((8))
out = f"{(f * np.ones(8)).sum()}" and f
out = f * (np.ones)(8)
""".strip().splitlines()

# The same of other libraries, by the modules that they need: what comes first, and the lines.
OTHERS = {
    "scipy": (
        """\
from scipy import interpolate, linalg, ndimage, signal, special, stats
""",
        """
b, a = signal.butter(2, 0.5); out = signal.lfilter(b, a, f)
out = f * signal.windows.hann(8)
ba = signal.butter(2, 0.5); out = f * ba[0][0]
out = f * special.gamma(2.5)
x, w = special.roots_legendre(8); out = f * w
out = f * ndimage.gaussian_filter1d(np.arange(8.0), 1)
out = f * stats.norm.pdf(np.arange(8))
out = m @ linalg.toeplitz(np.arange(8.0))
out = f * interpolate.interp1d([0, 9], [0, 1])(f)
""",
    ),
    "pandas": (
        """\
import io
import pandas as pd
s = pd.Series(f)
""",
        """
out = s * np.hanning(8)
out = s * pd.Series([1.0] * 8)
out = s.rolling(3, min_periods=1).mean()
d = pd.DataFrame({"a": np.ones(8), "b": "x"}); out = d["a"] * f
T = "a,b" + chr(10) + "1.5,x"; d = pd.read_csv(io.StringIO(T)); out = d["a"] * pd.Series(f)[:1]
out = s.astype("float64") * s
out = s * pd.Series(range(8))
""",
    ),
    "sklearn": (
        """\
from sklearn import metrics, model_selection, preprocessing
""",
        """
x = preprocessing.StandardScaler().fit_transform(np.eye(8)); out = m @ x
a, b = model_selection.train_test_split(np.eye(8), random_state=0); out = m[:2] @ b.T
out = m * metrics.pairwise_distances(np.eye(8))
""",
    ),
    "torch": (
        """\
import torch
torch.manual_seed(0)
t = torch.ones(8)
""",
        """
out = t * torch.ones(8, dtype=torch.float64)
out = t * torch.from_numpy(np.hanning(8))
out = t * torch.ones(8).double()
out = t * torch.tensor([1.0] * 8, dtype=torch.double)
out = t * torch.zeros(8).to(torch.float64)
t = torch.ones(8, dtype=torch.float16); out = t * torch.linspace(0, 1, 8)
t = torch.ones(8, dtype=torch.bfloat16); out = t * torch.arange(8.0)
out = t * torch.rand(8, dtype=torch.float64)
x, y = torch.linalg.qr(torch.eye(8).double()); out = t * x[0]
out = t * __import__("torch").ones(8).double()
""",
    ),
    "dask": (
        """\
import dask.array as da
x = da.from_array(f)
""",
        """
out = (x * da.ones(8)).compute()
out = (x * da.random.default_rng(0).random(8)).compute()
out = (x * da.linspace(0, 1, 8)).compute()
""",
    ),
}


def own_programs():
    """Return the programs of NumPy."""
    found = {
        f"fixes: {program.name}": f"{program.head}np.random.seed(0)\n{program.source}"
        for program in programs.read(Path(__file__).with_name("programs") / "fixes.txt")
        if "\n=> " not in program.outcome  # one uncovers a cause that is another finding
    }
    return printing(found | lines_after(START, NUMPY)) | {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted(EXAMPLES.glob("*.py"))
        if path.name not in ("any_backend.py", "three_questions.py")
    }


def other_programs():
    """Return the programs of the libraries that are installed."""
    found = {}
    for module, (head, lines) in OTHERS.items():
        if importlib.util.find_spec(module) is not None:
            found |= lines_after(START + head, lines.strip().splitlines())
    # three_questions.py is in neither: it prints the dtypes that come out
    example = EXAMPLES / "any_backend.py"
    return printing(found) | {example.name: example.read_text(encoding="utf-8")}


def lines_after(start, lines):
    return {line: f"{start}{line}".replace("\\n", "\n") for line in lines}


def printing(sources):
    end = "\nprint(globals().get('out', f).tolist())\n"
    return {name: source + end for name, source in sources.items()}


def agree(before, after, tolerance):
    """Tell whether two outputs have the same words, and numbers that differ only by rounding."""
    number = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)")
    if number.sub("#", before) != number.sub("#", after):
        return False
    pairs = zip(number.findall(before), number.findall(after), strict=True)
    return all(
        # a number that overflowed may get its place
        not math.isfinite(float(a))
        or math.isclose(float(a), float(b), rel_tol=tolerance, abs_tol=tolerance)
        for a, b in pairs
    )


def faults(source, audited, capsys):
    """Return the findings of a program, and what is wrong about their suggestions."""
    found = []
    try:
        found = left = audited(source).findings
        before = capsys.readouterr().out
        for _ in range(3):  # causes inside of causes are mended first
            fixes = programs.apart(left)
            source = programs.typed(source, fixes)
            expected = {(f.kind, f.text) for f in left} - {(f.kind, f.text) for f in fixes}
            left = audited(source).findings
            after = capsys.readouterr().out
            nested = sum(bool(f.suggestion) for f in left) and len(fixes) < len(left)
            if not fixes or not nested:
                break
    except Exception as error:  # noqa: BLE001  # the program may raise any
        return found, [*(f"{f.text} -> {f.suggestion}" for f in found), f"raises {error!r}"]
    narrow = "float16" in source or "bfloat16" in source
    wrong = []
    are_right = not any("became" in place.told for f in found for place in f.places)
    if are_right and not agree(before, after, 5e-2 if narrow else 1e-4):
        wrong.append(f"gives {after[:300]} rather than {before[:300]}")
    warned = [f for f in left if f.severity != "note"]
    wrong += [f"still {f.kind}: {f.text}" for f in warned if (f.kind, f.text) not in expected]
    wrong += [f"still {f.text} -> {f.suggestion}" for f in left if f.suggestion]
    told = [f"{f.text} -> {f.suggestion}" for f in found]
    return found, [*told, *wrong] if wrong else []


@pytest.fixture
def wide():
    """Turn 64 bits on, as a program does that is the first to import JAX."""
    jax = sys.modules.get("jax")
    if jax is None:
        yield
        return
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.mark.usefixtures("wide")
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("corpus_of", [own_programs, other_programs])
def test_every_suggestion_of_the_corpus_mends_its_program(
    corpus_of, audited, capsys, monkeypatch, count
):
    monkeypatch.setattr("sys.argv", ["program.py"])
    wrong, found = {}, []
    corpus = corpus_of()
    for name, source in corpus.items():
        findings, told = faults(source, audited, capsys)
        found += findings
        if told:
            wrong[name] = told
    assert not wrong, "\n".join(f"{name}\n  {told}" for name, told in wrong.items())
    fixes = sum(bool(f.suggestion) for f in found)
    count(f"suggestions: {fixes} for {len(found)} findings in {len(corpus)} programs, all right")
    assert len(corpus) < 10 or fixes / len(found) > 0.6
