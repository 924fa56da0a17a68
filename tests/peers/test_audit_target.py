"""The port preview: what `--target jax` predicts of a NumPy program is what `jax.numpy` gives."""

import subprocess
import sys
from textwrap import dedent

import pytest

from supremum.audit.edits.spelling import takes_dtype

pytest.importorskip("jax")

PROGRAMS = {
    "arithmetic": """
        f32, i32 = np.ones(3, np.float32), np.arange(3, dtype=np.int32)
        i64, u8, f16 = np.arange(3), np.ones(3, np.uint8), np.ones(3, np.float16)
        c64, b = np.ones(3, np.complex64), f32 > 0
        for x in (f32, i32, i64, u8, f16, c64, b):
            for y in (f32, i32, i64, u8, f16, c64, b):
                product = x * y
                total = x + y
                again = product + f32
        for x in (f32, i32, i64, u8, f16):
            for y in (f32, i32, i64, u8, f16):
                ratio = x / (y + 1)
                floor = x // (y + 1)
                rest = x % (y + 1)
                power = x ** 2
                half = x ** 0.5
                larger = np.maximum(x, y)
                chosen = np.where(b, x, y)
                joined = np.concatenate([x, y])
                less = x < y
        for x in (f32, i32, i64, u8, f16, c64):
            up = x + 1
            real = x * 1.5
            wide = x + 1j
            sign = -x
            two = 2 * x - 1
    """,
    "functions": """
        f32, i32 = np.ones(3, np.float32), np.arange(3, dtype=np.int32) + np.int32(1)
        i64, u8, f16 = np.arange(3) + 1, np.ones(3, np.uint8), np.ones(3, np.float16)
        c64, b = np.ones(3, np.complex64), f32 > 0
        for x in (f32, i32, i64, u8, f16):
            root = np.sqrt(x)
            curve = np.exp(x) + np.log(x)
            size = np.abs(x)
            down = np.floor(x)
            total = np.sum(x)
            whole = x.sum() * f32
            product = np.prod(x)
            middle = np.mean(x)
            spread = np.std(x)
            varied = x.var()
            top = x.max() + x
            place = np.argmax(x)
            running = np.cumsum(x)
            shaped = x.reshape(3, 1)
            turned = shaped.T @ shaped
            dotted = np.dot(x, f32)
            outer = np.outer(x, i32)
            first = x[0] + f32
            part = x[1:] * 2
            stacked = np.stack([x, f32])
            ordered = np.sort(x)
            near = np.clip(x, 0, 2)
            steps = np.diff(x)
            padded = np.pad(x, 1)
            norm = np.linalg.norm(x)
            centre = np.median(x)
        size = np.abs(c64)
        real = c64.real + f32
        mixed = c64 * f32
        spread = np.std(c64)
        wave = np.fft.fft(f32)
        half = np.fft.rfft(f32)
        back = np.fft.irfft(half)
    """,
    "creation": """
        zeros, ones = np.zeros(3), np.ones((2, 3))
        counted, ramp = np.arange(5), np.arange(0, 1, 0.25)
        line = np.linspace(0, 1, 5)
        filled, whole = np.full(3, 0.5), np.full(3, 2)
        eye = np.eye(3)
        listed, numbers = np.array([1.0, 2.0]), np.asarray([1, 2])
        single = np.asarray(0.5)
        f32 = np.ones(3, dtype=np.float32)
        one = f32 * zeros
        two = f32 * filled
        three = f32 * single
        four = f32 + counted[:3]
        five = f32 * listed.sum()
        six = f32 * np.sqrt(2.0)
        seven = np.zeros_like(f32) + np.ones_like(counted[:3])
        eight = np.float32(0.5) * counted
        nine = counted.astype(np.float32) / 3
        window = np.hanning(3) * f32
        ratio = counted / 5
        last = f32 + ratio[:3]
    """,
    "more functions": """
        f32, i32 = np.ones(3, np.float32), np.arange(3, dtype=np.int32) + np.int32(1)
        i64, u8, f16 = np.arange(3) + 1, np.ones(3, np.uint8), np.ones(3, np.float16)
        c64, b, f64 = np.ones(3, np.complex64), f32 > 0, np.ones(3)
        for x in (f32, i64, u8, f16):
            for y in (f32, i32, f64):
                longest = np.hypot(x, y) + np.arctan2(x, y) + np.logaddexp(x, y)
                signed = np.copysign(x, y)
                less = np.fmin(x, y)
                dotted = np.vdot(x, y) + np.inner(x, y)
                contracted = np.tensordot(x, y, 1)
                product = np.kron(x, y) + np.einsum("i,j->ij", x, y).ravel()
                crossed = np.cross(x, y)
                smooth = np.convolve(x, y)
                longer = np.append(x, y)
                selected = np.select([b, b], [x, y], 0.5)
                joined = np.hstack([x, y]) + np.column_stack([x, y]).ravel()
                weighed = np.average(x, weights=y)
                found = np.searchsorted(x, y)
                same = np.logical_and(np.equal(x, y), np.less_equal(x, y))
                different = (x != y) & (x >= y)
                ratio = np.divide(x, y) * np.floor_divide(x, y)
                first, second = np.meshgrid(x, y)
            square, less, sign = np.square(x), np.negative(x), np.sign(x)
            whole = np.round(x) + np.ceil(x) + np.trunc(x)
            cube = np.cbrt(x)
            angle = np.deg2rad(x) + np.sinc(x)
            positive = np.fabs(x)
            parts = np.real(x) + np.imag(x) + np.conj(x)
            told = np.isfinite(x) | np.signbit(x) | np.logical_not(x)
            total = np.nansum(x) + np.nanprod(x)
            spread = np.ptp(x) + np.nanmax(x)
            middle = np.percentile(x, 50) + np.quantile(x, 0.5)
            area = np.trapezoid(x)
            trace = np.trace(np.diag(x))
            order = np.argsort(x) + np.count_nonzero(x)
            values, back = np.unique(x, return_inverse=True)
            (places,) = np.where(x)
            twice = np.tile(x, 2) + np.repeat(x, 2)
            full = np.full_like(x, 2) + np.full(3, x[0])
            line = np.linspace(x[0], 1, 3)
            counted = np.arange(x[0])
            both = np.array([x, f32])
            copied = np.array(x)
            wave = np.fft.ifft(x)
            some = x > 1
            chosen = np.where(some, x, 1.0) + np.where(some, x, 1)
        matrix = np.ones((2, 2), np.float32) + np.eye(2, dtype=np.float32)
        inverse = np.linalg.inv(matrix) @ np.linalg.solve(matrix, f32[:2])
        values, vectors = np.linalg.eigh(matrix)
        left, middle, right = np.linalg.svd(matrix)
        sign, size = np.linalg.slogdet(matrix)
        rank = np.linalg.matrix_rank(matrix)
        counts = np.sum(b) + np.square(b) + np.mean(b)
        shares = np.bincount(np.arange(3))
        places = np.indices((2, 2))
        named = np.full((2,), fill_value=0.5) * f32[:2]
        ones = np.where(b, 1.0, 0.0) * f32
        size = np.abs(np.square(c64)) + c64.imag + np.angle(c64)
        root = np.sqrt(2) * f32
    """,
    "a model": """
        def predict(weights, x):
            hidden = np.tanh(x @ weights["first"] + weights["bias"])
            return hidden @ weights["second"]

        def loss(weights, x, y):
            error = predict(weights, x) - y
            return np.mean(error**2) + 0.1 * np.sum(weights["first"] ** 2)

        weights = {
            "first": np.ones((4, 3), np.float32) * 0.1,
            "bias": np.zeros(3),
            "second": np.linspace(0, 1, 3).reshape(3, 1),
        }
        x = np.ones((5, 4), dtype=np.float32)
        y = np.arange(5)[:, None] / 5
        rate = np.exp(-1.0)
        value = loss(weights, x, y)
        step = rate * value
        moved = weights["first"] - step * np.sqrt(np.float32(2))
        score = (predict(weights, x) > 0.5).sum() / 5
    """,
}

