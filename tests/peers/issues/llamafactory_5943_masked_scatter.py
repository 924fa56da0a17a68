"""hiyouga/LlamaFactory#5943: masked_scatter under autocast refuses features of another dtype.

RuntimeError: masked_scatter expected self and source to have the same dtypes. The maintainers cast the
source to the dtype of the embeddings.
"""

# raises: RuntimeError

import torch
from torch import nn


class Multimodal(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.embed = nn.Embedding(16, width)
        self.tower = nn.Sequential(nn.Linear(6, width), nn.GELU(), nn.Linear(width, width))

    def forward(self, ids, pixels):
        embedded = self.embed(ids)
        mask = (ids == 15)[..., None].expand_as(embedded)
        features = self.tower(pixels)
        return embedded.masked_scatter(mask, features)  # <- stopped
        # fixed: return embedded.masked_scatter(mask, features.to(embedded.dtype))


torch.manual_seed(0)
model = Multimodal()
ids = torch.tensor([[1, 15, 15, 2, 3]])
with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
    merged = model(ids, torch.randn(2, 6))
print(tuple(merged.shape), merged.dtype)
