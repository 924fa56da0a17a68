"""huggingface/transformers#47691, hiyouga/LlamaFactory#3807: image features do not go into embeddings.

RuntimeError: Index put requires the source and destination dtypes match. The maintainers cast the
features to the dtype of the embeddings.
"""

# raises: RuntimeError

import torch
from torch import nn

IMAGE = 9


class Vision(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.project = nn.Linear(12, width)

    def forward(self, patches):
        return self.project(patches)


class Model(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embed = nn.Embedding(10, width, dtype=torch.float16)
        self.vision = Vision(width)

    def forward(self, ids, patches):
        embedded = self.embed(ids).detach()
        features = self.vision(patches).flatten(0, 1)
        embedded[ids == IMAGE] = features  # <- stopped
        # fixed: embedded[ids == IMAGE] = features.to(embedded.dtype)
        return embedded.float().norm(dim=-1)


torch.manual_seed(0)
ids = torch.tensor([[1, IMAGE, IMAGE, 4], [IMAGE, IMAGE, 7, 3]])
norms = Model()(ids, torch.randn(2, 2, 12))
print(tuple(norms.shape))
