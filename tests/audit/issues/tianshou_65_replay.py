"""thu-ml/tianshou#65: a replay buffer takes twice the memory of what is put into it.

Storage is made at the first transition, by np.zeros of its shape alone. The mend takes its dtype too.
"""

import numpy as np


class ReplayBuffer:
    def __init__(self, capacity):
        self.capacity = capacity
        self.storage = {}
        self.count = 0

    def _reserve(self, name, value):
        self.storage[name] = np.zeros((self.capacity, *value.shape))  # <- widening
        # fixed: self.storage[name] = np.zeros((self.capacity, *value.shape), value.dtype)

    def add(self, **transition):
        index = self.count % self.capacity
        for name, value in transition.items():
            value = np.asarray(value)
            if name not in self.storage:
                self._reserve(name, value)
            self.storage[name][index] = value
        self.count += 1

    def sample(self, size, rng):
        index = rng.integers(0, min(self.count, self.capacity), size)
        return {name: stored[index] for name, stored in self.storage.items()}


rng = np.random.default_rng(11)
buffer = ReplayBuffer(500)
state = np.zeros(16, dtype=np.float32)
for _ in range(500):
    following = state * np.float32(0.9) + rng.standard_normal(16, dtype=np.float32)
    buffer.add(obs=state, obs_next=following)
    state = following
batch = buffer.sample(64, rng)
print(round(float(np.abs(batch["obs_next"] - batch["obs"]).mean()), 4))
