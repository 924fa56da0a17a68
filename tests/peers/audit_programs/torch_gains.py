"""Weigh the channels of a batch by gains that were measured with NumPy."""

import numpy as np
import torch


def measured(powers):
    return [np.sqrt(power) for power in powers]  # planted


def load(powers):
    return torch.tensor(measured(powers))


class Equaliser:
    def __init__(self, powers):
        self.gains = load(powers)

    def apply(self, batch):
        columns = self.gains[:, None]
        return batch * columns


def power(batch):
    return (batch**2).mean(dim=-1)


torch.manual_seed(0)
batch = torch.randn(4, 3, 8)
equaliser = Equaliser([0.5, 1.0, 2.0])
for signals in batch:
    print([f"{p:.4f}" for p in power(equaliser.apply(signals)).tolist()])
