"""thu-ml/tianshou#1237: observations are moved to the device as float64.

Observations are float64, and are moved to the device before they are made float32; an Apple GPU
has no float64.
"""

# audit: --target mps

import numpy as np
import torch
from torch import nn


def to_torch(x, dtype, device):
    tensor = torch.from_numpy(x).to(device)  # <- forbidden:float64
    # fixed: tensor = torch.from_numpy(x).to(dtype).to(device)
    return tensor.type(dtype)


class Pendulum:
    def __init__(self):
        self.angle, self.speed = 0.3, 0.0

    def step(self, torque):
        self.speed += 0.05 * (15 * np.sin(self.angle) + 3 * torque)
        self.angle += 0.05 * self.speed
        return np.array([np.cos(self.angle), np.sin(self.angle), self.speed])  # <- forbidden:float64


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 1))

    def forward(self, observation, device="cpu"):
        return self.net(to_torch(observation, torch.float32, device))


torch.manual_seed(0)
world, policy = Pendulum(), Policy()
observation = world.step(0.0)
for _ in range(20):
    with torch.no_grad():
        action = policy(observation[None]).item()
    observation = world.step(action)
print(observation.shape)
