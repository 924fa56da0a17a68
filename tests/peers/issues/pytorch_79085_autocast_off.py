"""pytorch/pytorch#79085, pytorch/pytorch#42358: a result of autocast meets a layer outside of it.

RuntimeError: expected Float but found BFloat16. What comes out of the region is bfloat16; the answer is
a cast back to float32.
"""

# raises: RuntimeError

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 16))
        self.head = nn.Linear(16, 3)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.features(x)  # <- stopped
        return self.head(hidden)  # <- stopped
        # fixed: return self.head(hidden.float())


def accuracy(model, x, labels):
    with torch.no_grad():
        return (model(x).argmax(-1) == labels).float().mean().item()


torch.manual_seed(0)
x = torch.randn(40, 20)
labels = torch.arange(40) % 3
print(0 <= accuracy(Classifier(), x, labels) <= 1)
