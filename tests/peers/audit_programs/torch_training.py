"""Train a classifier on tapered signals; the taper is an attribute of a layer."""

import numpy as np
import torch
from torch import nn


class Taper(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.window = torch.from_numpy(np.hanning(length))  # planted
        self.register_buffer("mean", torch.zeros(length))

    def forward(self, signal):
        return (signal - self.mean) * self.window


class Classifier(nn.Module):
    def __init__(self, length, classes):
        super().__init__()
        self.taper = Taper(length)
        self.head = nn.Linear(length, classes)

    def forward(self, signal):
        return self.head(self.taper(signal).to(self.head.weight.dtype))


def train(model, signals, labels, steps):
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    loss_of = nn.CrossEntropyLoss()
    for step in range(steps):
        optimiser.zero_grad()
        loss = loss_of(model(signals), labels)
        loss.backward()
        optimiser.step()
        print(step, f"{loss.item():.4f}")


torch.manual_seed(0)
train(Classifier(16, 3), torch.randn(32, 16), torch.randint(0, 3, (32,)), 3)
