"""A norm casts one factor back, and the other one widens it (huggingface/transformers#25421)."""

import torch


class Norm(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(size))

    def forward(self, hidden):
        dtype = hidden.dtype
        hidden = hidden.to(torch.float32)
        hidden = hidden * torch.rsqrt(hidden.pow(2).mean(-1, keepdim=True) + 1e-6)
        return self.weight * hidden.to(dtype)  # planted


print(tuple(Norm(8)(torch.ones(4, 8, dtype=torch.bfloat16)).shape))
