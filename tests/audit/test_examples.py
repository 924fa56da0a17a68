"""The examples: what the audit says of them is what was mended in them."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]

# For each program: the lines to mend, those that cost most first, and what to type there.
MENDS = {
    "image_filter.py": [
        (
            "offsets = np.arange(-self.radius, self.radius + 1) / sigma",
            "np.arange(-self.radius, self.radius + 1, dtype=np.float32) / sigma",
        ),
        ("smooth = np.zeros(image.shape)", "np.zeros(image.shape, dtype=np.float32)"),
        ("across = np.linspace(-1, 1, size)", "np.linspace(-1, 1, size, dtype=np.float32)"),
        (
            "return np.median(steps) / (0.6745 * np.sqrt(2.0))",
            "np.float32(np.sqrt(2.0))",
        ),
    ],
    "adam.py": [
        ("self.one_hot = np.eye(CLASSES)", "np.eye(CLASSES, dtype=np.float32)"),
        (
            "unbias, unbias_square = (1 - np.power(beta, self.steps) for beta in self.betas)",
            "np.float32(np.power(beta, self.steps))",
        ),
        (
            "yield rate * (1 + np.cos(np.pi * step / steps)) / 2",
            "np.float32(np.cos(np.pi * step / steps))",
        ),
        (
            "waves = np.linspace(1, frequencies, frequencies)",
            "np.linspace(1, frequencies, frequencies, dtype=np.float32)",
        ),
    ],
    "spectrum.py": [
        (
            "self.window = np.hanning(segment)",
            "np.hanning(segment).astype(np.float32, copy=False)",
        ),
        (
            "return (counts.astype(np.float32) - counts.mean()) * (FULL_SCALE / 32767)",
            "counts.mean().astype(np.float32)",
        ),
        (
            "self.gain = np.interp(hertz, SENSOR_HERTZ, SENSOR_GAIN)",
            "np.interp(hertz, SENSOR_HERTZ, SENSOR_GAIN).astype(np.float32, copy=False)",
        ),
    ],
}

each_program = pytest.mark.parametrize("name", MENDS)


def python(*arguments):
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@cache
def plain(path):
    return python(path)


@cache
def audited(path, *options):
    return python("-m", "supremum", "audit", "--format", "json", *options, path)


def report_of(path):
    return json.loads(audited(path).stdout)


def lines_of(path):
    return (ROOT / path).read_text("utf-8").splitlines()


def with_suggestions(path):
    """Return the lines of a program with each cause replaced by what the report suggests."""
    lines = lines_of(path)
    for finding in report_of(path)["findings"]:
        at, start = finding["line"] - 1, finding["column"] - 1
        before, cause = lines[at][:start], finding["cause"]["text"]
        assert lines[at][start:].startswith(cause)
        lines[at] = before + finding["suggestion"] + lines[at][start + len(cause) :]
    return lines


def numbers(text):
    return [float(number) for number in re.findall(r"\d+\.\d+|\d+", text)]


@each_program
def test_findings_are_the_lines_to_mend(name):
    path = f"examples/{name}"
    lines = lines_of(path)
    findings = report_of(path)["findings"]
    assert MENDS[name] == [(lines[f["line"] - 1].strip(), f["suggestion"]) for f in findings]
    assert {f["kind"] for f in findings} == {"widening"}
    assert {f["cause"]["dtype"] for f in findings} == {"float64"}
    assert not any(f["cause"]["elsewhere"] for f in findings)


@each_program
def test_lines_that_were_mended_are_the_lines_found(name):
    before, after = lines_of(f"examples/{name}"), lines_of(f"examples/mended/{name}")
    differ = {i for i, pair in enumerate(zip(before, after, strict=True), 1) if len({*pair}) == 2}
    assert differ == {f["line"] for f in report_of(f"examples/{name}")["findings"]}


@each_program
def test_typing_the_suggestions_gives_the_mended_program(name):
    assert with_suggestions(f"examples/{name}") == lines_of(f"examples/mended/{name}")


@each_program
def test_nothing_is_found_in_the_mended_program(name):
    result = audited(f"examples/mended/{name}", "--kinds", "all", "--fail-on", "all")
    report = json.loads(result.stdout)
    assert report["findings"] == []
    assert report["problems"] == report["unwatched"] == []
    assert report["operations"] > 1000
    assert result.returncode == 0


@each_program
def test_mended_program_prints_the_same_to_float32_accuracy(name):
    before, after = plain(f"examples/{name}").stdout, plain(f"examples/mended/{name}").stdout
    assert len(numbers(before)) > 10
    assert numbers(after) == pytest.approx(numbers(before), rel=2e-3)
    assert re.sub(r"[\d.]+", "", after) == re.sub(r"[\d.]+", "", before)


@each_program
@pytest.mark.parametrize("folder", ["examples", "examples/mended"])
def test_audit_changes_nothing_in_what_a_program_prints(folder, name):
    path = f"{folder}/{name}"
    assert plain(path).stderr == ""
    assert audited(path).stderr == plain(path).stdout != ""  # the report has standard output
    assert audited(path).returncode == plain(path).returncode == 0


@each_program
def test_audit_fails_on_what_it_is_told_to(name):
    path = f"examples/{name}"
    failed = audited(path, "--fail-on", "widening")
    assert (failed.returncode, failed.stderr) == (3, plain(path).stdout)
    assert audited(path, "--fail-on", "value-changed").returncode == 0


def allocated(path):
    result = python(ROOT / "tests/audit/allocated.py", path)
    assert result.returncode == 0, result.stderr
    return int(result.stderr)


on_posix = pytest.mark.skipif(sys.platform == "win32", reason="the C library is found otherwise")


@on_posix
def test_allocations_are_counted_to_the_byte(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\n"
        "kept = np.zeros(500, np.float32)\n"
        "for _ in range(10):\n    np.empty((10, 10))\n"
        "np.negative(kept[::5])\n"
        "print('done')\n",
        "utf-8",
    )
    assert allocated(script) == 500 * 4 + 10 * 100 * 8 + 100 * 4


@on_posix
@each_program
def test_extra_bytes_are_those_that_were_allocated(name):
    """The bytes of the report agree with what NumPy asked its allocator for.

    `allocated.py` counts every byte that NumPy allocates for arrays, by replacing NumPy's
    allocator: it sees neither dtypes nor the audit. What the original takes more than the mended
    program is what float64 cost. The programs' arrays are below 256 KiB, from where NumPy computes
    some results in the memory of a temporary operand, which no report on results can know.
    """
    extra = allocated(f"examples/{name}") - allocated(f"examples/mended/{name}")
    told = sum(finding["bytes"] for finding in report_of(f"examples/{name}")["findings"])
    assert extra > 1_000_000
    assert told == pytest.approx(extra, rel=0.1)
