"""thu-ml/tianshou#65: a buffer that takes twice the memory.

What is stored first says the shape, and not the dtype. The program prints megabytes.
"""

import numpy as np


class ReplayBuffer:
    def __init__(self, size):
        self._maxsize = size
        self._data = {}
        self._index = 0
        self._size = 0

    def _add(self, name, value):
        value = np.asarray(value)
        if name not in self._data:
            self._data[name] = np.zeros((self._maxsize, *value.shape))  # <- widening|widening-store
            # fixed: self._data[name] = np.zeros((self._maxsize, *value.shape), dtype=value.dtype)
        self._data[name][self._index] = value

    def add(self, obs, act, rew):
        self._add("obs", obs)
        self._add("act", act)
        self._add("rew", rew)
        self._size = min(self._size + 1, self._maxsize)
        self._index = (self._index + 1) % self._maxsize

    def sample(self, rng, n):
        idx = rng.integers(0, self._size, n)
        return {k: v[idx] for k, v in self._data.items()}


class Policy:
    def __init__(self, rng, dim):
        self.w = rng.normal(0, 0.1, (dim, 4)).astype(np.float32)

    def __call__(self, obs):
        return obs @ self.w


def learn(policy, batch):
    q = policy(batch["obs"])
    return q.max(axis=1) - batch["rew"]


def main():
    rng = np.random.default_rng(8)
    buffer = ReplayBuffer(2000)
    policy = Policy(rng, 84)
    for _ in range(3000):
        obs = rng.normal(size=84).astype(np.float32)
        buffer.add(obs, np.float32(0.5), np.float32(rng.random()))
    td = learn(policy, buffer.sample(rng, 256))
    print("td %.4f" % np.abs(td).mean())
    print("megabytes %.2f" % (sum(v.nbytes for v in buffer._data.values()) / 1e6))


main()
