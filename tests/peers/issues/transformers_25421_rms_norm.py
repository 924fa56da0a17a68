"""huggingface/transformers#25421: RMSNorm casts the wrong factor, and float32 comes out.

The weight is float32, and multiplies what was cast down. The mend casts the product.
"""

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, hidden):
        dtype = hidden.dtype
        hidden = hidden.to(torch.float32)
        variance = hidden.pow(2).mean(-1, keepdim=True)
        hidden = hidden * torch.rsqrt(variance + self.eps)
        return self.weight * hidden.to(dtype)  # <- widening
        # fixed: return (self.weight * hidden).to(dtype)


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = RMSNorm(width)
        self.gate = nn.Parameter(torch.full((width,), 0.5, dtype=torch.float16))

    def forward(self, x):
        return x + self.norm(x) * self.gate


torch.manual_seed(0)
x = torch.randn(4, 64).to(torch.float16)
block = Block(64)
for _ in range(3):
    x = block(x)
print(round(float(x.detach().float().abs().mean()), 1))
