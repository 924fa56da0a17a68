"""numpy/numpy#21941: the norm of float16 vectors is infinite.

Squares of more than 256 overflow in float16. The mend computes in float32.
"""

import numpy as np


class Index:
    def __init__(self, vectors):
        self.vectors = vectors.astype(np.float16)

    def norms(self):
        return np.linalg.norm(self.vectors, axis=1)  # <- accumulation
        # fixed: return np.linalg.norm(self.vectors.astype(np.float32), axis=1)

    def cosine(self, query):
        query = query.astype(np.float32)
        dots = self.vectors.astype(np.float32) @ query
        return dots / (self.norms().astype(np.float32) * np.linalg.norm(query))


rng = np.random.default_rng(3)
index = Index(rng.standard_normal((40, 768)) * 30)
scores = index.cosine(index.vectors[7])
print(int(scores.argmax()), round(float(scores.max()), 3))
