"""callummcdougall/ARENA_3.0#203, DLR-RM/stable-baselines3#675: observations of float64 reach the policy.

RuntimeError: expected Float but found Double. np.zeros without a dtype; the maintainers name float32.
"""

# raises: RuntimeError

import numpy as np
import torch
from torch import nn


class Buffer:
    def __init__(self, size, width):
        self.obs = np.zeros((size, width))  # <- stopped
        # fixed: self.obs = np.zeros((size, width), dtype=np.float32)
        self.size = size
        self.at = 0

    def add(self, obs):
        self.obs[self.at] = obs
        self.at += 1

    def batches(self, count):
        for index in np.array_split(np.random.default_rng(0).permutation(self.size), count):
            yield torch.as_tensor(self.obs[index])


class Policy(nn.Module):
    def __init__(self, width, actions):
        super().__init__()
        self.body = nn.Linear(width, 16)
        self.head = nn.Linear(16, actions)

    def forward(self, obs):
        return torch.log_softmax(self.head(torch.tanh(self.body(obs))), dim=-1)


torch.manual_seed(0)
rng = np.random.default_rng(1)
buffer, policy = Buffer(64, 4), Policy(4, 2)
for _ in range(64):
    buffer.add(rng.standard_normal(4, dtype=np.float32))
entropy = [-(p.exp() * p).sum(-1).mean().item() for p in map(policy, buffer.batches(4))]
print(round(float(np.mean(entropy)), 2))
