"""pytorch/pytorch#87979, pytorch/pytorch#105682: half of a model under autocast runs in float32 again.

A learned scale of float32 multiplies the result of a layer, so that what follows is float32. The mend
casts the scale to the dtype of what it multiplies.
"""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((width,), 0.1))

    def forward(self, x):
        return x * self.gamma  # <- widening
        # fixed: return x * self.gamma.to(x.dtype)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(width, width, dtype=torch.bfloat16)
        self.scale = Scale(width)

    def forward(self, x):
        return x + self.scale(torch.relu(self.inner(x))).to(x.dtype)


torch.manual_seed(0)
blocks = nn.Sequential(*(Block(24) for _ in range(3)))
with torch.no_grad():
    out = blocks(torch.ones(4, 24, dtype=torch.bfloat16))
print(out.dtype, round(float(out.float().mean()), 1))
