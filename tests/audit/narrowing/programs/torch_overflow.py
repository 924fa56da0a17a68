"""The energy of exposures, whose squares are larger than the largest float16."""

import torch

torch.manual_seed(14)
n = 1_000_000
exposure = torch.rand(n) * 800
mask = torch.rand(n)
gain = torch.linspace(0.5, 1.5, n)

energy = exposure**2
print("energy", energy.mean().item(), energy.max().item())
print("masked", (energy * mask).mean().item())
print("gain", (gain * mask).mean().item(), mask.mean().item())
