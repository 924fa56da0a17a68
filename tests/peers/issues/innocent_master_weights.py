"""Weights of single precision are updated, and copied into a model of half precision.

That is what mixed precision is: the copies are made for the layers alone.
"""

# innocent

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10)).to(torch.bfloat16)
master = [p.detach().clone().float().requires_grad_() for p in net.parameters()]
optimizer = torch.optim.AdamW(master, lr=1e-2)
x = torch.randn(128, 32)
y = (x.sum(dim=1) * 2).long() % 10
for _ in range(10):
    loss = nn.functional.cross_entropy(net(x.to(torch.bfloat16)).float(), y)
    net.zero_grad()
    loss.backward()
    for m, p in zip(master, net.parameters()):
        m.grad = p.grad.float()
    optimizer.step()
    with torch.no_grad():
        for m, p in zip(master, net.parameters()):
            p.copy_(m)
print(next(net.parameters()).dtype)
