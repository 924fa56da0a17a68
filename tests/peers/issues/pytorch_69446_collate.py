"""pytorch/pytorch#69446, pytorch/pytorch#109968: default_collate makes float64 of Python floats.

The targets of a dataset are Python floats, so that the loss is float64. People cast the batch.
"""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Houses(Dataset):
    def __init__(self, rows, seed=0):
        rng = np.random.default_rng(seed)
        self.rooms = rng.random((rows, 3), dtype=np.float32)
        self.price = [float(row.sum()) * 1.5 for row in self.rooms]

    def __len__(self):
        return len(self.rooms)

    def __getitem__(self, index):
        return torch.from_numpy(self.rooms[index]), self.price[index]


def evaluate(weights, loader):
    total = 0.0
    for x, y in loader:  # <- widening
        error = x @ weights - y  # <- widening
        # fixed: error = x @ weights - y.float()
        total += (error * error).sum().item()
    return total


weights = torch.tensor([1.0, 1.5, 2.0])
print(round(evaluate(weights, DataLoader(Houses(64), batch_size=16)), 3))
