"""DLR-RM/stable-baselines3#484, thu-ml/tianshou#65: the buffer of a rollout holds float64.

np.zeros without a dtype, filled with float32 observations at each step. The maintainers give the
arrays a dtype.
"""

import numpy as np


class RolloutBuffer:
    def __init__(self, size, envs, shape):
        self.size = size
        self.observations = np.zeros((size, envs, *shape))  # <- widening
        # fixed: self.observations = np.zeros((size, envs, *shape), dtype=np.float32)
        self.rewards = np.zeros((size, envs), dtype=np.float32)
        self.position = 0

    def add(self, observation, reward):
        self.observations[self.position] = observation
        self.rewards[self.position] = reward
        self.position = (self.position + 1) % self.size

    def returns(self, gamma=np.float32(0.99)):
        total = np.zeros(self.rewards.shape[1], dtype=np.float32)
        for reward in self.rewards[::-1]:
            total = reward + gamma * total
        return total


class Env:
    def __init__(self, envs, width, seed):
        self.rng = np.random.default_rng(seed)
        self.shape = (envs, width)

    def step(self):
        observation = self.rng.standard_normal(self.shape, dtype=np.float32)
        return observation, np.tanh(observation).mean(axis=1)


buffer, env = RolloutBuffer(64, 4, (24,)), Env(4, 24, seed=2)
for _ in range(64):
    buffer.add(*env.step())
print(np.round(buffer.returns(), 3).tolist(), round(float(buffer.observations.std()), 3))
