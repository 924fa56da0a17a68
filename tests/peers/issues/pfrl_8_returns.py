"""pfnet/pfrl#8: rewards that are NumPy's scalars make the returns, and the loss, float64.

PyTorch keeps the dtype of what NumPy's scalars are in. The maintainers name it.
"""

import numpy as np
import torch
from torch import nn


class Critic(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(size, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, states):
        return self.body(states).squeeze(-1)


class Environment:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def step(self):
        state = self.rng.normal(size=4).astype(np.float32)
        return state, np.float64(state.sum() > 0)


def discounted(rewards, gamma=0.9):
    total, found = 0.0, []
    for reward in reversed(rewards):
        total = reward + gamma * total
        found.append(total)
    return torch.as_tensor(found[::-1])  # <- widening
    # fixed: return torch.as_tensor(found[::-1], dtype=torch.float32)


def main():
    torch.manual_seed(0)
    env, critic = Environment(7), Critic(4)
    states, rewards = zip(*[env.step() for _ in range(16)])
    returns = discounted(rewards)
    values = critic(torch.from_numpy(np.stack(states)))
    advantage = returns - values  # <- widening
    # fixed: advantage = returns - values
    loss = (advantage**2).mean()
    loss.backward()
    print("loss", round(loss.item(), 4), loss.dtype)
    print("advantage", round(advantage.mean().item(), 4))


if __name__ == "__main__":
    main()
