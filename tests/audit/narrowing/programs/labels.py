"""The size and the rank of groups."""

import numpy as np

n = 500_000
rng = np.random.default_rng(19)
label = rng.integers(0, 300, size=n)
code = np.arange(300) * 7 + 11
order = rng.permutation(n)

sizes = np.bincount(label)
print("sizes", sizes.max(), sizes.min(), "largest", sizes.argmax())
print("codes", code[label].sum(), code.max())
print("alternating", int((code[label[order]][::2] - code[label[order]][1::2]).sum()))
print("last ones", *order[-3:])
