"""Positions are cast to the dtype of the frequencies (facebookresearch/xformers#325)."""

import torch

frequencies = (1.0 / 10_000 ** (torch.arange(0, 8, 2) / 8)).to(torch.bfloat16)


def table(count):
    positions = torch.arange(count).type_as(frequencies)  # planted
    return torch.outer(positions, frequencies).cos()


print(tuple(table(1024).shape))
