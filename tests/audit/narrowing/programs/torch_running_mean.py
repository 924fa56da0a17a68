"""The running mean and the running square of batches, each by a small part."""

import torch

torch.manual_seed(16)


def batch(size, features):
    """A further batch."""
    values = torch.randn(size, features)
    offset = torch.linspace(1.0, 3.0, features)
    return values + offset


mean = torch.zeros(200)
square = torch.zeros(200)
for _ in range(1000):
    values = batch(64, 200)
    mean += 0.003 * (values.mean(dim=0) - mean)
    square += 0.003 * ((values * values).mean(dim=0) - square)

print("mean", mean.mean().item(), mean.max().item())
print("square", square.mean().item(), square.min().item())
