"""numpy/numpy#21237: differences of frames of uint8 wrap around in torch, as they do in NumPy.

The report is of NumPy, and torch does the same. The mend casts to int16 first.
"""

import torch


class Clip:
    def __init__(self, frames, side, seed):
        generator = torch.Generator().manual_seed(seed)
        base = torch.randint(20, 200, (side, side), generator=generator)
        noise = torch.randint(-3, 4, (frames, side, side), generator=generator)
        self.frames = (base + noise).to(torch.uint8)

    def motion(self):
        change = self.frames[1:] - self.frames[:-1]  # <- wraparound
        # fixed: change = self.frames[1:].short() - self.frames[:-1]
        return change.float().abs().mean(dim=(1, 2))


def still(clip, threshold=10):
    return bool((clip.motion() < threshold).all())


clip = Clip(6, 24, 0)
print(still(clip), round(clip.motion().mean().item(), 1))
