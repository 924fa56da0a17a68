"""Sequence numbers and ring positions in uint16 that wrap around by design: compare numpy/numpy#21237."""

# innocent

import numpy as np


def newer(a, b):
    """Tell which of two sequence numbers of 16 bits comes later, as RFC 1982 has it."""
    with np.errstate(over="ignore"):
        return (a - b) & 0xFFFF < 0x8000


class Ring:
    def __init__(self, capacity):
        self.items = np.zeros(capacity, dtype=np.float32)
        self.written = 0

    def push(self, values):
        index = (self.written + np.arange(len(values))) % len(self.items)
        self.items[index] = values
        self.written += len(values)


class Elapsed:
    """A tick counter of 32 bits: the difference is right over the edge, in modular arithmetic."""

    def __init__(self, ticks):
        self.last = ticks

    def step(self, ticks):
        gone = np.subtract(ticks, self.last) & np.uint32(0xFFFFFFFF)
        self.last = ticks
        return gone


sent = np.array([65_534, 65_535, 0, 1, 2], dtype=np.uint16)
print(newer(sent[1:], sent[:-1]).tolist())
ring = Ring(8)
for block in np.split(np.arange(24, dtype=np.float32), 4):
    ring.push(block)
clock = Elapsed(np.array([4_294_967_000], dtype=np.uint32))
print(ring.items.tolist(), clock.step(np.array([704], dtype=np.uint32)).tolist())
