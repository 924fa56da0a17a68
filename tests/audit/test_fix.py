"""``supremum fix``: what the audit suggests is typed, the program checked, and files stay whole."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest

from supremum import audit
from supremum.audit.trial.files import Files
from supremum.audit.trial.fixed import fixes
from supremum.core.errors import RulesError

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]

WIDE = """\
import numpy as np

f = np.linspace(1, 2, 8, dtype=np.float32)
out = f * np.hanning(8)
print(out.sum(), out.dtype)
"""
FIXED = WIDE.replace("np.hanning(8)", "np.hanning(8).astype(np.float32, copy=False)")


@pytest.fixture
def fix(tmp_path, monkeypatch):
    """Return a function that runs ``supremum fix`` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run_command(*words, command="fix", **given):
        if "input" not in given:
            given.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run(
            [sys.executable, "-m", "supremum", command, *map(str, words)],
            cwd=given.pop("cwd", tmp_path),
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **given.pop("env", {})},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            **given,
        )

    return run_command


def leftovers(folder):
    return [path.name for path in folder.rglob("*.tmp")]


def said(done):
    """Return what a command says, without the table of what was measured."""
    lines = (done.stdout + done.stderr).splitlines()
    measured = re.compile("  +(before|memory|peak|time|float64) ")
    return "\n".join(line for line in lines if not measured.match(line))


@pytest.mark.parametrize("name", ["image_filter.py", "adam.py", "spectrum.py"])
def test_the_examples_become_those_that_were_mended(fix, tmp_path, name):
    shutil.copy(ROOT / "examples" / name, tmp_path)
    done = fix(name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / name).read_text() == (ROOT / "examples" / "mended" / name).read_text()
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("  ")]
    assert [row[0] for row in rows] == ["before", "memory", "peak", "time", "float64"]
    assert rows[1][-2:] == ["0", "bytes"]
    before, after = (int(count.replace(",", "")) for count in rows[-1][-2:])
    assert before > 1.5 * after


