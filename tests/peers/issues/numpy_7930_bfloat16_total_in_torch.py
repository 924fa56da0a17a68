"""numpy/numpy#7930, pytorch/pytorch#60389: a running mean that is kept in half precision stops growing.

As numpy/numpy#7930 has it of NumPy's float16. The mend keeps the totals in float32.
"""

import torch


class Meter:
    """The mean of the losses of an epoch."""

    def __init__(self, dtype):
        self.total = torch.zeros((), dtype=dtype)  # <- accumulation
        # fixed: self.total = torch.zeros((), dtype=torch.float32)
        self.count = 0

    def update(self, loss):
        self.total = self.total + loss  # <- accumulation
        # fixed: self.total = self.total + loss.float()
        self.count += 1

    @property
    def mean(self):
        return self.total.item() / self.count


def losses(count, dtype):
    for step in range(count):
        yield torch.tensor(2.0 + 0.001 * (step % 3), dtype=dtype)


meter = Meter(torch.bfloat16)
for loss in losses(2000, torch.bfloat16):
    meter.update(loss)
print(f"{meter.mean:.2f}")
