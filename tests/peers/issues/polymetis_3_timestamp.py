"""facebookresearch/polymetis#3: a time in seconds becomes a tensor of float32.

Seconds since 1970 are 128 apart there, so that no time goes by between two steps.
"""

import torch


class Stamp:
    def __init__(self, seconds, nanos):
        self.seconds = seconds
        self.nanos = nanos


def stamp_to_tensor(stamp):
    return torch.tensor([stamp.seconds + 1e-9 * stamp.nanos])  # <- precision-loss
    # fixed: return torch.tensor([stamp.seconds + 1e-9 * stamp.nanos], dtype=torch.float64)


class Controller:
    def __init__(self, horizon):
        self.start = None
        self.horizon = horizon

    def forward(self, state):
        now = state["timestamp"]
        if self.start is None:
            self.start = now
        elapsed = now - self.start
        return torch.clamp(elapsed / self.horizon, 0, 1)


def main():
    controller = Controller(horizon=2.0)
    first = 1_624_900_000
    for step in range(5):
        total = step * 400_000_000
        stamp = Stamp(first + total // 10**9, total % 10**9)
        progress = controller.forward({"timestamp": stamp_to_tensor(stamp)})
        print("step", step, "progress", round(progress.item(), 3))


if __name__ == "__main__":
    main()