RUN = """
import sys
from supremum import system
from supremum.audit.probes import import_hook
from supremum.audit.log import hooks
from supremum.audit.preview.porting import Preview
from supremum.audit.log.recorder import Recorder
from supremum.audit.model.locations import LOCATIONS
import numpy, jax
x64 = sys.argv[2] == "True"
jax.config.update("jax_enable_x64", x64)
source = open(sys.argv[1]).read()


class Seen(Recorder):
    '''Writes down the dtype of each array that comes out somewhere.'''

    def __init__(self):
        super().__init__()
        self.lines = {}

    def see(self, location, result):
        if hasattr(result, "dtype"):
            self.lines.setdefault(LOCATIONS[location].span, set()).add(str(result.dtype))

    def operated(self, location, result, left, right): self.see(location, result)
    def taken(self, location, result, whole): self.see(location, result)
    def called(self, location, result, base, arguments): self.see(location, result)
    def changed(self, location, result, old, value): self.see(location, result)
    def stored(self, location, index, base, value): pass


recorder = Recorder()
preview = Preview(recorder, system("jax", x64=x64))
recorder.follow(preview)
hooks.activate(recorder)
exec(import_hook.compiled(source, "program"), {"np": numpy})
live = Seen()
hooks.activate(live)
exec(import_hook.compiled(source, "program"), {"np": jax.numpy})
hooks.activate(None)
assert not recorder.log.problems, recorder.log.problems
predicted = {}
for location, pairs in preview.target.lines.items():
    predicted.setdefault(LOCATIONS[location].span, set()).update(would for _, would in pairs)
print("unknown", sorted(preview.target.unknown))
missing = set(live.lines) - set(predicted)
lines = source.splitlines()
told = [(span[0], lines[span[0] - 1].strip(), live.lines[span]) for span in sorted(missing)]
print("missing", told)
both = predicted.keys() & live.lines.keys()
wrong = {s: (predicted[s], live.lines[s]) for s in both if predicted[s] != live.lines[s]}
for span in sorted(wrong):
    print("wrong", span, lines[span[0] - 1].strip(), *wrong[span])
print(len(predicted), "places")
"""


