"""What an audit costs: the time of programs with it over their time without, in one process.

Programs run in a function and, where newcomers write them, at the top of a script: each round plain
and watched, one after the other. A ratio is that of the shortest times, as others who use the
machine make them longer only. Imports and the start of an empty program are measured in processes
of their own: imports as the time of the statement alone, for networkx if it is installed, else for
modules that are made up. The last row says what memory is used over ten million operations, early
and late. It never fails. With ``--loops`` it measures programs alone.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import textwrap
import time
import tracemalloc
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from supremum.audit.log import hooks
from supremum.audit.options import Options
from supremum.audit.probes import import_hook

ROUNDS = 15
LEAST = 0.5  # seconds, in which a short program runs more often

IMAGE = """
import numpy as np

def blur(image, taps):
    window = np.hanning(taps)
    window = (window / window.sum()).astype(np.float32)
    padded = np.pad(image, taps // 2, mode="edge")
    rows, columns = image.shape
    out = np.zeros_like(image)
    for i in range(taps):
        out += window[i] * padded[i : i + rows, taps // 2 : taps // 2 + columns]
    return out

image = np.random.default_rng(0).random((512, 512), dtype=np.float32)

def main():
    for _ in range(5):
        sharp = image + 0.5 * (image - blur(image, 9))
    return sharp
"""

ADAM = """
import numpy as np

rng = np.random.default_rng(0)
x = rng.standard_normal((256, 512), dtype=np.float32)
target = rng.standard_normal((256, 64))

def main():
    weights = np.zeros((512, 64), np.float32)
    m, v = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, 20):
        error = x @ weights - target
        gradient = x.T @ error / len(x)
        m = 0.9 * m + 0.1 * gradient
        v = 0.999 * v + 0.001 * gradient**2
        weights = weights - 0.01 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return weights
"""

SPECTRUM = """
import numpy as np

signal = np.random.default_rng(0).standard_normal(1 << 20, dtype=np.float32)

def main():
    window = np.hanning(16384)
    power = np.zeros(8193)
    for start in range(0, len(signal) - 16384, 8192):
        segment = signal[start : start + 16384]
        segment = (segment - segment.mean()) * window
        power += np.abs(np.fft.rfft(segment)) ** 2
    return 10 * np.log10(power)
"""

NUMBERS = """
values = [0.5 * i for i in range(2_000)]

def main():
    total = 0.0
    for i, value in enumerate(values):
        scaled = value * 1.5 + i
        if scaled > 100.0:
            total += scaled / 3 - values[i]
    return total
"""

SCALARS = """
import numpy as np

values = np.arange(2_000, dtype=np.float32)
weights = np.linspace(0, 1, 2_000)

def main():
    total = np.float32(0)
    for i in range(len(values)):
        total = total + values[i] * weights[i]
    return total
"""

STORES = """
import numpy as np

values = np.arange(2_000, dtype=np.float32)
out = np.zeros(2_000, np.float32)

def main():
    for i in range(len(values)):
        out[i] = values[i] * 2 + out[i - 1] / 4
    return out
"""

SMALL = """
import numpy as np

one, other = np.ones(1000, np.float32), np.ones(1000, np.float32)

def main():
    for _ in range(200):
        both = one * other + one
        steps = np.abs(both[1:] - both[:-1])
    return steps
"""

FUNCTIONS = """
def area(width, height):
    return width * height - width

def main():
    total = 0
    for i in range(2_000):
        total = total + area(i, 3)
    return total
"""

PROGRAMS = [
    ("array calls: image filter", IMAGE, 1.1),
    ("array calls: Adam", ADAM, 1.1),
    ("array calls: spectrum", SPECTRUM, 1.1),
    ("arrays of 1,000 elements", SMALL, 2.5),
    ("a loop over NumPy's scalars", SCALARS, 3.5),
    ("the same, with item stores", STORES, 3.5),
    ("a loop over Python's numbers", NUMBERS, 2),
    ("functions of Python's integers", FUNCTIONS, 2),
]
AT_TOP = [
    ("arrays of 1,000 elements", SMALL, 2.5),
    ("a loop over NumPy's scalars", SCALARS, 4),
    ("the same, with item stores", STORES, 4),
    ("a loop over Python's numbers", NUMBERS, 2),
    ("functions of Python's integers", FUNCTIONS, 2),
]


def functions(source: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return `main` of a program, as it is and watched."""
    plain: dict[str, Any] = {}
    watched: dict[str, Any] = {}
    exec(compile(source, "<program>", "exec"), plain)  # noqa: S102  # running programs is the task
    exec(import_hook.compiled(source, "<program>"), watched)  # noqa: S102  # the same
    return plain["main"], watched["main"]


def at_top(source: str) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return what runs the body of `main` at the top of a script, as it is and watched."""
    head, body = source.split("def main():\n")
    body = textwrap.dedent(body).rpartition("return")[0]
    makers: list[Callable[[str, str], Any]] = [
        lambda text, file: compile(text, file, "exec"),
        import_hook.compiled,
    ]
    found = []
    for make in makers:
        names: dict[str, Any] = {}
        exec(make(head, "<head>"), names)  # noqa: S102  # the same
        found.append(partial(exec, make(body, "<body>"), names))
    return found[0], found[1]


def seconds(function: Callable[[], Any]) -> float:
    """Return the time that a call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def ratio(plain: Callable[[], Any], watched: Callable[[], Any]) -> float:
    """Return the time of a program with an audit over its time without."""
    alone, audited = [], []
    while len(alone) < ROUNDS or sum(alone) < LEAST:
        before = hooks.activate(None)
        alone.append(seconds(plain))
        hooks.activate(before)
        audited.append(seconds(watched))
    return min(audited) / min(alone)  # what else the machine does makes either longer only


def run(folder: Path, *words: str) -> tuple[float, str]:
    """Return the time that a Python process takes, and what it prints."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    start = time.perf_counter()
    ended = subprocess.run(  # noqa: S603  # our own programs
        [sys.executable, *words], cwd=folder, env=environment, capture_output=True, check=True
    )
    return time.perf_counter() - start, ended.stdout.decode()


def large_package(folder: Path) -> str:
    """Put a large package into a folder, with no compiled code; returns its name."""
    spec = find_spec("networkx")
    if spec is not None and spec.origin is not None:
        code = shutil.ignore_patterns("__pycache__", "tests")
        shutil.copytree(Path(spec.origin).parent, folder / "networkx", ignore=code)
        return "networkx"
    package = folder / "large"
    package.mkdir()
    names = [f"part{n}" for n in range(20)]
    (package / "__init__.py").write_text("".join(f"from . import {name}\n" for name in names))
    functions = "\n\n".join(IMAGE.replace("blur", f"blur{n}") for n in range(11))
    for name in names:
        (package / f"{name}.py").write_text(f"def unused():\n{_indented(functions)}\n")
    return "large"


def _indented(source: str) -> str:
    return "".join(f"    {line}\n" for line in source.splitlines())


def imports() -> tuple[float, float]:
    """Return the time to import a large package that is looked inside over that without an audit.

    The first number is for the first time, the second for the times after.
    """
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        name = large_package(folder)
        (folder / "program.py").write_text(
            "import time\nstart = time.perf_counter()\n"
            f"import {name}\nprint(time.perf_counter() - start)\n"
        )
        audit = ("-m", "supremum", "audit", "--include", name, "program.py")
        first = float(run(folder, *audit)[1])
        run(folder, "program.py")
        alone, again = [], []
        for _ in range(ROUNDS):
            alone.append(float(run(folder, "program.py")[1]))
            again.append(float(run(folder, *audit)[1]))
    ratios = [after / before for before, after in zip(alone, again, strict=True)]
    return first / statistics.median(alone), statistics.median(ratios)


def start() -> float:
    """Return how many seconds longer an empty program takes with an audit."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "empty.py").write_text("")
        run(folder, "-m", "supremum", "audit", "empty.py")
        audit = ("-m", "supremum", "audit", "empty.py")
        longer = [run(folder, *audit)[0] - run(folder, "empty.py")[0] for _ in range(ROUNDS)]
    return statistics.median(longer)


def compiling() -> float:
    """Return the time to instrument a module over the time to compile it."""
    source = "\n\n".join(source for _, source, _ in PROGRAMS) * 20
    ratios = []
    for _ in range(3):
        alone = seconds(lambda: compile(source, "<plain>", "exec"))
        ratios.append(seconds(lambda: import_hook.compiled(source, "<watched>")) / alone)
    return statistics.median(ratios)


def growth(operations: int) -> tuple[int, int, int]:
    """Return how many operations a session heard of, and the most memory used early and late.

    Early is the first tenth, late the last; memory is in bytes, as `tracemalloc` counts them.
    """
    source = """
import numpy as np
one, array, wide = np.float32(1), np.ones(4, np.float32), np.ones(4)
def main(n):
    for _ in range(n):
        one * 2.5 + one
        array * wide
        -array[1:]
"""
    _, watched = functions(source)
    main: Any = watched
    recorder = Options().recorder()
    before = hooks.activate(recorder)
    tracemalloc.start()
    most = []
    while recorder.log.operations < operations:
        tracemalloc.reset_peak()
        main(operations // 30)
        most.append(tracemalloc.get_traced_memory()[1])
    tracemalloc.stop()
    hooks.activate(before)
    return recorder.log.operations, most[0], most[-1]


def print_row(name: str, found: float, limit: float) -> None:
    """Print a row of the table."""
    check = "ok" if found <= limit else "OVER"
    print(f"{name:<44}{found:>8.2f}{limit:>8}  {check}")


def main() -> None:
    """Print the table."""
    print(f"{'program':<44}{'ratio':>8}{'limit':>8}")
    for where, programs in ((functions, PROGRAMS), (at_top, AT_TOP)):
        for name, source, limit in programs:
            before = hooks.activate(Options().recorder())
            found = ratio(*where(source))
            hooks.activate(before)
            print_row(name if where is functions else f"at the top: {name}", found, limit)
    if "--loops" in sys.argv:
        return
    first, again = imports()
    print(f"{'first import of a large package':<44}{first:>8.2f}")
    print_row("later imports of it", again, 1.3)
    print_row("instrumenting over compiling", compiling(), 8)
    print_row("start of an empty program, seconds", start(), 0.08)
    if "--quick" not in sys.argv:
        operations, early, late = growth(10_000_000)
        print(f"memory over {operations:,} operations: {early:,} bytes early, {late:,} late")


if __name__ == "__main__":
    main()
