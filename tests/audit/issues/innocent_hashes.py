"""Hash functions that wrap around on purpose, with masks and in uint32: compare numpy/numpy#8987."""

# innocent

import numpy as np

FNV_PRIME = np.uint32(16_777_619)
FNV_BASIS = np.uint32(2_166_136_261)


def fnv1a(words):
    """Return the FNV-1a hash of each row of bytes."""
    state = np.full(len(words), FNV_BASIS, dtype=np.uint32)
    for column in words.T:
        state = state ^ column.astype(np.uint32)
        state = state * FNV_PRIME
    return state


def murmur_finalize(h):
    h = h ^ (h >> np.uint32(16))
    h = h * np.uint32(0x85EBCA6B)
    h = h ^ (h >> np.uint32(13))
    h = h * np.uint32(0xC2B2AE35)
    return h ^ (h >> np.uint32(16))


def djb2(text):
    value = np.uint32(5381)
    with np.errstate(over="ignore"):
        for letter in text.encode():
            value = (value << np.uint32(5)) + value + np.uint32(letter)
    return value


words = np.arange(64, dtype=np.uint8).reshape(8, 8)
print(fnv1a(words)[:3].tolist(), murmur_finalize(fnv1a(words))[:2].tolist(), djb2("promotion"))
