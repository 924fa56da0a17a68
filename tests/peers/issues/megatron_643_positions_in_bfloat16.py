"""NVIDIA/Megatron-LM#643, okoge-kaz/llm-recipes#6: positions are cast to bfloat16, and become the same.

bfloat16 keeps 8 bits, so that positions beyond 256 are rounded. The mend computes them in float32, and
casts the sines.
"""

import torch


class Positions:
    def __init__(self, width, dtype):
        self.width = width
        self.dtype = dtype

    def tables(self, length):
        frequency = 1.0 / 10_000 ** (torch.arange(0, self.width, 2).float() / self.width)
        positions = torch.arange(length).to(self.dtype)  # <- precision-loss|value-changed
        # fixed: positions = torch.arange(length).float()
        angles = torch.outer(positions, frequency.to(positions.dtype))
        return angles.cos().to(self.dtype), angles.sin().to(self.dtype)


def distinct(table):
    return len(torch.unique(table.float(), dim=0))


for length in (128, 2000):
    cosine, sine = Positions(16, torch.bfloat16).tables(length)
    print(length, distinct(torch.cat([cosine, sine], dim=1)))
