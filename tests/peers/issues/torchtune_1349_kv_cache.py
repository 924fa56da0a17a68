"""meta-pytorch/torchtune#1349, pytorch/torchchat#596: the cache of keys has another dtype than the keys.

RuntimeError from index_put: the cache is made in float32, the model runs in bfloat16. The mend gives
the cache the dtype of the model.
"""

# raises: RuntimeError

import torch
from torch import nn


class Cache:
    def __init__(self, length, width):
        self.keys = torch.zeros(length, width)  # <- stopped
        # fixed: self.keys = torch.zeros(length, width, dtype=torch.bfloat16)

    def update(self, position, key):
        self.keys[position] = key
        return self.keys[: int(position.max()) + 1]


class Attention(nn.Module):
    def __init__(self, width, length):
        super().__init__()
        self.qk = nn.Linear(width, 2 * width)
        self.cache = Cache(length, width)

    def forward(self, x, position):
        query, key = self.qk(x).chunk(2, dim=-1)
        keys = self.cache.update(position, key)
        return torch.softmax(query @ keys.T, dim=-1)


torch.manual_seed(0)
model = Attention(8, 32).to(torch.bfloat16)
with torch.no_grad():
    prompt = model(torch.randn(4, 8, dtype=torch.bfloat16), torch.arange(4))
    following = model(torch.randn(1, 8, dtype=torch.bfloat16), torch.tensor([4]))
print(tuple(prompt.shape), tuple(following.shape))
