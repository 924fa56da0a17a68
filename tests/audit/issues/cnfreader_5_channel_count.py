"""pbellino/CNFreader#5: NumPy 2 does not multiply a uint8 scalar by 256.

OverflowError: Python integer 256 out of bounds for uint8. The mend makes a Python integer of it first.
"""

# raises: OverflowError

import io

import numpy as np


def uint8_at(f, position):
    f.seek(position)
    return np.frombuffer(f.read(1), dtype="u1")[0]


def uint32_at(f, position):
    f.seek(position)
    return np.frombuffer(f.read(4), dtype="<u4")[0]


def channels(f, offset):
    count = uint8_at(f, offset + 2) * 256  # <- stopped
    # fixed: count = int(uint8_at(f, offset + 2)) * 256
    f.seek(offset + 16)
    return np.frombuffer(f.read(4 * count), dtype="<u4")


def made(spectrum):
    header = bytearray(16)
    header[2] = len(spectrum) // 256
    header[4:8] = np.uint32(600).tobytes()
    return io.BytesIO(bytes(8) + bytes(header) + spectrum.astype("<u4").tobytes())


counts = np.random.default_rng(0).poisson(20, 1024)
file = made(counts)
print("live time", int(uint32_at(file, 12)))
spectrum = channels(file, 8)
print(len(spectrum), int(spectrum.sum()))
