"""The program that runs on all backends, and what the documents show of it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_what_the_documents_show_is_what_it_prints():
    program = [sys.executable, "-W", "error", "examples/any_backend.py", "--backends", "numpy"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    shown = (ROOT / "docs/howto/arrays-on-any-backend.md").read_text("utf-8").splitlines()
    title, *lines = done.stdout.splitlines()
    start = shown.index(title)
    table = shown[start + 1 : shown.index("```", start)]
    assert lines == [line for line in table if line.split()[1] == "numpy"]
    assert [line.split()[0] for line in lines] == ["jax", "numpy"]
    # the same on every backend
    dtypes = {tuple(line.split()[::5] + line.split()[2:6]) for line in table}
    assert len(dtypes) == 2
