"""Sums in float32 where it is enough: softmax, means of few, unit norms; compare numpy/numpy#22956."""

# innocent

import numpy as np

EPSILON = 1e-12


def softmax(logits):
    shifted = logits - logits.max(axis=-1, keepdims=True)
    weights = np.exp(shifted)
    return weights / weights.sum(axis=-1, keepdims=True)


def unit(vectors):
    return vectors / (np.linalg.norm(vectors, axis=-1, keepdims=True) + EPSILON)


def layer_norm(x, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + eps)


def attention(query, key, value):
    scores = query @ key.T / np.float32(np.sqrt(query.shape[-1]))
    return softmax(scores) @ value


rng = np.random.default_rng(0)
x = rng.standard_normal((16, 32), dtype=np.float32)
y = attention(unit(x), unit(x), layer_norm(x))
entropy = -(softmax(x) * np.log(softmax(x) + EPSILON)).sum(axis=-1)
print(y.dtype, entropy.dtype, round(float(entropy.mean()), 3), round(float(y.std()), 3))
