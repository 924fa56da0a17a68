"""Positions are made in the model's dtype (huggingface/pytorch-image-models#2794)."""

import torch


def angles(count, dtype):
    positions = torch.arange(count, dtype=dtype)  # planted
    return torch.outer(positions, torch.ones(4, dtype=dtype))


print(tuple(angles(2048, torch.bfloat16).shape))
