"""gibsonlab/chronostrain#38, google/jaxite#80: -1 no longer stands for all ones in an unsigned array.

OverflowError: Python integer -1 out of bounds for uint8. The mend is the largest value of the dtype.
"""

# raises: OverflowError

import numpy as np

GAP = 255


class Alignment:
    def __init__(self, length):
        self.bases = np.zeros(length, dtype=np.ubyte)

    def place(self, start, read):
        codes = np.frombuffer(read.encode(), dtype=np.ubyte)
        self.bases[start : start + len(codes)] = codes

    def mask(self, start, stop):
        self.bases[start:stop] = -1  # <- stopped
        # fixed: self.bases[start:stop] = GAP

    def text(self):
        return "".join("-" if base == GAP else chr(base) for base in self.bases if base)


alignment = Alignment(24)
alignment.place(2, "ACGTACGT")
alignment.place(12, "GATTACA")
alignment.mask(10, 12)
print(alignment.text(), int((alignment.bases == GAP).sum()))
