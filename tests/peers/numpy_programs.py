"""Lines of programs that public issues tell of, run by the NumPy that runs this, and predicted.

Run as ``python numpy_programs.py TARGET``, it prints as JSON, for each line: what came out here,
what comes out by the rules of the target, and whether the line is a finding.
"""

import json
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

from supremum import audit

# What is set up, and the lines that the issue is about.
PROGRAMS = {
    "pbellino/CNFreader#5": (
        "raw = np.frombuffer(bytes([200, 3, 255, 1]), np.uint8)",
        ("raw[0] + raw[1] * 256", "raw[2] * 256", "int(raw[0]) + int(raw[1]) * 256"),
    ),
    "equinor/seismic-zfp#99": (
        "index = np.array([3, 40_000], np.uint16)",
        ("index[1] * 2", "index[0] * 70_000", "int(index[1]) * np.int64(70_000)"),
    ),
    "SiLab-Bonn/basil#230": (
        "bits = np.array([1, 2], np.uint8)",
        ("bits * 0x0202020202", "bits.astype(np.uint64) * 0x0202020202"),
    ),
    "halide/Halide#8380": ("value = 0x1FF", ("np.uint8(value)", "np.uint8(value & 0xFF)")),
    "numpy/numpy#26761": (
        "image = np.array([-128, 3], np.int8)",
        ("image + 128", "image.astype(np.int16) + 128", "image - 100"),
    ),
    "gwastro/pycbc#4956": (
        "start = np.uint32(5)",
        ("start - 10", "start + 1", "int(start) - np.int64(10)"),
    ),
    "vnegnev/marcos_client#20": (
        "steps = np.array([1, 4], np.uint16)",
        ("steps[0] - 2", "steps - 2", "steps[1] - np.int32(2)"),
    ),
    "icecube/skyllh#239": (
        "edge = np.float32(0.1)",
        ("edge == 0.1", "edge < np.float64(0.1)", "edge + 0.1", "edge >= np.float32(0.1)"),
    ),
    "numpy/numpy#25098": (
        "x, limit = np.float32([0.1, 0.3]), np.float64(0.1)",
        ("x > limit", "x <= 0.1", "x * limit", "np.where(x > 0.2, x, 1e300)"),
    ),
    "numpy/numpy#10322": (
        "x = np.float32(16_777_216)",
        ("x + 1", "x * 3.0", "np.float16(2048) + 1", "np.array(3, np.float32) * 1.5"),
    ),
    "numpy/numpy#28357": (
        "a, offset = np.array([1, 2]), np.uint64(3)",
        ("a + offset", "a // offset", "a + np.int64(offset)", "a & np.uint8(1)"),
    ),
    "QSTheory/fftarray#236": (
        "x = np.linspace(0, 1, 4, dtype=np.float32)",
        ("np.sum(x) * 0.1", "x.mean() / 3", "x[1] - x[0] * 2.0", "x * 0.1"),
    ),
    "MIT-LCP/wfdb-python#527": (
        "sample = np.array([100, -3], np.int16)",
        ("sample[0] << 10", "sample * 400", "sample // 300", "sample[0] * 1000 + 5"),
    ),
    "CroatianMeteorNetwork/RMS#467": (
        "frame = np.array([250, 4], np.uint8)",
        ("frame[0] * 2", "np.uint8(200) + np.uint8(100)", "frame % 300", "frame + np.int64(2)"),
    ),
    "numpy/numpy#29202": (
        "n = np.uint64(7)",
        ("n + 1", "n // 2", "n - np.int64(9)", "divmod(n, np.uint64(2))[0]"),
    ),
    "numpy/numpy#25639": (
        "u = np.array([1, 255], np.uint8)",
        ("np.add(u, 1)", "np.clip(u, 0, 300)", "u ** 2", "u.sum() + 1", "sum([u[1], u[1]])"),
    ),
    "rapidsai/cucim#746": (
        "dt = np.float64(0.5)",
        ("np.ones(3, np.float32) * dt", "np.ones(3, np.float32) / np.sqrt(2)", "dt * 2"),
    ),
    "numpy/numpy#27156": (
        "f = np.ones(3, np.float32)",
        ("f + np.array(1.0)", "np.full(2, 300, np.uint8)", "np.quantile(f, 0.5)", "f.var() * 2.0"),
    ),
}


LINE = 3  # of the programs that are written


def shown(value):
    """Return the dtype of what came out, and its first value."""
    if isinstance(value, Exception):
        return ["refused", type(value).__name__]
    made = np.asarray(value)
    return [made.dtype.name if hasattr(value, "dtype") else "", repr(made.flat[0].item())]


def main(target):
    found = {}
    for issue, (setup, lines) in PROGRAMS.items():
        for line in lines:
            scope = {"np": np}
            exec(setup, scope)
            try:
                here = eval(line, scope)
            except (OverflowError, TypeError, ValueError) as error:
                found[f"{issue}: {line}"] = [*shown(error), None, False]
                continue
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder, "program.py")
                path.write_text(f"import numpy as np\n{setup}\n{line}\n", encoding="utf-8")
                report = audit.run(str(path), target=target, kinds="port-mismatch")
                told = {p.text: p.target for p in report.predicted if p.line == LINE}
                [there] = told.get(line, [""])
                if ("refused",) in told.values():  # a part of it stops there
                    there = "refused"
                found[f"{issue}: {line}"] = [*shown(here), there, bool(report.findings)]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    main(sys.argv[1])