@pytest.mark.parametrize("x64", [True, False])
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_predicted_is_what_jax_gives(tmp_path, name, x64):
    program = tmp_path / "program.py"
    program.write_text(dedent(PROGRAMS[name]), encoding="utf-8")
    run = tmp_path / "run.py"
    run.write_text(RUN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", run, program, str(x64)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    unknown, missing, *wrong, places = done.stdout.splitlines()
    assert wrong == []
    assert missing == "missing []"
    assert unknown == "unknown []"
    assert int(places.split()[0]) > 10


@pytest.mark.parametrize(
    ("module", "name", "takes"),
    [("torch", "cat", False), ("torch", "stack", False), ("torch", "sum", True),
     ("torch", "arange", True), ("numpy", "concatenate", True), ("numpy", "zeros", True)],
)  # fmt: skip
def test_a_dtype_is_typed_where_a_function_takes_one(module, name, takes):
    called = getattr(pytest.importorskip(module), name)
    assert takes_dtype(called, name) is takes


MOVED = """
    import numpy as np
    import torch

    def moved(x):
        tensor = torch.from_numpy(x).to("cpu")
        return tensor.type(torch.float32)

    print(moved(np.sin(np.arange(9.0))).sum().item())
"""


def test_a_cast_before_a_tensor_is_moved_is_tried(tmp_path):
    pytest.importorskip("torch")
    program = tmp_path / "program.py"
    program.write_text(dedent(MOVED), encoding="utf-8")
    command = [sys.executable, "-m", "supremum", "fix", "--target", "mps", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert 'torch.from_numpy(x).to(torch.float32).to("cpu")' in program.read_text()


OVERFLOWING = """
    import torch
    torch.manual_seed(0)
    class Mean(torch.nn.Module):
        def forward(self, x):
            return x - x.sum(dim=1, keepdim=True) / x.shape[1]
    class Power(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("weight", torch.full((8, 2), 0.125))
        def forward(self, x):
            power = x ** 2
            return torch.log(power @ self.weight)
    layer = torch.nn.Linear(4000, 2).half()
    x = torch.full((3, 4000), 20.0).half()
    power = Power().half()(torch.full((2, 8), 300.0).half())
    print(torch.isfinite(layer(Mean()(x))).all(), torch.isfinite(power).all())
"""
"""Sums, and squares, that half precision has no place for, before what takes half precision."""


def fixed(tmp_path, source):
    """Return a program after `supremum fix`, which has to leave no finding."""
    program = tmp_path / "program.py"
    program.write_text(dedent(source), encoding="utf-8")
    command = [sys.executable, "-m", "supremum", "fix", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return program.read_text()


def test_what_leaves_half_precision_is_cast_back_or_what_it_meets_is_cast(tmp_path):
    pytest.importorskip("torch")
    text = fixed(tmp_path, OVERFLOWING)
    mean = "x.sum(dim=1, keepdim=True, dtype=torch.float32) / x.shape[1]"
    assert f"(x - {mean}).half()" in text
    assert "x.to(torch.float32) ** 2" in text
    assert "power @ self.weight.to(power.dtype)" in text


def test_the_rows_of_a_table_keep_integers_as_objects(tmp_path):
    pytest.importorskip("pandas")
    program = """
        import pandas as pd
        table = pd.DataFrame({"id": [369295375619592193, 369295375619592210], "x": [0.5, 1.5]})
        print([int(table.iloc[i]["id"]) for i in range(2)])
    """
    assert 'table.astype(object).iloc[i]["id"]' in fixed(tmp_path, program)


def test_floats_below_integers_become_integers_that_may_lack_values(tmp_path):
    pytest.importorskip("pandas")
    program = """
        import numpy as np
        import pandas as pd
        some = pd.DataFrame({"id": [2**53 + 1, 5]})
        fake = pd.DataFrame({"id": [np.nan]})
        print(pd.concat([some, fake], ignore_index=True).dropna()["id"].astype("int64").tolist())
    """
    assert '[some, fake.astype({"id": "Int64"})]' in fixed(tmp_path, program)


def test_a_buffer_of_integers_that_keeps_nothing_gets_the_dtype_of_what_it_is_for(tmp_path):
    program = """
        import numpy as np
        class Buffer:
            def __init__(self, dtype=np.uint8):
                self.held = np.empty((16, 4), dtype=dtype)
            def add(self, i, seen):
                self.held[i] = seen
        buffer = Buffer()
        for i in range(16):
            buffer.add(i, np.linspace(0.01, 0.04, 4, dtype=np.float32) * i)
        print(buffer.held.mean())
    """
    assert "dtype=np.float32):" in fixed(tmp_path, program)
