"""NVIDIA-NeMo/Automodel#2658: two planes of the least bfloat16 are added.

Two planes of the least bfloat16 are added, so that a key masked by both is minus infinity.
"""

import torch


def causal(length, dtype):
    least = torch.finfo(dtype).min
    plane = torch.full((length, length), least, dtype=dtype)
    return torch.triu(plane, diagonal=1)


def padded(keep, dtype):
    least = torch.finfo(dtype).min
    return torch.zeros(keep.shape, dtype=dtype).masked_fill(~keep, least)


class MaskBuilder:
    def __init__(self, dtype):
        self.dtype = dtype

    def additive(self, keep):
        """An additive mask: batch, 1, query, key."""
        length = keep.shape[1]
        planes = causal(length, self.dtype)[None, None]
        return planes + padded(keep, self.dtype)[:, None, None, :]  # <- float-overflow
        # fixed: return torch.minimum(planes, padded(keep, self.dtype)[:, None, None, :])


keep = torch.tensor([[False, False, True, True, True], [True, True, True, True, True]])
mask = MaskBuilder(torch.bfloat16).additive(keep)
print("infinite:", int(mask.isinf().sum()), "rows of NaN:", int(torch.softmax(mask - mask.amax(-1, True), -1).isnan().any(-1).sum()))
