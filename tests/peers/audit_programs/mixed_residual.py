"""In a region that computes in bfloat16, a sum is float32 again (rwth-i6/returnn#1828)."""

import torch

weight = torch.ones(8, 8)
bias = torch.ones(8)


def linear(x):
    return torch.matmul(x, weight) + bias  # planted


with torch.autocast("cpu", dtype=torch.bfloat16):
    print(tuple(linear(torch.ones(4, 8)).shape))
