"""pytorch/pytorch#41036: under autocast, results of bfloat16 are put into a buffer of float32.

RuntimeError: Index put requires the source and destination dtypes match. The mend casts the source.
"""

# raises: RuntimeError

import torch
from torch import nn


class Heads(nn.Module):
    """One head for each level of a pyramid; the results are gathered in one tensor."""

    def __init__(self, width, levels):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(width, 4) for _ in range(levels))

    def forward(self, boxes, level):
        result = torch.zeros(len(boxes), 4)
        for number, head in enumerate(self.heads):
            index = torch.where(level == number)[0]
            result[index] = head(boxes[index])  # <- stopped
            # fixed: result[index] = head(boxes[index]).to(result.dtype)
        return result


torch.manual_seed(0)
model = Heads(8, 3)
boxes = torch.randn(30, 8)
level = torch.arange(30) % 3
with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
    found = model(boxes, level)
print(found.dtype, tuple(found.shape))
