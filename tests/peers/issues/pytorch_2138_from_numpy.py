"""pytorch/pytorch#2138, OUCMachineLearning/OUCML#24: a model of float32 gets float64 from NumPy.

RuntimeError: mat1 and mat2 must have the same dtype. The answer is a cast to float32 where the tensor
is made.
"""

# raises: RuntimeError

import numpy as np
import torch
from torch import nn


class Table:
    def __init__(self, rows, seed=0):
        rng = np.random.default_rng(seed)
        self.features = rng.normal(size=(rows, 6))
        self.targets = self.features @ np.arange(6)

    def tensors(self):
        x = torch.from_numpy(self.features)  # <- stopped
        # fixed: x = torch.from_numpy(self.features).to(torch.float32)
        y = torch.tensor(self.targets, dtype=torch.float32)
        return x, y


def train(model, x, y, steps=20):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x).squeeze(1), y)
        loss.backward()
        optimizer.step()
    return loss.item()


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))
loss = train(model, *Table(100).tensors())
print(loss < 60)
