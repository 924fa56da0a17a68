"""rhasspy/piper#752: a float32 mask in a model of bfloat16.

The model is bfloat16, and the mask that is multiplied in is float32, so layer_norm gets float32
with bfloat16 weights.
"""

# raises: RuntimeError

import torch
from torch import nn
from torch.nn import functional as F


def sequence_mask(lengths, longest):
    return (torch.arange(longest)[None, :] < lengths[:, None]).float()  # <- stopped


class Norm(nn.Module):
    def __init__(self, channels, eps=1e-5):
        super().__init__()
        self.channels, self.eps = channels, eps
        self.gamma = nn.Parameter(torch.ones(channels))
        self.beta = nn.Parameter(torch.zeros(channels))

    def forward(self, x):
        x = x.transpose(1, -1)
        x = F.layer_norm(x, (self.channels,), self.gamma, self.beta, self.eps)
        return x.transpose(1, -1)


class Durations(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv1d(channels, channels, 3, padding=1) for _ in range(2))
        self.norms = nn.ModuleList(Norm(channels) for _ in range(2))

    def forward(self, x, mask):
        for conv, norm in zip(self.convs, self.norms):
            x = norm(conv(x) * mask)  # <- stopped
            # fixed: x = norm(conv(x) * mask.to(x.dtype))
        return x * mask
        # fixed: return x * mask.to(x.dtype)


torch.manual_seed(4)
model = Durations().to(torch.bfloat16)
text = torch.randn(2, 8, 6).to(torch.bfloat16)
mask = sequence_mask(torch.tensor([6, 4]), 6).unsqueeze(1)
print(model(text, mask).dtype)
