"""Farama-Foundation/Gymnasium#447: the rewards of environments are float64, their observations float32.

The array that collects the rewards has no dtype. The mend names float32.
"""

import numpy as np


class Pendulum:
    def __init__(self, seed):
        self.state = np.random.default_rng(seed).uniform(-1, 1, 2).astype(np.float32)

    def step(self, torque):
        angle, speed = self.state
        speed = speed + np.float32(0.05) * (np.sin(angle) * np.float32(15) + 3 * torque)
        self.state = np.array([angle + speed * np.float32(0.05), speed], dtype=np.float32)
        return self.state, -(angle * angle + np.float32(0.1) * speed * speed)


class VectorEnv:
    def __init__(self, count):
        self.envs = [Pendulum(seed) for seed in range(count)]
        self._rewards = np.zeros(count)  # <- widening
        # fixed: self._rewards = np.zeros(count, dtype=np.float32)
        self._observations = np.zeros((count, 2), dtype=np.float32)

    def step(self, actions):
        for i, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            self._observations[i], self._rewards[i] = env.step(action)
        return self._observations.copy(), self._rewards.copy()


rng = np.random.default_rng(0)
vector = VectorEnv(16)
best = None
for _ in range(20):
    _, rewards = vector.step(rng.uniform(-2, 2, 16).astype(np.float32))
    best = rewards if best is None else np.maximum(best, rewards)
print(round(float(best.mean()), 4))
