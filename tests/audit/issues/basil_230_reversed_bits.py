"""SiLab-Bonn/basil#230: reversing the bits of bytes stops under NumPy 2.

OverflowError: the multiplier is out of bounds for uint8. The maintainers cast to uint64 before.
"""

# raises: OverflowError

import numpy as np


def reverse_bits(data):
    """Return bytes with their bits in the other order, by a multiplication in 64 bits."""
    spread = data * 0x0202020202  # <- stopped
    # fixed: spread = data.astype(np.uint64) * np.uint64(0x0202020202)
    return ((spread & 0x010884422010) % 1023).astype(np.uint8)


class Register:
    def __init__(self, size):
        self.bits = np.zeros(size, dtype=bool)

    def __setitem__(self, place, value):
        width = len(self.bits[place])
        self.bits[place] = [value >> i & 1 for i in range(width)]

    def tobytes(self):
        return reverse_bits(np.packbits(self.bits))


register = Register(32)
register[0:8] = 0b0000_0101
register[8:16] = 0b1111_0000
register[16:32] = 0xBEEF
print([f"{byte:02x}" for byte in register.tobytes()], register.tobytes().sum())
