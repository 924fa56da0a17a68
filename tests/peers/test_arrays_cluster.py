"""Dask's cluster of two processes: the answer, its dtype, and how much memory the workers take.

SUPREMUM_CLUSTER_GIB says how much data there is; with `make test-cluster` it is 16 GiB.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed")

JOB = Path(__file__).parents[1] / "try_cluster.py"


def test_a_mixed_sum_on_two_workers_is_right_and_each_stays_under_2_gib(count):
    gib = os.environ.get("SUPREMUM_CLUSTER_GIB", "0.25")
    done = subprocess.run(
        [sys.executable, "-W", "error", JOB, gib],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    told = json.loads(done.stdout)
    assert told["dtypes"] == ["int32", "float32", "bfloat16", "float32", "float32"]
    assert told["bytes"] >= float(gib) * 2**30
    assert told["answer"] == told["right answer"]
    peaks = told["peak MiB of each worker"]
    assert len(peaks) == 2
    assert max(peaks) < 2048
    count(f"on two workers: {told['bytes'] >> 20} MiB, at most {max(peaks)} MiB of memory in each")
