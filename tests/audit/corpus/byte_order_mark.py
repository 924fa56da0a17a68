"""Starts with a byte order mark."""

print(ascii("é") + "!" * 2, __doc__)
print(1 / (1 - 1))
