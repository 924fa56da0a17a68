"""Two layers of a network; PyTorch multiplies matrices of one dtype alone."""

import torch

torch.manual_seed(21)
x = torch.randn(3000, 256)
first = torch.randn(256, 512)
bias = torch.linspace(-1.0, 1.0, 512)
second = torch.randn(512, 10)
threshold = torch.rand(4000, 100)

hidden = torch.relu(x @ first / 16 + bias)
out = hidden @ second / 16
likely = torch.softmax(out, dim=1)
print("hidden", hidden.mean().item(), "spread", out.std().item())
print("surest", likely.max(dim=1).values.mean().item())
print("threshold", threshold.mean().item(), (threshold**2).mean().item())
