"""What an instrumented program makes of the wide dtype: bytes, times, and the largest value."""

import atexit
import json
import os
from collections import defaultdict
from pathlib import Path

FOUND = defaultdict(lambda: {"bytes": 0, "times": 0, "largest": 0.0, "dtypes": []})


def seen(origin, value):
    """Count an array that an origin makes, and return it."""
    found = FOUND[origin]
    found["bytes"] += value.nbytes
    found["times"] += 1
    found["largest"] = max(found["largest"], float(abs(value).max()))
    dtype = str(value.dtype).removeprefix("torch.")
    found["dtypes"] = sorted({*found["dtypes"], dtype})
    return value


@atexit.register
def write():
    """Write down what was counted."""
    Path(os.environ["ORIGINS"]).write_text(json.dumps(FOUND), encoding="utf-8")
