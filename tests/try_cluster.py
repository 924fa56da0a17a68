"""Sum int32 × float32 + bfloat16 on two worker processes, of more data than their memory holds.

    python tests/try_cluster.py [GIB]

GIB is how much data there is, 16 by default. Each worker may take 2 GiB. It prints one object of
JSON: the answer and the right one, the time, and the most memory that each worker took.
"""

import json
import sys
import time
from pathlib import Path

import dask.array as da
from distributed import Client, LocalCluster

import supremum

BLOCK = 1 << 22  # elements of a chunk, of 10 bytes: int32, float32 and bfloat16
MARK = 1 << 12


def blocks_of(gib):
    """Return how many chunks hold so much data, or a little more."""
    return -(-int(gib * 2**30) // (10 * BLOCK))


def mixed(xp, blocks):
    """Return three arrays of a dtype each, which nothing has computed.

    The products of the first two add up to 0 over 15 elements, and the third is 1 for one element
    in `MARK`. So each partial sum is a small multiple of 0.5, and exact in float32.
    """
    i = xp.asarray(da.arange(blocks * BLOCK, chunks=BLOCK, dtype="int64"))
    x = xp.astype(i % 5 - 2, xp.int32)
    y = xp.astype(i % 3 - 1, xp.float32) * 0.5
    z = xp.astype(i % MARK == 0, xp.bfloat16)
    return x, y, z


def right_answer(blocks):
    """Return the exact sum, by the formula."""
    count = blocks * BLOCK
    tail = sum((i % 5 - 2) * (i % 3 - 1) for i in range(count % 15))
    return count // MARK + tail / 2


def peak():
    """Return the most memory that this process has taken, in bytes."""
    with Path("/proc/self/status").open(encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def main(gib):
    """Run it, and print what came of it."""
    xp = supremum.namespace("jax", backend="dask")
    blocks = blocks_of(gib)
    x, y, z = mixed(xp, blocks)
    total = xp.sum(x * y + z)
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit="2GiB", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        start = time.perf_counter()
        answer = client.compute(total).result()
        seconds = time.perf_counter() - start
        peaks = client.run(peak)
    told = {
        "bytes": sum(part.native.nbytes for part in (x, y, z)),
        "dtypes": [str(part.dtype) for part in (x, y, z, total, answer)],
        "answer": float(answer),
        "right answer": right_answer(blocks),
        "seconds": round(seconds, 1),
        "peak MiB of each worker": sorted(n >> 20 for n in peaks.values()),
    }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 16)
