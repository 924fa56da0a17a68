"""huggingface/pytorch-image-models#2794, facebookresearch/xformers#325: rotary tables widen bfloat16.

The tables of sines are float32, as they must be where they are made, and make float32 of the queries.
The maintainers cast them where they are used.
"""

import torch
from torch import nn


def rotate_half(x):
    first, second = x.chunk(2, dim=-1)
    return torch.cat([-second, first], dim=-1)


class Rotary(nn.Module):
    def __init__(self, width, length):
        super().__init__()
        frequency = 1.0 / 10_000 ** (torch.arange(0, width, 2).float() / width)
        angles = torch.outer(torch.arange(length).float(), frequency)
        angles = torch.cat([angles, angles], dim=-1)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x):
        cos, sin = self.cos[: x.shape[-2]], self.sin[: x.shape[-2]]
        return x * cos + rotate_half(x) * sin  # <- widening
        # fixed: return x * cos.to(x.dtype) + rotate_half(x) * sin.to(x.dtype)


class Attention(nn.Module):
    def __init__(self, width, length):
        super().__init__()
        self.qk = nn.Linear(width, 2 * width, dtype=torch.bfloat16)
        self.rotary = Rotary(width, length)

    def forward(self, x):
        q, k = self.qk(x).chunk(2, dim=-1)
        q, k = self.rotary(q), self.rotary(k)
        return torch.softmax(q @ k.transpose(-1, -2) / 8.0, dim=-1)


torch.manual_seed(0)
attention = Attention(32, 64)
weights = attention(torch.randn(2, 16, 32, dtype=torch.bfloat16))
print(tuple(weights.shape), round(float(weights.detach().sum()), 0))
