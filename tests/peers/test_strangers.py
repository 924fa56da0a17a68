"""Programs as people write them are answered as the live libraries do; see strangers.py."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from . import strangers

# Those of which all is modelled that is written often; the others wait for more than facts.
COVERED = ("numpy", "jax", "jax:x64=false", "torch", "mlx", "array-api")


@pytest.mark.parametrize("name", strangers.PEERS)
def test_programs_as_people_write_them(name, count):
    file = Path(strangers.__file__)
    command = [sys.executable, "-m", "tests.peers.strangers", name, "--count", "150"]
    # a process of its own, as libraries have settings that are chosen once
    done = subprocess.run(
        [*command, "--seed", "11"],
        cwd=file.parent.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    if "ModuleNotFoundError" in done.stderr:
        pytest.skip(f"{name} is not installed")
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    counts = Counter(line.partition(":")[0] for line in told)
    count(f"strangers, {name}: {done.stderr.splitlines()[-1]}")
    assert [line for line in told if line.startswith("wrong")] == []
    if name in COVERED:
        assert counts["not modelled"] <= 0.08 * 150
