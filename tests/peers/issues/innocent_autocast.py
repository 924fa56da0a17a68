"""Training under autocast with a residual sum and a loss in float32, as pytorch/pytorch#87979 has it."""

# innocent

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner = nn.Linear(width, width)

    def forward(self, x):
        return x + torch.relu(self.inner(self.norm(x)))


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.blocks = nn.Sequential(Block(width), Block(width))
        self.head = nn.Linear(width, 3)

    def forward(self, x):
        return self.head(self.blocks(x))


torch.manual_seed(0)
model = Model(16)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
x, labels = torch.randn(32, 16), torch.arange(32) % 3
for _ in range(5):
    optimizer.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(x)
    loss = nn.functional.cross_entropy(logits.float(), labels)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
right = (logits.argmax(-1) == labels).float().mean()
print(0 <= right.item() <= 1, loss.item() < 3)