# Programs, and what becomes of them; WIDE stands for the one above.
PROGRAMS = {
    "one fix": "WIDE",
    "nothing is found": FIXED,
    "no operation": "print('hello')\n",
    "no change is right": "import numpy as np\nout = np.uint64([1]) + np.int64([1])\n",
    "the same text twice in a line, and one inside an f-string": (
        WIDE.replace("f * np.hanning(8)", "f * np.hanning(8) + f * np.hanning(8)")
        + 'print(f"{(f * np.hanning(8)).sum():.3f}", 1e-17 * f[0], np.nan, np.inf)\n'
    ),
    "causes behind causes": """
import numpy as np

def window(n):
    return np.hanning(n)

f = np.ones(8, np.float32)
a = window(8) * np.linspace(0, 1, 8)
print((f * a).sum())
""",
    "numbers that need their digits": """
import numpy as np
f = np.ones(4, np.float32)
big = f * np.array([1.0, 2.0**24 + 1, 3.0, 4.0])
print(int(big[1]))
print((f * np.linspace(0, 1, 4)).sum())
""",
    "results that change": """
import numpy as np
counts = np.array([3, 5, 7], dtype=np.float32)
price = (counts * np.array([0.1, 0.2, 0.3])).sum()
print(round(float(price) * 10**9))
""",
    "neighbours that a cast would make equal": """
import numpy as np
stamps = np.arange(1_700_000_000, 1_700_000_010)
halves = stamps / 2
gain = np.ones(10, np.float32)
print((gain * halves)[1])
""",
    "a fix that makes it raise": """
import numpy as np
f = np.ones(4, np.float32)
w = np.hanning(4)
assert w.dtype == "f8", w.dtype
print((f * w).sum(), (f * np.linspace(0, 1, 4)).sum())
""",
    "an exit status": "WIDE\nraise SystemExit(3)\n",
    "an error of its own": "WIDE\nraise ValueError('no')\n",
    "results that were wrong": """
import numpy as np

a, b = np.array([200, 3], np.uint8), np.array([100, 4], np.uint8)
f = np.linspace(1, 2, 8, dtype=np.float32)
print((b - a).tolist(), (f * np.hanning(8)).dtype)
""",
    "a printed dtype": """
import numpy as np

a, b = np.array([200, 3], np.uint8), np.array([100, 4], np.uint8)
print((b - a).dtype, "of", a.size)
""",
    "nothing is printed": WIDE.replace("print(out.sum(), out.dtype)", "total = out.sum()"),
    "nothing is printed, and results were wrong": """
import numpy as np

a, b = np.array([200, 3], np.uint8), np.array([100, 4], np.uint8)
twice = (b - a) * 2.0
""",
    "nothing is printed, and values would be lost": """
import numpy as np

x = np.full(100, 20_000_000, np.float32)
late = np.arange(100) * 7 % 100 + 20_000_000.25 - x
twice = late * 2
""",
    "what is printed is no result": WIDE.replace(
        "print(out.sum(), out.dtype)",
        "print('ok' if out.dtype == f.dtype else 'widened', out.nbytes, out.sum())",
    ),
    "results that are computed beside arrays": """
import numpy as np

f = np.linspace(1, 2, 8, dtype=np.float32)
wide = f * np.linspace(0, 1, 8)
print("phase", float(wide[3]) * 1e9 % 1.0)
""",
    "floats that are stored in integers": """
import numpy as np

pressure = np.ones_like([1, 2, 3])
pressure[:] = np.linspace(0.5, 1, 3)
print(pressure.tolist())
""",
    "integers that nobody cuts off on purpose, which a trial finds": """
import numpy as np

predicted = np.zeros((3, 4), dtype=int)
for i in range(3):
    predicted[i] = np.linspace(0, i, 4)
print(predicted.mean())
""",
    "complex numbers that are stored in floats": """
import numpy as np

padded = np.zeros(8)
padded[:4] = np.fft.fft(np.arange(4.0))
print(np.abs(np.fft.ifft(padded)).round(3).tolist())
""",
    "a cast that is wrong, and one at the operation that is right": """
import numpy as np

f = np.ones(4, np.float32)
w = np.hanning(4)
assert w.dtype == "f8", w.dtype
print((f * w).sum())
""",
    "an error that the program prints, and that is gone": """
import numpy as np

f = np.ones(4, np.float32)
w = f * np.hanning(4)
try:
    print("sum", np.add(f, w, out=np.empty_like(f), casting="equiv").sum())
except TypeError as error:
    print("TypeError:", str(error)[:60])
""",
    "a program that stopped": """
import numpy as np

x = np.arange(3)
x += 0.5
print(x.tolist())
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_done_is_said(fix, write, golden, name):
    before = PROGRAMS[name].replace("WIDE\n", WIDE).lstrip("\n").replace("WIDE", WIDE)
    path = write(before)
    done = fix("program.py")
    text = path.read_text()
    became = "it stays as it is" if text == before else text
    golden(f"{said(done)}\nexit status {done.returncode}\n\n{became}")
    if done.returncode == 0:
        assert said(fix("program.py")).startswith("Nothing to fix: ")


def test_a_patch_is_printed_and_nothing_written(fix, write, tmp_path):
    path = write(WIDE.rstrip("\n"))
    before = path.stat().st_mtime_ns, path.read_bytes()
    done = fix("--diff", "program.py")
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before
    assert done.returncode == 0
    path.write_text(WIDE.rstrip("\n"))
    git = shutil.which("git")
    subprocess.run([git, "apply"], cwd=tmp_path, input=done.stdout, text=True, check=True)
    assert path.read_text() == FIXED.rstrip("\n")


def test_a_program_that_does_not_end_with_a_fix(write, monkeypatch):
    monkeypatch.setattr("supremum.audit.trial.runs._PATIENCE", (2.0, 1.0))
    source = """\
        import numpy as np
        step = np.ones(1, np.float32) * np.array([1e-9])
        x = 1 + step[0]
        while x == 1:
            x += step[0]
        """
    path = write(source)
    found = audit.fix("program.py")
    assert not found.applied
    assert len(found.undone) == 1
    assert path.read_text() == dedent(source)


def test_a_project_that_fails_on_findings_is_fixed_all_the_same(fix, write):
    write("[tool.supremum.audit]\nfail-on = 'widening'\non-finding = 'raise'\n", "pyproject.toml")
    path = write(WIDE)
    assert fix("program.py").returncode == 0
    assert path.read_text() == FIXED


@pytest.mark.parametrize(
    "data",
    [
        WIDE.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + WIDE.encode(),
        b"# -*- coding: latin-1 -*-\nname = '\xe9'\n" + WIDE.encode(),
        WIDE.replace("out = ", "if True:\n\tout = ").encode(),
        WIDE.replace("out = f", "größe = '变'; out = f").encode(),
        WIDE.rstrip("\n").encode(),
    ],
    ids=["CRLF", "BOM", "latin-1", "tabs", "wide characters", "no last line end"],
)
def test_the_form_of_a_file_stays(fix, tmp_path, data):
    path = tmp_path / "program.py"
    path.write_bytes(data)
    path.chmod(0o751)
    done = fix("program.py")
    assert done.returncode == 0, done.stdout + done.stderr
    new = b"np.hanning(8).astype(np.float32, copy=False)"
    assert path.read_bytes() == data.replace(b"np.hanning(8)", new)
    assert stat.S_IMODE(path.stat().st_mode) == 0o751
    assert leftovers(tmp_path) == []


def test_a_program_that_fails_for_a_dtype_and_fails_no_more_is_mended(fix, write):
    text = f"{WIDE}assert out.dtype == np.float32, out.dtype\nprint('fine')\n"
    path = write(text)
    found = fix(path)
    assert "1 fix in 1 file" in found.stdout
    assert path.read_text() == text.replace(WIDE, FIXED)


def test_a_cast_that_a_later_fix_makes_needless_is_taken_back(fix, write):
    pytest.importorskip("torch")
    source = """\
        import numpy as np
        import torch

        torch.manual_seed(0)
        embedding, dense = torch.nn.Embedding(4, 3), torch.nn.Linear(3, 2)

        def mixed(vectors):
            found = np.zeros((4, vectors.shape[1]))
            for row in range(4):
                found[row] = vectors[row] * np.float32(0.5) + vectors[3 - row]
            return found

        vectors = mixed(embedding.weight.detach().numpy())
        embedding.weight.data = torch.from_numpy(vectors)
        print(dense(embedding(torch.tensor([1, 2]))).dtype)
        """
    path = write(source)
    done = fix("program.py")
    zeros = "np.zeros((4, vectors.shape[1])"
    assert path.read_text() == dedent(source).replace(zeros + ")", zeros + ", dtype=np.float32)")
    assert "1 fix in 1 file" in done.stdout
    assert "ends the same way" not in done.stdout


def test_what_a_fix_of_a_later_round_makes_needless_is_taken_back(fix, write):
    source = """\
        import numpy as np

        def projected(b, least):
            x = np.zeros(b.size)
            mask = b > least
            x[mask] = b[mask] - least
            return x

        def step(b):
            return np.sign(b) * projected(np.abs(b), np.float32(0.5))

        b = np.linspace(-2, 2, 64, dtype=np.float32)
        for _ in range(3):
            b = b - np.float32(0.1) * step(b)
        print(b.dtype, b[:3])
        """
    path = write(source)
    done = fix("program.py")
    assert path.read_text() == dedent(source).replace("(b.size)", "(b.size, dtype=np.float32)")
    assert (done.returncode, "1 fix in 1 file" in done.stdout) == (0, True)


LEFT_ALONE = {
    "what the program checks itself has to hold": (
        (), "what the program checks holds no more: line 1: 'True' became 'False'",
        """\
        import numpy as np

        class Frame:
            def __init__(self, body):
                self.bytes = np.append(body, (256 - int(body.sum())) % 256).astype(np.uint8)

            def total(self):
                return np.add.reduce(self.bytes, dtype=np.uint8)

        frame = Frame(np.arange(200, dtype=np.uint8))
        print("valid", bool(frame.total() == 0))
        """,
    ),
    "the target does not need it": (
        ("--target", "jax"), "Nothing to fix",
        """\
        import numpy as np

        x = np.random.default_rng(0).standard_normal(8).astype(np.float32)
        print(x.dtype, x[:2])
        """,
    ),
    "NumPy warns with it": (
        (), "the program warns with it: invalid value encountered in sqrt",
        """\
        import numpy as np

        positions = np.arange(-5, 20, dtype=np.int32)
        print(np.sqrt(positions.astype(np.uint64))[-3:])
        """,
    ),
    "it is lost in the same statement": (
        (), "what it gives is stored where it has no place: -16 became 240",
        """\
        import numpy as np

        def shift(image):
            image[:] = image - 16

        image = np.frombuffer(bytes(range(64)), np.uint8).copy()
        shift(image)
        print(image.mean())
        """,
    ),
}  # fmt: skip


def test_what_agrees_is_the_same_line(fix, write):
    write(
        """\
        import numpy as np

        times = (np.arange(3e8, 3e8 + 4000, 7.5) / 1).astype(np.float32)
        print("in", float(times[-1] - times[0]) / 3, "ms")
        print(int((np.diff(times) == 0).sum()), len(times))
        """
    )
    done = fix("program.py")
    assert "1 fix in 1 file" in done.stdout
    assert "agrees to within" not in done.stdout


@pytest.mark.parametrize("why", LEFT_ALONE)
def test_a_change_is_not_made(fix, write, why):
    options, said, source = LEFT_ALONE[why]
    path = write(source)
    done = fix(*options, "program.py")
    assert path.read_text() == dedent(source)
    assert said in done.stdout


WRONG = {
    "a sum of integers of both signs (alphadia#853)": (
        """
        def key(precursor, number, charge):
            return precursor + (number << 32) + (charge << 60)

        precursor = np.repeat(np.arange(1000, 1040), 6).astype(np.uint64)
        number, charge = np.tile(np.arange(3, 9), 40), np.tile(np.arange(1, 3), 120)
        print(len(set(key(precursor, number, charge).tolist())))
        """,
        ("precursor + (", "precursor.astype(np.int64, copy=False) + ("),
    ),
    "a part in place of integers that are indices elsewhere (yolact#620)": (
        """
        def scaled(boxes, by):
            boxes[:, [0, 2]] *= by
            return boxes

        boxes = np.array([[10, 20, 110, 95]])
        mask = np.zeros(128)
        mask[boxes[0, 0] : boxes[0, 2]] = 1
        print(mask.sum(), scaled(boxes, 0.25))
        """,
        (
            "by):\n    boxes[:, [0, 2]] *= by",
            "by):\n    boxes = boxes.astype(np.float64)\n    boxes[:, [0, 2]] *= by",
        ),
    ),
    "a dtype that a variable names for arrays of another one (dcmstack#49)": (
        """
        def stack(slices):
            dtype = slices[0].dtype
            if dtype == np.uint16:
                dtype = np.int16
            whole = np.empty((len(slices), 4), dtype=dtype)
            for i, one in enumerate(slices):
                whole[i] = one
            return whole

        print(stack([np.full(4, n, dtype=np.uint16) for n in (300, 40_000)]).max())
        """,
        ("dtype = np.int16", "dtype = np.uint16"),
    ),
    "steps of a gradient that are too small for single precision (pyspeckit#176)": (
        """
        def slope(f, x, h):
            return (f(x + h) - f(x)) / h

        x = np.array([1, 2, 3], dtype=np.float32)
        print(np.round(slope(np.square, x, 1e-8), 3))
        """,
        ("np.array([1, 2, 3], dtype=np.float32)", "np.array([1, 2, 3], dtype=np.float64)"),
    ),
    "a product of large numbers, of which a float lacks the last digits (curvesim#228)": (
        """
        def value(balances, prices):
            return (balances * prices).sum() / 10**18

        prices = 10**18 + np.array([3 * 10**15 + 1, -(10**15), 7])
        print(f"{value(np.array([5_200_000, 4_900_000, 5_000_000]), prices):.2f}")
        """,
        ("balances * prices)", "balances * prices.astype(np.float64, copy=False))"),
    ),
    "a sum, and the buffer of another array's dtype that it is stored in (anndata#1348)": (
        """
        rows = {"ends": np.linspace(0, 2**31 - 1000, 100).astype(np.int32)}

        def append(more):
            ends = rows["ends"]
            new = np.empty(ends.size + more.size, dtype=ends.dtype)
            new[: ends.size] = ends
            new[ends.size :] = more + ends[-1]
            rows["ends"] = new

        append(np.arange(30, 3000, 30, dtype=np.int32))
        print(rows["ends"][-1])
        """,
        ("dtype=ends.dtype", "dtype=np.int64"),
        ("more + ends", "more.astype(np.int64, copy=False) + ends"),
    ),
    "a product that no integer holds": (
        """
        def haplotypes(alleles):
            return np.prod(alleles)

        for count in (10, 63):
            print(f"{haplotypes(np.full(count, 2)):.6g}")
        """,
        ("np.prod(alleles)", "np.prod(alleles, dtype=np.float64)"),
    ),
    "a dtype by a parameter's default": (
        """
        def exported(scenes, dtype=np.uint8):
            return [scene.astype(dtype) for scene in scenes]

        print([scene.tolist() for scene in exported([np.arange(250, 260, 3)])])
        """,
        ("dtype=np.uint8", "dtype=np.uint16"),
    ),
    "a power that no integer holds": (
        """
        orders = np.arange(40)
        powers = 6 ** orders
        print(f"{powers.max() / 3:.6g}")
        """,
        ("6 ** orders\n", "6 ** orders.astype(np.float64, copy=False)"),
    ),
    "integers of a caller that means are stored in": (
        """
        def centres(points):
            found = points[:2]
            for n in range(2):
                found[n] = points[n::2].mean(axis=0)
            return found

        print(centres(np.random.default_rng(0).binomial(5, 0.5, (30, 2))))
        """,
        ("points[:2]\n", "found = points[:2].astype(np.float64, copy=False)"),
    ),
    "squares of what a method is given": (
        """
        class Stats:
            def __init__(self, batch):
                self.mean = np.mean(batch, axis=0)
                self.squares = np.mean(batch**2, axis=0)

            def std(self):
                return np.sqrt(np.maximum(0, self.squares - self.mean**2))

        readings = (10_000 + np.sin(np.arange(600) / 9)).astype(np.float32)
        print(Stats(readings).std())
        """,
        ("Stats(readings)", "Stats(readings.astype(np.float64, copy=False))"),
    ),
    "a number beyond the dtype of what is filled with it": (
        """
        def masked(scores, mask):
            scores = np.where(mask, scores, np.full(scores.shape, -1e10, np.float16))
            weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
            return weights / weights.sum(axis=-1, keepdims=True)

        print(masked(np.ones((2, 3), np.float16), np.array([[True] * 3, [False] * 3])).tolist())
        """,
        ("-1e10", "np.finfo(np.float16).min"),
    ),
    "a total in the dtype that a class is handed": (
        """
        class Metric:
            def __init__(self, dtype):
                self.total = np.zeros(1, dtype=dtype)

            def update(self, value):
                self.total += np.float16(value)

        metric = Metric(np.dtype("e"))
        for _ in range(3000):
            metric.update(1.5)
        print(metric.total[0])
        """,
        ("dtype=dtype", "dtype=np.float32"),
    ),
    "a variable that names one of two dtypes": (
        """
        def converted(values):
            if all(isinstance(v, int) for v in values):
                kind = np.int32
            else:
                kind = np.float32
            return np.array(values, dtype=kind)

        times = converted([1469116891.75 + 7.5 * n for n in range(8)])
        print(np.diff(times), converted([1, 2]).dtype)
        """,
        ("np.float32", "np.float64"),
    ),
    "identifiers in a list with floats": (
        """
        rows = np.array([(7311849210034562817 + 2 * n, 0.5 * n) for n in range(3)])
        print([int(row[0]) for row in rows])
        """,
        ("range(3)])", "range(3)], dtype=object)"),
    ),
    "a cast of which another comes": (
        """
        def roots(positions):
            return np.sqrt(positions.astype(np.uint64))

        positions = np.array([4, 3_900_000_000]).astype(np.int32)
        print(roots(positions))
        """,
        ("astype(np.int32)", "astype(np.int64)"),
    ),
    "the dtype of another array": (
        """
        index = np.array([[40_000, 39_600]], dtype=np.int32)
        flat = index[:, 0].astype(np.int64) * 200_000
        print(flat.astype(index.dtype))
        """,
        ("astype(index.dtype)", "astype(np.int64)"),
    ),
    "labels of 16 bits": (
        """
        labels = np.arange(70_000) // 1
        small = labels.astype(np.uint16)
        print(np.unique(small).size)
        """,
        ("astype(np.uint16)", "astype(np.uint32)"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_may_change(fix, write, what):
    source, *replaced = WRONG[what]
    path = write(f"        import numpy as np\n{source}")
    assert f"{fixes(len(replaced))} in 1 file" in fix("program.py").stdout
    for before, after in replaced:
        assert after in path.read_text()
        assert before not in path.read_text()


def test_a_format_changes_where_it_is_written_and_read(fix, write):
    source = """\
        import numpy as np

        def write(movie):
            return movie.astype(np.int16).tobytes()

        def read(data):
            return np.frombuffer(data, np.int16).astype(np.int64).sum()

        print(read(write(np.arange(0, 60_000, 7, dtype=np.uint16))))
        """
    path = write(source)
    assert "2 fixes in 1 file" in fix("program.py").stdout
    assert path.read_text() == dedent(source).replace("np.int16", "np.int32")


def test_the_buffers_of_a_class_change_together(fix, write):
    source = """\
        import numpy as np

        class Spread:
            def __init__(self, n):
                self.total = np.zeros(n, np.float32)
                self.squares = np.zeros(n, np.float32)
                self.count = 0

            def add(self, x):
                self.total += x.sum(axis=0)
                self.squares += (x**2).sum(axis=0)
                self.count += len(x)

            def variance(self):
                return self.squares / self.count - (self.total / self.count) ** 2

        spread = Spread(3)
        rng = np.random.default_rng(0)
        for _ in range(40):
            spread.add((151 + 0.1 * rng.standard_normal((2000, 3))).astype(np.float32))
        print(np.round(spread.variance(), 3))
        """
    path = write(source)
    assert "2 fixes in 1 file" in fix("program.py").stdout
    assert path.read_text() == dedent(source).replace("(n, np.float32)", "(n, np.float64)")


def test_a_fill_that_is_named_is_no_mask(fix, write):
    source = """\
        import numpy as np

        for dtype, fill in ((np.uint8, -128), (np.int16, -32768)):
            data = np.arange(4).astype(dtype)
            data[1] = fill
            print(data)
        """
    path = write(source)
    fix("program.py")
    assert path.read_text() == dedent(source)


def test_tables_that_are_put_below_each_other_keep_their_integers(fix, write):
    pytest.importorskip("pandas")
    source = """\
        import pandas as pd

        rows = pd.DataFrame({"id": [2**53 + 1, 5, 7], "name": ["a", "b", "c"]})
        fakes = [pd.DataFrame({"name": ["d"]})]
        print(pd.concat([rows] + fakes)["id"].max() % 1000)
        """
    path = write(source)
    fix("program.py")
    assert path.read_text() == dedent(source).replace("[rows]", '[rows.astype({"id": "Int64"})]')


def test_identifiers_that_are_read_stay_integers(fix, write):
    pytest.importorskip("pandas")
    source = """\
        import io

        import pandas as pd

        ids = pd.read_csv(io.StringIO("osm_id,load\\n56,\\n,12\\n41,3\\n"))
        print({"56": "crossing"}.get(ids.to_csv(index=False).split()[1].split(",")[0], "none"))
        """
    path = write(source)
    fix("program.py")
    typed = '"), dtype={"osm_id": "Int64"})'
    assert path.read_text() == dedent(source).replace('"))\n', f"{typed}\n", 1)


def test_a_buffer_that_a_cast_rounds_becomes_an_attribute(fix, write):
    pytest.importorskip("torch")
    source = """\
        import torch


        class Rotary(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("steps", 1.0 / 10_000 ** (torch.arange(16) / 16))

            def forward(self, x):
                positions = torch.arange(len(x)).type_as(self.steps)
                return x * torch.outer(positions, self.steps).cos()


        rotary = Rotary().half()
        turned = rotary(torch.ones(2048, 16).half())
        print(turned.dtype, round(float(turned[2047, 0]), 2))
        """
    path = write(source)
    done = fix("program.py")
    now = path.read_text()
    assert "self.steps = 1.0 / 10_000 ** (torch.arange(16) / 16)" in now
    assert "cos().to(" in now or "cos().half()" in now, now
    assert "fixes in 1 file" in done.stdout


def test_what_a_module_gives_is_cast_if_buffers_stay_as_they_were(fix, write):
    pytest.importorskip("torch")
    source = """\
        import torch


        class Encoder(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("sin_term", 0.16 * 1e5 ** (torch.arange(16) / 15))
                self.register_buffer("cos_term", 0.16 * 1e5 ** (torch.arange(16) / 15))

            def encoded(self, x):
                both = torch.sin(x / self.sin_term), torch.cos(x / self.cos_term)
                return torch.cat(both, axis=-1)

            def forward(self, x):
                positions = torch.arange(len(x)).type_as(self.sin_term)
                return self.encoded(positions[:, None]) + x


        encoder = Encoder()
        model = torch.nn.Sequential(encoder, torch.nn.Linear(32, 4)).to(torch.bfloat16)
        tokens = torch.zeros(1024, 32, dtype=torch.bfloat16)
        print(len(torch.unique(encoder(tokens).float(), dim=0)), model(tokens).dtype)
        """
    path = write(source)
    done = fix("program.py")
    now = path.read_text()
    assert "self.sin_term = " in now
    assert "self.cos_term = " in now
    assert "became 1024" in done.stdout
    assert ".to(x.dtype)" in now


def test_what_a_loop_begins_with_has_its_dtype_from_a_variable(fix, write):
    pytest.importorskip("jax")
    source = """\
        import jax
        import jax.numpy as jnp

        jax.config.update("jax_enable_x64", True)
        float_type = jnp.float32


        def sampled(key):
            def step(_, x):
                d = jax.random.normal(key, (2,))
                return jnp.clip(x + jax.random.uniform(key) * d / jnp.linalg.norm(d), 0.0, 1.0)

            return jax.lax.fori_loop(0, 3, step, jnp.full((2,), 0.55, float_type))


        print(sampled(jax.random.PRNGKey(0)).dtype)
        """
    path = write(source)
    fix("program.py")
    assert path.read_text() == dedent(source).replace("jnp.float32", "jnp.float64")


def test_jax_gets_the_64_bits_that_are_asked_for(fix, write):
    pytest.importorskip("jax")
    source = """\
        import jax.numpy as jnp

        x = jnp.array([1e8, 1.0, -1e8])
        print(jnp.sum(x, dtype=jnp.float64))
        """
    path = write(source)
    fix("program.py")
    typed = 'import jax.numpy as jnp\nimport jax\njax.config.update("jax_enable_x64", True)\n'
    assert path.read_text() == dedent(source).replace("import jax.numpy as jnp\n", typed)


def test_what_needs_more_digits_than_half_precision_is_not_rounded_again(fix, write):
    pytest.importorskip("torch")
    source = """\
        import torch


        def moment(g, t, decay):
            return (1 - decay) * g**2 + decay * t


        value = torch.ones(4, dtype=torch.bfloat16)
        for x in torch.zeros(50, 4, dtype=torch.bfloat16):
            value = moment(x, value, 0.999)
        print(value)
        """
    path = write(source)
    assert "it rounds again what is computed in more digits now" in fix("program.py").stdout
    typed = "decay * t.to(torch.float32)"
    assert path.read_text() == dedent(source).replace("decay * t", typed)


def test_a_program_that_stops_for_another_reason_is_not_the_same(fix, write):
    source = """\
        import numpy as np

        rng = np.random.default_rng(0)
        near, far = rng.normal(size=(5, 3)), np.ones(3, np.float32)
        total = near * far
        raise ValueError(f"{total.shape} is not what is wanted")
        """
    path = write(source)
    done = fix("program.py")
    assert "rng.astype" not in path.read_text()
    assert "AttributeError" not in done.stdout


def test_a_number_of_bytes_below_zero_is_a_wrong_result(fix, write):
    write(
        "import numpy as np\n\nrows, columns = np.array([52000, 61000], np.int32)\n"
        "print(int(rows * columns * 8), 'bytes')\n"
    )
    assert "became 25376000000" in fix("program.py").stdout


def test_floats_that_hold_bytes_may_become_integers_and_smaller(fix, write):
    write(
        """\
        import numpy as np

        def binned(images):
            masks = np.zeros((40, 200, 200))
            for n, image in enumerate(images):
                masks[n] = np.digitize(image, [0.25, 0.5, 0.75])
            return masks

        masks = binned(np.linspace(0, 1, 8_000).reshape(40, 1, 200))
        print("held MB", (masks.nbytes + 40_000) / 1e6, "of", masks.dtype)
        print((masks == 3).sum())
        """
    )
    assert fix("program.py").returncode == 0
    assert "np.zeros((40, 200, 200), dtype=np.uint8)" in Path("program.py").read_text()


def test_what_comes_of_values_that_are_right_now_needs_no_change(fix, write):
    source = """\
        import numpy as np

        image = np.full((32, 32), 4, np.uint8)
        noise = np.random.default_rng(0).normal(0, 25, image.shape).astype(np.uint8)
        one = np.clip(image + noise, 0, 255)
        other = np.clip(image + noise, 0, 200)
        print(one.mean(), other.mean())
        """
    path = write(source)
    done = fix("program.py")
    assert path.read_text() == dedent(source).replace("astype(np.uint8)", "astype(np.int16)")
    assert "1 fix in 1 file" in done.stdout


def test_the_next_operation_may_stop_in_the_same_words(fix, write):
    path = write(
        "import numpy as np\nraw = np.array([1, 0, 1], np.uint8)\n"
        "print(raw[0] * 256 + raw[2] + 7)\n"
    )
    done = fix("program.py")
    assert path.read_text().splitlines()[-1] == "print(int(raw[0]) * 256 + int(raw[2]) + 7)"
    assert done.returncode == 0, done.stdout


SHIFTED = """\
    import numpy as np

    x = np.linspace(0, 100, 512, dtype=np.float32)
    y = x + np.linspace(0, 1, 512)
    np.save("squares.npy", (y - np.round(y, 3)) ** 2)
    print("saved")
    """
SMOOTH = """\
    import pathlib
    import numpy as np

    x = np.linspace(0, 100, 512, dtype=np.float32) * np.hanning(512)
    np.savetxt("smooth.csv", x)
    pathlib.Path("smooth.bin").write_bytes(x.tobytes() + bytes([255]))
    """


def test_files_that_a_program_writes_are_compared_and_left_as_they_were(fix, write, tmp_path):
    path = write(SHIFTED)
    done = fix("program.py")
    assert "changes the results: squares.npy[" in done.stdout
    assert path.read_text() == dedent(SHIFTED)
    assert np.load(tmp_path / "squares.npy").dtype == np.float64  # not that of a trial


def test_files_elsewhere_are_compared_too(fix, write, tmp_path_factory):
    place = tmp_path_factory.mktemp("elsewhere") / "squares.npy"
    path = write(SHIFTED.replace('"squares.npy"', repr(str(place))))
    done = fix("program.py")
    assert f"changes the results: {place}[" in done.stdout
    assert path.read_text() == dedent(SHIFTED).replace('"squares.npy"', repr(str(place)))
    assert np.load(place).dtype == np.float64


def test_files_that_nobody_can_compare_are_named(fix, write, tmp_path):
    write(SMOOTH)
    done = fix("program.py")
    assert "Files that were compared, too: smooth.csv." in done.stdout
    assert "Files that were not compared: smooth.bin." in done.stdout
    assert (tmp_path / "smooth.bin").stat().st_size == 512 * 4 + 1
    assert "prints nothing" not in done.stdout


def test_what_is_changed_in_place_is_not_cast_there(fix, write, tmp_path):
    pytest.importorskip("torch")
    path = write(
        """\
        import torch

        mean, step = torch.ones(8, dtype=torch.bfloat16), torch.full((8,), 1e-3).bfloat16()
        for _ in range(300):
            mean.sub_(step)
        print(mean)
        """
    )
    fix("-f", "json", "-o", "found.json", "--samples", "rows.json", path, command="audit")
    (finding,) = json.loads((tmp_path / "found.json").read_text())["findings"]
    tried = [(c["text"], c["suggestion"]) for c in finding["candidates"]]
    assert tried == [("step", "step.to(torch.float32)")]


def test_what_could_not_be_compared_is_said(fix, write):
    drawn = "f = np.random.default_rng().random(8, dtype=np.float32)"
    silent = WIDE.replace("print(out.sum(), out.dtype)", "total = out.sum()")
    path = write(silent.replace("f = np.linspace(1, 2, 8, dtype=np.float32)", drawn))
    found = fix(path)
    assert "the program prints nothing" in found.stdout
    assert "agree" not in found.stdout


def test_an_import_that_is_lacking_is_added(fix, write):
    pytest.importorskip("torch")
    source = "'''A program.'''\nones = __import__('torch').ones\n"
    source += "print((ones(8) * ones(8).double()).tolist())\n"
    path = write(source)
    done = fix("program.py")
    assert done.returncode == 0, done.stdout
    assert ", with import torch" in done.stdout
    wanted = source.replace("A program.'''\n", "A program.'''\n\nimport torch\n")
    assert path.read_text() == wanted.replace("double()", "double().to(torch.float32)")


def test_several_files_of_a_package_are_fixed(fix, write):
    write("", "pack/__init__.py")
    inner = write("import numpy as np\n\ndef window(n):\n    return np.hanning(n)\n", "pack/w.py")
    main = write(
        "import numpy as np\nfrom .w import window\n\nf = np.ones(8, 'f4')\n"
        "print((f * window(8)).sum(), (f * np.linspace(0, 1, 8)).sum())\n",
        "pack/__main__.py",
    )
    done = fix("-m", "pack")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "in 2 files" in done.stdout
    assert "astype" in inner.read_text()
    assert "dtype=" in main.read_text()


def test_a_stop_behind_another_is_mended_too(fix, write):
    path = write(
        "import numpy as np\n"
        "x = np.arange(3)\nx += 0.5\nk = np.arange(5.0)\nprint(x[k[1]])\nk[1] = 'one'\n"
    )
    done = fix("program.py")
    assert "undone" not in done.stdout
    assert path.read_text().splitlines()[1:5:3] == [
        "x = np.arange(3, dtype=np.float64)",
        "print(x[int(k[1])])",
    ]
    [said] = [line for line in done.stdout.splitlines() if line.startswith("  the program ends")]
    assert "UFuncOutputCastingError" in said.partition(", and now it ends")[0]
    assert "ValueError: could not convert string" in said.partition(", and now it ends")[2]


@pytest.mark.parametrize("between", ["; ", "\n"])
def test_stops_of_operations_in_place_are_mended_one_after_the_other(fix, write, between):
    path = write(
        "import numpy as np\na = np.zeros(3, np.int64); b = np.zeros(3, np.int64)\n"
        f"a += 0.5{between}b -= 1.5\nprint(a, b)\n"
    )
    done = fix("program.py")
    assert "undone" not in done.stdout
    made = path.read_text().splitlines()[1]
    assert made == "a = np.zeros(3, np.float64); b = np.zeros(3, np.float64)"


def test_a_program_without_a_seed_that_stops_stays_as_it_is(fix, write):
    path = write(
        "import numpy as np\n"
        "x = np.arange(3)\nx += 0.5\nprint(x * np.random.default_rng().random())\n"
    )
    before = path.read_text()
    assert "the program gives other results each time" in refused(fix, "program.py")
    assert path.read_text() == before


def test_stale_compiled_code_is_not_run(fix, write, tmp_path):
    """A change of the same size, made within a second, is seen all the same."""
    module = write("import numpy as np\n\ndef ones():\n    return np.ones(8, 'float64')\n", "m.py")
    write("import numpy as np\nimport m\nprint((np.ones(8, 'float32') * m.ones()).sum())\n")
    size = module.stat().st_size
    env = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path / "cache")}
    done = fix("program.py", env=env)
    assert done.returncode == 0, done.stdout
    assert "'float32'" in module.read_text()
    assert module.stat().st_size == size


def test_a_link_is_followed(fix, write, tmp_path):
    path = write(WIDE, "real/program.py")
    (tmp_path / "link.py").symlink_to(path)
    done = fix("link.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "link.py").is_symlink()
    assert path.read_text() == FIXED


def refused(fix, *words, **given):
    """Return what a refusal says, a line each."""
    done = fix(*words, **given)
    assert done.returncode == 2, done.stdout
    assert done.stdout == ""
    return done.stderr


def test_files_that_must_not_be_changed_are_refused_before_anything_is_written(
    fix, write, tmp_path, golden
):
    main = write(f"import outer, another\n{WIDE}", "here/program.py")
    others = [write(WIDE, f"lib/{name}.py") for name in ("outer", "another")]
    words = ["--include", "outer", "--include", "another", "program.py"]
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path / "lib"), os.environ.get("PYTHONPATH", "")])}
    golden(refused(fix, *words, cwd=tmp_path / "here", env=env))
    assert [path.read_text() for path in others] == [WIDE, WIDE]
    assert main.read_text() == f"import outer, another\n{WIDE}"
    path = write(WIDE)
    path.chmod(0o444)
    golden(refused(fix, "program.py"))
    assert path.read_text() == WIDE


# Programs that are refused after a run: what is said may end in what the run printed.
REFUSED = {
    "it changes itself": "WIDE\nopen(__file__, 'a').write('# more\\n')\n",
    "it gives other results each time": "WIDE\nimport os\nprint(0.5 + os.urandom(1)[0])\n",
    "it changes files that it reads": (
        "WIDE\nimport os\nn = os.path.exists('n') and int(open('n').read())\n"
        "open('n', 'w').write(str(n + 1))\nprint('run', int(n))\n"
    ),
    "it reads its input": WIDE.replace("np.hanning(8)", "np.hanning(int(input()))"),
    "it needs arguments": (
        "import argparse\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('n', type=int)\nn = parser.parse_args().n\n"
        + WIDE.replace("hanning(8)", "hanning(n)")
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_program_that_cannot_be_checked_is_refused(fix, write, golden, name):
    path = write(REFUSED[name].replace("WIDE\n", WIDE))
    before = path.read_text()
    golden(re.sub(r"\d+\.5\b", "N.5", refused(fix, "program.py")))
    assert path.read_text().startswith(before)


def git(folder, *words):
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_outside_of_git_the_file_as_it_was_is_kept_and_said(fix, write, tmp_path):
    path = write(WIDE)
    done = fix("program.py")
    assert path.read_text() == FIXED
    assert (tmp_path / "program.py.orig").read_text() == WIDE
    kept = "The file as it was is kept in program.py.orig, since git does not have it."
    assert kept in done.stdout.splitlines()
    write(f"# other\n{WIDE}")  # what another fix has kept is not written over
    assert "is kept in program.py.orig.2, since" in fix("program.py").stdout
    assert (tmp_path / "program.py.orig").read_text() == WIDE
    assert (tmp_path / "program.py.orig.2").read_text() == f"# other\n{WIDE}"


def test_files_that_are_not_changed_in_the_end_are_not_kept(fix, write, tmp_path):
    path = write(CHECKED_WIDTH)
    assert "undone: " in fix("program.py").stdout
    assert path.read_text() == CHECKED_WIDTH
    write(FIXED)
    assert "kept" not in fix("program.py").stdout
    assert "--- a/program.py" in fix("--diff", write(WIDE).name).stdout
    assert list(tmp_path.glob("*.orig*")) == []


def test_several_files_are_kept_and_those_that_are_put_back_are_not(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = Files([tmp_path])
    places = [tmp_path / name for name in ("a.py", "b.py", "c.py")]
    for place in places:
        place.write_bytes(b"old\n")
        files.source(str(place))
    files.write(dict.fromkeys(places, b"new\n"))
    files.write({places[2]: b"newer\n"})
    files.write({places[1]: b"old\n"})
    assert sorted(p.name for p in tmp_path.glob("*.orig")) == ["a.py.orig", "c.py.orig"]
    assert {p.read_bytes() for p in tmp_path.glob("*.orig")} == {b"old\n"}
    assert files.kept == (
        "The files as they were are kept in a.py.orig and c.py.orig, since git does not have them."
    )


CHECKED_WIDTH = WIDE + "assert out.dtype == np.float64\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_uncommitted_files_need_force(fix, write, tmp_path, golden):
    path = write(WIDE)
    git(tmp_path, "init", "-q")
    golden(refused(fix, "program.py"))
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    path.write_text(WIDE + "# more\n")
    golden(refused(fix, "program.py"))
    assert path.read_text() == WIDE + "# more\n"
    assert "program.py" in fix("--diff", "program.py").stdout
    assert fix("--force", "program.py").returncode == 0
    assert path.read_text() == FIXED + "# more\n"
    git(tmp_path, "commit", "-qam", "two")
    path.write_text(WIDE)
    git(tmp_path, "commit", "-qam", "three")
    assert "kept" not in fix("program.py").stdout
    assert path.read_text() == FIXED
    assert list(tmp_path.glob("*.orig*")) == []


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_the_patch_of_what_cannot_be_checked_applies(fix, write, tmp_path):
    path = write(WIDE + "import time\nprint(f'{time.perf_counter_ns()} ns')\n")
    (tmp_path / "patch").write_text(fix("--diff", "program.py").stdout)
    git(tmp_path, "apply", "patch")
    assert path.read_text().startswith(FIXED)


def test_a_program_gets_its_input_and_its_arguments(fix, write):
    read = WIDE.replace("np.hanning(8)", "np.hanning(int(input()))")
    with write("8\n", "input").open(encoding="utf-8") as file:
        for given in ({"stdin": file}, {"input": "8\n"}):
            path = write(read)
            assert fix("program.py", **given).returncode == 0
            assert "astype" in path.read_text()
    path = write(REFUSED["it needs arguments"])
    assert fix("program.py", "8").returncode == 0
    assert "astype" in path.read_text()


@pytest.mark.parametrize(
    "words",
    ["none.py", "--within 2 program.py", "--compare . program.py", "--kinds wide program.py",
     "--compare x.npy program.py"],
)  # fmt: skip
def test_bad_input_is_one_clear_line(fix, write, words, golden):
    path = write(WIDE)
    golden(refused(fix, *words.split()))
    assert path.read_text() == WIDE


def test_options_after_a_program_that_reads_none_change_nothing(fix, write):
    path = write(WIDE)
    for option in ("--diff", "--dry-run"):
        assert f"{option} stands after the program" in refused(fix, "program.py", option)
    assert path.read_text() == WIDE
    whole = f"def main(args=()):\n    print(max(args, default=1))\n\n\n{WIDE}\nmain()\n"
    path = write(whole)  # which says main() and args, and reads no options
    assert "--dry-run stands after the program" in refused(fix, "program.py", "--dry-run")
    assert path.read_text() == whole
    write(WIDE, "pack/__main__.py")
    assert "--diff stands after" in refused(fix, "-m", "pack", "--diff")
    path = write(f"import sys\nassert '--diff' in sys.argv\n{WIDE}")
    assert fix("program.py", "--diff").returncode == 0
    path = write(WIDE)
    assert fix("program.py", "--", "--diff").returncode == 0


def test_files_that_the_program_writes_are_compared(fix, write, golden):
    source = WIDE + "np.save('out.npy', {})\nprint('saved')\n"
    path = write(source.format("out"))
    assert fix("--compare", "out.npy", "program.py").returncode == 0
    assert path.read_text().startswith(FIXED)
    path = write(source.format("np.float64(1) if out.dtype == 'f8' else np.float64(2)"))
    done = fix("--compare", "out.npy", "program.py")
    assert done.returncode == 1
    golden(said(done))
    assert path.read_text().startswith(WIDE)


def interrupted(folder, when, number):
    """Run a fix that gets a signal when a text is in the program; returns what it says."""
    process = subprocess.Popen(
        [sys.executable, "-m", "supremum", "fix", "program.py"],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip
    end = time.monotonic() + 60
    while time.monotonic() < end and not when():
        time.sleep(0.01)
    time.sleep(0.3)
    process.send_signal(number)
    _, message = process.communicate(timeout=60)
    return process.returncode, message


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupt_leaves_whole_files(write, tmp_path, number):
    slow = WIDE + "import time\ntime.sleep(2)\n"
    path = write(slow)
    code, message = interrupted(tmp_path, lambda: "astype" in path.read_text(), number)
    assert leftovers(tmp_path) == []
    if number == signal.SIGKILL:  # nothing can be put back, and nothing is cut
        assert path.read_text() == slow.replace(WIDE, FIXED)
        return
    assert path.read_text() == slow
    assert code == (130 if number == signal.SIGINT else 143)
    assert message == "supremum: interrupted: the files are as they were\n"


def test_a_file_is_never_half_written(write, monkeypatch):
    path = write(WIDE)
    files = Files([path.parent], force=False)
    files.source(str(path))
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(OSError, match="No space left"):
        files.write({path: b"x" * 100})
    assert path.read_text() == WIDE
    assert [p.name for p in path.parent.iterdir()] == ["program.py"]


def test_a_function_and_its_result(write, tmp_path, monkeypatch):
    path = write(
        """\
        import numpy as np

        def smooth(x, by=3):
            return x * np.hanning(len(x)), {"by": by, "mean": x.mean()}
        """,
        "smoothing.py",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import smoothing

    found = audit.fix(smoothing.smooth, [np.ones(8, np.float32)])
    assert [(c.line, c.text) for c in found.applied] == [(4, "np.hanning(len(x))")]
    assert found.is_clean
    assert "astype(np.float32" in path.read_text()
    assert found.before.results["float64"] > found.after.results.get("float64", 0)


@pytest.mark.parametrize(
    ("what", "more"),
    [
        (lambda: None, {}),
        (len, {}),
        (leftovers, [lambda: None]),
        ("program.py", {"fail_on": "all"}),
    ],
    ids=["a lambda", "a builtin", "an argument", "an option"],
)
def test_what_cannot_be_found_again_is_refused(what, more, golden):
    words, named = ([], more) if isinstance(more, dict) else ([more], {})
    with pytest.raises((RulesError, audit.FixError)) as caught:
        audit.fix(what, *words, **named)
    golden(str(caught.value).partition(": ")[0])


def test_the_report_says_where_a_cause_ends(command, write):
    write("import numpy as np\nö = np.ones(8, 'f4') * np.linspace(\n    0, 1, 8)  # 变\n")
    [finding] = json.loads(command("-f", "json", "program.py").stdout)["findings"]
    places = [finding[name] for name in ("line", "column", "end_line", "end_column")]
    assert places == [2, 24, 3, 13]


def test_a_program_that_stops_at_the_next_operation_is_not_called_mended(fix, write):
    write(
        "import numpy as np\n\ndef number(text):\n    return np.int32(int(text, 16))\n\n"
        'table = np.zeros(2, dtype=[("id", np.int32)])\n'
        'for i, text in enumerate(["1a", "cb4d472d"]):\n    table["id"][i] = number(text)\n'
    )
    done = fix("program.py")
    assert "1 fix in 1 file" in done.stdout
    assert "The program still ends with exit status 1 (OverflowError: " in done.stdout


def test_what_a_program_printed_before_it_stopped_stays(fix, write):
    source = """\
        import numpy as np

        boxes = np.array([[0.2, 0.7], [0.8, 0.5]])
        for found in ([True, False], []):
            mask = np.array([one for one in found])
            print("matched:", len(boxes[mask]), boxes[mask][:1].tolist())
        """
    path = write(source)
    done = fix("program.py")
    assert path.read_text() == dedent(source)
    assert "it changes what was printed before the program stopped: line 1" in done.stdout
