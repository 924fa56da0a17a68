"""Hand functions and objects to worker processes, which nothing watches."""

import dask.array as da
import numpy as np
from dask.distributed import Client, LocalCluster

GAIN = np.float32(2)


def window(length):
    return np.hanning(length)


def smooth(block):
    taper = window(block.shape[-1])
    return (block * taper * GAIN).astype(np.float32)


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, block):
        out = block.copy()
        out *= self.factor
        out[:1] = self.factor
        return out


def main():
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, Client(cluster) as client:
        x = da.ones((8, 16), chunks=(4, 16), dtype=np.float32)
        y = x.map_blocks(smooth, dtype=np.float32, meta=x._meta)
        y = y.map_blocks(Scale(np.float32(3)), dtype=np.float32, meta=x._meta)
        print(y.sum().compute())
        print(client.gather(client.map(lambda n: [k * 2.5 + 1 for k in range(n)], range(3))))


if __name__ == "__main__":
    main()
