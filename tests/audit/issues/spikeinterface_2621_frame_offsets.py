"""SpikeInterface/spikeinterface#2621: the offsets of channels in a long recording overflow.

Frames and channels are int32 in the header, and so is their product. The mend casts to int64 first.
"""

import numpy as np

HEADER = np.dtype([("frames", "i4"), ("channels", "i4"), ("rate", "f4")])


class Recording:
    def __init__(self, header):
        (self.header,) = np.frombuffer(header, dtype=HEADER)

    def starts(self, chunk):
        """Return the index of the first sample of each chunk."""
        frames = np.arange(0, self.header["frames"], chunk, dtype=np.int32)
        return frames * self.header["channels"]  # <- wraparound
        # fixed: return frames.astype(np.int64) * self.header["channels"]

    def seconds(self):
        return float(self.header["frames"]) / float(self.header["rate"])


def is_sorted(values):
    return bool((values[1:] > values[:-1]).all())


for minutes in (1, 60):
    header = np.array((minutes * 60 * 30_000, 384, 30_000), dtype=HEADER).tobytes()
    recording = Recording(header)
    starts = recording.starts(chunk=300_000)
    print(recording.seconds(), len(starts), starts[-1], is_sorted(starts))
